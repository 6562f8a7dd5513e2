"""What cannot be a graph, or a partition of one: each message whole."""

from __future__ import annotations

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from kinds.graph import LABELS, PATH, A
from scipy import sparse

import clustval as cv
from clustval.sources.adjacency import adjacency

RULES = (
    "Say what becomes of two directions: asymmetric='max' (an edge if there is one in either direction), 'min' (in "
    "both directions), 'mean' or 'sum'. Distances of nearest neighbours are passed as neighbours=."
)


def changed(row, column, value):
    table = PATH.astype(float)
    table[row, column] = value
    return table


def weighted(value):
    graph = nx.Graph([("a", "b"), ("b", "c")])
    graph.edges["b", "c"]["weight"] = value
    return graph


def named(names):
    graph = igraph.Graph(edges=[(0, 1), (1, 2)])
    graph.vs["name"] = names
    return graph


LAST = [0, 0, 0, 1, 1]
FRAME = pd.DataFrame(PATH, index=list("abcde"))
WRONG = {
    "points": (
        lambda: cv.graph.modularity([[0.0, 1], [2, 3], [4, 5]], [0, 0, 1]),
        (
            "A must be square, with a row and a column for each vertex; it has 3 rows and 2 columns. Of points, "
            "neighbours= joins each to its nearest ones."
        ),
    ),
    "not symmetric": (
        lambda: cv.graph.modularity(changed(0, 4, 2), LAST),
        f"A is not symmetric: row 0, column 4 is 2 but row 4, column 0 is 0. {RULES}",
    ),
    "directed": (
        lambda: cv.graph.modularity(nx.DiGraph([("a", "b")]), [0, 1]),
        f"A is not symmetric: the edge from 'a' to 'b' is 1 but the edge from 'b' to 'a' is 0. {RULES}",
    ),
    "negative": (
        lambda: cv.graph.modularity(changed(3, 2, -1), LAST),
        "The weights of edges must not be negative; row 3, column 2 is -1.",
    ),
    "negative in a graph": (
        lambda: cv.graph.modularity(weighted(-2), [0, 1, 1]),
        "The weights of edges must not be negative; the edge from 'b' to 'c' is -2.",
    ),
    "not finite": (
        lambda: cv.graph.modularity(sparse.csr_array(changed(1, 2, np.nan)), LAST),
        "The weights of edges must be finite; row 1, column 2 is nan.",
    ),
    "not finite and dense": (
        lambda: cv.graph.modularity(changed(1, 2, np.nan), LAST),
        "A must be finite; row 1, column 2 is nan.",
    ),
    "weights of text": (
        lambda: cv.graph.modularity(weighted("far"), [0, 1, 1]),
        "The weights of edges must be numbers; one is 'far'. weight=None counts edges.",
    ),
    "no vertices": (lambda: cv.graph.modularity(nx.Graph(), []), "A has no vertices."),
    "complex": (
        lambda: cv.graph.modularity(sparse.csr_array(PATH * 1j), LAST),
        "A must hold real numbers; it holds values of type complex128.",
    ),
    "labels too few": (lambda: cv.graph.modularity(PATH, LAST[1:]), "A has 5 rows but labels has 4 entries."),
    "a vertex that is not there": (
        lambda: cv.graph.modularity(PATH, {0: 0, 7: 1}),
        "labels has 7, which is no vertex of A.",
    ),
    "a row that is not there": (
        lambda: cv.graph.modularity(FRAME, {"a": 0, "f": 1}),
        "labels has 'f', which is no vertex of A.",
    ),
    "labels that name other vertices": (
        lambda: cv.graph.modularity(weighted(1), pd.Series([0, 0, 1], index=list("abd"))),
        (
            "A and labels name vertices differently: labels has no vertex 'c'. Name each vertex in the index of "
            "labels, or leave the index behind by .to_numpy()."
        ),
    ),
    "labels of vertices with one name": (
        lambda: cv.graph.modularity(named(["a", "a", "b"]), pd.Series([0, 0, 1], index=["a", "b", "a"])),
        (
            "A and labels name vertices differently: some names stand for several vertices. Name each vertex in the "
            "index of labels, or leave the index behind by .to_numpy()."
        ),
    ),
    "labels of vertices that lists name": (
        lambda: cv.graph.modularity(named([[1], [2], [3]]), pd.Series([0, 0, 1], index=list("abd"))),
        (
            "A and labels name vertices differently: labels has no vertex [1]. Name each vertex in the index of "
            "labels, or leave the index behind by .to_numpy()."
        ),
    ),
    "a mapping where lists name vertices": (
        lambda: cv.graph.modularity(named([[1], [2], [3]]), {"a": 0, "b": 0, "c": 1}),
        (
            "Vertices of A must be called by numbers, text or other hashable things to have labels by name; others "
            "have one label each, in the order of the vertices."
        ),
    ),
    "a vertex in two sets": (
        lambda: cv.graph.modularity(PATH, [{0, 1, 2}, {2, 3}]),
        "Vertex 2 is in two of the sets; a partition has it in one.",
    ),
    "no such rule": (
        lambda: cv.graph.modularity(PATH, LAST, asymmetric="both"),
        "asymmetric must be one of 'max', 'min', 'mean', 'sum'; it is 'both'.",
    ),
    "neighbours of a number": (
        lambda: cv.graph.modularity(PATH, LAST, neighbours=0),
        "neighbours must be a whole number from 1, or None for a matrix that is a graph already; it is 0.",
    ),
    "too late": (
        lambda: cv.graph.modularity(adjacency(PATH), LAST, neighbours=3),
        "A is a graph that was checked already; asymmetric= and neighbours= come too late for it.",
    ),
    "no partitions": (lambda: cv.graph.sweep(PATH, {}), "partitions is empty; give at least one."),
    "a partition of other vertices": (
        lambda: cv.graph.sweep(PATH, {"a": LAST, "b": [0, 1]}),
        "Partition 'b': A has 5 rows but labels has 2 entries.",
    ),
    "a null of no name": (
        lambda: cv.graph.community_test(PATH, LAST, null="gauss"),
        "null must be one of 'matching', 'swaps'; it is 'gauss'.",
    ),
    "matching of weights": (
        lambda: cv.graph.community_test(A, LABELS, null="matching"),
        "null='matching' joins ends of edges that count once; these have weights. Use null='swaps', or weight=None.",
    ),
    "no graphs": (
        lambda: cv.graph.community_test(PATH, LAST, n_graphs=0),
        "n_graphs must be a whole number from 1; it is 0.",
    ),
    "a search by name": (
        lambda: cv.graph.community_test(PATH, LAST, find="leiden"),
        "find must be a function that returns labels for the vertices of a sparse adjacency matrix; it is 'leiden'.",
    ),
    "chance without edges": (
        lambda: cv.graph.community_test(np.eye(3), [0, 1, 1]),
        "community_test needs clusters and edges; the graph has no edges but loops.",
    ),
    "chance of noise": (
        lambda: cv.graph.community_test(PATH, [-1] * 5),
        "community_test needs clusters and edges; every vertex is noise.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_a_graph_or_a_partition_of_it_is_named(what):
    call, message = WRONG[what]
    with pytest.raises((cv.InputError, cv.UndefinedIndexError)) as error:
        call()
    assert str(error.value) == message
