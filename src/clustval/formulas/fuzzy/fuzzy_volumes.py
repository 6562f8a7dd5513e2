"""How much room fuzzy clusters take, and how densely they fill it.

F is the covariance of a cluster around its centre v, weighted by memberships u to the power m. In the examples m is 2
and the points 0, 2, 5, 8 and 10 on a line belong to the centre 1 by 1, 1, 1/2, 0, 0, to the centre 9 by the rest: each
F is 6 / 2.25 = 8/3.
"""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.declare import Value
from clustval.rules import highest, lowest
from clustval.sources.memberships import fuzzy_index
from clustval.stats.memberships.fuzzy_scatter import FuzzyScatter, InnerMembers


def negative(p: int) -> int:
    """Return the power of a length that a density has in p dimensions."""
    return -p


def positive(p: int) -> int:
    """Return the power of a length that a volume has in p dimensions."""
    return p


@fuzzy_index(best=lowest, bounds=(0, inf), degree=positive, reference="gath1989", aliases=("fhv",))
def fuzzy_hypervolume(f: FuzzyScatter) -> Value:
    r"""Sum over clusters of the root of the determinant of their covariances: how much room they take.

    .. math:: \sum_k \sqrt{\det F_k}, \quad F_k = \frac{\sum_i u_{ik}^m (x_i - v_k)(x_i - v_k)^T}{\sum_i u_{ik}^m}

    Here 2 √(8/3):

    >>> fuzzy_hypervolume([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    3.2659863
    """
    return f.volumes.sum()


@fuzzy_index(best=highest, bounds=(0, inf), degree=negative, reference="gath1989", aliases=("pd",))
def partition_density(f: FuzzyScatter, inner: InnerMembers) -> Value:
    r"""Memberships near the centres, over the room that the clusters take.

    .. math:: \frac{\sum_k S_k}{\sum_k \sqrt{\det F_k}}, \quad
        S_k = \sum_{i: (x_i - v_k)^T F_k^{-1} (x_i - v_k) < 1} u_{ik}

    Here two points are nearer than √(8/3) to each centre, so that it is 4 / (2 √(8/3)):

    >>> partition_density([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    1.2247449
    """
    return np.divide(inner.sums.sum(), f.volumes.sum())


@fuzzy_index(best=highest, bounds=(0, inf), degree=negative, reference="gath1989", aliases=("apd",))
def average_partition_density(f: FuzzyScatter, inner: InnerMembers) -> Value:
    r"""Mean over clusters of the memberships near the centre over the room that the cluster takes.

    .. math:: \frac{1}{c} \sum_k \frac{S_k}{\sqrt{\det F_k}}, \quad
        S_k = \sum_{i: (x_i - v_k)^T F_k^{-1} (x_i - v_k) < 1} u_{ik}

    Here (2 / √(8/3) + 2 / √(8/3)) / 2:

    >>> X, U = [[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]]
    >>> average_partition_density(X, U, centres=[[1], [9]])
    1.2247449
    """
    return np.divide(inner.sums, f.volumes).mean()
