"""Which input is read in blocks, and by what."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from clustval.errors import InputError
from clustval.readers.array_rows import sliceable, table_of_arrays, table_of_vector, vector_of
from clustval.readers.dask_rows import is_dask, table_of_dask
from clustval.readers.file_rows import is_path, paths_of, table_of_files
from clustval.readers.lazy_rows import table_of_lazy, table_of_reader
from clustval.readers.pieces import Beside, Rows, Table, Wanted


def in_blocks(X: Any) -> bool:
    """Return whether X is read in blocks: a path, a mapped array, a lazy frame, a collection of Dask, or chunks."""
    return (
        is_path(X)
        or isinstance(X, np.memmap)
        or is_dask(X)
        or _is(X, "polars", "LazyFrame")
        or _is(X, "pyarrow", "RecordBatchReader")
        or _has_chunks(X)
    )


def _is(X: Any, package: str, name: str) -> bool:
    return type(X).__name__ == name and type(X).__module__.partition(".")[0] == package


def _has_chunks(X: Any) -> bool:
    """Return whether X is an array on disk such as Zarr's, which has chunks and is sliced."""
    return hasattr(X, "shape") and hasattr(X, "chunks") and hasattr(X, "__getitem__") and not isinstance(X, np.ndarray)


def table_of(X: Any, labels: Any, *, features: Sequence[Any] | None = None, weights: Any = None) -> Table:
    """Return the table of points, labels and weights that is read in blocks, after a look at its columns."""
    if isinstance(features, str):
        features = [features]
    if labels is None:
        msg = "labels is missing; give one label per row, or the name of the column that has them."
        raise InputError(msg)
    return _table(X, Wanted(labels, features, weights), _beside(X, labels, weights))


def _table(X: Any, wanted: Wanted, beside: Beside) -> Table:
    if is_path(X):
        return table_of_files(str(X), wanted, beside)
    if is_dask(X):
        return table_of_dask(X, wanted, beside)
    if _is(X, "polars", "LazyFrame"):
        return table_of_lazy(X, wanted, beside)
    if _is(X, "pyarrow", "RecordBatchReader"):
        return table_of_reader(X, wanted, beside)
    return table_of_arrays([sliceable(X)], beside, wanted.features)


def pair_table(truth: Any, labels: Any, *, data: Any = None, weights: Any = None) -> Table:
    """Return the table of two labellings that is read in blocks: columns of `data`, or arrays on disk or of Dask."""
    if data is not None:
        if not in_blocks(data):
            msg = "data must be a path, a LazyFrame or a data frame of Dask; of a table in memory, pass the columns."
            raise InputError(msg)
        if not (is_path(data) or _has_names(data)):
            msg = "data must have names of columns, which truth and labels are."
            raise InputError(msg)
        for values, name in ((truth, "truth"), (labels, "labels")):
            if not isinstance(values, str):
                msg = f"With data=, {name} must be the name of a column; it is of type {type(values).__name__}."
                raise InputError(msg)
        return _table(data, Wanted(labels, None, weights, truth), _beside(data, labels, weights))
    beside = _beside(truth, labels, weights)
    if is_dask(truth):
        if hasattr(truth, "columns"):
            msg = "truth must be one column; give its name, and the data frame as data=."
            raise InputError(msg)
        return table_of_dask(truth, Wanted(labels, None, weights), beside)
    column = vector_of(truth, "truth")
    assert column is not None
    if isinstance(labels, str) and beside.labels is None:
        msg = f"labels is {labels!r}, a name, but truth is an array; give the table that has both columns as data=."
        raise InputError(msg)
    return table_of_vector(column.values, beside)


def table_in_memory(X: Any, labels: Any, weights: Any = None) -> Table:
    """Return the table of an array that is in memory, read in blocks without a copy of it."""
    return table_of_arrays([X], _beside(X, labels, weights), None, held=Rows(X, labels, weights))


def _beside(X: Any, labels: Any, weights: Any) -> Beside:
    """Return labels and weights that are no columns of X."""
    vectors = []
    for values, name in ((labels, "labels"), (weights, "sample_weight")):
        outside = not isinstance(values, str) or (is_path(X) and _names_no_column(X, values))
        vectors.append(vector_of(values, name) if outside and not is_dask(values) else None)
        if is_dask(values) and not is_dask(X):
            msg = f"{name} is a collection of Dask, so X must be one, too."
            raise InputError(msg)
        if isinstance(values, str) and not (is_path(X) or _has_names(X)):
            msg = f"X has no names of columns, so that {name} cannot be {values!r}; give one entry per row."
            raise InputError(msg)
    return Beside(*vectors)


def _has_names(X: Any) -> bool:
    return _is(X, "polars", "LazyFrame") or _is(X, "pyarrow", "RecordBatchReader") or hasattr(X, "columns")


def _names_no_column(X: Any, values: str) -> bool:
    """Return whether a text means a file of labels: points in files of NumPy have no columns that it could name."""
    return values.endswith(".npy") and all(path.endswith(".npy") for path in paths_of(str(X)))
