"""Points that are read in blocks of rows and never all at once: files, lazy frames, collections of Dask.

The first pass learns what there is: names of clusters, how many points each has in each piece, the first value that is
not finite, and the statistics that need nothing else. Each pass after it visits the rows again for all statistics
that can be had then. A statistic is the sum of what the blocks leave behind, as of any source in blocks.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.declare import Index, Need, Plan, Source, Statistic
from clustval.errors import InputError, UndefinedIndexError
from clustval.inputs import LARGEST, SMALLEST
from clustval.labels import encode, in_order, noise_name
from clustval.passes import thresholds
from clustval.passes.centre_gaps import tables_fit
from clustval.passes.run_pieces import check_executor, results, workers_of
from clustval.passes.visit_points import order_of
from clustval.passes.visit_rows import RowSums, range_of
from clustval.readers.open_rows import table_in_memory
from clustval.readers.pieces import Piece, Rows, Table
from clustval.sources.blocks import InBlocks
from clustval.sources.partition import Partition, check_partition, partition
from clustval.sources.space import Space
from clustval.sources.stream_tiles import Tiles, form_of, tiled, worth_tiles

MOST_CLUSTERS = 10**6
FIRST = 2**12  # rows near whose mean the origin lies
WHOLE_DATA = ("seuclidean", "mahalanobis")  # metrics that take from all points before they measure two
EXACT_PAIRS = 2 * 10**10  # distances that are still measured, all of them, for one index
PAIRS_PER_SECOND = 4 * 10**8  # by one core, 8 dimensions
ROOM = 4  # copies of the points that computing in memory takes
SPLITS = 2.0**64  # farther than this from 0, powers that formulas take may overflow: then points must be in memory


# --- what can be had from blocks -------------------------------------------------------------------------


@dataclass(frozen=True)
class Schedule:
    """Which statistics can be had from blocks, and in which pass, by a metric."""

    metric: Any

    def stand_in(self, statistic: type[Statistic]) -> type[Statistic]:
        """Return the statistic by which this metric has it, or has it with less work: itself, if there is none."""
        return statistic.stand_ins.get(self.metric, statistic)

    def streams(self, statistic: type[Statistic]) -> bool:
        """Return whether a statistic can be had from blocks that are read one after another, in bounded memory."""
        made = self.stand_in(statistic)
        if not all(map(self.streams, made.after)):
            return False
        if made.follows:
            return not made.pointwise or hasattr(made, "__add__")
        return made.adds_up and made.cost == "linear"

    def gives(self, statistic: type[Statistic]) -> bool:
        """Return whether formulas can read a statistic of blocks: stand-ins for pairs leave no values of points."""
        return self.streams(statistic) and (statistic.cost == "linear" or self.metric not in statistic.stand_ins)

    def number(self, need: Need) -> int:
        """Return in which pass a statistic is had: the first is 0. What is derived needs none of its own."""
        made = self.stand_in(need.statistic)
        earlier = [self.number(Need(s)) for s in made.after]
        if made.follows:
            return max(earlier)
        return 1 + max(earlier) if earlier else 0

    def with_earlier(self, needs: Iterable[Need]) -> frozenset[Need]:
        """Return needs that can be had from blocks, and all that must be known before them."""
        todo, all_needs = list(needs), set()
        while todo:
            need = todo.pop()
            if need not in all_needs and self.streams(need.statistic):
                all_needs.add(need)
                todo += [Need(s) for s in self.stand_in(need.statistic).after]
        return frozenset(all_needs)


def _visited(need: Need) -> bool:
    """Return whether blocks are visited for it: it is no function of statistics of the whole."""
    return need.statistic.adds_up or need.statistic.pointwise


# --- a block ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outline:
    """What every block knows of the whole: clusters, origin, metric and statistics of earlier passes."""

    names: list[Any]
    sizes: Integers
    mass: Any
    origin: Floats
    metric: Any
    known: Mapping[Need, Any] = field(default_factory=dict)
    needs: frozenset[Need] = frozenset()
    memory: int = 2**31

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.names)


class RowBlock(Partition):
    """Rows as they were read, and their clusters; sorted by cluster only for statistics that ask for it."""

    def __init__(
        self,
        rows: NDArray[Any],
        codes: Integers,
        outline: Outline,
        weights: Floats | None = None,
        sizes: Integers | None = None,
    ) -> None:
        """Leave out rows without a cluster; there are none where `sizes` of clusters are known."""
        Source.__init__(self)
        total = len(codes)
        if sizes is None:
            present = codes >= 0
            if not present.all():
                rows, codes = rows[present], codes[present]
                weights = None if weights is None else weights[present]
        self.rows_as_read, self.codes_as_read, self.outline = rows, codes, outline
        self.names, self.k, self.n, self.total = outline.names, outline.k, len(codes), total
        self.origin, self.needs = outline.origin, outline.needs
        self.sizes = np.bincount(codes, minlength=self.k) if sizes is None else sizes
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)])
        self.weights = None if weights is None else weights[self.order]
        self.mass = self.sizes
        if weights is not None:
            self.mass = np.bincount(codes, weights=weights, minlength=self.k)
        self._metric = outline.metric

    @cached_property
    def order(self) -> Integers:  # type: ignore[override]
        """The rows of one cluster after another."""
        return order_of(self.codes_as_read, self.k)

    @cached_property
    def codes(self) -> Integers:  # type: ignore[override]
        """The cluster of each of the sorted rows."""
        return np.repeat(np.arange(self.k), self.sizes)

    @cached_property
    def row_sums(self) -> RowSums:
        """What one pass over the rows leaves behind."""
        return RowSums.of(self.rows_as_read, self.codes_as_read, self.sizes)

    @cached_property
    def extent(self) -> tuple[Floats, Floats]:
        """The smallest and the largest number of each column."""
        if self.as_read is None:
            return range_of(self.rows_as_read)
        return self.row_sums.lows, self.row_sums.highs

    @property
    def tables_fit(self) -> bool:
        """Whether numbers of each two clusters can be held within the memory allowed."""
        return tables_fit(self.k, self.outline.memory)

    @cached_property
    def space(self) -> Space:  # type: ignore[override]
        """The rows of this block."""
        X = np.ascontiguousarray(self.rows_as_read, dtype=np.float64)
        space = Space(X, None, self._metric, memory=self.outline.memory)
        space.single = self.rows_as_read.dtype == np.float32
        space.at_unit_reach = space  # blocks must not be scaled each by its own reach
        return space

    @property
    def whole(self) -> Any:
        """What is known of all blocks."""
        return self.outline

    @property
    def as_read(self) -> tuple[NDArray[Any], Integers] | None:
        """Rows and codes in the order they were read, if points are not weighted and distances Euclidean."""
        plain = self.weights is None and self._metric == "euclidean" and thresholds.COMPILED
        return (self.rows_as_read, self.codes_as_read) if plain else None

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Return what this block leaves behind."""
        made: Any = statistic.stand_ins.get(self._metric, statistic)
        if made.follows:
            return made.derived(*(self[earlier] for earlier in made.after), **options)
        return made.part(self, *(self.outline.known[Need(earlier)] for earlier in made.after), **options)


