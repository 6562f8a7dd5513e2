"""Commands of the program that do more than evaluate: gap, stability, recommend, plot; and how long they take."""

from __future__ import annotations

import csv
import io
import json
import sys
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import clustval as cv
from clustval import cli, data, files, whole_files
from clustval.cli import output, waiting
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


CALLED = "truth,low,high,index,direction,reason,chooses\na,1,1,1,1,1,1\na,1,1,1,1,1,1\na,1,2,1,1,1,1\nb,2,2,2,2,2,2\n"
NAMES = ["low", "high", "index", "direction", "reason"]


@pytest.mark.parametrize("style", ["--json", "--csv", "--md", None])
def test_clusterings_called_as_other_columns_have_columns_of_their_own(program, style):
    write("a.csv", CALLED)
    plain = program("agree", "a.csv", "-t", "truth", "-l", "chooses", "-i", "adjusted_rand,rand", "--json")
    outcome = program("agree", "a.csv", "-t", "truth", "-l", *NAMES, "-i", "adjusted_rand,rand", *filter(None, [style]))
    assert outcome.code == 0, outcome.err
    assert all(f"{name} (labels)" in outcome.out for name in NAMES)
    if style == "--json":
        for row, other in zip(json.loads(outcome.out)["indices"], json.loads(plain.out)["indices"], strict=True):
            assert {key: row[key] for key in NAMES} == {key: other[key] for key in NAMES}
            assert row["low (labels)"] == row["index (labels)"] == other["chooses"]
            assert row["high (labels)"] < 1


def test_partitions_called_as_other_columns_have_columns_of_their_own(program):
    write("a.csv", CALLED.replace("truth", "x").replace("a,", "0,").replace("b,", "5,"))
    outcome = program("sweep", "a.csv", "-f", "x", "-l", "index,chooses", "-i", "ch,db")
    assert outcome.code == 0, outcome.err
    heading, *lines = [line.split() for line in outcome.out.splitlines() if line.strip()]
    assert heading == ["index", "chooses", "index", "(labels)", "chooses", "(labels)"]
    assert any(line[0] == "calinski_harabasz" for line in lines)


def test_partitions_of_a_graph_called_as_other_columns_have_columns_of_their_own(program):
    write("edges.csv", "a,b\n1,2\n2,3\n3,1\n4,5\n")
    write("labels.csv", "vertex,index,range\n1,1,1\n2,1,1\n3,1,1\n4,2,2\n5,2,2\n")
    rows = json.loads(program("graph", "edges.csv", "-l", "labels.csv", "-i", "modularity", "--json").out)["indices"]
    assert (rows[0]["index"], rows[0]["range"]) == ("modularity", "-inf … 1")
    assert rows[0]["index (labels)"] == rows[0]["range (labels)"] > 0
    assert "range (labels)" in program("graph", "edges.csv", "-l", "labels.csv").out


def test_overlapping_clusters_called_as_other_columns_have_columns_of_their_own(program):
    write("a.csv", "truth,index\na;b,1\na,1\nb,1;2\nb,2\n")
    outcome = program("agree", "a.csv", "-t", "truth", "-l", "index", "--separator", ";", "--json")
    assert outcome.code == 0, outcome.err
    row = json.loads(outcome.out)["indices"][0]
    assert isinstance(row["index"], str)
    assert isinstance(row["index (labels)"], float)


SIX = "x,y,label\n0,0,a\n0,1,a\n0,1.5,a\n5,5,b\n5,6,b\n5,6.5,b\n"


def test_a_narrow_terminal_loses_no_column(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    row = {
        "first": "a long name",
        "verdict": "words that wrap",
        "nearest": "B",
        **{f"n{i}": 0.123456 for i in range(9)},
    }
    output.print_table([row])
    text = capsys.readouterr().out
    assert all(word in text for word in ("a long name", "verdict", "words", "wrap", "nearest", "n8"))
    assert text.count("0.123456") == 9


def test_rows_with_and_without_intervals_have_the_same_columns(program):
    write("d.csv", SIX)
    given = ("evaluate", "d.csv", "-l", "label", "-t", "label", "--approximate", "0.1", "-i", "silhouette", "--csv")
    lines = list(csv.reader(io.StringIO(program(*given).out)))
    assert len(lines) > 2
    assert {len(line) for line in lines} == {11}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "d.csv", "--memberships", "x", "--metric", "cosine"], "--metric is for labels; memberships have"),
        (["evaluate", "d.csv", "--memberships", "x", "--noise", "error"], "--noise is for labels; memberships have"),
        (["evaluate", "d.csv", "--memberships", ","], "',' names no column; give names that commas separate, as a,b."),
        (["agree", "d.csv", "-t", "label", "-l", ","], "',' names no column; give names that commas separate, as a,b."),
        (["evaluate", "d.csv", "-l", "label", "-f", "x" * 300], f"d.csv has no column '{'x' * 300}'."),
        (["evaluate", "d.csv", "-l", "y" * 300], f"d.csv has no column '{'y' * 300}'."),
        (["evaluate", "", "-l", "label"], "The name of a table is empty; give a file, or - for standard input."),
        (["plot", "dendrogram", "one.csv", "-o", "o.png"], "A tree needs two points or more; there is one."),
        (["plot", "dendrogram", "far.csv", "-o", "o.png"], "X reaches 1e+200, whose square overflows; rescale"),
        (
            ["evaluate", "gaps.csv", "-l", "label", "--metric", "gower", "--drop-missing"],
            "Every row of gaps.csv lacks a value; choose fuller columns with --features.",
        ),
    ],
)
def test_what_is_wrong_with_options_is_told_in_one_line(program, arguments, message):
    write("d.csv", SIX)
    write("one.csv", "x,y\n0,0\n")
    write("far.csv", "x,y\n0,0\n1e200,1\n")
    write("gaps.csv", "a,b,label\n1,,1\n,u,1\n2,,2\n,v,2\n")
    outcome = program(*arguments)
    assert outcome.code == 2
    assert f"clustval: {message}" in outcome.err


