"""Gaps between clusters along paths of even density, beside the paths inside them (CVDD)."""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.options import AtLeast
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.trees.cvdd import ClusterPaths, UnevenGaps

Count = Annotated[int, AtLeast(1)]


@internal_index(
    best=highest,
    bounds=(0, inf),
    degree=-1,
    reference="hu2019",
    undefined="some point equals as many others as neighbours are looked at",
)
def cvdd(g: UnevenGaps, c: ClusterPaths, *, neighbours: Count = 7) -> Value:
    r"""Gaps of the clusters along paths that avoid changes of density, over spread times length of the paths inside.

    .. math:: \sum_c \min_{i \in c, j \notin c} D_{ij} \sqrt{f_i f_j} \Big/ \sum_c \frac{s_c m_c}{n_c}

    f is the mean distance r of a point to its nearest `neighbours`, over the largest r of all points. D is the longest
    step of the best path between two points, a step being
    :math:`d_{ij} + (r_i + r_j) (1 - e^{-|r_i / r_j + r_j / r_i - 2|})`. s and m are standard deviation and mean of the
    n_c x n_c longest steps of the best paths inside a cluster by plain distances, the diagonal included. Here, with
    one neighbour, r = f = 1 for all points of {0, 1} and {3, 4, 5}, so that both gaps are 2; paths inside are 1 long,
    s = sqrt(1/3) and m = 1/2 in the first cluster, s = 1/2 and m = 2/3 in the second: 4 / (sqrt(1/3) / 4 + 1/9):

    >>> cvdd([[0], [1], [3], [4], [5]], [0, 0, 1, 1, 1], neighbours=1)
    15.65872262
    """
    return np.divide(g.gaps.sum(-1), (c.deviations * c.means / c.sizes).sum(-1))
