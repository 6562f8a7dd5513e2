"""Distances to the nearest points, apart for those of the own cluster and those of others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.declare import Statistic, way
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes, near_by_trees
from clustval.stats.neighbours.nearest import SINGLE_POINTS, nearest_neighbours


@dataclass(frozen=True, eq=False)
class NeighbourGaps(Statistic):
    """Distances of all points to their nearest points, and which of these are in the same cluster."""

    takes = Takes(pair_passes=5, search=near_by_trees, by_graph=True, no_weights_because=SINGLE_POINTS)

    sizes: Integers
    distances: Floats  # (n, count)
    own: Flags  # (n, count) whether both points are in the same cluster

    @classmethod
    def of(cls, source: Partition, *, neighbours: int) -> NeighbourGaps:
        """Compare the cluster of each point with those of its neighbours."""
        near = nearest_neighbours(source.space, neighbours)
        codes = np.empty_like(source.codes)
        codes[source.order] = source.codes
        return cls(source.sizes, near.distances, codes[near.numbers] == codes[:, None])

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, neighbours: int) -> None:
        """Search the neighbours that all partitions share."""
        nearest_neighbours(shared.space, neighbours)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, neighbours: int) -> NeighbourGaps:
        """Compare clusters with those of neighbours in many partitions at once."""
        near = nearest_neighbours(group.space, neighbours)
        return cls(group.sizes, near.distances, group.codes[:, near.numbers] == group.codes[..., None])

    def within(self) -> list[Floats]:
        """Return the distances to points of the same cluster, one array for each partition."""
        return self._where(self.own)

    def between(self) -> list[Floats]:
        """Return the distances to points of other clusters, one array for each partition."""
        return self._where(~self.own)

    def _where(self, chosen: Flags) -> list[Floats]:
        return [self.distances[one] for one in chosen.reshape(-1, *self.distances.shape)]
