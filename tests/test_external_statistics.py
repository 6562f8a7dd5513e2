"""Laws of the statistics of two labellings: compiled code equals plain NumPy, parts merge into the whole, exactness."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import naive_external as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.optimize import linear_sum_assignment

from clustval import external
from clustval.compare.agreement import agreement, concordance, contingency
from clustval.compare.matched_clusters import matching
from clustval.declare import KINDS
from clustval.kernels.labels.cells import expected_information
from clustval.kernels.labels.matching import _place_one_by_one
from clustval.passes.labels import cells as backend
from clustval.passes.labels import matching as matching_backend
from clustval.passes.labels.many_labellings import rand_matrix
from clustval.passes.work import thresholds
from clustval.sources.label_pair import LabelPair, label_pair
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.information import ExpectedInformation, expected_information_numpy
from clustval.stats.labels.pair_counts import PairCounts, sum_of_squares
from conftest import examples


@pytest.fixture
def everything_is_long(set_thresholds):
    """Send the shortest vectors through compiled code."""
    set_thresholds(LABELS=1)


def by_hand(*columns):
    counts = {}
    for key in zip(*(c.tolist() for c in columns), strict=True):
        counts[key] = counts.get(key, 0) + 1
    return sorted((*key, count) for key, count in counts.items())


def cells(*columns):
    numbers, counts = backend.tabulate(columns)
    return list(zip(*(v.tolist() for v in numbers), counts.tolist(), strict=True))


RNG = np.random.default_rng(8)
VECTORS = {
    "few labels": [RNG.integers(-1, 4, 5003) for _ in range(3)],
    "many labels": [RNG.integers(0, 3000, 5003) for _ in range(3)],
    "huge labels": [RNG.choice(RNG.integers(-(2**62), 2**62, 7), 5003) for _ in range(3)],
    "all labels different": [RNG.permutation(5003) * 10**9 for _ in range(3)],
    "one label": [np.full(5003, 7), RNG.integers(0, 3, 5003), np.zeros(5003, dtype=np.int64)],
    "sorted labels": [np.sort(RNG.integers(0, 9, 5003)) for _ in range(3)],
    "bytes": [RNG.integers(-100, 100, 5003).astype(np.int8) for _ in range(3)],
    "mixed types": [RNG.integers(0, 4, 5003).astype(t) for t in (np.uint16, np.int32, np.int64)],
    "every second of a longer vector": [RNG.integers(0, 4, 10_006)[::2] for _ in range(3)],
    "foreign byte order": [RNG.integers(0, 4, 5003).astype(">i4") for _ in range(3)],
    **{
        f"strangers {side} that a sample misses": [
            np.where(np.arange(20_003) == at, label, RNG.integers(0, 4, 20_003)) for at in (4097, 9001, 12_001)
        ]
        for side, label in (("above", 5), ("below", -2))
    },
    "a late stranger": [np.append(np.zeros(5002, dtype=np.int64), 50) for _ in range(3)],
}


@pytest.mark.parametrize("ways", [2, 3])
@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.parametrize("compiled", [False, True])
def test_combinations_of_few_points_are_counted_at_once(name, ways, compiled, set_thresholds):
    set_thresholds(whole_numbers_compiled=lambda _: compiled)
    columns = VECTORS[name][:ways]
    assert cells(*columns) == by_hand(*columns)


@pytest.mark.parametrize("ways", [2, 3])
@pytest.mark.parametrize("name", VECTORS)
@pytest.mark.usefixtures("everything_is_long")
def test_compiled_code_counts_the_same(name, ways):
    columns = VECTORS[name][:ways]
    assert cells(*columns) == by_hand(*columns)


def test_counters_are_emptied_before_they_overflow():
    columns = VECTORS["few labels"][:2]
    table = backend._tally(columns, [-1, -1], [5, 5], segment=1000, block=300)
    counts = {(a - 1, b - 1, int(count)) for (a, b), count in np.ndenumerate(table.reshape(5, 5))}
    assert counts == set(by_hand(*columns))


def test_three_columns_of_more_combinations_than_a_word_can_number():
    spans = [2**22, 2**21, 2**21]
    a, b, c = (RNG.integers(0, span, 60)[RNG.integers(0, 60, 5003)] for span in spans)
    positions, counts = backend._sorted([a, b, c], spans)
    assert list(zip(*(v.tolist() for v in positions), counts.tolist(), strict=True)) == by_hand(a, b, c)


@pytest.mark.usefixtures("everything_is_long")
def test_the_number_of_threads_does_not_matter(monkeypatch):
    columns = [RNG.integers(0, 5, 600_000) for _ in range(2)]
    expected = by_hand(*columns)
    for cores in (1, 2, 5):
        monkeypatch.setattr(backend.threads, "available_cores", lambda cores=cores: cores)
        assert cells(*columns) == expected


@pytest.mark.parametrize("name", VECTORS)
def test_every_point_finds_the_values_of_its_combination(name):
    columns = VECTORS[name]
    numbers, counts = backend.tabulate(columns)
    by_key = {key[:3]: key[3] for key in by_hand(*columns)}
    expected = [by_key[key] for key in zip(*(c.tolist() for c in columns), strict=True)]
    for limit in (backend.CELLS, 0):
        found = backend.at_points(columns, numbers, np.stack([counts, -counts]), cells=limit)
        assert found.tolist() == [expected, [-v for v in expected]]


@pytest.mark.large
def test_a_million_different_labels_need_no_table():
    n = 10**6
    truth, labels = RNG.permutation(n), RNG.permutation(n)
    table = contingency(truth, labels)
    assert len(table.counts) == n
    assert table.identical
    assert external.adjusted_rand(truth, labels) == 1
    with pytest.raises(ValueError, match=r"^The table has 1000000 x 1000000 cells, too many to lay out; rows, columns"):
        _ = table.table


@given(st.lists(st.tuples(st.integers(-1, 3), st.sampled_from("abc"), st.booleans()), min_size=2, max_size=30))
def test_tables_of_two_parts_add_up(points):
    for noise in ("cluster", "drop"):
        parts = [([t for t, _, side in points if side == s], [c for _, c, side in points if side == s]) for s in (0, 1)]
        if not all(truth for truth, _ in parts):
            return
        whole = Contingency.part(label_pair([t for t, _, _ in points], [c for _, c, _ in points], noise=noise))
        first, second = (Contingency.part(label_pair(*part, noise=noise)) for part in parts)
        total = first + second
        assert total.row_labels == whole.row_labels
        assert total.column_labels == whole.column_labels
        assert total.table.tolist() == whole.table.tolist()


def test_noise_points_of_two_parts_stay_apart():
    first, second = (label_pair([0, 0, -1], [0, 1, -1], noise="singletons")[Contingency] for _ in range(2))
    total = first + second
    assert (total.n, total.r, total.k) == (6, 3, 4)
    assert list(map(str, total.to_pandas().index)) == ["noise", "noise", "0"]


def test_a_cluster_called_noise_is_not_the_noise():
    table = contingency(["noise", None, "a"], [0, 0, 1])
    assert table.row_labels == ["a", "noise", "noise (missing)"]
    assert table.table.tolist() == [[0, 1], [1, 0], [1, 0]]


def test_a_table_turns_into_an_array_and_into_a_frame():
    table = contingency(["x", "x", "y"], [1, 2, 2])
    assert np.asarray(table).tolist() == [[1, 1], [0, 1]]
    assert np.asarray(table, dtype=float).dtype == float
    frame = table.to_pandas()
    assert frame.loc["x", 2] == 1
    assert table.transposed.table.tolist() == [[1, 0], [1, 1]]


# Exactness: counts that no vector of labels could hold in memory.

ENORMOUS = np.array([[4 * 10**9, 10**9, 3], [7, 2 * 10**9, 10**9], [1, 1, 2 * 10**9 - 12]])


def test_pairs_of_ten_billion_points_are_counted_exactly():
    table = Contingency.of_table(ENORMOUS)
    assert table.n == 10**10
    pairs = LabelPair(table)[PairCounts]
    expected = naive.concordance_of_table([[int(v) for v in row] for row in ENORMOUS.T])
    assert (pairs.yy, pairs.yn, pairs.ny, pairs.nn) == expected
    assert pairs.total == 10**10 * (10**10 - 1) // 2


def root(fraction):
    """Square root of a fraction to 30 digits, as a fraction."""
    scale = 10**30
    return Fraction(math.isqrt(fraction.numerator * scale**2 * fraction.denominator), scale * fraction.denominator)


@pytest.mark.parametrize("scale", [10**5, 10**6, 10**8, 10**10])
def test_products_of_pair_counts_are_exact(scale):
    table = Contingency.of_table(ENORMOUS // (10**10 // scale))
    pair = LabelPair(table)
    p = pair[PairCounts]
    exact = {
        "rand": Fraction(p.yy + p.nn, p.total),
        "jaccard": Fraction(p.yy, p.yy + p.yn + p.ny),
        "fowlkes_mallows": root(Fraction(p.yy**2, p.truth * p.labels)),
        "adjusted_rand": (p.yy - Fraction(p.truth * p.labels, p.total))
        / (Fraction(p.truth + p.labels, 2) - Fraction(p.truth * p.labels, p.total)),
        "phi_without_root": Fraction(p.yy * p.nn - p.yn * p.ny, p.truth * p.labels * (p.nn + p.yn) * (p.nn + p.ny)),
    }
    covariance = p.yy * p.nn - p.yn * p.ny
    exact["hubert"] = root(Fraction(covariance**2, p.truth * p.labels * (p.nn + p.yn) * (p.nn + p.ny)))
    scores = agreement(table, indices=list(exact))
    for name, fraction in exact.items():
        assert scores[name] == approx(float(fraction), rel=4e-16), name


def test_counts_of_pairs_beyond_64_bits_stay_whole(monkeypatch):
    from clustval.compare import agreement as module

    monkeypatch.setattr(module, "pair_in_blocks_or_memory", lambda *_, **__: LabelPair(Contingency.of_table(ENORMOUS)))
    found = concordance([0], [0])
    assert found.dtype == object
    assert sum(found.ravel().tolist()) == 10**10 * (10**10 - 1) // 2


@given(st.lists(st.integers(0, 2**42), max_size=2))
def test_sums_of_squares_are_exact(counts):
    assert sum_of_squares(np.array(counts, dtype=np.int64)) == sum(c * c for c in counts)


# Expected mutual information


def sizes_of(values):
    sizes, times = np.unique(values, return_counts=True)
    return sizes, times


@examples(40)
@given(st.integers(0, 10**6), st.integers(2, 60))
def test_expected_information_follows_its_definition_in_numpy_and_compiled(seed, n):
    rng = np.random.default_rng(seed)
    truth, labels = rng.integers(0, rng.integers(1, 9), n).tolist(), rng.integers(0, rng.integers(1, 9), n).tolist()
    defined = naive.expected_mutual_info(truth, labels)
    a, b = (sizes_of([v.count(x) for x in set(v)]) for v in (truth, labels))
    assert expected_information_numpy(*a, *b, n) == approx(defined, rel=1e-12, abs=1e-14)
    (x, times_x), (y, times_y) = a, b
    compiled = expected_information(x.astype(float), times_x, y.astype(float), times_y, float(n))
    assert compiled == approx(defined, rel=1e-12, abs=1e-14)


@pytest.mark.parametrize(
    ("n", "sizes", "others"),
    [
        pytest.param(3000, (1200, 1000, 800), (2500, 400, 100), marks=pytest.mark.large),
        (900, (899, 1), (450,) * 2),
    ],
)
def test_expected_information_is_exact_to_twelve_digits(n, sizes, others):
    from decimal import Decimal, getcontext

    getcontext().prec = 40
    exact = Decimal(0)
    for a, b in itertools.product(sizes, others):
        for x in range(max(1, a + b - n), min(a, b) + 1):
            ways = Decimal(math.comb(b, x) * math.comb(n - b, a - x)) / Decimal(math.comb(n, a))
            exact += ways * x / n * (Decimal(n * x) / Decimal(a * b)).ln()
    a, b = sizes_of(sizes), sizes_of(others)
    compiled = expected_information(a[0].astype(float), a[1], b[0].astype(float), b[1], float(n))
    assert compiled == approx(float(exact), rel=1e-13)
    assert expected_information_numpy(*a, *b, n) == approx(float(exact), rel=1e-12)


def test_many_points_take_the_compiled_walk_and_few_do_not(monkeypatch):
    from clustval.kernels.labels import cells as kernels

    monkeypatch.setattr(kernels, "expected_information", lambda *_: 0.25)
    labels = np.arange(2000) % 3
    assert label_pair(labels, labels // 2)[ExpectedInformation].shared == 0.25
    few = labels[: thresholds.SIZES]
    assert label_pair(few, few // 2)[ExpectedInformation].shared != 0.25


# Matchings


def weight_of(rows, columns, weights, shape, **cut):
    chosen = matching_backend.heaviest_matching(rows, columns, weights, shape, **cut)
    assert len(set(rows[chosen])) == len(set(columns[chosen])) == len(chosen)
    return weights[chosen].sum()


@examples(150)
@given(st.integers(0, 10**6))
def test_both_ways_of_matching_find_the_heaviest(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 9, 2))
    table = rng.integers(0, rng.integers(2, 9), shape) * (rng.random(shape) < rng.random())
    table = table * rng.random(shape) if seed % 2 else table.astype(float)
    rows, columns = np.nonzero(table)
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    assert weight_of(rows, columns, table[rows, columns], shape) == approx(best, rel=1e-12)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching_backend, "LAID_OUT", 0)
        assert weight_of(rows, columns, table[rows, columns], shape) == approx(best, rel=1e-12)


@examples(100)
@given(st.integers(0, 10**6))
def test_rows_placed_one_by_one_find_the_heaviest_matching_too(seed):
    rng = np.random.default_rng(seed)
    shape = tuple(rng.integers(1, 30, 2))
    table = rng.integers(0, rng.integers(2, 9), shape) * (rng.random(shape) < rng.random())
    table = table * rng.random(shape) if seed % 2 else table.astype(float)
    rows, columns = np.nonzero(table)
    starts = np.searchsorted(rows, np.arange(shape[0] + 1))
    column_of, row_of = np.full(shape[0], -1), np.full(shape[1], -1)
    row_price, column_price = -table.max(axis=1), np.zeros(shape[1])
    _place_one_by_one(
        np.arange(shape[0]), starts, columns, table[rows, columns], column_of, row_of, row_price, column_price
    )
    placed = np.flatnonzero(column_of >= 0)
    assert np.array_equal(row_of[column_of[placed]], placed)
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    assert table[placed, column_of[placed]].sum() == approx(best, rel=1e-12)
    assert -(row_price.sum() + column_price.sum()) == approx(best, rel=1e-12)  # prices prove it


def test_many_rows_that_want_the_same_columns_are_matched():
    rng = np.random.default_rng(5)
    table = rng.random((300, 290))
    table[rng.random(table.shape) < 0.9] = 0
    rows, columns = np.nonzero(table)
    best = table[linear_sum_assignment(table, maximize=True)].sum()
    assert weight_of(rows, columns, table[rows, columns], table.shape, laid_out=0) == approx(best, rel=1e-12)


def test_a_hundred_thousand_clusters_are_matched_without_a_table():
    k = 10**5
    truth = np.repeat(np.arange(k), 3)
    labels = RNG.permutation(k)[truth]
    moved = RNG.choice(len(truth), 1000, replace=False)
    labels[moved] = RNG.integers(0, k, 1000)
    found = external.accuracy(truth, labels)
    assert 0.996 < found < 0.998
    assert external.pair_sets_index(truth, labels) > 0.99


def test_clusters_left_over_match_nothing():
    found = matching([0, 0, 1, 1, 2], ["a", "a", "b", "b", "b"])
    assert found.accuracy == 4 / 5
    assert found.classes == {"a": 0, "b": 1}
    assert found.shared == {"a": 2, "b": 2}
    assert found.precision == {"a": 1.0, "b": 2 / 3}
    assert found.recall == {0: 1.0, 1: 1.0, 2: 0.0}
    assert str(found).splitlines() == [
        "0.8 of the points are in the cluster matched with their class",
        "a -> 0: 2 points, precision 1, recall 1",
        "b -> 1: 2 points, precision 0.667, recall 1",
    ]


def test_indices_need_what_their_formulas_name():
    assert KINDS["external"].indices["accuracy"].statistics[0] is Contingency
    pair = label_pair([0, 0, 1], [0, 1, 1])
    assert pair[PairCounts] is pair[PairCounts]


@pytest.mark.parametrize(("index", "options", "expected"), [
    ("purity", {}, [1 / 2, 1, 1]),
    ("bcubed_precision", {}, [1 / 2, 1, 1]),  # 1/4 + 1/4
    ("accuracy", {}, [1 / 2, 1, 1]),  # named after the second class, the first and the third
    ("conditional_entropy", {"base": 2}, [1, 0, 0]),  # one bit
    ("conditional_entropy", {"base": 4}, [1 / 2, 0, 0]),
])  # fmt: skip
def test_values_of_clusters_are_those_that_arithmetic_gives(index, options, expected):
    truth, labels = [1, 1, 1, 2, 2, 3, 3], ["a", "a", "b", "a", "a", "c", "c"]  # two of each of two classes; one; two
    values = agreement(truth, labels, {index: options}).per_cluster(index)
    assert list(values) == ["a", "b", "c"]
    assert list(values.values()) == approx(expected)


@pytest.mark.parametrize("n", [6, 300])
def test_the_agreement_of_every_two_labellings_is_their_adjusted_rand_index(n):
    codes = np.random.default_rng(n).integers(0, 3, (5, n))
    codes[3], codes[4] = 0, 0
    for n_jobs in (1, 2):
        expected = [[external.adjusted_rand(a, b) for b in codes] for a in codes]
        assert rand_matrix(codes, n_jobs=n_jobs) == approx(np.array(expected), abs=1e-14)


def test_keys_that_just_exceed_a_word_are_numbered_in_two_steps():
    spans = [3 * 2**20, 2**20, 2**22]  # 1.5 times 2**63 in all
    triples = [(0, 0, 0), (5, 7, 9), tuple(span - 1 for span in spans), (3 * 2**20 - 1, 0, 1)]
    codes = [np.array(column) for column in zip(*triples, *triples[1:2], strict=True)]
    positions, counts = backend._sorted(codes, spans)
    found = dict(zip(zip(*(p.tolist() for p in positions), strict=True), counts.tolist(), strict=True))
    assert found == {triple: 1 + (triple == triples[1]) for triple in triples}


@pytest.mark.parametrize(("heavy", "whole"), [(2.0**51, True), (2.0**52, False)])
def test_whole_weights_have_whole_sums_as_long_as_these_are_exact(heavy, whole):
    numbers, sums = backend.weigh([np.array([0, 1, 1, 2])], np.array([heavy, heavy, 1, 0]))
    assert [n.tolist() for n in numbers] == [[0, 1]]
    assert sums.tolist() == [heavy, heavy + 1]
    assert (sums.dtype.kind == "i") == whole


FEW_LABELS = {
    "from 0 on": (0, 1),
    "with gaps": (3, 7),
    "one of them noise": (-1, 1),
    "below 0": (-9, 2),
    "far apart": (-(2**62), 2**60),
}


@pytest.mark.parametrize("kinds", list(itertools.product(FEW_LABELS, repeat=2)))
def test_labels_of_few_points_are_counted_by_one_call_as_lists_of_them_are(kinds):
    first, step = zip(*(FEW_LABELS[kind] for kind in kinds), strict=True)
    rng = np.random.default_rng(0)
    both = [low + by * rng.integers(0, size, 200) for low, by, size in zip(first, step, (6, 4), strict=True)]
    both[0][:50] = both[0][0]  # a run of one label
    few, lists = label_pair(*both), label_pair(*(labels.tolist() for labels in both))
    assert few.uncounted
    assert not lists.uncounted
    assert few[PairCounts] == lists[PairCounts]
    table, other = few[Contingency], lists[Contingency]
    assert (table.rows, table.columns, table.counts) == (
        approx(other.rows),
        approx(other.columns),
        approx(other.counts),
    )
    assert (table.row_labels, table.column_labels) == (other.row_labels, other.column_labels)
    assert few[PairCounts] == PairCounts.derived(table)
    assert agreement(*both, indices="all").to_dict() == approx(
        agreement(*(labels.tolist() for labels in both), indices="all").to_dict(), rel=1e-13, nan_ok=True
    )


@pytest.mark.parametrize("noise", ["drop", "singletons", "error"])
def test_labels_of_few_points_from_which_noise_is_told_apart_are_looked_at_first(noise):
    labels = np.arange(100) % 5
    assert not label_pair(labels, labels, noise=noise).uncounted
    assert not label_pair(labels, labels, sample_weight=np.ones(100)).uncounted
    assert not label_pair(labels, labels.astype(str)).uncounted
