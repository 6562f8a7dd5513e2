"""Edges by the clusters of their ends: one pass over the edges, from which all graph indices are computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic
from clustval.passes.graphs.edges import by_cluster
from clustval.sources.graph_partition import GraphPartition


@dataclass(frozen=True, eq=False)
class ClusterEdges(Statistic):
    """Number and weight of the edges inside each cluster and of those that leave it; parts of disjoint edges add up.

    An edge that leaves a cluster counts for both of its clusters. Loops have a weight and no number: they join no pair.
    """

    sizes: Integers  # (k,) vertices
    loops: Floats  # (k,) the diagonal of the matrix, added up: twice the weight of loops
    numbers: Integers  # (k, 2) edges inside, and edges that leave
    weights: Floats  # (k, 2) their weights

    @classmethod
    def part(cls, block: GraphPartition) -> ClusterEdges:
        """Add up the edges of a block, which are those to vertices with larger numbers."""
        edges, codes, rows = block.graph.edges, block.codes, block.rows
        numbers, weights = by_cluster(edges, codes, block.k, rows.start, rows.stop, n_jobs=block.graph.n_jobs)
        here = slice(rows.start, rows.stop)
        loops = np.bincount(codes[here], edges.loops[here], minlength=block.k).astype(np.float64, copy=False)
        return cls(np.bincount(codes[here], minlength=block.k), loops, numbers, weights)

    def __add__(self, other: ClusterEdges) -> ClusterEdges:
        return ClusterEdges(
            self.sizes + other.sizes,
            self.loops + other.loops,
            self.numbers + other.numbers,
            self.weights + other.weights,
        )

    @property
    def n(self) -> Any:
        """Number of vertices."""
        return self.sizes.sum()

    @property
    def cuts(self) -> Floats:
        """Weight of the edges that leave each cluster (k,)."""
        return self.weights[:, 1]

    @property
    def inside(self) -> Floats:
        """Entries of the matrix whose row and column are in the same cluster, added up (k,)."""
        return self.loops + 2 * self.weights[:, 0]

    @property
    def volumes(self) -> Floats:
        """Degrees of the vertices of each cluster, added up (k,)."""
        return self.inside + self.cuts

    @property
    def volume(self) -> Any:
        """Degrees of all vertices, added up: twice the weight of the edges."""
        return self.volumes.sum()

    @property
    def other_volumes(self) -> Floats:
        """Degrees of the vertices outside of each cluster, added up (k,)."""
        volumes = self.volumes
        others = self.volume - volumes
        largest = volumes.argmax()  # beside which the others may be so small that they are lost in the sum of all
        others[largest] = np.delete(volumes, largest).sum()
        return others

    @property
    def pairs(self) -> Floats:
        """Pairs of vertices of each cluster (k,)."""
        sizes = self.sizes.astype(np.float64)
        return sizes * (sizes - 1) / 2

    @property
    def all_pairs(self) -> Any:
        """Pairs of vertices."""
        n = np.float64(self.n)  # NumPy's: 0/0 is NaN
        return n * (n - 1) / 2

    @property
    def edges_inside(self) -> Integers:
        """Edges between two vertices of each cluster (k,)."""
        return self.numbers[:, 0]

    @property
    def edges_leaving(self) -> Integers:
        """Edges between a vertex of each cluster and one of another (k,)."""
        return self.numbers[:, 1]

    @property
    def edges(self) -> int:
        """Edges between two vertices."""
        return int(self.edges_inside.sum() + self.edges_leaving.sum() // 2)
