"""Which of several values a rule chooses."""

from __future__ import annotations

import math
import re

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clustval import rules
from clustval.errors import InputError
from clustval.relative.best import best
from conftest import golden

approx = pytest.approx
inf, nan = math.inf, math.nan
CURVES = st.lists(st.one_of(st.integers(-5, 5).map(float), st.just(nan)), min_size=3, max_size=12)


def criteria(name):
    return golden(name)["criteria"]


# Table 2 of Desgraupes, as the package applies it


@pytest.mark.parametrize("entry", criteria("bestCriterion"), ids=lambda entry: entry["criterion"])
def test_the_suite_clustercrit_chooses_as_the_package_does(entry):
    for case in entry["cases"]:
        assert best(case["x"], f"clustercrit:{entry['criterion']}") == case["best"] - 1


@pytest.mark.parametrize("entry", criteria("bestCriterion_special"), ids=lambda entry: entry["criterion"])
def test_the_suite_clustercrit_treats_infinities_and_ties_as_the_package_does(entry):
    """All but NaN: the package then answers NaN; here values without a number are left out."""
    for case in entry["cases"]:
        values = [nan if x == "NA" else float(x) for x in case["x"]]
        index = f"clustercrit:{entry['criterion']}"
        if case["case"] in {"nan", "na", "nan_and_na"}:
            assert case["best"] in {"NaN", "NA"}
            assert best(values, index) == naive.RULES[naive.CLUSTERCRIT_RULES[entry["criterion"].lower()]](values)
        elif case["best"] == "NA":
            with pytest.raises(InputError):
                best(values, index)
        else:
            assert best(values, index) == case["best"] - 1


@given(CURVES)
def test_the_rules_of_table_2_agree_with_their_definition(values):
    for name, rule in {
        "max": rules.highest,
        "min": rules.lowest,
        "max_diff": rules.sharpest_bend_up,
        "min_diff": rules.sharpest_bend_down,
    }.items():
        expected = naive.RULES[name](values)
        assert rule.choose(np.array(values)) == (-1 if expected is None else expected)


# The transformations of Vendramin et al.


@pytest.mark.parametrize(
    ("equation", "scores"),
    [(35, rules.step), (36, rules.change_of_step), (37, rules.relative_change)],
)
@given(CURVES)
def test_the_transformations_of_vendramin_agree_with_their_equations(equation, scores, values):
    with np.errstate(all="ignore"):
        found = scores(np.array(values), np.arange(len(values), dtype=float))
    assert found.tolist() == approx(naive.VENDRAMIN_TRANSFORMS[equation](values), nan_ok=True)


def test_a_knee_is_the_step_down_that_is_followed_by_almost_none():
    values = [100.0, 60.0, 20.0, 15.0, 11.0]
    # Steps 40, 40, 5, 4: relative changes 1, 8 and 1.25.
    assert rules.knee_of_fall.choose(np.array(values)) == 2
    assert rules.knee_of_rise.choose(-np.array(values)) == 2


def test_a_knee_and_an_elbow_leave_infinite_values_out():
    values = np.array([100.0, 60.0, 20.0, 15.0, 11.0, -inf, 3.0])
    for rule in (rules.knee_of_fall, rules.elbow_of_fall):
        assert rule.choose(values) == 2
    assert rules.largest_fall.choose(values) == 1
    assert rules.sharpest_bend_up.choose(values) == 5  # as the package does


def test_an_elbow_lies_farthest_from_the_line_through_both_ends():
    values = np.array([10.0, 2.0, 1.0, 0.0])
    # The line is at 10, 20/3, 10/3, 0: the values lie 0, 14/3, 7/3 and 0 below it.
    assert rules.sag(values, np.arange(4.0)).tolist() == approx([0, 14 / 30, 7 / 30, 0])
    assert rules.elbow_of_fall.choose(values) == 1
    assert rules.elbow_of_rise.choose(-values) == 1
    assert rules.elbow_of_fall.choose(np.array([nan, 10.0, 2.0, nan, 0.0])) == 2
    assert rules.elbow_of_fall.choose(np.array([nan, 10.0, 2.0])) == -1


# Calinski-Harabasz of Iris, Zaki and Meira example 17.8

CH = [570.25, 692.40, 717.79, 683.14, 708.26, 700.17, 738.05, 728.63]
DELTA = [-96.78, -60.03, 59.78, -33.22, 45.97, -47.30]


def test_delta_of_the_book_is_the_bend_of_the_curve():
    found = rules.bend(np.array(CH), np.arange(2.0, 10.0))
    assert found[1:-1].tolist() == approx(DELTA, abs=0.03)  # printed from values with more digits
    assert math.isnan(found[0])
    assert math.isnan(found[-1])


def test_delta_chooses_three_clusters_and_the_highest_value_eight():
    assert range(2, 10)[best(CH, "zaki:calinski_harabasz", k=range(2, 10))] == 3
    assert range(2, 10)[best(CH, rules.sharpest_bend_down)] == 3
    assert range(2, 10)[best(CH, "calinski_harabasz")] == 8


