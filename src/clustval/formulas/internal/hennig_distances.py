"""Hennig's statistics of distances, each from 0 to 1 and the larger the better, so that they can be put together.

Each measures one thing that a clustering may be wanted for; `clustval.calibrate` makes them comparable. Distances are
in units of the largest of all, delta. In the examples {0, 2}, {7} and {10, 11, 12} on a line have delta = 12.
"""

from __future__ import annotations

import numpy as np

from clustval.declare import Value
from clustval.formulas.internal.mean_distances import separation, spread
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.centre_contrast import ClusterContrast
from clustval.stats.density.growth import ClusterGaps
from clustval.stats.neighbours.closest import ClosestPoints
from clustval.stats.pairs.distance_span import Span
from clustval.stats.pairs.pair_distances import Extremes, PairSums, PointMeans
from clustval.stats.pairs.squared_distances import SquaredDistances
from clustval.stats.points.cluster_sizes import ClusterSizes
from clustval.stats.points.ordered_values import OrderedValues

EQUAL = "all points are equal"
SHARE = 0.1  # of the points of a cluster that are nearest to other clusters


def clipped(value: Value) -> Value:
    """Return values below 0 as 0 and above 1 as 1."""
    return np.clip(value, 0.0, 1.0)


def turned(value: Value) -> Value:
    """Return 1 less a value of which small ones are good, within 0 and 1."""
    return clipped(1 - value)


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined=EQUAL)
def hennig_avewithin(s: PairSums, w: Span) -> Value:
    r"""How small the mean distance inside clusters is, every point counting the same: average.within of fpc.

    .. math:: 1 - \frac{1}{\delta} \cdot \frac{\sum_c n_c \bar d_c}{\sum_c n_c}

    with the mean distance of the pairs of a cluster; single points are left out. Here the means are 2 and 4/3:
    1 - (2 * 2 + 3 * 4/3) / 5 / 12:

    >>> hennig_avewithin([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.86666667
    """
    many = s.pairs_by_cluster > 0
    means = s.within_by_cluster / np.where(many, s.pairs_by_cluster, 1)
    return turned((np.where(many, s.mass * means, 0.0).sum(-1) / np.where(many, s.mass, 0).sum(-1)) / w.span)


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined=EQUAL)
def hennig_maxdiameter(e: Extremes, w: Span) -> Value:
    r"""How small the largest distance inside a cluster is.

    .. math:: 1 - \max_{c(i) = c(j)} d_{ij} / \delta

    Here 1 - 2/12:

    >>> hennig_maxdiameter([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.83333333
    """
    return turned(np.divide(e.diameter, w.span))


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined=EQUAL)
def hennig_widestgap(g: ClusterGaps, w: Span) -> Value:
    r"""How small the widest gap inside a cluster is: the longest edge of the minimum spanning tree of a cluster.

    .. math:: 1 - \max_c \max_{(i, j) \in T_c} d_{ij} / \delta

    Here, for {0, 2, 7} and {10, 11, 12}, the gap from 2 to 7: 1 - 5/12:

    >>> hennig_widestgap([[0], [2], [7], [10], [11], [12]], [0, 0, 0, 1, 1, 1])
    0.58333333
    """
    return turned(np.divide(g.longest.max(-1), w.span))


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined=EQUAL)
def hennig_minsep(e: Extremes, w: Span) -> Value:
    r"""Smallest distance between points of different clusters, over the largest distance of all.

    .. math:: \min_{c(i) \ne c(j)} d_{ij} / \delta

    Here 7 and 10 are closest: 3/12:

    >>> hennig_minsep([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.25
    """
    return clipped(np.divide(e.separation, w.span))


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined=EQUAL)
def hennig_sindex(q: ClosestPoints, w: Span) -> Value:
    r"""Mean distance to the closest point of another cluster, over the tenth of each cluster that is closest to others.

    .. math:: \frac{1}{\delta |S|} \sum_{i \in S} s_i

    with s the distance to the closest point of another cluster and S the points whose s is at most the quantile of
    their cluster at a tenth, linear between two values. It is `hennig_minsep` made robust. Here s is 7, 5; 3; 3, 4, 5,
    and 2, 7 and 10 count: (5 + 3 + 3) / 3 / 12:

    >>> hennig_sindex([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.30555556
    """
    ordered = OrderedValues.of(q, q.other)
    near = ordered.values <= np.repeat(ordered.quantiles(SHARE), ordered.sizes)
    partitions = q.codes.shape[:-1]
    values = np.where(near, ordered.values, 0.0).reshape(*partitions, -1).sum(-1)
    return clipped(np.divide(values / near.reshape(*partitions, -1).sum(-1), w.span))


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined=EQUAL, uncut=lambda c: c.mean)
def hennig_asw(c: ClusterContrast) -> Value:
    r"""Mean silhouette of the points, 0 where that is negative.

    .. math:: \max\left(0, \frac{1}{n} \sum_i \frac{b_i - a_i}{\max(a_i, b_i)}\right)

    as `silhouette`. Here (5/7 + 3/5 + 0 + 1/2 + 3/4 + 7/10) / 6:

    >>> hennig_asw([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.54404762
    """
    return clipped(c.mean)


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined="all distances are equal")
def hennig_pearson_gamma(s: PairSums) -> Value:
    r"""How well clusters represent distances: their correlation with being in different clusters, from 0 to 1.

    .. math:: \frac{1}{2} \bigl( 1 + \mathrm{corr}_{i < j}(d_{ij}, [c(i) \ne c(j)]) \bigr)

    The correlation is `point_biserial`. Here (1 + 0.73582868) / 2:

    >>> hennig_pearson_gamma([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.86791434
    """
    return clipped((1 - np.divide(separation(s), np.sqrt(spread(s)))) / 2)


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019")
def hennig_entropy(m: ClusterSizes) -> Value:
    r"""How equal the sizes of clusters are: their entropy over that of clusters of equal size.

    .. math:: -\frac{1}{\ln k} \sum_c \frac{n_c}{n} \ln \frac{n_c}{n}

    It says nothing of where points lie. Here the sizes are 2, 1 and 3: (ln 3 / 3 + ln 6 / 6 + ln 2 / 2) / ln 3:

    >>> hennig_entropy([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.92061984
    """
    return clipped(-(m.shares * np.log(m.shares)).sum(-1) / np.log(m.k))


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined=EQUAL)
def hennig_withinss(q: SquaredDistances) -> Value:
    r"""Share of the sum of squares that is not within clusters, for any distances.

    .. math:: 1 - \frac{\sum_c \frac{1}{n_c} \sum_{i < j \in c} d_{ij}^2}{\frac{1}{n} \sum_{i < j} d_{ij}^2}

    For Euclidean distances it is B / T, the share that clusters explain. Here 1 - (2 + 0 + 2) / 124:

    >>> hennig_withinss([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.96774194
    """
    return turned(np.divide(q.within, q.total))


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019", undefined=EQUAL)
def hennig_pamc(q: PointMeans, w: Span) -> Value:
    r"""How small the mean distance to the medoid of the own cluster is, the criterion of PAM.

    .. math:: 1 - \frac{1}{n \delta} \sum_c \min_{i \in c} \sum_{j \in c} d_{ij}

    Here the medoids, 0 or 2, 7 and 11, have sums 2, 0 and 2: 1 - 4 / (6 * 12):

    >>> hennig_pamc([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.94444444
    """
    least = np.full(q.sizes.size, np.inf)
    np.minimum.at(least, q.cells.ravel(), q.own.ravel())
    return turned(np.divide(least.reshape(q.sizes.shape).sum(-1), q.n * w.span))
