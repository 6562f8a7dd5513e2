"""A quantile of all distances, exact without holding them, and how many points lie nearer than that to each point."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_between
from clustval.passes.metrics.measure_rows import CELLS, Rows, later_of, over_blocks
from clustval.passes.work import threads, thresholds

BINS = 2**16
HELD = 2**20  # distances that are sorted rather than counted once more
TOP = 0x7FF0_0000_0000_0000  # bits of infinity
ALL = 0, 63  # the range of all numbers that are not negative: its beginning, and the digits of its width
SAMPLE = 1024  # points whose distances say about where a quantile lies
RARE = 8  # times as many points must there be, or all distances are counted as soon
MARGIN = 0.02  # share of all distances by which they are trusted to be wrong at most
KEPT = 2**18  # pairs of a piece of work, all of which may be in the range


def quantile_of_distances(
    rows: Rows, n: int, share: float, *, n_jobs: int, held: int = HELD, cells: int = CELLS
) -> float:
    """Return the quantile of the distances of all pairs, linear between the two it falls between (type 7)."""
    if n <= thresholds.PAIRS:
        return quantile_numpy(rows(0, n), share)
    return _quantile(RowDistances(rows, n, n_jobs, cells), share, held)


def quantile_of_points(
    X: Floats, share: float, *, n_jobs: int, factor: float = ROOT, held: int = HELD, sample: int = SAMPLE
) -> float:
    """Return the same quantile for distances that squared differences make, with the same bits.

    Distances of some points say where it lies. If they are wrong all distances are counted once more.
    """
    n = len(X)
    if n <= thresholds.PAIRS:
        return quantile_numpy(distances_between(X, X, factor), share)
    distances = PointDistances(X, factor, n_jobs)
    return _quantile(distances, share, held, distances.about(share, sample) if n > RARE * sample else ALL)


def quantile_numpy(distances: Floats, share: float) -> float:
    """Return the quantile from a matrix of distances."""
    ordered = np.sort(np.maximum(distances, 0.0)[np.triu_indices(len(distances), 1)])
    if not len(ordered):
        return math.nan
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    return _between(float(ordered[low]), float(ordered[min(low + 1, len(ordered) - 1)]), place - low)


def quantile_of_places(distances: Floats, counts: Integers, share: float) -> float:
    """Return the same quantile from a matrix of distances between places, where so many points are at each of them."""
    one, two = np.triu_indices(len(distances), 1)
    values = np.concatenate([[0.0], np.maximum(distances, 0.0)[one, two]])  # 0 between points of one place
    pairs = np.concatenate([[(counts * (counts - 1) // 2).sum()], counts[one] * counts[two]])
    order = np.argsort(values, kind="stable")
    ends = np.cumsum(pairs[order])
    place = share * (int(ends[-1]) - 1)
    low = math.floor(place)
    lower, upper = values[order][np.searchsorted(ends, [low, min(low + 1, int(ends[-1]) - 1)], side="right")]
    return _between(float(lower), float(upper), place - low)


def _between(lower: float, upper: float, share: float) -> float:
    return lower + share * (upper - lower)


def _quantile(distances: Distances, share: float, held: int, within: tuple[int, int] = ALL) -> float:
    pairs = distances.n * (distances.n - 1) // 2
    place = share * (pairs - 1)
    low = math.floor(place)
    lower, upper = _two_from(distances, low, held, within)
    return lower if low + 1 >= pairs else _between(lower, upper, place - low)


def _two_from(distances: Distances, rank: int, held: int, within: tuple[int, int]) -> tuple[float, float]:
    """Return the distances of this rank, from 0, and of the next: count in bins, then in the bin that they are in.

    `within` is the range of bits in which they are looked for first.
    """
    low, width = within
    while True:
        width = max(width - 16, 0)
        below, counts = distances.counted(low, width)
        ends = below + np.cumsum(counts)
        if rank < below or rank >= ends[-1]:  # which only a first guess can be
            low, width = ALL
            continue
        first, second = np.searchsorted(ends, [rank, rank + 1], side="right").tolist()
        high = low + ((first + 1) << width) - 1
        if first != second:  # the next is in a later bin, or nowhere
            return distances.beside(high)
        low += first << width
        if width == 0:
            return _number(low), _number(low)
        if counts[first] <= held:
            inside = np.sort(distances.gathered(low, high, int(counts[first])))
            at = rank - int(ends[first] - counts[first])
            return _number(inside[at]), _number(inside[at + 1])


def _number(bits: int | np.int64) -> float:
    return float(np.array(bits, dtype=np.int64).view(np.float64))


def _bits(number: np.float64) -> int:
    return int(np.array(number).view(np.int64))


class Distances(Protocol):
    """The distances of all pairs, counted and picked by the whole numbers that their bits spell."""

    @property
    def n(self) -> int:
        """How many points there are."""

    def counted(self, low: int, width: int) -> tuple[int, Integers]:
        """Return how many distances are below `low`, and how many are in each of the bins of 2**width from there on."""

    def gathered(self, low: int, high: int, count: int) -> Integers:
        """Return the bits of the `count` distances from `low` to `high`."""

    def beside(self, high: int) -> tuple[float, float]:
        """Return the largest distance whose bits are at most `high`, and the smallest above it."""


@dataclass(frozen=True)
class RowDistances:
    """Distances that come as blocks of rows, by any metric."""

    rows: Rows
    n: int
    n_jobs: int
    cells: int

    def counted(self, low: int, width: int) -> tuple[int, Integers]:
        """Count block by block."""
        totals, lock, below = np.zeros(BINS, dtype=np.int64), threading.Lock(), 0

        def work(first: int, block: Floats) -> None:
            nonlocal below
            counts = np.zeros(BINS, dtype=np.int64)
            smaller = kernels.metrics.quantiles.count_bits(block.view(np.int64), first, low, width, counts)
            with lock:
                np.add(totals, counts, out=totals)
                below += smaller

        self._visit(work)
        return below, totals

    def gathered(self, low: int, high: int, count: int) -> Integers:
        """Copy them from each block."""
        parts: list[Integers] = []

        def work(first: int, block: Floats) -> None:
            room = np.empty(min(count, block.size), dtype=np.int64)
            found = kernels.metrics.quantiles.gather_bits(block.view(np.int64), first, low, high, room)
            parts.append(room[:found].copy())

        self._visit(work)
        return np.concatenate(parts)

    def beside(self, high: int) -> tuple[float, float]:
        """Compare those of all blocks."""
        largest, smallest, lock = 0, TOP, threading.Lock()

        def work(first: int, block: Floats) -> None:
            nonlocal largest, smallest
            ends = kernels.metrics.quantiles.bits_beside(block.view(np.int64), first, high, 0, TOP)
            with lock:
                largest, smallest = max(largest, ends[0]), min(smallest, ends[1])

        self._visit(work)
        return _number(largest), _number(smallest)

    def _visit(self, work: Callable[[int, Floats], object]) -> None:
        over_blocks(later_of(self.rows), self.n, work, n_jobs=self.n_jobs, cells=self.cells)


class PointDistances:
    """Distances that squared differences of coordinates make: only those of the range asked for are ever written."""

    def __init__(self, X: Floats, factor: float, n_jobs: int) -> None:
        self.X, self.factor, self.n_jobs, self.n = X, factor, n_jobs, len(X)
        self.columns = np.ascontiguousarray(X.T)
        later = np.cumsum(self.n - 1 - np.arange(self.n))  # pairs of each point with later ones, and of those before
        inner = np.searchsorted(later, np.arange(KEPT, later[-1], KEPT), side="right")
        self.items = np.unique([0, *inner, self.n]).tolist()
        self.most = int(np.diff(later[np.array(self.items[1:]) - 1], prepend=0).max())

    def about(self, share: float, sample: int) -> tuple[int, int]:
        """Return the range of bits in which the quantile probably lies, as its beginning and the digits of its width.

        Distances of `sample` points say where it is, but for MARGIN of all distances on either side.
        """
        some = self.X[np.linspace(0, self.n - 1, sample).astype(np.int64)]
        distances = np.sort(distances_between(some, some, self.factor), axis=None)[sample:]  # without those to itself
        low, high = (
            distances[int(s * (len(distances) - 1))] for s in (max(share - MARGIN, 0.0), min(share + MARGIN, 1.0))
        )
        return _bits(low), max(16, (_bits(high) - _bits(low)).bit_length())

    def counted(self, low: int, width: int) -> tuple[int, Integers]:
        """Count those of the bins."""
        totals, below, lock = np.zeros(BINS, dtype=np.int64), 0, threading.Lock()

        def work(distances: Floats, smaller: int) -> None:
            nonlocal below
            with lock:
                kernels.metrics.quantiles.add_bits(distances.view(np.int64), low, width, totals)
                below += smaller

        self._visit(low, low + (BINS << width) - 1, work)
        return below, totals

    def gathered(self, low: int, high: int, count: int) -> Integers:  # noqa: ARG002
        """Copy them from each run of points."""
        parts: list[Integers] = []
        self._visit(low, high, lambda distances, _: parts.append(distances.view(np.int64).copy()))
        return np.concatenate(parts)

    def beside(self, high: int) -> tuple[float, float]:
        """Compare the largest up to there of all runs of points, and the smallest above it."""
        middle = _number(high)
        ends: list[tuple[float, float]] = []

        def work(distances: Floats, _: int) -> None:
            below = distances <= middle
            ends.append((distances[below].max(initial=0.0), distances[~below].min(initial=np.inf)))

        self._visit(0, TOP, work)
        return max(low for low, _ in ends), min(top for _, top in ends)

    def _visit(self, low: int, high: int, work: Callable[[Floats, int], object]) -> None:
        """Call ``work(distances, below)`` with the distances of a range, from run to run, and how many are below it."""
        ends = _number(low), _number(min(high, TOP))
        rooms = [np.empty(self.most + 1) for _ in range(self.n_jobs)]

        def visit(item: int) -> None:
            room = rooms.pop()
            count, below = kernels.metrics.squares.distances_between(
                self.columns, self.items[item], self.items[item + 1], self.factor, *ends, room
            )
            work(room[:count], below)
            rooms.append(room)

        threads.run(visit, len(self.items) - 1, self.n_jobs)


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


def near_sums_of_places(
    rows: Rows, counts: Integers, width: float, codes: Integers | None = None, *, cells: int = CELLS
) -> Floats:
    """Return either sum for places where this many points are; with `codes`, that over places of other clusters."""
    n = len(counts)
    sums = np.empty(n)

    def work(first: int, block: Floats) -> None:
        near = np.maximum(0.0, 1 - block / width)
        if codes is not None:
            near[codes[first : first + len(block), None] == codes] = 0.0
        sums[first : first + len(block)] = near @ counts.astype(np.float64)

    over_blocks(rows, n, work, n_jobs=1, cells=cells)
    return sums
