"""The clusterers that make candidates: Leiden, spherical k-means, shrunk mixtures, k-means on axes beyond chance."""

from __future__ import annotations

import math
import random

import igraph
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_normal
from sklearn.covariance import ledoit_wolf_shrinkage
from sklearn.mixture import GaussianMixture

import clustval as cv
from clustval.choosing import pool
from clustval.choosing.algorithms import ALGORITHMS, RESOLUTIONS, Points
from clustval.choosing.clusterers.neighbour_communities import _edges, communities
from clustval.choosing.clusterers.shrunk_mixture import (
    LEAST,
    REGULAR,
    log_densities,
    pooled,
    shrunk_mixture,
    shrunk_to_identity,
)
from clustval.choosing.clusterers.spherical_kmeans import _settled, spherical_kmeans
from clustval.choosing.judges import WITNESSES
from clustval.choosing.structure import FEWEST
from clustval.seeding import generators
from clustval.sources.space import Space
from conftest import examples

ONLY_BY_NAME = {"k-means on axes", "shrunk mixture"}


def agreement(a, b):
    return cv.external.adjusted_rand(a, b)


def groups(seed=0, n=30, p=2, apart=8.0, k=3):
    rng = np.random.default_rng(seed)
    centres = apart * rng.normal(size=(k, p)) / math.sqrt(p)
    return np.concatenate([rng.normal(centre, 1, (n, p)) for centre in centres]), np.repeat(np.arange(k), n)


# --- Leiden ----------------------------------------------------------------------------------------------


def neighbours(X, count):
    distances = cdist(X, X)
    np.fill_diagonal(distances, np.inf)
    return np.argsort(distances, axis=1)[:, :count]


def weights_of(near):
    """Weight of the edge between each two points: 2 for neighbours of each other, 1 for neighbours one way."""
    n = len(near)
    return [[(j in near[i]) + (i in near[j]) for j in range(n)] for i in range(n)]


def modularity(weight, labels, resolution):
    """Modularity at a resolution, over all pairs of points."""
    degree = [sum(row) for row in weight]
    total = sum(degree)
    return sum(
        weight[i][j] - resolution * degree[i] * degree[j] / total
        for i, own in enumerate(labels)
        for j, other in enumerate(labels)
        if own == other
    )


def test_neighbours_of_each_other_have_an_edge_of_twice_the_weight():
    near = neighbours(np.random.default_rng(0).normal(size=(25, 2)), 4)
    pairs, weights = _edges(near)
    expected = weights_of(near.tolist())
    edges = {(i, j): expected[i][j] for i in range(25) for j in range(i + 1, 25) if expected[i][j]}
    assert dict(zip(map(tuple, pairs.tolist()), weights.tolist(), strict=True)) == edges
    assert set(edges.values()) == {1, 2}


@pytest.mark.parametrize("resolution", [0.2, 1.0, 2.0])
def test_no_point_and_no_pair_of_communities_raises_the_modularity_that_leiden_reaches(resolution):
    near = neighbours(np.random.default_rng(1).normal(size=(30, 2)), 4)
    labels = communities(near, [resolution], [np.random.default_rng(0)])[0].tolist()
    weight = weights_of(near.tolist())
    reached, names = modularity(weight, labels, resolution), sorted(set(labels))
    joined = [[a if each == b else each for each in labels] for a in names for b in names]
    moved = [[*labels[:point], name, *labels[point + 1 :]] for point in range(0, 30, 3) for name in names]
    assert max(modularity(weight, each, resolution) for each in (*joined, *moved)) <= reached + 1e-9


def test_a_higher_resolution_gives_more_communities():
    near = neighbours(np.random.default_rng(0).normal(size=(200, 2)), 10)
    counts = [len(np.unique(each)) for each in communities(near, [0.05, 0.5, 3.0], [np.random.default_rng(0)] * 3)]
    assert counts == sorted(set(counts))


