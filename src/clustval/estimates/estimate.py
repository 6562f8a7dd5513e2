"""Estimates of chosen indices to a wanted precision: exact where that is cheap, from samples where it is not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from clustval.declare import Index, Need, Request, Source, Statistic, ways_of
from clustval.errors import InputError, UndefinedIndexError
from clustval.estimates.jackknife import Replicates, student
from clustval.estimates.pair_draws import LEAST, DrawnPairs
from clustval.estimates.sampled_silhouettes import MOST, PILOT, SampledSilhouettes, StratifiedSample
from clustval.inputs import is_number
from clustval.results import ESTIMATED, ScoreInterval
from clustval.seeding import generators
from clustval.sources.pair_limits import check_pairs, seconds_for
from clustval.sources.partition import Partition
from clustval.sources.point_source import check_partition
from clustval.sources.samples import SAMPLES, PairSample, PointSample, sampled_from
from clustval.sources.space import Space
from clustval.sources.stream import Stream
from clustval.sources.stream_plan import StreamPlan
from clustval.sources.takes import takes_of

EXACT_POINTS = 5000  # all pairs of so few are sooner met than drawn from
STAGES = 3  # a pilot, what it says is needed, and more if that was too little
SURPLUS = 1.1  # a pilot does not know for sure how large a sample must be
MOST_PAIRS = 2 * 10**6  # of either kind
BYTES = 128  # that a pair of points takes, for each column


@dataclass(frozen=True)
class Estimates:
    """Values by name, reasons where there are none, and intervals where there are values."""

    values: dict[str, float] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    intervals: dict[str, ScoreInterval] = field(default_factory=dict)


class Replicated(Source):
    """A source of statistics from a sample, one row for all of it and one without each group; others are exact."""

    def __init__(self, source: Any, sample: PointSample | PairSample) -> None:
        super().__init__()
        self.source, self.sample = source, sample
        self.exponent = source.exponent

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return int(self.source.p)

    @property
    def as_given(self) -> Replicated:
        """The same statistics of points as they were."""
        return Replicated(self.source.as_given, self.sample.scaled(self.exponent)) if self.exponent else self

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Return the statistic of the sample, or that of the source."""
        for way in ways_of(statistic, type(self.sample)):
            if way.of in SAMPLES:
                return way.run(self.sample, **options)
        return self.source.need(Need(statistic, tuple(options.items())))


def check_width(width: Any) -> float:
    """Return the wanted half-width of an interval, or raise an error if it cannot be one."""
    if not is_number(width) or not 0 < width < math.inf:
        msg = f"approximate must be the half-width of an interval, such as 0.01, or None; it is {width!r}."
        raise InputError(msg)
    return float(width)


def check_confidence(confidence: Any) -> float:
    """Return the share of intervals that must hold the value, or raise an error if it cannot be one."""
    if not is_number(confidence) or not 0 < confidence < 1:
        msg = f"confidence must lie between 0 and 1, such as 0.95; it is {confidence!r}."
        raise InputError(msg)
    return float(confidence)


def estimates(
    source: Partition | Stream, choices: Sequence[Request], *, width: float, confidence: float, random_state: Any
) -> Estimates:
    """Return the values of all choices, each with an interval of about this half-width at most."""
    return Estimation(source, width, confidence, random_state).of(choices)


