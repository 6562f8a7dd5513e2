"""Clusters by their farthest points.

Examples use six points on a line in three clusters, {0, 2}, {7} and {10, 11, 12}, with centres 1, 7 and 11.
"""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.declare import Value
from clustval.rules import lowest
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.radii import Radii
from clustval.stats.pairs.farthest import Covers, Farthest


def reaches(f: Farthest, r: Radii) -> Value:
    """Return the mean distance of a cluster's points to its farthest point, over the gap to the nearest centre."""
    return np.divide(f.mean_by_cluster(f.own), r.gaps.nearest)


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="chou2004", by_cluster=reaches)
def cs(f: Farthest, r: Radii) -> Value:
    r"""Mean distances of points to the farthest of their cluster over the gaps between nearest centres.

    .. math:: \sum_c \frac{1}{n_c} \sum_{i \in c} \max_{j \in c} d(x_i, x_j) \Big/
              \sum_a \min_{b \ne a} \lVert \mu_a - \mu_b \rVert

    Here the farthest are 2, 2; 0; 2, 1, 2 away, so that it is (2 + 0 + 5/3) / (6 + 4 + 4):

    >>> cs([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.26190476
    """
    return np.divide(f.mean_by_cluster(f.own).sum(-1), r.gaps.nearest.sum(-1))


def spreads_in_covers(r: Radii, c: Covers) -> Value:
    """Return the mean distance of a cluster's points to its centre in units of its distance from the point outside."""
    return np.divide(r.means, c.covers)


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="gurrutxaga2010", by_cluster=spreads_in_covers)
def cop(r: Radii, c: Covers) -> Value:
    r"""Mean distance to the centre in units of how near, all of it, the cluster comes to a point outside.

    .. math:: \frac{1}{n} \sum_c n_c \frac{\frac{1}{n_c} \sum_{i \in c} \lVert x_i - \mu_c \rVert}
              {\min_{j \notin c} \max_{i \in c} d(x_i, x_j)}

    Unverified: the formula is that of the paper as remembered; no second program agrees with it. dtwclust and CVIK take
    the smallest over the cluster's own points of the largest distance to the others. Here all of {0, 2} is within
    7 of the point 7, {7} is within 3 of 10, and {10, 11, 12} within 5 of 7: (2 * 1/7 + 0 + 3 * (2/3) / 5) / 6:

    >>> cop([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.11428571
    """
    return (r.mass * spreads_in_covers(r, c)).sum(-1) / r.n
