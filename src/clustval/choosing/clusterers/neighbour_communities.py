"""Communities of the graph of nearest neighbours by the Leiden algorithm, which igraph has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.errors import optional
from clustval.relative.leiden import seeded

ROUNDS = 10  # of moving, refining and joining; igraph's default is 2
SEEDS = 2**32


def communities(near: Integers, resolutions: Sequence[float], rngs: Sequence[np.random.Generator]) -> list[Integers]:
    """Return the communities of the graph of nearest points, one labelling for each resolution and generator.

    `near` has the neighbours of each point. Two points that are neighbours of each other have an edge of weight 2, two
    points of which one is a neighbour of the other an edge of weight 1. The higher the resolution, the more communities
    have a high modularity; 1 is the usual one.
    """
    igraph = optional("igraph", "graph")
    pairs, weights = _edges(near)
    graph = igraph.Graph(len(near), pairs)
    labels = []
    for resolution, rng in zip(resolutions, rngs, strict=True):
        seed = int(rng.integers(SEEDS))
        with seeded(igraph, seed):
            clusters = graph.community_leiden(
                objective_function="modularity", weights=weights, resolution=resolution, n_iterations=ROUNDS
            )
        labels.append(np.array(clusters.membership, dtype=np.int64))
    return labels


def _edges(near: Integers) -> tuple[Integers, Floats]:
    """Return each pair of neighbours once, with the number of directions in which they are neighbours."""
    n = len(near)
    ends = np.stack([np.repeat(np.arange(n), near.shape[1]), near.ravel()], axis=1)
    ends.sort(axis=1)
    keys, counts = np.unique(ends[:, 0] * n + ends[:, 1], return_counts=True)
    return np.stack([keys // n, keys % n], axis=1), counts.astype(np.float64)
