"""Statistics: compiled code equals plain NumPy, and what one pass leaves behind is what formulas need."""

from __future__ import annotations

from dataclasses import astuple
from itertools import pairwise

import numpy as np
import pytest
from pytest import approx
from scipy.spatial.distance import cdist, pdist

import clustval as cv
from clustval import kernels
from clustval.declare import Need, Plan
from clustval.kernels.centres.centre_distances import distances_of_clusters, points_near_of_clusters
from clustval.passes.centres import centre_distances as centres
from clustval.passes.centres.centre_gaps import BetweenMeans
from clustval.passes.metrics.measure_rows import over_blocks
from clustval.passes.metrics.prepared import root_shares, shares
from clustval.passes.pairs.half_square import euclidean_pass
from clustval.passes.pairs.half_square_numpy import numpy_pass
from clustval.passes.pairs.search_extremes import diameters_of
from clustval.passes.pairs.weighted_rows import SortedLabels, weighted_pass
from clustval.passes.points import own_centres, row_moments
from clustval.passes.points import sorted_rows as points
from clustval.passes.points import triangle as factors
from clustval.passes.points.row_moments import RowSums, range_of
from clustval.passes.work import threads
from clustval.sources.partition import partition
from clustval.stats.centres.radii import Radii
from clustval.stats.pairs.pair_distances import PairExtremes, PairSums
from clustval.stats.points.moments import Moments
from clustval.stats.points.scatter import Scatter

EPSILON = float(np.finfo(float).eps)
RNG = np.random.default_rng(11)
X = RNG.normal(size=(60, 3)) @ np.diag([1, 3, 0.2]) + 5
LABELS = np.sort(RNG.integers(0, 4, 60))


@pytest.fixture
def source():
    return partition(X, LABELS)


def test_total_scatter_is_within_plus_between(source):
    m = source[Moments]
    total = ((X - X.mean(axis=0)) ** 2).sum(axis=0)
    assert m.total_by_dimension == approx(total, rel=1e-13)
    s = source[Scatter]
    W, B = s.within.T @ s.within, s.between.T @ s.between
    T = (X - X.mean(axis=0)).T @ (X - X.mean(axis=0))
    assert W + B == approx(T, rel=1e-12)
    assert np.linalg.slogdet(W)[1] == approx(s.log_det_within + s.log_unit)
    assert np.linalg.slogdet(T)[1] == approx(s.log_det_total + s.log_unit)
    assert np.trace(np.linalg.solve(W, B)) == approx(s.between_in_units_of_within)
    assert s.log_dets + s.log_unit == approx(
        [np.linalg.slogdet(np.cov(X[LABELS == c].T) * (np.sum(LABELS == c) - 1))[1] for c in range(4)]
    )


def test_factors_of_blocks_stack_into_the_factor_of_the_whole():
    parts = np.vstack([factors.triangle(X[:25]), factors.triangle(X[25:])])
    assert np.abs(factors.triangle(parts)) == approx(np.abs(factors.triangle(X)), rel=1e-10)


def test_factoring_all_points_at_once_gives_the_scatter_of_factors_by_cluster(set_limits):
    at_once = partition(X, LABELS)[Scatter]
    set_limits(factored_at_once=2)
    by_cluster = partition(X, LABELS)[Scatter]
    assert sum(map(len, at_once.factors)) == len(X)
    assert [len(factor) for factor in by_cluster.factors] == [3] * 4
    for name in ("log_dets", "log_det_within", "log_det_total", "log_ratio", "between_in_units_of_within"):
        assert getattr(at_once, name) == approx(getattr(by_cluster, name), rel=1e-12), name


def test_more_rows_than_a_block_are_factored_in_steps():
    whole = np.abs(factors.triangle_numpy(X))
    assert np.abs(factors.triangle_numpy(X, block=7)) == approx(whole, rel=1e-10)


def test_deviations_about_the_mean_of_all_points_are_the_same_compiled(source):
    m = source[Moments]
    values = m.mass, m.means, m.squares, m.n, 1e-15, m.reach
    for ours, theirs in zip(
        kernels.points.sorted_rows.about_mean(*values), points.about_mean_numpy(*values), strict=True
    ):
        assert ours == approx(theirs, rel=1e-13, abs=1e-13)


@pytest.fixture(params=["plain NumPy", "compiled"])
def either_way(request, set_thresholds):
    """Factor few rows in NumPy and by kernels."""
    set_thresholds(FACTORS=1 if request.param == "compiled" else 10**9)


