"""Metrics with little to measure: centres without a direction, and distances that are equal but for rounding."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import clustval as cv
from clustval.passes import thresholds
from clustval.sources.blocks import blocks_of

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
    centres = np.array([X[labels == name].mean(axis=0) for name in ("far", "sym")])
    spreads = [cdist(X[labels == n], c[None], "cosine").mean() for n, c in zip(("far", "sym"), centres, strict=True)]
    assert value == pytest.approx(sum(spreads) / cdist(centres, centres, "cosine")[0, 1], rel=1e-6)


@pytest.mark.parametrize("blocks", [False, True])
def test_a_sweep_and_blocks_go_on_where_one_centre_has_no_direction(blocks, monkeypatch):
    if blocks:
        monkeypatch.setattr(thresholds, "SWEEP_WORK", 0)
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
    X, labels = around_nothing("cosine", 1)
    labels = np.arange(len(X)) % 3
    X -= X.mean(axis=0)
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
    assert "has none: the mean of its points" in (tmp_path / "page.html").read_text()


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


@pytest.mark.parametrize("blocks", [False, True])
def test_a_sweep_goes_on_where_one_partition_keeps_a_point_that_cannot_be_measured(blocks, monkeypatch):
    if blocks:
        monkeypatch.setattr(thresholds, "SWEEP_WORK", 0)
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
