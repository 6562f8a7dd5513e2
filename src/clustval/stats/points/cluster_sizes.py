"""How many points each cluster has, wherever they lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Integers
from clustval.declare import Statistic, way
from clustval.sources.many import Group
from clustval.sources.partition import Partition


@dataclass(frozen=True, eq=False)
class ClusterSizes(Statistic):
    """The weight of each cluster: its number of points where these are not weighted."""

    mass: Any  # (k,)

    @classmethod
    def part(cls, block: Partition) -> ClusterSizes:
        """Take the weights of the clusters in a block."""
        return cls(block.mass)

    def relabelled(self, places: Integers, k: int) -> ClusterSizes:
        """Return the same with clusters at other places among k, of which the others are empty."""
        mass = np.zeros(k, dtype=self.mass.dtype)
        mass[places] = self.mass
        return ClusterSizes(mass)

    def moved(self, shift: Any) -> ClusterSizes:  # noqa: ARG002 - weights have no origin
        """Return the same: weights do not depend on the origin."""
        return self

    def __add__(self, other: ClusterSizes) -> ClusterSizes:
        """Weights of the union of two disjoint sets of points."""
        return ClusterSizes(self.mass + other.mass)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> ClusterSizes:
        """Stack the sizes of partitions with the same number of clusters."""
        return cls(group.sizes)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return int(self.mass.shape[-1])

    @property
    def shares(self) -> Any:
        """Share of the points in each cluster (k,)."""
        return self.mass / self.mass.sum(-1, keepdims=True)
