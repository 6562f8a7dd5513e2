"""Sweeps over a parameter and seeds: Leiden as igraph has it, equal partitions once, plateaus, sure points."""

from __future__ import annotations

import pickle
import random

import igraph
import numpy as np
import pytest
from annotated import cells
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.sparse import csr_array
from sklearn.cluster import DBSCAN, HDBSCAN, KMeans

import clustval as cv
from clustval import kernels
from clustval.errors import InputError
from clustval.passes.labels.element_centric import point_similarity_numpy, similarities
from conftest import examples, make_blobs

SEEDS = st.integers(0, 10_000)
X, TRUTH = make_blobs((25, 25, 30), (0, 5, 10), seed=0)
GRAPH = cv.graph.adjacency(X, neighbours=6)


def labellings(seed: int, m: int = 3, n: int = 12) -> np.ndarray:
    return np.random.default_rng(seed).integers(-1, 3, (m, n))


def similarity_in_loops(a: np.ndarray, b: np.ndarray) -> list[float]:
    """Return the similarity of the clusters of each point; a point with the code -1 is alone."""
    values = []
    for i in range(len(a)):
        one = {j for j in range(len(a)) if j == i or (a[i] >= 0 and a[j] == a[i])}
        two = {j for j in range(len(b)) if j == i or (b[i] >= 0 and b[j] == b[i])}
        walk = sum(abs((j in one) / len(one) - (j in two) / len(two)) for j in range(len(a)))
        values.append(1 - walk / 2)
    return values


@given(SEEDS)
@examples(40)
def test_consistency_is_the_mean_similarity_over_pairs_of_labellings(seed):
    codes, counts = labellings(seed), [2, 1, 3]
    alike, consistency = similarities(codes, np.array(counts))
    repeated = np.repeat(codes, counts, axis=0)
    pairs = [similarity_in_loops(repeated[s], repeated[t]) for s in range(6) for t in range(s)]
    assert consistency == approx(np.mean(pairs, axis=0), rel=1e-12)
    for s in range(3):
        for t in range(3):
            assert alike[s, t] == approx(np.mean(similarity_in_loops(codes[s], codes[t])))


@given(SEEDS)
@examples(20)
def test_the_compiled_similarity_is_that_of_plain_numpy(seed):
    a, b = labellings(seed, 2, 50)
    sums = np.zeros(50)
    table, sizes = np.empty((3, 3), dtype=np.int32), (np.empty(3, dtype=np.int64), np.empty(3, dtype=np.int64))
    total = kernels.labels.element_centric.add_similarity(a, b, table, *sizes, 2.0, sums)
    expected = point_similarity_numpy(a, b)
    assert sums == approx(2 * expected, rel=1e-12)
    assert total == approx(expected.sum())


def test_without_noise_it_is_the_external_index():
    a, b = np.random.default_rng(0).integers(0, 4, (2, 60))
    assert similarities(np.array([a, b]), np.array([1, 1]))[0][0, 1] == approx(cv.external.element_centric(a, b))


def test_partitions_are_those_of_igraph_with_the_same_seed():
    edges = [(i, j) for i in range(12) for j in range(i) if (i * 7 + j * 3) % 4 == 0]
    graph = igraph.Graph(n=12, edges=edges)
    swept = cv.sweep(graph, resolution=[0.5, 1.5], seeds=[3], indices="modularity")
    for value, name in zip([0.5, 1.5], swept.layers["partition"].tolist(), strict=True):
        random.seed(3)
        igraph.set_random_number_generator(random)
        plain = graph.community_leiden("modularity", resolution=value, n_iterations=2).membership
        assert cv.external.adjusted_rand(plain, swept.labels[name]) == 1
        assert swept["modularity"][swept.names.index(name)] == approx(graph.modularity(plain))


def test_a_matrix_and_the_graph_of_it_give_the_same():
    A = np.zeros((len(X), len(X)))
    A[GRAPH.tails, GRAPH.edges.others] = 1.0
    A += A.T
    assert cv.sweep(A, resolution=[0.3, 1], seeds=3) == cv.sweep(GRAPH, resolution=[0.3, 1], seeds=3)


def test_neighbours_of_points_make_the_graph():
    wanted = cv.sweep(GRAPH, resolution=[0.3, 1], seeds=3)
    numbers = np.argsort(np.linalg.norm(X[:, None] - X, axis=2), axis=1)[:, :7]
    distances = np.take_along_axis(np.linalg.norm(X[:, None] - X, axis=2), numbers, axis=1)
    matrix = csr_array((distances.ravel(), numbers.ravel(), np.arange(len(X) + 1) * 7), shape=(len(X), len(X)))
    for data, neighbours in ((X, 6), (X, matrix), (None, matrix), (X, (numbers, distances))):
        assert cv.sweep(data, resolution=[0.3, 1], seeds=3, neighbours=neighbours) == wanted
    with pytest.raises(InputError, match=r"^X is not symmetric: .* Distances of nearest neighbours are passed as"):
        cv.sweep(matrix, resolution=1.0)
    with pytest.raises(InputError, match=r"^neighbours is a graph of 80 points, but X has 79"):
        cv.sweep(X[1:], resolution=1.0, neighbours=matrix)


