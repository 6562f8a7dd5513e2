"""Data frames in memory: their columns by name, and which of them are the points."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.errors import InputError, suggestion
from clustval.homes.any_frame import as_frame
from clustval.homes.embeddings import is_embedding, matrix_of, warn_of_lists
from clustval.homes.identifiers import COUNTERS, is_identifier, warn_of_identifiers
from clustval.homes.series import has_instances, instances_of, is_warping
from clustval.number_words import DECIMAL_COMMA, number_of
from clustval.whole_numbers import check_whole, known_numbers

LOOKED_AT = 20  # entries of a column that tell what it holds
MOSTLY = 0.5  # a text column of which more is numbers was meant to be numbers


def frame_of(X: Any, called: str = "X") -> Any:
    """Return a data frame in memory, of whatever library, as one of narwhals; None for anything else."""
    if isinstance(X, (np.ndarray, list, tuple)) or not hasattr(type(X), "columns"):
        return None  # the type is asked: a lazy frame would read its schema
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame = as_frame(X, called, series=False)
    return frame if isinstance(frame, nw.DataFrame) else None


def columns_by_name(X: Any, called: str = "X") -> dict[Any, Any] | None:
    """Return the columns of a data frame, which is read if it is lazy, by name; None for anything else."""
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame = as_frame(X, called, series=False)
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    if not isinstance(frame, nw.DataFrame):
        return None
    return {column: frame.get_column(column).to_native() for column in frame.columns}


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

    def is_column(self, values: Any) -> bool:
        """Return whether values are a column of the frame, which is no point then; a warning says so."""
        name = getattr(values, "name", None)
        if name is None or not hasattr(values, "equals") or not self.has(name):
            return False
        column = self.frame.get_column(name).to_native()
        if type(column) is not type(values) or not column.equals(values):
            return False
        given = f"Column {name!r} of {self.name} is given beside it"
        msg = f"{given} and is left out of the points; to keep it, pass an array."
        warnings.warn(msg, UserWarning, stacklevel=3)
        return True

    def points(self, used: Collection[str], features: Sequence[Any] | None, *, metric: Any) -> Any:
        """Return the frame of the features; without any, of all columns of numbers that are not used otherwise.

        Where the metric compares columns of all types, they all are points; series are a column of lists of any
        lengths, or a frame of pandas with an index of instance and time. Columns that name the rows are left out, and
        lists beside numbers, with a warning.
        """
        if features is not None:
            names = list(dict.fromkeys(features))
            for name in names:
                self.column(name)
            if not names:
                msg = "features is empty; points need at least one column."
                raise InputError(msg)
            return self._points(names, metric)
        rest = [name for name in self.frame.columns if name not in used]
        names = [name for name in rest if not self._counts(name) and (metric == "gower" or self._holds_numbers(name))]
        names, identifiers = self._without_identifiers(names)
        names = names or self.embeddings(rest) or identifiers
        if not names:
            others = f"its other columns are {listed(map(repr, rest))}" if rest else "it has no other columns"
            msg = f"{self.name} has no column of numbers besides the labels; {others}."
            raise InputError(msg)
        if identifiers and names != identifiers:
            warn_of_identifiers(identifiers, self.name)
        unused = [name for name in rest if name not in names]
        warn_of_lists(self._lists(unused), self.name)
        self._warn_of_decimal_commas(rest if metric == "gower" else unused)
        return self._points(names, metric)

    def all_points(self, metric: Any = "euclidean") -> Any:
        """Return the frame without columns that name the rows; a square one, which may be of distances, as it is."""
        names = self.frame.columns
        kept, identifiers = (names, []) if len(self.frame) == len(names) else self._without_identifiers(names)
        if kept and identifiers:
            warn_of_identifiers(identifiers, self.name)
        lists = self._lists(kept)
        if lists and any(self._holds_numbers(name) for name in kept):
            msg = f"Column {lists[0]!r} of {self.name} holds lists beside columns of numbers; say which in features=."
            raise InputError(msg)
        kept = self.embeddings(kept) or kept
        whole = len(kept or identifiers) == len(names) and not lists and not is_warping(metric)
        return self.frame.to_native() if whole else self._points(kept or identifiers, metric)

    def _without_identifiers(self, names: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return the columns that do not name the rows, and those that do."""
        identifiers = [name for name in names if is_identifier(self.frame.get_column(name))]
        return [name for name in names if name not in identifiers], identifiers

    def _series(self, names: Sequence[Any]) -> list[Any] | None:
        """Return series of any lengths: a column of lists, or the rows of each instance of pandas; None for neither."""
        if len(names) == 1 and is_embedding(self.frame.get_column(names[0])):
            return list(self.frame.get_column(names[0]).to_list())
        native = self.frame.to_native()
        return instances_of(native[list(names)]) if has_instances(native) else None

    def embeddings(self, names: Sequence[str]) -> list[str]:
        """Return the column that holds lists of numbers, if there is one alone."""
        columns = self._lists(names)
        return columns if len(columns) == 1 else []

    def _lists(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if is_embedding(self.frame.get_column(name))]

    def _points(self, names: Sequence[str], metric: Any) -> Any:
        series = self._series(names) if is_warping(metric) else None
        if series is not None:
            return series
        if not self._lists(names):
            import narwhals as nw  # noqa: PLC0415 - only data frames need it

            return self.frame.select([nw.col(name) for name in names]).to_native()  # names of pandas may be numbers
        parts = []
        for name in names:
            column = self.frame.get_column(name)
            part = matrix_of(column, self.name) if is_embedding(column) else numbers_of(column, self.name)
            if part is None:
                raise no_numbers(column, self.name)
            parts.append(part.reshape(len(part), -1))
        return parts[0] if len(parts) == 1 else np.hstack(parts)

    def _holds_numbers(self, name: str) -> bool:
        return numbers_of(self.frame.get_column(name), self.name) is not None

    def _warn_of_decimal_commas(self, names: Iterable[str]) -> None:
        """Say in a warning which column of text holds numbers with a decimal comma, which are text here."""
        for name in names:
            what = with_decimal_commas(self.frame.get_column(name), self.name)
            if what:
                msg = f"{what}; write decimal points instead of commas, as decimal=',' of pandas.read_csv does."
                warnings.warn(msg, UserWarning, stacklevel=3)

    def _counts(self, name: str) -> bool:
        """Return whether a column numbers the rows, as data frames write them."""
        if name not in COUNTERS or not self.frame.schema[name].is_integer():
            return False
        numbers = known_numbers(self.frame.get_column(name))
        return bool((np.diff(numbers) == 1).all())


