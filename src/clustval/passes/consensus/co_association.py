"""How many of several labellings put two points together: counts of all pairs, and rows of the table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds

BLOCKS = 32  # in which kinds of points are compared with those before them


def kinds_of_points(codes: Integers) -> tuple[NDArray[np.int32], Integers, Integers]:
    """Return the different columns of codes, as rows, the kind of each point, and how many points each kind has.

    >>> rows, kinds, counts = kinds_of_points(np.array([[0, 1, 0], [2, -1, 2]]))
    >>> rows.tolist(), kinds.tolist(), counts.tolist()
    ([[0, 2], [1, -1]], [0, 1, 0], [2, 1])
    """
    rows = np.ascontiguousarray(codes.T.astype(np.int32))
    words = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, firsts, kinds = np.unique(words, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    kinds = place[kinds.ravel()]
    return rows[firsts[order]], kinds, np.bincount(kinds)


def tally(rows: NDArray[np.int32], counts: Integers) -> Integers:
    """Return the number of pairs of points by how many labellings put them together, of how many that have both."""
    size = rows.shape[1] + 1
    if len(rows) < thresholds.PAIRS:
        return tally_numpy(rows, counts)
    n = len(rows)
    # Later rows have more pairs: blocks of equal work are those of equal squares.
    limits = np.unique(np.rint(n * np.sqrt(np.linspace(0, 1, BLOCKS + 1))).astype(np.int64))
    tables = np.zeros((len(limits) - 1, size, size), dtype=np.int64)

    def work(block: int) -> None:
        kernels.consensus.co_association.tally(rows, counts, limits[block], limits[block + 1], tables[block])

    threads.run(work, len(tables), threads.worth(threads.available_cores(), n * n * rows.shape[1]))
    return np.asarray(tables.sum(axis=0))


def tally_numpy(rows: NDArray[np.int32], counts: Integers) -> Integers:
    """Return what `tally` returns."""
    both, together = associate_numpy(rows, np.arange(len(rows)))
    pairs = np.where(np.eye(len(rows), dtype=bool), np.diag(counts * (counts - 1)), np.outer(counts, counts))
    table = np.zeros((rows.shape[1] + 1, rows.shape[1] + 1), dtype=np.int64)
    np.add.at(table, (together, both), pairs)
    return table // 2


def associate(rows: NDArray[np.int32], some: Integers) -> tuple[Integers, Integers]:
    """Return how many labellings have each of some points (rows) and any point (columns), and put them together."""
    if len(rows) < thresholds.PAIRS:
        return associate_numpy(rows, some)
    both, together = (np.empty((len(some), len(rows)), dtype=np.int64) for _ in range(2))
    kernels.consensus.co_association.associate(rows, some, both, together)
    return both, together


def associate_numpy(rows: NDArray[np.int32], some: Integers) -> tuple[Integers, Integers]:
    """Return what `associate` returns."""
    ours, present = rows[some][:, None, :], rows >= 0
    both = (present[some][:, None, :] & present).sum(axis=2)
    return both, ((ours == rows) & present).sum(axis=2)


def shares(both: Integers, together: Integers) -> Floats:
    """Return the share of the labellings that put two points together, NaN where none has both."""
    with np.errstate(all="ignore"):
        return np.where(both > 0, together / both, np.nan)
