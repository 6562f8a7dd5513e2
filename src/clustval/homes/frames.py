"""Data frames in memory: their columns by name, and which of them are the points."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.errors import InputError, suggestion
from clustval.homes.embeddings import is_embedding, matrix_of
from clustval.homes.identifiers import is_identifier, warn_of_identifiers
from clustval.whole_numbers import check_whole, known_numbers

COUNTERS = ("", "Unnamed: 0")  # what data frames call the row numbers that they write
MOSTLY = 0.5  # a text column of which more is numbers was meant to be numbers


def frame_of(X: Any) -> Any:
    """Return a data frame in memory, of whatever library, as one of narwhals; None for anything else."""
    if isinstance(X, (np.ndarray, list, tuple)) or not hasattr(type(X), "columns"):
        return None  # the type is asked: a lazy frame would read its schema
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame = nw.from_native(X, pass_through=True)
    return frame if isinstance(frame, nw.DataFrame) else None


@dataclass(frozen=True)
class FrameHome:
    """A data frame whose columns are points, labels and weights."""

    frame: Any  # of narwhals
    name: str = "X"

    def has(self, column: str) -> bool:
        """Return whether there is a column of that name."""
        return column in self.frame.columns

    def column(self, name: str) -> Any:
        """Return a column as the library of the frame has it, or raise an error with the nearest name."""
        if not self.has(name):
            columns = [str(column) for column in self.frame.columns]
            hint = suggestion(name, columns) or f"It has {listed(map(repr, columns))}."
            msg = f"{self.name} has no column {name!r}. {hint}"
            raise InputError(msg)
        return self.frame.get_column(name).to_native()

    def points(self, used: Collection[str], features: Sequence[Any] | None, *, mixed: bool) -> Any:
        """Return the frame of the features; without any, of all columns of numbers that are not used otherwise.

        Where columns of all types are compared (`mixed`), they all are points. Columns that name the rows are left
        out, with a warning.
        """
        if features is not None:
            names = list(dict.fromkeys(features))
            for name in names:
                self.column(name)
            if not names:
                msg = "features is empty; points need at least one column."
                raise InputError(msg)
            return self._points(names)
        rest = [name for name in self.frame.columns if name not in used]
        names = [name for name in rest if not self._counts(name) and (mixed or self._holds_numbers(name))]
        if not names:
            names = self.embeddings(rest)
        if not names:
            others = f"its other columns are {listed(map(repr, rest))}" if rest else "it has no other columns"
            msg = f"{self.name} has no column of numbers besides the labels; {others}."
            raise InputError(msg)
        return self._points(self._without_identifiers(names))

    def all_points(self) -> Any:
        """Return the frame without columns that name the rows; a square one, which may be of distances, as it is."""
        names = self.frame.columns
        if names and self.embeddings(names) == names:
            return self._points(names)
        kept = names if len(self.frame) == len(names) else self._without_identifiers(names)
        return self.frame.to_native() if len(kept) == len(names) else self._points(kept)

    def _without_identifiers(self, names: Sequence[str]) -> Sequence[str]:
        """Return the columns that do not name the rows, with a warning of those that do; all if there are no others."""
        identifiers = [name for name in names if is_identifier(self.frame.get_column(name))]
        if not identifiers or len(identifiers) == len(names):
            return names
        warn_of_identifiers(identifiers, self.name)
        return [name for name in names if name not in identifiers]

    def embeddings(self, names: Sequence[str]) -> list[str]:
        """Return the column that holds lists of numbers, if there is one alone."""
        columns = [name for name in names if is_embedding(self.frame.get_column(name))]
        return columns if len(columns) == 1 else []

    def _points(self, names: Sequence[str]) -> Any:
        if not any(is_embedding(self.frame.get_column(name)) for name in names):
            import narwhals as nw  # noqa: PLC0415 - only data frames need it

            return self.frame.select([nw.col(name) for name in names]).to_native()  # names of pandas may be numbers
        parts = []
        for name in names:
            column = self.frame.get_column(name)
            part = matrix_of(column, self.name) if is_embedding(column) else numbers_of(column, self.name)
            if part is None:
                what = f"holds {column.dtype}, not numbers"
                msg = f"Column {name!r} of {self.name} {what}; drop or encode it, or use metric='gower'."
                raise InputError(msg)
            parts.append(part.reshape(len(part), -1))
        return parts[0] if len(parts) == 1 else np.hstack(parts)

    def _holds_numbers(self, name: str) -> bool:
        return numbers_of(self.frame.get_column(name), self.name) is not None

    def _counts(self, name: str) -> bool:
        """Return whether a column numbers the rows, as data frames write them."""
        if name not in COUNTERS or not self.frame.schema[name].is_integer():
            return False
        numbers = known_numbers(self.frame.get_column(name))
        return bool((np.diff(numbers) == 1).all())


def numbers_of(column: Any, where: str) -> Floats | None:
    """Return a column of narwhals as numbers, NaN where they are missing; None if it holds something else.

    Numbers may be Python objects, as in columns that a spreadsheet left half empty, or text, as in files.

    >>> import narwhals as nw
    >>> import pandas as pd
    >>> numbers_of(nw.from_native(pd.Series([1, "2.5", None], dtype=object), series_only=True), "X")
    array([1. , 2.5, nan])
    """
    import narwhals as nw  # noqa: PLC0415

    check_whole(column, f"Column {column.name!r} of {where}")
    if column.dtype.is_numeric() or column.dtype == nw.Boolean:
        return np.asarray(column.cast(nw.Float64).to_numpy())
    if column.dtype not in (nw.Object, nw.String):
        return None
    values = column.to_list()
    numbers = [_number(value) for value in values]
    entries = [value for value, number in zip(values, numbers, strict=True) if number is None or not math.isnan(number)]
    texts = numbers.count(None)
    if len(entries) - texts <= MOSTLY * len(entries):
        return None
    if texts:
        row = numbers.index(None)
        msg = (
            f"Column {column.name!r} of {where} mixes numbers and text: row {row} holds {values[row]!r}. "
            "Clean it, or leave it out."
        )
        raise InputError(msg)
    return np.array(numbers, dtype=np.float64)


def _number(value: Any) -> float | None:
    """Return an object as a number, NaN if it is missing; None if it is something else."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return math.nan
    if isinstance(value, (Real, Decimal, np.bool_)):
        return float(value)
    if not isinstance(value, str):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def listed(names: Iterable[str], most: int = 10) -> str:
    """Return names in a row, the last ones counted if they are many."""
    texts = list(names)
    return ", ".join(texts) if len(texts) <= most else f"{', '.join(texts[:most])} and {len(texts) - most} more"
