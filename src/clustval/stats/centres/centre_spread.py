"""How far centres lie from the mean of all points, and how far from them the farthest points of clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from clustval.arrays import Flags, Floats
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.passes.centres.coincident import Coincidence
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.space import DIRECTIONS
from clustval.sources.takes import Takes, metric_in
from clustval.stats.centres.radii import Radii, directions_of
from clustval.stats.pairs.square_moments import SquareMoments
from clustval.stats.points.moments import Moments


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
    """Mean distance to the centre of the tenth of each cluster's points, rounded up, that is farthest from it."""

    takes = Takes(reads_points=True)
    after = (Radii,)

    means: Floats  # (k,)

    @classmethod
    def derived(cls, r: Radii) -> FarthestTenth:
        """Sort the points of each cluster by falling distance and take from the front, by weight."""
        clusters, distances, sizes = r.cells.ravel(), r.own.ravel(), r.sizes.ravel()
        order = np.lexsort((-distances, clusters))
        weights = np.ones(len(order)) if r.weights is None else r.weights[order]
        before = np.cumsum(weights) - weights
        before -= np.repeat(
            before[np.cumsum(sizes) - sizes], sizes
        )  # weight of the points of the cluster that are farther
        mass = np.asarray(r.mass, dtype=np.float64).ravel()
        amounts = np.minimum(np.ceil(mass / 10), mass)
        taken = np.clip(amounts[clusters[order]] - before, 0, weights)
        sums = np.bincount(clusters[order], taken * distances[order], minlength=len(sizes))
        return cls((sums / amounts).reshape(r.sizes.shape))
