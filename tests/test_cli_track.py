"""``clustval track``: events in a table, rows that moved in a file, the page, and one line for what cannot be done."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from clustval import cli


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    """The program, run in a folder with customers of January and June: one segment split, one customer moved."""
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    spend = np.concatenate([rng.normal(100, 5, 40), rng.normal(300, 5, 40)])
    age = np.concatenate([rng.normal(30, 2, 20), rng.normal(60, 2, 20), rng.normal(40, 2, 40)])
    customer = [f"c{at}" for at in range(80)]
    pl.DataFrame({"customer": customer, "spend": spend, "age": age, "segment": ["low"] * 40 + ["high"] * 40}).write_csv(
        "jan.csv"
    )
    later = ["young"] * 20 + ["old"] * 20 + ["high"] * 39 + ["old"]
    pl.DataFrame({"customer": customer, "spend": spend, "age": age, "segment": later}).write_csv("jun.csv")

    def run(*arguments, code=0):
        assert cli.run(arguments) == code
        return capsys.readouterr()

    return run


def test_what_became_of_segments_is_said_listed_and_shown(program):
    result = program(
        "track", "jan.csv", "jun.csv", "--labels", "segment", "--id", "customer", "--moves", "moves.csv",
        "--report", "track.html", "--permutations", "19",
    )  # fmt: skip
    text = " ".join(result.out.split())
    assert "jan to jun: low splits into old and young; high continues" in text
    moves = pl.read_csv("moves.csv")
    assert moves.columns == ["step", "id", "before", "after"]
    assert "c79" in moves["id"].to_list()
    assert f"{len(moves)} rows changed their cluster." in text
    page = Path("track.html").read_text()
    assert "low splits into old and young" in page
    assert "<path d=" in page
    assert "clustval track jan.csv jun.csv" in page


def test_programs_read_what_happened_as_json(program):
    answer = json.loads(program("track", "jan.csv", "jun.csv", "-l", "segment", "--id", "customer", "--json").out)
    assert answer["by"] == "ids"
    assert {row["event"] for row in answer["clusters"]} == {"splits", "continues"}
    by_space = json.loads(program("track", "jan.csv", "jun.csv", "-l", "segment", "--json", "--permutations", "9").out)
    assert by_space["by"] == "space"
    assert by_space["features"] == ["spend", "age"]
    assert by_space["moves"] == []


def test_clusters_that_come_and_go_by_few_shared_ids_have_a_dash_and_a_sentence(program):
    june = pl.read_csv("jun.csv").with_columns(customer=pl.Series(["c0", *(f"d{at}" for at in range(79))]))
    june.write_csv("others.csv")
    arguments = "track", "jan.csv", "others.csv", "-l", "segment", "--id", "customer", "--permutations", "0"
    printed = program(*arguments).out
    assert "few ids are in both, those of 1 of 80 rows in clusters before and 1 of 80 after" in printed
    assert any(line.split()[3:6] == ["low", "—", "—"] for line in printed.splitlines())
    assert "None" not in printed
    assert "None" not in program(*arguments, "--md").out


def test_files_of_one_name_are_told_apart(program):
    answer = json.loads(program("track", "jan.csv", "jan.csv", "-l", "segment", "--json", "--permutations", "0").out)
    assert answer["clusters"][0]["step"] == "jan.csv (1) to jan.csv (2)"


BAD = {
    "one file": (["jan.csv", "-l", "segment"], "Give two files or more, in the order of time; there is one: jan.csv."),
    "moves without ids": (
        ["jan.csv", "jun.csv", "-l", "segment", "--moves", "m.csv"],
        "--moves lists rows by their id",
    ),
    "an unknown id": (["jan.csv", "jun.csv", "-l", "segment", "--id", "custmer"], "custmer"),
    "an unknown label": (["jan.csv", "jun.csv", "-l", "segmnt"], "segmnt"),
    "other columns": (["jan.csv", "other.csv", "-l", "segment"], "jan.csv and other.csv must have the same columns"),
    "ids twice": (["jan.csv", "twice.csv", "-l", "segment", "--id", "customer"], "The id 'c0' is there twice in twice"),
    "no such file": (["jan.csv", "july.csv", "-l", "segment"], "july.csv"),
}


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_tracked_ends_in_one_line_and_no_file(program, name):
    frame = pl.read_csv("jun.csv")
    frame.rename({"age": "years"}).write_csv("other.csv")
    pl.concat([frame, frame[:1]]).write_csv("twice.csv")
    files = set(Path().iterdir())
    arguments, message = BAD[name]
    result = program("track", *arguments, code=2)
    assert message in result.err
    assert result.err.count("\n") == 1
    assert set(Path().iterdir()) == files
