"""Tables in files: CSV and TSV, JSON, Parquet, Arrow and Feather, NPY and NPZ, Excel, also from standard input.

What a file is, its first bytes tell, not its name: a pipe has no name, and names are wrong. Text is told apart by
its header: comma, semicolon, tab or bar, with a decimal comma where a semicolon separates, or blanks between numbers.
Files may be packed by gzip, bzip2 or xz, or alone in a zip archive.
"""

from __future__ import annotations

import bz2
import contextlib
import csv
import errno
import gzip
import io
import lzma
import math
import os
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from clustval.errors import ClustvalError, InputError, optional

if TYPE_CHECKING:
    import polars as pl

STDIN = "-"
PACKED: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
}
SEPARATORS = (",", "\t", ";", "|")
MISSING = ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None"]
ROWS_THAT_SHOW_TYPES = 10_000
ZIPPED = b"PK\x03\x04"
EXCEL = "[Content_Types].xml"  # what a workbook has inside
CONTROL = rb"[\x00-\x08\x0e-\x1f]"  # no text has these
LONGEST_REASON = 200  # letters
ENCRYPTED = 0x1  # the bit of a zipped file that says so
KNOWN = "CSV, TSV, JSON lines, Parquet, Arrow or Feather, NPY, NPZ, Excel"
FEWEST_NUMBERS = 2  # in each line of a table whose columns are blanks apart
LOOKED_AT = 20  # lines from which such a table is told

Reader = Callable[[Path | bytes, str], "pl.DataFrame"]


def display_name(path: str) -> str:
    """Return what a message calls the file."""
    return "Standard input" if path == STDIN else path


def read(path: str, *, encoding: str = "utf-8", header: bool = True) -> pl.DataFrame:
    """Return the table in a file, or on standard input for "-"; columns without names are called 0, 1, ..."""
    source, head = _opened(path)
    frame = _table(source, head, path, encoding=encoding, header=header)
    if not frame.width:
        msg = f"{display_name(path)} has no columns."
        raise InputError(msg)
    if not len(frame):
        msg = f"{display_name(path)} has column names but no rows."
        raise InputError(msg)
    return frame


def _table(source: Path | bytes, head: bytes, path: str, *, encoding: str, header: bool) -> pl.DataFrame:
    """Return the table that a file holds, as its first bytes tell."""
    if not head:
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    if head.startswith(ZIPPED):
        alone = _only_member(source, path)
        if alone is not None:
            return _table(alone, _head(alone), path, encoding=encoding, header=header)
    for magic, reader in READERS.items():
        if head.startswith(magic):
            return reader(source, path)
    return _read_text(_bytes(source), path, encoding=encoding, header=header)


def _opened(path: str) -> tuple[Path | bytes, bytes]:
    """Return the path of a file, or all its bytes if it is zipped or standard input, and its first bytes."""
    source: Path | bytes = sys.stdin.buffer.read() if path == STDIN else Path(path)
    try:
        head = _head(source)
        for magic, unpack in PACKED.items():
            if head.startswith(magic):
                source = unpack(_bytes(source))
                return source, _head(source)
        return source, head  # noqa: TRY300
    except (gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError, ValueError):
        msg = f"{display_name(path)} is damaged: it does not unzip."
    except MemoryError:
        msg = f"{display_name(path)} unzips to more than fits into memory."
    except FileNotFoundError:
        msg = f"There is no file {path}."
    except IsADirectoryError:
        msg = f"{path} is a folder, not a file."
    except OSError as error:
        damaged = error.errno is None  # bzip2 says so of its data
        msg = f"{path} is damaged: it does not unzip." if damaged else f"{path} cannot be read: {error.strerror}."
    raise InputError(msg)


