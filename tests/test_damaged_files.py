"""Damaged files, and files that claim what they do not hold: one line on standard error, exit code 2, no traceback."""

from __future__ import annotations

import contextlib
import gzip
import io
import struct
import subprocess
import sys
import warnings
import zipfile
import zlib
from pathlib import Path

import fuzz_files
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import clustval as cv
from clustval import cli, files
from clustval.errors import InputError

# --- damage by name --------------------------------------------------------------------------------------


def npy(array) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def npy_claiming(shape: str, content: bytes = b"") -> bytes:
    """Return a file of NumPy whose header claims a shape."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + content


def npz(members: list[tuple[str, bytes]]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        for name, content in members:
            archive.writestr(name, content)
    return stream.getvalue()


def encrypted() -> bytes:
    """Return an archive that says that it is encrypted, in both places where it says so."""
    data = bytearray(npz([("X.npy", npy(np.eye(3)))]))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def broken_gzip() -> bytes:
    data = gzip.compress(b"x,y\n" + b"1.5,2\n" * 50)
    for at in range(12, len(data) - 8):
        broken = data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :]
        try:
            gzip.decompress(broken)
        except zlib.error:
            return broken
        except (gzip.BadGzipFile, EOFError):
            pass
    raise AssertionError


TIB22 = "(1000000, 3000000)"
DAMAGED = {
    "gzip whose stream is broken": (broken_gzip(), "{} is damaged: it does not unzip."),
    "npy that claims 22 TiB": (
        npy_claiming(TIB22, bytes(800)),
        "{} is damaged: it claims 24,000,000,000,000 bytes of numbers and has 800.",
    ),
    "npz that claims 22 TiB": (
        npz([("X.npy", npy_claiming(TIB22, bytes(800)))]),
        "{} is damaged: it claims 24,000,000,000,000 bytes of numbers and has 800.",
    ),
    "npy that lacks one number": (
        npy(np.eye(3))[:-8],
        "{} is damaged: it claims 72 bytes of numbers and has 64.",
    ),
    "npy with half a header": (npy_claiming("(3, 3")[:128], "{} is damaged: "),
    "npy with zeros in its header": (npy_claiming("(3,\0 3)"), "{} is damaged: "),
    "npy of letters that do not exist": (
        npy(np.array([1, 0xD800], dtype=np.uint32).view("U1")),
        "{} is damaged: column '0' holds letters that do not exist.",
    ),
    "npy of no letters": (
        npy(np.array([1, 2**31], dtype=np.uint32).view("U1")),
        "{} is damaged: column '0' holds letters that do not exist.",
    ),
    "npy of complex numbers": (
        npy(np.eye(2) * 1j),
        "Column '0' of {} is of type complex128; numbers, text and dates are a table.",
    ),
    "npy of records in records": (
        npy(np.zeros(3, dtype=[("a", "f8"), ("b", [("c", "i4")])])),
        "Column 'b' of {} is of type [('c', '<i4')]; numbers, text and dates are a table.",
    ),
    "npy of arrays in records": (
        npy(np.zeros(3, dtype=[("a", "f8"), ("b", "f8", (2,))])),
        "Column 'b' of {} is of type float64; numbers, text and dates are a table.",
    ),
    "encrypted npz": (encrypted(), "{} is encrypted; save it without a password."),
    "npz with two columns of one name": (
        npz([("X.npy", npy(np.eye(3))), ("X0.npy", npy(np.arange(3)))]),
        "{} has two columns 'X0', one of them of the array 'X0'; rename it.",
    ),
    "npz with two arrays of one name": (
        npz([("a.npy", npy(np.arange(3))), ("a.npy", npy(np.arange(3)))]),
        "{} has two columns 'a', one of them of the array 'a'; rename it.",
    ),
    "npz without arrays": (
        npz([]),
        (
            "{} is not a table; known are CSV, TSV, JSON lines, Parquet, Arrow or Feather, NPY, NPZ, Excel, "
            "safetensors, .h5ad, .h5mu, .zarr."
        ),
    ),
    "Parquet without columns": (
        fuzz_files.written(lambda file: pq.write_table(pa.table({"a": [1, 2, 3]}).select([]), file)),
        "{} has no columns.",
    ),
}


@pytest.mark.parametrize("damage", DAMAGED)
@pytest.mark.parametrize("way", ["file", "standard input"])
def test_damage_is_named_in_one_line(damage, way, tmp_path, standard_input, capfd):
    content, message = DAMAGED[damage]
    path = str(tmp_path / "table")
    Path(path).write_bytes(content)
    if way == "standard input":
        standard_input(content)
        path = "-"
    assert cli.run(["evaluate", path, "--labels", "y"]) == 2
    printed, reason = capfd.readouterr()
    assert not printed
    assert reason.count("\n") == 1
    assert reason.startswith(f"clustval: {message.format(files.display_name(path))}")


def test_a_panic_of_polars_is_a_damaged_file_and_prints_nothing(tmp_path, monkeypatch, capfd):
    class PanicException(BaseException):  # what polars raises is no Exception either
        pass

    def panic(_source):
        import os

        os.write(2, b"thread 'main' panicked at src/lib.rs\n")
        msg = "index out of bounds\nand more"
        raise PanicException(msg)

    monkeypatch.setattr(pl, "read_parquet", panic)
    (tmp_path / "table").write_bytes(b"PAR1 and so on")
    with pytest.raises(InputError, match=r"table is damaged: index out of bounds\.$"):
        files.read(str(tmp_path / "table"))
    assert capfd.readouterr().err == ""


def test_an_interrupt_is_no_damage(tmp_path, monkeypatch):
    def interrupted(_source):
        raise KeyboardInterrupt

    monkeypatch.setattr(pl, "read_parquet", interrupted)
    (tmp_path / "table").write_bytes(b"PAR1 and so on")
    with pytest.raises(KeyboardInterrupt):
        files.read(str(tmp_path / "table"))


def test_too_little_memory_is_one_line(tmp_path, monkeypatch, capfd):
    def too_much(*_arguments, **_options):
        raise MemoryError

    (tmp_path / "table").write_bytes(fuzz_files.FILES["parquet"][0])
    with monkeypatch.context() as patch:
        patch.setattr(pl, "read_parquet", too_much)
        assert cli.run(["evaluate", str(tmp_path / "table"), "--labels", "y"]) == 2
        assert "does not fit into memory" in capfd.readouterr().err
    monkeypatch.setattr("clustval.evaluate", too_much)
    assert cli.run(["evaluate", str(tmp_path / "table"), "--labels", "y"]) == 2
    lines = [line for line in capfd.readouterr().err.splitlines() if not line.startswith("Warning: Column ")]
    assert lines == ["clustval: The memory does not suffice."]


@pytest.mark.parametrize("encoding", ["idna", "utf-7", "unicode_escape", "punycode", "rot13"])
def test_an_encoding_that_does_not_fit_is_one_line(encoding, tmp_path):
    (tmp_path / "table").write_bytes(b"x,y\n\\ud800,\xff\xff+2AA-\n")
    with pytest.raises(InputError, match=r"encoding|text"):
        files.read(str(tmp_path / "table"), encoding=encoding)


def test_long_cells_and_names_do_not_fill_the_screen(tmp_path, capfd):
    numbers = "".join(f"{i},{i % 2}\n" for i in range(20))
    (tmp_path / "table").write_text(f"x,y\n{numbers}{'word' * 1000},1\n")
    assert cli.run(["evaluate", str(tmp_path / "table"), "--labels", "y"]) == 2
    reason = capfd.readouterr().err
    assert "mixes numbers and text" in reason
    assert len(reason) < 700


def test_numbers_that_cannot_be_standardized_are_refused(tmp_path, capfd):
    (tmp_path / "table").write_text("x,y\n1e200,a\n2e200,a\n-1e200,b\n3,b\n")
    assert cli.run(["evaluate", str(tmp_path / "table"), "--labels", "y", "--standardize"]) == 2
    assert capfd.readouterr().err == "clustval: X reaches 2e+200, whose square overflows; rescale it to below 1e+150.\n"


# --- unusual, but a table --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("array", "values"),
    [
        (np.array([1.5, 2], dtype=np.longdouble), [1.5, 2.0]),
        (np.array([1.5, 2], dtype=np.float16), [1.5, 2.0]),
        (np.array([1.5, 2], dtype=">f8"), [1.5, 2.0]),
        (np.array(["2020", "2021"], dtype="M8[Y]"), [2020, 2021]),
        (np.array(["a", "zoë"], dtype=">U3"), ["a", "zoë"]),
    ],
)
def test_arrays_of_unusual_types_are_columns(array, values, tmp_path):
    np.save(tmp_path / "table.npy", array)
    column = files.read(str(tmp_path / "table.npy"))["0"]
    assert (column.dt.year() if column.dtype.is_temporal() else column).to_list() == values


@pytest.mark.filterwarnings("ignore:Column:UserWarning")
def test_good_files_of_every_kind_are_evaluated(tmp_path):
    for kind, (content, label) in fuzz_files.FILES.items():
        (tmp_path / "table").write_bytes(content)
        outcome = fuzz_files.Outcome(["evaluate", str(tmp_path / "table"), "--labels", label, *fuzz_files.FEW])
        assert (outcome.code, outcome.fault) == (0, ""), kind
        assert cv.evaluate(tmp_path / "table", label, "silhouette")["silhouette"] > 0, kind


# --- damage by chance ------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.large) for first in range(25, 300, 25))])
def test_damaged_files_are_answered_or_refused_in_one_line(first, tmp_path):
    faults = {seed: fault for seed in range(first, first + 25) if (fault := fuzz_files.tried(seed, tmp_path))}
    assert not faults, "\n".join(faults.values())


@pytest.mark.filterwarnings("ignore:Column:UserWarning")
@pytest.mark.parametrize("first", [100, *(pytest.param(first, marks=pytest.mark.large) for first in range(0, 100, 50))])
def test_the_library_answers_or_refuses_damaged_files(first, tmp_path):
    for seed in range(first, first + 50):  # 103 names places in an Arrow file that end the process if they are read
        kind, content = fuzz_files.mutant(seed)
        (tmp_path / "table").write_bytes(content)
        with contextlib.suppress(InputError), np.errstate(all="ignore"):
            cv.evaluate(tmp_path / "table", fuzz_files.FILES[kind][1], ["silhouette", "ch"], n_jobs=1)


@pytest.mark.parametrize("write", [pl.DataFrame.write_ipc, pl.DataFrame.write_ipc_stream])
def test_a_column_that_claims_more_bytes_than_there_is_memory_does_not_end_the_process(write, tmp_path):
    stream = io.BytesIO()
    write(pl.DataFrame({"x": np.arange(5000) % 7, "y": np.arange(5000) % 3}), stream, compression="zstd")
    data = stream.getvalue()
    first = data.index(b"\x28\xb5\x2f\xfd")  # packed numbers follow how many bytes they are unpacked
    path = tmp_path / "claims.arrow"
    path.write_bytes(data[: first - 8] + (2**56).to_bytes(8, "little") + data[first:])
    program = "import sys; from clustval import cli; sys.exit(cli.run(sys.argv[1:]))"
    command = [sys.executable, "-c", program, "evaluate", str(path), "--labels", "y"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done
    assert done.stderr.count("\n") == 1
    assert "claims.arrow" in done.stderr
