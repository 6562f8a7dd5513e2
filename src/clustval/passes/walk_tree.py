"""Distances along the paths of a tree: the height of the node in which two points join."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes import thresholds


def merges_of(edges: Integers) -> Integers:
    """Return the nodes that each edge joins, edges being sorted by length; edge t makes node n + t."""
    children = np.empty((len(edges), 2), dtype=np.int64)
    if len(edges) >= thresholds.PAIRS:
        from clustval.kernels.reach_tree import merge_by_length  # noqa: PLC0415 - loads the compiler

        merge_by_length(edges, children)
        return children
    n = len(edges) + 1
    roots = list(range(2 * n - 1))
    for t, edge in enumerate(edges.tolist()):
        for side, point in enumerate(edge):
            top = point
            while roots[top] != top:
                top = roots[top]
            children[t, side] = top
        roots[children[t, 0]] = roots[children[t, 1]] = n + t
    return children


def means_along_paths(
    children: Integers, heights: Floats, codes: Integers, sizes: Integers
) -> tuple[Floats, Floats, Integers]:
    """Return the mean distance of each point to the others of its cluster, to the nearest other cluster, and which."""
    n = len(codes)
    if n > thresholds.PAIRS:
        from clustval.kernels.reach_tree import path_means  # noqa: PLC0415 - loads the compiler

        own, nearest, neighbour = np.empty(n), np.empty(n), np.empty(n, dtype=np.int64)
        path_means(children, heights, codes, sizes, own, nearest, neighbour)
        return own, nearest, neighbour
    k = len(sizes)
    here = codes == np.arange(k)[:, None]
    sums = path_matrix(children, heights) @ here.T
    own = np.where(codes >= 0, (sums * here.T).sum(axis=1) / np.maximum(sizes[codes] - 1, 1), 0.0) if k else np.zeros(n)
    means = np.where(here.T, np.inf, sums / sizes)
    means = np.column_stack([means, np.full(n, np.inf)])  # so that there always is one
    neighbour = means.argmin(axis=1)
    nearest = means[np.arange(n), neighbour]
    return own, nearest, np.where(np.isinf(nearest), -1, neighbour)


def minima_along_paths(children: Integers, heights: Floats, codes: Integers, k: int) -> Floats:
    """Return the smallest distance of each point to a point of each cluster (n, k); 0 to its own."""
    n = len(codes)
    minima = np.full((n, k), np.inf)
    if n <= thresholds.PAIRS:
        distances = path_matrix(children, heights)
        for c in range(k):
            minima[:, c] = distances[:, codes == c].min(axis=1, initial=np.inf)
        return minima
    from clustval.kernels.reach_tree import path_minima  # noqa: PLC0415 - loads the compiler

    counts, column = np.empty(2 * n - 1, dtype=np.int64), np.empty(2 * n - 1)
    for c in range(k):
        path_minima(children, heights, codes, c, counts, column)
        minima[:, c] = column[:n]
    return minima


def path_matrix(children: Integers, heights: Floats) -> Floats:
    """Return the distances of few points along the tree, each pair by the node that joins it."""
    n = len(heights) + 1
    members = [[i] for i in range(n)]
    distances = np.zeros((n, n))
    for (a, b), height in zip(children.tolist(), heights.tolist(), strict=True):
        distances[np.ix_(members[a], members[b])] = distances[np.ix_(members[b], members[a])] = height
        members.append(members[a] + members[b])
    return distances
