"""Other internal indices and those of mixtures: reference values, definitions in loops, and kernels by their twins."""

from __future__ import annotations

import inspect
import math

import brute_force
import naive_others
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.spatial.distance import cdist
from test_internal_naive import clusterings

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from clustval.passes.metrics.measure_between import euclidean_between
from clustval.passes.pairs import farthest
from clustval.passes.work import thresholds
from clustval.sources.partition import partition
from clustval.stats.centres.centre_spread import CentreSpread, FarthestTenth
from clustval.stats.pairs.farthest import Covers, Farthest
from clustval.stats.pairs.medoids import MedoidDistances, Medoids
from clustval.stats.points.label_mixture import LabelMixture

catalogue.load()
NAMES = sorted(naive_others.OTHERS)
UNVERIFIED = {"cop", "sv", "xu", "xie_beni_star"}
RNG = np.random.default_rng(11)


def reference(name):
    return {**brute_force.values(name, "G"), **brute_force.values(name, "H")}


# --- reference values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_values_are_those_of_the_reference(name):
    data = brute_force.data(name)
    scores = cv.evaluate(data["X"], data["kmeans"][3], NAMES)
    expected = {index: value for index, value in reference(name).items() if index in scores}
    assert len(expected) == len(NAMES) - 4  # all but those of mixtures, and but one that only its definition checks
    assert {index: scores[index] for index in expected} == approx(expected, rel=1e-9)


@pytest.mark.parametrize("name", brute_force.SETS)
def test_medoids_are_those_of_the_reference(name):
    data = brute_force.data(name)
    source = partition(data["X"], data["kmeans"][3])
    assert source.kept[source[Medoids].places].tolist() == reference(name)["medoids"]


@pytest.mark.parametrize("case", brute_force.edges())
def test_degenerate_input_has_the_sensible_value_or_a_reason(case):
    record = brute_force.edges()[case]
    scores = cv.evaluate(np.array(record["X"]), record["labels"], NAMES)
    expected = {index: value for index, value in record["sensible"].items() if index in scores}
    assert len(expected) == 7
    assert {index: scores[index] for index in expected} == approx(expected, rel=1e-9, nan_ok=True)
    assert {index for index in scores if math.isnan(scores[index])} == set(scores.reasons)


# --- definitions -----------------------------------------------------------------------------------------


@given(clustering=clusterings())
def test_the_engine_agrees_with_the_definition(clustering):
    X, labels = clustering
    scores = cv.evaluate(X, labels, NAMES)
    for name, definition in naive_others.OTHERS.items():
        expected = definition(X.tolist(), labels)
        if math.isinf(expected):
            assert scores[name] == expected, name
        else:
            assert scores[name] == approx(expected, rel=1e-8, abs=1e-9, nan_ok=True), name


@pytest.mark.large
def test_the_engine_agrees_with_the_definition_on_clean_data():
    for sizes, p in [((15, 28, 14), 2), ((39, 31), 1), ((16, 17, 25, 26), 4), ((10, 12, 7, 8), 3)]:
        labels = np.repeat(range(len(sizes)), sizes)
        X = RNG.normal(size=(len(labels), p)) + 2 * labels[:, None]
        scores = cv.evaluate(X, labels, NAMES)
        for name, definition in naive_others.OTHERS.items():
            assert scores[name] == approx(definition(X.tolist(), labels.tolist()), rel=1e-10), name


@given(clustering=clusterings(), power=st.sampled_from([0.5, 1, 3]))
def test_options_change_what_the_formula_says(clustering, power):
    X, labels = clustering
    scores = cv.evaluate(X, labels, {"i_index": {"power": power}, "gmm_icl": {"entropy": "soft"}, "pbm": {}})
    expected = naive_others.i_index(X.tolist(), labels, power)
    assert scores["i_index"] == approx(expected, rel=1e-8, abs=1e-9, nan_ok=True)
    assert scores["gmm_icl"] == approx(naive_others.gmm_icl(X.tolist(), labels, "soft"), rel=1e-8, nan_ok=True)
    assert cv.evaluate(X, labels, "i_index")["i_index"] == approx(scores["pbm"], rel=1e-12, nan_ok=True)


@given(clustering=clusterings())
def test_the_area_under_the_curve_is_gamma_with_ties_for_a_half(clustering):
    X, labels = clustering
    scores = cv.evaluate(X, labels, ["aucc", "gamma"])
    (counts,) = scores.source.known(KINDS["internal"].indices["gamma"].statistics[0])
    tied = counts.ties / (counts.plus + counts.minus + counts.ties)
    gamma = 0.0 if tied == 1 else scores["gamma"]
    assert scores["aucc"] == approx((1 + gamma * (1 - tied)) / 2, rel=1e-12)


