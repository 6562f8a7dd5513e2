"""How far clusters reach: from each of their points to the farthest, and from points outside."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.passes.metrics.measure_between import euclidean_between
from clustval.passes.pairs import farthest as passes
from clustval.passes.pairs.farthest import Meet, covers_numpy, farthest_of_many, farthest_own_numpy
from clustval.passes.work import thresholds
from clustval.sources.blocks import Blocks
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes, near_by_trees
from clustval.stats.points.point_values import PointValues, joined


@dataclass(frozen=True, eq=False)
class Farthest(PointValues, Statistic):
    """The largest distance of each point to a point of its own cluster.

    Those of disjoint sets of points, each met with all of its cluster, follow each other.
    """

    takes = Takes(pair_passes=1, search=near_by_trees)

    own: Floats  # (n,)

    @classmethod
    def part(cls, block: Partition) -> Farthest:
        """Meet the points of each cluster with each other."""
        n_jobs = block.space.n_jobs
        factor = _factor(block)
        if factor is not None:
            own = passes.farthest_own(block.image, block.starts, n_jobs=n_jobs, factor=factor)
        else:
            own = farthest_own_numpy(_meet(block), block.starts, [b.starts for b in _blocks(block)], n_jobs=n_jobs)
        return cls(block.whole.sizes, block.whole.mass, block.codes, block.weights, own)

    def __add__(self, other: Farthest) -> Farthest:
        """Distances of two sets of points, one after the other."""
        return Farthest(
            sizes=self.sizes,
            mass=self.mass,
            codes=np.concatenate([self.codes, other.codes]),
            weights=joined(self.weights, other.weights),
            own=np.concatenate([self.own, other.own]),
        )

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> Farthest:
        """Stack the distances of partitions with the same number of clusters."""
        own, _ = _tables(group)
        return cls(group.sizes, group.sizes, group.codes, None, own[group.rows])


@dataclass(frozen=True, eq=False)
class Covers(Statistic):
    """How near each cluster, all of it, comes to a point outside: the smallest of the largest distances to its points.

    Those of disjoint sets of points outside, each met with all clusters, combine by minimum.
    """

    takes = Takes(pair_passes=1, search=near_by_trees)

    covers: Floats  # (k,); infinite if no point is outside

    @classmethod
    def part(cls, block: Partition) -> Covers:
        """Meet the points with the clusters that they are not in."""
        n_jobs = block.space.n_jobs
        factor = _factor(block)
        if factor is not None:
            return cls(passes.covers(block.image, block.starts, n_jobs=n_jobs, factor=factor))
        return cls(covers_numpy(_meet(block), block.starts, [b.starts for b in _blocks(block)], n_jobs=n_jobs))

    def __add__(self, other: Covers) -> Covers:
        """Covers by the union of two sets of points outside."""
        return Covers(np.minimum(self.covers, other.covers))

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> Covers:
        """Stack the covers of partitions with the same number of clusters."""
        _, smallest = _tables(group)
        return cls(group.per_cluster(smallest, 1)[..., 0])


def _tables(group: Group) -> tuple[Floats, Floats]:
    return group.tables.cached(farthest_of_many, lambda: farthest_of_many(group.shared.distances, group.block))


def _factor(block: Partition) -> float | None:
    """Return the factor of squared differences for compiled code, if there are points enough and all are here."""
    return block.space.factor if block.whole is block and block.n > thresholds.PAIRS else None


def _blocks(block: Partition) -> Sequence[Partition]:
    """Return the blocks of all points, of which this is one."""
    return block.whole.blocks if isinstance(block.whole, Blocks) else [block]


def _meet(block: Partition) -> Meet:
    """Return how rows of the block are measured against points of all blocks."""
    space = block.space
    if space.distances is not None:
        D, order = space.distances, block.order
        return lambda lo, hi, _, begin, end: D[np.ix_(order[lo:hi], order[begin:end])]
    blocks = _blocks(block)
    if space.euclidean:
        return lambda lo, hi, other, begin, end: euclidean_between(block.X[lo:hi], blocks[other].X[begin:end])

    def meet(lo: int, hi: int, other: int, begin: int, end: int) -> Floats:
        if space.apart_from_itself and blocks[other] is block:
            return block.between(np.arange(lo, hi), np.arange(begin, end))
        return space.between(block.X[lo:hi], blocks[other].X[begin:end])

    return meet
