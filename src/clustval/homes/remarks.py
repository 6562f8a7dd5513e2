"""Sentences about columns that distances take otherwise than people mean them: skewed ones, and those of 0 and 1."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from clustval.arrays import Floats

FEWEST = 20  # rows from which on the shape of a column is more than chance
SKEWED = 2.0  # skewness, that of the exponential distribution
LESS = 0.5  # of it is left by the logarithm, at most, where that is the better scale
LOOKED_AT = 5000  # rows at most, spread evenly
SHOWN = 5  # columns that a sentence names
BY_UNITS = {
    "euclidean",
    "sqeuclidean",
    "cityblock",
    "chebyshev",
    "manhattan",
    "l1",
    "l2",
    "minkowski",
}  # units are weights here
GOWER = "metric='gower'"


def remarks(names: Sequence[Any], X: Floats, gower: str = GOWER) -> list[str]:
    """Return a sentence about the skewed columns, and one about those of 0 and 1; `gower` is how to ask for that.

    >>> X = np.column_stack([np.arange(30.0), np.exp(np.arange(30) / 5), np.arange(30) % 2])
    >>> for line in remarks(["age", "spend", "member"], X):
    ...     print(line)
    Column 'spend' is skewed, so that its few large values decide distances; its logarithm may change the answer.
    Column 'member' holds 0 and 1 only, as coded categories do; metric='gower' compares them as categories.
    """
    if len(X) < FEWEST or X.shape[1] != len(names):
        return []
    some = X[:: max(1, len(X) // LOOKED_AT)]
    if not np.isfinite(some).all():
        return []
    codes = ((some == 0) | (some == 1)).all(axis=0) & (some.min(axis=0) < some.max(axis=0))
    lines = []
    skewed = [name for name, column in zip(names, some.T, strict=True) if _is_skewed(column)]
    if skewed:
        one = len(skewed) == 1
        large, log = ("its few large values", "its logarithm") if one else ("few large values", "their logarithms")
        what = f"{_listed(skewed)} {'is' if one else 'are'} skewed, so that {large} decide distances"
        lines.append(f"{what}; {log} may change the answer.")
    if codes.any():
        coded = [name for name, code in zip(names, codes.tolist(), strict=True) if code]
        what = f"{_listed(coded)} {'holds' if len(coded) == 1 else 'hold'} 0 and 1 only, as coded categories do"
        lines.append(f"{what}; {gower} compares them as categories.")
    return lines


def warn_of_columns(points: Any, metric: Any) -> None:
    """Say in warnings what is remarkable about the columns of a data frame whose units are weights."""
    if metric not in BY_UNITS or isinstance(points, np.ndarray) or not hasattr(type(points), "columns"):
        return
    import narwhals as nw  # noqa: PLC0415 - only data frames need it

    frame = nw.from_native(points, pass_through=True)
    if not isinstance(frame, nw.DataFrame) or len(frame) < FEWEST or len(frame) == len(frame.columns):
        return  # a square frame may be of distances
    columns = [column for column in frame.iter_columns() if column.dtype.is_numeric() or column.dtype == nw.Boolean]
    if not columns:
        return
    step = max(1, len(frame) // LOOKED_AT)
    X = np.column_stack([column.gather_every(step).cast(nw.Float64).to_numpy() for column in columns])
    for line in remarks([column.name for column in columns], X):
        warnings.warn(line, UserWarning, stacklevel=4)


def _is_skewed(column: Floats) -> bool:
    """Return whether a column without negative numbers has a long tail of large ones, which the logarithm shortens."""
    if column.min() < 0:
        return False
    plain = _skewness(column)
    unit = float(np.median(column)) or float(column.mean())  # beyond it the logarithm bends
    return plain > SKEWED and _skewness(np.log1p(column / unit)) < LESS * plain


def _skewness(column: Floats) -> float:
    """Return the third moment around the mean in standard deviations; 0 of a constant."""
    away = column - column.mean()
    spread = float(np.sqrt((away**2).mean()))
    return float(((away / spread) ** 3).mean()) if spread > 0 else 0.0


def _listed(names: Sequence[Any]) -> str:
    shown = ", ".join(map(repr, names[:SHOWN])) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    return f"Column {shown}" if len(names) == 1 else f"Columns {shown}"
