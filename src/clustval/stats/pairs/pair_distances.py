"""Distances between pairs of points: one visit of the pairs serves every statistic here.

What is asked for is known before the visit (`Partition.needs`), so that sums alone cost only sums, and the
smallest and largest distances alone cost, in few dimensions, no visit of all pairs at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS
from clustval.lazy import cached_property
from clustval.passes.points.unsorted_rows import rows_to_clusters
from clustval.passes.sweeps.partitions import PairTables
from clustval.sources.many import NO_NEIGHBOURS, BlockTables, Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.samples import PairSample
from clustval.sources.stream_tiles import MetStripe
from clustval.sources.takes import Takes, dense_metric_in, searchable, takes_of
from clustval.stats.pairs.square_moments import HALF, SquareMoments, places_of
from clustval.stats.points.point_values import PointValues, joined


def by_trees_alone(points: Partition) -> bool:
    """Return whether trees find the extremes, and nothing else visits all pairs."""
    return searchable(points) and not visited(points)


def visited(points: Partition) -> bool:
    """Return whether a statistic that is asked for visits all pairs, within the memory allowed."""
    return points.tables_fit and any(takes_of(need.statistic).visit for need in points.needs)


@dataclass(frozen=True, eq=False)
class PairSums(Statistic):
    """Sums of distances within and between clusters, and of all squared distances.

    Those of disjoint sets of pairs, visited with the same shift, add up.
    """

    takes = Takes(pair_passes=1, visit=True, tables=True)

    sizes: Integers  # (k,) number of points
    mass: Any  # (k,) their weights; the sizes where points are not weighted
    sums: Floats  # (k, k): over pairs of a point of a and a point of b; on the diagonal each pair once
    squares: float  # sum of (d - shift)**2 over all pairs
    shift: float

    @classmethod
    def part(cls, block: Partition | MetStripe) -> PairSums:
        """Take the sums from the visit."""
        visit = block.pairs()
        return cls(block.whole.sizes, block.whole.mass, visit.sums, visit.squares, visit.shift)

    def __add__(self, other: PairSums) -> PairSums:
        """Sums over the union of two disjoint sets of pairs."""
        return PairSums(self.sizes, self.mass, self.sums + other.sums, self.squares + other.squares, self.shift)

    @classmethod
    @way(of=PairSample)
    def from_sample(cls, sample: PairSample) -> PairSums:
        """Take it from a sample, one for each replicate."""
        value: PairSums = sample.sums()
        return value

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Add up the squares of all distances."""
        _ = shared.distances.squares

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> PairSums:
        """Stack the sums of partitions with the same number of clusters."""
        sums = group.per_pair(_pair_tables(group.tables).sums)
        return cls(group.sizes, group.sizes, sums, *group.shared.distances.squares)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.sizes.shape[-1]

    @cached_property
    def pairs(self) -> Any:
        """N_T: number of pairs of points, by weight."""
        if self.mass is not self.sizes:
            count = float(self.mass.sum())
            return count * (count - 1) / 2
        n = int(self.sizes.sum(-1).flat[0])
        return n * (n - 1) // 2

    @cached_property
    def pairs_by_cluster(self) -> Any:
        """Number of pairs inside each cluster, by weight (k,)."""
        if self.mass is not self.sizes:
            if (self.mass < 1).any():
                msg = (
                    f"A cluster weighs {self.mass.min():g}, less than one point, so that the number of pairs inside it "
                    "would be negative; scale the weights up."
                )
                raise UndefinedIndexError(msg)
            return self.mass * (self.mass - 1) / 2
        return self.sizes * (self.sizes - 1) // 2  # below 2**63 for three billion points

    @cached_property
    def pairs_within(self) -> Any:
        """N_W: number of pairs inside clusters, a whole number of any size where points are not weighted."""
        counts = self.pairs_by_cluster.sum(-1)
        return counts if counts.ndim else counts.item()

    @cached_property
    def pairs_between(self) -> Any:
        """N_B: number of pairs of points of different clusters."""
        return self.pairs - self.pairs_within

    @cached_property
    def within_by_cluster(self) -> Floats:
        """Sum of the distances inside each cluster, each pair once (k,)."""
        return self.sums.diagonal(axis1=-2, axis2=-1)

    @cached_property
    def within(self) -> Floats:
        """S_W: sum of the distances inside clusters."""
        return self.within_by_cluster.sum(-1)

    @cached_property
    def between(self) -> Floats:
        """S_B: sum of the distances between clusters."""
        return np.triu(self.sums, 1).sum((-2, -1))

    @cached_property
    def variance(self) -> Floats:
        """Variance of all distances (divided by their number); 0 if they differ by rounding alone."""
        mean = (self.within + self.between) / self.pairs
        variance = np.maximum(self.squares / self.pairs - np.square(mean - self.shift), 0.0)
        return np.where(variance > np.square(ROUNDING_OF_MEANS * mean), variance, 0.0)