def test_names_with_blanks_and_commas_are_columns(program):
    write("h.csv", SIX.replace("x,y,", 'x, y,"height, cm",').replace(",a", ",1,a").replace(",b", ",2,b"))
    outcome = program("evaluate", "h.csv", "-l", "label", "-i", "ch", "-f", 'x, y, "height, cm"', "--json")
    assert json.loads(outcome.out)["features"] == ["x", " y", "height, cm"]
    outcome = program("evaluate", "h.csv", "-l", "label", "-i", "ch", "-x", " y", "--json")
    assert json.loads(outcome.out)["features"] == ["x", "height, cm"]


def test_labels_without_a_sign_are_read(program):
    np.savez("u8.npz", X=np.arange(40.0).reshape(20, 2), label=np.array([0, 1] * 10, dtype=np.uint8))
    assert program("evaluate", "u8.npz", "-l", "label", "-i", "ch").code == 0
    assert program("explain", "u8.npz", "-l", "label", "-i", "ch").code == 0


def test_clusters_named_by_dates_have_names_in_json(program):
    labels = [date(2026, 1, 1 + (row > 2)) for row in range(6)]
    pl.DataFrame({"x": [0.0, 1, 2, 9, 10, 11], "label": labels}).write_parquet("d.parquet")
    outcome = program("diagnose", "d.parquet", "-l", "label", "--json")
    assert outcome.code == 0, outcome.err
    assert [row["cluster"] for row in json.loads(outcome.out)["clusters"]] == ["2026-01-01", "2026-01-02"]
    assert output.exact({"a": [Decimal("1.5"), b"a"]}) == {"a": ["1.5", "b'a'"]}


def test_cells_that_csv_cannot_hold_become_text():
    frame = pl.DataFrame({"l": [[1, 2], None], "s": [{"a": date(2026, 1, 1)}] * 2, "b": [b"\xff", None]})
    frame = frame.with_columns(d=pl.Series([timedelta(1), None]))
    assert output.own_table(frame) == (
        'l,s,b,d\n"[1, 2]","{""a"": ""2026-01-01""}",ff,"1 day, 0:00:00"\n,"{""a"": ""2026-01-01""}",,\n'
    )


def test_repaired_yes_and_no_are_written_as_in_the_labels(program):
    write("d.csv", SIX.replace(",a", ",true").replace(",b", ",false"))
    outcome = program("diagnose", "d.csv", "-l", "label", "--out", "o.csv")
    assert outcome.code == 0, outcome.err
    rows = list(csv.DictReader(io.StringIO(Path("o.csv").read_text())))
    assert [row["repaired"] for row in rows] == [row["label"] for row in rows]


def test_vertices_have_the_same_names_in_columns_of_text_and_of_numbers(program):
    write("edges.csv", "a,b\n01,02\n02,03\n03,A1\n")
    write("labels.csv", "vertex,l\n01,x\n02,x\n03,y\n")
    found = json.loads(program("graph", "edges.csv", "-l", "labels.csv", "-i", "modularity", "--json").out)
    assert (found["vertices"], found["coverage"]) == (4, {"l": 0.75})


def test_ids_are_the_same_in_files_that_hold_them_as_text_and_as_numbers(program):
    for name, ids in {"jan": range(6), "jun": [*range(5), "X1"]}.items():
        lines = [f"{key},{line}" for key, line in zip(ids, SIX.splitlines()[1:], strict=True)]
        write(f"{name}.csv", "\n".join(["id,x,y,label", *lines, ""]))
    outcome = program("track", "jan.csv", "jun.csv", "-l", "label", "--id", "id", "--json")
    assert outcome.code == 0, outcome.err
    assert json.loads(outcome.out)["moves"] == []


def test_outputs_take_what_is_printed_whether_they_are_closed_or_lack_letters(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO(), encoding="cp1252")
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", None)
    cli.ready_streams()
    sys.stdout.write("温")
    sys.stdout.flush()
    sys.stderr.write("nobody reads this")
    assert stream.buffer.getvalue().split() == [rb"\u6e29"]
    sys.stderr.close()


def test_names_of_files_that_are_no_text_can_stand_in_what_is_written(tmp_path):
    whole_files.write(tmp_path / "a.txt", "d\udcff.csv")
    assert (tmp_path / "a.txt").read_text() == "d?.csv"
