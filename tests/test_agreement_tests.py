"""How sure an agreement is: exact moments under chance, intervals by the jackknife, several labellings side by side."""

from __future__ import annotations

import math
from itertools import combinations, permutations

import naive_agreement as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval.compare import influence as jackknife
from clustval.compare import tails
from clustval.declare import KINDS
from clustval.errors import InputError
from clustval.seeding import generators
from clustval.sources.label_pair import LabelPair
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.pair_moments import PairMoments
from conftest import examples

RNG = np.random.default_rng(4)
TRUTH = np.repeat([0, 1, 2, 3], [20, 12, 7, 3])
LABELS = np.where(RNG.random(42) < 0.3, RNG.integers(0, 5, 42), TRUTH)
OTHERS = np.where(RNG.random(42) < 0.4, RNG.integers(0, 4, 42), TRUTH)
LINEAR = (
    "rand", "adjusted_rand", "fowlkes_mallows", "adjusted_fowlkes_mallows", "precision", "recall", "kulczynski",
    "russell_rao", "mirkin", "hubert", "adjusted_rand_num", "adjusted_rand_all_labels_only", "mutual_info",
    "normalized_mutual_info", "adjusted_mutual_info", "variation_of_information", "homogeneity", "czekanowski_dice",
)  # fmt: skip


# --- exact moments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [[0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1], [0, 1, 2, 2, 3, 3]])
def test_moments_are_those_of_every_arrangement(labels):
    truth = [0, 0, 0, 1, 1, 2]
    names = [*LINEAR, "jaccard", "rogers_tanimoto"]
    tested = cv.agreement(truth, labels, names, significance="analytic")
    arranged = [cv.agreement(truth, list(other), names) for other in set(permutations(labels))]
    for name in LINEAR:
        values = np.array([scores[name] for scores in arranged])
        null = tested.null[name]
        assert null.mean == approx(values.mean(), abs=1e-12), name
        assert null.std == approx(values.std(), abs=1e-12), name
        assert null.z == approx((tested[name] - null.mean) / null.std), name
        assert null.draws == 0
    assert tested.null["jaccard"].mean == approx(np.mean([s["jaccard"] for s in arranged]), abs=0.02)


def test_all_indices_that_are_linear_in_the_pairs_have_one_z_and_one_p_value():
    tested = cv.agreement(TRUTH, LABELS, "all", significance="analytic")
    z = cv.external.pair_agreement_z(TRUTH, LABELS)
    for name in ("rand", "adjusted_rand", "fowlkes_mallows", "hubert", "pair_agreement_z"):
        assert tested.null[name].z == approx(z, rel=1e-9), name
        assert tested.p_values[name] == tested.p_values["rand"], name
    assert tested.null["mirkin"].z == approx(-z, rel=1e-9)
    assert tested.p_values["mirkin"] == tested.p_values["rand"]  # lower is better
    assert tested.p_values["jaccard"] == tested.p_values["rand"]  # it rises with the pairs
    assert {"purity", "accuracy", "element_centric"}.isdisjoint(tested.null)


def test_formulas_give_what_permutations_give():
    unrelated = RNG.permutation(LABELS)
    exact = cv.agreement(TRUTH, unrelated, "all", significance="analytic")
    drawn = cv.agreement(TRUTH, unrelated, list(exact.null), permutations=3000, random_state=1)
    for name, null in exact.null.items():
        scatter = drawn.null[name].std
        assert null.mean == approx(drawn.null[name].mean, abs=0.1 * scatter + 1e-12), name
        assert null.std == approx(scatter, rel=0.08, abs=1e-12), name
        if not math.isnan(null.p_value):
            assert null.p_value == approx(drawn.p_values[name], abs=0.03), name


def test_p_values_of_few_tables_are_shares_of_every_arrangement():
    truth, labels = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    names = [*LINEAR, "jaccard", "rogers_tanimoto"]
    tested = cv.agreement(truth, labels, names, significance="analytic")
    arranged = [cv.agreement(truth, list(other), names) for other in set(permutations(labels))]
    for name in names:
        sign = -1 if name in {"mirkin", "variation_of_information"} else 1
        as_good = [sign * scores[name] >= sign * tested[name] - 1e-12 for scores in arranged]
        assert tested.p_values[name] == approx(np.mean(as_good)), name


