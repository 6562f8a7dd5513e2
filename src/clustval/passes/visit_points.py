"""Passes over points in blocks on threads, or plain NumPy where there are few."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes import threads, thresholds
from clustval.passes.visit_centres import BLOCK, blocks_of, fold


def extent(X: Floats) -> tuple[float, float, float]:
    """Return the sum of all numbers, the smallest and the largest; the latter two mean nothing if the sum is NaN."""
    if len(X) < thresholds.POINTS:
        with np.errstate(invalid="ignore", over="ignore"):
            return float(X.sum()), float(X.min()), float(X.max())
    from clustval.kernels.point_sums import ranges  # noqa: PLC0415 - loads the compiler

    sums, lows, highs = np.empty((3, X.shape[1]))
    ranges(X.ravel(), X.shape[1], 0, len(X), sums, lows, highs)
    with np.errstate(invalid="ignore", over="ignore"):
        return float(sums.sum()), float(lows.min()), float(highs.max())


def centre_of(X: Floats, n_jobs: int) -> Floats:
    """Return the mean of each column, which lies between its smallest and largest whatever the rounding."""
    mean: Floats
    if len(X) < thresholds.POINTS:
        mean = X.mean(axis=0)
        return np.clip(mean, X.min(axis=0), X.max(axis=0))
    from clustval.kernels.point_sums import ranges  # noqa: PLC0415 - loads the compiler

    p, limits = X.shape[1], _blocks(len(X))
    sums, lows, highs = np.empty((3, len(limits), p))

    def work(item: int) -> None:
        ranges(X.ravel(), p, *limits[item], sums[item], lows[item], highs[item])

    threads.run(work, len(limits), n_jobs)
    mean = sums.sum(axis=0) / len(X)
    return np.clip(mean, lows.min(axis=0), highs.max(axis=0))


def _blocks(n: int) -> list[tuple[int, int]]:
    return list(pairwise([*range(0, n, BLOCK), n]))


def order_of(codes: Integers, k: int) -> Integers:
    """Return the points of one cluster after another, those of each in their order."""
    if len(codes) < thresholds.POINTS:
        return np.argsort(codes, kind="stable")
    from clustval.kernels.point_sums import sort_codes  # noqa: PLC0415 - loads the compiler

    order = np.empty_like(codes)
    sort_codes(codes, order, np.empty(k + 1, dtype=np.int64))
    return order


def placed(X: Floats, order: Integers, origin: Floats, n_jobs: int) -> Floats:
    """Return the points in the given order, less the origin."""
    if len(X) < thresholds.POINTS:
        return X[order] - origin
    from clustval.kernels.point_sums import place  # noqa: PLC0415 - loads the compiler

    out = np.empty((len(order), X.shape[1]))
    limits = _blocks(len(order))
    threads.run(lambda item: place(X, order, origin, *limits[item], out), len(limits), n_jobs)
    return out


def deviations_by_cluster(
    Z: Floats, starts: Integers, means: Floats, n_jobs: int, weights: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return sums (k, p) of the deviations from the means of clusters and of their squares, and the largest (p,)."""
    if len(Z) < thresholds.POINTS or weights is not None:
        return deviations_by_cluster_numpy(Z, starts, means, weights)
    from clustval.kernels.point_sums import deviations  # noqa: PLC0415 - loads the compiler

    limits, clusters = blocks_of(starts)
    sums, squares, reach = np.empty((3, len(limits), Z.shape[1]))

    def work(item: int) -> None:
        deviations(Z.ravel(), *limits[item], means[clusters[item]], sums[item], squares[item], reach[item])

    threads.run(work, len(limits), n_jobs)
    k = len(means)
    return fold(sums, clusters, k), fold(squares, clusters, k), reach.max(axis=0)  # type: ignore[return-value]


def deviations_by_cluster_numpy(
    Z: Floats, starts: Integers, means: Floats, weights: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """Return what `deviations_by_cluster` returns, in plain NumPy."""
    sizes = np.diff(starts)
    present = np.flatnonzero(sizes)
    sums, squares = np.zeros((2, *means.shape))
    away = Z - np.repeat(means, sizes, axis=0)
    heavy = away if weights is None else away * weights[:, None]
    if len(present):
        sums[present] = np.add.reduceat(heavy, starts[present], axis=0)
        squares[present] = np.add.reduceat(heavy * away, starts[present], axis=0)
    return sums, squares, np.abs(away).max(axis=0, initial=0)
