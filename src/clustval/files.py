"""Tables in files: CSV and TSV, Parquet, Arrow and Feather, NPY and NPZ, also from standard input.

What a file is, its first bytes tell, not its name: a pipe has no name, and names are wrong. Text is told apart by
its header: comma, semicolon, tab or bar, with a decimal comma where a semicolon separates.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import io
import re
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clustval.errors import InputError, optional

if TYPE_CHECKING:
    import polars as pl

STDIN = "-"
GZIP = b"\x1f\x8b"
SEPARATORS = (",", "\t", ";", "|")
MISSING = ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None"]
ROWS_THAT_SHOW_TYPES = 10_000
CONTROL = rb"[\x00-\x08\x0e-\x1f]"  # no text has these
KNOWN = "CSV, TSV, Parquet, Arrow or Feather, NPY, NPZ"

Reader = Callable[[Path | bytes, str], "pl.DataFrame"]


def display_name(path: str) -> str:
    """Return what a message calls the file."""
    return "Standard input" if path == STDIN else path


def read(path: str, *, encoding: str = "utf-8", header: bool = True) -> pl.DataFrame:
    """Return the table in a file, or on standard input for "-"; columns without names are called 0, 1, ..."""
    source, head = _opened(path)
    if not head:
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    for magic, reader in READERS.items():
        if head.startswith(magic):
            frame = reader(source, path)
            break
    else:
        frame = _read_text(_bytes(source), path, encoding=encoding, header=header)
    if not len(frame):
        msg = f"{display_name(path)} has column names but no rows."
        raise InputError(msg)
    return frame


def _opened(path: str) -> tuple[Path | bytes, bytes]:
    """Return the path of a file, or all its bytes if it is zipped or standard input, and its first bytes."""
    if path == STDIN:
        data = sys.stdin.buffer.read()
        return data, data[:8]
    try:
        with Path(path).open("rb") as file:
            head = file.read(8)
        if head.startswith(GZIP):
            data = gzip.decompress(Path(path).read_bytes())
            return data, data[:8]
        return Path(path), head
    except (gzip.BadGzipFile, EOFError):
        msg = f"{path} is damaged: it does not unzip."
    except FileNotFoundError:
        msg = f"There is no file {path}."
    except IsADirectoryError:
        msg = f"{path} is a folder, not a file."
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}."
    raise InputError(msg)


def _bytes(source: Path | bytes) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()


def _stream(source: Path | bytes) -> Path | io.BytesIO:
    return io.BytesIO(source) if isinstance(source, bytes) else source


# Binary formats


def _read_by(function: str) -> Reader:
    """Return a reader that leaves the work to a function of polars."""

    def reader(source: Path | bytes, path: str) -> pl.DataFrame:
        polars = optional("polars", "cli")
        try:
            return getattr(polars, function)(_stream(source))  # type: ignore[no-any-return]
        except (polars.exceptions.PolarsError, OSError) as error:
            reason = str(error).partition("\n")[0]
            msg = f"{display_name(path)} is damaged: {reason}"
            raise InputError(msg) from None

    return reader


def _read_npy(source: Path | bytes, path: str) -> pl.DataFrame:
    import numpy as np  # noqa: PLC0415

    return _frame({"": _load(np.load, source, path)}, path)


def _read_npz(source: Path | bytes, path: str) -> pl.DataFrame:
    import numpy as np  # noqa: PLC0415

    def load(stream: Any, **options: Any) -> dict[str, Any]:
        with np.load(stream, **options) as archive:
            return {name: archive[name] for name in archive.files}

    with contextlib.suppress(zipfile.BadZipFile), zipfile.ZipFile(_stream(source)) as archive:
        if not all(name.endswith(".npy") for name in archive.namelist()):
            what = "an Excel workbook" if "[Content_Types].xml" in archive.namelist() else "a zip archive"
            msg = f"{display_name(path)} is {what}; save the table as {KNOWN}."
            raise InputError(msg)
    return _frame(_load(load, source, path), path)


def _load(load: Callable[..., Any], source: Path | bytes, path: str) -> Any:
    try:
        with source.open("rb") if isinstance(source, Path) else io.BytesIO(source) as stream:
            return load(stream, allow_pickle=False)
    except (ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
        reason = "it holds Python objects, not numbers or text" if "allow_pickle" in str(error) else "it is damaged"
        msg = f"{display_name(path)} cannot be read: {reason}."
        raise InputError(msg) from None


def _frame(arrays: dict[str, Any], path: str) -> pl.DataFrame:
    """Return arrays as columns: a matrix X as X0, X1, ..., a row of values under its own name."""
    columns: dict[str, Any] = {}
    for name, array in arrays.items():
        if array.dtype.names:
            columns |= {field: array[field] for field in array.dtype.names}
        elif array.ndim == 2:
            columns |= {f"{name}{j}": array[:, j] for j in range(array.shape[1])}
        elif array.ndim == 1:
            columns[name or "0"] = array
        else:
            msg = f"{display_name(path)} has an array of {array.ndim} dimensions; one or two are a table."
            raise InputError(msg)
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        sizes = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        msg = f"The arrays in {display_name(path)} differ in length: {sizes}."
        raise InputError(msg)
    return optional("polars", "cli").DataFrame(columns)  # type: ignore[no-any-return]


def _refuse_feather(_source: Path | bytes, path: str) -> pl.DataFrame:
    msg = f"{display_name(path)} is Feather of version 1; write it again as version 2 or Parquet."
    raise InputError(msg)


READERS: dict[bytes, Reader] = {
    b"PAR1": _read_by("read_parquet"),
    b"ARROW1": _read_by("read_ipc"),
    b"\xff\xff\xff\xff": _read_by("read_ipc_stream"),
    b"\x93NUMPY": _read_npy,
    b"PK\x03\x04": _read_npz,
    b"FEA1": _refuse_feather,
}


# Text


def _read_text(data: bytes, path: str, *, encoding: str, header: bool) -> pl.DataFrame:
    polars = optional("polars", "cli")
    data = _utf8(data, path, encoding)
    if not data.strip():
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    if re.search(CONTROL, data[:4096]):
        msg = f"{display_name(path)} is not a table; known are {KNOWN}."
        raise InputError(msg)
    first, _, rest = data.partition(b"\n")
    _check_utf8(first, path)  # the reader of tables checks all but the names of columns
    separator = max(SEPARATORS, key=re.sub(rb'"[^"]*"', b"", first).decode().count)
    if header:
        _check_header(first, separator, path)
    options = {
        "separator": separator,
        "has_header": header,
        "null_values": MISSING,
        "decimal_comma": separator == ";" and bool(re.search(rb"\d,\d", rest.partition(b"\n")[0])),
    }
    try:
        try:
            frame = polars.read_csv(data, infer_schema_length=ROWS_THAT_SHOW_TYPES, **options)
        except polars.exceptions.ComputeError:  # a later row may be of another type than the first ones
            frame = polars.read_csv(data, infer_schema_length=None, **options)
    except polars.exceptions.NoDataError:
        msg = f"{display_name(path)} has column names but no rows."
        raise InputError(msg) from None
    except polars.exceptions.PolarsError as error:
        raise _reason(data, path, separator, error) from None
    if not header:
        frame = frame.rename({name: str(j) for j, name in enumerate(frame.columns)})
    return frame  # type: ignore[no-any-return]


def _utf8(data: bytes, path: str, encoding: str) -> bytes:
    """Return the text in UTF-8 without a byte order mark, whatever it came in."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    if encoding.lower().replace("_", "-") in {"utf-8", "utf8"}:
        return data.removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode(encoding).encode().removeprefix(b"\xef\xbb\xbf")
    except LookupError:
        msg = f"No encoding is called {encoding!r}; common ones are utf-8, latin-1, cp1252 and utf-16."
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        msg = f"{display_name(path)} is not {encoding} text: byte 0x{data[error.start]:02x} in line {line}."
    raise InputError(msg)


