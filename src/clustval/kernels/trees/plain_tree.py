"""The minimum spanning tree of points by plain distances, point by point (Prim)."""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import distance_of
from clustval.kernels.work.jit import kernel


@kernel
def join_plainly(columns, factor, parents, reach):
    """Fill in the parent of each point and its distance; the first point has none. Squares are all that is compared."""
    p, n = columns.shape
    free = np.arange(n)
    near = np.full(n, np.inf)
    parent = np.full(n, -1)
    row = np.empty(n)
    rest = columns.copy()  # the points that are not in the tree yet lie side by side, so that their distances vectorise
    parents[0] = -1
    reach[0] = 0.0
    left = n
    at = 0
    while True:
        last = free[at]
        left -= 1
        if left == 0:
            return
        free[at] = free[left]
        near[at] = near[left]
        parent[at] = parent[left]
        for q in range(p):
            rest[q, at] = rest[q, left]
        for c in range(left):
            row[c] = 0.0
        for q in range(p):
            x = columns[q, last]
            for c in range(left):
                step = rest[q, c] - x
                row[c] += step * step
        at = 0
        nearest = np.inf
        for c in range(left):
            if row[c] < near[c]:
                near[c] = row[c]
                parent[c] = last
            if near[c] < nearest:
                nearest = near[c]
                at = c
        parents[free[at]] = parent[at]
        reach[free[at]] = distance_of(nearest, factor)
