r"""Clusters as samples of normal distributions: how likely they are, and what their number costs.

Examples use the corners of two squares of side 2, the second moved by (10, 0): each cluster has 4 points, mean squared
distances of 1 along each axis, and W = 16.
"""

from __future__ import annotations

from math import inf, log, pi
from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.options import OneOf
from clustval.rules import highest, knee_of_fall, lowest
from clustval.sources.clustered_points import internal_index
from clustval.stats.points.label_mixture import LabelMixture
from clustval.stats.points.moments import Moments
from clustval.stats.points.scatter import Scatter

FLAT = "a cluster spans fewer directions than X has columns, so that its covariance has no volume"
POINTS = "every cluster is a point or points that are equal, so that their variance is 0 and their likelihood infinite"

Entropy = Annotated[str, OneOf("hard", "soft")]


@internal_index(best=knee_of_fall, bounds=(-inf, inf), degree=0, reference="lagofernandez2010", undefined=FLAT)
def negentropy_increment(s: Scatter, m: Moments) -> Value:
    r"""How much farther from normal the clusters are on average than all points; negative if they are nearer.

    .. math:: \sum_c \pi_c \left( \tfrac{1}{2} \ln |S_c| - \ln \pi_c \right) - \tfrac{1}{2} \ln |S|

    with pi the shares of the points, S_c = W_c / (n_c - 1) and S = T / (n - 1). The paper takes the lowest value;
    it falls with the number of clusters, so that we look for the bend. Here det S_c = (4/3)**2 for both
    and det S = (208 / 7) (8 / 7): ln(4/3) + ln 2 - ln(33.9592) / 2:

    >>> negentropy_increment([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    -0.78175041
    """
    shares = m.mass / m.n
    volumes = s.log_dets - m.p * np.log(m.mass - 1)
    total = s.log_det_total - m.p * np.log(m.n - 1)
    increment = (shares * (volumes / 2 - np.log(shares))).sum(-1) - total / 2
    return np.where(np.isfinite(s.log_dets).all(-1), increment, np.nan)


def spherical_parameters(m: Moments) -> Value:
    """Return how many numbers describe normal clusters with one variance: shares, means, and that variance."""
    return (m.k - 1) + m.k * m.p + 1


def spherical_likelihood(m: Moments) -> Value:
    """Return the log-likelihood of clusters that are normal with the same variance in all directions."""
    variance = np.where(m.within > 0, m.within, np.nan) / (m.n * m.p)
    return _shares(m) - m.n * m.p / 2 * (np.log(2 * pi * variance) + 1)


def _shares(m: Moments) -> Value:
    return (m.mass * np.log(m.mass / m.n)).sum(-1)


@internal_index(best=lowest, bounds=(-inf, inf), degree=None, reference="schwarz1978; celeux1992", undefined=POINTS)
def kmeans_bic(m: Moments) -> Value:
    r"""Bayesian information criterion of clusters as k-means sees them: round, normal, all of one variance.

    .. math:: -2 L + q \ln n, \quad L = \sum_c n_c \ln \frac{n_c}{n} - \frac{n p}{2} (\ln (2 \pi \sigma^2) + 1), \quad
              \sigma^2 = \frac{W}{n p}, \quad q = (k - 1) + k p + 1

    Clusters that are not round it splits into too many. Here sigma = 1 and q = 6: -2 L = 16 ln 2 + 16 (ln 2 pi + 1):

    >>> kmeans_bic([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    68.97303720
    """
    return -2 * spherical_likelihood(m) + spherical_parameters(m) * log(m.n)


@internal_index(best=lowest, bounds=(-inf, inf), degree=None, reference="akaike1974; celeux1992", undefined=POINTS)
def kmeans_aic(m: Moments) -> Value:
    r"""Akaike information criterion of clusters as k-means sees them: round, normal, all of one variance.

    .. math:: -2 L + 2 q

    with L and q as for `kmeans_bic`. Here 16 ln 2 + 16 (ln 2 pi + 1) + 12:

    >>> kmeans_aic([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    68.49638795
    """
    return -2 * spherical_likelihood(m) + 2 * spherical_parameters(m)


