"""Many partitions of the same points: what each point finds in its own cluster and in the others.

The matrix of distances lies in strips, as in `partition_strips`.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, least, load, splat, store
from clustval.kernels.work.sizes import STRIP


@kernel
def own_neighbours_of_many(D, n, codes, order, firsts, starts, near, numbers, distances):
    """Fill in the distances of each point to the nearest others of its cluster, nearest first, infinite if too few.

    `near` and `numbers` are the distances and numbers of the nearest points of all, in which most are found.
    """
    room = distances.shape[2]
    row = np.empty(n)
    for b in range(len(order)):
        for i in range(n):
            c = codes[b, i]
            lo = starts[firsts[b] + c]
            hi = starts[firsts[b] + c + 1]
            nearest = distances[b, i]
            nearest[:] = np.inf
            count = 0
            for w in range(near.shape[1]):
                if count == room:
                    break
                if codes[b, numbers[i, w]] == c:
                    nearest[count] = near[i, w]
                    count += 1
            if count >= min(room, hi - lo - 1):
                continue
            for other in range(lo, hi):
                j = order[b, other]
                row[other - lo] = np.inf if j == i else D[j // STRIP * n * STRIP + i * STRIP + j % STRIP]
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
def closest_of_many(D, n, codes, order, firsts, starts, ks, near, numbers, own, other):
    """Fill in the distances of each point to the closest other of its cluster and to the closest of another one.

    `near` and `numbers` are the distances and numbers of the nearest points of all, in which most of the own cluster
    are found.
    """
    low = np.empty(ks.max() * STRIP)
    strip = 0
    for i0 in range(0, n, STRIP):
        count = min(STRIP, n - i0)
        for b in range(len(codes)):
            for c in range(ks[b]):
                l0 = splat(np.inf)
                l1 = splat(np.inf)
                for place in range(starts[firsts[b] + c], starts[firsts[b] + c + 1]):
                    at = strip + order[b, place] * STRIP
                    l0 = least(l0, load(D, at))
                    l1 = least(l1, load(D, at + WIDTH))
                store(low, c * STRIP, l0)
                store(low, c * STRIP + WIDTH, l1)
            for lane in range(count):
                i = i0 + lane
                mine = codes[b, i]
                outside = np.inf
                for c in range(ks[b]):
                    if c != mine:
                        outside = min(outside, low[c * STRIP + lane])
                other[b, i] = outside
                inside = np.inf
                for w in range(near.shape[1]):
                    if codes[b, numbers[i, w]] == mine:
                        inside = near[i, w]
                        break
                if inside == np.inf:
                    for place in range(starts[firsts[b] + mine], starts[firsts[b] + mine + 1]):
                        j = order[b, place]
                        if j != i:
                            inside = min(inside, D[strip + j * STRIP + lane])
                own[b, i] = inside
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
