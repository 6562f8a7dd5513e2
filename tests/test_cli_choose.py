"""``clustval choose``: the answer, the labelled file, the page, and one line for what cannot be done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import clustval as cv
from clustval import cli

LINE = np.r_[0:1:9j, 5:6:9j]  # two groups


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    """The program, run in a folder with three clusters, labelled well and badly, and with noise."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(centre, 1, (40, 2)) for centre in (0, 10, 20)])
    labels = {"good": np.repeat(["a", "b", "c"], 40), "bad": np.arange(120) % 3}
    pl.DataFrame({"x": X[:, 0], "y": X[:, 1], **labels}).write_csv("points.csv")
    pl.DataFrame(rng.uniform(size=(80, 2)), schema=["x", "y"]).write_csv("noise.csv")

    def run(*arguments, code=0):
        assert cli.run(arguments) == code
        return capsys.readouterr()

    return run


def test_the_best_clustering_is_chosen_and_written(program):
    result = program(
        "choose", "points.csv", "--features", "x,y", "--candidates", "ward,k-means", "--k", "2:5",
        "--out", "labelled.csv", "--report", "page.html", "--json",
    )  # fmt: skip
    answer = json.loads(result.out)
    assert answer["k"] == 3
    assert answer["p_value"] <= 0.05
    assert answer["confidence"] == "high"
    assert {row["algorithm"] for row in answer["candidates"]} == {"ward", "k-means"}
    labelled = pl.read_csv("labelled.csv")
    assert labelled.columns == ["x", "y", "good", "bad", "cluster"]
    assert labelled["cluster"].to_list() == np.repeat([0, 1, 2], 40).tolist()
    page = Path("page.html").read_text()
    assert "There are 3 clusters" in page
    assert "points.csv: which clusters?" in page


@pytest.mark.large
@pytest.mark.parametrize("style", [[], ["--json"]], ids=["table", "json"])
def test_files_are_written_though_the_reader_of_the_answer_has_left(program, style):  # noqa: ARG001 - its folder
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "clustval", "choose", "points.csv", "--labels", "good,bad", *style]
    done = subprocess.run(
        [*command, "--out", "labelled.csv", "--report", "page.html"],
        stdout=writing, stderr=subprocess.PIPE, check=False, env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    os.close(writing)
    assert done.returncode == 0, done.stderr
    assert pl.read_csv("labelled.csv")["cluster"].n_unique() == 3
    assert Path("page.html").read_text(encoding="utf-8").rstrip().endswith("</html>")


def test_clusterings_that_exist_are_compared(program):
    shown = program("choose", "points.csv", "--labels", "good,bad", "--no-null").out
    assert "3 clusters are best supported (low): good" in shown
    assert shown.index("good") < shown.index("bad")


def test_noise_has_one_cluster(program):
    shown = program("choose", "noise.csv", "--candidates", "ward,genie").out
    assert "No structure, one cluster: k = 1" in shown
    assert "No structure" in shown
    swept = program("sweep", "noise.csv", "--k", "2:5").out
    assert swept.index("No structure") < swept.index("Voting by indices chooses badly")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--candidates", "wards"], "wards"),
        (["--labels", "good", "--k", "2:3"], "either --labels"),
        (["--judge", "nothing"], "nothing"),
        (["--out", "missing/x.csv"], "no folder"),
        (["--time", "0"], "seconds above 0"),
    ],
)
def test_bad_input_is_one_line(program, arguments, message):
    result = program("choose", "points.csv", *arguments, code=2)
    assert message in result.err
    assert result.err.count("\n") == 1


def test_a_column_that_decides_alone_is_called_by_its_name(program):
    assert "that of the column 'proline': standardise" in program("choose", "wine", "--no-null", "-c", "ward").out


def test_points_of_which_distances_are_known_have_no_features(program):
    np.save("D.npy", np.abs(np.subtract.outer(LINE, LINE)))
    outcome = program(
        "choose", "D.npy", "--metric", "precomputed", "--no-null", "-c", "average", "--report", "page.html"
    )
    assert f"{len(LINE)} points, by their distances." in outcome.out
    page = Path("page.html").read_text(encoding="utf-8")
    assert f"{len(LINE)} points, by their distances" in page
    value = cv.evaluate(LINE[:, None], LINE > 3, "silhouette")["silhouette"]
    assert f"The mean silhouette is {value:.3f}" in page
    assert "features" not in outcome.out


def test_an_algorithm_that_cannot_cluster_such_points_says_why(program):
    np.save("D.npy", np.abs(np.subtract.outer(LINE, LINE)))
    outcome = program("choose", "D.npy", "--metric", "precomputed", "-c", "ward", code=2)
    assert outcome.err.endswith("ward: only for Euclidean distances\n")
