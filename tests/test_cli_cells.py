"""The program on files of annotated cells: columns of obs are labels, and a representation is the points."""

from __future__ import annotations

import json
from pathlib import Path

import annotated
import numpy as np
import polars as pl
import pytest
from scipy import sparse

import clustval as cv
from clustval import cli
from clustval.cli import cell_table
from clustval.readers import cell_rows
from clustval.result import same

FORMS = ["h5ad", "zarr"]


@pytest.fixture
def data():
    return annotated.cells()


@pytest.fixture(params=FORMS)
def path(request, data, tmp_path, monkeypatch):
    """A file of cells of each form, in the folder in which the program runs."""
    pytest.importorskip({"h5ad": "h5py", "zarr": "zarr"}[request.param])
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.chdir(tmp_path)
    annotated.written(tmp_path, data, request.param)
    return f"cells.{request.param}"


@pytest.fixture
def program(capsys):
    def run(*arguments, code=0):
        assert cli.run(arguments) == code
        return capsys.readouterr()

    return run


def values(document):
    """Return the indices that JSON has."""
    return {row["index"]: np.nan if row["value"] is None else row["value"] for row in document["indices"]}


def test_cells_are_evaluated_as_the_library_does_it(program, path, data):
    document = json.loads(program("evaluate", path, "--labels", "leiden", "--indices", "fast", "--json").out)
    plain = cv.evaluate(data.obsm["X_pca"], data.obs["leiden"].to_numpy(), "fast")
    assert same(values(document), plain.to_dict())
    assert document["features"] == [f"X_pca{j}" for j in range(6)]
    arguments = ("--labels", "cell_type", "--use-rep", "X_scVI", "--weights", "weight", "-i", "fast", "--json")
    weights = data.obs["weight"].to_numpy()
    other = cv.evaluate(data.obsm["X_scVI"], data.obs["cell_type"].to_numpy(), "fast", sample_weight=weights)
    assert same(values(json.loads(program("evaluate", path, *arguments).out)), other.to_dict())


def test_many_cells_are_read_in_blocks_with_the_same_values(program, path, monkeypatch):
    evaluate = ("evaluate", path, "--labels", "leiden", "--truth", "cell_type", "-i", "davies_bouldin,wb", "--json")
    explain = ("explain", path, "--labels", "leiden", "-i", "fast", "--json")
    commands = [evaluate, explain, (*evaluate, "--standardize")]
    few = [json.loads(program(*command).out) for command in commands]
    for module in (cell_table, cell_rows):
        monkeypatch.setattr(module, "AT_ONCE", 100)
    many = [json.loads(program(*command).out) for command in commands]
    assert many[2] == few[2]  # for which points must be in memory
    monkeypatch.setattr(cell_table.CellTable, "of", None)  # which would read all of obs
    blocks, plan = (json.loads(program(*command).out) for command in commands[:2])
    assert values(blocks) == pytest.approx(values(few[0]), rel=1e-12)
    assert (blocks["features"], blocks["points"]) == (few[0]["features"], few[0]["points"])
    assert (plan["points"], plan["clusters"]) == (few[1]["points"], few[1]["clusters"])


