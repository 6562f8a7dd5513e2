"""Intervals of exact values, where the points are themselves a sample: of the population that they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.declare import Index, Request, Statistic, plan_of, ways_of
from clustval.errors import UndefinedIndexError
from clustval.estimates.jackknife import GROUPS, Replicates, random_groups
from clustval.inputs import Labels
from clustval.results import ScoreInterval
from clustval.seeding import generators
from clustval.sources.partition import Partition
from clustval.sources.samples import sampled_from
from clustval.sources.stream_plan import StreamPlan
from clustval.sources.takes import takes_of
from clustval.stats.pairs.squared_distances import SquaredDistances

FEWEST = 3  # points of a cluster that tell how it would differ in another sample
NO_INTERVAL = f"no interval: the value depends on clusters of fewer than {FEWEST} points"
HOW = f"the points as a sample, each of {GROUPS} groups of them left out once"


def smooth(index: Index) -> bool:
    """Return whether a few points less change an index but a little: no smallest or largest distance is in it."""
    return all(map(_smooth, index.statistics))


def _smooth(statistic: type[Statistic]) -> bool:
    if takes_of(statistic).extremes:
        return False
    is_sum = statistic is SquaredDistances or sampled_from(statistic) is not None  # of all distances, sorted or not
    rows = StreamPlan("euclidean")
    if is_sum or (rows.streams(statistic) and not rows.takes(statistic).held_bytes):
        return True
    ways = ways_of(statistic, object)  # that derive it
    return any(all(map(_smooth, way.after)) for way in ways)


def population_intervals(
    source: Partition, choices: Sequence[Request], values: Mapping[str, float], confidence: float, random_state: Any
) -> dict[str, ScoreInterval]:
    """Return the interval of each smooth index that has a value, the points being a sample."""
    some = [c for c in choices if smooth(c.index) and np.isfinite(values[c.name])]
    codes: Integers = np.empty(source.n, dtype=np.int64)
    codes[source.order] = source.codes
    weights = None
    if source.weights is not None:
        weights = np.empty(source.n)
        weights[source.order] = source.weights
    groups = _groups(source, generators(random_state)(2))
    table = np.full((len(some), GROUPS), np.nan)

    def values_of(keep: Flags) -> Floats:
        """Return the value of each index, of some points alone."""
        left = None if weights is None else weights[keep]
        numbers, places = np.unique(codes[keep], return_inverse=True)
        labels = Labels(places, [source.names[number] for number in numbers.tolist()])
        part = Partition(source.space.restricted(keep), labels, plan_of(some).needs, left)
        row = np.full(len(some), np.nan)
        for at, choice in enumerate(some):
            try:
                row[at] = choice.index.value(part, choice.options)
            except UndefinedIndexError:
                continue
        return row

    for group in range(GROUPS):
        table[:, group] = values_of(groups != group)
    intervals = {
        choice.name: Replicates(values[choice.name], row).interval(confidence, choice.index.bounds, HOW)
        for choice, row in zip(some, table, strict=True)
        if np.isfinite(row).all()
    }
    small = source.sizes < FEWEST
    if not small.any():
        return intervals
    without = values_of(~small[codes]) if (~small).any() else np.full(len(some), np.nan)
    for choice, value in zip(some, without.tolist(), strict=True):
        one = intervals.get(choice.name)
        if one is not None and not abs(value - values[choice.name]) <= one.error:
            intervals[choice.name] = ScoreInterval(np.nan, np.nan, np.nan, NO_INTERVAL)
    return intervals


def _groups(source: Partition, rng: np.random.Generator) -> Integers:
    """Return the group of each point, -1 for a point without which a cluster would vanish."""
    groups = random_groups(source.n, rng)
    for c in range(source.k):
        members = source.order[source.starts[c] : source.starts[c + 1]]
        if len(np.unique(groups[members])) == 1:
            groups[members[0]] = -1
    return groups
