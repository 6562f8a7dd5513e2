"""Sums of the distances of points to the points of each cluster of a sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds

ROWS = 256  # points at a time
CELLS = 2**20  # distances that NumPy holds at a time


def sums_by_cluster(
    A: Floats, B: Floats, starts: Integers, space: Any, n_jobs: int, *, same: bool = False, cells: int = CELLS
) -> Floats:
    """Return the sum of the distances of each point of A to the points of each cluster of B, which is sorted by it.

    If A and B are the `same` points, each is at distance 0 from itself whatever the metric says.
    """
    sums = np.zeros((len(A), len(starts) - 1))
    if not len(B):
        return sums
    present = np.flatnonzero(np.diff(starts))
    euclidean = space.metric == "euclidean" and thresholds.COMPILED
    step = ROWS if euclidean else max(1, cells // len(B))
    if euclidean:
        columns = np.ascontiguousarray(B.T)

    def work(item: int) -> None:
        rows = slice(item * step, (item + 1) * step)
        if euclidean:
            kernels.points.unsorted_rows.distances_to_sample(A[rows], columns, starts, sums[rows])
        else:
            distances = space.between(A[rows], B)
            if same and space.apart_from_itself:
                np.fill_diagonal(distances[:, rows.start :], 0.0)
            sums[rows, present] = np.add.reduceat(distances, starts[present], axis=1)

    threads.run(work, -(-len(A) // step), n_jobs)
    return sums
