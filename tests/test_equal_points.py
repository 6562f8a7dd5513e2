"""Work that many equal points cost: it grows with their number, and not with the number of their pairs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.spatial
from scipy.spatial.distance import cdist

import clustval as cv
from clustval import kernels
from clustval.passes.density import dbcv, viasckde
from clustval.passes.metrics import quantiles
from clustval.passes.neighbours import nearest
from clustval.passes.pairs import search_extremes
from clustval.passes.points.places import places
from clustval.passes.ranks import dsi
from clustval.passes.trees import span_clusters
from clustval.sources import partition, sites
from clustval.stats.density import growth
from clustval.stats.neighbours import closest, near_densities

CROWDS = {
    "all_equal": lambda n, _: np.ones((n, 2)),
    "five_outliers": lambda n, rng: np.vstack([rng.normal(size=(5, 2)), np.ones((n - 5, 2))]),
    "nine_places": lambda n, rng: rng.integers(0, 3, size=(n, 2)).astype(float),
    "last_digits": lambda n, rng: 1 + 1e-16 * rng.integers(0, 8, size=(n, 2)),
    "grid": lambda n, _: np.array(divmod(np.arange(n), 50)).T.astype(float),
}


def points_visited(monkeypatch, X, count):
    """Count the points that neighbours are searched among, whole tables and long leaves of trees included."""
    visited = 0
    visit = nearest._by_visit

    def counted(X, rows, *options):
        nonlocal visited
        visited += len(rows) * len(X)
        return visit(X, rows, *options)

    class Tree(scipy.spatial.cKDTree):
        def query(self, points, **options):
            nonlocal visited
            _, sizes = np.unique(self.data, axis=0, return_counts=True)
            visited += len(points) * int(sizes.max())  # equal points share a leaf
            return super().query(points, **options)

    monkeypatch.setattr(nearest, "_by_visit", counted)
    monkeypatch.setattr(scipy.spatial, "cKDTree", Tree)
    nearest.nearest_of_points(X, count, n_jobs=1)
    return visited


@pytest.mark.parametrize("name", CROWDS)
def test_the_search_for_neighbours_among_equal_points_is_linear(monkeypatch, name):
    rng = np.random.default_rng(0)
    n, count = 3000, 7
    visited = points_visited(monkeypatch, CROWDS[name](n, rng), count)
    assert visited <= 30 * n


@pytest.mark.parametrize("count", [1, 4, 20])
@pytest.mark.parametrize("name", CROWDS)
def test_neighbours_among_equal_points_are_those_of_whole_rows(name, count):
    rng = np.random.default_rng(1)
    X = rng.permutation(CROWDS[name](1000, rng))
    near, numbers = nearest.nearest_of_points(X, count, n_jobs=1)
    table = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    expected_near, expected = nearest.nearest_numpy(lambda rows: table[rows], len(X), count)
    np.testing.assert_array_equal(numbers, expected)
    np.testing.assert_array_equal(near, expected_near)


@pytest.mark.parametrize("name", CROWDS)
def test_places_are_the_distinct_rows_of_each_cluster(name):
    rng = np.random.default_rng(2)
    X, codes = CROWDS[name](500, rng), np.sort(rng.integers(0, 4, 500))
    distinct = places(X, codes)
    np.testing.assert_array_equal(X[distinct.firsts[distinct.codes]], X)
    np.testing.assert_array_equal(codes[distinct.firsts[distinct.codes]], codes)
    assert len(distinct.firsts) == len(np.unique(np.column_stack([X, codes]), axis=0))
    assert distinct.counts.sum() == 500


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "sqeuclidean"])
@pytest.mark.parametrize("name", CROWDS)
def test_distances_between_places_compare_as_those_between_points(name, metric):
    rng = np.random.default_rng(3)
    X, starts = rng.permutation(CROWDS[name](600, rng)), np.array([0, 1, 200, 600])
    codes = np.repeat(np.arange(3), np.diff(starts))
    table = cdist(X, X, metric)
    gaps = dsi.contrast_of_places(lambda a, b: table[np.ix_(a, b)], starts, places(X, codes), 2**30)
    if gaps is None:
        assert len(places(X, codes).firsts) ** 2 * dsi.SORTED > 600**2
    else:
        np.testing.assert_allclose(gaps, dsi.contrast_of_rows_numpy(table, starts), rtol=1e-12)


def test_all_points_in_one_cluster_have_no_distances_outside():
    table = np.zeros((9, 9))
    gaps = dsi.contrast_of_places(lambda a, b: table[np.ix_(a, b)], np.array([0, 9]), places(np.ones((9, 1))), 2**30)
    assert np.isnan(gaps).all()


def test_places_that_do_not_fit_the_memory_are_not_sorted():
    distinct = places(np.repeat(np.arange(10.0), 100)[:, None])
    assert dsi.contrast_of_places(None, np.array([0, 500, 1000]), distinct, memory=100) is None


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("name", ["all_equal", "nine_places", "last_digits"])
def test_indices_of_density_look_at_each_place_once(monkeypatch, name, metric):
    rng = np.random.default_rng(4)
    X, labels = CROWDS[name](1500, rng), rng.integers(0, 3, 1500)
    looks = []
    plain = kernels.density.viasckde.bells_of_rows

    def counted(table, points, *given):
        looks.append(len(points))
        return plain(table, points, *given)

    monkeypatch.setattr(kernels.density.viasckde, "bells_of_rows", counted)
    monkeypatch.setattr(dsi, "Search", None)  # which tallies all pairs
    scores = cv.evaluate(X, labels, ["viasckde", "dsi"], metric=metric)
    assert 0 < sum(looks) <= len(np.unique(X, axis=0))
    assert not scores.reasons


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_densities_of_equal_points_are_those_of_all_rows(metric):
    X = np.random.default_rng(5).integers(0, 6, (700, 2)) / 7
    plain = viasckde.density_numpy(lambda points: cdist(X[points], X, metric), len(X), 0.2)
    rows = viasckde.density_of_rows(lambda points: cdist(X[points], X, metric), len(X), 0.2, n_jobs=1, X=X)
    np.testing.assert_allclose(rows, plain, rtol=1e-13)
    if metric == "euclidean":
        np.testing.assert_allclose(viasckde.density_of_points(X, 0.2, n_jobs=1), plain, rtol=1e-13)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.37, 1.0])
@pytest.mark.parametrize("name", ["all_equal", "five_outliers", "nine_places", "last_digits"])
def test_a_quantile_of_distances_between_places_is_that_of_all_pairs(name, share):
    X = CROWDS[name](800, np.random.default_rng(6))
    distinct = places(X)
    few = X[distinct.firsts]
    table = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))
    short = np.sqrt(((few[:, None] - few[None]) ** 2).sum(axis=2))
    assert quantiles.quantile_of_places(short, distinct.counts, share) == quantiles.quantile_numpy(table, share)


def test_widths_of_equal_points_look_at_places_alone(monkeypatch):
    X = np.random.default_rng(7).integers(0, 5, (1500, 2)).astype(float)
    monkeypatch.setattr("clustval.stats.neighbours.near_densities.quantile_of_points", None)
    scores = cv.evaluate(X, np.arange(1500) % 3, ["hennig_dindex", "hennig_denscut", "hennig_highdgap"])
    assert not scores.reasons


OF_PLACES = (
    "silhouette", "dunn", "gdi31", "gdi62", "mcclain_rao", "point_biserial", "normalized_cut", "medoid_silhouette",
    "hennig_maxdiameter", "hennig_widestgap", "hennig_sindex", "hennig_withinss", "hennig_pamc", "hennig_dindex",
    "hennig_denscut", "hennig_highdgap", "dcsi", "viasckde",
)  # fmt: skip
MANY = 1200  # points: of fewer, nobody asks which are equal


def spots(seed, columns):
    """Return many points at a few places, each in four clusters, some elsewhere, and their clusters; some are noise."""
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(15, columns))[rng.integers(0, 15, MANY)], rng.normal(size=(5, columns))])
    labels = rng.integers(0, 4, len(X))
    labels[:20] = -1
    return X, labels


@pytest.mark.parametrize(
    ("metric", "columns"),
    [("euclidean", 2), ("euclidean", 9), ("sqeuclidean", 2), ("cityblock", 2), ("cosine", 3)],
)
def test_indices_of_places_are_those_of_all_pairs(metric, columns):
    X, labels = spots(8, columns)
    assert sites.crowded(X[labels >= 0], labels[labels >= 0]) is not None
    scores = cv.evaluate(X, labels, OF_PLACES, metric=metric)
    table = cdist(X, X, metric)
    table[(X[:, None] == X).all(axis=2)] = 0.0
    whole = cv.evaluate(table, labels, OF_PLACES, metric="precomputed")
    assert list(scores.values()) == pytest.approx(list(whole.values()), rel=1e-9, abs=1e-13)
    assert not scores.reasons
    of_points = scores.per_point("silhouette"), whole.per_point("silhouette")
    np.testing.assert_allclose(*of_points, rtol=1e-9, atol=1e-13)
    for name in ("dunn", "hennig_widestgap"):  # which search trees where nothing else meets pairs
        assert cv.evaluate(X, labels, name, metric=metric)[name] == pytest.approx(whole[name], rel=1e-9)
    separation = cv.internal.dbcv(table, labels, metric="precomputed", dim=columns)
    assert cv.internal.dbcv(X, labels, metric=metric) == pytest.approx(separation, rel=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "hamming"])
def test_weighted_points_at_few_places_count_by_their_weights(metric):
    rng = np.random.default_rng(9)
    X, labels, weights = rng.integers(0, 3, (MANY, 3)), rng.integers(0, 3, MANY), rng.integers(1, 4, MANY)
    names = ["silhouette", "mcclain_rao", "gdi31", "hennig_pamc"]
    weighted = cv.evaluate(X, labels, names, metric=metric, sample_weight=weights)
    rows = np.repeat(np.arange(MANY), weights)
    repeated = cv.evaluate(cdist(X[rows], X[rows], metric), labels[rows], names, metric="precomputed")
    assert list(weighted.values()) == pytest.approx(list(repeated.values()), rel=1e-11)


@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("name", [*CROWDS, "two_equal"])
def test_spanning_trees_of_places_have_the_inner_points_of_all(name, squared):
    rng = np.random.default_rng(10)
    few = {"two_equal": lambda n, _: np.arange(n)[:, None] // 2.0} | CROWDS
    X, codes = few[name](400, rng), np.repeat([0, 1, 2], [2, 99, 299])
    options = {"exponent": 2, "squared": squared, "by_distance": True, "n_jobs": 1}
    starts = np.array([0, 2, 101, 400])
    whole = dbcv.densities_of_points(X, starts, **options)
    crowd = dbcv.densities_of_points(X, starts, **options, crowd=places(X, codes))
    np.testing.assert_array_equal(crowd.sparseness, whole.sparseness)
    np.testing.assert_array_equal(crowd.separation, whole.separation)


@pytest.mark.parametrize("name", ["all_equal", "nine_places", "last_digits"])
def test_what_suites_measure_grows_with_places_and_not_with_pairs(monkeypatch, name):
    rng = np.random.default_rng(11)
    X, labels = CROWDS[name](3000, rng), rng.integers(0, 3, 3000)
    points = []

    def counted(module, function):
        plain = getattr(module, function)

        def visit(X, *given, **options):
            points.append(X.shape[function == "_grown"])  # columns are points there
            return plain(X, *given, **options)

        monkeypatch.setattr(module, function, visit)

    for module, function in [
        (partition, "weighted_pass"), (search_extremes, "cluster_extremes"), (span_clusters, "tree_of_points"),
        (growth, "growth_of_points"), (closest, "closest_of_points"), (dbcv, "_grown"),
    ]:  # fmt: skip
        counted(module, function)
    for module, function in [
        (partition, "form_pass"), (near_densities, "near_sums_of_points"),
        (near_densities, "near_sums_elsewhere_of_points"),
    ]:  # fmt: skip
        monkeypatch.setattr(module, function, None)  # they meet all pairs
    most = len(np.unique(np.column_stack([X, labels]), axis=0))
    for names in ("hennig", ["dbcv", "dcsi", "silhouette"], "hennig_widestgap", "dunn"):
        cv.evaluate(X, labels, names)
        assert 0 < max(points) <= most, names
        points.clear()


def test_most_points_are_told_apart_by_a_sample(monkeypatch):
    monkeypatch.setattr(sites, "places", None)  # which looks at all points
    rng = np.random.default_rng(12)
    assert sites.crowded(np.column_stack([np.zeros(20_000), rng.normal(size=20_000)])) is None
