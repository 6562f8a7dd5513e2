"""Clusters that grow from their densest point by the point next nearest, as a minimum spanning tree does (Prim).

Of points equally near the one with the smallest number is next; it hangs on the point that was taken up first among
those it is equally near to. What is left behind is the longest step, the sum of squares of how much denser a point is
than the one it hangs on, and the longest step weighed by the density of the densest point still to come.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import finish_row
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.kernels.work.sizes import STRIP


@kernel
def mode(density):
    """Return the first of the densest points."""
    most = density[0]
    for i in range(len(density)):
        most = max(most, density[i])
    for i in range(len(density)):
        if density[i] >= most * (1 - ROUNDING_OF_VALUES):
            return i
    return 0


@kernel
def begin(density, order, near, beneath):
    """Put the densest point first in `order`."""
    for i in range(len(density)):
        order[i] = i
        near[i] = np.inf
        beneath[i] = 0.0
    top = mode(density)
    order[0], order[top] = top, 0


@kernel
def advance(row, density, order, near, beneath, step):
    """Take up the next point, given the distances of the last one to those at `step` ... in `order`.

    Its distance is then `near[step]`, the density of the point it hangs on `beneath[step]`. Return where it lay.
    """
    last = density[order[step - 1]]
    nearest = np.inf
    at = step
    for c in range(step, len(order)):
        if row[c - step] < near[c]:
            near[c] = row[c - step]
            beneath[c] = last
        if near[c] < nearest or (near[c] == nearest and order[c] < order[at]):
            nearest = near[c]
            at = c
    order[step], order[at] = order[at], order[step]
    near[step], near[at] = near[at], near[step]
    beneath[step], beneath[at] = beneath[at], beneath[step]
    return at


@kernel
def left_behind(density, order, near, beneath):
    """Return the longest step, the sum of squared rises, and the largest of the steps times the density to come."""
    longest = 0.0
    rises = 0.0
    gap = 0.0
    densest = 0.0
    for step in range(len(order) - 1, 0, -1):
        rise = max(density[order[step]] - beneath[step], 0.0)
        rises += rise * rise
        densest = max(densest, density[order[step]])
        longest = max(longest, near[step])
        gap = max(gap, near[step] * densest)
    return longest, rises, gap


@kernel
def grow_points(columns, density, factor):
    """Return the longest step, the squared rises and the weighed gap of a cluster of points, which come as columns."""
    p, n = columns.shape
    order = np.empty(n, np.int64)
    near = np.empty(n)
    beneath = np.empty(n)
    row = np.empty(n)
    begin(density, order, near, beneath)
    # The points still to come lie side by side, so that their distances vectorise.
    rest = columns.copy()
    top = order[0]
    for q in range(p):
        rest[q, 0], rest[q, top] = rest[q, top], rest[q, 0]
    for step in range(1, n):
        left = n - step
        row[:left] = 0.0
        for q in range(p):
            x = rest[q, step - 1]
            others = rest[q, step:]
            for c in range(left):
                d = others[c] - x
                row[c] += d * d
        finish_row(row, left, factor)
        at = advance(row, density, order, near, beneath, step)
        for q in range(p):
            rest[q, step], rest[q, at] = rest[q, at], rest[q, step]
    return left_behind(density, order, near, beneath)


@kernel
def growth_of_many(D, n, densities, order, firsts, starts, ks, rows, longest, rises, gaps):
    """Fill in what clusters of many partitions leave behind; distances lie in strips, as in `partition_strips`."""
    row = np.empty(n)
    for b in range(len(order)):
        for c in range(ks[b]):
            members = order[b, starts[firsts[b] + c] : starts[firsts[b] + c + 1]]
            size = len(members)
            density = densities[members]
            places = np.empty(size, np.int64)
            near = np.empty(size)
            beneath = np.empty(size)
            begin(density, places, near, beneath)
            for step in range(1, size):
                last = members[places[step - 1]] * STRIP
                for at in range(step, size):
                    j = members[places[at]]
                    row[at - step] = D[j // STRIP * n * STRIP + last + j % STRIP]
                advance(row, density, places, near, beneath, step)
            at = rows[b] + c
            longest[at], rises[at], gaps[at] = left_behind(density, places, near, beneath)