def test_where_sizes_alone_decide_every_table_is_as_good():
    tested = cv.agreement([0, 0, 0, 1, 1, 2], [0, 1, 0, 1, 0, 2], ["mcnemar", "rand"], significance="analytic")
    assert tested.p_values["mcnemar"] == 1  # both labellings have as many pairs together
    assert tested.p_values["rand"] < 1


@pytest.mark.parametrize("labels", [[0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1], [0, 1, 2, 2, 3, 3]])
def test_the_skewness_of_pairs_is_that_of_every_arrangement(labels):
    truth = [0, 0, 0, 0, 1, 1]
    pairs = [(i, j) for j in range(6) for i in range(j)]
    together = [
        sum(truth[i] == truth[j] and other[i] == other[j] for i, j in pairs) for other in set(permutations(labels))
    ]
    deviations = np.array(together) - np.mean(together)
    source = cv.agreement(truth, labels).source
    seen = tails.pair_skewness(source[Contingency], source[PairMoments])
    assert seen == approx(np.mean(deviations**3) / np.mean(deviations**2) ** 1.5)


@pytest.mark.parametrize(
    "sizes", [([17, 17, 16], [17, 17, 16]), ([20, 15, 10], [25, 12, 8]), ([12, 9, 4], [10, 8, 4, 3])]
)
@pytest.mark.parametrize("of_pairs", [True, False])
def test_three_moments_tell_how_rare_tables_are(sizes, of_pairs):
    a, b = map(np.array, sizes)
    sums, chances = tails.every_table(a, b, tails.pairs_of if of_pairs else tails.information_of)
    table = cv.contingency(np.repeat(np.arange(len(a)), a), np.repeat(np.arange(len(b)), b))
    mean = chances @ sums
    std = math.sqrt(chances @ (sums - mean) ** 2)
    if of_pairs:
        moments = LabelPair(table)[PairMoments]
        skewness = tails.pair_skewness(table, moments)
        assert (mean, std) == approx((float(moments.mean), math.sqrt(moments.variance)))
    else:
        skewness = tails.information_skewness(table, std / table.n)
    numbers, places = np.unique(np.round(sums, 9), return_inverse=True)
    p_values = np.array([tails.pearson_tail((one - mean - of_pairs / 2) / std, skewness) for one in numbers])[places]
    for level in (0.01, 0.05, 0.1):  # of tables at random; a normal distribution has .025 to .034 at .01
        assert chances[p_values <= level].sum() <= 1.15 * level, level


def test_what_cannot_vary_has_no_z():
    tested = cv.agreement([0, 0, 1, 1], [0, 0, 0, 0], ["rand", "mutual_info"], significance="analytic")
    assert all(math.isnan(null.z) and math.isnan(null.p_value) for null in tested.null.values())
    assert tested.null["rand"].mean == approx(1 / 3)


@pytest.mark.parametrize(
    ("truth", "labels"),
    [([0], [0]), ([0, 0, 0], [0, 0, 0]), ([0, 1, 2], [2, 0, 1]), ([0, 0, 0], [0, 1, 1]), ([0, 1, 2, 3], [0, 0, 1, 1])],
)
def test_where_all_tables_are_alike_chance_gives_what_is_there(truth, labels):
    tested = cv.agreement(truth, labels, "all", significance="analytic")
    drawn = cv.agreement(truth, labels, list(tested.null), permutations=5, random_state=0)
    for name, null in tested.null.items():
        assert null.mean == approx(drawn.null[name].mean, abs=1e-12, nan_ok=True), name
        assert null.std == 0, name
        assert math.isnan(null.z), name
        assert math.isnan(null.p_value), name


def test_a_test_is_printed_beside_its_value_and_indices_without_one_are_blank():
    tested = cv.agreement(TRUTH, LABELS, ["rand", "purity"], significance="analytic")
    head, rand, purity = str(tested).splitlines()
    assert head.split()[-3:] == ["by", "chance", "p"]
    assert "±" in rand
    assert purity.endswith("0 … 1")
    frame = tested.to_pandas()
    assert frame.loc["rand", "z"] == tested.null["rand"].z
    assert math.isnan(frame.loc["purity", "z"])
    assert cv.Agreement.from_json(tested.to_json()) == tested


