"""Tables: the one way they are printed, as text and as HTML, and a small table of named columns."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from html import escape
from typing import Any

from numpy.typing import NDArray

from clustval.errors import optional
from clustval.result import Result


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


def html_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows of cells, of which the first has the headings, as HTML."""
    head, *body = rows
    lines = ["".join(f"<th>{escape(cell)}</th>" for cell in head)]
    lines += ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in body]
    return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def number(value: Any, digits: int = 4) -> str:
    """Return a number as it is printed: a dash where there is none."""
    if isinstance(value, float):
        return "—" if math.isnan(value) else f"{value:.{digits}g}"
    return str(value)


def decimal(value: float, places: int = 3) -> str:
    """Return a number with a fixed number of places after the point: a dash where there is none."""
    return "—" if math.isnan(value) else f"{value:.{places}f}"


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

    def to_pandas(self) -> Any:
        """Return a pandas data frame whose index is the first column."""
        return optional("pandas", "all").DataFrame(self.records).set_index(next(iter(self)))

    def to_polars(self) -> Any:
        """Return a polars data frame."""
        return optional("polars", "report").DataFrame(self.records)

    def _cells(self) -> list[list[str]]:
        return [list(self), *([number(value) for value in record.values()] for record in self.records)]

    def __str__(self) -> str:
        return text_table(self._cells(), right=range(len(self)))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._cells())
