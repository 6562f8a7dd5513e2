"""Columns that hold a list of numbers in each row, as embeddings of text and images are kept."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError
from clustval.homes.tensors import host_array


def is_embedding(column: Any) -> bool:
    """Return whether a column of narwhals holds lists, arrays of a fixed size, or objects that are those.

    >>> import narwhals as nw
    >>> import pandas as pd
    >>> is_embedding(nw.from_native(pd.Series([[1.0, 2.0], [3.0, 4.0]]), series_only=True))
    True
    """
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    if isinstance(column.dtype, (nw.List, nw.Array)):
        return True
    if column.dtype != nw.Object:
        return False
    known = column.drop_nulls().head(1).to_list()
    return bool(known) and (isinstance(known[0], (list, tuple)) or getattr(known[0], "ndim", 0) > 0)


def only_lists(frame: Any) -> Any:
    """Return the column of a frame of narwhals that has no other, if it holds lists; else None."""
    column = frame.get_column(frame.columns[0]) if len(frame.columns) == 1 else None
    return column if column is not None and is_embedding(column) else None


def warn_of_lists(names: Sequence[str], where: str) -> None:
    """Say in a warning which column of lists was left out beside columns of numbers."""
    if names:
        msg = f"Column {names[0]!r} of {where} holds lists and is left out; features={names[0]!r} takes it as points."
        warnings.warn(msg, UserWarning, stacklevel=3)


def matrix_of(column: Any, where: str, *, first: int = 0, width: int | None = None) -> NDArray[Any]:
    """Return a column of lists as an array of one row each; numbers of 32 bits and fewer have 32 bits.

    Of a table that is read in blocks, `first` is the number of the first row, and `width` the length of all lists.
    """
    name = f"Column {column.name!r} of {where}"
    missing = column.is_null().to_numpy()
    if missing.any():
        count = int(missing.sum())
        more = "in all" if width is None else "among those read with it"
        msg = f"{name} is missing in row {first + int(missing.argmax())}; fill or drop such rows ({count} {more})."
        raise InputError(msg)
    lengths, numbers = _flat(column, name)
    length = width or (lengths[0] if len(lengths) else 0)
    if (lengths != length).any():
        row = int((lengths != length).argmax())
        other = f"row {first + row} has {lengths[row]}"
        msg = f"{name} must hold lists of one length; row 0 has {length} numbers and {other}."
        raise InputError(msg)
    if not len(lengths) or lengths[0] == 0:
        msg = f"{name} holds no numbers."
        raise InputError(msg)
    if numbers.dtype.kind not in "fiub":
        msg = f"{name} must hold lists of numbers; its lists hold values of type {numbers.dtype}."
        raise InputError(msg)
    matrix = np.ascontiguousarray(numbers).reshape(len(lengths), -1)
    return host_array(matrix) if matrix.dtype.kind == "f" else matrix.astype(np.float64)


def _flat(column: Any, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the length of each row, and all numbers one after another."""
    native = column.to_native()
    if column.implementation.is_polars():
        native = native.arr.to_list() if hasattr(native.dtype, "size") and native.dtype.size is not None else native
        lengths = native.list.len().to_numpy()
        return lengths, native.filter(native.list.len() > 0).explode().to_numpy()
    if column.implementation.is_pyarrow() or "pyarrow" in str(getattr(native, "dtype", "")):
        return _flat_arrow(native)
    rows = [np.asarray(row) for row in column.to_list()]
    bad = next((at for at, row in enumerate(rows) if row.ndim != 1), None)
    if bad is not None:
        msg = f"{name} must hold lists of numbers; row {bad} is of type {type(column.to_list()[bad]).__name__}."
        raise InputError(msg)
    lengths = np.array([len(row) for row in rows])
    return lengths, np.concatenate(rows) if rows else np.empty(0)


def _flat_arrow(native: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    import pyarrow as pa  # noqa: PLC0415 - the column comes from it
    import pyarrow.compute as pc  # noqa: PLC0415

    values = pa.array(native) if not isinstance(native, (pa.Array, pa.ChunkedArray)) else native
    lengths = pc.list_value_length(values).to_numpy()
    flat = pc.list_flatten(values)
    return lengths, flat.to_numpy() if isinstance(flat, pa.ChunkedArray) else flat.to_numpy(zero_copy_only=False)
