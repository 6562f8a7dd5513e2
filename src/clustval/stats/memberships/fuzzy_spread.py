"""How far points are from the centres of fuzzy clusters, by their memberships."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.passes.memberships.fuzzy_sums import weighted_distances
from clustval.sources.memberships import Memberships
from clustval.sources.takes import Takes
from clustval.stats.memberships.prototypes import Prototypes


@dataclass(frozen=True, eq=False)
class FuzzySpread(Statistic):
    """Sums of memberships u and of distances d to centres, one row per cluster."""

    takes = Takes(coordinates=True)
    after = (Prototypes,)

    sums: Floats  # (k, 6): of u**m, u, u*u, u**m d*d, u*u d*d, u**m d
    away: float  # E1: sum of the distances of all points to their mean

    @classmethod
    def part(cls, block: Memberships, prototypes: Prototypes) -> FuzzySpread:
        """Add up the points of a block; a cluster whose points lie in its centre, but for rounding, has no spread."""
        assert block.X is not None
        middles, square = prototypes.middles, float((prototypes.rounding**2).sum())
        sums, away = weighted_distances(block.X, block.U, block.weights, block.m, middles, prototypes.mean)
        shares, squares, distances = sums[:, [0, 2]], sums[:, [3, 4]], sums[:, 5]
        sums[:, [3, 4]] = np.where(squares > shares * square, squares, 0.0)
        sums[:, 5] = np.where(distances > shares[:, 0] * math.sqrt(square), distances, 0.0)
        return cls(sums, away)

    def __add__(self, other: FuzzySpread) -> FuzzySpread:
        """Sums over two disjoint sets of points."""
        return FuzzySpread(self.sums + other.sums, self.away + other.away)

    @property
    def mass(self) -> Floats:
        """Sum of u**m in each cluster."""
        return self.sums[:, 0]

    @property
    def sizes(self) -> Floats:
        """Sum of u in each cluster."""
        return self.sums[:, 1]

    @property
    def square_sizes(self) -> Floats:
        """Sum of u*u in each cluster."""
        return self.sums[:, 2]

    @property
    def within(self) -> Floats:
        """Sum of u**m d*d in each cluster."""
        return self.sums[:, 3]

    @property
    def within_by_squares(self) -> Floats:
        """Sum of u*u d*d in each cluster, whatever m is."""
        return self.sums[:, 4]

    @property
    def distances(self) -> Floats:
        """Sum of u**m d in each cluster."""
        return self.sums[:, 5]
