"""The command line on folders and patterns of files, with estimates and on a cluster."""

from __future__ import annotations

import json
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from pytest import approx

import clustval as cv
from clustval import cli
from clustval.errors import InputError

RNG = np.random.default_rng(0)
N = 900
LABELS = RNG.choice(["a", "b", "c"], N)
X = RNG.normal(size=(N, 2)) + np.where(LABELS == "a", 3, 0)[:, None]
FRAME = pl.DataFrame({"x": X[:, 0], "y": X[:, 1], "cluster": LABELS, "truth": LABELS[::-1], "note": ["n"] * N})


@pytest.fixture
def program(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "points").mkdir()
    for at in range(3):
        FRAME[at * 300 : (at + 1) * 300].write_parquet(f"points/{at}.parquet")
    FRAME.write_parquet("all.parquet")

    def run(*arguments):
        code = cli.run(arguments)
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("data", ["points", "points/*.parquet"])
def test_folders_and_patterns_give_the_values_of_one_file(program, data):
    code, out, error = program("evaluate", data, "-l", "cluster", "--truth", "truth", "--json")
    assert code == 0, error
    blocks, whole = (
        json.loads(out),
        json.loads(program("evaluate", "all.parquet", "-l", "cluster", "-t", "truth", "--json")[1]),
    )
    assert blocks["points"] == N
    assert blocks["features"] == ["x", "y"]
    for row, other in zip(blocks["indices"], whole["indices"], strict=True):
        assert row["index"] == other["index"]
        assert row["value"] == approx(other["value"], rel=1e-11)
    code, out, _ = program("evaluate", data, "-l", "cluster")
    assert "900 points, 3 clusters by 'cluster'; features: x, y." in out
    assert "Left out, not numbers: truth, note." in out


def test_estimates_are_shown_with_their_errors(program, set_limits):
    set_limits(exact_points=100, pilot_points=300)
    given = ("points/*.parquet", "-l", "cluster", "-i", "silhouette,ch", "--approximate", "0.05", "--memory", "2GiB")
    code, out, error = program("evaluate", *given)
    assert code == 0, error
    assert "±" in next(line for line in out.splitlines() if "silhouette" in line)
    row, exact = json.loads(program("evaluate", *given, "--json")[1])["indices"]
    assert row["interval_low"] < row["value"] < row["interval_high"]
    assert row["how"].startswith("estimated from")
    assert exact["error"] == 0
    assert program("evaluate", *given, "--csv")[1].splitlines()[0].endswith("error,interval_low,interval_high,how")
    other = json.loads(program("evaluate", *given, "--json", "--seed", "1")[1])["indices"][0]
    assert other["value"] != row["value"]


def test_the_report_shows_errors():
    scores = cv.evaluate(X, LABELS, ["silhouette", "ch"], confidence=0.9)
    assert scores.shown("silhouette") in scores.to_html(look=False)


def test_the_report_of_estimates_visits_no_pairs(set_limits):
    set_limits(exact_points=100, pilot_points=300, reported_points=100)
    scores = cv.evaluate(X, LABELS, ["silhouette", "silhouette_by_cluster"], approximate=0.1)
    page = scores.to_html(look=False)
    assert scores.shown("silhouette") in page
    assert "Simplified silhouette" in page  # of single points: it costs little
    assert scores.source._visit is None


@pytest.mark.parametrize("room", [4, 10**9])
def test_points_in_blocks_have_a_report_whether_or_not_they_fit_into_memory(program, set_limits, room):
    set_limits(room=room)
    code, _, error = program("evaluate", "points", "-l", "cluster", "-t", "truth", "-i", "ch,db", "--report", "r.html")
    assert code == 0, error
    page = Path("r.html").read_text()
    assert "points: the clusters of cluster" in page
    assert "adjusted_rand" in page
    assert ("Points in doubt" in page) == (room == 4)
    with (
        pytest.raises(InputError, match=r"of labels that are read in blocks, agreement\(\) tells it")
        if room > 4
        else nullcontext()
    ):
        cv.evaluate("points", "cluster", "ch", features=["x", "y"]).to_html(truth=LABELS)


def test_batches_that_passed_by_have_a_report():
    scores = cv.Evaluator(["ch", "silhouette"]).partial_fit(X, LABELS).scores()
    assert scores.shown("silhouette") in scores.to_html()


