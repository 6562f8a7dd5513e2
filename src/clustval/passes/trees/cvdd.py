"""Spanning trees of distances that grow where density changes, and the least of their paths between clusters."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_between
from clustval.passes.trees.paths import path_matrix
from clustval.passes.trees.reach_tree import Edges, Rows, edges_of, tree_by_rows, tree_of_matrix
from clustval.passes.work import thresholds


def uneven_tree_of_points(X: Floats, sparse: Floats, *, factor: float = ROOT) -> Edges:
    """Return the edges of the tree of points; `sparse` says how sparse each lies."""
    n = len(X)
    if n <= thresholds.PAIRS:
        return uneven_tree_numpy(lambda rows: distances_between(X[rows], X, factor), sparse)
    parents, reach = np.empty(n, dtype=np.int64), np.empty(n)
    kernels.trees.cvdd.join_unevenly(np.ascontiguousarray(X.T), sparse, factor, parents, reach)
    return edges_of(parents, reach)


def uneven_tree_of_rows(distances: Rows, sparse: Floats) -> Edges:
    """Return the edges of such a tree for distances of any kind."""
    if len(sparse) <= thresholds.PAIRS:
        return uneven_tree_numpy(distances, sparse)
    return tree_by_rows(distances, sparse, kernels.trees.cvdd.take_up_unevenly)


def uneven_tree_numpy(distances: Rows, sparse: Floats) -> Edges:
    """Return what the others return, from the matrix of all distances."""
    s, t = sparse[:, None], sparse
    return tree_of_matrix(distances(np.arange(len(sparse))) - (s + t) * np.expm1(-((s - t) ** 2) / (s * t)))


def least_across(children: Integers, heights: Floats, values: Floats, codes: Integers, k: int) -> Floats:
    """Return, for each cluster, the least height at which it joins others, times the root of both points' values."""
    if len(codes) > thresholds.PAIRS:
        least = np.empty(k)
        kernels.trees.cvdd.least_across(children, heights, values, codes, least)
        return least
    paths = path_matrix(children, heights) * np.sqrt(values[:, None] * values)
    return np.array([paths[codes == c][:, codes != c].min(initial=np.inf) for c in range(k)])
