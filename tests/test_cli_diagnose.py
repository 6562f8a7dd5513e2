"""``clustval diagnose``: the sentences, the repaired file, the page, and one line for what cannot be done."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from clustval import cli


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    """The program, run in a folder with three clusters, one of them cut in two and two of them joined."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(centre, 1, (80, 2)) for centre in (0, 10, 20)])
    truth = np.repeat(["a", "b", "c"], 80)
    labels = {
        "cut": np.where((truth == "a") & (X[:, 0] > 0), "d", truth),
        "joined": np.where(truth == "b", "a", truth),
        "noisy": np.where(np.arange(240) % 2 == 0, -1, np.repeat([0, 1, 2], 80)),
        "text": np.where(truth == "a", "cat purrs", "dog barks"),
        "batch": np.arange(240) % 2,
    }
    pl.DataFrame({"x": X[:, 0], "y": X[:, 1], "truth": truth, **labels}).write_csv("points.csv")

    def run(*arguments, code=0):
        assert cli.run(arguments) == code
        return capsys.readouterr()

    return run


def test_what_is_wrong_is_said_repaired_and_shown(program):
    result = program(
        "diagnose", "points.csv", "--labels", "cut", "--features", "x,y", "--out", "repaired.csv", "--report", "d.html"
    )  # fmt: skip
    assert "a and d are one population cut in two" in result.out.replace("\n", " ")
    assert "Merge a and d: no gap between them" in result.out.replace("\n", " ")
    repaired = pl.read_csv("repaired.csv")
    assert repaired["repaired"].to_list() == repaired["truth"].to_list()
    page = Path("d.html").read_text()
    assert "Merge a and d" in page
    assert "<circle" in page
    assert "what is wrong with cut?" in page


def test_programs_read_the_diagnosis_as_json(program):
    answer = json.loads(program("diagnose", "points.csv", "-l", "joined", "-f", "x,y", "--json").out)
    assert answer["splits"] == ["a"]
    assert answer["merges"] == []
    assert [row["cluster"] for row in answer["clusters"]] == ["a", "c"]


def test_noise_stays_empty_in_the_repaired_file(program):
    program("diagnose", "points.csv", "-l", "noisy", "-f", "x,y", "--out", "repaired.csv")
    labels = pl.read_csv("repaired.csv")
    assert labels["repaired"].is_null().to_list() == (labels["noisy"] == -1).to_list()


def test_words_and_batches_are_on_the_page(program):
    options = ("--text", "text", "--batch", "batch", "--report", "d.html")
    program("diagnose", "points.csv", "-l", "truth", "-f", "x,y", *options)
    page = Path("d.html").read_text()
    assert "Does a cluster follow the batch?" in page
    assert "cat" in page


def test_a_column_that_exists_is_not_overwritten(program):
    program("diagnose", "points.csv", "-l", "cut", "-f", "x,y", "--out", "again.csv")
    shown = program("diagnose", "again.csv", "-l", "cut", "-f", "x,y", "--out", "b.csv", code=2).err
    assert "has a column 'repaired' already" in shown
    assert not Path("b.csv").exists()
