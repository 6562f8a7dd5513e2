"""Points of which only a graph of nearest neighbours is known."""

from __future__ import annotations

from typing import Any

from clustval.arrays import Flags, Floats
from clustval.declare import Done
from clustval.homes.neighbour_graph import NeighbourGraph
from clustval.sources.space import Space


class GraphSpace(Space):
    """Points without coordinates, and without distances but those to their nearest neighbours."""

    fixed = True
    graph_only = True

    def __init__(self, graph: NeighbourGraph, n_jobs: int, memory: int, done: Done | None = None) -> None:
        super().__init__(None, None, "euclidean", n_jobs, memory, done)
        self.graph = graph

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.graph.n)

    @property
    def p(self) -> int:
        """There are no dimensions."""
        return 0

    @property
    def form(self) -> Any:
        """There is nothing to measure."""
        return None

    def restricted(self, keep: Flags, weights: Floats | None = None) -> GraphSpace:
        """Return the space of the kept points only, which may have weights."""
        space = GraphSpace(self.graph.restricted(keep), self.n_jobs, self.memory, self.done)
        space.weights = None if weights is None else weights[keep]
        return space
