"""Many partitions of the same points: what each point finds in its own cluster and in the others.

The matrix of distances lies in strips, as in `partition_strips`.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel
from clustval.kernels.widths import STRIP


@kernel
def own_neighbours_of_many(D, n, order, firsts, starts, ks, distances):
    """Fill in the distances of each point to the nearest others of its cluster, nearest first, infinite if too few."""
    room = distances.shape[2]
    row = np.empty(n)
    for b in range(len(order)):
        for c in range(ks[b]):
            lo = starts[firsts[b] + c]
            hi = starts[firsts[b] + c + 1]
            for place in range(lo, hi):
                i = order[b, place]
                for other in range(lo, hi):
                    j = order[b, other]
                    row[other - lo] = D[j // STRIP * n * STRIP + i * STRIP + j % STRIP]
                row[place - lo] = np.inf
                nearest = distances[b, i]
                nearest[:] = np.inf
                for other in range(hi - lo):
                    d = row[other]
                    if d < nearest[room - 1]:
                        at = room - 1
                        while at > 0 and nearest[at - 1] > d:
                            nearest[at] = nearest[at - 1]
                            at -= 1
                        nearest[at] = d


@kernel
def closest_of_many(D, n, codes, own, other):
    """Fill in the distances of each point to the closest other of its cluster and to the closest of another one."""
    inside = np.empty(STRIP)
    outside = np.empty(STRIP)
    mine = np.empty(STRIP, np.int64)
    strip = 0
    for i0 in range(0, n, STRIP):
        count = min(STRIP, n - i0)
        for b in range(len(codes)):
            inside[:] = np.inf
            outside[:] = np.inf
            mine[:] = -1
            mine[:count] = codes[b, i0 : i0 + count]
            for j in range(n):
                c = codes[b, j]
                at = strip + j * STRIP
                for lane in range(STRIP):
                    d = D[at + lane]
                    same = mine[lane] == c
                    inside[lane] = min(inside[lane], d if same and i0 + lane != j else np.inf)
                    outside[lane] = min(outside[lane], np.inf if same else d)
            own[b, i0 : i0 + count] = inside[:count]
            other[b, i0 : i0 + count] = outside[:count]
        strip += n * STRIP


@kernel
def near_sums_of_many(D, n, codes, width, sums):
    """Fill in the sum over points of other clusters of 1 - d/width where that is positive."""
    total = np.empty(STRIP)
    mine = np.empty(STRIP, np.int64)
    strip = 0
    for i0 in range(0, n, STRIP):
        count = min(STRIP, n - i0)
        for b in range(len(codes)):
            total[:] = 0.0
            mine[:count] = codes[b, i0 : i0 + count]
            for j in range(n):
                c = codes[b, j]
                at = strip + j * STRIP
                for lane in range(count):
                    d = D[at + lane]
                    if d < width and mine[lane] != c:
                        total[lane] += 1.0 - d / width
            sums[b, i0 : i0 + count] = total[:count]
        strip += n * STRIP


@kernel
def squares_of_many(D, n, order, firsts, starts, ks, rows, squares):
    """Fill in the sum over pairs of each cluster of their squared distance."""
    for b in range(len(order)):
        for c in range(ks[b]):
            lo = starts[firsts[b] + c]
            hi = starts[firsts[b] + c + 1]
            total = 0.0
            for place in range(lo, hi):
                i = order[b, place] * STRIP
                for other in range(lo, place):
                    j = order[b, other]
                    d = D[j // STRIP * n * STRIP + i + j % STRIP]
                    total += d * d
            squares[rows[b] + c] = total
