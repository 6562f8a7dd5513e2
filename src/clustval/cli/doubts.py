"""Columns that are probably no features: numbers of rows, labels of another run, constants, and scales far apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from clustval.homes.identifiers import FEWEST, has_name_of_identifier

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

LABELS = re.compile(
    r"^(.*[_\s.-])?(label|labels|cluster|clusters|class|classes|target|truth|group|segment|kmeans|dbscan|hdbscan)\d*$",
    re.IGNORECASE,
)
MOST_LABELS = 100  # different values of a column of labels
APART = 1000  # how many times as wide the widest column may be as the narrowest
SHOWN = 5  # columns that a line names


def doubts(
    columns: Sequence[pl.Series], X: NDArray[np.float64], *, chosen: bool, standardized: bool, matrix: bool = False
) -> list[str]:
    """Return a line for each doubt about the columns that are used as features, with what to do about it.

    Of columns that were `chosen` by name only the scales are doubted, and of a `matrix` of distances nothing is.
    """
    if matrix:
        return []
    lines = []
    if not chosen:
        numbers = [c.name for c in columns if _counts_rows(c)]
        labels = [c.name for c in columns if c.name not in numbers and _holds_labels(c)]
        lines += _line(numbers, "looks like the number or name of rows", "look like numbers or names of rows")
        lines += _line(labels, "looks like labels, not a feature", "look like labels, not features")
    low, high = X.min(axis=0), X.max(axis=0)
    constant = [c.name for c, flat in zip(columns, low == high, strict=True) if flat]
    lines += _line(constant, "is constant and tells nothing apart", "are constant and tell nothing apart")
    return lines if standardized else [*lines, *_scales(columns, X)]


def _line(names: list[str], one: str, several: str) -> list[str]:
    if not names:
        return []
    shown = ", ".join(map(repr, names[:SHOWN])) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    what = f"Column {shown} {one}" if len(names) == 1 else f"Columns {shown} {several}"
    return [f"{what}; leave out with --exclude {','.join(names[:SHOWN])}"]


def _counts_rows(column: pl.Series) -> bool:
    if not column.dtype.is_integer() or len(column) < FEWEST or column.n_unique() < len(column):
        return False
    low, high = int(column.min()), int(column.max())  # type: ignore[arg-type]
    return high - low == len(column) - 1 or has_name_of_identifier(column.name)


def _holds_labels(column: pl.Series) -> bool:
    if not (column.dtype.is_integer() and LABELS.match(column.name)):
        return False
    return column.n_unique() <= min(MOST_LABELS, len(column) // 2)


def _scales(columns: Sequence[pl.Series], X: Any) -> list[str]:
    import numpy as np  # noqa: PLC0415

    with np.errstate(over="ignore"):
        spread = X.std(axis=0)
    there = np.flatnonzero((spread > 0) & np.isfinite(spread))
    if len(there) < 2:
        return []
    wide, narrow = there[spread[there].argmax()], there[spread[there].argmin()]
    times = spread[wide] / spread[narrow]
    if times < APART:
        return []
    names = columns[wide].name, columns[narrow].name
    how = f"Column {names[0]!r} varies {times:,.3g} times as much as {names[1]!r}, so that it alone decides distances"
    return [f"{how}; --standardize gives all the same weight"]
