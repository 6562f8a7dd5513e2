"""Work that many equal points cost: it grows with their number, and not with the number of their pairs."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.spatial

from clustval.passes.neighbours import nearest

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
