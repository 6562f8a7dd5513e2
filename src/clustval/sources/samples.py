"""What samples give in place of statistics of all points: one row for all of the sample, one without each group."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

from clustval.declare import Statistic, ways_of


class PointSample(ABC):
    """Points drawn from each cluster, measured against each other."""

    @abstractmethod
    def scaled(self, exponent: int) -> Self:
        """Return the sample with distances times so high a power of two."""

    @abstractmethod
    def contrast(self) -> Any:
        """Return the contrasts of all points with their own and the nearest other cluster, added up."""

    @abstractmethod
    def ratio(self, epsilon: float) -> Any:
        """Return the ratios of the distances of all points to the nearest other and to their own cluster, added up."""


class PairSample(ABC):
    """Pairs of points drawn within and between clusters."""

    @abstractmethod
    def scaled(self, exponent: int) -> Self:
        """Return the sample with distances times so high a power of two."""

    @abstractmethod
    def sums(self) -> Any:
        """Return the sums of distances within and between clusters."""

    @abstractmethod
    def concordance(self) -> Any:
        """Return how distances within clusters compare with those between them."""

    @abstractmethod
    def extreme_sums(self) -> Any:
        """Return the sums of the smallest and of the largest distances."""


SAMPLES: tuple[type, ...] = (PointSample, PairSample)


def sampled_from(statistic: type[Statistic]) -> type | None:
    """Return the type of sample that gives a statistic, None if no sample does."""
    for sample in SAMPLES:
        if any(way.of is sample for way in ways_of(statistic, sample)):
            return sample
    return None
