"""Edges inside clusters, beside those that a graph with the same degrees would have there by chance."""

from __future__ import annotations

from math import inf
from typing import Annotated

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import AtLeast
from clustval.rules import highest
from clustval.sources.graph_partition import graph_index
from clustval.stats.graphs.cluster_edges import ClusterEdges

Resolution = Annotated[float, AtLeast(0)]


def modularities(e: ClusterEdges, *, resolution: Resolution = 1.0) -> Floats:
    """Return what each cluster adds to the modularity."""
    return e.inside / e.volume - resolution * (e.volumes / e.volume) ** 2


@graph_index(
    best=highest,
    bounds=(-inf, 1),
    degree=0,
    reference="newman2004; the resolution: reichardt2006",
    by_cluster=modularities,
)
def modularity(e: ClusterEdges, *, resolution: Resolution = 1.0) -> Value:
    r"""Share of the edges that lie inside clusters, less the share expected of a graph with the same degrees.

    .. math:: \sum_c \left[ \frac{L_c}{m} - \gamma \left( \frac{d_c}{2m} \right)^2 \right]

    with L_c the weight of the edges inside a cluster, d_c the degrees of its vertices, added up, and m the weight of
    all edges. With the resolution γ = 1 it lies between -1/2 and 1; a larger γ prefers smaller clusters. Here a
    triangle and a pair, joined by one of five edges: 3/5 - (7/10)² and 1/5 - (3/10)²:

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> modularity(path, [0, 0, 0, 1, 1])
    0.22
    """
    return modularities(e, resolution=resolution).sum()
