"""Tables of numbers and categories in files that are read in blocks, as Gower's distance compares them.

A first pass learns the range of each column of numbers and dates, and the categories of each other column; after it,
blocks are the numbers that kernels read, as of a table in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Flags, Floats
from clustval.errors import InputError, optional
from clustval.homes.identifiers import FEWEST, warn_of_identifiers
from clustval.kernels.work.rounding import LARGEST
from clustval.labels import in_order
from clustval.mixed_table import check_common, image_of
from clustval.passes.work.run_pieces import results
from clustval.readers.file_rows import FileLook, FilePiece, frame_looks, pieces_of_frames
from clustval.readers.file_table import DATE
from clustval.readers.pieces import Beside, Columns, Limits, Piece, Rows, Table, Wanted, check_lengths, chosen_columns

MOST_CATEGORIES = 10**6  # of a column; more name rows


def mixed_rows(path: Any, wanted: Wanted, beside: Callable[[], Beside], limits: Limits) -> Table | None:
    """Return a table of numbers and categories in files as blocks; None for one file that is read at once.

    That is a file that fits into memory with the copies that computing takes, or that has no blocks.
    """
    looks = frame_looks(path, wanted)
    if looks is None or _fit(looks, limits):
        return None
    layouts = [look.layout for look in looks if look.layout is not None]
    n = sum(sum(layout.counts) for layout in layouts)
    columns = _columns(layouts[0], wanted, looks[0].stamp.path)
    for look in looks:
        _check_alike(look, looks[0], columns)
    outside = beside()
    check_lengths(n, outside)
    pieces = pieces_of_frames(looks, columns, outside)
    summaries = results(_summed, pieces, n_jobs=limits.n_jobs)
    whole = reduce(add, (one for one in summaries if one is not None), Summary())
    coding = _coding(whole, columns, path if isinstance(path, str) else looks[0].stamp.path)
    return Table([MixedPiece(piece, coding) for piece in pieces], coding.names, n, mixed=True)


def is_read_at_once(path: Any, limits: Limits) -> bool:
    """Return whether a table of numbers and categories in files is read at once, not in blocks."""
    looks = frame_looks(path, Wanted(None))
    return looks is None or _fit(looks, limits)


def _fit(looks: Sequence[FileLook], limits: Limits) -> bool:
    layout = looks[0].layout
    return len(looks) == 1 and layout is not None and limits.hold(sum(layout.counts) * 2 * len(layout.types))


def _check_alike(look: FileLook, first: FileLook, columns: Columns) -> None:
    """Raise an error unless a file has the columns of the first, numbers and dates where it has such."""
    assert look.layout is not None
    assert first.layout is not None
    path, other = look.stamp.path, first.stamp.path
    for name in columns.names:
        if name not in look.layout.types:
            msg = f"{path} has no column {name!r}, which {other} has."
            raise InputError(msg)
        here, there = look.layout.types[name], first.layout.types[name]
        if name in columns.features and _is_ranged(here) != _is_ranged(there):
            msg = f"Column {name!r} of {path} holds {here}, and that of {other} holds {there}; write them alike."
            raise InputError(msg)


def _is_ranged(dtype: Any) -> bool:
    return bool(dtype.is_numeric() or dtype.is_temporal())


def _columns(layout: Any, wanted: Wanted, path: str) -> Columns:
    """Return the columns that are compared: the features, or all but labels, weights and those that number rows."""
    rest = [name for name in layout.types if name not in {*wanted.names, *layout.identifiers}]
    identifiers = [name for name in layout.identifiers if name not in wanted.names]
    if wanted.features is None and rest and identifiers:
        warn_of_identifiers(identifiers, path)
    features = rest if wanted.features is None else [str(name) for name in wanted.features]
    every = dict.fromkeys(features, 1)  # columns of any type are compared: none must hold numbers
    return replace(chosen_columns(layout.types, replace(wanted, features=features), path, every), widths=())


# --- the first pass --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnSummary:
    """What a column of some rows holds: how many values, their range if they are numbers, their categories if not."""

    numeric: bool
    known: int
    low: Any = None
    high: Any = None
    categories: frozenset[Any] = frozenset()
    many: bool = False  # whether there are so many categories that they were dropped

    def __add__(self, other: ColumnSummary) -> ColumnSummary:
        """The same of two sets of rows."""
        if not self.numeric or not other.numeric:
            categories = self.categories | other.categories
            many = self.many or other.many or len(categories) > MOST_CATEGORIES
            none: frozenset[Any] = frozenset()
            known = self.known + other.known
            return ColumnSummary(numeric=False, known=known, categories=none if many else categories, many=many)
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        ends = min(lows, default=None), max(highs, default=None)
        return ColumnSummary(numeric=True, known=self.known + other.known, low=ends[0], high=ends[1])


@dataclass(frozen=True)
class Summary:
    """What some rows hold: of each column, and which values are missing together: first and second row of each."""

    rows: int = 0
    columns: Mapping[str, ColumnSummary] = field(default_factory=dict)
    patterns: Mapping[bytes, tuple[int, ...]] = field(default_factory=dict)

    def __add__(self, other: Summary) -> Summary:
        """The same of two sets of rows, one after the other."""
        if not self.rows or not other.rows:
            return self if self.rows else other
        columns = {name: self.columns[name] + other.columns[name] for name in self.columns}
        patterns = dict(self.patterns)
        for pattern, rows in other.patterns.items():
            patterns[pattern] = (*patterns.get(pattern, ()), *rows)[:2]
        return Summary(self.rows + other.rows, columns, patterns)


def _summed(piece: FilePiece) -> Summary | None:
    total, low = None, 0
    for frame in piece.frames():
        read = {name: _Values.of(frame, name, piece, low) for name in piece.columns.features}
        known = np.column_stack([values.known for values in read.values()])
        patterns = _patterns(np.packbits(known, axis=1), piece.first + low)
        part = Summary(len(frame), {name: values.summary() for name, values in read.items()}, patterns)
        total = part if total is None else total + part
        low += len(frame)
    return total


def _patterns(packed: NDArray[np.uint8], row: int) -> dict[bytes, tuple[int, ...]]:
    """Return the first two rows, counted from `row`, of each pattern of values that are known."""
    whole = np.ascontiguousarray(packed).view(np.dtype((np.void, packed.shape[1]))).ravel()
    patterns, firsts, numbers = np.unique(whole, return_index=True, return_inverse=True)
    rest = np.delete(np.arange(len(whole)), firsts)
    again, places = np.unique(numbers[rest], return_index=True)
    seconds = dict(zip(again.tolist(), (row + rest[places]).tolist(), strict=True))
    return {
        pattern.tobytes(): (row + first, seconds[at]) if at in seconds else (row + first,)
        for at, (pattern, first) in enumerate(zip(patterns, firsts.tolist(), strict=True))
    }


@dataclass(frozen=True)
class _Values:
    """A column of a block: numbers, whole ones exactly, or anything else as Arrow has it; and which are known."""

    known: NDArray[np.bool_]
    numbers: NDArray[Any] | None
    column: Any

    @classmethod
    def of(cls, frame: Any, name: str, piece: FilePiece, low: int) -> _Values:
        """Read a column by its type, or raise an error if nothing is known of how to compare it."""
        arrow, types = optional("pyarrow", "arrow"), optional("pyarrow", "arrow").types
        column = frame[name].combine_chunks()
        kind, what = column.type, f"Column {name!r} of {piece.where}"
        if types.is_dictionary(kind):
            column = column.dictionary_decode()
            kind = column.type
        known = column.is_valid().to_numpy(zero_copy_only=False)
        if types.is_date32(kind):
            column = column.cast(arrow.int32())
        elif types.is_temporal(kind) and not types.is_time(kind):
            column = column.cast(arrow.int64())
        if types.is_integer(column.type):
            whole = np.uint64 if types.is_unsigned_integer(column.type) else np.int64
            return cls(known, column.fill_null(0).to_numpy(zero_copy_only=False).astype(whole), column)
        if types.is_floating(column.type):
            numbers = np.asarray(column.to_numpy(zero_copy_only=False), dtype=np.float64)
            known = known & ~np.isnan(numbers)
            _check_finite(numbers, known, what, piece.row + low)
            return cls(known, numbers, column)
        if types.is_boolean(kind) or types.is_string(kind) or types.is_large_string(kind) or types.is_null(kind):
            first = next((v for v in column.slice(0, 8).to_pylist() if v is not None), None)
            if isinstance(first, str) and DATE.match(first):
                msg = f"{what} holds dates as text, such as {first!r}; write it as dates, or load the table yourself."
                raise InputError(msg)
            return cls(known, None, column)
        msg = f"{what} holds {kind}; in blocks, numbers, dates, text and booleans are compared. Leave it out."
        raise InputError(msg)

    def summary(self) -> ColumnSummary:
        """Return what the block holds."""
        count = int(self.known.sum())
        if self.numbers is None:
            categories = frozenset(self.column.unique().drop_null().to_pylist())
            return ColumnSummary(numeric=False, known=count, categories=categories)
        some = self.numbers[self.known]
        ends = (some.min().item(), some.max().item()) if count else (None, None)
        return ColumnSummary(numeric=True, known=count, low=ends[0], high=ends[1])


def _check_finite(numbers: Floats, known: NDArray[np.bool_], what: str, row: int) -> None:
    bad = known & (np.abs(numbers) > LARGEST)
    if bad.any():
        at = int(bad.argmax())
        value = numbers[at]
        fault = f"reaches {value:.3g}; rescale it to below {LARGEST:g}"
        msg = f"{what} must be finite; row {row + at} is {value}." if np.isinf(value) else f"{what} {fault}."
        raise InputError(msg)


# --- what blocks are made of -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Coding:
    """How columns become numbers: from 0 to 1 by their range, or those of categories; and whether some are missing."""

    ranges: Mapping[str, tuple[Any, Any]]
    categories: Mapping[str, Sequence[Any]]
    names: tuple[str, ...]  # columns, in their order
    gaps: bool

    def image(self, frame: Any, piece: FilePiece, low: int) -> Floats:
        """Return the rows of a block as kernels read them."""
        parts = [self._numbers(_Values.of(frame, name, piece, low), name, piece, low) for name in self.names]
        return image_of(np.column_stack(parts), gaps=self.gaps)

    def _numbers(self, values: _Values, name: str, piece: FilePiece, row: int) -> Floats:
        if name in self.ranges:
            low, high = self.ranges[name]
            numbers = values.numbers
            assert numbers is not None
            if numbers.dtype.kind in "iu":  # the difference of whole numbers is exact
                numbers = numbers.view(np.uint64) - np.array(low, dtype=numbers.dtype).view(np.uint64)
                low, high = 0, high - low
            spread = float(high - low) or 1.0
            return np.where(values.known, (numbers.astype(np.float64) - float(low)) / spread, np.nan)
        compute, arrow = optional("pyarrow.compute", "arrow"), optional("pyarrow", "arrow")
        known = arrow.array(self.categories[name], type=values.column.type)
        places = compute.index_in(values.column, value_set=known)
        codes = np.asarray(places.to_numpy(zero_copy_only=False), dtype=np.float64)
        new = values.known & np.isnan(codes)
        if new.any():
            at = int(new.argmax())
            where = f"row {piece.row + row + at} of {piece.where}"
            msg = f"Column {name!r} holds {values.column[at].as_py()!r} in {where}, which it did not: the file changed."
            raise InputError(msg)
        return codes


def _coding(whole: Summary, columns: Columns, where: str) -> Coding:
    """Return how columns become numbers, without those that name the rows, or raise an error that says why not."""
    if not whole.rows:
        msg = "X is empty: no piece of it has rows."
        raise InputError(msg)
    apart = [name for name, one in whole.columns.items() if _names_rows(one)]
    names = tuple(name for name in columns.features if name not in apart or len(apart) == len(columns.features))
    if 0 < len(apart) < len(columns.features):
        warn_of_identifiers(apart, where)
    for name in names:
        if whole.columns[name].many:
            msg = f"Column {name!r} of {where} has more than {MOST_CATEGORIES:,} categories; leave it out."
            raise InputError(msg)
        if not whole.columns[name].known:
            msg = f"Column {name!r} has no values; leave it out."
            raise InputError(msg)
    _check_patterns(whole, columns.features, names)
    numeric = [name for name in names if whole.columns[name].numeric]
    return Coding(
        {name: (whole.columns[name].low, whole.columns[name].high) for name in numeric},
        {name: in_order(whole.columns[name].categories) for name in names if name not in numeric},
        names,
        any(whole.columns[name].known < whole.rows for name in names),
    )


def _names_rows(one: ColumnSummary) -> bool:
    return not one.numeric and not one.many and len(one.categories) == one.known >= FEWEST


def _check_patterns(whole: Summary, features: Sequence[str], names: Sequence[str]) -> None:
    """Raise an error that names two rows without a column in common, if there are any."""
    chosen = [features.index(name) for name in names]
    patterns: list[NDArray[Any]] = []
    rows: list[int] = []
    for pattern, some in whole.patterns.items():
        patterns += [np.unpackbits(np.frombuffer(pattern, dtype=np.uint8), count=len(features))[chosen]] * len(some)
        rows += some
    order = np.argsort(rows, kind="stable")
    known: Flags = np.array(patterns, dtype=bool)[order]
    places = np.array(rows)[order].tolist()
    if not known.any(axis=1).all():
        first = places[int((~known.any(axis=1)).argmax())]
        msg = f"Row {first} of X has no values, and so no distances; leave it out."
        raise InputError(msg)
    check_common(known, np.zeros(known.shape[1], dtype=bool), np.zeros_like(known), lambda at: f"row {places[at]} of X")


@dataclass(frozen=True)
class MixedPiece(Piece):
    """Some parts of a file, as numbers that Gower's distance compares."""

    piece: FilePiece
    coding: Coding

    @property
    def first(self) -> int:  # type: ignore[override]
        """How many rows come before."""
        return self.piece.first

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of rows."""
        return self.piece.count

    @property
    def where(self) -> str:
        """The file."""
        return self.piece.where

    def blocks(self) -> Iterator[Rows]:
        """Read the parts in batches."""
        low = 0
        for frame in self.piece.frames():
            rows = self.piece.values_of(frame, low)
            yield Rows(self.coding.image(frame, self.piece, low), rows.labels, rows.weights)
            low += len(frame)
