"""How the distances within clusters rank among those between them: exact, with ties."""

from __future__ import annotations

import math
from dataclasses import dataclass

from clustval.arrays import Integers
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.passes.ranks.rank_pairs import concordance, concordance_rows, extreme_sums, extreme_sums_rows
from clustval.passes.ranks.rank_weights import WeightedPairs, bytes_needed
from clustval.passes.sweeps.partitions import rank_sums
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.samples import PairSample
from clustval.sources.takes import Takes

WHOLE_PAIRS = "it ranks pairs of points, which cannot be broken"


def _weighted_pairs(source: Partition) -> WeightedPairs:
    """Return all pairs of weighted points, if memory holds them."""
    assert source.weights is not None
    needed, memory = bytes_needed(source.n), source.space.memory
    if needed > memory:
        msg = (
            f"To rank the pairs of {source.n} weighted points takes {needed / 2**30:.3g} GiB, more than the budget of "
            f"{memory / 2**30:.3g} GiB; raise memory=, or repeat rows in place of weights."
        )
        raise UndefinedIndexError(msg)
    return WeightedPairs.of(source.rows, source.starts, source.weights)


@dataclass(frozen=True)
class Concordance(Statistic):
    """Comparisons of each distance within a cluster with each between clusters: smaller, larger, equal.

    Exact whole numbers of any size; rounded where points are weighted.
    """

    takes = Takes(ranks=True, whole_weights_because=WHOLE_PAIRS)

    plus: float  # s+: the distance within is smaller
    minus: float  # s-: it is larger
    ties: float

    @classmethod
    def of(cls, source: Partition) -> Concordance:
        """Sort the distances within, stream those between."""
        if source.weights is not None:
            return cls(*_weighted_pairs(source).concordance())
        space = source.space
        n_jobs, memory, done = space.n_jobs, space.memory, space.done
        if space.factor is not None:
            return cls(
                *concordance(source.image, source.starts, factor=space.factor, n_jobs=n_jobs, memory=memory, done=done)
            )
        return cls(*concordance_rows(source.rows, source.n, source.starts, n_jobs=n_jobs, memory=memory, done=done))

    @classmethod
    @way(of=PairSample)
    def from_sample(cls, sample: PairSample) -> Concordance:
        """Take it from a sample, one for each replicate."""
        value: Concordance = sample.concordance()
        return value

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Rank all distances."""
        _ = shared.distances.ranking

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> Concordance:
        """Count from sums of ranks, for partitions with the same number of clusters."""
        tables = group.tables
        ranking = group.shared.distances.ranking
        sums = tables.cached(rank_sums, lambda: rank_sums(ranking, group.n, tables.block))
        twice, ties = (table[group.rows] for table in sums)
        within = _pairs_within(group)
        between = group.n * (group.n - 1) // 2 - within
        # Ranks among all less ranks among those within leave the distances between that are smaller, ties for a half.
        minus = (twice - within * (within + 1) - ties) // 2
        return cls(within * between - minus - ties, minus, ties)  # type: ignore[arg-type]


@dataclass(frozen=True)
class ExtremeSums(Statistic):
    """Sums of the smallest and of the largest distances, as many as there are pairs inside clusters."""

    takes = Takes(ranks=True, whole_weights_because=WHOLE_PAIRS)

    smallest: float
    largest: float

    @classmethod
    def of(cls, source: Partition) -> ExtremeSums:
        """Select by histogram, sum exactly what is selected."""
        if source.weights is not None:
            return cls(*_weighted_pairs(source).extreme_sums())
        space = source.space
        n_jobs, memory, done = space.n_jobs, space.memory, space.done
        count = sum(math.comb(n, 2) for n in source.sizes.tolist())
        if space.factor is not None:
            return cls(*extreme_sums(source.image, count, factor=space.factor, n_jobs=n_jobs, memory=memory, done=done))
        return cls(*extreme_sums_rows(source.rows, source.n, count, n_jobs=n_jobs, memory=memory, done=done))

    @classmethod
    @way(of=PairSample)
    def from_sample(cls, sample: PairSample) -> ExtremeSums:
        """Take it from a sample, one for each replicate."""
        value: ExtremeSums = sample.extreme_sums()
        return value

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Add up sorted distances from both ends."""
        _ = shared.distances.smallest, shared.distances.largest

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> ExtremeSums:
        """Look up the sums, for partitions with the same number of clusters."""
        distances, within = group.shared.distances, _pairs_within(group)
        return cls(distances.smallest.first(within), distances.largest.first(within))  # type: ignore[arg-type]


def _pairs_within(group: Group) -> Integers:
    return (group.sizes * (group.sizes - 1) // 2).sum(-1)
