"""Two algorithms against the truth: the matrix of the paper, its measures, tests, intervals and points."""

from __future__ import annotations

import math

import naive_external as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.stats import kurtosis, t

from clustval import external
from clustval.compare.measures import MEASURES
from clustval.compare.prayatul import pair_counts, prayatul
from clustval.compare.prayatul_table import prayatul_table
from clustval.compare.resampling import resampled_counts
from clustval.errors import InputError
from conftest import examples


@st.composite
def three(draw):
    n = draw(st.integers(1, 14))
    one = st.lists(st.integers(0, draw(st.integers(0, 4))), min_size=n, max_size=n)
    return [draw(one) for _ in range(3)]


def equal(found, defined):
    return found == approx(defined, rel=1e-13, nan_ok=True)


@examples(200)
@given(three())
def test_the_matrix_is_that_of_the_algorithm_of_the_paper(labels):
    found = prayatul(*labels)
    matrix = naive.prayatul(*labels)
    assert found.matrix.tolist() == matrix
    assert found.matrix.dtype == np.int64
    for name, measure in naive.PRAYATUL.items():
        assert equal(found.measures[name], measure(matrix)), name
    assert set(found.reasons) == {name for name, value in found.measures.items() if math.isnan(value)}


@examples(200)
@given(three())
def test_points_carry_the_pairs_that_the_paper_would_count(labels):
    found = prayatul(*labels)
    points = found.points
    assert points.only_primary.tolist() == naive.only_primary_right(*labels)
    assert points.only_alternative.tolist() == naive.only_alternative_right(*labels)
    assert points.only_primary.sum() == 2 * found.matrix[0, 1]
    assert points.only_alternative.sum() == 2 * found.matrix[1, 0]


@given(three())
def test_exchanging_the_algorithms_transposes_the_matrix(labels):
    truth, primary, alternative = labels
    found = prayatul(*labels).swapped
    assert found.matrix.tolist() == prayatul(truth, alternative, primary).matrix.tolist()
    assert found.points.only_primary.tolist() == naive.only_primary_right(truth, alternative, primary)


def test_the_difference_of_rand_indices_is_that_of_the_pairs():
    rng = np.random.default_rng(0)
    truth, p, q = rng.integers(0, 4, (3, 500))
    p[:300] = truth[:300]
    (br, rw), (wr, bw) = prayatul(truth, p, q).matrix.tolist()
    total = 500 * 499 // 2
    assert br + rw + wr + bw == total
    assert (br + rw) / total == external.rand(truth, p)
    assert (rw - wr) / total == approx(external.rand(truth, p) - external.rand(truth, q))


# BIRCH against the others, in pairs: numbers printed in the paper (Fig. 3) and their measures (Table I).
PRINTED = {
    (282661, 282570, 279089, 279930): (0.0062, 0.2538, 0.6695, 0.3389, 0.2545),
    (565231, 0, 559019, 0): (-1, 0.5028, 0.5028, 0.0055, 0.0055),
    (799881, 127894, 36445, 160030): (0.5565, 0.6829, 0.9622, 0.9244, 0.7928),
    (887807, 10952, 224034, 1457): (-0.9068, 0.7981, 0.8005, 0.6009, 0.6002),
    (892168, 6591, 211503, 13988): (-0.9396, 0.7869, 0.8095, 0.6190, 0.6113),
}


@pytest.mark.parametrize("counts", PRINTED)
def test_measures_of_the_printed_matrices_are_those_printed(counts):
    for measure, printed in zip(MEASURES.values(), PRINTED[counts], strict=True):
        assert measure(*counts) == approx(printed, abs=1.01e-4)  # some cells are cut off instead of rounded


def test_algorithms_that_never_disagree_do_not_deviate():
    found = prayatul([0, 0, 1, 1], [0, 0, 1, 1], [1, 1, 0, 0])
    assert found.matrix.tolist() == [[6, 0], [0, 0]]
    assert found.measures == {
        "comparative_deviation": 0.0,
        "polarization": 1.0,
        "comparative_rightness": 1.0,
        "effective_rightness": 1.0,
        "effective_superiority": 1.0,
    }


