"""Distances along the paths of a tree: the height of the node in which two points join."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.lazy import cached_property
from clustval.passes.work import thresholds


def merges_of(edges: Integers) -> Integers:
    """Return the nodes that each edge joins, edges being sorted by length; edge t makes node n + t."""
    children = np.empty((len(edges), 2), dtype=np.int64)
    if len(edges) >= thresholds.PAIRS:
        kernels.trees.reach_tree.merge_by_length(edges, children)
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


@dataclass(frozen=True, eq=False)
class Paths:
    """The paths of one tree, which all partitions of its points share."""

    children: Integers  # (n - 1, 2): node n + t joins two nodes; points are nodes 0 ... n - 1
    heights: Floats  # (n - 1,) of the nodes

    @cached_property
    def matrix(self) -> Floats:
        """Distances of all pairs of points, for few points (n, n)."""
        return path_matrix(self.children, self.heights)

    def means(self, codes: Integers, sizes: Integers) -> tuple[Floats, Floats, Integers]:
        """Return the mean distance of each point to the others of its cluster, to the nearest other one, and which."""
        n = len(codes)
        if n > thresholds.PAIRS:
            own, nearest, neighbour = np.empty(n), np.empty(n), np.empty(n, dtype=np.int64)
            kernels.trees.reach_tree.path_means(self.children, self.heights, codes, sizes, own, nearest, neighbour)
            return own, nearest, neighbour
        k = len(sizes)
        here = codes == np.arange(k)[:, None]
        sums = self.matrix @ here.T
        own = np.zeros(n)
        if k:
            own = np.where(codes >= 0, (sums * here.T).sum(axis=1) / np.maximum(sizes[codes] - 1, 1), 0.0)
        means = np.where(here.T, np.inf, sums / sizes)
        means = np.column_stack([means, np.full(n, np.inf)])  # so that there always is one
        neighbour = means.argmin(axis=1)
        nearest = means[np.arange(n), neighbour]
        return own, nearest, np.where(np.isinf(nearest), -1, neighbour)

    def minima(self, codes: Integers, k: int) -> Floats:
        """Return the smallest distance of each point to a point of each cluster (n, k); 0 to its own."""
        n = len(codes)
        minima = np.full((n, k), np.inf)
        if n <= thresholds.PAIRS:
            for c in range(k):
                minima[:, c] = self.matrix[:, codes == c].min(axis=1, initial=np.inf)
            return minima
        counts, column = np.empty(2 * n - 1, dtype=np.int64), np.empty(2 * n - 1)
        for c in range(k):
            kernels.trees.reach_tree.path_minima(self.children, self.heights, codes, c, counts, column)
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
