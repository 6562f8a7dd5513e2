"""The table of two labellings: how many points each pair of clusters shares. One pass over the labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Integers
from clustval.declare import Statistic
from clustval.drawn import Drawn
from clustval.errors import InputError, optional
from clustval.labels import in_order, noise_name
from clustval.lazy import cached_property
from clustval.result import Result
from clustval.sources.label_pair import Cells, LabelPair
from clustval.tables import html_table, number, polars_frame

if TYPE_CHECKING:
    from clustval.tables import PandasFrame, PolarsFrame

LARGEST_TABLE = 10**8  # cells that are laid out on demand
SHOWN = 30  # rows and columns in a notebook


@dataclass(frozen=True, eq=False)
class Contingency(Drawn, Result, Cells, Statistic):
    """The occupied cells of the table of two labellings, sorted by row and column, and the names of both.

    Rows are the clusters of the truth, columns those of the labels. Tables of disjoint sets of points add up, by
    the names of their clusters.

    >>> table = Contingency.of_cells(*np.array([[0, 1, 1], [0, 0, 1], [2, 1, 3]]), ["a", "b"], [7, 8])
    >>> (table + table).table
    array([[4, 0],
           [2, 6]])
    """

    _figure = "contingency"

    @classmethod
    def part(cls, block: LabelPair) -> Contingency:
        """Sort the cells that the pair was made with."""
        cells = block.cells
        if isinstance(cells, Contingency):
            return cells
        if block.tidy:
            return cls(cells.rows, cells.columns, cells.counts, cells.row_labels, cells.column_labels)
        return cls.of_cells(cells.rows, cells.columns, cells.counts, cells.row_labels, cells.column_labels)

    @classmethod
    def of_cells(
        cls, rows: Integers, columns: Integers, counts: NDArray[Any], row_labels: list[Any], column_labels: list[Any]
    ) -> Contingency:
        """Return the table of cells in any order, some perhaps twice; clusters without points are left out."""
        rows, row_labels = _without_gaps(rows, row_labels)
        columns, column_labels = _without_gaps(columns, column_labels)
        keys = rows * len(column_labels) + columns
        if not (keys[1:] > keys[:-1]).all():
            keys, inverse = np.unique(keys, return_inverse=True)
            counts = np.bincount(inverse, weights=counts).astype(counts.dtype)  # exact: below 2**53
            rows, columns = np.divmod(keys, len(column_labels))
        return cls(rows, columns, counts, row_labels, column_labels)

    @classmethod
    def of_table(cls, table: NDArray[np.integer]) -> Contingency:
        """Return the statistic of a table that is laid out, its clusters named 0, 1, ..."""
        rows, columns = np.nonzero(table)
        counts = table[rows, columns].astype(np.int64)
        return cls.of_cells(rows, columns, counts, list(range(table.shape[0])), list(range(table.shape[1])))

    def __add__(self, other: Contingency) -> Contingency:
        """Table of the union of two disjoint sets of points."""
        row_labels = in_order([*self.row_labels, *other.row_labels])
        column_labels = in_order([*self.column_labels, *other.column_labels])
        row, column = ({name: i for i, name in enumerate(names)} for names in (row_labels, column_labels))
        rows, columns = [], []
        for part in (self, other):
            rows.append(np.array([row[name] for name in part.row_labels], dtype=np.int64)[part.rows])
            columns.append(np.array([column[name] for name in part.column_labels], dtype=np.int64)[part.columns])
        counts = np.concatenate([self.counts, other.counts])
        return Contingency.of_cells(np.concatenate(rows), np.concatenate(columns), counts, row_labels, column_labels)

    @property
    def n(self) -> Any:
        """Number of points, by weight."""
        return total_of(self.counts)

    @property
    def r(self) -> int:
        """Number of clusters of the truth."""
        return len(self.row_labels)

    @property
    def k(self) -> int:
        """Number of clusters of the labels."""
        return len(self.column_labels)

    @property
    def identical(self) -> bool:
        """Whether both labellings form the same clusters, under whatever names."""
        return self.r == self.k == len(self.counts)

    @cached_property
    def row_sizes(self) -> NDArray[Any]:
        """Points in each cluster of the truth, by weight (r,)."""
        return np.bincount(self.rows, weights=self.counts, minlength=self.r).astype(self.counts.dtype)

    @cached_property
    def column_sizes(self) -> NDArray[Any]:
        """Points in each cluster of the labels, by weight (k,)."""
        return np.bincount(self.columns, weights=self.counts, minlength=self.k).astype(self.counts.dtype)

    @cached_property
    def transposed(self) -> Contingency:
        """The table with truth and labels swapped."""
        return Contingency.of_cells(self.columns, self.rows, self.counts, self.column_labels, self.row_labels)

    @cached_property
    def row_peaks(self) -> Integers:
        """The cell, by its position, with most points in each row; the first of equals (r,)."""
        return _peaks(self.rows, self.counts, self.columns, self.r)

    @cached_property
    def column_peaks(self) -> Integers:
        """The cell, by its position, with most points in each column; the first of equals (k,)."""
        return _peaks(self.columns, self.counts, self.rows, self.k)

    @property
    def table(self) -> NDArray[Any]:
        """The whole table as an array (r, k)."""
        if self.r * self.k > LARGEST_TABLE:
            msg = (
                f"The table has {self.r} x {self.k} cells, too many to lay out; "
                "rows, columns and counts hold the occupied ones."
            )
            raise InputError(msg)
        table = np.zeros((self.r, self.k), dtype=self.counts.dtype)
        table[self.rows, self.columns] = self.counts
        return table

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        table = self.table
        return table if dtype is None else table.astype(dtype, copy=copy is True)

    def to_pandas(self) -> PandasFrame:
        """Return the whole table as a pandas data frame."""
        frame = optional("pandas", "pandas").DataFrame
        return frame(self.table, index=self.row_labels, columns=self.column_labels)

    def to_polars(self) -> PolarsFrame:
        """Return the whole table as a polars data frame: a row per cluster of the truth, named in the first column."""
        names = ["truth"]
        for label in self.column_labels:  # polars has no two columns of one name
            names.append(noise_name(names, str(label)))
        rows = zip(self.row_labels, self.table.tolist(), strict=True)
        return polars_frame([dict(zip(names, (name, *counts), strict=True)) for name, counts in rows])

    def _repr_html_(self) -> str:
        """Show the table with its sums; of a large one the first rows and columns."""
        few = (self.rows < SHOWN) & (self.columns < SHOWN)
        table = np.zeros((min(self.r, SHOWN), min(self.k, SHOWN)), dtype=self.counts.dtype)
        table[self.rows[few], self.columns[few]] = self.counts[few]
        cut = ["…"] if self.k > SHOWN else []
        rows = [["truth \\ labels", *map(str, self.column_labels[:SHOWN]), *cut, "sum"]]
        for name, counts, total in zip(self.row_labels, table.tolist(), self.row_sizes.tolist(), strict=False):
            rows.append([str(name), *(number(count) for count in counts), *cut, number(total)])
        if self.r > SHOWN:
            rows.append(["…"] * len(rows[0]))
        sums = self.column_sizes[:SHOWN].tolist()
        rows.append(["sum", *(number(count) for count in sums), *cut, number(self.n)])
        return html_table(rows)


def total_of(counts: NDArray[Any]) -> Any:
    """Return the sum: a whole number of whole numbers, else correctly rounded, so that no order of cells matters."""
    return math.fsum(counts.tolist()) if counts.dtype.kind == "f" else int(counts.sum())


def _without_gaps(codes: Integers, names: list[Any]) -> tuple[Integers, list[Any]]:
    present = np.zeros(len(names), dtype=np.bool_)
    present[codes] = True
    if present.all():
        return codes, names
    return (np.cumsum(present) - 1)[codes], [name for name, there in zip(names, present, strict=True) if there]


def _peaks(groups: Integers, counts: NDArray[Any], places: Integers, size: int) -> Integers:
    order = np.lexsort((places, -counts, groups))
    sizes = np.bincount(groups, minlength=size)
    return order[np.cumsum(sizes) - sizes]
