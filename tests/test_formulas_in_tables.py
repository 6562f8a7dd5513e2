"""CSV that the program writes: a spreadsheet runs no text of it as a formula, and numbers stay numbers."""

from __future__ import annotations

import csv
import io

import numpy as np
import polars as pl
import pytest

from clustval import cli
from clustval.cli import output

NAMES = ("=1+1", "@sum", "+cmd|' /C calc'!A0", "-2+3", "\t=1", "\r=1", "\N{FULLWIDTH EQUALS SIGN}1")


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    """The program, run in a folder with points whose clusters are called like formulas."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    codes = np.repeat(np.arange(len(NAMES)), 12)
    place = rng.normal(size=(len(NAMES), 2))[codes] * 20 + rng.normal(size=(len(codes), 2))
    columns = {"id": [f"-c{at}" for at in range(len(codes))], "x": place[:, 0], "y": place[:, 1]}
    pl.DataFrame({**columns, "group": [NAMES[code] for code in codes]}).write_parquet("points.parquet")
    moved = [NAMES[(code + (at % 6 == 0)) % len(NAMES)] for at, code in enumerate(codes)]
    pl.DataFrame({**columns, "group": moved}).write_parquet("later.parquet")

    def run(*arguments):
        assert cli.run(arguments) == 0
        return capsys.readouterr()

    return run


@pytest.mark.parametrize("text", NAMES)
def test_text_that_a_spreadsheet_would_run_has_a_quote(text):
    assert output.no_formula(text) == f"'{text}"


@pytest.mark.parametrize("value", ["-1", "+2.5", "-1e-9", "-inf", "a=b", "", -1, -0.5, None])
def test_numbers_and_plain_text_have_no_quote(value):
    assert output.no_formula(value) == value


def test_names_of_clusters_are_no_formulas_in_csv(program):
    answer = program("diagnose", "points.parquet", "--labels", "group", "--features", "x,y", "--csv").out
    rows = list(csv.DictReader(io.StringIO(answer, newline="")))
    assert {row["cluster"] for row in rows} == {f"'{name}" for name in NAMES}
    assert {row["nearest"][:1] for row in rows} == {"'"}
    assert min(float(row["silhouette"]) for row in rows) > -1


def test_rows_that_moved_are_no_formulas(program):
    files = "points.parquet", "later.parquet"
    program(
        "track", *files, "-l", "group", "--id", "id", "--features", "x,y", "--moves", "moves.csv", "--permutations", "9"
    )
    cells = [cell for row in pl.read_csv("moves.csv", infer_schema=False).select("id", "before").rows() for cell in row]
    assert len(cells) > 0
    assert all(cell.startswith("'") for cell in cells)


def test_the_own_table_is_written_as_it_was_with_a_warning(program):
    answer = program(
        "choose",
        "points.parquet",
        "--features",
        "x,y",
        "--candidates",
        "ward",
        "--k",
        "2:4",
        "--no-null",
        "--out",
        "a.csv",
    )
    line = (
        "Warning: a spreadsheet takes some cells of 'id', 'group' for formulas, since they begin with =, +, - or @.\n"
    )
    assert line in answer.err
    assert pl.read_csv("a.csv")["id"][0] == "-c0"
