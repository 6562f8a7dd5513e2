"""How fast are indices of partitions of graphs? Ratios against networkx and igraph, with equal values.

``pip install networkx igraph`` brings them. Run ``python benchmarks/graphs.py`` for everything, or name parts:
``python benchmarks/graphs.py networkx``. A ratio is taken in one process from interleaved repeats, the fastest of each
kept. The graph of the other side is built before, and ours is checked before where the other is igraph; beside
networkx, ours is a sparse matrix that is checked within the time that is measured.
"""

from __future__ import annotations

import sys

import igraph
import networkx as nx
import numpy as np
from pairs import fastest, show
from scipy import sparse

import clustval as cv

VERTICES, EDGES, CLUSTERS = 100_000, 1_000_000, 50


def planted(seed=0, *, weighted=False):
    """Return a graph in which seven of ten edges stay inside a cluster, and the clusters."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, CLUSTERS, VERTICES)
    order, sizes = np.argsort(labels, kind="stable"), np.bincount(labels)
    starts = np.cumsum(sizes) - sizes
    tails = rng.integers(0, VERTICES, int(1.03 * EDGES))  # some are drawn twice
    own = labels[tails]
    heads = np.where(
        rng.random(len(tails)) < 0.7,
        order[starts[own] + rng.integers(0, sizes[own])],
        rng.integers(0, VERTICES, len(tails)),
    )
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    pairs = np.unique(low * VERTICES + high)
    pairs = rng.permutation(pairs[pairs // VERTICES != pairs % VERTICES])[:EDGES]
    weights = rng.random(len(pairs)) + 0.5 if weighted else np.ones(len(pairs))
    half = sparse.csr_array((weights, (pairs // VERTICES, pairs % VERTICES)), shape=(VERTICES, VERTICES))
    return half + half.T, labels


def of_networkx():
    A, labels = planted()
    graph = nx.from_scipy_sparse_array(A)
    communities = [set(np.flatnonzero(labels == c).tolist()) for c in range(CLUSTERS)]

    def every():
        quality = nx.community.partition_quality(graph, communities)
        conductances = [nx.conductance(graph, community) for community in communities]
        return nx.community.modularity(graph, communities), *quality, np.mean(conductances)

    names = ["modularity", "coverage", "performance", "conductance"]
    np.testing.assert_allclose(list(cv.graph.evaluate(A, labels, indices=names).values()), every(), rtol=1e-9)
    ours = lambda: cv.graph.modularity(A, labels)  # noqa: E731
    theirs = lambda: nx.community.modularity(graph, communities)  # noqa: E731
    a, b = fastest(ours, theirs, repeats=3)
    show("modularity, networkx", b / a, 50, (a, b))
    a, b = fastest(lambda: cv.graph.evaluate(A, labels), every, repeats=2)
    show("all 8 indices, 4 of networkx", b / a, 50, (a, b))
    a, b = fastest(lambda: cv.graph.modularity(graph, labels), theirs, repeats=2)
    show("modularity, its own graph", b / a, 1, (a, b))


def of_igraph():
    for which in ("counted", "weighted"):
        A, labels = planted(weighted=which == "weighted")
        upper = sparse.coo_array(sparse.triu(A))
        ends, members = np.column_stack(upper.coords), labels.tolist()
        weights = upper.data.tolist() if which == "weighted" else None
        partitions = [np.random.default_rng(seed).permutation(labels) for seed in range(10)]
        of_igraph_alone(which, A, labels, igraph.Graph(n=VERTICES, edges=ends), members, weights)
        a, b = fastest(
            lambda: cv.graph.modularity(A, labels),  # noqa: B023
            lambda: igraph.Graph(n=VERTICES, edges=ends).modularity(members, weights=weights),  # noqa: B023
            repeats=5,
        )
        show(f"... and the graph is made of edges, {which}", b / a, 1, (a, b))

        def theirs():
            graph = igraph.Graph(n=VERTICES, edges=ends)  # noqa: B023
            return [graph.modularity(each.tolist(), weights=weights) for each in partitions]  # noqa: B023

        a, b = fastest(lambda: cv.graph.sweep(A, partitions), theirs, repeats=3)  # noqa: B023
        show(f"... of 10 partitions, all 8 indices, {which}", b / a, 1, (a, b))


def of_igraph_alone(which, A, labels, graph, members, weights):
    whole = cv.graph.adjacency(A)
    ours, theirs = lambda: cv.graph.modularity(whole, labels), lambda: graph.modularity(members, weights=weights)
    np.testing.assert_allclose(ours(), theirs(), rtol=1e-9)
    a, b = fastest(ours, theirs, repeats=9, turn=0.1)
    show(f"modularity, igraph, {which}", b / a, 1, (a, b))


def chance():
    A, labels = planted()
    a, b = fastest(lambda: cv.graph.community_test(A, labels), lambda: cv.graph.evaluate(A, labels), repeats=3)
    show("exact p-value of each community, all indices", a / b, 3, (a, b), at_most=True)


PARTS = {"networkx": of_networkx, "igraph": of_igraph, "chance": chance}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
