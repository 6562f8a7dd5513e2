"""The nearest points of a reference set, for points that may be in it themselves."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_of
from clustval.passes.work import threads, thresholds

CELLS = 2**21  # squared distances at a time


class Reference:
    """Points among which the nearest are searched by products, centred once for many searches."""

    def __init__(self, points: Floats) -> None:
        """Take the points (n, p)."""
        self.points, self.middle = points, points.mean(axis=0)
        self.columns = np.ascontiguousarray((points - self.middle).T)
        self.lengths = (self.columns**2).sum(axis=0)

    def nearest(self, X: Floats, count: int, places: Integers, *, n_jobs: int) -> tuple[Floats, Integers]:
        """Return the squared distances to the `count` nearest points and which they are (number of X, count).

        `places` says which of the points each row of X is itself, -1 where it is none: it is not its own neighbour.
        Squares are differences of products, so that of points nearly equally near either may come first.
        """
        Z = X - self.middle
        near, numbers = np.empty((len(X), count)), np.empty((len(X), count), dtype=np.int64)
        step = max(1, CELLS // len(self.points))
        starts = range(0, len(X), step)

        def work(item: int) -> None:
            here = slice(starts[item], starts[item] + step)
            squares = self.lengths - 2 * (Z[here] @ self.columns)
            if thresholds.COMPILED:
                kernels.neighbours.nearest.nearest_in_rows(squares, places[here], near[here], numbers[here])
            else:
                own = np.flatnonzero(places[here] >= 0)
                squares[own, places[here][own]] = np.inf
                numbers[here] = np.argsort(squares, axis=1, kind="stable")[:, :count]
                near[here] = np.take_along_axis(squares, numbers[here], axis=1)

        threads.run(work, len(starts), n_jobs)
        near += (Z**2).sum(axis=1)[:, None]
        return np.maximum(near, 0.0), numbers

    def least_distances(self, X: Floats, places: Integers) -> Floats:
        """Return the distance of each row of X to the nearest point, measured from one to the other."""
        _, numbers = self.nearest(X, 1, places, n_jobs=1)
        return np.asarray(np.linalg.norm(X - self.points[numbers[:, 0]], axis=1))


def nearest_across(
    X: Floats, reference: Floats, count: int, places: Integers, *, n_jobs: int, factor: float = ROOT
) -> tuple[Floats, Integers]:
    """Return the distances to the `count` nearest points of the reference and which they are (n, count).

    `places` says where in the reference a point is itself, -1 where it is not: a point is not its own neighbour.
    """
    squares, numbers = Reference(reference).nearest(X, count, places, n_jobs=n_jobs)
    return distances_of(squares, factor), numbers
