"""Sums of the smallest and of the largest distances by histogram: only what lies at the edge is sorted.

One pass tallies distances in cells: how many, and their exact sum. Cells on one side of the edge count whole; those
that the edge cuts are collected in a second pass. Sums are integers, in units of the smallest number above zero, and
are rounded once, at the end.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Integers
from clustval.kernels.ranks.rank_cells import collect, tally_cells
from clustval.passes.ranks.rank_source import END, MANTISSA, DistanceSource, Done, Pairs, Queue

OCTAVES = 64  # cells reach so far below the largest distance; what is still smaller shares one cell
CELL_BITS = 9  # 512 cells in an octave: the tallies in use fit the first-level cache
MANY = 1 << 29  # pairs; from here on cells are smaller, lest too many distances share one
FINER_BITS = 2
SUBCELL_BITS = 14  # a cell is cut into 16384
COLLECTED = 1 << 21  # distances at once; a cell of more is cut
UNIT = 1074  # the smallest number above zero is 2**-1074


@dataclass(frozen=True)
class SumCuts:
    """How sums of extreme distances are cut into pieces of work."""

    item: int = 1 << 21  # pairs per work item
    kept_item: int = 1 << 18  # the same where all of them may have to be kept
    least: int = 1000  # distances that are collected, however small the memory


CUTS = SumCuts()


def compiled_extreme_sums(
    source: DistanceSource, count: int, *, n_jobs: int, memory: int, done: Done = None, cuts: SumCuts = CUTS
) -> tuple[float, float]:
    """Return the sums of the `count` smallest and of the `count` largest distances, correctly rounded."""
    if count == 0:
        return 0.0, 0.0
    pairs = Pairs(source, np.arange(1, source.n + 1), np.full(source.n, source.n))
    distances = ValueParts(pairs, memory, Queue(n_jobs, done), cuts)
    smallest, not_largest = distances.smallest(count, pairs.total - count)
    return rounded(smallest), rounded(distances.total - not_largest)


@dataclass(frozen=True)
class Part:
    """Distances whose bits spell lo...hi-1."""

    lo: int
    hi: int
    number: int
    total: int | None = None  # their sum; None if it is not known yet
    reach: int = END - 1  # few of them exceed it


class ValueParts:
    """All distances in parts of growing value, cut smaller where it matters."""

    def __init__(self, pairs: Pairs, memory: int, queue: Queue, cuts: SumCuts = CUTS) -> None:
        self.pairs, self.queue, self.cuts = pairs, queue, cuts
        self.collected = max(cuts.least, min(COLLECTED, memory // 64))
        self.cell_bits = CELL_BITS + (FINER_BITS if pairs.total >= MANY else 0)
        self.parts = [Part(0, END, pairs.total, reach=pairs.source.reach())]
        while unknown := [p for p, part in enumerate(self.parts) if part.total is None]:
            self.cut(unknown[0])

    @property
    def total(self) -> int:
        """The sum of all distances."""
        return sum(part.total or 0 for part in self.parts)

    def smallest(self, *counts: int) -> list[int]:
        """Return the sums of the so many smallest distances."""
        for count in counts:
            while (p := self.edge(count)) is not None and self.parts[p].number > self.collected:
                self.cut(p)
        edges = {count: p for count in counts if (p := self.edge(count)) is not None}
        within = self.collect(sorted(set(edges.values())))
        sums = []
        for count in counts:
            upto, total = 0, 0
            for p, part in enumerate(self.parts):
                missing = count - upto
                if p == edges.get(count):
                    lowest = np.partition(within[p], missing - 1)[:missing]
                    total += units(part.lo, missing, *halves(lowest - part.lo))
                elif missing >= part.number:
                    total += part.total or 0
                elif missing > 0:
                    total += units(part.lo, missing)
                upto += part.number
            sums.append(total)
        return sums

    def edge(self, count: int) -> int | None:
        """Return which part has some of the `count` smallest distances but not all, and more than one value."""
        for p, part in enumerate(self.parts):
            if count < part.number:
                return p if count > 0 and part.hi - part.lo > 1 else None
            count -= part.number
        return None

    def cut(self, p: int) -> None:
        """Replace a part by cells, each inside one power of two."""
        part = self.parts[p]
        if part.total is not None and part.total % part.number == 0:  # perhaps all are equal
            value = bits_of(part.total // part.number)
            if self.tally(value, value + 1, 0)[0][1] == part.number:
                self.parts[p] = Part(value, value + 1, part.number, part.total)
                return
        width = (part.hi - part.lo - 1).bit_length()
        shift = max(0, min(MANTISSA - self.cell_bits, width - SUBCELL_BITS))
        end = (min(part.reach, part.hi - 1) >> shift) + 1
        begin = max(part.lo >> shift, end - (OCTAVES << self.cell_bits))
        number, low, high, largest = self.tally(begin, end, shift)
        below = int(number[0]) - sum(earlier.number for earlier in self.parts[:p])
        above = part.number - below - int(number[1:-1].sum())
        smaller = [Part(part.lo, begin << shift, below, reach=int(largest[0]))]
        if largest[0] == part.lo:
            smaller = [Part(part.lo, part.lo + 1, below, units(part.lo, below))]
        for c in np.flatnonzero(number[1:-1]).tolist():
            lo, count = (begin + c) << shift, int(number[c + 1])
            total = units(lo, count, int(low[c + 1]), int(high[c + 1]))
            smaller.append(Part(lo, lo + (1 << shift), count, total))
        smaller.append(Part(end << shift, part.hi, above, reach=int(largest[1])))
        self.parts[p : p + 1] = [part for part in smaller if part.number > 0]

    def tally(self, begin: int, end: int, shift: int) -> tuple[Integers, Integers, Integers, Integers]:
        """Visit all pairs and tally cells begin...end-1; the first entry is for what is below, the last for above.

        Return the numbers, the sums of lower bits in two parts, and the largest distances below and above.
        """
        workers = [
            (np.zeros((end - begin + 2, 2), np.int64), np.zeros(end - begin + 2, np.int64), np.zeros(2, np.int64))
            for _ in range(self.queue.n_jobs)
        ]
        idle = list(workers)
        items = self.pairs.cut(self.cuts.item)

        def work(item: int) -> None:
            worker = idle.pop()
            self.pairs.visit(tally_cells, items[item], items[item + 1], (begin - 1) << shift, shift, *worker)
            idle.append(worker)

        self.queue(work, len(items) - 1)
        tallies, high, largest = (list(arrays) for arrays in zip(*workers, strict=True))
        tally = np.sum(tallies, axis=0)
        return tally[:, 0], tally[:, 1], np.sum(high, axis=0), np.max(largest, axis=0)

    def collect(self, parts: list[int]) -> dict[int, Integers]:
        """Visit all pairs and return the bits of the distances in one or two parts."""
        if not parts:
            return {}
        low = np.array([self.parts[parts[0]].lo, self.parts[parts[-1]].lo])
        high = np.array([self.parts[parts[0]].hi, self.parts[parts[-1]].hi])
        distances = np.empty(sum(self.parts[p].number for p in parts), np.int64)
        end = 0
        items = self.pairs.cut(self.cuts.kept_item)
        longest = int(np.add.reduceat(self.pairs.last - self.pairs.first, items[:-1]).max())
        idle = [np.empty(longest + 1, np.int64) for _ in range(self.queue.n_jobs)]
        lock = threading.Lock()

        def work(item: int) -> None:
            nonlocal end
            out = idle.pop()
            for block, lo, hi in self.pairs.source.blocks(items[item], items[item + 1]):
                where = (self.pairs.source.columns, block, self.pairs.first, self.pairs.last, lo, hi)
                count = collect(*where, low, high, out)
                with lock:
                    distances[end : end + count] = out[:count]
                    end += count
            idle.append(out)

        self.queue(work, len(items) - 1)
        return {p: distances[(distances >= self.parts[p].lo) & (distances < self.parts[p].hi)] for p in parts}


def units(lo: int, number: int, low: int = 0, high: int = 0) -> int:
    """Return ``number`` times the number whose bits spell lo, and units in its last place: low + 2**32 high."""
    exponent, significand = lo >> MANTISSA, lo & ((1 << MANTISSA) - 1)
    if exponent > 0:
        significand |= 1 << MANTISSA
    return (number * significand + low + (high << 32)) << max(exponent - 1, 0)


def halves(values: Integers) -> tuple[int, int]:
    """Return the sum of integers that fits no 64 bits in two parts: of their lower 32 bits, and of the rest."""
    return int((values & 0xFFFFFFFF).sum()), int((values >> 32).sum())


def bits_of(amount: int) -> int:
    """Return the bits of the largest distance that is not above so many units."""
    exponent = max(amount.bit_length() - MANTISSA - 1, 0)
    return (amount >> exponent) + (exponent << MANTISSA)


def rounded(amount: int) -> float:
    """Return so many units as a float; infinity, and what exceeds all floats, as infinity."""
    try:
        return amount / (1 << UNIT)
    except OverflowError:
        return math.inf
