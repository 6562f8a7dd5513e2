"""How many points lie near each point, the nearer the more, for distances that squared differences make."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_between
from clustval.passes.metrics.quantiles import near_sums_elsewhere_numpy, near_sums_numpy
from clustval.passes.pairs.half_sums import CHUNK, half_sums
from clustval.passes.work import thresholds


def near_sums_of_points(X: Floats, width: float, *, n_jobs: int, factor: float = ROOT, chunk: int = CHUNK) -> Floats:
    """Return for each point the sum over all points, itself among them, of 1 - d/width where that is positive."""
    n = len(X)
    if n <= thresholds.PAIRS:
        return near_sums_numpy(distances_between(X, X, factor), width)
    return 1.0 + _summed(X, np.arange(1, n + 1), width, n_jobs, factor, chunk)


def near_sums_elsewhere_of_points(
    X: Floats, starts: Integers, width: float, *, n_jobs: int, factor: float = ROOT, chunk: int = CHUNK
) -> Floats:
    """Return the part of these sums that comes from points of other clusters; X is sorted by cluster."""
    sizes = np.diff(starts)
    if len(X) <= thresholds.PAIRS:
        codes = np.repeat(np.arange(len(sizes)), sizes)
        return near_sums_elsewhere_numpy(distances_between(X, X, factor), codes, width)
    return _summed(X, np.repeat(starts[1:], sizes), width, n_jobs, factor, chunk)


def _summed(X: Floats, partners: Integers, width: float, n_jobs: int, factor: float, chunk: int) -> Floats:
    columns = np.ascontiguousarray(X.T)

    def meet(a: int, b: int, c: int, d: int, early: Floats, late: Floats) -> None:
        kernels.neighbours.near_densities.near_sums_of_chunks(columns, partners, a, b, c, d, factor, width, early, late)

    return half_sums(meet, len(X), n_jobs=n_jobs, chunk=chunk)
