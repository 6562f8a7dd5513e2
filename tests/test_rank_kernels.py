"""Rank statistics of all pairs: kernels against plain NumPy, NumPy against loops, and all ways of cutting the work."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from math import comb, fsum, inf, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from clustval.kernels.ranks import rank_lines as ranks_lines
from clustval.kernels.ranks.rank_streams import count_cells, load_distances
from clustval.passes.ranks import rank_pairs as ranks
from clustval.passes.ranks.rank_concordance import ComparisonCuts, Worker, compiled_concordance
from clustval.passes.ranks.rank_extremes import SumCuts, bits_of, compiled_extreme_sums, rounded, units
from clustval.passes.ranks.rank_pairs_numpy import concordance_numpy, euclidean_rows, extreme_sums_numpy
from clustval.passes.ranks.rank_source import DistanceSource
from conftest import examples

AMPLE = {"n_jobs": 2, "memory": 1 << 30}
SCARCE = {"n_jobs": 2, "memory": 1}


def from_matrix(D):
    return lambda lo, hi: D[lo:hi]


def plain(X, starts):
    return concordance_numpy(euclidean_rows(X), len(X), starts)


def plain_sums(X, count):
    return extreme_sums_numpy(euclidean_rows(X), len(X), count)


def distance(x, y):
    """Add squares one dimension after the other, as scipy does."""
    square = 0.0
    for a, b in zip(x.tolist(), y.tolist(), strict=True):
        square += (a - b) * (a - b)
    return sqrt(square)


def brute(X, starts):
    """Compare all pairs of pairs, by the definition."""
    labels = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    within, between = [], []
    for i, j in combinations(range(len(X)), 2):
        (within if labels[i] == labels[j] else between).append(distance(X[i], X[j]))
    signs = [(b > w) - (b < w) for w in within for b in between]
    return signs.count(1), signs.count(-1), signs.count(0)


def in_clusters(X, k, seed=0):
    """Starts of k clusters of unequal size, none empty."""
    cuts = np.random.default_rng(seed).choice(np.arange(1, len(X)), k - 1, replace=False)
    return np.concatenate([[0], np.sort(cuts), [len(X)]])


def lattice(n, p, side, seed=0):
    return np.random.default_rng(seed).integers(0, side, (n, p)).astype(float)


def normal(n, p, seed=0):
    return np.random.default_rng(seed).normal(size=(n, p))


def with_outlier(X):
    return np.vstack([X, np.full(X.shape[1], 1e200)])


DATA = {
    "normal": normal(300, 3),
    "one dimension": normal(200, 1),
    "lattice": lattice(300, 2, 6),
    "coarse lattice": lattice(300, 3, 2),
    "duplicates": np.repeat(normal(60, 4), 5, axis=0),
    "all points equal": np.ones((150, 2)),
    "two places": np.repeat([[0.0], [1.0]], 100, axis=0),
    "tiny": normal(150, 2) * 1e-320,
    "squares vanish": normal(150, 2) * 1e-170,
    "huge": normal(150, 2) * 1e150,
    "squares overflow": normal(150, 2) * 1e160,
    "all but one in the lowest cell": with_outlier(normal(200, 2)),
    "growing by powers": 2.0 ** np.arange(-500, 500, 5)[:, None],
    "near a lattice": lattice(300, 2, 5) + 1e-12 * normal(300, 2),
    "seven dimensions": normal(200, 7),
}
data = pytest.mark.parametrize("X", DATA.values(), ids=DATA.keys())


@st.composite
def clusterings(draw, most=30):
    """A few points in one to five dimensions, on a coarse lattice or not, and clusters of them."""
    n, p = draw(st.integers(2, most)), draw(st.integers(1, 5))
    coordinate = draw(st.sampled_from([st.integers(0, 2), st.integers(-9, 9), st.floats(-1e3, 1e3, width=32)]))
    X = np.array(draw(st.lists(st.lists(coordinate, min_size=p, max_size=p), min_size=n, max_size=n)), dtype=float)
    cuts = draw(st.sets(st.integers(1, n - 1)))
    return X, np.array([0, *sorted(cuts), n])


@given(clusterings(most=9))
@examples(60)
def test_numpy_counts_what_loops_count(case):
    X, starts = case
    assert plain(X, starts) == brute(X, starts)


@given(clusterings(most=12), st.data())
@examples(60)
def test_numpy_sums_what_loops_sum(case, choices):
    X, _ = case
    distances = sorted(distance(x, y) for x, y in combinations(X, 2))
    count = choices.draw(st.integers(0, len(distances)))
    assert plain_sums(X, count) == (fsum(distances[:count]), fsum(distances[len(distances) - count :]))


@given(clusterings())
@examples(60)
def test_kernels_count_what_numpy_counts(case):
    X, starts = case
    assert compiled_concordance(DistanceSource.of(X), starts, **AMPLE) == plain(X, starts)


@given(clusterings(), st.data())
@examples(60)
def test_kernels_sum_what_numpy_sums(case, choices):
    X, _ = case
    count = choices.draw(st.integers(0, comb(len(X), 2)))
    assert compiled_extreme_sums(DistanceSource.of(X), count, **AMPLE) == plain_sums(X, count)


@pytest.mark.parametrize("p", [1, 2, 3, 4, 5, 8, 9, 17])
def test_distances_have_the_bits_of_scipy(p):
    X = normal(300, p) * 1e3
    expected = squareform(pdist(X))
    assert np.array_equal(euclidean_rows(X)(0, 300), expected)
    found = np.empty(300)
    for i in range(300):
        load_distances(DistanceSource.of(X).columns, np.zeros((1, 1)), i, 0, 0, 300, found)
        assert np.array_equal(found, expected[i])


@data
@pytest.mark.parametrize("k", [2, 5, 40])
def test_counts_are_exact_on_all_kinds_of_data(X, k):
    starts = in_clusters(X, k)
    assert compiled_concordance(DistanceSource.of(X), starts, **AMPLE) == plain(X, starts)


@data
def test_sums_are_exact_on_all_kinds_of_data(X):
    pairs = comb(len(X), 2)
    for count in (1, pairs // 9, pairs // 2, pairs - 2):
        assert compiled_extreme_sums(DistanceSource.of(X), count, **AMPLE) == plain_sums(X, count)


@data
def test_no_memory_is_too_small_to_count(X):
    starts = in_clusters(X, 5)
    found = compiled_concordance(DistanceSource.of(X), starts, **SCARCE, cuts=ComparisonCuts(least=100))
    assert found == plain(X, starts)


@data
def test_no_memory_is_too_small_to_sum(X):
    pairs = comb(len(X), 2)
    for count in (1, pairs // 9, pairs // 2):
        found = compiled_extreme_sums(DistanceSource.of(X), count, **SCARCE, cuts=SumCuts(least=10))
        assert found == plain_sums(X, count)


@pytest.mark.large
@pytest.mark.parametrize("X", [normal(3000, 4), lattice(3000, 3, 9)], ids=["normal", "lattice"])
def test_thousands_of_points_agree_with_scipy(X):
    starts = in_clusters(X, 7)
    labels = np.repeat(np.arange(7), np.diff(starts))
    distances = pdist(X)
    i, j = np.triu_indices(len(X), 1)
    within, between = distances[labels[i] == labels[j]], np.sort(distances[labels[i] != labels[j]])
    minus = int(np.searchsorted(between, within, "left").sum())
    ties = int(np.searchsorted(between, within, "right").sum()) - minus
    assert ranks.concordance(X, starts, **AMPLE) == (len(within) * len(between) - minus - ties, minus, ties)
    distances.sort()
    count = len(within)
    assert ranks.extreme_sums(X, count, **AMPLE) == (fsum(distances[:count]), fsum(distances[-count:]))


@pytest.mark.large
@pytest.mark.parametrize("X", [normal(1500, 3), lattice(1500, 2, 7)], ids=["normal", "lattice"])
def test_neither_threads_nor_memory_change_anything(X):
    starts = in_clusters(X, 3)
    counts, sums = plain(X, starts), plain_sums(X, 300_000)
    for n_jobs in (1, 2, 7):
        for memory in (1 << 30, 1 << 22):
            options = {"n_jobs": n_jobs, "memory": memory}
            assert ranks.concordance(X, starts, **options) == counts
            assert ranks.extreme_sums(X, 300_000, **options) == sums


@pytest.mark.parametrize("metric", ["cityblock", "chebyshev"])
def test_rows_of_any_metric_give_the_same_as_numpy(metric):
    X = lattice(1200, 3, 8)
    rows, starts = from_matrix(squareform(pdist(X, metric))), in_clusters(X, 4)
    assert ranks.concordance_rows(rows, 1200, starts, **AMPLE) == concordance_numpy(rows, 1200, starts)
    assert ranks.extreme_sums_rows(rows, 1200, 9999, **AMPLE) == extreme_sums_numpy(rows, 1200, 9999)


def test_rows_of_euclidean_distances_give_the_same_as_coordinates():
    X, starts = normal(1300, 3), in_clusters(normal(1300, 3), 6)
    rows = euclidean_rows(X)
    assert ranks.concordance_rows(rows, 1300, starts, **AMPLE) == ranks.concordance(X, starts, **AMPLE)
    assert ranks.extreme_sums_rows(rows, 1300, 5000, **AMPLE) == ranks.extreme_sums(X, 5000, **AMPLE)


def test_rows_that_cannot_be_written_are_not_compiled_for_apart():
    D = squareform(pdist(normal(100, 2)))
    D.flags.writeable = False
    starts = np.array([0, 30, 100])
    source = DistanceSource.of_rows(from_matrix(D), 100)
    assert compiled_concordance(source, starts, **AMPLE) == concordance_numpy(from_matrix(D), 100, starts)
    assert len(count_cells.signatures) == 1


@pytest.mark.parametrize("options", [AMPLE, SCARCE], ids=["ample", "scarce"])
def test_rows_need_no_triangle_inequality(options):
    D = np.exp(20 * normal(200, 200))
    D = np.minimum(D, D.T)
    np.fill_diagonal(D, 0)
    D[0] = D[:, 0] = 1e-9 * D[0]
    D[1, 2] = D[2, 1] = -1e-17  # rounding
    rows, starts = from_matrix(D), in_clusters(D, 3)
    source = DistanceSource.of_rows(rows, 200)
    counts = compiled_concordance(source, starts, **options, cuts=ComparisonCuts(least=100))
    assert counts == concordance_numpy(rows, 200, starts)
    sums = compiled_extreme_sums(source, 7000, **options, cuts=SumCuts(least=10))
    assert sums == extreme_sums_numpy(rows, 200, 7000)


def test_distances_that_are_not_equal_but_have_one_of_them_as_mean_are_summed():
    values = 1 + np.array([0, 1, 2]) * 2.0**-52
    D = squareform(np.resize(values, comb(40, 2)))
    rows = from_matrix(D)
    for count in (100, 300, 600):
        found = compiled_extreme_sums(DistanceSource.of_rows(rows, 40), count, **SCARCE, cuts=SumCuts(least=10))
        assert found == extreme_sums_numpy(rows, 40, count)


@given(st.integers(0, 2**32), st.integers(1, 5), st.sampled_from([1, 9, 1000]), st.integers(1, 300))
@examples(100)
def test_bins_of_any_shape_are_searched_exactly(seed, power, copies, count):
    rng = np.random.default_rng(seed)
    values = np.sort((2.0**20 * rng.random(count) ** power).astype(np.int64) + rng.choice([0, 2**62]))
    values = np.sort(np.append(values, np.repeat(values[: count // 3], copies)))
    queue = np.concatenate([rng.choice(values, 200), rng.choice(values, 200) + rng.integers(-9, 9, 200)])
    queue = np.append(np.maximum(queue, 0), [0, 2**63 - 2**52])
    less, upto = np.searchsorted(values, queue, "left"), np.searchsorted(values, queue, "right")

    about = np.zeros(ranks_lines.FIELDS, np.int64)
    about[ranks_lines.DISTINCT] = len(values)
    about[ranks_lines.PARTS] = -(-len(values) // 16)
    lines = np.empty((about[ranks_lines.PARTS] + 1) * ranks_lines.LANES, np.uint16)
    worker = Worker(8)
    ranks_lines.index_bin(values, lines, about)
    ranks_lines.look_up(queue, len(queue), values, lines, about, worker.totals)
    assert worker.sums() == (less.sum(), (upto - less).sum())


def test_the_smaller_side_is_stored_whichever_it_is():
    X = normal(400, 2)
    for starts in (np.array([0, 395, 400]), np.array([0, 2, 4, 6, *range(8, 401)])):
        assert compiled_concordance(DistanceSource.of(X), starts, **AMPLE) == plain(X, starts)


@pytest.mark.parametrize("n", [2, 50, 1200])
def test_one_cluster_and_singletons_leave_nothing_to_compare(n):
    X = normal(n, 2)
    for starts in (np.array([0, n]), np.arange(n + 1)):
        assert ranks.concordance(X, starts, **AMPLE) == (0, 0, 0)
        assert compiled_concordance(DistanceSource.of(X), starts, **AMPLE) == (0, 0, 0)


@pytest.mark.parametrize("n", [2, 50, 1200])
def test_none_and_all_of_the_distances_can_be_summed(n):
    X = normal(n, 2)
    everything = fsum(pdist(X))
    for sums in (
        ranks.extreme_sums,
        lambda X, *rest, **options: compiled_extreme_sums(DistanceSource.of(X), *rest, **options),
    ):
        assert sums(X, 0, **AMPLE) == (0, 0)
        assert sums(X, comb(n, 2), **AMPLE) == (everything, everything)


def test_sums_beyond_all_floats_are_infinite():
    X = np.array([[-1.7e308], [0.0], [1.7e308]])
    assert plain_sums(X, 2) == compiled_extreme_sums(DistanceSource.of(X), 2, **AMPLE) == (inf, inf)
    Y = np.array([[1e308], [0.0], [1e308]])
    rows = from_matrix(np.abs(Y - Y.T))
    assert extreme_sums_numpy(rows, 3, 2) == (1e308, inf)
    assert compiled_extreme_sums(DistanceSource.of_rows(rows, 3), 2, **AMPLE) == (1e308, inf)


@given(st.floats(0, inf))
def test_distances_become_whole_numbers_and_back(x):
    bits = int(np.float64(x).view(np.int64))
    assert rounded(units(bits, 1)) == x
    assert bits_of(units(bits, 1)) == bits


def test_counts_pass_64_bits():
    store = np.array([5, 0, 1 << 40])  # one value, with as many pairs before it and up to it
    about = np.zeros(ranks_lines.FIELDS, np.int64)
    about[[ranks_lines.DISTINCT, ranks_lines.PARTS, ranks_lines.TIED]] = 1
    lines = np.empty(2 * ranks_lines.LANES, np.uint16)
    ranks_lines.write_lines(store[:1], lines, about)
    worker = Worker(8)
    queue = np.concatenate([np.full(6000, 5), np.full(4000, 6), np.full(2000, 4)])
    for _ in range(4096):
        ranks_lines.look_up(queue, len(queue), store, lines, about, worker.totals)
    assert worker.sums() == (4000 << 52, 6000 << 52)


def test_every_finished_item_is_told():
    X, starts, told = normal(1500, 2), in_clusters(normal(1500, 2), 3), []
    ranks.concordance(X, starts, **AMPLE, done=told.append)
    assert told
    told.clear()
    ranks.extreme_sums(X, 1000, **AMPLE, done=told.append)
    assert told


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
@pytest.mark.parametrize("n", [100, 1500])
def test_errors_in_rows_reach_the_caller(n, error):
    def rows(_lo, hi):
        if hi > n // 2:
            raise error
        return np.ones((hi - _lo, n))

    with pytest.raises(error):
        ranks.concordance_rows(rows, n, np.array([0, n // 3, n]), **AMPLE)
    with pytest.raises(error):
        ranks.extreme_sums_rows(rows, n, 10, **AMPLE)


def test_few_points_load_no_compiler():
    code = """
