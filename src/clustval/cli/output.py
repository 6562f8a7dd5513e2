"""How results leave the program: a table for people, or JSON, CSV or Markdown with every digit for programs."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

from clustval import tables
from clustval.cli import reader_left
from clustval.errors import InputError, optional
from clustval.results import Scores, with_error
from clustval.whole_files import check_folder

Style = Literal["table", "json", "csv", "md"]
Rows = Sequence[Mapping[str, Any]]

WIDE = 200  # columns where there is no terminal to fit
WIDEST = 1_000_000  # of any table
LONG_WORD = 20  # letters of a word in a cell, from which on it may be folded
FORMULA_SIGNS = tuple(
    "=+-@\t\r\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}"
)


@contextmanager
def while_somebody_reads() -> Iterator[None]:
    """Print inside, and go on if the reader of a pipe leaves early: files may still have to be written."""
    try:
        yield
        sys.stdout.flush()  # a broken pipe is better met here than at exit
    except BrokenPipeError:
        reader_left()
    except SystemExit as ending:  # how rich ends when a pipe breaks under it
        if not isinstance(ending.__context__, BrokenPipeError):
            raise
        reader_left()


def style_of(*, as_json: bool, as_csv: bool, as_md: bool) -> Style:
    """Return the one style that was asked for."""
    switches: dict[Style, bool] = {"json": as_json, "csv": as_csv, "md": as_md}
    styles = [style for style, on in switches.items() if on]
    if len(styles) > 1:
        msg = f"Choose one of --json, --csv and --md; {' and '.join('--' + s for s in styles)} were given."
        raise InputError(msg)
    return styles[0] if styles else "table"


def check_report(path: str | None) -> None:
    """Raise an error if a report is wanted that cannot be written, before any work is done for it."""
    if path is not None:
        check_folder(path)
        optional("vl_convert", "report")


def score_rows(scores: Scores, kind: str) -> list[dict[str, Any]]:
    """Return a row for each index, with every digit of its value."""
    rows = []
    for name, value in scores.items():
        choice = scores.choices[name]
        low, high = choice.index.bounds
        rows.append(
            {
                "index": name,
                "kind": kind,
                "value": value,
                "direction": choice.best.better,
                "low": float(low),
                "high": float(high),
                "reason": scores.reasons.get(name, ""),
                **_interval(scores, name),
            }
        )
    return rows


def _interval(scores: Scores, name: str) -> dict[str, Any]:
    """Return how far off a value may be, and between which values it lies, where values have intervals."""
    if not scores.intervals:
        return {}
    interval = scores.intervals.get(name)
    ends = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
    how = "" if interval is None else interval.how
    return {"error": scores.error(name), "interval_low": ends[0], "interval_high": ends[1], "how": how}


def _with_error(row: Mapping[str, Any]) -> Any:
    """Return a value as people read it, with its error where it has one."""
    error = row.get("error", 0.0)
    return with_error(row["value"], error) if 0 < error < math.inf and not math.isnan(row["value"]) else row["value"]


def readable(rows: Rows) -> Rows:
    """Return rows of scores as people read them: one range for two bounds, reasons only if there are any."""
    reasons = any(row["reason"] for row in rows)
    return [
        {
            "index": row["index"],
            "value": _with_error(row),
            "direction": row["direction"],
            "range": f"{row['low']:g} … {row['high']:g}",
            **({"why there is no value": row["reason"]} if reasons else {}),
        }
        for row in rows
    ]


def even(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows that all have the same columns: exact agreement has no intervals."""
    keys = dict.fromkeys(key for row in rows for key in row)
    return [{key: row.get(key, 0.0 if key == "error" else "") for key in keys} for row in rows]


def noise_note(coverage: float) -> str:
    """Say which share of the points is noise."""
    share = f"{1 - coverage:.1%} of the points"
    return f"{share} are noise and ignored by most indices; --noise changes that."


def print_rows(rows: Rows, style: Style, facts: Mapping[str, Any], key: str = "indices") -> None:
    """Print rows for programs; JSON holds the facts, too."""
    if style == "json":
        print_json({**facts, key: rows})
    elif style == "csv":
        print_csv(rows)
    else:
        print_markdown(rows)


