"""What chance alone would give, by formula: exact moments of pairs and of shared information, without random tables.

Over all labels with the same sizes of clusters, indices of pairs depend on one number, the pairs together in both
labellings, and indices of information on one, the mutual information. Most are linear in it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from clustval.compare.permutation import MERITS, Null
from clustval.compare.tails import Tails, information_tails, pair_tails
from clustval.declare import Request, Source, Statistic
from clustval.errors import InputError, UndefinedIndexError
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.information import ExpectedInformation, Information
from clustval.stats.labels.information_spread import InformationSpread
from clustval.stats.labels.pair_counts import PairCounts
from clustval.stats.labels.pair_moments import PairMoments
from clustval.stats.labels.partition_models import PartitionModels

NODES = (-math.sqrt(3), 0.0, math.sqrt(3))  # of the Gauss-Hermite rule that is exact up to the fifth power
WEIGHTS = (1 / 6, 2 / 3, 1 / 6)
BETWEEN = (0.25, 0.75)  # of the way from the least number to the most, where an index shows how it depends on it


@dataclass(frozen=True)
class Driver:
    """The number that varies by chance, and the statistics that follow from it."""

    mean: float
    std: float
    low: float  # no table with these sizes has less
    high: float
    tails: Tails
    statistics: Callable[[float], Sequence[Statistic]]

    def value(self, choice: Request, number: float) -> float:
        """Return the index where the number that varies is this one, NaN where it has no value there."""
        source = Source()
        for statistic in self.statistics(number):
            source.keep(statistic)
        try:
            return choice.index.value(source, choice.options)
        except UndefinedIndexError:
            return math.nan

    def null(self, choice: Request, observed: float) -> Null:
        """Return mean and s.d. of an index, exact where it is linear, and its p-value."""
        if not self.std:  # every table with these sizes has what this one has
            return Null(observed, 0.0, math.nan, 0)
        ends = [self.value(choice, number) for number in (self.low, self.high)]
        middle = self.value(choice, (self.low + self.high) / 2)
        if math.isclose(
            sum(ends) / 2, middle, rel_tol=1000 * ROUNDING_OF_VALUES, abs_tol=ROUNDING_OF_VALUES * max(map(abs, ends))
        ):
            slope = (ends[1] - ends[0]) / (self.high - self.low) if self.high > self.low else 0.0
            mean, std = ends[0] + slope * (self.mean - self.low), abs(slope) * self.std
        else:
            numbers = np.clip([self.mean + node * self.std for node in NODES], self.low, self.high)
            values = np.array([self.value(choice, number) for number in numbers.tolist()])
            mean = float(WEIGHTS @ values)
            std = math.sqrt(float(WEIGHTS @ (values - mean) ** 2))
        return Null(mean, std, self._p_value(choice, observed), 0, (observed - mean) / std if std else math.nan)

    def _p_value(self, choice: Request, observed: float) -> float:
        """Return how rarely chance gives a value that is as good: all indices rise or fall with the number."""
        merit = MERITS.get(choice.best.better)
        if merit is None or math.isnan(observed):
            return math.nan
        values = [self.value(choice, self.low + part * (self.high - self.low)) for part in BETWEEN]
        less, more = merit(np.array(values))
        if not abs(more - less) > 0:
            return math.nan if math.isnan(more - less) else 1.0
        return self.tails.above if less < more else self.tails.below


def pairs_driver(pair: Source) -> Driver:
    """Return the pairs together in both labellings, with exact moments."""
    p, moments = pair[PairCounts], pair[PairMoments]

    def statistics(yy: float) -> list[Statistic]:
        counts = PairCounts(yy, p.truth - yy, p.labels - yy, p.total - p.truth - p.labels + yy)
        varied: list[Statistic] = [counts, replace(moments, observed=yy)]
        if p.total:
            disagreement = (counts.yn + counts.ny) / p.total
            varied.append(replace(pair[PartitionModels], disagreement=disagreement))
        return varied

    least, most = max(0, p.truth + p.labels - p.total), min(p.truth, p.labels)
    std = math.sqrt(moments.variance) if isinstance(moments.variance, Fraction) else moments.variance
    tails = pair_tails(pair[Contingency], moments, std)
    return Driver(float(moments.mean), std, float(least), float(most), tails, statistics)


def information_driver(pair: Source) -> Driver:
    """Return the mutual information, with exact moments."""
    info, expected, spread = pair[Information], pair[ExpectedInformation], pair[InformationSpread]

    def statistics(shared: float) -> list[Statistic]:
        varied = replace(
            info,
            shared=shared,
            truth_given_labels=info.truth - shared,
            labels_given_truth=info.labels - shared,
            identical=False,
        )
        return [varied, expected, spread]

    # No table need reach these ends; indices are defined between them all the same.
    high = min(info.truth, info.labels)
    std = math.sqrt(spread.variance)
    tails = information_tails(pair[Contingency], info.shared, expected.shared, std)
    return Driver(expected.shared, std, high / 1024, high, tails, statistics)


DRIVERS: tuple[tuple[Callable[[Any], Driver], set[type[Statistic]]], ...] = (
    (pairs_driver, {PairCounts, PairMoments, PartitionModels}),
    (information_driver, {Information, ExpectedInformation, InformationSpread}),
)


def analytic_nulls(pair: Source, choices: Sequence[Request], observed: Mapping[str, float]) -> dict[str, Null]:
    """Return mean, s.d., z and p-value of each index of pairs or of information; others have none."""
    if pair[Contingency].counts.dtype.kind == "f":
        msg = "significance='analytic' deals out whole points at random, so that sample_weight must hold whole numbers."
        raise InputError(msg)
    nulls: dict[str, Null] = {}
    with np.errstate(all="ignore"):
        for driver_of, statistics in DRIVERS:
            own = [choice for choice in choices if set(choice.index.statistics) <= statistics]
            if not own:
                continue
            try:
                driver = driver_of(pair)
            except UndefinedIndexError:  # the variance would take minutes
                continue
            nulls |= {choice.name: driver.null(choice, observed[choice.name]) for choice in own}
    return {choice.name: nulls[choice.name] for choice in choices if choice.name in nulls}
