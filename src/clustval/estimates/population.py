"""Intervals of exact values, where the points are themselves a sample: of the population that they come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.declare import Index, Request, Statistic, plan_of, ways_of
from clustval.errors import InputError, UndefinedIndexError
from clustval.estimates.jackknife import GROUPS, Replicates, random_groups
from clustval.inputs import Labels
from clustval.results import ScoreInterval
from clustval.seeding import generators
from clustval.sources.partition import Partition
from clustval.sources.samples import sampled_from
from clustval.sources.space import Space
from clustval.sources.stream_plan import StreamPlan
from clustval.sources.takes import takes_of
from clustval.stats.centres.densities import Densities
from clustval.stats.pairs.squared_distances import SquaredDistances
from clustval.stats.points.cluster_sizes import ClusterSizes

FEWEST = 3  # points of a cluster that tell how it would differ in another sample
WIDER = 1.15  # than Student's t says, whose intervals hold .95 of all values, but of some indices .89
LEAST_EFFECTIVE = 0.23  # Gaussians have 1/3 in one column, 0.24 at least by chance; lognormal values and t(2) 0.1
ROWS = 500  # of distances at a time
SINGLE_POINTS = "no interval: single points decide it, which another sample may not have"
NO_VALUE = "no interval: without a twentieth of the points it may have no value"
SMALL = f"no interval: the value depends on clusters of fewer than {FEWEST} points"
TAILS = "no interval: a few points far from the middle of their cluster decide it, and another sample has others"
CUT = "no interval: without a twentieth of the points it is cut off at the end of its scale, which hides how it varies"
HOW = f"the points as a sample, each of {GROUPS} groups of them left out once"


def smooth(index: Index) -> bool:
    """Return whether a few points less change an index but a little: no smallest or largest distance is in it.

    Nor is a number of points within a radius, which jumps.
    """
    return all(map(_smooth, index.statistics))


def takes_far_points_by_rank(index: Index) -> bool:
    """Return whether an index does not say how far away the farthest points are, since it takes ranks or sizes."""
    return any(takes_of(one).ranks for one in index.statistics) or index.statistics == (ClusterSizes,)


def effective_share(source: Partition) -> float:
    """Return the share of the points that make up the squared distances from the means of their clusters.

    So many equal distances would have the same mean and the same mean square; those of each cluster are in units of
    their mean. It is low where tails are heavy.
    """
    distances = np.ones(source.n)
    weights = np.ones(source.n) if source.weights is None else source.weights
    for low, high in pairwise(source.starts.tolist()):
        some = _squared_distances(source.space, source.order[low:high], weights[low:high])
        mean = np.average(some, weights=weights[low:high])
        if mean > 0:
            distances[low:high] = some / mean
    return float((weights @ distances) ** 2 / (weights @ distances**2) / weights.sum())


def _squared_distances(space: Space, members: Integers, weights: Floats) -> Floats:
    """Return squared distances of the points of a cluster from its mean, or what distances alone say of them."""
    if space.X is not None and space.has_columns:
        points = space.X[members]
        return np.asarray(((points - np.average(points, axis=0, weights=weights)) ** 2).sum(axis=1))
    parts = [members[low : low + ROWS] for low in range(0, len(members), ROWS)]
    means = np.concatenate([space.rows(part)[:, members] ** 2 @ weights for part in parts]) / weights.sum()
    half = np.average(means, weights=weights) / 2  # of the mean of all: the variance, which is in each
    return np.asarray(np.maximum(means - half, 0.0))


def _smooth(statistic: type[Statistic]) -> bool:
    if takes_of(statistic).extremes or statistic is Densities:
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
    """Return the interval of each index that has a value, or the reason why there is none, the points being a sample.

    It holds the value that half of all samples of this size exceed.
    """
    without = {c.name: none(SINGLE_POINTS) for c in choices if not smooth(c.index) and np.isfinite(values[c.name])}
    some = [c for c in choices if smooth(c.index) and np.isfinite(values[c.name])]
    if not some:  # as where every point is noise
        return without
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
        rows = np.zeros(source.total, dtype=bool)
        rows[np.sort(source.kept)[keep]] = True
        part = Partition(source.space_as_given.restricted(rows), labels, plan_of(some).needs, left)
        row = np.full(len(some), np.nan)
        for at, choice in enumerate(some):
            try:
                row[at] = choice.index.uncut_values(part, choice.options)
            except (InputError, UndefinedIndexError):  # the metric may need what these points do not have
                continue
        return row

    for group in range(GROUPS):
        table[:, group] = values_of(groups != group)
    small = source.sizes < FEWEST
    whole = [c.index.uncut_values(source, c.options) if c.index.uncut else values[c.name] for c in some]
    of_large = np.array(whole, dtype=np.float64)
    if small.any():
        of_large = values_of(~small[codes]) if (~small).any() else np.full(len(some), np.nan)
    tails = effective_share(source) < LEAST_EFFECTIVE

    def interval(choice: Request, value: float, row: Floats, without_small: float) -> ScoreInterval:
        """Return the interval of an index by its value, those without each group, and that without small clusters."""
        reason = _against(choice.index, row, tails=tails)
        if reason is not None:
            return none(reason)
        one = Replicates(value, row, wider=WIDER).interval_within(confidence, choice.index.bounds, HOW)
        return one if one.low <= np.clip(without_small, *choice.index.bounds) <= one.high else none(SMALL)

    of_each = zip(some, map(float, whole), table, of_large.tolist(), strict=True)
    made = {choice.name: interval(choice, *each) for choice, *each in of_each}
    return {c.name: (made | without)[c.name] for c in choices if c.name in made or c.name in without}


def _against(index: Index, row: Floats, *, tails: bool) -> str | None:
    """Return why values without each group tell no interval, if they do not."""
    if not np.isfinite(row).all():
        return NO_VALUE
    if tails and not takes_far_points_by_rank(index):
        return TAILS
    if index.uncut is None and index.best.better == "higher" and row.min() == index.bounds[0]:
        return CUT
    return None


def none(reason: str) -> ScoreInterval:
    """Return that there is no interval, and why."""
    return ScoreInterval(np.nan, np.nan, np.nan, reason)


def _groups(source: Partition, rng: np.random.Generator) -> Integers:
    """Return the group of each point, -1 for a point without which a cluster would vanish."""
    groups = random_groups(source.n, rng)
    for c in range(source.k):
        members = source.order[source.starts[c] : source.starts[c + 1]]
        if len(np.unique(groups[members])) == 1:
            groups[members[0]] = -1
    return groups
