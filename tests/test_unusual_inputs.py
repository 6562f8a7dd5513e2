"""Input that is unusual, and right nevertheless."""

from __future__ import annotations

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval import inputs
from conftest import make_blobs

# --- distances with rounding in them ---------------------------------------------------------------------


def cosine_distances(sizes, *, twins=0):
    """Return 1 - X @ X.T of unit vectors, some of them twice, the same distances without rounding, and labels."""
    X, labels = make_blobs(sizes, [3, (-3, 3, 0), (4, -2, 9)], p=3)
    X[len(X) - twins :] = X[:twins]
    X /= np.linalg.norm(X, axis=1, keepdims=True)
    D = 1 - X @ X.T
    exact = np.where(D < 0, 0, D)
    np.fill_diagonal(exact, 0)
    return D, exact, labels


@pytest.mark.parametrize("sizes", [(9, 14, 7), (60, 80, 70)])
@pytest.mark.parametrize("twins", [0, 5])
@pytest.mark.parametrize("noise", [False, True])
def test_rounding_on_the_diagonal_and_below_zero_is_zero(sizes, twins, noise):
    D, exact, labels = cosine_distances(sizes, twins=twins)
    assert D.diagonal().any()
    labels[0] = -1 if noise else labels[0]
    before = D.copy()
    names = ["silhouette", "dunn", "c_index", "gamma", "connectivity"]
    weights = np.arange(len(D)) % 3
    for options in ({}, {"sample_weight": weights}):
        scores = cv.evaluate(D, labels, names, metric="precomputed", **options)
        assert scores.to_dict() == pytest.approx(
            cv.evaluate(exact, labels, names, metric="precomputed", **options).to_dict(), rel=0, abs=0, nan_ok=True
        )
    assert (D == before).all()


def test_a_sweep_and_a_single_index_take_distances_with_rounding_too():
    D, exact, labels = cosine_distances((60, 80, 70), twins=5)
    partitions = {"three": labels, "two": labels > 0}
    sweep = cv.sweep(D, partitions, ["silhouette", "dunn"], metric="precomputed")
    assert sweep.to_pandas().equals(
        cv.sweep(exact, partitions, ["silhouette", "dunn"], metric="precomputed").to_pandas()
    )
    assert cv.internal.dunn(D, labels, metric="precomputed") == cv.internal.dunn(exact, labels, metric="precomputed")


@pytest.mark.parametrize("sizes", [(9, 14, 7), (60, 80, 70)])
@pytest.mark.parametrize(
    ("i", "j", "share", "message"),
    [
        (4, 4, 1.1e-10, "The diagonal of a precomputed X must be 0; row 4 has "),
        (4, 4, -1.1e-10, "The diagonal of a precomputed X must be 0; row 4 has -"),
        (4, 8, -1.1e-10, "Distances must not be negative; row 4, column 8 is -"),
        (4, 4, np.inf, "X must be finite; row 4, column 4 is inf."),
        (4, 8, -np.inf, "X must be finite; row 4, column 8 is -inf"),
        (4, 4, np.nan, "X must be finite; row 4, column 4 is nan."),
    ],
)
def test_more_than_rounding_is_refused(sizes, i, j, share, message):
    _, D, labels = cosine_distances(sizes)
    D[i, j] = D[j, i] = share * D.max()
    with pytest.raises(cv.InputError) as error:
        cv.evaluate(D, labels, metric="precomputed")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("sizes", [(9, 14, 7), (60, 80, 70)])
def test_asymmetry_of_the_size_of_rounding_is_allowed_where_distances_are_small(sizes):
    _, D, labels = cosine_distances(sizes, twins=5)
    D[0, -5] = 0
    D[-5, 0] = 0.9e-10 * D.max()
    assert cv.evaluate(D, labels, "silhouette", metric="precomputed")["silhouette"] < 1
    D[-5, 0] = 1.1e-10 * D.max()
    with pytest.raises(cv.InputError, match="must be symmetric"):
        cv.evaluate(D, labels, "silhouette", metric="precomputed")


# --- input that is wrong ---------------------------------------------------------------------------------

X, LABELS = make_blobs((9, 8, 7), (1, 5, 9))