# Numbers of clusters


def test_values_are_read_in_the_order_of_k():
    values = np.array([100.0, 60.0, 20.0, 15.0, 11.0])
    order = [3, 0, 4, 2, 1]
    assert best(values[order], "trace_w", k=np.arange(2, 7)[order]) == order.index(2)
    assert best(values, "trace_w") == 2


def test_steps_are_measured_per_cluster():
    # Slopes -40 and -5 around k = 3, -5 and -5 around k = 4: no bend at 4, though the steps are -5 and -30.
    values = [100.0, 60.0, 55.0, 25.0]
    assert rules.bend(np.array(values), np.array([2.0, 3, 4, 10])).tolist() == approx([nan, 35, 0, nan], nan_ok=True)
    assert best(values, rules.sharpest_bend_up, k=[2, 3, 4, 10]) == 1
    assert best(values, rules.sharpest_bend_down) == 2


def test_of_several_values_with_the_same_k_the_best_forms_the_curve():
    values = [100.0, 60.0, 90.0, 20.0, 70.0, 15.0, 11.0]
    k = [2, 3, 3, 4, 4, 5, 6]
    assert best(values, "trace_w", k=k) == 3
    assert best([-v for v in values], rules.knee_of_rise, k=k) == 3
    assert best(values, "silhouette", k=k) == 0


def test_of_several_values_with_the_same_k_a_step_is_measured_from_the_best_that_is_a_number():
    values, k = np.array([100.0, nan, 90.0, 60.0, 20.0]), [2, 3, 3, 3, 4]
    positions, scores = rules.largest_fall.read(values, k)
    assert positions.tolist() == [0, 3, 4]
    assert scores.tolist() == approx([nan, 40, 40], nan_ok=True)
    positions, scores = rules.nearest_zero.read(np.array([1.0, -1.0]), [3, 3])  # compares no neighbours: none is lost
    assert positions.tolist() == [0, 1]
    assert rules.nearest_zero.choose(np.array([1.0, -1.0]), [3, 3]) == 0


def test_steps_and_lines_run_along_k():
    values, k = np.array([12.0, 4.0, 3.0, 2.0]), np.array([2.0, 4.0, 5.0, 7.0])
    assert rules.step(values, k).tolist() == approx([nan, 4, 1, 0.5], nan_ok=True)
    # The line falls from 12 to 2, by 2 for each k: 12, 8, 6, 2; the range of the values is 10.
    assert rules.sag(values, k).tolist() == approx([0, 0.4, 0.3, 0])


def test_values_below_one_end_where_the_next_is_not():
    k = np.arange(2.0, 5.0)
    assert rules.below_one(np.array([0.4, 1.5, 2.0]), k).tolist() == approx([nan, 1, nan], nan_ok=True)
    assert rules.below_one(np.array([0.4, 1.0, 2.0]), k).tolist() == approx([nan, 1, nan], nan_ok=True)
    assert rules.end_of_values_below_one.choose(np.array([1.0, 1.5, 2.0])) == -1
    assert rules.next_below_one(np.array([1.5, 1.0, 0.4]), k).tolist() == approx([nan, 1, nan], nan_ok=True)
    assert rules.next_below_one(np.array([1.5, 0.6, 0.4]), k).tolist() == approx([1, nan, nan], nan_ok=True)
    assert np.isnan(rules.next_below_one(np.array([0.6, 1.5, 2.0]), k)).all()  # nothing is before the first


def test_a_knee_may_lie_between_two_values_that_differ_by_one():
    positions, scores = rules.kneedle(0.5).read(np.array([1.0, 0.1, 0.0]))
    assert positions.tolist() == [0, 1, 2]
    assert scores.tolist() == approx([nan, 1, nan], nan_ok=True)
    assert rules.kneedle().better == "lower"
    assert rules.kneedle(curve="concave", direction="increasing").better == "higher"


def test_the_first_of_equals_wins_in_the_order_of_k():
    assert best([1.0, 3.0, 3.0], "silhouette") == 1
    assert best([1.0, 3.0, 3.0], "silhouette", k=[4, 3, 2]) == 2


def test_a_value_without_extent_does_not_win_by_our_own_rules():
    values = [50.0, 30.0, 5.0, 4.0, -inf, 2.0]
    assert best(values, "banfeld_raftery") == 2
    assert best(values, "scott_symons") == 2
    assert best(values, "clustercrit:banfeld_raftery") == 4  # as printed


def test_external_indices_are_chosen_by_their_rule():
    assert best([0.2, 0.9, 0.4], "adjusted_rand") == 1


# One standard error


def test_the_first_gap_within_one_standard_error_of_the_next_is_chosen():
    gap = [0.093, 0.346, 0.679, 0.753, 0.586]
    # 0.679 >= 0.753 - 0.1 but not 0.753 - 0.05.
    assert rules.one_standard_error(gap, [0.1] * 5) == 2
    assert rules.one_standard_error(gap, [0.05] * 5) == 3
    assert rules.one_standard_error(gap, [0.05] * 5, times=2) == 2


