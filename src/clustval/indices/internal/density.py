"""Clusters as dense places with sparse places between them."""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.errors import UndefinedIndexError
from clustval.registry import internal_index
from clustval.rules import lowest
from clustval.stats.densities import Densities
from clustval.stats.moments import Moments


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="halkidi2001; desgraupes2017, eq. 88")
def s_dbw(m: Moments, q: Densities) -> float:
    r"""Mean scatter of the clusters, plus mean density halfway between two clusters against that at their centres.

    .. math:: \frac{\frac{1}{k} \sum_c \lVert V_c \rVert}{\lVert V \rVert} + \frac{2}{k (k - 1)} \sum_{a < b}
              \frac{\gamma_{ab}(m_{ab})}{\max(\gamma_{ab}(\mu_a), \gamma_{ab}(\mu_b))}

    where gamma counts the points of both clusters nearer than sigma, the root of the summed norms of the variance
    vectors over k. A pair with no point near centres or midpoint adds 0. Here {0, 2, 4} and {5, 8, 11} have
    variances 8/3 and 6, sigma = sqrt(26/3) / 2 = 1.47, total variance 40/3; one point lies near each centre, 2 and
    8, and two near the midpoint 5: 13/40 + 2/1:

    >>> s_dbw([[0], [2], [4], [5], [8], [11]], [0, 0, 0, 1, 1, 1])
    2.325
    """
    scatter = np.divide(m.variance_norms.mean(), np.linalg.norm(m.total_by_dimension / m.n))
    rows, columns = np.triu_indices(m.k, 1)
    middle = q.at_midpoints[rows, columns] + q.at_midpoints[columns, rows]
    centre_of_row = q.at_centres[rows, rows] + q.at_centres[columns, rows]
    centre_of_column = q.at_centres[columns, columns] + q.at_centres[rows, columns]
    densest = np.maximum(centre_of_row, centre_of_column)
    if ((densest == 0) & (middle > 0)).any():
        msg = "s_dbw divides by a density of 0: no point of two clusters lies near their centres, but some do between."
        raise UndefinedIndexError(msg)
    return scatter + (middle / np.maximum(densest, 1)).mean()
