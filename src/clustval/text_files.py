"""Tables in text: what separates columns, where names are, which encoding, and which line is at fault."""

from __future__ import annotations

import contextlib
import csv
import io
import re
from typing import TYPE_CHECKING

from clustval.errors import InputError, optional
from clustval.file_faults import Remedies, blamed, display_name, quiet

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = (",", "\t", ";", "|")
MISSING = ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None"]
ROWS_THAT_SHOW_TYPES = 10_000
CONTROL = rb"[\x00-\x08\x0e-\x1f]"  # no text has these
KNOWN = "CSV, TSV, JSON lines, Parquet, Arrow or Feather, NPY, NPZ, Excel, safetensors, .h5ad, .h5mu, .zarr"
FEWEST_NUMBERS = 2  # in each line of a table whose columns are blanks apart
LOOKED_AT = 20  # lines from which such a table is told


def read_text(data: bytes, path: str, *, encoding: str, header: bool, remedies: Remedies) -> pl.DataFrame:
    """Return the table in a text."""
    polars = optional("polars", "cli")
    data = _utf8(data, path, encoding)
    if not data.strip():
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    if re.search(CONTROL, data[:4096]):
        msg = f"{display_name(path)} is not a table; known are {KNOWN}."
        raise InputError(msg)
    if re.match(rb"\s*(\{|\[\s*\{)", data):
        return _read_json(data, path, remedies)
    data = _without_comments(data, header=header)
    if not data.strip():
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    data = _blanks_as_tabs(data)
    first, _, rest = data.partition(b"\n")
    _check_utf8(first, path, remedies)  # the reader of tables checks all but the names of columns
    separator = max(SEPARATORS, key=re.sub(rb'"[^"]*"', b"", first).decode().count)
    if header:
        _check_header(first, separator, path, remedies)
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
            raise _reason(data, path, separator, error, remedies) from None
    if not header:
        frame = frame.rename({name: str(j) for j, name in enumerate(frame.columns)})
    return frame  # type: ignore[no-any-return]


def _read_json(data: bytes, path: str, remedies: Remedies) -> pl.DataFrame:
    """Return a table of objects: one in each line, or all of them in a list."""
    polars = optional("polars", "cli")
    _check_utf8(data, path, remedies)
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


def _check_header(first: bytes, separator: str, path: str, remedies: Remedies) -> None:
    cells = [cell.strip(' "\r') for cell in first.decode().split(separator)]
    if len(cells) > 1 and cells == [str(j) for j in range(len(cells))]:
        return  # the names that data frames give to columns without names
    try:
        _ = [float(cell) for cell in cells]
    except ValueError:
        return
    msg = f"The first line of {display_name(path)} holds numbers, not column names; add names, or {remedies.header}"
    raise InputError(msg)


def _check_utf8(data: bytes, path: str, remedies: Remedies) -> str:
    """Return the text, or raise an error that names the first line which is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as broken:
        line = data.count(b"\n", 0, broken.start) + 1
        msg = (
            f"{display_name(path)} is not UTF-8 text: byte 0x{data[broken.start]:02x} in line {line}. "
            f"Save it as UTF-8, or {remedies.encoding}"
        )
        raise InputError(msg) from None


def _reason(data: bytes, path: str, separator: str, error: Exception, remedies: Remedies) -> Exception:
    """Return an error that names the line which is at fault."""
    text = _check_utf8(data, path, remedies)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    with contextlib.suppress(csv.Error, StopIteration):
        width = len(next(rows))
        for row in rows:
            if len(row) > width:
                msg = f"Line {rows.line_num} of {display_name(path)} has {len(row)} fields; the first has {width}."
                return InputError(msg)
    return InputError(f"{display_name(path)} cannot be read as a table: {str(error).partition(chr(10))[0]}")
