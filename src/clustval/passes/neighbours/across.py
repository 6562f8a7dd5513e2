"""The nearest points of a reference set, for points that may be in it themselves."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_of
from clustval.passes.work import threads, thresholds

CELLS = 2**21  # squared distances at a time


def nearest_across(
    X: Floats, reference: Floats, count: int, places: Integers, *, n_jobs: int, factor: float = ROOT
) -> tuple[Floats, Integers]:
    """Return the distances to the `count` nearest points of the reference and which they are (n, count).

    `places` says where in the reference a point is itself, -1 where it is not: a point is not its own neighbour.
    Squares are differences of products, so that of points nearly equally near either may come first.
    """
    middle = reference.mean(axis=0)
    Z, R = X - middle, np.ascontiguousarray((reference - middle).T)
    lengths = (R**2).sum(axis=0)
    near, numbers = np.empty((len(X), count)), np.empty((len(X), count), dtype=np.int64)
    step = max(1, CELLS // len(reference))
    starts = range(0, len(X), step)

    def work(item: int) -> None:
        here = slice(starts[item], starts[item] + step)
        squares = lengths - 2 * (Z[here] @ R)
        if thresholds.COMPILED:
            kernels.neighbours.nearest.nearest_in_rows(squares, places[here], near[here], numbers[here])
        else:
            own = np.flatnonzero(places[here] >= 0)
            squares[own, places[here][own]] = np.inf
            numbers[here] = np.argsort(squares, axis=1, kind="stable")[:, :count]
            near[here] = np.take_along_axis(squares, numbers[here], axis=1)

    threads.run(work, len(starts), n_jobs)
    near += (Z**2).sum(axis=1)[:, None]
    return distances_of(np.maximum(near, 0.0), factor), numbers
