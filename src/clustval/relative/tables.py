"""A small table with one row per number of clusters: columns by name, and what data frames make of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from numpy.typing import NDArray

from clustval.errors import optional


class Table(Mapping[str, NDArray[Any]]):
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
        return [list(self), *([_text(value) for value in record.values()] for record in self.records)]

    def __str__(self) -> str:
        cells = self._cells()
        widths = [max(len(row[i]) for row in cells) for i in range(len(self))]
        return "\n".join("  ".join(f"{c:>{w}}" for c, w in zip(row, widths, strict=True)) for row in cells)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head, *body = self._cells()
        rows = ["".join(f"<th>{escape(c)}</th>" for c in head)]
        rows += ["".join(f"<td>{escape(c)}</td>" for c in row) for row in body]
        return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _text(value: Any) -> str:
    if isinstance(value, float):
        return "—" if value != value else f"{value:.4g}"  # noqa: PLR0124 - NaN
    return str(value)
