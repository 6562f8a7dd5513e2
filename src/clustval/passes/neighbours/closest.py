"""The closest other point of the own cluster and the closest of another, for each point: by visit or by tree."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_between, distances_of
from clustval.passes.work import threads, thresholds

Rows = Callable[[int, int], Floats]  # distances of points lo ... hi-1 to all
Closest = tuple[Floats, Floats]  # distance to the own cluster and to another, infinite where there is no such point

PIECE = 64  # rows that a work item sees
LEAVES = 2048  # points of a tree that a work item sees
CELLS = 2**21  # distances at a time where they come from elsewhere


def closest_of_points(X: Floats, starts: Integers, *, n_jobs: int, factor: float = ROOT) -> Closest:
    """Return the closest points of each of the points, sorted by cluster."""
    n, p = X.shape
    if n <= thresholds.PAIRS:
        return closest_of_rows(lambda lo, hi: distances_between(X[lo:hi], X, factor), starts, n_jobs=1)
    own, other = (_by_tree if n > thresholds.NEIGHBOURS * 2**p else _by_visit)(X, starts, n_jobs)
    return distances_of(own, factor), distances_of(other, factor)


def closest_of_rows(rows: Rows, starts: Integers, *, n_jobs: int, cells: int = CELLS) -> Closest:
    """Return the closest points by distances of any kind, in plain NumPy."""
    n = int(starts[-1])
    codes = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    own, other = np.empty(n), np.empty(n)
    step = max(1, cells // max(n, 1))
    lows = range(0, n, step)

    def work(item: int) -> None:
        lo, hi = lows[item], min(lows[item] + step, n)
        distances = np.array(rows(lo, hi), dtype=np.float64)
        distances[np.arange(hi - lo), np.arange(lo, hi)] = np.inf  # a point is not its own neighbour
        alike = codes[lo:hi, None] == codes
        own[lo:hi] = np.where(alike, distances, np.inf).min(axis=1)
        other[lo:hi] = np.where(alike, np.inf, distances).min(axis=1)

    threads.run(work, len(lows), n_jobs)
    return own, other


def _by_visit(X: Floats, starts: Integers, n_jobs: int) -> Closest:
    n = len(X)
    columns, codes = np.ascontiguousarray(X.T), np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    own, other = np.empty(n), np.empty(n)
    lows = range(0, n, PIECE)

    def work(item: int) -> None:
        kernels.neighbours.closest.closest_by_visit(
            columns, codes, starts, lows[item], min(lows[item] + PIECE, n), own, other
        )

    threads.run(work, len(lows), n_jobs)
    return own, other


def _by_tree(X: Floats, starts: Integers, n_jobs: int) -> Closest:
    n = len(X)
    leaves, order = X.copy(), np.arange(n)
    begins, ends, lows, highs, colours = kernels.trees.kd_tree.grow(leaves, order)
    codes = np.repeat(np.arange(len(starts) - 1), np.diff(starts))[order]
    kernels.trees.reach_tree.colour_nodes(begins, ends, codes, colours)
    own, other = np.empty(n), np.empty(n)
    pieces = range(0, n, LEAVES)

    def work(item: int) -> None:
        lo, hi = pieces[item], min(pieces[item] + LEAVES, n)
        kernels.neighbours.closest.closest_by_tree(
            leaves, begins, ends, lows, highs, colours, codes, lo, hi, own, other
        )

    threads.run(work, len(pieces), n_jobs)
    back = np.empty(n, dtype=np.int64)
    back[order] = np.arange(n)
    return own[back], other[back]
