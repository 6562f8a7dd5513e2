"""Files that the library reads: the same tables as the program, by the same rules, each opened no more than needed."""

from __future__ import annotations

import builtins
import gzip
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pytest import approx

import clustval as cv
from clustval import cli, data
from clustval.errors import InputError
from clustval.readers import file_rows, open_rows
from clustval.readers.file_table import FileTable
from clustval.readers.pieces import HeldPiece, Limits, Table
from conftest import make_blobs

X, LABELS = make_blobs((120, 100, 80), (0, 4, 8), (1.0, 0.6, 0.3), p=3, seed=5)
NAMES = ["x", "y", "z"]
WEIGHTS, OTHERS = np.arange(len(X)) % 3 + 0.5, np.array(list("abcd"))[np.where(np.arange(len(X)) % 7, LABELS, 3)]
FRAME = pl.DataFrame({name: X[:, j] for j, name in enumerate(NAMES)} | {"cluster": LABELS})
WITH_TEXT = FRAME.with_columns(place=pl.Series([f"street {i}" for i in range(len(X))]), other=OTHERS)
WEIGHTED = WITH_TEXT.with_columns(weight=WEIGHTS)


def write_gz(frame, path):
    path.write_bytes(gzip.compress(frame.write_csv().encode()))


def write_npz(frame, path):
    arrays = {name: frame[name].to_numpy() for name in frame.columns}
    np.savez(path, **{name: a.astype(str) if a.dtype == object else a for name, a in arrays.items()})


WRITERS = {
    "points.csv": lambda frame, path: frame.write_csv(path),
    "points.tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "points.csv.gz": write_gz,
    "points.xlsx": lambda frame, path: frame.write_excel(path),
    "points.json": lambda frame, path: frame.write_ndjson(path),
    "points.parquet": lambda frame, path: frame.write_parquet(path),
    "points.arrow": lambda frame, path: frame.write_ipc(path),
    "points.npz": write_npz,
}
AT_ONCE = [name for name in WRITERS if not name.endswith((".parquet", ".arrow"))]


@pytest.fixture(params=WRITERS)
def path(request, tmp_path):
    """The same table in files of every format, with a column of text where a format has text."""
    if request.param.endswith(".xlsx"):
        pytest.importorskip("fastexcel")
        pytest.importorskip("xlsxwriter")
    WRITERS[request.param](WITH_TEXT, tmp_path / request.param)
    return tmp_path / request.param


@pytest.fixture
def of_program(capsys):
    def values(path, *options):
        assert cli.run(["evaluate", str(path), "--json", *options]) == 0
        return {row["index"]: row["value"] for row in json.loads(capsys.readouterr().out)["indices"]}

    return values


def refused(*given, **options):
    with pytest.raises(InputError) as error:
        cv.evaluate(*given, **options)
    return str(error.value)


def test_the_library_reads_whatever_the_program_reads(path, of_program):
    scores = cv.evaluate(path, "cluster")
    assert dict(scores) == approx(dict(cv.evaluate(X, LABELS)), rel=1e-13)
    assert dict(scores) == approx(of_program(path, "-l", "cluster"), rel=1e-13)


@pytest.mark.parametrize("path", AT_ONCE, indirect=True)
def test_a_file_without_blocks_has_the_values_of_the_program_bit_for_bit(path, of_program):
    options = {"metric": "seuclidean", "noise": "singletons"}  # which need all points at once
    program = of_program(path, "-l", "cluster", *(f"--{name}={value}" for name, value in options.items()))
    assert dict(cv.evaluate(path, "cluster", **options)) == program
    assert cv.evaluate(path, "cluster", "silhouette", confidence=0.9).intervals


