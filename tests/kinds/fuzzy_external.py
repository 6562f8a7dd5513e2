"""Memberships in two clusterings: examples of indices that compare them, and the laws that hold of these alone."""

from __future__ import annotations

import re

import brute_force
import naive_memberships
import numpy as np
import pandas as pd
import pytest
from pytest import approx
from scipy import sparse

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from clustval.passes.memberships import fuzzy_pairs
from clustval.sources.membership_pair import MembershipPair, membership_pair
from clustval.stats.memberships.fuzzy_pairs import SoftTable
from kinds import Alike, Examples

catalogue.load("fuzzy_external")
INDICES = KINDS["fuzzy_external"].indices
every_index = pytest.mark.parametrize("index", INDICES.values(), ids=lambda index: index.name)

RNG = np.random.default_rng(4)
LABELS = np.repeat([0, 1, 2, 3], [30, 20, 12, 8])
ORDER = RNG.permutation(70)
TRUTH = 0.9 * np.eye(4)[LABELS] + 0.1 * RNG.dirichlet(np.ones(4), 70)
NEAR = 0.8 * np.eye(4)[LABELS] + 0.2 * RNG.dirichlet(np.ones(4), 70)

EXAMPLES = Examples(
    good=(TRUTH, NEAR),
    bad=(TRUTH, RNG.permutation(NEAR)),
    others=[(TRUTH, RNG.dirichlet(np.full(k, spread), 70)) for k in (1, 2, 7) for spread in (0.1, 1, 10)],
    alike={
        "the order of points": Alike((TRUTH, NEAR), (TRUTH[ORDER], NEAR[ORDER]), 1e-12),
        "the names of clusters": Alike((TRUTH, NEAR), (TRUTH[:, [2, 0, 1, 3]], NEAR[:, ::-1]), 1e-12),
        "which comes first": Alike((TRUTH, NEAR), (NEAR, TRUTH), 1e-12),
    },
    degenerate={
        "one point": (TRUTH[:1], NEAR[:1]),
        "one cluster": (np.ones((5, 1)), np.ones((5, 1))),
        "one cluster beside several": (np.ones((70, 1)), NEAR),
        "every point in all clusters alike": (np.full((70, 3), 1 / 3), NEAR),
        "both alike everywhere": (np.full((9, 3), 1 / 3), np.full((9, 2), 1 / 2)),
        "each point alone": (np.eye(5), np.eye(5)),
        "labels": (LABELS, NEAR),
        "a cluster without points": (np.column_stack([TRUTH, np.zeros(70)]), NEAR),
    },
)


# --- definitions and reference values ----------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_values_are_those_of_the_definitions(name):
    data, reference = brute_force.data(name), brute_force.values(name, "C")
    for index, value in cv.fuzzy_external.evaluate(data["U"], data["U4"]).items():
        assert value == approx(reference[index], rel=1e-9), index
    for index in ("fuzzy_adjusted_rand", "soft_adjusted_rand", "aci"):
        itself = INDICES[index].function(data["U"], data["U"])
        assert itself == approx(reference[f"{index}_self"], rel=1e-9), index


@every_index
@pytest.mark.parametrize("seed", range(6))
def test_every_index_follows_its_definition(index, seed):
    rng = np.random.default_rng(seed)
    n = [5, 9, 14, 20, 66, 80][seed] if index.name != "aci" else 4 + 4 * seed  # all pairs of pairs are many
    U, V = rng.dirichlet(np.full(3, 0.4), n), rng.dirichlet(np.full(1 + seed % 4, 0.4), n)
    definition = getattr(naive_memberships, index.name)
    assert index.function(U, V) == approx(definition(U.tolist(), V.tolist()), rel=1e-9)
    for norm in ("product", "lukasiewicz") if "norm" in index.options else ():
        expected = definition(U.tolist(), V.tolist(), norm)
        assert index.function(U, V, norm=norm) == approx(expected, rel=1e-9), norm


# --- laws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_crisp_memberships_have_the_values_of_labels(seed):
    rng = np.random.default_rng(seed)
    truth, labels = rng.integers(0, 4, 70), rng.integers(0, 3, 70)
    scores = cv.fuzzy_external.evaluate(np.eye(4)[truth], np.eye(3)[labels])
    external = {
        "ndc": "rand", "aci": "adjusted_rand", "fuzzy_rand": "rand", "fuzzy_adjusted_rand": "adjusted_rand",
        "fuzzy_jaccard": "jaccard", "soft_adjusted_rand": "adjusted_rand",
    }  # fmt: skip
    for name, value in scores.items():
        assert value == approx(getattr(cv.external, external[name])(truth, labels), rel=1e-12), name


def test_only_concordance_has_1_for_memberships_beside_themselves():
    scores = cv.fuzzy_external.evaluate(NEAR, NEAR)
    assert scores["ndc"] == scores["aci"] == 1
    assert all(scores[name] < 0.9 for name in set(scores) - {"ndc", "aci"})
    assert cv.fuzzy_external.aci(NEAR, NEAR[:, ::-1]) == approx(1)


