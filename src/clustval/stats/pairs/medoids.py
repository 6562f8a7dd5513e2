"""Medoids, the points at the heart of clusters, and the distances of all points to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.kernels.work.sizes import STRIP
from clustval.passes.centres.centre_distances import CELLS
from clustval.passes.centres.centre_gaps import Gaps
from clustval.passes.metrics.measure_between import euclidean_between
from clustval.sources.blocks import Blocks
from clustval.sources.many import NO_NEIGHBOURS, Group
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.pairs.pair_distances import PointMeans
from clustval.stats.points.point_values import PointValues, joined


@dataclass(frozen=True, eq=False)
class Medoids(Statistic):
    """The medoid of each cluster: the point with the smallest sum of distances to its cluster, the first of equals."""

    takes = Takes(reads_points=True)
    after = (PointMeans,)

    places: Integers  # (k,) among the points, in their order

    @classmethod
    def derived(cls, q: PointMeans) -> Medoids:
        """Take the points with the smallest sums, up to rounding, and of those the first."""
        n, clusters, sums = q.codes.shape[-1], q.cells.ravel(), q.own.ravel()
        numbers = np.broadcast_to(np.arange(n), q.codes.shape).ravel()
        least = np.full(q.sizes.size, np.inf)
        np.minimum.at(least, clusters, sums)
        smallest = sums <= least[clusters] * (1 + ROUNDING_OF_VALUES)
        places = np.full(q.sizes.size, n)
        np.minimum.at(places, clusters[smallest], numbers[smallest])
        return cls(places.reshape(q.sizes.shape))


@dataclass(frozen=True, eq=False)
class MedoidDistances(PointValues, Statistic):
    """Distances of each point to the nearest and to the second nearest medoid.

    Those of disjoint sets of points, with the same medoids, follow each other.
    """

    takes = Takes(pair_passes=1, visit=True)
    after = (Medoids,)

    nearest: Floats  # (n,)
    second: Floats  # (n,); infinite if there is one cluster
    neighbour: Integers  # (n,) the cluster other than its own whose medoid is nearest; -1 if there is none

    @classmethod
    def part(cls, block: Partition, medoids: Medoids) -> MedoidDistances:
        """Measure every point against every medoid, by the metric."""
        whole, k = block.whole, len(medoids.places)
        nearest, second = np.empty(block.n), np.empty(block.n)
        neighbour = np.empty(block.n, dtype=np.int64)
        step = max(1, CELLS // k)
        for lo in range(0, block.n, step):
            rows = slice(lo, min(lo + step, block.n))
            distances = _to_points(block, rows, medoids.places)
            nearest[rows], second[rows] = two_smallest(distances.T)
            distances[np.arange(len(distances)), block.codes[rows]] = np.inf
            neighbour[rows] = distances.argmin(axis=1) if k > 1 else -1
        return cls(whole.sizes, whole.mass, block.codes, block.weights, nearest, second, neighbour)

    def __add__(self, other: MedoidDistances) -> MedoidDistances:
        """Distances of two sets of points, one after the other."""
        return MedoidDistances(
            sizes=self.sizes,
            mass=self.mass,
            codes=np.concatenate([self.codes, other.codes]),
            weights=joined(self.weights, other.weights),
            nearest=np.concatenate([self.nearest, other.nearest]),
            second=np.concatenate([self.second, other.second]),
            neighbour=np.concatenate([self.neighbour, other.neighbour]),
        )

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> MedoidDistances:
        """Read the distances to the medoids of each partition from those between all points."""
        strips = group.shared.distances.strips.reshape(-1, group.n, STRIP)
        nearest, second = np.empty(group.codes.shape), np.empty(group.codes.shape)
        for at, places in enumerate(group[Medoids].places):
            nearest[at], second[at] = two_smallest(strips[places // STRIP, :, places % STRIP])
        return cls(group.sizes, group.sizes, group.codes, None, nearest, second, NO_NEIGHBOURS)


@dataclass(frozen=True, eq=False)
class MedoidGaps(Statistic):
    """Distances between the medoids of clusters.

    Those of disjoint sets of points, with the same medoids, add up: each has the rows of the medoids among its points.
    """

    takes = Takes(pair_passes=1, visit=True, tables=True)
    after = (Medoids,)

    table: Floats  # (k, k)

    @classmethod
    def part(cls, block: Partition, medoids: Medoids) -> MedoidGaps:
        """Measure the medoids that are here against all, by the metric."""
        table = np.zeros((len(medoids.places), len(medoids.places)))
        before = _before(block)
        here = np.flatnonzero((medoids.places >= before) & (medoids.places < before + block.n))
        if len(here):
            table[here] = _to_points(block, medoids.places[here] - before, medoids.places)
        return cls(table)

    def __add__(self, other: MedoidGaps) -> MedoidGaps:
        """Distances of the medoids among two sets of points."""
        return MedoidGaps(self.table + other.table)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> MedoidGaps:
        """Read the distances from those between all points."""
        strips = group.shared.distances.strips.reshape(-1, group.n, STRIP)
        places = group[Medoids].places
        a, b = places[..., :, None], places[..., None, :]
        return cls(strips[a // STRIP, b, a % STRIP])

    @property
    def gaps(self) -> Gaps:
        """The distances as formulas read them."""
        return Gaps.of_table(self.table)


def two_smallest(distances: Floats) -> tuple[Floats, Floats]:
    """Return the smallest and the second smallest number of each column; infinity if there is but one."""
    if len(distances) == 1:
        return distances[0], np.full(distances.shape[1], np.inf)
    nearest, second = np.partition(distances, 1, axis=0)[:2]
    return nearest, second


def _to_points(block: Partition, rows: slice | Integers, places: Integers) -> Floats:
    """Return the distances of rows of a block to some of all points, which come by their place among all."""
    space, blocks = block.space, _blocks(block)
    if space.distances is not None:
        return space.distances[np.ix_(block.order[rows], block.order[places])]
    ends = np.cumsum([b.n for b in blocks])
    homes = np.searchsorted(ends, places, side="right")
    points = np.stack([blocks[b].X[place - ends[b]] for b, place in zip(homes, places, strict=True)])
    distances: Floats = (euclidean_between if space.euclidean else space.between)(block.X[rows], points)
    if space.apart_from_itself:
        here = _before(block) + np.arange(block.n)[rows]
        distances[here[:, None] == places] = 0.0
    return distances


def _before(block: Partition) -> int:
    """Return how many points lie in the blocks before this one."""
    blocks = _blocks(block)
    return sum(other.n for other in blocks[: next(i for i, other in enumerate(blocks) if other is block)])


def _blocks(block: Partition) -> Sequence[Partition]:
    return block.whole.blocks if isinstance(block.whole, Blocks) else [block]