def test_wb_orders_partitions_as_calinski_and_harabasz_do(blobs):
    X, labels = blobs
    n, k = len(X), 3
    expected = k * (n - k) / ((k - 1) * cv.internal.calinski_harabasz(X, labels))
    assert cv.internal.wb(X, labels) == approx(expected, rel=1e-12)


def test_values_of_points_and_clusters_add_up_to_the_index(blobs):
    X, labels = blobs
    names = ["medoid_silhouette", "medoid_davies_bouldin", "davies_bouldin_star", "cop", "cs"]
    scores = cv.evaluate(X, labels, names)
    size = scores.per_cluster("size")
    points = scores.per_point("medoid_silhouette")
    assert points == approx(naive_others.medoid_silhouettes(X.tolist(), labels.tolist()), rel=1e-12)
    assert points.mean() == approx(scores["medoid_silhouette"], rel=1e-12)
    for name in ("medoid_silhouette", "cop"):
        clusters = scores.per_cluster(name)
        assert sum(clusters[c] * size[c] for c in size) / len(X) == approx(scores[name], rel=1e-12)
    for name in ("davies_bouldin_star", "medoid_davies_bouldin"):
        assert np.mean(list(scores.per_cluster(name).values())) == approx(scores[name])
    low, high = min(scores.per_cluster("cs").values()), max(scores.per_cluster("cs").values())
    assert low < scores["cs"] < high


def test_the_next_cluster_of_a_point_is_never_its_own():
    X, labels = [[0], [1], [2], [9], [1.2], [3]], [0, 0, 0, 1, 1, 1]  # 1.2 is nearer to the other medoid
    scores = cv.evaluate(X, labels, "medoid_silhouette")
    assert scores.neighbours("medoid_silhouette").tolist() == [1, 1, 1, 0, 0, 0]
    assert scores.per_point("medoid_silhouette")[4] == approx(1 - 0.2 / 1.8)


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_an_index_says_if_no_second_program_agrees(name):
    text = inspect.getdoc(KINDS["internal"].indices[name].formula)
    assert ("Unverified" in text) is (name in UNVERIFIED)


# --- degenerate input ------------------------------------------------------------------------------------


def test_clusters_without_extent_have_no_likelihood():
    X, labels = [[0.1], [0.1], [0.7], [0.7]], [0, 0, 1, 1]
    scores = cv.evaluate(X, labels, NAMES)
    for name in ("kmeans_bic", "kmeans_aic", "xmeans_bic", "xu", "gmm_bic", "gmm_icl", "negentropy_increment"):
        assert math.isnan(scores[name]), name
    assert scores.reasons["xu"] == (
        "xu has no value for this clustering: every cluster is a point or points that are equal, so that the logarithm "
        "is that of 0."
    )
    assert scores.reasons["gmm_aic"] == (
        "gmm_aic has no value for this clustering: a cluster spans fewer directions than X has columns, so that its "
        "covariance has no volume."
    )
    for name in ("wb", "cs", "cop", "davies_bouldin_star", "xie_beni_star"):
        assert scores[name] == 0, name
    assert scores["sv"] == scores["i_index"] == math.inf
    assert scores["medoid_silhouette"] == scores["aucc"] == 1


def test_equal_points_tell_nothing():
    scores = cv.evaluate(np.full((6, 2), 0.3), [0, 0, 0, 1, 1, 1], NAMES)
    assert scores["medoid_silhouette"] == 0
    assert scores["aucc"] == 0.5
    for name in ("wb", "cs", "cop", "davies_bouldin_star", "xie_beni_star", "sv", "i_index"):
        assert math.isnan(scores[name]), name


def test_a_score_far_below_the_others_keeps_its_digits():
    X = np.array([[0.0], [60.0], [30.0], [90.0]])
    value = cv.internal.score_function(X, [0, 0, 1, 1])
    assert value == approx(math.exp(15 / 2 - 60), rel=1e-12, abs=0)


# --- statistics ------------------------------------------------------------------------------------------

SHAPES = {
    "blobs": np.vstack([RNG.normal(4 * c, w, (n, 3)) for c, (n, w) in enumerate([(131, 1.0), (57, 0.6), (1, 1.0)])]),
    "far from zero": RNG.normal(size=(300, 4)) * [1, 10, 0.1, 3] + 1e6,
    "a few grains far from zero": RNG.integers(0, 30, (200, 2)) * 2.0**-26 + 1e8,
    "a lattice, full of ties": RNG.integers(0, 4, (190, 2)).astype(float),
    "a circle": np.column_stack([np.cos(np.arange(400)), np.sin(np.arange(400))]),
    "many dimensions": RNG.normal(size=(150, 40)),
    "equal points": np.ones((80, 2)),
}


