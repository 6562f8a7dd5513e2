"""Spanning trees of distances that grow where density changes, and the least of their paths between clusters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes import thresholds
from clustval.passes.measure_between import ROOT, distances_between
from clustval.passes.walk_tree import path_matrix

Rows = Callable[[Integers], Floats]  # distances of some points to all
Edges = tuple[Integers, Floats]  # (n - 1, 2) points and (n - 1,) lengths, shortest first


def uneven_tree_of_points(X: Floats, sparse: Floats, *, factor: float = ROOT) -> Edges:
    """Return the edges of the tree of points; `sparse` says how sparse each lies."""
    n = len(X)
    if n <= thresholds.PAIRS:
        return uneven_tree_numpy(lambda rows: distances_between(X[rows], X, factor), sparse)
    from clustval.kernels.uneven_tree import join_unevenly  # noqa: PLC0415 - loads the compiler

    parents, reach = np.empty(n, dtype=np.int64), np.empty(n)
    join_unevenly(np.ascontiguousarray(X.T), sparse, factor, parents, reach)
    return _sorted(np.stack([parents[1:], np.arange(1, n)], axis=1), reach[1:])


def uneven_tree_of_rows(distances: Rows, sparse: Floats) -> Edges:
    """Return the edges of such a tree for distances of any kind."""
    n = len(sparse)
    if n <= thresholds.PAIRS:
        return uneven_tree_numpy(distances, sparse)
    from clustval.kernels.uneven_tree import take_up_unevenly  # noqa: PLC0415 - loads the compiler

    near, parent, done = np.full(n, np.inf), np.full(n, -1), np.zeros(n, dtype=bool)
    edges, lengths = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    last = 0
    for step in range(n - 1):
        done[last] = True
        last = take_up_unevenly(distances(np.array([last]))[0], sparse, last, near, parent, done)
        edges[step], lengths[step] = (parent[last], last), near[last]
    return _sorted(edges, lengths)


def uneven_tree_numpy(distances: Rows, sparse: Floats) -> Edges:
    """Return what the others return, from the matrix of all distances."""
    n = len(sparse)
    s, t = sparse[:, None], sparse
    reach = distances(np.arange(n)) - (s + t) * np.expm1(-((s - t) ** 2) / (s * t))
    near, parent, rest = reach[0].copy(), np.zeros(n, dtype=np.int64), np.arange(1, n)
    edges, lengths = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    for step in range(n - 1):
        at = int(near[rest].argmin())
        last = rest[at]
        edges[step], lengths[step] = (parent[last], last), near[last]
        rest = np.delete(rest, at)
        closer = rest[reach[last, rest] < near[rest]]
        near[closer], parent[closer] = reach[last, closer], last
    return _sorted(edges, lengths)


def least_across(children: Integers, heights: Floats, values: Floats, codes: Integers, k: int) -> Floats:
    """Return, for each cluster, the least height at which it joins others, times the root of both points' values."""
    if len(codes) > thresholds.PAIRS:
        from clustval.kernels.uneven_tree import least_across as kernel  # noqa: PLC0415 - loads the compiler

        least = np.empty(k)
        kernel(children, heights, values, codes, least)
        return least
    paths = path_matrix(children, heights) * np.sqrt(values[:, None] * values)
    return np.array([paths[codes == c][:, codes != c].min(initial=np.inf) for c in range(k)])


def _sorted(edges: Integers, lengths: Floats) -> Edges:
    order = np.argsort(lengths, kind="stable")
    return edges[order], lengths[order]
