"""The command line on messy tables: warnings, other formats, more commands, and estimates of time."""

from __future__ import annotations

import bz2
import io
import json
import lzma
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from test_cli import program, write  # noqa: F401 - a fixture

import clustval as cv
from clustval import data, files
from clustval.cli import waiting
from clustval.errors import InputError

IRIS = data.load("iris")
FRAME = files.read(str(data.path("iris"))).select("sepal_length", "petal_width", "species")
ROWS = FRAME.rows()


def csv(frame: pl.DataFrame) -> str:
    return frame.write_csv()


def values_of(outcome) -> dict[str, float]:
    assert outcome.code == 0, outcome.err
    return {row["index"]: row["value"] for row in json.loads(outcome.out)["indices"]}


# Columns that are no features


def test_columns_that_are_no_features_get_a_line_each(program):  # noqa: F811
    rng = np.random.default_rng(0)
    frame = FRAME.with_columns(
        pl.Series("customer_id", rng.choice(10**6, len(FRAME), replace=False)),
        pl.Series("nth", rng.permutation(len(FRAME)) + 7),
        pl.Series("kmeans", rng.integers(0, 3, len(FRAME))),
        pl.Series("flat", np.ones(len(FRAME))),
        pl.Series("flat too", np.zeros(len(FRAME))),
    )
    outcome = program("evaluate", write("t.csv", csv(frame)), "-l", "species", "-i", "dunn", "--json")
    rows = "Columns 'customer_id', 'nth' look like numbers or names of rows"
    flat = "Columns 'flat', 'flat too' are constant and tell nothing apart"
    assert outcome.err.splitlines() == [
        f"Warning: {rows}; leave out with --exclude customer_id,nth.",
        "Warning: Column 'kmeans' looks like labels, not a feature; leave out with --exclude kmeans.",
        f"Warning: {flat}; leave out with --exclude flat,flat too.",
        outcome.err.splitlines()[-1],
    ]
    assert outcome.err.splitlines()[-1].startswith("Warning: Column 'customer_id' varies ")
    assert outcome.err.splitlines()[-1].endswith(
        " so that it alone decides distances; --standardize gives all the same weight."
    )
    assert len(json.loads(outcome.out)["warnings"]) == 4
    clean = program(
        *("evaluate", "t.csv", "-l", "species", "-i", "dunn", "--json"),
        *("--exclude", "customer_id,nth", "--exclude", "kmeans", "-x", "flat", "-x", "flat too"),
    )
    assert clean.err == ""
    assert json.loads(clean.out)["features"] == ["sepal_length", "petal_width"]
    assert values_of(clean)["dunn"] == cv.internal.dunn(FRAME.drop("species"), FRAME["species"])


def test_columns_chosen_by_name_are_not_doubted_but_for_their_scale(program):  # noqa: F811
    frame = FRAME.with_columns(pl.Series("id", range(len(FRAME))))
    path = write("t.csv", csv(frame))
    assert program("evaluate", path, "-l", "species", "-f", "id,petal_width", "-i", "dunn").err == ""
    assert "--standardize" in program("evaluate", "wine", "-l", "cultivar", "-i", "dunn").err
    assert program("evaluate", "wine", "-l", "cultivar", "-i", "dunn", "--standardize").err == ""
    assert program("evaluate", "iris", "-l", "species", "-i", "dunn").err == ""


def test_a_column_that_holds_the_labels_of_a_file_is_no_feature(program):  # noqa: F811
    codes = pl.Series("a", np.arange(len(FRAME)) % 3)
    path = write("t.csv", csv(FRAME.with_columns(codes.alias("found"), (codes + 1).alias("other"))))
    write("labels.txt", "\n".join(map(str, codes.to_list())))
    outcome = program("evaluate", path, "-l", "labels.txt", "-i", "dunn", "--json")
    assert outcome.err == "Warning: Column 'found' holds the labels themselves and is left out.\n"
    assert json.loads(outcome.out)["features"] == ["sepal_length", "petal_width", "other"]


COMMANDS = {
    "gap": ("--k", "1:3", "--references", "3"),
    "stability": ("--k", "2:3", "--samples", "3"),
    "sweep": ("--k", "2:3", "-i", "dunn"),
    "tendency": ("--samples", "5"),
    "recommend": ("--sets", "2", "--criteria", "silhouette,dunn"),
}
LONG = ("sweep", "tendency", "recommend")


@pytest.mark.parametrize(
    "command", [pytest.param(name, marks=pytest.mark.large if name in LONG else ()) for name in COMMANDS]
)
def test_every_command_on_points_leaves_columns_out(program, command):  # noqa: F811
    path = write("t.csv", csv(FRAME[::5].with_columns(pl.Series("id", range(30)))))
    with_id = program(command, path, *COMMANDS[command], "--json")
    assert "Warning: Column 'id' looks like the number or name of rows" in with_id.err
    without = program(command, path, *COMMANDS[command], "--json", "--exclude", "id")
    assert without.err == ""
    assert json.loads(without.out)["features"] == ["sepal_length", "petal_width"]


@pytest.mark.large
def test_labels_are_no_feature_of_a_test_of_tendency(program):  # noqa: F811
    labelled = program("tendency", "iris", "--labels", "kmeans", "--samples", "5", "--json")
    assert "kmeans" not in json.loads(labelled.out)["features"]


def test_what_cannot_be_left_out_is_said(program):  # noqa: F811
    path = write("t.csv", csv(FRAME))
    wrong = program("evaluate", path, "-l", "species", "--exclude", "sepal_lenght")
    assert wrong.err == "clustval: t.csv has no column 'sepal_lenght'. Did you mean 'sepal_length'?\n"
    none = program("evaluate", path, "-l", "species", "-f", "petal_width", "--exclude", "petal_width")
    assert none.err == "clustval: --exclude leaves no column of --features.\n"


