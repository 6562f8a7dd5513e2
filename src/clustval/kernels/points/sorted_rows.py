"""One pass over points: their range, their places by cluster, their deviations from the means of clusters.

A call sees a block of rows, so that long sums are sums of sums of blocks and threads can share the work. Points come
flat, row after row; eight rows are taken side by side, and few enough at a time that they stay in the cache while one
column after another is read.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import (
    WIDTH,
    add,
    fma,
    highest,
    least,
    load,
    lowest,
    most,
    splat,
    store,
    strided,
    sub,
    total,
)

FEW = 64  # rows; all columns of so few rows stay in the cache


@kernel
def sort_codes(codes, order, starts):
    """List points cluster by cluster, those of each in their order, and where each cluster starts."""
    k = len(starts) - 1
    starts[:] = 0
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
def sorted_codes(codes, k):
    """Return points cluster by cluster, where each of k clusters starts, how many it has, and the sorted codes."""
    order = np.empty(len(codes), np.int64)
    starts = np.empty(k + 1, np.int64)
    sort_codes(codes, order, starts)
    return order, starts, starts[1:] - starts[:-1], codes[order]


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
def ranges(X, p, lo, hi, sums, lows, highs):
    """Fill the sum, the smallest and the largest of each column of rows lo ... hi-1; NaN makes sums NaN."""
    lanes = np.empty((3, p * WIDTH))
    s, low, high = lanes[0], lanes[1], lanes[2]
    s[:] = 0.0
    low[:] = np.inf
    high[:] = -np.inf
    bulk = lo + (hi - lo) // WIDTH * WIDTH
    for top in range(lo, bulk, FEW):
        for j in range(p):
            at = j * WIDTH
            total_j = load(s, at)
            low_j = load(low, at)
            high_j = load(high, at)
            for i in range(top, min(top + FEW, bulk), WIDTH):
                x = strided(X, i * p + j, p)
                total_j = add(total_j, x)
                low_j = least(low_j, x)
                high_j = most(high_j, x)
            store(s, at, total_j)
            store(low, at, low_j)
            store(high, at, high_j)
    for j in range(p):
        sums[j] = total(load(s, j * WIDTH))
        lows[j] = lowest(load(low, j * WIDTH))
        highs[j] = highest(load(high, j * WIDTH))
        for i in range(bulk, hi):
            x = X[i * p + j]
            sums[j] += x
            lows[j] = min(lows[j], x)
            highs[j] = max(highs[j], x)


@kernel
def middle(X, p):
    """Return the mean of each column of flat rows, which lies between its smallest and largest number."""
    n = len(X) // p
    table = np.empty((3, p))
    sums, lows, highs = table[0], table[1], table[2]
    ranges(X, p, 0, n, sums, lows, highs)
    for j in range(p):
        sums[j] = min(max(sums[j] / n, lows[j]), highs[j])
    return sums


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
    p = len(mean)
    lanes = np.zeros((3, p * WIDTH))
    s, q, r = lanes[0], lanes[1], lanes[2]
    zero = splat(0.0)
    bulk = lo + (hi - lo) // WIDTH * WIDTH
    for top in range(lo, bulk, FEW):
        for j in range(p):
            at = j * WIDTH
            centre = splat(mean[j])
            sum_j = load(s, at)
            square_j = load(q, at)
            reach_j = load(r, at)
            for i in range(top, min(top + FEW, bulk), WIDTH):
                d = sub(strided(Z, i * p + j, p), centre)
                sum_j = add(sum_j, d)
                square_j = fma(d, d, square_j)
                reach_j = most(reach_j, most(d, sub(zero, d)))
            store(s, at, sum_j)
            store(q, at, square_j)
            store(r, at, reach_j)
    for j in range(p):
        sums[j] = total(load(s, j * WIDTH))
        squares[j] = total(load(q, j * WIDTH))
        reach[j] = highest(load(r, j * WIDTH))
        for i in range(bulk, hi):
            d = Z[i * p + j] - mean[j]
            sums[j] += d
            squares[j] += d * d
            reach[j] = max(reach[j], abs(d))


@kernel
def deviations_of_blocks(Z, limits, clusters, first, last, means, sums, squares, reach):
    """Fill what `deviations` fills for blocks first ... last-1 of rows, each about the mean of its cluster."""
    for b in range(first, last):
        deviations(Z, limits[b, 0], limits[b, 1], means[clusters[b]], sums[b], squares[b], reach[b])


@kernel
def moments_of_clusters(Z, starts, p, rounding):
    """Return means (k, p), sums of squared deviations from them, and how far points reach (p,).

    A second look at the points corrects what the first one rounds: a sum of squares about a point off the mean by
    `drift` is too large by n drift**2. Where squares are but rounding, points are equal: the mean is the first of them.
    """
    k = len(starts) - 1
    means = np.zeros((k, p))
    squares = np.zeros((k, p))
    reach = np.zeros(p)
    sums = np.empty(p)
    farthest = np.empty(p)
    for c in range(k):
        lo, hi = starts[c], starts[c + 1]
        if lo == hi:
            continue
        deviations(Z, lo, hi, means[c], sums, squares[c], farthest)
        for j in range(p):
            reach[j] = max(reach[j], farthest[j])
            means[c, j] = sums[j] / (hi - lo)
        deviations(Z, lo, hi, means[c], sums, squares[c], farthest)
        for j in range(p):
            drift = sums[j] / (hi - lo)
            means[c, j] += drift
            squares[c, j] = max(squares[c, j] - (hi - lo) * (drift * drift), 0.0)
    for c in range(k):
        lo, count = starts[c], starts[c + 1] - starts[c]
        for j in range(p):
            least_spread = rounding * reach[j]
            if count > 0 and squares[c, j] <= count * (least_spread * least_spread):
                means[c, j] = Z[lo * p + j]
                squares[c, j] = 0.0
    return means, squares, reach


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
