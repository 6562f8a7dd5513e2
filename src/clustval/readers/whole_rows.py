"""Tables that are read at once: points, labels and weights of a file, in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from clustval.errors import InputError
from clustval.readers.file_table import FileTable
from clustval.readers.pieces import Beside, HeldPiece, Labellings, Rows, Table, Wanted


def whole_table(table: FileTable, wanted: Wanted, beside: Beside) -> Table:
    """Return the table of a file that was read at once, its rows held in memory."""
    labels = _labels(table, wanted.labels, beside)
    weights: Any = None if beside.weights is None else beside.weights.values
    if isinstance(wanted.weights, str):
        weights = table.other_numbers(wanted.weights)
    if wanted.truth is not None:
        rows = Rows(table.labels(wanted.truth), labels, weights)
        return Table([HeldPiece((rows,), 0, table.n, table.name)], None, table.n, held=rows)
    points = points_of_table(table, wanted.features, wanted.names, () if isinstance(labels, Labellings) else [labels])
    rows = Rows(points, labels, weights)
    return Table([HeldPiece((rows,), 0, table.n, table.name)], points.columns, table.n, held=rows)


def _labels(table: FileTable, labels: Any, beside: Beside) -> Any:
    if isinstance(labels, Labellings):
        return Labellings(tuple(table.labels(each) if isinstance(each, str) else each for each in labels.columns))
    if isinstance(labels, str) and beside.labels is None:
        return table.labels(labels)
    return labels if beside.labels is None else beside.labels.values


def points_of_table(
    table: FileTable, features: Sequence[Any] | None, used: Iterable[str] = (), labels: Sequence[Any] = ()
) -> Any:
    """Return the points of a table as a frame: the features, or all columns of numbers but those used otherwise.

    Left out is also what holds the same as `labels`, which may come from elsewhere.
    """
    import polars as pl  # noqa: PLC0415

    names = [] if features is None else [str(feature) for feature in features]
    series = [column for column in labels if isinstance(column, pl.Series)]
    others = [*used, *table.copies(series, set(used))]
    columns, _ = table.chosen(names, others)
    return pl.DataFrame({name: table.number_column(name) for name in columns})


def points_in_memory(X: Any, features: Any = None, used: Iterable[str] = ()) -> Any:
    """Return X, read from its file if it is a path; features are names of columns of that file.

    Left out of the points are the columns `used` otherwise.
    """
    if not isinstance(X, (str, os.PathLike)):
        if features is not None:
            msg = "features is for data that are read from a file, and name its columns; X is in memory."
            raise InputError(msg)
        return X
    names = [features] if isinstance(features, str) else features
    return points_of_table(FileTable.read(os.fspath(X)), names, used)
