"""Whether the next cluster of a hierarchy should be cut in two: indices that need nested partitions.

Between k and k + 1 clusters of a hierarchy one cluster of n points is cut in two; J1 are the squares within it, J2
those within its halves. Partitions of which one is not nested in the other have no such cluster, and no value.

Examples use the points 0, 2, 7, 10, 11 and 12 on a line, as {0, 2} and {7, 10, 11, 12}, as {0, 2}, {7} and
{10, 11, 12}, and as {0, 2}, {7}, {10, 11} and {12}: first four points with J1 = 14 are cut into halves with J2 = 2,
then three with J1 = 2 into halves with J2 = 0.5.
"""

from __future__ import annotations

import math
from math import inf
from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import AtLeast
from clustval.rules import end_of_values_below_one, not_above_critical, not_below_critical
from clustval.sources.sweep_curves import Curve, sweep_index
from clustval.stats.pairs.pair_distances import PairSums
from clustval.stats.points.moments import Moments

Score = Annotated[float, AtLeast(0)]  # of a standard normal variable
SIGNIFICANCE = 0.1  # of Beale's test
EQUAL = "the points of the cluster that is cut are all equal"
TWO = "the cluster that is cut has only two points, or all of them are equal"


# --- of the cluster that is cut, a partition of its points in two ----------------------------------------


def error_ratio(m: Moments) -> Value:
    """Return J2 / J1."""
    return np.divide(m.within, m.within + m.between)


def error_gain(m: Moments) -> Value:
    """Return (J1 - J2) / J2."""
    return np.divide(m.between, m.within)


def points(m: Moments) -> Value:
    """Return how many points there are, by weight."""
    return m.mass.sum(-1)


def dimensions(m: Moments) -> Value:
    """Return how many dimensions there are."""
    return np.full(m.mass.shape[:-1], m.p)


Points = Annotated[Floats, Curve(points, "split")]
Dimensions = Annotated[Floats, Curve(dimensions, "split")]
Gain = Annotated[Floats, Curve(error_gain, "split")]


# --- indices ---------------------------------------------------------------------------------------------


def critical_ratio(n: Points, p: Dimensions, *, z: Score = 3.2) -> Floats:
    """Return what J2 / J1 falls below for one normal cluster only by chance, by a standard score of z."""
    return 1 - 2 / (math.pi * p) - z * np.sqrt(2 * (1 - 8 / (math.pi**2 * p)) / (n * p))


@sweep_index(
    best=not_below_critical,
    bounds=(0, 1),
    degree=0,
    reference="duda1973; milligan1985",
    clusters=(1, 1),
    undefined=EQUAL,
    aliases=("duda",),
    details={"critical": critical_ratio},
)
def duda_hart(ratio: Annotated[Floats, Curve(error_ratio, "split")]) -> Floats:
    r"""Squares within the two halves of the next cluster to be cut, over those within the whole of it.

    .. math:: \frac{J_2}{J_1} \ge 1 - \frac{2}{\pi p} - z \sqrt{\frac{2 (1 - 8 / (\pi^2 p))}{n p}}

    says that the cluster of n points should not be cut: the best number of clusters is the first for which it holds.
    The right side is in `Sweep.details` as "critical"; `z` is 3.2, which Milligan and Cooper found best. Needs a
    hierarchy. Here 2 / 14, then 0.5 / 2:

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> sweep(X, [[0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2], [0, 0, 1, 2, 2, 3]], "duda_hart")["duda_hart"]
    array([0.14285714, 0.25      ,        nan])
    """
    return ratio


def critical_t2(n: Points, p: Dimensions, *, z: Score = 3.2) -> Floats:
    """Return the pseudo t-squared that belongs to the critical ratio of squares; infinite if that is not positive."""
    ratio = critical_ratio(n, p, z=z)
    return np.where(ratio <= 0, inf, (1 / ratio - 1) * (n - 2))


