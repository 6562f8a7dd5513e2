"""The command line on messy tables: which columns are features, and what is said of the others."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import clustval as cv
from clustval import data, files
from clustval.cli.columns import alike
from conftest import write

FRAME = files.read(str(data.path("iris"))).select("sepal_length", "petal_width", "species")


def values_of(outcome) -> dict[str, float]:
    assert outcome.code == 0, outcome.err
    return {row["index"]: row["value"] for row in json.loads(outcome.out)["indices"]}


def test_columns_that_are_no_features_get_a_line_each(program):
    rng = np.random.default_rng(0)
    frame = FRAME.with_columns(
        pl.Series("customer_id", rng.choice(10**6, len(FRAME), replace=False)),
        pl.Series("nth", rng.permutation(len(FRAME)) + 7),
        pl.Series("kmeans", rng.integers(0, 3, len(FRAME))),
        pl.Series("flat", np.ones(len(FRAME))),
        pl.Series("flat too", np.zeros(len(FRAME))),
    )
    outcome = program("evaluate", write("t.csv", frame.write_csv()), "-l", "species", "-i", "dunn", "--json")
    rows = "Column 'nth' looks like the number or name of rows"
    flat = "Columns 'flat', 'flat too' are constant and distinguish nothing"
    assert outcome.err.splitlines() == [
        "Warning: Column 'customer_id' names the rows and is left out; --features takes any column.",
        f"Warning: {rows}; leave out with --exclude nth.",
        "Warning: Column 'kmeans' looks like labels, not a feature; leave out with --exclude kmeans.",
        f"Warning: {flat}; leave out with --exclude flat,flat too.",
    ]
    assert json.loads(outcome.out)["left_out"]["identifiers"] == ["customer_id"]
    assert len(json.loads(outcome.out)["warnings"]) == 4
    clean = program(
        *("evaluate", "t.csv", "-l", "species", "-i", "dunn", "--json"),
        *("--exclude", "customer_id,nth", "--exclude", "kmeans", "-x", "flat", "-x", "flat too"),
    )
    assert clean.err == ""
    assert json.loads(clean.out)["features"] == ["sepal_length", "petal_width"]
    assert values_of(clean)["dunn"] == cv.internal.dunn(FRAME.drop("species"), FRAME["species"])


def test_a_column_of_decimal_commas_that_is_left_out_gets_a_line(program):
    rows = ["u\tv\tx\tlabel", "1\t2\t1,5\ta", "1\t3\t1,5\ta", "5\t5\t3,2\tb", "5\t6\t3,3\tb"]
    outcome = program("evaluate", write("t.tsv", "\n".join(rows)), "-l", "label", "-i", "dunn", "--csv")
    assert outcome.err.startswith("Warning: Column 'x' of t.tsv holds text such as '1,5', not numbers; write decimal")


def test_columns_chosen_by_name_are_not_doubted_but_for_their_scale(program):
    frame = FRAME.with_columns(pl.Series("id", range(len(FRAME))))
    path = write("t.csv", frame.write_csv())
    assert program("evaluate", path, "-l", "species", "-f", "id,petal_width", "-i", "dunn").err == ""
    assert "--standardize" in program("evaluate", "wine", "-l", "cultivar", "-i", "dunn").err
    assert program("evaluate", "wine", "-l", "cultivar", "-i", "dunn", "--standardize").err == ""
    assert program("evaluate", "iris", "-l", "species", "-i", "dunn").err == ""


def test_a_column_that_holds_the_labels_of_a_file_is_no_feature(program):
    codes = pl.Series("a", np.arange(len(FRAME)) % 3)
    path = write("t.csv", FRAME.with_columns(codes.alias("found"), (codes + 1).alias("other")).write_csv())
    write("labels.txt", "\n".join(map(str, codes.to_list())))
    outcome = program("evaluate", path, "-l", "labels.txt", "-i", "dunn", "--json")
    assert outcome.err == "Warning: Column 'found' holds the labels themselves and is left out.\n"
    assert json.loads(outcome.out)["features"] == ["sepal_length", "petal_width", "other"]


COMMANDS = {
    "gap": ("--k", "1:3", "--references", "3"),
    "stability": ("--k", "2:3", "--samples", "3"),
    "sweep": ("--k", "2:3", "-i", "dunn"),
    "tendency": ("--samples", "5"),
    "recommend": ("--sets", "2", "--criteria", "silhouette,dunn"),
}
LONG = ("sweep", "tendency", "recommend")


@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=pytest.mark.large if name in LONG else ()) for name in COMMANDS]
)
def test_every_command_on_points_leaves_columns_out(program, command):
    path = write("t.csv", FRAME[::5].with_columns(pl.Series("id", range(30))).write_csv())
    with_id = program(command, path, *COMMANDS[command], "--json")
    assert "Warning: Column 'id' names the rows and is left out; --features takes any column." in with_id.err
    assert json.loads(with_id.out)["features"] == ["sepal_length", "petal_width"]
    assert json.loads(with_id.out)["left_out"]["identifiers"] == ["id"]
    without = program(command, path, *COMMANDS[command], "--json", "--exclude", "id")
    assert without.err == ""
    assert json.loads(without.out)["features"] == ["sepal_length", "petal_width"]


@pytest.mark.large
def test_labels_are_no_feature_of_a_test_of_tendency(program):
    labelled = program("tendency", "iris", "--labels", "kmeans", "--samples", "5", "--json")
    assert "kmeans" not in json.loads(labelled.out)["features"]


def test_what_cannot_be_left_out_is_said(program):
    path = write("t.csv", FRAME.write_csv())
    wrong = program("evaluate", path, "-l", "species", "--exclude", "sepal_lenght")
    assert wrong.err == "clustval: t.csv has no column 'sepal_lenght'. Did you mean 'sepal_length'?\n"
    none = program("evaluate", path, "-l", "species", "-f", "petal_width", "--exclude", "petal_width")
    assert none.err == "clustval: --exclude leaves no column of --features.\n"


def test_ids_with_underscores_are_no_numbers():
    assert alike([pl.Series(["2024_01", "07"]), pl.Series([202401, 7])]) == [["2024_01", "7"], ["202401", "7"]]
