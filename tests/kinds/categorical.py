"""Clusters of points with categories: examples of categorical indices, and the laws that hold of these alone."""

from __future__ import annotations

import datetime as dt
import math
import pickle

import brute_force
import naive_categorical
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.categories import categories, coded
from clustval.declare import KINDS
from clustval.sources.categorical_partition import categorical_blocks, categorical_partition
from clustval.stats.points.category_counts import CategoryCounts
from kinds import Alike, Examples

catalogue.load("categorical")
CATEGORICAL = KINDS["categorical"].indices
every_index = pytest.mark.parametrize("index", CATEGORICAL.values(), ids=lambda index: index.name)
RNG = np.random.default_rng(4)
LABELS = np.repeat([0, 1, 2], (20, 12, 8))
# Each cluster has a usual category in each of four columns, which a fourth of its points do not have.
USUAL = np.array([[0, 1, 0, 2], [1, 0, 0, 1], [2, 2, 1, 0]])
X = np.where(RNG.random((len(LABELS), 4)) < 0.25, RNG.integers(0, 4, (len(LABELS), 4)), USUAL[LABELS])
ORDER = RNG.permutation(len(X))
SMALL = [["red", "S"], ["red", "S"], ["red", "L"], ["blue", "L"]]

EXAMPLES = Examples(
    good=(X, LABELS),
    bad=(X, RNG.permutation(LABELS)),
    others=[(X, RNG.integers(0, k, len(X))) for k in (2, 5, 20)],
    alike={
        "the order of points": Alike((X, LABELS), (X[ORDER], LABELS[ORDER]), 1e-13),
        "the names of clusters": Alike((X, LABELS), (X, np.array(["z", "a", "m"])[LABELS]), 1e-13),
        "the names of categories": Alike((X, LABELS), (np.array(list("zamb"))[X], LABELS), 1e-13),
        "the order of columns": Alike((X, LABELS), (X[:, [2, 0, 3, 1]], LABELS), 1e-13),
        "how the table is written": Alike((X, LABELS), (pl.DataFrame(X), LABELS.tolist())),
    },
    degenerate={
        "one cluster": (X, np.zeros(len(X))),
        "all points apart": (X, np.arange(len(X))),
        "one point": ([["a"]], [0]),
        "all points equal": ([["a", 1]] * 4, [0, 0, 1, 1]),
        "a column in which all differ": (np.arange(6).reshape(-1, 1), [0, 0, 0, 1, 1, 1]),
        "every point noise": (SMALL, [-1] * 4),
    },
)


# --- laws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_values_are_those_of_the_definitions(name):
    reference = brute_force.values(name, "F")
    for index, value in cv.categorical.evaluate(reference["categories"], brute_force.data(name)["kmeans"][3]).items():
        assert value == approx(reference[index], rel=1e-12), index


TABLES = st.tuples(st.integers(1, 12), st.integers(1, 4), st.integers(1, 4), st.booleans(), st.integers(0, 10**6))


@given(TABLES)
def test_every_index_agrees_with_its_definition_in_loops(drawn):
    n, p, k, gaps, seed = drawn
    rng = np.random.default_rng(seed)
    table = rng.integers(0, 4, (n, p)).astype(object)
    if gaps:
        table[rng.random((n, p)) < 0.3] = None
        table[rng.integers(n)] = 1  # a column has a value
    rows, labels = table.tolist(), rng.integers(0, k, n).tolist()
    for index, value in cv.categorical.evaluate(rows, labels, missing="skip").items():
        assert value == approx(getattr(naive_categorical, index)(rows, labels), rel=1e-12, abs=1e-12), index
    utility = cv.categorical.category_utility(rows, labels, missing="skip", normalized=False)
    assert utility == approx(naive_categorical.category_utility(rows, labels, normalized=False), rel=1e-12, abs=1e-12)
    entropy = cv.categorical.expected_entropy(rows, labels, missing="skip", base=2)
    assert entropy == approx(naive_categorical.expected_entropy(rows, labels, base=2), rel=1e-12, abs=1e-12)


@every_index
def test_whole_weights_are_repeated_points(index):
    weights = np.arange(len(X)) % 4
    repeated = np.repeat(X, weights, axis=0), np.repeat(LABELS, weights)
    assert index.function(X, LABELS, sample_weight=weights) == approx(index.function(*repeated), rel=1e-13)


def test_missing_values_of_weighted_points_are_left_out_with_their_weight():
    table, weights = X.astype(object), 1 + np.arange(len(X)) % 3
    table[::4, 1] = None
    repeated = np.repeat(table, weights, axis=0), np.repeat(LABELS, weights)
    together = cv.categorical.evaluate(table, LABELS, missing="skip", sample_weight=weights)
    assert together.to_dict() == approx(cv.categorical.evaluate(*repeated, missing="skip").to_dict(), rel=1e-13)