@sweep_index(
    best=not_above_critical,
    bounds=(0, inf),
    degree=0,
    reference="duda1973; milligan1985",
    clusters=(1, 1),
    undefined=TWO,
    aliases=("pseudot2",),
    details={"critical": critical_t2},
)
def pseudo_t2(gain: Gain, n: Points) -> Floats:
    r"""How much less scatter the two halves of the next cluster to be cut have, per point that is left.

    .. math:: \frac{J_1 - J_2}{J_2 / (n - 2)}

    The same test as `duda_hart`, with the critical value (1/c - 1) (n - 2) where that has c: the best number of
    clusters is the first with a value that is not above it. Needs a hierarchy. Here 12 / (2 / 2), then 1.5 / (0.5 / 1):

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> sweep(X, [[0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2], [0, 0, 1, 2, 2, 3]], "pseudo_t2")["pseudo_t2"]
    array([12.,  3., nan])
    """
    return gain * (n - 2)


def beale_value(gain: Floats, n: Floats, p: Floats) -> Floats:
    """Return Beale's F, of a cluster of more than two points."""
    return np.where(n > 2, gain / ((n - 1) / (n - 2) * (2 ** (2 / p) - 1)), np.nan)


def beale_quantile(n: Points, p: Dimensions) -> Floats:
    """Return what F exceeds by chance with the probability of 0.1."""
    from scipy.special import fdtri  # noqa: PLC0415 - only tests need it

    return np.asarray(fdtri(p, (n - 2) * p, 1 - SIGNIFICANCE))


def beale_probability(gain: Gain, n: Points, p: Dimensions) -> Floats:
    """Return the probability of a larger F by chance."""
    from scipy.special import fdtrc  # noqa: PLC0415

    return np.asarray(fdtrc(p, (n - 2) * p, beale_value(gain, n, p)))


@sweep_index(
    best=not_above_critical,
    bounds=(0, inf),
    degree=0,
    reference="beale1969; milligan1985",
    clusters=(1, 1),
    undefined=TWO,
    details={"critical": beale_quantile, "p_value": beale_probability},
)
def beale(gain: Gain, n: Points, p: Dimensions) -> Floats:
    r"""How much less scatter the two halves of the next cluster to be cut have than even points would, as an F ratio.

    .. math:: \frac{(J_1 - J_2) / J_2}{\frac{n - 1}{n - 2} \left(2^{2/p} - 1\right)}

    compared with F of p and (n - 2) p degrees of freedom: the best number of clusters is the first whose p-value is at
    least 0.10. `Sweep.details` has the "critical" value and the "p_value". This is what NbClust computes; its manual
    prints the denominator as (n - 1) / (n - 2) 2^(2/p) - 1. Needs a hierarchy. Here 6 / (3/2 * 3), then 3 / (2 * 3):

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> sweep(X, [[0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2], [0, 0, 1, 2, 2, 3]], "beale")["beale"]
    array([1.33333333, 0.5       ,        nan])
    """
    return beale_value(gain, n, p)


def mean_within(s: PairSums) -> Value:
    """Return the mean distance of two points of the same cluster."""
    return np.divide(s.within, s.pairs_within)


def mean_between(s: PairSums) -> Value:
    """Return the mean distance of two points of different clusters."""
    return np.divide(s.between, s.pairs_between)


@sweep_index(
    best=end_of_values_below_one,
    bounds=(-inf, inf),
    degree=0,
    reference="frey1972; milligan1985",
    undefined="mean distances do not change, or there are no two points in one cluster",
)
def frey(
    within: Annotated[Floats, Curve(mean_within)],
    within_finer: Annotated[Floats, Curve(mean_within, "finer")],
    between: Annotated[Floats, Curve(mean_between)],
    between_finer: Annotated[Floats, Curve(mean_between, "finer")],
) -> Floats:
    r"""How the mean distance between clusters changes by the next cut, over how that within them does.

    .. math:: \frac{\bar b_{k+1} - \bar b_k}{\bar w_{k+1} - \bar w_k}

    with the mean distance of two points of different clusters, b, and of one cluster, w. As clusters are merged it ends
    below 1; the best number is the one before that. Needs a hierarchy. Here, with {0, 2} cut last, w is 18/7, 6/4 and
    4/3, and b is 72/8, 84/11 and 86/12:

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> sweep(X, [[0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2], [0, 1, 2, 3, 3, 3]], "frey")["frey"]
    array([1.27272727, 2.81818182,        nan])
    """
    return (between_finer - between) / (within_finer - within)
