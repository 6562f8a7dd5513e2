"""The smallest distance between clusters and the largest inside one, mostly without a pass over all pairs."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.centres.centre_gaps import tables_fit
from clustval.passes.pairs.half_square import euclidean_pass
from clustval.passes.work import thresholds
from clustval.passes.work.threads import run


def cluster_extremes(X: Floats, starts: Integers, *, n_jobs: int, memory: int) -> tuple[float, float]:
    """Smallest distance between points of two clusters, and largest between two points of one.

    They are the numbers that the full pass over pairs gives, to the last bit. Where data defeat the search (a
    cluster that is a sphere, say), it gives up after a small part of the cost of that pass, and makes it, unless there
    are so many clusters that the tables of that pass would not fit into memory.
    """
    n, fits = len(X), tables_fit(len(starts) - 1, memory)
    if not fits or (n > thresholds.TREE_POINTS and X.shape[1] <= thresholds.TREE_DIMENSIONS):
        extremes = searched_extremes(X, starts, n_jobs=n_jobs, budget=n * n // 50 if fits else 4 * n * n)
        if extremes is not None:
            return extremes
    pairs = euclidean_pass(X, starts, full=True, n_jobs=n_jobs, memory=memory)
    assert pairs.mins is not None
    assert pairs.maxs is not None
    return float(pairs.mins.min()), float(pairs.maxs.diagonal().max())


def searched_extremes(X: Floats, starts: Integers, *, n_jobs: int, budget: int) -> tuple[float, float] | None:
    """`cluster_extremes` by search, or None if it would look at more than `budget` pairs for either."""
    squares = [np.inf, 0.0]

    def search(item: int) -> None:
        squares[item] = (_separation, _diameter)[item](X, starts, budget)

    run(search, 2, n_jobs)
    if min(squares) < 0:
        return None
    return sqrt(squares[0]), sqrt(squares[1])


def diameters_of(X: Floats, starts: Integers, radius: Floats) -> Floats:
    """Largest distance inside each cluster, whose rows are sorted by falling distance to its mean, `radius`."""
    diameters = np.zeros(len(starts) - 1)
    for c, (begin, end) in enumerate(pairwise(starts.tolist())):
        if end - begin > thresholds.PAIRS:
            n = end - begin
            diameters[c] = sqrt(
                kernels.trees.kd_tree.diameter(X[begin:end], np.array([0, n]), radius[begin:end], n * n)
            )
            continue
        for i in range(begin + 1, end):
            diameters[c] = max(diameters[c], np.sqrt(((X[begin:i] - X[i]) ** 2).sum(axis=1).max()))
    return diameters


def _separation(X: Floats, starts: Integers, budget: int) -> float:
    leaves = X.copy()
    labels = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return float(kernels.trees.kd_tree.separation(leaves, labels, *kernels.trees.kd_tree.grow(leaves, labels), budget))


def _diameter(X: Floats, starts: Integers, budget: int) -> float:
    radius = kernels.trees.kd_tree.radii(X, starts)
    order = np.lexsort((-radius, np.repeat(np.arange(len(starts) - 1), np.diff(starts))))
    return float(kernels.trees.kd_tree.diameter(X[order], starts, radius[order], budget))
