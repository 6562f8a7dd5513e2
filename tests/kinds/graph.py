"""Partitions of graphs: examples of graph indices, and the laws that hold of these alone."""

from __future__ import annotations

import itertools
import math
from types import SimpleNamespace

import brute_force
import igraph
import naive_graph
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy import sparse

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from clustval.passes.graphs import edges as edge_passes
from clustval.passes.work import thresholds
from clustval.sources.adjacency import adjacency, vertex_labels
from clustval.sources.graph_partition import GraphPartition, graph_partition
from clustval.stats.graphs.cluster_edges import ClusterEdges
from conftest import examples
from kinds import Alike, Examples

catalogue.load("graph")
GRAPH = KINDS["graph"].indices
every_index = pytest.mark.parametrize("index", GRAPH.values(), ids=lambda index: index.name)


def planted(sizes, inside, outside, *, seed, weighted=False):
    """Return the matrix of a random graph with more edges inside clusters, and the clusters."""
    rng = np.random.default_rng(seed)
    labels = np.repeat(np.arange(len(sizes)), sizes)
    likely = np.where(labels[:, None] == labels, inside, outside)
    upper = np.triu(rng.random(likely.shape) < likely, 1).astype(float)
    if weighted:
        upper *= rng.integers(1, 9, likely.shape) / 4
    return upper + upper.T, labels


A, LABELS = planted((14, 9, 6), 0.7, 0.1, seed=3, weighted=True)
RNG = np.random.default_rng(5)
ORDER = RNG.permutation(len(A))
LOOPS = A + np.diag(RNG.integers(0, 3, len(A)))
PATH = np.array([[0, 1, 1, 0, 0], [1, 0, 1, 0, 0], [1, 1, 0, 1, 0], [0, 0, 1, 0, 1], [0, 0, 0, 1, 0]])
LONELY = np.zeros((6, 6))
LONELY[:4, :4] = 1 - np.eye(4)

EXAMPLES = Examples(
    good=(A, LABELS),
    bad=(A, RNG.permutation(LABELS)),
    others=[(LOOPS, LABELS), *((A, RNG.integers(0, k, len(A))) for k in (2, 5, 20))],
    alike={
        "the order of points": Alike((LOOPS, LABELS), (LOOPS[np.ix_(ORDER, ORDER)], LABELS[ORDER]), 1e-13),
        "the names of clusters": Alike((A, LABELS), (A, np.array(["z", "a", "m"])[LABELS]), 1e-13),
        "how the graph is written": Alike((LOOPS, LABELS), (sparse.coo_matrix(LOOPS), LABELS.tolist())),
    },
    degenerate={
        "one cluster": (A, np.zeros(len(A))),
        "all vertices apart": (A, np.arange(len(A))),
        "one vertex": ([[0]], [0]),
        "one vertex with a loop": ([[2]], [0]),
        "no edges": (np.zeros((4, 4)), [0, 0, 1, 1]),
        "only loops": (np.eye(4), [0, 0, 1, 1]),
        "a cluster without edges": (LONELY, [0, 0, 1, 1, 2, 2]),
        "isolated vertices among others": (LONELY, [0, 0, 1, 1, 1, 0]),
        "all joined": (1 - np.eye(5), [0, 0, 1, 1, 1]),
        "every vertex noise": (PATH, [-1] * 5),
        "noise takes all edges": (PATH, [0, -1, -1, -1, 1]),
    },
    summing={"conductance": {"combine"}},
)


# --- laws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_values_are_those_of_the_definitions(name):
    data, reference = brute_force.data(name), brute_force.values(name, "E")
    scores = cv.graph.evaluate(data["X"], data["kmeans"][3], neighbours=6)
    assert list(scores.per_cluster("conductance").values()) == approx(reference["conductances"], rel=1e-12)
    assert scores["conductance"] == approx(np.mean(reference["conductances"]), rel=1e-12)
    for index in scores.keys() - {"conductance"}:
        assert scores[index] == approx(reference[index], rel=1e-12), index
    half = cv.graph.modularity(data["X"], data["kmeans"][3], neighbours=6, resolution=0.5)
    assert half == approx(reference["modularity_half"], rel=1e-12)
    assert len(adjacency(data["X"], neighbours=6).edges.others) == reference["edges"]


GRAPHS = st.tuples(st.integers(1, 9), st.integers(1, 4), st.booleans(), st.integers(0, 10**6))


