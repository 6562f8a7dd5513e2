"""Laws that hold of every external index, read from the registry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pytest import approx

from clustval import catalogue, external
from clustval.compare.agreement import agreement
from clustval.declare import KINDS
from clustval.sources.label_pair import label_pair
from clustval.stats.contingency import Contingency

catalogue.load()
EXTERNAL = sorted(KINDS["external"].indices.values(), key=lambda index: index.name)
JUDGING = [index for index in EXTERNAL if index.best.better != "neither"]
every_index = pytest.mark.parametrize("index", EXTERNAL, ids=lambda index: index.name)
every_judging_index = pytest.mark.parametrize("index", JUDGING, ids=lambda index: index.name)

RNG = np.random.default_rng(3)
TRUTH = np.repeat([0, 1, 2, 3], [40, 25, 10, 5])
LABELS = np.where(RNG.random(80) < 0.25, RNG.integers(0, 5, 80), TRUTH)


def value(index, truth, labels, **options):
    return getattr(external, index.name)(truth, labels, **options)


@every_index
def test_the_order_of_points_does_not_matter(index):
    order = RNG.permutation(80)
    assert value(index, TRUTH[order], LABELS[order]) == value(index, TRUTH, LABELS)


@every_index
def test_the_names_of_clusters_do_not_matter(index):
    names = np.array(["z", "a", "m", "b", "q"])
    assert value(index, 100 - 7 * TRUTH, names[LABELS]) == approx(value(index, TRUTH, LABELS), rel=1e-13)


@every_index
def test_truth_and_labels_may_be_swapped_just_where_the_record_says_so(index):
    there, back = value(index, TRUTH, LABELS), value(index, LABELS, TRUTH)
    if index.name in {"v_measure", "f_alpha"}:  # only an option tells truth from labels
        option = {"v_measure": {"beta": 3}, "f_alpha": {"alpha": 3}}[index.name]
        there, back = value(index, TRUTH, LABELS, **option), value(index, LABELS, TRUTH, **option)
    assert (there == approx(back, rel=1e-13)) == index.symmetric


@every_index
def test_values_lie_within_the_bounds(index):
    low, high = index.bounds
    for seed in range(5):
        rng = np.random.default_rng(seed)
        for labels in (TRUTH, LABELS, rng.permutation(TRUTH), rng.integers(0, 40, 80), rng.integers(0, 2, 80)):
            assert low <= value(index, TRUTH, labels) <= high


@every_judging_index
def test_a_good_labelling_beats_a_shuffled_one(index):
    truth = np.repeat([0, 1, 2, 3], 20)
    good = np.where(np.arange(80) % 10 == 0, (truth + 1) % 4, truth)
    good[:3] = 0
    if index.name == "mcnemar":
        # It tells splitting from joining, not good from bad.
        assert value(index, truth, truth) == 0
        assert value(index, truth, np.arange(80)) > 0 > value(index, truth, truth // 2)
        return
    bad = np.random.default_rng(0).permutation(good)
    better, worse = value(index, truth, good), value(index, truth, bad)
    assert better > worse if index.best.better == "higher" else better < worse


@every_judging_index
def test_nothing_beats_the_truth_itself(index):
    best = value(index, TRUTH, TRUTH)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        other = value(index, TRUTH, np.where(rng.random(80) < 0.2, rng.integers(0, 4, 80), TRUTH))
        if index.best.better == "higher":
            assert best >= other
        elif index.best.better == "lower":
            assert best <= other
        else:
            assert abs(best) <= abs(other)


# Of a labelling with itself these are the size or the spread of the labelling, not a bound.
MEASURED = {"mutual_info", "russell_rao", "phi_without_root"}


@every_judging_index
def test_identical_labellings_have_the_best_value_exactly(index):
    if index.name in MEASURED:
        assert value(index, TRUTH, TRUTH) < index.bounds[1]
        return
    best = {"higher": 1.0, "lower": 0.0, "nearer 0": 0.0}[index.best.better]
    assert value(index, TRUTH, 9 - TRUTH) == best


@every_index
def test_alone_and_among_all_others_the_value_is_the_same_bit_for_bit(index):
    assert agreement(TRUTH, LABELS, "all")[index.name] == value(index, TRUTH, LABELS)


@every_index
def test_noise_is_a_cluster_unless_said_otherwise(index):
    noisy = np.where(LABELS == 4, -1, LABELS)
    assert value(index, TRUTH, noisy) == approx(value(index, TRUTH, LABELS), rel=1e-13)
    kept = LABELS != 4
    assert value(index, TRUTH, noisy, noise="drop") == value(index, TRUTH[kept], LABELS[kept])
    apart = np.where(LABELS == 4, np.arange(80) + 100, LABELS)
    assert value(index, TRUTH, noisy, noise="singletons") == approx(value(index, TRUTH, apart), rel=1e-13)


@every_index
def test_input_is_left_as_it_was(index):
    truth, labels = TRUTH.copy(), LABELS.copy()
    truth.flags.writeable = labels.flags.writeable = False
    value(index, truth, labels)
    assert np.array_equal(truth, TRUTH)
    assert np.array_equal(labels, LABELS)


@every_index
def test_the_record_is_complete(index):
    assert index.summary.endswith(".")
    assert ".. math::" in index.formula.__doc__
    assert index.bounds[0] < index.bounds[1]
    assert index.cost == "linear"


def test_the_summary_of_no_two_indices_is_the_same():
    summaries = [index.summary for index in EXTERNAL]
    assert len(set(summaries)) == len(summaries)


@pytest.mark.parametrize(
    ("name", "bases"),
    [(n, (2, 10)) for n in ("truth_entropy", "labels_entropy", "joint_entropy", "conditional_entropy")]
    + [(n, (2, 10)) for n in ("labels_entropy_given_truth", "mutual_info", "variation_of_information")],
)
def test_entropies_scale_with_the_logarithm_of_the_base(name, bases):
    index = KINDS["external"].indices[name]
    for base in bases:
        in_base = value(index, TRUTH, LABELS, base=base)
        assert in_base * math.log(base) == approx(value(index, TRUTH, LABELS), rel=1e-14)


def test_entropies_add_up():
    scores = agreement(TRUTH, LABELS, "all")
    total = scores["truth_entropy"] + scores["labels_entropy"]
    assert scores["joint_entropy"] + scores["mutual_info"] == approx(total, rel=1e-13)
    assert scores["labels_entropy"] + scores["conditional_entropy"] == approx(scores["joint_entropy"], rel=1e-13)
    assert scores["truth_entropy"] + scores["labels_entropy_given_truth"] == approx(scores["joint_entropy"], rel=1e-13)


def test_means_of_pairwise_precision_and_recall():
    scores = agreement(TRUTH, LABELS, "all")
    p, r = scores["precision"], scores["recall"]
    assert scores["kulczynski"] == approx((p + r) / 2)
    assert scores["fowlkes_mallows"] == approx(math.sqrt(p * r))
    assert scores["czekanowski_dice"] == approx(2 * p * r / (p + r)) == scores["f_alpha"]
    alpha = external.f_alpha(TRUTH, LABELS, alpha=0.3)
    assert alpha == approx(1.3 * p * r / (0.3 * p + r))


def test_the_geometric_mean_of_adjusted_wallace_both_ways_is_the_correlation():
    there, back = external.adjusted_wallace_from_truth, external.adjusted_wallace_from_labels
    product = there(TRUTH, LABELS) * back(TRUTH, LABELS)
    assert external.hubert(TRUTH, LABELS) == approx(math.sqrt(product))
    harmonic = 2 / (1 / there(TRUTH, LABELS) + 1 / back(TRUTH, LABELS))
    assert external.adjusted_rand(TRUTH, LABELS) == approx(harmonic)


def test_values_of_clusters_make_up_the_index():
    scores = agreement(TRUTH, LABELS, "all")
    sizes = scores.per_cluster("size")
    assert sum(sizes.values()) == 80
    assert set(scores.per_cluster()) == {
        "size", "purity", "f_measure", "accuracy", "bcubed_precision", "conditional_entropy",
    }  # fmt: skip
    for name in ("purity", "accuracy", "bcubed_precision", "conditional_entropy"):
        parts = scores.per_cluster(name)
        assert sum(parts[c] * sizes[c] for c in sizes) / 80 == approx(scores[name])
    parts = scores.per_cluster("f_measure")
    assert sum(parts.values()) / len(parts) == approx(scores["f_measure"])


def test_a_table_stands_for_both_labellings():
    table = label_pair(TRUTH, LABELS)[Contingency]
    assert agreement(table, indices="all").to_dict() == agreement(TRUTH, LABELS, "all").to_dict()


def test_scores_show_what_chance_gives_only_if_asked():
    plain = agreement(TRUTH, LABELS, ["rand"])
    assert plain.null == plain.p_values == {}
    assert str(plain).splitlines() == [
        "index     value  better  range",
        f"rand   {plain['rand']:.6g}  higher  0 … 1",
    ]
    tested = agreement(TRUTH, LABELS, ["rand"], permutations=9, random_state=0)
    assert str(tested).splitlines()[0].split() == ["index", "value", "better", "range", "by", "chance", "p"]
    assert tested.to_pandas().loc["rand", "p_value"] == tested.p_values["rand"] == 0.1
    assert "p_value" not in plain.to_pandas()


USUAL_NAMES = [
    "czekanowski_dice", "folkes_mallows", "hubert", "jaccard", "kulczynski", "mcnemar", "phi", "precision",
    "rand", "recall", "rogers_tanimoto", "russel_rao", "sokal_sneath1", "sokal_sneath2", "f_alpha", "purity",
    "matching", "f_measure", "conditional_entropy", "nmi", "vi", "fowlkes_mallows", "hubert_normalized",
    "mutual_info", "accuracy", "adjusted_rand", "adjusted_mutual_info", "normalized_mutual_info", "homogeneity",
    "completeness", "v_measure", "normalized_vi", "bcubed_precision", "bcubed_recall", "bcubed_f",
    "inverse_purity", "wallace", "adjusted_wallace", "mirkin", "van_dongen", "pair_sets_index",
    "normalized_clustering_accuracy", "ari", "ami", "variation_of_information", "joint_entropy",
]  # fmt: skip


@pytest.mark.parametrize("name", USUAL_NAMES)
def test_every_usual_name_is_found(name):
    assert isinstance(getattr(external, name)(TRUTH, LABELS), float)
    assert name in dir(external)


def test_names_may_be_written_in_capitals():
    assert external.ARI is external.adjusted_rand
    assert external.Sokal_Sneath1 is external.sokal_sneath_1
