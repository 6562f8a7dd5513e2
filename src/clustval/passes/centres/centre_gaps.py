"""Distances between the centres of clusters, some rows at a time: of many clusters, the table would be too large."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats
from clustval.kernels.metrics.form import Form
from clustval.lazy import cached_property
from clustval.passes.centres.centre_distances import distances_numpy
from clustval.passes.centres.nearest_centres import NearestCentres
from clustval.passes.metrics.measure_forms import FormRows
from clustval.passes.metrics.strips import WIDTH, strips_of
from clustval.passes.work import threads, thresholds

CELLS = 2**18  # distances that are held at a time
FEW = 512  # clusters whose table has no more cells
PANEL = 64  # centres that a work item meets with all others: their sums stay in the cache
FAR_PAIRS = 50  # one of so many pairs may be looked at in search of the largest distance
TABLES = 16  # of numbers of each two clusters that may be held at once, by all statistics of a suite and by formulas


def tables_fit(k: int, memory: int) -> bool:
    """Return whether tables of each two of k clusters can be held within the memory allowed."""
    return TABLES * 8 * k * k <= memory


class Gaps:
    """Distances between the centres of clusters: tables of partitions side by side, or rows made on demand."""

    def __init__(self, rows: Callable[[int, int], Floats], k: int, *, cells: int = CELLS) -> None:
        """Take what measures centres lo ... hi-1 against all k; it must be picklable where gaps are."""
        self.k, self._rows, self._cells = k, rows, cells
        self._few_means: BetweenMeans | None = None  # whose gaps one compiled call measures
        if k <= FEW and isinstance(rows, BetweenMeans) and rows.n >= thresholds.POINTS:
            self._few_means = rows

    @classmethod
    def of_table(cls, table: Floats) -> Gaps:
        """Return the gaps of a table, which may have more axes in front."""
        return cls(Table(table), table.shape[-1])

    def blocks(self) -> Iterator[tuple[slice, Floats]]:
        """Yield rows of clusters and their distances to all: all at once if clusters are few."""
        if self.k * self.k <= self._cells and not isinstance(self._rows, Table):
            self._rows = Table(self._rows(0, self.k))  # several formulas ask for them
        step = self.k if isinstance(self._rows, Table) else max(1, self._cells // self.k)
        for lo in range(0, self.k, step):
            hi = min(lo + step, self.k)
            yield slice(lo, hi), self._rows(lo, hi)

    def blocks_apart(self) -> Iterator[tuple[slice, Floats]]:
        """Yield what `blocks` yields, with infinity between a cluster and itself."""
        for rows, block in self.blocks():
            apart = block.copy()
            places = np.arange(rows.start, rows.stop)
            apart[..., places - rows.start, places] = inf
            yield rows, apart

    def by_cluster(self, values: Callable[[slice, Floats], Any]) -> Any:
        """Return values of clusters that a function gives for rows of them and their gaps to all others."""
        parts = [values(rows, block) for rows, block in self.blocks_apart()]
        return parts[0] if len(parts) == 1 else np.concatenate(parts, axis=-1)

    def total(self, values: Callable[[slice, Floats], Any]) -> Any:
        """Return the sum over all rows of what a function gives for some and their gaps to all clusters."""
        return sum(values(rows, block) for rows, block in self.blocks())

    def worst_overlap(self, spreads: Floats, *, n_jobs: int = 1) -> Floats:
        """Return for each cluster the largest (spread + spread of another) / gap to it (k,)."""
        few = self._few_means
        if few is not None and spreads.ndim == 1:
            worst = np.empty(self.k)
            kernels.centres.centre_distances.worst_overlaps(few.means, few.rounding, spreads, worst)
            return worst
        means = self._means_of_many
        if means is not None:
            return means.worst_overlap(spreads, n_jobs)
        return self.by_cluster(
            lambda rows, block: np.divide(spreads[..., rows, None] + spreads[..., None, :], block).max(-1)
        )

    def squares(self, mass: Floats, *, n_jobs: int = 1) -> Any:
        """Return the sum, over ordered pairs, of gap^2 / (1 / mass + 1 / mass of the other)."""
        inverse, means = 1 / mass, self._means_of_many
        if means is not None:
            return means.sums(n_jobs, inverse).sum()
        return self.total(
            lambda rows, block: (1 / (inverse[..., rows, None] + inverse[..., None, :]) * block**2).sum((-2, -1))
        )

    @cached_property
    def nearest(self) -> Floats:
        """Distance of each centre to the nearest other; infinite if there is none (k,)."""
        nearest: Floats | None = self._searched("nearest")
        if nearest is None:
            nearest = self._summary[0] if self._long else self.by_cluster(lambda _, block: block.min(-1))
        return nearest

    @cached_property
    def smallest(self) -> Any:
        """The smallest distance of two centres; infinite if there is but one."""
        smallest = self._searched("smallest")
        return self.nearest.min(-1) if smallest is None else smallest

    @cached_property
    def largest(self) -> Any:
        """The largest distance of two centres."""
        largest = self._searched("largest")
        if largest is not None:
            return largest
        return self._summary[1] if self._long else self.table.max((-2, -1))

    def sums(self, *, n_jobs: int = 1) -> Floats:
        """Return the sum of the distances of each centre to all others (k,)."""
        means = self._means_of_many
        if means is not None:
            return means.sums(n_jobs)
        return self._summary[2] if self._long else self.table.sum(-1)

    @property
    def _means_of_many(self) -> BetweenMeans | None:
        """The means of many clusters, whose gaps are folded as they are measured; None where rows are looked at."""
        rows = self._rows
        return rows if self._long and isinstance(rows, BetweenMeans) and rows.n >= thresholds.POINTS else None

    @property
    def _long(self) -> bool:
        return self.k * self.k > self._cells and not isinstance(self._rows, Table)

    def _searched(self, what: str) -> Any:
        """Return what is found without a look at all pairs of many centres; None where it is not."""
        search = getattr(self._rows, what, None) if self._long else None
        return None if search is None else search()

    @cached_property
    def _summary(self) -> tuple[Floats, Any, Floats]:
        """The nearest of each centre, the largest, and the sums: all that one pass over many centres gives."""
        nearest, sums, largest = np.empty(self.k), np.empty(self.k), 0.0
        for rows, block in self.blocks():
            largest, sums[rows] = max(largest, block.max()), block.sum(-1)
            places = np.arange(rows.start, rows.stop)
            block[places - rows.start, places] = inf
            nearest[rows] = block.min(-1)
        return nearest, largest, sums

    @property
    def table(self) -> Floats:
        """All distances (k, k)."""
        return np.concatenate([block for _, block in self.blocks()], axis=-2)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return np.asarray(self.table, dtype=dtype)


class Table:
    """Rows of a table that is there."""

    def __init__(self, table: Floats) -> None:
        self.table = table

    def __call__(self, lo: int, hi: int) -> Floats:
        return self.table[..., lo:hi, :]


class BetweenMeans:
    """Euclidean distances between means of n points; 0 where only rounding parts them."""

    def __init__(self, means: Floats, rounding: float, n: float) -> None:
        self.means, self.rounding, self.n = means, rounding, n

    def __call__(self, lo: int, hi: int) -> Floats:
        if self.n >= thresholds.POINTS and hi - lo == len(self.means) <= FEW:
            return kernels.centres.centre_distances.gaps_of_centres(self.means, self.rounding)
        if self.n >= thresholds.POINTS and len(self.means) > FEW:
            gaps = self._rows(lo, hi)
        else:
            gaps = distances_numpy(self.means[lo:hi], self.means)
        gaps[gaps <= self.rounding] = 0.0
        return gaps

    @cached_property
    def _rows(self) -> FormRows:
        return FormRows(Form("euclidean"), self.means)

    def nearest(self) -> Floats | None:
        """Return how far each is from the nearest other, as trees find it; None in too many dimensions for them."""
        if self.means.shape[1] > thresholds.TREE_DIMENSIONS:
            return None
        nearest = NearestCentres(self.means).apart()
        return np.where(nearest <= self.rounding, 0.0, nearest)

    def largest(self) -> float | None:
        """Return the largest, found among those far from the middle; None where the search takes too long."""
        k = len(self.means)
        away = np.linalg.norm(self.means - self.means.mean(axis=0), axis=1)
        order = np.argsort(-away, kind="stable")
        square = kernels.trees.kd_tree.diameter(self.means[order], np.array([0, k]), away[order], k * k // FAR_PAIRS)
        return None if square < 0 else float(np.sqrt(square))

    def worst_overlap(self, spreads: Floats, n_jobs: int) -> Floats:
        """Return for each cluster the largest (spread + spread of another) / gap to it, no table being made."""
        return self._folded(kernels.centres.each_two.worst_overlaps, _padded(spreads), n_jobs)

    def sums(self, n_jobs: int, inverses: Floats | None = None) -> Floats:
        """Return for each centre the sum of gaps, or of gap^2 / (inverse + inverse of the other)."""
        return self._folded(kernels.centres.each_two.gap_sums, None if inverses is None else _padded(inverses), n_jobs)

    def _folded(self, kernel: Callable[..., object], values: Floats | None, n_jobs: int) -> Floats:
        means = np.ascontiguousarray(self.means, dtype=np.float64)
        k, p = means.shape
        strips, out = strips_of(means, np.array([0, k]))[0], np.empty(k)

        def work(item: int) -> None:
            lo = item * PANEL
            kernel(means.ravel(), strips, p, values, lo, min(lo + PANEL, k), self.rounding, out)

        threads.run(work, -(-k // PANEL), n_jobs)
        return out

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_rows"}


def _padded(values: Floats) -> Floats:
    """Return values of clusters with ones behind them, as many as fill the last strip."""
    return np.concatenate([values, np.ones(-len(values) % WIDTH)])
