"""Points measured against the centres of their own and of other clusters.

Examples use six points on a line in three clusters, {0, 2}, {7} and {10, 11, 12}: centres 1, 7 and 11, mean
distances to them 1, 0 and 2/3, distances between them 6, 4 and 10.
"""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.declare import Value
from clustval.passes.centres.centre_gaps import Gaps
from clustval.rules import elbow_of_fall, highest, knee_of_fall, lowest
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.centre_contrast import CentreQuotient
from clustval.stats.centres.mean_radii import MeanRadii
from clustval.stats.centres.radii import Radii
from clustval.stats.pairs.pair_distances import Extremes
from clustval.stats.points.moments import MeanGaps, Moments


def overlaps(r: MeanRadii) -> Value:
    """Return how far each cluster overlaps the neighbour it overlaps most."""
    return r.gaps.worst_overlap(r.means, n_jobs=r.n_jobs)


@internal_index(
    aliases=("db",),
    best=lowest,
    bounds=(0, inf),
    degree=0,
    reference="davies1979, def. 5",
    by_cluster=overlaps,
)
def davies_bouldin(r: MeanRadii) -> Value:
    r"""Mean, over clusters, of how far each overlaps the neighbour it overlaps most.

    .. math:: \frac{1}{k} \sum_a \max_{b \ne a} \frac{\delta_a + \delta_b}{\lVert \mu_a - \mu_b \rVert}

    where delta is the mean distance to the centre. Here the pairs have 1/6, (2/3)/4 and (5/3)/10, all 1/6:

    >>> davies_bouldin([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.16666667
    """
    return np.add.reduce(overlaps(r), -1) / r.gaps.k


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="zaki2014, sec. 17.2")
def davies_bouldin_rms(m: Moments, between: MeanGaps) -> Value:
    r"""Davies-Bouldin with root-mean-square distances to the centre in place of mean distances.

    .. math:: \frac{1}{k} \sum_a \max_{b \ne a} \frac{\sigma_a + \sigma_b}{\lVert \mu_a - \mu_b \rVert},
              \quad \sigma_a^2 = W_a / n_a

    Here sigma is 1, 0 and sqrt(2/3); the first overlaps most with the third, 0.1816, the second with the third,
    0.2041, and the third with the second:

    >>> davies_bouldin_rms([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.19663265
    """
    spreads = np.sqrt(m.within_by_cluster / m.mass)
    return between.gaps.worst_overlap(spreads, n_jobs=between.n_jobs).mean(-1)


@internal_index(best=highest, bounds=(0, inf), degree=2, reference="pakhira2004, eq. 3")
def pbm(r: Radii) -> Value:
    r"""Squared product of spread of all points over spread within clusters, largest distance of two centres, and 1 / k.

    .. math:: \left( \frac{1}{k} \cdot \frac{\sum_i \lVert x_i - \mu \rVert}{\sum_c \sum_{i \in c}
              \lVert x_i - \mu_c \rVert} \cdot \max_{a, b} \lVert \mu_a - \mu_b \rVert \right)^2

    Here (1/3 * 24/4 * 10)**2:

    >>> pbm([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    400.0
    """
    return np.square(np.divide(r.total * r.gaps.largest, r.inside * r.k))


@internal_index(aliases=("ray_turi",), best=lowest, bounds=(0, inf), degree=0, reference="xie1991, eq. 5; ray1999")
def xie_beni(m: Moments) -> Value:
    r"""Mean squared distance to the own centre over the smallest squared distance between two centres.

    .. math:: \frac{W / n}{\min_{a < b} \lVert \mu_a - \mu_b \rVert^2}

    Here (4/6) / 16:

    >>> xie_beni([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.04166667
    """
    return np.divide(m.within / m.n, np.square(m.gaps.smallest))


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="desgraupes2017, eq. 109")
def xie_beni_closest_points(m: Moments, e: Extremes) -> Value:
    r"""Mean squared distance to the own centre over the smallest squared distance between clusters' points.

    .. math:: \frac{W / n}{\min_{a < b} \min_{i \in a, j \in b} d(x_i, x_j)^2}

    Here (4/6) / 9:

    >>> xie_beni_closest_points([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.07407407
    """
    return np.divide(m.within / m.n, np.square(e.separation))


def quotients(r: Radii) -> Value:
    """Return the distance of each point to its own centre over that to the nearest other one."""
    return np.divide(r.own, r.nearest)


def neighbours(r: Radii) -> Value:
    """Return the other cluster whose centre is nearest to each point."""
    return r.neighbour


def remainders(q: CentreQuotient) -> Value:
    """Return 1 less the mean quotient of each cluster, or 0 if that is negative."""
    return np.maximum(0, 1 - q.sums / q.mass)


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="desgraupes2017, eq. 106",
    points=quotients,
    neighbours=neighbours,
    by_cluster=remainders,
)
def wemmert_gancarski(q: CentreQuotient) -> Value:
    r"""Weighted mean, over clusters, of how much nearer points are to their own centre than to the nearest other one.

    .. math:: \frac{1}{n} \sum_c \max \Bigl\{ 0, n_c - \sum_{i \in c}
              \frac{\lVert x_i - \mu_c \rVert}{\min_{b \ne c} \lVert x_i - \mu_b \rVert} \Bigr\}

    Here the quotients are 1/7, 1/5; 0; 1/3, 0, 1/5: (2 - 12/35 + 1 + 3 - 8/15) / 6:

    >>> wemmert_gancarski([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.85396825
    """
    return (q.mass * remainders(q)).sum(-1) / q.n


def closest(gaps: Value) -> Value:
    """Return the smallest of the gaps between two different clusters."""
    if isinstance(gaps, Gaps):
        return gaps.smallest
    k, many = gaps.shape[-1], gaps.shape[:-2]
    # Without its first entry the table falls into rows that end on the diagonal.
    return gaps.reshape(*many, k * k)[..., 1:].reshape(*many, k - 1, k + 1)[..., :-1].min((-2, -1), initial=inf)


@internal_index(best=knee_of_fall, bounds=(0, inf), degree=0, reference="halkidi2000", clusters=(1, 1))
def sd_scat(m: Moments) -> Value:
    r"""Mean size of the clusters' variance vectors over that of all points.

    .. math:: \frac{1}{k} \sum_c \lVert V_c \rVert \big/ \lVert V \rVert

    where V holds the variance of each dimension. Here (1 + 0 + 2/3) / 3 over 124/6:

    >>> sd_scat([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.02688172
    """
    return np.divide(m.variance_norms.mean(-1), m.total_variance_norm)


@internal_index(best=elbow_of_fall, bounds=(0, inf), degree=-1, reference="halkidi2000", clusters=(2, 0))
def sd_dis(between: MeanGaps) -> Value:
    r"""Sum of inverse total distances between centres, times the widest over the narrowest distance.

    .. math:: \frac{D_{max}}{D_{min}} \sum_a \Bigl( \sum_{b} \lVert \mu_a - \mu_b \rVert \Bigr)^{-1}

    Here 10/4 * (1/16 + 1/10 + 1/14):

    >>> sd_dis([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.58482143
    """
    gaps = between.gaps
    return np.divide(gaps.largest, gaps.smallest) * np.divide(1, gaps.sums(n_jobs=between.n_jobs)).sum(-1)
