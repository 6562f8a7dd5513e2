"""The visit of points and centres: compiled in blocks on threads, or plain NumPy for small inputs."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.centres.nearest_centres import NearestCentres, row_distances
from clustval.passes.work import threads, thresholds

N = TypeVar("N", bound=np.generic)

BLOCK = 4096  # points of one cluster that a work item sees
AT_ONCE = 2**17  # numbers; passes over no more are one call, without blocks (trace of W, 10,000 x 2: 130 and 98 us)
FEW = 64  # clusters, which points of one block are measured against in one call
CELLS = 2**18  # distances that NumPy holds at a time
ALL_CELLS = 2**20  # so many where sums are at stake, which are those of one block as long as points are few


def in_one_call(Z: Floats, block: int = BLOCK) -> bool:
    """Return whether a pass over the points is sooner done in one call than cut into blocks for threads."""
    return len(Z) <= block or (block == BLOCK and Z.size <= AT_ONCE)


def blocks_of(starts: Integers, block: int = BLOCK) -> tuple[Integers, Integers]:
    """Return the limits of blocks of points that each lie inside one cluster, and the cluster of each."""
    sizes = starts[1:] - starts[:-1]
    if sizes.max(initial=0) <= block:  # each cluster is a block
        whole = np.empty((len(sizes), 2), dtype=np.int64)
        whole[:, 0], whole[:, 1] = starts[:-1], starts[1:]
        return whole, np.arange(len(sizes))
    counts = -(-sizes // block)
    clusters = np.repeat(np.arange(len(counts)), counts)
    inside = np.arange(len(clusters)) - np.repeat(np.cumsum(counts) - counts, counts)
    lows = starts[clusters] + block * inside
    return np.stack([lows, np.minimum(lows + block, starts[clusters + 1])], axis=1), clusters


def fold(rows: NDArray[N], clusters: Integers, k: int) -> NDArray[N]:
    """Return the sum of the rows of each cluster's blocks, in their order."""
    if len(rows) == k and (clusters[1:] > clusters[:-1]).all():  # one block each
        return rows
    out = np.zeros((k, rows.shape[1]), dtype=rows.dtype)
    np.add.at(out, clusters, rows)
    return out


def centre_distances(
    Z: Floats,
    starts: Integers,
    means: Floats,
    mean: Floats,
    *,
    n_jobs: int,
    weights: Floats | None = None,
    table: bool = True,
) -> tuple[Floats, Floats, Integers, Floats, float]:
    """Return own, nearest, neighbour of each point, sums (k, k) of distances, and the sum of distances to `mean`.

    Without a table, sums (k,) are those of distances to the own centre.
    """  # fmt: skip
    if not table and Z.shape[1] <= thresholds.TREE_DIMENSIONS and len(means) > FEW:
        return centre_distances_by_tree(Z, starts, means, mean, weights, n_jobs=n_jobs)
    if len(Z) <= thresholds.CENTRES or weights is not None:
        return centre_distances_numpy(Z, starts, means, mean, weights, table=table)
    if table and in_one_call(Z) and len(means) <= FEW:
        return kernels.centres.centre_distances.distances_of_clusters(Z, starts, means, mean)
    return centre_distances_compiled(Z, starts, means, mean, n_jobs=n_jobs, table=table)


