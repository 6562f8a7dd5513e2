"""Weights of points, judged by the points alone: whole weights are repeated rows, weight 0 is no row."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from pytest import approx
from scipy.spatial.distance import cdist

import clustval as cv
from clustval.catalogue import every_index
from clustval.passes.pairs import weighted_rows
from clustval.passes.pairs.half_square_numpy import euclidean_rows_numpy
from clustval.passes.pairs.weighted_rows import SortedLabels, compiled_weighted_pass, stripe_pass
from clustval.passes.ranks import rank_weights
from clustval.passes.work import thresholds
from clustval.sources.blocks import blocks_of
from clustval.sources.partition import partition
from clustval.sources.takes import takes_of
from clustval.stats.pairs.pair_distances import PairSums
from clustval.suites import OWN, SUITES

INTERNAL = every_index("internal")
NAMES = [index.name for index in INTERNAL]
ONCE = {index.name for index in INTERNAL if takes_of(index).no_weights_because}  # points count once, or not
WHOLE = {index.name for index in INTERNAL if takes_of(index).whole_weights_because}
each_index = pytest.mark.parametrize("index", INTERNAL, ids=lambda index: index.name)
METRICS = ("euclidean", "cityblock", "cosine", "seuclidean", "mahalanobis", "jaccard", "precomputed")
each_metric = pytest.mark.parametrize("metric", METRICS)
each_noise = pytest.mark.parametrize("noise", ["drop", "cluster", "singletons", "error"])


def data(metric="euclidean", noise="drop"):
    """Points in four clusters, of which the last has no weight; and noise, where there may be some."""
    rng = np.random.default_rng(8)
    labels = np.repeat([0, 1, 2, 3], [12, 9, 7, 7])
    X = rng.normal(size=(35, 3)) * [1, 0.6, 0.4] + 4 * np.eye(4, 3)[labels]
    weights = np.where(labels == 3, 0, rng.choice([0, 1, 1, 2, 3], 35))
    labels[[2, 9, 16, 33]] = -1
    if noise == "error":
        weights[labels < 0] = 0
    if noise == "singletons":
        weights[labels < 0] = [1, 1, 0, 1]
    if metric == "jaccard":
        X = (X > 0.8).astype(float)
        X[:, 0] = 1
    return SimpleNamespace(
        X=cdist(X, X) if metric == "precomputed" else X, labels=labels, weights=weights, how={"metric": metric}
    )


def chosen(X, rows, metric):
    return X[np.ix_(rows, rows)] if metric == "precomputed" else X[rows]


def near(values, rel=1e-10):
    return approx(values, rel=rel, abs=1e-13, nan_ok=True)


# --- whole weights ---------------------------------------------------------------------------------------


@each_noise
@each_metric
def test_whole_weights_equal_repeated_points(metric, noise):
    d = data(metric, noise)
    rows = np.repeat(np.arange(35), d.weights)
    names = [name for name in NAMES if name not in ONCE]
    weighted = cv.evaluate(d.X, d.labels, names, metric=metric, noise=noise, sample_weight=d.weights)
    repeated = cv.evaluate(chosen(d.X, rows, metric), d.labels[rows], names, metric=metric, noise=noise)
    assert dict(weighted) == near(dict(repeated))
    assert weighted.reasons == repeated.reasons
    assert weighted.coverage == approx(repeated.coverage, rel=1e-15)
    assert 3 not in weighted.source.names
    assert sum(not math.isnan(value) for value in weighted.values()) > (20 if metric == "precomputed" else 15)
    for index in INTERNAL:
        if index.points is not None and index.name in weighted and index.name not in weighted.reasons:
            values = weighted.per_point(index.name)
            assert np.isnan(values[d.weights == 0]).all()
            assert values[rows] == near(repeated.per_point(index.name))
            if noise != "singletons":  # clusters of one noise point are named after their row
                assert weighted.neighbours(index.name)[rows].tolist() == repeated.neighbours(index.name).tolist()
    ours, theirs = weighted.per_cluster(), repeated.per_cluster()
    assert list(ours) == list(theirs)
    for name, values in ours.items():
        assert list(values.values()) == near(list(theirs[name].values()))
    assert list(ours["size"].values()) == list(theirs["size"].values())
    assert {type(size) for size in ours["size"].values()} == {int}


@each_index
def test_each_function_takes_weights(index):
    d = data()
    rows = np.repeat(np.arange(35), d.weights)
    function = getattr(cv.internal, index.name)
    if index.name in ONCE:
        with pytest.raises(cv.UndefinedIndexError, match=f"{index.name} takes no weights but 0 and 1: "):
            function(d.X, d.labels, sample_weight=d.weights)
        return
    value = function(d.X, d.labels, sample_weight=d.weights)
    assert value == near(function(d.X[rows], d.labels[rows]))
    of_extremes = index.name.startswith("gdi") or all(takes_of(s).extremes for s in index.statistics)
    if not of_extremes:  # weights move none
        assert value != near(function(d.X, d.labels))


@pytest.mark.parametrize("suite", sorted(SUITES) + sorted(OWN))
def test_every_suite_takes_weights(suite):
    d = data()
    rows = np.repeat(np.arange(35), d.weights)
    weighted = cv.evaluate(d.X, d.labels, suite, sample_weight=d.weights).to_dict()
    repeated = cv.evaluate(d.X[rows], d.labels[rows], suite)
    expected = {name: math.nan if repeated.choices[name].index.name in ONCE else v for name, v in repeated.items()}
    assert weighted == near(expected)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "precomputed"])
def test_many_weighted_points_equal_repeated_points(metric, large_blobs):
    X, labels = large_blobs
    weights = np.random.default_rng(0).integers(0, 3, len(X))
    weights[labels == 3] = 2
    rows = np.repeat(np.arange(len(X)), weights)
    X = cdist(X, X) if metric == "precomputed" else X
    names = [
        index.name for index in INTERNAL if index.name not in ONCE and (index.cost != "rank" or metric == "euclidean")
    ]
    weighted = cv.evaluate(X, labels, names, metric=metric, sample_weight=weights)
    repeated = cv.evaluate(chosen(X, rows, metric), labels[rows], names, metric=metric)
    # The point that is alone lies at its centre up to rounding, which an index of 1 / (distance + 1e-6) shows.
    assert dict(weighted) == near(dict(repeated), rel=1e-8)
    assert weighted.per_point("silhouette")[rows] == near(repeated.per_point("silhouette"), rel=1e-9)


def test_weights_do_not_depend_on_the_number_of_threads(large_blobs):
    X, labels = large_blobs
    weights = np.random.default_rng(0).random(len(X)) + 0.5
    names = [index.name for index in INTERNAL if index.cost != "rank"]
    alone, together = (cv.evaluate(X, labels, names, sample_weight=weights, n_jobs=n) for n in (1, 3))
    assert dict(alone) == dict(together)


# --- weights of 1 and 0 ----------------------------------------------------------------------------------


@each_metric
def test_weights_of_1_change_no_bit(metric):
    d = data(metric)
    plain = cv.evaluate(d.X, d.labels, NAMES, metric=metric)
    weighted = cv.evaluate(d.X, d.labels, NAMES, metric=metric, sample_weight=np.ones(35))
    assert dict(weighted) == approx(dict(plain), rel=0, abs=0, nan_ok=True)
    assert weighted.coverage == plain.coverage
    assert weighted.reasons == plain.reasons


@each_noise
@each_metric
def test_weight_0_is_no_row_to_the_last_bit(metric, noise):
    d = data(metric, noise)
    weights = np.minimum(d.weights, 1)
    rows = np.flatnonzero(weights)
    weighted = cv.evaluate(d.X, d.labels, NAMES, metric=metric, noise=noise, sample_weight=weights)
    without = cv.evaluate(chosen(d.X, rows, metric), d.labels[rows], NAMES, metric=metric, noise=noise)
    assert dict(weighted) == approx(dict(without), rel=0, abs=0, nan_ok=True)
    assert weighted.reasons == without.reasons
    assert weighted.coverage == without.coverage


def test_what_noise_weighs_counts_only_for_the_coverage_and_for_indices_that_look_at_noise(tmp_path):
    d = data()
    weights = np.where(d.labels < 0, 2.5, 1)
    plain, weighted = cv.evaluate(d.X, d.labels, NAMES), cv.evaluate(d.X, d.labels, NAMES, sample_weight=weights)
    np.save(tmp_path / "X.npy", d.X)
    streamed = cv.evaluate(tmp_path / "X.npy", d.labels, NAMES, sample_weight=weights)
    swept = cv.sweep(d.X, {"all": d.labels}, indices=NAMES, sample_weight=weights)
    assert weighted.coverage == streamed.coverage == approx(31 / (31 + 4 * 2.5))
    looking = {index.name for index in INTERNAL if index.counts_noise}
    assert {"dbcv", "disco", "dcm", "knn_modularity", "connectivity_silhouette"} <= looking
    for name, value in plain.items():
        if name not in looking:
            assert weighted[name] == approx(value, rel=0, abs=0, nan_ok=True)
            assert streamed[name] == near(value, 1e-9)
            continue
        reason = f"{name} takes no weights but 0 and 1: neighbours are single points; repeat the rows instead."
        assert weighted.reasons[name] == streamed.reasons[name] == swept.reasons["all", name] == reason


def test_indices_that_look_at_noise_take_weights_of_1_and_0():
    d = data()
    weights = np.where(d.labels < 0, [0, 1] * 17 + [0], 1)
    rows = np.flatnonzero(weights)
    names = ["dbcv", "disco", "knn_modularity"]
    weighted = cv.evaluate(d.X, d.labels, names, sample_weight=weights)
    assert dict(weighted) == dict(cv.evaluate(d.X[rows], d.labels[rows], names))


@pytest.mark.parametrize("metric", ["euclidean", "minkowski(1.5)"])
@pytest.mark.parametrize("scale", [1e30, 1])
def test_blocks_keep_weights_of_which_one_block_has_only_1(scale, metric):
    X, labels = scale * np.random.default_rng(0).normal(size=(40, 3)), np.arange(40) % 4
    weights = np.repeat([1.0, 3.0], 20)
    labels[20:22] = -1
    cuts = [slice(0, 20), slice(20, 22), slice(22, 40)]  # the second is all noise
    source = blocks_of([(X[cut], labels[cut], weights[cut]) for cut in cuts], metric=metric)
    names = ["alternative_silhouette", "silhouette", "calinski_harabasz", "davies_bouldin"]
    whole = cv.evaluate(X, labels, names, metric=metric, sample_weight=weights)
    assert dict(cv.evaluate(source, indices=names)) == near(dict(whole))


def test_coverage_is_1_where_nothing_is_left_out():
    weights = np.full(35, 0.1)
    labels = data().labels % 2
    assert cv.evaluate(data().X, labels, "dunn", sample_weight=weights).coverage == 1


# --- noise -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heavy", [3, 0.5])
def test_a_noise_point_becomes_one_cluster_only_if_it_is_one_point(heavy):
    d = data(noise="singletons")
    d.weights = d.weights.astype(float)
    d.weights[9] = heavy
    message = rf"must weigh 0 or 1; position 9 weighs {heavy}\. Repeat its row"
    with pytest.raises(cv.InputError, match=message):
        cv.internal.dunn(d.X, d.labels, noise="singletons", sample_weight=d.weights)
    with pytest.raises(cv.InputError, match=message):
        cv.sweep(d.X, [d.labels], noise="singletons", sample_weight=d.weights)


def test_noise_that_weighs_is_an_error_if_none_is_allowed():
    d = data()
    with pytest.raises(cv.InputError, match="marks 2 points as noise, the first at position 9"):
        cv.internal.dunn(d.X, d.labels, noise="error", sample_weight=np.where(d.labels < 0, [0, 1] * 17 + [0], 1))


@pytest.mark.parametrize("noise", ["drop", "cluster", "singletons"])
def test_blocks_take_weights_under_every_policy(noise):
    d = data(noise=noise)
    cuts = [slice(0, 3), slice(3, 17), slice(17, 35)]
    source = blocks_of([(d.X[cut], d.labels[cut], d.weights[cut]) for cut in cuts], noise=noise)
    names = ["calinski_harabasz", "silhouette", "davies_bouldin", "point_biserial"]
    whole = cv.evaluate(d.X, d.labels, names, noise=noise, sample_weight=d.weights)
    parts = cv.evaluate(source, indices=names)
    assert dict(parts) == near(dict(whole))
    assert parts.coverage == approx(whole.coverage)
    assert sorted(map(str, source.names)) == sorted(map(str, whole.source.names))


# --- many partitions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", ["drop", "cluster", "singletons"])
def test_a_sweep_takes_weights(noise):
    d = data(noise=noise)
    rng = np.random.default_rng(2)
    partitions = {"data": d.labels, "drawn": rng.integers(0, 3, 35), "few": np.where(d.weights > 0, d.labels % 2, 7)}
    rows = np.repeat(np.arange(35), d.weights)
    names = [name for name in [*NAMES, "sd"] if name not in ONCE]
    weighted = cv.sweep(d.X, partitions, names, noise=noise, sample_weight=d.weights)
    at_rows = {name: labels[rows] for name, labels in partitions.items()}
    repeated = cv.sweep(d.X[rows], at_rows, names, noise=noise)
    assert weighted.values == near(repeated.values)  # noqa: PD011 - a sweep, not a frame
    assert weighted.reasons == repeated.reasons
    assert weighted.k.tolist() == repeated.k.tolist()
    assert weighted.k[2] == 2


def test_a_sweep_with_weights_of_1_changes_no_bit(large_blobs):
    X, labels = large_blobs
    partitions = [labels, labels % 2, labels // 2]
    names = [index.name for index in INTERNAL if index.cost != "rank"]
    plain, weighted = (cv.sweep(X, partitions, names, sample_weight=w) for w in (None, np.ones(len(X))))
    assert np.array_equal(plain.values, weighted.values, equal_nan=True)


def test_a_sweep_clusters_rows_and_judges_points():
    X = np.array([[0.0], [1], [5], [6], [20], [21]])
    weights = [1, 2, 1, 1, 0, 3]
    plain, weighted = (
        cv.sweep(X, k=[2, 3], indices="silhouette", sample_weight=w, random_state=0) for w in (None, weights)
    )
    assert all(plain.labels[k].tolist() == weighted.labels[k].tolist() for k in (2, 3))
    assert weighted["silhouette"][1] == cv.internal.silhouette(X, plain.labels[3], sample_weight=weights)


# --- broken weights --------------------------------------------------------------------------------------


def broken():
    d = data()
    d.labels = np.repeat([0, 1, 2], [14, 12, 9])
    d.weights = np.random.default_rng(6).uniform(0.3, 3, 35)
    return d


def means_of(d):
    return {c: np.average(d.X[d.labels == c], axis=0, weights=d.weights[d.labels == c]) for c in range(3)}


def mass_of(d, c):
    return sum(w for w, label in zip(d.weights, d.labels, strict=True) if label == c)


def naive_calinski_harabasz(d):
    n, means = d.weights.sum(), means_of(d)
    mean = sum(w * x for w, x in zip(d.weights, d.X, strict=True)) / n
    between = sum(mass_of(d, c) * math.dist(means[c], mean) ** 2 for c in means)
    points = zip(d.weights, d.X, d.labels, strict=True)
    within = sum(w * math.dist(x, means[label]) ** 2 for w, x, label in points)
    return (between / 2) / (within / (n - 3))


def naive_davies_bouldin(d):
    means = means_of(d)
    spreads = {}
    for c in means:
        inside = [w * math.dist(x, means[c]) for w, x, y in zip(d.weights, d.X, d.labels, strict=True) if y == c]
        spreads[c] = sum(inside) / mass_of(d, c)
    worst = [max((spreads[a] + spreads[b]) / math.dist(means[a], means[b]) for b in means if b != a) for a in means]
    return sum(worst) / 3


def naive_silhouettes(d):
    """A point of weight w meets w - 1 copies of itself, and the other points as often as they count."""
    values = []
    for i, x in enumerate(d.X):
        sums = dict.fromkeys(range(3), 0.0)
        for j, other in enumerate(d.X):
            sums[d.labels[j]] += d.weights[j] * math.dist(x, other)
        own = d.labels[i]
        a = sums.pop(own) / (mass_of(d, own) - 1)
        b = min(total / mass_of(d, c) for c, total in sums.items())
        values.append((b - a) / max(a, b))
    return values


def naive_simplified_silhouettes(d):
    means, values = means_of(d), []
    for x, own in zip(d.X, d.labels, strict=True):
        a = math.dist(x, means[own])
        b = min(math.dist(x, means[c]) for c in means if c != own)
        values.append((b - a) / max(a, b))
    return values


def naive_mcclain_rao(d):
    sums, counts = {True: 0.0, False: 0.0}, {True: 0.0, False: 0.0}
    for i in range(35):
        counts[True] += d.weights[i] * (d.weights[i] - 1) / 2
        for j in range(i):
            pair = d.weights[i] * d.weights[j]
            together = bool(d.labels[i] == d.labels[j])
            sums[together] += pair * math.dist(d.X[i], d.X[j])
            counts[together] += pair
    return (sums[True] / counts[True]) / (sums[False] / counts[False])


def mean(d, values):
    return sum(w * value for w, value in zip(d.weights, values, strict=True)) / d.weights.sum()


def test_broken_weights_give_what_the_definitions_give():
    d = broken()
    names = ["ch", "davies_bouldin", "silhouette", "simplified_silhouette", "mcclain_rao", "dunn"]
    scores = cv.evaluate(d.X, d.labels, names, sample_weight=d.weights)
    silhouettes, simplified = naive_silhouettes(d), naive_simplified_silhouettes(d)
    assert scores["calinski_harabasz"] == approx(naive_calinski_harabasz(d), rel=1e-12)
    assert scores["davies_bouldin"] == approx(naive_davies_bouldin(d), rel=1e-12)
    assert scores["silhouette"] == approx(mean(d, silhouettes), rel=1e-12)
    assert scores.per_point("silhouette") == approx(silhouettes, rel=1e-12)
    assert scores["simplified_silhouette"] == approx(mean(d, simplified), rel=1e-12)
    assert scores["mcclain_rao"] == approx(naive_mcclain_rao(d), rel=1e-12)
    assert scores["dunn"] == cv.internal.dunn(d.X, d.labels)
    assert scores.per_cluster("size") == approx({c: mass_of(d, c) for c in range(3)})


@each_index
def test_broken_weights_give_values_within_bounds_or_a_reason(index):
    d = broken()
    function, (low, high) = getattr(cv.internal, index.name), index.bounds
    if index.name not in WHOLE | ONCE:
        assert low <= function(d.X, d.labels, sample_weight=d.weights) <= high
        return
    with pytest.raises(cv.UndefinedIndexError, match=f"{index.name} takes no weights but .*: "):
        function(d.X, d.labels, sample_weight=d.weights)
    scores = cv.evaluate(d.X, d.labels, index.name, sample_weight=d.weights)
    assert math.isnan(scores[index.name])
    assert scores.reasons[index.name].startswith(f"{index.name} takes no weights but ")
    swept = cv.sweep(d.X, [d.labels], index.name, sample_weight=d.weights)
    assert swept.reasons[0, index.name] == scores.reasons[index.name]


def test_ranks_take_whole_weights():
    assert {"gamma", "tau", "g_plus", "c_index"} <= WHOLE
    assert not {"gamma", "tau", "g_plus", "c_index", "dunn", "silhouette", "calinski_harabasz"} & ONCE


@each_index
def test_weights_a_little_off_1_move_values_a_little(index):
    d = broken()
    if index.name in WHOLE | ONCE:
        return
    nudged = 1 + 1e-9 * (d.weights - 1)
    value = getattr(cv.internal, index.name)(d.X, d.labels, sample_weight=nudged)
    assert value == approx(getattr(cv.internal, index.name)(d.X, d.labels), rel=1e-6)


def test_determinants_ask_how_many_points_there_are_and_not_what_they_weigh():
    d = broken()
    light = cv.internal.ksq_detw(d.X, d.labels, sample_weight=np.full(35, 0.1))
    assert light == approx(cv.internal.ksq_detw(d.X, d.labels) / 1000)


def test_points_that_weigh_too_little_for_so_many_clusters_say_so():
    d = broken()
    message = r"silhouette needs points that weigh 2 or more in all; those in clusters weigh 0\.35\."
    with pytest.raises(cv.UndefinedIndexError, match=message):
        cv.internal.silhouette(d.X, d.labels, sample_weight=np.full(35, 0.01))
    with pytest.raises(cv.UndefinedIndexError, match=r"from 2 to 2\.5 clusters for these points of weight 3\.5 in all"):
        cv.internal.dunn(d.X, d.labels, sample_weight=np.full(35, 0.1))
    with pytest.raises(cv.UndefinedIndexError, match=r"dunn needs 3 points or more; 2 are in clusters\."):
        cv.internal.dunn(d.X[:2], [0, 1])
    with pytest.raises(cv.UndefinedIndexError, match=r"silhouette needs 2 points or more; 1 is in clusters\."):
        cv.internal.silhouette(d.X[:2], [0, -1])


def test_a_cluster_lighter_than_a_point_has_no_pairs():
    d = broken()
    weights = np.where(d.labels == 2, 0.1, 1.0)
    scores = cv.evaluate(d.X, d.labels, ["mcclain_rao", "hubert", "silhouette"], sample_weight=weights)
    assert "A cluster weighs 0.9, less than one point" in scores.reasons["mcclain_rao"]
    assert list(scores.reasons) == ["mcclain_rao"]
    assert (scores.per_point("silhouette")[d.labels == 2] == 0).all()


# --- ranks -----------------------------------------------------------------------------------------------


def test_ranks_of_weighted_points_stay_within_the_memory():
    d = data()
    many = np.tile(d.X, (40, 1)), np.tile(d.labels, 40)
    given = {"sample_weight": np.tile(d.weights, 40), "memory": "16 MiB"}
    assert rank_weights.bytes_needed(np.count_nonzero(given["sample_weight"])) > 2**24
    scores = cv.evaluate(*many, ["gamma", "c_index", "dunn"], **given)
    assert set(scores.reasons) == {"gamma", "c_index"}
    assert "more than the budget of 0.0156 GiB; raise memory=, or repeat rows" in scores.reasons["gamma"]
    assert not math.isnan(cv.evaluate(d.X, d.labels, "gamma", sample_weight=np.minimum(d.weights, 1))["gamma"])


def test_a_heavy_point_costs_no_more_than_a_light_one():
    X, labels = [[0.0], [1], [5], [6], [9]], [0, 0, 1, 1, 2]
    names = ["gamma", "c_index", "silhouette", "dunn", "calinski_harabasz"]
    heavy, light = (cv.evaluate(X, labels, names, sample_weight=[w, 1, w, 1, 5]) for w in (10**6, 10**3))
    assert heavy["gamma"] == approx(light["gamma"], rel=1e-2)
    assert not heavy.reasons


# --- what weights may be ---------------------------------------------------------------------------------

BAD = {
    "negative": ([1, 1, -2, 1, 1, 1], r"must not be negative; position 2 is -2\."),
    "NaN": ([1, 1, 1, math.nan, 1, 1], r"must not be missing or infinite; position 3 is nan\."),
    "infinite": ([1, 1, 1, 1, math.inf, 1], r"must not be missing or infinite; position 4 is inf\."),
    "None": ([1, None, 1, 1, 1, 1], r"must not be missing or infinite; position 1 is nan\."),
    "all zero": ([0] * 6, "is 0 for every point; at least one must weigh more"),
    "too few": ([1, 1], "has 6 rows but sample_weight has 2 entries"),
    "too many": ([1] * 7, "has 6 rows but sample_weight has 7 entries"),
    "2-D": (np.ones((6, 1)), "must have one dimension; it has 2"),
    "a number": (3.0, "must have one dimension; it has 0"),
    "a frame": (pl.DataFrame({"w": [1.0] * 6}), "must have one dimension; it has 2"),
    "text": (["1"] * 6, "must hold real numbers; it holds text"),
    "words": (["a", 1, 1, 1, 1, 1], "must hold real numbers"),
    "complex": ([1j] * 6, "must hold real numbers; it holds complex numbers"),
    "dates": (np.array(["2020-01-01"] * 6, dtype="M8[D]"), "must hold real numbers; it holds dates"),
    "ragged": ([[1], [1, 2], 1, 1, 1, 1], "differ in length"),
    "masked": (np.ma.masked_equal([1, 1, 9, 1, 1, 1], 9), "has masked values, the first in row 2"),
    "huge": ([1, 1, 1, 1, 1, 1e200], r"reaches 1e\+200, too much for products of pairs"),
    "NA": (pd.Series([1, None, 1, 1, 1, 1], dtype="Int64"), "must not be missing or infinite; position 1"),
    "null": (pl.Series([1, None, 1, 1, 1, 1]), "must not be missing or infinite; position 1"),
}
X, LABELS = [[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2]
CALLS = {
    "evaluate": lambda w: cv.evaluate(X, LABELS, "dunn", sample_weight=w),
    "index": lambda w: cv.internal.dunn(X, LABELS, sample_weight=w),
    "sweep": lambda w: cv.sweep(X, [LABELS], "dunn", sample_weight=w),
    "internal.evaluate": lambda w: cv.internal.evaluate(X, LABELS, sample_weight=w),
    "agreement": lambda w: cv.agreement(LABELS, LABELS, sample_weight=w),
    "external index": lambda w: cv.external.rand(LABELS, LABELS, sample_weight=w),
    "contingency": lambda w: cv.contingency(LABELS, LABELS, sample_weight=w),
    "concordance": lambda w: cv.concordance(LABELS, LABELS, sample_weight=w),
    "matching": lambda w: cv.matching(LABELS, LABELS, sample_weight=w),
    "prayatul": lambda w: cv.prayatul(LABELS, LABELS, LABELS, sample_weight=w),
    "prayatul_table": lambda w: cv.prayatul_table(LABELS, {"a": LABELS, "b": LABELS}, sample_weight=w),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(("weights", "message"), BAD.values(), ids=BAD)
def test_bad_weights_are_refused(weights, message, call):
    with pytest.raises(cv.InputError, match=message) as told:
        call(weights)
    assert "sample_weight" in str(told.value)


GOOD = {
    "tuple": (1, 2, 1, 3, 0, 1),
    "array of 8 bits": np.array([1, 2, 1, 3, 0, 1], dtype=np.uint8),
    "32-bit floats": np.array([1, 2, 1, 3, 0, 1], dtype=np.float32),
    "fractions": [Fraction(1), Fraction(2), Fraction(1), Fraction(3), Fraction(0), Fraction(1)],
    "decimals": list(map(Decimal, [1, 2, 1, 3, 0, 1])),
    "pandas": pd.Series([1, 2, 1, 3, 0, 1], index=list("fedcba")),
    "nullable": pd.Series([1, 2, 1, 3, 0, 1], dtype="Int64"),
    "polars": pl.Series([1, 2, 1, 3, 0, 1]),
    "strided": np.array([1, 9, 2, 9, 1, 9, 3, 9, 0, 9, 1, 9])[::2],
}


@pytest.mark.parametrize("weights", GOOD.values(), ids=GOOD)
def test_weights_come_in_any_type_of_number(weights):
    expected = cv.internal.silhouette(X, LABELS, sample_weight=[1, 2, 1, 3, 0, 1])
    assert cv.internal.silhouette(X, LABELS, sample_weight=weights) == expected
    assert cv.contingency(LABELS, LABELS, sample_weight=weights).counts.tolist() == [3, 1, 4]


def test_true_and_false_say_which_points_are_there():
    there = [True, True, True, True, False, True]
    assert cv.internal.dunn(X, LABELS, sample_weight=there) == cv.internal.dunn(
        [x for x, t in zip(X, there, strict=True) if t], [y for y, t in zip(LABELS, there, strict=True) if t]
    )


def test_labels_of_another_length_are_named_before_weights():
    with pytest.raises(cv.InputError, match="X has 6 rows but labels has 5 entries"):
        cv.internal.dunn(X, LABELS[:5], sample_weight=np.ones(6))


# --- the pass --------------------------------------------------------------------------------------------


def met(pass_, X, sizes, weights, **options):
    """What a pass over the pairs of weighted points leaves behind, by name."""
    rows = SortedLabels(np.repeat(np.arange(len(sizes)), sizes), weights)
    mass = np.array([part.sum() for part in np.split(weights, np.cumsum(sizes)[:-1])])
    return vars(pass_(X, rows, mass, **options))


def plain_pass(X, rows, mass, shift, **options):
    return stripe_pass(lambda lo, hi, _: euclidean_rows_numpy(X, lo, hi), rows, [rows], 0, mass, shift, **options)


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("p", [1, 2, 5, 33])
@pytest.mark.parametrize("sizes", [(1,), (9,), (1, 1), (3, 8, 1), (16, 17, 130, 40)])
def test_the_compiled_pass_over_weighted_pairs_equals_the_plain_one(sizes, p, full):
    rng = np.random.default_rng(sum(sizes) + p)
    X, weights = rng.normal(size=(sum(sizes), p)), rng.uniform(0.1, 3, sum(sizes))
    plain = met(plain_pass, X, sizes, weights, shift=1.3, full=full)
    compiled = met(compiled_weighted_pass, X, sizes, weights, shift=1.3, full=full)
    for name, expected in plain.items():
        if expected is None or name == "neighbour":
            assert np.array_equal(compiled[name], expected)
        else:
            assert compiled[name] == approx(expected, rel=1e-12, abs=1e-12), name


@pytest.mark.parametrize("rows", [1, 3, 4, 1000])
def test_the_compiled_pass_gives_the_same_bits_however_rows_are_cut(rows):
    rng = np.random.default_rng(5)
    X, weights, sizes = rng.normal(size=(203, 3)), rng.uniform(0.1, 3, 203), (16, 17, 130, 40)
    whole = met(compiled_weighted_pass, X, sizes, weights, shift=1.3, full=True)
    cut = met(compiled_weighted_pass, X, sizes, weights, shift=1.3, full=True, n_jobs=2, rows_per_piece=rows)
    for name, expected in whole.items():
        assert np.array_equal(cut[name], expected), name


def test_many_weighted_points_are_met_in_compiled_code_and_few_are_not(monkeypatch):
    rng = np.random.default_rng(5)
    X, labels = rng.normal(size=(3 * thresholds.PAIRS, 2)), np.arange(3 * thresholds.PAIRS) % 3
    monkeypatch.setattr(weighted_rows, "compiled_weighted_pass", lambda *_, **__: "compiled")
    assert partition(X, labels, sample_weight=labels + 1).pairs() == "compiled"
    few = slice(thresholds.PAIRS)
    assert partition(X[few], labels[few], sample_weight=labels[few] + 1).pairs() != "compiled"


def test_weights_say_in_which_pairs_the_variance_of_distances_lies():
    d = data()
    rows = np.repeat(np.arange(35), d.weights)
    weighted = partition(d.X, d.labels, sample_weight=d.weights)[PairSums]
    repeated = partition(d.X[rows], d.labels[rows])[PairSums]
    assert weighted.variance == approx(repeated.variance, rel=1e-12)
    assert weighted.pairs_within == repeated.pairs_within


def test_a_weighted_source_travels():
    import pickle

    d = data()
    scores = pickle.loads(pickle.dumps(cv.evaluate(d.X, d.labels, "silhouette", sample_weight=d.weights)))
    assert scores.per_point("silhouette") == approx(
        cv.evaluate(d.X, d.labels, "silhouette", sample_weight=d.weights).per_point("silhouette"), nan_ok=True
    )
    assert isinstance(scores.source.weights, np.ndarray)


def test_a_mean_inside_is_over_pairs_by_weight():
    # Of 0 and 2, both counted 0.75: 0.75 * 0.75 * 2 over 1.5 * 0.5 / 2 is 3; the closest two points are 3 apart.
    line, labels = [[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2]
    assert cv.internal.gdi12(line, labels, sample_weight=[0.75, 0.75, 1, 1, 1, 1]) == approx(1)
