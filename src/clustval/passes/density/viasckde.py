"""Gaussian kernel estimates of the density at each point, up to a factor that all points share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_between
from clustval.passes.pairs.half_sums import CHUNK, half_sums
from clustval.passes.points.places import Places, places
from clustval.passes.work import threads, thresholds

Rows = Callable[[Integers], Floats]  # distances of some points to all

REPEATED = 4  # points at a place, on average, from which on places are looked at instead of points
CELLS = 2**21  # distances at a time where they come from elsewhere


def density_of_points(X: Floats, bandwidth: float, *, n_jobs: int, factor: float = ROOT, chunk: int = CHUNK) -> Floats:
    """Return the sum of exp(-d^2 / 2 h^2) over all points; each point adds 1 for itself."""
    n = len(X)
    if n <= thresholds.PAIRS:
        return density_numpy(lambda rows: distances_between(X[rows], X, factor), n, bandwidth)
    if REPEATED * len(places(X).firsts) <= n:  # few places are compared with all points, and points at one place once
        return density_of_rows(lambda rows: distances_between(X[rows], X, factor), n, bandwidth, n_jobs=n_jobs, X=X)
    columns, scale = np.ascontiguousarray(X.T), 0.5 / (bandwidth * bandwidth)

    def meet(a: int, b: int, c: int, d: int, early: Floats, late: Floats) -> None:
        kernels.density.viasckde.bells_of_chunks(columns, a, b, c, d, factor, scale, early, late)

    return 1.0 + half_sums(meet, n, n_jobs=n_jobs, chunk=chunk)


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