def test_measures_without_a_value_say_why():
    found = prayatul([0], [0], [0])
    assert found.measures["comparative_deviation"] == 0
    assert found.reasons == {
        name: "fewer than two points form no pair" for name in MEASURES if name != "comparative_deviation"
    }
    wrong = prayatul([0, 1], [0, 0], [5, 5])
    assert wrong.matrix.tolist() == [[0, 0], [0, 1]]
    reason = "both algorithms are wrong on every pair"
    assert wrong.reasons == {"comparative_rightness": reason, "effective_rightness": reason}
    assert wrong.measures["polarization"] == -1


def test_noise_is_treated_as_the_policy_says():
    truth, p, q = [0, 0, 0, 1, 1, 1], [0, 0, -1, 1, -1, 1], [0, 0, 0, -1, 1, 1]
    cluster = prayatul(truth, p, q)
    assert cluster.matrix.tolist() == naive.prayatul(truth, p, q)
    apart = prayatul(truth, p, q, noise="singletons")
    assert apart.matrix.tolist() == naive.prayatul(truth, [0, 0, 7, 1, 8, 1], [0, 0, 0, 9, 1, 1])
    assert apart.points.only_alternative.tolist() == naive.only_alternative_right(
        truth, [0, 0, 7, 1, 8, 1], [0, 0, 0, 9, 1, 1]
    )
    kept = [0, 1, 3, 5]
    truth, p, q = [0, 0, 0, 1, 1, 1], [0, 1, -1, 1, -1, 1], [0, 0, 0, 1, 1, 0]
    dropped = prayatul(truth, p, q, noise="drop")
    left = [[v[i] for i in kept] for v in (truth, p, q)]
    assert dropped.matrix.tolist() == naive.prayatul(*left)
    assert dropped.points.only_primary[kept].tolist() == naive.only_primary_right(*left)
    assert dropped.points.only_primary.sum() == 2 * dropped.matrix[0, 1] > 0
    nothing = prayatul([0, 1], [-1, -1], [0, 0], noise="drop")
    assert nothing.matrix.tolist() == [[0, 0], [0, 0]]
    assert nothing.points.only_primary.tolist() == [0, 0]


@examples(100)
@given(three(), st.sampled_from(["cluster", "singletons", "drop"]))
def test_points_follow_the_policy_for_noise(labels, noise):
    noisy = [[v - 1 for v in one] for one in labels]
    alone = iter(range(100, 200))
    kept = [i for i in range(len(noisy[0])) if noise != "drop" or all(one[i] >= 0 for one in noisy)]
    plain = [[next(alone) if one[i] < 0 and noise == "singletons" else one[i] for i in kept] for one in noisy]
    found = prayatul(*noisy, noise=noise)
    assert found.matrix.tolist() == naive.prayatul(*plain)
    assert found.points.only_primary[kept].tolist() == naive.only_primary_right(*plain)
    assert found.points.only_alternative[kept].tolist() == naive.only_alternative_right(*plain)
    assert found.points.only_primary.sum() == sum(naive.only_primary_right(*plain))


def test_labels_may_be_text_and_many():
    rng = np.random.default_rng(1)
    truth, p, q = (rng.integers(0, 300, 400) for _ in range(3))
    names = np.array([f"cluster {i}" for i in range(300)])
    found = prayatul(names[truth], names[p], q * 10**15)
    assert found.matrix.tolist() == naive.prayatul(truth, p, q)
    assert found.points.only_primary.tolist() == naive.only_primary_right(truth, p, q)


