"""What users may pass: arrays, frames, labels of any type, noise, metrics, budgets."""

from __future__ import annotations

import math
from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from pytest import approx
from scipy import sparse
from scipy.spatial.distance import cdist, pdist, squareform

import clustval as cv
from clustval import inputs
from clustval.passes.points.row_moments import columns_of

X = np.array([[0.0, 1], [2, 0], [7, 5], [10, 4], [11, 6], [12, 5]])
LABELS = np.array([0, 0, 1, 2, 2, 2])
NAMES = ["silhouette", "dunn", "calinski_harabasz", "c_index", "gamma"]
EXPECTED = cv.evaluate(X, LABELS, NAMES).to_dict()


@pytest.mark.parametrize(
    "given",
    [
        X.tolist(),
        tuple(map(tuple, X)),
        X.astype(np.float32),
        X.astype(np.int64),
        X.astype(np.uint8),
        X.astype(object),
        np.asfortranarray(X),
        np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)[::2, ::3],
        X[::-1][::-1],
        sparse.csr_array(X),
        pd.DataFrame(X),
        pd.DataFrame(X).convert_dtypes(),
        pl.DataFrame(X, schema=["a", "b"]),
        pl.LazyFrame(X, schema=["a", "b"]),
        pa.table({"a": X[:, 0], "b": X[:, 1]}),
        np.ma.masked_array(X),
    ],
    ids=lambda given: type(given).__name__,
)
def test_points_of_any_kind_give_the_same_values(given):
    assert cv.evaluate(given, LABELS, NAMES).to_dict() == EXPECTED


def test_read_only_and_memory_mapped_points_are_read_in_place(tmp_path):
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    assert cv.evaluate(mapped, LABELS, NAMES).to_dict() == EXPECTED


@pytest.mark.parametrize(
    "labels",
    [
        LABELS.tolist(),
        LABELS.astype(np.int8),
        LABELS.astype(np.uint64) + np.uint64(2**63),
        LABELS * 10**12 - 7,
        LABELS.astype(float),
        np.array(["c", "c", "a", "b", "b", "b"]),
        ["c", "c", "a", "b", "b", "b"],
        np.array(["c", "c", "a", "b", "b", "b"], dtype=object),
        pd.Series(["c", "c", "a", "b", "b", "b"]),
        pd.Categorical(["c", "c", "a", "b", "b", "b"], categories=["c", "a", "b", "unused"]),
        pd.Series(["c", "c", "a", "b", "b", "b"], dtype="category"),
        pd.Series(LABELS, dtype="Int64"),
        pl.Series(["c", "c", "a", "b", "b", "b"]),
        pl.Series(["c", "c", "a", "b", "b", "b"], dtype=pl.Categorical),
        pl.Series(LABELS),
        pa.array(["c", "c", "a", "b", "b", "b"]),
        pa.chunked_array([["c", "c", "a"], ["b", "b", "b"]]),
        pd.DataFrame({"label": LABELS}),
        [5, 5, "x", 2.0, 2, 2],
    ],
    ids=lambda labels: f"{type(labels).__module__}.{type(labels).__name__}",
)
def test_labels_of_any_kind_give_the_same_clusters(labels):
    for name, value in cv.evaluate(X, labels, NAMES).items():
        assert value == approx(EXPECTED[name], rel=1e-13)


def test_truth_values_are_labels():
    assert cv.evaluate(X, LABELS == 2, NAMES).to_dict() == cv.evaluate(X, (LABELS == 2).astype(int), NAMES).to_dict()


NOISY = [
    [0, 0, -1, 2, 2, 2],
    np.array([0, 0, -1, 2, 2, 2]),
    [0.0, 0, np.nan, 2, 2, 2],
    ["a", "a", None, "b", "b", "b"],
    pd.Series([0, 0, None, 2, 2, 2], dtype="Int64"),
    pd.Series(["a", "a", None, "b", "b", "b"]),
    pd.Categorical(["a", "a", None, "b", "b", "b"]),
    pl.Series([0, 0, None, 2, 2, 2]),
    pl.Series(["a", "a", None, "b", "b", "b"]),
    pa.array(["a", "a", None, "b", "b", "b"]),
]