def test_resolutions_are_swept_over_the_graph_of_cells_or_over_neighbours(program, path, data, tmp_path):
    def layers(*options):
        return json.loads(program("sweep", *options, "--resolution", "0.1:1:3", "--seeds", "2", "--json").out)["layers"]

    tried = {"resolution": np.geomspace(0.1, 1, 3), "seeds": 2}
    joined = cv.sweep(data, **tried, neighbours=15)
    assert layers(path)[1]["consistency"] == joined.layers["consistency"][1]
    near = cv.graph.adjacency(data.obsm["X_pca"], neighbours=5)
    matrix = sparse.csr_matrix((np.ones(len(near.tails)), (near.tails, near.edges.others)), shape=(near.n, near.n))
    data.obsp["connectivities"] = (matrix + matrix.T).tocsr()
    with_graph = annotated.written(tmp_path, data, "h5ad")
    swept = cv.sweep(with_graph, **tried)
    assert [layer["k"] for layer in layers(with_graph)] == swept.layers["k"].tolist()
    assert [layer["k"] for layer in layers(with_graph, "--neighbours", "15")] == joined.layers["k"].tolist()
    page = tmp_path / "tree.html"
    shown = program("sweep", with_graph, "--resolution", "0.01,0.02", "--seeds", "2", "--report", str(page))
    assert ": the same " in shown.out
    assert "The tree of clusters" in page.read_text(encoding="utf-8")
    for wrong in ("0.1,x", "0:1:3", "-1:1:3", "1:2", "0.1:4:2.5", "0.1:4:0", "0.1:inf:3", "nan"):
        refused = program("sweep", path, f"--resolution={wrong}", code=2)
        assert "--resolution must be numbers such as 0.1:4:24" in refused.err
    for many in ("0.1:4:1e12", "0.1:4:1001", ",".join(["1"] * 1001)):
        refused = program("sweep", path, f"--resolution={many}", code=2)
        assert "--resolution must be 1,000 numbers or fewer, such as 0.1:4:24; " in refused.err


def test_every_command_takes_cells(program, path, data):
    X, labels, truth = data.obsm["X_pca"], data.obs["leiden"].to_numpy(), data.obs["cell_type"].to_numpy()
    agreed = json.loads(program("agree", path, "--truth", "cell_type", "--labels", "leiden", "--json").out)
    rand = {row["index"]: row["leiden"] for row in agreed["indices"]}["adjusted_rand"]
    assert rand == cv.agreement(truth, labels)["adjusted_rand"]
    swept = json.loads(program("sweep", path, "--labels", "leiden,cell_type", "-i", "dunn", "--json").out)
    expected = cv.sweep(X, {"leiden": labels, "cell_type": truth}, ["dunn"])
    assert [row["value"] for row in swept["values"]] == list(expected["dunn"])
    program("diagnose", path, "--labels", "leiden", "--batch", "cell_type", "--out", "repaired.csv")
    repaired = pl.read_csv("repaired.csv")
    assert repaired["cell"].to_list() == list(data.obs.index)
    assert repaired["repaired"].to_list() == cv.diagnose(X, labels).repaired.tolist()
    arguments = ("--candidates", "ward", "--k", "2:4", "--no-null", "--out", "chosen.csv", "--json")
    assert json.loads(program("choose", path, *arguments).out)["k"] == 3
    assert pl.read_csv("chosen.csv").columns == ["cell", *data.obs.columns, "cluster"]
    gap = ("gap", path, "--k", "2:3", "--use-rep", "X_scVI", "--json")
    assert json.loads(program(*gap).out)["features"] == [f"X_scVI{j}" for j in range(4)]


def test_the_report_draws_points_in_a_map_for_the_eye(program, path):
    arguments = ("evaluate", path, "--labels", "leiden", "-i", "dunn", "--report", "report.html")
    program(*arguments, "--coordinates", "X_umap")
    page = Path("report.html").read_text()
    assert "X_umap0" in page
    assert "X_umap1" in page


def test_maps_for_the_eye_are_judged_by_force_only(program, path):
    arguments = ("evaluate", path, "-l", "leiden", "-i", "dunn", "--use-rep", "X_umap", "--json")
    refused = program(*arguments, code=2)
    assert refused.err.startswith("clustval: 'X_umap' is a map for the eye")
    assert refused.err.endswith("--force does it all the same.\n")
    assert json.loads(program(*arguments, "--force").out)["features"] == ["X_umap0", "X_umap1"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-l", "leidn"), "{path} has no column 'leidn'. Did you mean 'leiden'?"),
        (("-l", "leiden", "--use-rep", "X_pcs"), "{path} has no representation 'X_pcs'. Did you mean 'X_pca'?"),
        *(
            (
                ("-l", "leiden", option, value),
                f"{name} is for tables; {{path}} holds cells, whose points are a representation: --use-rep chooses.",
            )
            for option, value, name in [
                ("--features", "counts", "--features"),
                ("--exclude", "counts", "--exclude"),
                ("--metric", "gower", "--metric gower"),
            ]
        ),
    ],
)
def test_what_cells_do_not_have_is_said_in_a_line(program, path, arguments, message):
    assert program("evaluate", path, *arguments, code=2).err == f"clustval: {message.format(path=path)}\n"


