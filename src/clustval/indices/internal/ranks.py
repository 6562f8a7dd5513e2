"""Distances within clusters ranked among those between them; equal distances count for neither side.

Examples use the points {0, 2}, {7} and {10, 11, 12} on a line: distances 2, 1, 1, 2 within, and 7, 5, 10, 11, 12,
8, 9, 10, 3, 4, 5 between; every distance within is smaller than every one between. With 2 and 7 exchanged the
clusters are {0, 7}, {2} and {10, 11, 12}.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np

from clustval.errors import UndefinedIndexError
from clustval.registry import internal_index
from clustval.rules import highest, lowest
from clustval.stats.pairs import PairSums
from clustval.stats.ranks import Concordance, ExtremeSums


@internal_index(best=lowest, bounds=(0, 1), degree=0, reference="hubert1976")
def c_index(s: PairSums, x: ExtremeSums) -> float:
    r"""Where the sum of distances within clusters lies between its smallest and largest possible values.

    .. math:: \frac{S_W - S_{min}}{S_{max} - S_{min}}

    where S_min and S_max add the N_W smallest and largest of all distances. Here, for {0, 7}, {2} and
    {10, 11, 12}, S_W = 7 + 4, S_min = 1 + 1 + 2 + 2 and S_max = 12 + 11 + 10 + 10:

    >>> c_index([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.13513514
    """
    # Rounding may put the sum a hair outside of the limits that hold for it on paper.
    return np.divide(min(max(s.within - x.smallest, 0.0), x.largest - x.smallest), x.largest - x.smallest)


def compared(c: Concordance) -> int:
    """Return the number of comparisons that are not ties; there must be one."""
    if c.plus + c.minus == 0:
        msg = "Every distance within clusters equals every distance between them: nothing can be ranked."
        raise UndefinedIndexError(msg)
    return c.plus + c.minus


@internal_index(best=highest, bounds=(-1, 1), degree=0, reference="baker1975")
def gamma(c: Concordance) -> float:
    r"""Share of comparisons in which the distance within is smaller, less the share where it is larger.

    .. math:: \frac{s^+ - s^-}{s^+ + s^-}

    Here, for {0, 7}, {2} and {10, 11, 12}, of the 4 * 11 comparisons 35 agree, 8 do not, and one is a tie:

    >>> gamma([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.62790698
    """
    return float(Fraction(c.plus - c.minus, compared(c)))


@internal_index(best=lowest, bounds=(0, 1), degree=0, reference="rohlf1974")
def g_plus(c: Concordance, s: PairSums) -> float:
    r"""Share of all pairs of distances in which one within clusters is larger than one between.

    .. math:: \frac{s^-}{N_T (N_T - 1) / 2}

    Here, for {0, 7}, {2} and {10, 11, 12}, 8 of 105:

    >>> g_plus([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.07619048
    """
    compared(c)
    return float(Fraction(2 * c.minus, s.pairs * (s.pairs - 1)))


@internal_index(best=highest, bounds=(-1, 1), degree=0, reference="rohlf1974; milligan1981")
def tau(c: Concordance, s: PairSums) -> float:
    r"""Kendall's rank correlation of the distances with whether they lead out of a cluster.

    .. math:: \frac{s^+ - s^-}{\sqrt{N_W N_B \cdot N_T (N_T - 1) / 2}}

    Ties among the distances are not taken off the denominator. Here, for {0, 7}, {2} and {10, 11, 12},
    (35 - 8) / sqrt(44 * 105):

    >>> tau([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.39723119
    """
    compared(c)
    # The product exceeds what a float holds exactly: take the root of the whole number, to 2**-64 of itself.
    square = s.pairs_within * s.pairs_between * (s.pairs * (s.pairs - 1) // 2)
    return float(Fraction((c.plus - c.minus) << 64, isqrt(square << 128)))
