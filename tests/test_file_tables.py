"""Files that the library reads: the same tables as the program, by the same rules, each opened no more than needed."""

from __future__ import annotations

import gzip
import json
import sys

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import clustval as cv
from clustval.cli import app
from clustval.errors import InputError
from clustval.inputs import LEAST_MEMORY
from clustval.readers import pieces
from clustval.readers.pieces import HeldPiece, Limits, Table, held
from conftest import make_blobs

X, LABELS = make_blobs((120, 100, 80), (0, 4, 8), (1.0, 0.6, 0.3), p=3, seed=5)
NAMES = ["x", "y", "z"]
FRAME = pl.DataFrame({name: X[:, j] for j, name in enumerate(NAMES)} | {"cluster": LABELS})
WITH_TEXT = FRAME.with_columns(place=pl.Series([f"street {i}" for i in range(len(X))]))


def write_gz(frame, path):
    path.write_bytes(gzip.compress(frame.write_csv().encode()))


def write_npz(frame, path):
    np.savez(path, **{name: frame[name].to_numpy() for name in frame.columns if frame[name].dtype != pl.String})


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


def of_program(path, *options):
    result = CliRunner().invoke(app, ["evaluate", str(path), "--json", *options])
    assert not result.exit_code, result.output
    rows = json.loads(result.stdout)["indices"]
    return {row["index"]: row["value"] for row in rows}


def refused(*given, **options):
    with pytest.raises(InputError) as error:
        cv.evaluate(*given, **options)
    return str(error.value)


def test_the_library_reads_whatever_the_program_reads(path):
    scores = cv.evaluate(path, "cluster")
    whole = cv.evaluate(X, LABELS)
    assert dict(scores) == pytest.approx(dict(whole), rel=1e-13)
    assert dict(scores) == pytest.approx(of_program(path, "-l", "cluster"), rel=1e-13)


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_file_without_blocks_has_the_values_of_memory_bit_for_bit(tmp_path, name):
    WRITERS[name](FRAME, tmp_path / name)
    assert dict(cv.evaluate(tmp_path / name, "cluster", "fast")) == dict(cv.evaluate(X, LABELS, "fast"))


def test_features_and_weights_are_columns_of_a_file(path):
    scores = cv.evaluate(path, "cluster", ["ch", "dunn"], features=["x", "y"], sample_weight="z" if False else None)
    assert dict(scores) == pytest.approx(dict(cv.evaluate(X[:, :2], LABELS, ["ch", "dunn"])), rel=1e-13)
