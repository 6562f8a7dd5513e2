"""One pass over points: their range, their places by cluster; and means of clusters about the mean of all points."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, add, highest, least, load, lowest, most, splat, total


@kernel
def sort_codes(codes, order, starts):
    """List points cluster by cluster, those of each in their order, and where each cluster starts."""
    k = len(starts) - 1
    for c in range(k + 1):
        starts[c] = 0
    for i in range(len(codes)):
        starts[codes[i] + 1] += 1
    place = np.empty(k, np.int64)
    for c in range(k):
        place[c] = starts[c]
        starts[c + 1] += starts[c]
    for i in range(len(codes)):
        c = codes[i]
        order[place[c]] = i
        place[c] += 1


@kernel
def sorted_codes(codes, order, starts, ordered):
    """List points cluster by cluster, where each cluster starts, and the codes in that order."""
    sort_codes(codes, order, starts)
    for c in range(len(starts) - 1):
        for i in range(starts[c], starts[c + 1]):
            ordered[i] = c


@kernel
def extent(X):
    """Return the sum, the smallest and the largest of flat numbers; NaN may show in the sum alone."""
    sums = splat(0.0)
    lows = splat(np.inf)
    highs = splat(-np.inf)
    bulk = len(X) // WIDTH * WIDTH
    for i in range(0, bulk, WIDTH):
        x = load(X, i)
        sums = add(sums, x)
        lows = least(lows, x)
        highs = most(highs, x)
    s, low, high = total(sums), lowest(lows), highest(highs)
    for i in range(bulk, len(X)):
        s += X[i]
        low = min(low, X[i])
        high = max(high, X[i])
    return s, low, high


@kernel
def place(X, order, origin, lo, hi, out):
    """Fill rows lo ... hi-1 of `out` with the points at these places of the order, less the origin."""
    p = X.shape[1]
    for i in range(lo, hi):
        row = order[i]
        for j in range(p):
            out[i, j] = X[row, j] - origin[j]


@kernel
def about_mean(mass, means, squares, n, rounding, reach):
    """Return the mean of all points, the offsets of means from it but for rounding, their squares by mass, and all.

    All squares are these and those about the means.
    """
    k, p = means.shape
    mean, between, total = np.zeros(p), np.zeros(p), np.zeros(p)
    offsets = np.empty((k, p))
    for c in range(k):
        for j in range(p):
            mean[j] += mass[c] * means[c, j]
    for j in range(p):
        mean[j] /= n
    for c in range(k):
        for j in range(p):
            offset = means[c, j] - mean[j]
            offsets[c, j] = 0.0 if abs(offset) <= rounding * reach[j] else offset
            between[j] += mass[c] * (offsets[c, j] * offsets[c, j])
            total[j] += squares[c, j]
    for j in range(p):
        total[j] += between[j]
    return mean, offsets, between, total
