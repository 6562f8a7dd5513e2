"""Histograms of all distances between points; no distance is kept."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats
from clustval.passes.work import thresholds


def distance_histogram(X: Floats, bins: int) -> Floats:
    """Return how many distances of pairs are in each bin, of equal width from the smallest distance to the largest."""
    counts = np.zeros(bins)
    if not thresholds.COMPILED:
        return distance_histogram_numpy(X, counts)
    kernels.pairs.distance_histogram.distance_histogram(np.ascontiguousarray(X.T), counts)
    return counts


def distance_histogram_numpy(X: Floats, counts: Floats) -> Floats:
    """Count the distances in plain NumPy: twice, for the range and for the bins, row by row."""

    def after(i: int) -> Floats:
        squares = np.zeros(len(X) - i - 1)
        for x in X.T:  # in the order of the dimensions, as the kernel adds
            squares += (x[i + 1 :] - x[i]) ** 2
        return np.sqrt(squares)

    rows = range(len(X) - 1)
    low, high = min(after(i).min() for i in rows), max(after(i).max() for i in rows)
    scale = len(counts) / (high - low) if high > low else 0.0
    for i in rows:
        bins = np.minimum(((after(i) - low) * scale).astype(np.int64), len(counts) - 1)
        counts += np.bincount(bins, minlength=len(counts))
    return counts