@pytest.mark.parametrize(("n", "p"), [(1, 1), (2, 5), (5, 5), (6, 5), (300, 5), (1100, 3)])
@pytest.mark.usefixtures("either_way")
def test_a_triangular_factor_has_the_cross_product_of_its_rows(n, p):
    rows = RNG.normal(size=(n, p)) * 10.0 ** np.arange(p)
    factor = factors.triangle(rows)
    assert factor.shape == (min(n, p), p)
    assert not np.tril(factor, -1).any()
    assert factor.T @ factor == approx(rows.T @ rows, rel=1e-9)
    for exponent in (600, -600):  # squares of such numbers overflow or vanish
        assert np.ldexp(factors.triangle(np.ldexp(rows, exponent)), -exponent).tolist() == factor.tolist()


@pytest.mark.usefixtures("either_way")
def test_rows_of_zeros_and_equal_columns_have_factors_too():
    assert not factors.triangle(np.zeros((9, 2))).any()
    ones = factors.triangle(np.ones((9, 3)))
    assert np.abs(ones[0]) == approx([3, 3, 3])
    assert ones[1:] == approx(np.zeros((2, 3)), abs=1e-15)


@pytest.mark.usefixtures("either_way")
def test_rows_are_taken_from_the_means_of_their_clusters_and_columns_by_what_they_reach():
    rows, largest = factors.centred(X - 5, X[::-1], LABELS, np.arange(12.0).reshape(4, 3))
    assert rows.tolist() == (X[::-1] - np.arange(12.0).reshape(4, 3)[LABELS]).tolist()
    assert largest.tolist() == np.abs(X - 5).max(axis=0).tolist()


@pytest.mark.usefixtures("either_way")
def test_units_are_norms_of_columns_with_what_rounding_adds():
    scales, noise, exponent = factors.units(np.array([4.0, 36.0, 0.0]), np.array([1.0, 3.0, 2.0]), 25.0, 10)
    assert scales.tolist() == [2, 6, 0]
    assert noise.tolist() == [5 * EPSILON, 15 * EPSILON, 10 * EPSILON]
    assert exponent == 3  # 6 is less than 8


@pytest.mark.usefixtures("either_way")
def test_no_points_reach_nothing():
    assert factors.centred(np.zeros((0, 2)), np.zeros((0, 2)), np.zeros(0, dtype=int), X[:1, :2])[1].tolist() == [0, 0]


@pytest.mark.parametrize("exponent", [-3, 0, 40])
@pytest.mark.usefixtures("either_way")
def test_the_volume_of_a_factor_is_measured_in_powers_of_two(exponent):
    factor, unit = np.array([[2.0, 5.0], [0.0, -8.0]]), np.ones(2)
    volume = factors.log_det(factor, unit, 1e-9 * unit, exponent, 10)
    assert volume == approx(2 * np.log(16) - 4 * exponent * np.log(2))


@pytest.mark.parametrize(
    ("factor", "scales", "noise"),
    [
        ([[1.0, 1.0], [0.0, 1e-9]], [1.0, 1.0], [1e-7, 1e-7]),  # within the rounding of the data
        ([[1.0, 1.0], [0.0, 0.0]], [1.0, 1.0], [0.0, 0.0]),
        ([[1.0, 0.0], [0.0, 0.0]], [1.0, 0.0], [0.0, 0.0]),  # a column that is constant
        ([[1.0, 1.0]], [1.0, 1.0], [0.0, 0.0]),  # one point, two columns
    ],
)
@pytest.mark.usefixtures("either_way")
def test_a_flat_factor_has_no_volume(factor, scales, noise):
    assert factors.log_det(np.array(factor), np.array(scales), np.array(noise), 0, 10) == -np.inf


@pytest.mark.usefixtures("either_way")
def test_whether_a_factor_is_flat_does_not_depend_on_the_units_of_columns():
    factor, noise = np.array([[1.0, 1e-6], [0.0, 1e-6]]), np.array([1e-9, 1e-15])
    assert factors.log_det(factor, np.array([1.0, 1e-6]), noise, 0, 10) == approx(2 * np.log(1e-6))
    assert factors.log_det(factor, np.array([1.0, 1.0]), np.array([1e-9, 1e-6]), 0, 10) == -np.inf