def test_cells_without_the_usual_representation_name_what_they_have(program, data, tmp_path, monkeypatch):
    pytest.importorskip("h5py")
    monkeypatch.chdir(tmp_path)
    del data.obsm["X_pca"]
    annotated.written(tmp_path, data, "h5ad")
    error = program("evaluate", "cells.h5ad", "-l", "leiden", code=2).err
    there = "'X_scVI', 'X_umap', 'X'"
    assert error == f"clustval: cells.h5ad has no representation 'X_pca'; it has {there}. Choose one by --use-rep.\n"


def test_options_of_cells_are_refused_for_tables(program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame({"x": [0, 1, 5, 6], "cluster": [0, 0, 1, 1]}).write_csv("points.csv")
    for options in (("--use-rep", "x"), ("--force",)):
        error = program("evaluate", "points.csv", "-l", "cluster", *options, code=2).err
        assert error == f"clustval: {options[0]} is for annotated cells, .h5ad or .zarr; points.csv is neither.\n"


def test_truncated_cells_and_missing_files_are_said_in_a_line(program, path):
    for command in ("evaluate", "diagnose"):
        missing = program(command, f"no_{path}", "-l", "leiden", code=2).err
        assert missing == f"clustval: There is no file no_{path}.\n"
    if path.endswith("h5ad"):
        content = Path(path).read_bytes()
        Path(path).write_bytes(content[: len(content) // 2])
        error = program("evaluate", path, "-l", "leiden", code=2).err
        assert error.startswith("clustval: cells.h5ad is damaged: ")
        assert error.count("\n") == 1


def test_a_zarr_array_is_a_table_without_names(program, data, tmp_path, monkeypatch):
    zarr = pytest.importorskip("zarr")
    monkeypatch.chdir(tmp_path)
    zarr.save_array("points.zarr", data.obsm["X_pca"])
    labels = data.obs["leiden"].to_numpy()
    pl.DataFrame({"leiden": labels}).write_csv("labels.csv")
    document = json.loads(program("evaluate", "points.zarr", "--labels", "labels.csv", "-i", "fast", "--json").out)
    assert same(values(document), cv.evaluate(data.obsm["X_pca"], labels, "fast").to_dict())


def test_labels_and_truth_may_be_columns_of_cells_in_another_file(program, path, data, tmp_path):
    points = pl.DataFrame(data.obsm["X_pca"], schema=[f"pc{j}" for j in range(6)])
    points.write_csv(tmp_path / "points.csv")
    arguments = (
        "evaluate",
        "points.csv",
        "-l",
        f"{path}:leiden",
        "--truth",
        f"{path}:cell_type",
        "-i",
        "fast",
        "--json",
    )
    document = values(json.loads(program(*arguments).out))
    labels, truth = data.obs["leiden"].to_numpy(), data.obs["cell_type"].to_numpy()
    expected = cv.evaluate(pl.read_csv(tmp_path / "points.csv").to_numpy(), labels, "fast")
    assert same({name: document[name] for name in expected}, dict(expected))
    assert document["adjusted_rand"] == cv.external.adjusted_rand(truth, labels)
    assert cv.evaluate("points.csv", f"{path}:leiden", "fast") == expected


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (":leidn", "{path} has no column of obs 'leidn'. Did you mean 'leiden'?"),
        ("", "{path} has 4 columns of obs; choose one, as {path}:leiden does."),
        (":leiden", "{path} has 90 cells but points.csv has 2 rows."),
    ],
)
def test_columns_of_cells_in_another_file_must_fit(program, path, tmp_path, column, message):
    rows = 2 if column == ":leiden" else 90
    pl.DataFrame({"x": np.arange(rows) * 0.5}).write_csv(tmp_path / "points.csv")
    error = program("evaluate", "points.csv", "-l", f"{path}{column}", code=2).err
    assert error == f"clustval: {message.format(path=path)}\n"
