"""Properties of a single cluster of a graph: its vertices, edges and degrees."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import cluster_property
from clustval.sources.graph_partition import GraphPartition
from clustval.stats.graphs.cluster_edges import ClusterEdges


@cluster_property("graph")
def size(source: GraphPartition) -> Integers:
    """Return the number of vertices of each cluster."""
    return source[ClusterEdges].sizes


@cluster_property("graph")
def volume(source: GraphPartition) -> Floats:
    """Return the sum of the degrees of the vertices of each cluster."""
    return source[ClusterEdges].volumes


@cluster_property("graph")
def cut(source: GraphPartition) -> Floats:
    """Return the weight of the edges that leave each cluster."""
    return source[ClusterEdges].cuts


@cluster_property("graph")
def density(source: GraphPartition) -> Floats:
    """Return the share of the pairs of vertices of each cluster that an edge joins; NaN for a single vertex."""
    edges = source[ClusterEdges]
    with np.errstate(invalid="ignore"):
        return edges.edges_inside / edges.pairs
