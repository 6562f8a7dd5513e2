"""Graphs of nearest neighbours that others searched."""

from __future__ import annotations

import annotated
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

import clustval as cv
from clustval.errors import InputError
from clustval.homes.neighbour_graph import neighbour_graph
from clustval.result import same

NAMES = ["connectivity", "knn_consistency", "knn_purity", "knn_modularity"]


@pytest.fixture
def data():
    data = annotated.cells(dtype=np.float64)
    data.obsp["distances"] = kneighbors_graph(data.obsm["X_pca"], 14, mode="distance")
    return data


def forms(X, count):
    """Return the same exact graph as different libraries give it."""
    distances, indices = NearestNeighbors(n_neighbors=count + 1).fit(X).kneighbors(X)  # each point is its own first
    return {
        "csr": kneighbors_graph(X, count, mode="distance"),
        "coo": kneighbors_graph(X, count, mode="distance").tocoo(),
        "scikit-learn": (distances, indices),
        "pynndescent": (indices.astype(np.int32), distances),
        "faiss": (np.pad(distances, ((0, 0), (0, 2))), np.pad(indices, ((0, 0), (0, 2)), constant_values=-1)),
    }


def test_a_given_exact_graph_gives_the_values_of_a_searched_one(data):
    X, labels = data.obsm["X_pca"], data.obs["cell_type"].to_numpy()
    searched = cv.evaluate(X, labels, NAMES).to_dict()
    for graph in forms(X, 12).values():
        assert same(cv.evaluate(X, labels, NAMES, neighbours=graph).to_dict(), searched)
        assert same(cv.evaluate(None, labels, NAMES, neighbours=graph).to_dict(), searched)
    assert same(cv.evaluate(data, "cell_type", NAMES, neighbours="distances").to_dict(), searched)
    partitions = [labels, data.obs["leiden"].to_numpy()]
    assert cv.sweep(X, partitions, NAMES, neighbours=forms(X, 12)["csr"]) == cv.sweep(X, partitions, NAMES)


def test_the_graph_is_used_and_nothing_is_searched(data):
    X, labels = data.obsm["X_pca"], data.obs["cell_type"].to_numpy()
    n = len(X)
    ring = (np.arange(1, n + 1)[:, None] % n, np.ones((n, 1)))
    purity = cv.evaluate(X, labels, {"knn_purity": {"neighbours": 1}}, neighbours=ring)["knn_purity"]
    assert purity == np.mean(labels == np.roll(labels, -1))


def test_connections_are_no_distances(data):
    X, labels = data.obsm["X_pca"], data.obs["leiden"].to_numpy()
    connections = forms(X, 6)["csr"]
    connections.data[:] = 1.0
    with pytest.raises(InputError, match=r"^neighbours must hold distances; it holds 1 for each neighbour\."):
        cv.evaluate(X, labels, NAMES, neighbours=connections)


def test_a_graph_of_neighbours_in_place_of_points_is_doubted(data):
    graph = forms(data.obsm["X_pca"], 6)["csr"]
    with pytest.warns(UserWarning, match=r"^X looks like a graph of nearest neighbours: .* neighbours= takes it so\.$"):
        cv.evaluate(graph, data.obs["leiden"].to_numpy(), "dunn")


def test_what_a_graph_cannot_say_has_a_reason(data):
    graph, labels = data.obsp["distances"], data.obs["leiden"]
    scores = cv.evaluate(None, labels, "all", neighbours=graph)
    assert set(NAMES) <= {name for name, value in scores.items() if not np.isnan(value)}
    assert "only a graph of nearest neighbours" in scores.reasons["silhouette"]
    assert "only a graph of nearest neighbours" in scores.reasons["calinski_harabasz"]
    few = cv.evaluate(None, labels, {"knn_purity": {"neighbours": 20}}, neighbours=graph)
    assert few.reasons["knn_purity"] == "It needs 20 neighbours of each point, and the graph has 14 of point 0."
    ragged = graph.tolil()
    ragged[7, :] = 0
    some = cv.evaluate(None, labels, NAMES, neighbours=sparse.csr_array(ragged))
    assert "the graph has 0 of point 7" in some.reasons["connectivity"]


def test_points_that_are_left_out_are_nobodys_neighbours(data):
    X, labels = data.obsm["X_pca"], data.obs["cell_type"].to_numpy().astype(object)
    labels[::9] = None
    full = kneighbors_graph(X, 30, mode="distance")
    searched = cv.evaluate(X, labels, NAMES).to_dict()
    assert same(cv.evaluate(X, labels, NAMES, neighbours=full).to_dict(), searched)
    assert same(cv.evaluate(None, labels, NAMES, neighbours=full).to_dict(), searched)


@pytest.mark.parametrize(
    ("neighbours", "words"),
    [
        (sparse.csr_array((3, 4)), "must be square; it has 3 rows and 4 columns"),
        (sparse.eye_array(4, format="csr"), "is a graph of 4 points, but X has 90"),
        (([[1], [0]], [[1.0], [-2.0]]), "finite and not negative; that of row 1 to 0 is -2.0"),
        (([[1], [0]], [[1.0], [np.nan]]), "finite and not negative"),
        (([[1], [5]], [[1.0], [1.0]]), "Row 1 of neighbours names point 5, but there are 2 points"),
        (([[1], [0]], [[1.0, 2.0], [1.0, 2.0]]), "the same shape"),
        (([[0.5], [0.5]], [[1.0], [1.0]]), "must be indices, whole numbers, and distances"),
        (([[1, 1], [0, 0]], [[1.0, 1.0], [1.0, 1.0]]), "Row 0 of neighbours names point 1 twice"),
        (7, "neighbours must be a sparse matrix of distances, a pair"),
        ("distance", "no graph in obsp 'distance'. Did you mean 'distances'?"),
    ],
)
def test_wrong_graphs_are_refused_in_a_line(data, neighbours, words):
    with pytest.raises(InputError) as error:
        cv.evaluate(data, "leiden", NAMES, neighbours=neighbours)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_similarities_are_no_distances(data):
    graph = data.obsp["distances"].copy()
    graph.data = np.exp(-graph.data)
    data.obsp["connectivities"] = graph.maximum(graph.T)
    X, labels = data.obsm["X_pca"], data.obs["leiden"].to_numpy()
    for call in (
        lambda: cv.evaluate(data, "leiden", NAMES, neighbours="connectivities"),
        lambda: cv.sweep(X, [labels], NAMES, neighbours=graph),
        lambda: cv.diagnose(X, labels, neighbours=graph),
    ):
        with pytest.raises(InputError, match=r"^neighbours must hold distances; its values fall as points are"):
            call()


def test_a_name_of_a_graph_needs_cells():
    with pytest.raises(InputError, match="a name, but X is no annotated cells"):
        cv.evaluate(np.eye(4), [0, 0, 1, 1], neighbours="distances")


@given(st.integers(0, 10**6))
def test_restriction_is_what_loops_over_edges_leave(seed):
    rng = np.random.default_rng(seed)
    n = 12
    matrix = np.where(rng.random((n, n)) < 0.4, rng.integers(1, 5, (n, n)), 0).astype(float)
    keep = rng.random(n) < 0.7
    graph = neighbour_graph(sparse.csr_array(matrix)).restricted(keep)
    rows = np.flatnonzero(keep).tolist()
    for place, row in enumerate(rows):
        edges = sorted((matrix[row, other], rows.index(other)) for other in rows if other != row and matrix[row, other])
        here = slice(graph.starts[place], graph.starts[place + 1])
        assert list(zip(graph.distances[here].tolist(), graph.numbers[here].tolist(), strict=True)) == edges