# --- the jackknife ---------------------------------------------------------------------------------------


def left_out(truth, labels, name):
    """Standard error by leaving each point out, one after the other."""
    n = len(truth)
    without = [getattr(cv.external, name)(np.delete(truth, i), np.delete(labels, i)) for i in range(n)]
    mean = sum(without) / n
    return math.sqrt((n - 1) / n * sum((v - mean) ** 2 for v in without))


NAMES = ["rand", "adjusted_rand", "purity", "mutual_info", "element_centric", "transfer_distance"]


def test_intervals_are_those_of_leaving_each_point_out():
    scores = cv.agreement(TRUTH, LABELS, NAMES, confidence=0.9)
    for name in NAMES:
        half = jackknife.quantile(0.9, 41) * left_out(TRUTH, LABELS, name)
        interval = scores.intervals[name]
        assert interval.error == approx(half, rel=1e-9), name
        assert interval.low == approx(scores[name] - half, rel=1e-9)
        assert interval.high == approx(min(scores[name] + half, KINDS["external"].indices[name].bounds[1]), rel=1e-9)
    assert "each of them left out once" in scores.intervals["rand"].how
    assert scores.to_pandas().loc["rand", "interval_low"] == scores.intervals["rand"].low


def test_whole_weights_and_tables_have_the_intervals_of_repeated_points():
    weights = np.arange(42) % 3
    rows = np.repeat(np.arange(42), weights)
    repeated = cv.agreement(TRUTH[rows], LABELS[rows], NAMES, confidence=0.95)
    weighted = cv.agreement(TRUTH, LABELS, NAMES, confidence=0.95, sample_weight=weights)
    table = cv.agreement(cv.contingency(TRUTH[rows], LABELS[rows]), indices=NAMES, confidence=0.95)
    for name, interval in repeated.intervals.items():
        for other in (weighted, table):
            assert other.intervals[name].low == approx(interval.low, rel=1e-12)
            assert other.intervals[name].error == approx(interval.error, rel=1e-12)


def test_groups_are_left_out_where_the_table_is_large(monkeypatch):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 20, 4000)
    labels = np.where(rng.random(4000) < 0.7, truth, rng.integers(0, 25, 4000))
    grouped = cv.agreement(truth, labels, ["rand", "adjusted_rand"], confidence=0.95, random_state=0)
    assert "50 groups" in grouped.intervals["rand"].how
    monkeypatch.setattr(jackknife, "MOST_CELLS", 10**6)
    single = cv.agreement(truth, labels, ["rand", "adjusted_rand"], confidence=0.95)
    for name in grouped:
        assert grouped.intervals[name].error == approx(single.intervals[name].error, rel=0.4)


@pytest.mark.parametrize("noise", ["cluster", "drop", "singletons"])
@pytest.mark.parametrize("weighted", [False, True])
def test_groups_are_left_out_with_the_noise_that_they_have(noise, weighted, monkeypatch):
    monkeypatch.setattr(jackknife, "MOST_CELLS", 1)
    rng = np.random.default_rng(0)
    truth = np.where(rng.random(300) < 0.1, -1, np.repeat([0, 1, 2], 100))
    labels = np.where(rng.random(300) < 0.6, -1, np.repeat([0, 1, 2], 100))
    weights = rng.integers(0, 4, 300) if weighted else np.ones(300, dtype=int)
    names = ["adjusted_rand", "mutual_info"]
    options = {"noise": noise, "sample_weight": weights if weighted else None, "random_state": 0}
    scores = cv.agreement(truth, labels, names, confidence=0.9, **options)
    groups = generators(0)(0).permutation(300) % 50
    for name in names:
        index = getattr(cv.external, name)
        without = []
        for group in range(50):
            rows = np.repeat(np.arange(300), np.where(groups == group, 0, weights))
            without.append(index(truth[rows], labels[rows], noise=noise))
        error = math.sqrt(49 / 50 * np.sum((np.array(without) - np.mean(without)) ** 2))
        assert scores.intervals[name].error == approx(jackknife.quantile(0.9, 49) * error, rel=1e-9), name


