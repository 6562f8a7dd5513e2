"""Density and connectivity: definitions in loops, reference values, degenerate input, all ways to the same trees."""

from __future__ import annotations

import math
import sys

import naive_density as naive
import numpy as np
import pytest
from brute_force import SETS, data, edges, values
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import cdist, pdist, squareform
from scipy.stats import ks_2samp
from way_calls import note_calls

import clustval as cv
from clustval.formulas.internal import cdbw
from clustval.formulas.internal.density_connected import ratios
from clustval.formulas.internal.dunn_neighbours import smooth_minimum
from clustval.kernels.metrics.form import EUCLIDEAN
from clustval.passes.density import cdbw as representatives
from clustval.passes.density import dbcv, viasckde
from clustval.passes.metrics.measure_between import distances_between, squares_between
from clustval.passes.neighbours import closest, nearest
from clustval.passes.ranks import dsi
from clustval.passes.ranks.rank_source import DistanceSource
from clustval.passes.sweeps.partitions import Distances
from clustval.passes.trees import cvdd, paths, reach_tree, span_clusters
from clustval.passes.work import threads, thresholds
from clustval.sources.partition import partition
from clustval.sources.space import Space, space_of
from clustval.stats.density.cdbw import Representatives
from clustval.stats.density.viasckde import KernelDensities
from clustval.stats.neighbours.nearest import Neighbours
from clustval.stats.points.moments import Moments
from clustval.stats.trees.cvdd import UnevenTree
from clustval.stats.trees.reach_paths import ReachTree
from conftest import examples, thresholds_at

# Reference values

OF_TRUTH = {
    "disco": ("disco", {}),
    "disco_minpts3": ("disco", {"min_points": 3}),
    "dbcv": ("dbcv", {}),
    "dbcv_euclidean": ("dbcv", {"squared": False}),
    "dbcv_original": ("dbcv", {"ties": "original"}),
    "dbcv_original_euclidean": ("dbcv", {"ties": "original", "squared": False}),
    "dcsi": ("dcsi", {}),
    "dcsi_global": ("dcsi", {"combine": "global"}),
    "dcsi_minpts3": ("dcsi", {"min_points": 3}),
    "viasckde_h03": ("viasckde", {"bandwidth": 0.3}),
    "viasckde_h005": ("viasckde", {}),
}
OF_CRISP = {
    "connectivity10": ("connectivity", {}),
    "connectivity5": ("connectivity", {"neighbours": 5}),
    "wcnn5": ("wcnn", {"neighbours": 5}),
    "knn_consistency3": ("knn_consistency", {}),
    "knn_purity3": ("knn_purity", {}),
    "cvdd": ("cvdd", {}),
    "dsi": ("dsi", {}),
}


def labellings(name):
    d = data(name)
    noisy = (d["truth"] == -1).any()
    return {"truth": d["truth"], "kmeans3": d["kmeans"][3], "crisp": d["kmeans"][3] if noisy else d["truth"]}


@pytest.mark.parametrize("name", SETS)
def test_reference_values_are_met(name):
    X, reference = data(name)["X"], values(name, "A")
    for which, labels in labellings(name).items():
        table = {**OF_TRUTH, **OF_CRISP} if which == "kmeans3" else OF_TRUTH if which == "truth" else OF_CRISP
        for key, (index, options) in table.items():
            value = getattr(cv.internal, index)(X, labels, **options)
            assert value == approx(reference[which][key], rel=1e-9), (which, key)
        if which != "truth":
            factors = cdbw.parts(partition(X, labels).statistic(Representatives, representatives=10))
            expected = reference[which]["cdbw"]
            assert list(factors) == approx([expected[key] for key in ("cohesion", "sep", "compactness")], rel=1e-9)
            assert cv.internal.cdbw(X, labels) == approx(expected["cdbw"], rel=1e-9)