def labels_of(X, k):
    labels = np.random.default_rng(len(X)).integers(0, k, len(X))
    labels[:k] = np.arange(k)
    labels[len(X) // 2 :] = np.argsort(np.argsort(X[len(X) // 2 :, 0], kind="stable")) * k // (len(X) - len(X) // 2)
    return labels


@pytest.mark.parametrize("k", [1, 2, 5, 30])
@pytest.mark.parametrize("name", SHAPES)
def test_the_compiled_search_for_the_farthest_points_finds_what_all_distances_show(name, k):
    X = SHAPES[name]
    source = partition(X, labels_of(X, k))
    assert source.n > thresholds.PAIRS
    D = cdist(source.X, source.X)
    same = source.codes[:, None] == source.codes
    own = np.where(same, D, 0).max(axis=1)
    high = np.stack([D[:, source.codes == c].max(axis=1) for c in range(k)], axis=1)
    high[np.arange(len(X)), source.codes] = np.inf
    for n_jobs in (1, 3):
        assert farthest.farthest_own(source.X, source.starts, n_jobs=n_jobs).tolist() == own.tolist()
        assert farthest.covers(source.X, source.starts, n_jobs=n_jobs).tolist() == high.min(axis=0).tolist()

    def meet(lo, hi, _block, begin, end):
        return euclidean_between(source.X[lo:hi], source.X[begin:end])

    for twin, expected in ((farthest.farthest_own_numpy, own), (farthest.covers_numpy, high.min(axis=0))):
        assert twin(meet, source.starts, [source.starts], n_jobs=2).tolist() == expected.tolist()


def test_a_mean_that_is_rounded_away_from_its_cluster_hides_no_point():
    """The mean of (0, 1) and (1, 0) is rounded to (0, 0) here; (3, 3) has both nearer than (-3, 0) has."""
    X = 1e8 + np.array([[0, 1], [1, 0], [3, 3], [-3, 0]]) * 2.0**-26
    covers = farthest.covers(X, np.array([0, 2, 4]), n_jobs=1)
    assert covers[0] == math.sqrt(13) * 2.0**-26


def test_plain_rows_are_met_in_pieces():
    X = SHAPES["a lattice, full of ties"]
    source = partition(X, labels_of(X, 4), metric="cityblock")
    asked = []

    def meet(lo, hi, _block, begin, end):
        asked.append((hi - lo) * (end - begin))
        return cdist(source.X[lo:hi], source.X[begin:end], "cityblock")

    cut = {"n_jobs": 2, "cells": 500}
    own = farthest.farthest_own_numpy(meet, source.starts, [source.starts], **cut)
    assert own.tolist() == source[Farthest].own.tolist()
    assert farthest.covers_numpy(meet, source.starts, [source.starts], **cut).tolist() == source[Covers].covers.tolist()
    assert max(asked) <= 500


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_a_matrix_of_distances_gives_what_the_points_give(metric):
    X = SHAPES["blobs"]
    labels = labels_of(X, 4)
    points = partition(X, labels, metric=metric)
    distances = partition(cdist(X, X, metric), labels, metric="precomputed")
    assert distances[Farthest].own == approx(points[Farthest].own, rel=1e-14)
    assert distances[Covers].covers == approx(points[Covers].covers, rel=1e-14)
    assert distances[MedoidDistances].second == approx(points[MedoidDistances].second, rel=1e-14)
    for index in (cv.internal.medoid_silhouette, cv.internal.medoid_davies_bouldin):
        value = index(cdist(X, X, metric), labels, metric="precomputed")
        assert value == approx(index(X, labels, metric=metric), rel=1e-12)


def test_centres_are_measured_by_the_metric():
    X, labels = np.array([[0.0, 0], [2, 2], [10, 3], [14, 7]]), [0, 0, 1, 1]
    source = partition(X, labels, metric="cityblock")
    assert source[CentreSpread].sums.tolist() == [
        2 * (5.5 + 2),
        2 * (5.5 + 2),
    ]  # centres (1, 1), (12, 5), mean (6.5, 3)
    assert cv.internal.score_function(X, labels, metric="cityblock") == approx(1 - math.exp(-math.exp(15 / 4 - 6)))


def test_the_farthest_tenth_of_a_cluster_is_rounded_up():
    for size, count in ((1, 1), (10, 1), (11, 2), (30, 3), (70, 7), (71, 8)):
        X = np.concatenate([np.arange(size, dtype=float) ** 2, [1e5]])[:, None]
        tenth = partition(X, [0] * size + [1])[FarthestTenth].means
        radii = np.sort(np.abs(X[:-1, 0] - X[:-1, 0].mean()))[::-1]
        assert tenth == approx([radii[:count].mean(), 0], rel=1e-12)


def test_the_first_of_equal_medoids_is_taken_however_sums_are_rounded():
    rng = np.random.default_rng(0)
    ring = np.array([[math.cos(t), math.sin(t)] for t in 2 * np.pi * np.arange(7) / 7])  # all as central
    for _ in range(20):
        order = rng.permutation(14)
        X = np.vstack([ring, ring * 3 + 20])[order]
        labels = np.repeat([0, 1], 7)[order]
        source = partition(X, labels)
        firsts = [int(np.flatnonzero(labels == c)[0]) for c in (0, 1)]
        assert source.kept[source[Medoids].places].tolist() == firsts


def test_the_mixture_of_labels_is_that_of_scikit_learn_with_their_moments(blobs):
    from sklearn.mixture import GaussianMixture

    X, labels = blobs
    shares = np.bincount(labels) / len(labels)
    means = np.array([X[labels == c].mean(axis=0) for c in range(3)])
    covariances = np.array([np.cov(X[labels == c].T, ddof=0) for c in range(3)])
    model = GaussianMixture(3)
    model.weights_, model.means_, model.covariances_ = shares, means, covariances
    model.precisions_cholesky_ = np.linalg.inv(np.linalg.cholesky(covariances)).transpose(0, 2, 1)
    for name in ("gmm_bic", "gmm_aic"):
        assert getattr(cv.internal, name)(X, labels) == approx(getattr(model, name[4:])(X), rel=1e-10)
        assert getattr(cv.mixture, name)(X, model) == approx(getattr(model, name[4:])(X), rel=1e-14)
    for entropy in ("hard", "soft"):
        fitted = cv.mixture.gmm_icl(X, model, entropy=entropy)
        assert cv.internal.gmm_icl(X, labels, entropy=entropy) == approx(fitted, rel=1e-10)


def test_the_entropy_of_clusters_far_apart_keeps_its_digits():
    X, labels = np.array([[0.0], [2], [20], [22]]), [0, 0, 1, 1]
    fit = partition(X, labels)[LabelMixture]
    tails = [math.exp(-((21 - x) ** 2 - 1) / 2) for x in (0, 2)]
    assert fit.hard == approx(2 * sum(tails), rel=1e-10)
    assert fit.soft == approx(2 * sum(t * (1 - math.log(t)) for t in tails), rel=1e-10)


# --- weights ---------------------------------------------------------------------------------------------


def test_whole_weights_are_repeated_points(blobs):
    X, labels = blobs
    weights = np.random.default_rng(4).integers(0, 4, len(X))
    rows = np.repeat(np.arange(len(X)), weights)
    assert np.bincount(labels[rows]).min() > 4
    weighted = cv.evaluate(X, labels, NAMES, sample_weight=weights)
    repeated = cv.evaluate(X[rows], labels[rows], NAMES)
    assert weighted.to_dict() == approx(repeated.to_dict(), rel=1e-10)
    assert weighted.per_point("medoid_silhouette")[rows] == approx(repeated.per_point("medoid_silhouette"))
    assert all(weighted[name] != approx(cv.evaluate(X, labels, NAMES)[name]) for name in NAMES)


def test_broken_weights_of_a_half_count_as_half_a_point(blobs):
    X, labels = blobs
    halves = np.full(len(X), 0.5)
    twice = np.vstack([X, X]), np.tile(labels, 2), np.tile(halves, 2)
    alike = {name for name in NAMES if name != "aucc"}
    scores = cv.evaluate(*twice[:2], NAMES, sample_weight=twice[2])
    plain = cv.evaluate(X, labels, NAMES)
    assert {name: scores[name] for name in alike} == approx({name: plain[name] for name in alike}, rel=1e-10)
    assert scores.reasons["aucc"].startswith("aucc takes no weights but whole numbers: ")


# --- many partitions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("name", ["blobs", "a lattice, full of ties"])
def test_a_sweep_has_the_values_of_single_partitions(name, metric, set_thresholds):
    set_thresholds(SWEEP_WORK=0)
    X = SHAPES[name]
    partitions = {k: labels_of(X, k) for k in (2, 3, 3 + 1, 17, 60)} | {"again": labels_of(X[::-1], 3)}
    sweep = cv.sweep(X, partitions, NAMES, metric=metric)
    for at, labels in enumerate(partitions.values()):
        scores = cv.evaluate(X, labels, NAMES, metric=metric)
        assert dict(zip(NAMES, sweep.values[at], strict=True)) == approx(scores.to_dict(), rel=1e-10, nan_ok=True)


def test_logarithms_are_to_the_base_that_is_asked_for():
    X, labels = [[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2]  # 120 between clusters, 4 within
    assert cv.internal.log_ss_ratio(X, labels, base=10) == approx(math.log10(30))
    assert cv.internal.log_det_ratio(X, labels, base=10) == approx(6 * math.log10(31))
