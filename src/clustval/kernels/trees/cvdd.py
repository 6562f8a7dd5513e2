"""The spanning tree of distances that grow where density changes, and the least of such paths between clusters (CVDD).

Two points are as far apart as their distance d, and farther if one lies sparser than the other:
d + (s + t) (1 - exp(-(s - t)^2 / (s t))), s and t being the mean distances of each to its nearest points.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import distance_of, square_of
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import SLACK


@kernel
def stretch(s, t):
    """How much farther apart two points are than their distance, by how sparse they lie."""
    step = s - t
    return -(s + t) * np.expm1(-step * step / (s * t))


@kernel
def join_unevenly(columns, sparse, factor, parents, reach):
    """Grow the tree point by point: the parent of each point and how far it is reached; the first point has none.

    No point is nearer than its distance, so that most need no more than its square.
    """
    p, n = columns.shape
    free = np.arange(n)
    near = np.full(n, np.inf)
    squares = np.full(n, np.inf)
    parent = np.full(n, -1)
    row = np.empty(n)
    last = 0
    free[0] = n - 1
    left = n - 1
    parents[0] = -1
    reach[0] = 0.0
    rest = np.empty((p, n))
    for c in range(left):
        for q in range(p):
            rest[q, c] = columns[q, free[c]]
    while left > 0:
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
            if row[c] < squares[c]:
                r = distance_of(row[c], factor) + stretch(sparse[last], sparse[free[c]])
                if r < near[c]:
                    near[c] = r
                    squares[c] = square_of(r, factor) * SLACK
                    parent[c] = last
            if near[c] < nearest:
                nearest = near[c]
                at = c
        last = free[at]
        parents[last] = parent[at]
        reach[last] = nearest
        left -= 1
        free[at] = free[left]
        near[at] = near[left]
        squares[at] = squares[left]
        parent[at] = parent[left]
        for q in range(p):
            rest[q, at] = rest[q, left]


@kernel
def take_up_unevenly(row, sparse, last, near, parent, done):
    """Let the point `last`, with these distances to all points, reach those not in the tree; return the nearest."""
    at = -1
    nearest = np.inf
    for j in range(len(row)):
        if done[j]:
            continue
        if row[j] < near[j]:
            r = row[j] + stretch(sparse[last], sparse[j])
            if r < near[j]:
                near[j] = r
                parent[j] = last
        if near[j] < nearest or at < 0:
            nearest = near[j]
            at = j
    return at


@kernel
def least_across(children, heights, values, codes, least):
    """Fill in, for each cluster, the least height at which a point of it joins one of another, times both values' root.

    For each cluster the smallest value of its points and that of all others go up the tree.
    """
    n = len(heights) + 1
    own = np.empty(2 * n - 1)
    other = np.empty(2 * n - 1)
    for c in range(len(least)):
        for i in range(n):
            own[i] = values[i] if codes[i] == c else np.inf
            other[i] = np.inf if codes[i] == c else values[i]
        best = np.inf
        for t in range(n - 1):
            a, b = children[t, 0], children[t, 1]
            product = min(own[a] * other[b], own[b] * other[a])
            if product < np.inf:
                best = min(best, heights[t] * np.sqrt(product))
            own[n + t] = min(own[a], own[b])
            other[n + t] = min(other[a], other[b])
        least[c] = best
