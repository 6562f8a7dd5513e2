"""A quantile of all distances, exact without holding them, and how many points lie nearer than that to each point."""

from __future__ import annotations

import math
import threading

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_rows import CELLS, Rows, later_of, over_blocks
from clustval.passes.work import thresholds

BINS = 2**16
HELD = 2**20  # distances that are sorted rather than counted once more
TOP = 0x7FF0_0000_0000_0000  # bits of infinity


def quantile_of_distances(
    rows: Rows, n: int, share: float, *, n_jobs: int, held: int = HELD, cells: int = CELLS
) -> float:
    """Return the quantile of the distances of all pairs, linear between the two it falls between (type 7)."""
    pairs = n * (n - 1) // 2
    if n <= thresholds.PAIRS:
        return quantile_numpy(rows(0, n), share)
    place = share * (pairs - 1)
    low = math.floor(place)
    lower, upper = _two_from(rows, n, low, n_jobs, held, cells)
    return lower if low + 1 >= pairs else _between(lower, upper, place - low)


def quantile_numpy(distances: Floats, share: float) -> float:
    """Return the quantile from a matrix of distances."""
    ordered = np.sort(np.maximum(distances, 0.0)[np.triu_indices(len(distances), 1)])
    if not len(ordered):
        return math.nan
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    return _between(float(ordered[low]), float(ordered[min(low + 1, len(ordered) - 1)]), place - low)


def _between(lower: float, upper: float, share: float) -> float:
    return lower + share * (upper - lower)


def _two_from(rows: Rows, n: int, rank: int, n_jobs: int, held: int, cells: int) -> tuple[float, float]:
    """Return the distances of this rank, from 0, and of the next: count in bins, then in the bin that they are in."""
    low, width = 0, 63  # bits of numbers that are not negative
    while True:
        width = max(width - 16, 0)
        below, counts = _counted(rows, n, low, width, n_jobs, cells)
        ends = below + np.cumsum(counts)
        first, second = np.searchsorted(ends, [rank, rank + 1], side="right").tolist()
        high = low + ((first + 1) << width) - 1
        if first != second:  # the next is in a later bin, or nowhere
            return _beside(rows, n, high, n_jobs, cells)
        low += first << width
        if width == 0:
            return _number(low), _number(low)
        if counts[first] <= held:
            inside = np.sort(_gathered(rows, n, low, high, int(counts[first]), n_jobs, cells))
            at = rank - int(ends[first] - counts[first])
            return _number(inside[at]), _number(inside[at + 1])


def _number(bits: int | np.int64) -> float:
    return float(np.array(bits, dtype=np.int64).view(np.float64))


def _counted(rows: Rows, n: int, low: int, width: int, n_jobs: int, cells: int) -> tuple[int, Integers]:
    totals, lock, below = np.zeros(BINS, dtype=np.int64), threading.Lock(), 0

    def work(first: int, block: Floats) -> None:
        nonlocal below
        counts = np.zeros(BINS, dtype=np.int64)
        smaller = kernels.metrics.quantiles.count_bits(block.view(np.int64), first, low, width, counts)
        with lock:
            np.add(totals, counts, out=totals)
            below += smaller

    over_blocks(later_of(rows), n, work, n_jobs=n_jobs, cells=cells)
    return below, totals


def _gathered(rows: Rows, n: int, low: int, high: int, count: int, n_jobs: int, cells: int) -> Integers:
    parts: list[Integers] = []

    def work(first: int, block: Floats) -> None:
        room = np.empty(min(count, block.size), dtype=np.int64)
        parts.append(room[: kernels.metrics.quantiles.gather_bits(block.view(np.int64), first, low, high, room)].copy())

    over_blocks(later_of(rows), n, work, n_jobs=n_jobs, cells=cells)
    return np.concatenate(parts)


def _beside(rows: Rows, n: int, high: int, n_jobs: int, cells: int) -> tuple[float, float]:
    """Return the largest distance whose bits are at most `high`, and the smallest above it."""
    largest, smallest, lock = 0, TOP, threading.Lock()

    def work(first: int, block: Floats) -> None:
        nonlocal largest, smallest
        ends = kernels.metrics.quantiles.bits_beside(block.view(np.int64), first, high, 0, TOP)
        with lock:
            largest, smallest = max(largest, ends[0]), min(smallest, ends[1])

    over_blocks(later_of(rows), n, work, n_jobs=n_jobs, cells=cells)
    return _number(largest), _number(smallest)


def near_sums(rows: Rows, n: int, width: float, *, n_jobs: int, cells: int = CELLS) -> Floats:
    """Return for each point the sum over all points, itself among them, of 1 - d/width where that is positive."""
    if n <= thresholds.PAIRS:
        return near_sums_numpy(rows(0, n), width)
    sums = np.empty(n)
    over_blocks(
        rows,
        n,
        lambda first, block: kernels.metrics.quantiles.near_sums(block, width, sums[first : first + len(block)]),
        n_jobs=n_jobs,
        cells=cells,
    )
    return sums


def near_sums_numpy(distances: Floats, width: float) -> Floats:
    """Return the sums from a matrix of distances."""
    return np.asarray(np.maximum(0.0, 1 - np.maximum(distances, 0.0) / width).sum(axis=1))


def near_sums_elsewhere(rows: Rows, codes: Integers, width: float, *, n_jobs: int, cells: int = CELLS) -> Floats:
    """Return for each point the part of that sum that comes from points of other clusters."""
    n = len(codes)
    if n <= thresholds.PAIRS:
        return near_sums_elsewhere_numpy(rows(0, n), codes, width)
    sums = np.empty(n)

    def work(first: int, block: Floats) -> None:
        kernels.metrics.quantiles.near_sums_elsewhere(block, first, codes, width, sums[first : first + len(block)])

    over_blocks(rows, n, work, n_jobs=n_jobs, cells=cells)
    return sums


def near_sums_elsewhere_numpy(distances: Floats, codes: Integers, width: float) -> Floats:
    """Return the parts from a matrix of distances."""
    near = np.maximum(0.0, 1 - np.maximum(distances, 0.0) / width)
    return np.asarray((near * (codes[:, None] != codes)).sum(axis=1))
