"""Hennig's statistic of the shape of clusters: how near they come to normal distributions."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.formulas.internal.hennig_distances import turned
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.points.mahalanobis import MahalanobisSquares
from clustval.stats.points.ordered_values import OrderedValues


def kolmogorov(q: MahalanobisSquares) -> Floats:
    """Return for each cluster the largest difference of the two distribution functions."""
    from scipy.special import chdtr  # noqa: PLC0415 - only this index needs it

    ordered = OrderedValues.of(q, q.squares)
    expected = chdtr(np.ravel(q.p)[0], ordered.values)
    sizes = np.repeat(ordered.sizes, ordered.sizes)
    apart = np.maximum((ordered.ranks + 1) / sizes - expected, expected - ordered.ranks / sizes)
    return np.maximum.reduceat(apart, ordered.starts).reshape(ordered.shape)


@internal_index(aliases=("kdnorm",), best=highest, bounds=(0, 1), degree=0, reference="hennig2019")
def hennig_kd_normal(q: MahalanobisSquares) -> Value:
    r"""How near clusters come to normal distributions, whatever the metric.

    .. math:: 1 - \sum_c \frac{n_c}{n} \sup_x \bigl| F_c(x) - \chi^2_p(x) \bigr|

    with F the distribution of the squared Mahalanobis distances of the points of a cluster to its mean, by its own
    covariance, and chi squared that of a normal distribution in p dimensions. A cluster without a covariance that can
    be inverted is as far from normal as can be: 1, as in fpc. Here the squares are 1/2, 1/2 and 1, 0, 1, the
    differences 0.52050 at 1/2 and 0.68269 - 1/3 at 1: 1 - (2 * 0.52050 + 3 * 0.34936) / 5:

    >>> round(hennig_kd_normal([[0], [2], [10], [11], [12]], [0, 0, 1, 1, 1]), 5)
    0.58219
    """
    return turned((q.sizes * kolmogorov(q)).sum(-1) / q.sizes.sum(-1))