def test_bundled_data_have_a_name(of_program, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    iris = data.load("iris")
    scores = cv.evaluate("iris", "species", "fast")
    assert (
        dict(scores)
        == dict(cv.evaluate(iris.X, iris.truth, "fast"))
        == of_program("iris", *["-l", "species", "-i", "fast"])
    )


def test_features_and_weights_are_columns_of_a_file(path):
    names = ["ch", "pbm"]
    WRITERS[path.name](WEIGHTED, path)
    scores = cv.evaluate(path, "cluster", names, features=["x", "y"], sample_weight="weight")
    assert dict(scores) == approx(dict(cv.evaluate(X[:, :2], LABELS, names, sample_weight=WEIGHTS)), rel=1e-13)
    without = cv.evaluate(path, "cluster", names, sample_weight="weight")  # is no feature
    assert dict(without) == approx(dict(cv.evaluate(X, LABELS, names, sample_weight=WEIGHTS)), rel=1e-13)
    assert dict(cv.evaluate(path, LABELS, names, features=NAMES, sample_weight=WEIGHTS)) == dict(without)
    assert "points need at least one" in refused(path, "cluster", features=[])


@pytest.mark.parametrize("labels", ["labels.csv", "labels.csv:group", "labels.npy", "labels.parquet:group"])
def test_labels_may_be_in_another_file(path, labels):
    groups = pl.DataFrame({"group": LABELS})
    file = path.parent / labels.partition(":")[0]
    if file.suffix == ".npy":
        np.save(file, LABELS)
    elif file.suffix == ".csv":
        groups.write_csv(file)
    else:
        groups.write_parquet(file)
    given = str(path.parent / labels)
    whole = approx(dict(cv.evaluate(X, LABELS, ["ch", "dunn"])), rel=1e-13)
    assert dict(cv.evaluate(path, given, ["ch", "dunn"], features=NAMES)) == whole
    without = cv.evaluate(path, given, ["ch", "dunn"])
    assert dict(cv.evaluate(path, Path(given), ["ch", "dunn"])) == dict(without)
    if path.name in AT_ONCE or file.suffix != ".npy":
        assert dict(without) == whole  # the column that holds the same is no feature
    groups[:-2].write_csv(path.parent / "short.csv")
    assert f"short.csv has {len(X) - 2} labels in its column 'group' but {path} has {len(X)} rows." in refused(
        path, f"{path.parent}/short.csv"
    )


@pytest.mark.parametrize("path", AT_ONCE, indirect=True)
@pytest.mark.parametrize(
    "form", [np.array, list, pd.Series, lambda labels: pl.Series([f"{label}" for label in labels])]
)
def test_a_column_that_holds_the_labels_is_no_feature_wherever_they_come_from(path, form):
    assert dict(cv.evaluate(path, form(LABELS), ["ch", "dunn"])) == dict(cv.evaluate(path, "cluster", ["ch", "dunn"]))


def test_an_estimator_labels_points_in_memory_alone(path):
    cluster = pytest.importorskip("sklearn.cluster")
    assert refused(path, cluster.KMeans(3)).endswith("in blocks; it is of type KMeans.")


def test_text_and_dates_are_left_out_of_the_points_unless_they_were_meant_to_be_numbers(path):
    assert refused(path, "x", features=["y", "place"]).startswith(f"Column 'place' of {path} holds ")
    if path.suffix == ".npz":
        return
    texts = FRAME.with_columns(n=pl.Series(["1.5", "2", "?"] * 100)).select("n", "cluster")
    WRITERS[path.name](texts, path)
    assert refused(path, "cluster").startswith(f"Column 'n' of {path} ")
    WRITERS[path.name](WITH_TEXT.select("place", "cluster"), path)
    message = f"{path} has no column of numbers besides the labels; its other columns are 'place'."
    assert refused(path, "cluster") == message


def test_labellings_are_compared_in_any_file(path):
    WRITERS[path.name](WEIGHTED, path)
    agreement = cv.agreement("cluster", "other", data=path)
    assert dict(agreement) == approx(dict(cv.agreement(LABELS, OTHERS)), rel=1e-13)
    weighted = cv.agreement("cluster", "other", data=path, sample_weight="weight")
    assert dict(weighted) == approx(dict(cv.agreement(LABELS, OTHERS, sample_weight=WEIGHTS)), rel=1e-13, nan_ok=True)


def test_an_evaluation_of_a_file_is_explained(path):
    plan, memory = cv.explain(path, "cluster"), cv.explain(X, LABELS)
    assert (plan.points, plan.columns, plan.clusters, plan.indices) == (300, 3, 3, memory.indices)


def test_errors_of_a_file_advise_what_the_library_can_do(tmp_path):
    path = tmp_path / "points.csv"
    path.write_bytes("x,y,cluster\n1,2,\xe9\n".encode("latin-1"))
    assert refused(path, "cluster").endswith("Save it as UTF-8, or read it yourself and pass the table.")
    path.write_text("1,2,3\n4,5,6\n")
    assert refused(path, "cluster").endswith("add names, or read it yourself and pass the table.")
    path.write_text("x,y,cluster\n1,2,0\n3,,1\n4,5,1\n")
    assert refused(path, "cluster", "ch").startswith("X ")
    path.write_text("")
    assert refused(path, "cluster") == f"{path} is empty."
    path.write_text("x,y,cluster\n1,2,0\n3,4,1\n5,6,1\n")
    assert refused(path, "klaster") == f"{path} has no column 'klaster'. Did you mean 'cluster'?"
    assert refused(path, [0, 1]) == "X has 3 rows but labels has 2 entries."


def test_columns_of_an_array_have_numbers_for_names(tmp_path, of_program):
    path = tmp_path / "points.npy"
    np.save(path, np.column_stack([X, LABELS]))
    assert refused(path, "4").startswith(f"{path} is NPY, which has no names of columns; give labels as an array")
    np.savetxt(tmp_path / "labels.csv", LABELS, fmt="%d", header="group", comments="")
    scores = cv.evaluate(path, str(tmp_path / "labels.csv"), "dunn", features=["0", "1", "2"])
    assert dict(scores) == of_program(path, "-l", f"{tmp_path}/labels.csv", "-i", "dunn", "-f", "0,1,2")
    assert refused(path, LABELS, sample_weight="w").endswith("give sample_weight as an array or as the path of a file.")


# Reading once


def opened(call, path):
    """Return how often a call opens a file, by Python or by Arrow."""
    times = []

    def counting(function):
        return lambda file, *mode: times.append(file) or function(file, *mode)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file_rows, "open", counting(builtins.open), raising=False)
        patch.setattr(pq, "ParquetFile", counting(pq.ParquetFile))
        patch.setattr(pa, "memory_map", counting(pa.memory_map))
        call()
    return sum(str(each) == str(path) for each in times)


