"""How sure a value is that a sample gives: the sample is cut into groups, and each is left out once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.results import ScoreInterval

GROUPS = 20


def student(confidence: float) -> float:
    """Return how many standard errors the half-width of an interval is."""
    from scipy.stats import t  # noqa: PLC0415 - takes long to load

    return float(t.ppf((1 + confidence) / 2, GROUPS - 1))


def random_groups(count: int, rng: np.random.Generator) -> Integers:
    """Return a group for each of so many entries: as many in each as can be, at random."""
    return (rng.permutation(count) + rng.integers(GROUPS)) % GROUPS


@dataclass(frozen=True)
class Replicates:
    """The value of a whole sample, and those without each of its groups."""

    value: float
    without: Floats  # (GROUPS,)
    share: float = 0.0  # of what could be drawn that was: nothing is left open of it
    biased: bool = False  # whether the value is off by what is proportional to 1 / the size of the sample
    wider: float = 1.0  # times what Student's t says

    @classmethod
    def of(cls, values: Any, share: float = 0.0, *, biased: bool = False) -> Replicates:
        """Split values of which the first is that of the whole sample."""
        values = np.asarray(values, dtype=np.float64)
        return cls(float(values[0]), values[1:], share, biased)

    @property
    def error(self) -> float:
        """Standard error of the value."""
        scatter = ((self.without - self.without.mean()) ** 2).sum()
        return math.sqrt((1 - self.share) * (GROUPS - 1) / GROUPS * scatter)

    @property
    def corrected(self) -> float:
        """The value, less its bias."""
        if not self.biased:
            return self.value
        return self.value + (1 - self.share) * (GROUPS - 1) * (self.value - float(self.without.mean()))

    def interval_within(self, confidence: float, bounds: tuple[float, float], how: str) -> ScoreInterval:
        """Return the interval of ratios where the index has any value above 0, else that of differences."""
        if bounds == (0, math.inf) and min(self.value, *self.without) > 0:
            return self.interval_of_ratios(confidence, how)
        return self.interval(confidence, bounds, how)

    def interval(self, confidence: float, bounds: tuple[float, float], how: str) -> ScoreInterval:
        """Return the interval; no end of it is beyond the bounds of the index."""
        half = self.wider * student(confidence) * self.error
        low, high = (min(max(end, bounds[0]), bounds[1]) for end in (self.corrected - half, self.corrected + half))
        return ScoreInterval(low, high, half, how)

    def interval_of_ratios(self, confidence: float, how: str) -> ScoreInterval:
        """Return the interval of a value that is above 0 and may be any number of times larger: that of its logarithm.

        Such values are skewed, and where they are low by chance their errors are as well.
        """
        logs = replace(self, value=math.log(self.value), without=np.log(self.without))
        ends = logs.interval(confidence, (-math.inf, math.inf), how)
        with np.errstate(over="ignore"):
            low, high = np.exp([ends.low, ends.high]).tolist()
        return ScoreInterval(low, high, (high - low) / 2, how)

    def value_within(self, bounds: tuple[float, float]) -> float:
        """Return the value, less its bias, inside the bounds of the index."""
        return min(max(self.corrected, bounds[0]), bounds[1])