def _head(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        return source[:8]
    with source.open("rb") as file:
        return file.read(8)


def _bytes(source: Path | bytes) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()


def _stream(source: Path | bytes) -> Path | io.BytesIO:
    return io.BytesIO(source) if isinstance(source, bytes) else source


# Libraries that read: a file can be damaged in more ways than they have errors for


@contextlib.contextmanager
def blamed(path: str) -> Iterator[None]:
    """Say of whatever goes wrong inside that the file is damaged, and why, unless it was said before."""
    try:
        yield
    except ClustvalError:
        raise
    except MemoryError:
        msg = f"{display_name(path)} does not fit into memory, or claims so and is damaged."
        raise InputError(msg) from None
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":  # what Rust dies of
            raise
        if isinstance(error, OSError) and error.errno == errno.ENOSPC:  # where something unpacks it
            msg = f"{display_name(path)} cannot be read: {error.strerror}."
            raise InputError(msg) from None
        reason = (str(error) or type(error).__name__).strip().partition("\n")[0][:LONGEST_REASON].rstrip(".")
        msg = f"{display_name(path)} is damaged: {reason}."
        raise InputError(msg) from None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Send what libraries of other languages write on standard error nowhere: a panic writes before it is raised."""
    try:
        keep = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    sys.stderr.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    try:
        yield
    finally:
        os.dup2(keep, 2)
        os.close(nowhere)
        os.close(keep)


# Binary formats


def _read_by(function: str) -> Reader:
    """Return a reader that leaves the work to a function of polars."""

    def reader(source: Path | bytes, path: str) -> pl.DataFrame:
        polars = optional("polars", "cli")
        with blamed(path), quiet():
            return getattr(polars, function)(_stream(source))  # type: ignore[no-any-return]

    return reader


def _read_arrow(opener: str, function: str) -> Reader:
    """Return a reader of Arrow's files or streams that lets pyarrow, if it is there, look at the sizes they claim.

    Polars ends the whole process where a damaged file asks for more memory than there is.
    """
    read_by_polars = _read_by(function)

    def reader(source: Path | bytes, path: str) -> pl.DataFrame:
        try:
            import pyarrow as pa  # noqa: PLC0415 - many do without
        except ImportError:
            return read_by_polars(source, path)
        with blamed(path), contextlib.suppress(NotImplementedError):  # of types that only polars reads
            stream = pa.BufferReader(source) if isinstance(source, bytes) else pa.memory_map(str(source))
            with stream, getattr(pa.ipc, opener)(stream) as batches:
                batches.read_all()
        return read_by_polars(source, path)

    return reader


def _read_npy(source: Path | bytes, path: str) -> pl.DataFrame:
    with blamed(path), source.open("rb") if isinstance(source, Path) else io.BytesIO(source) as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        return _frame([("", _array(stream, size, path))], path)


def _read_npz(source: Path | bytes, path: str) -> pl.DataFrame:
    with blamed(path), zipfile.ZipFile(_stream(source)) as archive:
        members = archive.infolist()
        if EXCEL in archive.namelist():
            return _read_excel(source, path)
        if not all(member.filename.endswith(".npy") for member in members):
            msg = f"{display_name(path)} is a zip archive of {len(members)} files; unzip it and name one of them."
            raise InputError(msg)
        if any(member.flag_bits & ENCRYPTED for member in members):
            msg = f"{display_name(path)} is encrypted; save it without a password."
            raise InputError(msg)
        arrays = []
        for member in members:
            with archive.open(member) as stream:
                arrays.append((member.filename.removesuffix(".npy"), _array(stream, member.file_size, path)))
    return _frame(arrays, path)


def _only_member(source: Path | bytes, path: str) -> bytes | None:
    """Return what a zip archive of one file holds, unless that is an array of NumPy."""
    with blamed(path), zipfile.ZipFile(_stream(source)) as archive:
        members = [member for member in archive.infolist() if not member.is_dir()]
        if len(members) != 1 or members[0].filename.endswith(".npy") or members[0].filename == EXCEL:
            return None
        if members[0].flag_bits & ENCRYPTED:
            msg = f"{display_name(path)} is encrypted; save it without a password."
            raise InputError(msg)
        return archive.read(members[0])


def _read_excel(source: Path | bytes, path: str) -> pl.DataFrame:
    """Return the first sheet of a workbook."""
    polars = optional("polars", "cli")
    optional("fastexcel", "excel")
    with blamed(path), quiet():
        return polars.read_excel(  # type: ignore[no-any-return]
            io.BytesIO(_bytes(source)), engine="calamine", raise_if_empty=False
        )


def _array(stream: IO[bytes], size: int, path: str) -> Any:
    """Return the array in a file of NumPy that has so many bytes, after a look at how many its header claims."""
    from numpy.lib import format as npy  # noqa: PLC0415

    version = npy.read_magic(stream)
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = read_header(stream)
    if dtype.hasobject:
        msg = f"{display_name(path)} cannot be read: it holds Python objects, not numbers or text."
        raise InputError(msg)
    claim, rest = dtype.itemsize * math.prod(shape), size - stream.tell()
    if claim > rest:
        msg = f"{display_name(path)} is damaged: it claims {claim:,} bytes of numbers and has {rest:,}."
        raise InputError(msg)
    stream.seek(0)
    return npy.read_array(stream, allow_pickle=False)


def _frame(arrays: Iterable[tuple[str, Any]], path: str) -> pl.DataFrame:
    """Return arrays as columns: a matrix X as X0, X1, ..., a row of values under its own name."""
    columns: dict[str, Any] = {}
    for name, array in arrays:
        if array.dtype.names:
            parts = {field: array[field] for field in array.dtype.names}
        elif array.ndim == 2:
            parts = {f"{name}{j}": array[:, j] for j in range(array.shape[1])}
        elif array.ndim == 1:
            parts = {name or "0": array}
        else:
            msg = f"{display_name(path)} has an array of {array.ndim} dimensions; one or two are a table."
            raise InputError(msg)
        twice = next((part for part in parts if part in columns), None)
        if twice is not None:
            msg = f"{display_name(path)} has two columns {twice!r}, one of them of the array {name!r}; rename it."
            raise InputError(msg)
        columns |= {part: _column(column, part, path) for part, column in parts.items()}
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        sizes = ", ".join(f"{name} has {length}" for name, length in lengths.items())
        msg = f"The arrays in {display_name(path)} differ in length: {sizes}."
        raise InputError(msg)
    return optional("polars", "cli").DataFrame(columns)  # type: ignore[no-any-return]


def _column(column: Any, name: str, path: str) -> Any:
    """Return a column of a type that a table can have."""
    import numpy as np  # noqa: PLC0415

    kind = column.dtype.kind
    if column.ndim != 1 or kind not in "biufUSMm":
        msg = f"Column {name!r} of {display_name(path)} is of type {column.dtype}; numbers, text and dates are a table."
        raise InputError(msg)
    column = column.astype(column.dtype.newbyteorder("="), copy=False)  # older polars takes no other
    if kind == "f" and column.dtype.itemsize > 8:
        return column.astype(np.float64)
    if kind in "Mm" and np.datetime_data(column.dtype)[0] not in {"ms", "us", "ns"}:
        return column.astype(f"{kind}8[us]")
    if kind == "U" and column.dtype.itemsize:
        letters = np.ascontiguousarray(column).view(np.uint32)
        if (letters > 0x10FFFF).any() or ((letters >= 0xD800) & (letters < 0xE000)).any():
            msg = f"{display_name(path)} is damaged: column {name!r} holds letters that do not exist."
            raise InputError(msg)
    return column


def _refuse_feather(_source: Path | bytes, path: str) -> pl.DataFrame:
    msg = f"{display_name(path)} is Feather of version 1; write it again as version 2 or Parquet."
    raise InputError(msg)


READERS: dict[bytes, Reader] = {
    b"PAR1": _read_by("read_parquet"),
    b"ARROW1": _read_arrow("open_file", "read_ipc"),
    b"\xff\xff\xff\xff": _read_arrow("open_stream", "read_ipc_stream"),
    b"\x93NUMPY": _read_npy,
    ZIPPED: _read_npz,
    b"\xd0\xcf\x11\xe0": _read_excel,  # workbooks of before 2007
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
    if re.match(rb"\s*(\{|\[\s*\{)", data):
        return _read_json(data, path)
    data = _without_comments(data, header=header)
    if not data.strip():
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    data = _blanks_as_tabs(data)
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
    with blamed(path), quiet():
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


def _read_json(data: bytes, path: str) -> pl.DataFrame:
    """Return a table of objects: one in each line, or all of them in a list."""
    polars = optional("polars", "cli")
    _check_utf8(data, path)
    with blamed(path), quiet():
        if data.lstrip().startswith(b"["):
            return polars.read_json(io.BytesIO(data), infer_schema_length=None)  # type: ignore[no-any-return]
        return polars.read_ndjson(io.BytesIO(data), infer_schema_length=None)  # type: ignore[no-any-return]


def _without_comments(data: bytes, *, header: bool) -> bytes:
    r"""Return the text without the lines on top that begin with #, of which the last may hold the names of columns.

    >>> _without_comments(b"# made today\n# x,y\n1,2\n", header=True)
    b'x,y\n1,2\n'
    """
    comment = b""
    while data.startswith(b"#"):
        comment, _, data = data.partition(b"\n")
    comment, first = comment.lstrip(b"# "), data.partition(b"\n")[0]
    for separator in (*(each.encode() for each in SEPARATORS), None):
        names, cells = comment.split(separator), first.split(separator)
        numbers = any(map(_is_number, cells)) and not any(map(_is_number, names))
        if header and numbers and len(names) == len(cells) > 1:
            return comment + b"\n" + data
    return data


def _is_number(cell: bytes) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _blanks_as_tabs(data: bytes) -> bytes:
    """Return a table whose columns are blanks apart with tabs between them, and any other text as it is.

    Such a table has as many words in each line, several of them numbers, and nothing else that separates.
    """
    lines = data.split(b"\n", LOOKED_AT + 1)[: LOOKED_AT + 1]
    words = [line.split() for line in lines if line.strip()]
    width = len(words[0])
    table = (
        width > 1
        and not re.search(rb'[,;|"]', words[0][0] + b"".join(lines))
        and all(len(row) == width for row in words)
        and all(sum(map(_is_number, row)) >= min(FEWEST_NUMBERS, width) for row in words[1:])
    )
    if not table or (b"\t" in lines[0] and b" " not in lines[0].strip()):
        return data
    return b"\n".join(b"\t".join(line.split()) for line in data.split(b"\n"))


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
    except UnicodeError:
        msg = f"{display_name(path)} is not {encoding} text."
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
