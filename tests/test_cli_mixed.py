"""Tables of numbers and text at the command line: --metric gower."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from pytest import approx

import clustval as cv
from conftest import write

ROWS = """,age,colour,size,group,weight
0,20,red,S,a,1
1,25,red,,a,2
2,30,blue,S,a,1
3,60,green,L,b,1
4,,green,L,b,3
5,70,blue,L,b,1
6,66,green,M,b,1
"""


@pytest.fixture(name="run")
def _run(program):
    write("people.csv", ROWS)

    def run(command, *arguments, figure=None):
        return program(command, *([figure] if figure else []), "people.csv", "--metric", "gower", *arguments)

    return run


@pytest.fixture(name="frame")
def _frame():
    return pl.read_csv(ROWS.encode()).select("age", "colour", "size")


GROUPS = list("aaabbbb")


def document(outcome):
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def test_all_columns_are_compared_and_categories_have_indices_of_their_own(run, frame):
    answer = document(run("evaluate", "-l", "group", "--weights", "weight", "--json"))
    assert answer["features"] == ["age", "colour", "size"]
    values = {(row["kind"], row["index"]): row["value"] for row in answer["indices"]}
    weights = [1, 2, 1, 1, 3, 1, 1]
    silhouette = cv.internal.silhouette(frame, GROUPS, metric="gower", sample_weight=weights)
    assert values["internal", "silhouette"] == approx(silhouette, rel=1e-13)
    utility = cv.categorical.category_utility(frame.drop("age"), GROUPS, missing="skip", sample_weight=weights)
    assert values["categorical", "category_utility"] == approx(utility, rel=1e-13)
    assert ("internal", "davies_bouldin") not in values
    assert [kind for kind, _ in values].count("categorical") == 3


def test_columns_and_indices_can_be_chosen_and_rows_with_gaps_left_out(run, frame):
    rows = document(run("evaluate", "-l", "group", "--features", "colour,size", "-i", "silhouette", "--json"))
    value = cv.internal.silhouette(frame.drop("age"), GROUPS, metric="gower")
    assert [row["value"] for row in rows["indices"]] == [approx(value, rel=1e-13)]
    answer = document(run("evaluate", "-l", "group", "--exclude", "weight", "--drop-missing", "-i", "dunn", "--json"))
    assert answer["points"] == 5


def test_sweeps_cut_trees_of_these_distances(run, frame):
    answer = document(run("sweep", "--k", "2:3", "--estimator", "average", "--features", "age,colour,size", "--json"))
    swept = cv.sweep(frame, linkage="average", k=[2, 3], metric="gower")
    values = {(row["index"], row["k"]): row["value"] for row in answer["values"]}
    assert values["silhouette", 2] == approx(swept["silhouette"][0], rel=1e-13)


def test_samples_of_mixed_tables_are_clustered_by_their_distances(program):
    kind = np.repeat([0, 1], 15)
    table = pl.DataFrame({"age": 30 * kind + np.arange(30) % 7, "plan": np.where(kind == 1, "firm", "free")})
    table.write_csv("plans.csv")
    program_says = document(
        program("stability", "plans.csv", "--metric", "gower", "--k", "2:3", "--samples", "5", "--json")
    )
    found = cv.stability(table, [2, 3], metric="gower", n_samples=5, random_state=0)
    assert [row["mean"] for row in program_says["values"]] == found.table["mean"].tolist()


@pytest.mark.large
def test_the_tendency_of_a_mixed_table_is_its_structure(program):
    rng = np.random.default_rng(0)
    kind = np.repeat([0, 1], 30)
    table = pl.DataFrame({"age": rng.normal(30 * kind, 2), "plan": np.where(kind == 1, "firm", "free")})
    table.write_csv("customers.csv")
    rows = document(program("tendency", "customers.csv", "--metric", "gower", "--json"))["tests"]
    structure = cv.structure(table, metric="gower", n_references=39, random_state=0)
    assert [row["test"] for row in rows] == [name for name in structure.p_values if name not in structure.reasons]
    assert [row["p"] for row in rows] == [structure.p_values[row["test"]] for row in rows]


def test_figures_of_distances_take_mixed_tables(run):
    assert run("plot", "-l", "group", "--out", "figure.svg", figure="silhouette").code == 0
    refused = run("plot", "--out", "figure.svg", figure="gap")
    assert refused.code == 2
    assert "--metric is for figures of distances, silhouette, vat, ivat; a figure of gap has none" in refused.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("evaluate", "-l", "group", "--standardize"),
            "--metric gower brings columns to their ranges; leave --standardize out.",
        ),
        (
            ("evaluate", "-l", "group", "--exclude", "age,colour,size,weight"),
            "people.csv has no columns besides the labels; --metric gower compares all others.",
        ),
        (
            ("sweep", "--k", "2:3"),
            "k-means needs coordinates; with --metric gower give a tree, such as --estimator average.",
        ),
        (("evaluate", "-l", "group", "--features", "agee"), "people.csv has no column 'agee'. Did you mean 'age'?"),
    ],
)
def test_what_cannot_be_compared_is_told_in_one_line(run, arguments, message):
    outcome = run(*arguments)
    assert (outcome.code, outcome.err, outcome.out) == (2, f"clustval: {message}\n", "")