def _folded(part: Any) -> Any:
    """Return what is kept of a part: no values of single points, of which there would be too many."""
    return part.folded() if hasattr(part, "folded") else part


# --- the first pass --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fault:
    """The first value that is not finite, and how many rows have such."""

    row: int
    column: int
    value: float
    rows: int


@dataclass(frozen=True)
class Survey:
    """What some rows leave behind before the clusters of the whole are known. Two of them add up, by name.

    The name None stands for noise that is counted as a cluster.
    """

    rows: int
    names: list[Any]
    sizes: Integers
    parts: Mapping[Need, Any]
    noise: int = 0
    first_noise: int = 0
    fault: Fault | None = None
    low: float = math.inf
    high: float = -math.inf
    mass: Any = None  # of the clusters, where points are weighted
    noise_mass: float = 0.0
    broken: bool = False

    def __add__(self, other: Survey) -> Survey:
        """Survey of two sets of rows, one after the other."""
        names = self.names
        if self.names != other.names:
            names = [*in_order(n for n in {*self.names, *other.names} if n is not None)]
            names += [None] if None in self.names or None in other.names else []
            if len(names) > MOST_CLUSTERS:
                msg = f"labels has more than {MOST_CLUSTERS:,} different values; they name rows, not clusters."
                raise InputError(msg)
        a, b = self.placed(names), other.placed(names)
        fault = a.fault
        if b.fault is not None:
            fault = replace(b.fault, row=b.fault.row + a.rows)
            if a.fault is not None:
                fault = replace(a.fault, rows=a.fault.rows + b.fault.rows)
        return Survey(
            rows=a.rows + b.rows,
            names=names,
            sizes=a.sizes + b.sizes,
            parts={need: a.parts[need] + b.parts[need] for need in a.parts},
            noise=a.noise + b.noise,
            first_noise=a.first_noise if a.noise else b.first_noise + a.rows,
            fault=fault,
            low=min(a.low, b.low),
            high=max(a.high, b.high),
            mass=None if a.mass is None else a.mass + b.mass,
            noise_mass=a.noise_mass + b.noise_mass,
            broken=a.broken or b.broken,
        )

    def placed(self, names: list[Any]) -> Survey:
        """Return the same with the clusters of these names, some of them empty."""
        if names == self.names:
            return self
        place = {name: at for at, name in enumerate(names)}
        places = np.array([place[name] for name in self.names], dtype=np.int64)
        sizes = np.zeros(len(names), dtype=np.int64)
        sizes[places] = self.sizes
        mass = None
        if self.mass is not None:
            mass = np.zeros(len(names))
            mass[places] = self.mass
        parts = {need: part.placed(places, len(names)) for need, part in self.parts.items()}
        return replace(self, names=names, sizes=sizes, mass=mass, parts=parts)


