"""The largest distance between any two points, whatever their clusters: what distances are measured in units of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.declare import Statistic, way
from clustval.inputs import Labels
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import Takes, searchable
from clustval.stats.pairs.pair_distances import Extremes, PairExtremes, visited


def alone_and_unvisited(points: Partition) -> bool:
    """Return whether these are all points, and nothing else visits their pairs."""
    return points.whole is points and not visited(points)


@dataclass(frozen=True, eq=False)
class LargestDistance(Statistic):
    """The largest distance between two points. It does not depend on labels."""

    takes = Takes(pair_passes=1)

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

    takes = Takes(pair_passes=1, extremes=True, search=searchable)

    span: Any

    @classmethod
    def part(cls, block: Partition) -> Span:
        """Read the visit of all pairs."""
        return cls.of_pairs(block[PairExtremes])

    @classmethod
    @way(of=Partition, when=alone_and_unvisited, takes=Takes(pair_passes=1, search=searchable))
    def from_space(cls, points: Partition) -> Span:
        """Look for it among all points, where nothing else needs the pairs."""
        return cls(points.space[LargestDistance].span)

    @classmethod
    def of_pairs(cls, e: PairExtremes) -> Span:
        """Return the largest over all clusters."""
        return cls(e.maxs.max((-2, -1)))

    def __add__(self, other: Span) -> Span:
        """Return the largest of the union of two sets of pairs."""
        return Span(np.maximum(self.span, other.span))

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> Span:
        """Take the largest of the stacked ones."""
        return cls.of_pairs(group[PairExtremes])