@pytest.mark.parametrize("labels", NOISY, ids=lambda labels: f"{type(labels).__module__}.{type(labels).__name__}")
def test_missing_labels_and_minus_one_are_noise(labels):
    kept = [0, 1, 3, 4, 5]
    scores = cv.evaluate(X, labels, NAMES)
    assert scores.to_dict() == cv.evaluate(X[kept], [0, 0, 2, 2, 2], NAMES).to_dict()
    assert scores.coverage == 5 / 6
    as_cluster = cv.evaluate(X, labels, NAMES, noise="cluster")
    assert as_cluster.to_dict() == cv.evaluate(X, [0, 0, 3, 2, 2, 2], NAMES).to_dict()
    assert as_cluster.coverage == 1
    assert cv.evaluate(X, labels, NAMES, noise="singletons").to_dict() == as_cluster.to_dict()


def test_each_noise_point_may_be_a_cluster_of_its_own():
    labels = [0, 0, -1, 1, 1, -1]
    assert cv.internal.silhouette(X, labels, noise="singletons") == cv.internal.silhouette(X, [0, 0, 2, 1, 1, 3])


def test_noise_has_no_value_and_no_neighbour():
    scores = cv.evaluate(X, [0, 0, -1, 2, 2, 2], ["silhouette"])
    assert np.isnan(scores.per_point("silhouette")).tolist() == [False, False, True, False, False, False]
    assert scores.neighbours("silhouette").tolist() == [2, 2, None, 0, 0, 0]


METRICS = ["cityblock", "manhattan", "chebyshev", "cosine", "correlation", "canberra", "braycurtis", "sqeuclidean",
           "minkowski", "seuclidean", "mahalanobis"]  # fmt: skip


@pytest.mark.parametrize("metric", METRICS)
def test_a_metric_gives_what_its_distances_give(metric):
    rng = np.random.default_rng(2)
    points, labels = rng.normal(size=(40, 3)) + 3, rng.integers(0, 3, 40)
    distances = squareform(pdist(points, inputs.as_metric(metric)))
    names = ["silhouette", "dunn", "c_index", "gamma", "mcclain_rao", "gdi61"]
    by_name = cv.evaluate(points, labels, names, metric=metric)
    given = cv.evaluate(distances, labels, names, metric="precomputed")
    for name in names:
        assert by_name[name] == approx(given[name], rel=1e-9)


def test_a_function_of_two_points_is_a_metric():
    by_function = cv.evaluate(X, LABELS, NAMES, metric=lambda a, b: float(np.abs(a - b).sum()))
    for name, value in cv.evaluate(X, LABELS, NAMES, metric="cityblock").items():
        assert by_function[name] == approx(value)


def test_points_are_measured_against_centres_by_the_metric():
    centres = np.array([X[LABELS == c].mean(axis=0) for c in range(3)])
    spreads = [cdist(X[LABELS == c], centres[[c]], "cityblock").mean() for c in range(3)]
    gaps = cdist(centres, centres, "cityblock")
    overlap = [max((spreads[a] + spreads[b]) / gaps[a, b] for b in range(3) if b != a) for a in range(3)]
    assert cv.internal.davies_bouldin(X, LABELS, metric="cityblock") == approx(np.mean(overlap))


def test_means_of_sets_have_no_boolean_distance():
    points = np.random.default_rng(0).integers(0, 2, (10, 6))
    scores = cv.evaluate(points, np.arange(10) % 2, ["silhouette", "pbm"], metric="jaccard")
    assert scores.reasons == {"pbm": "pbm needs means, and the metric 'jaccard' compares sets, which have none."}


def test_precomputed_distances_of_many_points_agree_with_their_coordinates():
    rng = np.random.default_rng(4)
    points, labels = rng.normal(size=(1100, 2)), rng.integers(0, 4, 1100)
    D = squareform(pdist(points))
    for name in ("silhouette", "dunn", "gamma", "c_index"):
        direct = getattr(cv.internal, name)(points, labels)
        assert getattr(cv.internal, name)(D, labels, metric="precomputed") == approx(direct, rel=1e-12)