class Estimation:
    """How the indices of one source are estimated: from which samples, each drawn once."""

    def __init__(self, source: Partition | Stream, width: float, confidence: float, random_state: Any) -> None:
        self.source, self.width, self.confidence = source, width, confidence
        self.generator = generators(random_state)
        self.metric = source.metric
        self.space: Any
        if isinstance(source, Stream):
            points = source.few if source.table.mixed else np.empty((0, source.p))  # which show whether there are gaps
            self.jobs, self.space = source.jobs, Space(points, None, self.metric)
        else:
            self.jobs, self.space = source.space.n_jobs, source.space

    def of(self, choices: Sequence[Request]) -> Estimates:
        """Estimate what is dear, and compute the rest."""
        made = Estimates()
        dear: dict[type, list[Request]] = {sample: [] for sample in SAMPLES}
        for choice in choices:
            try:
                check_partition(self.source, choice.index)
                family = self._family(choice.index)
                if family is None:
                    self._exact(choice, made)
                else:
                    dear[family].append(choice)
            except UndefinedIndexError as reason:
                _undefined(choice, made, reason)
        for family, some in dear.items():
            if some:
                try:
                    (self._from_points if family is PointSample else self._from_pairs)(some, made)
                except UndefinedIndexError as reason:
                    for choice in some:
                        _undefined(choice, made, reason)
        order = [choice.name for choice in choices]
        return Estimates({name: made.values[name] for name in order}, made.reasons, made.intervals)

    def _family(self, index: Index) -> type | None:
        """Return the type of sample that gives this index, None if it is to be computed exactly."""
        rows = StreamPlan(self.metric)
        dear = [s for s in index.statistics if not rows.gives(s)]
        if not dear or index.cost == "linear" or self.source.n <= EXACT_POINTS:
            return None
        samples = {sampled_from(s) for s in dear}
        if len(samples) == 1 and None not in samples:
            if self.source.weights is not None:
                msg = f"{index.name} is not estimated where points are weighted; leave approximate= out."
                raise UndefinedIndexError(msg)
            return samples.pop()
        if not self._found_otherwise(dear):
            self._check_feasible(index)
        return None

    def _found_otherwise(self, statistics: Sequence[type[Statistic]]) -> bool:
        """Return whether points in memory have statistics without a visit of all pairs."""
        return isinstance(self.source, Partition) and not any(seconds_for(self.source, s) for s in statistics)

    def _check_feasible(self, index: Index) -> None:
        """Raise an error if an index without an estimator takes too many distances."""
        why = "it is made of the smallest or largest distances, which no sample gives"
        if not takes_of(index).extremes:
            why = "there is no estimator of it"
        try:
            check_pairs(index.name, index.statistics, self.source.n, self.source.p, self.jobs)
        except UndefinedIndexError as reason:
            start = str(reason).partition(";")[0]
            msg = f"{start}, and {why}."
            raise UndefinedIndexError(msg) from None

    def _exact(self, choice: Request, made: Estimates) -> None:
        value = choice.index.value(self.source, choice.options)
        made.values[choice.name] = value
        made.intervals[choice.name] = ScoreInterval(value, value, 0.0, "exact")

    # --- the two kinds of samples

    def _from_points(self, choices: Sequence[Request], made: Estimates) -> None:
        """Estimate silhouettes from a pilot, and from as many points as it says are needed."""
        amount = PILOT
        for stage in range(STAGES):
            sample = StratifiedSample.of(self.source, amount, self.generator(0, stage))
            drawn = SampledSilhouettes.of(sample, self.space, self.jobs)
            replicates = self._replicates(choices, made, Replicated(self.source, drawn), sample.share, biased=True)
            needed = self._needed(choices, replicates, int(sample.counts.sum()))
            if needed <= sample.counts.sum():
                break
            if amount == MOST // 2:
                break
            amount = min(needed, MOST // 2)
        self._keep(replicates, choices, made, f"{int(sample.counts.sum()):,} points")

    def _from_pairs(self, choices: Sequence[Request], made: Estimates) -> None:
        """Estimate indices of pairs from a pilot, and from as many pairs as it says are needed."""
        if not (self.source.sizes > 1).any():
            msg = "no two points share a cluster, so that there are no distances within clusters."
            raise UndefinedIndexError(msg)
        count = LEAST
        most = max(LEAST, min(MOST_PAIRS, int(self.source.memory // (BYTES * self.source.p))))
        for stage in range(STAGES):
            drawn = DrawnPairs.of(self.source, self.space, count, self.generator(1, stage))
            replicates = self._replicates(choices, made, Replicated(self.source, drawn), 0.0, biased=True)
            needed = self._needed(choices, replicates, count)
            if needed <= count:
                break
            if count == most:
                break
            count = min(needed, most)
        between = " and as many between" if self.source.k > 1 else ""
        self._keep(replicates, choices, made, f"{count:,} pairs within clusters{between}")

    def _replicates(
        self, choices: Sequence[Request], made: Estimates, source: Replicated, share: float, *, biased: bool
    ) -> dict[str, Replicates]:
        """Return the value of each index and those without each group; where a sample gives none, keep the reason."""
        replicates = {}
        for choice in choices:
            try:
                values = choice.index.uncut_values(source, choice.options)
            except UndefinedIndexError as reason:
                _undefined(choice, made, reason)
                continue
            replicates[choice.name] = Replicates.of(values, share, biased=biased)
        return replicates

    def _needed(self, choices: Sequence[Request], replicates: Mapping[str, Replicates], count: int) -> int:
        """Return how large a sample would give intervals of the wanted half-width.

        That is a share of the value where an index has no bounds, and thus no scale of its own.
        """
        steps = student(self.confidence)
        ratios = [1.0]
        for choice in choices:
            if choice.name not in replicates:
                continue
            one = replicates[choice.name]
            bounded = all(map(math.isfinite, choice.index.bounds))
            wanted = self.width if bounded else self.width * abs(one.value)
            if wanted > 0 and math.isfinite(one.error):
                ratios.append(steps * one.error / wanted)
        widest = max(ratios)
        return count if widest <= 1 else math.ceil(SURPLUS * count * widest**2)

    def _keep(
        self, replicates: Mapping[str, Replicates], choices: Sequence[Request], made: Estimates, sample: str
    ) -> None:
        for choice in choices:
            if choice.name not in replicates:
                continue
            one, bounds = replicates[choice.name], choice.index.bounds
            value = one.value_within(bounds)
            if math.isnan(value):
                _undefined(choice, made, UndefinedIndexError(choice.index.without_value))
                continue
            made.values[choice.name] = value
            made.intervals[choice.name] = one.interval(self.confidence, bounds, f"{ESTIMATED} {sample}")


def _undefined(choice: Request, made: Estimates, reason: UndefinedIndexError) -> None:
    made.values[choice.name] = math.nan
    made.reasons[choice.name] = str(reason)
