"""Compiled passes over rows in any order, a block at a time; their twins in NumPy are those of sorted points."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.metrics.form import EUCLIDEAN
from clustval.passes.centres.centre_distances import CELLS, nearest_centres
from clustval.passes.work import thresholds

WIDTH = 8  # points per strip, as in kernels.work.lanes
ABREAST_CENTRES = 4  # that rows are measured against at a time


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
