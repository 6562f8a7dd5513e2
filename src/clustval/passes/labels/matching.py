"""The heaviest matching of clusters: SciPy's on small tables, compiled over occupied cells on large ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Integers

LAID_OUT = 2**18  # cells up to which the table is laid out for SciPy


def heaviest_matching(
    rows: Integers,
    columns: Integers,
    weights: NDArray[np.float64],
    shape: tuple[int, int],
    *,
    laid_out: int = LAID_OUT,
) -> Integers:
    """Return the positions of the cells, sorted by row, whose weights add up to most, no row or column twice."""
    if shape[0] * shape[1] <= laid_out:
        position = np.full(shape, -1, dtype=np.int64)
        position[rows, columns] = np.arange(len(rows))
        cells = position[_matched(_table(rows, columns, weights, shape))]
        return cells[cells >= 0]
    starts = np.searchsorted(rows, np.arange(shape[0] + 1))
    match = kernels.labels.matching.heaviest_matching(starts, columns, weights, shape[1])
    return np.flatnonzero(match[rows] == columns)


def heaviest_weights(
    rows: Integers, columns: Integers, weights: NDArray[np.float64], shape: tuple[int, int]
) -> NDArray[np.float64]:
    """Return the weights, all above 0, of the cells that `heaviest_matching` finds, in the same order."""
    if shape[0] * shape[1] > LAID_OUT:
        return weights[heaviest_matching(rows, columns, weights, shape)]
    table = _table(rows, columns, weights, shape)
    matched = table[_matched(table)]
    return matched[matched > 0]


def _table(
    rows: Integers, columns: Integers, weights: NDArray[np.float64], shape: tuple[int, int]
) -> NDArray[np.float64]:
    table = np.zeros(shape)
    table[rows, columns] = weights
    return table


def _matched(table: NDArray[np.float64]) -> tuple[Integers, Integers]:
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415 - only matchings need it

    places: tuple[Integers, Integers] = linear_sum_assignment(table, maximize=True)
    return places