@pytest.mark.parametrize("indices", [5, None, True, object(), [["dunn"]], {"dunn": 5}])
def test_what_names_no_indices_is_an_error_that_says_so(indices):
    for call in (
        lambda: cv.evaluate(X, LABELS, indices),
        lambda: cv.sweep(X, {"a": LABELS}, indices),
        lambda: cv.calibrate(X, {"a": LABELS}, indices, references=2),
        lambda: cv.Evaluator(indices),
    ):
        with pytest.raises(cv.InputError, match=r"^(indices|statistics) must "):
            call()


def test_weights_that_products_of_pairs_cannot_hold_are_refused():
    weights = np.full(len(X), 1e29)
    assert cv.agreement(LABELS, LABELS[::-1], "all", sample_weight=weights)["phi"] == approx(
        cv.external.phi(LABELS, LABELS[::-1], sample_weight=np.full(len(X), 1e9)), rel=1e-6
    )
    for call in (
        lambda: cv.agreement(LABELS, LABELS, sample_weight=weights * 100),
        lambda: cv.evaluate(X, LABELS, sample_weight=weights * 100),
    ):
        with pytest.raises(cv.InputError, match=r"^sample_weight reaches 1e\+31, .* below 1e\+30\.$"):
            call()


def test_batches_without_any_weight_have_no_scores():
    evaluator = cv.Evaluator("calinski_harabasz").partial_fit(X, LABELS, sample_weight=np.zeros(len(X)))
    with pytest.raises(cv.InputError, match="at least one must weigh more"):
        evaluator.scores()
    assert evaluator.partial_fit(X, LABELS, sample_weight=np.ones(len(X))).scores()["calinski_harabasz"] > 0
    with pytest.raises(TypeError, match="unsupported operand"):
        evaluator + 5


def test_nothing_is_chosen_where_the_metric_tells_no_points_apart():
    with pytest.raises(cv.InputError, match="All points are equal under the metric 'jaccard'"):
        cv.choose(X, metric="jaccard")  # of each number it asks whether it is 0


def test_a_sweep_says_which_indices_it_has():
    swept = cv.sweep(X, {"a": LABELS}, ["dunn", "davies_bouldin"])
    assert "dunn" in swept
    assert "db" in swept
    assert "silhouette" not in swept
    assert 0 not in swept
    with pytest.raises(TypeError, match="not iterable"):
        iter(swept)


# --- limits ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("free", "budget"), [(2**40, 2**31), (2**32, 2**30), (2**20, 2**24)])
def test_without_a_budget_it_is_a_quarter_of_what_is_free_between_two_limits(free, budget, monkeypatch):
    monkeypatch.setattr(inputs, "_free_memory", lambda: free)
    assert inputs.as_memory(None) == budget


def test_free_memory_is_in_bytes_and_where_no_system_tells_it_four_gib(monkeypatch):
    pages = {"SC_AVPHYS_PAGES": 1000, "SC_PAGE_SIZE": 4096}
    monkeypatch.setattr(inputs.os, "sysconf", pages.__getitem__, raising=False)
    assert inputs._free_memory() == 4_096_000
    monkeypatch.delattr(inputs.os, "sysconf")
    assert inputs._free_memory() == 2**32


def test_what_rounding_left_below_zero_is_zero_up_to_its_limit():
    D = np.array([[0, 1, -1e-10], [1, 0, 1], [-1e-10, 1, 0]])
    assert inputs.as_distances(D).tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    with pytest.raises(cv.InputError, match="negative"):
        inputs.as_distances(1.01 * D - 0.01 * np.abs(D))
    D[0, 1] = 9
    assert inputs.as_distances(D, check=False) is D


def test_points_that_are_all_equal_are_points():
    assert inputs.as_points([[3.0], [3.0]]).tolist() == [[3.0], [3.0]]


def test_the_row_that_labels_do_not_have_is_named():
    pandas = pytest.importorskip("pandas")
    labels = pandas.Series([1, 2, 3], index=["a", "b", "d"])
    with pytest.raises(cv.InputError, match="labels has no row 'c'"):
        inputs.aligned(labels, pandas.Index(["a", "c", "b"]), "labels")