@pytest.mark.parametrize("noise", [0, 1050])
@pytest.mark.parametrize("index", ["dunn", "silhouette", "gamma"])
@pytest.mark.parametrize(
    ("row", "column", "wrong"),
    [(1050, 3, np.nan), (1050, 3, np.inf), (3, 1050, -1.0), (1050, 1099, 3.5), (1050, 1050, 2.0), (1050, 1050, 1e-6)],
)
def test_one_wrong_entry_among_a_million_is_found(row, column, wrong, index, noise):
    points = np.arange(1101.0)[:, None]  # a number that eight does not divide
    D = np.abs(points - points.T)
    D[row, column] = wrong
    labels = np.where(np.arange(1101) == noise, -1, np.arange(1101) % 2) if noise else np.arange(1101) % 2
    with pytest.raises(cv.InputError, match=f"row {min(row, column) if wrong == 3.5 else row}"):
        getattr(cv.internal, index)(D, labels, metric="precomputed")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (np.nan, r"X must be finite; row 20003, column 1 is nan"),
        (-np.inf, r"X must be finite; row 20003, column 1 is -inf"),
        (-1e200, r"X reaches 1e\+200, whose square overflows"),
    ],
)
def test_one_wrong_number_among_many_points_is_found(wrong, message):
    points = np.random.default_rng(0).normal(size=(20_005, 3))
    points[20_003, 1] = wrong
    with pytest.raises(cv.InputError, match=message):
        cv.evaluate(points, np.arange(20_005) % 2, "fast")


def test_many_points_far_from_the_origin_have_the_values_of_those_near():
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 4, 20_005)
    points = rng.normal(size=(20_005, 3)) + 2 * rng.normal(size=(4, 3))[labels]
    far = cv.evaluate(points + 1e8, labels, "fast")
    for name, value in cv.evaluate(points, labels, "fast").items():
        assert far[name] == approx(value, rel=1e-6), name


def test_symmetric_but_for_rounding_is_symmetric():
    points = np.random.default_rng(0).normal(size=(1101, 3))
    D = squareform(pdist(points))
    rounded = np.where(np.triu(D) > 0, D * (1 + 2e-13), D)
    labels = np.arange(1101) % 3
    direct = cv.internal.silhouette(points, labels)
    assert cv.internal.silhouette(rounded, labels, metric="precomputed") == approx(direct, rel=1e-11)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("2 GiB", 2**31),
        ("2GiB", 2**31),
        ("512 MB", 512 * 10**6),
        ("512m", 2**29),
        (2**28, 2**28),
        ("1.5g", 3 * 2**29),
        (np.float32(2**28), 2**28),
    ],
)
def test_memory_is_read_as_written(text, size):
    assert inputs.as_memory(text) == size


def test_all_cores_are_used_unless_said_otherwise():
    from clustval.passes.work.threads import available_cores

    assert inputs.as_jobs(None) == inputs.as_jobs(-1) == available_cores()
    assert inputs.as_jobs(3) == 3


def test_names_may_be_abbreviated_and_aliases_work():
    scores = cv.evaluate(X, LABELS, ["CH", "wemm", "Dunn"])
    assert list(scores) == ["calinski_harabasz", "wemmert_gancarski", "dunn"]
    assert scores["ch"] == scores["calinski_harabasz"]
    assert cv.evaluate(X, LABELS, "dunn")["Dunn"] == scores["dunn"]


def test_one_index_of_a_suite_can_be_asked_for():
    scores = cv.evaluate(X, LABELS, ["clustercrit:silhouette"])
    assert scores["silhouette"] == cv.internal.silhouette_by_cluster(X, LABELS)


def test_scores_turn_into_tables():
    scores = cv.evaluate(X, [0] * 6, ["dunn", "trace_w"])
    assert scores.to_pandas().loc["trace_w", "value"] == scores["trace_w"]
    assert scores.to_polars()["index"].to_list() == ["dunn", "trace_w"]
    assert scores.to_polars()["reason"][0] == scores.reasons["dunn"]
    text = str(scores).splitlines()
    assert text[0].split() == ["index", "value", "direction", "range"]
    assert text[1].split()[:3] == ["dunn", "—", "higher"]
    assert "<td>trace_w</td>" in scores._repr_html_()