# Of genieclust 1.3.0: neighbours, numerator, denominator, smoothness and the value of three clusters by k-means.
OF_GENIECLUST = {
    "rings": [
        (25, "smin", "const", 5, 0.19953505822356024),
        (5, "min", "max", 5, 0.077912052088947),
        (10, "mean", "mean", 5, 1.2688622541037262),
        (10, "smin", "smax", 5, 0.09137238836804655),
        (10, "smax", "smin", 2, 441.3611593714952),
        (5, "const", "mean", 5, 2.307122420513005),
    ],
    "moons_noise": [
        (25, "smin", "const", 5, 0.23380528734031072),
        (10, "smin", "smax", 5, 0.12619803837911758),
        (10, "smax", "smin", 2, 94.84330030664958),
    ],
    "blobs3": [(25, "smin", "const", 5, math.nan), (5, "min", "max", 5, math.inf)],
}


@pytest.mark.parametrize("name", OF_GENIECLUST)
def test_averages_of_neighbours_are_those_of_genieclust(name):
    X, labels = data(name)["X"], data(name)["kmeans"][3]
    for neighbours, numerator, denominator, smoothness, expected in OF_GENIECLUST[name]:
        options = {"neighbours": neighbours, "numerator": numerator, "denominator": denominator}
        scores = cv.evaluate(X, labels, {"dunn_nn": {**options, "smoothness": smoothness}})
        assert scores["dunn_nn"] == approx(expected, rel=1e-9, nan_ok=True), options


EDGES = {
    "disco": ("disco", {"min_points": 3}),
    "dbcv": ("dbcv", {}),
    "dbcv_original": ("dbcv", {"ties": "original"}),
    "connectivity3": ("connectivity", {"neighbours": 3}),
    "wcnn2": ("knn_purity", {"neighbours": 2}),
    "dcsi_minpts1": ("dcsi", {"min_points": 1}),
    "cvdd_k2": ("cvdd", {"neighbours": 2}),
    "dsi": ("dsi", {}),
    "viasckde_h1": ("viasckde", {"bandwidth": 1}),
}


@pytest.mark.parametrize("key", EDGES)
@pytest.mark.parametrize("case", edges())
def test_degenerate_input_has_the_sensible_value_or_a_reason(case, key):
    record = edges()[case]
    index, options = EDGES[key]
    scores = cv.evaluate(record["X"], record["labels"], {index: options})
    assert scores[index] == approx(record["sensible"][key], rel=1e-9, nan_ok=True)
    assert (index in scores.reasons) == math.isnan(scores[index])


# Definitions


@st.composite
def clusterings(draw):
    n = draw(st.integers(4, 14))
    p = draw(st.integers(1, 3))
    cells = st.integers(-3, 3).map(float) if draw(st.booleans()) else st.floats(-9, 9).map(lambda v: round(v, 3))
    X = draw(st.lists(st.lists(cells, min_size=p, max_size=p), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n))
    return X, labels


@examples(150)
@given(clusterings(), st.integers(1, 6))
def test_indices_agree_with_their_definitions(example, count):
    X, labels = example
    scores = cv.evaluate(
        X,
        labels,
        {
            "connectivity": {"neighbours": count},
            "knn_consistency": {"neighbours": count},
            "knn_purity": {"neighbours": count},
            "disco": {"min_points": count},
            "dbcv": {},
        },
    )
    kept = sum(l != -1 for l in labels)
    for name, value in scores.items():
        if name in scores.reasons and "needs" in scores.reasons[name]:
            continue
        if name in ("connectivity", "knn_consistency", "knn_purity") and count >= kept:
            continue  # fewer neighbours than asked for: all there are
        options = {"min_points": count} if name == "disco" else {} if name == "dbcv" else {"neighbours": count}
        expected = getattr(naive, name)(X, labels, **options)
        assert value == approx(expected, rel=1e-9, abs=1e-12, nan_ok=True), name


WORDS = st.sampled_from(["min", "smin", "mean", "smax", "max", "const"])