@given(GRAPHS)
def test_every_index_agrees_with_its_definition_in_loops(drawn):
    n, k, weighted, seed = drawn
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(0, 3 if weighted else 2, (n, n)) * (rng.random((n, n)) < rng.random()))
    matrix, labels = (upper + upper.T).astype(float), rng.integers(0, k, n).tolist()
    scores = cv.graph.evaluate(matrix, labels)
    if not matrix.any():
        assert all(math.isnan(value) for value in scores.values())
        return
    for index, value in scores.items():
        expected = getattr(naive_graph, index)(matrix.tolist(), labels)
        assert value == approx(expected, rel=1e-12, abs=1e-12, nan_ok=True), index
    gamma = cv.graph.modularity(matrix, labels, resolution=1.7)
    assert gamma == approx(naive_graph.modularity(matrix.tolist(), labels, 1.7), rel=1e-12, abs=1e-12)


@every_index
def test_weights_scale_the_value_by_the_degree(index):
    assert index.function(4 * A, LABELS) == approx(4**index.degree * index.function(A, LABELS), rel=1e-13)


def test_values_of_clusters_make_up_the_index():
    scores = cv.graph.evaluate(LOOPS, LABELS)
    assert set(scores.per_cluster()) == {"size", "volume", "cut", "density", *GRAPH}
    for name in ("modularity", "normalized_cut", "ratio_cut", "significance"):
        assert sum(scores.per_cluster(name).values()) == approx(scores[name]), name
    volumes = scores.per_cluster("volume")
    assert sum(volumes.values()) == LOOPS.sum()
    shares = scores.per_cluster("coverage")
    assert sum(shares[c] * volumes[c] for c in volumes) / LOOPS.sum() == approx(scores["coverage"])
    worst = cv.graph.conductance(LOOPS, LABELS, combine="max")
    assert worst == max(scores.per_cluster("conductance").values())
    assert sum(scores.per_cluster("cut").values()) / 2 == LOOPS[LABELS[:, None] != LABELS].sum() / 2


def test_a_cluster_that_no_edge_leaves_has_a_cut_of_exactly_zero():
    weights = np.triu(RNG.random((200, 200)), 1) / 3
    half = weights + weights.T
    two = sparse.block_diag([half, half], format="csr")
    assert cv.graph.evaluate(two, np.repeat([0, 1], 200)).per_cluster("conductance") == {0: 0, 1: 0}


@pytest.mark.parametrize(
    ("matrix", "labels", "value"),
    [
        ([[0, 1e17, 0, 0], [1e17, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]], [0, 0, 1, 1], 1 / 3),
        ([[0, 3e9, 0], [3e9, 0, 1e-8], [0, 1e-8, 0]], [0, 0, 1], 1),
        ([[0, 1e-8, 2], [1e-8, 0, 0.1], [2, 0.1, 0]], [0, 1, 0], 1),
    ],
)
def test_the_rest_of_a_graph_is_not_lost_beside_its_heaviest_cluster(matrix, labels, value):
    assert cv.graph.conductance(matrix, labels) == approx(value, rel=0, abs=1e-15)
    assert cv.graph.conductance(matrix, labels, combine="max") == approx(value, rel=0, abs=1e-15)


def test_values_of_clusters_without_edges_are_left_out_of_conductance_and_undefined_in_the_sum_of_cuts():
    scores = cv.graph.evaluate(*EXAMPLES.degenerate["a cluster without edges"])
    assert scores["conductance"] == approx(4 / 6)
    assert math.isnan(scores.per_cluster("conductance")[2])
    assert scores.reasons == {
        "normalized_cut": "normalized_cut has no value for this clustering: a cluster has no edges."
    }


def test_reasons_say_what_is_missing():
    reason = cv.graph.evaluate(*EXAMPLES.degenerate["no edges"]).reasons["modularity"]
    assert reason == "modularity has no value for this graph: it has no edges."
    reason = cv.graph.evaluate(*EXAMPLES.degenerate["noise takes all edges"]).reasons["modularity"]
    assert reason == ("modularity has no value for this graph: it has no edges between vertices that are not noise.")
    reason = cv.graph.evaluate(*EXAMPLES.degenerate["every vertex noise"]).reasons["modularity"]
    assert reason == "modularity needs clusters; every vertex is noise."


