"""Edges that leave clusters, by the size of the clusters that they leave.

In the examples a triangle and a pair of vertices are joined by one of five edges, so that each has one end of it.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import OneOf
from clustval.rules import highest, lowest
from clustval.sources.graph_partition import graph_index
from clustval.stats.graphs.cluster_edges import ClusterEdges

Combined = Annotated[str, OneOf("mean", "max")]


def conductances(e: ClusterEdges) -> Floats:
    """Return the conductance of each cluster; NaN where one side of its cut has no edges."""
    return e.cuts / np.minimum(e.volumes, e.other_volumes)


@graph_index(
    best=lowest,
    bounds=(0, 1),
    degree=0,
    reference="kannan2004",
    by_cluster=conductances,
    undefined="every cluster, or what is outside of it, has no edges",
)
def conductance(e: ClusterEdges, *, combine: Combined = "mean") -> Value:
    r"""Share of a cluster's edges that leave it, by the smaller side of the cut: mean over clusters, or the largest.

    .. math:: \frac{1}{K} \sum_c \frac{\mathrm{cut}_c}{\min(d_c, 2m - d_c)}

    A cluster without edges has none, and is left out. Here 1/3, for both:

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> conductance(path, [0, 0, 0, 1, 1])
    0.333333
    """
    values = conductances(e)
    values = values[~np.isnan(values)]
    if not len(values):
        return np.nan
    return values.max() if combine == "max" else values.mean()


def normalized_cuts(e: ClusterEdges) -> Floats:
    """Return the share of the degrees of each cluster that leave it."""
    return e.cuts / e.volumes


@graph_index(
    best=lowest,
    bounds=(0, inf),
    degree=0,
    reference="shi2000",
    by_cluster=normalized_cuts,
    undefined="a cluster has no edges",
    aliases=("ncut",),
)
def normalized_cut(e: ClusterEdges) -> Value:
    r"""Sum over clusters of the share of their edges that leave them.

    .. math:: \sum_c \mathrm{cut}_c / d_c

    Here 1/7 + 1/3:

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> normalized_cut(path, [0, 0, 0, 1, 1])
    0.476190
    """
    return normalized_cuts(e).sum()


def ratio_cuts(e: ClusterEdges) -> Floats:
    """Return the weight of the edges that leave each cluster, for each of its vertices."""
    return e.cuts / e.sizes


@graph_index(best=lowest, bounds=(0, inf), degree=1, reference="hagen1992", by_cluster=ratio_cuts, aliases=("rcut",))
def ratio_cut(e: ClusterEdges) -> Value:
    r"""Sum over clusters of the weight of the edges that leave them, by number of vertices.

    .. math:: \sum_c \mathrm{cut}_c / n_c

    Here 1/3 + 1/2:

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> ratio_cut(path, [0, 0, 0, 1, 1])
    0.833333
    """
    return ratio_cuts(e).sum()


def coverages(e: ClusterEdges) -> Floats:
    """Return the share of the degrees of each cluster that stay inside."""
    return e.inside / e.volumes


@graph_index(best=highest, bounds=(0, 1), degree=0, reference="brandes2003", by_cluster=coverages)
def coverage(e: ClusterEdges) -> Value:
    r"""Share of the weight of all edges that lies inside clusters.

    .. math:: \sum_c L_c / m

    One cluster has the best value, 1: compare only partitions with the same number of clusters. Here 4 of 5 edges:

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> coverage(path, [0, 0, 0, 1, 1])
    0.8
    """
    return e.inside.sum() / e.volume