def test_leiden_finds_the_same_for_a_seed_whatever_else_is_asked_and_on_any_number_of_threads():
    X = np.random.default_rng(0).normal(size=(80, 3))
    points = Points(Space(X), generators(5))
    run = ALGORITHMS["leiden"].run
    every = dict(zip(RESOLUTIONS, run(points, RESOLUTIONS), strict=True))
    for resolution in (0.3, 2.0):
        assert run(points, [resolution])[0].tolist() == every[resolution].tolist()
    one, two = (
        cv.choose(X, ["leiden", "ward"], null=False, random_state=5, n_jobs=jobs, stability=False) for jobs in (1, 2)
    )
    assert one == two


def test_the_random_numbers_of_igraph_are_again_those_of_python_afterwards():
    near = neighbours(np.random.default_rng(0).normal(size=(50, 2)), 5)
    edges = []
    for _ in range(2):
        random.seed(3)
        edges.append(igraph.Graph.Erdos_Renyi(20, 0.3).get_edgelist())
        communities(near, [1.0], [np.random.default_rng(0)])
    assert edges[0] == edges[1]


def test_without_igraph_the_choice_goes_on_and_says_so(monkeypatch):
    X, _ = groups()
    monkeypatch.setattr(pool, "installed", lambda package: package != "igraph")
    choice = cv.choose(X, null=False, stability=False, random_state=0)
    assert choice.left_out == {"leiden": "needs igraph: pip install 'clustval[graph]'"}
    assert "Left out: leiden (needs igraph: pip install 'clustval[graph]')." in str(choice)
    assert not any(values["algorithm"] == "leiden" for values in choice.ranking.values())


@pytest.mark.parametrize("n", [FEWEST, FEWEST + 3])
def test_the_fewest_points_are_clustered_by_every_algorithm(n):
    X = np.random.default_rng(0).normal(size=(n, 3))
    choice = cv.choose(X, list(ALGORITHMS), null=False, stability=False, random_state=0)
    assert len(choice.labels) == n


# --- spherical k-means -----------------------------------------------------------------------------------


def settled_in_loops(rows, centres):
    labels = None
    while True:
        cosines = [[sum(a * b for a, b in zip(row, c, strict=True)) / math.hypot(*c) for c in centres] for row in rows]
        nearest = [max(range(len(centres)), key=lambda c: row[c]) for row in cosines]
        if nearest == labels:
            return labels
        labels = nearest
        for at in range(len(centres)):
            members = [row for row, label in zip(rows, labels, strict=True) if label == at]
            if members:
                centres[at] = [sum(column) for column in zip(*members, strict=True)]


@examples(40)
@given(st.integers(0, 10**6), st.integers(4, 25), st.integers(2, 4), st.integers(1, 4))
def test_directions_settle_as_the_definition_says(seed, n, p, k):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(n, p))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    centres = rng.normal(size=(k, p))
    assert _settled(rows, centres, 300).tolist() == settled_in_loops(rows.tolist(), centres.tolist())


def test_the_lengths_of_points_do_not_matter_for_their_directions():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 40)
    X = np.eye(5)[truth] + 0.1 * rng.normal(size=(120, 5))
    longer = X * rng.lognormal(0, 2, (120, 1))
    for points in (X, longer):
        (labels,) = spherical_kmeans(points, [3], generators(0), 10)
        assert agreement(labels, truth) == 1
    choice = cv.choose(longer, ["spherical k-means", "average"], metric="cosine", null=False, random_state=0)
    assert agreement(choice.labels, truth) == 1


def test_points_without_a_direction_are_clustered_all_the_same():
    X = np.r_[np.zeros((3, 2)), [[1, 0]] * 5, [[0, 1]] * 5].astype(float)
    (labels,) = spherical_kmeans(X, [2], generators(0), 3)
    assert set(labels) == {0, 1}
    assert len(set(labels[3:8])) == len(set(labels[8:])) == 1