def test_cells_have_graphs_by_name_and_representations_that_are_joined():
    data = cells()
    points = data.obsm["X_pca"]
    near = cv.graph.adjacency(points, neighbours=5)
    matrix = csr_array((np.ones(len(near.tails)), (near.tails, near.edges.others)), shape=(near.n, near.n))
    data.obsp = {"connectivities": matrix + matrix.T, "other": (matrix + matrix.T) * 2.0, "distances": matrix}
    wanted = {"resolution": [0.1, 1], "seeds": 2}
    assert cv.sweep(data, **wanted) == cv.sweep(near, **wanted)
    with pytest.raises(InputError, match=r"^X has no graph in obsp; neighbours=15 joins each cell"):
        cv.sweep(cells(), resolution=1.0)
    assert cv.sweep(data, **wanted, neighbours="other") == cv.sweep(data.obsp["other"], **wanted)
    assert cv.sweep(data, **wanted, neighbours=4, use_rep="X_scVI") == cv.sweep(
        data.obsm["X_scVI"], **wanted, neighbours=4
    )
    modularity = cv.graph.modularity(data.obsp["connectivities"], data.obs["leiden"])
    assert cv.graph.modularity(data, "leiden") == cv.graph.evaluate(data, "leiden")["modularity"] == modularity
    assert cv.graph.modularity(data, "leiden", neighbours=5) == cv.graph.modularity(near, data.obs["leiden"])
    assert cv.sweep(data, **wanted, neighbours="distances") == cv.sweep(None, **wanted, neighbours=matrix)
    for joined in ("distances", matrix):
        assert cv.graph.modularity(data, "leiden", neighbours=joined) == cv.graph.modularity(near, data.obs["leiden"])
    assert cv.graph.modularity(data, "leiden", neighbours="other") == modularity
    data.obsp["directed"] = matrix
    with pytest.raises(InputError, match=r"^The graph 'directed' of X is not symmetric: .* are passed as neighbours="):
        cv.sweep(data, resolution=1.0, neighbours="directed")
    with pytest.raises(InputError, match=r"^neighbours is a graph of 90 points, but X has 80\.$"):
        cv.graph.modularity(points[:80], np.arange(80) % 2, neighbours=matrix)
    with pytest.raises(InputError, match=r"^use_rep= is for points; resolution= clusters the graph that is there"):
        cv.sweep(data, resolution=1.0, use_rep="X_scVI")


def test_the_same_partitions_are_counted_once_and_plateaus_are_named():
    swept = cv.sweep(GRAPH, resolution=np.geomspace(0.02, 0.3, 6), seeds=4, indices="modularity")
    names = swept.layers["partition"].tolist()
    assert len(swept) == len(set(names)) < 6
    assert len({np.asarray(labels).tobytes() for labels in swept.labels.values()}) == len(swept)
    assert any(sentence.endswith(": the same 3 clusters") for sentence in swept.sentences)
    assert "the same 3 clusters" in str(swept)


def test_plateaus_are_runs_of_values_with_one_partition():
    swept = cv.sweep(GRAPH, resolution=np.geomspace(0.02, 2, 12), seeds=3, indices="modularity")
    for record in swept.plateaus.records:
        inside = [r for r in swept.layers.records if record["first"] <= r["value"] <= record["last"]]
        assert len(inside) == record["values"] > 1
        assert {r["k"] for r in inside} == {record["k"]}
        assert record["same"] == (len({r["partition"] for r in inside}) == 1)


def test_k_means_goes_over_k_and_seeds():
    swept = cv.sweep(X, estimator=KMeans(n_init=1), k=range(2, 5), seeds=4, indices="silhouette")
    assert swept.parameter == "k"
    assert swept.layers["k"].tolist() == [2, 3, 4]
    assert swept.consistency.shape == (3, len(X))
    assert swept.best_k == 3
    again = cv.sweep(X, estimator=KMeans(n_init=1), k=range(2, 5), seeds=4, indices="silhouette")
    assert again == swept


def test_hdbscan_goes_over_its_parameter_and_runs_once_where_nothing_is_drawn():
    swept = cv.sweep(X, estimator=(HDBSCAN(copy=True), {"min_cluster_size": [5, 8]}), seeds=5, indices="silhouette")
    assert swept.parameter == "min_cluster_size"
    assert swept.layers["value"].tolist() == [5, 8]
    assert swept.layers["different"].tolist() == [1, 1]
    assert (swept.consistency == 1).all()


