"""Spread inside clusters against the distances between their centres, in ways that came after the classics.

Examples use six points on a line in three clusters, {0, 2}, {7} and {10, 11, 12}: centres 1, 7 and 11, mean
distances to them 1, 0 and 2/3, distances between them 6, 4 and 10; W = 4 and B = 120.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.options import Above
from clustval.rules import elbow_of_fall, highest, lowest
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.centre_spread import CentreSpread, FarthestTenth
from clustval.stats.centres.radii import Radii
from clustval.stats.points.moments import Moments

POINTS = "every cluster is a point or points that are equal, so that the logarithm is that of 0"


def widest_other(spreads: Value) -> Value:
    """Return for each cluster the largest spread of another; minus infinity if there is none."""
    two = np.sort(np.concatenate([np.full((*spreads.shape[:-1], 1), -inf), spreads], axis=-1), axis=-1)[..., -2:]
    first = np.arange(spreads.shape[-1]) == spreads.argmax(-1)[..., None]
    return np.where(first, two[..., :1], two[..., 1:])


@internal_index(best=highest, bounds=(0, 1), degree=None, reference="saitta2007")
def score_function(r: Radii, c: CentreSpread) -> Value:
    r"""How far centres lie from the mean of all points less how far points lie from centres, bent into 0 to 1.

    .. math:: 1 - \frac{1}{e^{e^{\mathrm{bcd} - \mathrm{wcd}}}}, \quad
              \mathrm{bcd} = \frac{\sum_c n_c \lVert \mu_c - \mu \rVert}{n k}, \quad
              \mathrm{wcd} = \sum_c \frac{1}{n_c} \sum_{i \in c} \lVert x_i - \mu_c \rVert

    It depends on the unit of the data, and is 0 or 1 to all digits where that is small: compare only partitions of
    the same data. Here bcd = (2 * 6 + 0 + 3 * 4) / 18 = 4/3 and wcd = 5/3, so that it is 1 - exp(-exp(-1/3)):

    >>> score_function([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.51155642
    """
    return -np.expm1(-np.exp(c.sums.sum(-1) / (r.n * r.k) - r.means.sum(-1)))


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="zhao2014")
def wb(m: Moments) -> Value:
    r"""Number of clusters times the squares within clusters over the squares between them.

    .. math:: k W / B

    It is k (n - k) / (k - 1) over the Calinski-Harabasz index, so that both order partitions into the same number of
    clusters alike. Here 3 * 4 / 120:

    >>> wb([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.1
    """
    return np.divide(m.k * m.within, m.between)


@internal_index(best=highest, bounds=(0, inf), degree=2, reference="maulik2002")
def i_index(r: Radii, *, power: Annotated[float, Above(0)] = 2.0) -> Value:
    r"""A power of (spread of all points over spread within clusters) times the widest gap, over k.

    .. math:: \left( \frac{1}{k} \cdot \frac{\sum_i \lVert x_i - \mu \rVert}{\sum_c \sum_{i \in c}
              \lVert x_i - \mu_c \rVert} \cdot \max_{a, b} \lVert \mu_a - \mu_b \rVert \right)^{power}

    The power is 2 in the paper; then it is `pbm`. Whatever the power, partitions of the same points come in the same
    order. Here (1/3 * 24/4 * 10)**2, and its root:

    >>> i_index([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    400.0
    >>> i_index([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], power=1)
    20.0
    """
    value = np.divide(r.total * r.gaps.largest, r.inside * r.k)
    return np.square(value) if power == 2 else value**power  # a power of a number may be rounded twice, a product not


def widest_overlaps(r: Radii) -> Value:
    """Return the spread of each cluster and the widest other one, over the gap to the nearest other centre."""
    return np.divide(r.means + widest_other(r.means), r.gaps.nearest)


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="kim2005", by_cluster=widest_overlaps)
def davies_bouldin_star(r: Radii) -> Value:
    r"""Mean, over clusters, of its spread and the widest other spread over the gap to the nearest centre.

    .. math:: \frac{1}{k} \sum_a \frac{\max_{b \ne a} (\delta_a + \delta_b)}
              {\min_{b \ne a} \lVert \mu_a - \mu_b \rVert}

    where delta is the mean distance to the centre: as Davies-Bouldin, but the widest and the nearest may be two
    clusters. Here (5/3 / 6 + 1 / 4 + 5/3 / 4) / 3:

    >>> davies_bouldin_star([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.31481481
    """
    return widest_overlaps(r).mean(-1)


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="kim2005")
def xie_beni_star(m: Moments) -> Value:
    r"""Largest mean squared distance of a cluster's points to its centre over the smallest squared gap of centres.

    .. math:: \frac{\max_c W_c / n_c}{\min_{a < b} \lVert \mu_a - \mu_b \rVert^2}

    Unverified: the formula is that of the paper as remembered; no second program agrees with it. Here the clusters
    have 1, 0 and 2/3, the nearest centres are 4 apart, so that it is 1 / 16:

    >>> xie_beni_star([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.0625
    """
    return np.divide((m.within_by_cluster / m.mass).max(-1), np.square(m.gaps.smallest))


@internal_index(best=highest, bounds=(0, inf), degree=0, reference="zalik2011")
def sv(r: Radii, f: FarthestTenth) -> Value:
    r"""Gaps between nearest centres over the distances of the farthest points from their centre, both added up.

    .. math:: \sum_a \min_{b \ne a} \lVert \mu_a - \mu_b \rVert \Big/ \sum_c \frac{1}{\lceil n_c / 10 \rceil}
              \sum_{i \in F_c} \lVert x_i - \mu_c \rVert

    where F holds the tenth of a cluster's points, rounded up, that is farthest from its centre. Unverified: the
    formula is that of the paper as remembered; no second program agrees with it. Here (6 + 4 + 4) / (1 + 0 + 1):

    >>> sv([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    7.0
    """
    return np.divide(r.gaps.nearest.sum(-1), f.means.sum(-1))


@internal_index(best=elbow_of_fall, bounds=(-inf, inf), degree=None, reference="xu1997", undefined=POINTS)
def xu(m: Moments) -> Value:
    r"""Logarithm of the spread within clusters times the number of dimensions, plus that of the number of clusters.

    .. math:: p \log_2 \sqrt{\frac{W}{p n^2}} + \ln k

    The paper takes the lowest value; it falls with the number of clusters, so that we look for the bend. Unverified:
    the formula is that of the paper as remembered, the base of its second logarithm is disputed, and no second program
    agrees with it. Here log2 sqrt(4 / 36) + ln 3 = -1.58496 + 1.09861:

    >>> xu([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    -0.48635021
    """
    return m.p * np.log2(np.where(m.within > 0, m.within / (m.p * m.n**2), np.nan)) / 2 + np.log(m.k)
