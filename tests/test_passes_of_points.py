"""Passes over points, centres, merges and ranks, called directly: limits, blocks, and numbers of unusual size."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise
from math import fsum, inf, log

import numpy as np
import pytest
from pytest import approx
from scipy.spatial.distance import cdist

from clustval import evaluate, kernels, sweep
from clustval.passes.centres import centre_distances
from clustval.passes.centres.centre_distances import AT_ONCE, BLOCK, in_one_call
from clustval.passes.centres.centre_gaps import BetweenMeans, Gaps
from clustval.passes.merges import tree_merges
from clustval.passes.points import sorted_rows, triangle, unsorted_rows
from clustval.passes.points.row_moments import RowSums
from clustval.passes.sweeps.partitions import Block, Distances, rank_sums
from clustval.passes.work import thresholds
from clustval.stats.points.moments import Moments

FEW, MANY = thresholds.POINTS - 1, thresholds.POINTS  # points: of these NumPy takes care, and of these compiled code


# --- gaps between centres ------------------------------------------------------------------------------------


def test_gaps_of_many_clusters_are_those_of_their_blocks():
    table = cdist(np.array([[0.0], [1], [3], [7]]), np.array([[0.0], [1], [3], [7]]))
    gaps = Gaps(lambda lo, hi: table[lo:hi], 4, cells=8)
    assert [(rows.start, rows.stop) for rows, _ in gaps.blocks()] == [(0, 2), (2, 4)]
    assert gaps.nearest.tolist() == [1, 1, 2, 4]
    assert gaps.sums().tolist() == [11, 9, 9, 17]
    assert (gaps.smallest, gaps.largest) == (1, 7)
    assert np.array_equal(gaps, table)


def test_gaps_of_few_clusters_are_measured_once():
    asked = []

    def rows(lo, hi):
        asked.append((lo, hi))
        return np.array([[0.0, 2], [2, 0]])[lo:hi]

    gaps = Gaps(rows, 2)
    assert gaps.nearest.tolist() == gaps.sums().tolist() == [2, 2]
    assert gaps.largest == 2
    assert asked == [(0, 2)]


@pytest.mark.parametrize("n", [FEW, MANY])
def test_means_as_far_apart_as_rounding_have_no_gap(n):
    between = BetweenMeans(np.array([[0.0], [1], [3]]), 1.0, n)
    table = [[0, 0, 3], [0, 0, 2], [3, 2, 0]]
    assert between(0, 3).tolist() == table
    for lo, hi in ((0, 2), (1, 2), (1, 3)):
        assert between(lo, hi).tolist() == table[lo:hi]


# --- triangular factors --------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [FEW, MANY])
@pytest.mark.parametrize(
    ("scale", "noise", "volume"),
    [
        (1.0, 0.5, log(64)),
        (1.0, 1.0, -inf),
        (1.0, 2.0, -inf),
        (4.0, 0.5, log(64)),
        (0.5, 0.5, log(64)),
        (0.0, 1.0, -inf),
    ],
)
def test_a_factor_is_singular_from_eight_times_the_noise_on(scale, noise, volume, n):
    factor = np.array([[8.0]])
    with np.errstate(all="ignore"):
        assert triangle.log_det(factor, np.array([scale]), np.array([noise]), 0, n) == approx(volume, rel=1e-15)


# --- distances to centres ------------------------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_without_a_table_sums_are_those_to_the_own_centre(weighted, set_thresholds):
    rng = np.random.default_rng(0)
    Z, starts, means = rng.normal(size=(MANY + 5, 2)), np.array([0, 20, 50, MANY + 5]), rng.normal(size=(3, 2))
    weights = rng.uniform(size=len(Z)) if weighted else None
    own = np.linalg.norm(Z - np.repeat(means, np.diff(starts), axis=0), axis=1)
    heavy = own if weights is None else own * weights
    expected = [heavy[lo:hi].sum() for lo, hi in pairwise(starts)]
    given = Z, starts, means, means[0]
    results = [centre_distances.centre_distances_numpy(*given, weights, table=False, cells=3 * 16)]
    for few in (7, len(Z)):
        set_thresholds(CENTRES=few)
        results.append(centre_distances.centre_distances(*given, n_jobs=1, weights=weights, table=False))
    for result in results:
        assert result[0] == approx(own, rel=1e-14)
        assert result[3].shape == (3,)
        assert result[3] == approx(np.array(expected), rel=1e-13)


def test_points_on_the_edge_of_a_ball_are_outside():
    Z, starts, means = np.array([[-1.0], [1], [3], [5]]), np.array([0, 2, 4]), np.array([[0.0], [4]])
    ways = (
        centre_distances.near_counts_numpy(Z, starts, means, 1.0),
        centre_distances.near_counts_numpy(Z, starts, means, 1.0, np.ones(4)),
        centre_distances.near_counts_compiled(Z, starts, means, 1.0, n_jobs=1),
        kernels.centres.centre_distances.points_near_of_clusters(Z, starts, means, 1.0),
    )
    for at_centres, at_midpoints in ways:
        assert not at_centres.any()
        assert not at_midpoints.any()
    at_centres, at_midpoints = centre_distances.near_counts_numpy(Z, starts, means, 1.5)
    assert at_centres.tolist() == [[2, 0], [0, 2]]
    assert at_midpoints.tolist() == [[2, 1], [1, 2]]


@pytest.mark.parametrize("block", [2, 4096])
def test_clusters_without_points_add_nothing_in_compiled_code(block, set_thresholds):
    set_thresholds(POINTS=0)
    rng = np.random.default_rng(0)
    Z, starts, means = rng.normal(size=(7, 2)), np.array([0, 0, 3, 3, 7]), rng.normal(size=(4, 2))
    ours = centre_distances.centre_distances_compiled(Z, starts, means, means[0], n_jobs=2, block=block)
    theirs = centre_distances.centre_distances_numpy(Z, starts, means, means[0])
    for one, other in zip(ours, theirs, strict=True):
        assert one == approx(other, rel=1e-14)
    near = centre_distances.near_counts_compiled(Z, starts, means, 1.0, n_jobs=2, block=block)
    assert np.array_equal(near, centre_distances.near_counts_numpy(Z, starts, means, 1.0))


@pytest.mark.parametrize("n", [FEW, MANY])
def test_offsets_as_large_as_rounding_are_none(n):
    mass, means = np.array([n / 2, n / 2]), np.array([[9.0, -2], [11, 2]])
    mean, offsets, between, total = sorted_rows.about_mean(mass, means, np.ones((2, 2)), n, 0.5, np.array([2.0, 2]))
    assert mean.tolist() == [10, 0]
    assert offsets.tolist() == [[0, -2], [0, 2]]
    assert between.tolist() == [0, 4 * n]
    assert total.tolist() == [2, 4 * n + 2]


# --- rows in any order ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("p", [3, 9])
def test_rows_unlike_the_first_ones_have_exact_means_and_squares(p, dtype):
    rng = np.random.default_rng(0)
    rows = (rng.normal(size=(200, p)) + np.arange(200)[:, None] / 50).astype(dtype)
    codes = rng.integers(0, 3, 200)
    sums = RowSums.of(rows, codes, np.bincount(codes))
    wide = rows.astype(np.float64)
    for c in range(3):
        mean = wide[codes == c].mean(axis=0)
        assert sums.means_from(0)[c] == approx(mean, rel=1e-13)
        assert sums.squares[c] == approx(((wide[codes == c] - mean) ** 2).sum(axis=0), rel=1e-13)
        assert sums.firsts[c] == np.flatnonzero(codes == c)[0]
    assert np.array_equal([sums.lows, sums.highs], [wide.min(axis=0), wide.max(axis=0)])


def test_squares_keep_their_digits_if_the_first_rows_mislead_in_one_column_only():
    n = 20_000
    rows = np.full((n, 2), 0.1)
    rows[:16, 0] = 0
    rows[:, 1] = np.tile([0.25, -0.25], n // 2)
    sums = RowSums.of(rows, np.zeros(n, dtype=np.int64), np.array([n]))
    assert sums.squares[0] == approx([float(Fraction(16 * (n - 16), n) * Fraction(0.1) ** 2), n / 16], rel=1e-11)
    assert sums.means_from(0)[0] == approx([0.1 * (n - 16) / n, 0], rel=1e-14)


@pytest.mark.parametrize("p", [2, 9])
def test_a_missing_number_in_one_column_shows_in_the_range_of_that_column(p):
    rows = np.random.default_rng(0).normal(size=(40, p))
    rows[20, 1] = np.nan
    sums = RowSums.of(rows, np.zeros(40, dtype=np.int64), np.array([40]))
    others = np.arange(p) != 1
    assert np.isnan([sums.lows[1], sums.highs[1]]).all()
    assert np.array_equal(sums.lows[others], rows.min(axis=0)[others])
    assert np.array_equal(sums.highs[others], rows.max(axis=0)[others])


@pytest.mark.parametrize("k", [1, 4, 5, 8, 9])
def test_rows_are_measured_against_any_number_of_centres(k):
    rng = np.random.default_rng(k)
    rows, centres, mean = rng.normal(size=(30, 3)), rng.normal(size=(k, 3)), rng.normal(size=3)
    codes = np.arange(30) % k
    distances = cdist(rows - 0.5, centres)
    own, nearest, away = unsorted_rows.rows_to_centres(rows, codes, np.full(3, 0.5), centres, mean)
    sums = unsorted_rows.sums_to_centres(rows, codes, np.full(3, 0.5), centres)
    assert own == approx(distances[np.arange(30), codes], rel=1e-14)
    assert away == approx(np.linalg.norm(rows - 0.5 - mean, axis=1).sum(), rel=1e-14)
    assert sums == approx(np.array([distances[codes == c].sum(axis=0) for c in range(k)]), rel=1e-14)
    distances[np.arange(30), codes] = inf
    assert nearest == approx(distances.min(axis=1), rel=1e-14)


def test_without_a_compiler_rows_of_many_numbers_are_measured_by_numpy(monkeypatch, set_thresholds):
    set_thresholds(COMPILED=False, NUMBERS=1)
    monkeypatch.setattr(kernels.points.unsorted_rows, "rows_to_clusters", None)  # it may not run without a compiler
    Z, means, spreads = np.array([[0.0], [1], [5]]), np.array([[0.5], [5]]), np.array([0.25, 0])
    own, nearest, neighbour = unsorted_rows.rows_to_clusters(Z, np.array([0, 0, 1]), means, spreads)
    assert own.tolist() == [0.5, 0.5, 0]
    assert nearest.tolist() == [25, 16, 20.5]
    assert neighbour.tolist() == [1, 1, 0]


# --- a tree and distances ------------------------------------------------------------------------------------


@pytest.mark.parametrize("cells", [6, 12, 18, 2**18])
def test_distances_beside_a_tree_are_asked_for_points_that_are_there(cells):
    rng = np.random.default_rng(0)
    D = cdist(rng.normal(size=(6, 2)), rng.normal(size=(6, 2)))
    joints, deviations = np.array([0, 3, 1, 4, 2]), rng.normal(size=5)

    def rows(lo, hi):
        assert 0 <= lo < hi <= len(D)
        return D[lo:hi, lo + 1 :]

    sums = tree_merges.leaf_sums(rows, joints, deviations, n_jobs=2, memory=2**20, cells=cells)
    assert sums.origin == np.sort(D[0, 1:])[2]
    pairs = [(D[i, j] - sums.origin, deviations[joints[i:j].max()]) for i, j in combinations(range(6), 2)]
    assert sums.sums == approx(fsum(d for d, _ in pairs))
    assert sums.squares == approx(fsum(d * d for d, _ in pairs))
    assert sums.products == approx(fsum(d * height for d, height in pairs))


# --- distances of many partitions ----------------------------------------------------------------------------


def distances_of(values, n):
    """Return a symmetric table with the given distances of pairs, and what passes make of it."""
    D = np.zeros((n, n))
    D[np.triu_indices(n, 1)] = values
    D += D.T
    return D, Distances.of_rows(lambda lo, hi: D[lo:hi], n, 1)


def test_the_variance_of_distances_that_hardly_differ_keeps_its_digits():
    values = 1 + 2.0**-26 * np.random.default_rng(0).integers(0, 2**10, 780) / 2**10
    squares, shift = distances_of(values, 40)[1].squares
    exact = [Fraction(value) for value in values.tolist()]
    mean = sum(exact) / 780
    variance = squares / 780 - (float(mean - Fraction(shift))) ** 2
    assert variance == approx(float(sum((value - mean) ** 2 for value in exact) / 780), rel=1e-12, abs=0)


@pytest.mark.parametrize("n", [1, 2, 16, 17])
def test_squares_of_distances_leave_out_that_of_a_point_to_itself(n):
    values = np.random.default_rng(0).uniform(1, 2, n * (n - 1) // 2)
    squares, shift = distances_of(values, n)[1].squares
    assert squares == approx(((values - shift) ** 2).sum(), rel=1e-13)


@pytest.mark.parametrize("unit", [1.0, 1e150, 1e-150, 1e-313])
def test_ranks_of_distances_do_not_depend_on_their_unit(unit):
    values = np.random.default_rng(0).permutation(1000)[:190]
    _, distances = distances_of(values * unit, 20)
    assert np.array_equal(distances.ranking.ordered, np.sort(values * unit))
    assert np.array_equal(distances.ranking.ranks, 2 * (np.argsort(np.argsort(values)) + 1))


def test_groups_of_equal_distances_are_counted_and_single_ones_are_in_none():
    values = np.array([4.0, 1, 1, 7, 2, 4, 3, 4, 9, 8])
    _, distances = distances_of(values, 5)
    ranking = distances.ranking
    smaller, equal = (values < values[:, None]).sum(axis=1), (values == values[:, None]).sum(axis=1)
    assert ranking.ranks.tolist() == (2 * smaller + equal + 1).tolist()
    groups = ranking.tie_of[ranking.ranks]
    assert [ranking.tie_sizes[group] if group >= 0 else 1 for group in groups] == equal.tolist()
    codes = np.array([[0, 0, 0, 1, 1], [0, 1, 0, 1, 0]])
    twice, ties = rank_sums(ranking, 5, Block(codes, np.array([2, 2])))
    for at, labels in enumerate(codes):
        within = np.array([labels[i] == labels[j] for i, j in combinations(range(5), 2)])
        assert twice[at] == ranking.ranks[within].sum()
        assert ties[at] == (values[within][:, None] == values[~within]).sum()


def test_tiny_distances_beside_large_ones_are_ranked_in_a_sweep_as_alone():
    rng = np.random.default_rng(0)
    D = np.tril(rng.integers(1, 50, (100, 100)) * 1e-312, -1)
    D[-1, :-1] = 1.0
    D += D.T
    partitions = [rng.integers(0, 3, 100) for _ in range(10)]
    swept = sweep(D, partitions, metric="precomputed", indices=["gamma"])
    alone = [evaluate(D, labels, metric="precomputed", indices=["gamma"])["gamma"] for labels in partitions]
    assert np.ravel(swept.values) == approx(np.array(alone), rel=1e-12)


@pytest.mark.parametrize(
    ("n", "p"), [(BLOCK, 3), (BLOCK + 1, 3), (2 * BLOCK, 8), (AT_ONCE // 8, 8), (AT_ONCE // 8 + 1, 8)]
)
def test_points_visited_in_one_call_have_the_moments_of_their_twin(n, p):
    rng = np.random.default_rng(n)
    codes = np.sort(rng.integers(0, 4, n))
    Z = rng.normal(size=(n, p)) + 1e3 * codes[:, None]
    starts = np.searchsorted(codes, np.arange(5))
    moments = Moments.of_points(Z, starts)
    for cluster in range(4):
        own = Z[codes == cluster]
        np.testing.assert_allclose(moments.means[cluster], own.mean(axis=0), rtol=1e-13)
        np.testing.assert_allclose(moments.squares[cluster], ((own - own.mean(axis=0)) ** 2).sum(axis=0), rtol=1e-13)
    assert in_one_call(Z) == (n <= BLOCK or n * p <= AT_ONCE)
