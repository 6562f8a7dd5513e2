"""Whether the nearest points of a point are in its own cluster.

In the examples the points {0, 2}, {7} and {10, 11, 12} on a line have as two nearest points 2 and 7; 0 and 7; 10 and
11; 11 and 12; 10 and 12; 11 and 10.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.options import AtLeast
from clustval.rules import highest, lowest
from clustval.sources.clustered_points import internal_index
from clustval.stats.neighbours.nearest import NeighbourEdges, NeighbourMatch

Count = Annotated[int, AtLeast(1)]
FEW = "some cluster has no more points than neighbours are looked at"


def penalties(m: NeighbourMatch) -> Value:
    """Return for each point the sum of 1/j over its j-th nearest points that are in other clusters."""
    return (~m.own / np.arange(1, m.count + 1)).sum(-1)


@internal_index(best=lowest, bounds=(0, inf), degree=0, reference="handl2005", clusters=(2, 0), points=penalties)
def connectivity(m: NeighbourMatch, *, neighbours: Count = 10, normalized: bool = False) -> Value:
    r"""Number of nearest points that are in other clusters, the j-th nearest of each point counted as 1/j.

    .. math:: \sum_i \sum_{j \le L} \frac{[c(nn_{ij}) \ne c(i)]}{j}

    `normalized` divides it by its largest value, the same sum with all nearest points in other clusters. Here, with
    two neighbours, 1/2 + 1/2 + (1 + 1/2) + 0 + 0 + 0:

    >>> connectivity([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], neighbours=2)
    2.5
    """
    total = penalties(m).sum(-1)
    return total / (m.n * (1 / np.arange(1, m.count + 1)).sum()) if normalized else total


def consistent(m: NeighbourMatch) -> Value:
    """Return 1 for each point whose nearest points are all in its cluster, else 0."""
    return m.own.all(-1).astype(np.float64)


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="ding2004", clusters=(2, 0), points=consistent)
def knn_consistency(m: NeighbourMatch, *, neighbours: Count = 3) -> Value:
    r"""Share of the points whose nearest points are all in their cluster.

    .. math:: \frac{1}{n} \sum_i \prod_{j \le L} [c(nn_{ij}) = c(i)]

    Here, with two neighbours, the points 10, 11 and 12 of 6:

    >>> knn_consistency([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], neighbours=2)
    0.5
    """
    return m.mean(consistent(m))


def shares(m: NeighbourMatch) -> Value:
    """Return for each point the share of its nearest points that are in its cluster."""
    return m.own.mean(-1)


@internal_index(
    aliases=("wcnn",),
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="gagolewski2021",
    undefined=FEW,
    points=shares,
)
def knn_purity(m: NeighbourMatch, *, neighbours: Count = 3) -> Value:
    r"""Mean share of the nearest points of a point that are in its cluster.

    .. math:: \frac{1}{n L} \sum_i \sum_{j \le L} [c(nn_{ij}) = c(i)]

    Undefined if a cluster has no more points than neighbours are looked at. Here, with {0, 2, 7} and {10, 11, 12},
    both nearest points of 0 and of 2 and of the second cluster are in theirs, and none of those of 7, 10 and 11:

    >>> knn_purity([[0], [2], [7], [10], [11], [12]], [0, 0, 0, 1, 1, 1], neighbours=2)
    0.83333333
    """
    return np.where((m.sizes > neighbours).all(-1), m.mean(shares(m)), np.nan)


def modularity(e: NeighbourEdges) -> Value:
    """Return the share of the edges inside clusters less that expected from their ends."""
    return np.divide(e.inside.sum(-1), e.total) - np.divide((e.touching**2).sum(-1) + e.apart, e.total**2)


@internal_index(
    best=highest, bounds=(-0.5, 1), degree=0, reference="newman2004", clusters=(2, 0), undefined="there are no edges"
)
def knn_modularity(e: NeighbourEdges, *, neighbours: Count = 10) -> Value:
    r"""Share of the edges to nearest points that stay inside clusters, less the share expected from their ends alone.

    .. math:: \sum_c \left( \frac{E_{cc}}{E} - \left( \frac{V_c}{E} \right)^2 \right)

    with E_cc the edges of the graph of nearest points inside a cluster, V_c the ends in it, each for a half, and E all
    edges. Noise points are clusters of their own, whose edges are lost. Here, with one neighbour, of the edges 0-2,
    2-0, 7-10, 10-11, 11-10 and 12-11 five are inside; the ends are 2, 0.5 and 3.5: 5/6 - (4 + 0.25 + 12.25) / 36:

    >>> knn_modularity([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], neighbours=1)
    0.375
    """
    return modularity(e)