@pytest.mark.parametrize("suite", ["default", "fast", "all"])
def test_a_file_that_fits_into_memory_is_opened_twice(tmp_path, suite):
    for name in ("points.parquet", "points.arrow"):
        WRITERS[name](WITH_TEXT, tmp_path / name)
        assert opened(lambda name=name: cv.evaluate(tmp_path / name, "cluster", suite), tmp_path / name) == 2


@pytest.mark.parametrize("name", ["points.parquet", "points.arrow"])
def test_values_do_not_depend_on_whether_rows_fit_into_memory(tmp_path, monkeypatch, name):
    WRITERS[name](FRAME, tmp_path / name)
    fits = cv.evaluate(tmp_path / name, "cluster", "all")
    monkeypatch.setattr(Limits, "hold", lambda _limits, _numbers: False)
    assert repr(dict(cv.evaluate(tmp_path / name, "cluster", "all"))) == repr(dict(fits))


@pytest.mark.parametrize("name", ["points.parquet", "points.arrow"])
def test_polars_alone_reads_parquet_and_arrow_as_for_the_program(tmp_path, monkeypatch, of_program, name):
    WRITERS[name](WITH_TEXT, tmp_path / name)
    for package in ("pyarrow", "pyarrow.parquet", "pyarrow.ipc"):
        monkeypatch.setitem(sys.modules, package, None)
    assert dict(cv.evaluate(tmp_path / name, "cluster")) == of_program(tmp_path / name, "-l", "cluster")
    with ThreadPoolExecutor(1) as others, pytest.raises(ImportError, match="pyarrow"):
        cv.evaluate(tmp_path / name, "cluster", executor=others)


def test_rows_are_read_once_where_four_copies_of_them_fit(tmp_path):
    path = tmp_path / "points.parquet"
    FRAME.write_parquet(path)
    numbers = FRAME.width * len(FRAME)
    for memory, is_held in ((32 * numbers, True), (32 * numbers - 1, False)):
        table = open_rows.rows_of(path, "cluster", limits=Limits(memory))
        assert isinstance(table, Table)
        assert all(isinstance(piece, HeldPiece) == is_held for piece in table.pieces)
        assert str(table.pieces[0]) == f"rows 0 to {len(X) - 1} of {path}"


TABLE = "x,y\n0,0\n0,1\n0,1.5\n5,5\n5,6\n5,6.5\n"


def dunn_by(labels: str | bytes, folder: Path) -> float:
    (folder / "points.csv").write_text(TABLE)
    (folder / "l.txt").write_bytes(labels if isinstance(labels, bytes) else labels.encode())
    return cv.evaluate(folder / "points.csv", str(folder / "l.txt"), "dunn")["dunn"]


