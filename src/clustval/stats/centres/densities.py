"""How many points lie near the centres of two clusters and halfway between them (S_Dbw)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.declare import Statistic, way
from clustval.passes.centres.centre_distances import near_counts
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.points.moments import Moments

INSIDE = 1 - 1e-12  # share of the radius within which a point is nearer, whatever rounding adds


@dataclass(frozen=True, eq=False)
class Densities(Statistic):
    """Numbers of points of two clusters, by weight, inside a ball: around each centre, and around their midpoint.

    The radius is (1/k) sqrt(sum of the norms of the clusters' variance vectors); the ball is open, and what only
    rounding brings inside is outside. Those of disjoint sets of points, with the same centres and radius, add up.
    """

    takes = Takes(tables=True, coordinates=True)
    after = (Moments,)

    at_centres: NDArray[Any]  # (k, k): points of a near the centre of b
    at_midpoints: NDArray[Any]  # (k, k): points of a near the midpoint of a and b

    @classmethod
    def part(cls, block: Partition, m: Moments) -> Densities:
        """Count by distances to centres and midpoints."""
        radius = float(np.sqrt(m.variance_norms.sum())) / m.k * INSIDE
        n_jobs, weights = block.space.n_jobs, block.weights
        return cls(*near_counts(block.Z, block.starts, m.means, radius, n_jobs=n_jobs, weights=weights))

    def __add__(self, other: Densities) -> Densities:
        """Counts of the union of two disjoint sets of points."""
        return Densities(self.at_centres + other.at_centres, self.at_midpoints + other.at_midpoints)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> Densities:
        """Stack the counts of single partitions."""
        return group.stacked(Densities)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.at_centres)
