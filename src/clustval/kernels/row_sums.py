"""One pass over rows in any order: sums of the clusters that they are in, and distances to the centres of all.

Rows may be of 32 bits; sums are of 64. Each row adds to the places of its own cluster, so that nothing is sorted or
copied. Rows with a negative code are in no cluster.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel

FEW = 16  # rows of a cluster from which its mean is guessed


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
def deviations_of_rows(X, codes, pivots, sums, squares):
    """Add the deviations of rows from a point near the mean of their cluster, and their squares."""
    n, p = X.shape
    for i in range(n):
        c = codes[i]
        if c < 0:
            continue
        for j in range(p):
            d = np.float64(X[i, j]) - pivots[c, j]
            sums[c, j] += d
            squares[c, j] += d * d


@kernel
def rows_to_centres(X, codes, origin, centres, mean, own, nearest, neighbour, sums):
    """Fill own, nearest and neighbour of each row, add distances to centres; return the sum of those to `mean`.

    Centres come dimension-major, from the origin as the mean does.
    """
    p, k = centres.shape
    squares = np.empty(k)
    total = 0.0
    for i in range(len(codes)):
        c = codes[i]
        squares[:] = 0.0
        square = 0.0
        for j in range(p):
            z = np.float64(X[i, j]) - origin[j]
            for b in range(k):
                step = z - centres[j, b]
                squares[b] += step * step
            step = z - mean[j]
            square += step * step
        total += np.sqrt(square)
        for b in range(k):
            squares[b] = np.sqrt(squares[b])
            if sums is not None:
                sums[c, b] += squares[b]
        own[i] = squares[c]
        squares[c] = np.inf
        best, which = np.inf, -1
        for b in range(k):
            if squares[b] < best:
                best, which = squares[b], b
        nearest[i] = best
        neighbour[i] = which
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
