"""Equal points under every metric: centres that only rounding parts, and distances of points to themselves."""

from __future__ import annotations

import numpy as np
import pytest
from pytest import approx
from scipy import sparse
from scipy.spatial.distance import cdist

import clustval as cv
from clustval.sources.blocks import blocks_of

METRICS = (
    "cityblock", "chebyshev", "canberra", "braycurtis", "cosine", "correlation", "sqeuclidean", "seuclidean",
    "minkowski", "minkowski(3)", "jensenshannon", "hellinger",
)  # fmt: skip
OF_CENTRES = ("wemmert_gancarski", "davies_bouldin", "cop", "sv", "davies_bouldin_star", "pbm", "gdi43", "gdi53")


def crowds(seed):
    """Return two points, each many times over."""
    rng = np.random.default_rng(seed)
    a, b = rng.random((2, 5)) + 0.1
    return np.array([a] * 4 + [b] * 4)


def kinds_of(values):
    """Return which values are 0, infinite, undefined or none of these."""
    return {name: value if value == 0 or not np.isfinite(value) else "number" for name, value in values.items()}


@pytest.mark.parametrize("metric", METRICS)
def test_clusters_of_equal_points_have_no_width_by_any_metric(metric):
    for seed in range(10):
        X, labels = crowds(seed), [0] * 4 + [1] * 4
        euclidean = kinds_of(cv.evaluate(X, labels, OF_CENTRES))
        assert kinds_of(cv.evaluate(X, labels, OF_CENTRES, metric=metric)) == euclidean
        assert euclidean["sv"] == np.inf


def test_a_large_mean_of_a_row_leaves_no_width_by_correlation():
    for seed in range(20):
        places = np.random.default_rng(seed).normal(size=(4, 3)) + 5  # so that rows less their means lose digits
        X, labels = np.repeat(places, 3, axis=0), np.repeat(np.arange(4), 3)
        scores = cv.evaluate(X, labels, OF_CENTRES, metric="correlation")
        assert kinds_of(scores) == kinds_of(cv.evaluate(X, labels, OF_CENTRES))


@pytest.mark.parametrize("metric", METRICS)
def test_two_clusters_at_one_place_are_0_apart_by_any_metric(metric):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X = np.vstack([crowds(seed)[:4], rng.random((6, 5)) + 0.1, rng.random((6, 5)) + 2])
        labels = [0, 0, 1, 1] + [2] * 6 + [3] * 6
        scores = cv.evaluate(X, labels, OF_CENTRES, metric=metric)
        assert kinds_of(scores) == kinds_of(cv.evaluate(X, labels, OF_CENTRES))
        assert np.isnan(scores["davies_bouldin"])


@pytest.mark.parametrize("metric", ["cityblock", "canberra", "cosine", "correlation"])
def test_blocks_of_equal_points_have_no_width_either(metric):
    X, labels = crowds(1), np.array([0, 0, 1, 1, 2, 2, 2, 2])
    blocks = blocks_of([(X[:3], labels[:3]), (X[3:6], labels[3:6]), (X[6:], labels[6:])], metric=metric)
    for index in ("wemmert_gancarski", "davies_bouldin"):
        assert np.isnan(cv.evaluate(X, labels, index, metric=metric)[index])
        assert np.isnan(cv.evaluate(blocks, indices=index)[index])


def test_small_columns_count_where_shares_are_compared():
    X = np.array([[1, 1e-17], [1, 3e-17], [1, 9e-17], [1, 8e-17]])
    shares = cv.evaluate(X, [0, 0, 1, 1], "davies_bouldin", metric="canberra")["davies_bouldin"]
    halves = cv.evaluate(X[:, 1:] * 1e17, [0, 0, 1, 1], "davies_bouldin", metric="canberra")["davies_bouldin"]
    assert shares == approx(halves)


@pytest.mark.parametrize(("metric", "shift"), [("cosine", 0), ("correlation", 7)])
def test_whole_numbers_with_one_direction_are_0_apart(metric, shift):
    rng = np.random.default_rng(0)
    for _ in range(50):
        row = rng.integers(1, 100, 7)
        X = np.concatenate([row * np.arange(1, 9)[:, None] + shift, rng.integers(1, 100, (1, 7))])
        labels = [0, 0, 0, 1, 1, 1, 1, 1, 1]
        assert cv.internal.medoid_davies_bouldin(X, labels, metric=metric) == np.inf
        assert cv.internal.dunn(X, labels, metric=metric) == 0


