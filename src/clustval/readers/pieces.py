"""What a table is that is read in blocks: pieces that say where rows are, and give them as arrays when asked.

A piece is a description, a path and some rows, that is sent to whoever reads it; data are not sent.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError, suggestion
from clustval.homes.embeddings import matrix_of
from clustval.whole_numbers import check_whole

AT_ONCE = 2**22  # numbers, 32 MiB: a file of so few is read at once, and every index can be computed
CELLS = 2**20  # numbers in a block: few enough for the cache, so many that what is done once for each costs little
FEWEST_ROWS, MOST_ROWS = 2**19, 2**21  # of a piece that can be cut anywhere
COPIES = 4  # of the points that computing in memory takes
PIECES = 32  # enough to keep workers busy to the end; each costs a cluster some milliseconds, whatever its rows


@dataclass(frozen=True)
class Labellings:
    """Several labellings of the same rows, sliced together."""

    columns: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.columns[0])

    def __getitem__(self, rows: slice) -> Labellings:
        return Labellings(tuple(column[rows] for column in self.columns))

    def unread(self, low: int, high: int) -> Labellings:
        """Return the labellings of some rows, those in files by where they lie."""
        return Labellings(tuple(Vector(column).cut(low, high).values for column in self.columns))


class Rows(NamedTuple):
    """Points of a block as they came, their labels, and their weights if there are any."""

    X: Any
    labels: Any
    weights: Any = None

    def __len__(self) -> int:
        return len(self.X)


@dataclass(frozen=True)
class Columns:
    """Which columns of a frame are the points, which the labels and which the weights, if they are not elsewhere.

    Where labellings are compared, a column of true labels is in the place of points, and labels may be several.
    """

    features: tuple[str, ...]
    labels: tuple[str, ...] = ()
    weights: str | None = None
    truth: str | None = None
    widths: tuple[int, ...] = ()  # numbers that each feature gives in a row; none where all give one

    @property
    def parts(self) -> tuple[str, ...]:
        """A name for each number of a point: a column of lists gives several, embedding0, embedding1, ..."""
        lists = self.widths or (0,) * len(self.features)
        return tuple(
            part
            for name, width in zip(self.features, lists, strict=True)
            for part in ([f"{name}{j}" for j in range(width)] if width else [name])
        )

    @property
    def width(self) -> int:
        """How many numbers are read of a row."""
        return len(self.parts) + len(self.names) - len(self.features)

    @property
    def names(self) -> list[str]:
        """All columns that are read."""
        beside = filter(None, (self.truth, *self.labels, self.weights))
        return list(dict.fromkeys([*self.features, *beside]))


@dataclass(frozen=True)
class Wanted:
    """What is to be read of a table, as the caller says it: names of columns, or values that lie beside it."""

    labels: Any
    features: Sequence[Any] | None = None
    weights: Any = None
    truth: str | None = None

    @property
    def names(self) -> list[str]:
        """Columns that are wanted as truth, labels or weights, and so are no points."""
        labels = self.labels.columns if isinstance(self.labels, Labellings) else (self.labels,)
        return [name for name in (self.truth, *labels, self.weights) if isinstance(name, str)]


class Vector:
    """Values of all rows that lie beside the table: an array in memory, or on disk."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    def rows(self, low: int, high: int) -> Any:
        """Return the values of some rows."""
        return self.values[low:high]

    def cut(self, low: int, high: int) -> Vector:
        """Return the values of some rows, and no others, as they travel with a piece: those in a file unread."""
        unread = getattr(self.values, "unread", None)
        return Vector(self.values[low:high] if unread is None else unread(low, high))


class Place(NamedTuple):
    """Where a frame was read, for messages: the file, and the number of its first row there."""

    where: str
    row: int


class Piece(ABC):
    """Some rows of a table, after `first` others; None if it is not known how many these are."""

    first: int | None
    count: int | None  # rows, None if it is not known

    @abstractmethod
    def blocks(self) -> Iterator[Rows]:
        """Read the rows, a block at a time."""

    def __str__(self) -> str:
        rows = "" if self.count is None or self.first is None else f"rows {self.first} to {self.first + self.count - 1}"
        return " of ".join(filter(None, [rows, self.where])) or "rows"

    @property
    def where(self) -> str:
        """Where the rows are, for messages."""
        return ""