@dataclass(frozen=True)
class Rules:
    """How labels and points of a block are read, the same for all blocks."""

    metric: Any
    noise: str
    needs: frozenset[Need]
    origin: Floats


def read(rows: Rows, noise: str) -> tuple[NDArray[Any], Integers, list[Any], Floats | None, NDArray[np.bool_]]:
    """Return rows of numbers, the cluster of each, -1 for none, the names, weights, and which rows are noise."""
    X = rows.X
    inputs.check_numbers(X, "X")
    if X.dtype.kind != "f" or X.dtype.itemsize not in {4, 8} or not X.dtype.isnative:
        X = X.astype(np.float64)
    X = np.ascontiguousarray(X)
    codes, names = encode(rows.labels, "labels")
    if len(codes) != len(X):
        msg = f"X has {len(X)} rows but labels has {len(codes)} entries."
        raise InputError(msg)
    noisy = codes < 0
    weights = None
    if rows.weights is not None:
        weights = inputs.as_weights(rows.weights, len(X), zero=True)
        codes = np.where(weights > 0, codes, -1)
        noisy &= weights > 0
    if noise == "cluster" and noisy.any():
        codes, names = np.where(noisy, len(names), codes), [*names, None]
    return X, codes, names, weights, noisy


def surveyed(rows: Rows, rules: Rules) -> Survey:
    """Return what a block leaves behind in the first pass."""
    X, codes, names, weights, noisy = read(rows, rules.noise)
    if len(names) > MOST_CLUSTERS:
        msg = f"labels has more than {MOST_CLUSTERS:,} different values; they name rows, not clusters."
        raise InputError(msg)
    count = int(np.count_nonzero(noisy))
    first = int(noisy.argmax()) if count else 0
    whole = weights is None and (not count or rules.noise == "cluster")  # every row is in a cluster
    sizes = np.bincount(codes if whole else codes[codes >= 0], minlength=len(names))
    plain: dict[str, Any] = {
        "rows": len(X), "names": names, "sizes": sizes, "noise": count, "first_noise": first,
    }  # fmt: skip
    if weights is not None:
        plain["mass"] = np.bincount(codes[codes >= 0], weights[codes >= 0], minlength=len(names))
        left_out = noisy & (codes < 0)
        plain |= {"noise_mass": float(weights[left_out].sum()), "broken": bool((weights != np.floor(weights)).any())}
        if (sizes == 0).any():  # clusters whose points weigh nothing
            there = np.flatnonzero(sizes)
            places = np.append(np.cumsum(sizes > 0) - 1, -1)
            codes, names = places[codes], [names[c] for c in there]
            plain |= {"names": names, "sizes": sizes[there], "mass": plain["mass"][there]}
    outline = Outline(names, plain["sizes"], None, rules.origin, rules.metric, {}, rules.needs)
    block = RowBlock(X, codes, outline, weights, sizes if whole else None)
    lows, highs = block.extent if block.n == len(X) and rules.needs else range_of(X)
    if not (np.isfinite(lows).all() and np.isfinite(highs).all()):
        return Survey(parts={}, fault=_fault(X), **plain)
    parts = {need: _folded(block.need(need)) for need in rules.needs}
    return Survey(parts=parts, low=float(lows.min()), high=float(highs.max()), **plain)