def test_the_standard_error_may_be_widened_for_the_number_of_references():
    gap, sd = [0.0, 1.0], [0.0, 0.9]
    assert rules.one_standard_error(gap, sd) == 1
    assert rules.one_standard_error(gap, sd, n_references=4) == 0  # 0.9 sqrt(1 + 1/4) = 1.006
    assert rules.one_standard_error(gap, [0.0, 0.85], n_references=4) == 1  # 0.950
    assert rules.one_standard_error([0.5, 0.75], [0.0, 0.25]) == 0  # not below


def test_a_gap_that_never_stops_growing_chooses_the_last():
    assert rules.one_standard_error([0.0, 1.0, 2.0], [0.1, 0.1, 0.1]) == 2
    assert rules.one_standard_error([0.0, nan, 2.0], [0.1, 0.1, 0.1]) == 2
    assert rules.one_standard_error([0.4], [0.1]) == 0


# Errors


@pytest.mark.parametrize(
    ("values", "index", "k", "message"),
    [
        ([], "dunn", None, "values holds no number to choose from: it is empty."),
        ([nan, nan], "dunn", None, "values holds no number to choose from: all are NaN."),
        (
            [3.0, 2.0],
            "trace_w",
            None,
            (
                "trace_w is read by the largest relative change of a falling curve, which compares 3 neighbouring "
                "values; values holds 2, of which 2 are numbers, and no 3 finite ones side by side."
            ),
        ),
        ([[1.0], [2.0]], "dunn", None, "values must be a list of numbers, one for each partition."),
        (["a", "b"], "dunn", None, "values must be a list of numbers, one for each partition."),
        ([1.0, 2.0], "dunn", [2], "values has 2 entries but k has 1."),
        ([1.0, 2.0], "dunn", ["two", "three"], "k must be a list of numbers of clusters, one for each value."),
        ([1.0, 2.0], "pbmm", None, "No internal index is called 'pbmm'. Did you mean 'pbm'?"),
        (
            [1.0, 2.0],
            "sklearn",
            None,
            "'sklearn' is a suite of 3 indices; name one of them, as 'sklearn:silhouette_score'.",
        ),
        ([1.0, 2.0], 3, None, "index must be the name of an index or a rule; it is 3."),
        (
            [1.0, 2.0],
            rules.descriptive,
            None,
            "It describes a partition and does not judge it: none of its values is best.",
        ),
    ],
)
def test_what_cannot_be_chosen_from_is_said(values, index, k, message):
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        best(values, index, k)


# Heights above the diagonal, times both ranges, are 0, 20, 16, 8 and 0.
KNEE = np.array([10.0, 2.5, 1.0, 0.5, 0.0])


@pytest.mark.parametrize(("values", "curve", "direction", "place"), [
    (KNEE, "convex", "decreasing", 1),
    (-KNEE, "concave", "increasing", 1),
    (KNEE[::-1], "convex", "increasing", 3),
    (-KNEE[::-1], "concave", "decreasing", 3),
])  # fmt: skip
def test_a_knee_must_be_sharper_than_its_sensitivity_whatever_the_unit_and_the_way_the_curve_runs(
    values, curve, direction, place
):
    for unit in (1.0, 1024.0, 2.0**-10):
        assert rules.kneedle(1.99, curve, direction).choose(unit * values) == place
        assert rules.kneedle(2.0, curve, direction).choose(unit * values) == -1


def test_a_knee_does_not_depend_on_where_numbers_of_clusters_begin():
    for first in (0, 2, 100):
        k = np.arange(first, first + 5)
        assert rules.kneedle(1.99).choose(KNEE, k) == 1
        assert rules.kneedle(2.0).choose(KNEE, k) == -1


def test_of_places_equally_high_the_last_is_the_knee():
    heights, steps = np.array([0.0, 10, 10, 4, 0]), np.arange(5)  # from the first, it does not come down at once
    assert rules.kneedle(0.2, "concave", "increasing").choose((heights + 20 * steps) / 4) == 2


def test_any_fall_is_a_knee_if_the_sensitivity_is_0_but_below_it_makes_no_sense():
    assert rules.kneedle(0).choose(KNEE) == 1
    for wrong in (-1.0, nan):
        with pytest.raises(InputError, match="sensitivity must be a number from 0"):
            rules.kneedle(wrong)


def test_a_curve_comes_down_from_a_knee_before_the_next_such_place():
    heights, steps = np.array([0.0, 10, 9, 11, 2, 0]), np.arange(6)
    values = (heights + 30 * steps) / 5
    assert rules.kneedle(0.2, "concave", "increasing").choose(values) == 3


@pytest.mark.parametrize("wrong", [{"curve": "bent"}, {"direction": "down"}])
def test_a_curve_that_runs_otherwise_is_refused(wrong):
    with pytest.raises(InputError, match="curve must be 'convex' or 'concave'"):
        rules.kneedle(**wrong)
