"""Columns that spoil distances: numbers of rows, constants, scales far apart, long tails, and codes of categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.homes.identifiers import FEWEST
from clustval.homes.remarks import GOWER, remarks

APART = 1000  # how many times as wide the widest column may be as the narrowest
MOST_ROWS = 100_000  # of more, evenly spaced ones are looked at
SHOWN = 5  # columns that a line names


@dataclass(frozen=True)
class Remedies:
    """What to do about columns, in the words of whoever is told: Python, or the program."""

    leave_out: str = "leave it out"
    same_scale: str = "standardise columns whose units differ"
    by_categories: str = GOWER

    def without(self, names: Sequence[str]) -> str:
        """Return how to leave columns out."""
        return self.leave_out.format(",".join(names[:SHOWN]))


IN_PYTHON = Remedies()


def odd_columns(
    names: Sequence[str],
    X: Floats,
    remedies: Remedies = IN_PYTHON,
    *,
    standardized: bool = False,
    counted: bool = True,
    remarked: bool = True,
) -> list[str]:
    """Return a line for each oddity of columns of numbers, with what to do about it.

    Whether columns number the rows is only asked where that is not `counted` elsewhere; long tails and codes are
    `remarked` on where units are weights.

    >>> odd_columns(["flat", "age"], np.array([[1.0, 20], [1, 30], [1, 45]]))
    ["Column 'flat' is constant and tells nothing apart; leave it out"]
    """
    X = X[np.linspace(0, len(X) - 1, MOST_ROWS).astype(np.int64)] if len(X) > MOST_ROWS else X
    lines = [] if counted else of_columns(_picked(names, _numbers_rows(X)), *COUNTS, remedies)
    constant = X.min(axis=0) == X.max(axis=0)
    lines += of_columns(_picked(names, constant), *CONSTANT, remedies)
    if not standardized:
        lines += _scales(names, X, remedies)
    if remarked:
        lines += [line.removesuffix(".") for line in remarks(names, X, remedies.by_categories)]
    return lines


COUNTS = ("numbers the rows", "number the rows")
CONSTANT = ("is constant and tells nothing apart", "are constant and tell nothing apart")


def of_columns(names: Sequence[str], one: str, several: str, remedies: Remedies) -> list[str]:
    """Return a line on columns that all have the same fault; none without columns."""
    if not names:
        return []
    return [f"{_listed(names)} {one if len(names) == 1 else several}; {remedies.without(names)}"]


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:SHOWN])) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    return f"Column {shown}" if len(names) == 1 else f"Columns {shown}"


def _picked(names: Sequence[str], flags: NDArray[np.bool_]) -> list[str]:
    return [str(name) for name, flag in zip(names, flags, strict=True) if flag]


def _numbers_rows(X: Floats) -> NDArray[np.bool_]:
    """Return which columns rise by one from row to row."""
    if len(X) < FEWEST:
        return np.zeros(X.shape[1], dtype=bool)
    return np.asarray((np.diff(X, axis=0) == 1).all(axis=0))


def _scales(names: Sequence[str], X: Floats, remedies: Remedies) -> list[str]:
    with np.errstate(over="ignore"):
        spread = X.std(axis=0)
    there = np.flatnonzero((spread > 0) & np.isfinite(spread))
    if len(there) < 2:
        return []
    wide, narrow = there[spread[there].argmax()], there[spread[there].argmin()]
    times = spread[wide] / spread[narrow]
    if times < APART:
        return []
    widest, narrowest = repr(str(names[wide])), repr(str(names[narrow]))
    how = f"Column {widest} varies {times:,.3g} times as much as {narrowest}, so that it alone decides distances"
    return [f"{how}; {remedies.same_scale}"]
