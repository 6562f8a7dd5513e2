"""Points and values of rows in memory, wherever they live: what every verb takes that does not read in blocks."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from clustval import inputs
from clustval.arrays import Floats
from clustval.errors import InputError
from clustval.homes.cell_files import StoredRows, has_cells, zarr_array
from clustval.homes.embeddings import warn_of_lists
from clustval.homes.identifiers import warn_of_identifiers
from clustval.homes.odd_columns import warn_of_columns
from clustval.homes.rows_at_home import has_columns, is_names, partitions_at_home, rows_at_home
from clustval.homes.series import is_warping
from clustval.readers.file_rows import paths_of
from clustval.readers.file_table import FileTable
from clustval.readers.pieces import is_path

Features = str | Sequence[Any]
AS_POINTS = "Here its rows are taken as points."


def rows_in_memory(
    X: Any,
    values: Mapping[str, Any],
    *,
    features: Features | None = None,
    metric: Any = "euclidean",
    use_rep: str | None = None,
    force: bool = False,
    name: str = "X",
) -> tuple[Any, dict[str, Any]]:
    """Return the points of X, and values of its rows, by what the caller calls them.

    X is what has rows in memory, a lazy frame, annotated cells or a path. Values that are names become the columns of
    X, or of another file beside a path (FILE:COL), and these columns are no points. `features` are the columns that
    are; `use_rep` and `force` say which representation of annotated cells is. Errors call X by its `name`.
    """
    if type(X) is np.ndarray and features is None:  # as in most calls, which ask no further
        return rows_at_home(X, values, use_rep=use_rep, force=force, name=name)
    names = [features] if isinstance(features, str) else features
    table = _table_of(X)
    if table is not None:
        _check_tables(use_rep, table.name)
        points, columns = _of_table(table, values, names, metric)
        if names is None:
            warn_of_columns(points, metric)
        return points, columns
    X = _opened(X)
    home: dict[str, Any] = {"metric": metric, "use_rep": use_rep, "force": force, "name": name}
    points, columns = rows_at_home(X, values, features=names, **home)
    if names is None:
        warn_of_columns(points, metric)
    return (np.asarray(points) if isinstance(points, StoredRows) else points), columns


def points_in_memory(X: Any, **home: Any) -> Any:
    """Return the points of X, wherever they live; options as in `rows_in_memory`."""
    return rows_in_memory(X, {}, **home)[0]


def coordinates_in_memory(X: Any, **home: Any) -> Floats:
    """Return the coordinates of X, wherever they live, for verbs that take nothing else."""
    points = inputs.as_points(points_in_memory(X, **home))
    inputs.doubt_distances(points, AS_POINTS)
    return points


def partitions_in_memory(
    X: Any,
    partitions: Any,
    *,
    features: Features | None = None,
    metric: Any = "euclidean",
    use_rep: str | None = None,
    force: bool = False,
    weights: Any = None,
) -> tuple[Any, Any, Any]:
    """Return the points of X, partitions and weights; names of these, if they are columns of X, became the columns."""
    home: dict[str, Any] = {"features": features, "metric": metric, "use_rep": use_rep, "force": force}
    names = [partitions] if isinstance(partitions, str) else partitions
    X = _opened(X)
    if is_names(names) and (is_path(X) or features is not None or has_columns(X, names)):
        named = {"sample_weight": weights} | {f"partition {name}": name for name in names}
        points, columns = rows_in_memory(X, named, **home)
        return points, {name: columns[f"partition {name}"] for name in names}, columns["sample_weight"]
    if features is None and not is_path(X) and not isinstance(weights, str):
        points, partitions = partitions_at_home(X, partitions, metric=metric, use_rep=use_rep, force=force)
        warn_of_columns(points, metric)
        return points, partitions, weights
    points, columns = rows_in_memory(X, {"sample_weight": weights}, **home)
    return points, partitions, columns["sample_weight"]


def has_named_columns(X: Any, names: Any) -> bool:
    """Return whether X has columns by name, and some of these names among them; X may be a path."""
    if not is_path(X) or not is_names(names):
        return has_columns(_opened(X), names)
    table = _table_of(X)
    return has_columns(X, names) if table is None else any(table.has(name) for name in names)


def _opened(X: Any) -> Any:
    """Return a lazy frame as the frame that it makes, and anything else as it is."""
    lazy = type(X).__name__ == "LazyFrame" and hasattr(X, "collect")
    array = zarr_array(os.fspath(X)) if is_path(X) else None
    return X.collect() if lazy else X if array is None else array[:]


def _table_of(X: Any) -> FileTable | None:
    """Return the table in the files that a path means; None if X is no path, or one of cells or of an array of Zarr."""
    if not is_path(X):
        return None
    path = os.fspath(X)
    if has_cells(path) or zarr_array(path) is not None:
        return None
    tables = [FileTable.read(each) for each in paths_of(path)]
    if len(tables) == 1:
        return tables[0]
    import polars as pl  # noqa: PLC0415 - files are read by it

    first = tables[0]
    for table in tables[1:]:
        if list(table.columns) != list(first.columns):
            msg = f"{table.name} and {first.name} have other columns; the files of one table must be alike."
            raise InputError(msg)
    return FileTable(pl.concat([table.frame for table in tables], how="vertical_relaxed"), path, shapes=first.shapes)


def _of_table(
    table: FileTable, values: Mapping[str, Any], features: Sequence[Any] | None, metric: Any
) -> tuple[Any, dict[str, Any]]:
    texts = {what: os.fspath(value) for what, value in values.items() if is_path(value)}
    columns = {what: table.labels(texts[what]) if what in texts else value for what, value in values.items()}
    used = [name for name in texts.values() if name in table.columns]
    return _points(table, used, features, metric), columns


def _points(table: FileTable, used: Collection[str], features: Sequence[Any] | None, metric: Any) -> Any:
    """Return the points of a table: the features, or all columns that are not used; of numbers, unless it is mixed."""
    if features is not None and not len(features):
        msg = "features is empty; points need at least one column."
        raise InputError(msg)
    if metric == "gower":
        return _of_all_types(table.with_dates(), used, features)
    wanted = [] if features is None else [str(feature) for feature in features]
    columns, others, identifiers = table.chosen(wanted, used)
    if identifiers:
        warn_of_identifiers(identifiers, table.name)
    warn_of_lists(table.embeddings(others), table.name)
    table.warn_of_decimal_commas(others)
    if metric == "precomputed" or is_warping(metric) or table.columns_of(columns) != columns:
        return table.numbers(columns)
    import polars as pl  # noqa: PLC0415

    if all(table.columns[name].dtype == pl.Float32 for name in columns):
        return table.numbers(columns)
    return pl.DataFrame({name: table.number_column(name) for name in columns})


def _of_all_types(table: FileTable, used: Collection[str], features: Sequence[Any] | None) -> Any:
    """Return columns of all types: the features, or all that are not used and do not count or name the rows."""
    if features is not None:
        names = [name for feature in features for name in table.expanded(str(feature))]
        return table.frame.select(names) if table.columns_of(names) == names else table.numbers(names)
    rest = [name for name in table.columns if name not in used]
    counters = table.counters(rest)
    names = [name for name in rest if name not in counters]
    identifiers = table.identifiers(names)
    if identifiers:
        warn_of_identifiers(identifiers, table.name)
    return table.frame.select([name for name in names if name not in identifiers])


def _check_tables(use_rep: str | None, name: str) -> None:
    if use_rep is not None:
        msg = f"use_rep is for annotated cells, AnnData or MuData or their files; {name} is a table."
        raise InputError(msg)
