"""The farthest point of a cluster: from each of its own points, and from the point outside that has it nearest.

Compiled for many points, where distances are made of squared differences: most points that cannot be the farthest are
skipped. Plain NumPy for few points, for other metrics and for blocks of rows. Results do not depend on the number of
threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.centres.centre_distances import blocks_of
from clustval.passes.metrics.measure_between import ROOT, distances_of
from clustval.passes.sweeps.partitions import Block, Distances
from clustval.passes.work import threads

CELLS = 2**18  # distances at a time
# Of rows lo ... hi-1 to points begin ... end-1 of a block, given as (lo, hi, block, begin, end).
Meet = Callable[[int, int, int, int, int], Floats]


def farthest_own(X: Floats, starts: Integers, *, n_jobs: int, factor: float = ROOT) -> Floats:
    """Return the largest distance of each point to a point of its own cluster; points are sorted by cluster."""
    ordered = [_by_falling_radius(X[lo:hi]) for lo, hi in pairwise(starts.tolist())]
    order = np.concatenate([lo + places for lo, (places, _) in zip(starts.tolist(), ordered, strict=False)])
    radii = np.concatenate([radius for _, radius in ordered])
    points = X[order]
    columns = np.ascontiguousarray(points.T)
    limits, clusters = blocks_of(starts)
    farthest = np.empty(len(X))

    def work(item: int) -> None:
        begin, end = starts[clusters[item]], starts[clusters[item] + 1]
        kernels.pairs.farthest.farthest_own(columns, points, radii, *limits[item], begin, end, farthest)

    threads.run(work, len(limits), n_jobs)
    own = np.empty(len(X))
    own[order] = farthest
    return distances_of(own, factor)


def covers(X: Floats, starts: Integers, *, n_jobs: int, factor: float = ROOT) -> Floats:
    """Return, for each cluster, the smallest distance within which a point outside has all of it; inf if none is."""
    smallest = np.empty(len(starts) - 1)

    def work(c: int) -> None:
        lo, hi = starts[c], starts[c + 1]
        inside = X[lo:hi]
        places, _ = _by_falling_radius(inside)
        columns = np.ascontiguousarray(inside[places].T)
        squares = _squares_to_middle(X, inside)
        squares[lo:hi] = np.inf
        best = np.argmin(squares, keepdims=True)
        most = kernels.pairs.farthest.nearest_cover(columns, X[best], squares[best])
        near = np.flatnonzero(squares <= kernels.pairs.farthest.SLACK * most)
        near = near[np.argsort(squares[near], kind="stable")]
        smallest[c] = kernels.pairs.farthest.nearest_cover(columns, X[near], squares[near])

    threads.run(work, len(smallest), n_jobs)
    return distances_of(smallest, factor)


def farthest_own_numpy(
    meet: Meet, starts: Integers, blocks: Sequence[Integers], *, n_jobs: int, cells: int = CELLS
) -> Floats:
    """Return what `farthest_own` returns, in plain NumPy, among the points of all blocks.

    `starts` are those of the clusters among the rows, `blocks` among the points of each block.
    """
    own = np.zeros(int(starts[-1]))
    limits, clusters = _chunks(starts, np.sum([np.diff(block) for block in blocks], axis=0), cells)

    def work(item: int) -> None:
        (lo, hi), c = limits[item], clusters[item]
        for number, block in enumerate(blocks):
            if block[c + 1] > block[c]:
                farthest = meet(lo, hi, number, int(block[c]), int(block[c + 1])).max(axis=1)
                own[lo:hi] = np.maximum(own[lo:hi], farthest)

    threads.run(work, len(limits), n_jobs)
    return own


def covers_numpy(
    meet: Meet, starts: Integers, blocks: Sequence[Integers], *, n_jobs: int, cells: int = CELLS
) -> Floats:
    """Return what `covers` returns, in plain NumPy, for points outside among the rows and clusters of all blocks."""
    n, k = int(starts[-1]), len(starts) - 1
    codes = np.repeat(np.arange(k), np.diff(starts))
    present = [np.flatnonzero(np.diff(block)) for block in blocks]
    step = max(1, cells // max(1, *(int(block[-1]) for block in blocks)))
    chunks = [(lo, min(lo + step, n)) for lo in range(0, n, step)]
    smallest = np.full((len(chunks), k), np.inf)

    def work(item: int) -> None:
        lo, hi = chunks[item]
        farthest = np.zeros((hi - lo, k))
        for number, (block, clusters) in enumerate(zip(blocks, present, strict=True)):
            if len(clusters):
                distances = meet(lo, hi, number, 0, int(block[-1]))
                high = np.maximum.reduceat(distances, block[clusters], axis=1)
                farthest[:, clusters] = np.maximum(farthest[:, clusters], high)
        farthest[np.arange(hi - lo), codes[lo:hi]] = np.inf
        smallest[item] = farthest.min(axis=0)

    threads.run(work, len(chunks), n_jobs)
    least: Floats = smallest.min(axis=0, initial=np.inf)
    return least


def farthest_of_many(distances: Distances, block: Block) -> tuple[Floats, Floats]:
    """Return both for a block of partitions: per point and partition, and a row per cluster."""
    own, smallest = block.per_point(), np.full(block.rows[-1], np.inf)
    kernels.pairs.farthest.farthest_of_many(
        distances.strips, distances.n, block.codes, block.order, block.firsts, block.starts, block.ks, block.rows,
        own, smallest,
    )  # fmt: skip
    return own, smallest


def _by_falling_radius(points: Floats) -> tuple[Integers, Floats]:
    """Return the places of the points by falling distance from their mean, and those distances."""
    radius = np.sqrt(_squares_to_middle(points, points))
    order = np.argsort(-radius, kind="stable")
    return order, radius[order]


def _squares_to_middle(points: Floats, cluster: Floats) -> Floats:
    """Return the squared distances of points from the mean of a cluster, measured from one of its points.

    So they round no worse where the data are far from zero, and bounds hold that are made of them.
    """
    squares = np.zeros(len(points))
    for x, inside in zip(points.T, cluster.T, strict=True):
        squares += ((x - inside[0]) - (inside - inside[0]).mean()) ** 2
    return squares


def _chunks(starts: Integers, others: Integers, cells: int) -> tuple[list[tuple[int, int]], list[int]]:
    """Return ranges of rows that each lie in one cluster, and that cluster; `others` are the points that they meet."""
    limits, clusters = [], []
    for c, (begin, end) in enumerate(pairwise(starts.tolist())):
        step = max(1, cells // max(1, int(others[c])))
        for lo in range(begin, end, step):
            limits.append((lo, min(lo + step, end)))
            clusters.append(c)
    return limits, clusters
