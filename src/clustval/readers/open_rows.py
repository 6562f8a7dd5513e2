"""Which input is read in blocks, and by what."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from clustval.errors import InputError
from clustval.homes.cell_files import zarr_array
from clustval.homes.rows_at_home import home_of
from clustval.readers.array_rows import rows_at_once, sliceable, table_of_arrays, table_of_vector, vector_of
from clustval.readers.cell_rows import rows_of_cells
from clustval.readers.dask_rows import is_dask, table_of_dask
from clustval.readers.file_rows import label_table_of_files, paths_of, rows_of_files
from clustval.readers.lazy_rows import table_of_lazy, table_of_reader
from clustval.readers.mixed_rows import mixed_rows
from clustval.readers.pieces import AT_ONCE, Beside, Labellings, Limits, Rows, Table, Wanted, is_path, is_paths


def in_blocks(X: Any) -> bool:
    """Return whether X is read in blocks: a path, or several, a mapped array, a lazy frame, of Dask, or chunks."""
    return (
        is_paths(X)
        or isinstance(X, np.memmap)
        or is_dask(X)
        or _is(X, "polars", "LazyFrame")
        or is_reader(X)
        or _has_chunks(X)
    )


def labels_in_blocks(labels: Any) -> bool:
    """Return whether labels are read in blocks; a list of texts is labels, not paths."""
    return in_blocks(labels) and not isinstance(labels, (list, tuple))


def _is(X: Any, package: str, name: str) -> bool:
    return type(X).__name__ == name and type(X).__module__.partition(".")[0] == package


def is_reader(X: Any) -> bool:
    """Return whether X is a reader of batches of Arrow, such as that of a stream or a socket."""
    return any(c.__name__ == "RecordBatchReader" and c.__module__.startswith("pyarrow") for c in type(X).__mro__)


def _has_chunks(X: Any) -> bool:
    """Return whether X is an array on disk such as Zarr's, which has chunks and is sliced."""
    return hasattr(X, "shape") and hasattr(X, "chunks") and hasattr(X, "__getitem__") and not isinstance(X, np.ndarray)


def rows_of(
    X: Any,
    labels: Any,
    *,
    features: Sequence[Any] | None = None,
    weights: Any = None,
    limits: Limits | None = None,
    use_rep: str | None = None,
    force: bool = False,
) -> Table | Rows:
    """Return the points, labels and weights of X: a table that is read in blocks, or all rows of a file without them.

    Rows of files that fit the limits are read once; None where others read them, on whatever machine. `use_rep` and
    `force` say which representation of annotated cells is the points.
    """
    if isinstance(features, str):
        features = [features]
    if labels is None:
        msg = "labels is missing; give one label per row, or the name of the column that has them."
        raise InputError(msg)
    if is_path(X):
        labels, weights = _name_or_path(labels), _name_or_path(weights)
        home = home_of(os.fspath(X), os.fspath(X), use_rep=use_rep, force=force)
        if home is not None:
            return rows_of_cells(home, Wanted(labels, features, weights), whole=limits is not None)
        array = zarr_array(os.fspath(X))
        if array is not None:
            beside = _beside(array, labels, weights)
            few = features is None and limits is not None and math.prod(array.shape) <= AT_ONCE
            return rows_at_once(array, beside) if few else _table(array, Wanted(labels, features, weights), beside)
    wanted, beside = Wanted(labels, features, weights), _beside(X, labels, weights)
    return rows_of_files(X, wanted, beside, limits) if is_paths(X) else _table(X, wanted, beside)


def mixed_rows_of(X: Any, labels: Any, *, features: Sequence[Any] | None, weights: Any, limits: Limits) -> Table | None:
    """Return a table of numbers and categories in files as blocks; None where it is one file that is read at once."""
    features = [features] if isinstance(features, str) else features
    labels, weights = _name_or_path(labels), _name_or_path(weights)
    return mixed_rows(X, Wanted(labels, features, weights), lambda: _beside(X, labels, weights), limits)


def _name_or_path(values: Any) -> Any:
    """Return a file of NumPy as a path, which is mapped, and any other path as text, which may also name a column."""
    if not is_path(values):
        return values
    text = os.fspath(values)
    return Path(text) if text.endswith(".npy") and Path(text).is_file() else text


