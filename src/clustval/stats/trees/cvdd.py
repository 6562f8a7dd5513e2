"""Paths that avoid changes of density: between clusters over all points, and inside clusters by plain distances (CVDD).

Along a path the longest step counts. Between clusters a step is longer where one end lies sparser than the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.passes.trees.cvdd import least_across, uneven_tree_of_points, uneven_tree_of_rows
from clustval.passes.trees.paths import merges_of
from clustval.passes.trees.span_clusters import few_of, joined_pairs, trees_of_clusters
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import Takes
from clustval.stats.neighbours.nearest import SINGLE_POINTS, Neighbours


@dataclass(frozen=True, eq=False)
class UnevenTree(Statistic):
    """The order in which points join by distances that grow where density changes.

    It does not depend on labels, and serves all partitions of the same points.
    """

    takes = Takes(pair_passes=1, no_weights_because=SINGLE_POINTS)

    sparse: Floats  # (n,) mean distance to the nearest points
    children: Integers  # (n - 1, 2): node n + t joins two nodes; points are nodes 0 ... n - 1
    heights: Floats  # (n - 1,) how far apart these two are, in ascending order; none if a point has distance 0 to all

    @classmethod
    def of(cls, source: Space, *, neighbours: int) -> UnevenTree:
        """Grow the tree by a visit of all pairs."""
        near = source.statistic(Neighbours, neighbours=neighbours).distances
        sparse = near.sum(axis=1) / max(near.shape[1], 1)
        if (sparse == 0).any():
            return cls(sparse, np.empty((0, 2), dtype=np.int64), np.empty(0))
        if source.factor is not None:
            edges, heights = uneven_tree_of_points(source.image, sparse, factor=source.factor)
        else:
            edges, heights = uneven_tree_of_rows(source.rows, sparse)
        return cls(sparse, merges_of(edges), heights)


@dataclass(frozen=True, eq=False)
class UnevenGaps(Statistic):
    """How far each cluster is from all others along paths, shorter between dense points."""

    takes = Takes(pair_passes=10, no_weights_because=SINGLE_POINTS)

    gaps: Floats  # (k,) NaN if some point has distance 0 to all its neighbours

    @classmethod
    def of(cls, source: Partition, *, neighbours: int) -> UnevenGaps:
        """Walk the tree once for each cluster."""
        codes = np.empty_like(source.codes)
        codes[source.order] = source.codes
        return cls(_gaps(source.space.statistic(UnevenTree, neighbours=neighbours), codes, source.k))

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, neighbours: int) -> None:
        """Grow the tree that all partitions share."""
        shared.space.statistic(UnevenTree, neighbours=neighbours)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, neighbours: int) -> UnevenGaps:
        """Walk the tree for partition after partition."""
        tree = group.space.statistic(UnevenTree, neighbours=neighbours)
        return cls(np.stack([_gaps(tree, codes, group.k) for codes in group.codes]))


def _gaps(tree: UnevenTree, codes: Integers, k: int) -> Floats:
    if not len(tree.heights):
        return np.full(k, np.nan)
    return least_across(tree.children, tree.heights, tree.sparse / tree.sparse.max(), codes, k)


@dataclass(frozen=True, eq=False)
class ClusterPaths(Statistic):
    """How long the paths inside each cluster are, led through its own points: mean and spread over all pairs."""

    takes = Takes(pair_passes=1, no_weights_because=SINGLE_POINTS)

    sizes: Integers
    means: Floats  # (k,) over all entries of the matrix of distances, the zeros of its diagonal included
    deviations: Floats  # (k,) standard deviations of these entries, divided by one less; 0 for a single point
    longest: Floats  # (k,) longest step of any path, the longest edge of the spanning tree

    @classmethod
    def of(cls, source: Partition) -> ClusterPaths:
        """Span each cluster by a tree of its own; an edge is the path of all pairs that it joins."""
        space = source.space
        groups = [np.arange(lo, hi) for lo, hi in pairwise(source.starts.tolist())]
        trees = trees_of_clusters(
            source.squared_points, source.between, groups, n_jobs=space.n_jobs, factor=space.factor
        )
        means, deviations, longest = np.zeros((3, source.k))
        few = few_of(source.n)
        for c, (edges, lengths) in enumerate(trees):
            entries = float(source.sizes[c]) ** 2
            if entries > 1:
                pairs = 2 * joined_pairs(edges, few=few)
                means[c] = pairs @ lengths / entries
                squares = pairs @ (lengths - means[c]) ** 2 + source.sizes[c] * np.square(means[c])
                deviations[c], longest[c] = np.sqrt(squares / (entries - 1)), lengths[-1]
        return cls(source.sizes, means, deviations, longest)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> ClusterPaths:
        """Stack those of single partitions."""
        return group.stacked(ClusterPaths)
