"""How far centres lie from the mean of all points, and how far from them the farthest points of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from clustval.arrays import Flags, Floats
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.lazy import cached_property
from clustval.passes.centres.coincident import Coincidence
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.space import DIRECTIONS
from clustval.sources.takes import Takes, metric_in
from clustval.stats.centres.radii import Radii, directions_of
from clustval.stats.pairs.square_moments import SquareMoments
from clustval.stats.points.kept_values import Chunk, KeptValues
from clustval.stats.points.moments import Moments

FEWEST_DROPPED = 2**16  # distances; of fewer, none are dropped while rows are read


@dataclass(frozen=True, eq=False)
class CentreSpread(Statistic):
    """Distances between the centres of clusters and the mean of all points, added up over the points of each cluster.

    Those of disjoint sets of points, with the same centres, add up.
    """

    takes = Takes(coordinates=True, centres=True)
    after: ClassVar[tuple[type[Statistic], ...]] = (Moments,)

    sums: Floats  # (k,) size of the cluster times the distance of its centre to the mean, by weight

    @classmethod
    def part(cls, block: Partition, m: Moments) -> CentreSpread:
        """Measure the centres by the metric."""
        if block.space.euclidean:
            return cls(block.mass * np.linalg.norm(m.offsets, axis=-1))
        same = Coincidence(m.means, m.mean, m.reach)
        return cls.measured(block, m.means + block.origin, (m.mean + block.origin)[None], same.at_mean(m.means))

    @classmethod
    @way(
        of=Partition,
        after=(SquareMoments,),
        when=metric_in(*DIRECTIONS),
        takes=Takes(coordinates=True, centres=True),
        part=True,
    )
    def from_directions(cls, block: Partition, s: SquareMoments) -> CentreSpread:
        """Measure the mean directions of clusters against that of all points."""
        centres, mean = directions_of(block, s.moments)
        places, place = block.space.prepared(centres), block.space.prepared(mean)[0]
        return cls.measured(block, centres, mean, Coincidence.of_directions(places, place).at_mean(places))

    @classmethod
    def measured(cls, block: Partition, centres: Floats, mean: Floats, at_mean: Flags) -> CentreSpread:
        """Measure the centres against the mean of all points, by whatever metric; some lie there, up to rounding."""
        away = block.space.measured(centres, mean)
        if not np.isfinite(away).all():
            msg = "The metric gives no distances between centres and the mean of all points, which this index needs."
            raise UndefinedIndexError(msg)
        return cls(block.mass * np.where(at_mean, 0.0, away[:, 0]))

    def __add__(self, other: CentreSpread) -> CentreSpread:
        """Sums over the union of two disjoint sets of points."""
        return CentreSpread(self.sums + other.sums)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> CentreSpread:
        """Stack the sums of partitions with the same number of clusters."""
        if not group.space.euclidean:
            return group.stacked(CentreSpread)
        return cls(group.sizes * np.linalg.norm(group[Moments].offsets, axis=-1))


@dataclass(frozen=True, eq=False)
class FarthestTenth(Statistic):
    """Mean distance to the centre of the tenth of each cluster's points, rounded up, that is farthest from it.

    Those of disjoint sets of points, with the same centres, add up: what may be among the farthest is kept.
    """

    takes = Takes(reads_points=True, held_bytes=12)
    after = (Radii,)

    amounts: Floats  # (k,) how many points the tenth of each cluster are, by weight
    kept: KeptValues  # distances of points to the centre of their cluster
    left: int = 0  # how many of them were left when those that cannot be among the farthest were last dropped

    @classmethod
    def derived(cls, r: Radii) -> FarthestTenth:
        """Keep the distance of each point."""
        mass = np.asarray(r.mass, dtype=np.float64)
        weights = None if r.weights is None else r.weights.ravel()
        return cls(np.minimum(np.ceil(mass / 10), mass), KeptValues.of(r.cells.ravel(), r.own.ravel(), weights))

    def __add__(self, other: FarthestTenth) -> FarthestTenth:
        """Distances of two sets of points; the nearest are dropped whenever twice as many are there as were left."""
        both = FarthestTenth(self.amounts, self.kept + other.kept, max(self.left, other.left))
        if both.kept.count <= 2 * max(both.left, FEWEST_DROPPED):
            return both
        chunk, taken = both._farthest
        some = taken > 0
        weights = None if chunk.weights is None else chunk.weights[some]
        return FarthestTenth(
            self.amounts, KeptValues.of(chunk.codes[some], chunk.values[some], weights), int(some.sum())
        )

    @property
    def _farthest(self) -> tuple[Chunk, Floats]:
        """The points of each cluster by falling distance, and how much of the weight of each is of the tenth."""
        codes, distances, weights = self.kept.joined
        order = np.lexsort((-distances, codes))
        codes, amounts = codes[order], self.amounts.ravel()
        masses = np.ones(len(order)) if weights is None else weights[order]
        sizes = np.bincount(codes, minlength=len(amounts))
        before = np.cumsum(masses) - masses
        there = sizes[sizes > 0]
        before -= np.repeat(before[np.cumsum(there) - there], there)  # weight of farther points of the cluster
        taken = np.clip(amounts[codes] - before, 0, masses)
        return Chunk(codes, distances[order], None if weights is None else masses), taken

    @cached_property
    def means(self) -> Floats:
        """Mean distance of each tenth (k,)."""
        chunk, taken = self._farthest
        sums = np.bincount(chunk.codes, taken * chunk.values, minlength=self.amounts.size)
        return (sums / self.amounts.ravel()).reshape(self.amounts.shape)
