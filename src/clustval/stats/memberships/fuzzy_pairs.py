"""How two clusterings by memberships see each pair of points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.passes.memberships.fuzzy_pairs import expected_difference, fuzzy_counts, mean_difference
from clustval.sources.membership_pair import MembershipPair
from clustval.sources.takes import Takes


@dataclass(frozen=True, eq=False)
class PairDifference(Statistic):
    """Mean, over pairs of points, of how much the clusterings differ in how alike the two points are."""

    takes = Takes(pair_passes=1)

    mean: float

    @classmethod
    def of(cls, source: MembershipPair) -> PairDifference:
        """Visit all pairs."""
        return cls(mean_difference(source.U, source.V))


@dataclass(frozen=True, eq=False)
class ExpectedDifference(Statistic):
    """The same mean where points are matched at random: every pair meets every pair equally often."""

    takes = Takes(pair_passes=1)

    mean: float

    @classmethod
    def of(cls, source: MembershipPair) -> ExpectedDifference:
        """Sort how alike the points of all pairs are."""
        return cls(expected_difference(source.U, source.V))


@dataclass(frozen=True, eq=False)
class FuzzyPairCounts(Statistic):
    """Degrees, summed over pairs, to which points are together in both clusterings, in one of them, or in none."""

    takes = Takes(pair_passes=1)

    yy: float
    yn: float
    ny: float
    nn: float

    @classmethod
    def of(cls, source: MembershipPair, *, norm: str) -> FuzzyPairCounts:
        """Visit all pairs; `norm` says to what degree two degrees hold together."""
        return cls(*fuzzy_counts(source.U, source.V, norm).tolist())


@dataclass(frozen=True, eq=False)
class SoftTable(Statistic):
    """The contingency table of memberships: in each cell the sum of products of memberships in its two clusters."""

    n: int
    table: Floats

    @classmethod
    def part(cls, block: MembershipPair) -> SoftTable:
        """Multiply the memberships of a block."""
        return cls(block.n, np.asarray(block.U.T @ block.V))

    def __add__(self, other: SoftTable) -> SoftTable:
        return SoftTable(self.n + other.n, self.table + other.table)
