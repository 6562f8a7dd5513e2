"""Embeddings in files are read in blocks, one file or several, with the values of the same array in memory."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
import zarr
from pyarrow import parquet
from pytest import approx

import clustval as cv
from clustval import cli
from clustval.errors import InputError
from clustval.sources.stream import Stream

N, P = 300, 20
RNG = np.random.default_rng(4)
LABELS = RNG.integers(0, 3, N)
VECTORS = (RNG.normal(size=(N, P)) + 2 * LABELS[:, None]).astype(np.float32)
HALVES = VECTORS.astype(np.float16)
BRAIN = (VECTORS.view(np.uint32) >> 16).astype(np.uint16)  # bfloat16 is the upper half of float32
CUT = 130


@pytest.fixture(autouse=True)
def _small_blocks(set_limits):
    """Let blocks be of a few rows, and no file so small that it is read at once."""
    set_limits(rows_per_block=37, rows_per_piece=100, rows_per_file_piece=100, read_at_once=0)


def tensors(path, named):
    """Write a file of tensors by the definition of its format."""
    header, content = {}, b""
    for name, (kind, array) in named.items():
        low = len(content)
        content += np.ascontiguousarray(array).tobytes()
        header[name] = {"dtype": kind, "shape": list(array.shape), "data_offsets": [low, len(content)]}
    head = json.dumps(header).encode()
    path.write_bytes(len(head).to_bytes(8, "little") + head + content)


def lists(rows, dtype=None):
    return pa.array(VECTORS[rows].tolist(), dtype or pa.list_(pa.float32()))


def write_parquet(path, rows, dtype=None):
    table = pa.table(
        {"text": [f"t{i}" for i in range(N)][rows], "embedding": lists(rows, dtype), "cluster": LABELS[rows]}
    )
    parquet.write_table(table, path, row_group_size=70)


def write_arrow(path, rows):
    table = pa.table({"embedding": lists(rows), "cluster": LABELS[rows]})
    with pa.ipc.new_file(path, table.schema) as file:
        file.write_table(table, max_chunksize=50)


def write_npz(path, rows):
    np.savez(path, embedding=VECTORS[rows], cluster=LABELS[rows])


def write_tensors(path, rows):
    tensors(path, {"embedding": ("F32", VECTORS[rows]), "cluster": ("I64", LABELS[rows])})


WRITERS = {
    "lists.parquet": write_parquet,
    "arrays.parquet": lambda path, rows: write_parquet(path, rows, pa.list_(pa.float32(), P)),
    "large.parquet": lambda path, rows: write_parquet(path, rows, pa.large_list(pa.float32())),
    "lists.arrow": write_arrow,
    "arrays.npz": write_npz,
    "tensors.safetensors": write_tensors,
}
NAMES = ["calinski_harabasz", "davies_bouldin", "sv", "cdbw", "hennig_kd_normal", "silhouette"]
WHOLE = cv.evaluate(VECTORS, LABELS, NAMES)


def assert_same(scores, whole=WHOLE):
    assert isinstance(scores._source, Stream)
    assert dict(scores) == approx(dict(whole), rel=1e-11)


@pytest.mark.parametrize("name", WRITERS)
def test_one_file_is_read_in_blocks(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](path, slice(None))
    assert_same(cv.evaluate(str(path), "cluster", NAMES, features="embedding"))
    assert_same(cv.evaluate(path, LABELS, NAMES, features=["embedding"]))
    np.save(tmp_path / "labels.npy", LABELS)
    assert_same(cv.evaluate(path, tmp_path / "labels.npy", NAMES, features=["embedding"]))


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("how", ["a list", "a pattern", "a folder", "a list of patterns"])
def test_several_files_are_one_table(name, how, tmp_path):
    ending = name.partition(".")[2]
    (tmp_path / "parts").mkdir()
    paths = [tmp_path / f"parts/{at}.{ending}" for at in range(2)]
    for path, rows in zip(paths, (slice(CUT), slice(CUT, None)), strict=True):
        WRITERS[name](path, rows)
    X = {
        "a list": paths,
        "a pattern": str(tmp_path / f"parts/*.{ending}"),
        "a folder": tmp_path / "parts",
        "a list of patterns": [str(tmp_path / "parts/[0]*"), str(tmp_path / "parts/1*")],
    }[how]
    assert_same(cv.evaluate(X, "cluster", NAMES, features="embedding"))
    assert cv.explain(X, "cluster", NAMES, features="embedding").points == N


def test_several_files_follow_each_other_in_the_order_of_the_list(tmp_path):
    for at, rows in enumerate((slice(CUT), slice(CUT, None))):
        np.save(tmp_path / f"{at}.npy", VECTORS[rows])
    paths = [str(tmp_path / "1.npy"), str(tmp_path / "0.npy")]
    assert_same(cv.evaluate(paths, np.append(LABELS[CUT:], LABELS[:CUT]), NAMES))


def test_labellings_of_several_files_are_compared(tmp_path):
    for at, rows in enumerate((slice(CUT), slice(CUT, None))):
        table = pa.table({"truth": LABELS[rows] // 2, "cluster": LABELS[rows]})
        parquet.write_table(table, tmp_path / f"{at}.parquet")
    paths = [str(tmp_path / "0.parquet"), str(tmp_path / "1.parquet")]
    expected = cv.agreement(LABELS // 2, LABELS, "ari")["adjusted_rand"]
    assert cv.agreement("truth", "cluster", "ari", data=paths)["adjusted_rand"] == expected


def test_the_only_lists_and_the_only_array_of_rows_are_the_points(tmp_path):
    parquet.write_table(pa.table({"embedding": lists(slice(None)), "cluster": LABELS}), tmp_path / "p.parquet")
    write_npz(tmp_path / "a.npz", slice(None))
    for name in ("p.parquet", "a.npz"):
        assert_same(cv.evaluate(tmp_path / name, "cluster", NAMES))


def test_lists_stand_beside_columns_of_numbers(tmp_path):
    extra = RNG.normal(size=N)
    table = pa.table({"embedding": lists(slice(None)), "extra": extra, "cluster": LABELS})
    parquet.write_table(table, tmp_path / "p.parquet")
    whole = cv.evaluate(np.column_stack([VECTORS, extra]), LABELS, NAMES)
    assert_same(cv.evaluate(tmp_path / "p.parquet", "cluster", NAMES, features=["embedding", "extra"]), whole)


def test_a_lazy_frame_has_columns_of_lists(tmp_path):
    write_parquet(tmp_path / "p.parquet", slice(None))
    lazy = pl.scan_parquet(tmp_path / "p.parquet")
    assert_same(cv.evaluate(lazy, "cluster", NAMES, features="embedding"))


@pytest.mark.parametrize(("kind", "stored"), [("F16", HALVES), ("BF16", BRAIN)])
def test_numbers_of_16_bits_are_read_as_those_of_32(kind, stored, tmp_path):
    tensors(tmp_path / "x.safetensors", {"embedding": (kind, stored)})
    meant = stored.astype(np.float32) if kind == "F16" else (stored.astype(np.uint32) << 16).view(np.float32)
    scores = cv.evaluate(tmp_path / "x.safetensors", LABELS, NAMES)
    assert_same(scores, cv.evaluate(meant, LABELS, NAMES))
    assert {rows.X.dtype for piece in scores._source.table.pieces for rows in piece.blocks()} == {np.dtype(np.float32)}


def test_an_array_of_16_bits_is_read_as_one_of_32(tmp_path):
    np.save(tmp_path / "x.npy", HALVES)
    assert_same(cv.evaluate(tmp_path / "x.npy", LABELS, NAMES), cv.evaluate(HALVES.astype(np.float32), LABELS, NAMES))


def test_folders_of_zarr_are_one_table(tmp_path):
    zarr = pytest.importorskip("zarr")
    for at, rows in enumerate((slice(CUT), slice(CUT, None))):
        part = VECTORS[rows]
        zarr.create_array(str(tmp_path / f"{at}.zarr"), shape=part.shape, chunks=(50, P), dtype=part.dtype)[:] = part
    assert_same(cv.evaluate([tmp_path / "0.zarr", tmp_path / "1.zarr"], LABELS, NAMES))
    assert_same(cv.evaluate(str(tmp_path / "*.zarr"), LABELS, NAMES))


def test_an_array_in_a_group_of_zarr_has_a_path(tmp_path):
    group = zarr.open_group(tmp_path / "vectors.zarr", mode="w")
    group["embedding"] = VECTORS
    path = tmp_path / "vectors.zarr" / "embedding"
    assert dict(cv.evaluate(path, LABELS, "dunn")) == dict(cv.evaluate(VECTORS, LABELS, "dunn"))
    assert cv.sweep(path, {"a": LABELS}, "dunn") == cv.sweep(VECTORS, {"a": LABELS}, "dunn")
    with pytest.raises(InputError, match=r"vectors\.zarr/embedding\.$"):
        cv.evaluate(tmp_path / "vectors.zarr", LABELS, "dunn")


def test_few_numbers_are_read_at_once(tmp_path, set_limits):
    set_limits(read_at_once=N * P)
    for name, write in WRITERS.items():
        write(tmp_path / name, slice(None))
        scores = cv.evaluate(tmp_path / name, "cluster", NAMES, features="embedding")
        assert not isinstance(scores._source, Stream)
        assert dict(scores) == dict(WHOLE)


def test_a_compressed_archive_is_read_at_once(tmp_path):
    np.savez_compressed(tmp_path / "x.npz", embedding=VECTORS, cluster=LABELS)
    assert dict(cv.evaluate(tmp_path / "x.npz", "cluster", NAMES, features="embedding")) == dict(WHOLE)


@pytest.mark.parametrize("name", WRITERS)
def test_the_program_reads_them_by_a_pattern(name, tmp_path, program):
    ending = name.partition(".")[2]
    for at, rows in enumerate((slice(CUT), slice(CUT, None))):
        WRITERS[name](tmp_path / f"{at}.{ending}", rows)
    run = program("evaluate", str(tmp_path / f"*.{ending}"), "--labels", "cluster", "--indices", "ch", "--json")
    assert run.code == 0, run.err
    assert json.loads(run.out)["indices"][0]["value"] == approx(WHOLE["calinski_harabasz"], rel=1e-11)


# --- what is wrong ---------------------------------------------------------------------------------------


def refused(X, labels="cluster", **options):
    with pytest.raises(InputError) as caught:
        cv.evaluate(X, labels, "ch", **options)
    return str(caught.value)


def test_lists_of_another_length_name_the_row_of_the_file(tmp_path):
    rows = VECTORS.tolist()
    rows[211] = rows[211][:-1]
    paths = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    write_parquet(paths[0], slice(None))
    parquet.write_table(pa.table({"embedding": rows, "cluster": LABELS}), paths[1], row_group_size=70)
    message = "must hold lists of one length; row 0 has 20 numbers and row 211 has 19."
    assert refused(paths, features="embedding") == f"Column 'embedding' of {paths[1]} {message}"
    rows[211] = None
    parquet.write_table(pa.table({"embedding": rows, "cluster": LABELS}), paths[1], row_group_size=70)
    start = f"Column 'embedding' of {paths[1]} is missing in row 211; fill or drop such rows"
    assert refused(paths, features="embedding").startswith(start)


def test_files_of_other_widths_are_named(tmp_path):
    paths = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    for path, width in zip(paths, (20, 7), strict=True):
        table = pa.table({"embedding": pa.array(VECTORS[:, :width].tolist()), "cluster": LABELS})
        parquet.write_table(table, path)
    message = f"Column 'embedding' of {paths[1]} holds lists of 7 numbers, and that of {paths[0]} lists of 20."
    assert refused(paths, features="embedding") == message


def test_names_of_arrays_that_are_not_there_are_refused_with_those_that_are(tmp_path):
    path = tmp_path / "x.npz"
    write_npz(path, slice(None))
    assert refused([path, path], "kluster") == f"{path} has no array 'kluster'. Did you mean 'cluster'?"
    assert refused([path, path], "embedding", features="embedding") == (
        f"The array 'embedding' of {path} must have one entry for each row; it has 2 dimensions."
    )
    np.savez(path, a=VECTORS, b=VECTORS, cluster=LABELS)
    assert refused([path, path]) == (
        f"{path} has 'a' (300 x 20), 'b' (300 x 20), 'cluster' (300): name the one that is the points in features=."
    )


def packed(path, **arrays):
    np.savez_compressed(path, **arrays)


def as_tensors(path, **arrays):
    tensors(path, {name: ("I64" if name == "cluster" else "F32", array) for name, array in arrays.items()})


@pytest.mark.parametrize(("name", "save"), [("x.npz", np.savez), ("x.npz", packed), ("x.safetensors", as_tensors)])
def test_a_small_file_with_two_matrices_is_refused_unless_one_is_named(name, save, tmp_path, capsys):
    path = tmp_path / name
    save(path, a=VECTORS, b=VECTORS[:, ::-1].copy(), cluster=LABELS)
    message = f"{path} has 'a' (300 x 20), 'b' (300 x 20), 'cluster' (300): name the one that is the points in "
    assert refused(path) == message + "features=."
    with pytest.raises(InputError) as error:
        cv.diagnose(str(path), "cluster")
    assert str(error.value) == message + "features=."
    assert cli.run(["evaluate", str(path), "--labels", "cluster"]) == 2
    assert " ".join(capsys.readouterr().err.split()).endswith(message + "--features.")
    assert dict(cv.evaluate(path, "cluster", ["dunn"], features="a")) == dict(cv.evaluate(VECTORS, LABELS, ["dunn"]))
    assert cli.run(["evaluate", str(path), "--labels", "cluster", "--features", "a,b", "--indices", "dunn"]) == 0
    assert "features: a0, a1" in capsys.readouterr().out
    excluded = [option for j in range(20) for option in ("--exclude", f"b{j}")]
    assert cli.run(["evaluate", str(path), "--labels", "cluster", *excluded, "--indices", "dunn"]) == 0


def test_labels_of_another_length_are_refused(tmp_path):
    write_npz(tmp_path / "x.npz", slice(None))
    assert refused(tmp_path / "x.npz", LABELS[1:], features="embedding") == "X has 300 rows but labels has 299 entries."


@pytest.mark.parametrize("name", ["arrays.npz", "tensors.safetensors"])
def test_a_file_that_was_cut_is_refused(name, tmp_path):
    path = tmp_path / name
    WRITERS[name](path, slice(None))
    content = path.read_bytes()
    for size in (5, 60, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        assert "\n" not in refused(path, LABELS, features="embedding")
        assert str(path) in refused([path, path], np.append(LABELS, LABELS), features="embedding")


def test_files_of_other_kinds_are_no_one_table(tmp_path):
    write_parquet(tmp_path / "0.parquet", slice(None))
    write_npz(tmp_path / "1.npz", slice(None))
    message = refused([tmp_path / "0.parquet", tmp_path / "1.npz"], features="embedding")
    assert message.endswith("the files of one table must be alike.")
