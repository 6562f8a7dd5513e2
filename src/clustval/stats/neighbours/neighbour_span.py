"""The largest distance of any point to one of its nearest points, whatever their clusters."""

from __future__ import annotations

from dataclasses import dataclass

from clustval.declare import Statistic, way
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import Takes, near_by_trees
from clustval.stats.neighbours.nearest import SINGLE_POINTS, nearest_neighbours


@dataclass(frozen=True, eq=False)
class NeighbourSpan(Statistic):
    """The largest distance of a point to its nearest point of this number, which does not depend on labels."""

    takes = Takes(pair_passes=5, search=near_by_trees, by_graph=True, no_weights_because=SINGLE_POINTS)

    largest: float

    @classmethod
    def of(cls, source: Partition, *, neighbours: int) -> NeighbourSpan:
        """Search the neighbours of all points."""
        return cls.of_space(source.space, neighbours)

    @classmethod
    def of_space(cls, space: Space, neighbours: int) -> NeighbourSpan:
        """Take the largest distance to the last of the neighbours."""
        return cls(float(nearest_neighbours(space, neighbours).distances[:, -1].max()))

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, neighbours: int) -> None:
        """Search the neighbours that all partitions share."""
        nearest_neighbours(shared.space, neighbours)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, neighbours: int) -> NeighbourSpan:
        """Take what all partitions share."""
        return cls.of_space(group.space, neighbours)