def test_a_cluster_has_a_size_a_spread_and_a_distance_to_the_rest():
    line = [[0], [2], [7], [10], [11], [12]]
    clusters = cv.evaluate(line, ["a", "a", "b", "c", "c", "c"], ["silhouette"]).per_cluster()
    assert clusters["size"] == {"a": 2, "b": 1, "c": 3}
    assert clusters["dispersion"] == approx({"a": 1, "b": 0, "c": 2 / 3})
    assert clusters["diameter"] == {"a": 2, "b": 0, "c": 2}
    assert clusters["separation"] == {"a": 5, "b": 3, "c": 3}
    assert clusters["silhouette"] == approx({"a": 46 / 70, "b": 0, "c": 0.65})


def test_the_catalogue_lists_every_index():
    catalogue = cv.indices("internal")
    assert {r["name"] for r in catalogue if not r["sweep"]} == set(cv.evaluate(X, LABELS, "all"))
    silhouette = next(r for r in catalogue if r["name"] == "silhouette")
    assert silhouette["suites"] == ["zaki", "vendramin", "nbclust", "sklearn"]
    assert catalogue.to_pandas().shape[0] == catalogue.to_polars().shape[0] == len(catalogue)
    assert "silhouette" in str(catalogue)


def test_nothing_quadratic_is_in_the_fast_suite():
    costs = {r["name"]: r["cost"] for r in cv.indices("internal")}
    assert {costs[name] for name in cv.evaluate(X, LABELS, "fast")} == {"linear"}


# --- limits are allowed ----------------------------------------------------------------------------------


def test_weights_and_squares_of_squares_may_reach_their_limits():
    assert inputs.as_weights([1e30, 0], 2).tolist() == [1e30, 0]
    inputs.check_squarable(columns_of(np.array([[1e35], [0]])))
    inputs.check_squarable(columns_of(np.array([[1.5e-35], [0]])))
    inputs.check_squarable(columns_of(np.ones((2, 1))))  # which are equal, and spread over nothing


@pytest.mark.parametrize(("scale", "rounding"), [(1, 1e-10), (1000, 1e-8), (0.001, 1e-14)])
def test_rounding_on_the_diagonal_is_measured_by_the_largest_distance(scale, rounding):
    D = scale * np.array([[0.0, 1, 0.5], [1, 0, 0.75], [0.5, 0.75, 0]])
    rounded = D.copy()
    rounded[1, 1] = rounding
    assert np.array_equal(inputs.as_distances(rounded), D)


@pytest.mark.parametrize(("name", "expected"), [
    ("minkowski(1)", "cityblock"),
    ("minkowski(2)", "minkowski"),
    ("minkowski(3)", "minkowski(3)"),
    ("minkowski(inf)", "chebyshev"),
])  # fmt: skip
def test_a_metric_of_minkowski_has_the_name_that_its_exponent_has(name, expected):
    assert inputs.as_metric(name) == expected


def test_blocks_of_numbers_may_have_no_rows_but_must_have_rows_and_columns():
    inputs.check_numbers(np.empty((0, 3)), "X")
    for wrong in (np.ones(3), np.ones((2, 2, 2))):
        with pytest.raises(cv.InputError):
            inputs.check_numbers(wrong, "X")


class Counted:
    """A table that counts its numbers, and is not sparse."""

    nnz = 12

    def __array__(self, dtype=None, copy=None):
        return X


def test_what_only_counts_its_numbers_is_not_sparse():
    assert inputs.as_points(Counted()).tolist() == X.tolist()


NANOSECONDS = np.array([[2**60], [2**60 + 4], [2**60 + 401], [2**60 + 403]])  # float64 has every 256th of them
LABELS_OF_TIMES = [0, 0, 1, 1]


def frames_of_times():
    column = NANOSECONDS[:, 0]
    return {
        "array": NANOSECONDS,
        "unsigned": NANOSECONDS.astype(np.uint64),
        "list": NANOSECONDS.tolist(),
        "list beside fractions": [[number, 0.5] for number in column.tolist()],
        "objects": NANOSECONDS.astype(object),
        "pandas": pd.DataFrame({"0": column}),
        "pandas with gaps in mind": pd.DataFrame({"0": pd.array(column, dtype="Int64")}),
        "polars": pl.DataFrame({"0": column}),
        "arrow": pa.table({"0": column}),
        "lazy": pl.DataFrame({"0": column, "cluster": LABELS_OF_TIMES}).lazy(),
        "sparse": sparse.csr_array(NANOSECONDS),
        "mapped": NANOSECONDS,
    }


