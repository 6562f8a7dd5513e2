"""Every internal index against its definition, written in loops by another hand."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import exp, inf, log, nan
from types import SimpleNamespace

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval.declare import KINDS
from clustval.formulas.internal.determinants import power
from clustval.formulas.internal.distances_to_centres import closest
from clustval.formulas.internal.explained_variance import expected_r_squared
from clustval.formulas.internal.hennig_distances import clipped
from clustval.formulas.internal.neighbouring_numbers import change
from clustval.formulas.internal.nested_splits import beale_value
from clustval.formulas.internal.ranked_distances import share
from clustval.formulas.internal.silhouette import contrast
from clustval.formulas.internal.whole_sweeps import sd
from clustval.passes.centres.centre_gaps import FEW

SUITES = {
    "clustercrit": naive.CLUSTERCRIT,
    "vendramin": naive.VENDRAMIN,
    "zaki": naive.ZAKI,
    "sklearn": naive.SKLEARN,
}

# Where the formula is 0/0 for some points, dimensions or pairs of clusters only, a convention steps in.
CONVENTIONS = {"silhouette", "silhouette_score", "swc", "sswc", "s_dbw", "ratkowsky_lance", "c_sqrt_k"}
# Where the formula gives 0 although nothing can be ranked.
UNDEFINED_HERE = {"tau", "g_plus"}


@st.composite
def clusterings(draw):
    """Small data sets with ties, duplicates, singletons, and at least two clusters fewer than points."""
    n = draw(st.integers(4, 14))
    p = draw(st.integers(1, 3))
    whole = draw(st.booleans())
    numbers = st.integers(-4, 4) if whole else st.floats(-5, 5).map(lambda x: round(x, 3))
    X = draw(st.lists(st.lists(numbers, min_size=p, max_size=p), min_size=n, max_size=n))
    k = draw(st.integers(2, n - 1))
    labels = draw(st.permutations([*range(k), *draw(st.lists(st.integers(0, k - 1), min_size=n - k, max_size=n - k))]))
    return np.array(X, dtype=float), list(labels)


def nothing_apart(X, labels):
    """Whether each cluster is in one place, with another one: its points have silhouettes 0/0."""
    places = {(tuple(x), label) for x, label in zip(X, labels, strict=True)}
    clusters, shared = Counter(label for _, label in places), Counter(place for place, _ in places)
    return max(clusters.values()) == 1 and min(shared.values()) > 1


# Means of two clusters that coincide, of a cluster and a point, a point on the rim of a ball, silhouettes 0/0: where
# points are moved to their mean, which is no binary fraction, rounding must not decide.
@example(clustering=(np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [2.0]]), [0, 1, 0, 1, 1, 0]))
@example(clustering=(np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [2.0]]), [0, 1, 2, 3, 0, 1]))
@example(clustering=(np.array([[-1.0], [0.0], [0.0], [1.0], [1.0]]), [1, 0, 0, 0, 0]))
@example(clustering=(np.array([[0.0], [0.0], [1.0], [0.0], [1.0]]), [0, 1, 2, 0, 3]))
@pytest.mark.parametrize("suite", SUITES)
@given(clustering=clusterings())
def test_the_engine_agrees_with_the_definition(suite, clustering):
    X, labels = clustering
    scores = cv.evaluate(X, labels, suite)
    for name, definition in SUITES[suite].items():
        expected = definition(X.tolist(), labels)
        found = scores[name]
        if np.isnan(expected):
            assert np.isnan(found) or name in CONVENTIONS, name
            continue
        if np.isnan(found):
            silent = "sw" in name or "silhouette" in name
            assert name in UNDEFINED_HERE or (X == X[0]).all() or (silent and nothing_apart(X, labels)), name
            continue
        if np.isinf(expected):
            assert found == expected, name
            continue
        assert found == approx(expected, rel=1e-8, abs=1e-9), name


@pytest.mark.parametrize("suite", SUITES)
def test_the_engine_agrees_with_the_definition_on_clean_data(suite):
    rng = np.random.default_rng(3)
    for sizes, p in [((5, 8, 4), 2), ((9, 9), 1), ((6, 7, 5, 6), 4), ((10, 2, 1, 8), 3)]:
        labels = np.repeat(range(len(sizes)), sizes)
        X = rng.normal(size=(len(labels), p)) + 2 * labels[:, None]
        scores = cv.evaluate(X, labels, suite)
        for name, definition in SUITES[suite].items():
            assert scores[name] == approx(definition(X.tolist(), labels.tolist()), rel=1e-10, nan_ok=True), name


# --- what the definition says of single cases --------------------------------------------------------------

LINE, THREE = [[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2]


@pytest.mark.parametrize(("name", "times"), [
    ("xu", 2 / log(2)),
    ("kmeans_bic", 2 * 24 * 2),
    ("kmeans_aic", 2 * 24 * 2),
    ("xmeans_bic", -24 * 2),
    ("gmm_bic", 2 * 24 * 2),
    ("banfeld_raftery", 2 * 24),
])  # fmt: skip
@pytest.mark.parametrize("scale", [1 / 64, 64])
def test_another_unit_shifts_logarithms(name, times, scale):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(24, 2)), np.arange(24) % 2
    index = getattr(cv.internal, name)
    assert index(scale * X, labels) == approx(index(X, labels) + times * log(scale), rel=1e-12)


@pytest.mark.parametrize("name", ["ratkowsky_lance", "ratkowsky_lance_mean_root", "ccc", "r_squared"])
def test_a_constant_column_changes_nothing(name):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(24, 2)), np.arange(24) % 5
    index = getattr(cv.internal, name)
    assert index(np.column_stack([X, np.full(24, 7.0)]), labels) == approx(index(X, labels), rel=1e-12)


def test_an_axis_as_long_as_the_edge_of_a_cube_is_cut():
    # A box of 3 by 1 in three cubes: u is 3 and 1, and both axes count.
    n, k = 30, 3
    expected = 1 - (1 / (n + 3) + 1 / (n + 1)) / (3**2 + 1**2) * (n - k) ** 2 / n * (1 + 4 / n)
    for unit in (1, 0.1, 1 / 3, 1e5):
        value, axes = expected_r_squared(n, k, unit * np.array([3.0, 1.0]))
        assert value == approx(expected)
        assert axes == 2


@pytest.mark.parametrize(("name", "expected"), [
    ("size", [2, 1, 3]),
    ("dispersion", [1, 0, 2 / 3]),
    ("diameter", [2, 0, 2]),
    ("separation", [5, 3, 3]),
])  # fmt: skip
def test_properties_of_clusters_are_those_that_arithmetic_gives(name, expected):
    assert list(cv.evaluate(LINE, THREE, "dunn").per_cluster(name).values()) == approx(expected)


@pytest.mark.parametrize(("name", "expected"), [
    ("alternative_silhouette", [7 / 3, 5 / 3, 0, 3 / 2.5, 4 / 2, 5 / 2.5]),  # b over a + 1
    ("alternative_simplified_silhouette", [7 / 2, 5 / 2, 0, 3 / 2, 4 / 1, 5 / 2]),
])  # fmt: skip
def test_alternative_silhouettes_of_points_are_those_that_arithmetic_gives(name, expected):
    assert cv.evaluate(LINE, THREE, {name: {"epsilon": 1.0}}).per_point(name) == approx(expected)


@pytest.mark.parametrize(("X", "labels", "expected"), [
    ([0, 0, 0, 0, 5, 5], [0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1]),  # two clusters in one place, which is nothing apart
    ([3, 3, 3], [0, 1, 2], [0, 0, 0]),  # all alone
    ([3, 3, 3], [0, 0, 1], [nan, nan, nan]),  # nothing is apart, and not all are alone
])  # fmt: skip
def test_silhouettes_of_points_that_coincide_are_0_unless_nothing_is_apart(X, labels, expected):
    points = np.array(X, dtype=float)[:, None]
    gaps = [[[abs(x - y) for y, b in zip(X, labels, strict=True) if b == c] for c in set(labels)] for x in X]
    alone = np.array([labels.count(label) == 1 for label in labels])
    own = np.array([sum(gaps[i][c]) / max(1, labels.count(c) - 1) for i, c in enumerate(labels)])
    other = np.array([min(np.mean(g) for c, g in enumerate(gaps[i]) if c != labels[i]) for i in range(len(X))])
    # Beside a partition that is apart: each is judged by itself.
    with np.errstate(all="ignore"):
        many = contrast(np.stack([own, own]), np.stack([other, other + 1]), np.stack([alone, alone]))
    assert many[0] == approx(expected, nan_ok=True)
    assert not np.isnan(many[1]).any()
    if not np.isnan(expected).any():
        assert cv.evaluate(points, labels, "silhouette").per_point("silhouette") == approx(expected)


def test_points_between_clusters_and_none_near_their_centres_leave_s_dbw_undefined():
    # Centres 0 and 8, sigma sqrt(18) / 2 = 2.1: no point is nearer to a centre, 3 and 5 are nearer to 4.
    with pytest.raises(cv.UndefinedIndexError, match="but some lie between"):
        cv.internal.s_dbw([[-3], [3], [5], [11]], [0, 0, 1, 1])


def test_what_a_float_cannot_hold_is_no_value_and_what_it_can_hold_is_one():
    with np.errstate(all="ignore"):
        assert power(np.array([0.0, 709.7, 710.0, inf, -inf])).tolist() == approx(
            [1, exp(709.7), nan, inf, 0], nan_ok=True
        )


def test_shares_that_rounding_puts_outside_of_their_bounds_are_brought_back():
    assert clipped(np.array([-0.5, 0.0, 0.25, 1.0, 1.5])).tolist() == [0, 0, 0.25, 1, 1]
    c_index = KINDS["internal"].indices["c_index"].formula
    limits = SimpleNamespace(smallest=1.0, largest=1.5)
    for within, expected in [(1 - 1e-15, 0), (1.125, 0.25), (1.5 + 1e-15, 1)]:
        assert c_index(SimpleNamespace(within=within), limits) == approx(expected, abs=0)
    nothing = SimpleNamespace(smallest=1.0, largest=1.0)
    assert np.isnan(c_index(SimpleNamespace(within=1 + 1e-15), nothing))


def test_values_that_differ_by_rounding_are_the_same_whatever_their_size():
    before = np.array([1e6, 1e-6, 1e6, 1e-6])
    share = np.array([1e-14, 1e-14, 1e-10, 1e-10])
    assert change(before, before * (1 - share)) == approx([0, 0, 1e-4, 1e-16], rel=1e-4, abs=0)


def test_beale_has_no_value_for_two_points():
    with np.errstate(all="ignore"):
        assert np.isnan(beale_value(np.array(3.0), np.array(2.0), np.array(1.0)))
    assert beale_value(np.array(3.0), np.array(3.0), np.array(1.0)) == approx(3 / (2 * 3))


def test_the_worst_overlap_of_many_clusters_is_that_of_the_definition():
    k = 2 * FEW  # so many that gaps are measured by rows
    rng = np.random.default_rng(0)
    labels = np.append(np.arange(k), rng.permutation(k)[: k // 2])
    X = 10 * rng.permutation(k)[labels, None] + rng.random((len(labels), 1))
    centres = np.bincount(labels, X[:, 0]) / np.bincount(labels)
    spreads = np.bincount(labels, np.abs(X[:, 0] - centres[labels])) / np.bincount(labels)
    gaps = np.abs(centres[:, None] - centres)
    np.fill_diagonal(gaps, inf)
    worst = [max((spreads[a] + spreads) / gaps[a]) for a in range(k)]
    assert cv.internal.davies_bouldin(X, labels) == approx(np.mean(worst), rel=1e-12)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_the_smallest_gap_is_seen_wherever_it_is(k):
    for a, b in combinations(range(k), 2):
        table = np.full((k, k), 9.0)
        np.fill_diagonal(table, 0)
        table[a, b] = table[b, a] = 4
        assert closest(table) == 4
        assert closest(np.stack([table, table + 1])).tolist() == [4, 5]


@pytest.mark.parametrize("n", [5, 6, 8])
def test_nothing_correlates_with_distances_that_are_all_equal(n):
    for distance, k in product((0.1, 0.3, 0.7), range(2, n)):  # whose means differ by rounding
        D = distance * (1 - np.eye(n))
        with pytest.raises(cv.UndefinedIndexError):
            cv.internal.point_biserial(D, np.arange(n) % k, metric="precomputed")


def test_two_clusters_without_points_near_centres_or_midpoint_add_nothing_to_s_dbw():
    # Centres 0 and 12, sigma sqrt(18) / 2 = 2.1: 3 and 9 are 3 away from 6. Variances are 9 and 9, and 45 in all.
    assert cv.internal.s_dbw([[-3], [3], [9], [15]], [0, 0, 1, 1]) == approx(0.2)


def test_one_comparison_that_is_no_tie_is_enough_for_gamma():
    assert cv.internal.gamma([[0], [2], [4]], [0, 0, 1]) == 1  # 2 inside; 2 and 4 outside


def test_a_point_in_the_midst_of_another_cluster_has_the_lowest_silhouette():
    with np.errstate(all="ignore"):
        assert contrast(np.array([0.0, 2]), np.zeros(2), np.array([False, False])).tolist() == [0, -1]


def test_a_noise_point_counts_in_the_modularity_as_a_cluster_of_its_own():
    # Of six edges five are inside; ends, each for a half, are 2, 3.5, and 0.5 of the noise point.
    expected = 5 / 6 - (2**2 + 3.5**2 + 0.5**2) / 36
    assert cv.internal.knn_modularity(LINE, [0, 0, -1, 2, 2, 2], neighbours=1) == approx(expected)


def test_partitions_without_any_comparison_have_no_value_beside_those_that_have():
    counts = SimpleNamespace(plus=np.array([1, 0]), minus=np.array([1, 0]))
    assert share(np.array([1.0, 0]), np.array([2.0, 2]), counts) == approx([0.5, nan], nan_ok=True)


def test_sd_is_weighed_by_the_smallest_finite_distance_term_of_the_largest_number_of_clusters():
    scatter, k = np.array([1.0, 2, 3]), np.array([2, 3, 3])
    assert sd(scatter, np.array([2.0, 5, 4]), k).tolist() == [6, 13, 16]
    assert sd(scatter, np.array([2.0, inf, 4]), k).tolist() == [6, inf, 16]
    assert np.isnan(sd(scatter, np.full(3, inf), k)).all()
