"""Points enter a graph from dense to thin; where two branches meet, how many points each has above that density."""

from __future__ import annotations

import numpy as np

from clustval.kernels.trees.reach_tree import root_of
from clustval.kernels.work.jit import kernel


@kernel
def excess_mass(order, starts, ends, log_density, sides):
    """Return the best smaller excess of two branches that meet, and the log density where they do.

    `sides` is 0 or 1 for the points in `order`, and -1 for points outside. Excess of a branch at level t is the sum of
    1 - t / density over its points, of one side less those of the other; what never meets counts whole, at level
    minus infinity.
    """
    n = len(sides)
    roots = np.full(n, -1)
    counts, inverse = np.zeros((n, 2)), np.zeros((n, 2))
    base = log_density[order[-1]]
    best, level = 0.0, -np.inf
    for x in order:
        roots[x] = x
        counts[x, sides[x]] = 1.0
        inverse[x, sides[x]] = np.exp(base - log_density[x])
        height = np.exp(log_density[x] - base)
        for at in range(starts[x], starts[x + 1]):
            y = ends[at]
            if sides[y] < 0 or roots[y] < 0:
                continue
            u, v = root_of(roots, x), root_of(roots, y)
            if u == v:
                continue
            of_u = counts[u] - height * inverse[u]
            of_v = counts[v] - height * inverse[v]
            excess = max(min(of_u[0] - of_u[1], of_v[1] - of_v[0]), min(of_u[1] - of_u[0], of_v[0] - of_v[1]))
            if excess > best:
                best, level = excess, log_density[x]
            if counts[u].sum() < counts[v].sum():
                u, v = v, u
            roots[v] = u
            counts[u] += counts[v]
            inverse[u] += inverse[v]
    apart_0, apart_1 = 0.0, 0.0
    for x in order:
        if roots[x] == x:
            more = counts[x, 0] - counts[x, 1]
            apart_0 += max(more, 0.0)
            apart_1 += max(-more, 0.0)
    apart = min(apart_0, apart_1)
    if apart > best:
        best, level = apart, -np.inf
    return best, level


@kernel
def deepest_meeting(order, starts, ends, log_density, inside):
    """Return the largest smaller excess of two branches that meet, whatever their labels, and where they do."""
    n = len(inside)
    roots = np.full(n, -1)
    counts, inverse = np.zeros(n), np.zeros(n)
    base = log_density[order[-1]]
    best, level = 0.0, -np.inf
    for x in order:
        roots[x] = x
        counts[x] = 1.0
        inverse[x] = np.exp(base - log_density[x])
        height = np.exp(log_density[x] - base)
        for at in range(starts[x], starts[x + 1]):
            y = ends[at]
            if not inside[y] or roots[y] < 0:
                continue
            u, v = root_of(roots, x), root_of(roots, y)
            if u == v:
                continue
            excess = min(counts[u] - height * inverse[u], counts[v] - height * inverse[v])
            if excess > best:
                best, level = excess, log_density[x]
            if counts[u] < counts[v]:
                u, v = v, u
            roots[v] = u
            counts[u] += counts[v]
            inverse[u] += inverse[v]
    largest, second = 0.0, 0.0
    for x in order:
        if roots[x] == x:
            if counts[x] > largest:
                largest, second = counts[x], largest
            elif counts[x] > second:
                second = counts[x]
    if second > best:
        best, level = second, -np.inf
    return best, level