@pytest.mark.parametrize("kind", list(frames_of_times()))
def test_whole_numbers_that_floats_round_are_refused_and_their_column_is_named(kind, tmp_path):
    times, labels = frames_of_times()[kind], LABELS_OF_TIMES
    if kind == "lazy":
        labels = "cluster"
    if kind == "mapped":
        np.save(tmp_path / "times.npy", times)
        times = np.load(tmp_path / "times.npy", mmap_mode="r")
    with pytest.raises(cv.InputError, match=r"Column '?0'? of X holds 1152921504606846980, which float64 rounds"):
        cv.evaluate(times, labels, "trace_w")


@pytest.mark.parametrize("quoted", [False, True])
def test_whole_numbers_that_floats_round_are_refused_in_files(quoted, tmp_path):
    rows = [
        f'"{time}",{label}' if quoted else f"{time},{label}"
        for time, label in zip(NANOSECONDS[:, 0], "aabb", strict=True)
    ]
    path = tmp_path / "times.csv"
    path.write_text("\n".join(["time,cluster", *rows, ""]))
    with pytest.raises(cv.InputError, match=r"Column 'time' of .*times.csv.* holds 1152921504606846980"):
        cv.evaluate(path, "cluster", "trace_w")


def _wide_columns():
    times = NANOSECONDS[:, 0].tolist()
    decimals = [Decimal(time) for time in times]
    return {
        "pyarrow": pa.table({"time": times}),
        "of Arrow in pandas": pd.DataFrame({"time": pd.array(times, dtype="int64[pyarrow]")}),
        "decimals in polars": pl.DataFrame({"time": decimals}),
        "decimals in pandas": pd.DataFrame({"time": decimals}),
        "objects in pandas": pd.DataFrame({"time": pd.Series(times, dtype=object)}),
        "of 128 bits": pl.DataFrame({"time": pl.Series(times, dtype=pl.Int128)}),
    }


@pytest.mark.parametrize("name", _wide_columns())
def test_columns_of_any_type_do_not_lose_digits(name):
    column = nw.from_native(_wide_columns()[name])
    frame = column.with_columns(nw.new_series("cluster", [0, 0, 1, 1], backend=column.implementation)).to_native()
    for X, labels in [(column.to_native(), LABELS_OF_TIMES), (frame, "cluster")]:
        with pytest.raises(cv.InputError, match="Column 'time' of X holds 1152921504606846980, which float64 rounds"):
            cv.internal.trace_w(X, labels)


def test_decimals_that_floats_have_are_numbers():
    frame = pl.DataFrame({"length": [Decimal("0.1"), Decimal("0.3"), Decimal(7), Decimal(9)]})
    assert cv.internal.trace_w(frame, [0, 0, 1, 1]) == approx(2.02)


def test_sparse_whole_numbers_that_floats_round_are_refused(monkeypatch):
    monkeypatch.setattr("clustval.passes.work.thresholds.DENSE", 0)
    with pytest.raises(cv.InputError, match="Column 0 of X holds 1152921504606846980"):
        cv.evaluate(sparse.csr_array(NANOSECONDS), LABELS_OF_TIMES, "trace_w")


