"""Tables: the one way they are printed, as text and as HTML, and a small table of named columns."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from html import escape
from typing import TYPE_CHECKING, Any, TypeAlias

from numpy.typing import NDArray

from clustval.errors import optional
from clustval.result import LARGEST, Result

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    PandasFrame: TypeAlias = pd.DataFrame
    PolarsFrame: TypeAlias = pl.DataFrame


def text_table(rows: Sequence[Sequence[str]], right: Container[int] = ()) -> str:
    """Return rows of cells as aligned text, the columns at the positions `right` to the right.

    >>> print(text_table([("index", "value"), ("dunn", "1.5")], right=(1,)))
    index  value
    dunn     1.5
    """
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = (
        "  ".join(c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


# Notebooks of any colour keep their own text and background; sites that allow no style show a plain table.
STYLE = (
    "<style>table.clustval{border-collapse:collapse;font-variant-numeric:tabular-nums}"
    "table.clustval th,table.clustval td{padding:.15em .7em;text-align:left;background:none}"
    "table.clustval th{border-bottom:1px solid currentColor}"
    "table.clustval .number{text-align:right}</style>"
)
NUMBER = re.compile(r"[-+−]?(\d[\d,]*\.?\d*(e[-+]?\d+)?|inf|nan)\*?|—")


def columns_of_numbers(rows: Sequence[Sequence[str]]) -> set[int]:
    """Return the positions of the columns that hold numbers alone, below headings; text is read from the left.

    >>> columns_of_numbers([("index", "value"), ("dunn", "1.5"), ("sd", "—")])
    {1}
    """
    return {at for at, column in enumerate(zip(*rows[1:], strict=True)) if all(map(NUMBER.fullmatch, column))}


def html_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells, of which the first has the headings, as HTML; columns of numbers to the right."""
    head, *body = rows
    numeric = columns_of_numbers(rows)
    tags = [' class="number"' if at in numeric else "" for at in range(len(head))]

    def line(cells: Sequence[str], tag: str) -> str:
        return "".join(f"<{tag}{at}>{escape(cell)}</{tag}>" for cell, at in zip(cells, tags, strict=True))

    lines = [line(head, "th"), *(line(row, "td") for row in body)]
    return f'{STYLE}<table class="clustval">' + "".join(f"<tr>{each}</tr>" for each in lines) + "</table>"


def cells_of(records: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """Return the table that is shown of records, the names of their fields first."""
    return [list(records[0]), *([number(value) for value in record.values()] for record in records)]


def polars_frame(records: Sequence[Mapping[str, Any]]) -> PolarsFrame:
    """Return a polars data frame of records; a column of several types becomes text, for polars has one for each.

    >>> polars_frame([{"cluster": 1, "size": 2}, {"cluster": "b", "size": 3}])["cluster"].to_list()
    ['1', 'b']
    """
    columns = {name: [record[name] for record in records] for name in records[0]}
    frame: PolarsFrame = optional("polars", "report").DataFrame(
        {name: _one_type(column) for name, column in columns.items()}
    )
    return frame


def _one_type(column: list[Any]) -> list[Any]:
    present = [value for value in column if value is not None]
    if all(isinstance(value, bool) for value in present) or all(isinstance(value, str) for value in present):
        return column
    if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in present):
        whole = all(isinstance(value, int) and abs(value) < LARGEST for value in present)
        return column if whole else [None if value is None else float(value) for value in column]
    return [None if value is None else str(value) for value in column]


def number(value: Any, digits: int = 4) -> str:
    """Return a number as it is printed: a dash where there is none."""
    if isinstance(value, float):
        return "—" if math.isnan(value) else f"{value:.{digits}g}"
    return "—" if value is None else str(value)


def decimal(value: float, places: int = 3) -> str:
    """Return a number with a fixed number of places after the point: a dash where there is none."""
    return "—" if math.isnan(value) else f"{value:.{places}f}"


def keys_beside(names: Iterable[Any], taken: Iterable[str]) -> dict[Any, str]:
    """Return a key for each of the caller's names in rows that have other keys already: those must not be overwritten.

    >>> keys_beside(["kmeans", "low"], ["index", "low", "high"])
    {'kmeans': 'kmeans', 'low': 'low (labels)'}
    """
    names = list(names)
    used, keys = {*taken}, {}
    for name in names:
        key = str(name)
        while key in used or (key != str(name) and key in names):
            key += " (labels)"
        used.add(key)
        keys[name] = key
    return keys


class Tabular:
    """What a result that is a table can do: become a data frame, and be shown in a notebook."""

    def _records(self) -> list[dict[str, Any]]:
        """Return one dictionary per row; of a result that is a single row, its fields."""
        result: Any = self  # a dataclass, as every subclass without `_records` of its own is
        return [{field.name: getattr(result, field.name) for field in fields(result)}]

    def to_pandas(self) -> PandasFrame:
        """Return a pandas data frame."""
        frame: PandasFrame = optional("pandas", "pandas").DataFrame(self._records())
        return frame

    def to_polars(self) -> PolarsFrame:
        """Return a polars data frame."""
        return polars_frame(self._records())

    def _repr_html_(self) -> str:
        return html_table(cells_of(self._records()))


class Table(Result, Mapping[str, NDArray[Any]]):
    """A read-only mapping from the names of columns to arrays of the same length.

    >>> import numpy as np
    >>> table = Table({"k": np.array([2, 3]), "gap": np.array([0.25, np.nan])})
    >>> table
    k   gap
    2  0.25
    3     —
    >>> table.records[0]
    {'k': 2, 'gap': 0.25}
    """

    def __init__(self, columns: Mapping[str, NDArray[Any]]) -> None:
        self._columns = dict(columns)

    def _content(self) -> dict[str, Any]:
        return {"columns": self._columns}

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def records(self) -> list[dict[str, Any]]:
        """One dictionary per row."""
        lists = [column.tolist() for column in self._columns.values()]
        return [dict(zip(self._columns, row, strict=True)) for row in zip(*lists, strict=True)]

    def to_pandas(self) -> PandasFrame:
        """Return a pandas data frame whose index is the first column."""
        frame: PandasFrame = (
            optional("pandas", "pandas").DataFrame(self.records, columns=list(self)).set_index(next(iter(self)))
        )
        return frame

    def to_polars(self) -> PolarsFrame:
        """Return a polars data frame."""
        frame: PolarsFrame = optional("polars", "report").DataFrame(self.records, None if self.records else list(self))
        return frame

    def _cells(self) -> list[list[str]]:
        return [list(self), *([number(value) for value in record.values()] for record in self.records)]

    def __str__(self) -> str:
        rows = self._cells()
        return text_table(rows, right=columns_of_numbers(rows))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._cells())


class WithTable:
    """What a result can do that has a table, and perhaps words about it."""

    table: Table

    def to_pandas(self) -> PandasFrame:
        """Return the table as a pandas data frame whose index is the first column."""
        return self.table.to_pandas()

    def to_polars(self) -> PolarsFrame:
        """Return the table as a polars data frame."""
        return self.table.to_polars()

    @property
    def _conclusion(self) -> str:
        """What the table says, in a line; nothing where it speaks for itself."""
        return ""

    def __str__(self) -> str:
        return f"{self.table}\n{self._conclusion}" if self._conclusion else str(self.table)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        words = f"<p>{escape(self._conclusion)}</p>" if self._conclusion else ""
        return f"{self.table._repr_html_()}{words}"
