"""Clusters that grow from their densest point by the point next nearest: how far steps are, and where they lead."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.passes.density.growth import Growth, growth_of_many, growth_of_points, growth_of_rows
from clustval.passes.trees.span_clusters import trees_of_clusters
from clustval.sources.many import BlockTables, Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes, asked, near_by_trees
from clustval.stats.neighbours.near_densities import TENTH, NearDensity


@dataclass(frozen=True, eq=False)
class ClusterGrowth(Statistic):
    """What each cluster leaves behind as it grows; densities are over the largest of all.

    Of points equally near the first in the input is next; it hangs on the point that was taken up first among those it
    is equally near to. Clusters begin at the first of their densest points.
    """

    takes = Takes(pair_passes=30, no_weights_because=TENTH)

    sizes: Integers
    longest: Floats  # (k,) longest step; 0 for a single point
    rises: Floats  # (k,) sum of squares of how much denser a point is than the one it hangs on, where it is
    gaps: Floats  # (k,) largest of the steps, each times the density of the densest point still to come

    @classmethod
    def of(cls, source: Partition) -> ClusterGrowth:
        """Let each cluster grow by itself."""
        space, sites = source.space, source.sites  # equal points follow each other, by steps of 0
        near = space[NearDensity]
        densities = sites.of(near.relative[source.order])
        if space.factor is not None:
            image = sites.of(source.image)
            growth = growth_of_points(image, sites.starts, densities, n_jobs=space.n_jobs, factor=space.factor)
        else:
            growth = growth_of_rows(sites.between, sites.starts, densities, n_jobs=space.n_jobs)
        return cls.where(growth, source.sizes, near)

    @classmethod
    def where(cls, growth: Growth, sizes: Integers, near: NearDensity) -> ClusterGrowth:
        """Return the growth, of which steps alone are known where there are no densities."""
        known = 1.0 if near.width > 0 else np.nan
        return cls(sizes, growth.longest, known * growth.rises, known * growth.gaps)

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Compute the densities that all partitions share."""
        _ = shared.space[NearDensity]

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> ClusterGrowth:
        """Stack the growth of partitions with the same number of clusters."""
        near = group.space[NearDensity]
        growth = _growth_of_many(group.tables, near.relative)
        longest, rises, gaps = (group.per_cluster(v, 1)[..., 0] for v in (growth.longest, growth.rises, growth.gaps))
        return cls.where(Growth(longest, rises, gaps), group.sizes, near)

    @property
    def n(self) -> Any:
        """Number of points."""
        return self.sizes.sum(-1)


def grown_anyway(points: Partition) -> bool:
    """Return whether the growth of clusters is asked for, and can be computed: it takes no weights."""
    return points.weights is None and asked(ClusterGrowth)(points)


@dataclass(frozen=True, eq=False)
class ClusterGaps(Statistic):
    """The widest gap inside each cluster: the longest edge of its minimum spanning tree; 0 for a single point."""

    takes = Takes(pair_passes=1, search=near_by_trees)

    longest: Floats  # (k,)

    @classmethod
    def of(cls, source: Partition) -> ClusterGaps:
        """Span the clusters by trees."""
        space, sites = source.space, source.sites
        clusters = [sites.firsts[lo:hi] for lo, hi in pairwise(sites.starts.tolist())]
        trees = trees_of_clusters(
            source.squared_points, source.between, clusters, n_jobs=space.n_jobs, factor=space.factor
        )
        return cls(np.array([lengths.max(initial=0.0) for _, lengths in trees]))

    @classmethod
    @way(of=Partition, after=(ClusterGrowth,), when=grown_anyway)
    def from_growth(cls, _points: Partition, growth: ClusterGrowth) -> ClusterGaps:
        """Read the growth of the clusters, which is asked for anyway."""
        return cls(growth.longest)

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Compute what the growth of clusters needs, which gives gaps as well."""
        ClusterGrowth.prepare(shared)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> ClusterGaps:
        """Read the growth of the clusters."""
        return cls(group[ClusterGrowth].longest)


def _growth_of_many(tables: BlockTables, densities: Floats) -> Growth:
    return tables.cached(Growth, lambda: growth_of_many(tables.shared.distances, densities, tables.block))
