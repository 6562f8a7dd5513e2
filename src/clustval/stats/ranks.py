"""How the distances within clusters rank among those between them: exact, with ties."""

from __future__ import annotations

import math
from dataclasses import dataclass

from clustval.backends.ranks import concordance, concordance_rows, extreme_sums, extreme_sums_rows
from clustval.partition import Partition
from clustval.registry import Statistic


@dataclass(frozen=True)
class Concordance(Statistic):
    """Comparisons of each distance within a cluster with each between clusters: smaller, larger, equal.

    Exact whole numbers of any size; those of disjoint sets of comparisons add up.
    """

    cost = "rank"

    plus: int  # s+: the distance within is smaller
    minus: int  # s-: it is larger
    ties: int

    @classmethod
    def of(cls, source: Partition) -> Concordance:
        """Sort the distances within, stream those between."""
        space = source.space
        if space.euclidean:
            return cls(*concordance(source.X, source.starts, n_jobs=space.n_jobs, memory=space.memory, done=space.done))
        return cls(
            *concordance_rows(
                source.rows, source.n, source.starts, n_jobs=space.n_jobs, memory=space.memory, done=space.done
            )
        )

    def __add__(self, other: Concordance) -> Concordance:
        """Counts over the union of two disjoint sets of comparisons."""
        return Concordance(self.plus + other.plus, self.minus + other.minus, self.ties + other.ties)


@dataclass(frozen=True)
class ExtremeSums(Statistic):
    """Sums of the smallest and of the largest distances, as many as there are pairs inside clusters."""

    cost = "rank"

    smallest: float
    largest: float

    @classmethod
    def of(cls, source: Partition) -> ExtremeSums:
        """Select by histogram, sum exactly what is selected."""
        space = source.space
        count = sum(math.comb(n, 2) for n in source.sizes.tolist())
        if space.euclidean:
            return cls(*extreme_sums(source.X, count, n_jobs=space.n_jobs, memory=space.memory, done=space.done))
        return cls(
            *extreme_sums_rows(source.rows, source.n, count, n_jobs=space.n_jobs, memory=space.memory, done=space.done)
        )
