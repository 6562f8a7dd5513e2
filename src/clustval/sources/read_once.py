"""Points in memory that are checked and added up by one call, or one pass: where all that is asked for are sums.

Of many, to read them takes longer than all that is computed; of few, to ask Python for one thing after another.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.declare import Index, Need, Plan, Source, Statistic, ways_of
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS
from clustval.labels import counted, is_whole_numbers
from clustval.lazy import cached_property
from clustval.passes.points.row_moments import AT_ONCE, BLOCK, Columns, RowSums, labelled_rows
from clustval.passes.work import thresholds
from clustval.sources import pair_limits
from clustval.sources.first_pass import SPLITS
from clustval.sources.pair_limits import check_time, in_time
from clustval.sources.partition import Partition
from clustval.sources.point_source import check_partition
from clustval.sources.space import Space
from clustval.sources.takes import euclidean_in_read_order, in_read_order

Coded = tuple[Integers, Integers, Integers]  # the cluster of each point, the labels of the clusters, their sizes
Read = tuple[Coded, Columns, dict[str, Any]]  # with what was added up

IN_READ_ORDER = (in_read_order, euclidean_in_read_order)  # questions of ways that take points as they lie


class RowsReadOnce(Partition):
    """Points as they lie, checked and added up already; what else a partition has is made when it is asked for."""

    metric = "euclidean"
    has_coordinates = in_read_order = True
    sparse = False

    def __init__(self, X: Floats, coded: Coded, columns: Columns, n_jobs: int | None, plan: Plan) -> None:
        """Take points none of which is noise."""
        Source.__init__(self)
        self.codes_as_read, self._numbers, self.sizes = coded
        self.n = self.total = self.total_mass = len(X)
        self.k, self.mass = len(self.sizes), self.sizes
        self.rows_as_read, self._ranges, self._n_jobs, self._plan = X, columns, n_jobs, plan
        self.needs = plan.needs
        if self._long:
            self.needs = in_time(self, self.needs)

    @cached_property
    def names(self) -> list[Any]:  # type: ignore[override]
        """The labels of the clusters."""
        names: list[Any] = self._numbers.tolist()
        return names

    @cached_property
    def space(self) -> Space:  # type: ignore[override]
        """The points without their labels."""
        plan = self._plan
        memory = None if plan.memory is None else inputs.as_memory(plan.memory)
        space = Space(self.rows_as_read, n_jobs=self._n_jobs, memory=memory, done=plan.done)
        space.columns, space.limited, space.fixed = self._ranges, plan.limited, True
        return space

    @cached_property
    def _input(self) -> tuple[Space, Integers, None]:  # type: ignore[override]
        return self.space, self.codes_as_read, None

    @property
    def columns(self) -> Floats:
        """Origin, smallest and largest number of each column (3, p)."""
        return self._ranges.table

    @property
    def origin(self) -> Floats:
        """The mean of all points."""
        return self._ranges.means

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return int(self.rows_as_read.shape[1])

    @property
    def _long(self) -> bool:
        return self._plan.limited and self.n > pair_limits.FEW

    def check(self, index: Index) -> None:
        """Raise an error if the index needs other clusters than there are, or hours."""
        check_partition(self, index)
        if self._long:
            check_time(self, index)

    def __getstate__(self) -> dict[str, Any]:
        kept = {"rows_as_read": self.rows_as_read, "_plan": replace(self._plan, done=None)}
        return super().__getstate__() | kept


def read_once(
    X: Any, labels: Any, *, metric: Any, noise: str, n_jobs: int | None, plan: Plan | None
) -> Partition | None:
    """Return the partition of points whose statistics are all sums over points as they lie.

    None where that cannot be, or where something may be wrong, which is then said by those who look at all points.
    """
    if plan is None or plan.dry or metric != "euclidean" or not _all_as_they_lie(plan.needs):
        return None
    if not inputs.plain_points(X) or (n := len(X)) < thresholds.POINTS or n == X.shape[1]:  # or distances, perhaps
        return None
    if noise != "drop":
        inputs.as_noise(noise)
    if not is_whole_numbers(labels) or len(labels) != n:
        return None
    jobs = None if n_jobs is None else inputs.as_jobs(n_jobs)
    if plan.memory is not None:
        inputs.as_memory(plan.memory)
    read = _at_once(X, labels) if X.size <= AT_ONCE else _in_blocks(X, labels, inputs.as_jobs(jobs))
    if read is None:
        return None
    coded, columns, sums = read
    _, low, high = columns
    if not (max(-low, high) < SPLITS and 1 / SPLITS < high - low < SPLITS):  # NaN among them
        return None
    source = RowsReadOnce(X, coded, columns, jobs, plan)
    vars(source).update(sums)  # what else the first to ask would compute
    return source


def _at_once(X: Floats, labels: Any) -> Read | None:
    rows = labelled_rows(X, labels, ROUNDING_OF_MEANS)
    return None if rows is None else (rows[:3], rows.columns, {"moment_table": rows.moments})


def _in_blocks(X: Floats, labels: Any, n_jobs: int) -> Read | None:
    known = counted(labels, loads=True)
    if known is None or not known[3]:
        return None
    codes, names, sizes, _ = known
    sums = RowSums.of(X, codes, sizes, n_jobs, block=BLOCK)
    mean = np.clip(sizes @ sums.means_from(0.0) / len(X), sums.lows, sums.highs)
    columns = Columns(np.stack([mean, sums.lows, sums.highs]), float(sums.lows.min()), float(sums.highs.max()))
    return (codes, names, sizes), columns, {"row_sums": sums}


@lru_cache(maxsize=512)
def _all_as_they_lie(needs: frozenset[Need]) -> bool:
    return all(_as_they_lie(need.statistic) for need in needs)


def _as_they_lie(statistic: type[Statistic]) -> bool:
    """Return whether a partition has a statistic from points as they lie, or from statistics that it has so."""
    ways = ways_of(statistic, Partition)
    if any(way.when in IN_READ_ORDER for way in ways):
        return True
    return any(way.derived and all(map(_as_they_lie, way.after)) for way in ways)
