"""Arrays that are read in blocks: in memory, mapped from a file, or anything that has a shape and can be sliced."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError
from clustval.file_faults import blamed
from clustval.files import npy_head
from clustval.homes.tensors import host_array, whole_floats
from clustval.readers.pieces import (
    Beside,
    Labellings,
    Piece,
    Rows,
    Stamp,
    Table,
    Vector,
    check_lengths,
    cuts,
    rows_per_block,
    rows_per_piece,
)


@dataclass(frozen=True)
class MappedArray:
    """An array in a file, by where it begins: it is opened by whoever reads it."""

    stamp: Stamp
    offset: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    order: Any = "C"
    brain: bool = False  # whether its numbers are of the type bfloat16, the upper half of float32

    @classmethod
    def of(cls, array: np.memmap[Any, Any]) -> MappedArray | None:
        """Return where a mapped array lies, or None for one that is only a view of it."""
        if array.filename is None or not isinstance(array.base, (type(None), mmap.mmap)):
            return None
        order = "C" if array.flags.c_contiguous else "F"
        return cls(Stamp.of(array.filename), array.offset, array.dtype, array.shape, order)

    @classmethod
    def of_npy(cls, path: str) -> MappedArray:
        """Read the head of a file of NumPy."""
        stamp = Stamp.of(path)
        with blamed(path), open(path, "rb") as file:  # noqa: PTH123
            return cls.of_open_npy(file, stamp)

    @classmethod
    def of_open_npy(cls, file: Any, stamp: Stamp) -> MappedArray:
        """Read the head of a file of NumPy that is open."""
        with blamed(stamp.path):
            shape, by_columns, dtype = npy_head(file, stamp.size, stamp.path)
            offset = file.tell()
        return cls(stamp, offset, dtype, shape, "F" if by_columns else "C")

    def __len__(self) -> int:
        return self.shape[0]

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return len(self.shape)

    def __getitem__(self, rows: Any) -> NDArray[Any]:
        self.stamp.check()  # to read behind the end of a file that was cut ends the process
        values: NDArray[Any] = self.mapped()[rows]
        return values

    def numbers(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Return rows as numbers; those of 16 bits as float32."""
        return whole_floats(rows) if self.brain else np.asarray(host_array(rows))

    def unread(self, low: int, high: int) -> MappedArray | NDArray[Any]:
        """Return some entries of an array of one dimension, by where they lie: whoever wants them reads them."""
        if self.ndim != 1 or high <= low:
            return self[low:high]
        return replace(self, offset=self.offset + low * self.dtype.itemsize, shape=(min(high, len(self)) - low,))

    def mapped(self) -> NDArray[Any]:
        """Map the file; whoever reads rows of it looks first whether it changed."""
        with blamed(self.stamp.path):
            return np.asarray(np.memmap(self.stamp.path, self.dtype, "r", self.offset, self.shape, self.order))


