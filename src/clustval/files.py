"""Tables in files: CSV, TSV, JSON, Parquet, Arrow, Feather, NPY, NPZ, safetensors, Excel, also from standard input.

What a file is, its first bytes tell, not its name: a pipe has no name, and names are wrong. Text is told apart by
its header: comma, semicolon, tab or bar, with a decimal comma where a semicolon separates, or blanks between numbers.
Files may be packed by gzip, bzip2 or xz, or alone in a zip archive.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import math
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from clustval.errors import InputError, optional
from clustval.file_faults import PROGRAM, STDIN, Remedies, blamed, display_name, quiet
from clustval.homes.tensors import SUFFIX, tensors_of
from clustval.text_files import MISSING, read_text

if TYPE_CHECKING:
    import polars as pl

PACKED: dict[bytes, Callable[[bytes], bytes]] = {
    b"\x1f\x8b": gzip.decompress,
    b"BZh": bz2.decompress,
    b"\xfd7zXZ\x00": lzma.decompress,
}
ZIPPED = b"PK\x03\x04"
EXCEL = "[Content_Types].xml"  # what a workbook has inside
ENCRYPTED = 0x1  # the bit of a zipped file that says so

Arrays = list[tuple[str, Any]]  # with their names
Reader = Callable[[Path | bytes, str], "pl.DataFrame | Arrays"]


def read(
    path: str,
    *,
    encoding: str = "utf-8",
    header: bool = True,
    content: bytes | None = None,
    rows: int | None = None,
    remedies: Remedies = PROGRAM,
) -> pl.DataFrame:
    """Return the table in a file, or on standard input for "-"; columns without names are called 0, 1, ...

    `content` are the bytes of the file, where they were read already. A single column of text that lacks some of so
    many `rows` has missing values where blank lines end it; they are no rows otherwise.
    """
    how: dict[str, Any] = {"encoding": encoding, "header": header, "rows": rows, "remedies": remedies}
    return read_with_shapes(path, content=content, **how)[0]


def read_with_shapes(
    path: str, *, encoding: str, header: bool, content: bytes | None, remedies: Remedies, rows: int | None = None
) -> tuple[pl.DataFrame, dict[str, tuple[int, ...]]]:
    """Return the table in a file, and the shapes of the arrays by name that it was made of, if it holds such."""
    source, head = _opened(path, content)
    contents = _table(source, head, path, encoding=encoding, header=header, rows=rows, remedies=remedies)
    with blamed(path):
        frame = frame_of(contents, path) if isinstance(contents, list) else contents
    shapes = {name: array.shape for name, array in contents} if isinstance(contents, list) else {}
    if not frame.width:
        msg = f"{display_name(path)} has no columns."
        raise InputError(msg)
    if not len(frame):
        msg = f"{display_name(path)} has column names but no rows."
        raise InputError(msg)
    return frame, shapes


def located(path: str) -> str:
    """Return the path of a file; that of the bundled one if there is no such file but a data set of that name."""
    from clustval import data  # noqa: PLC0415

    return str(data.path(path)) if path in data.NAMES and not Path(path).exists() else path


def _table(
    source: Path | bytes, head: bytes, path: str, *, encoding: str, header: bool, rows: int | None, remedies: Remedies
) -> pl.DataFrame | Arrays:
    """Return the table or the arrays that a file holds, as its first bytes tell."""
    if not head:
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    if head.startswith(ZIPPED):
        alone = _only_member(source, path)
        if alone is not None:
            return _table(alone, _head(alone), path, encoding=encoding, header=header, rows=rows, remedies=remedies)
    for magic, reader in READERS.items():
        if head.startswith(magic):
            return reader(source, path)
    if path.endswith(SUFFIX):  # which has no first bytes of its own
        return list(tensors_of(_bytes(source), display_name(path)).items())
    return read_text(_bytes(source), path, encoding=encoding, header=header, rows=rows, remedies=remedies)


def _opened(path: str, content: bytes | None) -> tuple[Path | bytes, bytes]:
    """Return the path of a file, or all its bytes if it is zipped or standard input, and its first bytes."""
    source: Path | bytes = content if content is not None else Path(path)
    if content is None and path == STDIN:
        source = sys.stdin.buffer.read()
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

    def reader(source: Path | bytes, path: str) -> pl.DataFrame | Arrays:
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


def _read_npy(source: Path | bytes, path: str) -> Arrays:
    with blamed(path), source.open("rb") if isinstance(source, Path) else io.BytesIO(source) as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(0)
        return [("", _array(stream, size, path))]


def _read_npz(source: Path | bytes, path: str) -> pl.DataFrame | Arrays:
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
    return arrays


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
    # Types by all rows: cells of another type than the first rows would be missing without a word.
    options: dict[str, Any] = {"engine": "calamine", "infer_schema_length": None, "raise_if_empty": False}
    with blamed(path), quiet():
        frame = polars.read_excel(io.BytesIO(_bytes(source)), **options)
        return frame.with_columns(_numbers_with_gaps(column) for column in frame.iter_columns())  # type: ignore[no-any-return]


def _numbers_with_gaps(column: pl.Series) -> pl.Series:
    """Return numbers among which words such as NA are missing values; any other column as it is."""
    polars = optional("polars", "cli")
    if column.dtype != polars.String:
        return column
    words = column.set(column.is_in(MISSING).fill_null(value=False), None)
    numbers = words.cast(polars.Float64, strict=False)
    gaps = words.null_count()
    return numbers if column.null_count() < gaps < len(column) and numbers.null_count() == gaps else column


def _array(stream: IO[bytes], size: int, path: str) -> Any:
    """Return the array in a file of NumPy that has so many bytes."""
    from numpy.lib import format as npy  # noqa: PLC0415

    npy_head(stream, size, path)
    stream.seek(0)
    return npy.read_array(stream, allow_pickle=False)


def npy_head(stream: IO[bytes], size: int, path: str) -> tuple[tuple[int, ...], bool, Any]:
    """Return the shape of an array in a file of NumPy, whether it lies by columns, and its type.

    Its numbers begin where the stream then is. Raises an error if they are more than a file of so many bytes holds.
    """
    from numpy.lib import format as npy  # noqa: PLC0415

    version = npy.read_magic(stream)
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, by_columns, dtype = read_header(stream)
    if dtype.hasobject:
        msg = f"{display_name(path)} cannot be read: it holds Python objects, not numbers or text."
        raise InputError(msg)
    claim, rest = dtype.itemsize * math.prod(shape), size - stream.tell()
    if claim > rest:
        msg = f"{display_name(path)} is damaged: it claims {claim:,} bytes of numbers and has {rest:,}."
        raise InputError(msg)
    return shape, by_columns, dtype


def frame_of(arrays: Iterable[tuple[str, Any]], path: str) -> pl.DataFrame:
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
