"""Clusters that grow from given points until they hold all: each time the point and the cluster nearest to each other.

How near a cluster is depends on its nearest point, its farthest point, or the mean over its points. Of points equally
near the one with the smallest number is next, and of clusters equally near to it the first. Distances lie in strips,
as in `partition_strips`.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.sizes import STRIP

NEAREST, FURTHEST, AVERAGE = 0, 1, 2


@kernel
def copy_row(D, n, i, row):
    """Fill in the distances of point i to all points."""
    for lo in range(0, n, STRIP):
        at = lo * n + i * STRIP
        for lane in range(min(STRIP, n - lo)):
            row[lo + lane] = D[at + lane]


@kernel
def assign_to_seeds(D, n, seeds, codes):
    """Give every point to the nearest of the seeds, the first of equals; a seed stays with itself."""
    near = np.full(n, np.inf)
    row = np.empty(n)
    for c in range(len(seeds)):
        copy_row(D, n, seeds[c], row)
        for i in range(n):
            if row[i] < near[i]:
                near[i] = row[i]
                codes[i] = c
    for c in range(len(seeds)):
        codes[seeds[c]] = c


@kernel
def _nearest_cluster(values, sizes):
    """Return the cluster nearest to a point, the first of equals, and how near it is."""
    best = values[0] / sizes[0]
    cluster = 0
    for c in range(1, len(sizes)):
        v = values[c] / sizes[c]
        if v < best:
            best = v
            cluster = c
    return cluster, best


@kernel
def grow_from_seeds(D, n, seeds, how, codes):
    """Fill in the cluster of every point."""
    k = len(seeds)
    sizes = np.ones(k)  # for averages alone
    values = np.empty((n, k))  # of each point and cluster: the largest or the sum of its distances
    row = np.empty(n)
    codes[:] = -1
    for c in range(k):
        codes[seeds[c]] = c
        copy_row(D, n, seeds[c], row)
        values[:, c] = row
    rest = np.flatnonzero(codes < 0)
    near = np.empty(n)
    cluster = np.empty(n, np.int64)
    next_point = n
    least = np.inf
    for j in rest:
        cluster[j], near[j] = _nearest_cluster(values[j], sizes)
        if near[j] < least:
            least = near[j]
            next_point = j
    for left in range(len(rest) - 1, -1, -1):
        new = next_point
        c = cluster[new]
        codes[new] = c
        copy_row(D, n, new, row)
        if how == AVERAGE:
            sizes[c] += 1
        least = np.inf
        kept = 0
        for at in range(left + 1):
            j = rest[at]
            if j == new:
                continue
            rest[kept] = j
            kept += 1
            d = row[j]
            if how == NEAREST:
                if d < near[j] or (d == near[j] and c < cluster[j]):
                    near[j] = d
                    cluster[j] = c
            elif how == FURTHEST:
                if d > values[j, c]:
                    values[j, c] = d
                    if c == cluster[j]:
                        cluster[j], near[j] = _nearest_cluster(values[j], sizes)
            else:
                values[j, c] += d
                v = values[j, c] / sizes[c]
                if c == cluster[j] and v > near[j]:
                    cluster[j], near[j] = _nearest_cluster(values[j], sizes)
                elif c == cluster[j] or v < near[j] or (v == near[j] and c < cluster[j]):
                    near[j] = v
                    cluster[j] = c
            if near[j] < least:  # points come by their number: the first of equals is next
                least = near[j]
                next_point = j
