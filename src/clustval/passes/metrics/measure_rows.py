"""Rows of distances, a block at a time: what passes work on that any metric can feed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval import kernels
from clustval.arrays import Floats
from clustval.passes.metrics.measure_between import ROOT, distances_between
from clustval.passes.work import threads, thresholds

Rows = Callable[[int, int], Floats]  # distances of points lo ... hi-1 to all

CELLS = 2**18  # distances at a time


def euclidean_rows(X: Floats, factor: float = ROOT) -> Rows:
    """Return distances of the rows of X, by default Euclidean ones with the bits of SciPy's cdist."""
    if len(X) <= thresholds.PAIRS:
        return lambda lo, hi: distances_between(X[lo:hi], X, factor)
    columns = np.ascontiguousarray(X.T)

    def rows(lo: int, hi: int) -> Floats:
        block = np.empty((hi - lo, len(X)))
        kernels.metrics.quantiles.distance_rows(columns, lo, factor, block)
        return block

    return rows


def later_of(rows: Rows) -> Rows:
    """Return the same rows for a caller who reads only distances to the points themselves and to later points."""
    return getattr(rows, "later", rows)


class FromOthers:
    """Rows with 0 between each point and itself: there are metrics that give more, as Russell-Rao does."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows

    def __call__(self, lo: int, hi: int) -> Floats:
        return self._without_own(self.rows(lo, hi), lo)

    def later(self, lo: int, hi: int) -> Floats:
        """Return the same, with columns before `lo` left as they happen to be."""
        return self._without_own(later_of(self.rows)(lo, hi), lo)

    @staticmethod
    def _without_own(block: Floats, lo: int) -> Floats:
        places = np.arange(len(block))
        block[places, lo + places] = 0.0
        return block


def over_blocks(rows: Rows, n: int, work: Callable[[int, Floats], object], *, n_jobs: int, cells: int = CELLS) -> None:
    """Call ``work(first, block)`` with the distances of every block of points, which begins at point `first`.

    Distances that a metric rounded below 0 are 0.
    """
    step = max(1, cells // max(n, 1))
    firsts = range(0, n, step)

    def visit(item: int) -> None:
        lo = firsts[item]
        block = np.ascontiguousarray(rows(lo, min(lo + step, n)), dtype=np.float64)
        work(lo, np.maximum(block, 0.0) if block.min(initial=0.0) < 0 else block)

    threads.run(visit, len(firsts), n_jobs)