# Formats


def zipped(text: bytes, *more: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("inner.csv", text)
        for name in more:
            archive.writestr(name, "x")
    return stream.getvalue()


def workbook() -> bytes:
    stream = io.BytesIO()
    FRAME.write_excel(stream)
    return stream.getvalue()


def blanks(header: bool = True) -> bytes:
    lines = ["sepal_length   petal_width  species"] if header else []
    return "\n".join([*lines, *(f"  {a:6} {b}\t{c}" for a, b, c in ROWS)]).encode() + b"\n"


PLAIN = csv(FRAME).encode()
FORMATS = {
    "bzip2": bz2.compress(PLAIN),
    "xz": lzma.compress(PLAIN),
    "zip of one file": zipped(PLAIN),
    "Excel": workbook(),
    "JSON lines": "\n".join(json.dumps(dict(zip(FRAME.columns, row, strict=True))) for row in ROWS).encode(),
    "JSON": json.dumps([dict(zip(FRAME.columns, row, strict=True)) for row in ROWS]).encode(),
    "blanks": blanks(),
    "comments": b"# made by hand\n# on a Monday, in May\n" + PLAIN,
    "names in a comment": b"# " + PLAIN,
    "names in a comment above blanks": b"# sepal_length petal_width species\n" + blanks(header=False),
}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_table_is_the_same_in_every_format(kind, tmp_path):
    path = tmp_path / "table"
    path.write_bytes(FORMATS[kind])
    assert files.read(str(path)).equals(FRAME)


def test_blanks_inside_cells_do_not_separate(tmp_path):
    for text in (
        "name of flower\niris setosa\niris versicolor\n",
        "cluster name\ncluster 1\ncluster 2\n",
        "sepal length,petal width\n1.5,2\n",
        "a b\n1 2\n3\n",
        "a\tb c\n1\t2\n",
    ):
        path = tmp_path / "table.csv"
        path.write_text(text)
        columns = files.read(str(path)).columns
        assert columns == text.splitlines()[0].replace("\t", ",").split(","), text


def test_text_that_begins_with_a_hash_after_the_names_is_kept(tmp_path):
    path = tmp_path / "colours.csv"
    path.write_text("colour,x\n#ff0000,1\n#00ff00,2\n")
    assert files.read(str(path))["colour"].to_list() == ["#ff0000", "#00ff00"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zipped(PLAIN, "second.csv"), "is a zip archive of 2 files; unzip it and name one of them."),
        (bz2.compress(PLAIN)[:-9], "is damaged: it does not unzip."),
        (b"BZh9" + bytes(40), "is damaged: it does not unzip."),
        (lzma.compress(PLAIN)[:-9], "is damaged: it does not unzip."),
        (b'{"a": 1}\n{"a": ', "is damaged: "),
        (b"# nothing but\n# comments\n", "is empty."),
        (bz2.compress(b""), "is empty."),
    ],
)
def test_damaged_files_of_these_formats_say_so(content, message, tmp_path):
    path = tmp_path / "bad"
    path.write_bytes(content)
    with pytest.raises(InputError) as raised:
        files.read(str(path))
    assert str(raised.value).startswith(f"{path} {message}".rstrip())


# Commands


def test_the_gap_of_a_file_is_that_of_the_library(program):  # noqa: F811
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


def test_the_stability_of_a_file_is_that_of_the_library(program):  # noqa: F811
    outcome = program("stability", "iris", "--k", "2:3", "--samples", "4", "--json")
    document = json.loads(outcome.out)
    expected = cv.stability(IRIS.X, [2, 3], n_samples=4, random_state=0)
    assert document["best"] == expected.best
    assert [row["mean"] for row in document["values"]] == expected.table["mean"].tolist()
    assert "most stable: k = " in program("stability", "iris", "--k", "2:3", "--samples", "2").out


def test_a_report_draws_points_in_columns_that_are_no_features(program):  # noqa: F811
    columns = ("--coordinates", "sepal_length,petal_width", "--report", "page.html", "-i", "fast")
    outcome = program("evaluate", "iris", "-l", "species", *columns)
    assert "features: sepal_width, petal_length." in outcome.out
    page = Path("page.html").read_text(encoding="utf-8")
    assert '"title":"sepal_length"' in page
    assert program("evaluate", "iris", "-l", "species", "--coordinates", "sepal_length").err == (
        "clustval: --coordinates must name two columns, as x,y does; it is 'sepal_length'.\n"
    )


def test_a_recommendation_says_what_to_trust_and_writes_a_report(program):  # noqa: F811
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
}


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_are_drawn_into_files(program, figure):  # noqa: F811
    outcome = program(
        "plot", figure, write("t.csv", csv(files.read(str(data.path("iris")))[::5])), *FIGURES[figure], "-o", "f.svg"
    )
    assert outcome.code == 0, outcome.err
    assert outcome.err.endswith("Wrote f.svg\n")
    assert "<svg" in Path("f.svg").read_text(encoding="utf-8")


def test_figures_in_pixels_and_on_paper(program):  # noqa: F811
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
def test_what_cannot_be_drawn_says_why(program, arguments, message):  # noqa: F811
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


def test_the_help_has_the_version_and_every_command(program):  # noqa: F811
    text = program("--help").out
    assert cv.__version__ in text
    assert all(f" {command} " in text for command in ("gap", "stability", "recommend", "plot"))
