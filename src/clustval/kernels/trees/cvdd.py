"""The spanning tree of distances that grow where density changes, and the least of such paths between clusters (CVDD).

Two points are as far apart as their distance d, and farther if one lies sparser than the other:
d + (s + t) (1 - exp(-(s - t)^2 / (s t))), s and t being the mean distances of each to its nearest points.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import distance_of, square_of
from clustval.kernels.metrics.squares import TILE, least_between, squares_to
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import SLACK


@kernel
def stretch(s, t):
    """How much farther apart two points are than their distance, by how sparse they lie."""
    step = s - t
    return -(s + t) * np.expm1(-step * step / (s * t))


@kernel
def least_stretch(s, t):
    """Return what the stretch does not fall below, and no exponential is taken for: 1 - exp(-x) >= x / (1 + x)."""
    square = (s - t) * (s - t)
    return (s + t) * square / (s * t + square)


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
    row, closer = np.empty(TILE), np.empty(TILE, np.int64)
    rest = columns.copy()  # points that are not in the tree yet lie side by side, and after them the last that joined
    parents[0] = -1
    reach[0] = 0.0
    at = 0
    left = n
    while True:
        last = free[at]
        left -= 1
        if left == 0:
            return
        free[at] = free[left]
        near[at] = near[left]
        squares[at] = squares[left]
        parent[at] = parent[left]
        for q in range(p):
            rest[q, at] = rest[q, left]
            rest[q, left] = columns[q, last]
        at = 0
        nearest = np.inf
        for tile in range(0, left, TILE):
            end = min(tile + TILE, left)
            squares_to(rest, left, tile, end, row)
            count = 0
            for c in range(end - tile):
                closer[count] = c  # overwritten by the next unless it may be reached
                count += np.int64(row[c] < squares[tile + c])
            for which in range(count):
                c = tile + closer[which]
                r = distance_of(row[closer[which]], factor)
                if r + least_stretch(sparse[last], sparse[free[c]]) > near[c] * SLACK:
                    continue
                r += stretch(sparse[last], sparse[free[c]])
                if r < near[c]:
                    near[c] = r
                    squares[c] = square_of(r, factor) * SLACK
                    parent[c] = last
            least = least_between(near, tile, end)
            if least < nearest:
                nearest = least
                at = tile
        while near[at] > nearest:
            at += 1
        parents[free[at]] = parent[at]
        reach[free[at]] = nearest


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
