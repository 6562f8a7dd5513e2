"""Whether there are clusters: gaps by points that did not find them, groups of a continuum, and the nulls."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.stats import binom, norm
from sklearn.metrics import silhouette_score

import clustval as cv
from clustval.choosing.evidence import continuum
from clustval.choosing.evidence.axes import dimension, scores_beyond_chance, unrounded
from clustval.choosing.evidence.bridges import longer, share_as_long
from clustval.choosing.evidence.gaps import gaps_in, rarer, stouffer
from clustval.choosing.evidence.groups import compact_pairs, dense_pairs, two_means
from clustval.choosing.evidence.ways import Counts, Curve, Line, graph_of
from clustval.choosing.nulls import NULLS
from clustval.seeding import generators
from conftest import examples


def two(seed=0, n=200, p=2, apart=6.0):
    X = np.random.default_rng(seed).normal(size=(n, p))
    X[n // 2 :, 0] += apart
    return X


def ring(seed=0, n=300, width=0.1):
    rng = np.random.default_rng(seed)
    angle = 2 * np.pi * rng.uniform(size=n)
    return np.c_[np.cos(angle), np.sin(angle)] + width * rng.normal(size=(n, 2))


def unit(X):
    return X / np.linalg.norm(X, axis=1, keepdims=True)


# --- the rank among draws --------------------------------------------------------------------------------


def test_draws_that_are_the_data_in_another_order_are_not_told_from_them():
    observed = np.array([1.0, 0.5, 0.25])
    rounding = 1e-16 * np.arange(1, 20)[:, None]
    assert continuum.rank_of(observed, observed - rounding)[0] == 1
    assert continuum.rank_of(observed, observed - 1e8 * rounding)[0] == 1 / 20


@given(st.integers(0, 10**6))
def test_merges_of_equal_heights_are_cut_as_scipy_cuts_them(seed):
    rng = np.random.default_rng(seed)
    tree = linkage(rng.integers(0, rng.integers(1, 6), (24, 2)).astype(float), "ward")
    tree[:, 2] = tree[:, 2].round(9)
    heights = np.sort(tree[:, 2] + 1e-15 * tree[-1, 2] * rng.random(23))  # as another processor rounds
    for k in range(1, 8):
        assert continuum._untied(heights, k) == len(np.unique(fcluster(tree, k, "maxclust")))


# --- three answers ---------------------------------------------------------------------------------------


def test_two_clusters_have_a_gap_and_one_has_none():
    answer = cv.structure(two(), random_state=0)
    assert (answer.evidence, answer.exists) == ("gaps", True)
    assert answer.reasons == {"continuum": "there are gaps"}
    assert math.isnan(answer.p_values["continuum"])
    one = cv.structure(two(apart=0), n_references=19, random_state=0)
    assert (one.evidence, one.exists) == ("nothing", False)
    assert one.p_values["continuum"] > 0.05


@pytest.mark.parametrize("p", [10, 50])
def test_gaps_are_seen_in_many_columns(p):
    assert cv.structure(two(n=400, p=p), random_state=0).evidence == "gaps"


def test_every_p_value_has_draws_behind_it():
    for X in (two(), two(apart=0), np.ones((30, 2))):
        answer = cv.structure(X, n_references=19, random_state=0)
        for record in answer._records():
            assert math.isnan(record["p"]) == bool(record["not asked"])
            assert math.isnan(record["p"]) or record["draws"] >= 5


def test_groups_that_touch_are_a_continuum():
    rng = np.random.default_rng(1)
    X = np.concatenate([rng.normal(size=(60, 6)) + 2.4 * np.eye(6)[at] for at in range(6)])
    answer = cv.structure(X, random_state=0)
    assert (answer.evidence, answer.exists) == ("continuum", False)
    assert answer.p_values["gaps"] > 0.05
    assert answer.p_values["continuum"] <= 0.05
    assert str(answer).startswith("No gaps (p = ")


def test_a_ring_has_no_gap_though_its_middle_is_empty():
    answer = cv.structure(ring(), n_references=19, random_state=0)
    assert answer.details["straight"] <= 0.05
    assert answer.details["curved"] > 0.2
    assert answer.exists is False


def test_two_rings_have_a_gap():
    X = np.r_[ring(0), 2.2 * ring(1)]
    assert cv.structure(X, random_state=0).evidence == "gaps"


@pytest.mark.parametrize("kind", ["codes", "poisson"])
def test_a_grid_is_no_gap(kind):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (300, 4)) if kind == "codes" else rng.poisson(1.5, (300, 4))
    assert cv.structure(X.astype(float), n_references=19, random_state=0).exists is False


def test_the_answer_does_not_depend_on_threads():
    X = two(apart=3)
    assert cv.structure(X, random_state=0, n_jobs=1) == cv.structure(X, random_state=0, n_jobs=2)


def test_units_and_turns_change_nothing():
    X = two(p=3)
    turn = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    a, b, c = (cv.structure(points, random_state=0).p_value for points in (X, 1000 * X, X @ turn))
    assert b == approx(a, rel=1e-6)
    assert c <= 0.05


def test_few_points_are_not_asked_for_gaps():
    answer = cv.structure(two(n=20), n_references=19, random_state=0)
    assert answer.reasons["gaps"] == "that takes 24 points"
    assert cv.structure([[0.0], [1], [2], [3], [4]], random_state=0).evidence is None


def test_an_answer_comes_back_from_json():
    answer = cv.structure(two(apart=0), n_references=19, random_state=0)
    assert cv.Structure.from_json(answer.to_json()) == answer


@pytest.mark.large
@pytest.mark.parametrize("kind", ["gaussian", "box", "exponential", "ring", "sphere"])
def test_gaps_are_rarely_seen_where_there_are_none(kind):
    makers = {
        "gaussian": lambda rng: rng.normal(size=(200, 5)),
        "box": lambda rng: rng.uniform(size=(200, 2)),
        "exponential": lambda rng: rng.exponential(size=(200, 3)),
        "ring": lambda rng: ring(int(rng.integers(1000)), 200),
        "sphere": lambda rng: unit(rng.normal(size=(200, 3))),
    }
    seen = [gaps_in(makers[kind](np.random.default_rng(seed)), generators(seed)).p_value <= 0.05 for seed in range(20)]
    assert sum(seen) <= 2


# --- gaps ------------------------------------------------------------------------------------------------


@examples(60)
@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40), st.sampled_from([0.8, 1.0]))
def test_the_rarer_middle_is_a_binomial_test_of_both_sides(first, between, second, margin):
    value = rarer(Counts(first, between, second), margin)
    if min(first, second) == 0:
        assert value == 1
        return
    share = margin / (1 + margin)
    expected = [sum(binom.pmf(j, between + side, share) for j in range(between + 1)) for side in (first, second)]
    assert value == approx(max(expected), rel=1e-9)


def test_stouffer_adds_normal_scores():
    assert stouffer([0.05, 0.05]) == approx(norm.cdf(2 * norm.ppf(0.05) / math.sqrt(2)))
    assert stouffer([0.5, 0.5]) == approx(0.5)


def test_cells_on_a_line_are_counted_as_in_loops():
    X = two(n=120, apart=8)
    line = Line(X, np.arange(60), np.arange(60, 120))
    others = two(seed=1, n=120, apart=8)
    half = 0.35 * line.length / 2
    counts = [0, 0, 0]
    for point in others:
        offset = point @ line.scaling - line.middle
        along = float(offset @ line.axis)
        off = math.sqrt(max(float(offset @ offset) - along**2, 0))
        for cell, centre in enumerate(line.cells):
            counts[cell] += off <= line.width and centre - half <= along < centre + half
    assert tuple(line.counted(others)) == tuple(counts)
    assert line.counts.between < min(line.counts.first, line.counts.second)


def test_a_curve_follows_a_ring():
    X = ring(width=0.03)
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    left, right = np.flatnonzero(X[:, 0] < -0.3), np.flatnonzero(X[:, 0] > 0.3)
    curve = Curve(X, distances, graph_of(distances), left, right)
    if curve.cells is not None:
        assert np.linalg.norm(curve.cells[0], axis=1) == approx([1, 1, 1], abs=0.1)
    cut = X[np.abs(X[:, 0]) > 0.35]
    distances = np.linalg.norm(cut[:, None] - cut, axis=2)
    sides = np.flatnonzero(cut[:, 0] < 0), np.flatnonzero(cut[:, 0] > 0)
    counts = Curve(cut, distances, graph_of(distances), *sides).counted(ring(1, width=0.03))
    assert counts.first > 0


def test_pairs_of_groups_are_large_and_apart():
    X = two(n=80)
    for pairs in (compact_pairs(X, 6), dense_pairs(X, np.linalg.norm(X[:, None] - X, axis=2), 6)):
        assert all(min(len(a), len(b)) >= 6 and not set(a) & set(b) for a, b in pairs)
        assert any(set(a) in (set(range(40)), set(range(40, 80))) for a, _ in pairs)


def test_two_means_move_points_to_the_nearer_mean():
    X = np.array([[0.0], [1], [2], [9], [10], [11]])
    first, second = two_means(X, np.array([0, 1, 3]), np.array([2, 4, 5]), 1)
    assert sorted(map(sorted, (first.tolist(), second.tolist()))) == [[0, 1, 2], [3, 4, 5]]
    kept = two_means(X, np.array([0, 1, 3]), np.array([2, 4, 5]), 4)
    assert kept[0].tolist() == [0, 1, 3]


# --- steps -----------------------------------------------------------------------------------------------


@examples(40)
@given(st.integers(0, 2**32 - 1), st.integers(2, 12), st.integers(2, 12))
def test_steps_within_groups_are_those_of_spanning_trees(seed, first, second):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(first + second, 2)) + np.repeat([0.0, rng.uniform(0, 4)], [first, second])[:, None]
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    groups = np.arange(first), np.arange(first, first + second)
    between = min(distances[a, b] for a in groups[0] for b in groups[1])
    shares = []
    for group in groups:
        inside, steps = [group[0]], []
        while len(inside) < len(group):  # Prim's algorithm
            outside = [row for row in group if row not in inside]
            step, row = min((distances[a, b], b) for a in inside for b in outside)
            inside.append(row)
            steps.append(step)
        shares.append((1 + sum(step >= between for step in steps)) / len(group))
    assert share_as_long(distances, *groups) == approx(max(shares), rel=1e-12)


def spirals(n=104):
    rng = np.random.default_rng(1)
    angle, arm = rng.uniform(1.5, 6, size=3 * n), np.repeat(np.arange(3), n)
    return np.c_[np.cos(angle + 2.1 * arm), np.sin(angle + 2.1 * arm)] * angle[:, None]


def test_steps_show_gaps_between_thin_curves():
    answer = cv.structure(spirals(), random_state=0)
    assert answer.evidence == "gaps"
    assert answer.details["steps"] <= 0.05


def test_one_curve_goes_on_in_steps_as_any_other():
    X = spirals()[:104]
    p_values = [gaps_in(X[np.random.default_rng(seed).permutation(104)], generators(seed)).p_value for seed in range(5)]
    assert min(p_values) > 0.05


def test_steps_are_not_asked_for_without_two_groups():
    X = np.random.default_rng(0).normal(size=(20, 2))
    assert longer(X, np.linalg.norm(X[:, None] - X, axis=2), [], X) == 1
    far = [(np.arange(10), np.arange(10, 20))]
    assert longer(X, np.linalg.norm(X[:, None] - X, axis=2), far, X[:2]) == 1


# --- axes ------------------------------------------------------------------------------------------------


def test_rounding_is_given_back_in_columns_with_ties():
    rng = np.random.default_rng(0)
    X = np.c_[rng.integers(0, 4, 100), rng.normal(size=100)]
    points = unrounded(X, rng)
    assert points[:, 1].tolist() == X[:, 1].tolist()
    assert len(np.unique(points[:, 0])) == 100
    assert np.abs(points[:, 0] - X[:, 0]).max() <= 0.5


def test_axes_of_chance_are_left_out():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 20))
    X[:, :5] += 3 * rng.normal(size=(300, 1))
    assert scores_beyond_chance(X, rng, fewest=1).shape == (300, 1)
    assert scores_beyond_chance(X, rng).shape == (300, 3)


@pytest.mark.parametrize("p", [1, 2, 5])
def test_the_dimension_is_that_of_the_points(p):
    X = np.random.default_rng(0).uniform(size=(2000, p))
    assert dimension(np.c_[X, X]) == approx(p, rel=0.2)
    assert dimension(np.ones((30, p))) == p


@pytest.mark.large
def test_p_values_of_gaps_hold_in_one_column():
    """Of 30 uniform columns at most 6 have p <= 0.1: 3 are expected. Two clusters are seen in any case."""
    p_values = [gaps_in(np.random.default_rng([4, s]).uniform(size=(200, 1)), generators(s)).p_value for s in range(30)]
    assert np.count_nonzero(np.array(p_values) <= 0.1) <= 6
    assert gaps_in(two(p=1, apart=8.0), generators(0)).p_value <= 0.01


# --- continuum -------------------------------------------------------------------------------------------


def test_silhouette_and_modularity_are_those_of_the_indices():
    X = two(n=60, apart=2)
    codes = np.repeat([0, 1], 30)
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    near = np.argsort(distances + np.diag(np.full(60, np.inf)), axis=1)[:, :10]
    assert continuum._silhouette(distances, codes) == approx(silhouette_score(X, codes))
    assert continuum._modularity(near, codes) == approx(cv.internal.knn_modularity(X, codes))


def test_a_comparison_ends_when_the_answer_is_clear():
    X = np.random.default_rng(1).normal(size=(80, 3))
    result = continuum.compared(X, ["gaussian", "uniform"], 99, generators(0))
    assert list(result.p_values) == ["gaussian"]
    assert len(result.draws["gaussian"]) == 19
    assert result.p_value > 0.2


def test_columns_keep_their_values_and_rank_correlations():
    rng = np.random.default_rng(0)
    X = rng.exponential(size=(500, 2))
    X[:, 1] += X[:, 0]
    draw = NULLS["columns"](X)(rng)
    assert np.sort(draw, axis=0).tolist() == np.sort(X, axis=0).tolist()
    assert np.corrcoef(draw.T)[0, 1] == approx(np.corrcoef(X.T)[0, 1], abs=0.15)


def test_a_skeleton_keeps_a_ring_and_fills_gaps():
    rng = np.random.default_rng(0)
    X = np.c_[ring(width=0.02), 0.01 * rng.normal(size=(300, 8))]
    draw = NULLS["skeleton"](X)(rng)
    assert draw.shape == X.shape
    assert np.linalg.norm(draw[:, :2], axis=1) == approx(1, abs=0.2)
    gap = two(n=100, apart=20)
    between = np.abs(NULLS["skeleton"](gap)(rng)[:, 0] - 10) < 5
    assert (np.abs(gap[:, 0] - 10) < 5).sum() == 0
    assert between.sum() > 5
    assert NULLS["skeleton"](np.ones((5, 2)))(rng).tolist() == [[1, 1]] * 5


def test_an_elliptical_draw_keeps_the_distances_from_the_centre():
    rng = np.random.default_rng(0)
    X = ring(width=0.01) @ np.array([[2.0, 1], [0, 1]])
    draw = NULLS["elliptical"](X)(rng)
    whitening = np.linalg.inv(np.linalg.cholesky(np.cov(X.T))).T
    radii = [np.linalg.norm((points - X.mean(axis=0)) @ whitening, axis=1) for points in (X, draw)]
    assert radii[1] == approx(radii[0], rel=1e-9)


def test_codes_are_permuted_and_directions_have_length_one():
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, (50, 4)).astype(float)
    draw = NULLS["permuted"](codes)(rng)
    assert np.sort(draw, axis=0).tolist() == np.sort(codes, axis=0).tolist()
    assert draw.tolist() != codes.tolist()
    assert np.linalg.norm(NULLS["sphere"](rng.normal(size=(50, 4)))(rng), axis=1) == approx(1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [[0, 1], [1, 0]], "metric": "precomputed"}, "coordinates"),
        ({"X": [[0], [1]]}, "5 points at least"),
        ({"null": "normal"}, "null"),
        ({"null": []}, "null is empty; name at least one, such as 'gaussian'"),
        ({"null": [], "metric": "hamming"}, "null is empty; name at least one, such as 'permuted'"),
        ({"null": 3}, "null must be one of .*; it is 3"),
        ({"n_references": 18}, "n_references"),
    ],
)
def test_errors_of_structure_say_what_to_do(arguments, message):
    with pytest.raises(cv.InputError, match=message):
        cv.structure(**({"X": two()} | arguments))
