"""What a cluster is: effects of columns, and rules whose coverage and precision hold out of sample."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval.errors import InputError
from clustval.stats.points.effects import column_effects
from clustval.tracking.short_rules import CUTS, Rules, of_categories, of_numbers, short_cut
from conftest import examples

TABLES = st.integers(0, 10_000).map(np.random.default_rng)


def table(rng: np.random.Generator, n: int = 30) -> tuple[list[list[object]], list[str]]:
    labels = rng.choice(list("abc"), n).tolist()
    labels[:3] = "abc"
    rows = [
        [float(rng.normal() + 3 * (label == "a")), int(rng.integers(4)), str(rng.choice(["x", "y"]))]
        for label in labels
    ]
    return rows, labels


def meets(row: list[object], rule: list[tuple[int, str, object]]) -> bool:
    return all(
        row[column] == value
        if comparison == "="
        else row[column] > value
        if comparison == ">"
        else row[column] <= value
        for column, comparison, value in rule
    )


def f1(rows: list[list[object]], labels: list[str], name: str, rule: list[tuple[int, str, object]]) -> float:
    selected = [meets(row, rule) for row in rows]
    hits = sum(one and label == name for one, label in zip(selected, labels, strict=True))
    return 2 * hits / (labels.count(name) + sum(selected))


@given(TABLES)
@examples(30)
def test_no_single_condition_is_better_than_a_rule_of_one(rng):
    rows, labels = table(rng)
    rules = cv.profile(rows, labels, conditions=1).rules
    for name, rule in rules.items():
        single = [
            (column, comparison, value)
            for column in range(3)
            for value in sorted({row[column] for row in rows})
            for comparison in (("=",) if column == 2 else (">", "<="))
        ]
        best = max(f1(rows, labels, name, [condition]) for condition in single)
        everything = 2 * labels.count(name) / (labels.count(name) + len(rows))
        assert f1(rows, labels, name, rule) == (approx(best) if best >= everything + 0.02 else approx(everything))


@given(TABLES)
@examples(30)
def test_a_longer_rule_is_better_by_what_each_condition_must_add(rng):
    rows, labels = table(rng)
    worth = [
        {name: f1(rows, labels, name, rule) for name, rule in cv.profile(rows, labels, conditions=most).rules.items()}
        for most in (1, 2, 3)
    ]
    lengths = [{name: len(rule) for name, rule in cv.profile(rows, labels, conditions=m).rules.items()} for m in (1, 3)]
    for name in "abc":
        assert worth[0][name] <= worth[1][name] <= worth[2][name]
        assert worth[2][name] >= worth[0][name] + 0.02 * (lengths[1][name] > lengths[0][name])
        assert lengths[1][name] <= 3


def test_coverage_and_precision_are_those_of_rows_that_did_not_choose_the_rule():
    rng = np.random.default_rng(1)
    rows, labels = table(rng, 60)
    profile = cv.profile(rows, labels, random_state=4)
    # The five parts, written again from the documented way to draw them.
    codes = np.array(["abc".index(label) for label in labels])
    mixed = np.random.default_rng(np.random.SeedSequence(4, spawn_key=(0,))).permutation(60)
    parts = np.empty(60, dtype=int)
    for place, row in enumerate(sorted(mixed.tolist(), key=lambda row: codes[row])):
        parts[row] = place % 5
    numbers = [np.array([row[column] for row in rows], dtype=float) for column in (0, 1)]
    texts = np.array([["x", "y"].index(row[2]) for row in rows])
    rules = Rules([of_numbers(0, numbers[0]), of_numbers(1, numbers[1]), of_categories(2, texts, ["x", "y"])])
    for name, record in zip("abc", profile.table.records, strict=True):
        hits = false = 0
        for part in range(5):
            search = rules.search(codes == "abc".index(name), parts != part, 3)
            rule = [(c.column, c.comparison, rules.columns[c.column].mark(c.place)) for c in search]
            for row, label, home in zip(rows, labels, parts, strict=True):
                if home == part and rule and meets(row, rule):
                    hits, false = hits + (label == name), false + (label != name)
        assert record["coverage"] == approx(hits / labels.count(name))
        assert record["precision"] == approx(hits / (hits + false) if hits + false else np.nan, nan_ok=True)
        assert record["others"] == approx(false / (60 - labels.count(name)))


@given(TABLES)
@examples(20)
def test_effects_are_differences_of_means_in_standard_deviations_inside_clusters(rng):
    X, labels = rng.normal(size=(20, 2)), rng.integers(0, 3, 20)
    labels[:3] = [0, 1, 2]
    X[5, 1] = np.nan
    effects = cv.profile(X, labels).effects
    for record in effects.records:
        column = X[:, record["column"]]
        own = [x for x, label in zip(column, labels, strict=True) if label == record["cluster"] and not np.isnan(x)]
        others = [x for x, label in zip(column, labels, strict=True) if label != record["cluster"] and not np.isnan(x)]
        centres = {c: np.nanmean(column[labels == c]) for c in (0, 1, 2)}
        squares = [(x - centres[label]) ** 2 for x, label in zip(column, labels, strict=True) if not np.isnan(x)]
        within = (sum(squares) / len(squares)) ** 0.5
        assert record["mean"] == approx(sum(own) / len(own))
        assert record["others"] == approx(sum(others) / len(others))
        assert record["effect"] == approx((sum(own) / len(own) - sum(others) / len(others)) / within)


@pytest.mark.parametrize("scale", [1e-310, 1e-200, 1e-3, 1e200, 1e307])
def test_effects_do_not_depend_on_the_scale(scale):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(60, 2)), np.repeat([0, 1, 2], 20)
    near = 1e-9 if scale > 1e-300 else 1e-5  # numbers with few digits
    for one, other in zip(
        cv.profile(X, labels).effects.records, cv.profile(X * scale, labels).effects.records, strict=True
    ):
        assert other["effect"] == approx(one["effect"], rel=near, abs=near)
        assert other["mean"] == approx(one["mean"] * scale, rel=near)


@pytest.mark.parametrize("n", [6, 7, 10, 60])
def test_rounding_is_no_effect(n):
    labels, ones = np.arange(n) % 3, np.ones(n)
    assert np.isnan(column_effects(0.1 * ones, labels, 3, ones)).all()
    low, _, high = column_effects(0.1 + 0.1 * labels, labels, 3, ones)
    assert (low, high) == (-np.inf, np.inf)
    assert np.isnan(column_effects(np.nan * ones, labels, 3, ones)).all()


def test_the_largest_effects_of_a_cluster_come_first_and_categories_have_shares():
    frame = pd.DataFrame({"colour": ["red"] * 4 + ["blue"] * 4, "size": [1, 2, 1, 2, 1.5, 2, 1, 2]})
    effects = cv.profile(frame, [0] * 4 + [1] * 4).effects
    first = effects.records[0]
    assert first["column"] in {"colour = red", "colour = blue"}
    assert first["effect"] in {np.inf, -np.inf}
    assert first["mean"] in {0.0, 1.0}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_column_of_the_frame_may_hold_the_labels(kind):
    spend, age = [100, 120, 400, 420, 410, 90], [30, 50, 30, 20, 35, 60]
    frame = kind({"spend": spend, "age": age, "segment": list("aabbba")})
    profile = cv.profile(frame, "segment")
    assert profile.rules == {"a": [("spend", "<=", 300.0)], "b": [("spend", ">", 300.0)]}
    assert profile.table["rule"].tolist() == ["spend <= 300", "spend > 300"]
    assert profile.sentences[0].startswith("a: spend <= 300 (")
    assert "segment" not in profile.effects["column"].tolist()


def test_clusters_that_chance_made_have_rules_that_do_not_hold_out_of_sample():
    rng = np.random.default_rng(0)
    profile = cv.profile(rng.normal(size=(300, 6)), rng.integers(0, 3, 300))
    assert (profile.table["precision"] < 0.5).all()


def test_a_missing_value_meets_no_condition():
    rules = Rules([of_numbers("x", np.array([1.0, 2.0, 3.0, np.nan, 5.0, 6.0, 7.0]))])
    for wanted in ([True] * 3 + [False] * 4, [False] * 4 + [True] * 3):
        rule = rules.search(np.array(wanted), np.ones(7, dtype=bool), 1)
        assert rules.selected(rule).tolist() == wanted


def test_noise_is_left_out_and_may_be_a_cluster():
    X = np.array([[0.0], [1.0], [10.0], [11.0], [50.0]])
    assert cv.profile(X, [0, 0, 1, 1, -1]).table["size"].tolist() == [2, 2]
    assert cv.profile(X, [0, 0, 1, 1, -1], noise="cluster").table["size"].tolist() == [2, 2, 1]


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
@examples(100)
def test_a_cut_lies_between_its_values(a, b):
    low, high = sorted((a, b))
    if low < high:
        assert low <= short_cut(low, high) < high


def test_many_values_are_cut_at_quantiles_and_stay_in_order():
    values = np.random.default_rng(0).normal(size=5000)
    column = of_numbers("x", values)
    assert len(column.marks) <= CUTS
    cuts = [column.mark(place) for place in range(len(column.marks))]
    assert all(np.diff(cuts) > 0)
    for value, place in zip(values[:200], column.bins[:200], strict=True):
        assert place == sum(cut < value for cut in cuts)
    sizes = np.bincount(column.bins)
    assert sizes.max() < 5000 / CUTS * 3


BAD_CALLS = {
    "one cluster": (
        lambda: cv.profile([[0], [1]], [0, 0]),
        "A cluster is told from others: labels must name 2 clusters or more; they name 1.",
    ),
    "an unknown column": (
        lambda: cv.profile(pd.DataFrame({"segment": [0, 1], "x": [1, 2]}), "segmnt"),
        "X has no column 'segmnt'. Did you mean 'segment'?",
    ),
    "a name without a frame": (
        lambda: cv.profile([[0], [1]], "segment"),
        "X has no names of columns, so that labels cannot be 'segment'; give one entry per row.",
    ),
    "nothing but labels": (
        lambda: cv.profile(pd.DataFrame({"segment": [0, 1]}), "segment"),
        "X has no column of numbers besides the labels; it has no other columns.",
    ),
    "other rows": (lambda: cv.profile([[0], [1]], [0, 1, 1]), "X has 2 rows but labels has 3 entries."),
    "no conditions": (lambda: cv.profile([[0], [1]], [0, 1], conditions=0), "conditions must be a whole number"),
    "infinite": (lambda: cv.profile([[0.0], [np.inf]], [0, 1]), "Column 0 of X is infinite in row 1."),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_what_cannot_be_profiled_is_said_in_a_sentence(name):
    call, message = BAD_CALLS[name]
    with pytest.raises(InputError) as error:
        call()
    assert message in str(error.value)


def test_a_column_that_names_the_rows_is_in_no_rule():
    frame = pl.DataFrame({"customer_id": range(40), "age": [30, 31] * 10 + [60, 61] * 10})
    with pytest.warns(UserWarning, match="'customer_id' names the rows"):
        rules = cv.profile(frame, [0] * 20 + [1] * 20).rules
    assert {name for conditions in rules.values() for name, *_ in conditions} == {"age"}


def test_columns_may_have_numbers_for_names():
    X = np.repeat([[0.0, 5], [1, 5]], 20, axis=0) + np.arange(40)[:, None] % 7 / 100
    (left, right) = cv.profile(pd.DataFrame(X), [0] * 20 + [1] * 20).rules.values()
    assert left[0][0] == right[0][0] == "0"


def test_shares_and_precision_follow_from_sizes_and_coverage():
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 3, 90)
    frame = pd.DataFrame({"x": rng.normal(size=90) + labels, "w": rng.choice(["a", "b", "c"], 90)})
    frame.loc[labels == 1, "w"] = "b"
    table = cv.profile(frame, labels).to_pandas()
    size, rest = np.bincount(labels), 90 - np.bincount(labels)
    assert table["share"].to_numpy() == approx(size / 90)
    selected = table["coverage"] * size + table["others"] * rest
    assert (table["others"] > 0).any()
    assert table["precision"].to_numpy() == approx((table["coverage"] * size / selected).to_numpy())


def test_effects_of_categories_are_shares_inside_and_outside():
    labels = np.repeat([0, 1], [4, 6])
    words = ["a", "a", "b", None, "b", "b", "b", "a", "c", "c"]
    effects = cv.profile(pd.DataFrame({"w": words}), labels).effects
    rows = zip(effects["cluster"], effects["column"], effects["mean"], effects["others"], strict=True)
    means = {(cluster, column): (mean, others) for cluster, column, mean, others in rows}
    assert means[0, "w = a"] == approx((2 / 3, 1 / 6))
    assert means[0, "w = c"] == approx((0, 1 / 3))
    assert means[1, "w = b"] == approx((3 / 6, 1 / 3))


def test_columns_of_many_values_are_cut_into_bins_of_as_many_points():
    column = of_numbers("x", np.append(np.random.default_rng(5).permutation(1000), np.nan))
    counts = np.bincount(column.bins[:-1])
    assert len(counts) == column.count == CUTS + 1
    assert set(counts.tolist()) <= {3, 4, 5}
    assert column.bins[-1] == -1
    every = of_numbers("x", np.arange(CUTS + 1.0))
    assert every.bins.tolist() == list(range(CUTS + 1))


def test_of_many_categories_the_most_frequent_are_kept():
    codes = np.append(np.repeat(np.arange(CUTS + 2), 2), [-1, *range(2, CUTS + 2)])
    column = of_categories("w", codes, [f"w{at}" for at in range(CUTS + 2)])
    assert column.marks == [f"w{at}" for at in range(2, CUTS + 2)]
    assert (column.bins[codes < 2] == -1).all()
    assert column.bins[codes >= 2].tolist() == (codes[codes >= 2] - 2).tolist()