@pytest.mark.large
def test_intervals_hold_the_value_of_the_population_as_often_as_they_say():
    chances = np.array([[0.3, 0.05, 0.02], [0.04, 0.25, 0.03], [0.01, 0.05, 0.25]])
    share = float((chances**2).sum())
    together = float((chances.sum(1) ** 2).sum()), float((chances.sum(0) ** 2).sum())
    rand = 1 - sum(together) + 2 * share  # of two points of the population
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(300):
        cells = rng.choice(9, 120, p=chances.ravel())
        interval = cv.agreement(cells // 3, cells % 3, "rand", confidence=0.9).intervals["rand"]
        held += interval.low <= rand <= interval.high
    assert 0.84 < held / 300 < 0.95


# --- several labellings ----------------------------------------------------------------------------------


def test_several_labellings_stand_side_by_side():
    several = cv.agreement(TRUTH, {"ana": LABELS, "bob": OTHERS, "truth": TRUTH}, NAMES)
    assert list(several) == ["ana", "bob", "truth"]
    assert several["ana"] == cv.agreement(TRUTH, LABELS, NAMES, confidence=0.95)
    frame = several.to_pandas()
    assert frame.loc["rand", "bob"] == cv.external.rand(TRUTH, OTHERS)
    assert several.to_polars().columns == ["index", "ana", "bob", "truth"]
    assert len(several.differences["index"]) == len(NAMES) * 3
    assert "ana - bob" in str(several)
    assert "<td>rand</td>" in several._repr_html_()
    assert cv.Agreements.from_json(several.to_json()) == several


def test_differences_have_the_errors_of_leaving_each_point_out_of_both():
    several = cv.agreement(TRUTH, {"ana": LABELS, "bob": OTHERS}, ["rand", "mutual_info"], confidence=0.9)
    for record in several.differences.records:
        index = getattr(cv.external, record["index"])
        without = [
            index(np.delete(TRUTH, i), np.delete(LABELS, i)) - index(np.delete(TRUTH, i), np.delete(OTHERS, i))
            for i in range(42)
        ]
        error = math.sqrt(41 / 42 * sum((v - np.mean(without)) ** 2 for v in without))
        assert record["difference"] == approx(index(TRUTH, LABELS) - index(TRUTH, OTHERS))
        assert record["error"] == approx(jackknife.quantile(0.9, 41) * error, rel=1e-9)
        assert record["high"] - record["low"] == approx(2 * record["error"])


def test_a_labelling_does_not_differ_from_itself_under_other_names():
    several = cv.agreement(TRUTH, {"one": LABELS, "other": 9 - LABELS}, NAMES)
    assert np.abs(several.differences["difference"]).max() < 1e-12
    assert np.abs(several.differences["error"]).max() < 1e-9


def test_noise_that_one_labelling_drops_stays_a_point_of_the_other():
    noisy = np.where(np.arange(42) % 6 == 0, -1, LABELS)
    several = cv.agreement(TRUTH, {"all": LABELS, "some": noisy}, ["rand"], noise="drop")
    assert several["some"].coverage == approx(35 / 42)
    assert several.differences["error"][0] > 0


def test_differences_of_large_tables_leave_the_same_groups_out_of_both():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 20, 3000)
    labels = np.where(rng.random(3000) < 0.7, truth, rng.integers(0, 25, 3000))
    several = cv.agreement(truth, {"one": labels, "same": 30 - labels}, ["rand"])
    assert several.differences["error"][0] < 1e-12 < several["one"].intervals["rand"].error


# --- classes ---------------------------------------------------------------------------------------------


