"""Many partitions of the same points: what each point finds in its own cluster and in the others."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.sweeps.partitions import Block, Distances

Nearest = tuple[Floats, Integers]  # distances and numbers of the nearest points of each point


def own_neighbours_of_many(distances: Distances, block: Block, count: int, nearest: Nearest | None = None) -> Floats:
    """Return the distances of each point to the nearest others of its cluster (m, n, count), infinite if too few.

    Most are found sooner among the `nearest` points of all, nearest first.
    """
    near = np.empty((*block.codes.shape, count))
    kernels.neighbours.by_cluster.own_neighbours_of_many(
        distances.strips, distances.n, block.codes, block.order, block.firsts, block.starts,
        *(nearest or _none(distances.n)), near,
    )  # fmt: skip
    return near


def closest_of_many(distances: Distances, block: Block, nearest: Nearest | None = None) -> tuple[Floats, Floats]:
    """Return the distances of each point to the closest other of its cluster and to the closest of another (m, n).

    Many are found sooner among the `nearest` points of all.
    """
    own, other = block.per_point(), block.per_point()
    kernels.neighbours.by_cluster.closest_of_many(
        distances.strips, distances.n, block.codes, block.order, block.firsts, block.starts, block.ks,
        *(nearest or _none(distances.n)), own, other,
    )  # fmt: skip
    return own, other


def _none(n: int) -> Nearest:
    return np.empty((n, 0)), np.empty((n, 0), dtype=np.int64)


def near_sums_of_many(distances: Distances, block: Block, width: float) -> Floats:
    """Return for each point the sum over points of other clusters of 1 - d/width where that is positive (m, n)."""
    sums = block.per_point()
    kernels.neighbours.by_cluster.near_sums_of_many(distances.strips, distances.n, block.codes, width, sums)
    return sums


def squares_within(distances: Distances, block: Block) -> Floats:
    """Return the sum of squared distances over the pairs of each cluster, one partition after another."""
    b = block
    squares = np.empty(b.rows[-1])
    kernels.neighbours.by_cluster.squares_of_many(
        distances.strips, distances.n, b.order, b.firsts, b.starts, b.ks, b.rows, squares
    )
    return squares