def _fault(X: NDArray[Any]) -> Fault:
    bad = ~np.isfinite(X)
    rows = np.flatnonzero(bad.any(axis=1))
    column = int(np.flatnonzero(bad[rows[0]])[0])
    return Fault(int(rows[0]), column, float(X[rows[0], column]), len(rows))


def survey_of_piece(piece: Piece, rules: Rules) -> Survey | None:
    """Return the survey of the rows of a piece, None if it has no rows."""
    total: Survey | None = None
    for rows in piece.blocks():
        if not len(rows):
            continue
        one = surveyed(rows, rules)
        total = one if total is None else joined(total, one)
    return total


def joined(a: Survey, b: Survey) -> Survey:
    """Add two surveys; where something is wrong, that is looked for, and nothing else."""
    if a.fault or b.fault:
        a, b = replace(a, parts={}), replace(b, parts={})
    return a + b


# --- the passes after it ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Visit:
    """What is asked of each block in one pass."""

    outline: Outline
    noise: str
    needs: tuple[Need, ...]

    @cached_property
    def places(self) -> dict[Any, int]:
        """The number of each cluster, by name."""
        return {name: at for at, name in enumerate(self.outline.names)}

    def blocks(self, piece: Piece) -> Iterator[RowBlock]:
        """Read the rows of a piece."""
        for rows in piece.blocks():
            if len(rows):
                X, codes, names, weights, _ = read(rows, self.noise)
                if names != self.outline.names:
                    places = np.array([*(self.places.get(name, -1) for name in names), -1], dtype=np.int64)
                    codes = places[codes]
                yield RowBlock(X, codes, self.outline, weights)


def visited(piece: Piece, visit: Visit) -> dict[Need, Any]:
    """Return the statistics of the rows of a piece."""
    totals: dict[Need, Any] = {}
    for block in visit.blocks(piece):
        for need in visit.needs:
            part = _folded(block.need(need))
            totals[need] = totals[need] + part if need in totals else part
    return totals


# --- the source ------------------------------------------------------------------------------------------