def test_ten_million_points_are_counted_exactly():
    n = 10**7
    codes = [np.array(c) for c in ([0, 0, 1, 1, 2], [0, 1, 1, 1, 2], [0, 0, 0, 1, 1])]
    sizes = np.array([4, 1, 2, 2, 1]) * (n // 10)
    br, rw, wr, bw = pair_counts(codes, sizes)
    # Pairs of combinations by hand: inside one all are right, between two the product of their sizes counts once.
    matrix = [[0, 0], [0, 0]]
    matrix[0][0] = sum(int(s) * (int(s) - 1) // 2 for s in sizes)
    for i in range(5):
        for j in range(i):
            g, p, q = (bool(c[i] == c[j]) for c in codes)
            matrix[p != g][q != g] += int(sizes[i]) * int(sizes[j])
    assert [[br, rw], [wr, bw]] == matrix


def test_the_test_of_mcnemar_leaves_out_each_point_once():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 15)
    p, q = (np.where(rng.random(15) < 0.2, rng.integers(0, 3, 15), truth) for _ in range(2))

    def difference(kept):
        (_, rw), (wr, _) = prayatul(truth[kept], p[kept], q[kept]).matrix
        return (rw - wr) / math.comb(len(kept), 2)

    every = np.arange(15)
    without = np.array([difference(np.delete(every, at)) for at in every])
    error = math.sqrt(14 / 15 * ((without - without.mean()) ** 2).sum())
    excess = max(kurtosis(without), 0)
    freedom = 2 / (2 / 14 + excess / 15)  # a few points decide: their error is known as badly as from fewer
    assert freedom < 13
    test = prayatul(truth, p, q).mcnemar()
    (_, rw), (wr, _) = prayatul(truth, p, q).matrix
    assert test.statistic == approx((rw - wr) / math.sqrt(rw + wr))
    assert test.p_value == approx(2 * t.sf(abs(difference(every)) / error, freedom))
    assert "not independent" in test.note
    assert str(test) == f"z = {test.statistic:.6g}, p = {test.p_value:.3g}\n{test.note}"


def test_algorithms_that_never_disagree_are_equal_and_three_points_tell_no_error():
    equal = prayatul([0, 0, 1], [0, 0, 1], [1, 1, 0]).mcnemar()
    assert (equal.statistic, equal.p_value) == (0, 1)
    few = prayatul([0, 0, 1], [0, 0, 1], [0, 1, 1]).mcnemar()
    assert math.isnan(few.p_value)


def test_points_that_all_weigh_alike_tell_no_error_of_the_difference():
    """Halves against one cluster: whichever point is left out, the difference changes by as much."""
    halves = np.repeat([0, 1], 5)
    test = prayatul(halves, halves, np.zeros(10)).mcnemar()
    assert test.statistic == approx(5)
    assert math.isnan(test.p_value)


def test_algorithms_that_are_equally_good_seldom_have_a_small_p():
    """Of 200 pairs of labellings with as many errors, 20 are expected up to .1, and 3 standard errors make 33."""
    rng, small = np.random.default_rng(1), 0
    for _ in range(200):
        truth = rng.integers(0, 3, 40)
        p, q = (np.where(rng.random(40) < 0.2, rng.integers(0, 3, 40), truth) for _ in range(2))
        small += prayatul(truth, p, q).mcnemar().p_value <= 0.1
    assert small <= 33


def test_samples_of_points_are_those_of_resampled_labels():
    """A sample is a multinomial draw of combinations; its matrix is that of the points it stands for."""
    rng = np.random.default_rng(3)
    truth, p, q = rng.integers(0, 3, (3, 40))
    found = prayatul(truth, p, q)
    combinations, sizes = found._codes, found._sizes
    from clustval.seeding import generators

    for i, counts in enumerate(resampled_counts(combinations, sizes, 5, 11)):
        drawn = generators(11)(i).multinomial(40, sizes / 40)
        matrix = naive.prayatul(*(np.repeat(c, drawn).tolist() for c in combinations))
        assert list(counts) == [*matrix[0], *matrix[1]]


def test_points_that_are_all_different_are_sampled_one_by_one():
    codes = [np.arange(30), np.arange(30) // 2, np.arange(30) // 3]
    counts = resampled_counts(codes, np.ones(30, dtype=np.int64), 3, 0)
    assert [sum(c) for c in counts] == [30 * 29 / 2] * 3


def test_intervals_cover_the_measure_about_as_often_as_they_say():
    rng = np.random.default_rng(7)

    def sample(n):
        truth = rng.integers(0, 3, n)
        p = np.where(rng.random(n) < 0.85, truth, rng.integers(0, 3, n))
        q = np.where(rng.random(n) < 0.75, truth, rng.integers(0, 3, n))
        return truth, p, q

    true = prayatul(*sample(400_000)).measures["comparative_deviation"]
    hits = 0
    for seed in range(60):
        interval = prayatul(*sample(300)).bootstrap(99, level=0.9, random_state=seed)["comparative_deviation"]
        assert interval.low <= interval.value <= interval.high
        hits += interval.low <= true <= interval.high
    assert 45 <= hits <= 60


def test_intervals_are_decided_by_the_seed():
    rng = np.random.default_rng(2)
    found = prayatul(*rng.integers(0, 3, (3, 60)))
    assert found.bootstrap(20, random_state=1) == found.bootstrap(20, random_state=1)
    assert found.bootstrap(20, random_state=1) != found.bootstrap(20, random_state=2)
    interval = found.bootstrap(20, random_state=1)["polarization"]
    assert str(interval) == f"{interval.value:.4g}, from {interval.low:.4g} to {interval.high:.4g} at 0.95"


def test_measures_without_values_in_any_sample_have_no_interval():
    interval = prayatul([0], [0], [0]).bootstrap(5, random_state=0)["polarization"]
    assert all(math.isnan(v) for v in (interval.value, interval.low, interval.high))


def test_labels_of_which_no_point_is_left_have_the_intervals_of_a_single_point():
    none = prayatul([-1] * 4, [0] * 4, [0] * 4, noise="drop")
    one = prayatul([0], [0], [0])
    assert none.bootstrap(5, random_state=0) == one.bootstrap(5, random_state=0)


@pytest.mark.parametrize("level", ["0.9", None, 0, 1.0, True, np.nan])
def test_a_level_is_a_share(level):
    with pytest.raises(InputError) as error:
        prayatul([0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 1, 1]).bootstrap(level=level)
    assert str(error.value) == f"level must lie between 0 and 1; it is {level!r}."


def test_all_pairs_of_algorithms_are_compared():
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 3, 80)
    results = {name: np.where(rng.random(80) < 0.7, truth, rng.integers(0, 3, 80)) for name in ("a", "b", "c", "d")}
    table = prayatul_table(truth, results)
    assert len(table) == 12
    assert list(table)[:4] == [("a", "b"), ("a", "c"), ("a", "d"), ("b", "a")]
    for (first, second), found in table.items():
        assert found.matrix.tolist() == naive.prayatul(truth, results[first], results[second])
        assert found.points.only_primary.tolist() == naive.only_primary_right(truth, results[first], results[second])
    deviations = table.measure("comparative_deviation")
    assert np.isnan(deviations.diagonal()).all()
    assert np.nan_to_num(deviations) == approx(-np.nan_to_num(deviations.T))
    frame = table.to_pandas()
    assert frame.shape == (12, 11)
    assert table.to_polars()["both_right"].to_list() == frame["both_right"].tolist()
    lines = str(table).splitlines()
    assert lines[0].split()[:3] == ["primary", "alternative", "both_right"]
    assert len(lines) == 13


def test_a_comparison_prints_its_counts_and_measures():
    assert str(prayatul([0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 1, 1])).splitlines() == [
        "pairs: 2 both right, 3 only primary, 1 only alternative, 0 both wrong",
        "comparative_deviation   0.5",
        "polarization            0.833333",
        "comparative_rightness   0.833333",
        "effective_rightness     0.666667",
        "effective_superiority   0.666667",
    ]