@examples(150)
@given(clusterings(), st.integers(1, 4), WORDS, WORDS, st.sampled_from([0.2, 1.5, "scott"]))
def test_the_other_indices_agree_with_their_definitions_too(example, count, above, below, bandwidth):
    X, labels = example
    options = {
        "dcsi": {"min_points": count, "combine": "global" if count % 2 else "mean"},
        "cvdd": {"neighbours": count},
        "viasckde": {"bandwidth": bandwidth},
        "dsi": {},
        "cdbw": {"representatives": count},
        "dunn_nn": {"neighbours": count, "numerator": above, "denominator": below, "smoothness": count},
    }
    scores = cv.evaluate(X, labels, options)
    for name, value in scores.items():
        if "needs" in scores.reasons.get(name, ""):
            continue
        expected = getattr(naive, name)(X, labels, **options[name])
        if name == "cdbw":
            expected = expected["cdbw"]
        assert value == approx(expected, rel=1e-9, abs=1e-12, nan_ok=True), name


def test_a_share_of_points_that_falls_on_the_way_to_the_centre_is_a_change_as_well():
    one = [[x] for x in (*range(10), 60)]  # around 60 lies one point, then none, then most
    X, labels = one + [[x + 200] for (x,) in one], [0] * 11 + [1] * 11
    shares = partition(X, labels).statistic(Representatives, representatives=10).inside[0]
    assert (np.diff(shares) < 0).any()
    assert (np.diff(shares) > 0).any()
    assert cv.internal.cdbw(X, labels) == approx(naive.cdbw(X, labels)["cdbw"], rel=1e-12)


def test_dbcv_by_other_metrics_says_what_its_largest_cluster_takes():
    for largest, fits in ((836, True), (837, False)):  # 24 bytes for each two of its points
        X, labels = np.random.default_rng(0).normal(size=(largest + 9, 2)), np.arange(largest + 9) >= largest
        scores = cv.evaluate(X, labels, "dbcv", metric="cityblock", memory="16 MiB")
        assert np.isfinite(scores["dbcv"]) == fits
    assert scores.reasons["dbcv"] == (
        "dbcv holds the distances inside the largest cluster, 837 points, in 0.0157 GiB, more than the budget; "
        "raise memory=."
    )


def test_the_order_of_rows_does_not_change_dbcv():
    d = data("blobs3")
    X, labels = d["X"], d["truth"]
    value = cv.internal.dbcv(X, labels)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(len(X))
        assert cv.internal.dbcv(X[order], labels[order]) == approx(value, rel=1e-12)


def test_many_dimensions_neither_overflow_nor_vanish():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(40, 300)), rng.normal(size=(30, 300)) + 3]) * 1e-3
    labels = np.repeat([0, 1], [40, 30])
    assert 0 < cv.internal.dbcv(X, labels) < 1
    assert cv.internal.dbcv(X * 1e6, labels) == approx(cv.internal.dbcv(X, labels), rel=1e-9)


def test_distances_without_coordinates_give_the_same_but_dbcv_needs_the_dimension():
    d = data("iris")
    X, labels = d["X"], d["truth"]
    D = cdist(X, X)
    D = (D + D.T) / 2
    for name in ("disco", "connectivity", "knn_consistency", "dcsi", "cvdd", "viasckde", "dsi", "dunn_nn"):
        function = getattr(cv.internal, name)
        assert function(D, labels, metric="precomputed") == approx(function(X, labels), rel=1e-12)
    assert cv.internal.dbcv(D, labels, metric="precomputed", dim=4) == approx(cv.internal.dbcv(X, labels), rel=1e-9)
    with pytest.raises(cv.UndefinedIndexError, match="give dim="):
        cv.internal.dbcv(D, labels, metric="precomputed")
    X, labels = POINTS["apart"], RNG.integers(0, 3, 300)  # rounding breaks no ties
    for metric in ("cityblock", "cosine"):
        D = squareform(pdist(X, metric))
        options = {"metric": "precomputed"}
        extras = {name: {} for name in ("disco", "dcsi", "cvdd", "viasckde", "dsi", "dunn_nn")} | {"dbcv": {"dim": 3}}
        for name, extra in extras.items():
            function = getattr(cv.internal, name)
            assert function(X, labels, metric=metric) == approx(function(D, labels, **options, **extra), rel=1e-9)


