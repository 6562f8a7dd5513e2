"""The order in which a minimum spanning tree takes up points, and mean distances of stretches of that order.

Points are columns, so that the distances of one point to the others vectorise; no more than one row is held.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel
def _squares(columns, i, lo, hi, row):
    """Fill in the squared distances of point i to the points lo ... hi-1."""
    row[: hi - lo] = 0.0
    for j in range(len(columns)):
        x = columns[j, i]
        others = columns[j, lo:hi]
        for c in range(hi - lo):
            step = others[c] - x
            row[c] += step * step


@kernel
def farthest(columns, lo, hi, best):
    """Return the first point of lo ... hi-1 that is farther than `best` from one after it, or -1, and its distance."""
    n = columns.shape[1]
    row = np.empty(n)
    point = -1
    for i in range(lo, hi):
        _squares(columns, i, i + 1, n, row)
        for c in range(n - i - 1):
            if row[c] > best:
                best, point = row[c], i
    return point, best


@kernel
def grow(columns, near, order, edges, lo, hi):
    """Take up points lo ... hi-1 of the tree: each the nearest to those before, and its distance from them.

    `order` begins with the points taken up; `columns` and `near` (squares) are kept in its order. Of points equally
    near, the one with the smallest number is taken.
    """
    p, n = columns.shape
    row = np.empty(n)
    for step in range(lo, hi):
        last = step - 1
        _squares(columns, last, step, n, row)
        nearest, at = np.inf, step
        for c in range(n - step):
            if row[c] < near[step + c]:
                near[step + c] = row[c]
            d = near[step + c]
            if d < nearest or (d == nearest and order[step + c] < order[at]):
                nearest, at = d, step + c
        edges[step] = np.sqrt(nearest)
        order[step], order[at] = order[at], order[step]
        near[step], near[at] = near[at], near[step]
        for j in range(p):
            columns[j, step], columns[j, at] = columns[j, at], columns[j, step]


@kernel
def distance_blocks(columns, bounds, a, image):
    """Fill in line `a` of an image with the sums of distances between stretches of points, from stretch `a` on."""
    row = np.empty(columns.shape[1])
    for i in range(bounds[a], bounds[a + 1]):
        for b in range(a, len(bounds) - 1):
            lo, hi = bounds[b], bounds[b + 1]
            _squares(columns, i, lo, hi, row)
            image[a, b] += np.sqrt(row[: hi - lo]).sum()


@kernel
def path_blocks(edges, bounds, a, image):
    """Fill in line `a` with sums of the longest edges between places of the order, from stretch `a` on."""
    for i in range(bounds[a], bounds[a + 1]):
        longest = 0.0
        for b in range(a, len(bounds) - 1):
            for j in range(bounds[b], bounds[b + 1]):
                if j > i:
                    longest = max(longest, edges[j])
                    image[a, b] += 2.0 * longest if b == a else longest
