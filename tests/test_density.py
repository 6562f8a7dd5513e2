"""Density and connectivity: definitions in loops, reference values, degenerate input, all ways to the same trees."""

from __future__ import annotations

import math

import naive_density as naive
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest import approx
from scipy.cluster.hierarchy import cophenet, linkage
from scipy.spatial.distance import cdist, pdist, squareform
from second_wave import SETS, data, edges, values

import clustval as cv
from clustval.passes import density_of_clusters, find_neighbours, grow_tree, thresholds, walk_tree
from clustval.sources.space import Space, space_of
from clustval.stats.neighbours import Neighbours
from clustval.stats.reach_paths import ReachTree

# Reference values

OF_TRUTH = {
    "disco": ("disco", {}),
    "disco_minpts3": ("disco", {"min_points": 3}),
    "dbcv": ("dbcv", {}),
    "dbcv_euclidean": ("dbcv", {"squared": False}),
    "dbcv_original": ("dbcv", {"ties": "original"}),
    "dbcv_original_euclidean": ("dbcv", {"ties": "original", "squared": False}),
}
OF_CRISP = {
    "connectivity10": ("connectivity", {}),
    "connectivity5": ("connectivity", {"neighbours": 5}),
    "wcnn5": ("wcnn", {"neighbours": 5}),
    "knn_consistency3": ("knn_consistency", {}),
    "knn_purity3": ("knn_purity", {}),
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


EDGES = {
    "disco": ("disco", {"min_points": 3}),
    "dbcv": ("dbcv", {}),
    "dbcv_original": ("dbcv", {"ties": "original"}),
    "connectivity3": ("connectivity", {"neighbours": 3}),
    "wcnn2": ("knn_purity", {"neighbours": 2}),
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


@settings(max_examples=150)
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
    for name in ("disco", "connectivity", "knn_consistency"):
        function = getattr(cv.internal, name)
        assert function(D, labels, metric="precomputed") == approx(function(X, labels), rel=1e-12)
    assert cv.internal.dbcv(D, labels, metric="precomputed", dim=4) == approx(cv.internal.dbcv(X, labels), rel=1e-9)
    with pytest.raises(cv.UndefinedIndexError, match="give dim="):
        cv.internal.dbcv(D, labels, metric="precomputed")
    X, labels = POINTS["apart"], RNG.integers(0, 3, 300)  # rounding breaks no ties
    for metric in ("cityblock", "cosine"):
        D = squareform(pdist(X, metric))
        options = {"metric": "precomputed"}
        for name, extra in (("disco", {}), ("dbcv", {"dim": 3})):
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
}


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("count", [1, 7])
def test_trees_visits_and_rows_find_the_same_neighbours(name, count):
    X = POINTS[name]
    rows = lambda points: find_neighbours._distances(X, points)  # noqa: E731
    near, numbers = find_neighbours.nearest_numpy(rows, len(X), count)
    ways = [
        find_neighbours._by_tree(X, count, 2),
        find_neighbours._by_visit(X, np.arange(len(X)), count, 1),
        find_neighbours.nearest_of_rows(rows, len(X), count, n_jobs=2),
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
def test_all_ways_grow_trees_of_the_same_lengths(name, min_points, monkeypatch):
    X = POINTS[name]
    core = np.sort(cdist(X, X), axis=1)[:, min_points - 1]
    rows = lambda points: grow_tree._distances(X, points)  # noqa: E731
    _, expected = grow_tree.tree_numpy(rows, core)
    _, by_points = grow_tree.tree_of_points(X, core, n_jobs=1)
    _, by_rows = grow_tree.tree_of_rows(rows, core)
    _, by_components = grow_tree._by_components(X, core, 2)
    monkeypatch.setattr(grow_tree, "PIECE", 37)
    _, in_pieces = grow_tree._by_components(X, core, 3)
    for lengths in (by_points, by_rows, by_components, in_pieces):
        assert lengths == approx(expected, rel=1e-14)


@pytest.mark.parametrize("name", POINTS)
def test_distances_along_the_tree_are_those_of_single_linkage(name):
    X = POINTS[name]
    tree = Space(X).statistic(ReachTree, min_points=1)
    expected = squareform(cophenet(linkage(X, "single")))
    assert walk_tree.path_matrix(tree.children, tree.heights) == approx(expected, rel=1e-13)


@pytest.mark.parametrize("name", POINTS)
def test_walks_of_the_tree_agree_with_the_matrix_of_its_paths(name, monkeypatch):
    X = POINTS[name]
    codes = RNG.integers(-1, 4, len(X))
    sizes = np.bincount(codes[codes >= 0], minlength=4)
    tree = Space(X).statistic(ReachTree, min_points=4)
    compiled = walk_tree.means_along_paths(tree.children, tree.heights, codes, sizes)
    minima = walk_tree.minima_along_paths(tree.children, tree.heights, codes, 4)
    monkeypatch.setattr(thresholds, "PAIRS", 10**6)
    plain = walk_tree.means_along_paths(tree.children, tree.heights, codes, sizes)
    clustered = codes >= 0
    for ours, theirs in zip(compiled[:2], plain[:2], strict=True):
        assert ours[clustered] == approx(theirs[clustered], rel=1e-12)
    assert minima[codes < 0] == approx(
        walk_tree.minima_along_paths(tree.children, tree.heights, codes, 4)[codes < 0], rel=1e-14
    )


@pytest.mark.parametrize("name", POINTS)
@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("by_distance", [True, False])
def test_compiled_densities_equal_plain_ones(name, squared, by_distance):
    X = POINTS[name]
    starts = np.array([0, 1, 80, 140, len(X)])
    options = {"exponent": X.shape[1], "squared": squared, "by_distance": by_distance}
    compiled = density_of_clusters.densities_of_points(X, starts, **options, n_jobs=2)
    plain = density_of_clusters.densities_numpy(
        lambda a, b: density_of_clusters._distances(X[a], X[b]), starts, **options
    )
    assert compiled.sparseness == approx(plain.sparseness, rel=1e-9, nan_ok=True)
    assert compiled.separation == approx(plain.separation, rel=1e-9)
    assert math.isnan(compiled.sparseness[0])


def test_a_sweep_gives_the_values_of_each_partition_alone():
    X = data("rings")["X"]
    partitions = [RNG.integers(0, k, len(X)) for k in (2, 3, 3, 5)]
    partitions.append(np.where(np.arange(len(X)) % 9 == 0, -1, partitions[0]))
    names = ["connectivity", "knn_consistency", "knn_purity", "disco", "dbcv"]
    sweep = cv.sweep(X, partitions, names)
    for row, labels in enumerate(partitions):
        alone = cv.evaluate(X, labels, names)
        assert sweep.values[row] == approx(list(alone.values()), rel=1e-12, nan_ok=True)