def test_correlations_compare_rows_less_their_means():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 40)
    X = np.array([[1.0, 0, 0, 1], [0, 1, 1, 0]])[truth] + 0.1 * rng.normal(size=(80, 4))
    shifted = X + rng.normal(0, 20, (80, 1))
    run = ALGORITHMS["spherical k-means"].run
    assert agreement(run(Points(Space(shifted, metric="correlation"), generators(0)), [2])[0], truth) == 1
    assert agreement(run(Points(Space(shifted, metric="cosine"), generators(0)), [2])[0], truth) < 0.5


# --- mixtures with shrunk covariances --------------------------------------------------------------------


@pytest.mark.parametrize(("n", "p"), [(200, 3), (30, 8), (12, 40)])
def test_shrinkage_is_that_of_ledoit_and_wolf(n, p):
    X = np.random.default_rng(p).normal(size=(n, p)) * np.linspace(1, 3, p)
    X = X - X.mean(axis=0)
    X /= math.sqrt((X**2).sum() / n / p)  # a mean variance of 1: their target is then the identity, too
    share = ledoit_wolf_shrinkage(X, assume_centered=True)
    expected = (1 - share) * X.T @ X / n + (share + REGULAR) * np.eye(p)
    assert shrunk_to_identity(X, np.ones(n), n) == approx(expected, abs=1e-10)


def test_a_point_of_weight_two_is_two_points():
    X = np.random.default_rng(0).normal(size=(20, 4))
    twice = np.concatenate([X, X[:5]])
    weights = np.r_[np.full(5, 2.0), np.ones(15)]
    assert shrunk_to_identity(X, weights, 25.0) == approx(shrunk_to_identity(twice, np.ones(25), 25.0), rel=1e-12)


def correlations_in_loops(X, labels):
    """Scales and shrunk correlations within clusters, pair of columns by pair of columns."""
    n, p = X.shape
    means = [X[labels == label].mean(axis=0) for label in range(labels.max() + 1)]
    rest = np.array([row - means[label] for row, label in zip(X, labels, strict=True)])
    scales = [math.sqrt(sum(rest[:, a] ** 2) / n + REGULAR) for a in range(p)]
    pairs = [(a, b) for a in range(p) for b in range(p) if a != b]
    products = {(a, b): rest[:, a] * rest[:, b] / (scales[a] * scales[b]) for a, b in pairs}
    error = sum(np.mean((each - each.mean()) ** 2) / n for each in products.values())
    share = min(1, error / sum(each.mean() ** 2 for each in products.values()))
    matrix = (1 + REGULAR) * np.eye(p)
    for (a, b), each in products.items():
        matrix[a, b] = (1 - share) * each.mean()
    return np.array(scales), matrix


@pytest.mark.parametrize(("n", "p"), [(40, 3), (7, 5), (6, 9)])
def test_pooled_correlations_are_shrunk_pair_by_pair(n, p):
    X, labels = groups(p=p, n=n)
    X[:, 1] += X[:, 0]
    shares = np.eye(3)[labels]
    means = np.array([X[labels == label].mean(axis=0) for label in range(3)])
    scales, root = pooled(X, shares, means)
    expected = correlations_in_loops(X, labels)
    assert scales == approx(expected[0], rel=1e-10)
    assert root @ root.T == approx(expected[1], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("n", "p"), [(40, 2), (10, 6)])
def test_log_densities_are_those_of_gaussians_with_the_shrunk_covariances(n, p):
    X, labels = groups(p=p, n=n)
    densities = log_densities(X, np.eye(3)[labels])
    scales, correlations = correlations_in_loops(X, labels)
    root = np.linalg.cholesky(correlations) * scales[:, None]
    for label in range(3):
        members = X[labels == label]
        mean = members.sum(axis=0) / (n + LEAST)
        centred = np.linalg.solve(root, (members - mean).T).T
        covariance = root @ shrunk_to_identity(centred, np.ones(n), n) @ root.T
        expected = multivariate_normal(mean, covariance).logpdf(X) + math.log(1 / 3)
        assert densities[:, label] == approx(expected, rel=1e-7)


