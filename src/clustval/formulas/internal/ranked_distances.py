"""Distances within clusters ranked among those between them; equal distances count for neither side.

Examples use the points {0, 2}, {7} and {10, 11, 12} on a line: distances 2, 1, 1, 2 within, and 7, 5, 10, 11, 12,
8, 9, 10, 3, 4, 5 between; every distance within is smaller than every one between. With 2 and 7 exchanged the
clusters are {0, 7}, {2} and {10, 11, 12}.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from clustval.declare import Value
from clustval.rules import highest, lowest
from clustval.sources.clustered_points import internal_index
from clustval.stats.pairs.pair_distances import PairSums
from clustval.stats.ranks.rank_concordance import Concordance, ExtremeSums


@internal_index(best=lowest, bounds=(0, 1), degree=0, reference="hubert1976")
def c_index(s: PairSums, x: ExtremeSums) -> Value:
    r"""Where the sum of distances within clusters lies between its smallest and largest possible values.

    .. math:: \frac{S_W - S_{min}}{S_{max} - S_{min}}

    where S_min and S_max add the N_W smallest and largest of all distances. Here, for {0, 7}, {2} and
    {10, 11, 12}, S_W = 7 + 4, S_min = 1 + 1 + 2 + 2 and S_max = 12 + 11 + 10 + 10:

    >>> c_index([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.13513514
    """
    # Rounding may put the sum a hair outside of the limits that hold for it on paper, also where they are the same.
    span = np.subtract(x.largest, x.smallest)
    return np.clip(np.divide(s.within - x.smallest, np.where(span > 0, span, np.nan)), 0, 1)


TIED = "every distance within clusters equals every distance between them, so that nothing can be ranked"


def share(part: Any, total: Any, c: Concordance) -> Any:
    """Return part / total, NaN if all comparisons are ties. Whole numbers of any size divide exactly rounded."""
    ranked = np.asarray(c.plus + c.minus, dtype=np.float64) > 0
    return part / total if ranked.all() else np.where(ranked, np.divide(part, total), np.nan)


@internal_index(best=highest, bounds=(-1, 1), degree=0, reference="baker1975", undefined=TIED)
def gamma(c: Concordance) -> Value:
    r"""Share of comparisons in which the distance within is smaller, less the share where it is larger.

    .. math:: \frac{s^+ - s^-}{s^+ + s^-}

    Here, for {0, 7}, {2} and {10, 11, 12}, of the 4 * 11 comparisons 38 agree, 5 do not, and one is a tie:

    >>> gamma([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.76744186
    """
    return share(c.plus - c.minus, c.plus + c.minus, c)


@internal_index(best=lowest, bounds=(0, 1), degree=0, reference="rohlf1974", undefined=TIED)
def g_plus(c: Concordance, s: PairSums) -> Value:
    r"""Share of all pairs of distances in which one within clusters is larger than one between.

    .. math:: \frac{s^-}{N_T (N_T - 1) / 2}

    Here, for {0, 7}, {2} and {10, 11, 12}, 5 of 105:

    >>> g_plus([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.04761905
    """
    return share(2 * c.minus, s.pairs * (s.pairs - 1), c)


@internal_index(best=highest, bounds=(-1, 1), degree=0, reference="rohlf1974; milligan1981", undefined=TIED)
def tau(c: Concordance, s: PairSums) -> Value:
    r"""Kendall's rank correlation of the distance of two points with their being in different clusters.

    .. math:: \frac{s^+ - s^-}{\sqrt{N_W N_B \cdot N_T (N_T - 1) / 2}}

    Ties among the distances are not taken off the denominator. Here, for {0, 7}, {2} and {10, 11, 12},
    (38 - 5) / sqrt(44 * 105):

    >>> tau([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.48550416
    """
    tied = np.sqrt(np.float64(s.pairs_within)) * np.sqrt(np.float64(s.pairs_between))
    return share(c.plus - c.minus, tied * np.sqrt(s.pairs * (s.pairs - 1) / 2), c)
