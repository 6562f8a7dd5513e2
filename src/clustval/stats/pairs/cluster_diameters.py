"""The largest distance inside each cluster: from all pairs, or from the few points that can be its ends."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.lazy import cached_property
from clustval.passes.pairs.search_extremes import diameters_of
from clustval.sources.partition import Partition
from clustval.sources.row_blocks import RowBlock
from clustval.sources.takes import Takes, many_euclidean, metric_in
from clustval.stats.pairs.pair_distances import PairExtremes
from clustval.stats.points.moments import Moments

MOST = 200_000  # points that are kept as possible ends: all pairs of so many are still met
SLACK = 1 + 1e-9  # what rounding may take off a sum of two distances


@dataclass(frozen=True, eq=False)
class Diameters(Statistic):
    """Largest distance inside each cluster."""

    after: ClassVar[tuple[type[Statistic], ...]] = (PairExtremes,)

    values: Floats  # (k,)

    @classmethod
    def derived(cls, e: PairExtremes) -> Diameters:
        """Take them from the extremes of all pairs."""
        return cls(e.diameters)


@dataclass(frozen=True, eq=False)
class Outermost(Statistic):
    """The point of each cluster that lies farthest from its mean, and how far; of two sets, the farther of both."""

    takes = Takes(coordinates=True)
    after: ClassVar[tuple[type[Statistic], ...]] = (Moments,)

    radii: Floats  # (k,) -1 where there is no point
    points: Floats  # (k, p), less the origin

    @classmethod
    def part(cls, block: Partition, m: Moments) -> Outermost:
        """Measure every point against the mean of its cluster."""
        radii, points = np.full(block.k, -1.0), np.zeros((block.k, block.p))
        there = np.flatnonzero(block.sizes)
        own = _apart(block.Z, m.means[block.codes])
        last = np.lexsort((own, block.codes))[block.starts[there + 1] - 1]
        radii[there], points[there] = own[last], block.Z[last]
        return cls(radii, points)

    def __add__(self, other: Outermost) -> Outermost:
        """The farther of two points of each cluster."""
        farther = other.radii > self.radii
        points = np.where(farther[:, None], other.points, self.points)
        return Outermost(np.maximum(self.radii, other.radii), points)


@dataclass(frozen=True, eq=False)
class RimPoints(Statistic):
    """Points that may be ends of the largest distance inside their cluster, as others lie too near to its mean.

    Two points are no farther apart than their distances to the mean add up to. Those of two sets of points are
    joined, and fewer of them are left, since a larger distance was met in one.
    """

    takes = Takes(coordinates=True)
    after: ClassVar[tuple[type[Statistic], ...]] = (Moments, Outermost)

    reach: Floats  # (k,) distance of the farthest point of the whole cluster to its mean
    least: Floats  # (k,) the largest distance that was met so far
    codes: Integers
    own: Floats  # distance of each point to the mean of its cluster, falling in each of them
    points: Floats
    many: bool = False  # whether they were too many to be kept

    @classmethod
    def part(cls, block: Partition, m: Moments, f: Outermost) -> RimPoints:
        """Measure every point against the mean of its cluster, and against the point farthest from that."""
        there = np.flatnonzero(block.sizes)
        least = np.zeros(block.k)
        least[there] = np.maximum.reduceat(_apart(block.Z, f.points[block.codes]), block.starts[there])
        own = _apart(block.Z, m.means[block.codes])
        return cls(f.radii, least, block.codes, own, block.X).pruned()

    def pruned(self) -> RimPoints:
        """Return the points that are left by the largest distances that were met."""
        left = np.flatnonzero(SLACK * (self.own + self.reach[self.codes]) >= self.least[self.codes])
        left = left[np.lexsort((-self.own[left], self.codes[left]))]
        return replace(self, codes=self.codes[left], own=self.own[left], points=self.points[left])

    def __add__(self, other: RimPoints) -> RimPoints:
        """Points of two sets that are left by the larger of the distances met in both."""
        both = RimPoints(
            self.reach,
            np.maximum(self.least, other.least),
            np.concatenate([self.codes, other.codes]),
            np.concatenate([self.own, other.own]),
            np.concatenate([self.points, other.points]),
            self.many or other.many,
        ).pruned()
        if both.many or len(both.codes) > MOST:
            return replace(both, codes=both.codes[:0], own=both.own[:0], points=both.points[:0], many=True)
        return both

    @cached_property
    def values(self) -> Floats:
        """Largest distance inside each cluster (k,)."""
        if self.many:
            msg = (
                f"more than {MOST:,} points may be ends of the largest distance inside a cluster, "
                "so that it takes all pairs of them."
            )
            raise UndefinedIndexError(msg)
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.codes, minlength=len(self.reach)))])
        return diameters_of(self.points, starts, self.own)


def _apart(A: Floats, B: Floats) -> Floats:
    """Return the distances of rows of A to the same rows of B."""
    distances: Floats = np.sqrt(((A - B) ** 2).sum(axis=1))
    return distances


@way(Diameters, of=RowBlock, after=(Moments, Outermost), when=metric_in("euclidean"), takes=RimPoints.takes, part=True)
@way(Diameters, of=Partition, after=(Moments, Outermost), when=many_euclidean, takes=RimPoints.takes, part=True)
def from_rim(block: Partition, m: Moments, f: Outermost) -> RimPoints:
    """Keep the points that may be ends of a diameter: two more passes over the points, and no pass over all pairs."""
    return RimPoints.part(block, m, f)
