"""Mutual reachability: the tree in which points join, and how far points are from clusters along its paths.

Two points reach each other at the largest of their distance and of both their core distances, the distance to the
nearest points around them. Along a path the longest step counts; the shortest such path runs through the minimum
spanning tree. Clusters of any shape are tight by this distance, if they are dense.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.passes.trees.paths import Paths, merges_of
from clustval.passes.trees.reach_tree import tree_of_points, tree_of_rows
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import Takes, near_by_trees
from clustval.stats.neighbours.nearest import SINGLE_POINTS, Neighbours
from clustval.stats.points.point_values import PointValues


@dataclass(frozen=True, eq=False)
class ReachTree(Statistic):
    """The order in which points join by mutual reachability: the single-linkage tree of it.

    It does not depend on labels, and serves all partitions of the same points.
    """

    takes = Takes(pair_passes=1, search=near_by_trees, no_weights_because=SINGLE_POINTS)

    core: Floats  # (n,) distance to the nearest points, the point itself being the first of them
    paths: Paths  # heights are how far two nodes reach each other, in ascending order

    @classmethod
    def of(cls, source: Space, *, min_points: int) -> ReachTree:
        """Grow the tree, in few dimensions by search, otherwise by a visit of all pairs."""
        core = np.zeros(source.n)
        if min_points > 1 and source.n > 1:
            core = source.statistic(Neighbours, neighbours=min_points - 1).distances[:, -1]
        if source.factor is not None:
            edges, heights = tree_of_points(source.image, core, n_jobs=source.n_jobs, factor=source.factor)
        else:
            edges, heights = tree_of_rows(source.rows, core)
        return cls(core, Paths(merges_of(edges), heights))


@dataclass(frozen=True, eq=False)
class PathMeans(PointValues, Statistic):
    """Mean distances of each point, along paths, to its own and to the nearest other cluster.

    Paths may lead through noise. The distance is that of `ReachTree`.
    """

    takes = Takes(pair_passes=5, search=near_by_trees, no_weights_because=SINGLE_POINTS)
    counts_noise = True

    within: Floats  # (n,) mean distance to the other points of the own cluster; 0 for a single point
    nearest: Floats  # (n,) smallest mean distance to another cluster; infinite if there is none
    neighbour: Integers  # (n,) that cluster; -1 if there is none
    coverage: float  # share of the points that are in clusters

    @classmethod
    def of(cls, source: Partition, *, min_points: int) -> PathMeans:
        """Walk the tree once for each cluster."""
        space, codes = source.surroundings
        tree = space.statistic(ReachTree, min_points=min_points)
        within, nearest, neighbour = tree.paths.means(codes, source.sizes)
        rows = np.flatnonzero(codes >= 0)[source.order]
        return cls(
            sizes=source.sizes,
            mass=source.mass,
            codes=source.codes,
            weights=source.weights,
            within=within[rows],
            nearest=nearest[rows],
            neighbour=neighbour[rows],
            coverage=len(rows) / len(codes),
        )

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, min_points: int) -> None:
        """Grow the tree that all partitions share."""
        shared.space.statistic(ReachTree, min_points=min_points)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, min_points: int) -> PathMeans:
        """Walk the tree for partition after partition."""
        tree = group.space.statistic(ReachTree, min_points=min_points)
        walks = [tree.paths.means(codes, sizes) for codes, sizes in zip(group.codes, group.sizes, strict=True)]
        within, nearest, neighbour = (np.stack(column) for column in zip(*walks, strict=True))
        return cls(group.sizes, group.sizes, group.codes, None, within, nearest, neighbour, 1.0)


@dataclass(frozen=True, eq=False)
class NoiseReach(Statistic):
    """How far noise points are from clusters along paths and how sparse they lie, beside the sparsest of a cluster."""

    takes = Takes(pair_passes=5, search=near_by_trees, no_weights_because=SINGLE_POINTS)
    counts_noise = True

    core: Floats  # (noise,) core distance of each noise point
    reach: Floats  # (noise, k) distance of each noise point to the nearest point of each cluster, along paths
    sparsest: Floats  # (k,) largest core distance in each cluster
    own: Floats  # (n,) of clustered points: the nearest noise point along paths, where there is but one cluster

    @classmethod
    def of(cls, source: Partition, *, min_points: int) -> NoiseReach:
        """Walk the tree once for each cluster."""
        space, codes = source.surroundings
        tree = space.statistic(ReachTree, min_points=min_points)
        if source.n == len(codes):
            nobody = np.empty(0)
            return cls(nobody, np.empty((0, source.k)), nobody, np.full(source.n, np.inf))
        noise, rows = np.flatnonzero(codes < 0), np.flatnonzero(codes >= 0)[source.order]
        reach = tree.paths.minima(codes, source.k)[noise]
        sparsest = np.zeros(source.k)
        np.maximum.at(sparsest, codes[codes >= 0], tree.core[codes >= 0])
        own = np.full(len(rows), np.inf)
        if source.k == 1 and len(noise):
            others = np.where(codes < 0, 0, -1)  # noise as one cluster: what is near it is near a noise point
            own = tree.paths.minima(others, 1)[rows, 0]
        return cls(tree.core[noise], reach, sparsest, own)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, min_points: int) -> NoiseReach:  # noqa: ARG003 - they have no noise
        """Return nothing: partitions that are stacked have no noise."""
        nobody = np.empty(0)
        return cls(nobody, np.empty((0, group.k)), nobody, np.full(group.n, np.inf))
