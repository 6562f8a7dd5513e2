"""What single clusters of graphs and of tables of categories are worth, and limits, by definitions in loops."""

from __future__ import annotations

from collections import Counter
from math import log, log2

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval.stats.points.effects import column_effects

LABELS = [0, 0, 0, 1, 1, 2, 2, 2, 2]


def random_graph(seed):
    """Return the symmetric weights of a graph in which every vertex has an edge."""
    rng = np.random.default_rng(seed)
    n = len(LABELS)
    weights = np.triu(rng.integers(0, 4, (n, n)) * (rng.random((n, n)) < 0.6), 1).astype(float)
    weights[np.arange(n - 1), np.arange(1, n)] += 1
    return weights + weights.T


@pytest.mark.parametrize("seed", range(5))
def test_values_of_clusters_of_a_graph_agree_with_their_definitions(seed):
    graph, n = random_graph(seed), len(LABELS)
    names = ["performance", "surprise", "coverage", "conductance"]
    scores = cv.graph.evaluate(graph, LABELS, indices=names)
    total = graph.sum() / 2
    for cluster in (0, 1, 2):
        own = [label == cluster for label in LABELS]
        right = pairs = inside = possible = leaving = degrees = joined = 0.0
        for i in range(n):
            degrees += own[i] * graph[i].sum()
            for j in range(i + 1, n):
                if own[i] or own[j]:
                    pairs += 1
                    right += (graph[i, j] > 0) == (own[i] and own[j])
                if own[i] and own[j]:
                    inside, possible, joined = inside + graph[i, j], possible + 1, joined + (graph[i, j] > 0)
                elif own[i] or own[j]:
                    leaving += graph[i, j]
        q, p = inside / total, possible / (n * (n - 1) / 2)
        parts = [(q, p), (1 - q, 1 - p)]
        surprise = total * sum(a * log(a / b) for a, b in parts if a > 0)
        assert scores.per_cluster("performance")[cluster] == approx(right / pairs)
        assert scores.per_cluster("surprise")[cluster] == approx(surprise)
        assert scores.per_cluster("coverage")[cluster] == approx(2 * inside / degrees)
        assert scores.per_cluster("conductance")[cluster] == approx(leaving / min(degrees, 2 * total - degrees))
        assert scores.per_cluster("density")[cluster] == approx(joined / possible)
    values = list(scores.per_cluster("conductance").values())
    assert cv.graph.conductance(graph, LABELS, combine="max") == approx(max(values))
    assert max(values) > min(values)


@pytest.mark.parametrize("seed", range(5))
def test_values_of_clusters_of_categories_agree_with_their_definitions(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 3, (len(LABELS), 3)).tolist()
    n, k = len(X), 3
    whole = [Counter(column) for column in zip(*X, strict=True)]
    for normalized in (True, False):
        scores = cv.categorical.evaluate(X, LABELS, indices={"category_utility": {"normalized": normalized}})
        for cluster in range(k):
            rows = [row for row, label in zip(X, LABELS, strict=True) if label == cluster]
            value = 0.0
            for column, everywhere in zip(zip(*rows, strict=True), whole, strict=True):
                here = Counter(column)
                value += sum((here[v] / len(rows)) ** 2 - (everywhere[v] / n) ** 2 for v in everywhere)
            expected = len(rows) / n * value / (k if normalized else 1)
            assert scores.per_cluster("category_utility")[cluster] == approx(expected, abs=1e-12)
        assert scores["category_utility"] == approx(sum(scores.per_cluster("category_utility").values()))
    scores = cv.categorical.evaluate(X, LABELS, indices={"expected_entropy": {"base": 2}})
    for cluster in range(k):
        rows = [row for row, label in zip(X, LABELS, strict=True) if label == cluster]
        shares = [count / len(rows) for column in zip(*rows, strict=True) for count in Counter(column).values()]
        entropy = -sum(share * log2(share) for share in shares)
        assert scores.per_cluster("expected_entropy")[cluster] == approx(entropy, abs=1e-12)


@pytest.mark.parametrize("alpha", [0.5, 2.0])
def test_the_exponent_of_the_fuzzy_silhouette_weighs_clear_points(alpha):
    rng = np.random.default_rng(0)
    X, U = rng.normal(size=(12, 2)), rng.dirichlet([1, 1, 1], 12)
    widths = cv.evaluate(X, U.argmax(axis=1), "silhouette").per_point("silhouette")
    ordered = np.sort(U, axis=1)
    leads = [(row[-1] - row[-2]) ** alpha for row in ordered]
    expected = sum(lead * width for lead, width in zip(leads, widths, strict=True)) / sum(leads)
    assert cv.fuzzy.fuzzy_silhouette(X, U, alpha=alpha) == approx(expected)
    weights = rng.random(12) + 0.5
    heavy = [weight * lead for weight, lead in zip(weights, leads, strict=True)]
    weighted = cv.fuzzy.evaluate(X, U, indices={"fuzzy_silhouette": {"alpha": alpha}}, sample_weight=weights)
    silhouettes = cv.evaluate(X, U.argmax(axis=1), "silhouette", sample_weight=weights).per_point("silhouette")
    expected = sum(h * width for h, width in zip(heavy, silhouettes, strict=True)) / sum(heavy)
    assert weighted["fuzzy_silhouette"] == approx(expected)


def test_what_agrees_perfectly_is_1_where_chance_agrees_too():
    same = [[1.0, 0.0]] * 5
    assert cv.fuzzy_external.aci(same, same) == 1
    cover = [{0, 1, 2}]  # one cluster of all points
    assert cv.covers.omega(cover, cover) == 1
    overlapping = [{0, 1, 2}, {2, 3, 4}]
    assert cv.covers.onmi_max(overlapping, overlapping) == 1
    assert cv.covers.onmi_lfk(overlapping, overlapping) == 1
    apart = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]  # no two points are together, by either
    assert cv.fuzzy_external.fuzzy_adjusted_rand(apart, apart) == 1


def test_a_density_of_memberships_shrinks_with_the_volume():
    rng = np.random.default_rng(0)
    X, U = rng.normal(size=(30, 3)), rng.dirichlet([0.3, 0.3], 30)
    scores, larger = cv.fuzzy.evaluate(X, U, indices="all"), cv.fuzzy.evaluate(2 * X, U, indices="all")
    for name in ("partition_density", "average_partition_density"):
        assert larger[name] == approx(scores[name] / 8)
        assert scores.choices[name].index.degree(3) == -3


def test_a_column_with_one_value_has_no_effect():
    values = np.array([np.nan, 5.0, np.nan])
    assert np.isnan(column_effects(values, np.array([0, 1, 1]), 2, np.ones(3))).all()


def test_effects_keep_their_digits_far_from_zero():
    values, codes = np.array([1.0, 3.0, 5.0, 7.0, 9.0, 2.0]) / 2**20, np.array([0, 0, 1, 1, 2, 2])
    plain = column_effects(values, codes, 3, np.ones(6))
    assert column_effects(values + 2.0**30, codes, 3, np.ones(6)) == approx(plain, rel=1e-12)
