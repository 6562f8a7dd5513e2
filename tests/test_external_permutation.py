"""What chance alone gives: random tables have the right sizes and the right distribution."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from pytest import approx
from way_calls import note_calls

from clustval import external, progress
from clustval.catalogue import select
from clustval.compare import permutation
from clustval.compare.agreement import agreement
from clustval.sources.label_pair import label_pair
from clustval.stats.labels.contingency import Contingency

TRUTH = np.repeat([0, 1, 2], [12, 8, 4])
LABELS = np.array([0] * 9 + [1] * 9 + [2] * 6)
DRAWS = {"drawn": permutation._drawn, "shuffled": permutation._shuffled}


@pytest.mark.parametrize("way", DRAWS)
def test_random_tables_keep_the_sizes(way):
    table = label_pair(TRUTH, LABELS)[Contingency]
    for seed in range(20):
        drawn = DRAWS[way](table, np.random.default_rng(seed))
        assert drawn.row_sizes.tolist() == table.row_sizes.tolist()
        assert drawn.column_sizes.tolist() == table.column_sizes.tolist()


@pytest.mark.parametrize("way", DRAWS)
def test_random_tables_come_as_often_as_permutations_make_them(way):
    truth, labels = [0, 0, 0, 1, 1], [0, 0, 1, 1, 2]
    table = label_pair(truth, labels)[Contingency]
    counts: dict[bytes, int] = {}
    for order in itertools.permutations(labels):
        key = label_pair(truth, order)[Contingency].table.tobytes()
        counts[key] = counts.get(key, 0) + 1
    found: dict[bytes, int] = {}
    for seed in range(4000):
        key = DRAWS[way](table, np.random.default_rng(seed)).table.tobytes()
        found[key] = found.get(key, 0) + 1
    chi2 = sum((found.get(k, 0) - 4000 * c / 120) ** 2 / (4000 * c / 120) for k, c in counts.items())
    assert set(found) <= set(counts)
    assert chi2 < 2.5 * len(counts)


def test_large_tables_are_shuffled_and_small_ones_drawn(monkeypatch):
    used = []
    for name, function in (("_drawn", permutation._drawn), ("_shuffled", permutation._shuffled)):
        monkeypatch.setattr(permutation, name, lambda *a, n=name, f=function: used.append(n) or f(*a))
    list(permutation.random_tables(label_pair(TRUTH, np.arange(24))[Contingency], 1, 0))
    list(permutation.random_tables(label_pair(np.tile(TRUTH, 9), np.tile(LABELS, 9))[Contingency], 1, 0))
    assert used == ["_shuffled", "_drawn"]


def test_means_under_chance_are_those_of_the_formulas():
    truth, labels = np.tile(TRUTH, 5), np.random.default_rng(4).permutation(np.tile(LABELS, 5))
    null = agreement(truth, labels, ["ari", "ami", "mutual_info"], permutations=2000, random_state=0).null
    for name in ("adjusted_rand", "adjusted_mutual_info"):
        assert abs(null[name].mean) < 4 * null[name].std / math.sqrt(2000)
    pair = label_pair(truth, labels)
    expected = pair[permutation.ExpectedInformation].shared
    assert null["mutual_info"].mean == approx(expected, abs=4 * null["mutual_info"].std / math.sqrt(2000))


def test_p_values_count_the_draws_that_agree_at_least_as_well():
    scores = agreement(TRUTH, LABELS, "all", permutations=199, random_state=5)
    tables = list(permutation.random_tables(scores.table, 199, 5))
    for name in ("adjusted_rand", "purity", "variation_of_information", "accuracy"):
        drawn = [agreement(t, indices=[name])[name] for t in tables]
        sign = -1 if name == "variation_of_information" else 1
        as_good = sum(sign * v >= sign * scores[name] - 1e-12 for v in drawn)
        null = scores.null[name]
        assert null.p_value == (1 + as_good) / 200
        assert null.mean == approx(np.mean(drawn))
        assert null.std == approx(np.std(drawn, ddof=1))
        assert null.draws == 199


def test_perfect_agreement_is_rarest_and_chance_is_common():
    assert set(agreement(TRUTH, TRUTH, ["ari", "nmi"], permutations=99, random_state=0).p_values.values()) == {0.01}
    p = agreement([0, 1] * 20, [0, 0, 1, 1] * 10, ["ari", "nmi", "mcnemar"], permutations=99, random_state=0).p_values
    assert p["adjusted_rand"] > 0.5
    assert p["mcnemar"] == 1


def test_tiny_values_are_compared_on_their_own_scale():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 5, 50_000)
    labels = np.where(rng.random(50_000) < 0.5, truth, rng.integers(0, 5, 50_000))
    scores = agreement(truth, labels, "phi_without_root", permutations=49, random_state=0)
    assert scores["phi_without_root"] < 1e-15
    assert scores.p_values["phi_without_root"] == 0.02


def test_the_seed_decides_and_the_order_of_points_and_indices_does_not():
    first = agreement(TRUTH, LABELS, ["ari", "nmi"], permutations=50, random_state=3)
    again = agreement(TRUTH[::-1], LABELS[::-1], ["nmi", "ari", "rand"], permutations=50, random_state=3)
    other = agreement(TRUTH, LABELS, ["ari", "nmi"], permutations=50, random_state=4)
    for name in first:
        assert first.null[name] == again.null[name]
        assert first.null[name] != other.null[name]


def test_what_describes_or_has_no_value_has_no_p_value():
    scores = agreement([0] * 6, [0, 0, 0, 1, 1, 1], ["truth_entropy", "hubert", "rand"], permutations=9, random_state=0)
    assert math.isnan(scores.p_values["truth_entropy"])
    assert scores.null["truth_entropy"].mean == 0
    assert math.isnan(scores.p_values["hubert"])
    assert math.isnan(scores.null["hubert"].mean)
    assert scores.null["hubert"].draws == 0
    assert scores.p_values["rand"] == 1
    one = agreement(TRUTH, LABELS, ["rand"], permutations=1, random_state=0).null["rand"]
    assert math.isnan(one.std)


def test_tables_not_points_are_drawn():
    table = Contingency.of_table(np.array([[3 * 10**8, 10**8], [10**8, 2 * 10**8]]))
    null = permutation.null_distributions(
        permutation.LabelPair(table), select("ari", "external"), {"adjusted_rand": 0.1}, permutations=20, random_state=0
    )
    assert null["adjusted_rand"].p_value == approx(1 / 21)


def test_progress_is_shown_only_if_asked(capsys, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0)
    agreement(TRUTH, LABELS, ["ari"], permutations=3, random_state=0)
    assert capsys.readouterr() == ("", "")
    agreement(TRUTH, LABELS, ["ari"], permutations=3, random_state=0, progress=True)
    assert "Drawing tables" in "".join(capsys.readouterr())


def test_expected_information_is_computed_once_for_all_draws(monkeypatch):
    calls = []
    note_calls(monkeypatch, permutation.ExpectedInformation, lambda *_: calls.append(1))
    agreement(TRUTH, LABELS, ["ami"], permutations=9, random_state=0)
    assert len(calls) == 1
    assert external.ami(TRUTH, LABELS) < 1