@pytest.mark.parametrize(
    "labels",
    [
        "a\na\na\nb\nb\nb\n",
        "a\na\na\nb\nb\nb\n\n",
        "a\r\na\r\na\r\nb\r\nb\r\nb\r\n\r\n \r\n",
        "label\na\na\na\nb\nb\nb\n\n",
        "label\n0\n0\n0\n1\n1\n1\n\n",
        "0\n0\n0\n1\n1\n1\n\n",
        "group\ntrue\ntrue\ntrue\nfalse\nfalse\nfalse\n",
        "true\ntrue\ntrue\nfalse\nfalse\nfalse\n",
    ],
)
def test_blank_lines_shift_no_labels(labels, tmp_path):
    assert dunn_by(labels, tmp_path) == approx(4.0689, abs=1e-4)


@pytest.mark.parametrize("labels", ["label\na\na\na\nb\nb\n\n", "a\na\na\nb\nb\n\n", "label\n0\n0\n0\n1\n1\n\n\n"])
def test_a_blank_line_at_the_end_is_a_missing_label_where_one_is_missing(labels, tmp_path):
    column = FileTable(pl.DataFrame({"x": range(6)}), "t").labels(dunn_by(labels, tmp_path) and str(tmp_path / "l.txt"))
    assert column.is_null().to_list() == [False] * 5 + [True]


def test_a_label_that_is_missing_on_top_is_no_heading(tmp_path):
    dunn_by("NA\n0\n0\n1\n1\n1\n", tmp_path)
    column = FileTable(pl.DataFrame({"x": range(6)}), "t").labels(str(tmp_path / "l.txt"))
    assert column.to_list() == [None, 0, 0, 1, 1, 1]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("cluster\n0\n0\n1\n1\n1\n", "l.txt has 5 labels in its column 'cluster' but "),
        ("a\na\na\nb\nb\nb\nb\n", "l.txt has 7 lines but "),
    ],
)
def test_a_heading_is_no_label_and_a_label_no_heading(labels, message, tmp_path):
    with pytest.raises(InputError, match=message):
        dunn_by(labels, tmp_path)


def test_labels_have_the_encoding_of_their_table_or_are_utf_8(tmp_path):
    table = FileTable(pl.DataFrame({"x": range(3)}), "t", encoding="latin-1")
    for encoding in ("latin-1", "utf-8"):
        (tmp_path / "l.txt").write_bytes("größer\ngrößer\nklein\n".encode(encoding))
        assert table.labels(str(tmp_path / "l.txt")).to_list() == ["größer", "größer", "klein"]
    (tmp_path / "l.txt").write_bytes("größer\nklein\nklein\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"^.* is not UTF-8 text"):
        FileTable(pl.DataFrame({"x": range(3)}), "t").labels(str(tmp_path / "l.txt"))
    (tmp_path / "x.csv").write_text("x\n1\n")
    assert FileTable.read(str(tmp_path / "x.csv"), encoding="latin-1").encoding == "latin-1"


def test_a_matrix_is_no_column(tmp_path):
    np.savez(tmp_path / "x.npz", X=np.eye(5), cluster=np.arange(5))
    with pytest.raises(InputError, match=r"^'X' of .* is a matrix, not a column; it has the columns 'X0', 'X1',"):
        FileTable.read(str(tmp_path / "x.npz")).column("X")


def test_labels_that_are_text_in_one_file_and_numbers_in_another_are_refused(tmp_path):
    points = {"x": [0.0, 0.1, 5.0, 5.2], "y": [0.0, 0.2, 5.0, 5.1]}
    for name, labels in {"a": [1, 1, 2, 2], "b": ["1", "1", "2", "2"]}.items():
        pl.DataFrame({**points, "label": labels}).write_parquet(tmp_path / f"{name}.parquet")
    said = r"^Column 'label' of .*b\.parquet holds String, and that of .*a\.parquet holds Int64; write them alike\.$"
    with pytest.raises(InputError, match=said):
        cv.evaluate(tmp_path, "label", "fast")
    with pytest.raises(InputError, match=said):
        cv.evaluate(tmp_path, "label", "silhouette", metric="gower")
    for other in ([1.0, 1.0, -1.0, 2.0], [None] * 4):
        pl.DataFrame({**points, "label": other}).write_parquet(tmp_path / "b.parquet")
        assert cv.evaluate(tmp_path, "label", "ch")