def _check_header(first: bytes, separator: str, path: str) -> None:
    cells = [cell.strip(' "\r') for cell in first.decode().split(separator)]
    if len(cells) > 1 and cells == [str(j) for j in range(len(cells))]:
        return  # the names that data frames give to columns without names
    try:
        _ = [float(cell) for cell in cells]
    except ValueError:
        return
    msg = (
        f"The first line of {display_name(path)} holds numbers, not column names; "
        "add names, or use --no-header to call the columns 0, 1, ..."
    )
    raise InputError(msg)


def _check_utf8(data: bytes, path: str) -> str:
    """Return the text, or raise an error that names the first line which is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as broken:
        line = data.count(b"\n", 0, broken.start) + 1
        msg = (
            f"{display_name(path)} is not UTF-8 text: byte 0x{data[broken.start]:02x} in line {line}. "
            "Save it as UTF-8, or name its encoding, as --encoding latin-1 does."
        )
        raise InputError(msg) from None


def _reason(data: bytes, path: str, separator: str, error: Exception) -> Exception:
    """Return an error that names the line which is at fault."""
    text = _check_utf8(data, path)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    with contextlib.suppress(csv.Error, StopIteration):
        width = len(next(rows))
        for row in rows:
            if len(row) > width:
                msg = f"Line {rows.line_num} of {display_name(path)} has {len(row)} fields; the first has {width}."
                return InputError(msg)
    return InputError(f"{display_name(path)} cannot be read as a table: {str(error).partition(chr(10))[0]}")