def test_noise_points_have_values_of_their_own():
    d = data("moons_noise")
    scores = cv.evaluate(d["X"], d["truth"], ["disco", "connectivity", "dbcv"])
    points = scores.per_point("disco")
    assert not np.isnan(points).any()
    assert points.mean() == approx(scores["disco"])
    assert np.isnan(scores.per_point("connectivity")[d["truth"] == -1]).all()
    by_cluster = scores.per_cluster("dbcv")
    sizes = scores.per_cluster("size")
    assert sum(sizes[c] * by_cluster[c] for c in sizes) / len(d["X"]) == approx(scores["dbcv"])


def test_weights_of_0_and_1_are_rows_left_out_and_others_are_refused():
    d = data("moons_noise")
    weights = np.ones(len(d["X"]))
    weights[::5] = 0
    kept = weights > 0
    names = ["disco", "dbcv", "connectivity"]
    scores = cv.evaluate(d["X"], d["truth"], names, sample_weight=weights)
    assert scores.to_dict() == cv.evaluate(d["X"][kept], d["truth"][kept], names).to_dict()
    weights[1] = 2
    refused = cv.evaluate(d["X"], d["truth"], names, sample_weight=weights)
    assert all("takes no weights but 0 and 1" in refused.reasons[name] for name in names)


# Every way to the same neighbours and trees

RNG = np.random.default_rng(4)
POINTS = {
    "apart": RNG.normal(size=(300, 3)),
    "a lattice, full of ties": RNG.integers(0, 4, (300, 2)).astype(float),
    "two far clusters": np.vstack([RNG.normal(size=(150, 2)), RNG.normal(size=(150, 2)) + 50]),
    "duplicates": np.repeat(RNG.normal(size=(60, 2)), 5, axis=0),
    "one dimension": RNG.normal(size=(200, 1)),
    "distances around powers of two": RNG.integers(0, 4, (300, 1)) + RNG.integers(0, 3, (300, 1)) / 2**14,
}
FACTORS = [0.0, 0.5]  # of squared differences: 0 for their root


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("factor", FACTORS)
def test_trees_visits_and_rows_find_the_same_neighbours(name, count, factor):
    X = POINTS[name]
    rows = lambda points: distances_between(X[points], X, factor)  # noqa: E731
    near, numbers = nearest.nearest_numpy(rows, len(X), count)
    ways = [
        nearest._by_tree(X, count, 2, factor),
        nearest._by_visit(X, np.arange(len(X)), count, 1, factor),
        nearest.nearest_of_rows(rows, len(X), count, n_jobs=2),
    ]
    for distances, points in ways:
        assert distances.tolist() == near.tolist()
        assert points.tolist() == numbers.tolist()


def test_one_search_serves_all_who_ask_for_fewer_neighbours(monkeypatch):
    space = space_of(POINTS["apart"])
    wide = space.statistic(Neighbours, neighbours=9)
    monkeypatch.setattr(Neighbours, "_searched", None)
    assert space.statistic(Neighbours, neighbours=3).numbers.tolist() == wide.numbers[:, :3].tolist()


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("min_points", [1, 2, 5])
@pytest.mark.parametrize("factor", FACTORS)
def test_all_ways_grow_trees_of_the_same_lengths(name, min_points, factor, set_thresholds):
    X = POINTS[name]
    rows = lambda points: distances_between(X[points], X, factor)  # noqa: E731
    core = np.sort(rows(np.arange(len(X))), axis=1)[:, min_points - 1]
    _, expected = reach_tree.tree_numpy(rows, core)
    _, by_rows = reach_tree.tree_of_rows(rows, core)
    _, by_components = reach_tree.by_components(X, core, 2, factor)
    _, in_pieces = reach_tree.by_components(X, core, 3, factor, piece=37)
    set_thresholds(SPANNING_TREES=sys.maxsize)
    _, by_points = reach_tree.tree_of_points(X, core, n_jobs=1, factor=factor)
    for lengths in (by_points, by_rows, by_components, in_pieces):
        assert lengths == approx(expected, rel=1e-14)