@pytest.mark.parametrize("size", [1e-9, 0.1, 1.0, 100.0])
@pytest.mark.usefixtures("either_way")
def test_volumes_beside_the_unit_are_precise_whatever_their_size(size):
    rows = size * np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 2.0]])
    assert factors.log_sum(rows, 10) == approx(np.log1p(5 * size**2) + np.log1p(4 * size**2), rel=1e-13)


@pytest.mark.usefixtures("either_way")
def test_rows_in_units_of_a_factor_make_the_rows_again():
    factor, rows = np.triu(RNG.normal(size=(4, 4))) + 3 * np.eye(4), RNG.normal(size=(6, 4))
    assert factors.in_units_of(factor, rows, 10) @ factor == approx(rows, rel=1e-12)


def test_compiled_distances_to_centres_equal_plain_ones(source):
    m = source[Moments]
    given = (source.Z, source.starts, m.means, m.mean)
    plain = centres.centre_distances_numpy(*given)
    compiled = [centres.centre_distances_compiled(*given, n_jobs=n_jobs) for n_jobs in (1, 2)]
    for values in (*compiled, distances_of_clusters(*given)):
        for ours, theirs in zip(values, plain, strict=True):
            assert ours == approx(theirs, rel=1e-14)


def test_compiled_gaps_of_centres_equal_plain_ones_but_for_rounding():
    centres_of_four = np.array([[0.0, 3.0], [4.0, 0.0], [4.0, 1e-9], [0.0, 3.0]])
    few, many = (BetweenMeans(centres_of_four, 1e-8, n)(0, 4) for n in (2, 10**6))
    assert few.tolist() == many.tolist()
    assert many == approx(np.array([[0, 5, 5, 0], [5, 0, 0, 5], [5, 0, 0, 5], [0, 5, 5, 0]]), rel=1e-9)
    assert np.count_nonzero(many) == 8


def test_compiled_counts_near_centres_equal_plain_ones(source):
    m = source[Moments]
    for radius in (0.5, 1.0, 2.0):
        given = (source.Z, source.starts, m.means, radius)
        plain = centres.near_counts_numpy(*given)
        for tables in (centres.near_counts_compiled(*given, n_jobs=2), points_near_of_clusters(*given)):
            for ours, theirs in zip(tables, plain, strict=True):
                assert ours.tolist() == theirs.tolist()


@pytest.mark.parametrize("n", [1, 7, 8, 9, 16, 23])
def test_points_side_by_side_and_the_last_ones_take_the_first_of_equally_near_centres_and_no_rim(n):
    Z, starts = np.tile([[0.0, 1.0]], (n, 1)), np.array([0, n, n, n])
    means, mean = np.array([[0.0, 0.5], [3.0, 5.0], [-3.0, -3.0]]), np.array([0.0, 9.0])  # 0.5, 5 and 5 away
    own, nearest, neighbour, sums, away = distances_of_clusters(Z, starts, means, mean)
    assert own.tolist() == [0.5] * n
    assert nearest.tolist() == [5] * n
    assert neighbour.tolist() == [1] * n
    assert sums.tolist() == [[0.5 * n, 5 * n, 5 * n], [0] * 3, [0] * 3]
    assert away == 8 * n
    counts = [points_near_of_clusters(Z, starts, means, radius)[0][0].tolist() for radius in (0.5, 5.0, 5.1)]
    assert counts == [[0, 0, 0], [n, 0, 0], [n, n, n]]


@pytest.mark.parametrize("n", [60, 3 * centres.BLOCK])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_compiled_passes_over_points_equal_plain_ones(n, n_jobs, set_thresholds):
    rng = np.random.default_rng(n)
    labels = rng.permutation(np.resize(LABELS, n))
    rows = np.round(32 * (X[rng.integers(0, 60, n)] + rng.normal(size=(n, 3)))) / 32  # whose sums are exact
    set_thresholds(POINTS=10**9)
    plain = partition(rows, labels)
    expected = plain.order, plain.X, plain.origin, plain.Z, plain[Moments]
    set_thresholds(POINTS=2)
    compiled = partition(rows, labels, n_jobs=n_jobs)
    assert compiled.order.tolist() == expected[0].tolist()
    assert compiled.X.tolist() == expected[1].tolist()
    assert compiled.origin == approx(expected[2], rel=1e-15)
    assert compiled.Z == approx(expected[3], abs=1e-14)
    assert compiled.codes.tolist() == sorted(labels.tolist())
    assert (compiled.starts.tolist(), compiled.sizes.tolist()) == (plain.starts.tolist(), plain.sizes.tolist())
    ours, theirs = compiled[Moments], expected[4]
    for name in ("mean", "offsets", "between_by_dimension"):
        assert getattr(ours, name) == approx(getattr(theirs, name), rel=1e-13, abs=1e-14), name
    assert ours.sizes.tolist() == theirs.sizes.tolist()
    assert ours.means == approx(theirs.means, abs=1e-14)
    assert ours.squares == approx(theirs.squares, rel=1e-13)
    assert ours.reach == approx(theirs.reach, rel=1e-14)


