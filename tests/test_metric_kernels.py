"""Every metric: compiled kernels against SciPy and against plain NumPy, symmetric to the last bit, and its rules."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.spatial.distance import cdist

import clustval as cv
from clustval import inputs
from clustval.kernels.density.dbcv import span_matrix
from clustval.kernels.metrics.form import EUCLIDEAN, Form
from clustval.passes.density.dbcv import _span_numpy
from clustval.passes.metrics import measure_images
from clustval.passes.metrics.prepared import packed_bits
from clustval.passes.pairs.half_square import Chunks, few_pass, full_square_pass, half_square_pass
from clustval.passes.pairs.half_square_numpy import numpy_pass, rows_numpy
from clustval.sources.partition import partition
from clustval.sources.space import space_of
from conftest import examples

SETS = sorted(inputs.BOOLEAN_METRICS)
NUMBERS = [
    "canberra",
    "chebyshev",
    "cityblock",
    "hamming",
    "minkowski",
    "minkowski(3)",
    "minkowski(1.5)",
    "sqeuclidean",
]
SHARES = ["braycurtis", "jensenshannon", "hellinger"]
DIRECTED = ["cosine", "correlation"]
SCALED = ["seuclidean", "mahalanobis"]
METRICS = [*NUMBERS, *SHARES, *DIRECTED, *SCALED, *SETS]
# One metric of each way to add dimensions and to finish a distance: each compiles a pass of its own for ten seconds.
SHAPES = ["canberra", "chebyshev", "minkowski(3)", "braycurtis", "cosine", "seuclidean", "jaccard"]
FIELDS = ("sums", "own", "nearest", "mins", "maxs", "hausdorff")


def points_for(metric, n, p, seed, *, ties=False):
    """Return points that the metric can measure; whole numbers, many of them equal, where there are to be ties."""
    rng = np.random.default_rng(seed)
    if metric in SETS:
        return rng.integers(0, 2, (n, 13 * p)).astype(float)
    X = rng.integers(0, 4, (n, p)).astype(float) if ties or metric == "hamming" else rng.normal(size=(n, p))
    if metric in SHARES:
        return np.abs(X) + rng.integers(0, 2, (n, 1)) / 8 + (np.arange(p) == 0)
    if metric in DIRECTED:
        return X + 4 * np.arange(p) + 1 if ties else X
    return X


def by_scipy(metric, X):
    """Return all distances by SciPy."""
    options = {}
    if metric in SETS:
        X = X != 0
    elif metric.startswith("minkowski("):
        metric, options = "minkowski", {"p": inputs.exponent_of(metric)}
    elif metric == "mahalanobis":
        options = {"VI": np.linalg.inv(np.cov(X.T))}
    elif metric == "seuclidean":
        options = {"V": np.var(X, axis=0, ddof=1)}
    elif metric == "hellinger":
        X, metric = np.sqrt(X / X.sum(axis=1, keepdims=True) / 2), "euclidean"
    with np.errstate(invalid="ignore", divide="ignore"):
        D = cdist(X, X, metric, **options)
    D[np.isnan(D)] = 0  # two empty sets
    return D


@pytest.mark.large
@pytest.mark.parametrize("metric", METRICS)
@examples(10)
@given(st.integers(2, 150), st.integers(2, 9), st.integers(0, 10**6), st.booleans())
def test_distances_are_those_of_scipy_and_symmetric_to_the_last_bit(metric, n, p, seed, ties):
    n = max(n, 3 * p) if metric == "mahalanobis" else n
    X = points_for(metric, n, p, seed, ties=ties and metric not in SCALED)
    D = space_of(X, metric=metric).rows(np.arange(n))
    assert np.array_equal(D, D.T)
    expected = by_scipy(metric, X)
    if metric == "russellrao":  # by which a point is apart from itself, which never counts
        np.fill_diagonal(expected, 0)
    if metric == "jensenshannon":  # a root: what rounding leaves of the square of a small distance is large in it
        D, expected = D**2, expected**2
    assert D == approx(expected, rel=1e-11 if metric == "mahalanobis" else 1e-12, abs=1e-12 * max(1, expected.max()))
    assert D.sum() == approx(expected.sum(), rel=1e-12, abs=1e-15 * n**2)


@pytest.mark.large
@pytest.mark.parametrize("metric", SHAPES)
def test_one_pass_over_the_pairs_is_that_of_plain_numpy(metric):
    for n, p, seed in ((70, 2, 0), (131, 5, 1), (400, 11, 2)):
        X = points_for(metric, n, p, seed)
        space = space_of(X, metric=metric)
        starts = np.array([0, n // 3, n // 3 + 1, n // 2, n])
        expected = numpy_pass(rows_numpy(space.form, space.image), n, starts, full=True)
        for visit in (
            half_square_pass(space.image, starts, Chunks.of(starts, 64), full=True, n_jobs=2, form=space.form),
            full_square_pass(space.image, starts, full=True, n_jobs=2, form=space.form),
            few_pass(space.image, starts, space.form, full=True),
        ):
            for field in FIELDS:
                assert getattr(visit, field) == approx(getattr(expected, field), rel=1e-12, abs=1e-13), field
            assert visit.squares == approx(expected.squares, rel=1e-10)


@pytest.mark.large
@pytest.mark.parametrize(
    ("metric", "n"), [*((metric, 40) for metric in METRICS), *((metric, 160) for metric in SHAPES)]
)
def test_indices_are_those_of_scipys_distances(metric, n):
    X, labels = points_for(metric, n, 4, 5), np.arange(n) % 3
    names = ["silhouette", "dunn", "c_index", "gamma", "point_biserial", "connectivity"]
    D = by_scipy(metric, X)
    D = (D + D.T) / 2
    np.fill_diagonal(D, 0)
    expected = cv.evaluate(D, labels, names, metric="precomputed").to_dict()
    if metric in {*SETS, "hamming"}:  # ties of neighbours are broken by the last bit
        del expected["connectivity"]
    for n_jobs in (1, 2):
        scores = cv.evaluate(X, labels, list(expected), metric=metric, n_jobs=n_jobs).to_dict()
        assert scores == approx(expected, rel=1e-9, abs=1e-11, nan_ok=True)


@pytest.mark.large
@pytest.mark.parametrize(("metric", "n", "p"), [("cosine", 50, 4), ("cosine", 510, 3), ("sqeuclidean", 510, 2)])
def test_what_squares_make_is_measured_as_a_matrix_of_it_is(metric, n, p):
    X, labels = points_for(metric, n, p, 3), np.arange(n) % 3
    D = space_of(X, metric=metric).rows(np.arange(n))
    matrix = cv.evaluate(D, labels, "all", metric="precomputed").to_dict()
    names = [name for name, value in matrix.items() if not np.isnan(value)]
    assert len(names) > 40
    scores = cv.evaluate(X, labels, names, metric=metric).to_dict()
    assert scores == approx({name: matrix[name] for name in names}, rel=1e-9, abs=1e-11)
    dbcv = cv.internal.dbcv(D, labels, metric="precomputed", dim=p)
    assert cv.internal.dbcv(X, labels, metric=metric) == approx(dbcv, rel=1e-9)


@pytest.mark.large
@pytest.mark.parametrize("metric", SHAPES)
def test_weights_and_sweeps_measure_alike(metric):
    X, labels = points_for(metric, 90, 3, 2), np.arange(90) % 3
    plain = cv.evaluate(X, labels, ["silhouette", "dunn"], metric=metric)
    swept = cv.sweep(X, [labels, 1 - labels % 2], ["silhouette", "dunn"], metric=metric)
    assert [swept[name][0] for name in plain] == approx(list(plain.values()), rel=1e-11)
    repeated = cv.evaluate(np.repeat(X, 2, axis=0), np.repeat(labels, 2), ["silhouette"], metric=metric)
    if metric not in SCALED:  # whose scale depends on the number of points
        weighted = cv.evaluate(X, labels, ["silhouette"], metric=metric, sample_weight=np.full(90, 2))
        if metric != "russellrao":  # by which copies are apart
            assert weighted["silhouette"] == approx(repeated["silhouette"], rel=1e-10)


@pytest.mark.parametrize("metric", ["cosine", "correlation"])
def test_directions_that_almost_agree_keep_their_digits(metric):
    """By 1 - x.y nothing would be left of angles below 1e-8."""
    base = np.array([3.0, -1.0, 2.0, 0.5])
    turn = np.array([1.0, 3.0, 0.0, 0.0]) if metric == "cosine" else np.array([1.0, 1.0, 0.0, -2.0])
    base = base - base.mean() if metric == "correlation" else base
    turn -= turn @ base / (base @ base) * base
    if metric == "correlation":
        turn -= turn.mean()
    angles = np.array([0.0, 1e-9, 1e-7, 1e-5])
    unit, side = base / np.linalg.norm(base), turn / np.linalg.norm(turn)
    X = np.outer(np.cos(angles), unit) + np.outer(np.sin(angles), side)
    D = space_of(X, metric=metric).rows(np.arange(4))
    assert D[0, 1:] == approx(angles[1:] ** 2 / 2, rel=1e-5)


@pytest.mark.parametrize("metric", ["cosine", "correlation"])
def test_the_length_of_a_direction_does_not_matter(metric):
    X = np.random.default_rng(0).normal(size=(80, 3))
    scaled = X * 2.0 ** np.arange(-40, 40)[:, None]
    labels = np.arange(80) % 2
    names = ["silhouette", "dunn", "gamma"]
    assert cv.evaluate(X, labels, names, metric=metric) == cv.evaluate(scaled, labels, names, metric=metric)
    large = cv.evaluate(X * 1e149, labels, names, metric=metric)
    assert large.to_dict() == approx(cv.evaluate(X, labels, names, metric=metric).to_dict(), rel=1e-11)


@pytest.mark.parametrize("n", [6, 90])
def test_rows_without_direction_or_share_are_errors_that_show_them(n):
    X, labels = np.random.default_rng(0).random((n, 3)) + 1, np.arange(n) % 2
    for metric, row in (
        ("cosine", [0.0, 0.0, 0.0]),
        ("correlation", [0.1, 0.1, 0.1]),
        ("jensenshannon", [0.0, 0.0, 0.0]),
        ("hellinger", [1.0, -1.0, 1.0]),
        ("jensenshannon", [1.0, -1.0, 1.0]),
    ):
        bad = X.copy()
        bad[3] = row
        for name in ("silhouette", "gamma", "connectivity"):
            with pytest.raises(cv.InputError, match=rf"^The metric '{metric}' gives no finite distance for \[{row[0]}"):
                cv.evaluate(bad, labels, name, metric=metric)
    bad = X.copy()
    bad[[2, 4]] = [[1, -1, 2], [-1, 1, -2]]
    with pytest.raises(cv.InputError, match=r"between \[1\.0, -1\.0, 2\.0\] and \[-1\.0, 1\.0, -2\.0\]"):
        cv.evaluate(bad, labels, "silhouette", metric="braycurtis")


def test_two_coordinates_of_0_add_nothing_to_canberra_distances():
    X = np.array([[0.0, 1], [0, 3], [0, 0], [0, 0]])
    D = space_of(X, metric="canberra").rows(np.arange(4))
    assert D.tolist() == [[0, 0.5, 1, 1], [0.5, 0, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0]]


@pytest.mark.parametrize(("metric", "n"), [*((name, 20) for name in SETS if name != "russellrao"), ("jaccard", 90)])
def test_two_empty_sets_are_equal(metric, n):
    X = np.random.default_rng(1).integers(0, 2, (n, 9)).astype(float)
    X[:3] = 0
    D = space_of(X, metric=metric).rows(np.arange(n))
    assert (D[:3, :3] == 0).all()
    assert np.isfinite(D).all()
    assert not math.isnan(cv.internal.silhouette(X, np.arange(n) % 3, metric=metric))


def test_sets_of_more_than_a_word_lose_no_element():
    for p in (1, 63, 64, 65, 200):
        X = np.zeros((70, p))
        X[np.arange(70), np.arange(70) % p] = 1
        D = space_of(X, metric="jaccard").rows(np.arange(70))
        assert np.array_equal(D, by_scipy("jaccard", X))


@pytest.mark.parametrize(
    ("name", "same"),
    [("minkowski(1)", "cityblock"), ("Minkowski( 2 )", "euclidean"), ("minkowski(p=inf)", "chebyshev")],
)
def test_minkowski_with_a_known_exponent_is_that_metric(name, same):
    X, labels = np.random.default_rng(0).normal(size=(90, 4)), np.arange(90) % 3
    value = cv.internal.silhouette(X, labels, metric=name)
    assert value == approx(cv.internal.silhouette(X, labels, metric=same), rel=1e-12)


@pytest.mark.parametrize("name", ["minkowski(0.5)", "minkowski(x)", "minkowski()", "minkowski(-1)"])
def test_minkowski_with_no_exponent_is_no_metric(name):
    with pytest.raises(cv.InputError, match=r"^No metric is called"):
        cv.internal.silhouette([[0], [1], [3]], [0, 0, 1], metric=name)


# --- functions of two points ------------------------------------------------------------------------------


@numba.njit
def manhattan(x, y):
    total = 0.0
    for q in range(len(x)):
        total += abs(x[q] - y[q])
    return total


@pytest.mark.parametrize("n", [30, 200])
def test_a_compiled_function_is_a_metric(n):
    X, labels = np.random.default_rng(0).normal(size=(n, 5)), np.arange(n) % 3
    names = ["silhouette", "dunn", "gamma", "davies_bouldin", "connectivity"]
    expected = cv.evaluate(X, labels, names, metric="cityblock").to_dict()
    assert cv.evaluate(X, labels, names, metric=manhattan).to_dict() == approx(expected, rel=1e-10)
    assert cv.evaluate(X, labels, names, metric=manhattan.py_func).to_dict() == approx(expected, rel=1e-10)


@pytest.mark.parametrize("by_distance", [False, True])
@given(st.integers(2, 30), st.integers(0, 10**6))
def test_trees_of_a_matrix_are_those_of_plain_numpy_ties_included(by_distance, n, seed):
    rng = np.random.default_rng(seed)
    D = rng.integers(0, 5, (n, n)).astype(float)
    D = np.triu(D, 1) + np.triu(D, 1).T
    core = rng.integers(0, 4, n).astype(float)
    parent, reach = np.empty(n, dtype=np.int64), np.empty(n)
    span_matrix(D, core, by_distance, parent, reach)
    expected = _span_numpy(D, core, by_distance=by_distance)
    assert parent.tolist() == expected[0].tolist()
    assert reach.tolist() == expected[1].tolist()


def test_distances_between_some_points_and_others_are_those_of_all():
    X, labels = np.random.default_rng(0).normal(size=(200, 3)), np.repeat([0, 1], 100)
    source = partition(X, labels, metric="cosine")
    D = source.rows(0, 200)
    some, run = np.array([5, 150, 7]), np.arange(100, 200)
    for a, b in ((some, run), (run, some), (np.arange(30), np.arange(0, 200, 2)), (np.array([3]), run)):
        assert source.between(a, b) == approx(D[np.ix_(a, b)], rel=1e-13, abs=1e-16)


@pytest.mark.parametrize(
    ("metric", "n"),
    [*((metric, 40) for metric in METRICS), *(pytest.param(m, 150, marks=pytest.mark.large) for m in SHAPES)],
)
def test_distances_of_rows_to_the_same_rows_are_those_of_all(metric, n):
    X = points_for(metric, n, 4, 2)
    space = space_of(X, metric=metric)
    rows = np.random.default_rng(0).permutation(n)
    others = np.roll(rows, 1)
    assert space.paired(X[rows], X[others]) == approx(space.rows(rows)[np.arange(n), others], rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("metric", [manhattan, manhattan.py_func])
def test_a_function_measures_rows_and_the_same_rows(metric):
    X = np.random.default_rng(0).normal(size=(20, 3))
    assert space_of(X, metric=metric).paired(X[:10], X[10:]) == approx(np.abs(X[:10] - X[10:]).sum(axis=1))


@pytest.mark.parametrize("n", [20, pytest.param(100, marks=pytest.mark.large)])
def test_a_pair_without_a_finite_distance_is_an_error_that_shows_it(n):
    X = np.arange(2.0 * n).reshape(n, 2) + 1
    X[5] = 0
    with pytest.raises(cv.InputError, match=r"^The metric 'cosine' gives no finite distance for \[0\.0, 0\.0\]\.$"):
        space_of(X, metric="cosine").paired(X, X[::-1])


# --- single precision -------------------------------------------------------------------------------------


@pytest.mark.large
@pytest.mark.parametrize("form", [EUCLIDEAN, Form("angle")])
@pytest.mark.parametrize(("n", "p"), [(70, 3), (131, 64), (300, 150)])
def test_numbers_of_single_precision_are_added_up_in_double(form, n, p):
    X = np.random.default_rng(p).normal(size=(n, p)).astype(np.float32)
    starts = np.array([0, n // 3, n // 3 + 1, n // 2, n])
    expected = numpy_pass(rows_numpy(form, X.astype(np.float64)), n, starts, full=True)
    first = None
    for visit in (
        half_square_pass(X, starts, Chunks.of(starts, 64), full=True, n_jobs=2, form=form),
        full_square_pass(X, starts, full=True, n_jobs=2, form=form),
    ):
        for field in FIELDS:
            assert getattr(visit, field) == approx(getattr(expected, field), rel=1e-6), field
        first = first or visit
        assert np.array_equal(visit.mins, first.mins)  # which kernel met two points does not matter
        assert np.array_equal(visit.maxs, first.maxs)


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_points_that_came_in_single_precision_lose_no_more_than_that(metric):
    X, labels = np.random.default_rng(0).normal(size=(150, 70)).astype(np.float32), np.arange(150) % 3
    X += 3 * (labels[:, None] == np.arange(70) % 3)
    names = ["dunn", "silhouette", "point_biserial", "c_index", "davies_bouldin"]
    single, double = (cv.evaluate(data, labels, names, metric=metric) for data in (X, X.astype(np.float64)))
    assert single.to_dict() == approx(double.to_dict(), rel=1e-5, abs=1e-8)
    assert single["dunn"] != double["dunn"]
    few = cv.evaluate(X[:, :9], labels, names, metric=metric)  # few dimensions are read in double precision
    assert few.to_dict() == cv.evaluate(X[:, :9].astype(np.float64), labels, names, metric=metric).to_dict()


def test_without_a_compiler_metrics_are_measured_in_numpy(set_thresholds):
    X, labels = np.random.default_rng(0).normal(size=(90, 4)), np.arange(90) % 3
    compiled = {m: cv.internal.silhouette(X, labels, metric=m) for m in ("cosine", "cityblock", "mahalanobis")}
    set_thresholds(PAIRS=10**6)
    for metric, value in compiled.items():
        assert cv.internal.silhouette(X, labels, metric=metric) == approx(value, rel=1e-11)


def test_divergences_in_numpy_are_those_of_scipy():
    shares = np.random.default_rng(0).dirichlet(np.ones(5), 9)
    shares[0] = [1, 0, 0, 0, 0]
    form = Form("jensenshannon")
    for found in (
        measure_images.form_distances_numpy(form, shares, shares[:4]),
        measure_images.divergences(form, shares, shares[:4], cells=1),
    ):
        assert found == approx(cdist(shares, shares[:4], "jensenshannon"), abs=1e-7)


@pytest.mark.parametrize("metric", SETS)
def test_distances_of_sets_in_numpy_are_those_of_scipy(metric):
    X = np.random.default_rng(0).random((12, 70)) < 0.3  # more than a word
    packed = packed_bits(X.astype(float))
    found = measure_images.form_distances_numpy(Form(metric, a=70), packed, packed[:5])
    assert found == approx(cdist(X, X[:5], metric), rel=1e-14)
