"""Distances by a metric: points prepared for it, rows of distances, quantiles."""
