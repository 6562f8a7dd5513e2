"""The law of scale: points times a power of two give values times a power of that, and not one digit differs."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest
from pytest import approx
from scipy.cluster.hierarchy import cut_tree, linkage
from scipy.spatial.distance import cdist

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from clustval.sources.blocks import blocks_of
from clustval.sources.space import HOMOGENEOUS
from conftest import make_blobs

catalogue.load("internal")
INDICES = KINDS["internal"].indices
SWEPT = KINDS["internal"].of_sweeps
WITH_DEGREE = [name for name, index in INDICES.items() if index.degree is not None]
P = 3
X, LABELS = make_blobs((60, 36, 27), (0, 4, 8), (1.0, 0.6, 0.3), p=P, seed=5)
DISTANCES = cdist(X, X)
MANY, MANY_LABELS = make_blobs((700, 500, 400), (0, 4, 8), (1.0, 0.6, 0.3), p=P, seed=5)  # enough for kernels
WEIGHTS = np.random.default_rng(4).integers(1, 4, len(X))
TREE = {k: cut_tree(linkage(X, "average"), k).ravel() for k in range(1, 9)}
EXPONENTS = [*range(-400, 401, 50), -70, -66, -1, 1, 60, 63, 66]  # some on both sides of where points are scaled
FEW = [-400, -1, 63, 400]


def times(value, degree, exponent):
    """Return a value times a power of two; NaN where no float can hold it."""
    degree = degree(P) if callable(degree) else degree
    with np.errstate(over="ignore"):
        scaled = np.ldexp(value, degree * exponent)
    return np.where(np.isinf(scaled) & np.isfinite(value), np.nan, scaled)


@functools.cache
def scores(exponent, case="points"):
    scale = 2.0**exponent
    if case == "distances":
        return cv.evaluate(scale * DISTANCES, LABELS, "all", metric="precomputed")
    if case == "weighted points":
        return cv.evaluate(scale * X, LABELS, "all", sample_weight=WEIGHTS)
    if case == "blocks":
        halves = [(scale * X[half], LABELS[half]) for half in (slice(0, 50), slice(50, None))]
        return cv.evaluate(blocks_of(halves), indices="all")
    if case == "many points":
        return cv.evaluate(scale * MANY, MANY_LABELS, "all")
    return cv.evaluate(scale * X, LABELS, "all", metric={"points": "euclidean"}.get(case, case))


@pytest.mark.parametrize("name", WITH_DEGREE)
def test_every_index_follows_its_degree_bit_for_bit(name):
    degree = INDICES[name].degree
    for exponent in EXPONENTS:
        expected = times(scores(0)[name], degree, exponent)
        assert np.array_equal(scores(exponent)[name], expected, equal_nan=True), exponent


@pytest.mark.parametrize("case", ["distances", "weighted points", "blocks", "cityblock", "minkowski(3)", "many points"])
def test_so_it_does_of_distances_weights_blocks_and_other_metrics(case):
    for exponent in FEW:
        for name in WITH_DEGREE:
            expected = times(scores(0, case)[name], INDICES[name].degree, exponent)
            assert np.array_equal(scores(exponent, case)[name], expected, equal_nan=True), (name, exponent)


@pytest.mark.large
@pytest.mark.parametrize("metric", [*sorted(HOMOGENEOUS), "minkowski(1.5)", "minkowski(3)", "minkowski(20)"])
def test_so_it_does_under_every_metric_at_every_scale(metric):
    case = {"precomputed": "distances", "euclidean": "points"}.get(metric, metric)
    for exponent in EXPONENTS:
        for name in WITH_DEGREE:
            expected = times(scores(0, case)[name], INDICES[name].degree, exponent)
            assert np.array_equal(scores(exponent, case)[name], expected, equal_nan=True), (name, exponent)


@pytest.mark.parametrize("metric", ["minkowski(3)", "minkowski(30)"])
def test_powers_of_points_as_they_were_neither_overflow_nor_vanish(metric):
    """An index without a degree: b / (a + epsilon) is b / a far out, and b / epsilon near by."""
    near, far = (
        [cv.internal.alternative_silhouette(2.0**exponent * X, LABELS, metric=metric) for exponent in pair]
        for pair in ((-100, -400), (60, 400))
    )
    assert near[1] == approx(2.0**-300 * near[0], rel=1e-9)
    assert near[1] > 0
    assert far[1] == approx(far[0], rel=1e-9)


@pytest.mark.large
@pytest.mark.parametrize("metric", ["cityblock", "minkowski(3)"])
@pytest.mark.parametrize("exponent", FEW)
def test_so_kernels_do_and_sweeps(metric, exponent):
    names = ["silhouette", "dunn", "c_index", "davies_bouldin", "ball_hall_unsquared", "gamma", "dbcv"]
    plain, scaled = (cv.evaluate(s * MANY, MANY_LABELS, names, metric=metric) for s in (1, 2.0**exponent))
    swept, swept_scaled = (cv.sweep(s * X, TREE, names, metric=metric) for s in (1, 2.0**exponent))
    for name in names:
        assert scaled[name] == times(plain[name], INDICES[name].degree, exponent), name
        expected = times(swept[name], INDICES[name].degree, exponent)
        assert np.array_equal(swept_scaled[name], expected, equal_nan=True), name


@pytest.mark.parametrize("exponent", FEW)
def test_so_it_does_in_a_sweep_and_of_indices_that_need_one(exponent):
    names = [*WITH_DEGREE, *SWEPT]
    plain, scaled = cv.sweep(X, TREE, names), cv.sweep(2.0**exponent * X, TREE, names)
    for name in names:
        expected = times(plain[name], (INDICES | SWEPT)[name].degree, exponent)
        assert np.array_equal(scaled[name], expected, equal_nan=True), name


@pytest.mark.parametrize("exponent", FEW)
def test_so_do_values_of_points_and_clusters(exponent):
    plain, scaled = scores(0), scores(exponent)
    for name in WITH_DEGREE:
        index = INDICES[name]
        if index.points:
            assert np.array_equal(scaled.per_point(name), times(plain.per_point(name), index.degree, exponent)), name
        if index.by_cluster:
            one, other = (np.array(list(s.per_cluster(name).values())) for s in (plain, scaled))
            assert np.array_equal(other, times(one, index.degree, exponent)), name
    for name, degree in {"size": 0, "dispersion": 1, "diameter": 1, "separation": 1}.items():
        one, other = (np.array(list(s.per_cluster(name).values()), dtype=float) for s in (plain, scaled))
        assert np.array_equal(other, times(one, degree, exponent)), name


@pytest.mark.parametrize("name", ["gmm_bic", "gmm_aic", "gmm_icl", "kmeans_bic", "kmeans_aic", "xmeans_bic",
                                  "scott_symons", "banfeld_raftery", "xu"])  # fmt: skip
def test_logarithms_grow_by_the_same_amount_at_every_doubling(name):
    step = scores(1)[name] - scores(0)[name]
    assert step != 0
    for exponent in EXPONENTS:
        assert scores(exponent)[name] == approx(scores(0)[name] + exponent * step, rel=1e-9, abs=1e-6), exponent


def test_what_no_float_can_hold_has_no_value_and_says_so():
    reason = scores(400).reasons["ksq_detw"]
    assert reason == "ksq_detw has no value for this clustering: it is more than a float can hold; rescale X."


def test_scale_that_once_overflowed_or_vanished():
    for scale in (1e78, 1e-85, 1e120, 1e-120):
        for name in ("hubert_normalized", "sd_scat", "s_dbw"):
            assert getattr(cv.internal, name)(scale * X, LABELS) == approx(scores(0)[name], rel=1e-9), (name, scale)


@pytest.mark.parametrize("metric", ["cosine", "seuclidean", "canberra"])
def test_variances_do_so_whatever_the_metric(metric):
    plain = cv.evaluate(X, LABELS, ["sd_scat", "s_dbw"], metric=metric)
    for exponent in FEW:
        assert cv.evaluate(2.0**exponent * X, LABELS, ["sd_scat", "s_dbw"], metric=metric) == plain, exponent


@pytest.mark.parametrize(("scale", "words"), [(1e36, r"^X reaches .* rescale it to below 1e\+35"),
                                              (1e-37, "^X spreads over .* rescale it to above 1e-35")])  # fmt: skip
def test_squared_distances_have_no_squares_so_far_out(scale, words):
    with pytest.raises(cv.InputError, match=words):
        cv.internal.hubert_normalized(scale * X, LABELS, metric="sqeuclidean")
    plain = cv.internal.hubert_normalized(X, LABELS, metric="sqeuclidean")
    inside = {1e36: 2.0**110, 1e-37: 2.0**-110}[scale]
    assert cv.internal.hubert_normalized(inside * X, LABELS, metric="sqeuclidean") == plain


def test_points_that_are_too_large_or_too_small_are_refused_as_before():
    for scale in (1e151, 1e-145):
        with pytest.raises(cv.InputError, match="rescale it to"):
            cv.internal.dunn(scale * X, LABELS)


def test_points_come_back_as_they_were():
    far = cv.evaluate(2.0**300 * X, LABELS, "dunn").source
    near = cv.evaluate(X, LABELS, "dunn").source
    assert near.exponent == 0
    assert near.as_given is near
    assert far.exponent == 300 + math.frexp(np.abs(X).max())[1]
    assert np.array_equal(far.as_given.X, 2.0**300 * near.X)
    assert np.abs(far.X).max() < 1