def exact(value: Any) -> Any:
    """Return a value that JSON can hold: NaN is null, infinities are the words that other languages read."""
    if isinstance(value, Mapping):
        return {str(key): exact(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [exact(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return exact(value.item()) if hasattr(value, "item") else str(value)  # such as dates, that name clusters


@while_somebody_reads()
def print_json(document: Mapping[str, Any]) -> None:
    """Print a JSON document; floats have as many digits as they need to be read back the same."""
    print(json.dumps(exact(document), indent=2, ensure_ascii=False, allow_nan=False))  # noqa: T201


@while_somebody_reads()
def print_csv(rows: Rows) -> None:
    """Print rows as CSV; undefined values are empty."""
    print(csv_text(list(rows[0]) if rows else [], (row.values() for row in rows)), end="")  # noqa: T201


def csv_text(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a table as CSV, in which no text is a formula to a spreadsheet."""
    return "".join([_csv_line(names), *(_csv_line(map(_plain, row)) for row in rows)])


def _csv_line(cells: Iterable[Any]) -> str:
    line, end = io.StringIO(), "\r\n"  # with another end, a carriage return in a cell would have no quotes
    csv.writer(line, lineterminator=end).writerow([no_formula(cell) for cell in cells])
    return line.getvalue().removesuffix(end) + "\n"


def no_formula(value: Any) -> Any:
    """Return a value with a quote before text that a spreadsheet would run as a formula; numbers stay numbers.

    >>> no_formula("=HYPERLINK(A1)"), no_formula("-1.5"), no_formula(-1), no_formula("a=b")
    ("'=HYPERLINK(A1)", '-1.5', -1, 'a=b')
    """
    if not (isinstance(value, str) and value.startswith(FORMULA_SIGNS)):
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def own_table(frame: Any) -> str:
    """Return the caller's own table, a frame of Polars, as CSV, every cell as it was; say where formulas may hide.

    What CSV has no cells for, such as lists and bytes, becomes text.
    """
    import polars as pl  # noqa: PLC0415

    signs = f"^[{re.escape(''.join(FORMULA_SIGNS))}]"
    frame = frame.with_columns(_flat(column) for column in frame.iter_columns())
    names = []
    for column in frame.select(pl.col(pl.String)).iter_columns():
        text = column.filter(column.str.contains(signs))
        if text.cast(pl.Float64, strict=False).has_nulls():
            names.append(column.name)
    if names:
        where = ", ".join(map(repr, names))
        warn([f"a spreadsheet takes some cells of {where} for formulas, since they begin with =, +, - or @"])
    return str(frame.write_csv())


def _flat(column: Any) -> Any:
    """Return a column as CSV can hold it: lists and structs as JSON, bytes as hexadecimal digits, durations as text."""
    import polars as pl  # noqa: PLC0415

    if column.dtype == pl.Binary:
        return column.bin.encode("hex")
    if not (column.dtype.is_nested() or column.dtype in (pl.Object, pl.Duration)):
        return column
    texts = [value if value is None or isinstance(value, str) else _as_text(value) for value in column.to_list()]
    return pl.Series(column.name, texts, dtype=pl.String)


def _as_text(value: Any) -> str:
    return json.dumps(exact(value), ensure_ascii=False) if isinstance(value, (dict, list)) else str(value)


@while_somebody_reads()
def print_markdown(rows: Rows) -> None:
    """Print rows as a Markdown table."""
    if not rows:
        return
    lines = [
        [_cell(key) for key in rows[0]],
        ["---"] * len(rows[0]),
        *([_cell(v) for v in row.values()] for row in rows),
    ]
    print("\n".join(f"| {' | '.join(line)} |" for line in lines))  # noqa: T201


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    if value is None:
        return ""
    return "; ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def _cell(value: Any) -> str:
    return printable(str(_plain(value))).replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


def printable(text: str) -> str:
    """Return text in which nothing can move the cursor or colour the terminal."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def number(value: Any, digits: int = 6) -> str:
    """Return a number with so many digits, a dash for none, and other values as text."""
    return printable(tables.number(value, digits))


@while_somebody_reads()
def print_table(
    rows: Rows, *, title: str = "", columns: Iterable[str] | None = None, notes: Iterable[str] = (), digits: int = 6
) -> None:
    """Print rows as a table for people, and notes below it."""
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    console = _console()
    headings = list(columns or (rows[0] if rows else ()))
    table = Table(
        box=SIMPLE_HEAD, title=printable(title) or None, title_justify="left", title_style="bold", pad_edge=False
    )
    for position, column in enumerate(headings):
        numeric = any(isinstance(row[column], (int, float)) for row in rows)
        whole = position == 0 or numeric
        cells = [number(row[column], digits) for row in rows]
        table.add_column(
            printable(column),
            justify="right" if numeric else "left",
            no_wrap=whole,
            overflow="fold",
            min_width=_least_width(printable(column), cells, whole=whole),
        )
    for row in rows:
        table.add_row(*(number(row[column], digits) for column in headings))
    room = console.width
    console.width = max(room, console.measure(table, options=console.options.update(width=WIDEST)).minimum)
    console.print(table, crop=False)  # lines that a terminal wraps are better than columns that vanish
    console.width = room
    for note in notes:
        console.print(printable(note), style="dim", soft_wrap=True)


def _least_width(heading: str, cells: Iterable[str], *, whole: bool) -> int:
    """Return how narrow a column may become: as its text if that is to stay whole, or else as its words."""
    from rich.cells import cell_len  # noqa: PLC0415

    if whole:
        return max(map(cell_len, [heading, *cells]))
    longest = max((cell_len(word) for cell in cells for word in cell.split()), default=0)
    return max([1, min(longest, LONG_WORD), *map(cell_len, heading.split())])


def _console() -> Any:
    from rich.console import Console  # noqa: PLC0415

    # Column names are the user's: brackets in them are not markup.
    console = Console(markup=False, highlight=False, emoji=False)
    if not console.is_terminal:
        console.width = WIDE
    return console


def say(message: str) -> None:
    """Print a line for people on standard error, out of the way of results."""
    print(printable(message), file=sys.stderr)  # noqa: T201


def say_if(message: str) -> None:
    """Print a line for people on standard error, if there is anything to say."""
    if message:
        say(message)


def warn(lines: Iterable[str]) -> None:
    """Print doubts about the input on standard error, a line each."""
    for line in lines:
        say(f"Warning: {line}.")
