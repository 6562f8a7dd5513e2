"""Points that are read in blocks of rows and never all at once: files, lazy frames, collections of Dask.

The first pass learns what there is: names of clusters, how many points each has in each piece, the first value that is
not finite, and the statistics that need nothing else. Each pass after it visits the rows again for all statistics
that can be had then. A statistic is the sum of what the blocks leave behind, as of any source in blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import Index, Need, Plan, Source, Statistic
from clustval.errors import InputError, UndefinedIndexError
from clustval.homes.series import is_warping
from clustval.labels import encode, noise_name
from clustval.lazy import cached_property
from clustval.mixed_table import MixedTable
from clustval.passes.pairs.half_square_numpy import sample
from clustval.passes.work import thresholds
from clustval.passes.work.run_pieces import check_executor, results, workers_of
from clustval.readers.open_rows import table_in_memory
from clustval.readers.pieces import Rows, Table
from clustval.sources.blocks import InBlocks
from clustval.sources.first_pass import FirstPass, Rules, check_first_pass, first_pass_of_piece, joined
from clustval.sources.pair_limits import check_pairs
from clustval.sources.partition import Partition, partition
from clustval.sources.point_source import Answers, check_partition
from clustval.sources.row_blocks import RereadRows, RowBlock, Visit, WholeData, summed, visited
from clustval.sources.stream_plan import StreamPlan
from clustval.sources.stream_tiles import Tiles, form_of, tiled, worth_tiles
from clustval.sources.takes import takes_of

T = TypeVar("T")

FIRST = 2**12  # rows near whose mean the origin lies
WHOLE_DATA = ("seuclidean", "mahalanobis")  # metrics that take from all points before they measure two
HOLDERS = 4  # statistics that may hold a number of each point at once, each within its part of the memory
ROOM = 4  # copies of the points that computing in memory takes


class Stream(InBlocks, RereadRows, Answers):
    """Points and labels that are read in blocks, each statistic in as few passes as can be."""

    block_type = RowBlock
    has_coordinates = True

    def __init__(
        self,
        table: Table,
        *,
        metric: MetricName = "euclidean",
        noise: NoisePolicy = "drop",
        n_jobs: int | None = None,
        executor: Any = None,
        plan: Plan | None = None,
    ) -> None:
        super().__init__()
        check_executor(executor)
        plan = plan or Plan()
        self.table, self.policy, self.executor = table, inputs.as_noise(noise), executor
        self.metric = inputs.as_metric(metric)
        self.jobs, self.memory, self.done = inputs.as_jobs(n_jobs), inputs.as_memory(plan.memory), plan.done
        self.passes = StreamPlan(self.metric)
        self.needs, self.asked = self.passes.with_earlier(plan.needs), plan.needs
        self._check()
        self.origin = self._guessed_origin()
        self.first_pass, self.by_piece = self._first_pass(frozenset() if plan.dry else self.needs)
        self.names = [noise_name(self.first_pass.names[:-1]) if n is None else n for n in self.first_pass.names]
        self.k, self.sizes = len(self.names), self.first_pass.sizes
        self.weights, self.noise_weighs = self.first_pass.weights, self.first_pass.noise_weighs
        self.mass: Any = self.sizes if self.weights is None else self.weights
        self.n, self.total = int(self.sizes.sum()), self.first_pass.rows
        self._kept.update(self.first_pass.parts)
        self.needs = frozenset(need for need in self.needs if not self._too_large(need.statistic))

    def _check(self) -> None:
        if self.metric == "precomputed":
            msg = "Blocks of rows need coordinates; metric='precomputed' gives only distances."
            raise InputError(msg)
        if not self.table.mixed:
            check_streamable(self.metric)
        if self.metric in WHOLE_DATA:
            msg = (
                f"The metric {self.metric!r} is made from all points, which are not read at once: "
                "bring the columns to one scale yourself, and take 'euclidean'."
            )
            raise InputError(msg)
        if self.policy == "singletons":
            msg = "noise='singletons' makes each noise point a cluster; in blocks choose 'drop', 'cluster' or 'error'."
            raise InputError(msg)

    @cached_property
    def p(self) -> int:
        """Number of dimensions."""
        return len(self.origin)

    @property
    def column_names(self) -> list[str] | None:
        """Names of the columns that are the points, if they have names."""
        return None if self.table.features is None else list(self.table.features)

    few: Floats  # points among the first

    def _guessed_origin(self) -> Floats:
        """Return about the mean of the first rows: all that matters is that it is not far from the points."""
        for piece in self.table.pieces:
            head = getattr(piece, "head", None)
            for rows in [head()] if head is not None else piece.blocks():
                if rows is None or not len(rows):
                    continue
                X = np.asarray(rows.X[:FIRST])
                inputs.check_numbers(X, "X")
                if not X.shape[1]:
                    msg = "X is empty: it has no columns."
                    raise InputError(msg)
                self.few = np.asarray(X[sample(len(X))], dtype=np.float64)
                with np.errstate(all="ignore"):
                    mean: Floats = np.clip(X.mean(axis=0, dtype=np.float64), X.min(axis=0), X.max(axis=0))
                return np.where(np.isfinite(mean), mean, 0.0).astype(np.float64)  # of longdouble as well
        msg = "X is empty: no piece of it has rows."
        raise InputError(msg)

    def _run(self, work: Any, *common: Any) -> Iterator[Any]:
        return results(work, self.table.pieces, common=common, executor=self.executor, n_jobs=self.jobs, done=self.done)

    def _first_pass(self, needs: frozenset[Need]) -> tuple[FirstPass, list[FirstPass]]:
        plan = self.passes
        first = frozenset(need for need in needs if plan.visited_for(need) and plan.number(need) == 0)
        rules = Rules(self.metric, self.policy, first, self.origin)
        total: FirstPass | None = None
        counts: list[FirstPass] = []
        for part in self._run(first_pass_of_piece, rules):
            if part is None:
                counts.append(FirstPass(0, [], np.empty(0, dtype=np.int64), {}))
            else:
                counts.append(replace(part, parts={}))
                total = part if total is None else joined(total, part)
        assert total is not None
        check_first_pass(total, self.table.features, self.policy)
        return total, counts

    @property
    def in_read_order(self) -> bool:  # type: ignore[override]
        """Whether rows are summed in the order in which they were read."""
        return self.passes.in_read_order

    @property
    def in_memory(self) -> bool:
        """Whether all points are in memory anyway."""
        return self.table.held is not None

    @property
    def count(self) -> Any:
        """How many points there are, by weight."""
        return self.n if self.weights is None else float(self.mass.sum())

    @property
    def total_mass(self) -> Any:
        """How many points there are, by weight, with those left out as noise."""
        return self.first_pass.total_mass

    @property
    def coverage(self) -> float:
        """Share of the points, by weight, that are not left out as noise."""
        return float(self.count / self.total_mass)

    @property
    def fractional(self) -> bool:
        """Whether there are weights that are no whole numbers."""
        return self.weights is not None and self.first_pass.fractional

    def whole_data(self, known: Mapping[Need, Any]) -> WholeData:
        """Return what blocks must know of the whole."""
        about = self.first_pass.names, self.sizes, self.mass, self.origin, self.metric
        return WholeData(*about, known, self.needs, self.memory)

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Visit the blocks for all statistics that can be had in the same pass as this one."""
        need = Need(statistic, tuple(options.items()))
        if not self.passes.gives(statistic):
            if self.spread(statistic):
                return self.tiles(full=takes_of(statistic).extremes).need(need)
            self._check_gathering(statistic.__name__, [statistic])
            return self._partition.need(need)
        own = self.passes.own_passes(statistic)
        if own is not None:
            return own.run(self, *(self[earlier] for earlier in own.after), **options)
        if not self.passes.visited_for(need):
            return Source.compute(self, statistic, **options)
        self.visit([need])
        return self._kept[need]

    def visit(self, wanted: Sequence[Need]) -> None:
        """Compute statistics, and all others of the plan that can be had in the same passes."""
        plan = self.passes
        todo = plan.with_earlier([*wanted, *self.needs])
        for number in range(1 + max(map(plan.number, wanted))):
            kept = [n for n in todo if plan.visited_for(n) and plan.gives(n.statistic) and n not in self._kept]
            needs = [n for n in kept if plan.number(n) == number]
            if needs:
                ordered = tuple(sorted(needs, key=lambda n: n.statistic.__name__))
                ways = (plan.way(need.statistic) for need in plan.with_earlier(ordered))
                earlier = {Need(s) for way in ways if way is not None and way.part for s in way.after}
                known = {n: self.need(n) for n in earlier if n in self._kept or not plan.visited_for(n)}
                parts = (p for p in self._run(visited, Visit(self.whole_data(known), self.policy, ordered)) if p)
                totals: dict[Need, Any] = reduce(_both, parts)
                self._kept.update(totals)

    def sum_over(self, work: Callable[..., T], *common: Any) -> T:
        """Read all rows once, and return the sum of what ``work(block, *common)`` leaves behind of each block."""
        visit = Visit(self.whole_data({}), self.policy, ())
        total: T = reduce(add, (part for part in self._run(summed, visit, work, common) if part is not None))
        return total

    def check(self, index: Index) -> None:
        """Raise an error if the index needs what the blocks cannot give, or other clusters than there are."""
        check_partition(self, index)
        for statistic in index.statistics:
            if self.passes.gives(statistic):
                why = self._too_large(statistic)
                if why:
                    msg = f"{index.name} {why}"
                    raise UndefinedIndexError(msg)
                continue
            if self.spread(statistic):
                workers = workers_of(self.executor, self.jobs)
                check_pairs(index.name, index.statistics, self.n, self.p, workers, many=True)
            else:
                self._check_ranks(index)
                self._check_gathering(index.name, index.statistics)

    def _too_large(self, statistic: type[Statistic]) -> str:
        """Return what a statistic, or one before it, holds that does not fit into memory; nothing where all fits."""
        budget = f"{self.memory / 2**30:.3g} GiB. Raise memory=, or leave it out."
        for need in self.passes.with_earlier([Need(statistic)]):
            takes = self.passes.takes(need.statistic)
            held = takes.held_bytes * self.n
            if HOLDERS * held > self.memory:
                amount = f"{held / 2**30:.3g} GiB"
                return f"sorts a number of each point, some {amount}; it may have a quarter of {budget}"
            tables = 8 * self.k * self.p**2 * (self.jobs + 2) if takes.column_tables and not self.in_memory else 0
            if tables > self.memory:
                shape = f"{self.p} x {self.p} numbers of each of {self.k} clusters"
                return f"adds up {shape}, some {tables / 2**30:.3g} GiB; the budget is {budget}"
        return ""

    def _check_ranks(self, index: Index) -> None:
        """Raise an error if ranks of all distances are wanted of an executor."""
        if self.executor is not None and index.cost == "rank" and worth_tiles(self.n):
            msg = (
                f"{index.name} compares all distances with each other, which is done on one machine, not by an "
                "executor; approximate=0.01 estimates it with an error bar."
            )
            raise UndefinedIndexError(msg)

    def spread(self, statistic: type[Statistic]) -> bool:
        """Return whether a statistic of all pairs is computed in tiles by the executor."""
        if self.executor is None or not worth_tiles(self.n) or self.weights is not None or not tiled(statistic):
            return False
        if self.table.mixed:
            return False
        table = 8 * self.k * self.n * 4  # sums and smallest distances, twice while they are added
        return table <= self.memory and form_of(self.metric, self.p) is not None

    def tiles(self, *, full: bool) -> Tiles:
        """Return what all pairs leave behind, for extremes as well if any are asked for."""
        if self._tiles is None or (full and not self._tiles.full):
            full = full or any(takes_of(need.statistic).extremes for need in self.asked)
            form = form_of(self.metric, self.p)
            assert form is not None
            counts = [one.rows for one in self.by_piece]
            self._tiles = Tiles(self, counts, form, Visit(self.whole_data({}), self.policy, ()), full=full)
        return self._tiles

    _tiles: Tiles | None = None

    def _check_gathering(self, name: str, statistics: Sequence[type[Statistic]]) -> None:
        """Raise an error if all points have too many pairs, whatever the memory, or are more than it holds."""
        if any(takes_of(statistic).cost != "linear" for statistic in statistics):
            check_pairs(name, statistics, self.n, self.p, self.jobs)
        self._check_room(name)

    def gathered(self, name: str = "this") -> Partition:
        """Return all points at once, in memory, or raise an error that says why that is not to be."""
        self._check_room(name)
        return self._partition

    def _check_room(self, name: str) -> None:
        if self.table.held is None and self.total * self.p * 8 * ROOM > self.memory:
            amount = self.total * self.p * 8 * ROOM / 2**30
            msg = (
                f"{name} needs all points at once, some {amount:.3g} GiB; the budget is {self.memory / 2**30:.3g} GiB. "
                "Raise memory=, or leave it out."
            )
            raise UndefinedIndexError(msg)
        if self.table.held is None and self.table.once:
            msg = "these indices need all points at once, which a reader gives but once; give the path of the file."
            raise UndefinedIndexError(msg)

    @cached_property
    def _partition(self) -> Partition:
        rows = self.table.held or self._rows()
        X = MixedTable(rows.X, {}) if self.table.mixed else rows.X
        points = partition(
            X, rows.labels, metric=self.metric, noise=self.policy, n_jobs=self.jobs, sample_weight=rows.weights,
            plan=Plan(self.needs, self.memory, self.done),
        )  # fmt: skip
        return points.as_given  # blocks have the reach that they have, and statistics of either go together

    def _rows(self) -> Rows:
        """Read all rows."""
        points, labels, weights = [], [], []
        for piece in self.table.pieces:
            for rows in piece.blocks():
                if len(rows):
                    points.append(rows.X)
                    codes, names = encode(rows.labels, "labels")
                    named: NDArray[Any] = np.empty(len(names) + 1, dtype=object)
                    named[:-1] = names  # the last is None, which code -1 finds
                    labels.append(named[codes])
                    if rows.weights is not None:
                        weights.append(inputs.as_weights(rows.weights, len(rows), zero=True))
        return Rows(np.concatenate(points), np.concatenate(labels), np.concatenate(weights) if weights else None)

    def __getstate__(self) -> dict[str, Any]:
        return super().__getstate__() | {"executor": None, "done": None, "_tiles": None}