@pytest.mark.parametrize("name", POINTS)
def test_distances_along_the_tree_are_those_of_single_linkage(name):
    X = POINTS[name]
    tree = Space(X).statistic(ReachTree, min_points=1)
    expected = squareform(cophenet(linkage(X, "single")))
    np.testing.assert_allclose(tree.paths.matrix, expected, rtol=1e-13)


@pytest.mark.parametrize("name", POINTS)
def test_walks_of_the_tree_agree_with_the_matrix_of_its_paths(name, set_thresholds):
    X = POINTS[name]
    codes = RNG.integers(-1, 4, len(X))
    sizes = np.bincount(codes[codes >= 0], minlength=4)
    tree = Space(X).statistic(ReachTree, min_points=4)
    compiled, minima = tree.paths.means(codes, sizes), tree.paths.minima(codes, 4)
    set_thresholds(PAIRS=10**6)
    plain = tree.paths.means(codes, sizes)
    clustered = codes >= 0
    for ours, theirs in zip(compiled[:2], plain[:2], strict=True):
        assert ours[clustered] == approx(theirs[clustered], rel=1e-12)
    assert minima[codes < 0] == approx(tree.paths.minima(codes, 4)[codes < 0], rel=1e-14)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("by_distance", [True, False])
@pytest.mark.parametrize("factor", FACTORS)
def test_compiled_densities_equal_plain_ones(name, squared, by_distance, factor):
    X = POINTS[name]
    starts = np.array([0, 1, 80, 140, len(X)])
    options = {"exponent": X.shape[1], "squared": squared, "by_distance": by_distance}
    compiled = dbcv.densities_of_points(X, starts, **options, n_jobs=2, factor=factor)
    plain = dbcv.densities_numpy(lambda a, b: distances_between(X[a], X[b], factor), starts, **options)
    assert compiled.sparseness == approx(plain.sparseness, rel=1e-9, nan_ok=True)
    assert compiled.separation == approx(plain.separation, rel=1e-9)
    assert math.isnan(compiled.sparseness[0])