import sys, numpy as np
from clustval.passes.ranks.rank_pairs import concordance, extreme_sums
from clustval.passes.work.thresholds import RANKS as n
X = np.arange(2.0 * n).reshape(n, 2)
concordance(X, np.array([0, 300, n]), n_jobs=2, memory=1 << 30)
extreme_sums(X, 99, n_jobs=2, memory=1 << 30)
assert not {"numba", "scipy"} & set(sys.modules), "loaded"
"""
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True)


def test_a_known_case_by_hand():
    # Points 0, 1 and 3, 7: within 1 and 4; between 3, 7, 2, 6.
    X, starts = np.array([[0.0], [1.0], [3.0], [7.0]]), np.array([0, 2, 4])
    for counts in (plain(X, starts), compiled_concordance(DistanceSource.of(X), starts, **AMPLE)):
        assert counts == (6, 2, 0)
    assert compiled_extreme_sums(DistanceSource.of(X), 2, **AMPLE) == plain_sums(X, 2) == (3, 13)


@pytest.mark.parametrize("apart", [2.0**-52, 2.0**-40, 2.0**-13])
def test_two_values_that_share_a_cell_are_told_apart(apart):
    D = squareform(np.random.default_rng(0).choice([1, 1 + apart], comb(60, 2)))
    rows, starts = from_matrix(D), np.array([0, 20, 40, 60])
    source = DistanceSource.of_rows(rows, 60)
    found = compiled_concordance(source, starts, **SCARCE, cuts=ComparisonCuts(least=10))
    assert found == concordance_numpy(rows, 60, starts)


def test_distances_of_0_add_nothing_at_all():
    X = np.array([[0.0], [0], [0], [5]])
    assert compiled_extreme_sums(DistanceSource.of(X), 3, **AMPLE) == (0, 15)
    assert compiled_extreme_sums(DistanceSource.of(X), 2, **AMPLE) == (0, 10)


@pytest.mark.parametrize("exponent", [-1074, -1073, -1023, -1022, -1021, 0, 3])
def test_powers_of_two_are_so_many_units(exponent):
    bits = int(np.float64(2.0**exponent).view(np.int64))
    assert units(bits, 3) == 3 * 2 ** (1074 + exponent)


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("X", [normal(90, 2), lattice(90, 2, 4)], ids=["normal", "lattice"])
def test_many_small_pieces_of_work_make_up_the_whole(X, n_jobs):
    starts, options = in_clusters(X, 4), {"n_jobs": n_jobs, "memory": 1 << 30}
    small = ComparisonCuts(item=100, share=100)
    assert compiled_concordance(DistanceSource.of(X), starts, **options, cuts=small) == plain(X, starts)
    for count in (1, 700, 3000):
        found = compiled_extreme_sums(DistanceSource.of(X), count, **options, cuts=SumCuts(item=100, kept_item=100))
        assert found == plain_sums(X, count)


@pytest.mark.parametrize("options", [AMPLE, SCARCE], ids=["ample", "scarce"])
@pytest.mark.parametrize("apart", [2.0**-52, 2.0**-40])
def test_distances_at_the_limit_of_a_cell_belong_to_it(apart, options):
    D = squareform(np.random.default_rng(0).choice([1, 1 + apart, 1 + 2 * apart], comb(40, 2)))
    for count in (1, 100, 300, 600):
        found = compiled_extreme_sums(DistanceSource.of_rows(from_matrix(D), 40), count, **options)
        assert found == extreme_sums_numpy(from_matrix(D), 40, count)
