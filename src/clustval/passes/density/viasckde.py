"""Gaussian kernel estimates of the density at each point, up to a factor that all points share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_between
from clustval.passes.points.places import Places, places
from clustval.passes.work import threads, thresholds

Rows = Callable[[Integers], Floats]  # distances of some points to all

PIECE = 64  # rows that a work item sees
CELLS = 2**21  # distances at a time where they come from elsewhere


def density_of_points(X: Floats, bandwidth: float, *, n_jobs: int, factor: float = ROOT) -> Floats:
    """Return the sum of exp(-d^2 / 2 h^2) over all points, once for equal points; each point adds 1 for itself."""
    n = len(X)
    if n <= thresholds.PAIRS:
        return density_numpy(lambda rows: distances_between(X[rows], X, factor), n, bandwidth)
    columns, scale = np.ascontiguousarray(X.T), 0.5 / (bandwidth * bandwidth)
    distinct = places(X)
    sums = np.empty(len(distinct.firsts))
    lows = range(0, len(sums), PIECE)

    def work(item: int) -> None:
        some = slice(lows[item], lows[item] + PIECE)
        kernels.density.viasckde.bells_of_points(columns, distinct.firsts[some], factor, scale, sums[some])

    threads.run(work, len(lows), n_jobs)
    return 1.0 + sums[distinct.codes]


def density_of_rows(
    distances: Rows, n: int, bandwidth: float, *, n_jobs: int, X: Floats | None = None, cells: int = CELLS
) -> Floats:
    """Return the same for distances of any kind; of `X`, if it is there, equal rows have equal distances."""
    if n <= thresholds.PAIRS:
        return density_numpy(distances, n, bandwidth)
    each = np.arange(n)
    distinct = Places(each, each, np.ones(n, dtype=np.int64)) if X is None else places(X)
    sums, scale = np.empty(len(distinct.firsts)), 0.5 / (bandwidth * bandwidth)
    step = max(1, cells // n)
    lows = range(0, len(sums), step)

    def work(item: int) -> None:
        some = slice(lows[item], lows[item] + step)
        rows = np.require(distances(distinct.firsts[some]), np.float64, ["C", "W"])
        kernels.density.viasckde.bells_of_rows(rows, distinct.firsts[some], scale, sums[some])

    threads.run(work, len(lows), n_jobs)
    return 1.0 + sums[distinct.codes]


def density_numpy(distances: Rows, n: int, bandwidth: float) -> Floats:
    """Return the same in plain NumPy."""
    bells = np.exp(-(0.5 / (bandwidth * bandwidth)) * distances(np.arange(n)) ** 2)
    np.fill_diagonal(bells, 0.0)
    return 1.0 + bells.sum(axis=1)
