"""The nearest other points of each point: by trees in few dimensions, by a visit of all pairs otherwise.

All ways give the same points and distances: of points equally near, the one with the smallest number comes first.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.work.rounding import SLACK
from clustval.passes.metrics.measure_between import ROOT, distances_between, distances_of
from clustval.passes.work import threads, thresholds

Rows = Callable[[Integers], Floats]  # distances of some points to all
Neighbours = tuple[Floats, Integers]

PIECE = 64  # rows that a work item sees
CELLS = 2**21  # distances at a time where they come from elsewhere
FOUND = 2**18  # points that a tree finds at a time: a handful of arrays of so many numbers stay small
LEAF = 16  # points in a leaf of a tree; more only if they are all equal
WIDER = 4  # times as many points are looked at where the last of them are equally near


def nearest_of_points(X: Floats, count: int, *, n_jobs: int, factor: float = ROOT) -> Neighbours:
    """Return the distances to the `count` nearest other points, and which these are (n, count)."""
    n, p = X.shape
    if n <= thresholds.PAIRS:
        return nearest_numpy(lambda rows: distances_between(X[rows], X, factor), n, count)
    if n > thresholds.NEIGHBOURS * 2**p:
        return _by_tree(X, count, n_jobs, factor)
    return _by_visit(X, np.arange(n), count, n_jobs, factor)


def nearest_of_rows(distances: Rows, n: int, count: int, *, n_jobs: int, cells: int = CELLS) -> Neighbours:
    """Return the `count` nearest other points of each, by distances of any kind."""
    if n <= thresholds.PAIRS:
        return nearest_numpy(distances, n, count)
    near, numbers = np.empty((n, count)), np.empty((n, count), dtype=np.int64)
    step = max(1, cells // n)
    blocks = [np.arange(lo, min(lo + step, n)) for lo in range(0, n, step)]

    def work(item: int) -> None:
        rows = blocks[item]
        here = slice(rows[0], rows[-1] + 1)
        kernels.neighbours.nearest.nearest_in_rows(
            np.ascontiguousarray(distances(rows), dtype=np.float64), rows, near[here], numbers[here]
        )

    threads.run(work, len(blocks), n_jobs)
    return near, numbers


def nearest_numpy(distances: Rows, n: int, count: int) -> Neighbours:
    """Return what the others return, by sorting whole rows of distances."""
    d = np.array(distances(np.arange(n)), dtype=np.float64)
    np.fill_diagonal(d, np.inf)
    numbers = np.argsort(d, axis=1, kind="stable")[:, :count]
    return np.take_along_axis(d, numbers, axis=1), numbers


def _by_visit(X: Floats, rows: Integers, count: int, n_jobs: int, factor: float) -> Neighbours:
    columns = np.ascontiguousarray(X.T)
    near, numbers = np.empty((len(rows), count)), np.empty((len(rows), count), dtype=np.int64)
    starts = range(0, len(rows), PIECE)

    def work(item: int) -> None:
        here = slice(starts[item], starts[item] + PIECE)
        kernels.neighbours.nearest.nearest_points(columns, rows[here], factor, near[here], numbers[here])

    threads.run(work, len(starts), n_jobs)
    return near, numbers


def _by_tree(X: Floats, count: int, n_jobs: int, factor: float) -> Neighbours:
    """Look one point further than asked: where it is no farther than the last, the tree cannot tell which is first."""
    from scipy.spatial import cKDTree  # noqa: PLC0415 - only many points need it

    n = len(X)
    tree = cKDTree(X, leafsize=LEAF, balanced_tree=False, compact_nodes=False)
    spare, copies = _spare_copies(X, tree.indices, count)
    if len(spare):
        return _without(X, spare, copies, count, n_jobs, factor)
    near, numbers = np.empty((n, count)), np.empty((n, count), dtype=np.int64)
    again = tree.indices  # neighbours one after the other, as the tree has them in memory
    for wanted in (min(count + 2, n), min(WIDER * (count + 2), n)):
        doubtful, step = [np.empty(0, dtype=np.int64)], max(1, FOUND // wanted)
        for lo in range(0, len(again), step):
            points = again[lo : lo + step]
            others = tree.query(X[points], k=wanted, workers=n_jobs)[1]
            d = np.zeros(others.shape)
            for x in X.T:
                d += (x[others] - x[points, None]) ** 2
            d = distances_of(d, factor)
            d[others == points[:, None]] = np.inf  # a point is not its own neighbour
            order = np.lexsort((others, d))
            d, others = np.take_along_axis(d, order, 1), np.take_along_axis(others, order, 1)
            near[points], numbers[points] = d[:, :count], others[:, :count]
            if n > wanted:
                doubtful.append(points[d[:, wanted - 2] <= SLACK * d[:, count - 1]])
        again = np.concatenate(doubtful)
    if len(again):
        near[again], numbers[again] = _by_visit(X, again, count, n_jobs, factor)
    return near, numbers


def _spare_copies(X: Floats, leaves: Integers, count: int) -> tuple[Integers, Integers]:
    """Return points that have more than `count` equals before them, and the first `count` of these equals.

    They are nobody's neighbours. Points come in the order of a tree's leaves, in which many equal points follow each
    other, because no tree can part them.
    """
    sorted_points = X[leaves]
    starts = np.flatnonzero(np.r_[True, (sorted_points[1:] != sorted_points[:-1]).any(axis=1)])
    sizes = np.diff(np.r_[starts, len(X)])
    spare, copies = [np.empty(0, dtype=np.int64)], [np.empty((0, count), dtype=np.int64)]
    for crowd in np.flatnonzero(sizes > max(LEAF, count + 1)):
        members = np.sort(leaves[starts[crowd] : starts[crowd] + sizes[crowd]])
        spare.append(members[count + 1 :])
        copies.append(np.broadcast_to(members[:count], (len(spare[-1]), count)))
    return np.concatenate(spare), np.concatenate(copies)


def _without(X: Floats, spare: Integers, copies: Integers, count: int, n_jobs: int, factor: float) -> Neighbours:
    """Return the neighbours of all points: spare ones have their copies, and all others are found without them."""
    kept = np.delete(np.arange(len(X)), spare)
    near, numbers = np.zeros((len(X), count)), np.empty((len(X), count), dtype=np.int64)
    near[kept], among = nearest_of_points(X[kept], count, n_jobs=n_jobs, factor=factor)
    numbers[kept], numbers[spare] = kept[among], copies
    return near, numbers
