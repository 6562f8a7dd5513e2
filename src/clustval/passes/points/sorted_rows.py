"""Passes over points in blocks on threads, or plain NumPy where there are few."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite
from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.centres.centre_distances import BLOCK, in_one_call
from clustval.passes.work import threads, thresholds

SHORT = 2**16  # clusters whose numbers have 16 bits


def extent(X: Floats) -> tuple[float, float]:
    """Return the smallest and the largest of all numbers; NaN if one of them is."""
    if len(X) < thresholds.POINTS:
        return float(X.min()), float(X.max())
    total, low, high = kernels.points.sorted_rows.extent(X.ravel())
    if not isfinite(total):  # the kernel may overlook NaN but in the sum
        return float(X.min()), float(X.max())
    return low, high


def _blocks(n: int, block: int) -> list[tuple[int, int]]:
    return list(pairwise([*range(0, n, block), n]))


def sorted_codes(codes: Integers, k: int) -> tuple[Integers, Integers, Integers, Integers]:
    """Return the points of one cluster after another, those of each in their order, and clusters in that order.

    These are where each begins (k + 1,), its size (k,), and the code of each of the sorted points.
    """
    if len(codes) < thresholds.POINTS:
        few = codes.astype(np.uint16) if k <= SHORT else codes  # NumPy sorts short whole numbers digit by digit
        order, sizes = few.argsort(kind="stable"), np.bincount(codes, minlength=k)
        starts: Integers = np.zeros(k + 1, dtype=np.int64)
        sizes.cumsum(out=starts[1:])
        return order, starts, sizes, codes[order]
    order, ordered, starts = np.empty_like(codes), np.empty_like(codes), np.empty(k + 1, dtype=np.int64)
    kernels.points.sorted_rows.sorted_codes(codes, order, starts, ordered)
    return order, starts, starts[1:] - starts[:-1], ordered


def placed(X: Floats, order: Integers, origin: Floats, n_jobs: int, *, block: int = BLOCK) -> Floats:
    """Return the points in the given order, less the origin."""
    if len(X) < thresholds.POINTS:
        points = X.take(order, axis=0)
        points -= origin
        return points
    out = np.empty((len(order), X.shape[1]))
    if in_one_call(out, block):
        kernels.points.sorted_rows.place(X, order, origin, 0, len(order), out)
        return out
    limits = _blocks(len(order), block)
    n_jobs = threads.worth(n_jobs, out.size)
    threads.run(
        lambda item: kernels.points.sorted_rows.place(X, order, origin, *limits[item], out), len(limits), n_jobs
    )
    return out


def about_mean(
    mass: Any, means: Floats, squares: Floats, n: Any, rounding: float, reach: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the mean of all points (p,) and, about it, means of clusters (k, p), their squares and those of points.

    Squares of means count by mass and are added up (p,); with those about the means they are those of points (p,).
    Offsets of no more than `rounding`, in units of the reach, are 0. There may be more axes in front.
    """
    if means.ndim > 2 or n < thresholds.POINTS:
        return about_mean_numpy(mass, means, squares, n, rounding, reach)
    return kernels.points.sorted_rows.about_mean(mass, means, squares, n, rounding, reach)


def about_mean_numpy(
    mass: Any, means: Floats, squares: Floats, n: Any, rounding: float, reach: Floats
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return what `about_mean` returns, in plain NumPy."""
    mean: Floats = (mass[..., None] * means).sum(-2) / n
    offsets = means - mean[..., None, :]
    offsets = np.where(np.abs(offsets) <= rounding * reach, 0.0, offsets)
    between = (mass[..., None] * offsets**2).sum(-2)
    return mean, offsets, between, squares.sum(-2) + between


def deviations_by_cluster_numpy(
    Z: Floats, starts: Integers, counts: Any, weights: Floats | None = None
) -> tuple[Floats, Floats, Floats, Floats]:
    """Return means (k, p), sums of the deviations from them and of their squares, and how far points reach (p,).

    `counts` are what the sums of clusters are divided by (k,). NumPy is quickest where columns lie in one piece.
    """
    columns, sizes = np.ascontiguousarray(Z.T), starts[1:] - starts[:-1]
    whole = np.count_nonzero(sizes) == len(sizes) > 0

    def sums(values: Floats) -> Floats:
        """Return the sum of each column over the points of each cluster (p, k), 0 where it has none."""
        if whole:
            return np.add.reduceat(values, starts[:-1], axis=1)
        table: Floats = np.zeros((len(values), len(sizes)))
        if len(Z):
            present = np.flatnonzero(sizes)
            table[:, present] = np.add.reduceat(values, starts[:-1][present], axis=1)
        return table

    means = sums(columns if weights is None else columns * weights) / counts
    away = columns - means.repeat(sizes, axis=1)
    heavy = away if weights is None else away * weights
    reach = np.maximum.reduce(np.abs(columns), axis=1, initial=0)
    return *(np.ascontiguousarray(table.T) for table in (means, sums(heavy), sums(heavy * away))), reach
