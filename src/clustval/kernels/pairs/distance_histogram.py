"""Histograms of all distances between points; no distance is kept."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel
def _squares_after(columns, i, squares):
    """Fill in the squared distances of point i to the points after it."""
    m = columns.shape[1] - i - 1
    row = squares[:m]
    row[:] = 0.0
    for j in range(len(columns)):
        x = columns[j, i]
        others = columns[j, i + 1 :]
        for c in range(m):
            step = others[c] - x
            row[c] += step * step
    return row


@kernel
def distance_histogram(columns, counts):
    """Count the distances of all pairs in bins of equal width from the smallest distance to the largest.

    Points are columns. Distances are computed twice, for the range and for the bins, and never stored.
    """
    n, bins = columns.shape[1], len(counts)
    squares = np.empty(n)
    low, high = np.inf, 0.0
    for i in range(n - 1):
        row = _squares_after(columns, i, squares)
        low = min(low, row.min())
        high = max(high, row.max())
    low, high = np.sqrt(low), np.sqrt(high)
    scale = bins / (high - low) if high > low else 0.0
    for i in range(n - 1):
        for square in _squares_after(columns, i, squares):
            counts[min(np.int64((np.sqrt(square) - low) * scale), bins - 1)] += 1