class Stream(InBlocks):
    """Points and labels that are read in blocks, each statistic in as few passes as can be."""

    def __init__(
        self,
        table: Table,
        *,
        metric: Any = "euclidean",
        noise: str = "drop",
        n_jobs: int | None = None,
        executor: Any = None,
        plan: Plan | None = None,
    ) -> None:
        super().__init__()
        check_executor(executor)
        plan = plan or Plan()
        self.table, self.policy, self.executor = table, inputs.one_of(noise, inputs.NOISE_POLICIES, "noise"), executor
        self.metric = inputs.as_metric(metric)
        self.jobs, self.memory, self.done = inputs.as_jobs(n_jobs), inputs.as_memory(plan.memory), plan.done
        self.schedule = Schedule(self.metric)
        self.needs, self.asked = self.schedule.with_earlier(plan.needs), plan.needs
        self._check()
        self.origin = self._guessed_origin()
        self.survey, self.by_piece = self._survey()
        self.names = [noise_name(self.survey.names[:-1]) if n is None else n for n in self.survey.names]
        self.k, self.sizes = len(self.names), self.survey.sizes
        self.weights = None if self.survey.mass is None else self.survey.mass
        if self.weights is not None and not self.survey.broken and (self.weights == self.sizes).all():
            self.weights = None
        self.mass: Any = self.sizes if self.weights is None else self.weights
        self.n, self.total = int(self.sizes.sum()), self.survey.rows
        self._kept.update(self.survey.parts)
        self.space = Outlook(self.metric, self.p, self.memory)

    def _check(self) -> None:
        if self.metric == "precomputed":
            msg = "Blocks of rows need coordinates; metric='precomputed' gives only distances."
            raise InputError(msg)
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

    def _guessed_origin(self) -> Floats:
        """Return about the mean of the first rows: all that matters is that it is not far from the points."""
        for piece in self.table.pieces:
            head = getattr(piece, "head", None)
            for rows in [head()] if head is not None else piece.blocks():
                if rows is None or not len(rows):
                    continue
                X = np.asarray(rows.X[:FIRST])
                inputs.check_numbers(X, "X")
                with np.errstate(all="ignore"):
                    mean: Floats = np.clip(X.mean(axis=0, dtype=np.float64), X.min(axis=0), X.max(axis=0))
                return np.where(np.isfinite(mean), mean, 0.0)
        msg = "X is empty: no piece of it has rows."
        raise InputError(msg)

    def _run(self, work: Any, *common: Any) -> Iterator[Any]:
        return results(work, self.table.pieces, common=common, executor=self.executor, n_jobs=self.jobs, done=self.done)

    def _survey(self) -> tuple[Survey, list[Survey]]:
        first = frozenset(need for need in self.needs if _visited(need) and self.schedule.number(need) == 0)
        rules = Rules(self.metric, self.policy, first, self.origin)
        total: Survey | None = None
        counts: list[Survey] = []
        for part in self._run(survey_of_piece, rules):
            if part is None:
                counts.append(Survey(0, [], np.empty(0, dtype=np.int64), {}))
            else:
                counts.append(replace(part, parts={}))
                total = part if total is None else joined(total, part)
        assert total is not None
        self._refuse(total)
        return total, counts

    def _refuse(self, survey: Survey) -> None:
        """Raise the error that the same data in memory would raise."""
        fault = survey.fault
        if fault is not None:
            features = self.table.features
            where = repr(features[fault.column]) if features else str(fault.column)
            more = f" ({fault.rows} such rows)" if fault.rows > 1 else ""
            msg = f"X must be finite; row {fault.row}, column {where} is {fault.value}{more}."
            raise InputError(msg)
        reach, spread = max(-survey.low, survey.high), survey.high - survey.low
        if reach > LARGEST:
            msg = f"X reaches {reach:.3g}, whose square overflows; rescale it to below {LARGEST:g}."
            raise InputError(msg)
        if 0 < spread < SMALLEST:
            msg = f"X spreads over {spread:.3g}, whose square vanishes; rescale it to above {SMALLEST:g}."
            raise InputError(msg)
        if reach > SPLITS or 0 < reach < 1 / SPLITS:
            msg = f"X reaches {reach:.3g}; in blocks it must lie between {1 / SPLITS:.3g} and {SPLITS:.3g}: rescale it."
            raise InputError(msg)
        if survey.noise and self.policy == "error":
            msg = (
                f"labels marks {survey.noise} points as noise, the first at position {survey.first_noise}; "
                "noise='error' allows none."
            )
            raise InputError(msg)
        if survey.mass is not None and not survey.mass.any() and not survey.noise_mass:
            msg = "sample_weight is 0 for every point; at least one must weigh more."
            raise InputError(msg)

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
        if self.survey.mass is None:
            return self.total
        return float(self.survey.mass.sum()) + self.survey.noise_mass

    @property
    def coverage(self) -> float:
        """Share of the points, by weight, that are not left out as noise."""
        return float(self.count / self.total_mass)

    @property
    def broken(self) -> bool:
        """Whether there are weights that are no whole numbers."""
        return self.weights is not None and self.survey.broken

    def outline(self, known: Mapping[Need, Any]) -> Outline:
        """Return what blocks must know of the whole."""
        about = self.survey.names, self.sizes, self.mass, self.origin, self.metric
        return Outline(*about, known, self.needs, self.memory)

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Visit the blocks for all statistics that can be had in the same pass as this one."""
        need = Need(statistic, tuple(options.items()))
        if not self.schedule.gives(statistic):
            if self.spread(statistic):
                return self.tiles(full=statistic.extremes).need(need)
            return self.gathered(statistic.__name__, statistic.cost).need(need)
        if not _visited(need):
            return Source.compute(self, statistic, **options)
        self.visit([need])
        return self._kept[need]

    def visit(self, wanted: Sequence[Need]) -> None:
        """Compute statistics, and all others of the plan that can be had in the same passes."""
        plan = self.schedule
        todo = plan.with_earlier([*wanted, *self.needs])
        for number in range(1 + max(map(plan.number, wanted))):
            kept = [n for n in todo if _visited(n) and plan.gives(n.statistic) and n not in self._kept]
            needs = [n for n in kept if plan.number(n) == number]
            if needs:
                ordered = tuple(sorted(needs, key=lambda n: n.statistic.__name__))
                earlier = {s for e in plan.with_earlier(ordered) for s in plan.stand_in(e.statistic).after}
                known = {Need(s): self._kept[Need(s)] for s in earlier if Need(s) in self._kept}
                parts = (p for p in self._run(visited, Visit(self.outline(known), self.policy, ordered)) if p)
                totals: dict[Need, Any] = reduce(_both, parts)
                self._kept.update(totals)

    def check(self, index: Index) -> None:
        """Raise an error if the index needs what the blocks cannot give, or other clusters than there are."""
        check_partition(self, index)
        for statistic in index.statistics:
            if self.schedule.gives(statistic):
                continue
            if self.spread(statistic):
                check_pairs(index.name, self.n, workers_of(self.executor, self.jobs), many=True)
            else:
                self._check_ranks(index)
                self.gathered(index.name, index.cost)

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
        table = 8 * self.k * self.n * 4  # sums and smallest distances, twice while they are added
        return table <= self.memory and form_of(self.metric, self.p) is not None

    def tiles(self, *, full: bool) -> Tiles:
        """Return what all pairs leave behind, for extremes as well if any are asked for."""
        if self._tiles is None or (full and not self._tiles.full):
            full = full or any(need.statistic.extremes for need in self.asked)
            form = form_of(self.metric, self.p)
            assert form is not None
            counts = [survey.rows for survey in self.by_piece]
            self._tiles = Tiles(self, counts, form, Visit(self.outline({}), self.policy, ()), full=full)
        return self._tiles

    _tiles: Tiles | None = None

    def gathered(self, name: str = "this", cost: str = "linear") -> Partition:
        """Return all points at once, in memory, or raise an error that says why that is not to be."""
        if self.table.held is None and self.total * self.p * 8 * ROOM > self.memory:
            amount = self.total * self.p * 8 * ROOM / 2**30
            msg = (
                f"{name} needs all points at once, some {amount:.3g} GiB; the budget is {self.memory / 2**30:.3g} GiB. "
                "Raise memory=, or choose indices of the suite 'fast'."
            )
            raise UndefinedIndexError(msg)
        if cost != "linear":
            check_pairs(name, self.n, self.jobs)
        return self._partition

    @cached_property
    def _partition(self) -> Partition:
        rows = self.table.held or self._rows()
        return partition(
            rows.X, rows.labels, metric=self.metric, noise=self.policy, n_jobs=self.jobs, sample_weight=rows.weights,
            plan=Plan(self.needs, self.memory, self.done),
        )  # fmt: skip

    def _rows(self) -> Rows:
        """Read all rows."""
        if self.table.once:
            msg = "these indices need all points at once, which a reader gives but once; give the path of the file."
            raise UndefinedIndexError(msg)
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


def streamed_in_memory(
    X: Any, labels: Any, *, metric: Any, noise: str, n_jobs: int | None, plan: Plan | None
) -> Stream | None:
    """Return many points in memory as a source of blocks, which are not sorted or copied, if all indices are linear.

    None where that cannot be, or where something is wrong, which is then said by those who look at all points.
    """
    plain = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype in (np.float32, np.float64)
    if not plain or len(X) < thresholds.STREAM or np.ndim(labels) != 1 or len(labels) != len(X) or plan is None:
        return None
    linear = all(Schedule("euclidean").streams(need.statistic) for need in plan.needs)
    if not linear or metric != "euclidean" or noise not in {"drop", "cluster"}:
        return None
    try:
        return Stream(table_in_memory(X, labels), metric=metric, noise=noise, n_jobs=n_jobs, plan=plan)
    except InputError:
        return None


def check_pairs(name: str, n: int, n_jobs: int, *, many: bool = False) -> None:
    """Raise an error if an index needs more distances than are measured without being asked to.

    Those are as many for each of `n_jobs` if they are `many` workers.
    """
    pairs = n * (n - 1) // 2
    if pairs > EXACT_PAIRS * (n_jobs if many else 1):
        seconds = pairs / (PAIRS_PER_SECOND * n_jobs)
        msg = (
            f"{name} needs {pairs:.3g} distances, about {duration(seconds)} on {n_jobs} cores; "
            "approximate=0.01 estimates it with an error bar."
        )
        raise UndefinedIndexError(msg)


def duration(seconds: float) -> str:
    """Return a time in words that are easy to read."""
    for unit, length in (("years", 31_557_600), ("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} seconds"


def _both(a: dict[Need, Any], b: dict[Need, Any]) -> dict[Need, Any]:
    return {need: add(part, b[need]) for need, part in a.items()}


@dataclass(frozen=True)
class Outlook:
    """What checks ask of the space of a stream: its metric, and that it has coordinates."""

    metric: Any
    p: int
    memory: int

    @property
    def X(self) -> Any:
        """Not the points, but that there are such."""
        return ()

    @property
    def boolean(self) -> bool:
        """Whether the metric compares sets, of which there is no mean."""
        return self.metric in inputs.BOOLEAN_METRICS
