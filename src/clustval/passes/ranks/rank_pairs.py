"""Exact rank statistics over all pairs of points: concordance of distances, and sums of the extreme ones.

Counts are Python integers, for they pass 64 bits; sums are correctly rounded. Neither depends on the number of
threads, nor on the memory allowed. Few points are left to plain NumPy, which is done before a compiler is loaded.
"""

from __future__ import annotations

from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT
from clustval.passes.ranks.rank_pairs_numpy import Rows, concordance_numpy, euclidean_rows, extreme_sums_numpy
from clustval.passes.ranks.rank_source import DistanceSource, Done
from clustval.passes.work import thresholds


def concordance(
    X: Floats, starts: Integers, *, n_jobs: int, memory: int, done: Done = None, factor: float = ROOT
) -> tuple[int, int, int]:
    """Count (within pair, between pair): within is nearer, within is farther, both are equally far.

    `X` is sorted by cluster; cluster c is ``starts[c]:starts[c + 1]``. `done` is called after each work item.
    """
    if len(X) <= thresholds.RANKS:
        return concordance_numpy(euclidean_rows(X, factor), len(X), starts)
    from clustval.passes.ranks.rank_concordance import compiled_concordance  # noqa: PLC0415 - loads the compiler

    return compiled_concordance(DistanceSource.of(X, factor), starts, n_jobs=n_jobs, memory=memory, done=done)


def concordance_rows(
    rows: Rows, n: int, starts: Integers, *, n_jobs: int, memory: int, done: Done = None
) -> tuple[int, int, int]:
    """Count like `concordance`, from the distances ``rows(lo, hi)`` of points lo...hi-1 to all points.

    `rows` is called several times for each point, from several threads.
    """
    if n <= thresholds.RANKS:
        return concordance_numpy(rows, n, starts)
    from clustval.passes.ranks.rank_concordance import compiled_concordance  # noqa: PLC0415 - loads the compiler

    return compiled_concordance(DistanceSource.of_rows(rows, n), starts, n_jobs=n_jobs, memory=memory, done=done)


def extreme_sums(
    X: Floats, count: int, *, n_jobs: int, memory: int, done: Done = None, factor: float = ROOT
) -> tuple[float, float]:
    """Return the sums of the `count` smallest and of the `count` largest of all distances."""
    if len(X) <= thresholds.RANKS:
        return extreme_sums_numpy(euclidean_rows(X, factor), len(X), count)
    from clustval.passes.ranks.rank_extremes import compiled_extreme_sums  # noqa: PLC0415 - loads the compiler

    return compiled_extreme_sums(DistanceSource.of(X, factor), count, n_jobs=n_jobs, memory=memory, done=done)


def extreme_sums_rows(
    rows: Rows, n: int, count: int, *, n_jobs: int, memory: int, done: Done = None
) -> tuple[float, float]:
    """Return the sums like `extreme_sums`, from the distances ``rows(lo, hi)`` of points lo...hi-1 to all points."""
    if n <= thresholds.RANKS:
        return extreme_sums_numpy(rows, n, count)
    from clustval.passes.ranks.rank_extremes import compiled_extreme_sums  # noqa: PLC0415 - loads the compiler

    return compiled_extreme_sums(DistanceSource.of_rows(rows, n), count, n_jobs=n_jobs, memory=memory, done=done)
