"""Columns that spoil distances: numbers of rows, constants, scales far apart, and values of which a few are far out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.homes.identifiers import FEWEST

APART = 1000  # how many times as wide the widest column may be as the narrowest
SKEWED = 3.0  # skewness from which on a few rows decide distances; exponential waiting times have 2
MOST_ROWS = 100_000  # of more, evenly spaced ones are looked at
SHOWN = 5  # columns that a line names


@dataclass(frozen=True)
class Remedies:
    """What to do about columns, in the words of whoever is told: Python, or the program."""

    leave_out: str = "leave it out"
    same_scale: str = "standardise columns whose units differ"
    less_skew: str = "take logarithms or ranks first"

    def without(self, names: Sequence[str]) -> str:
        """Return how to leave columns out."""
        return self.leave_out.format(",".join(names[:SHOWN]))


IN_PYTHON = Remedies()


def odd_columns(
    names: Sequence[str], X: Floats, remedies: Remedies = IN_PYTHON, *, standardized: bool = False, counted: bool = True
) -> list[str]:
    """Return a line for each oddity of columns of numbers, with what to do about it.

    Whether columns number the rows is only asked where that is not `counted` elsewhere.

    >>> odd_columns(["flat", "age"], np.array([[1.0, 20], [1, 30], [1, 45]]))
    ["Column 'flat' is constant and tells nothing apart; leave it out"]
    """
    X = X[np.linspace(0, len(X) - 1, MOST_ROWS).astype(np.int64)] if len(X) > MOST_ROWS else X
    lines = [] if counted else of_columns(_picked(names, _numbers_rows(X)), *COUNTS, remedies)
    constant = X.min(axis=0) == X.max(axis=0)
    lines += of_columns(_picked(names, constant), *CONSTANT, remedies)
    if not standardized:
        lines += _scales(names, X, remedies)
    skewed = _picked(names, np.abs(skewness(X)) > SKEWED)
    if skewed:
        what = f"{_listed(skewed)} {'has' if len(skewed) == 1 else 'have'} a few values far out, which decide distances"
        lines.append(f"{what}; {remedies.less_skew}")
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


def skewness(X: Floats) -> Floats:
    """Return the third standardised moment of each column; 0 of columns with fewer than three values.

    >>> skewness(np.array([[0.0, 1], [0, 1], [0, 2], [4, 3]])).round(3).tolist()
    [0.0, 0.493]
    """
    reach = np.abs(X).max(axis=0)
    scaled = X / np.where(reach > 0, reach, 1.0)  # cubes of large numbers would overflow
    centred = scaled - scaled.mean(axis=0)
    variances = np.square(centred).mean(axis=0)
    low, high = X.min(axis=0), X.max(axis=0)
    several = ((low < X) & (X < high)).any(axis=0)  # of two values, the rarer one is no outlier
    with np.errstate(invalid="ignore", divide="ignore"):
        values = (centred**3).mean(axis=0) / variances**1.5
    return np.where(several & np.isfinite(values), values, 0.0)


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