@dataclass(frozen=True)
class ArrayPiece(Piece):
    """Rows of an array."""

    array: Any
    low: int
    high: int
    beside: Beside
    first: int
    columns: tuple[int, ...] | None = None

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of rows."""
        return self.high - self.low

    @property
    def where(self) -> str:
        """The file, if it is one."""
        return self.array.stamp.path if isinstance(self.array, MappedArray) else "X"

    def blocks(self) -> Iterator[Rows]:
        """Slice the array."""
        step = rows_per_block(self.array.shape[-1] if len(self.array.shape) == 2 else 1)
        for low, high in cuts(self.count, step):
            # A file is mapped anew for each block: pages of a mapping stay in memory as long as that does.
            X = np.asarray(self.array[self.low + low : self.low + high])
            if X.ndim == 2:
                X = self.array.numbers(X) if isinstance(self.array, MappedArray) else host_array(X)
            values = [None if v is None else v.rows(low, high) for v in (self.beside.labels, self.beside.weights)]
            yield Rows(X if self.columns is None else X[:, self.columns], *values)


def sliceable(array: Any) -> Any:
    """Return an array as it is sliced by pieces: mapped ones by where they lie."""
    if isinstance(array, np.memmap):
        return MappedArray.of(array) or np.asarray(array)
    return array


def table_of_vector(values: Any, beside: Beside) -> Table:
    """Return the table of true labels, with labels beside them."""
    n = len(values)
    check_lengths(n, beside, "truth")
    pieces = [ArrayPiece(values, low, high, beside.sliced(low, high), low) for low, high in cuts(n, rows_per_piece(n))]
    return Table(pieces, None, n)


def table_of_arrays(arrays: Sequence[Any], beside: Beside, features: Sequence[Any] | None, held: Any = None) -> Table:
    """Return the table of arrays, one below the other."""
    widths = sorted({array.shape[1] if len(array.shape) == 2 else -1 for array in arrays})
    if widths[0] < 0:
        dimensions = next(len(array.shape) for array in arrays if len(array.shape) != 2)
        msg = f"X must have rows and columns; it has {dimensions} dimension{'s' if dimensions != 1 else ''}."
        raise InputError(msg)
    if len(widths) > 1:
        other = next(a for a in arrays if a.shape[1] != arrays[0].shape[1])
        msg = f"{_name(other)} has {other.shape[1]} columns, but {_name(arrays[0])} has {arrays[0].shape[1]}."
        raise InputError(msg)
    columns = None if features is None else column_numbers(features, widths[0])
    n = sum(array.shape[0] for array in arrays)
    check_lengths(n, beside)
    pieces, first = [], 0
    for array in arrays:
        for low, high in cuts(array.shape[0], rows_per_piece(n)):
            pieces.append(ArrayPiece(array, low, high, beside.sliced(first, first + high - low), first, columns))
            first += high - low
    return Table(pieces, None, n, held=held)


def rows_at_once(array: Any, beside: Beside) -> Rows:
    """Return all rows of an array in a file of few numbers, with what lies beside them."""
    labels, weights = (None if vector is None else vector.values[:] for vector in (beside.labels, beside.weights))
    return Rows(host_array(np.asarray(array[:])), labels, weights)


def _name(array: Any) -> str:
    return array.stamp.path if isinstance(array, MappedArray) else "X"


def column_numbers(features: Sequence[Any], width: int) -> tuple[int, ...]:
    """Return features of an array, which are numbers of columns, or raise an error that says which there are."""
    for feature in features:
        if isinstance(feature, bool) or not isinstance(feature, (int, np.integer)) or not 0 <= feature < width:
            msg = f"An array has no names: features must be columns from 0 to {width - 1}; one is {feature!r}."
            raise InputError(msg)
    return tuple(int(feature) for feature in features)


def vector_of(values: Any, name: str) -> Vector | None:
    """Return labels or weights that lie beside the table: an array, a list, a column, or a file of NumPy."""
    if values is None:
        return None
    if isinstance(values, Labellings):
        vectors = (vector_of(column, name) for column in values.columns)
        return Vector(Labellings(tuple(vector.values for vector in vectors if vector is not None)))
    if isinstance(values, (str, os.PathLike)):
        array = MappedArray.of_npy(os.fspath(values))
        if array.ndim != 1:
            msg = f"{name} must have one dimension; {os.fspath(values)} has {array.ndim}."
            raise InputError(msg)
        return Vector(array)
    if isinstance(values, np.memmap):
        return Vector(sliceable(values))
    if hasattr(values, "iloc"):  # slices of pandas go by position only this way
        return Vector(PandasColumn(values))
    vector = values if hasattr(values, "__getitem__") and hasattr(values, "__len__") else np.asarray(values)
    if isinstance(vector, np.ndarray) and not vector.ndim:  # such as an estimator, which labels points in memory
        msg = (
            f"{name} must have one entry per row, or be the name of a column, where X is read from a file or in "
            f"blocks; it is of type {type(values).__name__}."
        )
        raise InputError(msg)
    return Vector(vector)


@dataclass(frozen=True)
class PandasColumn:
    """A column of pandas that is sliced by position."""

    column: Any

    def __len__(self) -> int:
        return len(self.column)

    def __getitem__(self, rows: slice) -> Any:
        return self.column.iloc[rows]
