"""Silhouettes by medoids: how much nearer each point is to the nearest medoid than to the second nearest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.pairs.medoids import MedoidDistances


def widths(q: MedoidDistances) -> Floats:
    """Return 1 less the nearest over the second nearest distance, for each point; 0 if both are 0."""
    return np.where(q.second > 0, 1 - q.nearest / q.second, 0.0)


def neighbours(q: MedoidDistances) -> NDArray[np.int64]:
    """Return the other cluster whose medoid is nearest to each point."""
    return q.neighbour


def width_by_cluster(q: MedoidDistances) -> Floats:
    """Return the mean medoid silhouette of each cluster."""
    return q.mean_by_cluster(widths(q))


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="lenssen2022",
    points=widths,
    neighbours=neighbours,
    by_cluster=width_by_cluster,
)
def medoid_silhouette(q: MedoidDistances) -> Value:
    r"""Mean, over points, of how much nearer each is to the nearest medoid than to the second nearest.

    .. math:: \frac{1}{n} \sum_i \left( 1 - \frac{d_1(i)}{d_2(i)} \right)

    The medoid of a cluster is its point with the smallest sum of distances to the others, the first in the input if
    there are several; labels matter through the medoids alone. A point that is 0 from both has 0. Here the medoids of
    {0, 2}, {7} and {10, 11, 12} are 0, 7 and 11: (1 + (1 - 2/5) + 1 + (1 - 1/3) + 1 + (1 - 1/5)) / 6:

    >>> medoid_silhouette([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.84444444
    """
    return q.mean(widths(q))
