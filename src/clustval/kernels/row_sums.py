"""One pass over rows in any order: sums of the clusters that they are in, and distances to the centres of all.

Rows may be of 32 bits; sums are of 64. Each row adds to the places of its own cluster, so that nothing is sorted or
copied.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel
from clustval.kernels.lanes import (
    WIDTH,
    add,
    fma,
    least,
    load,
    load_widened,
    lowest,
    most,
    root,
    splat,
    spread,
    store,
    sub,
)

FEW = 16  # rows of a cluster from which its mean is guessed
ADDED = 2**13  # rows that are added up at a time


@kernel
def guess_means(X, codes, pivots, firsts):
    """Fill the mean of the first few rows of each cluster, and the number of its first row; -1 if it has none."""
    k, p = pivots.shape
    counts = np.zeros(k, np.int64)
    pivots[:] = 0.0
    firsts[:] = -1
    short = k
    for i in range(len(codes)):
        c = codes[i]
        if c < 0 or counts[c] == FEW:
            continue
        if counts[c] == 0:
            firsts[c] = i
        counts[c] += 1
        for j in range(p):
            pivots[c, j] += X[i, j]
        if counts[c] == FEW:
            short -= 1
            if short == 0:
                break
    for c in range(k):
        if counts[c] > 0:
            for j in range(p):
                pivots[c, j] /= counts[c]


@kernel
def deviations_of_rows(X, single, codes, p, pivots, sums, squares, lows, highs):
    """Add the deviations of rows from a point near the mean of their cluster, and their squares; widen the range.

    All arrays are flat: pivots, sums and squares of each cluster side by side, the range of all rows of each column.
    `single` is None unless X is of 32 bits. Sums are sums of sums of few rows: long ones would lose digits.
    """
    n, size = len(codes), len(sums)
    few = max(ADDED, 4 * size)
    parts = np.empty((2, size))
    part, part_of_squares = parts[0], parts[1]
    even = p // WIDTH * WIDTH
    for begin in range(0, n, few):
        parts[:] = 0.0
        end = min(begin + few, n)
        for j in range(0, even, WIDTH):
            low, high = load(lows, j), load(highs, j)
            for i in range(begin, end):
                x = load(X, i * p + j) if single is None else load_widened(X, i * p + j)
                low, high = least(low, x), most(high, x)
                at = codes[i] * p + j
                d = sub(x, load(pivots, at))
                store(part, at, add(load(part, at), d))
                store(part_of_squares, at, fma(d, d, load(part_of_squares, at)))
            store(lows, j, low)
            store(highs, j, high)
        for i in range(begin, end):
            for j in range(even, p):
                x = np.float64(X[i * p + j])
                lows[j], highs[j] = min(lows[j], x), max(highs[j], x)
                at = codes[i] * p + j
                d = x - pivots[at]
                part[at] += d
                part_of_squares[at] += d * d
        for at in range(size):
            sums[at] += part[at]
            squares[at] += part_of_squares[at]


@kernel
def rows_to_centres(X, codes, origin, centres, k, own, nearest, sums):
    """Fill own and nearest of each row, add distances to centres; return the sum of those to the last of them.

    Centres come in strips of eight, `centres[strip, dimension, lane]`, from the origin: those of k clusters, and the
    mean of all points. Sums are of as many as the strips have, of each cluster.
    """
    p = len(origin)
    wide = len(centres) // p
    distances = np.empty(wide)
    own_one = np.zeros(2 * wide)  # infinite where it is loaded for the own centre,
    own_one[wide] = np.inf
    no_cluster = np.zeros(wide)  # and for what is no centre of a cluster: those are not the nearest
    no_cluster[k:] = np.inf
    z = np.empty(p)
    total = 0.0
    for i in range(len(codes)):
        c = codes[i]
        for j in range(p):
            z[j] = np.float64(X[i, j]) - origin[j]
        low = splat(np.inf)
        for strip in range(0, wide, WIDTH):
            d = splat(0.0)
            for j in range(p):
                e = sub(spread(z, j), load(centres, strip * p + j * WIDTH))
                d = fma(e, e, d)
            d = root(d)
            store(distances, strip, d)
            low = least(low, add(d, add(load(own_one, wide - c + strip), load(no_cluster, strip))))
            if sums is not None:
                at = c * wide + strip
                store(sums, at, add(load(sums, at), d))
        own[i] = distances[c]
        nearest[i] = lowest(low)
        total += distances[k]
    return total


@kernel
def rows_to_clusters(Z, codes, centres, spreads, own, nearest, neighbour):
    """Fill the mean squared distance of each row to its own cluster, to the nearest other, and which that is."""
    p, k = centres.shape
    squares = np.empty(k)
    for i in range(len(codes)):
        squares[:] = spreads
        for j in range(p):
            for b in range(k):
                step = Z[i, j] - centres[j, b]
                squares[b] += step * step
        c = codes[i]
        own[i] = squares[c]
        best, which = np.inf, -1
        for b in range(k):
            if squares[b] < best and b != c:
                best, which = squares[b], b
        nearest[i] = best
        neighbour[i] = which


@kernel(fastmath={"contract"})
def distances_to_sample(A, columns, starts, sums):
    """Fill the sums of the distances of each row of A to the points of each cluster, which come dimension-major."""
    p, n = columns.shape
    squares = np.empty(n)
    for i in range(len(A)):
        squares[:] = 0.0
        for j in range(p):
            x = A[i, j]
            for b in range(n):
                step = x - columns[j, b]
                squares[b] += step * step
        for b in range(n):
            squares[b] = np.sqrt(squares[b])
        for c in range(len(starts) - 1):
            total = 0.0
            for b in range(starts[c], starts[c + 1]):
                total += squares[b]
            sums[i, c] = total
