"""Weights on the command line: a column that says how often each row counts."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest
from pytest import approx

import clustval as cv
from clustval import cli, data

IRIS = data.load("iris")
WEIGHTS = np.random.default_rng(4).integers(0, 4, 150)
ROWS = np.repeat(np.arange(150), WEIGHTS)


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def program(capsys, tmp_path, monkeypatch, standard_input):
    """The program, run in a folder with iris as it is weighed, and as its rows are repeated."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    columns = {name: IRIS.X[:, j] for j, name in enumerate(IRIS.features)}
    frame = pl.DataFrame({**columns, "species": IRIS.truth, **IRIS.clusterings, "times": WEIGHTS})
    frame.write_csv("weighed.csv")
    frame[ROWS].drop("times").write_csv("repeated.csv")

    def run(*arguments: str, text: str | None = None) -> Outcome:
        if text is not None:
            standard_input(text.encode())
        code = cli.run(arguments)
        return Outcome(code, *capsys.readouterr())

    return run


def read(outcome: Outcome) -> dict:
    assert outcome.code == 0, outcome.err
    return json.loads(outcome.out)


def values(rows: list[dict], *keys: str) -> dict:
    return {tuple(row[key] for key in keys): row["value"] for row in rows}


@pytest.mark.parametrize("standardize", [[], ["--standardize"]])
def test_evaluate_weighs_rows_as_if_they_were_repeated(program, standardize):
    # Standardized, distances that were equal are so up to rounding only, which ranks would see.
    suite = "fast" if standardize else "clustercrit"
    options = ["-l", "kmeans", "-t", "species", "-i", suite, "--json", *standardize]
    weighed = read(program("evaluate", "weighed.csv", "--weights", "times", *options))
    repeated = read(program("evaluate", "repeated.csv", *options))
    assert weighed["features"] == repeated["features"] == IRIS.features
    assert weighed["weights"] == "times"
    assert repeated["weights"] is None
    assert weighed["coverage"] == 1
    plain = read(program("evaluate", "iris", *options))
    ours, theirs, others = (values(r["indices"], "kind", "index") for r in (weighed, repeated, plain))
    names = [name for name, value in ours.items() if value is not None]  # some take no weights
    assert len(names) > 40
    assert [ours[name] for name in names] == approx([theirs[name] for name in names], rel=1e-10)
    assert [ours[name] for name in names] != approx([others[name] for name in names], rel=1e-6)


def test_weights_are_those_of_the_library_to_the_last_digit(program):
    found = read(program("evaluate", "weighed.csv", "-l", "kmeans", "-w", "times", "--json"))
    scores = cv.evaluate(IRIS.X, IRIS.clusterings["kmeans"], sample_weight=WEIGHTS)
    assert {row["index"]: row["value"] for row in found["indices"]} == scores.to_dict()


def test_people_are_told_what_the_points_weigh(program):
    outcome = program("evaluate", "weighed.csv", "-l", "kmeans", "-w", "times", "-i", "dunn,pbm")
    assert f"150 points of weight {WEIGHTS.sum()} in all, 3 clusters by 'kmeans'; features: sepal" in outcome.out


def test_sweep_weighs_rows(program):
    options = ["--labels", "kmeans,ward,species", "-i", "fast", "--standardize", "--csv"]
    weighed, repeated = (
        list(csv.DictReader(io.StringIO(program("sweep", name, *options, *more).out)))
        for name, more in (("weighed.csv", ["-w", "times"]), ("repeated.csv", []))
    )
    assert len(weighed) == len(repeated) > 10
    for ours, theirs in zip(weighed, repeated, strict=True):
        value, expected = ours.pop("value"), theirs.pop("value")
        if "takes no weights" in ours["reason"]:
            continue
        assert float(value) == approx(float(expected), rel=1e-10)
        assert ours == theirs
    clustered = read(program("sweep", "weighed.csv", "-w", "times", "--k", "2:3", "-i", "dunn", "--json"))
    assert clustered["features"] == [*IRIS.features]
    assert clustered["weights"] == "times"


def test_agree_weighs_rows(program):
    options = ["--truth", "species", "--labels", "kmeans", "ward", "--json"]
    weighed = read(program("agree", "weighed.csv", "--weights", "times", *options))
    repeated = read(program("agree", "repeated.csv", *options))
    assert weighed["indices"] == repeated["indices"]
    assert weighed["prayatul"] == repeated["prayatul"]
    assert weighed["weights"] == "times"
    assert weighed["prayatul"] != read(program("agree", "iris", *options))["prayatul"]


def test_weights_may_come_from_another_file(program):
    Path("times.txt").write_text("\n".join(map(str, WEIGHTS)), encoding="utf-8")
    options = ["-l", "kmeans", "-i", "all", "--json"]
    ours = read(program("evaluate", "iris", "--weights", "times.txt", *options))
    theirs = read(program("evaluate", "weighed.csv", "--weights", "weighed.csv:times", *options, "-f", "petal_length"))
    assert ours["indices"] == read(program("evaluate", "weighed.csv", "-w", "times", *options))["indices"]
    assert theirs["features"] == ["petal_length"]


