"""Squared distances of one point to a run of others, the smallest of them, and those of a range.

Points are columns, so that the distances of one point to the others vectorise.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import distance_of, square_of
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, least, load, lowest, splat
from clustval.kernels.work.rounding import SLACK

TILE = 256  # points at a time: with eight dimensions, their coordinates fit the first-level cache


@kernel
def squares_to(columns, i, lo, hi, row):
    """Fill in the squared distances of point i to the points lo ... hi-1, added up in the order of the dimensions.

    The first dimensions, up to eight of them, are added in registers.
    """
    p, count = len(columns), hi - lo
    if p >= 8:
        a, b, c, d = columns[0, i], columns[1, i], columns[2, i], columns[3, i]
        e, f, g, h = columns[4, i], columns[5, i], columns[6, i], columns[7, i]
        A, B, C, D = columns[0, lo:hi], columns[1, lo:hi], columns[2, lo:hi], columns[3, lo:hi]
        E, F, G, H = columns[4, lo:hi], columns[5, lo:hi], columns[6, lo:hi], columns[7, lo:hi]
        for j in range(count):
            s = (A[j] - a) * (A[j] - a)
            s += (B[j] - b) * (B[j] - b)
            s += (C[j] - c) * (C[j] - c)
            s += (D[j] - d) * (D[j] - d)
            s += (E[j] - e) * (E[j] - e)
            s += (F[j] - f) * (F[j] - f)
            s += (G[j] - g) * (G[j] - g)
            s += (H[j] - h) * (H[j] - h)
            row[j] = s
        first = 8
    elif p >= 2:
        a, b = columns[0, i], columns[1, i]
        A, B = columns[0, lo:hi], columns[1, lo:hi]
        for j in range(count):
            s = (A[j] - a) * (A[j] - a)
            s += (B[j] - b) * (B[j] - b)
            row[j] = s
        first = 2
    else:
        row[:count] = 0.0
        first = 0
    for q in range(first, p):
        x = columns[q, i]
        others = columns[q, lo:hi]
        for j in range(count):
            step = others[j] - x
            row[j] += step * step


@kernel
def least_between(row, lo, hi):
    """Return the smallest of the entries lo ... hi-1, infinity if there are none."""
    a = b = splat(np.inf)
    while hi - lo >= 2 * WIDTH:
        a = least(a, load(row, lo))
        b = least(b, load(row, lo + WIDTH))
        lo += 2 * WIDTH
    best = lowest(least(a, b))
    while lo < hi:
        best = min(best, row[lo])
        lo += 1
    return best


@kernel
def distances_between(columns, first, last, factor, low, high, room):
    """Copy the distances of points first ... last-1 to later points, from `low` to `high`, into `room`.

    Return how many they are, and how many distances are below `low`. Roots are taken only of squares near the range.
    There must be room for one more.
    """
    n = columns.shape[1]
    row, near = np.empty(TILE), np.empty(TILE)
    lowest_square, highest_square = square_of(low, factor) / SLACK, square_of(high, factor) * SLACK
    count = below = 0
    for tile in range(first + 1, n, TILE):
        end = min(tile + TILE, n)
        for i in range(first, min(last, end - 1)):
            begin = max(tile, i + 1)
            squares_to(columns, i, begin, end, row)
            less = more = kept = 0
            for j in range(end - begin):
                less += np.int64(row[j] < lowest_square)
                more += np.int64(row[j] > highest_square)
            below += less
            if less + more == end - begin:
                continue
            for j in range(end - begin):
                near[kept] = row[j]  # overwritten by the next unless it is near the range
                kept += np.int64(row[j] >= lowest_square) & np.int64(row[j] <= highest_square)
            for j in range(kept):
                d = distance_of(near[j], factor)
                below += np.int64(d < low)
                room[count] = d
                count += np.int64(d >= low) & np.int64(d <= high)
    return count, below
