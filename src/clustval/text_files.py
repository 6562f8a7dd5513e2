"""Tables in text: what separates columns, where names are, which encoding, and which line is at fault."""

from __future__ import annotations

import contextlib
import csv
import io
import itertools
import re
from typing import TYPE_CHECKING

from clustval.errors import InputError, optional
from clustval.file_faults import Remedies, blamed, display_name, quiet
from clustval.number_words import DECIMAL_COMMA, is_number

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = (",", "\t", ";", "|")
MISSING = ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None"]
ROWS_THAT_SHOW_TYPES = 10_000
CONTROL = rb"[\x00-\x08\x0e-\x1f]"  # no text has these
KNOWN = "CSV, TSV, JSON lines, Parquet, Arrow or Feather, NPY, NPZ, Excel, safetensors, .h5ad, .h5mu, .zarr"
FEWEST_NUMBERS = 2  # in each line of a table whose columns are blanks apart
LOOKED_AT = 20  # lines from which the form of a table is told
CELL = rb'(?:^|[;\n])[ \t]*"?[+-]?\d*%b\d+(?:[eE][+-]?\d+)?"?[ \t\r]*(?=;|\n|\Z)'  # a number with such a mark
BYTES_THAT_SHOW_COMMAS = 2**20


def read_text(
    data: bytes, path: str, *, encoding: str, header: bool, rows: int | None, remedies: Remedies
) -> pl.DataFrame:
    """Return the table in a text; blank lines at its end are no rows, unless a single column lacks `rows`."""
    whole = _utf8(data, path, encoding)
    if not whole.strip():
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    if re.search(CONTROL, whole[:4096]):
        msg = f"{display_name(path)} is not a table; known are {KNOWN}."
        raise InputError(msg)
    if re.match(rb"\s*(\{|\[\s*\{)", whole):
        return _read_json(whole, path, remedies)
    return _read_columns(whole, path, header=header, rows=rows, remedies=remedies)


def _read_columns(whole: bytes, path: str, *, header: bool, rows: int | None, remedies: Remedies) -> pl.DataFrame:
    """Return a table whose columns something separates, in UTF-8."""
    polars = optional("polars", "cli")
    if b"\r" in whole and b"\n" not in whole:  # as spreadsheets of old end lines
        whole = whole.replace(b"\r", b"\n")
    data = _without_comments(whole, header=header)
    if not data.strip():
        msg = f"{display_name(path)} is empty."
        raise InputError(msg)
    data = _blanks_as_tabs(data)
    heading = _check_utf8(_first_line(data), path, remedies)  # the reader of tables checks all but the names of columns
    bare = re.sub(r'"[^"]*"', "", heading)
    separator = _separator(data, bare)
    if header:
        _check_header(heading, separator, path, remedies)
    cut = _without_blank_lines(data, several=separator in bare)
    options = {
        "separator": separator,
        "has_header": header,
        "null_values": MISSING,
        "decimal_comma": separator == ";" and _has_decimal_commas(cut),
    }
    with blamed(path), quiet():
        try:
            try:
                frame = polars.read_csv(cut, infer_schema_length=ROWS_THAT_SHOW_TYPES, **options)
            except polars.exceptions.ComputeError:  # a later row may be of another type than the first ones
                frame = polars.read_csv(cut, infer_schema_length=None, **options)
        except polars.exceptions.NoDataError:
            msg = f"{display_name(path)} has column names but no rows."
            raise InputError(msg) from None
        except polars.exceptions.PolarsError as error:
            above = whole.count(b"\n") - data.count(b"\n")
            raise _reason(data, path, separator, error, remedies, above) from None
    if rows is not None and frame.width == 1 and len(frame) < rows:
        blanks = data.count(b"\n", len(cut))
        frame = polars.concat([frame, frame.clear(min(blanks, rows - len(frame)))])
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
    r"""Return the text without blank lines and comments on top, lines that begin with #.

    The last of the comments may hold the names of columns.

    >>> _without_comments(b"# made today\n# x,y\n1,2\n", header=True)
    b'x,y\n1,2\n'
    """
    comments = []
    data = _below_blank_lines(data)
    while data.startswith(b"#"):
        comment, _, data = data.partition(b"\n")
        comments.append(comment.lstrip(b"# "))
        data = _below_blank_lines(data)
    if header and comments and _are_names(comments[-1], data, alone=len(comments) == 1):
        return comments[-1] + b"\n" + data
    return data


def _below_blank_lines(data: bytes) -> bytes:
    blank = re.match(rb"(?:[ \t\r]*\n)+", data)
    return data[blank.end() :] if blank else data