@dataclass(frozen=True, eq=False)
class PointMeans(PointValues, Statistic):
    """Mean distances of each point to its own and to the nearest other cluster.

    Those of disjoint sets of points follow each other.
    """

    takes = Takes(pair_passes=1, visit=True, tables=True)

    own: Floats  # (n,) sum of distances to the other points of its own cluster, by weight
    nearest: Floats  # (n,) smallest mean distance to another cluster
    neighbour: Integers  # (n,) that cluster

    @classmethod
    def part(cls, block: Partition | MetStripe) -> PointMeans:
        """Take the values of points from the visit."""
        whole, visit = block.whole, block.pairs()
        own, nearest, neighbour = visit.own, visit.nearest, visit.neighbour
        return cls(whole.sizes, whole.mass, block.codes, block.weights, own, nearest, neighbour)

    def __add__(self, other: PointMeans) -> PointMeans:
        """Values of two sets of points, one after the other."""
        return PointMeans(
            sizes=self.sizes,
            mass=self.mass,
            codes=np.concatenate([self.codes, other.codes]),
            weights=joined(self.weights, other.weights),
            own=np.concatenate([self.own, other.own]),
            nearest=np.concatenate([self.nearest, other.nearest]),
            neighbour=np.concatenate([self.neighbour, other.neighbour]),
        )

    @classmethod
    @way(
        of=Partition,
        after=(SquareMoments,),
        when=dense_metric_in(*HALF),
        takes=Takes(coordinates=True, only_points=True),
        part=True,
    )
    def from_moments(cls, block: Partition, s: SquareMoments) -> PointMeans:
        """Measure every point against the mean of every cluster: the same values, linear, without tables."""
        m, half = s.moments, HALF[str(block.metric)]
        spreads = m.within_by_cluster / m.mass
        own, nearest, neighbour = rows_to_clusters(places_of(block), block.codes, m.means, spreads)
        sums = half * own * m.mass[block.codes]
        return cls(m.sizes, m.mass, block.codes, block.weights, sums, half * nearest, neighbour)

    def without_points(self) -> PointMeans:
        """Return the same without the values of single points."""
        none = {name: getattr(self, name)[:0].copy() for name in ("codes", "own", "nearest", "neighbour")}
        return replace(self, weights=None if self.weights is None else self.weights[:0], **none)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> PointMeans:
        """Stack the values of points of partitions with the same number of clusters."""
        tables = _pair_tables(group.tables)
        own, nearest = tables.own[group.rows], tables.nearest[group.rows]
        return cls(group.sizes, group.sizes, group.codes, None, own, nearest, NO_NEIGHBOURS)

    @cached_property
    def within(self) -> Floats:
        """a(i): mean distance to the other points of its cluster; 0 for a single point."""
        return self.own / np.where(self.alone, 1, self.companions)


@dataclass(frozen=True, eq=False)
class PairExtremes(Statistic):
    """Smallest and largest distances of each two clusters, and how far one reaches from the other.

    Those of disjoint sets of pairs combine by minimum and maximum.
    """

    takes = Takes(pair_passes=1, visit=True, extremes=True, tables=True)

    mins: Floats  # (k, k): closest points of a and b; infinite on the diagonal
    maxs: Floats  # (k, k): farthest points of a and b; on the diagonal the diameter
    hausdorff: Floats  # (k, k): largest distance of a point of a to its closest point of b

    @classmethod
    def part(cls, block: Partition | MetStripe) -> PairExtremes:
        """Take the extremes from the visit, made again if it was for sums only."""
        visit = block.pairs(full=True)
        assert visit.mins is not None
        assert visit.maxs is not None
        assert visit.hausdorff is not None
        return cls(visit.mins, visit.maxs, visit.hausdorff)

    def __add__(self, other: PairExtremes) -> PairExtremes:
        """Extremes over the union of two sets of points, each met with all others."""
        return PairExtremes(
            mins=np.minimum(self.mins, other.mins),
            maxs=np.maximum(self.maxs, other.maxs),
            hausdorff=np.maximum(self.hausdorff, other.hausdorff),
        )

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> PairExtremes:
        """Stack the extremes of partitions with the same number of clusters."""
        tables = _pair_tables(group.tables)
        return cls(group.per_pair(tables.mins), group.per_pair(tables.maxs), group.per_pair(tables.reach))

    @property
    def diameters(self) -> Floats:
        """Largest distance inside each cluster (k,)."""
        return self.maxs.diagonal(axis1=-2, axis2=-1)


@dataclass(frozen=True, eq=False)
class Extremes(Statistic):
    """The smallest distance between two clusters and the largest inside one.

    Those of disjoint sets of pairs combine by minimum and maximum.
    """

    takes = Takes(pair_passes=1, extremes=True, search=searchable)

    separation: Any
    diameter: Any

    @classmethod
    def part(cls, block: Partition | MetStripe) -> Extremes:
        """Read the visit of all pairs."""
        return cls.of_pairs(block[PairExtremes])

    @classmethod
    @way(of=Partition, when=by_trees_alone, takes=Takes(search=searchable))
    def from_trees(cls, points: Partition) -> Extremes:
        """Search trees, where nothing else needs the pairs."""
        from clustval.passes.pairs.search_extremes import cluster_extremes  # noqa: PLC0415 - loads trees

        space, sites = points.space, points.sites
        return cls(*cluster_extremes(sites.of(points.X), sites.starts, n_jobs=space.n_jobs, memory=space.memory))

    @classmethod
    def of_pairs(cls, e: PairExtremes) -> Extremes:
        """Return the extremes over all clusters."""
        return cls(e.mins.min((-2, -1)), e.diameters.max(-1))

    def __add__(self, other: Extremes) -> Extremes:
        """Extremes over the union of two sets of pairs."""
        return Extremes(min(self.separation, other.separation), max(self.diameter, other.diameter))

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> Extremes:
        """Take the extremes of the stacked ones."""
        return cls.of_pairs(group[PairExtremes])


def _pair_tables(tables: BlockTables) -> PairTables:
    return tables.cached(PairTables, lambda: PairTables.of(tables.shared.distances, tables.block))
