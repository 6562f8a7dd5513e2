"""Work that many equal points cost: it grows with their number, and not with the number of their pairs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.spatial
from scipy.spatial.distance import cdist

import clustval as cv
from clustval import kernels
from clustval.passes.density import viasckde
from clustval.passes.neighbours import nearest
from clustval.passes.points.places import places
from clustval.passes.ranks import dsi

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
