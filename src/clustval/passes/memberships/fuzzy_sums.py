"""Sums over points, weighted by their memberships: compiled in blocks of rows, in NumPy where points are few."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats
from clustval.passes.work import threads, thresholds

BLOCK = 2**13  # rows that one thread adds up; sums of blocks are added in their order


def powers(U: Floats, m: float) -> Floats:
    """Return memberships to the power m.

    >>> powers(np.array([0.5, 0.25]), 2.0).tolist()
    [0.25, 0.0625]
    """
    return U * U if m == 2 else U**m


def _folded(
    add: Callable[[Floats, Floats, Floats, Floats], object],
    X: Floats,
    U: Floats,
    weights: Floats | None,
    shape: tuple[int, ...],
) -> Floats:
    """Return the sum, over blocks of rows, of what a kernel adds to an array of this shape."""
    starts = range(0, len(X), BLOCK)
    sums = np.zeros((len(starts), *shape))
    heavy = np.empty(0) if weights is None else weights

    def work(block: int) -> None:
        rows = slice(starts[block], starts[block] + BLOCK)
        add(X[rows], U[rows], heavy[rows], sums[block])

    n_jobs = threads.worth(threads.available_cores(), len(X) * (U.shape[1] + 1) * X.shape[1])
    threads.run(work, len(starts), n_jobs)
    return np.asarray(np.add.reduce(sums, axis=0))


def _few(X: Floats) -> bool:
    return len(X) < thresholds.POINTS


def sharpness(U: Floats, weights: Floats | None) -> tuple[Floats, float, float]:
    """Return the sum of the memberships of each cluster, that of all squares, and that of all -u log u."""
    if _few(U):
        return sharpness_numpy(U, weights)
    kernel, k = kernels.memberships.fuzzy_sums.sharpness, U.shape[1]

    def add(_rows: Floats, shares: Floats, heavy: Floats, sums: Floats) -> None:
        kernel(shares, heavy, sums[:k], sums[k:])

    sums = _folded(add, U, U, weights, (k + 2,))
    return sums[:k], float(sums[k]), 0.0 - float(sums[k + 1])  # 0, not -0, where all are 0 or 1


def sharpness_numpy(U: Floats, weights: Floats | None) -> tuple[Floats, float, float]:
    """Return what `sharpness` returns; 0 log 0 is 0."""
    heavy = np.ones(len(U)) if weights is None else weights
    logarithms = np.log(U, out=np.zeros_like(U), where=U > 0)
    squares, logs = (float(heavy @ np.einsum("ij,ij->i", U, factor)) for factor in (U, logarithms))
    return heavy @ U, squares, 0.0 - logs


def weighted_means(X: Floats, U: Floats, weights: Floats | None, m: float, origin: Floats) -> tuple[Floats, Floats]:
    """Return the weight of each cluster and the mean of its points by these weights, seen from the origin."""
    if _few(X):
        return weighted_means_numpy(X, U, weights, m, origin)
    (k, p), kernel = (U.shape[1], X.shape[1]), kernels.memberships.fuzzy_sums.weighted_means

    def add(rows: Floats, shares: Floats, heavy: Floats, sums: Floats) -> None:
        kernel(rows, shares, heavy, m, origin, sums[:, p], sums[:, :p])

    sums = _folded(add, X, U, weights, (k, p + 1))
    with np.errstate(all="ignore"):
        return sums[:, p].copy(), sums[:, :p] / sums[:, p:]


def weighted_means_numpy(
    X: Floats, U: Floats, weights: Floats | None, m: float, origin: Floats
) -> tuple[Floats, Floats]:
    """Return what `weighted_means` returns."""
    shares = powers(U, m) if weights is None else powers(U, m) * weights[:, None]
    mass = np.array([column.sum() for column in shares.T])
    sums = np.array([(column[:, None] * (X - origin)).sum(axis=0) for column in shares.T])
    with np.errstate(all="ignore"):
        return mass, sums / mass[:, None]


def weighted_distances(
    X: Floats, U: Floats, weights: Floats | None, m: float, centres: Floats, mean: Floats
) -> tuple[Floats, float]:
    """Return sums for each cluster, one row each, and the sum of the distances of all points to their mean.

    Columns are the sums of u**m, u, u*u, u**m d*d, u*u d*d and u**m d, with the distance d to the centre.
    """
    if _few(X):
        return weighted_distances_numpy(X, U, weights, m, centres, mean)
    kernel = kernels.memberships.fuzzy_sums.weighted_distances

    def add(rows: Floats, shares: Floats, heavy: Floats, sums: Floats) -> None:
        kernel(rows, shares, heavy, m, centres, mean, sums)

    sums = _folded(add, X, U, weights, (U.shape[1] + 1, 6))
    return sums[:-1], float(sums[-1, 0])


def weighted_distances_numpy(
    X: Floats, U: Floats, weights: Floats | None, m: float, centres: Floats, mean: Floats
) -> tuple[Floats, float]:
    """Return what `weighted_distances` returns."""
    heavy = np.ones(len(X)) if weights is None else weights
    rows = []
    for u, centre in zip(U.T, centres, strict=True):
        squares = ((X - centre) ** 2).sum(axis=1)
        w, plain = heavy * powers(u, m), heavy * u * u
        columns = (w, heavy * u, plain, w * squares, plain * squares, w * np.sqrt(squares))
        rows.append([column.sum() for column in columns])
    away = np.sqrt(((X - mean) ** 2).sum(axis=1))
    return np.array(rows), float((heavy * away).sum())


def weighted_scatter(X: Floats, U: Floats, weights: Floats | None, m: float, centres: Floats) -> Floats:
    """Return for each cluster the weighted sums of products of columns, seen from its centre: a matrix each."""
    if _few(X):
        return weighted_scatter_numpy(X, U, weights, m, centres)
    kernel, p = kernels.memberships.fuzzy_sums.weighted_scatter, X.shape[1]

    def add(rows: Floats, shares: Floats, heavy: Floats, sums: Floats) -> None:
        kernel(rows, shares, heavy, m, centres, sums)

    lower = _folded(add, X, U, weights, (U.shape[1], p, p))
    return lower + np.tril(lower, -1).transpose(0, 2, 1)


def weighted_scatter_numpy(X: Floats, U: Floats, weights: Floats | None, m: float, centres: Floats) -> Floats:
    """Return what `weighted_scatter` returns."""
    heavy = np.ones(len(X)) if weights is None else weights
    matrices: list[Any] = []
    for u, centre in zip(U.T, centres, strict=True):
        steps = X - centre
        matrices.append((steps * (heavy * powers(u, m))[:, None]).T @ steps)
    return np.array(matrices)


def members_inside(X: Floats, U: Floats, weights: Floats | None, centres: Floats, inverses: Floats) -> Floats:
    """Return for each cluster the sum of the memberships of points less than one standard deviation from its centre.

    `inverses` has the inverse of a lower triangular factor of the covariance of each cluster.
    """
    if _few(X):
        return members_inside_numpy(X, U, weights, centres, inverses)
    kernel = kernels.memberships.fuzzy_sums.members_inside

    def add(rows: Floats, shares: Floats, heavy: Floats, sums: Floats) -> None:
        kernel(rows, shares, heavy, centres, inverses, sums)

    return _folded(add, X, U, weights, (U.shape[1],))


def members_inside_numpy(X: Floats, U: Floats, weights: Floats | None, centres: Floats, inverses: Floats) -> Floats:
    """Return what `members_inside` returns."""
    heavy = np.ones(len(X)) if weights is None else weights
    sums: list[Any] = []
    for u, centre, inverse in zip(U.T, centres, inverses, strict=True):
        inside = (((X - centre) @ inverse.T) ** 2).sum(axis=1) < 1
        sums.append((heavy * u)[inside].sum())
    return np.array(sums)
