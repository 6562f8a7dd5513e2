"""Passes over points: sums of sorted and of unsorted rows, triangular factors, samples."""
