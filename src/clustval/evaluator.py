"""Evaluation of a stream that passes by once: what each batch leaves behind adds up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.catalogue import select
from clustval.choices import MetricName, NoisePolicy
from clustval.declare import PENALTY, Index, Need, Request, Source, Statistic, plan_of
from clustval.errors import InputError, UndefinedIndexError
from clustval.estimates.estimate import Replicated, check_confidence
from clustval.estimates.jackknife import Replicates, random_groups
from clustval.estimates.sampled_silhouettes import SampledSilhouettes, StratifiedSample
from clustval.evaluation import Names, values_of
from clustval.homes.series import is_warping
from clustval.labels import in_order, noise_name
from clustval.options import seeded
from clustval.readers.pieces import Rows
from clustval.readers.rows_in_memory import rows_in_memory
from clustval.results import ESTIMATED, ScoreInterval, Scores
from clustval.seeding import generators
from clustval.sources.first_pass import FirstPass, Rules, first_pass, joined
from clustval.sources.point_source import Answers, check_partition, price
from clustval.sources.row_blocks import read
from clustval.sources.samples import PointSample, sampled_from
from clustval.sources.space import Space
from clustval.sources.stream import WHOLE_DATA
from clustval.sources.stream_plan import StreamPlan

MOST_ROWS = 2**62  # so that numbers of rows are whole numbers of 64 bits
SAMPLE = 500  # rows of each cluster that are kept for estimates
GOLDEN = 0x9E3779B97F4A7C15
MIXERS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1))


def priorities(rows: NDArray[np.uint64], seed: int) -> NDArray[np.uint64]:
    """Return a number for each row that looks like chance, and is the same wherever it is computed (splitmix64)."""
    with np.errstate(over="ignore"):
        z = (rows + np.uint64(1)) * np.uint64(GOLDEN) + np.uint64(seed % 2**64) * np.uint64(0xD1342543DE82EF95)
        for shift, factor in MIXERS:
            z = (z ^ (z >> np.uint64(shift))) * np.uint64(factor)
    return z


@dataclass(frozen=True)
class RowSample:
    """Of each cluster the rows of lowest priority, so many at most. Two of them add up, whatever the order."""

    names: list[Any]
    codes: Integers
    keys: NDArray[np.uint64]
    points: Floats

    def __add__(self, other: RowSample) -> RowSample:
        """Return the sample of two sets of rows."""
        names = in_order([*self.names, *other.names])
        place = {name: at for at, name in enumerate(names)}
        codes = [np.array([place[n] for n in s.names], dtype=np.int64)[s.codes] for s in (self, other)]
        keys, points = np.concatenate([self.keys, other.keys]), np.concatenate([self.points, other.points])
        return RowSample(names, np.concatenate(codes), keys, points).cut()

    def cut(self) -> RowSample:
        """Return the rows of lowest priority of each cluster."""
        order = np.lexsort((self.keys, self.codes))
        counts = np.bincount(self.codes, minlength=len(self.names))
        ranks = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        order = order[ranks < SAMPLE]
        return RowSample(self.names, self.codes[order], self.keys[order], self.points[order])


class Evaluator:
    """Indices of points that come in batches, each seen once: ``partial_fit`` adds a batch, ``+`` joins two.

    Parameters
    ----------
    indices
        Names, as `evaluate` takes them. Those of sums of squares are exact; silhouettes are estimated from a sample
        of each cluster that is kept; others need the points twice, and have no value but the reason.
    metric, noise
        As `evaluate` takes them.
    random_state
        Seed of the sample: a whole number.

    >>> evaluator = Evaluator(["calinski_harabasz"])
    >>> evaluator = evaluator.partial_fit([[0], [2], [7]], ["a", "a", "b"])
    >>> evaluator.partial_fit([[10], [11], [12]], ["c", "c", "c"]).scores()["calinski_harabasz"]
    45.0
    """

    @seeded
    def __init__(
        self,
        indices: Names = "fast",
        *,
        metric: MetricName = "euclidean",
        noise: NoisePolicy = "drop",
        random_state: int = 0,
        rng: int | None = None,
    ) -> None:
        self.choices: Sequence[Request] = select(indices, "internal")
        self.metric = inputs.as_metric(metric)
        if is_warping(self.metric):
            msg = "metric='dtw' compares series of which all are there; use evaluate(X, labels, metric='dtw')."
            raise InputError(msg)
        if self.metric == "gower":
            msg = "metric='gower' takes ranges and categories from all points; use evaluate(X, labels, metric='gower')."
            raise InputError(msg)
        if self.metric == "precomputed":
            msg = "Batches need coordinates; metric='precomputed' gives only distances: use evaluate(D, labels)."
            raise InputError(msg)
        if self.metric in WHOLE_DATA:
            msg = (
                f"The metric {self.metric!r} is made from all points, which passed by: bring the columns to one scale "
                "yourself, and take 'euclidean'."
            )
            raise InputError(msg)
        self.noise = inputs.one_of(noise, ("drop", "cluster", PENALTY), "noise")
        self._policy, self._penalty = inputs.read_as(noise)
        self.random_state = inputs.at_least(random_state, 0, "random_state")
        self.start = 0  # of the next batch, in rows
        self._taken: Taken | None = None

    @property
    def n(self) -> int:
        """Number of rows that were taken in."""
        return 0 if self._taken is None else self._taken.first_pass.rows

    def partial_fit(self, X: Any, labels: Any, sample_weight: Any = None, *, first: int | None = None) -> Evaluator:
        """Take in a batch, and return the evaluator.

        `first` is the number of its first row among all, where batches come out of order or from several places: the
        sample is then the same. Without it, batches follow each other.
        """
        X, values = rows_in_memory(X, {"labels": labels, "sample_weight": sample_weight}, metric=self.metric)
        points, (labels, sample_weight) = inputs.as_points(X), values.values()
        origin = points.mean(axis=0) if self._taken is None else self._taken.origin
        columns = inputs.column_names(X)
        if self._taken is not None:
            columns = self._taken.columns_with(points.shape[1], columns)
        rows = Rows(points, labels, sample_weight)
        low = self.start if first is None else inputs.at_least(first, 0, "first")
        if low + len(points) > MOST_ROWS:
            msg = f"Rows are numbered below 2**62; this batch would end at row {low + len(points)}."
            raise InputError(msg)
        batch = first_pass(rows, Rules(self.metric, self._policy, self._needs(), origin))
        sample = self._sampled(rows, low)
        if self._taken is not None:
            batch, sample = joined(self._taken.first_pass, batch), self._taken.sample + sample
        self._taken, self.start = Taken(origin, batch, sample, columns), low + len(points)
        return self

    def _needs(self) -> frozenset[Need]:
        """Return the statistics that one pass gives."""
        rows = StreamPlan(self.metric)
        needs = rows.with_earlier(plan_of(self.choices).needs)
        ways = {need: rows.way(need.statistic) for need in needs}
        return frozenset(need for need, way in ways.items() if way is not None and way.part and rows.number(need) == 0)

    def _sampled(self, rows: Rows, low: int) -> RowSample:
        X, codes, names, _, _ = read(rows, self._policy)
        inside = codes >= 0
        numbers = np.arange(low, low + len(X), dtype=np.uint64)[inside]
        return RowSample(names, codes[inside], priorities(numbers, self.random_state), X[inside]).cut()

    def __add__(self, other: Evaluator) -> Evaluator:
        """Return the evaluator of the batches of both."""
        if not isinstance(other, Evaluator):
            return NotImplemented
        alike = ("metric", "noise", "random_state")
        names = [[choice.name for choice in one.choices] for one in (self, other)]
        if any(getattr(self, name) != getattr(other, name) for name in alike) or names[0] != names[1]:
            msg = "Two evaluators add up if they have the same indices, metric, noise policy and random_state."
            raise InputError(msg)
        if self._taken is None or other._taken is None:
            return copy(self if other._taken is None else other)
        both = copy(self)
        columns = self._taken.columns_with(len(other._taken.origin), other._taken.columns)
        moved = other._taken.about(self._taken.origin)
        batch, sample = joined(self._taken.first_pass, moved.first_pass), self._taken.sample + moved.sample
        both._taken = Taken(self._taken.origin, batch, sample, columns)
        both.start = max(self.start, other.start)
        return both

    def scores(self, *, confidence: float = 0.95) -> Scores:
        """Return the values of what was taken in; intervals of those that are estimated hold with this confidence."""
        level = check_confidence(confidence)
        if self._taken is None:
            msg = "Nothing was taken in yet; call partial_fit(X, labels) first."
            raise InputError(msg)
        if not self._taken.first_pass.total_mass:
            msg = "sample_weight is 0 for every point of every batch; at least one must weigh more."
            raise InputError(msg)
        source = PassedPoints(self._taken, self.metric)
        values, reasons = values_of(source, self.choices)
        intervals = {
            name: ScoreInterval(value, value, 0.0, "exact") for name, value in values.items() if name not in reasons
        }
        for choice in self.choices:
            if choice.name not in reasons or any(sampled_from(s) is not PointSample for s in choice.index.statistics):
                continue
            try:
                one, how = source.replicates(choice, self.random_state)
            except UndefinedIndexError as reason:
                reasons[choice.name] = str(reason)
                continue
            bounds = choice.index.bounds
            value = one.value_within(bounds)
            if math.isnan(value):
                reasons[choice.name] = choice.index.without_value
                continue
            values[choice.name], intervals[choice.name] = value, one.interval(level, bounds, how)
            del reasons[choice.name]
        scores = Scores(values, reasons, self.choices, source, intervals=intervals)
        return scores.penalised() if self._penalty else scores


@dataclass(frozen=True)
class Taken:
    """What all batches left behind: sums about an origin, a sample of rows, and the names of columns."""

    origin: Floats
    first_pass: FirstPass
    sample: RowSample
    columns: list[str] | None = None  # None where no batch has names

    def columns_with(self, count: int, columns: list[str] | None) -> list[str] | None:
        """Return the names of columns with those of another batch, or raise an error if its columns are others."""
        if count != len(self.origin):
            msg = f"Batches must have the same columns; one has {count} and others {len(self.origin)}."
            raise InputError(msg)
        inputs.check_same_columns("Batches", columns, self.columns)
        return columns if self.columns is None else self.columns

    def about(self, origin: Floats) -> Taken:
        """Return the same about another origin."""
        parts = {need: part.moved(self.origin - origin) for need, part in self.first_pass.parts.items()}
        return replace(self, origin=origin, first_pass=replace(self.first_pass, parts=parts))


class PassedPoints(Source, Answers):
    """Points that passed by once: a source of the statistics that one pass gives."""

    has_coordinates = True

    def __init__(self, taken: Taken, metric: Any) -> None:
        super().__init__()
        rows = taken.first_pass
        self.taken, self.k, self.sizes = taken, len(rows.names), rows.sizes
        self.names = [noise_name(rows.names[:-1]) if name is None else name for name in rows.names]
        self.mass: Any = self.sizes if rows.mass is None else rows.mass
        self.weights, self.fractional, self.noise_weighs = rows.weights, rows.fractional, rows.noise_weighs
        self.n, self.p = int(self.sizes.sum()), len(taken.origin)
        self.count = self.n if self.weights is None else float(self.mass.sum())
        self.total_mass, self.coverage = rows.total_mass, float(self.count / rows.total_mass)
        self.metric, self.memory = metric, 0  # nothing but sums is held
        self._kept.update(rows.parts)

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Derive a statistic, or raise an error if it needs the points again."""
        way = self.way(statistic)
        if way is None or (way.takes is not None and way.takes.reads_points):
            msg = "it needs the points twice, and they passed by once."
            raise UndefinedIndexError(msg)
        return super().compute(statistic, **options)

    def check(self, index: Index) -> None:
        """Raise an error if the index needs other clusters, means or weights than there are.

        Tables of each two clusters are made of points, and points that passed by are the reason to give.
        """
        rows = StreamPlan(self.metric)
        check_partition(self, index, [replace(price(rows, s), tables=False) for s in index.statistics])

    def replicates(self, choice: Request, seed: int) -> tuple[Replicates, str]:
        """Return an index of silhouettes, estimated from the rows that were kept, and what it comes from."""
        self.check(choice.index)
        if self.weights is not None:
            msg = (
                f"{choice.name} is estimated from a sample of the rows, and not where these are weighted; "
                "evaluate(X, labels, sample_weight=...) takes weights."
            )
            raise UndefinedIndexError(msg)
        kept, rows = self.taken.sample, self.taken.first_pass
        place = {name: at for at, name in enumerate(rows.names)}
        codes = np.array([place[name] for name in kept.names], dtype=np.int64)[kept.codes]
        order = np.lexsort((kept.keys, codes))
        codes, counts = codes[order], np.bincount(codes, minlength=self.k)
        rng, whole = generators(seed)(3), counts == self.sizes
        groups = np.concatenate([
            np.full(count, -1) if all_of_it else random_groups(count, rng)
            for count, all_of_it in zip(counts.tolist(), whole.tolist(), strict=True)
        ])  # fmt: skip
        sample = StratifiedSample(kept.points[order], codes, groups, self.sizes, counts)
        space = Space(np.empty((0, self.p)), None, self.metric)
        drawn = SampledSilhouettes.of(sample, space, inputs.as_jobs(None))
        values = choice.index.values(Replicated(self, drawn), choice.options)
        return Replicates.of(values, sample.share, biased=True), f"{ESTIMATED} {len(codes):,} points"
