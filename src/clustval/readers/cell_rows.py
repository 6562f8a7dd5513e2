"""Annotated cells in files: few are read at once, many in blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustval.readers.array_rows import table_of_arrays, vector_of
from clustval.readers.pieces import AT_ONCE, Beside, Rows, Table, Wanted


def rows_of_cells(home: Any, wanted: Wanted, *, whole: bool) -> Table | Rows:
    """Return the representation of cells with labels and weights of theirs: all rows of few, else a table.

    Where others read the rows, nothing is read as a `whole`.
    """
    points = home.points((), wanted.features, metric=None)
    labels, weights = (
        home.column(values) if isinstance(values, str) else values for values in (wanted.labels, wanted.weights)
    )
    if whole and points.shape[0] * points.shape[1] <= AT_ONCE:
        return Rows(np.asarray(points), labels, weights)
    return table_of_arrays([points], Beside(vector_of(labels, "labels"), vector_of(weights, "sample_weight")), None)