def test_noise_counts_as_in_a_sweep_without_seeds():
    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(centre, 0.3, (20, 2)) for centre in (0, 5)])
    options = {"estimator": (DBSCAN(min_samples=5), {"eps": [0.1, 0.15, 0.5]}), "indices": ["silhouette"]}
    swept = cv.sweep(points, seeds=2, **options)
    assert swept.coverage.tolist() == cv.sweep(points, **options).coverage.tolist() == [0.125, 0.2, 1.0]
    assert swept.best() == {"silhouette": None}
    worse = cv.sweep(points, seeds=2, noise="penalty", **options)
    for again in (worse, pickle.loads(pickle.dumps(worse)), type(worse).from_json(worse.to_json())):
        assert again.penalised
        assert again.coverage.tolist() == [0.125, 0.2, 1.0]
        assert again.best() == {"silhouette": "0.5"}


def test_values_that_are_nearly_the_same_have_names_of_their_own():
    points = np.r_[[[0.0], [1.0], [2.00001], [3.00004]], 10 + np.arange(4)[:, None]]
    estimator = (DBSCAN(min_samples=1), {"eps": [1.0, 1.00002, 1.00004, 1.00005]})
    swept = cv.sweep(points, estimator=estimator, seeds=1, indices=["dunn"])
    assert swept.layers["k"].tolist() == [4, 3, 2, 2]
    assert swept.names == ("1", "1.00002", "1.00004 to 1.00005")
    assert swept.sentences == ["1.00004 to 1.00005: the same 2 clusters"]


def test_one_seed_says_nothing_of_consistency():
    assert np.isnan(cv.sweep(X, k=[2, 3], seeds=1, indices="dunn").consistency).all()


def test_the_tree_has_a_bar_for_each_cluster_and_ribbons_of_all_points(tmp_path):
    swept = cv.sweep(GRAPH, resolution=[0.05, 0.3, 1.0], seeds=3, indices="modularity")
    drawing = swept.drawing()
    assert len(drawing.bars) == sum(swept.k)
    for column in range(1, len(swept)):
        assert sum(r.size for r in drawing.ribbons if r.target.column == column) == len(X)
    assert len(swept.plot("tree").patches) == len(drawing.bars) + len(drawing.ribbons)
    page = swept.to_html(tmp_path / "tree.html", look=False)
    assert "The tree of clusters" in page
    colours = {name: np.linspace(0, 1, int(k)) for name, k in zip(swept.names, swept.k, strict=True)}
    assert swept.drawing(colours).bars[0].cluster.value is not None


BAD_CALLS = {
    "a resolution below 0": (lambda: cv.sweep(GRAPH, resolution=[-1.0]), "resolution must be positive numbers"),
    "no resolution": (lambda: cv.sweep(GRAPH, resolution=[]), "resolution must be positive numbers"),
    "text": (lambda: cv.sweep(GRAPH, resolution="high"), "resolution must be positive numbers"),
    "points": (lambda: cv.sweep(X, resolution=[1.0]), "A must be square"),
    "negative weights": (
        lambda: cv.sweep([[0, -1], [-1, 0]], resolution=[1.0]),
        "weights of edges must not be negative",
    ),
    "an estimator too": (
        lambda: cv.sweep(GRAPH, resolution=[1.0], estimator=KMeans()),
        "resolution= clusters a graph by the Leiden algorithm; leave estimator= out.",
    ),
    "partitions and seeds": (
        lambda: cv.sweep(X, [TRUTH], seeds=3),
        "seeds= clusters X anew for each seed; leave partitions= out.",
    ),
    "no graph": (lambda: cv.sweep(None, resolution=[1.0]), "X is None and there is no graph"),
    "a metric": (lambda: cv.sweep(GRAPH, resolution=[1.0], metric="cosine"), "metric= is for points"),
    "weights": (
        lambda: cv.sweep(GRAPH, resolution=[1.0], sample_weight=np.ones(80)),
        "resolution= clusters a graph by the Leiden algorithm; leave sample_weight= out.",
    ),
    "no seeds": (lambda: cv.sweep(X, k=2, seeds=0), "seeds must be a whole number"),
    "seeds twice": (lambda: cv.sweep(X, k=2, seeds=[1, 1]), "seeds must be a number, or different whole numbers"),
    "several": (lambda: cv.sweep(X, estimator=[KMeans(), KMeans()], seeds=2), "seeds= goes over one estimator"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_what_cannot_be_swept_is_said_in_a_sentence(name):
    call, message = BAD_CALLS[name]
    with pytest.raises(InputError) as error:
        call()
    assert message in str(error.value)