@examples(60)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=12))
def test_the_nearest_cluster_of_each_class_is_found_as_by_hand(points):
    truth, labels = [list(side) for side in zip(*points, strict=True)]
    scores = cv.class_agreement(truth, labels)
    sides = ((truth, labels, scores.classes), (labels, truth, scores.clusters))
    for own, other, matches in sides:
        clusters, names = naive.members(other), sorted(set(other))
        for name, members in zip(sorted(set(own)), naive.members(own), strict=True):
            near = naive.nearest(members, clusters)
            match, shared = matches[name], len(members & clusters[near])
            assert match.nearest == names[near]
            assert match.jaccard == approx(shared / len(members | clusters[near]))
            assert (match.size, match.nearest_size, match.shared) == (len(members), len(clusters[near]), shared)
            of_class, of_cluster = (members, clusters[near]) if matches is scores.classes else (clusters[near], members)
            assert match.precision == approx(shared / len(of_cluster))
            assert match.recall == approx(shared / len(of_class))
            assert match.f == approx(2 * shared / (len(members) + len(clusters[near])))


def test_classes_and_clusters_are_a_table():
    scores = cv.class_agreement(["a", "a", "b"], [1, 1, 1])
    assert scores.to_pandas()["side"].tolist() == ["class", "class", "cluster"]
    assert str(scores).splitlines()[1].split()[:3] == ["class", "a", "1"]
    assert cv.ClassAgreement.from_json(scores.to_json()) == scores


# --- errors ----------------------------------------------------------------------------------------------

WRONG = {
    "another test": (
        lambda: cv.agreement(TRUTH, LABELS, significance="exact"),
        "significance must be 'analytic', or None for no test; it is 'exact'.",
    ),
    "two tests": (
        lambda: cv.agreement(TRUTH, LABELS, significance="analytic", permutations=9),
        "permutations= and significance='analytic' are two tests; give one of them.",
    ),
    "broken weights": (
        lambda: cv.agreement(TRUTH, LABELS, confidence=0.95, sample_weight=np.full(42, 0.5)),
        "confidence= leaves out whole points, so that sample_weight must hold whole numbers.",
    ),
    "broken weights in a test": (
        lambda: cv.agreement(TRUTH, LABELS, ["rand", "vi"], significance="analytic", sample_weight=np.arange(42) / 2),
        "significance='analytic' deals out whole points at random, so that sample_weight must hold whole numbers.",
    ),
    "names that are equal as text": (
        lambda: cv.agreement(TRUTH, {1: LABELS, "b": OTHERS, "1": OTHERS}),
        "labels has the names 1 and '1', which are equal as text; give each labelling a name of its own.",
    ),
    "no labelling": (
        lambda: cv.agreement(TRUTH, {}),
        "labels is an empty dictionary; give at least one labelling by name.",
    ),
    "a labelling of other points": (
        lambda: cv.agreement(TRUTH, {"ana": LABELS, "bob": [0, 1]}),
        "truth has 42 entries but labels['bob'] has 2.",
    ),
    "no confidence": (
        lambda: cv.agreement(TRUTH, LABELS, confidence=2),
        "confidence must lie between 0 and 1, such as 0.95; it is 2.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_asked_is_named(what):
    call, message = WRONG[what]
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message


def test_pairs_of_labellings_are_all_compared():
    several = cv.agreement(TRUTH, dict.fromkeys("abc", LABELS), "rand")
    pairs = list(zip(several.differences["one"].tolist(), several.differences["other"].tolist(), strict=True))
    assert pairs == list(combinations("abc", 2))


@pytest.mark.parametrize("kind", [list, tuple])
def test_texts_in_a_list_are_labels_and_no_paths(kind):
    truth, labels = kind(["a", "a", "b"]), kind(["x", "y", "y"])
    assert cv.agreement(truth, labels)["rand"] == approx(1 / 3)
    assert cv.matching(truth, labels).classes
    assert str(cv.prayatul(truth, labels, labels)) == str(cv.prayatul([0, 0, 1], [0, 1, 1], [0, 1, 1]))


def test_a_labelling_called_index_does_not_hide_the_names_of_the_indices():
    several = cv.agreement([0, 0, 1, 1], {"index": [0, 0, 1, 1], "index (labels)": [0, 1, 1, 1]}, ["rand"])
    frame = several.to_polars()
    assert frame["index"].to_list() == ["rand"]
    assert frame["index (labels) (labels)"].to_list() == [1.0]
    assert list(several.to_pandas().index) == ["rand"]