def _table(X: Any, wanted: Wanted, beside: Beside) -> Table:
    if is_dask(X):
        return table_of_dask(X, wanted, beside)
    if _is(X, "polars", "LazyFrame"):
        return table_of_lazy(X, wanted, beside)
    if is_reader(X):
        return table_of_reader(X, wanted, beside)
    return table_of_arrays([sliceable(X)], beside, wanted.features)


def label_table(labellings: Mapping[str, Any], *, data: Any = None, weights: Any = None) -> Table:
    """Return the table of labellings that is read in blocks: columns of `data`, or arrays on disk or of Dask.

    The first stands in the place of points; keys are what the caller calls them.
    """
    truth, *others = labellings.values()
    labels = others[0] if len(others) == 1 else Labellings(tuple(others))
    if data is not None:
        _check_columns(labellings, data)
        wanted, beside = Wanted(labels, None, weights, truth), _beside(data, labels, weights)
        return label_table_of_files(data, wanted, beside) if is_paths(data) else _table(data, wanted, beside)
    _check_arrays(labellings)
    beside = _beside(truth, labels, weights)
    if is_dask(truth):
        return table_of_dask(truth, Wanted(labels, None, weights), beside)
    column = vector_of(truth, "truth")
    assert column is not None
    return table_of_vector(column.values, beside)


def _check_columns(labellings: Mapping[str, Any], data: Any) -> None:
    """Raise an error unless labellings are names, and the data have some."""
    if not in_blocks(data):
        msg = "data must be a path, a LazyFrame, a data frame of Dask; or a data frame in memory."
        raise InputError(msg)
    if not (is_paths(data) or _has_names(data)):
        msg = f"data must have names of columns, which {' and '.join(labellings)} are."
        raise InputError(msg)
    for name, values in labellings.items():
        if not isinstance(values, str):
            msg = f"With data=, {name} must be the name of a column; it is of type {type(values).__name__}."
            raise InputError(msg)


def _check_arrays(labellings: Mapping[str, Any]) -> None:
    """Raise an error unless labellings are of one length, where it is known, and no names."""
    (first, truth), *others = labellings.items()
    if hasattr(truth, "columns"):
        msg = f"{first} must be one column; give its name, and the data frame as data=."
        raise InputError(msg)
    for name, values in others:
        if isinstance(values, str) and not (is_path(truth) and _names_no_column(truth, values)):
            msg = f"{name} is {values!r}, a name, and no table has that column; give the table that has both as data=."
            raise InputError(msg)
        if is_dask(values) and not is_dask(truth):
            msg = f"{name} is a collection of Dask, so {first} must be one, too."
            raise InputError(msg)
        if len(others) > 1 and is_dask(truth) and not is_dask(values):
            msg = f"{first} is a collection of Dask, so {name} must be one, too."
            raise InputError(msg)
    if not is_dask(truth):
        lengths = {
            name: len(vector_of(values, name) or ()) for name, values in labellings.items() if not is_dask(values)
        }
        for name, length in lengths.items():
            if length != lengths[first]:
                msg = f"{first} has {lengths[first]} entries but {name} has {length}."
                raise InputError(msg)


def table_in_memory(X: Any, labels: Any, weights: Any = None) -> Table:
    """Return the table of an array that is in memory, read in blocks without a copy of it."""
    return table_of_arrays([X], _beside(X, labels, weights), None, held=Rows(X, labels, weights))


def _beside(X: Any, labels: Any, weights: Any) -> Beside:
    """Return labels and weights that are no columns of X."""
    vectors = []
    for values, name in ((labels, "labels"), (weights, "sample_weight")):
        one = values.columns[0] if isinstance(values, Labellings) else values
        outside = not isinstance(one, str) or (is_paths(X) and _names_no_column(X, one))
        vectors.append(vector_of(values, name) if outside and not is_dask(one) else None)
        if is_dask(values) and not is_dask(X):
            msg = f"{name} is a collection of Dask, so X must be one, too."
            raise InputError(msg)
        if isinstance(values, str) and not (is_paths(X) or _has_names(X)):
            msg = f"X has no names of columns, so that {name} cannot be {values!r}; give one entry per row."
            raise InputError(msg)
    return Beside(*vectors)


def _has_names(X: Any) -> bool:
    return _is(X, "polars", "LazyFrame") or is_reader(X) or hasattr(X, "columns")


def _names_no_column(X: Any, values: str) -> bool:
    """Return whether a text means a file of labels: points in files of NumPy have no columns that it could name."""
    return values.endswith(".npy") and all(path.endswith(".npy") for path in paths_of(X))
