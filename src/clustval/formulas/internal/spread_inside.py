"""How far points spread inside their clusters, in the unit of the data or its square.

Examples use the points {0, 2}, {7} and {10, 11, 12} on a line: their means are 1, 7 and 11, their squares within 2, 0
and 2.
"""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.declare import Value
from clustval.rules import knee_of_fall
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.radii import Radii
from clustval.stats.points.moments import Moments


@internal_index(best=knee_of_fall, bounds=(0, inf), degree=1, reference="sharma1996", clusters=(1, 1))
def rmsstd(m: Moments) -> Value:
    r"""Root of the pooled variance within clusters, mean over dimensions.

    .. math:: \sqrt{\frac{W}{p (n - k)}}

    Here sqrt(4 / 3):

    >>> rmsstd([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    1.15470054
    """
    return np.sqrt(m.within / (m.p * (m.n - m.k)))


@internal_index(best=knee_of_fall, bounds=(0, inf), degree=2, reference="ball1965; milligan1985", clusters=(1, 0))
def ball_hall_sums(m: Moments) -> Value:
    r"""Mean, over clusters, of the sum of squared distances of their points to their mean.

    .. math:: W / k

    `ball_hall` takes the mean of the squares of each cluster in place of their sum. Here 4 / 3:

    >>> ball_hall_sums([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    1.33333333
    """
    return m.within / m.k


def mean_radii(r: Radii) -> Value:
    """Return the mean distance of the points of each cluster to its mean."""
    return r.means


@internal_index(
    best=knee_of_fall,
    bounds=(0, inf),
    degree=1,
    reference="lebart2000; charrad2014",
    clusters=(1, 0),
    by_cluster=mean_radii,
)
def lebart_d(r: Radii) -> Value:
    r"""Mean, over clusters, of the mean distance of their points to their mean.

    .. math:: \frac 1 k \sum_c \frac{1}{n_c} \sum_{i \in c} \lVert x_i - \mu_c \rVert

    `ball_hall_unsquared` takes the mean over points. Here (1 + 0 + 2/3) / 3:

    >>> lebart_d([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.55555556
    """
    return mean_radii(r).mean(-1)
