"""How rarely chance gives as much: counted where tables with the same sizes are few, else from three moments."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.information_spread import gammaln
from clustval.stats.labels.pair_moments import PairMoments

MOST_TABLES = 100_000  # that are counted, some 20 ms
MOST_CELLS = 400  # more cells than these make too many tables, but where hardly any can vary
LARGE = 2**31  # points: pairs of fewer fit into 64 bits
REACH = 10  # standard deviations of a count that are looked at
FAINT = 1e-6  # skewness below which a distribution is as good as normal

Sizes = NDArray[np.int64]


@dataclass(frozen=True)
class Tails:
    """Probability by chance of as much as was observed, or more; and of as much, or less."""

    above: float
    below: float


def pair_tails(table: Contingency, moments: PairMoments, std: float) -> Tails:
    """Return how rarely chance puts as many pairs together in both labellings."""
    counted = counted_tails(table, pairs_of)
    if counted is not None or std == 0:
        return counted or Tails(math.nan, math.nan)
    skewness, above = pair_skewness(table, moments), float(moments.observed - moments.mean)
    # Pairs are whole: a continuous distribution is asked half a pair before them.
    return Tails(pearson_tail((above - 0.5) / std, skewness), pearson_tail(-(above + 0.5) / std, -skewness))


def information_tails(table: Contingency, observed: float, mean: float, std: float) -> Tails:
    """Return how rarely chance makes two labellings share as much information."""
    counted = counted_tails(table, information_of)
    if counted is not None or std == 0:
        return counted or Tails(math.nan, math.nan)
    skewness, z = information_skewness(table, std), (observed - mean) / std
    return Tails(pearson_tail(z, skewness), pearson_tail(-z, -skewness))


def pearson_tail(z: float, skewness: float) -> float:
    """Return how likely more than z standard deviations above the mean are, of Pearson's type III.

    A sum of equal chi-squared numbers is exactly of this type, which is what agreement by chance tends to.

    >>> pearson_tail(1.5, 2.0)  # an exponential number above 2.5
    0.082085
    """
    from scipy.special import gammainc, gammaincc  # noqa: PLC0415 - takes long to load

    if abs(skewness) < FAINT:
        return math.erfc(z / math.sqrt(2)) / 2
    shape = 4 / skewness**2
    tail = gammaincc if skewness > 0 else gammainc
    return float(tail(shape, max(shape + (z if skewness > 0 else -z) * math.sqrt(shape), 0.0)))


# --- tables that are few ---------------------------------------------------------------------------------


def pairs_of(counts: Sizes) -> Any:
    """Return the pairs of points of cells."""
    return counts * (counts - 1) // 2


def information_of(counts: Sizes) -> Any:
    """Return x log x of cells, whose sum decides the mutual information."""
    return counts * np.log(np.maximum(counts, 1))


def counted_tails(table: Contingency, part: Callable[[Sizes], Any]) -> Tails | None:
    """Return the exact probabilities of a sum over cells; None where there are too many tables with these sizes."""
    tables = every_table(table.row_sizes, table.column_sizes, part)
    if tables is None:
        return None
    sums, chances = tables
    observed = part(table.counts).sum()
    rounding = ROUNDING_OF_VALUES * abs(observed) if sums.dtype.kind == "f" else 0
    return Tails(
        min(1.0, float(chances[sums >= observed - rounding].sum())),
        min(1.0, float(chances[sums <= observed + rounding].sum())),
    )


def every_table(a: Sizes, b: Sizes, part: Callable[[Sizes], Any]) -> tuple[NDArray[Any], Floats] | None:
    """Return the sum over the cells of each table with these sizes, and its chance; None if there are too many.

    Each way to fill the first cells can be completed, so that there are never more of them than tables.

    >>> sums, chances = every_table(np.array([2, 1]), np.array([2, 1]), pairs_of)
    >>> sums.tolist(), chances.tolist()  # the cells are 1, 1, 1, 0 or 2, 0, 0, 1
    ([0, 1], [0.666667, 0.333333])
    """
    if len(a) * len(b) > MOST_CELLS or a.sum() >= LARGE:
        return None
    left, logs, sums = b[None].copy(), np.zeros(1), np.zeros(1, dtype=part(b).dtype)
    for row, size in enumerate(a.tolist()):
        points = np.full(len(left), size)
        for column in range(len(b)):
            least = np.maximum(0, points - left[:, column + 1 :].sum(axis=1))
            most = np.minimum(points, left[:, column])
            if row == len(a) - 1:
                least = most
            choices = most - least + 1
            if choices.sum() > MOST_TABLES:
                return None
            before = np.repeat(np.arange(len(left)), choices)
            counts = np.arange(len(before)) + (least - np.cumsum(choices) + choices)[before]
            left, points = left[before], points[before] - counts
            left[:, column] -= counts
            logs, sums = logs[before] - gammaln(counts + 1.0), sums[before] + part(counts)
    chances = np.exp(logs - logs.max())
    return sums, chances / chances.sum()


# --- third moments ---------------------------------------------------------------------------------------


def pair_skewness(table: Contingency, moments: PairMoments) -> float:
    """Return the exact skewness of the pairs together in both labellings.

    The cube of their number counts three pairs at a time. These are one pair, or make one of seven graphs; how many of
    each there are inside the clusters of both labellings follows from their sizes.
    """
    one, other, every = (subgraphs(sizes) for sizes in (table.row_sizes, table.column_sizes, np.array([table.n])))
    both = [a * b / c if c else Fraction(0) for a, b, c in zip(one, other, every, strict=True)]
    cube, mean, variance = both[0] + 6 * sum(both[1:]), moments.mean, moments.variance
    return float(cube - 3 * mean * variance - mean**3) / math.pow(variance, 1.5)


def subgraphs(sizes: Sizes) -> list[Fraction]:
    """Return how many graphs of up to three edges there are in cliques of these sizes.

    They are: an edge, a path of two, two edges apart, a triangle, a star, a path of three, a path of two beside an
    edge, and three edges apart.

    >>> [int(count) for count in subgraphs(np.array([4]))]
    [6, 12, 3, 4, 4, 12, 0, 0]
    """
    different, times = (each.tolist() for each in np.unique(sizes, return_counts=True))
    points = [sum(often * math.perm(size, k) for size, often in zip(different, times, strict=True)) for k in range(5)]
    edges, paths = Fraction(points[2], 2), Fraction(points[3], 2)
    apart = edges * (edges - 1) / 2 - paths
    triangles, stars, long_paths = Fraction(points[3], 6), Fraction(points[4], 6), Fraction(points[4], 2)
    touching = 3 * long_paths + 3 * paths  # an edge that shares a point with a path of two: 3 (a - 3) + 3 of each
    beside = paths * edges - touching
    two_or_less = edges + 6 * (paths + apart)
    three = (edges**3 - two_or_less) / 6 - triangles - stars - long_paths - beside
    return [edges, paths, apart, triangles, stars, long_paths, beside, three]


def information_skewness(table: Contingency, std: float) -> float:
    r"""Return about how skewed the mutual information is, from the exact cumulants of the terms of its cells.

    Of large counts each cell is \chi^2 / 2 times a shrinkage s = (1 - a/n) (1 - b/n) n / (n - 1), so that its third
    cumulant is 2 s times its variance; of small ones s is about 1 and cells hardly depend on each other. The sum of
    third cumulants over that of s times variances is right for both.
    """
    a, times_a = np.unique(table.row_sizes, return_counts=True)
    b, times_b = np.unique(table.column_sizes, return_counts=True)
    n, squares, cubes = float(table.n), 0.0, 0.0
    if len(a) > len(b):
        a, times_a, b, times_b = b, times_b, a, times_a
    b = b.astype(np.float64)
    for size, times in zip(a.tolist(), times_a.tolist(), strict=True):
        shrinkage = (n - size) * (n - b) / (n * (n - 1))
        expected = size * b / n
        reach = REACH * np.sqrt(expected * shrinkage) + REACH
        least = np.maximum(np.maximum(0, size + b - n), np.floor(expected - reach))[:, None]
        most = np.minimum(np.minimum(size, b), np.ceil(expected + reach))[:, None]
        counts = least + np.arange(int((most - least).max()) + 1)
        inside, counts = counts <= most, np.minimum(counts, most)
        others = b[:, None] - counts, size - counts, n - size - b[:, None] + counts
        logs = -np.sum([gammaln(each + 1) for each in (counts, *others)], axis=0)
        chances = np.exp(logs - logs.max(axis=1, keepdims=True)) * inside
        chances /= chances.sum(axis=1, keepdims=True)
        ratios = counts / expected[:, None]
        terms = counts * np.log(ratios, out=np.zeros_like(counts), where=counts > 0) - counts
        terms -= (chances * terms).sum(axis=1, keepdims=True)
        squares += times * float(times_b @ (shrinkage * (chances * terms**2).sum(axis=1)))
        cubes += times * float(times_b @ (chances * terms**3).sum(axis=1))
    return cubes / squares / (std * n) if squares else 0.0
