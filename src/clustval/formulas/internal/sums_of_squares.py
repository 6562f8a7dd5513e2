"""Sums of squared deviations: T in all, W within clusters, B between their means; T = W + B.

Examples use six points on a line in three clusters, {0, 2}, {7} and {10, 11, 12}: their means are 1, 7 and 11,
the mean of all is 7, the squares within are 2, 0 and 2, and between 2*36 + 0 + 3*16 = 120.
"""

from __future__ import annotations

from math import e, inf

import numpy as np

from clustval.declare import Value
from clustval.options import Base
from clustval.rules import highest, knee_of_fall, knee_of_rise
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.radii import Radii
from clustval.stats.points.moments import MeanGaps, Moments


@internal_index(
    aliases=("ch", "vrc", "variance_ratio"),
    best=highest,
    bounds=(0, inf),
    degree=0,
    reference="calinski1974, eq. 3",
)
def calinski_harabasz(m: Moments) -> Value:
    r"""Variance between clusters over variance within them.

    .. math:: \frac{B / (k - 1)}{W / (n - k)}

    Here B / 2 = 60 and W / 3 = 4 / 3:

    >>> calinski_harabasz([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    45.0
    """
    return (m.between / (m.k - 1)) / (m.within / (m.n - m.k))


@internal_index(
    best=knee_of_fall, bounds=(0, inf), degree=2, reference="edwards1965", clusters=(1, 0), aliases=("wgss",)
)
def trace_w(m: Moments) -> Value:
    r"""Sum of squared distances of the points to the mean of their cluster.

    .. math:: W = \sum_c \sum_{i \in c} \lVert x_i - \mu_c \rVert^2

    >>> trace_w([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    4.0
    """
    return m.within


@internal_index(best=knee_of_fall, bounds=(0, inf), degree=2, reference="milligan1985", clusters=(1, 1))
def trace_cov_w(m: Moments) -> Value:
    r"""Pooled variance within clusters, summed over dimensions.

    .. math:: W / (n - k)

    Here 4 / 3:

    >>> trace_cov_w([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    1.33333333
    """
    return m.within / (m.n - m.k)


def mean_squares(m: Moments) -> Value:
    """Return the mean squared distance of the points of each cluster to its mean."""
    return m.within_by_cluster / m.mass


@internal_index(
    best=knee_of_fall, bounds=(0, inf), degree=2, reference="ball1965", clusters=(1, 0), by_cluster=mean_squares
)
def ball_hall(m: Moments) -> Value:
    r"""Mean, over clusters, of the mean squared distance of their points to their mean.

    .. math:: \frac{1}{k} \sum_c \frac{W_c}{n_c}

    Here the clusters have 2/2, 0/1 and 2/3, so (1 + 0 + 2/3) / 3:

    >>> ball_hall([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.55555556
    """
    return mean_squares(m).mean(-1)


@internal_index(best=knee_of_fall, bounds=(0, inf), degree=1, reference="vendramin2010, eq. 47", clusters=(1, 0))
def ball_hall_unsquared(r: Radii) -> Value:
    r"""Mean distance, not squared, of the points to the mean of their cluster.

    .. math:: \frac{1}{n} \sum_c \sum_{i \in c} \lVert x_i - \mu_c \rVert

    Here (1 + 1 + 0 + 1 + 0 + 1) / 6:

    >>> ball_hall_unsquared([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.66666667
    """
    return r.inside / r.n


@internal_index(
    best=knee_of_fall,
    bounds=(-inf, inf),
    degree=None,
    reference="banfield1993",
    clusters=(1, 0),
    aliases=("banfield_raftery",),
)
def banfeld_raftery(m: Moments) -> Value:
    r"""Sum over clusters of their size times the log of their mean squared distance to the mean.

    .. math:: \sum_c n_c \log (W_c / n_c)

    Minus infinity if a cluster has no extent, as a single point. Here 2 log 1 + 4 log(6 / 4):

    >>> banfeld_raftery([[0], [2], [10], [11], [12], [13.0]], [0, 0, 1, 1, 1, 1])
    0.89257421
    """
    return (m.mass * np.log(mean_squares(m))).sum(-1)


@internal_index(best=knee_of_rise, bounds=(-inf, inf), degree=0, reference="hartigan1975")
def log_ss_ratio(m: Moments, *, base: Base = e) -> Value:
    r"""Logarithm of the sum of squares between clusters over that within them.

    .. math:: \log (B / W)

    Here log(120 / 4):

    >>> log_ss_ratio([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    3.40119738
    """
    return np.log(np.divide(m.between, m.within)) / np.log(base)


@internal_index(best=knee_of_rise, bounds=(-inf, inf), degree=0, reference="vendramin2010, eq. 46")
def log_ss_ratio_pairwise(m: Moments, between: MeanGaps, *, base: Base = 10) -> Value:
    r"""Logarithm of the squares between all pairs of cluster means over the squares within clusters.

    .. math:: \log_{10} \frac{1}{W} \sum_{a < b} \frac{\lVert \mu_a - \mu_b \rVert^2}{1/n_a + 1/n_b}

    Equal to `log_ss_ratio` (in another base) for two clusters only. Here the sum is
    36 / 1.5 + 100 / (5/6) + 16 / (4/3) = 24 + 120 + 12 = 156, over W = 4:

    >>> log_ss_ratio_pairwise([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    1.59106461
    """
    squares = between.gaps.squares(m.mass, n_jobs=between.n_jobs) / 2
    return np.log(np.divide(squares, m.within)) / np.log(base)


def mean_over_dimensions(m: Moments, values: Value) -> Value:
    """Return the mean of the values of the dimensions that are not constant."""
    return np.divide(np.where(m.varies, values, 0).sum(-1), m.varies.sum(-1))


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="ratkowsky1978",
    clusters=(1, 0),
    undefined="every dimension is constant",
)
def ratkowsky_lance(m: Moments) -> Value:
    r"""Root of the mean share of variance that lies between clusters, per dimension, over the root of k.

    .. math:: \sqrt{\frac{1}{k} \cdot \frac{1}{p} \sum_j \frac{B_j}{T_j}}

    Constant dimensions are left out of the mean. Here sqrt(120 / 124 / 3):

    >>> ratkowsky_lance([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.56796183
    """
    return np.sqrt(mean_over_dimensions(m, m.between_by_dimension / m.total_by_dimension) / m.k)


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="vendramin2010, eq. 31",
    clusters=(1, 0),
    undefined="every dimension is constant",
    aliases=("c_sqrt_k",),
)
def ratkowsky_lance_mean_root(m: Moments) -> Value:
    r"""Mean, over dimensions, of the root of the share of variance between clusters, over the root of k.

    .. math:: \frac{1}{\sqrt k} \cdot \frac{1}{p} \sum_j \sqrt{\frac{B_j}{T_j}}

    The mean of roots, where `ratkowsky_lance` takes the root of the mean; equal in one dimension:

    >>> ratkowsky_lance_mean_root([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.56796183
    """
    return mean_over_dimensions(m, np.sqrt(m.between_by_dimension / m.total_by_dimension)) / np.sqrt(m.k)
