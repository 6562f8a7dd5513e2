"""How many points lie near the centres of two clusters and halfway between them (S_Dbw)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clustval.backends.centres import near_counts
from clustval.partition import Partition
from clustval.registry import Statistic
from clustval.stats.moments import Moments


@dataclass(frozen=True, eq=False)
class Densities(Statistic):
    """Numbers of points of two clusters inside a ball: around each centre, and around their midpoint.

    The radius is (1/k) sqrt(sum of the norms of the clusters' variance vectors); the ball is open. Those of
    disjoint sets of points, with the same centres and radius, add up.
    """

    coordinates = True

    at_centres: NDArray[np.int64]  # (k, k): points of a near the centre of b
    at_midpoints: NDArray[np.int64]  # (k, k): points of a near the midpoint of a and b

    @classmethod
    def of(cls, source: Partition) -> Densities:
        """Count by distances to centres and midpoints."""
        m: Moments = source[Moments]
        radius = float(np.sqrt(m.variance_norms.sum())) / m.k
        return cls(*near_counts(source.Z, source.starts, m.means, radius, n_jobs=source.space.n_jobs))

    def __add__(self, other: Densities) -> Densities:
        """Counts of the union of two disjoint sets of points."""
        return Densities(self.at_centres + other.at_centres, self.at_midpoints + other.at_midpoints)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.at_centres)
