"""Clusters as dense places with sparse places between them."""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.declare import Value
from clustval.rules import elbow_of_fall
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.densities import Densities
from clustval.stats.points.moments import Moments

EMPTY = "no point of two clusters lies near their centres, but some lie between; or all points are equal"


@internal_index(
    best=elbow_of_fall, bounds=(0, inf), degree=0, reference="halkidi2001; desgraupes2017, eq. 88", undefined=EMPTY
)
def s_dbw(m: Moments, q: Densities) -> Value:
    r"""Mean scatter of the clusters, plus mean density halfway between two clusters over that at their centres.

    .. math:: \frac{\frac{1}{k} \sum_c \lVert V_c \rVert}{\lVert V \rVert} + \frac{2}{k (k - 1)} \sum_{a < b}
              \frac{\gamma_{ab}(m_{ab})}{\max(\gamma_{ab}(\mu_a), \gamma_{ab}(\mu_b))}

    where gamma counts the points of both clusters nearer than sigma, the root of the summed norms of the variance
    vectors over k. A pair with no point near centres or midpoint adds 0. Here {0, 2, 4} and {5, 8, 11} have
    variances 8/3 and 6, sigma = sqrt(26/3) / 2 = 1.47, total variance 40/3; one point lies near each centre, 2 and
    8, and two near the midpoint 5: 13/40 + 2/1:

    >>> s_dbw([[0], [2], [4], [5], [8], [11]], [0, 0, 0, 1, 1, 1])
    2.325
    """
    scatter = np.divide(m.variance_norms.mean(-1), m.total_variance_norm)
    middle = q.at_midpoints + q.at_midpoints.swapaxes(-1, -2)
    # Points of both clusters near the centre of the second, then of the first.
    centre = q.at_centres + q.at_centres.diagonal(axis1=-2, axis2=-1)[..., None, :]
    densest = np.maximum(centre, centre.swapaxes(-1, -2))
    ratios = np.where((densest == 0) & (middle == 0), 0, middle / densest)
    clusters = np.arange(m.k)
    between = ratios[..., clusters[:, None] < clusters].mean(-1)
    return scatter + np.where(np.isinf(between), np.nan, between)
