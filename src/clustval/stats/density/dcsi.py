"""How well the dense points of each cluster hang together, and how far those of two clusters are apart (DCSI)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.passes.trees.span_clusters import gaps_of_clusters, trees_of_clusters
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes, near_by_trees
from clustval.stats.neighbours.closest import OwnNeighbours
from clustval.stats.neighbours.nearest import SINGLE_POINTS


@dataclass(frozen=True, eq=False)
class CoreSeparation(Statistic):
    """The longest edge of the spanning tree of each cluster's core points, and the gaps between those of clusters.

    Core points are those whose `min_points`-th nearest point of the cluster is no farther than the median distance
    to the one that is twice as far down the list.
    """

    takes = Takes(pair_passes=1, tables=True, search=near_by_trees, no_weights_because=SINGLE_POINTS)

    sizes: Integers
    edges: Floats  # (k,) longest edges; NaN where a cluster has no more than twice `min_points` points
    gaps: Floats  # (k, k) smallest distances between core points; infinite on the diagonal

    @classmethod
    def of(cls, source: Partition, *, min_points: int) -> CoreSeparation:
        """Search inside clusters, then span and meet their core points."""
        if (source.sizes <= 2 * min_points).any():
            return cls(source.sizes, np.full(source.k, np.nan), np.full((source.k, source.k), np.nan))
        near = source.statistic(OwnNeighbours, neighbours=2 * min_points).distances
        return cls(source.sizes, *_of_cores(source, near[:, [min_points - 1, -1]]))

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, min_points: int) -> None:
        """Prepare the search inside clusters."""
        OwnNeighbours.prepare(shared, neighbours=2 * min_points)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, min_points: int) -> CoreSeparation:
        """Search inside the clusters of all partitions at once, then span and meet core points for each."""
        near = group.statistic(OwnNeighbours, neighbours=2 * min_points).distances[..., [min_points - 1, -1]]
        edges, gaps = np.full((len(near), group.k), np.nan), np.full((len(near), group.k, group.k), np.nan)
        for at in np.flatnonzero((group.sizes > 2 * min_points).all(axis=-1)).tolist():
            edges[at], gaps[at] = _of_cores(group.single(at), near[at])
        return cls(group.sizes, edges, gaps)


def _of_cores(source: Partition, near: Floats) -> tuple[Floats, Floats]:
    """Return longest edges and gaps from the distances of each point to two of its neighbours (n, 2)."""
    space, sites = source.space, source.sites
    cores = []
    for lo, hi in pairwise(source.starts.tolist()):
        cores.append(sites.only(lo + np.flatnonzero(near[lo:hi, 0] <= np.median(near[lo:hi, 1]))))
    X = source.squared_points
    trees = trees_of_clusters(X, source.between, cores, n_jobs=space.n_jobs, factor=space.factor)
    gaps = gaps_of_clusters(X, space.form, source.between, cores, n_jobs=space.n_jobs, memory=space.memory)
    return np.array([lengths.max(initial=0.0) for _, lengths in trees]), gaps
