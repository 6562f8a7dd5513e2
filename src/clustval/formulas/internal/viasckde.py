"""Whether the closest point is of the own cluster, weighed by density (VIASCKDE)."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import AboveOr
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.density.viasckde import ScaledDensities
from clustval.stats.neighbours.closest import ClosestPoints

Bandwidth = Annotated[float | str, AboveOr(0, "scott")]


def weighed_contrasts(c: ClosestPoints, d: ScaledDensities) -> Floats:
    """Return for each point how much closer its own cluster is than another one, times its density."""
    larger = np.maximum(c.own, c.other)
    apart = np.isfinite(larger) & (larger > 0)
    return np.where(apart, (c.other - c.own) / larger * d.scaled, 0.0)


@internal_index(
    best=highest,
    bounds=(-1, 1),
    degree=None,
    reference="senol2022",
    points=weighed_contrasts,
)
def viasckde(c: ClosestPoints, d: ScaledDensities, *, bandwidth: Bandwidth = 0.05) -> Value:
    r"""Mean, over points, of how much closer the own cluster is than another one, weighed by the density at the point.

    .. math:: \frac{1}{n} \sum_i w_i \frac{b_i - a_i}{\max(a_i, b_i)}

    a is the distance to the closest other point of the own cluster, b that to the closest point of any other. w is
    the Gaussian kernel estimate of density from all points, scaled so that it runs from 0 to 1 in each cluster; 0 if
    the cluster has one density throughout. A cluster of one point adds 0. The author's `bandwidth` of 0.05 presumes
    that every column was scaled to run from 0 to 1: on other data it says little. With ``"scott"`` the bandwidth is
    the standard deviation of a column, on average, times :math:`n^{-1 / (p + 4)}`, which suits data of any size.
    Here, with a bandwidth that only neighbouring points feel, the densities at {0, 1, 2} are as 1 + e, 1 + 2 e and
    1 + e for some e, so that w = 0, 1, 0; those at {9, 10} are equal. Of all points 1 alone counts, with 1 - 1/8:

    >>> viasckde([[0], [1], [2], [9], [10]], [0, 0, 0, 1, 1], bandwidth=0.3)
    0.175
    """
    return weighed_contrasts(c, d).mean(-1)
