"""Compiled passes over rows in any order, a block at a time; their twins in NumPy are those of sorted points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.metrics.form import EUCLIDEAN
from clustval.passes.centres.centre_distances import CELLS, nearest_centres
from clustval.passes.work import thresholds

ABREAST = 16  # rows that are compared as one
WIDTH = 8  # points per strip, as in kernels.work.lanes
ABREAST_CENTRES = 4  # that rows are measured against at a time
LOST = 64.0  # times that the squares about a guess may be larger than those about the mean: so many digits are lost


def range_of(X: NDArray[Any]) -> tuple[Floats, Floats]:
    """Return the smallest and largest number of each column; NaN if one of them is.

    Several rows are taken as one long row: NumPy compares many numbers of a long row at a time.
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


@dataclass(frozen=True)
class RowSums:
    """What one pass over rows leaves behind: of each cluster mean, squared deviations and first row; the range."""

    means: Floats  # (k, p)
    squares: Floats  # (k, p)
    firsts: Integers  # (k,); -1 if a cluster has no rows
    lows: Floats  # (p,), the smallest number of each column; not finite if one of them is not
    highs: Floats

    @classmethod
    def of(cls, X: NDArray[Any], codes: Integers, sizes: Integers) -> RowSums:
        """Add up deviations from guesses of the means, and again from better ones if these were bad."""
        (k, p), flat = (len(sizes), X.shape[1]), X.ravel()
        pivots, firsts = np.empty((k, p)), np.empty(k, dtype=np.int64)
        kernels.points.unsorted_rows.guess_means(X, codes, pivots, firsts)
        counts = np.maximum(sizes, 1)[:, None]
        single = True if X.dtype == np.float32 else None
        while True:
            sums, squares = np.zeros((2, k * p))
            lows, highs = np.full(p, np.inf), np.full(p, -np.inf)
            kernels.points.unsorted_rows.deviations_of_rows(
                flat, single, codes, p, pivots.ravel(), sums, squares, lows, highs
            )
            sums, squares = sums.reshape(k, p), squares.reshape(k, p)
            if not np.isfinite(sums).all():  # the range of numbers that are none is not what it seems
                return cls(pivots, squares, firsts, *range_of(X))
            drift = sums / counts
            shift = counts * drift**2
            spread = np.maximum(squares - shift, 0)
            better = pivots + drift
            # A guess far from the mean leaves no digits of the squares: then the mean is the better guess.
            if not ((shift > LOST * spread) & (better != pivots)).any():
                return cls(better, spread, firsts, lows, highs)
            pivots = better


def rows_to_centres(
    X: NDArray[Any], codes: Integers, origin: Floats, means: Floats, mean: Floats
) -> tuple[Floats, Floats, float]:
    """Return the distances of each row to its own centre and to the nearest other, and the sum of those to `mean`."""
    own, nearest = np.empty(len(X)), np.empty(len(X))
    centres, place = _in_strips(means, mean)
    return (
        own,
        nearest,
        kernels.points.unsorted_rows.rows_to_centres(
            EUCLIDEAN, X.ravel(), codes, X.shape[1], origin, centres, place, own, nearest
        ),
    )


def sums_to_centres(X: NDArray[Any], codes: Integers, origin: Floats, means: Floats) -> Floats:
    """Return the sums of the distances of the rows of each cluster to each centre (k, k)."""
    k, p = means.shape
    centres, _ = _in_strips(means, means[0])
    sums = np.zeros((k, len(centres) // p))
    kernels.points.unsorted_rows.sums_to_centres(X.ravel(), codes, p, origin, centres, sums.ravel())
    return sums[:, :k].copy()


def _in_strips(means: Floats, mean: Floats) -> tuple[Floats, int]:
    """Return centres in strips, `centres[strip, dimension, lane]`, flat, and the place of the mean of all points.

    Places between and behind them are infinitely far.
    """
    (k, p), place = means.shape, -(-len(means) // ABREAST_CENTRES) * ABREAST_CENTRES
    places = np.full((-(-(place + 1) // WIDTH) * WIDTH, p), np.inf)
    places[:k], places[place] = means, mean
    return np.ascontiguousarray(places.reshape(-1, WIDTH, p).swapaxes(1, 2)).ravel(), place


def rows_to_clusters(Z: Floats, codes: Integers, means: Floats, spreads: Floats) -> tuple[Floats, Floats, Integers]:
    """Return the mean squared distance of each row to the points of its own cluster, of the nearest other, and which.

    `spreads` is the mean squared distance of the points of each cluster to their mean.
    """
    if (len(Z) < thresholds.POINTS and Z.size < thresholds.NUMBERS) or not thresholds.COMPILED:
        return rows_to_clusters_numpy(Z, codes, means, spreads)
    own, nearest = np.empty((2, len(Z)))
    neighbour = np.empty(len(Z), dtype=np.int64)
    kernels.points.unsorted_rows.rows_to_clusters(
        Z, codes, np.ascontiguousarray(means.T), spreads, own, nearest, neighbour
    )
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