def with_decimal_commas(column: Any, where: str) -> str:
    """Return what is said of a column whose first entries are text that holds numbers with a decimal comma, or ''."""
    entries = column.drop_nulls().head(LOOKED_AT).to_list()
    if not entries or not all(isinstance(entry, str) and DECIMAL_COMMA.fullmatch(entry) for entry in entries):
        return ""
    return f"Column {column.name!r} of {where} holds text such as {entries[0]!r}, not numbers"


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


def no_numbers(column: Any, where: str) -> InputError:
    """Return the error of a column of narwhals that holds something else than numbers."""
    encode = "drop or encode it, or use metric='gower'"
    remedy = "pass it alone to take its lists as points" if is_embedding(column) else encode
    return InputError(f"Column {column.name!r} of {where} holds {column.dtype}, not numbers; {remedy}.")


def _number(value: Any) -> float | None:
    """Return an object as a number, NaN if it is missing; None if it is something else."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return math.nan
    if isinstance(value, (Real, Decimal, np.bool_)):
        return float(value)
    return number_of(value) if isinstance(value, str) else None


def listed(names: Iterable[str], most: int = 10) -> str:
    """Return names in a row, the last ones counted if they are many."""
    texts = list(names)
    return ", ".join(texts) if len(texts) <= most else f"{', '.join(texts[:most])} and {len(texts) - most} more"