@internal_index(best=highest, bounds=(-inf, inf), degree=None, reference="pelleg2000", undefined=POINTS)
def xmeans_bic(m: Moments) -> Value:
    r"""Bayesian information criterion of X-means: log-likelihood of round clusters less half its cost.

    .. math:: \sum_c n_c \ln \frac{n_c}{n} - \frac{n p}{2} \ln (2 \pi \sigma^2) - \frac{p (n - k)}{2}
              - \frac{q}{2} \ln n, \quad \sigma^2 = \frac{W}{p (n - k)}

    with q as for `kmeans_bic`. The paper prints the variance without p, an error that many programs copy. Here
    sigma**2 = 16 / 12: -8 ln 2 - 8 ln(8 pi / 3) - 6 - 3 ln 8:

    >>> xmeans_bic([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    -34.78797518
    """
    free = m.p * (m.n - m.k)
    variance = np.where(m.within > 0, m.within, np.nan) / free
    likelihood = _shares(m) - m.n * m.p / 2 * np.log(2 * pi * variance) - free / 2
    return likelihood - spherical_parameters(m) / 2 * log(m.n)


def full_parameters(m: Moments) -> Value:
    """Return how many numbers describe normal clusters of any shape: shares, means and covariances."""
    return (m.k - 1) + m.k * m.p + m.k * m.p * (m.p + 1) // 2


def full_bic(f: LabelMixture, m: Moments) -> Value:
    """Return the Bayesian information criterion of the mixture of the clusters."""
    return -2 * f.log_likelihood + full_parameters(m) * log(m.n)


@internal_index(best=lowest, bounds=(-inf, inf), degree=None, reference="schwarz1978; fraley2002", undefined=FLAT)
def gmm_bic(f: LabelMixture, m: Moments) -> Value:
    r"""Bayesian information criterion of the Gaussian mixture whose components are the clusters.

    .. math:: -2 L + q \ln n, \quad L = \sum_i \ln \sum_c \pi_c \, N(x_i; \mu_c, S_c), \quad
              q = (k - 1) + k p + k \frac{p (p + 1)}{2}

    with pi the shares of the points, mu the means and S_c = W_c / n_c the covariances of the clusters: one step from
    the labels towards a mixture, without fitting it. For a mixture that was fitted see `clustval.mixture.gmm_bic`. Here
    the clusters are too far apart to matter to each other, S_c = I and q = 11: 16 ln 2 pi + 16 + 16 ln 2 + 11 ln 8:

    >>> gmm_bic([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    79.37024491
    """
    return full_bic(f, m)


@internal_index(best=lowest, bounds=(-inf, inf), degree=None, reference="akaike1974; fraley2002", undefined=FLAT)
def gmm_aic(f: LabelMixture, m: Moments) -> Value:
    r"""Akaike information criterion of the Gaussian mixture whose components are the clusters.

    .. math:: -2 L + 2 q

    with L and q as for `gmm_bic`. For a mixture that was fitted see `clustval.mixture.gmm_aic`. Here
    16 ln 2 pi + 16 + 16 ln 2 + 22:

    >>> gmm_aic([[0, 0], [2, 0], [0, 2], [2, 2], [10, 0], [12, 0], [10, 2], [12, 2]], [0] * 4 + [1] * 4)
    78.49638795
    """
    return -2 * f.log_likelihood + 2 * full_parameters(m)


@internal_index(best=lowest, bounds=(-inf, inf), degree=None, reference="biernacki2000", undefined=FLAT)
def gmm_icl(f: LabelMixture, m: Moments, *, entropy: Entropy = "hard") -> Value:
    r"""Integrated completed likelihood of the Gaussian mixture whose components are the clusters.

    .. math:: -2 L + q \ln n + 2 E, \quad E_{hard} = -\sum_i \ln \max_c t_{ic}, \quad
              E_{soft} = -\sum_i \sum_c t_{ic} \ln t_{ic}

    with L and q as for `gmm_bic` and t the responsibilities of that mixture. `hard` is what mclust gives, with the
    opposite sign; `soft` the entropy as defined. Clusters that overlap cost more than under BIC. Here
    {0, 2} and {3, 5}: N(1, 1) and N(4, 1) have halves of the weight, the log densities of the own and of the other
    component differ by 15/2, 3/2, 3/2 and 15/2, so that E = 2 ln(1 + exp(-15/2)) + 2 ln(1 + exp(-3/2)); the clusters
    add -2 L + 2 E = 4 (ln 2 pi + 1 + 2 ln 2) and the cost 5 ln 4:

    >>> gmm_icl([[0], [2], [3], [5]], [0, 0, 1, 1])
    23.82815752
    """
    return full_bic(f, m) + 2 * (f.hard if entropy == "hard" else f.soft)
