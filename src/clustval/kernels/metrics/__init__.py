"""Distances by a metric: forms of metrics, rows of distances, roots, quantiles."""

from clustval.kernels import loader

__getattr__ = loader(__name__)
