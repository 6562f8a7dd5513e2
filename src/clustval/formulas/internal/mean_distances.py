"""Mean distances within clusters weighed against those between them.

Examples use the points {0, 2}, {7} and {10, 11, 12} on a line. The distances within are 2; 1, 1, 2 (4 pairs, sum
6); between the first and second cluster 7 + 5, the first and third 10 + 11 + 12 + 8 + 9 + 10, the second and
third 3 + 4 + 5 (11 pairs, sum 12 + 60 + 12 = 84).
"""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.declare import Value
from clustval.rules import elbow_of_rise, highest, knee_of_fall, knee_of_rise, lowest
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.radii import Radii
from clustval.stats.pairs.pair_distances import PairSums


@internal_index(
    aliases=("beta_cv",), best=knee_of_fall, bounds=(0, inf), degree=0, reference="mcclain1975; zaki2014, sec. 17.2"
)
def mcclain_rao(s: PairSums) -> Value:
    r"""Mean distance within clusters over mean distance between them.

    .. math:: \frac{S_W / N_W}{S_B / N_B}

    Here (6/4) / (84/11):

    >>> mcclain_rao([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.19642857
    """
    return np.divide(s.within / s.pairs_within, s.between / s.pairs_between)


@internal_index(best=knee_of_rise, bounds=(0, inf), degree=0, reference="vendramin2010, eq. 48")
def mcclain_rao_inverse(s: PairSums) -> Value:
    r"""Mean distance between clusters over mean distance within them.

    .. math:: \frac{S_B / N_B}{S_W / N_W}

    Here (84/11) / (6/4):

    >>> mcclain_rao_inverse([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    5.09090909
    """
    return np.divide(s.between / s.pairs_between, s.within / s.pairs_within)


@internal_index(best=highest, bounds=(-1, 1), degree=0, reference="milligan1981; vendramin2010, eq. 30")
def point_biserial(s: PairSums) -> Value:
    r"""Correlation of the distance of two points with their being in different clusters.

    .. math:: \frac{(S_B / N_B - S_W / N_W) \sqrt{N_W N_B} / N_T}{s_d}

    where s_d is the standard deviation of all distances (divided by their number). Here the means are 84/11 and
    6/4, the variance of the fifteen distances 744/15 - 6**2:

    >>> point_biserial([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.73582868
    """
    return np.divide(-separation(s), np.sqrt(spread(s)))


def spread(s: PairSums) -> Value:
    """Return the variance of all distances, NaN if they are equal: nothing correlates with them."""
    return np.where(s.variance > 0, s.variance, np.nan)


@internal_index(best=lowest, bounds=(-inf, inf), degree=1, reference="desgraupes2017, eq. 70")
def point_biserial_unscaled(s: PairSums) -> Value:
    r"""Mean distance within less mean distance between clusters, times the root of their shares of the pairs.

    .. math:: (S_W / N_W - S_B / N_B) \sqrt{N_W N_B} / N_T

    Negative when clusters are apart; `point_biserial` is its negative over s_d. Here
    (6/4 - 84/11) * sqrt(44) / 15:

    >>> point_biserial_unscaled([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    -2.71360210
    """
    return separation(s)


def separation(s: PairSums) -> Value:
    """Return the mean distance within less that between, times sqrt(N_W N_B) / N_T."""
    difference = s.within / s.pairs_within - s.between / s.pairs_between
    return difference * np.sqrt(np.float64(s.pairs_within) * s.pairs_between) / s.pairs


@internal_index(best=elbow_of_rise, bounds=(0, inf), degree=0, reference="zaki2014, sec. 17.2", clusters=(1, 0))
def normalized_cut(s: PairSums) -> Value:
    r"""Sum, over clusters, of the share of the distances of their points that is to points of other clusters.

    .. math:: \sum_c \frac{W(c, \bar c)}{W(c, c) + W(c, \bar c)}

    W adds the distances between two sets, each pair inside one set twice. Large is good, since these are
    distances, not affinities. Here 72/76 + 24/24 + 72/80:

    >>> normalized_cut([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    2.84736842
    """
    inside = 2 * s.within_by_cluster
    return np.divide(_outside(s), inside + _outside(s)).sum(-1)


@internal_index(best=lowest, bounds=(-1, 1), degree=0, reference="zaki2014, sec. 17.2", clusters=(1, 0))
def modularity(s: PairSums) -> Value:
    r"""Share of the sum of distances that lies inside clusters, less the share expected by chance from their totals.

    .. math:: \sum_c \left( \frac{W(c, c)}{W(V, V)} - \left( \frac{W(c, V)}{W(V, V)} \right)^2 \right)

    Small is good, since these are distances, not affinities. Here W(c, c) = 4, 0, 8; W(c, V) = 76, 24, 80;
    W(V, V) = 180: 12/180 - (76**2 + 24**2 + 80**2) / 180**2:

    >>> modularity([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    -0.32691358
    """
    inside = 2 * s.within_by_cluster
    reach = inside + _outside(s)
    total = reach.sum(-1, keepdims=True)
    return np.divide(inside, total).sum(-1) - (np.divide(reach, total) ** 2).sum(-1)


def _outside(s: PairSums) -> Value:
    """Return the sum of distances from each cluster to all others."""
    return s.sums.sum(-1) - s.within_by_cluster


@internal_index(best=knee_of_rise, bounds=(0, inf), degree=2, reference="zaki2014, eq. 17.28", clusters=(1, 0))
def hubert(s: PairSums, r: Radii) -> Value:
    r"""Mean, over pairs of points, of their distance times the distance of their clusters' centres.

    .. math:: \frac{1}{N_T} \sum_{i < j} d(x_i, x_j) \, d(\mu_{c(i)}, \mu_{c(j)})

    Here the centres are 6, 10 and 4 apart: (12 * 6 + 60 * 10 + 12 * 4) / 15:

    >>> hubert([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    48.0
    """
    return np.divide(_products(s, r), s.pairs)


def _products(s: PairSums, r: Radii) -> Value:
    """Return the sum over pairs of their distance times that of their centres."""
    return np.triu(s.sums * r.gaps.table, 1).sum((-2, -1))


@internal_index(best=knee_of_rise, bounds=(-1, 1), degree=0, reference="zaki2014, eq. 17.15", clusters=(2, 0))
def hubert_normalized(s: PairSums, r: Radii) -> Value:
    r"""Correlation, over pairs of points, of their distance with the distance of their clusters' centres.

    .. math:: \mathrm{corr}_{i < j} \bigl( d(x_i, x_j), d(\mu_{c(i)}, \mu_{c(j)}) \bigr)

    Here the distances have mean 6 and variance 13.6, those of centres mean 84/15 = 5.6 and variance
    720/15 - 5.6**2 = 16.64, their products mean 48: (48 - 6 * 5.6) / sqrt(13.6 * 16.64):

    >>> hubert_normalized([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.95723017
    """
    shares, gaps = np.triu(s.mass[..., :, None] * s.mass[..., None, :], 1) / s.pairs, r.gaps.table
    mean = (shares * gaps).sum((-2, -1))
    # The pairs inside clusters have centres 0 apart.
    inside = s.pairs_within / s.pairs * np.square(mean)
    variance = (shares * (gaps - mean[..., None, None]) ** 2).sum((-2, -1)) + inside
    covariance = _products(s, r) / s.pairs - mean * (s.within + s.between) / s.pairs
    return np.divide(covariance, np.sqrt(variance * spread(s)))
