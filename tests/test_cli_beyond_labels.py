"""Memberships and overlapping clusters on the command line."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from pytest import approx

import clustval as cv
from clustval import cli

IRIS = cv.data.load("iris")
RNG = np.random.default_rng(7)
U = 0.7 * np.eye(3)[np.unique(IRIS.truth, return_inverse=True)[1]] + 0.3 * RNG.dirichlet(np.ones(3), 150)
V = RNG.permutation(U)
TIMES = RNG.integers(0, 3, 150)
TRUE = [["a"], ["a", "b"], ["b"], ["b", "c"], ["c"], ["a"]]
FOUND = [["x"], ["x"], ["y", "x"], ["y"], ["y", "z"], ["z"]]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    columns = {name: IRIS.X[:, j] for j, name in enumerate(IRIS.features)}
    shares = {f"u{k}": U[:, k] for k in range(3)} | {f"v{k}": V[:, k] for k in range(3)}
    pl.DataFrame({**columns, **shares, "species": IRIS.truth, "times": TIMES}).write_csv("fuzzy.csv")
    pl.DataFrame({name: share / 2 for name, share in shares.items()}).write_csv("halves.csv")
    pl.DataFrame({name: shares[name] for name in ("u0", "u1", "u2")}).write_csv("only.csv")
    pl.DataFrame({"editor": TRUE, "found": FOUND}).write_parquet("lists.parquet")
    text = {"editor": [";".join(each) for each in TRUE], "found": [" ; ".join(each) for each in FOUND]}
    pl.DataFrame(text).write_csv("text.csv")


def answer(capsys, *arguments):
    code = cli.run([*arguments, "--json"])
    out, err = capsys.readouterr()
    assert code == 0, err
    return json.loads(out)


def refusal(capsys, *arguments):
    assert cli.run(arguments) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    return err.removeprefix("clustval: ").rstrip("\n")


def values(rows, column="value"):
    return {row["index"]: row[column] for row in rows}


@pytest.mark.parametrize("names", ["u*", "u0,u1,u2"])
def test_memberships_are_judged_by_the_other_columns_of_numbers(capsys, names):
    result = answer(capsys, "evaluate", "fuzzy.csv", "--memberships", names, "--exclude", "v0,v1,v2,times")
    assert result["memberships"] == ["u0", "u1", "u2"]
    assert result["features"] == list(IRIS.features)
    assert values(result["indices"]) == approx(cv.fuzzy.evaluate(IRIS.X, U).to_dict(), rel=1e-9)


def test_weights_truth_and_fuzzifier_count(capsys):
    arguments = ["evaluate", "fuzzy.csv", "--memberships", "u*", "--features", ",".join(IRIS.features)]
    result = answer(capsys, *arguments, "--weights", "times", "--fuzzifier", "1.5", "--truth", "species")
    expected = cv.fuzzy.evaluate(IRIS.X, U, m=1.5, sample_weight=TIMES).to_dict()
    expected |= cv.fuzzy_external.evaluate(IRIS.truth, U).to_dict()
    assert values(result["indices"]) == approx(expected, rel=1e-9)


def test_memberships_without_points_are_judged_as_far_as_that_goes(capsys):
    both = answer(capsys, "evaluate", "halves.csv", "--memberships", "u*,v*")
    assert both["memberships"] == ["u0", "u1", "u2", "v0", "v1", "v2"]
    rows = {row["index"]: row for row in answer(capsys, "evaluate", "only.csv", "--memberships", "u*")["indices"]}
    assert rows["kwon"]["reason"] == "kwon needs coordinates; X is None."
    assert rows["partition_coefficient"]["value"] == approx(cv.fuzzy.partition_coefficient(None, U), rel=1e-9)


def test_memberships_agree_with_classes_and_with_memberships(capsys):
    crisp = answer(capsys, "agree", "fuzzy.csv", "--truth", "species", "--memberships", "u*")
    assert values(crisp["indices"]) == approx(cv.fuzzy_external.evaluate(IRIS.truth, U).to_dict(), rel=1e-9)
    soft = answer(capsys, "agree", "fuzzy.csv", "--truth", "v*", "--memberships", "u*", "--indices", "aci,ndc")
    assert values(soft["indices"]) == approx({n: getattr(cv.fuzzy_external, n)(V, U) for n in ("aci", "ndc")}, rel=1e-9)


@pytest.mark.parametrize("arguments", [["lists.parquet"], ["text.csv", "--separator", ";"]], ids=["lists", "text"])
def test_overlapping_clusters_are_recognised_in_lists_and_split_from_text(capsys, arguments):
    result = answer(capsys, "agree", *arguments, "--truth", "editor", "--labels", "found")
    expected = cv.covers.evaluate(dict(enumerate(TRUE)), dict(enumerate(FOUND)))
    assert values(result["indices"], "found") == approx(expected.to_dict(), rel=1e-12)


def test_people_read_tables(capsys):
    assert cli.run(["agree", "lists.parquet", "--truth", "editor", "--labels", "found"]) == 0
    assert "Agreement of overlapping clusters with editor" in capsys.readouterr().out
    assert cli.run(["evaluate", "only.csv", "--memberships", "u*"]) == 0
    assert "150 points, 3 clusters: u0, u1, u2; no features." in capsys.readouterr().out
    assert cli.run(["agree", "fuzzy.csv", "--truth", "species", "--memberships", "u*"]) == 0
    assert "Agreement of u0, u1, u2 with species." in capsys.readouterr().out


@pytest.mark.parametrize("command", [["evaluate", "fuzzy.csv"], ["agree", "fuzzy.csv", "--truth", "species"]])
def test_a_report_has_every_value(capsys, command, tmp_path):
    result = answer(capsys, *command, "--memberships", "u*", "--report", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert all(f">{row['index']}<" in page for row in result["indices"])
    assert "clustval" in page


def test_a_row_in_no_cluster_is_named(capsys):
    pl.DataFrame({"editor": ["a", "", "b"], "found": ["x", "x;; y;", "y"]}).write_csv("gap.csv")
    rows = answer(capsys, "agree", "gap.csv", "--truth", "editor", "--labels", "found", "--separator", ";")["indices"]
    reasons = values(rows, "reason")
    assert reasons["bcubed_f"] == "Point 1 is in no cluster of A, so that nothing can be said of it."
    assert reasons["omega"] == ""
    expected = cv.covers.omega({0: ["a"], 1: [], 2: ["b"]}, {0: ["x"], 1: ["x", "y"], 2: ["y"]})
    assert values(rows, "found")["omega"] == approx(expected)
    assert values(rows, "found")["best_match_f"] == approx(cv.covers.best_match_f([{0}, {2}], [{0, 1}, {1, 2}]))


WRONG = {
    "nothing to judge": (["evaluate", "fuzzy.csv"], "Missing option '--labels' / '-l', or '--memberships'."),
    "nothing to compare": (
        ["agree", "fuzzy.csv", "--truth", "species"],
        "Missing option '--labels' / '-l', or '--memberships'.",
    ),
    "both": (
        ["evaluate", "fuzzy.csv", "--memberships", "u*", "--labels", "species"],
        "--labels is for labels; memberships have none.",
    ),
    "a report": (
        ["agree", "lists.parquet", "--truth", "editor", "--labels", "found", "--report", "x.html"],
        "--report is for labels; overlapping clusters have none.",
    ),
    "no such columns": (["evaluate", "only.csv", "--memberships", "w*"], "No column of only.csv is like 'w*'. It has"),
    "no such column": (["evaluate", "only.csv", "--memberships", "u0,u9"], "only.csv has no column 'u9'. It has 'u0',"),
    "text": (
        ["agree", "fuzzy.csv", "--truth", "u0", "--memberships", "species"],
        "Column 'species' of fuzzy.csv holds",
    ),
    "no shares": (
        ["evaluate", "halves.csv", "--memberships", "u*"],
        "Each row of U must add up to 1; row 0 adds up to",
    ),
    "no separator": (
        ["agree", "text.csv", "--truth", "editor", "--labels", "found", "--separator", ""],
        "--separator must not be empty; it stands between the clusters in a cell, as ';' does in 'a;b'.",
    ),
    "a fuzzifier": (
        ["evaluate", "only.csv", "--memberships", "u*", "--fuzzifier", "0"],
        "m must be a number from 1; it is 0.0.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_read_is_named_in_one_line(what, capsys):
    arguments, message = WRONG[what]
    assert refusal(capsys, *arguments).startswith(message)
