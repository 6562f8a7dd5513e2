"""Weights of points of which only labels are known: whole weights are repeated points, exactly."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval.catalogue import every_index
from clustval.sources.label_pair import label_blocks
from clustval.sources.takes import takes_of
from clustval.stats.labels.pair_counts import sum_of_squares

EXTERNAL = every_index("external")
NAMES = [index.name for index in EXTERNAL]
BY_CHANCE = {index.name for index in EXTERNAL if takes_of(index).whole_weights_because}
each_index = pytest.mark.parametrize("index", EXTERNAL, ids=lambda index: index.name)
each_noise = pytest.mark.parametrize("noise", ["cluster", "drop", "singletons", "error"])

RNG = np.random.default_rng(9)
TRUTH = np.repeat([0, 1, 2, 3], [20, 12, 7, 3])
LABELS = np.where(RNG.random(42) < 0.3, RNG.integers(0, 4, 42), TRUTH)
OTHERS = np.where(RNG.random(42) < 0.5, RNG.integers(0, 3, 42), TRUTH)
WEIGHTS = np.where(TRUTH == 3, 0, RNG.integers(0, 4, 42))
BROKEN = RNG.uniform(0.3, 3, 42)
POINTS = np.repeat(np.arange(42), WEIGHTS)
PAIRS = list(combinations(range(42), 2))


def labellings(noise):
    """Truth, labels and other labels, some of them noise: without weight where no noise is allowed."""
    truth, labels, others = TRUTH.copy(), LABELS.copy(), OTHERS.copy()
    light = WEIGHTS == 0
    truth[light & (np.arange(42) % 2 == 0)] = -1
    if noise != "error":
        truth[4], labels[[5, 17]], others[[4, 21]] = -1, -1, -1
        assert WEIGHTS[[4, 5, 17, 21]].max() > 1
    return truth, labels, others


# --- indices ---------------------------------------------------------------------------------------------


@each_noise
def test_whole_weights_equal_repeated_points(noise):
    truth, labels, _ = labellings(noise)
    weighted = cv.agreement(truth, labels, NAMES, noise=noise, sample_weight=WEIGHTS)
    repeated = cv.agreement(truth[POINTS], labels[POINTS], NAMES, noise=noise)
    assert dict(weighted) == dict(repeated)
    assert weighted.reasons == repeated.reasons
    assert weighted.coverage == repeated.coverage
    assert weighted.table.counts.dtype.kind == "i"
    for name, values in weighted.per_cluster().items():
        assert list(values.values()) == list(repeated.per_cluster(name).values())


@each_index
def test_each_function_takes_weights(index):
    function = getattr(cv.external, index.name)
    value = function(TRUTH, LABELS, sample_weight=WEIGHTS)
    assert value == function(TRUTH[POINTS], LABELS[POINTS])
    assert value != function(TRUTH, LABELS)


@each_index
def test_weights_of_1_and_0_change_no_bit(index):
    function = getattr(cv.external, index.name)
    assert function(TRUTH, LABELS, sample_weight=np.ones(42)) == function(TRUTH, LABELS)
    there = WEIGHTS > 0
    assert function(TRUTH, LABELS, sample_weight=there) == function(TRUTH[there], LABELS[there])


def test_tables_of_weights_are_tables_of_repeated_points():
    weighted, repeated = cv.contingency(TRUTH, LABELS, sample_weight=WEIGHTS), cv.contingency(*at_points())
    assert weighted.table.tolist() == repeated.table.tolist()
    assert weighted.row_labels == repeated.row_labels == [0, 1, 2]
    assert cv.concordance(TRUTH, LABELS, sample_weight=WEIGHTS).tolist() == cv.concordance(*at_points()).tolist()
    matched, expected = cv.matching(TRUTH, LABELS, sample_weight=WEIGHTS), cv.matching(*at_points())
    assert str(matched) == str(expected)
    assert (matched.classes, matched.shared) == (expected.classes, expected.shared)


def at_points():
    return TRUTH[POINTS], LABELS[POINTS]


def test_weights_of_billions_count_exactly():
    heavy = 2**52 + 1
    pairs = cv.concordance([0, 0, 1], [0, 0, 0], sample_weight=[heavy, 1, 3])
    n = heavy + 4
    assert pairs[0, 0] == (heavy + 1) * heavy // 2 + 3
    assert pairs[1, 0] == 3 * (heavy + 1)
    assert pairs.sum() == n * (n - 1) // 2
    assert sum_of_squares(np.array([2**52 - 1, 1])) == (2**52 - 1) ** 2 + 1


def test_permutations_take_whole_weights_only():
    names = ["rand", "nmi", "ami"]
    weighted = cv.agreement(TRUTH, LABELS, names, sample_weight=WEIGHTS, permutations=20, random_state=1)
    repeated = cv.agreement(*at_points(), names, permutations=20, random_state=1)
    assert weighted.null == repeated.null
    with pytest.raises(cv.InputError, match="permutations deal out whole points at random, so that sample_weight must"):
        cv.agreement(TRUTH, LABELS, names, sample_weight=BROKEN, permutations=20)


def test_blocks_may_have_weights():
    half = [(TRUTH[i::2], LABELS[i::2], WEIGHTS[i::2]) for i in (0, 1)]
    nothing = (TRUTH, LABELS, np.zeros(42))
    blocks = cv.agreement(label_blocks([*half, nothing]), indices=NAMES)
    assert dict(blocks) == dict(cv.agreement(*at_points(), NAMES))
    with pytest.raises(cv.InputError, match="0 for every point of every block"):
        label_blocks([nothing])


# --- broken weights --------------------------------------------------------------------------------------


def pair_weights(*labels, weights=BROKEN):
    """The weight of the pairs by which labellings put them together; copies of a point are together in all."""
    sums = {}
    for i, j in PAIRS:
        key = tuple(bool(column[i] == column[j]) for column in labels)
        sums[key] = sums.get(key, 0.0) + weights[i] * weights[j]
    key = (True,) * len(labels)
    sums[key] = sums.get(key, 0.0) + sum(w * (w - 1) / 2 for w in weights)
    return sums


def naive_rand():
    pairs = pair_weights(TRUTH, LABELS)
    return (pairs[True, True] + pairs[False, False]) / sum(pairs.values())


def naive_shares(a, b=None):
    shares = {}
    for i, w in enumerate(BROKEN / BROKEN.sum()):
        key = a[i] if b is None else (a[i], b[i])
        shares[key] = shares.get(key, 0.0) + w
    return shares


def naive_purity():
    joint = naive_shares(LABELS, TRUTH)
    return sum(max(joint.get((label, name), 0) for name in range(4)) for label in range(4))


def naive_nmi():
    entropies = [
        -sum(share * math.log(share) for share in shares.values())
        for shares in (naive_shares(TRUTH), naive_shares(LABELS), naive_shares(TRUTH, LABELS))
    ]
    return (entropies[0] + entropies[1] - entropies[2]) / ((entropies[0] + entropies[1]) / 2)


def test_broken_weights_give_what_the_definitions_give():
    scores = cv.agreement(TRUTH, LABELS, ["rand", "purity", "nmi"], sample_weight=BROKEN)
    assert scores["rand"] == approx(naive_rand(), rel=1e-13)
    assert scores["purity"] == approx(naive_purity(), rel=1e-13)
    assert scores["normalized_mutual_info"] == approx(naive_nmi(), rel=1e-12)
    pairs = pair_weights(TRUTH, LABELS)
    assert cv.concordance(TRUTH, LABELS, sample_weight=BROKEN) == approx(
        np.array([[pairs[True, True], pairs[True, False]], [pairs[False, True], pairs[False, False]]]), rel=1e-12
    )


@each_index
def test_broken_weights_give_values_within_bounds_or_a_reason(index):
    function, (low, high) = getattr(cv.external, index.name), index.bounds
    if index.name not in BY_CHANCE:
        assert low <= function(TRUTH, LABELS, sample_weight=BROKEN) <= high
        nudged = function(TRUTH, LABELS, sample_weight=1 + 1e-9 * BROKEN)
        assert nudged == approx(function(TRUTH, LABELS), rel=1e-6)
        return
    message = f"{index.name} takes no weights but whole numbers: chance deals out whole points"
    with pytest.raises(cv.UndefinedIndexError, match=message):
        function(TRUTH, LABELS, sample_weight=BROKEN)
    scores = cv.agreement(TRUTH, LABELS, index.name, sample_weight=BROKEN)
    assert math.isnan(scores[index.name])
    assert "chance" in scores.reasons[index.name]


def test_only_chance_needs_whole_points():
    assert {"adjusted_mutual_info"} == BY_CHANCE


@pytest.mark.parametrize("noise", ["cluster", "drop"])
def test_perfect_agreement_stays_perfect_whatever_the_rounding(noise):
    for seed in range(20):
        weights = np.random.default_rng(seed).uniform(0.1, 4, 42)
        names = (TRUTH + 1) % 4
        scores = cv.agreement(TRUTH, names, NAMES, noise=noise, sample_weight=weights)
        plain = cv.agreement(TRUTH, names, NAMES)
        for index in EXTERNAL:
            if index.best.better == "higher" and index.bounds[1] == 1 and index.name in scores.reasons:
                assert index.name in BY_CHANCE
            elif plain[index.name] in {0, 1}:
                assert scores[index.name] == approx(plain[index.name], abs=1e-15)
                assert index.bounds[0] <= scores[index.name] <= index.bounds[1]


@pytest.mark.parametrize("noise", ["cluster", "drop"])
def test_one_cluster_has_no_entropy_whatever_the_rounding(noise):
    for seed in range(20):
        weights = np.random.default_rng(seed).uniform(0.1, 4, 42)
        scores = cv.agreement(np.zeros(42, int), LABELS, NAMES, noise=noise, sample_weight=weights)
        assert scores["truth_entropy"] == scores["mutual_info"] == scores["conditional_entropy"] == 0
        assert scores["homogeneity"] == 1
        assert scores["completeness"] == approx(0, abs=1e-15)


def test_points_that_weigh_less_than_one_together_form_no_pairs():
    light = np.full(42, 0.02)
    scores = cv.agreement(TRUTH, LABELS, ["rand", "purity", "nmi"], sample_weight=light)
    assert "Points weigh so little that" in scores.reasons["rand"]
    plain = cv.agreement(TRUTH, LABELS, ["purity", "nmi"])
    assert scores["purity"] == approx(plain["purity"])
    assert scores["nmi"] == approx(plain["nmi"])
    with pytest.raises(cv.UndefinedIndexError, match="weigh so little"):
        cv.prayatul(TRUTH, LABELS, OTHERS, sample_weight=np.full(42, 1e-3))
    with pytest.raises(cv.UndefinedIndexError, match="log n is not above 0"):
        cv.external.normalized_vi([0, 1], [0, 0], by="log_n", sample_weight=[0.5, 0.5])


@pytest.mark.parametrize("compare", [cv.agreement, cv.matching, cv.contingency])
def test_a_noise_point_of_a_broken_weight_is_not_a_number_of_clusters(compare):
    with pytest.raises(cv.InputError, match="noise='singletons' makes each noise point a cluster of one point"):
        compare([0, 0, -1], [0, 1, 1], noise="singletons", sample_weight=[1, 1, 1.5])


# --- two algorithms --------------------------------------------------------------------------------------


@each_noise
def test_prayatul_of_whole_weights_is_that_of_repeated_points(noise):
    three = labellings(noise)
    weighted = cv.prayatul(*three, noise=noise, sample_weight=WEIGHTS)
    repeated = cv.prayatul(*(labels[POINTS] for labels in three), noise=noise)
    for ours, theirs in ((weighted, repeated), (weighted.swapped, repeated.swapped)):
        assert ours.matrix.tolist() == theirs.matrix.tolist()
        assert ours.matrix.dtype == np.int64
        assert {type(count) for count in ours.counts} == {int}
        assert ours.measures == theirs.measures
        assert str(ours) == str(theirs)
        assert ours.mcnemar() == theirs.mcnemar()
        assert ours.bootstrap(50, random_state=3) == theirs.bootstrap(50, random_state=3)
        for name in ("only_primary", "only_alternative"):
            values = getattr(ours.points, name)
            assert values[POINTS].tolist() == getattr(theirs.points, name).tolist()
            assert not values[WEIGHTS == 0].any()
    assert weighted.points.only_primary @ WEIGHTS == 2 * weighted.counts[1]


@each_noise
def test_prayatul_table_takes_weights(noise):
    truth, labels, others = labellings(noise)
    results = {"a": labels, "b": others, "c": truth}
    weighted = cv.prayatul_table(truth, results, noise=noise, sample_weight=WEIGHTS)
    at = {name: column[POINTS] for name, column in results.items()}
    repeated = cv.prayatul_table(truth[POINTS], at, noise=noise)
    assert str(weighted) == str(repeated)
    assert weighted["b", "a"].counts == cv.prayatul(truth, others, labels, noise=noise, sample_weight=WEIGHTS).counts


def test_weights_of_1_change_nothing_in_prayatul():
    plain, ones = (cv.prayatul(TRUTH, LABELS, OTHERS, sample_weight=w) for w in (None, np.ones(42)))
    assert plain.counts == ones.counts
    assert plain.points.only_primary.tolist() == ones.points.only_primary.tolist()


def test_prayatul_of_broken_weights_gives_what_the_definition_gives():
    comparison = cv.prayatul(TRUTH, LABELS, OTHERS, sample_weight=BROKEN)
    counts = [0.0] * 4
    for (truth, primary, alternative), weight in pair_weights(TRUTH, LABELS, OTHERS).items():
        counts[2 * (truth != primary) + (truth != alternative)] += weight
    assert comparison.counts == approx((counts[0], counts[1], counts[2], counts[3]), rel=1e-12)
    assert comparison.matrix.dtype == np.float64
    only_primary = [
        sum(
            BROKEN[j]
            for j in range(42)
            if (TRUTH[i] == TRUTH[j]) == (LABELS[i] == LABELS[j]) != (OTHERS[i] == OTHERS[j])
        )
        for i in range(42)
    ]
    assert comparison.points.only_primary == approx(only_primary, rel=1e-12)
    assert comparison.points.only_primary @ BROKEN / 2 == approx(comparison.counts[1], rel=1e-12)
    assert f"{comparison.counts[0]:.6g} both right" in str(comparison)


@pytest.mark.parametrize("test", ["mcnemar", "bootstrap"])
def test_tests_of_chance_take_no_broken_weights(test):
    comparison = cv.prayatul(TRUTH, LABELS, OTHERS, sample_weight=BROKEN)
    with pytest.raises(cv.InputError, match=rf"{test}\(\) takes points for draws by chance.* must be whole"):
        getattr(comparison, test)()


def test_weightless_points_have_no_disputes_even_where_nobody_is_like_them():
    comparison = cv.prayatul([0, 0, 1, 9], [0, 0, 1, 9], [0, 1, 1, 9], sample_weight=[1, 2, 1, 0])
    assert comparison.points.only_primary.tolist() == [2, 2, 2, 0]
    assert comparison.counts == (2, 4, 0, 0)
