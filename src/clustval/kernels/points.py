"""One pass over points: their range, their places by cluster, their deviations from the means of clusters.

A call sees a block of rows, so that long sums are sums of sums of blocks and threads can share the work.
"""

from __future__ import annotations

from clustval.kernels.jit import kernel


@kernel
def ranges(X, lo, hi, sums, lows, highs):
    """Fill the sum, the smallest and the largest of each column of rows lo ... hi-1."""
    p = X.shape[1]
    for j in range(p):
        sums[j] = 0.0
        lows[j] = highs[j] = X[lo, j]
    for i in range(lo, hi):
        for j in range(p):
            x = X[i, j]
            sums[j] += x
            lows[j] = x if x < lows[j] else lows[j]
            highs[j] = x if x > highs[j] else highs[j]


@kernel
def place(X, order, origin, lo, hi, out):
    """Fill rows lo ... hi-1 of `out` with the points at these places of the order, less the origin."""
    p = X.shape[1]
    for i in range(lo, hi):
        row = order[i]
        for j in range(p):
            out[i, j] = X[row, j] - origin[j]


@kernel
def deviations(Z, lo, hi, mean, sums, squares, reach):
    """Fill the sums of the deviations of rows lo ... hi-1 from `mean`, of their squares, and the largest, by column."""
    p = Z.shape[1]
    for j in range(p):
        sums[j] = squares[j] = reach[j] = 0.0
    for i in range(lo, hi):
        for j in range(p):
            d = Z[i, j] - mean[j]
            sums[j] += d
            squares[j] += d * d
            size = abs(d)
            reach[j] = size if size > reach[j] else reach[j]