def test_cells_of_less_than_one_point_take_the_soft_index_out_of_the_range_of_the_crisp_one():
    low, high = INDICES["soft_adjusted_rand"].bounds
    equal = np.full((2, 2), 0.5)  # four cells of 1/2 have -1/8 pairs each, and one is 0 by chance and at most
    assert cv.fuzzy_external.soft_adjusted_rand(equal, equal) == -np.inf == low
    rng = np.random.default_rng(0)
    few = [rng.dirichlet(np.full(7, 0.3), (2, n)) for n in (2, 3, 4) for _ in range(500)]
    values = [cv.fuzzy_external.soft_adjusted_rand(U, V) for U, V in few]
    assert min(values) < -1
    assert 1 < max(values) < high


def test_labels_stand_for_memberships_of_one_cluster():
    crisp = np.eye(4)[LABELS]
    expected = cv.fuzzy_external.evaluate(crisp, NEAR).to_dict()
    for labels in (
        LABELS,
        LABELS.tolist(),
        pd.Series(LABELS),
        [f"class {label}" for label in LABELS],
        sparse.csr_array(crisp),
    ):
        assert cv.fuzzy_external.evaluate(labels, NEAR).to_dict() == expected


def test_random_memberships_agree_by_0_on_average():
    values = [cv.fuzzy_external.aci(TRUTH, np.random.default_rng(seed).permutation(NEAR)) for seed in range(200)]
    assert abs(np.mean(values)) < 4 * np.std(values) / np.sqrt(200)


def test_tables_of_blocks_add_up():
    parts = [MembershipPair(TRUTH[rows], NEAR[rows])[SoftTable] for rows in (slice(9), slice(9, 70))]
    whole = membership_pair(TRUTH, NEAR)[SoftTable]
    together = parts[0] + parts[1]
    assert together.n == whole.n
    assert together.table == approx(whole.table, rel=1e-13)


# --- passes ----------------------------------------------------------------------------------------------


def test_compiled_pairs_are_those_of_numpy(set_thresholds):
    compiled = _passes()
    set_thresholds(PAIRS=10**6)
    assert compiled == approx(_passes(), rel=1e-12)


def _passes():
    counts = [fuzzy_pairs.fuzzy_counts(TRUTH, NEAR, norm).tolist() for norm in fuzzy_pairs.NORMS]
    differences = fuzzy_pairs.mean_difference(TRUTH, NEAR), fuzzy_pairs.expected_difference(TRUTH, NEAR)
    return [*differences, *np.ravel(counts)]


@pytest.mark.parametrize("held", [10, 100, 1000])
@pytest.mark.parametrize("first", [TRUTH, np.eye(4)[LABELS], np.full((70, 3), 1 / 3)], ids=["soft", "crisp", "equal"])
def test_pairs_that_are_too_many_to_hold_are_sorted_by_ranges(held, first):
    expected = fuzzy_pairs.expected_difference(first, NEAR)
    assert fuzzy_pairs.expected_difference(first, NEAR, held=held) == approx(expected, rel=1e-12)


def test_all_pairs_of_very_many_points_are_not_visited_unasked(set_limits):
    set_limits(longest=1e-9)
    scores = cv.fuzzy_external.evaluate(TRUTH, NEAR)
    assert list(scores.reasons) == [name for name in INDICES if name != "soft_adjusted_rand"]
    assert re.fullmatch(
        r"aci needs 2\.42e\+03 pairs of points, about .* on \d+ cores; "
        r"clustval\.fuzzy_external\.aci\(U, V\) computes it, however long it takes\.",
        scores.reasons["aci"],
    )


# --- errors ----------------------------------------------------------------------------------------------

WRONG = {
    "rows of another number": (TRUTH[:9], NEAR, "U has 9 rows but V has 70."),
    "nothing": (None, NEAR, "U is None; give a label for each point."),
    "a number": (TRUTH, 3, "V must have one dimension; it has 0."),
    "negative": (TRUTH, NEAR - 0.5, "V must not be negative; row 0, column 1 is"),
    "no sum of 1": (TRUTH / 2, NEAR, "Each row of U must add up to 1; row 0 adds up to 0.5."),
    "zeros": (TRUTH, np.zeros((70, 2)), "Each row of V must add up to 1; row 0 adds up to 0."),
    "missing": (TRUTH, np.full((70, 2), np.nan), "V must be finite; row 0, column 0 is nan (70 such rows)."),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_memberships_is_named(what):
    U, V, message = WRONG[what]
    with pytest.raises(cv.InputError) as error:
        cv.fuzzy_external.evaluate(U, V)
    assert str(error.value).startswith(message)


def test_one_point_has_no_pairs():
    with pytest.raises(cv.UndefinedIndexError, match=r"^ndc compares pairs of points; there is only one point\.$"):
        cv.fuzzy_external.ndc([[1, 0]], [[1, 0]])