@dataclass(frozen=True)
class HeldPiece(Piece):
    """Rows that were read before and stay in memory, block by block as they came."""

    held: tuple[Rows, ...]
    first: int | None = 0
    count: int | None = None
    origin: str = ""

    @property
    def where(self) -> str:
        """Where the rows were read from."""
        return self.origin

    def blocks(self) -> Iterator[Rows]:
        """Give the blocks again."""
        return iter(self.held)


def held(piece: Piece) -> HeldPiece:
    """Read the rows of a piece once, for all passes: the same blocks, and so the same bits."""
    return HeldPiece(tuple(piece.blocks()), piece.first, piece.count, piece.where)


@dataclass(frozen=True)
class Limits:
    """How much memory rows may take that are read once for all passes, and how many threads read them."""

    memory: int
    n_jobs: int = 1

    def hold(self, numbers: int) -> bool:
        """Return whether so many numbers fit, with the copies that computing takes."""
        return numbers * 8 * COPIES <= self.memory


@dataclass(frozen=True)
class Beside:
    """Labels and weights that are no columns of the table."""

    labels: Vector | None = None
    weights: Vector | None = None

    def sliced(self, low: int, high: int) -> Beside:
        """Return the values of some rows, and no others: they travel with a piece."""
        return Beside(*(None if v is None else v.cut(low, high) for v in (self.labels, self.weights)))


@dataclass(frozen=True)
class Table:
    """A table in pieces, the names of the columns that are the points, and the number of rows if it is known."""

    pieces: Sequence[Piece]
    features: Sequence[str] | None = None
    n: int | None = None
    once: bool = False  # whether it can be read but once
    held: Rows | None = field(default=None, compare=False)  # the whole of it, where it is in memory anyway


@dataclass(frozen=True)
class Stamp:
    """A file as it was when it was first looked at."""

    path: str
    size: int
    modified: int

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Stamp:
        """Look at a file."""
        state = _state(path)
        return cls(os.fspath(path), state.st_size, state.st_mtime_ns)

    def check(self) -> None:
        """Raise an error if the file is no more what it was."""
        state = _state(self.path)
        if state.st_size != self.size:
            msg = f"{self.path} had {self.size:,} bytes and has {state.st_size:,} now: it changed while it was read."
            raise InputError(msg)
        if state.st_mtime_ns != self.modified:
            msg = f"{self.path} changed while it was read."
            raise InputError(msg)


def is_path(value: Any) -> bool:
    """Return whether data are given by where they are: a name, or a path."""
    return isinstance(value, (str, os.PathLike))


def is_paths(value: Any) -> bool:
    """Return whether data are given by where they are: a path, or a list of them."""
    return is_path(value) or (isinstance(value, (list, tuple)) and len(value) > 0 and all(map(is_path, value)))


def _state(path: str | os.PathLike[str]) -> os.stat_result:
    try:
        return Path(path).stat()
    except FileNotFoundError:
        msg = f"There is no file {os.fspath(path)}."
    except OSError as error:
        msg = f"{os.fspath(path)} cannot be read: {error.strerror}."
    raise InputError(msg)


