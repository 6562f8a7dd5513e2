"""What every external index gives where its formula is 0/0: one rule, and the table of it in the guide."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from clustval import catalogue
from clustval.compare.agreement import agreement
from clustval.declare import KINDS

catalogue.load()
EXTERNAL = KINDS["external"].indices
GUIDE = Path(__file__).parents[1] / "docs" / "agreement.md"
BEGIN, END = "<!-- degenerate cases: begin -->", "<!-- degenerate cases: end -->"

CASES = {
    "both one cluster": ([0, 0, 0, 0], [0, 0, 0, 0]),
    "both all singletons": ([0, 1, 2, 3], [0, 1, 2, 3]),
    "truth one cluster": ([0, 0, 0, 0], [0, 0, 1, 1]),
    "labels one cluster": ([0, 0, 1, 1], [0, 0, 0, 0]),
    "truth all singletons": ([0, 1, 2, 3], [0, 0, 1, 1]),
    "labels all singletons": ([0, 0, 1, 1], [0, 1, 2, 3]),
    "one cluster, singletons": ([0, 0, 0, 0], [0, 1, 2, 3]),
    "one point": ([0], [0]),
}


def table() -> str:
    """Return the value of every index in every case, a dash where there is none, as a Markdown table."""
    columns = {case: agreement(*labels, "all") for case, labels in CASES.items()}
    lines = ["| index | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for name in sorted(EXTERNAL):
        values = ("—" if math.isnan(scores[name]) else f"{scores[name]:.4g}" for scores in columns.values())
        lines.append(f"| `{name}` | " + " | ".join(values) + " |")
    return "\n".join(lines)


def test_the_table_of_the_guide_is_what_the_indices_give():
    text = GUIDE.read_text()
    assert text.split(BEGIN)[1].split(END)[0].strip() == table()


@pytest.mark.parametrize("case", CASES)
def test_what_has_no_value_has_a_reason(case):
    scores = agreement(*CASES[case], "all")
    for name, value in scores.items():
        assert math.isnan(value) == (name in scores.reasons)
        if name in scores.reasons:
            reason = EXTERNAL[name].undefined
            assert scores.reasons[name] == f"{name} has no value for this clustering: {reason}."


PAIRWISE = [name for name, index in EXTERNAL.items() if [s.__name__ for s in index.statistics] == ["PairCounts"]]
NEVER_WITHOUT_SPREAD = {"hubert", "phi_without_root"}


@pytest.mark.parametrize("case", ["both one cluster", "both all singletons"])
@pytest.mark.parametrize("name", PAIRWISE)
def test_identical_labellings_agree_perfectly_unless_a_correlation_needs_spread(name, case):
    value = agreement(*CASES[case], "all")[name]
    if name in NEVER_WITHOUT_SPREAD:
        assert math.isnan(value)
    elif name == "russell_rao":
        assert value == (case == "both one cluster")
    else:
        assert value == (0 if name in {"mirkin", "mcnemar"} else 1)


@pytest.mark.parametrize("name", PAIRWISE)
def test_one_point_has_no_pairs(name):
    value = agreement(*CASES["one point"], "all")[name]
    assert value == 0 if name == "mirkin" else math.isnan(value)


def test_labels_that_share_nothing_with_the_truth_have_no_mutual_information():
    for average in ("arithmetic", "geometric", "min", "max", "joint"):
        for case in ("truth one cluster", "labels one cluster", "one cluster, singletons"):
            scores = agreement(*CASES[case], ["mutual_info", "nmi", "ami"])
            assert list(scores.values()) == [0, 0, 0]
            from clustval import external

            assert external.nmi(*CASES[case], average=average) == 0


def test_a_chance_correction_without_room_is_zero_not_noise():
    scores = agreement([0, 1, 2, 3, 4, 5], [0, 0, 1, 1, 2, 2], ["ami", "ari"])
    assert list(scores.values()) == [0, 0]


def test_points_that_are_all_noise_leave_nothing_to_compare():
    scores = agreement([-1, -1, 0], [0, 0, -1], "all", noise="drop")
    assert scores.coverage == 0
    assert all(math.isnan(value) for value in scores.values())
    assert set(scores.reasons.values()) == {"No point is left to compare: each is noise in the truth or in the labels."}