def test_values_of_clusters_make_up_the_index():
    scores = cv.categorical.evaluate(X, LABELS)
    by_cluster = {name: np.array(list(scores.per_cluster(name).values())) for name in scores}
    sizes = np.array(list(scores.per_cluster("size").values()))
    assert sizes.tolist() == [20, 12, 8]
    assert by_cluster["category_utility"].sum() == approx(scores["category_utility"], rel=1e-13)
    assert by_cluster["expected_entropy"] @ sizes / len(X) == approx(scores["expected_entropy"], rel=1e-13)
    assert by_cluster["k_modes_cost"].sum() == scores["k_modes_cost"]


def test_clusters_that_say_nothing_have_no_utility_and_pure_ones_no_entropy():
    assert cv.categorical.category_utility(X, np.zeros(len(X))) == 0
    pure = cv.categorical.evaluate(USUAL[LABELS], LABELS)
    assert (pure["expected_entropy"], pure["k_modes_cost"]) == (0, 0)
    assert math.copysign(1, pure["expected_entropy"]) == 1


def test_a_finer_partition_never_costs_more():
    finer = LABELS * 2 + RNG.integers(0, 2, len(X))
    for name in ("expected_entropy", "k_modes_cost"):
        function = getattr(cv.categorical, name)
        assert function(X, finer) <= function(X, LABELS)


def test_the_cost_is_that_of_the_package_kmodes():
    from kmodes.kmodes import KModes

    model = KModes(3, init="Cao", n_init=1).fit(X)
    assert cv.categorical.k_modes_cost(X, model.labels_) == model.cost_


def test_noise_is_left_out():
    labels = np.where(np.arange(len(X)) % 5 == 0, -1, LABELS)
    kept = labels >= 0
    scores = cv.categorical.evaluate(X, labels)
    assert scores.to_dict() == cv.categorical.evaluate(X[kept], labels[kept]).to_dict()
    assert scores.coverage == approx(0.8)


def test_a_sweep_has_the_values_of_each_partition_alone():
    partitions = {"true": LABELS, "other": RNG.integers(0, 4, len(X))}
    swept = cv.categorical.sweep(X, partitions)
    for name, labels in partitions.items():
        alone = cv.categorical.evaluate(X, labels)
        assert {index: swept[index][list(partitions).index(name)] for index in alone} == alone.to_dict()
    assert set(swept.best().values()) == {"true"}


# --- blocks ----------------------------------------------------------------------------------------------

WEIGHTS = RNG.random(len(X))


@pytest.mark.parametrize("cuts", [(), (1, 2, 30), (20, 20), tuple(range(1, len(X)))])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["points", "weighted points"])
def test_blocks_add_up_to_the_whole(cuts, weights):
    parts = np.split(np.arange(len(X)), cuts)
    blocks = categorical_blocks((X[r], LABELS[r], *([] if weights is None else [weights[r]])) for r in parts)
    whole = categorical_partition(X, LABELS, sample_weight=weights)
    for field, sum_of_all in vars(whole[CategoryCounts]).items():
        assert vars(blocks[CategoryCounts])[field] == approx(sum_of_all, rel=1e-13), field
    together = cv.categorical.evaluate(X, LABELS, sample_weight=weights)
    assert cv.categorical.evaluate(blocks).to_dict() == approx(together.to_dict(), rel=1e-12)
    assert cv.categorical.evaluate(blocks).coverage == approx(1)


def test_categories_that_only_a_later_block_has_are_counted_as_in_the_whole():
    rows = [["b", None], ["c", "x"], ["a", None], ["b", "y"]]
    labels = ["one", "two", "one", "three"]
    for missing, cut in (("skip", 2), ("category", 2), ("category", 3)):
        blocks = categorical_blocks([(rows[:cut], labels[:cut]), (rows[cut:], labels[cut:])], missing=missing)
        expected = cv.categorical.evaluate(rows, labels, missing=missing).to_dict()
        assert cv.categorical.evaluate(blocks).to_dict() == approx(expected, rel=1e-13)


def test_sources_travel_between_processes():
    source = pickle.loads(pickle.dumps(categorical_partition(X, LABELS)))
    assert cv.categorical.evaluate(source).to_dict() == cv.categorical.evaluate(X, LABELS).to_dict()


# --- tables as users have them ---------------------------------------------------------------------------

DAYS = [dt.date(2024, 1, day) for day in (1, 2, 1, 3)]
COLUMNS = {
    "text": (["b", "a", "b", "c"], [1, 0, 1, 2]),
    "whole numbers": ([5, -1, 5, 7], [1, 0, 1, 2]),
    "floats that are whole": (np.array([2.0, np.nan, 2.0, 1.0]), [1, -1, 1, 0]),
    "booleans": ([True, False, True, True], [1, 0, 1, 1]),
    "dates": (DAYS, [0, 1, 0, 2]),
    "objects": (["x", None, 3, "x"], [1, -1, 0, 1]),
    "pandas categories, one unused": (
        pd.Series(["b", "a", None, "b"], dtype=pd.CategoricalDtype(list("abz"))),
        [1, 0, -1, 1],
    ),
    "nullable numbers": (pd.Series([4, None, -1, 4], dtype="Int64"), [1, -1, 0, 1]),
    "polars text": (pl.Series(["b", None, "a", "b"]), [1, -1, 0, 1]),
    "polars numbers": (pl.Series([4, None, -1, 4]), [1, -1, 0, 1]),
    "polars categories": (pl.Series(["b", None, "a", "b"], dtype=pl.Categorical), [1, -1, 0, 1]),
}


