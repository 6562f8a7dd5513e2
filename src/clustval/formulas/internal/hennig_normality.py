"""Hennig's statistic of the shape of clusters: how near they come to normal distributions."""

from __future__ import annotations

from clustval.declare import Value
from clustval.formulas.internal.hennig_distances import turned
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.points.normal_fit import NormalFit


@internal_index(aliases=("kdnorm",), best=highest, bounds=(0, 1), degree=0, reference="hennig2019")
def hennig_kd_normal(f: NormalFit) -> Value:
    r"""How near clusters come to normal distributions, whatever the metric.

    .. math:: 1 - \sum_c \frac{n_c}{n} \sup_x \bigl| F_c(x) - \chi^2_p(x) \bigr|

    with F the distribution of the squared Mahalanobis distances of the points of a cluster to its mean, by its own
    covariance, and chi squared that of a normal distribution in p dimensions. A cluster without a covariance that can
    be inverted is as far from normal as can be: 1, as in fpc. Here the squares are 1/2, 1/2 and 1, 0, 1, the
    differences 0.52050 at 1/2 and 0.68269 - 1/3 at 1: 1 - (2 * 0.52050 + 3 * 0.34936) / 5:

    >>> round(hennig_kd_normal([[0], [2], [10], [11], [12]], [0, 0, 1, 1, 1]), 5)
    0.58219
    """
    return turned((f.sizes * f.differences).sum(-1) / f.sizes.sum(-1))
