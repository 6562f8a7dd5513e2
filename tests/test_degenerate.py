"""Degenerate input: a documented value, infinity, or NaN with a reason; never a crash, a warning or an invention."""

from __future__ import annotations

import math

import numpy as np
import pytest

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS

catalogue.load()
RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(12, 2))
THREE = np.repeat([0, 1, 2], 4)

CASES = {
    "one cluster": (POINTS, np.zeros(12, int)),
    "as many clusters as points": (POINTS, np.arange(12)),
    "singletons beside a cluster": (POINTS, np.array([0, 1, 2, 3, 4] + [5] * 7)),
    "identical points": (np.full((12, 2), 0.1), THREE),
    "clusters of identical points": (np.repeat([[0.1, 0.7], [0.3, 0.1], [0.9, 0.2]], 4, axis=0), THREE),
    "a constant column": (np.column_stack([POINTS, np.full(12, 0.3)]), THREE),
    "collinear columns": (np.column_stack([POINTS, POINTS @ [2, -1] + 5]), THREE),
    "two points in one cluster": (POINTS[:2], [0, 0]),
    "two points in two clusters": (POINTS[:2], [0, 1]),
    "one point": (POINTS[:1], [0]),
    "duplicates across clusters": (np.vstack([POINTS[:6], POINTS[:6]]), np.repeat([0, 1], 6)),
    "every label noise": (POINTS, np.full(12, -1)),
    "one cluster beside noise": (POINTS, np.array([0] * 8 + [-1] * 4)),
    "more columns than points": (RNG.normal(size=(6, 9)), [0, 0, 0, 1, 1, 1]),
    "coincident centres": (np.array([[1, 0], [-1, 0], [0, 1], [0, -1.0]]), [0, 0, 1, 1]),
}


@pytest.mark.parametrize("case", CASES)
def test_every_index_gives_a_value_or_a_reason(case):
    X, labels = CASES[case]
    scores = cv.evaluate(X, labels, "all")
    for name, value in scores.items():
        assert math.isnan(value) == (name in scores.reasons), name
        if name in scores.reasons:
            with pytest.raises(cv.UndefinedIndexError) as error:
                getattr(cv.internal, name)(X, labels)
            assert str(error.value) == scores.reasons[name]


@pytest.mark.parametrize("case", ["one cluster", "one cluster beside noise"])
def test_one_cluster_leaves_only_what_needs_no_other(case):
    scores = cv.evaluate(*CASES[case], "all")
    defined = {name for name in scores if name not in scores.reasons}
    assert defined == {
        "ball_hall", "ball_hall_unsquared", "banfeld_raftery", "det_ratio", "hubert", "ksq_detw", "log_det_ratio",
        "modularity", "normalized_cut", "ratkowsky_lance", "ratkowsky_lance_mean_root", "scott_symons", "sd_scat",
        "trace_cov_w", "trace_w", "trace_wib",
    }  # fmt: skip
    for name, value in {"det_ratio": 1, "log_det_ratio": 0, "trace_wib": 0, "ratkowsky_lance": 0, "sd_scat": 1}.items():
        assert scores[name] == pytest.approx(value, abs=1e-12), name


def test_as_many_clusters_as_points_prove_nothing():
    scores = cv.evaluate(*CASES["as many clusters as points"], "all")
    for name in ("c_index", "gamma", "tau", "dunn", "calinski_harabasz", "davies_bouldin", "pbm", "xie_beni", "gdi43"):
        assert scores.reasons[name] == f"{name} needs from 2 to 11 clusters for these 12 points; the labels form 12."
    assert scores["silhouette"] == 0
    assert scores["trace_w"] == 0


def test_clusters_without_extent_are_infinitely_good_where_the_formula_says_so():
    scores = cv.evaluate(*CASES["clusters of identical points"], "all")
    for name in ("dunn", "calinski_harabasz", "pbm", "log_ss_ratio", "gdi33"):
        assert scores[name] == math.inf, name
    for name in ("banfeld_raftery", "scott_symons"):
        assert scores[name] == -math.inf, name
    for name in ("davies_bouldin", "xie_beni", "trace_w", "mcclain_rao"):
        assert scores[name] == 0, name
    assert scores["silhouette"] == 1
    assert scores["det_ratio"] == math.inf


def test_coincident_centres_are_infinitely_bad():
    scores = cv.evaluate(*CASES["coincident centres"], "all")
    for name in ("davies_bouldin", "davies_bouldin_rms", "xie_beni"):
        assert scores[name] == math.inf, name
    assert scores["pbm"] == scores["gdi41"] == scores["calinski_harabasz"] == 0


def test_coincident_centres_are_seen_through_rounding():
    turn = np.array([[math.cos(0.3), -math.sin(0.3)], [math.sin(0.3), math.cos(0.3)]])
    X = CASES["coincident centres"][0] @ turn * 0.1 + [0.7, 0.3]
    assert cv.internal.davies_bouldin(X, [0, 0, 1, 1]) == math.inf


def test_duplicates_across_clusters_touch():
    X, labels = CASES["duplicates across clusters"]
    assert cv.internal.dunn(X, labels) == 0
    assert cv.internal.xie_beni_closest_points(X, labels) == math.inf


@pytest.mark.parametrize("case", ["a constant column", "collinear columns", "more columns than points"])
def test_singular_scatter_is_decided_by_rank(case):
    scores = cv.evaluate(*CASES[case], "all")
    for name in ("det_ratio", "log_det_ratio", "trace_wib"):
        assert math.isnan(scores[name]), name
    assert scores["ksq_detw"] == 0
    assert scores["scott_symons"] == -math.inf


def test_columns_in_very_different_units_are_not_singular():
    X = POINTS * [1e-9, 1e9]
    ratio = cv.internal.det_ratio(X, THREE)
    assert ratio == pytest.approx(cv.internal.det_ratio(POINTS, THREE), rel=1e-9)


def test_a_constant_column_is_left_out_of_the_mean_of_ratkowsky_and_lance():
    X, labels = CASES["a constant column"]
    assert cv.internal.ratkowsky_lance(X, labels) == pytest.approx(cv.internal.ratkowsky_lance(POINTS, labels))


def test_a_determinant_too_large_for_a_float_has_a_reason():
    X = np.random.default_rng(1).normal(scale=1e40, size=(30, 5))
    scores = cv.evaluate(X, np.repeat([0, 1], 15), ["ksq_detw", "log_det_ratio"])
    reason = "it is more than a float can hold; rescale X or use a logarithmic index"
    assert scores.reasons == {"ksq_detw": f"ksq_detw has no value for this clustering: {reason}."}
    assert math.isfinite(scores["log_det_ratio"])


def test_the_reason_names_the_clusters_that_are_needed_and_given():
    with pytest.raises(cv.UndefinedIndexError) as error:
        cv.internal.dunn(POINTS, np.zeros(12, int))
    assert str(error.value) == "dunn needs from 2 to 11 clusters for these 12 points; the labels form 1."


def test_distances_alone_are_not_enough_for_centres():
    D = np.sqrt(((POINTS[:, None] - POINTS) ** 2).sum(-1))
    scores = cv.evaluate(D, THREE, "all", metric="precomputed")
    assert scores.reasons["pbm"] == "pbm needs coordinates; metric='precomputed' gives only distances."
    for name, value in scores.items():
        needs = KINDS["internal"].indices[name].coordinates
        assert math.isnan(value) == needs, name
        if not needs:
            assert value == pytest.approx(getattr(cv.internal, name)(POINTS, THREE), rel=1e-12)