@pytest.mark.parametrize("what", COLUMNS)
def test_columns_of_every_type_have_the_same_categories(what):
    values, expected = COLUMNS[what]
    codes, names = coded(values, "X")
    assert codes.tolist() == expected
    assert len(names) == max(expected) + 1


def test_frames_and_rows_are_the_same_table():
    frame = pd.DataFrame(SMALL, columns=["colour", "size"], index=list("wxyz"))
    labels = pd.Series([1, 1, 0, 0], index=list("zyxw"))
    expected = cv.categorical.evaluate(SMALL, [0, 0, 1, 1]).to_dict()
    for table in (frame, pl.from_pandas(frame), frame.to_numpy(), np.array(SMALL), categories(SMALL)):
        assert cv.categorical.evaluate(table, [0, 0, 1, 1]).to_dict() == expected
    assert cv.categorical.evaluate(frame, labels).to_dict() == expected


GAPS = [["a", 1], [None, 2], ["a", None], ["b", 1]]
WRONG = {
    "missing": (
        lambda: cv.categorical.k_modes_cost(GAPS, [0, 0, 1, 1]),
        (
            "Column 0 of X is missing in row 1; 1 of its 4 values are. missing='skip' judges each column by the points "
            "that have a value, missing='category' makes missing values a category."
        ),
    ),
    "a column of nothing": (
        lambda: cv.categorical.k_modes_cost(pd.DataFrame({"a": [1, 2], "b": [None, None]}), [0, 1], missing="skip"),
        "Column 'b' of X has no values; leave it out.",
    ),
    "numbers that are no categories": (
        lambda: cv.categorical.k_modes_cost([[0.5], [1.0]], [0, 1]),
        (
            "Column 0 of X holds 0.5, which is no category. Cut such numbers into classes, or leave them out; "
            "metric='gower' compares tables of both."
        ),
    ),
    "infinite": (
        lambda: cv.categorical.k_modes_cost([[np.inf], [1.0]], [0, 1]),
        (
            "Column 0 of X holds inf, which is no category. Cut such numbers into classes, or leave them out; "
            "metric='gower' compares tables of both."
        ),
    ),
    "one dimension": (
        lambda: cv.categorical.k_modes_cost(["a", "b"], [0, 1]),
        "X must have two dimensions, a row per point and a column per attribute; its first row is 'a'.",
    ),
    "an array of one dimension": (
        lambda: cv.categorical.k_modes_cost(np.arange(3), [0, 1, 1]),
        "X must have two dimensions, a row per point and a column per attribute; it has 1.",
    ),
    "rows of unequal length": (
        lambda: cv.categorical.k_modes_cost([["a", "b"], ["a"]], [0, 1]),
        "All rows of X must have the same number of entries; row 0 has 2 and row 1 has 1 entries.",
    ),
    "no rows": (lambda: cv.categorical.k_modes_cost([], []), "X has no rows."),
    "no columns": (lambda: cv.categorical.k_modes_cost(np.empty((3, 0)), [0, 1, 1]), "X has no columns."),
    "no rows of an array": (lambda: cv.categorical.k_modes_cost(np.empty((0, 2)), []), "X has no rows."),
    "labels too few": (lambda: cv.categorical.k_modes_cost(SMALL, [0]), "X has 4 rows but labels has 1 entries."),
    "no such policy": (
        lambda: cv.categorical.k_modes_cost(SMALL, [0, 0, 1, 1], missing="drop"),
        "missing must be one of 'error', 'skip', 'category'; it is 'drop'.",
    ),
    "sets": (
        lambda: cv.categorical.k_modes_cost([[{1}], [{2}]], [0, 1]),
        "Column 0 of X must be whole numbers, text or categories; some entries cannot be compared.",
    ),
    "noise": (
        lambda: cv.categorical.k_modes_cost(SMALL, [-1] * 4),
        "k_modes_cost needs clusters; every point is noise.",
    ),
    "blocks of other columns": (
        lambda: categorical_blocks([(SMALL, [0, 0, 1, 1]), ([["a"]], [0])]),
        "Blocks must have the same columns; the first has [0, 1] and another [0].",
    ),
    "no blocks": (
        lambda: categorical_blocks([]),
        "There are no blocks; give at least one pair of a table and labels.",
    ),
    "weights of some blocks": (
        lambda: categorical_blocks([(SMALL, [0, 0, 1, 1]), (SMALL, [0, 0, 1, 1], np.ones(4))]),
        "Either all blocks have weights or none; some do and some do not.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_table_of_categories_is_named(what):
    call, message = WRONG[what]
    with pytest.raises((cv.InputError, cv.UndefinedIndexError)) as error:
        call()
    assert str(error.value) == message