@pytest.mark.parametrize("many", [2, 10**6])
def test_equal_points_far_from_the_origin_are_their_own_mean(many, set_thresholds):
    set_thresholds(POINTS=many)
    same = np.repeat([[1e8 + 0.1, -3e5 / 7]], 3001, axis=0)
    source = partition(same, np.arange(3001) % 3)
    assert source.origin.tolist() == same[0].tolist()
    assert not source[Moments].squares.any()
    assert not source[Moments].means.any()


@pytest.mark.parametrize("block", [7, 4096])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_points_are_placed_in_blocks_as_they_are_at_once(block, n_jobs, set_thresholds):
    order = RNG.permutation(len(X))
    expected = X[order] - X.mean(axis=0)
    set_thresholds(POINTS=2)
    assert points.placed(X, order, X.mean(axis=0), n_jobs, block=block).tolist() == expected.tolist()


def test_blocks_of_points_cover_each_cluster_once():
    limits, clusters = centres.blocks_of(np.array([0, 9, 10, 18]), 4)
    assert limits.tolist() == [[0, 4], [4, 8], [8, 9], [9, 10], [10, 14], [14, 18]]
    assert clusters.tolist() == [0, 0, 0, 1, 2, 2]


@pytest.mark.parametrize(("starts", "blocks"), [([0, 3, 4, 6], [0, 1, 2]), ([0, 0, 3, 8], [1, 2, 2])])
def test_blocks_are_folded_to_clusters_which_may_be_empty(starts, blocks):
    limits, clusters = centres.blocks_of(np.array(starts), 3)
    assert clusters.tolist() == blocks
    assert limits.tolist() == [[lo, min(lo + 3, hi)] for lo, hi in pieces(starts, 3)]
    rows = np.array([[1.0], [2.0], [4.0]])
    folded = [[sum(row for row, block in zip((1.0, 2.0, 4.0), blocks, strict=True) if block == c)] for c in range(3)]
    assert centres.fold(rows, clusters, 3).tolist() == folded


def pieces(starts, longest):
    return [(lo, hi) for begin, hi in pairwise(starts) for lo in range(begin, hi, longest)]


def test_threads_change_no_digit_of_passes_over_points():
    many = 1 + threads.SHARE // 3  # points of three columns that are worth a second thread
    assert threads.worth(2, 3 * many) == 2
    source = partition(RNG.normal(size=(many, 3)), np.arange(many) % 4)
    m, rows = source[Moments], (source.rows_as_read, source.codes_as_read)
    for work in (
        lambda n_jobs: astuple(RowSums.of(*rows, source.sizes, n_jobs, block=1000)),
        lambda n_jobs: (own_centres.sums_to_own(*rows, source.origin, m.means, n_jobs, block=1000),),
        lambda n_jobs: centres.centre_distances_compiled(source.Z, source.starts, m.means, m.mean, n_jobs=n_jobs),
    ):
        assert all(np.array_equal(a, b) for a, b in zip(work(1), work(2), strict=True))


def test_a_small_block_gives_the_same_distances_to_centres(source):
    m = source[Moments]
    given = (source.Z, source.starts, m.means, m.mean)
    whole = centres.centre_distances_compiled(*given, n_jobs=1)
    for ours, theirs in zip(centres.centre_distances_compiled(*given, n_jobs=2, block=5), whole, strict=True):
        assert ours == approx(theirs, rel=1e-14)


def test_no_other_centre_means_infinitely_far():
    radii = partition(X, np.zeros(60, int))[Radii]
    assert np.isinf(radii.nearest).all()
    assert (radii.neighbour == -1).all()


