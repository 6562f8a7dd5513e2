"""Commands of the program that do more than evaluate: gap, stability, recommend, plot; and how long they take."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import clustval as cv
from clustval import data, files
from clustval.cli import waiting
from conftest import write

IRIS = data.load("iris")


def test_the_gap_of_a_file_is_that_of_the_library(program):
    outcome = program("gap", "iris", "--k", "1:4", "--references", "5", "--json")
    document = json.loads(outcome.out)
    expected = cv.gap_statistic(IRIS.X, range(1, 5), n_references=5, random_state=0)
    assert document["best"] == dict(expected.best)
    assert [row["gap"] for row in document["gaps"]] == expected.table["gap"].tolist()
    with_report = program("gap", "iris", "--k", "1:3", "--references", "2", "--report", "gap.html")
    assert "Chosen by each rule: one_sd" in with_report.out
    assert "Gap statistic" in Path("gap.html").read_text(encoding="utf-8")
    assert program("gap", "iris", "--reference", "ball").err.startswith(
        "clustval: reference must be one of 'box', 'pca'"
    )


def test_the_stability_of_a_file_is_that_of_the_library(program):
    outcome = program("stability", "iris", "--k", "2:3", "--samples", "4", "--json")
    document = json.loads(outcome.out)
    expected = cv.stability(IRIS.X, [2, 3], n_samples=4, random_state=0)
    assert document["best"] == expected.best
    assert [row["mean"] for row in document["values"]] == expected.table["mean"].tolist()
    assert "most stable: k = " in program("stability", "iris", "--k", "2:3", "--samples", "2").out


def test_a_report_draws_points_in_columns_that_are_no_features(program):
    columns = ("--coordinates", "sepal_length,petal_width", "--report", "page.html", "-i", "fast")
    outcome = program("evaluate", "iris", "-l", "species", *columns)
    assert "features: sepal_width, petal_length." in outcome.out
    page = Path("page.html").read_text(encoding="utf-8")
    assert '"title":"sepal_length"' in page
    assert program("evaluate", "iris", "-l", "species", "--coordinates", "sepal_length").err == (
        "clustval: --coordinates must name two columns, as x,y does; it is 'sepal_length'.\n"
    )


def test_a_recommendation_says_what_to_trust_and_writes_a_report(program):
    command = ("recommend", "iris", "-l", "kmeans", "--sets", "3", "--criteria", "silhouette,dunn,trace_w")
    document = json.loads(program(*command, "--json").out)
    assert {row["criterion"] for row in document["criteria"] if row["trusted"]} == set(document["trusted"])
    outcome = program(*command, "--report", "trust.html")
    assert "Trust " in outcome.out
    assert outcome.err == "Wrote trust.html\n"
    assert "trusted" in Path("trust.html").read_text(encoding="utf-8")


FIGURES = {
    "scatter": ["-l", "kmeans", "-t", "species"],
    "silhouette": ["-l", "kmeans"],
    "contingency": ["-l", "kmeans", "-t", "species"],
    "curves": ["-k", "2:4", "-i", "dunn,silhouette"],
    "stability": ["-k", "2:3"],
    "vat": [],
    "ivat": [],
    "hopkins": [],
    "dendrogram": [],
}


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_are_drawn_into_files(program, figure):
    table = write("t.csv", files.read(str(data.path("iris")))[::5].write_csv())
    outcome = program("plot", figure, table, *FIGURES[figure], "-o", "f.svg")
    assert outcome.code == 0, outcome.err
    assert outcome.err.endswith("Wrote f.svg\n")
    assert "<svg" in Path("f.svg").read_text(encoding="utf-8")


def test_figures_in_pixels_and_on_paper(program):
    for ending, magic in (("png", b"\x89PNG"), ("PDF", b"%PDF")):
        program("plot", "hopkins", "iris", "-o", f"f.{ending}")
        assert Path(f"f.{ending}").read_bytes().startswith(magic)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("scatter", "iris", "-o", "f.svg"), "A figure of scatter needs labels: --labels COL."),
        (("contingency", "iris", "-l", "kmeans", "-o", "f.svg"), "A figure of contingency needs a truth: --truth COL."),
        (("vat", "iris", "-o", "f.jpg"), "--out must end in .png, .svg or .pdf; it is 'f.jpg'."),
        (("pie", "iris", "-o", "f.svg"), "FIGURE must be one of 'scatter', "),
    ],
)
def test_what_cannot_be_drawn_says_why(program, arguments, message):
    outcome = program("plot", *arguments)
    assert outcome.code == 2
    assert outcome.err.startswith(f"clustval: {message}")
    assert not list(Path().iterdir())


# Time


def test_long_work_says_so_before_it_starts():
    X = np.broadcast_to(np.zeros(1), (10**6, 2))
    assert waiting.pairwise_work(X, "default", 2).startswith("500 billion distances: about ")
    assert waiting.pairwise_work(X, "default", 2).endswith(" on 2 cores; --indices fast needs none of them.")
    assert waiting.pairwise_work(X, "fast", 2) == ""
    assert waiting.pairwise_work(X[:1000], "all", 2) == ""
    ranked = waiting.pairwise_work(X[:50_000], ["gamma"], 2)
    assert ranked.endswith("--indices default takes a fraction of it.")
    assert waiting.pairwise_work(X[:50_000], ["gamma"], 2, 10) != ranked


def test_the_help_shows_what_an_option_is_without_being_given(program, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    text = program("choose", "--help").out  # the parser takes words in brackets for a style, and drops them
    for default in ("all cores", "2 to the root of n", "all that can run here", "all that hold numbers"):
        assert f"(default: {default})" in text


def test_the_help_has_the_version_and_every_command(program):
    text = program("--help").out
    assert cv.__version__ in text
    assert all(f" {command} " in text for command in ("gap", "stability", "recommend", "plot"))
