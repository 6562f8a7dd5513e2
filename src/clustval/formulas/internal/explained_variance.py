"""The share of the scatter of all points that clusters explain, as it is and against what uniform points would give."""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.rules import highest, knee_of_rise
from clustval.sources.clustered_points import internal_index
from clustval.stats.points.moments import Moments
from clustval.stats.points.principal_axes import PrincipalAxes


def unexplained(m: Moments) -> Value:
    """Return the share of the scatter that is left within clusters."""
    return np.divide(m.within, m.within + m.between)


@internal_index(
    best=knee_of_rise,
    bounds=(0, 1),
    degree=0,
    reference="sharma1996",
    clusters=(1, 0),
    undefined="all points are equal",
    aliases=("rsq",),
)
def r_squared(m: Moments) -> Value:
    r"""Share of the sum of squares that lies between clusters.

    .. math:: R^2 = 1 - W / T

    Here W = 2 + 0 + 2 and T = 4 + 120:

    >>> r_squared([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.96774194
    """
    return np.divide(m.between, m.within + m.between)


def expected_r_squared(n: float, k: int, s: Floats) -> tuple[float, int]:
    """Return R squared of points spread evenly over a box with these sides, cut into k cubes, and along how many axes.

    `s` are the sides, the longest first; an axis is cut where its side is as long as the edge of a cube.
    """
    s = s[s > 0]
    s = np.ldexp(s, -np.frexp(s[:1])[1])  # of the sides, only ratios matter
    axes = np.arange(1, min(len(s), k - 1) + 1)
    if len(axes) == 0:
        return np.nan, 0
    edges = np.exp((np.cumsum(np.log(s[: len(axes)])) - np.log(k)) / axes)
    cut = int(axes[s[: len(axes)] >= edges * (1 - ROUNDING_OF_VALUES)][-1])  # the first axis always is
    u = s / edges[cut - 1]
    within = (1 / (n + u[:cut])).sum() + (u[cut:] ** 2 / (n + u[cut:])).sum()
    return 1 - within / (u**2).sum() * ((n - k) ** 2 / n) * (1 + 4 / n), cut


@internal_index(
    best=highest,
    bounds=(-inf, inf),
    degree=0,
    reference="sarle1983",
    undefined="all points are equal, or the expected R squared is not positive",
    aliases=("cubic_clustering_criterion",),
)
def ccc(m: Moments, axes: PrincipalAxes) -> Value:
    r"""Cubic clustering criterion: how much more of the scatter is explained than in evenly spread points.

    .. math:: \log \frac{1 - E(R^2)}{1 - R^2} \cdot \frac{\sqrt{n p^* / 2}}{(0.001 + E(R^2))^{1.2}}

    E(R²) is what cubes would explain of points spread evenly over a box with the sides s_1 ≥ ... ≥ s_p, roots of the
    eigenvalues of T / (n - 1): with c = (s_1 ... s_{p*} / k)^(1/p*), u_j = s_j / c and p* the largest number below k
    for which u_{p*} ≥ 1,

    .. math:: E(R^2) = 1 - \frac{\sum_{j \le p^*} \frac{1}{n + u_j} + \sum_{j > p^*} \frac{u_j^2}{n + u_j}}
        {\sum_j u_j^2} \cdot \frac{(n - k)^2}{n} \left(1 + \frac 4 n\right)

    Values above 2 or 3 speak for clusters, negative ones for none. It is meant for more than ten points in each
    cluster and columns that are not much correlated. Here p* = 1 and u = k = 3, so that E(R²) = 1 - (1/9 / 9) (9/6)
    (10/6) = 0.96913580 where R² = 120/124; log(0.0308642 / 0.0322581) sqrt(3) / 0.97013580^1.2:

    >>> ccc([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    -0.0793416
    """
    expected, cut = expected_r_squared(m.n, m.k, axes.lengths)
    return np.log((1 - expected) / unexplained(m)) * np.sqrt(m.n * cut / 2) / np.power(0.001 + expected, 1.2)
