"""Points and labels: examples of internal indices, and the laws that hold of these alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from clustval.sources.takes import takes_of
from conftest import make_blobs
from kinds import Alike, Examples

catalogue.load("internal")
INTERNAL = sorted(KINDS["internal"].indices.values(), key=lambda index: index.name)
every_index = pytest.mark.parametrize("index", INTERNAL, ids=lambda index: index.name)

# Every cluster has more points than any index looks for neighbours.
X, LABELS = make_blobs((60, 36, 27), (0, 4, 8), (1.0, 0.6, 0.3), p=3, seed=5)
ORDER = np.random.default_rng(1).permutation(len(X))
LATTICE = np.round(X * 1024) / 1024  # so that the shift rounds nothing
FAR = X + 1e8
SHUFFLED = [np.random.default_rng(seed).permutation(LABELS) for seed in range(5)]

RNG = np.random.default_rng(0)
POINTS = RNG.normal(size=(12, 2))
THREE = np.repeat([0, 1, 2], 4)
DEGENERATE = {
    "one cluster": (POINTS, np.zeros(12, int)),
    "as many clusters as points": (POINTS, np.arange(12)),
    "singletons beside a cluster": (POINTS, np.array([0, 1, 2, 3, 4] + [5] * 7)),
    "identical points": (np.full((12, 2), 0.1), THREE),
    "six identical points": (np.ones((6, 2)), [0, 0, 0, 1, 1, 1]),
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

EXAMPLES = Examples(
    good=(X, LABELS),
    bad=(X, SHUFFLED[0]),
    others=[(X, shuffled) for shuffled in SHUFFLED[1:]],
    alike={
        "the order of points": Alike((X, LABELS), (X[ORDER], LABELS[ORDER]), 1e-11),
        "the names of clusters": Alike((X, LABELS), (X, np.array(["z", "a", "m"])[LABELS]), 1e-11),
        "the origin": Alike((LATTICE, LABELS), (LATTICE + 2.0**20, LABELS), 1e-10),
        "how far the origin is, but for the rounding of the data": Alike((FAR - 1e8, LABELS), (FAR, LABELS), 1e-9),
    },
    degenerate=DEGENERATE,
    # A within-cluster quantity over a within-cluster quantity: its source says "max", but it cannot tell good from bad.
    # The entropy of sizes does not see where points lie, and points drawn from all clusters may look normal as well.
    undirected={"hennig_entropy", "hennig_kd_normal", "gdi51_own_centre", "gdi52_own_centre", "gdi53_own_centre"},
    summing={"connectivity": {"normalized"}},
)


def value(index, X, labels, **options):
    return getattr(cv.internal, index.name)(X, labels, **options)


def outcome(index, X, labels, **options):
    try:
        return value(index, X, labels, **options)
    except cv.UndefinedIndexError as reason:
        return str(reason)


# --- laws ------------------------------------------------------------------------------------------------


@every_index
def test_scaling_follows_the_degree(index):
    if index.degree is None:
        assert value(index, 8 * X, LABELS) != value(index, X, LABELS)
        return
    degree = index.degree(X.shape[1]) if callable(index.degree) else index.degree
    assert value(index, 8 * X, LABELS) == approx(8.0**degree * value(index, X, LABELS), rel=1e-10)


@every_index
def test_of_many_points_the_value_alone_and_by_one_thread_is_the_same_bit_for_bit(index, large_scores, large_blobs):
    together = large_scores.reasons.get(index.name, large_scores[index.name])
    assert outcome(index, *large_blobs) == outcome(index, *large_blobs, n_jobs=1) == together


def test_the_usual_evaluation_is_that_of_the_kind():
    assert cv.evaluate(X, LABELS, "all").to_dict() == cv.internal.evaluate(X, LABELS).to_dict()


@pytest.mark.parametrize("index", [i for i in INTERNAL if i.points], ids=lambda index: index.name)
def test_every_point_has_a_value_and_where_one_is_sought_a_next_cluster(index):
    scores = cv.evaluate(X, LABELS, [index.name])
    points = scores.per_point(index.name)
    assert points.shape == LABELS.shape
    assert np.isfinite(points).all()
    if index.neighbours:
        moved = scores.neighbours(index.name)
        assert (moved != LABELS).all()
        assert set(moved) <= set(LABELS)


def test_values_of_points_average_to_the_index():
    scores = cv.evaluate(X, LABELS, ["silhouette", "simplified_silhouette"])
    for name in scores:
        assert scores.per_point(name).mean() == approx(scores[name])
        clusters = scores.per_cluster(name)
        weights = scores.per_cluster("size")
        assert sum(clusters[c] * weights[c] for c in clusters) / len(X) == approx(scores[name])


# --- degenerate input: a documented value, infinity, or NaN with a reason --------------------------------


@pytest.mark.parametrize("case", ["one cluster", "one cluster beside noise"])
def test_one_cluster_leaves_only_what_needs_no_other(case):
    scores = cv.evaluate(*DEGENERATE[case], "all")
    assert set(scores) - set(scores.reasons) == {index.name for index in INTERNAL if index.clusters[0] <= 1}
    for name, expected in {
        "det_ratio": 1, "log_det_ratio": 0, "trace_wib": 0, "ratkowsky_lance": 0, "sd_scat": 1,
    }.items():  # fmt: skip
        assert scores[name] == approx(expected, abs=1e-12), name


def test_as_many_clusters_as_points_prove_nothing():
    scores = cv.evaluate(*DEGENERATE["as many clusters as points"], "all")
    for name in ("c_index", "gamma", "tau", "dunn", "calinski_harabasz", "davies_bouldin", "pbm", "xie_beni", "gdi43"):
        assert scores.reasons[name] == f"{name} needs from 2 to 11 clusters for these 12 points; the labels form 12."
    assert scores["silhouette"] == 0
    assert scores["trace_w"] == 0


def test_clusters_without_extent_are_infinitely_good_where_the_formula_says_so():
    scores = cv.evaluate(*DEGENERATE["clusters of identical points"], "all")
    for name in ("dunn", "calinski_harabasz", "pbm", "log_ss_ratio", "gdi33"):
        assert scores[name] == math.inf, name
    for name in ("banfeld_raftery", "scott_symons"):
        assert scores[name] == -math.inf, name
    for name in ("davies_bouldin", "xie_beni", "trace_w", "mcclain_rao"):
        assert scores[name] == 0, name
    assert scores["silhouette"] == 1
    assert scores["det_ratio"] == math.inf


def test_coincident_centres_are_infinitely_bad():
    scores = cv.evaluate(*DEGENERATE["coincident centres"], "all")
    for name in ("davies_bouldin", "davies_bouldin_rms", "xie_beni"):
        assert scores[name] == math.inf, name
    assert scores["pbm"] == scores["gdi41"] == scores["calinski_harabasz"] == 0


def test_coincident_centres_are_seen_through_rounding():
    turn = np.array([[math.cos(0.3), -math.sin(0.3)], [math.sin(0.3), math.cos(0.3)]])
    turned = DEGENERATE["coincident centres"][0] @ turn * 0.1 + [0.7, 0.3]
    assert cv.internal.davies_bouldin(turned, [0, 0, 1, 1]) == math.inf


def test_duplicates_across_clusters_touch():
    points, labels = DEGENERATE["duplicates across clusters"]
    assert cv.internal.dunn(points, labels) == 0
    assert cv.internal.xie_beni_closest_points(points, labels) == math.inf


@pytest.mark.parametrize("case", ["a constant column", "collinear columns", "more columns than points"])
def test_singular_scatter_is_decided_by_rank(case):
    scores = cv.evaluate(*DEGENERATE[case], "all")
    for name in ("det_ratio", "log_det_ratio", "trace_wib"):
        assert math.isnan(scores[name]), name
    assert scores["ksq_detw"] == 0
    assert scores["scott_symons"] == -math.inf


def test_columns_in_very_different_units_are_not_singular():
    ratio = cv.internal.det_ratio(POINTS * [1e-9, 1e9], THREE)
    assert ratio == approx(cv.internal.det_ratio(POINTS, THREE), rel=1e-9)


def test_a_constant_column_is_left_out_of_the_mean_of_ratkowsky_and_lance():
    points, labels = DEGENERATE["a constant column"]
    assert cv.internal.ratkowsky_lance(points, labels) == approx(cv.internal.ratkowsky_lance(POINTS, labels))


def test_a_determinant_too_large_for_a_float_has_a_reason():
    huge = np.random.default_rng(1).normal(scale=1e40, size=(30, 5))
    scores = cv.evaluate(huge, np.repeat([0, 1], 15), ["ksq_detw", "log_det_ratio"])
    reason = "it is more than a float can hold; rescale X"
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
    for name, number in scores.items():
        takes = takes_of(KINDS["internal"].indices[name])
        needs = takes.coordinates or "metric='precomputed'; give" in scores.reasons.get(name, "")
        if not needs:
            with_coordinates = cv.evaluate(POINTS, THREE, [name])[name]
            assert number == approx(with_coordinates, rel=1e-12, nan_ok=True), name
        assert not needs or math.isnan(number), name