def test_sparse_whole_numbers_with_one_direction_are_0_apart(monkeypatch):
    monkeypatch.setattr("clustval.passes.work.thresholds.DENSE", 0)
    rng = np.random.default_rng(0)
    for _ in range(50):
        X = np.concatenate([rng.integers(1, 100, 7) * np.arange(1, 5)[:, None], rng.integers(1, 100, (4, 7))])
        assert cv.internal.dunn(sparse.csr_array(X), [0, 0, 1, 1, 1, 1, 1, 1], metric="cosine") == 0


def test_sparse_clusters_of_equal_points_have_no_spread(monkeypatch):
    monkeypatch.setattr("clustval.passes.work.thresholds.DENSE", 0)
    X = np.array([[0.1, 0, 0.7]] * 3 + [[0, 0.3, 0.1]] * 3)
    assert cv.internal.calinski_harabasz(sparse.csr_array(X), [0, 0, 0, 1, 1, 1]) == np.inf


# --- metrics by which points are apart from themselves ---------------------------------------------------


def russell_rao(x, y):
    return 1 - np.count_nonzero(x * y) / len(x)


def sets_and_distances(seed, n):
    """Return sets, clusters, and the distances of sets to all others."""
    rng = np.random.default_rng(seed)
    X = (rng.random((n, 8)) < 0.45) * 1.0
    distances = cdist(X.astype(bool), X.astype(bool), "russellrao")
    np.fill_diagonal(distances, 0)
    labels = rng.integers(0, 3, n)
    labels[n // 2] = 3  # alone
    return X, labels, distances


def assert_same(scores, others, names):
    assert [scores[name] for name in names] == approx(
        [others[name] for name in names], rel=1e-9, abs=1e-12, nan_ok=True
    )


def of_distances(scores):
    return [name for name in scores if name not in scores.reasons]


@pytest.mark.parametrize("noisy", [False, True])
@pytest.mark.parametrize("metric", ["russellrao", russell_rao])
@pytest.mark.parametrize("n", [14, 90])
def test_the_distance_of_a_point_to_itself_never_counts(n, metric, noisy):
    X, labels, distances = sets_and_distances(n, n)
    if noisy:
        labels[:2] = -1
    whole = cv.evaluate(distances, labels, "all", metric="precomputed")
    names = of_distances(whole)
    assert len(names) > 40
    assert_same(cv.evaluate(X, labels, names, metric=metric), whole, names)


def test_the_distance_of_a_point_to_itself_counts_in_no_sweep():
    X, labels, distances = sets_and_distances(3, 40)
    partitions = [labels, np.roll(labels, 1), labels % 2]
    whole = cv.sweep(distances, partitions, "all", metric="precomputed")
    sets = cv.sweep(X, partitions, whole.indices, metric="russellrao")
    defined = ~np.isnan(whole.values)
    assert sets.values[defined] == approx(whole.values[defined], rel=1e-9, abs=1e-12)


def test_the_distance_of_a_point_to_itself_counts_in_no_block():
    X, labels, distances = sets_and_distances(4, 40)
    blocks = blocks_of([(X[:9], labels[:9]), (X[9:], labels[9:])], metric="russellrao")
    whole = cv.evaluate(distances, labels, "all", metric="precomputed")
    scores = cv.evaluate(blocks, indices=of_distances(whole))
    assert_same(scores, whole, of_distances(scores))
    assert "medoid_silhouette" in of_distances(scores)


def test_the_distance_of_a_point_to_itself_counts_in_no_tile(tmp_path, set_limits):
    X, labels, distances = sets_and_distances(5, 300)
    np.save(tmp_path / "X.npy", X)
    set_limits(rows_per_block=50, rows_per_piece=50, rows_per_stripe=100, room=0)
    whole = cv.evaluate(distances, labels, "all", metric="precomputed")
    scores = cv.evaluate(str(tmp_path / "X.npy"), labels, of_distances(whole), metric="russellrao")
    assert_same(scores, whole, of_distances(scores))
    assert "silhouette" in of_distances(scores)