def centre_distances_numpy(
    Z: Floats,
    starts: Integers,
    means: Floats,
    mean: Floats,
    weights: Floats | None = None,
    *,
    table: bool = True,
    cells: int = ALL_CELLS,
) -> tuple[Floats, Floats, Integers, Floats, float]:
    """Return what `centre_distances` returns, in plain NumPy."""
    n, k = len(Z), len(means)
    codes = np.repeat(np.arange(k), np.diff(starts))
    own, nearest = np.empty(n), np.empty(n)
    neighbour = np.empty(n, dtype=np.int64)
    sums = np.zeros((k, k) if table else k)
    step = max(1, cells // k)
    for lo in range(0, n, step):
        block = slice(lo, min(lo + step, n))
        distances = distances_numpy(Z[block], means)
        own[block], nearest[block], neighbour[block] = nearest_centres(distances, codes[block])
        if weights is not None:
            distances *= weights[block, None]
        if table:
            places = codes[block, None] * k + np.arange(k)
            sums += np.bincount(places.ravel(), distances.ravel(), k * k).reshape(k, k)
        else:
            sums += np.bincount(codes[block], distances[np.arange(len(distances)), codes[block]], k)
    away = distances_numpy(Z, mean[None])
    return own, nearest, neighbour, sums, float(away.sum() if weights is None else weights @ away[:, 0])


def centre_distances_by_tree(
    Z: Floats, starts: Integers, means: Floats, mean: Floats, weights: Floats | None = None, *, n_jobs: int
) -> tuple[Floats, Floats, Integers, Floats, float]:
    """Return what `centre_distances` returns without a table, for many centres in few dimensions."""
    codes = np.repeat(np.arange(len(means)), np.diff(starts))
    own, away = row_distances(Z, means[codes]), row_distances(Z, np.broadcast_to(mean, Z.shape))
    nearest, neighbour = NearestCentres(means).other(Z, codes, n_jobs=n_jobs)
    sums: Any = np.bincount(codes, own if weights is None else own * weights, len(means))
    total = away.sum() if weights is None else weights @ away
    return own, nearest, neighbour, sums, float(total)


def nearest_centres(distances: Floats, codes: Integers) -> tuple[Floats, Floats, Integers]:
    """Return, for each row, the distance to its own centre, to the nearest other one, and which that is."""
    points = np.arange(len(codes))
    own = distances[points, codes]
    others = distances.copy()
    others[points, codes] = np.inf
    neighbour = others.argmin(axis=1)
    nearest = others[points, neighbour]
    return own, nearest, np.where(np.isinf(nearest), -1, neighbour)


def distances_numpy(A: Floats, B: Floats, *, cells: int = CELLS) -> Floats:
    """Return the Euclidean distances of rows of A to rows of B."""
    if len(A) * B.size <= cells:
        away: Floats = np.ascontiguousarray(A.T)[:, None, :] - np.ascontiguousarray(B.T)[:, :, None]
        np.multiply(away, away, out=away)
        squares: Floats = np.add.reduce(away)  # over the first axis: one dimension after the other
        return np.sqrt(np.ascontiguousarray(squares.T))
    squares = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        squares += (a[:, None] - b) ** 2
    return np.sqrt(squares)


def centre_distances_compiled(
    Z: Floats,
    starts: Integers,
    means: Floats,
    mean: Floats,
    *,
    n_jobs: int,
    table: bool = True,
    block: int = BLOCK,
) -> tuple[Floats, Floats, Integers, Floats, float]:
    """Return what `centre_distances` returns, compiled and on threads."""
    n, k = len(Z), len(means)
    limits, clusters = blocks_of(starts, block)
    centres = np.ascontiguousarray(means.T)
    own, nearest = np.empty(n), np.empty(n)
    neighbour = np.empty(n, dtype=np.int64)
    rows = np.empty((len(limits), k if table else 1))
    totals = np.empty(len(limits))

    def work(first: int, last: int) -> None:
        kernels.centres.centre_distances.distances_of_blocks(
            Z, limits, clusters, first, last, centres, mean, own, nearest, neighbour, rows, totals
        )

    threads.run_ranges(work, len(limits), threads.worth(n_jobs, Z.size * k // 2))
    sums: Any = fold(rows, clusters, k)
    return own, nearest, neighbour, sums if table else sums[:, 0], float(totals.sum())


def near_counts(
    Z: Floats, starts: Integers, means: Floats, radius: float, *, n_jobs: int, weights: Floats | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return how many points of a lie within `radius` of the centre of b, and of the midpoint of a and b (k, k)."""
    if len(Z) <= thresholds.CENTRES or weights is not None:
        return near_counts_numpy(Z, starts, means, radius, weights)
    if in_one_call(Z) and len(means) <= FEW:
        return kernels.centres.centre_distances.points_near_of_clusters(Z, starts, means, radius)
    return near_counts_compiled(Z, starts, means, radius, n_jobs=n_jobs)


def near_counts_numpy(
    Z: Floats, starts: Integers, means: Floats, radius: float, weights: Floats | None = None
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return what `near_counts` returns, in plain NumPy."""
    k = len(means)
    count = np.ones(len(Z), dtype=np.int64) if weights is None else weights
    at_centres, at_midpoints = np.zeros((2, k, k), dtype=count.dtype)
    for c in range(k):
        here = slice(starts[c], starts[c + 1])
        at_centres[c] = count[here] @ (distances_numpy(Z[here], means) < radius)
        at_midpoints[c] = count[here] @ (distances_numpy(Z[here], (means[c] + means) / 2) < radius)
    return at_centres, at_midpoints


def near_counts_compiled(
    Z: Floats, starts: Integers, means: Floats, radius: float, *, n_jobs: int, block: int = BLOCK
) -> tuple[Integers, Integers]:
    """Return what `near_counts` returns, compiled and on threads."""
    k = len(means)
    limits, clusters = blocks_of(starts, block)
    centres = np.ascontiguousarray(means.T)
    at_centres = np.empty((len(limits), k), dtype=np.int64)
    at_midpoints = np.empty((len(limits), k), dtype=np.int64)

    def work(item: int) -> None:
        lo, hi = limits[item]
        kernels.centres.centre_distances.points_near(
            Z, lo, hi, clusters[item], centres, radius, at_centres[item], at_midpoints[item]
        )

    threads.run(work, len(limits), threads.worth(n_jobs, Z.size * k // 2))
    return fold(at_centres, clusters, k), fold(at_midpoints, clusters, k)
