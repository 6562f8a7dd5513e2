"""How many clusters pairs of points share in two covers."""

from __future__ import annotations

from dataclasses import dataclass

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic
from clustval.passes.covers.common_clusters import PairTally, tally
from clustval.sources.cover_pair import CoverPair
from clustval.sources.takes import Takes


@dataclass(frozen=True, eq=False)
class CommonClusters(Statistic):
    """Pairs of points by the number of clusters that they share, counted twice, once from each of the two."""

    takes = Takes(pair_passes=1)

    n: int
    tally: PairTally

    @classmethod
    def of(cls, source: CoverPair) -> CommonClusters:
        """Meet all points that share a cluster in either cover."""
        return cls(source.n, tally(source.A, source.B, source.counts))

    @property
    def pairs(self) -> int:
        """Number of ordered pairs."""
        return self.n * (self.n - 1)

    @property
    def expected(self) -> int:
        """The pairs that share as many clusters in both covers by chance, times the number of pairs."""
        return sum(a * b for a, b in zip(self.tally.shared_a, self.tally.shared_b, strict=False))


@dataclass(frozen=True, eq=False)
class SharedClusters(Statistic):
    """What each point sees: how much of what it shares with others in one cover it shares in the other cover too."""

    takes = Takes(pair_passes=1)

    counts: Integers  # points of each kind
    precision: Floats  # of each kind of points
    recall: Floats

    @classmethod
    def of(cls, source: CoverPair) -> SharedClusters:
        """Read it from the same pairs; every point must be in a cluster of both covers."""
        source.check_covered()
        pairs = source[CommonClusters].tally
        return cls(source.counts, pairs.precision, pairs.recall)
