"""How much of the difference of two algorithms may be chance: a test on pairs, and samples of the points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from clustval.arrays import Integers
from clustval.compare.measures import Counts
from clustval.result import Result
from clustval.seeding import generators
from clustval.tables import Tabular

FEWEST = 4  # points of which leaving one out tells an error


@dataclass(frozen=True, eq=False)
class PairTest(Tabular, Result):
    """McNemar's test on the pairs of points where only one of two algorithms is right."""

    statistic: float  # standard normal if pairs were independent and both algorithms equally good
    p_value: float  # of the same difference with the error that points have, which are independent
    note: str = "Pairs that share a point are not independent: z takes them for that, p leaves out each point once."

    def __str__(self) -> str:
        return f"z = {self.statistic:.6g}, p = {self.p_value:.3g}\n{self.note}"


def mcnemar_test(counts: Counts, codes: Sequence[Integers], sizes: Integers) -> PairTest:
    """Return (RW - WR) / sqrt(RW + WR), 0 where the two never disagree, and a two-sided p-value by the jackknife.

    `codes` are those of truth, primary and alternative, for each combination of labels of `sizes` points.
    """
    _, rw, wr, _ = counts
    if not rw + wr:
        return PairTest(0.0, 1.0)
    return PairTest((rw - wr) / math.sqrt(rw + wr), _p_of_difference(float(rw - wr), codes, sizes))


def _p_of_difference(difference: float, codes: Sequence[Integers], sizes: Integers) -> float:
    """Return how likely as much is by chance, of as many points: Student's t of the mean over pairs.

    NaN of few points, and where all of them, left out, leave the same: an error of 0 would be that of a mean over pairs
    which scatters all the same, only not by single points.

    Where few points decide, the error is known as badly as from fewer points: by their kurtosis, its relative variance
    is 2 / (n - 1) + kurtosis / n, which that of Gaussian values of so many degrees of freedom has.
    """
    from scipy.special import stdtr  # noqa: PLC0415 - only the test needs it

    n = int(sizes.sum())
    if n < FEWEST:
        return math.nan
    truth, primary, alternative = codes
    # RW - WR is the pairs right in the primary less those right in the alternative: p and q are right apart, gp and gq
    # together.
    primary_right, alternative_right = (
        2 * _partners(truth * (int(one.max()) + 1) + one, sizes) - _partners(one, sizes)
        for one in (primary, alternative)
    )
    without = (difference - (primary_right - alternative_right)) / ((n - 1) * (n - 2) / 2)
    mean = difference / (n * (n - 1) / 2)  # also that of the values without a point
    squares = (without - mean) ** 2
    variance = float(sizes @ squares) / n
    if variance == 0:
        return math.nan
    kurtosis = max(float(sizes @ squares**2) / n / variance**2 - 3, 0.0)
    freedom = 2 / (2 / (n - 1) + kurtosis / n)
    return float(2 * stdtr(freedom, -abs(mean) / math.sqrt((n - 1) * variance)))


def _partners(keys: Integers, sizes: Integers) -> Integers:
    """Return the other points of the group that a point of each combination has."""
    groups = _groups(keys)
    partners: Integers = np.bincount(groups, weights=sizes)[groups].astype(np.int64) - 1
    return partners


@dataclass(frozen=True, eq=False)
class Interval(Tabular, Result):
    """A measure, and between which values it lies in the middle `level` of the samples."""

    value: float
    low: float
    high: float
    level: float

    def __str__(self) -> str:
        return f"{self.value:.4g}, from {self.low:.4g} to {self.high:.4g} at {self.level:g}"


def resampled_counts(
    codes: Sequence[Integers], sizes: Integers, n_samples: int, random_state: Any
) -> list[tuple[float, float, float, float]]:
    """Return the four counts of pairs for samples of the points, drawn with replacement.

    A sample is a new number of points for each combination of labels; no point is visited. Two draws of one point
    are a pair on which both algorithms are right, as are two points of one combination.
    """
    n = int(sizes.sum())
    if n == 0:
        return [(0.0, 0.0, 0.0, 0.0)] * n_samples
    groups = [_groups(c) for c in codes]
    overlaps = [_groups(a * (int(b.max()) + 1) + b) for a, b in combinations(codes, 2)]
    generator = generators(random_state)
    shares = sizes / n
    samples = []
    for i in range(n_samples):
        rng = generator(i)
        sample = rng.multinomial(n, shares) if len(sizes) < n else np.bincount(rng.integers(n, size=n), minlength=n)
        g, p, q = (_pairs(group, sample) for group in groups)
        gp, gq, pq = (_pairs(group, sample) for group in overlaps)
        total = n * (n - 1) / 2
        both = total - g - p - q + gp + gq + pq
        primary, alternative = total - g - p + 2 * gp, total - g - q + 2 * gq
        samples.append((both, primary - both, alternative - both, total - primary - alternative + both))
    return samples


def _groups(keys: Integers) -> Integers:
    return np.unique(keys, return_inverse=True)[1]


def _pairs(groups: Integers, sizes: Integers) -> float:
    together = np.bincount(groups, weights=sizes)
    return float(together @ (together - 1)) / 2