def _are_names(comment: bytes, data: bytes, *, alone: bool) -> bool:
    """Return whether a comment holds the names of the columns below it, each in a word where these hold text."""
    lines = [line for line in data.split(b"\n", LOOKED_AT)[:LOOKED_AT] if line.strip()]
    for separator in (*(each.encode() for each in SEPARATORS), None):
        names, rows = comment.split(separator), [line.split(separator) for line in lines]
        if any(map(_is_number, names)) or not rows or not len(names) == len(rows[0]) > 1:
            continue
        if any(map(_is_number, rows[0])):
            return True
        words = separator is not None and all(len(name.split()) == 1 for name in names)
        if alone and words and all(len(row) == len(names) for row in rows) and not _is_heading(rows):
            return True
    return False


def _is_heading(rows: list[list[bytes]]) -> bool:
    """Return whether the first of some rows of text names the columns: one of them holds numbers below it."""
    return len(rows) > 1 and any(all(map(_is_number, column[1:])) for column in zip(*rows, strict=True))


def _is_number(cell: bytes) -> bool:
    return is_number(cell.decode(errors="replace"))


def _first_line(data: bytes) -> bytes:
    """Return the line of names, in which a name between quotes may have a line break."""
    end = -1
    for _ in range(LOOKED_AT):
        end = data.find(b"\n", end + 1)
        if end < 0 or data.count(b'"', 0, end) % 2 == 0:
            break
    else:
        end = data.find(b"\n")
    return data if end < 0 else data[:end]


def _separator(data: bytes, bare: str) -> str:
    """Return what separates columns: of what stands between names, the one that cuts the lines below them alike."""
    candidates = [separator for separator in SEPARATORS if separator in bare]
    if len(candidates) < 2:
        return candidates[0] if candidates else SEPARATORS[0]

    def fit(separator: str) -> tuple[bool, int, int]:
        others = [other for other in candidates if other != separator]
        lines = io.TextIOWrapper(io.BytesIO(data), "utf-8", errors="replace", newline="")
        rows = []
        with contextlib.suppress(csv.Error):
            rows = [row for row in itertools.islice(csv.reader(lines, delimiter=separator), LOOKED_AT) if any(row)]
        cells = [cell for row in rows for cell in row]
        clean = sum(bool(DECIMAL_COMMA.fullmatch(cell)) or not any(map(cell.__contains__, others)) for cell in cells)
        return len(set(map(len, rows))) == 1, bare.count(separator), clean

    return max(candidates, key=fit)


def _has_decimal_commas(data: bytes) -> bool:
    """Return whether the first lines of a text have numbers with a decimal comma, and no more with a point."""
    commas, points = (
        sum(1 for _ in re.finditer(CELL % mark, data[:BYTES_THAT_SHOW_COMMAS])) for mark in (b",", rb"\.")
    )
    return 0 < commas >= points


def _without_blank_lines(data: bytes, *, several: bool) -> bytes:
    """Return the text without blank lines at its end, nor between rows of several columns; one lacks a value there."""
    end = data.find(b"\n", len(data.rstrip(b" \r\n")))
    data = data if end < 0 else data[: end + 1]
    if not several or not any(blank in data for blank in (b"\n\n", b"\n\r\n", b"\n ")):
        return data
    quotes = at = 0

    def between(blanks: re.Match[bytes]) -> bytes:
        nonlocal quotes, at
        quotes += data.count(b'"', at, blanks.start())
        at = blanks.end()
        return blanks[0] if quotes % 2 else b"\n"  # inside quotes they are part of a cell

    return re.sub(rb"\n(?:[ \r]*\n)+", between, data)


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


def _check_header(heading: str, separator: str, path: str, remedies: Remedies) -> None:
    cells = [cell.strip(' "\r') for cell in heading.split(separator)]
    if len(cells) > 1 and cells == [str(j) for j in range(len(cells))]:
        return  # the names that data frames give to columns without names
    if not all(map(is_number, cells)):
        return
    msg = f"The first line of {display_name(path)} holds numbers, not column names; add names, or {remedies.header}"
    raise InputError(msg)


def _check_utf8(data: bytes, path: str, remedies: Remedies, above: int = 0) -> str:
    """Return the text, or raise an error that names the first line which is not UTF-8."""
    try:
        return data.decode()
    except UnicodeDecodeError as broken:
        line = above + data.count(b"\n", 0, broken.start) + 1
        msg = (
            f"{display_name(path)} is not UTF-8 text: byte 0x{data[broken.start]:02x} in line {line}. "
            f"Save it as UTF-8, or {remedies.encoding}"
        )
        raise InputError(msg) from None


def _reason(data: bytes, path: str, separator: str, error: Exception, remedies: Remedies, above: int) -> Exception:
    """Return an error that names the line which is at fault, where some lines were `above` the text."""
    text = _check_utf8(data, path, remedies, above)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    with contextlib.suppress(csv.Error, StopIteration):
        width = len(next(rows))
        for row in rows:
            if len(row) > width:
                line = above + rows.line_num
                msg = f"Line {line} of {display_name(path)} has {len(row)} fields; the first has {width}."
                return InputError(msg)
    return InputError(f"{display_name(path)} cannot be read as a table: {str(error).partition(chr(10))[0]}")