def test_whole_numbers_that_floats_have_are_taken_however_large():
    assert cv.internal.trace_w(NANOSECONDS // 256 * 256, LABELS_OF_TIMES) == 0
    assert cv.internal.trace_w(NANOSECONDS - NANOSECONDS.min(), LABELS_OF_TIMES) == 10
    assert inputs.as_points([[2**53], [-(2**53)]]).tolist() == [[2.0**53], [-(2.0**53)]]


@pytest.mark.parametrize("largest", [np.array([[2**63 - 1], [0]]), np.array([[2**64 - 1], [0]], dtype=np.uint64)])
def test_the_largest_whole_number_is_one_that_floats_round(largest):
    with pytest.raises(cv.InputError, match="which float64 rounds to"):
        inputs.as_points(largest)


def test_whole_numbers_beyond_all_floats_are_refused():
    with pytest.raises(cv.InputError, match="rescale"):
        cv.evaluate([[10**400], [1], [2]], [0, 0, 1], "trace_w")


@pytest.mark.parametrize("type_of_column", ["int64", "uint64", "datetime64[ns]"])
def test_gower_distances_of_large_whole_numbers_and_dates_keep_their_digits(type_of_column):
    plain = pd.DataFrame({"time": [0, 4, 401, 403]})
    times = pd.DataFrame({"time": NANOSECONDS[:, 0].astype(type_of_column)})
    assert np.array_equal(cv.gower(times), cv.gower(plain))


PLACES = [0, 4, 401, 403, None]  # from the lowest


@pytest.mark.parametrize("name", _wide_columns())
def test_gower_distances_take_numbers_of_any_type_for_numbers(name):
    assert np.array_equal(cv.gower(_wide_columns()[name]), cv.gower(pd.DataFrame({"time": PLACES[:4]})))


@pytest.mark.parametrize(
    "column",
    [
        [None if place is None else 2**60 + 4 + place for place in PLACES],
        [None if place is None else 2**70 + place for place in PLACES],
        [2**60 + 4, 2**60 + 8, Decimal(2**60 + 405), 2**60 + 407, math.nan],
        [Decimal("0.5"), np.float32(4.5), 401.5, Decimal("403.5"), Decimal("nan")],
    ],
)
def test_gower_distances_of_numbers_that_no_type_of_numpy_has_are_exact(column):
    rows, plain = ([[each, 0] for each in values] for values in (column, PLACES))
    assert np.array_equal(cv.gower(rows), cv.gower(plain))
    frame = pd.DataFrame({"a": pd.Series(column, dtype=object), "b": 0})
    assert np.array_equal(cv.gower(frame), cv.gower(plain))


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_gower_distances_of_large_whole_numbers_with_gaps_are_exact(frame):
    times = [None if place is None else 2**60 + 4 + place for place in PLACES]
    column = pd.array(times, dtype="Int64") if frame is pd.DataFrame else times
    table = frame({"time": column, "one": [0] * len(times)})
    assert np.array_equal(cv.gower(table), cv.gower([[place, 0] for place in PLACES]))


def test_nan_is_a_missing_category_wherever_it_stands():
    for column in ([[1.0], [math.nan], [2]], np.array([[1], [math.nan], [2]]), pl.DataFrame({"a": [1.0, math.nan, 2]})):
        for ways in ({"missing": "skip"}, {"missing": "category"}):
            expected = cv.categorical.k_modes_cost([["a"], [None], ["b"]], [0, 0, 0], **ways)
            assert cv.categorical.k_modes_cost(column, [0, 0, 0], **ways) == expected


def test_gower_distances_of_numbers_beyond_all_floats_are_refused():
    for large in (10**400, Decimal("inf"), math.inf, -math.inf):
        with pytest.raises(cv.InputError, match=r"^Column 0 of X must be finite; row 1 is -?inf\.$"):
            cv.gower([[2**60 + 1], [large], [0.5]])


def test_large_categories_beside_others_are_as_many_as_they_are():
    table = [[2**63], [2**63 + 1], [2**63 + 2], [-3]]
    assert cv.categorical.k_modes_cost(table, [0, 0, 0, 1]) == 2
    with pytest.raises(cv.InputError, match="Column 0 of X holds 9223372036854775808 as a float64"):
        cv.categorical.k_modes_cost(np.array(table, dtype=float), [0, 0, 0, 1])
    with pytest.raises(cv.InputError, match=r"holds 0\.5, which is no category"):
        cv.categorical.k_modes_cost([[2**60 + 1], [0.5], [1]], [0, 0, 1])


@pytest.mark.parametrize("X", [*_wide_columns().values(), NANOSECONDS.tolist()])
def test_profiles_refuse_whole_numbers_that_floats_round(X):
    with pytest.raises(cv.InputError, match=r"^Column ('time'|0) of X holds 1152921504606846980, which float64 rounds"):
        cv.profile(X, LABELS_OF_TIMES)
