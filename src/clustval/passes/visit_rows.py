"""Compiled passes over rows in any order, a block at a time; their twins in NumPy are those of sorted points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.passes import thresholds
from clustval.passes.visit_centres import CELLS, nearest_centres

ABREAST = 16  # rows that are compared as one
FEW = 2**13  # rows that are added up at a time
LOST = 64.0  # times that the squares about a guess may be larger than those about the mean: so many digits are lost


def range_of(X: NDArray[Any]) -> tuple[Floats, Floats]:
    """Return the smallest and largest number of each column; NaN if one of them is.

    Several rows are taken as one long one, of which NumPy compares many numbers at a time.
    """
    n, p = X.shape
    many = n // ABREAST
    ends = []
    for least in (np.minimum, np.maximum):
        rows = [X[many * ABREAST :]]
        if many:
            rows.append(least.reduce(X[: many * ABREAST].reshape(many, ABREAST * p), axis=0).reshape(ABREAST, p))
        ends.append(least.reduce(np.concatenate(rows), axis=0).astype(np.float64))
    return ends[0], ends[1]


def means_and_squares(X: NDArray[Any], codes: Integers, sizes: Integers) -> tuple[Floats, Floats, Integers]:
    """Return the mean and the squared deviations from it of each cluster (k, p), and its first row."""
    from clustval.kernels.row_sums import guess_means  # noqa: PLC0415 - loads the compiler

    pivots = np.zeros((len(sizes), X.shape[1]))
    firsts: Integers = np.full(len(sizes), -1, dtype=np.int64)
    guess_means(X, codes, pivots, firsts)
    counts = np.maximum(sizes, 1)[:, None]
    while True:
        sums, squares = _deviations(X, codes, pivots)
        drift = sums / counts
        shift = counts * drift**2
        spread = np.maximum(squares - shift, 0)
        better = pivots + drift
        # A guess far from the mean leaves no digits of the squares: then the mean is the better guess.
        if not ((shift > LOST * spread) & (better != pivots)).any():
            return better, spread, firsts
        pivots = better


def _deviations(X: NDArray[Any], codes: Integers, pivots: Floats) -> tuple[Floats, Floats]:
    """Return sums of sums of few rows: long sums would lose digits."""
    from clustval.kernels.row_sums import deviations_of_rows  # noqa: PLC0415

    totals = np.zeros((2, *pivots.shape))
    step = max(FEW, 4 * len(pivots))
    for low in range(0, len(X), step):
        parts = np.zeros_like(totals)
        deviations_of_rows(X[low : low + step], codes[low : low + step], pivots, *parts)
        totals += parts
    return totals[0], totals[1]


def rows_to_centres(
    X: NDArray[Any], codes: Integers, origin: Floats, means: Floats, mean: Floats, *, table: bool = True
) -> tuple[Floats, Floats, Integers, Floats, float]:
    """Return own, nearest, neighbour of each row, sums (k, k) of distances, and the sum of distances to `mean`.

    Without a table, sums (k,) are those of distances to the own centre.
    """
    n, k = len(X), len(means)
    own, nearest = np.empty(n), np.empty(n)
    neighbour = np.empty(n, dtype=np.int64)
    sums: Any = np.zeros((k, k)) if table else None
    from clustval.kernels.row_sums import rows_to_centres as kernel  # noqa: PLC0415

    centres = np.ascontiguousarray(means.T)
    total = kernel(X, codes, origin, centres, mean, own, nearest, neighbour, sums)
    if sums is None:
        sums = np.bincount(codes, own, minlength=k)
    return own, nearest, neighbour, sums, float(total)


def rows_to_clusters(Z: Floats, codes: Integers, means: Floats, spreads: Floats) -> tuple[Floats, Floats, Integers]:
    """Return the mean squared distance of each row to the points of its own cluster, of the nearest other, and which.

    `spreads` is the mean squared distance of the points of each cluster to their mean.
    """
    if len(Z) < thresholds.POINTS or not thresholds.COMPILED:
        return rows_to_clusters_numpy(Z, codes, means, spreads)
    from clustval.kernels.row_sums import rows_to_clusters as kernel  # noqa: PLC0415

    own, nearest = np.empty((2, len(Z)))
    neighbour = np.empty(len(Z), dtype=np.int64)
    kernel(Z, codes, np.ascontiguousarray(means.T), spreads, own, nearest, neighbour)
    return own, nearest, neighbour


def rows_to_clusters_numpy(
    Z: Floats, codes: Integers, means: Floats, spreads: Floats
) -> tuple[Floats, Floats, Integers]:
    """Return what `rows_to_clusters` returns, in plain NumPy."""
    parts = []
    step = max(1, CELLS // len(means))
    for low in range(0, len(Z), step):
        rows = Z[low : low + step]
        squares = np.zeros((len(rows), len(means)))
        for j in range(Z.shape[1]):
            squares += (rows[:, j, None] - means[:, j]) ** 2
        parts.append(nearest_centres(squares + spreads, codes[low : low + step]))
    empty = (np.empty(0), np.empty(0), np.empty(0, dtype=np.int64))
    own, nearest, neighbour = (np.concatenate(column) for column in zip(empty, *parts, strict=True))
    return own, nearest, neighbour
