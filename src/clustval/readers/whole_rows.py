"""Tables that are read at once, as the program reads them: points, labels and weights of a file, in memory."""

from __future__ import annotations

import os
from typing import Any

from clustval.errors import InputError
from clustval.files import located
from clustval.homes.embeddings import warn_of_lists
from clustval.homes.identifiers import warn_of_identifiers
from clustval.labels import plain
from clustval.readers.file_table import FileTable
from clustval.readers.pieces import Beside, HeldPiece, Labellings, Rows, Table, Wanted, check_lengths, is_path


def whole_rows(table: FileTable, wanted: Wanted, beside: Beside) -> Rows:
    """Return the points of a table, a frame of numbers, with labels and weights from it or from elsewhere."""
    check_lengths(table.n, beside)
    labels = table.labels(os.fspath(wanted.labels)) if is_path(wanted.labels) else wanted.labels
    return Rows(_points(table, wanted, labels), labels, _weights(table, wanted))


def mixed_file(path: Any, labels: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Return the table in a file with its types, as Gower's distance compares it, and its labels and weights.

    Names of its columns stay names; labels and weights of another file are read.
    """
    table = FileTable.read(located(os.fspath(path))).with_dates()

    def values(value: Any) -> Any:
        return table.labels(os.fspath(value)) if is_path(value) and os.fspath(value) not in table.columns else value

    return table.frame, values(labels), values(weights)


def _points(table: FileTable, wanted: Wanted, labels: Any) -> Any:
    """Return the features, or all columns of numbers but labels, weights, and those that hold the same as `labels`."""
    import polars as pl  # noqa: PLC0415

    features = [] if wanted.features is None else [str(feature) for feature in wanted.features]
    if wanted.features is not None and not features:
        msg = "features is empty; points need at least one column."
        raise InputError(msg)
    copies = []
    if not features:
        names = labels if isinstance(labels, pl.Series) else pl.Series(plain(labels, "labels"), strict=False)
        copies = table.copies([names], wanted.names)
    columns, others, identifiers = table.chosen(features, [*wanted.names, *copies])
    if identifiers:
        warn_of_identifiers(identifiers, table.name)
    warn_of_lists(table.embeddings(others), table.name)
    table.warn_of_decimal_commas(others)
    if table.columns_of(columns) != columns or all(table.columns[name].dtype == pl.Float32 for name in columns):
        return table.numbers(columns)
    return pl.DataFrame({name: table.number_column(name) for name in columns})


def whole_labels(table: FileTable, wanted: Wanted, beside: Beside) -> Table:
    """Return the table of labellings in a file that was read at once, as one piece."""
    check_lengths(table.n, beside)
    several = wanted.labels.columns if isinstance(wanted.labels, Labellings) else (wanted.labels,)
    columns = tuple(table.labels(name) for name in several)
    labels = columns[0] if len(columns) == 1 else Labellings(columns)
    rows = Rows(table.labels(str(wanted.truth)), labels, _weights(table, wanted))
    return Table([HeldPiece((rows,), 0, table.n, table.name)], None, table.n)


def _weights(table: FileTable, wanted: Wanted) -> Any:
    return table.other_numbers(os.fspath(wanted.weights)) if is_path(wanted.weights) else wanted.weights
