"""The visit of points and centres: compiled in blocks on threads, or plain NumPy for small inputs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval.backends import threads
from clustval.backends.small import SMALL

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

BLOCK = 4096  # points of one cluster that a work item sees
CELLS = 2**18  # distances that NumPy holds at a time


def blocks_of(starts: Integers) -> tuple[Integers, Integers]:
    """Return the limits of blocks of points that each lie inside one cluster, and the cluster of each."""
    counts = -(-np.diff(starts) // BLOCK)
    clusters = np.repeat(np.arange(len(counts)), counts)
    inside = np.arange(len(clusters)) - np.repeat(np.cumsum(counts) - counts, counts)
    lows = starts[clusters] + BLOCK * inside
    return np.stack([lows, np.minimum(lows + BLOCK, starts[clusters + 1])], axis=1), clusters


def fold(rows: NDArray[np.generic], clusters: Integers, k: int) -> NDArray[np.generic]:
    """Return the sum of the rows of each cluster's blocks, in their order."""
    out = np.zeros((k, rows.shape[1]), dtype=rows.dtype)
    np.add.at(out, clusters, rows)
    return out


def centre_distances(
    Z: Array, starts: Integers, means: Array, mean: Array, *, n_jobs: int
) -> tuple[Array, Array, Integers, Array, float]:
    """Return own, nearest, neighbour of each point, sums (k, k) of distances, and the sum of distances to `mean`."""
    if len(Z) <= SMALL:
        return centre_distances_numpy(Z, starts, means, mean)
    return centre_distances_compiled(Z, starts, means, mean, n_jobs=n_jobs)


def centre_distances_numpy(
    Z: Array, starts: Integers, means: Array, mean: Array
) -> tuple[Array, Array, Integers, Array, float]:
    """Return what `centre_distances` returns, in plain NumPy."""
    n, k = len(Z), len(means)
    codes = np.repeat(np.arange(k), np.diff(starts))
    own, nearest = np.empty(n), np.empty(n)
    neighbour = np.empty(n, dtype=np.int64)
    sums = np.zeros((k, k))
    step = max(1, CELLS // k)
    for lo in range(0, n, step):
        block = slice(lo, min(lo + step, n))
        distances = _distances(Z[block], means)
        own[block], nearest[block], neighbour[block] = nearest_centres(distances, codes[block])
        np.add.at(sums, codes[block], distances)
    return own, nearest, neighbour, sums, float(_distances(Z, mean[None]).sum())


def nearest_centres(distances: Array, codes: Integers) -> tuple[Array, Array, Integers]:
    """Return, for each row, the distance to its own centre, to the nearest other one, and which that is."""
    points = np.arange(len(codes))
    own = distances[points, codes]
    others = distances.copy()
    others[points, codes] = np.inf
    neighbour = others.argmin(axis=1)
    nearest = others[points, neighbour]
    return own, nearest, np.where(np.isinf(nearest), -1, neighbour)


def _distances(A: Array, B: Array) -> Array:
    squares = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        squares += (a[:, None] - b) ** 2
    return np.sqrt(squares)


def centre_distances_compiled(
    Z: Array, starts: Integers, means: Array, mean: Array, *, n_jobs: int
) -> tuple[Array, Array, Integers, Array, float]:
    """Return what `centre_distances` returns, compiled and on threads."""
    from clustval.kernels.centres import distances_to_centres  # noqa: PLC0415 - loads the compiler

    n, k = len(Z), len(means)
    limits, clusters = blocks_of(starts)
    centres = np.ascontiguousarray(means.T)
    own, nearest = np.empty(n), np.empty(n)
    neighbour = np.empty(n, dtype=np.int64)
    rows = np.empty((len(limits), k))
    totals = np.empty(len(limits))

    def work(item: int) -> None:
        lo, hi = limits[item]
        totals[item] = distances_to_centres(
            Z, lo, hi, clusters[item], centres, mean, own, nearest, neighbour, rows[item]
        )

    threads.run(work, len(limits), n_jobs)
    sums = fold(rows, clusters, k)
    return own, nearest, neighbour, sums, float(totals.sum())  # type: ignore[return-value]


def near_counts(Z: Array, starts: Integers, means: Array, radius: float, *, n_jobs: int) -> tuple[Integers, Integers]:
    """Return how many points of a lie within `radius` of the centre of b, and of the midpoint of a and b (k, k)."""
    if len(Z) <= SMALL:
        return near_counts_numpy(Z, starts, means, radius)
    return near_counts_compiled(Z, starts, means, radius, n_jobs=n_jobs)


def near_counts_numpy(Z: Array, starts: Integers, means: Array, radius: float) -> tuple[Integers, Integers]:
    """Return what `near_counts` returns, in plain NumPy."""
    k = len(means)
    at_centres, at_midpoints = np.zeros((k, k), dtype=np.int64), np.zeros((k, k), dtype=np.int64)
    for c in range(k):
        points = Z[starts[c] : starts[c + 1]]
        at_centres[c] = (_distances(points, means) < radius).sum(axis=0)
        at_midpoints[c] = (_distances(points, (means[c] + means) / 2) < radius).sum(axis=0)
    return at_centres, at_midpoints


def near_counts_compiled(
    Z: Array, starts: Integers, means: Array, radius: float, *, n_jobs: int
) -> tuple[Integers, Integers]:
    """Return what `near_counts` returns, compiled and on threads."""
    from clustval.kernels.centres import points_near  # noqa: PLC0415 - loads the compiler

    k = len(means)
    limits, clusters = blocks_of(starts)
    centres = np.ascontiguousarray(means.T)
    at_centres = np.empty((len(limits), k), dtype=np.int64)
    at_midpoints = np.empty((len(limits), k), dtype=np.int64)

    def work(item: int) -> None:
        lo, hi = limits[item]
        points_near(Z, lo, hi, clusters[item], centres, radius, at_centres[item], at_midpoints[item])

    threads.run(work, len(limits), n_jobs)
    return fold(at_centres, clusters, k), fold(at_midpoints, clusters, k)  # type: ignore[return-value]
