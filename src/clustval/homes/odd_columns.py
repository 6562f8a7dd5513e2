"""Columns that spoil distances: numbers of rows, constants, scales far apart, a few values far out, and codes."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.homes.identifiers import FEWEST

APART = 1000  # how many times as wide the widest column may be as the narrowest
SKEWED = 3.0  # skewness from which on a few rows decide distances; exponential waiting times have 2
MOST_ROWS = 100_000  # of more, evenly spaced ones are looked at
SHOWN = 5  # columns that a line names
FEWEST_CODES = 20  # rows from which on a column of 0 and 1 is hardly one of numbers
ADDED_UP = frozenset({"euclidean", "sqeuclidean", "cityblock", "manhattan", "minkowski", "l1", "l2"})  # over columns


@dataclass(frozen=True)
class Remedies:
    """What to do about columns, in the words of whoever is told: Python, or the program."""

    leave_out: str = "leave it out"
    same_scale: str = "standardise columns whose units differ"
    less_skew: str = "take logarithms or ranks first"
    categories: str = "metric='gower' compares them as categories"

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
    metric: Any = "euclidean",
) -> list[str]:
    """Return a line for each oddity of columns of numbers, with what to do about it.

    Whether columns number the rows is only asked where that is not `counted` elsewhere. Columns of 0 and 1 are odd
    where differences of columns are added up.

    >>> odd_columns(["flat", "age"], np.array([[1.0, 20], [1, 30], [1, 45]]))
    ["Column 'flat' is constant and distinguishes nothing; leave it out"]
    """
    X = X[np.linspace(0, len(X) - 1, MOST_ROWS).astype(np.int64)] if len(X) > MOST_ROWS else X
    lines = [] if counted else of_columns(_picked(names, _numbers_rows(X)), *COUNTS, remedies)
    constant = X.min(axis=0) == X.max(axis=0)
    lines += of_columns(_picked(names, constant), *CONSTANT, remedies)
    if not standardized:
        lines += _scales(names, X, remedies)
    return [*lines, *misread_columns(names, X, remedies, metric)]


def misread_columns(
    names: Sequence[str], X: Floats, remedies: Remedies = IN_PYTHON, metric: Any = "euclidean"
) -> list[str]:
    """Return a line on skewed columns, and one on those of 0 and 1: distances take both otherwise than people mean.

    >>> X = np.column_stack([np.arange(30.0), np.exp(np.arange(30.0)), np.arange(30) % 2])
    >>> for line in misread_columns(["age", "spend", "member"], X):
    ...     print(line)
    Column 'spend' has a few extreme values, which dominate distances; take logarithms or ranks first
    Column 'member' holds 0 and 1 only, as coded categories do; metric='gower' compares them as categories
    """
    lines = []
    skewed = _picked(names, np.abs(skewness(X)) > SKEWED)
    if skewed:
        what = (
            f"{_listed(skewed)} {'has' if len(skewed) == 1 else 'have'} a few extreme values, which dominate distances"
        )
        lines.append(f"{what}; {remedies.less_skew}")
    codes = ((X == 0) | (X == 1)).all(axis=0) & (X.min(axis=0) < X.max(axis=0)) & (len(X) >= FEWEST_CODES)
    coded = _picked(names, codes)
    if coded and metric in ADDED_UP:
        what = f"{_listed(coded)} {'holds' if len(coded) == 1 else 'hold'} 0 and 1 only, as coded categories do"
        lines.append(f"{what}; {remedies.categories}")
    return lines


def warn_of_columns(points: Any, metric: Any) -> None:
    """Say in warnings which columns of a data frame distances may misread."""
    if metric not in ADDED_UP or isinstance(points, np.ndarray) or not hasattr(type(points), "columns"):
        return
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame = nw.from_native(points, pass_through=True)
    if not isinstance(frame, nw.DataFrame) or len(frame) < FEWEST_CODES or len(frame) == len(frame.columns):
        return  # a square frame may be of distances
    columns = [column for column in frame.iter_columns() if column.dtype.is_numeric() or column.dtype == nw.Boolean]
    if not columns:
        return
    step = max(1, len(frame) // MOST_ROWS)
    X = np.column_stack([column.gather_every(step).cast(nw.Float64).to_numpy() for column in columns])
    if np.isfinite(X).all():
        for line in misread_columns([str(column.name) for column in columns], X):
            warnings.warn(f"{line}.", UserWarning, stacklevel=4)


COUNTS = ("numbers the rows", "number the rows")
CONSTANT = ("is constant and distinguishes nothing", "are constant and distinguish nothing")


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