def check_streamable(metric: Any) -> None:
    """Raise an error if a metric compares columns that rows are not read with."""
    if is_warping(metric):
        msg = "metric='dtw' compares series of which all are there, which are not read at once; load X first."
        raise InputError(msg)
    if inputs.as_metric(metric) == "gower":
        msg = "metric='gower' takes ranges and categories from all points, which are not read at once; load X first."
        raise InputError(msg)


def streamed_in_memory(
    X: Any, labels: Any, *, metric: Any, noise: str, n_jobs: int | None, plan: Plan | None
) -> Stream | None:
    """Return many points in memory as a source of blocks, which are not sorted or copied, if all indices are linear.

    None where that cannot be, or where something is wrong, which is then said by those who look at all points.
    """
    plain = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype in (np.float32, np.float64)
    if not plain or len(X) < thresholds.STREAM or np.ndim(labels) != 1 or len(labels) != len(X) or plan is None:
        return None
    rows = StreamPlan("euclidean")
    linear = all(takes_of(need.statistic).cost == "linear" and rows.streams(need.statistic) for need in plan.needs)
    if not linear or metric != "euclidean" or noise not in {"drop", "cluster"}:
        return None
    try:
        return Stream(table_in_memory(X, labels), metric=metric, noise=noise, n_jobs=n_jobs, plan=plan)
    except InputError:
        return None


def _both(a: dict[Need, Any], b: dict[Need, Any]) -> dict[Need, Any]:
    return {need: add(part, b[need]) for need, part in a.items()}
