"""The Kolmogorov-Smirnov distance between the distances inside each cluster and those from it to all other points.

Exact, and no more distances are kept at a time than the memory allows: one visit of the pairs tallies them in cells,
which gives both distribution functions at the limits of cells. Only in cells where their difference may exceed what
it is at some limit, distances are collected, or tallied again in smaller cells where they are too many.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Flags, Floats, Integers
from clustval.passes.points.places import Places
from clustval.passes.ranks.rank_source import END, MANTISSA, DistanceSource, Pairs
from clustval.passes.sweeps.partitions import Ranking
from clustval.passes.work import threads

OCTAVES = 16  # cells reach so far below the largest distance; what is still smaller shares one cell
FINER_BITS = 12  # a cell of too many distances is cut into 4096
RANGES = 8  # ranges of ranks; each range fits a cache
SORTED = 5  # distances with as many ties that are tallied in the time in which one is sorted
ROOM = 100  # bytes for each distance that is sorted


@dataclass(frozen=True)
class ContrastCuts:
    """How the search for the largest difference is cut into pieces of work, and distances into cells."""

    item: int = 1 << 21  # pairs per work item
    kept_item: int = 1 << 18  # the same where all of them may have to be kept
    least: int = 1000  # distances that are collected, however small the memory
    cell_bits: int = 12  # 4096 cells in an octave


CUTS = ContrastCuts()


def contrast_of_rows_numpy(distances: Floats, starts: Integers) -> Floats:
    """Return the Kolmogorov-Smirnov distance of each cluster from the matrix of all distances, in plain NumPy."""
    n = len(distances)
    gaps = np.full(len(starts) - 1, np.nan)
    for c, (lo, hi) in enumerate(pairwise(starts.tolist())):
        if hi - lo < 2 or hi - lo == n:
            continue
        one, other = np.triu_indices(hi - lo, 1)
        inside = np.sort(distances[lo:hi, lo:hi][one, other])
        outside = np.sort(np.delete(distances[lo:hi], np.s_[lo:hi], axis=1), axis=None)
        m, q = float(len(inside)), float(len(outside))
        gap = 0.0
        for side in ("left", "right"):
            below = np.searchsorted(inside, inside, side), np.searchsorted(outside, inside, side)
            gap = max(gap, float(np.abs(below[0] * q - below[1] * m).max()))
        gaps[c] = gap / (m * q)
    return gaps


def contrast_of_places(
    between: Callable[[Integers, Integers], Floats], starts: Integers, distinct: Places, memory: int
) -> Floats | None:
    """Return the same from distances between places, each as often as it has points; None if sorting them is no gain.

    Points are sorted by cluster, and those of two clusters are at two places. `between` takes points at both ends.
    """
    firsts, counts = distinct.firsts, distinct.counts
    ends = np.searchsorted(firsts, starts)  # places of a cluster follow each other
    n, most = int(starts[-1]), int(np.diff(ends).max())
    if SORTED * len(firsts) ** 2 > n**2 or ROOM * most * len(firsts) > memory:
        return None
    gaps = np.full(len(starts) - 1, np.nan)
    for c, (lo, hi) in enumerate(pairwise(ends.tolist())):
        own, other = counts[lo:hi], np.concatenate([counts[:lo], counts[hi:]])
        if own.sum() < 2 or not len(other):
            continue
        distances = between(firsts[lo:hi], firsts)
        one, two = np.triu_indices(hi - lo, 1)
        inside = np.concatenate([[0.0], distances[:, lo:hi][one, two]])  # 0 between the points of one place
        pairs = np.concatenate([[(own * (own - 1) // 2).sum()], own[one] * own[two]])
        outside = np.delete(distances, np.s_[lo:hi], axis=1).ravel()
        values = np.concatenate([inside, outside])
        order = np.argsort(values, kind="stable")
        below = np.cumsum(np.concatenate([pairs, np.zeros(len(outside), np.int64)])[order])
        out = np.cumsum(np.concatenate([np.zeros(len(inside), np.int64), np.outer(own, other).ravel()])[order])
        last = np.append(np.diff(values[order]) > 0, True)
        m, q = float(below[-1]), float(out[-1])
        gaps[c] = float(np.abs(below[last] * q - out[last] * m).max()) / (m * q)
    return gaps


def contrast(
    source: DistanceSource, starts: Integers, *, n_jobs: int, memory: int, cuts: ContrastCuts = CUTS
) -> Floats:
    """Return the Kolmogorov-Smirnov distance of each cluster; NaN for one without pairs inside or outside."""
    sizes = np.diff(starts)
    clusters = np.flatnonzero((sizes > 1) & (sizes < source.n))
    gaps = np.full(len(sizes), np.nan)
    if len(clusters):
        search = Search(source, starts, n_jobs, memory, cuts)
        gaps[clusters] = search.gaps(clusters)
    return gaps


@dataclass(frozen=True)
class Part:
    """Distances of a cluster whose bits spell lo...hi-1, and how many are smaller; inside and outside."""

    cluster: int
    lo: int
    hi: int
    below: tuple[int, int]
    number: tuple[int, int]
    bound: float  # what the difference inside cannot exceed

    @property
    def total(self) -> int:
        """How many distances there are."""
        return sum(self.number)


class Search:
    """The search for the largest difference of two distribution functions of each cluster.

    Differences are whole numbers: of m distances inside and q outside, a and b below make a q - b m.
    """

    def __init__(
        self, source: DistanceSource, starts: Integers, n_jobs: int, memory: int, cuts: ContrastCuts = CUTS
    ) -> None:
        self.source, self.starts, self.n_jobs, self.memory, self.cuts = source, starts, n_jobs, memory, cuts
        self.codes: Integers = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        self.pairs = Pairs(source, np.arange(1, source.n + 1), np.full(source.n, source.n))
        sizes = np.diff(starts)
        self.inside = sizes * (sizes - 1.0) / 2
        self.outside = sizes * (source.n - sizes * 1.0)
        self.best = np.zeros(len(sizes))
        self.room = max(cuts.least, memory // 64)  # distances that may be collected at a time

    def gaps(self, clusters: Integers) -> Floats:
        """Return the largest difference of each of the clusters, as a share."""
        reach = self.source.reach()
        bits = self.cuts.cell_bits
        while bits > 4 and 16 * (OCTAVES << bits) * len(clusters) * self.n_jobs > self.memory // 4:
            bits -= 1
        shift = MANTISSA - bits
        end = ((reach >> shift) + 1) << shift
        lo = max(0, (end >> MANTISSA) - OCTAVES) << MANTISSA  # so that ranges divide evenly, however often they are cut
        most = max(1, self.memory // 4 // (16 * (OCTAVES << bits) * self.n_jobs))
        parts: list[Part] = []
        for group in np.array_split(clusters, -(-len(clusters) // most)):
            whole = [Part(int(c), 0, END, (0, 0), (int(self.inside[c]), int(self.outside[c])), np.inf) for c in group]
            parts += self.cut(whole, [lo] * len(group), [shift] * len(group), (end - lo) >> shift)
        while large := [part for part in parts if part.total > self.room]:
            firsts = list({part.cluster: part for part in reversed(large)}.values())  # one of each cluster
            firsts = firsts[: max(1, self.memory // 4 // (16 * (1 << FINER_BITS) * self.n_jobs))]
            shifts = [max(0, (part.hi - part.lo - 1).bit_length() - FINER_BITS) for part in firsts]
            smaller = self.cut(firsts, [part.lo for part in firsts], shifts, 1 << FINER_BITS)
            parts = self.open([part for part in parts if part not in firsts] + smaller)
        parts.sort(key=lambda part: (part.cluster, part.lo))
        while parts := self.open(parts):
            upto = np.cumsum([part.total for part in parts])
            count = max(1, int(np.searchsorted(upto, self.room, side="right")))
            self.compare(parts[:count])
            parts = parts[count:]
        shares: Floats = self.best[clusters] / (self.inside[clusters] * self.outside[clusters])
        return shares

    def open(self, parts: list[Part]) -> list[Part]:
        """Return the parts in which the difference may still exceed the largest so far."""
        return [part for part in parts if part.bound > self.best[part.cluster]]

    def cut(self, parts: list[Part], bases: list[int], shifts: list[int], cells: int) -> list[Part]:
        """Tally parts, one of each cluster, in cells from a base on; return those cells that must be looked into."""
        rows = np.full(len(self.starts) - 1, -1)
        rows[[part.cluster for part in parts]] = np.arange(len(parts))
        ranges = np.array(bases), np.array(shifts)
        items = self.pairs.cut(self.cuts.item)
        tables = [np.zeros((2, len(parts), cells + 2), np.int64) for _ in range(min(self.n_jobs, len(items) - 1))]
        idle = list(tables)

        def work(item: int) -> None:
            table = idle.pop()
            for block, begin, end in self.source.blocks(items[item], items[item + 1]):
                kernels.ranks.dsi.tally(
                    self.source.columns, block, self.codes, self.starts, begin, end, rows, *ranges, table[0], table[1]
                )
            idle.append(table)

        threads.run(work, len(items) - 1, self.n_jobs)
        counts = np.sum(tables, axis=0)
        smaller: list[Part] = []
        for part, base, shift, *numbers in zip(parts, bases, shifts, *counts, strict=True):
            smaller += self.cells_of(part, base, shift, np.array(numbers))
        return self.open(smaller)

    def cells_of(self, part: Part, base: int, shift: int, numbers: Integers) -> list[Part]:
        """Note the differences at the limits of cells; return the cells in which it may be larger."""
        c = part.cluster
        weights = self.outside[c], self.inside[c]  # of a distance inside and of one outside
        below = np.concatenate([np.zeros((2, 1), np.int64), np.cumsum(numbers, axis=1)], axis=1)
        inside, outside = below[0] * weights[0], below[1] * weights[1]
        self.best[c] = max(self.best[c], float(np.abs(inside - outside).max()))
        bounds = np.maximum(inside[1:] - outside[:-1], outside[1:] - inside[:-1])
        cells = []
        for at in np.flatnonzero((numbers > 0).all(axis=0) & (bounds > self.best[c])).tolist():
            lo = base + ((at - 1) << shift) if at else 0
            hi = base + (at << shift) if at < len(bounds) - 1 else END
            lo, hi = max(lo, part.lo), min(hi, part.hi)
            if hi - lo > 1:
                smaller, number = (int(below[0, at]), int(below[1, at])), (int(numbers[0, at]), int(numbers[1, at]))
                cells.append(Part(c, lo, hi, smaller, number, float(bounds[at])))
        return cells

    def compare(self, parts: list[Part]) -> None:
        """Collect the distances of these parts, sorted by cluster and size, and note the largest difference in each."""
        firsts = np.searchsorted([part.cluster for part in parts], np.arange(len(self.starts)))
        lows, highs = np.array([part.lo for part in parts]), np.array([part.hi for part in parts])
        places = np.concatenate([[0], np.cumsum([part.total for part in parts])])
        limits, store = places.copy(), np.empty(int(places[-1]), np.uint64)
        items = self.pairs.cut(self.cuts.kept_item)
        longest = 2 * int(np.add.reduceat(self.pairs.last - self.pairs.first, items[:-1]).max())
        buffers = [(np.empty(longest, np.int32), np.empty(longest, np.uint64)) for _ in range(self.n_jobs)]
        lock = threading.Lock()

        def work(item: int) -> None:
            numbers, keys = buffer = buffers.pop()
            for block, begin, end in self.source.blocks(items[item], items[item + 1]):
                count = kernels.ranks.dsi.collect(
                    self.source.columns, block, self.codes, self.starts, begin, end, firsts, lows, highs, numbers, keys
                )
                with lock:
                    kernels.ranks.dsi.place(numbers, keys, count, places, store)
            buffers.append(buffer)

        threads.run(work, len(items) - 1, self.n_jobs)

        def judge(item: int) -> None:
            part, keys = parts[item], store[limits[item] : limits[item + 1]]
            keys.sort()
            c = part.cluster
            gaps[item] = kernels.ranks.dsi.widest_gap(keys, *part.below, self.outside[c], self.inside[c])

        gaps = np.empty(len(parts))
        threads.run(judge, len(parts), self.n_jobs)
        np.maximum.at(self.best, [part.cluster for part in parts], gaps)


@dataclass(frozen=True)
class OrderedPairs:
    """All pairs of points, nearest first, and which is the last of its distance."""

    first: NDArray[np.uint32]
    second: NDArray[np.uint32]
    ends: Flags

    @classmethod
    def of(cls, ranking: Ranking, n: int, n_jobs: int) -> OrderedPairs:
        """Put pairs where their ranks say."""
        count = len(ranking.ranks)
        first, second = np.empty((2, count), dtype=np.uint32)
        ends = np.empty(count, dtype=bool)
        limits = np.linspace(0, 2 * count + 1, RANGES + 1).astype(np.int64)

        def work(item: int) -> None:
            lo, hi = limits[item], limits[item + 1]
            kernels.ranks.dsi.order_pairs(
                ranking.ranks, n, ranking.tie_of, ranking.tie_sizes, lo, hi, first, second, ends
            )

        threads.run(work, RANGES, n_jobs)
        return cls(first, second, ends)

    def contrast(self, codes: Integers, sizes: Integers) -> Floats:
        """Return the Kolmogorov-Smirnov distance of each cluster of a partition of all points."""
        inside, outside = sizes * (sizes - 1.0) / 2, sizes * (len(codes) - sizes * 1.0)
        gaps = np.empty(len(sizes))
        kernels.ranks.dsi.gaps_in_order(self.first, self.second, self.ends, codes, outside, inside, gaps)
        product = inside * outside
        shares: Floats = np.divide(gaps, product, out=np.full(len(sizes), np.nan), where=product > 0)
        return shares