def test_what_needs_points_in_memory_is_refused_in_blocks(program):
    code, _, error = program("evaluate", "points", "-l", "cluster", "--standardize")
    assert code != 0
    assert "--standardize needs the points in memory" in error
    code, _, error = program("evaluate", "no/*.parquet", "-l", "cluster")
    assert code != 0
    assert "No file fits the pattern no/*.parquet." in error


@pytest.mark.large
def test_a_cluster_reads_the_blocks(program):
    distributed = pytest.importorskip("distributed")
    options = {"processes": True, "memory_limit": 0, "dashboard_address": ":0"}
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, **options) as cluster:
        code, out, error = program(
            "evaluate", "points", "-l", "cluster", "-i", "ch", "--json", "--scheduler", cluster.scheduler_address
        )
    assert code == 0, error
    value = json.loads(out)["indices"][0]["value"]
    assert value == approx(cv.internal.calinski_harabasz(X, LABELS), rel=1e-11)


@pytest.fixture
def customers(tmp_path):
    """Folders of one file and of two, with columns that name the rows, yes and no, and text."""
    frame = FRAME.select(
        "x", "y", "cluster", "truth", "note",
        customer_id=pl.Series(RNG.permutation(N) + 1000), member=pl.Series(RNG.random(N) < 0.5),
        name=pl.Series([f"n{row}" for row in range(N)]),
    )  # fmt: skip
    for folder, cuts in {"one": [0, N], "two": [0, 400, N]}.items():
        (tmp_path / folder).mkdir()
        for at, (low, high) in enumerate(pairwise(cuts)):
            frame[low:high].write_parquet(tmp_path / folder / f"{at}.parquet")


@pytest.mark.usefixtures("customers")
@pytest.mark.parametrize("data", ["one", "one/*.parquet", "two"])
@pytest.mark.parametrize("metric", ["euclidean", "gower"])
@pytest.mark.parametrize("more", [[], ["--truth", "truth"]])
def test_folders_leave_out_the_columns_that_a_file_leaves_out(program, data, metric, more):
    given = ("-l", "cluster", "-i", "silhouette", "--metric", metric, *more, "--json")
    code, out, error = program("evaluate", data, *given)
    assert code == 0, error
    assert "Warning: Column 'customer_id' names the rows and is left out" in error
    assert "UserWarning" not in error
    blocks, whole = json.loads(out), json.loads(program("evaluate", "one/0.parquet", *given)[1])
    assert (blocks["features"], blocks["left_out"]) == (whole["features"], whole["left_out"])
    assert blocks["indices"][0]["value"] == approx(whole["indices"][0]["value"], rel=1e-11)
    _, out, _ = program("evaluate", data, *given[:-1])
    left_out = "customer_id" if metric == "euclidean" else "customer_id, name"
    assert f"Left out, naming the rows: {left_out}." in out


@pytest.mark.usefixtures("customers")
@pytest.mark.parametrize(("metric", "columns"), [("euclidean", 3), ("gower", 5)])
def test_a_plan_for_a_folder_has_the_columns_of_the_evaluation(program, metric, columns):
    code, out, error = program("explain", "two", "-l", "cluster", "--metric", metric, "-i", "silhouette")
    assert code == 0, error
    assert f"900 points, {columns} columns, 3 clusters." in out


def test_text_that_holds_numbers_is_not_passed_over_in_folders(program, tmp_path):
    FRAME.with_columns(pl.col("x").cast(pl.String)).write_parquet(tmp_path / "points" / "0.parquet")
    code, _, error = program("evaluate", "points/0*.parquet", "-l", "cluster")
    assert code == 2
    assert "Column 'x' of points/0.parquet holds String, not numbers" in error


def test_lists_are_the_points_of_a_folder_that_has_no_other_numbers_but_of_rows(program, tmp_path):
    (tmp_path / "lists").mkdir()
    frame = pl.DataFrame({"customer_id": range(N), "place": X.tolist(), "cluster": LABELS})
    frame.write_parquet(tmp_path / "lists" / "0.parquet")
    code, out, error = program("evaluate", "lists", "-l", "cluster", "-i", "silhouette", "--json")
    assert code == 0, error
    assert json.loads(out)["features"] == ["place0", "place1"]
    assert json.loads(out)["indices"][0]["value"] == approx(cv.internal.silhouette(X, LABELS))
