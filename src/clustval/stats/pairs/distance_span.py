"""The largest distance between any two points, whatever their clusters: what distances are measured in units of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.declare import Statistic
from clustval.inputs import Labels
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.stats.pairs.pair_distances import Extremes, PairExtremes


@dataclass(frozen=True, eq=False)
class LargestDistance(Statistic):
    """The largest distance between two points. It does not depend on labels."""

    cost = "quadratic"

    span: float

    @classmethod
    def of(cls, source: Space) -> LargestDistance:
        """Take the diameter of all points as one cluster."""
        return cls(Partition(source, Labels(np.zeros(source.n, dtype=np.int64), [0]))[Extremes].diameter)


@dataclass(frozen=True, eq=False)
class Span(Statistic):
    """The largest distance between two points of a partition.

    Those of disjoint sets of pairs combine by maximum.
    """

    cost = "quadratic"
    search = "searchable"
    extremes = True

    span: Any

    @classmethod
    def part(cls, block: Partition) -> Span:
        """Read the visit of the pairs if there is one; else look for it among all points."""
        visited = block.tables_fit and any(need.statistic.visits for need in block.needs)
        if block.whole is block and not visited:
            return cls(block.space[LargestDistance].span)
        return cls.of_pairs(block[PairExtremes])

    @classmethod
    def of_pairs(cls, e: PairExtremes) -> Span:
        """Return the largest over all clusters."""
        return cls(e.maxs.max((-2, -1)))

    def __add__(self, other: Span) -> Span:
        """Return the largest of the union of two sets of pairs."""
        return Span(np.maximum(self.span, other.span))

    @classmethod
    def of_many(cls, group: Group) -> Span:
        """Take the largest of the stacked ones."""
        return cls.of_pairs(group[PairExtremes])
