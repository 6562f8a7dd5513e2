"""One pass over rows in any order: distances to the centres of all clusters, and to samples of points.

Rows may be of 32 bits; sums are of 64. Nothing is sorted or copied.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.metric_forms import add_dimensions
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import (
    WIDTH,
    add,
    fma,
    least,
    load,
    rolled,
    root,
    splat,
    spread,
    store,
    sub,
    total,
    where_equal,
)

STRIPS = 8  # of eight rows each, that are laid side by side at a time


@kernel(inline=True)
def _compared(d, b, codes, own, low):
    """Return the squares to the own centre and to the nearest other, once those to centre b are known."""
    cluster = splat(float(b))
    return where_equal(codes, cluster, d, own), least(low, where_equal(codes, cluster, splat(np.inf), d))


@kernel
def rows_to_centres(form, X, codes, p, origin, centres, mean, own, nearest):
    """Fill the distances of each row to its own centre and to the nearest other; return the sum of those to the mean.

    Centres come in strips of eight, from the origin: those of the clusters first, then that of all points at `mean`, a
    multiple of four; other places are infinitely far. Eight rows are taken side by side, and met with four centres.
    Several strips of rows are made before any is read: the processor must have written them.
    """
    n = len(codes)
    z = np.zeros(p * STRIPS * WIDTH)
    which, owns, lows = np.zeros((3, STRIPS * WIDTH))
    zero, away = splat(0.0), 0.0
    for begin in range(0, n, STRIPS * WIDTH):
        rows = min(STRIPS * WIDTH, n - begin)
        for r in range(rows):
            which[r] = codes[begin + r]
            place = (r >> 3) * WIDTH * p + (r & 7)
            for j in range(p):
                rolled()  # else numbers are scattered by one instruction, which takes longer than one by one
                z[place + j * WIDTH] = np.float64(X[(begin + r) * p + j]) - origin[j]
        for r in range(0, rows, WIDTH):
            code, square, low = load(which, r), splat(0.0), splat(np.inf)
            for b in range(0, mean, 4):
                x = (b >> 3) * WIDTH * p + (b & 7)
                d0, d1, d2, d3 = add_dimensions(form, centres, x, z, r * p, 0, p, zero, zero, zero, zero)
                square, low = _compared(d0, b, code, square, low)
                square, low = _compared(d1, b + 1, code, square, low)
                square, low = _compared(d2, b + 2, code, square, low)
                square, low = _compared(d3, b + 3, code, square, low)
            store(owns, r, root(square))
            store(lows, r, root(low))
            x = (mean >> 3) * WIDTH * p + (mean & 7)
            d0, _, _, _ = add_dimensions(form, centres, x, z, r * p, 0, p, zero, zero, zero, zero)
            if r + WIDTH <= rows:
                away += total(root(d0))
            else:
                store(which, 0, root(d0))
                for lane in range(rows - r):
                    away += which[lane]
        for r in range(rows):
            own[begin + r] = owns[r]
            nearest[begin + r] = lows[r]
    return away


@kernel
def sums_to_centres(X, codes, p, origin, centres, sums):
    """Add the distances of each row to all centres, in strips as above, to the sums of its cluster, one a place."""
    wide = len(centres) // p
    z = np.empty(p)
    for i in range(len(codes)):
        for j in range(p):
            z[j] = np.float64(X[i * p + j]) - origin[j]
        for strip in range(0, wide, WIDTH):
            d = splat(0.0)
            for j in range(p):
                e = sub(spread(z, j), load(centres, strip * p + j * WIDTH))
                d = fma(e, e, d)
            at = codes[i] * wide + strip
            store(sums, at, add(load(sums, at), root(d)))


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
