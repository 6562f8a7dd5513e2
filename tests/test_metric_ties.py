"""Metrics with little to measure: centres without a direction, and distances that are equal but for rounding."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from pytest import approx
from scipy.spatial.distance import cdist

import clustval as cv
from clustval.sources.blocks import blocks_of
from clustval.sources.stream import Stream

# --- centres without a direction -------------------------------------------------------------------------

OF_CENTRES = [
    "davies_bouldin",
    "pbm",
    "simplified_silhouette",
    "wemmert_gancarski",
    "score_function",
    "gdi33",
    "hubert",
]
OF_POINTS = ["silhouette", "dunn", "c_index", "calinski_harabasz", "trace_w"]


def around_nothing(metric, seed, scale=1.0):
    """Return points of which the cluster "sym" has a mean without direction, but for rounding, and labels."""
    rng = np.random.default_rng(seed)
    p = int(rng.integers(3, 7))
    half = rng.normal(size=(rng.integers(1, 12), p))
    far = rng.normal(size=(15, p)) + rng.normal(size=p) * 10.0 ** rng.integers(-1, 4)
    shift = 0 if metric == "cosine" else rng.normal()  # the same in all columns
    X = np.concatenate([half + shift, -half + shift, far]) * scale
    order = rng.permutation(len(X))
    return X[order], np.repeat(["sym", "far"], [2 * len(half), len(far)])[order]


@pytest.mark.parametrize("scale", [1, 3, 0.1, 1e10])
@pytest.mark.parametrize("metric", ["cosine", "correlation"])
def test_a_centre_without_direction_leaves_undefined_what_needs_it_and_nothing_else(metric, scale):
    for seed in range(20):
        X, labels = around_nothing(metric, seed, scale)
        scores = cv.evaluate(X, labels, [*OF_CENTRES, *OF_POINTS], metric=metric)
        assert set(scores.reasons) == set(OF_CENTRES)
        for reason in scores.reasons.values():
            assert reason.startswith(
                f"The metric {metric!r} needs directions, and the centre of cluster 'sym' has none"
            )
        with pytest.raises(cv.UndefinedIndexError, match="centre of cluster 'sym' has none"):
            cv.internal.davies_bouldin(X, labels, metric=metric)


def test_a_centre_with_a_direction_however_short_is_measured():
    X, labels = around_nothing("cosine", 0)
    X[labels == "sym", 0] += 1e-6
    value = cv.internal.davies_bouldin(X, labels, metric="cosine")
    assert value == pytest.approx(overlap_of_directions(X, labels, "cosine"), rel=1e-6)


def directions(X, metric):
    """Each row, less its mean where correlations are compared, as a list of length 1."""
    rows = []
    for row in X.tolist():
        mean = sum(row) / len(row) if metric == "correlation" else 0.0
        length = math.sqrt(sum((x - mean) ** 2 for x in row))
        rows.append([(x - mean) / length for x in row])
    return rows


def overlap_of_directions(X, labels, metric, weights=None):
    """Davies-Bouldin by its definition: the centre of a cluster is the mean of the directions of its points."""
    weights = [1] * len(X) if weights is None else weights
    members = {}
    for direction, label, weight in zip(directions(X, metric), labels, weights, strict=True):
        members.setdefault(label, []).extend([direction] * weight)
    centres = {name: np.mean(rows, axis=0) for name, rows in members.items()}
    spreads = {name: cdist(rows, centres[name][None], "cosine").mean() for name, rows in members.items()}
    worst = [
        max(
            (spreads[a] + spreads[b]) / cdist(centres[a][None], centres[b][None], "cosine")[0, 0]
            for b in members
            if b != a
        )
        for a in members
    ]
    return sum(worst) / len(worst)


@pytest.mark.parametrize("metric", ["cosine", "correlation"])
def test_the_centre_of_directions_is_their_mean_whatever_the_lengths_of_points(metric, tmp_path, monkeypatch):
    rng = np.random.default_rng(5)
    labels = np.arange(40) % 3
    X = (rng.normal(size=(40, 5)) + 3 * rng.normal(size=(3, 5))[labels]) * rng.uniform(0.01, 100, (40, 1))
    expected = pytest.approx(overlap_of_directions(X, labels, metric), rel=1e-10)
    assert cv.internal.davies_bouldin(X, labels, metric=metric) == expected
    assert cv.sweep(X, [labels, labels], "davies_bouldin", metric=metric).values[0, 0] == expected
    blocks = blocks_of([(X[:9], labels[:9]), (X[9:], labels[9:])], metric=metric)
    assert cv.evaluate(blocks, indices="davies_bouldin")["davies_bouldin"] == expected
    np.save(tmp_path / "X.npy", X)
    with monkeypatch.context() as patch:
        patch.setattr(Stream, "gathered", None)  # blocks are enough
        assert cv.evaluate(str(tmp_path / "X.npy"), labels, "davies_bouldin", metric=metric)["db"] == expected
    weights = np.arange(40) % 4
    weighted = cv.internal.davies_bouldin(X, labels, metric=metric, sample_weight=weights)
    assert weighted == pytest.approx(overlap_of_directions(X, labels, metric, weights.tolist()), rel=1e-10)
    longer = cv.evaluate(X * rng.uniform(0.1, 9, (40, 1)), labels, [*OF_CENTRES[:-1], "i_index"], metric=metric)
    assert longer.to_dict() == pytest.approx(cv.evaluate(X, labels, list(longer), metric=metric).to_dict(), rel=1e-10)


@pytest.mark.parametrize("blocks", [False, True])
def test_a_sweep_and_blocks_go_on_where_one_centre_has_no_direction(blocks, set_thresholds):
    if blocks:
        set_thresholds(SWEEP_WORK=0)
    X, labels = around_nothing("cosine", 3)
    halves = np.arange(len(X)) % 2
    swept = cv.sweep(X, {"sym": labels, "halves": halves}, [*OF_CENTRES, *OF_POINTS], metric="cosine")
    assert {index for partition, index in swept.reasons if partition == "sym"} == set(OF_CENTRES)
    assert "cluster 'sym'" in swept.reasons["sym", "pbm"]
    assert not any(partition == "halves" for partition, _ in swept.reasons)
    source = blocks_of([(X[:9], labels[:9]), (X[9:], labels[9:])], metric="cosine")
    scores = cv.evaluate(source, indices=["davies_bouldin", "silhouette"])
    assert "centre of cluster 'sym' has none" in scores.reasons["davies_bouldin"]
    assert not math.isnan(scores["silhouette"])


def test_a_mean_of_all_points_without_direction_concerns_only_what_measures_it():
    half = np.random.default_rng(1).normal(size=(10, 4))
    X, labels = np.concatenate([half, -half]), np.arange(20) % 3
    scores = cv.evaluate(X, labels, [*OF_CENTRES, *OF_POINTS, "i_index"], metric="cosine")
    assert set(scores.reasons) == {"pbm", "i_index", "score_function"}
    assert all("the mean of all points" in reason for reason in scores.reasons.values())


def test_a_centre_that_a_metric_cannot_measure_is_named_whatever_the_metric():
    X, labels = np.array([[1.0, 1], [-1, -1], [2, 2], [6, 6]]), ["sym", "sym", "far", "far"]

    def ratio(a, b):
        return abs(np.linalg.norm(a) - np.linalg.norm(b)) / (np.linalg.norm(a) + np.linalg.norm(b))

    for metric in ("braycurtis", ratio):
        scores = cv.evaluate(X, labels, ["davies_bouldin", "calinski_harabasz"], metric=metric)
        assert scores.reasons["davies_bouldin"].endswith(" gives no finite distances to the centre of cluster 'sym'.")
        assert not math.isnan(scores["calinski_harabasz"])


def test_the_report_of_a_centre_without_direction_is_written(tmp_path):
    X, labels = around_nothing("cosine", 4)
    cv.evaluate(X, labels, metric="cosine").to_html(tmp_path / "page.html")
    assert "has none: the directions of its points cancel out" in (tmp_path / "page.html").read_text()


@pytest.mark.parametrize("at", [0, 7])
def test_the_point_that_a_metric_cannot_measure_is_named_not_its_neighbour(at):
    X = np.random.default_rng(0).normal(size=(9, 2)) + 3
    X[at] = 0
    for name in ("silhouette", "davies_bouldin"):
        with pytest.raises(cv.InputError, match=r"^The metric 'cosine' gives no finite distance for \[0\.0, 0\.0\]\.$"):
            cv.evaluate(X, np.arange(9) % 2, name, metric="cosine")


def test_two_points_that_a_metric_cannot_measure_are_both_named():
    X = np.arange(1.0, 9.0)[:, None]

    def undefined(a, b):
        return math.nan if {a[0], b[0]} == {3, 5} else abs(a[0] - b[0])

    with pytest.raises(cv.InputError, match=r"gives no finite distance between \[3\.0\] and \[5\.0\]\.$"):
        cv.evaluate(X, np.arange(8) % 2, "silhouette", metric=undefined)


def signed(a, b):
    return a[0] - b[0]


NEGATIVE = r"gives -[0-9.]+ between \[.*\] and \[.*\]; distances must not be negative\.$"


@pytest.mark.parametrize("metric", [signed, numba.njit(signed)], ids=["plain", "compiled"])
@pytest.mark.parametrize("index", ["silhouette", "davies_bouldin", "c_index", "dbcv", "medoid_davies_bouldin"])
def test_a_function_that_gives_negative_distances_is_refused(index, metric):
    X, labels = np.arange(12.0)[:, None], np.arange(12) // 6
    with pytest.raises(cv.InputError, match=NEGATIVE):
        cv.evaluate(X, labels, index, metric=metric)
    with pytest.raises(cv.InputError, match=NEGATIVE):
        cv.evaluate(blocks_of([(X[:5], labels[:5]), (X[5:], labels[5:])], metric=metric), indices="silhouette")


def test_what_rounding_leaves_of_a_distance_of_0_is_not_refused():
    X = np.random.default_rng(0).normal(size=(30, 4)) + 3
    X[:5] = X[10:15]
    X /= np.linalg.norm(X, axis=1)[:, None]
    assert min(1 - x @ y for x in X for y in X) < 0
    names = ["silhouette", "dunn", "c_index"]
    scores = cv.evaluate(X, np.arange(30) % 3, names, metric=lambda a, b: 1 - a @ b)
    assert scores.to_dict() == approx(cv.evaluate(X, np.arange(30) % 3, names, metric="cosine").to_dict(), abs=1e-12)


@pytest.mark.parametrize("blocks", [False, True])
def test_a_sweep_goes_on_where_one_partition_keeps_a_point_that_cannot_be_measured(blocks, set_thresholds):
    if blocks:
        set_thresholds(SWEEP_WORK=0)
    X = np.random.default_rng(0).normal(size=(9, 2)) + 3
    X[4] = 0
    labels = np.arange(9) % 2
    without = np.where(np.arange(9) == 4, -1, labels)
    swept = cv.sweep(X, {"all": labels, "without": without}, ["silhouette", "calinski_harabasz"], metric="cosine")
    assert set(swept.reasons) == {("all", "silhouette")}
    assert "[0.0, 0.0]" in swept.reasons["all", "silhouette"]
    with pytest.raises(cv.InputError, match=r"for \[0\.0, 0\.0\]"):  # of all partitions: the data are at fault
        cv.sweep(X, {"all": labels, "too": 1 - labels}, ["silhouette", "calinski_harabasz"], metric="cosine")


def test_a_sweep_goes_on_where_the_points_of_one_partition_have_no_covariance():
    X = np.random.default_rng(0).normal(size=(12, 2))
    X[3:, 1] = 2 * X[3:, 0]
    labels = np.arange(12) % 2
    flat = np.where(np.arange(12) < 3, -1, labels)
    swept = cv.sweep(X, {"all": labels, "flat": flat}, ["silhouette"], metric="mahalanobis")
    assert "needs columns that are not combinations" in swept.reasons["flat", "silhouette"]
    assert list(swept.reasons) == [("flat", "silhouette")]


# --- distances that are equal but for rounding -----------------------------------------------------------

COMPARING = ["c_index", "gamma", "g_plus", "tau", "point_biserial", "hubert_normalized", "hennig_pearson_gamma"]


def simplex(p, seed, way):
    """Return p + 1 points, which are all equally far from each other by Mahalanobis."""
    rng = np.random.default_rng([p, seed])
    X = rng.normal(size=(p + 1, p))
    if way == "units":
        return X * 10.0 ** rng.integers(-6, 7, p)
    return X @ rng.normal(size=(p, p)) + 100 * rng.normal(size=p) if way == "mixed" else X


@pytest.mark.parametrize("way", ["plain", "units", "mixed"])
@pytest.mark.parametrize("p", [2, 3, 5, 8, 13, 21])
def test_one_point_more_than_columns_are_all_equally_far(p, way):
    for seed in range(10):
        X, labels = simplex(p, seed, way), np.arange(p + 1) % 2
        scores = cv.evaluate(X, labels, [*COMPARING, "dunn", "silhouette"], metric="mahalanobis")
        assert set(scores.reasons) == set(COMPARING)
        assert scores["dunn"] == 1
        assert scores["silhouette"] == pytest.approx(0, abs=1e-14)


@pytest.mark.parametrize("blocks", [False, True])
def test_a_sweep_finds_the_same_ties(blocks, set_thresholds):
    if blocks:
        set_thresholds(SWEEP_WORK=0)
    X = simplex(9, 0, "mixed")
    swept = cv.sweep(X, {"two": np.arange(10) % 2, "three": np.arange(10) % 3}, COMPARING, metric="mahalanobis")
    assert len(swept.reasons) == 2 * len(COMPARING)


@pytest.mark.parametrize("weighted", [False, True])
def test_repeated_points_are_tied_too(weighted):
    """Twice p + 1 points: distances are 0 or all the same."""
    for p in (2, 4, 7, 12):
        X, labels = np.repeat(simplex(p, 1, "mixed"), 2, axis=0), np.arange(2 * p + 2) % 3
        D = 1.0 - np.repeat(np.repeat(np.eye(p + 1), 2, axis=0), 2, axis=1)
        weights = np.full(len(X), 3) if weighted else None
        names = ["gamma", "g_plus", "tau", "c_index", "point_biserial"]
        scores = cv.evaluate(X, labels, names, metric="mahalanobis", sample_weight=weights)
        expected = cv.evaluate(D, labels, names, metric="precomputed", sample_weight=weights)
        assert scores.to_dict() == pytest.approx(expected.to_dict(), rel=1e-9)


def test_mahalanobis_distances_are_those_of_scipy():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(80, 4)) @ rng.normal(size=(4, 4)), np.arange(80) % 3
    D = cdist(X, X, "mahalanobis", VI=np.linalg.inv(np.cov(X.T)))
    D = (D + D.T) / 2
    names = ["silhouette", "dunn", "c_index", "gamma", "point_biserial"]
    expected = cv.evaluate(D, labels, names, metric="precomputed")
    assert cv.evaluate(X, labels, names, metric="mahalanobis").to_dict() == pytest.approx(expected.to_dict(), rel=1e-11)


def test_columns_in_very_different_units_are_not_combinations_of_each_other():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(30, 3)), np.arange(30) % 2
    value = cv.internal.silhouette(X, labels, metric="mahalanobis")
    scaled = cv.internal.silhouette(X * [1e-9, 1, 1e9], labels, metric="mahalanobis")
    assert scaled == pytest.approx(value, rel=1e-9)
    for constant in (0.0, 5.0, 0.1):
        X[:, 1] = constant
        with pytest.raises(cv.InputError, match="needs columns that are not combinations"):
            cv.evaluate(X, labels, "silhouette", metric="mahalanobis")


@pytest.mark.parametrize("n", [5, 9, 40, 70, 130, 600])
def test_equal_distances_have_no_rank_and_no_correlation(n):
    for distance in (1.0, 6.0**0.5, 0.1):
        D = np.full((n, n), distance)
        np.fill_diagonal(D, 0)
        scores = cv.evaluate(D, np.arange(n) % 3, ["c_index", "gamma", "tau", "point_biserial"], metric="precomputed")
        assert len(scores.reasons) == 4, scores
