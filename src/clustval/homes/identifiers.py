"""Columns that name or number the rows: they are no features, however different their values are."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from clustval.number_words import is_number
from clustval.whole_numbers import known_numbers

COUNTERS = ("", "Unnamed: 0")  # what data frames call the row numbers that they write
NAMES = re.compile(
    r"(^|[_\s.-])(id|ids|uuid|guid|key|index|idx|row|rowid|nr|no|number)$|^(id|row)[_\s.-]|^(customer|client|user)$"
    rf"|^({'|'.join(map(re.escape, COUNTERS))})$|^__index_level_\d+__$",
    re.IGNORECASE,
)
CAMEL = re.compile(r"[a-z]I[Dd]$")  # customerID
FEWEST = 10  # rows from which on values that all differ are suspicious


def is_identifier(column: Any) -> bool:
    """Return whether a column of narwhals names or numbers the rows.

    Its values all differ, and they are whole numbers in a column whose name says so, whole numbers that rise by one
    from row to row, or text.

    >>> import narwhals as nw
    >>> import pandas as pd
    >>> ages, ids = pd.Series(range(30, 10, -1), name="age"), pd.Series(range(30, 10, -1), name="customer_id")
    >>> [is_identifier(nw.from_native(column, series_only=True)) for column in (ages, ids)]
    [False, True]
    """
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    known = column.drop_nulls()
    if column.dtype in (nw.String, nw.Object):
        return _is_text(known) and _all_differ(known.to_list())
    if not (column.dtype.is_integer() or column.dtype.is_float()):
        return False
    numbers = known_numbers(column)
    named = has_name_of_identifier(column.name)
    if column.dtype.is_float():  # whole numbers with gaps, as pandas has them
        numbers = numbers[~np.isnan(numbers)]
        named = named and bool((numbers == np.floor(numbers)).all())
        return named and _all_differ(numbers.tolist())
    return _all_differ(numbers.tolist()) if named else len(numbers) == len(column) >= FEWEST and _counts(numbers)


def has_name_of_identifier(name: Any) -> bool:
    """Return whether the name of a column says that it names or numbers rows."""
    return bool(NAMES.search(str(name)) or CAMEL.search(str(name)))


def warn_of_identifiers(names: Sequence[str], where: str) -> None:
    """Say in a warning which columns were left out since they name the rows."""
    several = len(names) > 1
    columns = f"Columns {', '.join(map(repr, names))} name" if several else f"Column {names[0]!r} names"
    msg = (
        f"{columns} the rows of {where} and {'are' if several else 'is'} left out; to keep every column, pass an array."
    )
    warnings.warn(msg, UserWarning, stacklevel=3)


def _is_text(known: Any) -> bool:
    """Return whether a column holds text that is no numbers, by its first values."""
    return all(isinstance(value, str) and not is_number(value) for value in known.head(FEWEST).to_list())


def _all_differ(values: list[Any]) -> bool:
    return len(values) >= FEWEST and len(set(values)) == len(values)


def _counts(numbers: Any) -> bool:
    """Return whether numbers rise by one from row to row."""
    return bool(numbers[-1] - numbers[0] == len(numbers) - 1 and (numbers[1:] - numbers[:-1] == 1).all())
