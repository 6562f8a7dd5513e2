"""Arrays and data frames of Dask: each of their partitions is a piece, computed where it is used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clustval.errors import InputError, optional
from clustval.readers.array_rows import column_numbers, vector_of
from clustval.readers.pieces import (
    Beside,
    Columns,
    Labellings,
    Piece,
    Rows,
    Table,
    Vector,
    Wanted,
    check_lengths,
    chosen_columns,
    cuts,
    rows_of_frame,
    rows_per_block,
)


def is_dask(value: Any) -> bool:
    """Return whether this is a collection of Dask, without loading Dask to see it."""
    return hasattr(value, "__dask_graph__") and hasattr(value, "to_delayed")


@dataclass(frozen=True)
class DaskPiece(Piece):
    """One partition: what Dask computes it from, the data themselves once they are computed."""

    lazy: Any  # of points, and of labels and weights that are collections, too
    columns: Columns | None  # of a frame
    positions: tuple[int, ...] | None  # of an array
    beside: Beside
    first: int | None
    count: int | None
    number: int
    data: Any = None

    @property
    def where(self) -> str:
        """Which partition it is."""
        return f"partition {self.number}"

    def without_data(self) -> DaskPiece:
        """Return what is sent along with data that a cluster computes."""
        return replace(self, lazy=None)

    def with_data(self, data: Any) -> DaskPiece:
        """Return the piece of data that are computed."""
        return replace(self, data=data)

    def blocks(self) -> Iterator[Rows]:
        """Compute the partition, unless a cluster has."""
        points, labels, weights = self.data or self.lazy.compute()
        for values, name in ((labels, "labels"), (weights, "sample_weight")):
            if values is not None and len(values) != len(points):
                msg = f"Partition {self.number} of X has {len(points)} rows but that of {name} has {len(values)}."
                raise InputError(msg)
        outside = Beside(
            vector_of(labels, "labels") or self.beside.labels, vector_of(weights, "") or self.beside.weights
        )
        if self.columns is not None:
            for low, high in cuts(len(points), rows_per_block(len(self.columns.names))):
                yield rows_of_frame(points.iloc[low:high], self.columns, outside, low)
            return
        for low, high in cuts(len(points), rows_per_block(np.shape(points)[-1] if np.ndim(points) == 2 else 1)):
            X = points[low:high] if np.ndim(points) == 1 else np.asarray(points[low:high])
            values = [None if v is None else v.rows(low, high) for v in (outside.labels, outside.weights)]
            yield Rows(X if self.positions is None else X[:, self.positions], *values)


def table_of_dask(X: Any, wanted: Wanted, beside: Beside) -> Table:
    """Return the table of a collection; labels and weights may be columns of it, other collections, or in memory."""
    columns, parts, lengths = _partitions(X, wanted)
    labels = wanted.labels.columns if isinstance(wanted.labels, Labellings) else (wanted.labels,)
    others = [each if is_dask(each) else None for each in (*labels, wanted.weights)]
    positions = None
    if columns is None and wanted.features is not None:
        positions = column_numbers(wanted.features, X.shape[1])
    values = [None if each is None else _of_column(each) for each in others]
    if lengths is None and (any(_cut_otherwise(parts, v) for v in values) or beside.labels or beside.weights):
        lengths = _lengths(parts)  # those of the collection are not known, and are left as they are
    names = [*("labels" for _ in labels), "sample_weight"]
    aligned = [None if v is None else _aligned(v, parts, lengths, name) for v, name in zip(values, names, strict=True)]
    delayed = optional("dask", "dask").delayed
    n = None if lengths is None else sum(lengths)
    check_lengths(n, beside)
    pieces, first = [], 0
    for at, part in enumerate(parts):
        count = None if lengths is None else lengths[at]
        lazy = delayed(_together, pure=False)(part, *(None if each is None else each[at] for each in aligned))
        outside = beside if count is None else beside.sliced(first, first + count)
        known = first if count is not None else None
        pieces.append(DaskPiece(lazy, columns, positions, outside, known, count, at))
        first += count or 0
    return Table(pieces, None if columns is None else columns.features, n)


def _together(points: Any, *others: Any) -> tuple[Any, Any, Any]:
    *labels, weights = others
    return points, labels[0] if len(labels) == 1 or labels[0] is None else Labellings(tuple(labels)), weights


def _partitions(X: Any, wanted: Wanted) -> tuple[Columns | None, list[Any], list[int] | None]:
    """Return the columns of a frame, the partitions, and how many rows they have if that is known."""
    if not hasattr(X, "chunks") or hasattr(X, "columns"):
        import narwhals as nw  # noqa: PLC0415

        types = dict(nw.from_native(X._meta, eager_only=True).schema)  # noqa: SLF001 - of Dask; an empty frame
        columns = chosen_columns(types, wanted, "the data frame")
        return columns, X[columns.names].to_delayed(), None
    if X.ndim == 1:
        return None, list(X.to_delayed()), _counts(X)
    if X.ndim != 2:
        msg = f"X must have rows and columns; it has {X.ndim} dimension{'s' if X.ndim != 1 else ''}."
        raise InputError(msg)
    whole_rows = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
    return None, list(whole_rows.to_delayed()[:, 0]), _counts(X)


def _counts(array: Any) -> list[int] | None:
    counts = list(array.chunks[0])
    return None if any(np.isnan(count) for count in counts) else [int(count) for count in counts]


@dataclass(frozen=True)
class LazyColumn:
    """The partitions of a collection of one dimension, and how many rows they have if that is known."""

    parts: list[Any]
    counts: list[int] | None


def _of_column(values: Any) -> LazyColumn:
    if getattr(values, "ndim", 1) != 1:
        msg = f"labels must have one dimension; they have {values.ndim}."
        raise InputError(msg)
    counts = _counts(values) if hasattr(values, "chunks") and not hasattr(values, "to_frame") else None
    return LazyColumn(list(np.ravel(values.to_delayed())), counts)


def _cut_otherwise(parts: list[Any], column: LazyColumn | None) -> bool:
    """Return whether a column is surely not cut where the points are, of which the cuts are not known."""
    return column is not None and len(column.parts) != len(parts)


def _lengths(parts: list[Any]) -> list[int]:
    dask = optional("dask", "dask")
    return list(dask.compute(*(dask.delayed(len)(part) for part in parts)))


def _aligned(column: LazyColumn, parts: list[Any], lengths: list[int] | None, name: str) -> list[Any]:
    """Return the partitions of a column, cut where the points are."""
    if lengths is None or column.counts == lengths:  # what is not known is looked at partition by partition
        return column.parts
    counts = column.counts or _lengths(column.parts)
    if sum(counts) != sum(lengths):
        msg = f"X has {sum(lengths)} rows but {name} has {sum(counts)} entries."
        raise InputError(msg)
    delayed = optional("dask", "dask").delayed
    begins = np.concatenate([[0], np.cumsum(counts)])
    aligned, low = [], 0
    for at in range(len(parts)):
        high = low + lengths[at]
        meeting = [i for i in range(len(counts)) if begins[i] < high and begins[i + 1] > low]
        slices = [(max(low - int(begins[i]), 0), high - int(begins[i])) for i in meeting]
        aligned.append(delayed(_joined)([column.parts[i] for i in meeting], slices))
        low = high
    return aligned


def _joined(parts: list[Any], slices: list[tuple[int, int]]) -> Any:
    """Return slices of parts as one array; names stay names, whatever the categories of a part."""
    pieces = [part[low:high] for part, (low, high) in zip(parts, slices, strict=True)]
    if len(pieces) == 1:
        return pieces[0]
    if all(isinstance(piece, np.ndarray) for piece in pieces):
        return np.concatenate(pieces) if pieces else np.empty(0)
    return [value for piece in pieces for value in Vector(piece).values]
