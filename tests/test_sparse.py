"""Large sparse points, which are never written out: distances, moments and errors are those of dense ones."""

from __future__ import annotations

import numpy as np
import pytest
from pytest import approx
from scipy import sparse

import clustval as cv
from clustval import inputs
from clustval.sources.space import SparseSpace, space_of

PAIRS = ["silhouette", "dunn", "c_index", "gamma", "point_biserial", "connectivity", "medoid_silhouette"]
SUMS = ["calinski_harabasz", "trace_w", "ball_hall", "ratkowsky_lance"]


@pytest.fixture(autouse=True)
def no_table_is_small(set_thresholds):
    set_thresholds(DENSE=0)


def table(n=150, p=40, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.random((n, p)) * (rng.random((n, p)) < 0.1)
    X[:, 0] += rng.integers(1, 3, n)
    X[3] = X[4]
    return X


def never(_):
    msg = "the zeros were written out"
    raise AssertionError(msg)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.csc_matrix, sparse.coo_array])
def test_a_sparse_table_has_the_values_of_a_dense_one_and_is_not_written_out(metric, weighted, form, monkeypatch):
    X = table()
    labels = np.append(np.arange(149) % 3, -1)
    weights = np.random.default_rng(1).integers(1, 4, 150) if weighted else None
    names = [*PAIRS[: 5 if weighted else 6], *SUMS]
    expected = cv.evaluate(X, labels, names, metric=metric, sample_weight=weights).to_dict()
    monkeypatch.setattr(SparseSpace, "X", property(never, lambda *_: None))
    scores = cv.evaluate(form(X), labels, names, metric=metric, sample_weight=weights)
    assert scores.to_dict() == approx(expected, rel=1e-10)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_sparse_distances_are_symmetric_to_the_last_bit_and_exact_where_they_are_small(metric):
    X = table()
    X[5] = X[6] * (1 + 1e-9) + 1e-9 * (X[6] > 0) * np.arange(40)
    dense = space_of(X, metric=metric).rows(np.arange(150))
    D = space_of(sparse.csr_array(X), metric=metric).rows(np.arange(150))
    assert np.array_equal(D, D.T)
    assert D[3, 4] == 0
    assert D == approx(dense, rel=1e-6, abs=1e-24)
    far = dense > 1e-6
    assert D[far] == approx(dense[far], rel=1e-12)


def test_what_needs_all_coordinates_says_so_where_they_do_not_fit():
    X, labels = sparse.csr_array(table(200, 20_000)), np.arange(200) % 2
    scores = cv.evaluate(X, labels, ["silhouette", "davies_bouldin"], memory="16 MiB")
    assert set(scores.reasons) == {"davies_bouldin"}
    assert scores.reasons["davies_bouldin"].startswith("This needs all coordinates of a sparse X")
    fits = cv.evaluate(X, labels, ["silhouette", "davies_bouldin"])
    assert fits["davies_bouldin"] == approx(cv.internal.davies_bouldin(X.toarray(), labels), rel=1e-9)


def test_bad_numbers_and_rows_of_zeros_are_errors():
    X, labels = table(), np.arange(150) % 3
    for value in (np.nan, np.inf, 1e200):
        bad = X.copy()
        bad[7, 3] = value
        with pytest.raises(cv.InputError, match=r"^X must be finite, and below 1e\+150 .*; row 7 is not\.$"):
            cv.internal.silhouette(sparse.csr_array(bad), labels)
    X[9] = 0
    with pytest.raises(cv.InputError, match=r"^The metric 'cosine' gives no finite distance for row 9 of X"):
        cv.internal.silhouette(sparse.csr_array(X), labels, metric="cosine")


def test_numbers_that_are_stored_twice_add_up():
    X, labels = table(), np.arange(150) % 3
    halves = sparse.coo_array(np.vstack([X, X]))
    twice = sparse.coo_array((halves.data / 2, (halves.coords[0] % 150, halves.coords[1])), shape=X.shape)
    assert cv.internal.silhouette(twice, labels) == approx(cv.internal.silhouette(X, labels), rel=1e-11)


def stored(data, columns, ends):
    return sparse.csr_array((np.array(data, dtype=float), columns, ends), shape=(len(ends) - 1, 3))


def test_a_sparse_table_is_read_with_each_number_stored_once_and_no_zeros_and_left_as_it_was():
    for given, expected in [
        (stored([1, 2, 3], [0, 0, 2], [0, 2, 3]), [[3, 0, 0], [0, 0, 3]]),  # twice in one row
        (stored([2, 0, 3], [0, 1, 2], [0, 2, 3]), [[2, 0, 0], [0, 0, 3]]),  # a zero
        (stored([0, 0], [0, 1], [0, 1, 2]), [[0, 0, 0], [0, 0, 0]]),
        (stored([1, 2], [0, 1], [0, 1, 2]), [[1, 0, 0], [0, 2, 0]]),
    ]:
        before = given.data.copy()
        read = inputs.as_sparse(given)
        assert read.toarray().tolist() == expected
        assert read.nnz == np.count_nonzero(expected)
        assert np.array_equal(given.data, before)


def test_a_sparse_number_may_reach_the_limit_and_the_row_of_the_first_beyond_is_named():
    assert inputs.as_sparse(stored([1e150], [0], [0, 1])).max() == 1e150
    with pytest.raises(cv.InputError, match="row 2 is not"):
        inputs.as_sparse(stored([1e150, 1, np.inf], [0, 1, 2], [0, 1, 2, 3]))
