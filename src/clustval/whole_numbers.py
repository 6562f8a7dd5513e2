"""Whole numbers that float64 rounds: beyond 2**53 it does not have every one, and differences of them are lost."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Flags, Floats
from clustval.errors import InputError

EXACT = 2**53  # the largest number up to which float64 has every whole number


def as_floats(array: NDArray[Any], name: str, columns: Sequence[str] | None = None) -> Floats:
    """Return rows of numbers as C-ordered float64, or raise an error that names the column where one is rounded.

    >>> as_floats(np.array([[1, 2**60]]), "X").tolist()
    [[1.0, 1.152921504606847e+18]]
    >>> as_floats(np.array([[1, 2**60 + 1]]), "X")
    Traceback (most recent call last):
    ...
    clustval.errors.InputError: Column 1 of X holds 1152921504606846977, which float64 rounds to 1152921504606846976: \
    it has not every whole number beyond 2**53. Subtract the smallest number of the column, in whole numbers, first.
    """
    floats = np.ascontiguousarray(array, dtype=np.float64)
    rounded = rounded_numbers(array)
    if rounded is not None:
        at = tuple(np.argwhere(rounded)[0])
        what = f"Column {repr(columns[at[-1]]) if columns else at[-1]} of {name}"
        raise rounding_error(what, array[at])
    return floats


def rounded_numbers(numbers: NDArray[Any]) -> Flags | None:
    """Return which numbers float64 rounds though they are whole; None if it has them all."""
    kind = numbers.dtype.kind
    if kind == "O":
        rounded = np.array([_is_rounded(number) for number in numbers.flat], dtype=bool).reshape(numbers.shape)
    elif kind in "iu" and numbers.dtype.itemsize == 8 and numbers.size and _beyond(numbers):
        floats = numbers.astype(np.float64)
        with np.errstate(invalid="ignore"):  # the largest whole number is rounded to one that its type does not have
            back = floats.astype(numbers.dtype)
        rounded = (back != numbers) | (floats >= 2.0 ** (63 if kind == "i" else 64))
    else:
        return None
    return rounded if rounded.any() else None


def check_floats(names: NDArray[Any], what: str) -> None:
    """Raise an error if names are floating-point numbers so large that two whole numbers may have become one."""
    if names.dtype.kind == "f" and names.size:
        digits = np.finfo(names.dtype).nmant + 1
        largest = float(np.abs(names).max())
        if 2.0**digits <= largest < math.inf:
            msg = (
                f"{what} holds {largest:.20g} as a {names.dtype}, which has not every whole number beyond 2**{digits}: "
                "two names may have become one. Read them as whole numbers or as text."
            )
            raise InputError(msg)


def check_whole(column: Any, what: str) -> None:
    """Raise an error if a column of a data frame holds a whole number that float64 rounds."""
    import narwhals as nw  # noqa: PLC0415

    if column.dtype.is_integer() or column.dtype in (nw.Decimal, nw.Object):
        numbers = known_numbers(column)
        rounded = rounded_numbers(numbers)
        if rounded is not None:
            raise rounding_error(what, numbers[rounded][0])


def known_numbers(column: Any) -> NDArray[Any]:
    """Return the entries of a column that are not missing, as objects where NumPy has no type for them."""
    import narwhals as nw  # noqa: PLC0415

    known = column.drop_nulls()
    if column.dtype in (nw.Decimal, nw.Int128, nw.UInt128, nw.Object):
        return np.array([*known.to_list(), None], dtype=object)[:-1]  # of lists, too, an entry each
    return np.asarray(known.to_numpy())


def rounding_error(what: str, number: Any) -> InputError:
    """Return the error about a column that holds a whole number which float64 rounds."""
    return InputError(
        f"{what} holds {int(number)}, which float64 rounds to {int(float(number))}: it has not every whole number "
        "beyond 2**53. Subtract the smallest number of the column, in whole numbers, first."
    )


def from_lowest(numbers: NDArray[Any], missing: Flags) -> NDArray[Any]:
    """Return how far whole numbers are above the smallest of them, which float64 has nearly; others as they are."""
    if numbers.dtype.kind not in "iuO" or missing.all():
        return numbers
    if numbers.dtype.kind == "O":
        return np.asarray(numbers - numbers[~missing].min())
    whole = numbers.astype(np.int64 if numbers.dtype.kind == "i" else np.uint64)
    lowest = whole[~missing].min()
    return np.asarray(whole.view(np.uint64) - lowest.view(np.uint64))  # right also where int64 would overflow


def _beyond(numbers: NDArray[Any]) -> bool:
    return bool(numbers.max() > EXACT or numbers.min() < -EXACT)


def _is_rounded(number: Any) -> bool:
    if isinstance(number, Decimal):
        return number.is_finite() and abs(number) > EXACT and Decimal(float(number)) != number
    if not isinstance(number, (int, np.integer, Fraction)) or abs(int(number)) <= EXACT:
        return False
    return int(number).bit_length() >= sys.float_info.max_exp or int(float(number)) != number
