"""A minimum spanning tree of each cluster by itself, and the smallest distance between each two."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.metrics.form import Form
from clustval.passes.metrics.measure_between import ROOT, distances_of
from clustval.passes.pairs.half_square import form_pass, rows_pass
from clustval.passes.trees.reach_tree import Edges, tree_of_points, tree_of_rows
from clustval.passes.work import threads, thresholds

Between = Callable[[Integers, Integers], Floats]  # distances of some points to others


def trees_of_clusters(
    X: Floats | None, between: Between, groups: Sequence[Integers], *, n_jobs: int, factor: float | None = ROOT
) -> list[Edges]:
    """Return the edges of the tree of each group of points, shortest first: by coordinates, or else by distances."""
    few = few_of(sum(map(len, groups)))
    trees: list[Edges] = [(np.empty((0, 2), dtype=np.int64), np.empty(0))] * len(groups)

    def work(item: int) -> None:
        points = groups[item]
        zeros = np.zeros(len(points))
        if X is not None and factor is not None:
            jobs = n_jobs if len(groups) == 1 else 1
            trees[item] = tree_of_points(X[points], zeros, n_jobs=jobs, factor=factor, few=few)
        else:
            trees[item] = tree_of_rows(lambda rows: between(points[rows], points), zeros)

    largest_first = np.argsort([-len(points) for points in groups], kind="stable").tolist()
    threads.run(lambda item: work(largest_first[item]), len(groups), n_jobs)
    return trees


def few_of(n: int) -> int:
    """Return up to how many points of a cluster are left to plain NumPy: none if all n points are many."""
    return thresholds.PAIRS if n <= thresholds.PAIRS else 0


def joined_pairs(edges: Integers, *, few: int) -> Floats:
    """Return how many pairs of points each edge joins, edges being sorted by length; up to `few` points by NumPy."""
    pairs = np.empty(len(edges))
    if len(edges) >= few:
        kernels.trees.joined_pairs.joined_pairs(edges, pairs)
        return pairs
    part = np.arange(len(edges) + 1)
    for t, (i, j) in enumerate(edges.tolist()):
        a, b = part == part[i], part == part[j]
        pairs[t] = a.sum() * b.sum()
        part[a] = part[j]
    return pairs


def gaps_of_clusters(
    X: Floats | None, form: Form | None, between: Between, groups: Sequence[Integers], *, n_jobs: int, memory: int
) -> Floats:
    """Return the smallest distance between points of each two groups; infinite on the diagonal.

    X is points as the form of their metric wants them, if there is one.
    """
    points = np.concatenate(groups)
    starts = np.concatenate([[0], np.cumsum([len(group) for group in groups])])
    if X is None or form is None:
        distances = rows_pass(
            lambda lo, hi: between(points[lo:hi], points), len(points), starts, full=True, n_jobs=n_jobs, memory=memory
        )
    elif len(points) > thresholds.NEIGHBOURS * 2 ** X.shape[1] and form.factor is not None:
        return distances_of(_squared_gaps([X[group] for group in groups], n_jobs), form.factor)
    else:
        distances = form_pass(X[points], starts, form, full=True, n_jobs=n_jobs, memory=memory)
    assert distances.mins is not None
    return distances.mins


def _squared_gaps(clusters: Sequence[Floats], n_jobs: int) -> Floats:
    """Look up the points of each cluster in the trees of all larger ones."""
    from scipy.spatial import cKDTree  # noqa: PLC0415 - only many points need it

    k = len(clusters)
    trees = [cKDTree(cluster, balanced_tree=False, compact_nodes=False) for cluster in clusters]
    gaps = np.full((k, k), np.inf)
    for a in range(k):
        for b in range(a):
            few, many = (a, b) if len(clusters[a]) <= len(clusters[b]) else (b, a)
            numbers = trees[many].query(clusters[few], workers=n_jobs)[1]
            squares = np.zeros(len(clusters[few]))  # compared as squares: two different squares can have equal roots
            for x, y in zip(clusters[few].T, clusters[many].T, strict=True):
                squares += (x - y[numbers]) ** 2
            gaps[a, b] = gaps[b, a] = squares.min()
    return gaps
