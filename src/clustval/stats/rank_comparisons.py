"""How the distances within clusters rank among those between them: exact, with ties."""

from __future__ import annotations

import math
from dataclasses import dataclass

from clustval.arrays import Integers
from clustval.declare import Statistic
from clustval.passes.rank_pairs import concordance, concordance_rows, extreme_sums, extreme_sums_rows
from clustval.passes.visit_partitions import rank_sums
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition

SINGLE_PAIRS = "it ranks single pairs of points; repeat the rows instead"


@dataclass(frozen=True)
class Concordance(Statistic):
    """Comparisons of each distance within a cluster with each between clusters: smaller, larger, equal.

    Exact whole numbers of any size.
    """

    cost = "rank"
    unweighted = SINGLE_PAIRS

    plus: int  # s+: the distance within is smaller
    minus: int  # s-: it is larger
    ties: int

    @classmethod
    def of(cls, source: Partition) -> Concordance:
        """Sort the distances within, stream those between."""
        space = source.space
        n_jobs, memory, done = space.n_jobs, space.memory, space.done
        if space.euclidean:
            return cls(*concordance(source.X, source.starts, n_jobs=n_jobs, memory=memory, done=done))
        return cls(*concordance_rows(source.rows, source.n, source.starts, n_jobs=n_jobs, memory=memory, done=done))

    @classmethod
    def prepare(cls, shared: Shared) -> None:
        """Rank all distances."""
        _ = shared.distances.ranking

    @classmethod
    def of_many(cls, group: Group) -> Concordance:
        """Count from sums of ranks, for partitions with the same number of clusters."""
        tables = group.tables
        ranking = group.shared.distances.ranking
        twice, ties = (v[group.rows] for v in tables.once(rank_sums, lambda: rank_sums(ranking, group.n, tables.block)))
        within = _pairs_within(group)
        between = group.n * (group.n - 1) // 2 - within
        # Ranks among all less ranks among those within leave the distances between that are smaller, ties for a half.
        minus = (twice - within * (within + 1) - ties) // 2
        return cls(within * between - minus - ties, minus, ties)  # type: ignore[arg-type]


@dataclass(frozen=True)
class ExtremeSums(Statistic):
    """Sums of the smallest and of the largest distances, as many as there are pairs inside clusters."""

    cost = "rank"
    unweighted = SINGLE_PAIRS

    smallest: float
    largest: float

    @classmethod
    def of(cls, source: Partition) -> ExtremeSums:
        """Select by histogram, sum exactly what is selected."""
        space = source.space
        n_jobs, memory, done = space.n_jobs, space.memory, space.done
        count = sum(math.comb(n, 2) for n in source.sizes.tolist())
        if space.euclidean:
            return cls(*extreme_sums(source.X, count, n_jobs=n_jobs, memory=memory, done=done))
        return cls(*extreme_sums_rows(source.rows, source.n, count, n_jobs=n_jobs, memory=memory, done=done))

    @classmethod
    def prepare(cls, shared: Shared) -> None:
        """Add up sorted distances from both ends."""
        _ = shared.distances.smallest, shared.distances.largest

    @classmethod
    def of_many(cls, group: Group) -> ExtremeSums:
        """Look up the sums, for partitions with the same number of clusters."""
        distances, within = group.shared.distances, _pairs_within(group)
        return cls(distances.smallest.first(within), distances.largest.first(within))  # type: ignore[arg-type]


def _pairs_within(group: Group) -> Integers:
    return (group.sizes * (group.sizes - 1) // 2).sum(-1)
