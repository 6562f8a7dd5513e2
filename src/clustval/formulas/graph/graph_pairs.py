"""Edges beside pairs of vertices without an edge: loops join no pair and are left out.

In the examples a triangle and a pair of vertices are joined by one of five edges: of ten pairs, four are inside.
"""

from __future__ import annotations

from math import inf

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.rules import highest
from clustval.sources.graph_partition import graph_index
from clustval.stats.graphs.cluster_edges import ClusterEdges


def performances(e: ClusterEdges) -> Floats:
    """Return the share of the pairs with a vertex in each cluster that are joined inside, or not joined outside."""
    outside = e.sizes * (e.n - e.sizes)
    return (e.edges_inside + outside - e.edges_leaving) / (e.pairs + outside)


@graph_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="brandes2003",
    by_cluster=performances,
    undefined="there are no two vertices",
)
def performance(e: ClusterEdges) -> Value:
    r"""Share of the pairs of vertices that are joined inside a cluster, or not joined between clusters.

    .. math:: \frac{\sum_c e_c + \sum_{c < c'} (n_c n_{c'} - e_{cc'})}{n (n - 1) / 2}

    with e_c the number of edges inside a cluster, whatever their weight. Here (4 + 5) / 10:

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> performance(path, [0, 0, 0, 1, 1])
    0.9
    """
    between = e.all_pairs - e.pairs.sum()
    return (e.edges_inside.sum() + between - e.edges_leaving.sum() / 2) / e.all_pairs


def divergence(q: Value, p: Value) -> Value:
    """Return the Kullback-Leibler divergence of one yes or no from another, by how likely each is to be yes."""
    from scipy.special import rel_entr  # noqa: PLC0415 - loads when it is first needed

    return rel_entr(q, p) + rel_entr(1 - q, 1 - p)


def surprises(e: ClusterEdges) -> Floats:
    """Return the surprise of each cluster, if all other vertices were clusters of their own."""
    weight = e.weights[:, 0].sum() + e.cuts.sum() / 2
    return weight * divergence(e.weights[:, 0] / weight, e.pairs / e.all_pairs)


@graph_index(
    best=highest,
    bounds=(0, inf),
    degree=1,
    reference="traag2015",
    by_cluster=surprises,
    undefined="there is no edge but loops",
)
def surprise(e: ClusterEdges) -> Value:
    r"""How unlikely it is that so large a share of the edges falls on the pairs inside clusters, asymptotically.

    .. math:: m \, D(q \Vert \bar q), \quad D(q \Vert p) = q \ln \frac{q}{p} + (1 - q) \ln \frac{1 - q}{1 - p}

    with q the share of the weight of edges that is inside clusters, and the share of pairs that is for comparison.
    Fewer edges inside than expected surprise as well. Here 5 D(4/5 ‖ 4/10):

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> surprise(path, [0, 0, 0, 1, 1])
    1.673976
    """
    inside = e.weights[:, 0].sum()
    weight = inside + e.cuts.sum() / 2
    return weight * divergence(inside / weight, e.pairs.sum() / e.all_pairs)


def significances(e: ClusterEdges) -> Floats:
    """Return what each cluster adds to the significance: nothing if it has one vertex."""
    density = e.edges / e.all_pairs
    shares = e.edges_inside / e.pairs
    shares[e.pairs == 0] = density
    return e.pairs * divergence(shares, density)


@graph_index(
    best=highest,
    bounds=(0, inf),
    degree=0,
    reference="traag2013",
    by_cluster=significances,
    undefined="there are no two vertices",
)
def significance(e: ClusterEdges) -> Value:
    r"""How unlikely clusters of such densities are in a random graph that is as dense as this one, asymptotically.

    .. math:: \sum_c \binom{n_c}{2} D(p_c \Vert p)

    with p_c the share of the pairs of a cluster that an edge joins, p that of all pairs, and D as for `surprise`;
    edges are counted, whatever their weight. Here 3 D(1 ‖ 1/2) + 1 D(1 ‖ 1/2) = 4 ln 2:

    >>> path = [[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]]
    >>> significance(path, [0, 0, 0, 1, 1])
    2.772589
    """
    return significances(e).sum()