def test_noise_is_left_out_with_its_edges():
    noisy = np.where(LABELS == 2, -1, LABELS)
    kept = LABELS != 2
    scores = cv.graph.evaluate(LOOPS, noisy)
    assert scores.to_dict() == approx(cv.graph.evaluate(LOOPS[np.ix_(kept, kept)], LABELS[kept]).to_dict(), rel=1e-14)
    assert scores.coverage == approx(kept.mean())
    assert cv.graph.modularity(LOOPS, noisy, noise="cluster") == approx(cv.graph.modularity(LOOPS, LABELS), rel=1e-13)


# --- blocks, kernels and threads -------------------------------------------------------------------------

SMALL = planted((40, 25), 0.4, 0.1, seed=1, weighted=True)


@pytest.mark.parametrize("cuts", [(0, 65), (0, 1, 2, 30, 65), (0, 0, 40, 65), tuple(range(66))])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("limit", [0, thresholds.EDGES])
def test_blocks_of_rows_add_up_to_the_whole(cuts, weighted, limit, set_thresholds):
    set_thresholds(EDGES=limit)
    graph = adjacency(SMALL[0] + np.diag(np.arange(65)), weight="weight" if weighted else None)
    labels = vertex_labels(SMALL[1], graph, "drop")
    whole = GraphPartition(graph, labels)[ClusterEdges]
    parts = [ClusterEdges.part(GraphPartition(graph, labels, range(a, b))) for a, b in itertools.pairwise(cuts)]
    total = parts[0]
    for part in parts[1:]:
        total += part
    for name, value in vars(whole).items():
        assert np.asarray(getattr(total, name)) == approx(np.asarray(value), rel=1e-14), name