def test_extremes_can_be_asked_for_after_sums():
    sums, extremes = Need(PairSums), Need(PairExtremes)
    source = partition(X, LABELS, plan=Plan(frozenset({sums})))
    assert source[PairSums].sums.shape == (4, 4)
    later = source[PairExtremes]
    first = partition(X, LABELS, plan=Plan(frozenset({sums, extremes})))[PairExtremes]
    for field in ("mins", "maxs", "hausdorff"):
        assert getattr(later, field).tolist() == getattr(first, field).tolist()


def test_a_statistic_is_computed_once(source):
    assert source[Moments] is source[Moments]


def test_more_distances_than_a_block_are_measured_dimension_by_dimension():
    expected = cdist(X, X[:7])
    for cells in (centres.CELLS, 1):
        assert centres.distances_numpy(X, X[:7], cells=cells) == approx(expected, rel=1e-14)


@pytest.mark.parametrize("block", [7, 4096])
def test_the_mean_and_the_range_of_sorted_points_are_theirs_in_blocks_too(block, set_thresholds):
    set_thresholds(POINTS=2)
    for rows in (np.sort(X, axis=0), -np.sort(X, axis=0)):
        columns = row_moments.columns_of(rows, block=block)
        assert columns.means == approx(rows.mean(axis=0), rel=1e-14)
        assert columns.table[1:].tolist() == [[*rows.min(axis=0)], [*rows.max(axis=0)]]
        assert (columns.low, columns.high) == (rows.min(), rows.max())


def test_weights_count_however_many_the_points(source, set_thresholds):
    weights = RNG.integers(1, 4, len(X)).astype(float)
    mass, m = np.add.reduceat(weights, source.starts[:-1]), source[Moments]
    expected = points.deviations_by_cluster_numpy(source.Z, source.starts, mass, weights)
    near = centres.near_counts_numpy(source.Z, source.starts, m.means, 1.0, weights)
    set_thresholds(POINTS=2, CENTRES=2)
    for ours, theirs in zip(
        centres.near_counts(source.Z, source.starts, m.means, 1.0, n_jobs=1, weights=weights), near, strict=True
    ):
        assert np.array_equal(ours, theirs)
    for c in range(4):
        rows = np.repeat(X[LABELS == c], weights[LABELS == c].astype(int), axis=0)
        assert expected[0][c] + source.origin == approx(rows.mean(axis=0), rel=1e-12)


@pytest.mark.parametrize("n", [1, 15, 16, 17, 32, 60])
def test_the_range_of_rows_is_that_of_each_column(n):
    lows, highs = range_of(X[:n])
    assert lows.tolist() == X[:n].min(axis=0).tolist()
    assert highs.tolist() == X[:n].max(axis=0).tolist()


def test_rows_have_shares_unless_a_number_is_below_0_or_none_is_above():
    rows = np.array([[0.0, 1, 3], [0.5, 0.25, 0.25], [2, -1, 3], [0, 0, 0]])
    with np.errstate(all="ignore"):
        assert shares(rows) == approx(
            np.array([[0, 0.25, 0.75], [0.5, 0.25, 0.25], [np.nan] * 3, [np.nan] * 3]), nan_ok=True
        )


def test_points_of_the_only_cluster_have_no_neighbour():
    one = numpy_pass(lambda lo, hi: cdist(X[lo:hi], X), len(X), np.array([0, len(X)]), full=True)
    assert set(one.neighbour.tolist()) == {-1}
    assert set(one.nearest.tolist()) == {np.inf}


def test_what_a_metric_rounds_below_0_is_0():
    D = np.array([[0.0, -1e-17, 0.5], [-1e-17, 0, 2], [0.5, 2, 0]])
    blocks = {}
    over_blocks(lambda lo, hi: D[lo:hi], 3, blocks.__setitem__, n_jobs=1)
    assert np.vstack([blocks[first] for first in sorted(blocks)]).tolist() == [[0, 0, 0.5], [0, 0, 2], [0.5, 2, 0]]


@pytest.mark.parametrize("sizes", [(100, 1, 30), (64, 65)])
def test_diameters_of_clusters_of_any_size_are_their_largest_distances(sizes):
    starts = np.cumsum([0, *sizes])
    clusters = [RNG.normal(size=(size, 3)) for size in sizes]
    ordered = [rows[np.argsort(-np.linalg.norm(rows - rows.mean(axis=0), axis=1))] for rows in clusters]
    radius = np.concatenate([np.linalg.norm(rows - rows.mean(axis=0), axis=1) for rows in ordered])
    expected = [pdist(rows).max(initial=0) for rows in ordered]
    assert diameters_of(np.vstack(ordered), starts, radius) == approx(expected, rel=1e-14)


