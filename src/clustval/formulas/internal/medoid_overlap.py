"""How far clusters overlap, measured from their medoids: for distances that have no means."""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.declare import Value
from clustval.rules import lowest
from clustval.sources.clustered_points import internal_index
from clustval.stats.pairs.medoids import MedoidGaps, Medoids
from clustval.stats.pairs.pair_distances import PointMeans


def overlaps(q: PointMeans, medoids: Medoids, between: MedoidGaps) -> Value:
    """Return how far each cluster overlaps the neighbour it overlaps most."""
    return between.gaps.worst_overlap(np.take_along_axis(q.own, medoids.places, -1) / q.mass)


@internal_index(
    best=lowest,
    bounds=(0, inf),
    degree=0,
    reference="davies1979, def. 5, with medoids for centres",
    by_cluster=overlaps,
)
def medoid_davies_bouldin(q: PointMeans, medoids: Medoids, between: MedoidGaps) -> Value:
    r"""Mean, over clusters, of how far each overlaps the neighbour it overlaps most, measured from medoids.

    .. math:: \frac{1}{k} \sum_a \max_{b \ne a} \frac{\delta_a + \delta_b}{d(m_a, m_b)}

    where m is the medoid of a cluster, its point with the smallest sum of distances to the others (the first in the
    input if there are several), and delta the mean distance of the points of the cluster to it. It needs distances
    alone, so that it has a value where points have no mean: for sets, sequences, and matrices of distances. Here the
    medoids of {0, 2}, {7} and {10, 11, 12} are 0, 7 and 11, and delta is 1, 0 and 2/3: (5/33 + 1/6 + 1/6) / 3:

    >>> medoid_davies_bouldin([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.16161616
    """
    return overlaps(q, medoids, between).mean(-1)
