"""Tables of numbers and categories that are read in blocks have the distances of the same table in memory."""

from __future__ import annotations

import datetime as dt
import json
import warnings

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from pytest import approx

import clustval as cv
from clustval.errors import InputError
from clustval.readers import mixed_rows
from clustval.sources.stream import Stream

N, CUT = 240, 90
RNG = np.random.default_rng(6)
CODES = RNG.integers(0, 3, N)
LABELS = np.array(["a", "b", "c"])[CODES]
NAMES = ["silhouette", "dunn", "c_index", "gamma", "calinski_harabasz"]


def table(*, gaps=False):
    """Return customers in three clusters, as a table of Arrow."""
    start = dt.date(2024, 1, 1)
    columns = {
        "age": (20 + 15 * CODES + RNG.integers(0, 12, N)).tolist(),
        "spend": (100.0 * CODES + RNG.normal(0, 30, N)).tolist(),
        "plan": [["free", "plus", "pro"][c] if RNG.random() < 0.8 else "trial" for c in CODES],
        "member": [bool(c) for c in RNG.integers(0, 2, N)],
        "since": [start + dt.timedelta(days=int(d)) for d in RNG.integers(0, 900, N)],
        "cluster": LABELS.tolist(),
    }
    if gaps:
        for name in ("age", "spend", "plan", "since"):
            columns[name] = [None if RNG.random() < 0.1 else value for value in columns[name]]
    return pa.table(columns)


@pytest.fixture(autouse=True)
def _small_blocks(set_limits):
    set_limits(rows_per_block=37, rows_per_file_piece=80)


def written(tmp_path, whole):
    """Write a table as two files, and return their paths."""
    paths = [str(tmp_path / f"{at}.parquet") for at in range(2)]
    for path, part in zip(paths, (whole.slice(0, CUT), whole.slice(CUT)), strict=True):
        parquet.write_table(part, path, row_group_size=50)
    return paths


def in_memory(whole, indices=NAMES, **options):
    return cv.evaluate(pl.from_arrow(whole), "cluster", indices, metric="gower", **options)


@pytest.mark.parametrize("gaps", [False, True])
def test_several_files_have_the_values_of_one_table_in_memory(gaps, tmp_path):
    whole = table(gaps=gaps)
    scores = cv.evaluate(written(tmp_path, whole), "cluster", NAMES, metric="gower")
    expected = in_memory(whole)
    assert isinstance(scores._source, Stream)
    assert dict(scores) == approx(dict(expected), rel=1e-12, nan_ok=True)
    assert scores.reasons == expected.reasons
    assert "compares categories, which have none" in scores.reasons["calinski_harabasz"]


@pytest.mark.parametrize("gaps", [False, True])
def test_blocks_are_the_numbers_of_the_table_in_memory_to_the_bit(gaps, tmp_path):
    whole = table(gaps=gaps)
    scores = cv.evaluate(written(tmp_path, whole), "cluster", "silhouette", metric="gower")
    blocks = [rows.X for piece in scores._source.table.pieces for rows in piece.blocks()]
    assert len(blocks) > 4
    image = cv.mixed(pl.from_arrow(whole.drop(["cluster"]))).image
    assert np.concatenate(blocks).tolist() == image.tolist()


def test_estimates_of_blocks_are_those_of_the_table_in_memory(tmp_path, set_limits):
    set_limits(exact_points=0)
    for gaps in (False, True):
        whole = table(gaps=gaps)
        scores = cv.evaluate(written(tmp_path, whole), "cluster", "silhouette", metric="gower", approximate=0.1)
        expected = in_memory(whole, "silhouette", approximate=0.1)
        assert scores["silhouette"] == approx(expected["silhouette"], rel=1e-12)
        assert scores.error("silhouette") == approx(expected.error("silhouette"), rel=1e-9)


def test_one_file_that_does_not_fit_is_read_in_blocks(tmp_path, set_limits):
    path = str(tmp_path / "all.parquet")
    whole = table(gaps=True)
    parquet.write_table(whole, path, row_group_size=50)
    once = cv.evaluate(path, "cluster", NAMES, metric="gower")
    assert not isinstance(once._source, Stream)
    set_limits(copies=10**6, room=10**6)
    scores = cv.evaluate(path, "cluster", NAMES, metric="gower", approximate=0.1)
    assert isinstance(scores._source, Stream)
    left_out = cv.explain(path, "cluster", NAMES, metric="gower").left_out
    assert left_out["dunn"].startswith("dunn needs all points at once")
    assert set(left_out) == set(NAMES)


