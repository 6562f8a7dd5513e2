"""The command line, as people and programs meet it: tables, digits, one line for what is wrong, exit codes."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import clustval as cv
from clustval import cli, data
from clustval.cli.sweep_command import numbers_of
from conftest import write

IRIS = data.load("iris")
PROGRAM = [sys.executable, "-m", "clustval"]


POINTS = "x,y,label,other\n0,0,a,1\n0,1,a,1\n5,5,b,2\n5,6,b,1\n9,0,c,3\n9,1,c,3\n"


# What comes out


def test_json_has_the_values_of_the_library_to_the_last_digit(program):
    outcome = program("evaluate", "iris", "--labels", "kmeans", "--json")
    assert outcome.code == 0
    found = json.loads(outcome.out)
    scores = cv.evaluate(IRIS.X, IRIS.clusterings["kmeans"])
    assert {row["index"]: row["value"] for row in found["indices"]} == scores.to_dict()
    assert found["points"] == 150
    assert found["features"] == IRIS.features
    assert found["clusters"] == 3


def test_csv_has_the_values_of_the_library_to_the_last_digit(program):
    outcome = program("evaluate", "iris", "-l", "kmeans", "-t", "species", "-i", "dunn,pbm", "--csv")
    rows = list(csv.DictReader(io.StringIO(outcome.out)))
    internal = cv.evaluate(IRIS.X, IRIS.clusterings["kmeans"], ["dunn", "pbm"])
    external = cv.agreement(IRIS.truth, IRIS.clusterings["kmeans"])
    assert {r["index"]: float(r["value"]) for r in rows if r["kind"] == "internal"} == internal.to_dict()
    assert {r["index"]: float(r["value"]) for r in rows if r["kind"] == "external"} == external.to_dict()


def test_markdown_is_a_table_whose_cells_cannot_break_out(program):
    write("x.csv", POINTS.replace("label", "a|b").replace(",a,", ",p|<b>,"))
    outcome = program("agree", "x.csv", "--truth", "other", "--labels", "a|b", "--md")
    lines = outcome.out.splitlines()
    assert lines[0].startswith("| index | a\\|b | direction |")
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1


def test_the_table_for_people_shows_values_and_what_was_used(program):
    outcome = program("evaluate", "iris", "--labels", "species", "--indices", "silhouette")
    assert re.search(r"silhouette\s+0\.503477\s+higher\s+-1 … 1", outcome.out)
    assert "150 points, 3 clusters by 'species'; features: sepal_length, sepal_width" in outcome.out
    assert "Left out, not numbers: kmeans, ward." in outcome.out


def test_undefined_values_are_null_with_a_reason_and_infinite_ones_a_word(program):
    write("x.csv", "x,label\n0,a\n0,a\n1,b\n1,b\n")
    found = json.loads(
        program("evaluate", "x.csv", "-l", "label", "-i", "dunn,c_index,calinski_harabasz", "--json").out
    )
    by_name = {row["index"]: row for row in found["indices"]}
    assert by_name["dunn"]["value"] == "Infinity"
    write("y.csv", "x,label\n0,a\n0,a\n0,b\n")
    found = json.loads(program("evaluate", "y.csv", "-l", "label", "-i", "silhouette", "--json").out)
    assert found["indices"][0]["value"] is None
    assert found["indices"][0]["reason"].endswith("every point is at distance 0 from its own and from another cluster.")


def test_columns_can_be_chosen_and_standardized(program):
    arguments = ("evaluate", "wine", "-l", "kmeans", "-f", "alcohol, proline", "--standardize", "-i", "dunn", "--json")
    found = json.loads(program(*arguments).out)
    wine = data.load("wine")
    X = wine.X[:, [wine.features.index("alcohol"), wine.features.index("proline")]]
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    assert found["indices"][0]["value"] == cv.internal.dunn(Z, wine.clusterings["kmeans"])


def test_rows_without_a_value_can_be_dropped(program):
    write("x.csv", POINTS + "NA,3,a,1\n")
    found = json.loads(program("evaluate", "x.csv", "-l", "label", "-f", "x,y", "--drop-missing", "--json").out)
    assert found["points"] == 6


def test_numbers_padded_with_spaces_are_numbers(program):
    write("x.csv", "x, y,label\n0, 1,a\n2, 3,a\n9, 8,b\n")
    assert json.loads(program("evaluate", "x.csv", "-l", "label", "--json").out)["features"] == ["x", " y"]


def test_row_numbers_that_a_data_frame_wrote_are_no_feature(program):
    write("x.csv", ",x,label\n0,1,a\n1,2,a\n2,9,b\n")
    assert json.loads(program("evaluate", "x.csv", "-l", "label", "--json").out)["features"] == ["x"]


def test_noise_is_left_out_and_said_so(program):
    write("x.csv", "x,label\n0,1\n1,1\n8,2\n9,2\n5,-1\n")
    assert (
        "20.0% of the points are noise and ignored by most indices" in program("evaluate", "x.csv", "-l", "label").out
    )
    found = json.loads(program("evaluate", "x.csv", "-l", "label", "--noise", "cluster", "--json").out)
    assert found["clusters"] == 3


def test_a_matrix_of_distances_is_evaluated_as_such(program):
    D = np.abs(np.subtract.outer([0.0, 1, 7, 9], [0.0, 1, 7, 9]))
    np.save("d.npy", D)
    write("labels.txt", "a\na\nb\nb\n")
    found = json.loads(
        program("evaluate", "d.npy", "-l", "labels.txt", "--metric", "precomputed", "-i", "dunn", "--json").out
    )
    assert found["indices"][0]["value"] == 3.0


@pytest.mark.parametrize(
    "text", ["cluster\na\na\nb\nb\nc\nc\n", "a\na\nb\nb\nc\nc\n", "1\n1\n2\n2\n3\n3\n", "0\n0\n1\n1\n2\n2\n"]
)
def test_labels_may_stand_in_a_file_of_their_own_with_or_without_a_name(program, text):
    write("x.csv", "x,y\n0,0\n0,1\n5,5\n5,6\n9,0\n9,1\n")
    write("labels.csv", text)
    found = json.loads(program("evaluate", "x.csv", "-l", "labels.csv", "--json").out)
    assert found["clusters"] == 3
    assert found["features"] == ["x", "y"]


def test_a_column_of_another_file_can_be_the_labels(program):
    write("x.csv", POINTS)
    write("more.csv", "k,m\na,1\na,1\na,1\nb,1\nb,2\nb,2\n")
    found = json.loads(program("evaluate", "x.csv", "-l", "more.csv:k", "-f", "x,y", "--json").out)
    assert found["clusters"] == 2


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_standard_input_is_a_table(program, separator):
    outcome = program("evaluate", "-", "-l", "label", "--json", text=POINTS.replace(",", separator))
    assert json.loads(outcome.out)["data"] == "Standard input"


def test_agreement_of_several_clusterings_is_one_table_and_a_prayatul_matrix_for_each_pair(program):
    outcome = program("agree", "iris", "--truth", "species", "--labels", "kmeans", "ward", "--json")
    found = json.loads(outcome.out)
    for name in ("kmeans", "ward"):
        expected = cv.agreement(IRIS.truth, IRIS.clusterings[name]).to_dict()
        assert {row["index"]: row[name] for row in found["indices"]} == expected
    (pair,) = found["prayatul"]
    matrix = cv.prayatul(IRIS.truth, IRIS.clusterings["kmeans"], IRIS.clusterings["ward"]).matrix
    counts = [pair[key] for key in ("both right", "only primary", "only alternative", "both wrong")]
    assert counts == matrix.ravel().tolist()


@pytest.mark.parametrize(
    "arguments", [["-l", "kmeans", "ward"], ["-l", "kmeans,ward"], ["-l", "kmeans", "-l", "ward"]], ids=" ".join
)
def test_several_columns_of_labels_can_be_written_in_three_ways(program, arguments):
    outcome = program("agree", "iris", "-t", "species", *arguments)
    assert re.search(r"index\s+kmeans\s+ward\s+direction", outcome.out)
    assert re.search(r"kmeans\s+ward\s+9733\s+98\s+98\s+1246", outcome.out)


def test_a_sweep_prints_what_every_index_chooses(program):
    found = json.loads(program("sweep", "iris", "--k", "2:5", "--estimator", "ward", "--json").out)
    swept = cv.sweep(IRIS.X, k=range(2, 6), linkage="ward")
    assert found["best"] == swept.best()
    assert [row["value"] for row in found["values"] if row["index"] == "dunn"] == swept["dunn"].tolist()
    assert sum(row["chosen"] for row in found["values"]) == sum(v is not None for v in swept.best().values())


def test_a_sweep_by_k_means_is_the_same_each_time(program):
    first, second = (program("sweep", "iris", "-k", "2,4", "--csv").out for _ in range(2))
    assert first == second


def test_partitions_that_exist_can_be_swept(program):
    outcome = program("sweep", "iris", "--labels", "species,kmeans,ward")
    assert re.search(r"index\s+chooses\s+species\s+kmeans\s+ward", outcome.out)
    assert re.search(r"\d of \d+ indices prefer ward\.", outcome.out)


@pytest.mark.parametrize(("text", "numbers"), [("2:4", [2, 3, 4]), ("2:8:3", [2, 5, 8]), ("3", [3]), ("5,2", [5, 2])])
def test_numbers_of_clusters_include_both_ends(text, numbers):
    assert numbers_of(text) == numbers


def test_tendency_finds_structure_in_iris_and_none_in_random_points(program):
    found = json.loads(program("tendency", "iris", "--samples", "30", "--json").out)
    assert [row["reading"] for row in found["tests"]] == ["not uniform"] * 3 + ["more than one mode"] * 2 + ["gaps"]
    pl.DataFrame(np.random.default_rng(0).random((200, 2)), schema=["x", "y"]).write_parquet("random.parquet")
    found = json.loads(program("tendency", "random.parquet", "--samples", "30", "--json").out)
    nothing = ["as uniform points"] * 3 + ["one mode is possible"] * 2
    nothing += ["one cluster is possible", "as data without clusters"]
    assert [row["reading"] for row in found["tests"]] == nothing


def test_tendency_does_not_call_a_continuum_one_cluster(program):
    rng = np.random.default_rng(3)
    spend = np.exp(rng.normal(np.repeat([3, 5, 6], 60), 0.6))
    pl.DataFrame({"spend": spend, "visits": np.repeat([2, 8, 5], 60) + rng.poisson(1, 180)}).write_csv("spend.csv")
    outcome = program("tendency", "spend.csv", "--samples", "30")
    assert "more clustered than their columns and correlations explain" in outcome.out
    assert "more clustered" in outcome.out.split("continuum")[1].splitlines()[0]
    assert "one cluster explains" not in outcome.out


def test_tendency_goes_on_without_the_package_of_one_test_and_names_it(program, monkeypatch):
    monkeypatch.setitem(sys.modules, "diptest", None)
    outcome = program("tendency", "iris", "--samples", "5", "--json")
    assert outcome.code == 0
    dips = json.loads(outcome.out)["tests"][3]
    assert dips["p"] is None
    assert dips["reading"] == "needs diptest: pip install 'clustval[tendency]'"


def test_indices_are_listed_with_what_they_are(program):
    found = json.loads(program("indices", "--json").out)["indices"]
    assert {(row["index"], row["kind"]) for row in found} == {(r["name"], r["kind"]) for r in cv.indices()}


def test_a_suite_lists_its_own_names(program):
    found = json.loads(program("indices", "--suite", "sklearn", "--kind", "internal", "--json").out)["indices"]
    assert {row["index"]: row["is"] for row in found} == {
        "silhouette_score": "silhouette",
        "calinski_harabasz_score": "calinski_harabasz",
        "davies_bouldin_score": "davies_bouldin",
    }


def test_an_index_is_explained(program):
    text = program("indices", "dunn").out
    assert "Smallest distance between two clusters over the largest inside one." in text
    assert re.search(r"reference\s+Dunn \(1974\)", text)
    assert text.rstrip().endswith("optimal fuzzy partitions. Journal of Cybernetics 4, 95–104.")
    assert r"\min_{a \ne b}" in text


def test_an_external_index_is_explained_too(program):
    assert re.search(r"kind\s+external", program("indices", "adjusted_rand").out)


def test_the_demonstration_writes_a_report_and_says_where(program, tmp_path):
    outcome = program("demo")
    assert outcome.code == 0
    assert outcome.out.rstrip().endswith(f"The report is in {tmp_path / 'clustval-iris.html'}")
    assert "<h1>The iris data, clustered by k-means</h1>" in Path("clustval-iris.html").read_text()


def test_reports_are_written_where_asked(program):
    outcome = program("agree", "iris", "-t", "species", "-l", "kmeans", "-r", "agree.html")
    assert outcome.err == "Wrote agree.html\n"
    outcome = program("evaluate", "iris", "-l", "kmeans", "-i", "dunn", "--report", "evaluate.html", "--json")
    assert json.loads(outcome.out)["points"] == 150
    assert "clustval evaluate iris -l kmeans -i dunn --report evaluate.html --json" in Path("evaluate.html").read_text()
    program("sweep", "iris", "-k", "2:3", "-t", "species", "--report", "sweep.html")
    assert '<span id="sweep-title">How many clusters?</span>' in Path("sweep.html").read_text()


@pytest.mark.large
def test_a_study_has_a_report_with_both_of_its_largest_numbers_of_clusters(program):
    command = ["study", "--part", "1", "--out", "run", "--limit", "2", "--report", "study.html"]
    outcome = program(*command)
    assert outcome.code == 0
    assert outcome.out.endswith("Wrote study.html\n")
    assert "Criteria by pearson correlation with jaccard, k up to 25" in outcome.out
    assert re.search(r"(?m)^ *1 +\w+ +[\d.]+ +[\d.]+ +2 ", outcome.out)
    text = Path("study.html").read_text()
    assert "<h1>Part 1 of the study of 2010: which criterion can be trusted?</h1>" in text
    assert "<li>2 of 108 data sets</li><li>seed 0</li>" in text
    titles = re.findall(r"<option value=\"\d+\">(.*?)</option>", text)
    assert [title for title in titles if title.startswith("pearson correlation with jaccard")] == [
        "pearson correlation with jaccard, k up to 25",
        "pearson correlation with jaccard, k up to 8",
    ]
    assert len(titles) == 12
    assert f"<pre>clustval {' '.join(command)}</pre>" in text
    refused = program("study", "--part", "1", "--out", "other", "--report", "nowhere/study.html")
    assert refused.code == 2
    assert not Path("other").exists()  # it is refused before the work


def test_rows_in_a_report_are_those_of_the_file(program):
    write("x.csv", "x,label\n,a\n0,a\n1,a\n8,b\n9,b\n2,b\n")
    program("evaluate", "x.csv", "-l", "label", "--drop-missing", "-r", "x.html")
    text = Path("x.html").read_text()
    assert "The point in row 6 lies between clusters a and b." in text
    assert "Rows are those of the file, counted from 1." in text


GUIDE = (Path(__file__).parents[1] / "docs" / "command_line.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^clustval (\w+ (?:iris|wine)\b[^#\n]*)", GUIDE, re.MULTILINE)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_in_the_guide_work(program, example):
    outcome = program(*example.split())
    assert outcome.code == 0
    assert outcome.out


# What goes wrong

REMEDY = "fill them in, or leave these rows out with --drop-missing."
OTHERS = "Clean it, or choose other columns with --features."
BAD = {
    "missing file": (["evaluate", "none.csv", "-l", "a"], "", "There is no file none.csv."),
    "empty file": (["evaluate", "x.csv", "-l", "a"], " ", "x.csv is empty."),
    "no rows": (["evaluate", "x.csv", "-l", "a"], "a,b\n", "x.csv has column names but no rows."),
    "text only": (
        ["evaluate", "x.csv", "-l", "label"],
        "a,b,label\nu,v,1\nw,x,2\n",
        "x.csv has no column of numbers besides the labels; its other columns are 'a', 'b'.",
    ),
    "labels only": (
        ["evaluate", "x.csv", "-l", "label"],
        "label\n1\n2\n",
        "x.csv has no column of numbers besides the labels; it has no other columns.",
    ),
    "text as a feature": (
        ["evaluate", "x.csv", "-l", "label", "-f", "x,label"],
        POINTS,
        "Column 'label' of x.csv holds text, such as 'a', not numbers.",
    ),
    "misspelt column": (
        ["evaluate", "x.csv", "-l", "lable"],
        POINTS,
        "x.csv has no column 'lable'. Did you mean 'label'?",
    ),
    "column that is nothing like any": (
        ["evaluate", "x.csv", "-l", "qqq"],
        POINTS,
        "x.csv has no column 'qqq'. It has 'x', 'y', 'label', 'other'.",
    ),
    "misspelt feature": (
        ["evaluate", "x.csv", "-l", "label", "-f", "X"],
        POINTS,
        "x.csv has no column 'X'. Did you mean 'x'?",
    ),
    "missing values": (
        ["evaluate", "x.csv", "-l", "label"],
        "x,y,label\n1,,a\n2,3,a\n,4,b\nNaN,1,b\n",
        (
            f"3 of 4 rows of x.csv lack a value ('x': 2, 'y': 1); "
            f"{REMEDY[:-1]}, or compare what is there with --metric gower."
        ),
    ),
    "missing values where no metric can be chosen": (
        ["gap", "x.csv"],
        "x,y\n1,\n2,3\n",
        f"1 of 2 rows of x.csv lack a value ('y': 1); {REMEDY}",
    ),
    "misspelt metric of a table with missing values": (
        ["choose", "x.csv", "--metric", "gowr"],
        "x,y\n1,\n2,3\n",
        "No metric is called 'gowr'. Did you mean 'gower'?",
    ),
    "infinite values": (
        ["evaluate", "x.csv", "-l", "label"],
        "x,label\n1,a\ninf,a\n3,b\n",
        f"1 of 3 rows of x.csv hold an infinite value ('x': 1); {REMEDY}",
    ),
    "nothing but missing values": (
        ["evaluate", "x.csv", "-l", "label", "--drop-missing"],
        "x,y,label\n1,,a\n,2,b\n",
        "Every row of x.csv lacks a value; choose fuller columns with --features.",
    ),
    "one label": (
        ["evaluate", "x.csv", "-l", "label"],
        "x,label\n1,a\n2,a\n",
        "The labels in 'label' are all 'a': one cluster; an evaluation needs two or more.",
    ),
    "one label and noise": (
        ["evaluate", "x.csv", "-l", "label"],
        "x,label\n1,0\n2,0\n3,-1\n4,\n",
        "The labels in 'label' are 0 and noise: one cluster; an evaluation needs two or more. --noise cluster counts",
    ),
    "nothing but noise": (
        ["evaluate", "x.csv", "-l", "label", "--noise", "cluster"],
        "x,label\n1,-1\n2,\n",
        "The labels in 'label' are all noise, -1 or missing; an evaluation needs two clusters or more.",
    ),
    "mixed types": (
        ["evaluate", "x.csv", "-l", "label"],
        "x,label\n1,a\n2,a\noops,b\n",
        f"Column 'x' of x.csv mixes numbers and text: row 3 holds 'oops'. {OTHERS}",
    ),
    "labels of another length": (
        ["evaluate", "x.csv", "-l", "l.csv"],
        POINTS,
        "l.csv has 2 lines but x.csv has 6 rows.",
    ),
    "labels file of several columns": (
        ["evaluate", "x.csv", "-l", "x.csv"],
        POINTS,
        "x.csv has 4 columns; choose one, as x.csv:x does.",
    ),
    "fractional labels": (
        ["evaluate", "x.csv", "-l", "x"],
        "x,y\n0.5,1\n1.5,2\n",
        "labels must be whole numbers, text or categories; one is 0.5.",
    ),
    "unknown index": (
        ["evaluate", "x.csv", "-l", "label", "-f", "x,y", "-i", "silhuette"],
        POINTS,
        "No internal index is called 'silhuette'. Did you mean 'silhouette'",
    ),
    "unknown metric": (
        ["evaluate", "x.csv", "-l", "label", "-f", "x,y", "--metric", "euclidian"],
        POINTS,
        "No metric is called 'euclidian'. Did you mean 'euclidean'?",
    ),
    "two styles": (
        ["evaluate", "x.csv", "-l", "label", "--json", "--md"],
        POINTS,
        "Choose one of --json, --csv and --md; --json and --md were given.",
    ),
    "no folder for the report": (
        ["evaluate", "x.csv", "-l", "label", "-r", "no/where.html"],
        POINTS,
        "There is no folder no to write where.html into.",
    ),
    "unknown estimator": (
        ["sweep", "x.csv", "-e", "warde"],
        POINTS,
        "No estimator is called 'warde'. Did you mean 'ward'?",
    ),
    "k that is no number": (
        ["sweep", "x.csv", "-k", "few"],
        POINTS,
        "--k must be numbers such as 2:10 or 2,4,8; it is 'few'.",
    ),
    "unknown suite": (["indices", "-s", "zakki"], "", "No suite is called 'zakki'. Did you mean 'zaki'?"),
    "unknown index to explain": (
        ["indices", "xyzzy"],
        "",
        "No index is called 'xyzzy'. clustval indices lists them all.",
    ),
    "internal index, misspelt": (["indices", "dunnn"], "", "No index is called 'dunnn'. Did you mean 'dunn', "),
    "external index, misspelt": (
        ["indices", "homogenity"],
        "",
        "No index is called 'homogenity'. Did you mean 'homogene",
    ),
    "index of either kind, misspelt": (
        ["indices", "normalized_ct"],
        "",
        "No index is called 'normalized_ct'. Did you mean 'normalized_cut', 'normalized_vi' or ",
    ),
    "beginning that indices of both kinds share": (
        ["indices", "ra"],
        "",
        "'ra' may be any of 'rand', 'ratkowsky_lance' and 'ray_turi'. Write more of the name.",
    ),
    "index of another kind": (
        ["indices", "dunn", "--kind", "external"],
        "",
        "No external index is called 'dunn'. clustval.indices('external') lists them all.",
    ),
    "unknown kind": (["indices", "--kind", "odd"], "", "kind must be 'internal', 'external'"),
    "index of an unknown kind": (
        ["indices", "dunn", "--kind", "odd"],
        "",
        "kind must be 'internal', 'external'",
    ),
    "unknown data": (["demo", "mice"], "", "No bundled data set is called 'mice'; there are iris and wine."),
    "unknown column to ignore": (
        ["tendency", "x.csv", "--ignore", "labl"],
        POINTS,
        "x.csv has no column 'labl'. Did you mean 'label'?",
    ),
    "missing option": (["evaluate", "x.csv"], POINTS, "Missing option '--labels'"),
    "unknown command": (["evaluat"], "", "No such command 'evaluat'."),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_input_ends_in_one_line_and_exit_code_2(program, fault):
    arguments, text, message = BAD[fault]
    if text:
        write("x.csv", text)
    write("l.csv", "a\nb\n")
    outcome = program(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert outcome.err.startswith(f"clustval: {message}")
    assert outcome.err.count("\n") == 1


def test_text_that_is_not_utf_8_is_refused_with_what_to_do(program):
    Path("x.csv").write_bytes("x,label\n1,café\n2,b\n".encode("latin-1"))
    outcome = program("evaluate", "x.csv", "-l", "label")
    assert outcome.code == 2
    assert outcome.err.startswith("clustval: x.csv is not UTF-8 text: byte 0xe9 in line 2. Save it as UTF-8, or name")
    assert program("evaluate", "x.csv", "-l", "label", "--encoding", "latin-1").code == 0
    Path("x.csv").write_bytes("größe,label\n1,a\n2,b\n".encode("latin-1"))
    outcome = program("evaluate", "x.csv", "-l", "label")
    assert outcome.code == 2
    assert outcome.err.startswith("clustval: x.csv is not UTF-8 text: byte 0xf6 in line 1. Save it as UTF-8, or name")


@pytest.mark.parametrize("noise", ["cluster", "singletons"])
def test_noise_that_is_kept_counts_as_a_cluster(program, noise):
    write("x.csv", "x,label\n1,0\n2,0\n8,-1\n9,-1\n")
    found = json.loads(program("evaluate", "x.csv", "-l", "label", "--noise", noise, "--json").out)
    assert found["clusters"] == {"cluster": 2, "singletons": 3}[noise]


def test_names_cannot_write_to_the_terminal_what_they_like(program):
    pl.read_csv(POINTS.encode()).rename({"label": "\x1b[31mred[bold]"}).write_parquet("x.parquet")
    outcome = program("agree", "x.parquet", "-t", "other", "-l", "\x1b[31mred[bold]")
    assert "\x1b" not in outcome.out
    assert "red[bold]" in outcome.out
    outcome = program("evaluate", "x.parquet", "-l", "\x1b[2Joops\n")
    assert "\x1b" not in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_missing_extra_is_named_with_the_command_that_installs_it(program, monkeypatch):
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    outcome = program("evaluate", "iris", "-l", "species", "-r", "x.html")
    assert outcome == (
        2,
        "",
        "clustval: This needs vl_convert, which is not installed. Run: pip install 'clustval[report]'\n",
    )
    monkeypatch.setitem(sys.modules, "typer", None)
    assert program("indices").err == (
        "clustval: This needs typer, which is not installed. Run: pip install 'clustval[cli]'\n"
    )


def test_an_error_of_ours_is_not_hidden(program, monkeypatch):
    def broken(*_args, **_options):
        raise RuntimeError(msg)

    msg = "a bug"
    monkeypatch.setattr("clustval.files.read_with_shapes", broken)
    with pytest.raises(RuntimeError, match="a bug"):
        program("evaluate", "iris", "-l", "species")


# The process


def test_help_is_quick_and_loads_nothing_heavy():
    code = (
        "import sys; from clustval import cli; cli.run(['--help']); cli.run([]); cli.run(['evaluate', '--help']);"
        "print([m for m in ('numpy', 'numba', 'polars', 'scipy', 'altair', 'narwhals') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
    for command in cli.COMMANDS:
        assert re.search(rf"^│ {command} ", done.stdout, re.MULTILINE)


def test_the_version_is_told(program):
    assert program("--version").out == f"clustval {cv.__version__}\n"
    assert "--version" in program("--help").out


@pytest.mark.large
def test_progress_shows_on_a_terminal_and_only_on_standard_error(tmp_path):
    X = np.random.default_rng(0).random((3000, 2))
    pl.DataFrame({"x": X[:, 0], "y": X[:, 1], "cluster": np.arange(3000) % 3}).write_parquet(tmp_path / "x.parquet")
    ours, theirs = os.openpty()
    command = [*PROGRAM, "evaluate", str(tmp_path / "x.parquet"), "-l", "cluster", "-i", "dunn", "--csv"]
    with (tmp_path / "out.csv").open("w") as out, subprocess.Popen(command, stdout=out, stderr=theirs):
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # how a terminal ends
            while piece := os.read(ours, 4096):
                shown += piece
    os.close(ours)
    assert "━" in shown.decode()
    written = (tmp_path / "out.csv").read_text()
    assert written.startswith("index,kind,value")
    assert "\x1b" not in written


def test_a_pipe_goes_in_and_a_pipe_comes_out():
    done = subprocess.run(
        [*PROGRAM, "evaluate", "-", "-l", "label", "-i", "dunn", "--csv"],
        input=POINTS, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines()[0] == "index,kind,value,direction,low,high,reason"


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
@pytest.mark.parametrize("arguments", [["indices", "dunn"], ["indices", "--json"], ["--version"]], ids=" ".join)
def test_a_reader_that_has_left_is_no_error(arguments, unbuffered):
    """Whether the text is short, and meets the broken pipe at the end, or long, and meets it midway."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*PROGRAM, *arguments], stdout=writing, stderr=subprocess.PIPE, check=False,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    )  # fmt: skip
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_control_c_ends_in_one_line_with_130(tmp_path):
    fifo = tmp_path / "never"
    os.mkfifo(fifo)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    command = [*PROGRAM, "evaluate", str(fifo), "-l", "x"]
    with subprocess.Popen(command, **pipes) as process, fifo.open("wb"):  # opens once the program waits for its input
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    said = "clustval: stopped; what was written and printed before is whole.\n"
    assert (process.returncode, out, err) == (130, "", said)


@pytest.mark.large
def test_the_report_of_many_points_is_no_larger_than_that_of_few(tmp_path):
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 8, 300_000)
    frame = pl.DataFrame({f"x{j}": rng.normal(labels * (1 + j % 3)) for j in range(10)} | {"cluster": labels})
    frame.write_parquet(tmp_path / "big.parquet")
    arguments = ["evaluate", str(tmp_path / "big.parquet"), "-l", "cluster", "--indices", "fast"]
    subprocess.run([*PROGRAM, *arguments, "-r", str(tmp_path / "big.html")], capture_output=True, check=True)
    assert (tmp_path / "big.html").stat().st_size < 3_000_000