def rows_of(graph):
    return [np.asarray(value) if value is not None else None for value in vars(graph).values()]


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(["sound", "turned", "negative", "unsorted", "one-sided"]))
@examples(60)
def test_edges_are_the_same_by_numpy_and_compiled(seed, weighted, fault):
    rng = np.random.default_rng(seed)
    matrix, _ = planted((rng.integers(1, 9), rng.integers(1, 9)), 0.5, 0.2, seed=seed, weighted=weighted)
    table = sparse.csr_array(matrix + np.diag(rng.integers(0, 2, len(matrix))))
    if table.nnz and fault != "sound":
        at = rng.integers(table.nnz)
        if fault == "negative":
            table.data[at] *= -1
        elif fault == "turned":
            table.data[at] *= 2
        elif fault == "one-sided":
            table.data[at] = 0
            table.eliminate_zeros()
        else:
            table.indices[:] = table.indices[::-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(thresholds, "EDGES", 10**9)
        plain = edge_passes.edges_of(table)
        patch.setattr(thresholds, "EDGES", -1)
        compiled = edge_passes.edges_of(table)
        assert (plain is None) == (compiled is None)
        if plain is None:
            return
        for one, other in zip(rows_of(plain), rows_of(compiled), strict=True):
            assert one is other is None or np.array_equal(one, other)
        codes = rng.integers(0, 3, len(matrix))
        some = sorted(rng.integers(0, len(matrix) + 1, 2).tolist())
        for first, last in ((0, len(matrix)), some):
            patch.setattr(thresholds, "EDGES", 10**9)
            expected = edge_passes.by_cluster(plain, codes, 3, first, last, n_jobs=1)
            patch.setattr(thresholds, "EDGES", -1)
            for one, other in zip(
                expected, edge_passes.by_cluster(plain, codes, 3, first, last, n_jobs=2), strict=True
            ):
                assert np.array_equal(one, other)


@pytest.mark.large
@pytest.mark.parametrize("weighted", [False, True])
def test_values_do_not_depend_on_the_number_of_threads(weighted):
    rng = np.random.default_rng(0)
    n, m = 100_000, 700_000
    half = sparse.coo_array((rng.random(m) + 0.5, rng.integers(0, n, (2, m))), shape=(n, n)).tocsr()
    table, labels = (half + half.T).tocsr(), rng.integers(0, 50, n)
    weight = "weight" if weighted else None
    scores = [cv.graph.evaluate(table, labels, weight=weight, n_jobs=jobs).to_dict() for jobs in (1, 2, 3)]
    assert scores[0] == scores[1] == scores[2]


# --- graphs as others have them --------------------------------------------------------------------------


def karate():
    graph = nx.karate_club_graph()
    return graph, [graph.nodes[v]["club"] for v in graph]


def test_graphs_of_networkx_have_the_values_that_networkx_gives_them():
    graph, labels = karate()
    sets = [{v for v, label in zip(graph, labels, strict=True) if label == club} for club in sorted(set(labels))]
    scores = cv.graph.evaluate(graph, labels)
    assert scores["modularity"] == approx(nx.community.modularity(graph, sets), rel=1e-12)
    assert cv.graph.modularity(graph, sets, resolution=2.5) == approx(
        nx.community.modularity(graph, sets, resolution=2.5), rel=1e-12
    )
    theirs = [nx.conductance(graph, each, weight="weight") for each in sets]
    assert list(scores.per_cluster("conductance").values()) == approx(theirs, rel=1e-12)
    coverage, performance = nx.community.partition_quality(graph, sets)
    assert cv.graph.coverage(graph, labels, weight=None) == approx(coverage, rel=1e-12)
    assert scores["performance"] == approx(performance, rel=1e-12)


def test_graphs_of_igraph_have_the_values_that_igraph_gives_them():
    graph, labels = karate()
    other = igraph.Graph.from_networkx(graph)
    clubs = [int(label == "Officer") for label in labels]
    assert cv.graph.modularity(other, clubs) == approx(other.modularity(clubs, weights="weight"), rel=1e-12)
    assert cv.graph.modularity(other, clubs, weight=None) == approx(other.modularity(clubs), rel=1e-12)
    found = igraph.VertexClustering(other, clubs)
    assert cv.graph.modularity(other, found, weight=None) == approx(found.modularity, rel=1e-12)


def test_loops_and_edges_side_by_side_count_as_in_networkx_and_igraph():
    pairs = [(0, 0), (0, 1), (0, 1), (1, 2), (2, 3), (3, 3), (3, 3)]
    graph, labels = nx.MultiGraph(pairs), [0, 0, 1, 1]
    value = cv.graph.modularity(graph, labels)
    assert value == approx(nx.community.modularity(graph, [{0, 1}, {2, 3}]), rel=1e-12)
    assert value == approx(igraph.Graph(edges=pairs).modularity(labels), rel=1e-12)
    assert cv.graph.modularity(igraph.Graph(edges=pairs), labels) == value


def test_loops_of_directed_graphs_count_as_those_of_the_graph_without_directions():
    graph, labels = nx.Graph(), [0, 0, 0, 1, 1]
    graph.add_weighted_edges_from([(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1), (3, 4, 2), (4, 4, 3)])
    expected = cv.graph.evaluate(graph, labels).to_dict()
    assert expected["modularity"] == approx(nx.community.modularity(graph, [{0, 1, 2}, {3, 4}]), rel=1e-12)
    directed = graph.to_directed()
    for other in (directed, igraph.Graph.from_networkx(directed)):
        for rule in (None, "max", "min", "mean"):
            assert cv.graph.evaluate(other, labels, asymmetric=rule).to_dict() == expected
    one_way = nx.DiGraph()
    one_way.add_weighted_edges_from(graph.edges(data="weight"))
    assert cv.graph.evaluate(one_way, labels, asymmetric="sum").to_dict() == expected
    assert cv.graph.evaluate(one_way, labels, asymmetric="max").to_dict() == expected


def test_labels_may_be_a_mapping_or_a_list_of_sets_and_what_they_leave_out_is_noise():
    graph = nx.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")])
    expected = cv.graph.evaluate(PATH, [0, 0, 0, 1, 1])
    by_vertex = dict(zip("edcba", [1, 1, 0, 0, 0], strict=True))
    assert cv.graph.evaluate(graph, by_vertex).to_dict() == expected.to_dict()
    assert cv.graph.evaluate(graph, [{"a", "b", "c"}, {"d", "e"}]).to_dict() == expected.to_dict()
    assert cv.graph.evaluate(graph, ({"a", "b", "c"}, frozenset("d"))).coverage == 0.8
    assert cv.graph.modularity(PATH, {0: "x", 1: "x", 2: "x", 3: "y", 4: "y"}) == expected["modularity"]


def test_labels_of_pandas_are_brought_into_the_order_of_the_matrix():
    names = list("abcde")
    frame = pd.DataFrame(PATH, index=names, columns=names)
    turned = pd.Series([1, 1, 0, 0, 0], index=names[::-1])
    assert cv.graph.modularity(frame, turned) == cv.graph.modularity(PATH, [0, 0, 0, 1, 1])


def named_graphs(names):
    """The same path with names of its vertices, as whatever may have them."""
    graph = nx.Graph([(names[i], names[j]) for i, j in zip(*np.nonzero(PATH), strict=True)])
    other = igraph.Graph.Adjacency(PATH.tolist(), mode="undirected")
    other.vs["name"] = names
    X = pd.DataFrame({"x": [0.0, 1, 2, 9, 10]}, index=names)
    return {
        "networkx": (graph, {}),
        "igraph": (other, {}),
        "a matrix": (pd.DataFrame(PATH, index=pd.Index(names, tupleize_cols=False)), {}),
        "points": (X, {"neighbours": 1}),
        "points beside their neighbours": (X, {"neighbours": sparse.csr_array(PATH)}),
        "cells": (
            SimpleNamespace(
                X=X.to_numpy(), obs=X, obsm={}, obsp={"connectivities": sparse.csr_array(PATH)}, uns={}, var_names=["x"]
            ),
            {},
        ),
    }


@pytest.mark.parametrize("what", named_graphs(list("abcde")))
def test_labels_by_name_are_those_of_the_vertices_whatever_has_the_names(what):
    graph, options = named_graphs(list("abcde"))[what]
    by_vertex = pd.Series([1, 0, 1, 0, 0], index=list("ebdca"))
    expected = cv.graph.evaluate(graph, [0, 0, 0, 1, 1], **options).to_dict()
    sets = [{"a", "b", "c"}, {"d", "e"}]
    for labels in (by_vertex, by_vertex.to_dict(), sets, by_vertex.astype("category")):
        assert cv.graph.evaluate(graph, labels, **options).to_dict() == expected
    assert cv.graph.evaluate(graph, pd.Series([0, 0, 0, 1, 1]).to_numpy(), **options).to_dict() == expected
    swept = cv.graph.sweep(graph, pd.DataFrame({"two": by_vertex}), indices="modularity", **options)
    assert swept["modularity"].tolist() == [expected["modularity"]]
    test = cv.graph.community_test(graph, by_vertex, **options)
    assert str(test) == str(cv.graph.community_test(graph, [0, 0, 0, 1, 1], **options))


def test_vertices_may_be_called_by_tuples_and_by_numbers_in_any_order():
    grid = nx.grid_2d_graph(3, 2)
    row = {vertex: vertex[0] for vertex in reversed(list(grid))}
    expected = cv.graph.modularity(grid, [vertex[0] for vertex in grid])
    assert cv.graph.modularity(grid, row) == cv.graph.modularity(grid, pd.Series(row)) == expected
    turned = nx.Graph([(3, 4), (2, 3), (0, 1), (1, 2), (0, 2)])
    assert list(turned) != list(range(5))
    assert cv.graph.modularity(turned, pd.Series([0, 0, 0, 1, 1])) == cv.graph.modularity(PATH, [0, 0, 0, 1, 1])


def test_labels_that_are_only_counted_are_taken_by_place():
    expected = cv.graph.modularity(PATH, [0, 0, 0, 1, 1])
    names = list("abcde")
    for what in ("networkx", "igraph"):
        assert cv.graph.modularity(named_graphs(names)[what][0], pd.Series([0, 0, 0, 1, 1])) == expected
    frame = pd.DataFrame(PATH, index=names)
    assert cv.graph.modularity(frame, dict(enumerate([0, 0, 0, 1, 1]))) == expected
    assert cv.graph.modularity(frame, [{0, 1, 2}, {3, 4}]) == expected
    twice = named_graphs(["a", "a", "b", "c", "d"])["igraph"][0]
    assert cv.graph.modularity(twice, pd.Series([0, 0, 0, 1, 1], index=["a", "a", "b", "c", "d"])) == expected
    lists = igraph.Graph.Adjacency(PATH.tolist(), mode="undirected")
    lists.vs["name"] = [[1], [2], [3], [4], [5]]
    assert cv.graph.modularity(lists, pd.Series([0, 0, 0, 1, 1])) == expected


def test_two_directions_become_one_by_the_rule_that_is_given():
    directed = sparse.csr_array(np.triu(RNG.random((20, 20)), 1) + np.tril(RNG.random((20, 20)) > 0.5, -1))
    dense, labels = directed.toarray(), np.arange(20) % 3
    for rule, merged in {
        "max": np.maximum(dense, dense.T),
        "min": np.minimum(dense, dense.T),
        "mean": (dense + dense.T) / 2,
        "sum": dense + dense.T,
    }.items():
        scores = cv.graph.evaluate(directed, labels, asymmetric=rule).to_dict()
        assert scores == approx(cv.graph.evaluate(merged, labels).to_dict(), rel=1e-13), rule
    graph = nx.DiGraph([(0, 1), (1, 2), (2, 0)])
    assert cv.graph.coverage(graph, [0, 0, 1], asymmetric="max") == approx(1 / 3)


def test_what_rounding_left_of_symmetry_is_no_error():
    products = np.abs(RNG.normal(size=(6, 3)))
    matrix = np.tril(products @ products.T) * (1 + 1e-15) + np.triu(products @ products.T, 1)
    assert cv.graph.modularity(matrix, [0, 0, 0, 1, 1, 1]) == approx(
        cv.graph.modularity(products @ products.T, [0, 0, 0, 1, 1, 1]), rel=1e-9, abs=1e-15
    )


def test_entries_of_zero_are_no_edges_and_doubled_entries_add_up():
    plain = sparse.coo_array(PATH.astype(float))
    rows, columns = plain.coords
    twice = (np.concatenate([rows, rows, [0, 4]]), np.concatenate([columns, columns, [4, 0]]))
    values = np.concatenate([plain.data / 4, plain.data * 3 / 4, [0, 0]])
    doubled = sparse.coo_array((values, twice), shape=(5, 5))
    labels = [0, 0, 0, 1, 1]
    assert cv.graph.evaluate(doubled, labels).to_dict() == cv.graph.evaluate(PATH, labels).to_dict()


def test_nearest_neighbours_are_those_of_the_metric():
    X = RNG.normal(size=(80, 3))
    near = np.argsort(np.abs(X[:, None] - X).sum(-1) + np.diag(np.full(80, np.inf)), axis=1)[:, :4]
    arcs = np.zeros((80, 80))
    np.put_along_axis(arcs, near, 1, axis=1)
    labels = np.arange(80) % 3
    for rule, merged in {None: np.maximum(arcs, arcs.T), "min": np.minimum(arcs, arcs.T)}.items():
        scores = cv.graph.evaluate(X, labels, neighbours=4, metric="cityblock", asymmetric=rule)
        assert scores.to_dict() == approx(cv.graph.evaluate(merged, labels).to_dict(), rel=1e-13, nan_ok=True)
    assert cv.graph.coverage(X[:3], [0, 0, 1], neighbours=9) == approx(1 / 3)


# --- many partitions -------------------------------------------------------------------------------------


def test_a_sweep_has_the_values_of_each_partition_alone():
    graph = nx.from_numpy_array(A)
    partitions = {
        "good": LABELS,
        "bad": EXAMPLES.bad[1],
        "sets": [{0, 1, 2}, set(range(3, len(A)))],
        "one": [0] * len(A),
    }
    swept = cv.graph.sweep(graph, partitions)
    assert swept.names == tuple(partitions)
    for row, (name, labels) in enumerate(partitions.items()):
        scores = cv.graph.evaluate(graph, labels)
        values = {index: swept[index][row] for index in swept.indices}
        assert values == approx(scores.to_dict(), nan_ok=True, rel=0, abs=0)
        assert {i: r for (n, i), r in swept.reasons.items() if n == name} == dict(scores.reasons)
    assert swept.k.tolist() == [3, 3, 2, 1]
    assert swept.best()["modularity"] == "good"
    assert cv.graph.sweep(A, [LABELS], indices="ncut").best() == {"normalized_cut": 0}
    assert cv.graph.sweep(A, np.array([LABELS, LABELS]), noise="error", neighbours=3)["modularity"].shape == (2,)


def test_a_checked_graph_stands_for_the_graph():
    graph = adjacency(sparse.csr_array(A))
    assert repr(graph) == f"Adjacency({len(A)} vertices, {int((A > 0).sum() / 2)} edges, weighted)"
    assert cv.graph.evaluate(graph, LABELS).to_dict() == cv.graph.evaluate(A, LABELS).to_dict()


def test_sources_travel_between_processes():
    import pickle

    source = pickle.loads(pickle.dumps(graph_partition(A, LABELS)))
    assert cv.graph.evaluate(source).to_dict() == cv.graph.evaluate(A, LABELS).to_dict()