def rows_per_block(columns: int) -> int:
    """Return how many rows of so many columns make a block."""
    return max(2**10, min(2**17, CELLS // max(1, columns)))


def rows_per_piece(total: int) -> int:
    """Return how many rows make a piece of a table that can be cut anywhere."""
    return min(MOST_ROWS, max(FEWEST_ROWS, -(-total // PIECES)))


def cuts(total: int, step: int) -> Iterator[tuple[int, int]]:
    """Give the beginnings and ends of pieces of so many rows."""
    return ((low, min(low + step, total)) for low in range(0, total, step))


# --- frames ----------------------------------------------------------------------------------------------


def chosen_columns(
    types: dict[str, Any], wanted: Wanted, where: str, widths: Mapping[str, int] | None = None
) -> Columns:
    """Return the columns of a frame that are read, or raise an error that says which is missing or holds no numbers.

    `types` are those of narwhals, by the name of the column; `widths` how many numbers columns of lists have in a row.
    """
    several = wanted.labels.columns if isinstance(wanted.labels, Labellings) else (wanted.labels,)
    labels = tuple(name for name in several if isinstance(name, str))
    weight = wanted.weights if isinstance(wanted.weights, str) else None
    features = None if wanted.features is None else [str(feature) for feature in wanted.features]
    for name in (*filter(None, (wanted.truth, *labels, weight)), *(features or ())):
        if name not in types:
            hint = suggestion(str(name), types) or f"It has {', '.join(map(repr, types))}."
            msg = f"{where} has no column {name!r}. {hint}"
            raise InputError(msg)
    if wanted.truth is not None:
        return Columns((), labels, weight, wanted.truth)
    points = [n for n in types if n not in {*labels, weight}] if features is None else features
    if not points:
        msg = f"{where} has no columns besides labels and weights; points need at least one."
        raise InputError(msg)
    lists = widths or {}
    for name in points:
        if name not in lists:
            check_column(types[name], name, where)
    each = tuple(lists.get(name, 0) for name in points)
    return Columns(tuple(points), labels, weight, widths=each if any(each) else ())


def is_list(dtype: Any) -> bool:
    """Return whether a column of a type of narwhals holds lists, or arrays of a fixed size."""
    import narwhals as nw  # noqa: PLC0415

    return isinstance(dtype, (nw.List, nw.Array))


def check_column(dtype: Any, name: str, where: str) -> None:
    """Raise an error unless a column holds numbers."""
    if not is_numeric(dtype):
        msg = f"Column {name!r} of {where} holds {dtype}, not numbers; drop or encode it, or name others in features=."
        raise InputError(msg)


def is_numeric(dtype: Any) -> bool:
    """Return whether a column of a type of narwhals holds numbers, or yes and no."""
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    return bool(dtype.is_numeric() or dtype == nw.Boolean)


def rows_of_frame(
    frame: Any, columns: Columns, beside: Beside | None = None, low: int = 0, place: Place | None = None
) -> Rows:
    """Return the points, labels and weights of a frame of whatever library."""
    import narwhals as nw  # noqa: PLC0415

    table = nw.from_native(frame, eager_only=True)
    X = (
        table[columns.truth].to_native()
        if columns.truth is not None
        else _points(table, columns, place or Place("X", low))
    )
    outside = beside or Beside()

    def values(names: Sequence[str], vector: Vector | None) -> Any:
        inside = tuple(table[name].to_native() for name in names)
        if inside:
            return inside[0] if len(inside) == 1 else Labellings(inside)
        return None if vector is None else vector.rows(low, low + len(table))

    weights = () if columns.weights is None else (columns.weights,)
    return Rows(X, values(columns.labels, outside.labels), values(weights, outside.weights))


def _points(table: Any, columns: Columns, place: Place) -> NDArray[Any]:
    widths = columns.widths or (0,) * len(columns.features)
    parts = [
        matrix_of(table[name], place.where, first=place.row, width=width) if width else _numbers(table[name])[:, None]
        for name, width in zip(columns.features, widths, strict=True)
    ]
    shape = len(table), sum(part.shape[1] for part in parts)
    X: NDArray[Any] = np.empty(shape, dtype=np.result_type(np.float32, *(p.dtype for p in parts)))
    at = 0
    for part in parts:
        X[:, at : at + part.shape[1]] = part
        at += part.shape[1]
    return X


def _numbers(column: Any) -> NDArray[Any]:
    """Return a column as an array of floats, NaN where a value is missing; those of 32 bits stay so."""
    import narwhals as nw  # noqa: PLC0415

    if column.dtype == nw.Float32:
        return np.asarray(column.to_numpy(), dtype=np.float32)
    check_whole(column, f"Column {column.name!r} of X")
    return np.asarray(column.cast(nw.Float64).to_numpy(), dtype=np.float64)


def check_lengths(rows: int | None, beside: Beside, name_of_rows: str = "X") -> None:
    """Raise an error unless there is one label, and one weight, for each row."""
    for vector, name in ((beside.labels, "labels"), (beside.weights, "sample_weight")):
        if vector is not None and rows is not None and len(vector) != rows:
            what = "rows" if name_of_rows == "X" else "entries"
            msg = f"{name_of_rows} has {rows} {what} but {name} has {len(vector)} entries."
            raise InputError(msg)


def pieced(counts: Iterable[int], least: int) -> Iterator[tuple[int, int, int, int]]:
    """Join parts of so many rows, one after another, into pieces of at least so many: begin, end, first row, rows."""
    begin = rows = first = 0
    at = -1
    for at, count in enumerate(counts):
        rows += count
        if rows >= least:
            yield begin, at + 1, first, rows
            begin, first, rows = at + 1, first + rows, 0
    if rows or begin == 0:
        yield begin, at + 1, first, rows