def test_many_points_have_the_components_of_a_plain_mixture():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (600, 2)) * [4, 0.4], rng.normal(0, 1, (600, 2)) * [0.4, 4] + [0, 6]])
    start = np.repeat([0, 1], 600)
    start[::10] = 1 - start[::10]
    plain = GaussianMixture(2, means_init=[X[start == 0].mean(axis=0), X[start == 1].mean(axis=0)], random_state=0)
    assert agreement(shrunk_mixture(X, start), plain.fit_predict(X)) > 0.98


@pytest.mark.parametrize(("n", "p", "step"), [(20, 30, 5), (15, 60, 15)])
def test_components_are_found_in_more_columns_than_they_have_points(n, p, step):
    X, truth = groups(n=n, p=p, apart=12.0)
    start = truth.copy()
    start[::step] = (start[::step] + 1) % 3
    assert agreement(start, truth) < 0.9
    assert agreement(shrunk_mixture(X, start), truth) == 1


@pytest.mark.parametrize("factor", [1e-200, 1e-3, 1e200])
def test_units_and_constant_columns_do_not_matter_to_mixtures(factor):
    X, truth = groups(apart=3.0)
    labels = shrunk_mixture(X, truth)
    assert shrunk_mixture(X * [factor, 1.0], truth).tolist() == labels.tolist()
    assert shrunk_mixture(np.c_[X, np.full(90, 7.0)], truth).tolist() == labels.tolist()
    assert shrunk_mixture(np.ones((5, 2)), np.array([0, 1, 0, 1, 0])).tolist() == [0] * 5


def test_clusters_far_apart_and_columns_that_repeat_do_not_break_mixtures():
    X, truth = groups(apart=1e9)
    assert agreement(shrunk_mixture(np.c_[X, X], truth), truth) == 1


def test_wide_tables_are_mixtures_on_their_axes():
    X, truth = groups(n=40, p=70, apart=25.0)
    (labels,) = ALGORITHMS["shrunk mixture"].run(Points(Space(X), generators(0)), [3])
    assert agreement(labels, truth) == 1


# --- k-means on axes, and the pool -----------------------------------------------------------------------


def test_columns_of_noise_do_not_hide_clusters_from_k_means_on_axes():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1], 30)
    signal = 1.6 * (2 * truth - 1)[:, None] + rng.normal(size=(60, 6))
    X = np.c_[signal, rng.normal(size=(60, 300))]
    points = Points(Space(X), generators(0))
    (labels,) = ALGORITHMS["k-means on axes"].run(points, [2])
    assert agreement(labels, truth) > 0.9


def test_some_algorithms_run_only_by_name_and_directions_only_where_the_metric_compares_them():
    X, _ = groups(apart=20.0)
    expected = {"euclidean": {*ONLY_BY_NAME, "spherical k-means"}, "cityblock": {*ONLY_BY_NAME, "spherical k-means"}}
    expected |= dict.fromkeys(("cosine", "correlation"), ONLY_BY_NAME)
    for metric, missing in expected.items():
        algorithms = pool.algorithms_of(None, [2], Space(X, metric=metric))
        assert set(ALGORITHMS) - set(algorithms) == missing, metric
    choice = cv.choose(X, sorted(ONLY_BY_NAME), k=[2, 3], null=False, random_state=0)
    assert {values["algorithm"] for values in choice.ranking.values()} == ONLY_BY_NAME


def test_forms_of_one_algorithm_are_one_witness():
    X, _ = groups(p=6, apart=4.0)
    names = ["ward", "k-means", "k-means on axes", "spherical k-means", "average", "complete"]
    choice = cv.choose(X, names, k=range(2, 6), null=False, random_state=0)
    family = {name: "k-means" if "k-means" in name else name for name in names}
    for name, values in choice.ranking.items():
        others = {}
        for key, labels in choice.candidates.items():
            origin = family[choice.ranking[key]["algorithm"]]
            if origin != family[values["algorithm"]]:
                others[origin] = max(others.get(origin, -1), agreement(choice.candidates[name], labels))
        assert values["agreement"] == approx(np.mean(sorted(others.values())[-WITNESSES:]), abs=1e-12)
