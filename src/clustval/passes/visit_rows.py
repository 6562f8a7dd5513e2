"""Passes over rows in any order, a block at a time: compiled, or plain NumPy where nothing is compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.passes import thresholds

FEW = 2**11  # rows that are added up at a time
LOST = 64.0  # times that the squares about a guess may be larger than those about the mean: so many digits are lost


def range_of(X: NDArray[Any]) -> tuple[bool, Floats, Floats]:
    """Return whether all numbers are finite, and the smallest and largest of each column."""
    if not thresholds.COMPILED or len(X) < thresholds.POINTS:
        with np.errstate(invalid="ignore"):
            return bool(np.isfinite(X).all()), X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
    from clustval.kernels.row_sums import range_of_rows  # noqa: PLC0415 - loads the compiler

    lows, highs = np.empty((2, X.shape[1]))
    return range_of_rows(X, lows, highs) == 0.0, lows, highs


def means_and_squares(X: NDArray[Any], codes: Integers, sizes: Integers) -> tuple[Floats, Floats, Integers]:
    """Return the mean and the squared deviations from it of each cluster (k, p), and its first row."""
    pivots = np.zeros((len(sizes), X.shape[1]))
    firsts: Integers = np.full(len(sizes), -1, dtype=np.int64)
    if thresholds.COMPILED:
        from clustval.kernels.row_sums import guess_means  # noqa: PLC0415

        guess_means(X, codes, pivots, firsts)
    else:
        guess_means_numpy(X, codes, pivots, firsts)
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


def guess_means_numpy(X: NDArray[Any], codes: Integers, pivots: Floats, firsts: Integers) -> None:
    """Fill what `guess_means` fills, in plain NumPy: the first row of each cluster."""
    present, where = np.unique(codes, return_index=True)
    where, present = where[present >= 0], present[present >= 0]
    pivots[present], firsts[present] = X[where], where


def _deviations(X: NDArray[Any], codes: Integers, pivots: Floats) -> tuple[Floats, Floats]:
    """Return sums of sums of few rows: long sums would lose digits."""
    totals = np.zeros((2, *pivots.shape))
    add: Any = deviations_of_rows_numpy
    if thresholds.COMPILED:
        from clustval.kernels.row_sums import deviations_of_rows as add  # noqa: PLC0415
    step = max(FEW, 4 * len(pivots))
    for low in range(0, len(X), step):
        parts = np.zeros_like(totals)
        add(X[low : low + step], codes[low : low + step], pivots, *parts)
        totals += parts
    return totals[0], totals[1]


def deviations_of_rows_numpy(X: NDArray[Any], codes: Integers, pivots: Floats, sums: Floats, squares: Floats) -> None:
    """Add what `deviations_of_rows` adds, in plain NumPy."""
    inside = codes >= 0
    away = X[inside] - pivots[codes[inside]]
    np.add.at(sums, codes[inside], away)
    np.add.at(squares, codes[inside], away**2)


def rows_to_centres(
    X: NDArray[Any], codes: Integers, origin: Floats, means: Floats, mean: Floats
) -> tuple[Floats, Floats, Integers, Floats, float]:
    """Return own, nearest, neighbour of each row, sums (k, k) of distances, and the sum of distances to `mean`."""
    n, k = len(X), len(means)
    own, nearest = np.empty(n), np.empty(n)
    neighbour = np.empty(n, dtype=np.int64)
    sums = np.zeros((k, k))
    from clustval.kernels.row_sums import rows_to_centres as kernel  # noqa: PLC0415

    centres = np.ascontiguousarray(means.T)
    total = kernel(X, codes, origin, centres, mean, own, nearest, neighbour, sums)
    return own, nearest, neighbour, sums, float(total)