def test_a_tree_of_many_points_is_grown_in_steps_between_which_it_can_be_stopped(monkeypatch):
    X, starts = POINTS["two far clusters"], np.array([0, 100, 200, 300])
    options = {"exponent": 2, "squared": False, "by_distance": True, "n_jobs": 1}
    whole = dbcv.densities_of_points(X, starts, **options)
    looks = []
    monkeypatch.setattr(threads, "go_on", lambda: looks.append(1))
    stepwise = dbcv.densities_of_points(X, starts, **options, cells=700)
    assert len(looks) > 3 * (100 // 7 + 99 // 7)
    np.testing.assert_array_equal(stepwise.sparseness, whole.sparseness)
    np.testing.assert_array_equal(stepwise.separation, whole.separation)


STARTS = [np.array([0, 1, 80, 140, 300]), np.array([0, 150, 300]), np.arange(0, 301, 3)]


def cut(X, starts):
    """Return the limits of clusters of as many points as there are."""
    return np.append(starts[starts < len(X)], len(X))


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("starts", STARTS, ids=len)
def test_trees_and_visits_find_the_same_closest_points(name, starts):
    X, starts = POINTS[name], cut(POINTS[name], starts)
    own, other = closest.closest_of_rows(lambda lo, hi: squares_between(X[lo:hi], X), starts, n_jobs=2)
    for way in (closest._by_visit, closest._by_tree):
        ours = way(X, starts, 2)
        assert ours[0].tolist() == own.tolist()
        assert ours[1].tolist() == other.tolist()
    assert math.isinf(own[0]) == (starts[1] == 1)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("starts", STARTS, ids=len)
@pytest.mark.parametrize("memory", [2**31, 2**16])
def test_distances_are_compared_exactly_within_any_memory(name, starts, memory):
    X, starts = POINTS[name], cut(POINTS[name], starts)
    D = cdist(X, X)
    expected = dsi.contrast_of_rows_numpy(D, starts)
    by_points, by_rows = DistanceSource.of(X), DistanceSource.of_rows(lambda lo, hi: D[lo:hi], len(X))
    for source in (by_points, by_rows):
        gaps = dsi.contrast(source, starts, n_jobs=2, memory=memory)
        assert np.array_equal(gaps, expected, equal_nan=True)
    sizes = np.diff(starts)
    pairs = dsi.OrderedPairs.of(Distances.of_points(X, 1).ranking, len(X), 2)
    in_order = pairs.contrast(np.repeat(np.arange(len(sizes)), sizes), sizes)
    assert np.array_equal(in_order, expected, equal_nan=True)


@pytest.mark.parametrize("memory", [2**31, 2**16])
@pytest.mark.parametrize("spread", [0.01, 1, 20])
def test_distances_that_are_compared_need_no_triangle_inequality(spread, memory):
    D = np.exp(spread * np.random.default_rng(0).normal(size=(90, 90)))
    D = np.minimum(D, D.T)
    np.fill_diagonal(D, 0)
    D[0] = D[:, 0] = 1e-9 * D[0]  # from which others seem near each other
    starts = np.array([0, 40, 75, 90])
    source = DistanceSource.of_rows(lambda lo, hi: D[lo:hi], 90)
    gaps = dsi.contrast(source, starts, n_jobs=1, memory=memory)
    assert np.array_equal(gaps, dsi.contrast_of_rows_numpy(D, starts))


def test_the_comparison_of_distances_is_that_of_kolmogorov_and_smirnov():
    X, starts = POINTS["two far clusters"], np.array([0, 100, 200, 300])
    D = cdist(X, X)
    here = D[100:200, 100:200][np.triu_indices(100, 1)]
    there = np.delete(D[100:200], np.s_[100:200], axis=1).ravel()
    assert dsi.contrast_of_rows_numpy(D, starts)[1] == approx(ks_2samp(here, there).statistic)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("bandwidth", [0.05, 0.7])
@pytest.mark.parametrize("factor", FACTORS)
def test_compiled_kernel_densities_equal_plain_ones(name, bandwidth, factor):
    X = POINTS[name]
    rows = lambda points: distances_between(X[points], X, factor)  # noqa: E731
    plain = viasckde.density_numpy(rows, len(X), bandwidth)
    for chunk in (7, 32, 1024):
        compiled = viasckde.density_of_points(X, bandwidth, n_jobs=2, factor=factor, chunk=chunk)
        assert compiled == approx(plain, rel=1e-14)
    assert viasckde.density_of_rows(rows, len(X), bandwidth, n_jobs=2) == approx(plain, rel=1e-14)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("factor", FACTORS)
def test_all_ways_grow_uneven_trees_of_the_same_lengths_and_gaps(name, factor, set_thresholds):
    X = POINTS[name]
    rows = lambda points: distances_between(X[points], X, factor)  # noqa: E731
    sparse = np.sort(rows(np.arange(len(X))), axis=1)[:, 1:8].mean(axis=1) + 1e-3
    edges, expected = cvdd.uneven_tree_numpy(rows, sparse)
    _, by_points = cvdd.uneven_tree_of_points(X, sparse, factor=factor)
    _, by_rows = cvdd.uneven_tree_of_rows(rows, sparse)
    assert by_points == approx(expected, rel=1e-12)
    assert by_rows == approx(expected, rel=1e-12)
    codes, children = RNG.integers(0, 4, len(X)), paths.merges_of(edges)
    compiled = cvdd.least_across(children, expected, sparse, codes, 4)
    set_thresholds(PAIRS=10**6)
    assert compiled == approx(cvdd.least_across(children, expected, sparse, codes, 4), rel=1e-12)


@pytest.mark.parametrize("name", POINTS)
def test_edges_join_all_pairs_and_clusters_are_as_far_apart_by_trees_as_by_visits(name):
    X = POINTS[name]
    between = lambda a, b: cdist(X[a], X[b])  # noqa: E731
    groups = np.array_split(RNG.permutation(len(X)), [40, 120])
    trees = [span_clusters.trees_of_clusters(points, between, groups, n_jobs=2) for points in (X, None)]
    with thresholds_at(PAIRS=10**6):
        plain = span_clusters.trees_of_clusters(X, between, groups, n_jobs=2)
    for (joins, lengths), (_, of_rows), (_, of_numpy) in zip(*trees, plain, strict=True):
        assert lengths == approx(of_rows, rel=1e-12)
        assert lengths == approx(of_numpy, rel=1e-12)
        pairs = span_clusters.joined_pairs(joins, few=0)
        assert pairs.sum() == len(pairs) * (len(pairs) + 1) / 2
        assert span_clusters.joined_pairs(joins, few=10**6).tolist() == pairs.tolist()
    expected = [[cdist(X[a], X[b]).min() if a is not b else math.inf for b in groups] for a in groups]
    limits = {"n_jobs": 2, "memory": 2**31}
    by_trees = np.sqrt(span_clusters._squared_gaps([X[group] for group in groups], 2))
    for gaps in (
        span_clusters.gaps_of_clusters(X, EUCLIDEAN, between, groups, **limits),
        span_clusters.gaps_of_clusters(None, None, between, groups, **limits),
        by_trees,
    ):
        assert gaps == approx(np.array(expected), rel=1e-12)


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("count", [1, 4, 10])
def test_compiled_representatives_equal_plain_ones(name, count, set_thresholds):
    X = POINTS[name]
    source = partition(X, np.repeat(np.arange(3), [20, len(X) - 50, 30]))
    m = source[Moments]
    clusters = representatives.Clusters(
        source.X, source.Z, source.starts, m.means, np.sqrt(m.within_by_cluster / (m.sizes - 1))
    )
    compiled = representatives.densities(clusters, count, n_jobs=2)
    set_thresholds(PAIRS=10**6)
    for ours, plain in zip(compiled, representatives.densities(clusters, count, n_jobs=2), strict=True):
        assert ours.tolist() == plain.tolist()


def test_a_bandwidth_by_scotts_rule_needs_coordinates_and_follows_the_unit():
    X, labels = data("rings")["X"], data("rings")["truth"]
    value = cv.internal.viasckde(X, labels, bandwidth="scott")
    assert cv.internal.viasckde(8 * X, labels, bandwidth="scott") == approx(value, rel=1e-12)
    assert value == approx(naive.viasckde(X.tolist(), labels.tolist(), "scott"), rel=1e-9)
    with pytest.raises(cv.UndefinedIndexError, match="give a number as bandwidth="):
        cv.internal.viasckde(cdist(X, X), labels, metric="precomputed", bandwidth="scott")
    with pytest.raises(cv.InputError, match=r"^bandwidth must be a number above 0, or 'scott'; it is 'silverman'\.$"):
        cv.internal.viasckde(X, labels, bandwidth="silverman")


def test_values_of_points_and_clusters_make_up_the_indices():
    X, labels = data("moons_noise")["X"], data("moons_noise")["truth"]
    scores = cv.evaluate(X, labels, {"viasckde": {"bandwidth": 0.3}, "dsi": {}})
    assert np.nanmean(scores.per_point("viasckde")) == approx(scores["viasckde"])
    assert np.isnan(scores.per_point("viasckde")[labels == -1]).all()
    assert np.mean(list(scores.per_cluster("dsi").values())) == approx(scores["dsi"])


def test_a_sweep_gives_the_values_of_each_partition_alone(set_thresholds):
    X = data("rings")["X"]
    partitions = [RNG.integers(0, k, len(X)) for k in (2, 3, 3, 5)]
    partitions.append(np.where(np.arange(len(X)) % 9 == 0, -1, partitions[0]))
    for work in (thresholds.SWEEP_WORK, 0):  # one by one, then in blocks
        set_thresholds(SWEEP_WORK=work)
        sweep = cv.sweep(X, partitions, "density")
        for row, labels in enumerate(partitions):
            alone = cv.evaluate(X, labels, "density")
            assert sweep.values[row] == approx(list(alone.values()), rel=1e-12, nan_ok=True)
            assert (sweep.values[row] == sweep.values[row]).sum() >= 8


def test_what_no_label_changes_is_computed_once_for_all_partitions_of_a_sweep(monkeypatch, set_thresholds):
    counts = dict.fromkeys((KernelDensities, ReachTree, UnevenTree, Neighbours), 0)

    def count(statistic):
        counts[statistic] += 1

    for statistic in (KernelDensities, ReachTree, UnevenTree):
        note_calls(monkeypatch, statistic, lambda *_given, statistic=statistic, **_options: count(statistic))
    search = Neighbours._searched.__func__  # of some neighbours others are taken
    monkeypatch.setattr(Neighbours, "_searched", classmethod(lambda cls, *given: count(cls) or search(cls, *given)))
    set_thresholds(SWEEP_WORK=0)
    X = data("rings")["X"]
    cv.sweep(X, [RNG.integers(0, 3, len(X)) for _ in range(4)], "density")
    assert set(counts.values()) == {1}


def test_connectivity_is_1_in_units_of_its_largest_value_where_all_neighbours_are_in_other_clusters():
    line = [[0], [2], [7], [10], [11], [12]]
    # 1/2 + 1/2 + (1 + 1/2) of 6 (1 + 1/2).
    options = {"neighbours": 2, "normalized": True}
    assert cv.internal.connectivity(line, [0, 0, 1, 2, 2, 2], **options) == approx(2.5 / 9)
    assert cv.internal.connectivity(line, range(6), **options) == approx(1)


@pytest.mark.parametrize("seed", range(10))
def test_a_smooth_minimum_weighs_the_smallest_values_wherever_they_are(seed):
    values = np.random.default_rng(seed).permutation(np.arange(1.0, 2001.0))
    bell = [math.exp(-((rank / 200) ** 2) / 2) for rank in range(600)]
    expected = sum(weight * value for weight, value in zip(bell, range(1, 601), strict=True)) / sum(bell)
    assert smooth_minimum(values, 200) == approx(expected, rel=1e-12)


def test_a_noise_point_is_as_far_from_a_cluster_as_it_is_sparser():
    distance, sparsest = np.array([1.0, 0.0, 2.0, 0.5]), np.array([0.5, 0.0, 4.0, 1.0])
    with np.errstate(all="ignore"):
        assert ratios(distance, sparsest).tolist() == [0.5, 0, -0.5, -0.5]


def test_rows_of_distances_that_come_a_few_at_a_time_give_the_same():
    X, starts = RNG.normal(size=(90, 2)), np.array([0, 30, 31, 90])
    D = cdist(X, X)

    def results(**cut):
        by_points, by_range = (lambda points: D[points]), (lambda lo, hi: D[lo:hi])
        near = nearest.nearest_of_rows(by_points, 90, 4, n_jobs=2, **cut)
        return [each.tolist() for each in (*near, *closest.closest_of_rows(by_range, starts, n_jobs=2, **cut))]

    at_once = results()
    for cells in (1, 700):
        assert results(cells=cells) == at_once
