"""Matrices of distances: are they such, sums and extremes by cluster, and parts of them in another order.

A matrix is read once, eight rows at a time and in tiles that stay in the cache: each tile is first checked along its
rows and then added up by the cluster of each column, all eight rows at once. Rows need not be sorted by cluster.

The check finds that something is wrong, not what. A matrix is symmetric when its rows and its columns have the same
weighted sums, for weights that no accident can match.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import (
    WIDTH,
    add,
    fma,
    least,
    load,
    lowest,
    most,
    mul,
    rolled,
    splat,
    step,
    store,
    strided,
    sub,
    total,
)

TILE = 512  # columns of eight rows that fill the first cache


@kernel(inline=True)
def _weigh(D, at, n, begin, end, weights, weight, r, totals, column_sums):
    """Add the weighted sums of four rows to `totals`, theirs to those of columns; return the smallest entry."""
    t0 = t1 = t2 = t3 = low = splat(0.0)
    w0 = splat(weight[r])
    w1 = splat(weight[r + 1])
    w2 = splat(weight[r + 2])
    w3 = splat(weight[r + 3])
    bulk = begin + (end - begin) // WIDTH * WIDTH
    for j in range(begin, bulk, WIDTH):
        rolled()
        x = load(weights, j)
        d0 = load(D, at + j)
        t0 = fma(d0, x, t0)
        d1 = load(D, at + n + j)
        t1 = fma(d1, x, t1)
        d2 = load(D, at + 2 * n + j)
        t2 = fma(d2, x, t2)
        d3 = load(D, at + 3 * n + j)
        t3 = fma(d3, x, t3)
        low = least(low, least(least(d0, d1), least(d2, d3)))
        store(column_sums, j, fma(d0, w0, fma(d1, w1, fma(d2, w2, fma(d3, w3, load(column_sums, j))))))
    totals[r] += total(t0)
    totals[r + 1] += total(t1)
    totals[r + 2] += total(t2)
    totals[r + 3] += total(t3)
    smallest = lowest(low)
    for j in range(bulk, end):
        for q in range(r, r + 4):
            d = D[at + (q - r) * n + j]
            totals[q] += d * weights[j]
            column_sums[j] += d * weight[q]
            smallest = min(smallest, d)
    return smallest


@kernel
def absorb_matrix(
    D, begin, end, codes, sizes, weights, shift,
    row_sums, column_sums, own, nearest, neighbour, sums, lows, highs, hausdorff,
):  # fmt: skip
    """Take in rows begin..end-1, at least eight, of the flat matrix D; return how many faults, and the squares.

    Fills the weighted sums of these rows and adds theirs to those of columns. `sums[a, b]` and the like are of rows
    in cluster a and columns in b, and are added to. The squares are of (distance - shift) between these rows and all
    other points.
    """
    n = len(codes)
    k = len(sizes)
    by_cluster = np.empty(k * WIDTH)
    low_by_cluster = np.empty(k * WIDTH)
    high_by_cluster = np.empty(k * WIDTH)
    weight = np.empty(WIDTH)
    totals = np.empty(WIDTH)
    centre = splat(shift)
    squares = splat(0.0)
    faults = 0
    for start in range(begin, end, WIDTH):
        i = min(start, end - WIDTH)  # the last eight may have rows that were seen before
        for r in range(WIDTH):
            weight[r] = weights[i + r] if i + r >= start else 0.0
        totals[:] = 0.0
        by_cluster[:] = 0.0
        if lows is not None:
            low_by_cluster[:] = np.inf
            high_by_cluster[:] = 0.0
        square = splat(0.0)
        for tile in range(0, n, TILE):
            stop = min(tile + TILE, n)
            for r in range(0, WIDTH, 4):
                low = _weigh(D, (i + r) * n, n, tile, stop, weights, weight, r, totals, column_sums)
                faults += low < 0
            for j in range(tile, stop):
                d = strided(D, i * n + j, n)
                at = codes[j] * WIDTH
                store(by_cluster, at, add(load(by_cluster, at), d))
                e = sub(d, centre)
                if i <= j < i + WIDTH:  # a point is no neighbour of itself
                    e = sub(e, mul(e, sub(step(j - i), step(j - i + 1))))
                square = fma(e, e, square)
                if lows is not None:
                    store(low_by_cluster, at, least(load(low_by_cluster, at), d))
                    store(high_by_cluster, at, most(load(high_by_cluster, at), d))
        squares = fma(square, step(start - i), squares)
        for r in range(start - i, WIDTH):
            row_sums[i + r] = totals[r]
            faults += D[(i + r) * n + i + r] != 0
            mine = codes[i + r]
            for c in range(k):
                whole = by_cluster[c * WIDTH + r]
                sums[mine, c] += whole
                if c == mine:
                    own[i + r] = whole
                elif whole / sizes[c] < nearest[i + r]:  # strict: the first of equally near clusters stays
                    nearest[i + r] = whole / sizes[c]
                    neighbour[i + r] = c
                if lows is not None:
                    low = low_by_cluster[c * WIDTH + r]
                    lows[mine, c] = min(lows[mine, c], low)
                    hausdorff[mine, c] = max(hausdorff[mine, c], low)
                    highs[mine, c] = max(highs[mine, c], high_by_cluster[c * WIDTH + r])
    return faults, total(squares)


@kernel
def gathered(D, rows, columns):
    """Return the entries of `rows` and `columns`, each row taken as it lies in memory."""
    out = np.empty((len(rows), len(columns)))
    for i in range(len(rows)):
        row = D[rows[i]]
        for j in range(len(columns)):
            out[i, j] = row[columns[j]]
    return out
