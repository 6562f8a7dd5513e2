"""Hennig's statistics of how dense clusters are, and how evenly: distances to a neighbour of the same cluster.

Clusters with no more points than neighbours are looked at are left out. In the examples, of {0, 2}, {7} and
{10, 11, 12} on a line, only the last has points with two neighbours: 2, 1 and 2 away.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.formulas.internal.hennig_distances import turned
from clustval.options import AtLeast
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.neighbours.closest import OwnNeighbours
from clustval.stats.neighbours.neighbour_span import NeighbourSpan

Count = Annotated[int, AtLeast(1)]


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="hennig2019",
    undefined="no cluster has more points than neighbours are looked at, or these are all 0 apart",
)
def hennig_mnnd(q: OwnNeighbours, w: NeighbourSpan, *, neighbours: Count = 2) -> Value:
    r"""How small the mean distance to a near neighbour of the same cluster is.

    .. math:: 1 - \frac{\mathrm{mean}_i \, d(i, nn_i)}{\max_i d(i, NN_i)}

    with nn the neighbour of the given number among the points of the cluster, and NN among all points. Here the largest
    distance to a second nearest point is that of 0 to 7: 1 - (5/3) / 7:

    >>> hennig_mnnd([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.76190476
    """
    last = q.distances[..., neighbours - 1]
    there = np.isfinite(last)
    return turned(np.divide(np.where(there, last, 0.0).sum(-1) / there.sum(-1), w.largest))


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="hennig2019, sec. 3.7",
    undefined="no cluster has more points than neighbours are looked at, or those of one are all 0 apart",
)
def hennig_cvnnd(q: OwnNeighbours, *, neighbours: Count = 2) -> Value:
    r"""How even the density inside clusters is: how little the distance to a near neighbour varies, relatively.

    .. math:: 1 - \frac{1}{\sqrt n} \cdot \frac{\sum_c n_c \, s_c / m_c}{\sum_c n_c}

    with m and s the mean and the standard deviation (divided by the number less 1), over the points of a cluster, of
    the distance to their neighbour of the given number in it. The root of n is the largest possible value. Here
    m = 5/3 and s**2 = 1/3: 1 - 0.34641016 / sqrt(6):

    >>> hennig_cvnnd([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.85857864
    """
    last = q.distances[..., neighbours - 1]
    large = q.sizes > neighbours
    values = np.where(np.isfinite(last), last, 0.0)
    means = q.mean_by_cluster(values)
    squares = q.mean_by_cluster((values - means.ravel().take(q.cells)) ** 2) * q.sizes
    deviations = np.sqrt(squares / np.maximum(q.sizes - 1, 1))
    variation = np.where(large, deviations / np.where(large, means, 1.0), 0.0)
    return turned((q.sizes * variation).sum(-1) / np.where(large, q.sizes, 0).sum(-1) / np.sqrt(q.n))
