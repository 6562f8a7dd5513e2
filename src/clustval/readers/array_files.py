"""Files of several arrays by name, NPZ and safetensors: each array is mapped where it lies, and read in blocks."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError, suggestion
from clustval.file_faults import blamed
from clustval.files import ENCRYPTED, ZIPPED, npy_head
from clustval.homes.tensors import SUFFIX, tensor_places
from clustval.readers.array_rows import MappedArray, table_of_arrays
from clustval.readers.file_table import listed_arrays, unclear_points
from clustval.readers.pieces import AT_ONCE, Beside, Stamp, Table, Vector, Wanted

HEADER = 30  # bytes of the head of a member of a zip archive, before its name
Arrays = Mapping[str, MappedArray]


def arrays_in(file: IO[bytes], head: bytes, stamp: Stamp) -> Arrays | None:
    """Return where the arrays of an open file lie, by name; None if it is no such file, or they are packed."""
    with blamed(stamp.path):
        if head.startswith(ZIPPED):
            return _in_archive(file, stamp)
        if stamp.path.endswith(SUFFIX):
            places = tensor_places(file, stamp.size, stamp.path)
            return {
                name: MappedArray(stamp, place.offset, place.dtype, place.shape, brain=place.brain)
                for name, place in places.items()
            }
    return None


def _in_archive(file: IO[bytes], stamp: Stamp) -> Arrays | None:
    arrays = {}
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
    for member in members:
        plain = member.compress_type == zipfile.ZIP_STORED and not member.flag_bits & ENCRYPTED
        if not plain or not member.filename.endswith(".npy"):
            return None
        file.seek(member.header_offset)
        head = file.read(HEADER)
        begin = member.header_offset + HEADER + sum(int.from_bytes(head[at : at + 2], "little") for at in (26, 28))
        file.seek(begin)
        shape, by_columns, dtype = npy_head(file, min(begin + member.file_size, stamp.size), stamp.path)
        order = "F" if by_columns else "C"
        arrays[member.filename.removesuffix(".npy")] = MappedArray(stamp, file.tell(), dtype, shape, order)
    return arrays


def points_in(arrays: Arrays, wanted: Wanted) -> str | None:
    """Return the array that is the points: the one named, or the only one of rows; None where columns are mixed."""
    matrices = [name for name, array in arrays.items() if array.ndim == 2]
    if wanted.features is not None:
        names = [str(feature) for feature in wanted.features]
        return names[0] if len(names) == 1 and names[0] in matrices else None
    others = [name for name in arrays if name not in {*matrices, *wanted.names}]
    return matrices[0] if len(matrices) == 1 and not others else None


def are_many(arrays: Arrays, wanted: Wanted) -> bool:
    """Return whether the points are an array of so many numbers that it is read in blocks."""
    name = points_in(arrays, wanted)
    return name is not None and arrays[name].shape[0] * arrays[name].shape[1] > AT_ONCE


def table_of_named(files: Mapping[str, Arrays], wanted: Wanted, beside: Beside) -> Table:
    """Return the points of files of arrays, by path, one below the other, with labels and weights of theirs."""

    def vector(value: Any, other: Vector | None) -> Vector | None:
        if other is not None or not isinstance(value, str):
            return other
        return Vector(Joined(tuple(_column(path, arrays, value) for path, arrays in files.items())))

    own = Beside(vector(wanted.labels, beside.labels), vector(wanted.weights, beside.weights))
    points = []
    for path, arrays in files.items():
        name = points_in(arrays, wanted)
        if name is None:
            given = "" if wanted.features is None else f"; features is {', '.join(map(repr, wanted.features))}"
            raise unclear_points(path, _shapes(arrays), given=given)
        points.append(arrays[name])
    return table_of_arrays(points, own, None)


def _column(path: str, arrays: Arrays, name: str) -> MappedArray:
    """Return an array of one entry for each row, or raise an error with the names that there are."""
    if name not in arrays:
        hint = suggestion(name, arrays) or f"It has {listed_arrays(_shapes(arrays))}."
        msg = f"{path} has no array {name!r}. {hint}"
        raise InputError(msg)
    if arrays[name].ndim != 1:
        msg = f"The array {name!r} of {path} must have one entry for each row; it has {arrays[name].ndim} dimensions."
        raise InputError(msg)
    return arrays[name]


def _shapes(arrays: Arrays) -> dict[str, tuple[int, ...]]:
    return {name: array.shape for name, array in arrays.items()}


@dataclass(frozen=True)
class Joined:
    """Entries of several arrays in files, one array after another."""

    parts: tuple[MappedArray, ...]

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    def __getitem__(self, rows: slice) -> NDArray[Any]:
        low, high, _ = rows.indices(len(self))
        some = [part[:] for part in self.unread(low, high).parts]
        return np.concatenate(some) if some else self.parts[0][:0]

    def unread(self, low: int, high: int) -> Joined:
        """Return some entries, by where they lie: whoever wants them reads them."""
        parts: list[Any] = []
        first = 0
        for part in self.parts:
            begin, end = max(low - first, 0), min(high - first, len(part))
            if begin < end:
                parts.append(part.unread(begin, end))
            first += len(part)
        return Joined(tuple(parts))
