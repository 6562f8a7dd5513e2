"""Columns of categories, whatever they hold, as whole numbers that stand for categories, with -1 for missing values.

Labels are read in the same way but for one thing: among categories the number -1 is a category like any other.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import inputs, labels
from clustval.arrays import Flags, Integers
from clustval.errors import InputError
from clustval.homes.frames import columns_by_name
from clustval.homes.tensors import host_array
from clustval.whole_numbers import check_floats, rounded_numbers

Name = str | int  # of a column: text in a data frame, its place elsewhere


@dataclass(frozen=True, eq=False)
class Categories:
    """A table of categories that was checked. It may be passed in place of the table, many times."""

    codes: tuple[Integers, ...]  # a column each, -1 where it is missing
    names: tuple[list[Any], ...]  # the categories of each column, in order
    columns: list[Name]
    row_names: Any = None  # of the table, if it is a frame of pandas

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.codes[0])

    def __repr__(self) -> str:
        return f"Categories({self.n} rows, {len(self.columns)} columns, {sum(map(len, self.names))} categories)"


MISSING = ("error", "skip", "category")


def categories(X: Any, *, missing: str = "error") -> Categories:
    """Return a checked table of categories, which can be passed in place of `X`: many partitions check it once.

    Parameters
    ----------
    X
        One row per point and one column per attribute: a data frame, an array, or a list of rows. Text, whole
        numbers, booleans, dates and categories are taken as they are; other numbers are no categories.
    missing
        What happens to missing values (None, NaN, NA): "error" refuses them, "skip" judges each column by the points
        that have a value there, "category" makes them a category of their own.

    >>> categories([["red", 1], ["red", 2], ["blue", 2]])
    Categories(3 rows, 2 columns, 4 categories)
    """
    inputs.one_of(missing, MISSING, "missing")
    if isinstance(X, Categories):
        return X
    read = [(name, *coded(values, described(name))) for name, values in columns_of(X)]
    codes, names = [], []
    for name, numbers, known in read:
        gaps = numbers < 0
        if gaps.any():
            numbers, known = _filled(name, numbers, known, missing)  # noqa: PLW2901 - the column from here on
        codes.append(numbers)
        names.append(known)
    return Categories(tuple(codes), tuple(names), [name for name, *_ in read], inputs.row_names(X))


def _filled(name: Name, numbers: Integers, known: list[Any], missing: str) -> tuple[Integers, list[Any]]:
    gaps = numbers < 0
    if missing == "error":
        msg = (
            f"{described(name)} is missing in row {int(gaps.argmax())}; {int(gaps.sum())} of its {len(gaps)} values "
            "are. missing='skip' judges each column by the points that have a value, missing='category' makes missing "
            "values a category."
        )
        raise InputError(msg)
    if missing == "category":
        return np.where(gaps, len(known), numbers), [*known, None]
    if not known:
        msg = f"{described(name)} has no values; leave it out."
        raise InputError(msg)
    return numbers, known


def described(name: Name) -> str:
    """Return how an error calls a column."""
    return f"Column {name!r} of X" if isinstance(name, str) else f"Column {name} of X"


def columns_of(X: Any) -> list[tuple[Name, Any]]:
    """Return the columns of a table with their names, each as it lies there; an error if it is no table."""
    columns = _columns(X)
    if not columns:
        msg = "X has no columns."
        raise InputError(msg)
    if len(columns[0][1]) == 0:
        msg = "X has no rows."
        raise InputError(msg)
    return columns


def _columns(X: Any) -> list[tuple[Name, Any]]:
    if hasattr(X, "tocsr"):
        msg = "X is a sparse matrix; categories need a data frame, an array or a list of rows."
        raise InputError(msg)
    if isinstance(X, Mapping):
        msg = "X must be a data frame, an array or a list of rows; it is a mapping."
        raise InputError(msg)
    if isinstance(X, np.ndarray):
        return list(enumerate(_two_dimensional(X).T))
    if isinstance(X, (list, tuple)):
        return list(enumerate(_of_rows(X)))
    columns = columns_by_name(X)
    if columns is not None:
        return [(str(name), column) for name, column in columns.items()]
    return list(enumerate(_two_dimensional(np.asarray(host_array(X))).T))


def _two_dimensional(array: NDArray[Any]) -> NDArray[Any]:
    if array.ndim != 2:
        msg = f"X must have two dimensions, a row per point and a column per attribute; it has {array.ndim}."
        raise InputError(msg)
    return array


def _of_rows(rows: Sequence[Any]) -> list[list[Any]]:
    """Return the columns of a list of rows; each keeps the types of its entries."""
    if not rows:
        msg = "X has no rows."
        raise InputError(msg)
    lengths = [-1 if isinstance(row, str) or not hasattr(row, "__len__") else len(row) for row in rows]
    odd = next((at for at, length in enumerate(lengths) if length != lengths[0]), None)
    if lengths[0] < 0:
        msg = f"X must have two dimensions, a row per point and a column per attribute; its first row is {rows[0]!r}."
        raise InputError(msg)
    if odd is not None:
        has = f"has {lengths[odd]} entries" if lengths[odd] >= 0 else "is no row"
        msg = f"All rows of X must have the same number of entries; row 0 has {lengths[0]} and row {odd} {has}."
        raise InputError(msg)
    return [list(column) for column in zip(*rows, strict=True)]


def coded(values: Any, name: str) -> tuple[Integers, list[Any]]:
    """Return the number of each value's category, in the order of the categories, -1 where missing; and the categories.

    >>> coded(["b", None, "a", "b"], "X")
    (array([ 1, -1,  0,  1]), ['a', 'b'])
    >>> coded([3, -1, 3], "X")
    (array([1, 0, 1]), [-1, 3])
    """
    numbers = numeric(values)
    if numbers is not None:
        return _of_numbers(*numbers, name)
    column = labels.column(values, name)
    if column.categories is None:  # numbers among objects are categories; these are whole numbers
        return _of_numbers(column.values, np.zeros(len(column), dtype=bool), name)
    present = set(np.unique(column.values).tolist())
    used = labels.in_order(
        category for code, category in enumerate(column.categories) if code in present and not is_missing(category)
    )
    place = {category: at for at, category in enumerate(used)}
    places = [-1 if is_missing(category) else place.get(category, -1) for category in column.categories]
    return np.array([*places, -1], dtype=np.int64)[column.values.astype(np.int64)], used  # -1 finds the last


def numeric(values: Any) -> tuple[NDArray[Any], Flags] | None:
    """Return a column of numbers and which are missing; None if it holds something else.

    Numbers that no type of NumPy has without rounding are objects.
    """
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    series = nw.from_native(values, pass_through=True, allow_series=True)
    if isinstance(series, nw.Series):
        if series.dtype in (nw.Decimal, nw.Int128, nw.UInt128, nw.Object):
            return _of_objects(series.to_list())
        if not series.dtype.is_numeric():
            return None
        missing = series.is_null().to_numpy()
        numbers = series.fill_null(0).to_numpy() if missing.any() else series.to_numpy()
    elif type(values) is np.ndarray and values.dtype != object:
        numbers, missing = values, np.zeros(len(values), dtype=bool)
    else:
        return _of_objects(list(values)) if isinstance(values, (list, np.ndarray)) else None
    if numbers.dtype.kind not in "fiu":
        return None
    if numbers.dtype.kind == "f":
        missing = missing | np.isnan(numbers)
    return numbers, np.asarray(missing, dtype=bool)


def _of_objects(values: list[Any]) -> tuple[NDArray[Any], Flags] | None:
    """Return numbers, 0 for those that are missing, and which are; None if some are no numbers, or all are missing."""
    gaps = [is_missing(value) for value in values]
    if all(gaps) or not all(gap or _is_number(value) for gap, value in zip(gaps, values, strict=True)):
        return None
    known = [0 if gap else value for gap, value in zip(gaps, values, strict=True)]
    numbers = np.array(known)
    if numbers.dtype.kind not in "iu":
        exact = np.array([*known, None], dtype=object)[:-1]
        rounded = rounded_numbers(exact)
        numbers = np.array(known, dtype=np.float64) if rounded is None else np.array([*map(_fraction, known)])
    return numbers, np.array(gaps)


def _fraction(number: Any) -> Any:
    exact = float(number) if isinstance(number, np.floating) else number
    return Fraction(exact) if abs(exact) <= sys.float_info.max else math.inf


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating, Decimal)) and not isinstance(value, bool)


def _of_numbers(values: NDArray[Any], missing: Flags, name: str) -> tuple[Integers, list[Any]]:
    known = values[~missing]
    if values.dtype.kind in "fO":
        check_floats(known, name)
        with np.errstate(invalid="ignore"):  # infinity is no whole number
            broken = known % 1 != 0
        if broken.any():
            msg = (
                f"{name} holds {float(known[broken.argmax()]):g}, which is no category. Cut such numbers into "
                "classes, or leave them out; metric='gower' compares tables of both."
            )
            raise InputError(msg)
    used, places = np.unique(known, return_inverse=True)
    codes = np.full(len(values), -1, dtype=np.int64)
    codes[~missing] = places.ravel()
    return codes, [int(value) for value in used.tolist()]


def is_missing(value: Any) -> bool:
    """Return whether a value is none: None, NaN, NA or NaT."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    if isinstance(value, Decimal):
        return value.is_nan()
    return isinstance(value, (float, np.floating)) and value != value  # noqa: PLR0124 - NaN


def together(tables: Iterable[Categories]) -> list[Categories]:
    """Return the tables with the same numbers for the same categories; a later one may have categories of its own.

    >>> [table.codes[0].tolist() for table in together([categories([["b"], ["c"]]), categories([["a"]])])]
    [[1, 2], [0]]
    """
    listed = list(tables)
    columns = listed[0].columns
    for table in listed:
        if table.columns != columns:
            msg = f"Blocks must have the same columns; the first has {columns} and another {table.columns}."
            raise InputError(msg)
    names = tuple(
        labels.in_order(name for table in listed for name in table.names[j] if name is not None)
        + [None] * any(None in table.names[j] for table in listed)
        for j in range(len(columns))
    )
    renumbered = []
    for table in listed:
        codes = []
        for j, column in enumerate(table.codes):
            places = {name: at for at, name in enumerate(names[j])}
            codes.append(np.array([*(places[name] for name in table.names[j]), -1], dtype=np.int64)[column])
        renumbered.append(Categories(tuple(codes), names, columns, table.row_names))
    return renumbered