@pytest.mark.parametrize("n", [20, 300])
def test_points_of_the_only_cluster_have_no_neighbour_by_weight_either(n):
    rows = SortedLabels(np.zeros(n, dtype=np.int64), np.full(n, 2.0))
    one = weighted_pass(RNG.normal(size=(n, 2)), rows, np.array([2.0 * n]), full=False)
    assert set(one.neighbour.tolist()) == {-1}
    assert set(one.nearest.tolist()) == {np.inf}


def test_clusters_without_blocks_are_folded_to_zeros():
    rows = np.array([[1.0, 2], [3, 4]])
    assert centres.fold(rows, np.array([0, 2]), 3).tolist() == [[1, 2], [0, 0], [3, 4]]
    assert centres.fold(rows, np.array([0, 1]), 2).tolist() == [[1, 2], [3, 4]]
    assert centres.fold(rows, np.array([1, 1]), 2).tolist() == [[0, 0], [4, 6]]


def test_one_pass_over_rows_has_means_squares_and_first_rows_of_clusters_that_may_be_empty():
    codes = np.array([2, 0, 2, 2, 0])
    sums = RowSums.of(np.ascontiguousarray(X[:5]), codes, np.array([2, 0, 3]))
    assert sums.firsts.tolist() == [1, -1, 0]
    for c in (0, 2):
        rows = X[:5][codes == c]
        assert sums.means_from(0)[c] == approx(rows.mean(axis=0), rel=1e-14)
        assert sums.squares[c] == approx(((rows - rows.mean(axis=0)) ** 2).sum(axis=0), rel=1e-12)
    assert sums.lows.tolist() == X[:5].min(axis=0).tolist()


def test_roots_of_shares_are_as_far_apart_as_hellinger_says():
    p, q = np.array([0.5, 0.5, 0]), np.array([0.25, 0.25, 0.5])
    rows = root_shares(np.stack([4 * p, 8 * q]))
    expected = np.sqrt(((np.sqrt(p) - np.sqrt(q)) ** 2).sum() / 2)
    assert np.linalg.norm(rows[0] - rows[1]) == approx(expected)


def test_points_of_the_only_cluster_have_no_neighbour_in_compiled_code_either():
    rows = RNG.normal(size=(300, 2))
    one = euclidean_pass(rows, np.array([0, 300]), full=False, n_jobs=1, memory=2**30)
    assert set(one.neighbour.tolist()) == {-1}
    assert set(one.nearest.tolist()) == {np.inf}


def mean_by(metric, a, b):
    """Return the distance of two points by a metric, in loops."""
    steps = [abs(x - y) for x, y in zip(a, b, strict=True)]
    return sum(steps) if metric == "cityblock" else max(steps)


@pytest.mark.parametrize("metric", ["cityblock", "chebyshev"])
def test_distances_to_the_mean_of_all_points_are_those_of_the_definition(metric):
    rng = np.random.default_rng(5)
    points = np.concatenate([rng.normal(size=(9, 2)) + shift for shift in (-6, 0, 6)])
    points -= points.mean(axis=0)
    points[9:18] -= points[9:18].mean(axis=0)  # whose centre is the mean of all points, but for rounding
    points[18:] -= points[:18].sum(axis=0) / 9 + points[18:].mean(axis=0)
    points = np.concatenate([points, points.mean(axis=0)[None]]) + 0.1  # the last point lies there, too
    labels = np.array([*np.repeat([0, 1, 2], 9), 1])
    centres, mean = [points[labels == c].mean(axis=0) for c in range(3)], points.mean(axis=0)
    inside = [sum(mean_by(metric, x, centres[c]) for x in points[labels == c]) for c in range(3)]
    to_mean = sum(mean_by(metric, x, mean) for x in points)
    widest = max(mean_by(metric, a, b) for a in centres for b in centres)
    index = to_mean * widest / (3 * sum(inside))
    assert cv.internal.i_index(points, labels, metric=metric, power=1) == approx(index)
    sizes = np.bincount(labels)
    between = sum(size * mean_by(metric, c, mean) for size, c in zip(sizes, centres, strict=True)) / (28 * 3)
    expected = -np.expm1(-np.exp(between - sum(inside / sizes)))
    assert cv.internal.score_function(points, labels, metric=metric) == approx(expected)
