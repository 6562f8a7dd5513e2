"""Two labellings of the same points: examples of external indices, and the laws that hold of these alone."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from pytest import approx

from clustval import catalogue, external
from clustval.compare.agreement import agreement
from clustval.declare import KINDS
from clustval.sources.label_pair import label_pair
from clustval.stats.labels.contingency import Contingency
from kinds import Alike, Examples

catalogue.load("external")
EXTERNAL = sorted(KINDS["external"].indices.values(), key=lambda index: index.name)
JUDGING = [index for index in EXTERNAL if index.best.better != "neither"]
every_index = pytest.mark.parametrize("index", EXTERNAL, ids=lambda index: index.name)
every_judging_index = pytest.mark.parametrize("index", JUDGING, ids=lambda index: index.name)

RNG = np.random.default_rng(3)
TRUTH = np.repeat([0, 1, 2, 3], [40, 25, 10, 5])
LABELS = np.where(RNG.random(80) < 0.25, RNG.integers(0, 5, 80), TRUTH)
ORDER = RNG.permutation(80)
RANDOM = [np.random.default_rng(seed) for seed in range(5)]

EQUAL = np.repeat([0, 1, 2, 3], 20)
NEARLY = np.where(np.arange(80) % 10 == 0, (EQUAL + 1) % 4, EQUAL)
NEARLY[:3] = 0

DEGENERATE = {
    "both one cluster": ([0, 0, 0, 0], [0, 0, 0, 0]),
    "both all singletons": ([0, 1, 2, 3], [0, 1, 2, 3]),
    "truth one cluster": ([0, 0, 0, 0], [0, 0, 1, 1]),
    "labels one cluster": ([0, 0, 1, 1], [0, 0, 0, 0]),
    "truth all singletons": ([0, 1, 2, 3], [0, 0, 1, 1]),
    "labels all singletons": ([0, 0, 1, 1], [0, 1, 2, 3]),
    "one cluster, singletons": ([0, 0, 0, 0], [0, 1, 2, 3]),
    "one point": ([0], [0]),
}

EXAMPLES = Examples(
    good=(EQUAL, NEARLY),
    bad=(EQUAL, np.random.default_rng(0).permutation(NEARLY)),
    others=[
        (TRUTH, labels)
        for rng in RANDOM
        for labels in (TRUTH, LABELS, rng.permutation(TRUTH), rng.integers(0, 40, 80), rng.integers(0, 2, 80))
    ],
    alike={
        "the order of points": Alike((TRUTH, LABELS), (TRUTH[ORDER], LABELS[ORDER])),
        "the names of clusters": Alike(
            (TRUTH, LABELS), (100 - 7 * TRUTH, np.array(["z", "a", "m", "b", "q"])[LABELS]), 1e-13
        ),
    },
    degenerate=DEGENERATE,
    undirected={"mcnemar"},  # it tells splitting from joining, not good from bad
)


def value(index, truth, labels, **options):
    return getattr(external, index.name)(truth, labels, **options)


# --- laws ------------------------------------------------------------------------------------------------


@every_index
def test_truth_and_labels_may_be_swapped_just_where_the_record_says_so(index):
    there, back = value(index, TRUTH, LABELS), value(index, LABELS, TRUTH)
    if index.name in {"v_measure", "f_alpha"}:  # only an option tells truth from labels
        option = {"v_measure": {"beta": 3}, "f_alpha": {"alpha": 3}}[index.name]
        there, back = value(index, TRUTH, LABELS, **option), value(index, LABELS, TRUTH, **option)
    assert (there == approx(back, rel=1e-13)) == index.symmetric


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
MEASURED = {
    *("mutual_info", "russell_rao", "phi_without_root"),
    *("pair_agreement_z", "standardized_mutual_info"),  # standard deviations have no end
}


@every_judging_index
def test_identical_labellings_have_the_best_value_exactly(index):
    if index.name in MEASURED:
        assert value(index, TRUTH, TRUTH) < index.bounds[1]
        return
    best = {"higher": 1.0, "lower": 0.0, "nearer 0": 0.0}[index.best.better]
    assert value(index, TRUTH, 9 - TRUTH) == best


@every_index
def test_noise_is_a_cluster_unless_said_otherwise(index):
    noisy = np.where(LABELS == 4, -1, LABELS)
    assert value(index, TRUTH, noisy) == approx(value(index, TRUTH, LABELS), rel=1e-13)
    kept = LABELS != 4
    assert value(index, TRUTH, noisy, noise="drop") == value(index, TRUTH[kept], LABELS[kept])
    apart = np.where(LABELS == 4, np.arange(80) + 100, LABELS)
    assert value(index, TRUTH, noisy, noise="singletons") == approx(value(index, TRUTH, apart), rel=1e-13)


def test_alone_and_in_an_agreement_values_are_the_same_bit_for_bit():
    scores = agreement(TRUTH, LABELS, "all")
    assert scores.to_dict() == {index.name: value(index, TRUTH, LABELS) for index in KINDS["external"].indices.values()}


def test_every_index_is_computed_from_the_table():
    assert {index.cost for index in EXTERNAL} == {"linear"}


def test_a_measure_of_splitting_tells_it_from_joining():
    assert external.mcnemar(EQUAL, EQUAL) == 0
    assert external.mcnemar(EQUAL, np.arange(80)) > 0 > external.mcnemar(EQUAL, EQUAL // 2)


@pytest.mark.parametrize(
    "name",
    [
        "truth_entropy", "labels_entropy", "joint_entropy", "conditional_entropy", "labels_entropy_given_truth",
        "mutual_info", "variation_of_information",
    ],
)  # fmt: skip
def test_entropies_scale_with_the_logarithm_of_the_base(name):
    entropy = getattr(external, name)
    for base in (2, 10):
        assert entropy(TRUTH, LABELS, base=base) * math.log(base) == approx(entropy(TRUTH, LABELS), rel=1e-14)


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
    assert set(scores.per_cluster()) == {"size", *(index.name for index in EXTERNAL if index.by_cluster)}
    for name in ("purity", "accuracy", "bcubed_precision", "conditional_entropy", "element_centric"):
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
        "index     value  direction  range",
        f"rand   {plain['rand']:.6g}  higher     0 … 1",
    ]
    tested = agreement(TRUTH, LABELS, ["rand"], permutations=9, random_state=0)
    assert str(tested).splitlines()[0].split() == ["index", "value", "direction", "range", "by", "chance", "p"]
    assert tested.to_pandas().loc["rand", "p_value"] == tested.p_values["rand"] == 0.1
    assert "p_value" not in plain.to_pandas()


# --- names -----------------------------------------------------------------------------------------------

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


# --- degenerate input: what every index gives where its formula is 0/0 -----------------------------------

GUIDE = Path(__file__).parents[2] / "docs" / "agreement.md"
BEGIN, END = "<!-- degenerate cases: begin -->", "<!-- degenerate cases: end -->"


def table() -> str:
    """Return the value of every index in every case, a dash where there is none, as a Markdown table."""
    columns = {case: agreement(*labels, "all") for case, labels in DEGENERATE.items()}
    lines = ["| index | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for index in EXTERNAL:
        values = ("—" if math.isnan(scores[index.name]) else f"{scores[index.name]:.4g}" for scores in columns.values())
        lines.append(f"| `{index.name}` | " + " | ".join(values) + " |")
    return "\n".join(lines)


def test_the_table_of_the_guide_is_what_the_indices_give():
    text = GUIDE.read_text()
    assert text.split(BEGIN)[1].split(END)[0].strip() == table()


@pytest.mark.parametrize("case", DEGENERATE)
def test_what_has_no_value_has_the_reason_of_its_record(case):
    scores = agreement(*DEGENERATE[case], "all")
    for name, number in scores.items():
        assert math.isnan(number) == (name in scores.reasons)
        if name in scores.reasons:
            reason = KINDS["external"].indices[name].undefined
            assert scores.reasons[name] == f"{name} has no value for this clustering: {reason}."


PAIRWISE = [index.name for index in EXTERNAL if [s.__name__ for s in index.statistics] == ["PairCounts"]]
NEVER_WITHOUT_SPREAD = {"hubert", "phi_without_root"}


@pytest.mark.parametrize("case", ["both one cluster", "both all singletons"])
@pytest.mark.parametrize("name", PAIRWISE)
def test_identical_labellings_agree_perfectly_unless_a_correlation_needs_spread(name, case):
    number = agreement(*DEGENERATE[case], "all")[name]
    if name in NEVER_WITHOUT_SPREAD:
        assert math.isnan(number)
    elif name == "russell_rao":
        assert number == (case == "both one cluster")
    else:
        assert number == (0 if name in {"mirkin", "mcnemar"} else 1)


@pytest.mark.parametrize("name", PAIRWISE)
def test_one_point_has_no_pairs(name):
    number = agreement(*DEGENERATE["one point"], "all")[name]
    assert number == 0 if name == "mirkin" else math.isnan(number)


def test_labels_that_share_nothing_with_the_truth_have_no_mutual_information():
    for case in ("truth one cluster", "labels one cluster", "one cluster, singletons"):
        assert list(agreement(*DEGENERATE[case], ["mutual_info", "nmi", "ami"]).values()) == [0, 0, 0]
        for average in ("arithmetic", "geometric", "min", "max", "joint"):
            assert external.nmi(*DEGENERATE[case], average=average) == 0


def test_a_chance_correction_without_room_is_zero_not_noise():
    scores = agreement([0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], ["ami", "ari"])
    assert list(scores.values()) == [0, 0]


def test_points_that_are_all_noise_leave_nothing_to_compare():
    scores = agreement([-1, -1, 0], [0, 0, -1], "all", noise="drop")
    assert scores.coverage == 0
    assert all(math.isnan(number) for number in scores.values())
    assert set(scores.reasons.values()) == {"No point is left to compare: each is noise in the truth or in the labels."}
