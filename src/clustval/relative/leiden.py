"""Communities of a graph by the Leiden algorithm of igraph, the same for the same seed."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from clustval.arrays import Integers, numbered
from clustval.errors import optional
from clustval.sources.adjacency import Adjacency

ITERATIONS = 2  # igraph's own default

_one_at_a_time = threading.Lock()  # igraph has one generator of random numbers for all threads


@contextmanager
def seeded(igraph: Any, seed: int) -> Iterator[None]:
    """Have igraph draw from a generator of this seed, and then from Python's own again."""
    with _one_at_a_time:
        igraph.set_random_number_generator(random.Random(seed))  # noqa: S311 - no secret
        try:
            yield
        finally:
            igraph.set_random_number_generator(random)


class Leiden:
    """A graph of igraph, and its communities for a resolution and a seed."""

    def __init__(self, graph: Any, checked: Adjacency, objective: str = "modularity") -> None:
        """Take a graph of igraph as it is, so that communities are those that igraph finds there; else make one."""
        self.igraph = optional("igraph", "graph")
        self.objective = objective
        if isinstance(graph, self.igraph.Graph) and not graph.is_directed():
            self.graph, self.weights = graph, "weight" if "weight" in graph.es.attributes() else None
        else:
            self.graph, self.weights = self._made(checked)

    def _made(self, checked: Adjacency) -> tuple[Any, Any]:
        edges = checked.edges
        loops = np.flatnonzero(edges.loops)
        tails = np.concatenate([checked.tails, loops])
        heads = np.concatenate([edges.others.astype(np.int64), loops])
        graph = self.igraph.Graph(n=checked.n, edges=np.column_stack([tails, heads]).tolist())
        if edges.weights is None and len(loops) == 0:
            return graph, None
        weights = np.ones(len(edges.others)) if edges.weights is None else edges.weights
        return graph, np.concatenate([weights, edges.loops[loops] / 2]).tolist()  # a loop has two ends

    def labels(self, resolution: float, seed: int) -> Integers:
        """Return the community of each vertex, numbered in the order of vertices."""
        with seeded(self.igraph, seed):
            communities = self.graph.community_leiden(
                objective_function=self.objective,
                weights=self.weights,
                resolution=resolution,
                n_iterations=ITERATIONS,
            )
        return numbered(np.array(communities.membership, dtype=np.int64))
