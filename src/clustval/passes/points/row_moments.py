"""Passes over rows in any order: the range of columns, means of clusters and squared deviations from them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.labels.numbering import as_words, largest_table
from clustval.passes.work import threads, thresholds

ABREAST = 16  # rows that are compared as one
AT_ONCE = threads.SHARE  # numbers; passes over no more are one call, without blocks for threads
BLOCK = 2**15  # rows that a work item sees
WIDTH = 8  # columns that are taken at a time, as in kernels.work.lanes
ROOM = 32  # clusters for which there is room before they are counted
LOOKS = 4  # at the rows, at most, as in kernels.points.row_moments


# --- the range of columns --------------------------------------------------------------------------------


class Columns(NamedTuple):
    """What one look at all points leaves behind, whatever their clusters."""

    table: Floats  # (3, p): mean of each column, which lies between its smallest and largest number; these two
    low: float  # the smallest of all numbers; NaN or infinite if one of them is
    high: float

    @property
    def reach(self) -> float:
        """How far numbers lie from 0."""
        return max(-self.low, self.high)

    @property
    def means(self) -> Floats:
        """Mean of each column (p,)."""
        return self.table[0]


def columns_of(X: Floats, *, block: int | None = None) -> Columns:
    """Return mean and range of each column; `block` is how many rows a work item sees where numbers are many."""
    n, p = X.shape
    if not n:  # as where every point is noise: no number is the smallest
        return Columns(np.outer([0.0, inf, -inf], np.ones(p)), inf, -inf)
    if n < thresholds.POINTS:
        table = columns_numpy(X)
        return Columns(table, float(X.min()), float(X.max()))
    if block is None and X.size <= AT_ONCE:
        table = np.empty((3, p))
        total, low, high = kernels.points.row_moments.columns_of_rows(X.ravel(), p, table)
    else:
        table = _columns_of_blocks(X, block or BLOCK)
        total, low, high = kernels.points.row_moments.centre(table, n)
    if not isfinite(total):  # the kernel may overlook NaN but in the sum
        return Columns(table, float(X.min()), float(X.max()))
    return Columns(table, low, high)


def columns_numpy(X: Floats) -> Floats:
    """Return mean, smallest and largest number of each column (3, p), in plain NumPy."""
    columns = np.ascontiguousarray(X.T)  # along which NumPy is quick
    table: Floats = np.empty((3, len(columns)))
    np.minimum.reduce(columns, axis=1, out=table[1])
    np.maximum.reduce(columns, axis=1, out=table[2])
    with np.errstate(over="ignore", invalid="ignore"):  # numbers that are none are found later
        np.minimum(np.maximum(np.add.reduce(X) / len(X), table[1]), table[2], out=table[0])
    return table


def _columns_of_blocks(X: Floats, block: int) -> Floats:
    """Return sum, smallest and largest number of each column (3, p), of blocks on threads."""
    (n, p), flat = X.shape, X.ravel()
    parts = np.empty((-(-n // block), 3, p))

    def work(item: int) -> None:
        rows = item * block, min((item + 1) * block, n)
        kernels.points.row_moments.ranges_of_rows(flat, p, *rows, parts[item])

    threads.run(work, len(parts), threads.worth(threads.available_cores(), X.size))
    return np.stack([parts[:, 0].sum(axis=0), parts[:, 1].min(axis=0), parts[:, 2].max(axis=0)])


def range_of(X: NDArray[Any]) -> tuple[Floats, Floats]:
    """Return the smallest and largest number of each column; NaN if one of them is.

    Several rows are taken as one long row: NumPy compares many numbers of a long row at a time.
    """
    n, p = X.shape
    many = n // ABREAST
    ends = []
    for least in (np.minimum, np.maximum):
        rows = [X[many * ABREAST :]]
        if many:
            rows.append(least.reduce(X[: many * ABREAST].reshape(many, ABREAST * p), axis=0).reshape(ABREAST, p))
        ends.append(least.reduce(np.concatenate(rows), axis=0).astype(np.float64))
    return ends[0], ends[1]


# --- moments ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RowSums:
    """What one pass over rows leaves behind: of each cluster mean, squared deviations and first row; the range."""

    pivots: Floats  # (k, p), near the means
    drifts: Floats  # (k, p), from the pivots to the means: a mean far from 0 would have fewer digits
    squares: Floats  # (k, p)
    firsts: Integers  # (k,); -1 if a cluster has no rows
    lows: Floats  # (p,), the smallest number of each column; not finite if one of them is not
    highs: Floats

    def means_from(self, origin: Floats | float) -> Floats:
        """Return the means from an origin (k, p)."""
        return self.pivots - origin + self.drifts

    @classmethod
    def of(
        cls, X: NDArray[Any], codes: Integers, sizes: Integers, n_jobs: int = 1, *, block: int | None = None
    ) -> RowSums:
        """Add up deviations from guesses of the means, and again from better ones if these were bad.

        Rows are one block, which one thread sees, unless `block` says how many rows make one.
        """
        (n, p), k, flat = X.shape, len(sizes), X.ravel()
        wide, step = -(-p // WIDTH) * WIDTH, block or max(n, 1)
        pivots, firsts = np.empty(k * wide), np.empty(k, dtype=np.int64)
        kernels.points.row_moments.guess_means(flat, codes, p, pivots, firsts)
        single = True if X.dtype == np.float32 else None
        for look in range(LOOKS):
            parts = np.zeros((2, max(-(-n // step), 1), k * wide))
            lows, highs = np.full((2, parts.shape[1], wide), np.inf) * np.array([1, -1])[:, None, None]

            def work(item: int, parts: Floats = parts, lows: Floats = lows, highs: Floats = highs) -> None:
                kernels.points.row_moments.add_deviations(
                    flat, single, codes, p, item * step, min((item + 1) * step, n), pivots,
                    parts[0, item], parts[1, item], lows[item], highs[item],
                )  # fmt: skip

            threads.run(work, parts.shape[1], threads.worth(n_jobs, X.size))
            sums, squares = parts.sum(axis=1) if parts.shape[1] > 1 else parts[:, 0]
            low, high = lows.min(axis=0)[:p], highs.max(axis=0)[:p]
            if not np.isfinite(sums.reshape(k, wide)[:, :p]).all():
                low, high = range_of(X)  # the range of what is no number is not what it seems
                break
            if not kernels.points.row_moments.settle(sizes, p, pivots, sums, squares, look == LOOKS - 1):
                break
        steps, spread = sums.reshape(k, wide)[:, :p], squares.reshape(k, wide)[:, :p]
        return cls(pivots.reshape(k, wide)[:, :p], steps, spread, firsts, low, high)


class RowTable(NamedTuple):
    """Moments of rows that one call sees."""

    # Means from the origin (k, p), squares (k, p), how far points reach (p,), and what there is about the mean of all
    # points, as `about_mean` has it: that mean (p,), squares between and in all (p,), means of clusters (k, p).
    table: Floats  # (3 k + 4, p)
    within: float  # the sum of the squares
    between: float  # the sum of those between


def moments_of_rows(X: Floats, codes: Integers, sizes: Integers, columns: Floats, rounding: float) -> RowTable:
    """Return the moments of rows that one call sees; `columns` are their origin and range.

    Deviations of no more than `rounding`, in units of the reach, are 0.
    """
    p = X.shape[1]
    table = np.empty((3 * len(sizes) + 4, p))
    sums = kernels.points.row_moments.moments_of_rows(X.ravel(), codes, p, sizes, columns, rounding, table)
    return RowTable(table, *sums)


class LabelledRows(NamedTuple):
    """What one call leaves behind of points and their labels, none of which is noise."""

    codes: Integers  # (n,)
    names: Integers  # (k,) the labels of the clusters, sorted
    sizes: Integers  # (k,)
    columns: Columns  # not finite if points are not
    moments: RowTable


def labelled_rows(X: Floats, labels: NDArray[np.integer], rounding: float, *, room: int = ROOM) -> LabelledRows | None:
    """Number labels, look at all points and add them up by cluster; None if some are noise, or labels far apart.

    `room` is for how many clusters there is room at first.
    """
    n, p = X.shape
    words, codes = as_words(labels), np.empty(n, dtype=np.int64)
    names, sizes = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
    columns, table = np.empty((3, p)), np.empty((3 * room + 4, p))
    k, whole, total, low, high, within, between = kernels.points.row_moments.labelled_moments(
        X.ravel(), words, p, largest_table(n), rounding, codes, names, sizes, columns, table
    )
    if k > room:
        return labelled_rows(X, labels, rounding, room=k)
    if not whole:
        return None
    if not isfinite(total):  # the kernel may overlook NaN but in the sum
        low = high = total
    moments = RowTable(table[: 3 * k + 4], within, between)
    return LabelledRows(codes, names[:k], sizes[:k], Columns(columns, low, high), moments)
