"""Silhouettes from a sample of each cluster, whose points stand for the points and for what they are measured against.

Small clusters are drawn whole, and of each other one so many points as its share says, but never fewer than a floor:
a plain sample would lose small clusters, and with them the neighbours of the points beside them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.errors import UndefinedIndexError
from clustval.estimates.draws import drawn_points
from clustval.estimates.jackknife import GROUPS, random_groups
from clustval.passes.points.sample_sums import sums_by_cluster
from clustval.sources.samples import PointSample
from clustval.sources.space import Space
from clustval.stats.centres.centre_contrast import ClusterContrast, ClusterRatio, contrasts

FLOOR = 30  # points of a cluster at least; clusters of up to twice as many are drawn whole
PILOT = 1000  # points from which is seen how many are needed
MOST = 60_000  # points of a sample: each is measured against each, twice


def allocation(sizes: Integers, amount: int) -> Integers:
    """Return how many points of each cluster are drawn for a sample of about so many."""
    shares = np.round(amount * (sizes / sizes.sum())).astype(np.int64)
    counts = np.minimum(sizes, np.maximum(FLOOR, shares))
    return np.where(sizes <= 2 * FLOOR, sizes, counts)


@dataclass(frozen=True)
class StratifiedSample:
    """Points of all clusters, sorted by cluster, and the group of each; -1 in clusters that are drawn whole."""

    points: Floats
    codes: Integers
    groups: Integers
    sizes: Integers  # of the clusters themselves
    counts: Integers  # of their points that were drawn

    @classmethod
    def of(cls, source: Any, amount: int, rng: np.random.Generator) -> StratifiedSample:
        """Draw about so many points."""
        sizes: Integers = source.sizes
        counts = allocation(sizes, amount)
        if counts.sum() > MOST:
            msg = (
                f"A sample of {len(sizes):,} clusters, {FLOOR} points of each, is more than {MOST:,} points; "
                "silhouettes of so many clusters are not estimated."
            )
            raise UndefinedIndexError(msg)
        ranks, groups = [], []
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
            whole = count == size
            ranks.append(np.arange(size) if whole else rng.choice(size, count, replace=False, shuffle=False))
            groups.append(np.full(count, -1) if whole else random_groups(count, rng))
        codes = np.repeat(np.arange(len(sizes)), counts)
        points = drawn_points(source, codes, np.concatenate(ranks).astype(np.int64))
        return cls(points, codes, np.concatenate(groups), sizes, counts)

    @property
    def share(self) -> float:
        """Share of the points of clusters that are not drawn whole."""
        partly = self.counts < self.sizes
        return float(self.counts[partly].sum() / self.sizes[partly].sum()) if partly.any() else 1.0


@dataclass(frozen=True)
class SampledSilhouettes(PointSample):
    """Silhouettes of a sample, and those of the sample without each of its groups, as statistics of the whole."""

    sample: StratifiedSample
    within: list[Floats]  # of the points that are left: mean distance to the own cluster
    nearest: list[Floats]  # and to the nearest other
    left: list[Flags]  # which points are left

    @classmethod
    def of(cls, sample: StratifiedSample, space: Space, n_jobs: int) -> SampledSilhouettes:
        """Measure the points of the sample against each other."""
        k, codes = len(sample.sizes), sample.codes
        starts = np.concatenate([[0], np.cumsum(sample.counts)])
        sums = sums_by_cluster(sample.points, sample.points, starts, space, n_jobs, same=True)
        within, nearest, left = [], [], []
        for group in range(-1, GROUPS):
            gone = sample.groups == group if group >= 0 else np.zeros(len(codes), dtype=bool)
            rest, counts = sums, sample.counts
            if gone.any():
                fewer = np.bincount(codes[gone], minlength=k)
                ends = np.concatenate([[0], np.cumsum(fewer)])
                rest = sums - sums_by_cluster(sample.points, sample.points[gone], ends, space, n_jobs)
                counts = sample.counts - fewer
            own, other = _means(rest[~gone], codes[~gone], counts)
            within.append(own)
            nearest.append(other)
            left.append(~gone)
        return cls(sample, within, nearest, left)

    def scaled(self, exponent: int) -> SampledSilhouettes:
        """Return the sample with distances times so high a power of two."""
        within, nearest = ([np.ldexp(means, exponent) for means in each] for each in (self.within, self.nearest))
        return replace(self, within=within, nearest=nearest)

    def contrast(self) -> ClusterContrast:
        """Return the sums of silhouettes of all points of the clusters, one row for each replicate."""
        sums = np.stack([self._sums(at, contrasts(a, b, self._alone(at))) for at, a, b in self._each()])
        mass = self.sample.sizes
        apart = bool(self.within[0].any() or self.nearest[0].any())
        return ClusterContrast(int(mass.sum()), mass, sums.sum(-1), sums, apart, bool((mass == 1).all()))

    def ratio(self, epsilon: float) -> ClusterRatio:
        """Return the sums of ratios of all points, one for each replicate."""
        values = [np.where(self._alone(at), 0.0, b / (a + epsilon)) for at, a, b in self._each()]
        sums = np.array([self._sums(at, v).sum() for at, v in enumerate(values)])
        return ClusterRatio(int(self.sample.sizes.sum()), sums)

    def _each(self) -> Any:
        return zip(range(GROUPS + 1), self.within, self.nearest, strict=True)

    def _alone(self, at: int) -> Flags:
        codes = self.sample.codes[self.left[at]]
        alone: Flags = self.sample.sizes[codes] == 1
        return alone

    def _sums(self, at: int, values: Floats) -> Floats:
        """Return what the points of each cluster would add up to, if the others were like those of the sample."""
        codes, sizes = self.sample.codes[self.left[at]], self.sample.sizes
        counts = np.bincount(codes, minlength=len(sizes))
        return sizes * np.bincount(codes, values, minlength=len(sizes)) / np.maximum(counts, 1)


def _means(sums: Floats, codes: Integers, counts: Integers) -> tuple[Floats, Floats]:
    """Return the mean distance of points to the others of their cluster, and to the nearest other cluster."""
    points = np.arange(len(codes))
    own = sums[points, codes] / np.maximum(counts[codes] - 1, 1)
    means = sums / np.maximum(counts, 1)
    means[:, counts == 0] = math.inf
    means[points, codes] = math.inf
    return own, means.min(axis=1)
