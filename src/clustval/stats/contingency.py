"""The table of two labellings: how many points each pair of clusters shares. One pass over the labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.backends.contingency import tabulate
from clustval.errors import InputError, UndefinedIndexError, optional
from clustval.labels import Column, column, in_order
from clustval.registry import Statistic

Integers = NDArray[np.int64]

LARGEST_TABLE = 10**8  # cells that are laid out on demand


@dataclass(frozen=True, eq=False)
class Contingency(Statistic):
    """The occupied cells of the table of two labellings, sorted by row and column, and the names of both.

    Rows are the clusters of the truth, columns those of the labels. Tables of disjoint sets of points add up, by
    the names of their clusters.

    >>> table = Contingency.of_cells(*np.array([[0, 1, 1], [0, 0, 1], [2, 1, 3]]), ["a", "b"], [7, 8])
    >>> (table + table).table
    array([[4, 0],
           [2, 6]])
    """

    rows: Integers  # of each occupied cell
    columns: Integers
    counts: Integers
    row_labels: list[Any]
    column_labels: list[Any]

    @classmethod
    def of(cls, source: LabelPair) -> Contingency:
        """Return the table that the pair was made with."""
        return source.table

    @classmethod
    def of_cells(
        cls, rows: Integers, columns: Integers, counts: Integers, row_labels: list[Any], column_labels: list[Any]
    ) -> Contingency:
        """Return the table of cells in any order, some perhaps twice; clusters without points are left out."""
        rows, row_labels = _without_gaps(rows, row_labels)
        columns, column_labels = _without_gaps(columns, column_labels)
        keys = rows * len(column_labels) + columns
        if not (keys[1:] > keys[:-1]).all():
            keys, inverse = np.unique(keys, return_inverse=True)
            counts = np.bincount(inverse, weights=counts).astype(np.int64)  # exact: below 2**53
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
    def n(self) -> int:
        """Number of points."""
        return int(self.counts.sum())

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
    def row_sizes(self) -> Integers:
        """Points in each cluster of the truth (r,)."""
        return np.bincount(self.rows, weights=self.counts, minlength=self.r).astype(np.int64)

    @cached_property
    def column_sizes(self) -> Integers:
        """Points in each cluster of the labels (k,)."""
        return np.bincount(self.columns, weights=self.counts, minlength=self.k).astype(np.int64)

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
    def table(self) -> Integers:
        """The whole table as an array (r, k)."""
        if self.r * self.k > LARGEST_TABLE:
            msg = (
                f"The table has {self.r} x {self.k} cells, too many to lay out; "
                "rows, columns and counts hold the occupied ones."
            )
            raise InputError(msg)
        table = np.zeros((self.r, self.k), dtype=np.int64)
        table[self.rows, self.columns] = self.counts
        return table

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        table = self.table
        return table if dtype is None else table.astype(dtype, copy=copy is True)

    def to_pandas(self) -> Any:
        """Return the whole table as a pandas data frame."""
        frame = optional("pandas", "all").DataFrame
        return frame(self.table, index=self.row_labels, columns=self.column_labels)


def _without_gaps(codes: Integers, names: list[Any]) -> tuple[Integers, list[Any]]:
    present = np.zeros(len(names), dtype=np.bool_)
    present[codes] = True
    if present.all():
        return codes, names
    return (np.cumsum(present) - 1)[codes], [name for name, there in zip(names, present, strict=True) if there]


def _peaks(groups: Integers, counts: Integers, places: Integers, size: int) -> Integers:
    order = np.lexsort((places, -counts, groups))
    sizes = np.bincount(groups, minlength=size)
    return order[np.cumsum(sizes) - sizes]


class LabelPair:
    """A truth and labels of the same points, with every statistic that was asked for computed once and kept."""

    def __init__(self, table: Contingency, total: int | None = None) -> None:
        self.table = table
        self.n = table.n
        self.total = total or table.n
        self._known: dict[type[Statistic], Any] = {}

    @property
    def coverage(self) -> float:
        """Share of the points that are not left out as noise."""
        return self.n / self.total

    def __getitem__(self, statistic: type[Statistic]) -> Any:
        """Return the statistic, computed on first use."""
        if self.n == 0:
            msg = "No point is left to compare: each is noise in the truth or in the labels."
            raise UndefinedIndexError(msg)
        if statistic not in self._known:
            self._known[statistic] = statistic.of(self)
        return self._known[statistic]

    def share(self, statistic: type[Statistic], other: LabelPair) -> None:
        """Take over a statistic of another pair, for which it is the same."""
        self._known[statistic] = other[statistic]


def label_pair(
    truth: Any, labels: Any, *, noise: str = "cluster", names: tuple[str, str] = ("truth", "labels")
) -> LabelPair:
    """Return the pair of checked labellings, with noise treated as the policy says."""
    columns = checked_columns([truth, labels], names, noise)
    (rows, others), counts, (row_labels, column_labels) = combinations_of(columns, noise)
    return LabelPair(Contingency.of_cells(rows, others, counts, row_labels, column_labels), len(columns[0]))


def checked_columns(labellings: Sequence[Any], names: Sequence[str], noise: str) -> list[Column]:
    """Return labellings of the same points as columns, or raise an error that names what is wrong."""
    if noise == "error" or noise not in inputs.NOISE_POLICIES:
        for given, name in zip(labellings, names, strict=True):
            inputs.as_labels(given, name, noise=noise)  # raises what is wrong
    columns = [column(given, name) for given, name in zip(labellings, names, strict=True)]
    for other, name in zip(columns[1:], names[1:], strict=True):
        if len(other) != len(columns[0]):
            msg = f"{names[0]} has {len(columns[0])} entries but {name} has {len(other)}."
            raise InputError(msg)
    return columns


def combinations_of(columns: Sequence[Column], noise: str) -> tuple[list[Integers], Integers, list[list[Any]]]:
    """Return the codes of the combinations of labels that occur, how often each does, and the names of the codes."""
    numbers, counts = tabulate([c.values for c in columns])
    codes, names = [], []
    for given, occurring in zip(columns, numbers, strict=True):
        distinct, inverse = np.unique(occurring, return_inverse=True)
        ranks, known = given.read(distinct)
        codes.append(ranks[inverse])
        names.append(known)
    lost = np.any([c < 0 for c in codes], axis=0)
    if noise == "drop":
        return [c[~lost] for c in codes], counts[~lost], names
    if noise == "singletons":
        # A combination of m points, some noise, falls apart into m of one point each.
        pieces = np.where(lost, counts, 1)
        codes, counts = [np.repeat(c, pieces) for c in codes], np.repeat(np.where(lost, 1, counts), pieces)
    named = [_with_noise(c, known, apart=noise == "singletons") for c, known in zip(codes, names, strict=True)]
    return [c for c, _ in named], counts, [known for _, known in named]


class NoisePoint:
    """The name of a cluster of one noise point; no two are equal, so that tables of parts add up."""

    def __repr__(self) -> str:
        return "noise"


def _with_noise(codes: Integers, names: list[Any], *, apart: bool) -> tuple[Integers, list[Any]]:
    lost = codes < 0
    count = int(np.count_nonzero(lost))
    if count == 0:
        return codes, names
    codes = codes.copy()
    if apart:
        codes[lost] = len(names) + np.arange(count)
        return codes, [*names, *(NoisePoint() for _ in range(count))]
    codes[lost] = len(names)
    return codes, [*names, "noise (missing)" if "noise" in names else "noise"]