def test_weights_of_rows_that_are_left_out_do_not_count(program):
    text = "x,label,w\n0,a,1\n1,a,2\n,a,oops\n5,b,0.5\n6,b,1\n7,b,1.25\n"
    options = ["-l", "label", "-w", "w", "-i", "silhouette", "--json"]
    outcome = program("evaluate", "-", *options, "--drop-missing", text=text.replace("oops", ""))
    expected = cv.internal.silhouette([[0], [1], [5], [6], [7]], list("aabbb"), sample_weight=[1, 2, 0.5, 1, 1.25])
    assert read(outcome)["indices"][0]["value"] == expected


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ("-1", "Column 'w' must not be negative; position 1 is -1."),
        ("", "Column 'w' must not be missing or infinite; position 1 is nan."),
        ("b", "Column 'w' of points.csv mixes numbers and text: row 2 holds 'b'"),
    ],
)
@pytest.mark.parametrize("command", ["evaluate", "sweep", "agree"])
def test_bad_weights_end_in_one_line(program, command, weights, message):
    Path("points.csv").write_text(f"x,y,l,w\n0,0,a,1\n0,1,a,{weights}\n5,5,b,1\n9,1,b,2\n", encoding="utf-8")
    truth = ["--truth", "l"] if command == "agree" else []
    outcome = program(command, "points.csv", "--labels", "l", "--weights", "w", *truth)
    assert outcome.code == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_column_that_is_not_there_has_a_nearest_name(program):
    outcome = program("evaluate", "weighed.csv", "-l", "kmeans", "--weights", "time")
    assert outcome.code == 2
    assert "has no column 'time'. Did you mean 'times'?" in outcome.err
    outcome = program("agree", "weighed.csv", "-t", "species", "-l", "kmeans", "-w", "ward")
    assert outcome.code == 2


def test_columns_of_words_are_no_weights(program):
    outcome = program("evaluate", "weighed.csv", "-l", "kmeans", "--weights", "species")
    assert outcome.code == 2
    assert "Column 'species' of weighed.csv holds text, such as 'setosa', not numbers." in outcome.err


# --- the report ------------------------------------------------------------------------------------------


def page(name: str) -> str:
    """The text of a report, without what only names the command or the file, and without the drawn points."""
    text = re.sub(r"<script.*?</script>", "", Path(name).read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))


def test_the_report_of_whole_weights_says_what_that_of_repeated_rows_says(program):
    options = ["-l", "kmeans", "-t", "species", "--against", "ward", "--report"]
    assert program("evaluate", "weighed.csv", "-w", "times", *options, "weighed.html").code == 0
    assert program("evaluate", "repeated.csv", *options, "repeated.html").code == 0
    sentences = [
        r"[\d,]+ points in 3 clusters: [\d, and]+\.",
        r"The mean silhouette is [\d.]+",
        r"Agreement of kmeans with species: adjusted Rand index [\d.]+; \d+ of \d+ points in a cluster",
        r"Of [\d,]+ pairs of points, both are right on [\d,]+, only kmeans on [\d,]+, only ward on [\d,]+",
    ]
    for sentence in sentences:
        (ours,), (theirs,) = (re.findall(sentence, page(name)) for name in ("weighed.html", "repeated.html"))
        assert ours == theirs


def test_reports_of_broken_weights_count_by_weight(program):
    frame = pl.read_csv("weighed.csv").with_columns(times=pl.col("times") / 2 + 0.25)
    frame.write_csv("broken.csv")
    options = ["-w", "times", "--report"]
    assert program("agree", "broken.csv", "-t", "species", "-l", "kmeans", "ward", *options, "agree.html").code == 0
    total = (WEIGHTS / 2 + 0.25).sum()
    assert f"of {total:g} points in a cluster that is matched" in page("agree.html")
    assert "150 points, weighed by times" in page("agree.html")
    swept = program("sweep", "broken.csv", "--labels", "kmeans,ward", "-t", "species", *options, "sweep.html")
    assert swept.code == 0
    assert f"{total:g} points in " in page("sweep.html")
    assert f"150 points of weight {total:g} in all" in page("sweep.html")


def test_figures_of_silhouettes_show_means_by_weight():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    labels = IRIS.clusterings["kmeans"]
    scores = cv.evaluate(IRIS.X, labels, "silhouette", sample_weight=WEIGHTS)
    texts = [text.get_text() for text in cv.plot.silhouette(scores).texts]
    means, sizes = scores.per_cluster("silhouette"), scores.per_cluster("size")
    assert texts == [f"n = {sizes[c]},  {means[c]:.2f}" for c in means]
