"""How many pairs chance puts together in both labellings: exact mean and variance, and pairs that share no point."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.declare import Statistic
from clustval.sources.takes import Takes
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.pair_counts import PairCounts

FEWEST = 4  # points that two pairs without a common point take
HALF = 31  # bits of a number below 2**62 that are summed apart
LARGE = 2**31  # points; sums of products of more are done in Python's own numbers


@dataclass(frozen=True)
class PairMoments(Statistic):
    """Mean and variance of the pairs together in both labellings, over all labels with the same sizes of clusters."""

    after = (Contingency, PairCounts)
    takes = Takes(whole_weights_because="the correction for chance counts whole points")

    observed: float  # pairs together in both labellings
    mean: Fraction
    variance: Fraction

    @classmethod
    def derived(cls, t: Contingency, p: PairCounts) -> PairMoments:
        """Compute the moments of Fowlkes and Mallows (1983) in exact fractions.

        Two pairs of points are the same, share one point, or share none; each of these happens in each labelling a
        number of times that the sizes of its clusters give.
        """
        n = t.n
        pairs = p.truth, p.labels
        chains = [triples(sizes) for sizes in (t.row_sizes, t.column_sizes)]
        apart = [count * (count - 1) - chain for count, chain in zip(pairs, chains, strict=True)]
        total = p.total
        mean = _quotient(pairs[0] * pairs[1], total)
        squares = (
            mean
            + _quotient(chains[0] * chains[1], n * (n - 1) * (n - 2))
            + _quotient(apart[0] * apart[1], total * ((n - 2) * (n - 3) // 2))
        )
        return cls(p.yy, mean, squares - mean * mean)

    @property
    def z(self) -> float:
        """How many standard deviations the observed pairs lie above the mean; NaN where chance cannot vary them."""
        if self.variance == 0:
            return math.nan
        above = Fraction(self.observed) - self.mean
        return math.copysign(root(above**2 / self.variance), above)


def root(square: Fraction) -> float:
    """Return the square root of a fraction whose terms may be beyond a float."""
    shift = (square.numerator.bit_length() - square.denominator.bit_length()) // 2 * 2
    scaled = square / Fraction(2) ** shift
    return math.ldexp(math.sqrt(scaled), shift // 2)


def _quotient(part: int, whole: int) -> Fraction:
    """Return part / whole, 0 where there is nothing to count."""
    return Fraction(part, whole) if whole else Fraction(0)


def triples(sizes: NDArray[np.int64]) -> int:
    """Return the ordered pairs of pairs inside clusters that share one point: the sum of a (a - 1) (a - 2)."""
    return sum_of_products(sizes, sizes - 1, np.maximum(sizes - 2, 0))


def sum_of_products(counts: NDArray[Any], factors: NDArray[Any], others: NDArray[Any]) -> Any:
    """Return the sum of counts * factors * others, none of them negative, exactly where they are whole.

    No sum of one of the three may exceed the number of points.
    """
    if counts.dtype.kind == "f":
        return math.fsum((counts * factors * others).tolist())
    if counts.sum() >= LARGE:
        columns = (c.tolist() for c in (counts, factors, others))
        return sum(a * b * c for a, b, c in zip(*columns, strict=True))
    products = factors * others
    high, low = products >> HALF, products & ((1 << HALF) - 1)
    return (int(counts @ high) << HALF) + int(counts @ low)


@dataclass(frozen=True)
class DisjointPairs(Statistic):
    """Pairs of pairs of points without a common point, the first together in the truth, the second in the labels."""

    after = (Contingency, PairCounts)

    n: Any
    count: Any

    @classmethod
    def derived(cls, t: Contingency, p: PairCounts) -> DisjointPairs:
        """Take off the pairs of pairs that are the same pair or share one point."""
        rows, columns = t.row_sizes[t.rows], t.column_sizes[t.columns]
        partners = sum_of_products(t.counts, rows - 1, columns - 1)
        return cls(t.n, p.truth * p.labels - p.yy - (partners - 2 * p.yy))

    @property
    def together(self) -> Any:
        """Pairs that labellings without any relation would put together in both; NaN of fewer than 4 points."""
        others = (self.n - 2) * (self.n - 3)
        return self.count * 2 / others if self.n >= FEWEST else math.nan