def test_whole_numbers_beyond_float64_keep_their_differences(tmp_path):
    rows = pa.table({"at": [2**62 + i for i in range(40)], "kind": ["a", "b"] * 20, "cluster": ["x", "y"] * 20})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        paths = written(tmp_path, pa.concat_tables([rows, rows, rows]))
        scores = cv.evaluate(paths, "cluster", "silhouette", metric="gower", features=["at", "kind"])
    expected = in_memory(pa.concat_tables([rows, rows, rows]), "silhouette", features=["at", "kind"])
    assert scores["silhouette"] == approx(expected["silhouette"], rel=1e-12)


def test_columns_that_name_the_rows_are_left_out(tmp_path):
    whole = table()
    named = whole.append_column("code", pa.array([f"k{i}" for i in range(N)]))
    with pytest.warns(UserWarning, match="Column 'code' names the rows"):
        scores = cv.evaluate(written(tmp_path, named), "cluster", "silhouette", metric="gower")
    assert scores["silhouette"] == approx(in_memory(whole, "silhouette")["silhouette"], rel=1e-12)


def test_the_program_reads_mixed_tables_by_a_pattern(tmp_path, program):
    whole = table(gaps=True)
    written(tmp_path, whole)
    given = ["--labels", "cluster", "--indices", "silhouette", "--metric", "gower"]
    run = program("evaluate", str(tmp_path / "*.parquet"), *given, "--json")
    assert run.code == 0, run.err
    value = json.loads(run.out)["indices"][0]["value"]
    assert value == approx(in_memory(whole, "silhouette")["silhouette"], rel=1e-12)


def test_a_report_is_written_of_them(tmp_path):
    scores = cv.evaluate(written(tmp_path, table(gaps=True)), "cluster", ["silhouette", "dunn"], metric="gower")
    scores.to_html(tmp_path / "page.html")
    assert "silhouette" in (tmp_path / "page.html").read_text()
    assert len(scores.per_point("silhouette")) == N


# --- what is wrong ---------------------------------------------------------------------------------------


def refused(X, **options):
    with pytest.raises(InputError) as caught:
        cv.evaluate(X, "cluster", "silhouette", metric="gower", **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_rows_of_two_files_without_a_column_in_common_are_named(tmp_path):
    columns = {"x": [1.0] * N, "y": [2.0] * N, "cluster": LABELS.tolist()}
    columns["x"][7] = None
    columns["y"][200] = None
    paths = written(tmp_path, pa.table(columns))
    assert refused(paths).startswith("Row 7 of X and row 200 of X have no column in common")
    columns["x"][120] = columns["y"][120] = None
    assert refused(written(tmp_path, pa.table(columns))) == (
        "Row 120 of X has no values, and so no distances; leave it out."
    )


def test_what_cannot_be_compared_in_blocks_is_named(tmp_path):
    whole = table()
    dated = whole.append_column("day", pa.array(["2024-01-01"] * N))
    assert "holds dates as text, such as '2024-01-01'" in refused(written(tmp_path, dated))
    listed = whole.append_column("tags", pa.array([["a"]] * N))
    assert "Column 'tags' of" in refused(written(tmp_path, listed))
    infinite = whole.append_column("z", pa.array([1.0] * 150 + [np.inf] + [2.0] * 89))
    paths = written(tmp_path, infinite)
    assert refused(paths) == f"Column 'z' of {paths[1]} must be finite; row 60 is inf."
    empty = whole.append_column("none", pa.array([None] * N, pa.string()))
    assert refused(written(tmp_path, empty)) == "Column 'none' has no values; leave it out."


def test_files_of_other_columns_or_kinds_are_named(tmp_path):
    whole = table()
    paths = written(tmp_path, whole)
    parquet.write_table(whole.drop(["plan"]), paths[1])
    assert refused(paths) == f"{paths[1]} has no column 'plan', which {paths[0]} has."
    np.save(tmp_path / "x.npy", np.ones((4, 2)))
    several = [str(tmp_path / "x.npy")] * 2
    assert refused(several) == (
        f"Tables of numbers and categories are read in blocks from Parquet and Arrow; {several[0]} is NPY."
    )


def test_a_column_that_changes_its_type_from_file_to_file_is_named(tmp_path):
    whole = table()
    paths = written(tmp_path, whole)
    part = whole.slice(CUT)
    at = part.column_names.index("age")
    parquet.write_table(part.set_column(at, "age", pa.array([str(v) for v in part["age"].to_pylist()])), paths[1])
    assert refused(paths).startswith(f"Column 'age' of {paths[1]} holds String, and that of {paths[0]} holds Int64")


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=12))
def test_the_first_two_rows_of_each_pattern_of_gaps_are_known(rows):
    known = np.array(rows)
    expected = {pattern: [7 + at for at, row in enumerate(rows) if row == pattern][:2] for pattern in set(rows)}
    patterns = mixed_rows._patterns(np.packbits(known, axis=1), 7)
    assert {key: list(value) for key, value in patterns.items()} == {
        np.packbits(pattern).tobytes(): numbers for pattern, numbers in expected.items()
    }
