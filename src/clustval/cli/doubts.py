"""Columns that are probably no features: numbers of rows, labels of another run, and what spoils distances."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from clustval.homes.identifiers import FEWEST, has_name_of_identifier
from clustval.homes.odd_columns import Remedies, odd_columns, of_columns

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

LABELS = re.compile(
    r"^(.*[_\s.-])?(label|labels|cluster|clusters|class|classes|target|truth|group|segment|kmeans|dbscan|hdbscan)\d*$",
    re.IGNORECASE,
)
MOST_LABELS = 100  # different values of a column of labels
REMEDIES = Remedies(
    leave_out="leave out with --exclude {}",
    same_scale="--standardize gives all the same weight",
    categories="--metric gower compares them as categories",
)


def doubts(
    columns: Sequence[pl.Series],
    X: NDArray[np.float64],
    *,
    chosen: bool,
    standardized: bool,
    matrix: bool = False,
    metric: str = "euclidean",
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
        rows = ("looks like the number or name of rows", "look like numbers or names of rows")
        lines += of_columns(numbers, *rows, REMEDIES)
        lines += of_columns(labels, "looks like labels, not a feature", "look like labels, not features", REMEDIES)
    return [*lines, *odd_columns([c.name for c in columns], X, REMEDIES, standardized=standardized, metric=metric)]


def _counts_rows(column: pl.Series) -> bool:
    if not column.dtype.is_integer() or len(column) < FEWEST or column.n_unique() < len(column):
        return False
    low, high = int(column.min()), int(column.max())  # type: ignore[arg-type]
    return high - low == len(column) - 1 or has_name_of_identifier(column.name)


def _holds_labels(column: pl.Series) -> bool:
    if not (column.dtype.is_integer() and LABELS.match(column.name)):
        return False
    return column.n_unique() <= min(MOST_LABELS, len(column) // 2)
