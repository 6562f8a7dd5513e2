"""Compare every distance within a cluster with every distance between clusters, without meeting both at once.

The smaller side is stored, sorted in bins of value; the other is streamed past it. Where the smaller side does not
fit the memory, its range of values is cut and the other side streamed once per part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Integers
from clustval.kernels.ranks import rank_lines as layout
from clustval.kernels.ranks.rank_lines import index_bin, write_lines
from clustval.kernels.ranks.rank_streams import count_cells, flush, store_distances, stream_distances
from clustval.passes.ranks.rank_source import END, MANTISSA, DistanceSource, Done, Pairs, Queue

OCTAVES = 64  # cells reach so far below the largest distance; what is still smaller shares one cell
CELL_BITS = 11  # 2048 cells in an octave
BINS = 1024
BUFFER = 1 << 13  # streamed distances per buffer, where memory allows
SPARSE = 16  # stored distances per line
STORED_BYTES = 8 + 64 // SPARSE
SWEEPS = 64  # no memory is so small that more are worth it
SAMPLE = 64  # points that show where streamed distances lie
COMPARED = 0.7  # share of streamed distances among the stored ones, below which the others are told apart beforehand


@dataclass(frozen=True)
class ComparisonCuts:
    """How the comparison of stored and streamed distances is cut into pieces of work."""

    item: int = 1 << 21  # streamed pairs per work item
    share: int = 1 << 18  # stored pairs per share, at least
    bin: int = 1 << 14  # stored distances per bin, where that makes fewer bins
    least: int = 1000  # stored distances, however small the memory


CUTS = ComparisonCuts()


def compiled_concordance(
    source: DistanceSource,
    starts: Integers,
    *,
    n_jobs: int,
    memory: int,
    done: Done = None,
    cuts: ComparisonCuts = CUTS,
) -> tuple[int, int, int]:
    """Count (within pair, between pair): within is nearer, within is farther, both are equally far."""
    points = np.arange(source.n)
    ends = np.repeat(starts[1:], np.diff(starts))
    within = Pairs(source, points + 1, ends)
    between = Pairs(source, ends, np.full(source.n, source.n))
    if not within.total or not between.total:
        return 0, 0, 0
    swapped = within.total > between.total
    stored, streamed = (between, within) if swapped else (within, between)
    less, equal = StreamedComparison(stored, streamed, memory, Queue(n_jobs, done), cuts).sums()
    more = stored.total * streamed.total - less - equal
    return (more, less, equal) if swapped else (less, more, equal)


@dataclass(frozen=True)
class Cells:
    """Ranges of the integers that distances spell: cell c begins at ``base + (c << shift)``.

    Cells before `begin` and from `end` on take what lies outside.
    """

    base: int
    shift: int
    count: int
    begin: int
    end: int

    @classmethod
    def below(cls, reach: int) -> Cells:
        """Cut all distances into cells, the finest of them in the octaves below `reach`."""
        shift, count = MANTISSA - CELL_BITS, OCTAVES << CELL_BITS
        return cls(max(0, ((reach >> shift) + 1 - count) << shift), shift, count, 0, count)

    @classmethod
    def within(cls, lo: int, hi: int) -> Cells:
        """Cut lo...hi-1 into some thousand cells; they exceed it only where there are no distances."""
        shift = max(0, (hi - lo - 1).bit_length() - CELL_BITS)
        shift = min(shift, MANTISSA - 2)  # so that the difference of infinity and a base below zero fits 64 bits
        count = ((hi - lo - 1) >> shift) + 1
        first = lo if hi == END else hi - (count << shift)
        return cls(first - (1 << shift), shift, count + 2, 1, count + 1)

    def range(self, c: int) -> tuple[int, int]:
        """Return the first integer of cell c and that after its last."""
        lo = self.base + (c << self.shift)
        return 0 if c == 0 else lo, END if c == self.count - 1 else lo + (1 << self.shift)


@dataclass(frozen=True)
class CellSweep:
    """A run of cells whose stored distances fit the memory."""

    cells: Cells
    begin: int
    end: int
    counts: Integers  # stored distances per share and cell of the run
    sample: Integers  # some streamed distances per cell of the run
    single: dict[int, int]  # cells with more distances than fit, all equal: their value

    @property
    def place(self) -> tuple[int, int, int, int]:
        """The first integer of the run, that after its last, and the base and shift of its cells."""
        least, beyond = self.cells.range(self.begin)[0], self.cells.range(self.end - 1)[1]
        return least, beyond, self.cells.base, self.cells.shift


class Worker:
    """The memory of one thread: buffers of streamed distances, and the counts of those looked up."""

    def __init__(self, size: int) -> None:
        self.memory = np.empty(size, np.int64)
        self.totals = np.zeros(4, np.int64)
        self.prepare(1)

    def prepare(self, bins: int) -> None:
        """Cut the memory into one empty buffer for each of `bins`."""
        self.buffers = self.memory[: len(self.memory) // bins * bins].reshape(bins, -1)
        self.lengths = np.zeros(bins, np.uint32)
        self.visits = np.zeros(bins, np.int64)

    def sums(self) -> tuple[int, int]:
        """Return how many stored distances of the same bin were less, and how many equal."""
        low_less, high_less, low_equal, high_equal = (int(part) for part in self.totals)
        return low_less + (high_less << 32), low_equal + (high_equal << 32)


class StreamedComparison:
    """Streamed distances compared with stored ones, within the memory allowed."""

    def __init__(self, stored: Pairs, streamed: Pairs, memory: int, queue: Queue, cuts: ComparisonCuts = CUTS) -> None:
        self.stored, self.streamed, self.queue, self.cuts = stored, streamed, queue, cuts
        self.shares = stored.cut(cuts.share, max(16, 4 * queue.n_jobs))
        self.items = streamed.cut(cuts.item)
        fixed = stored.source.columns.nbytes + 32 * stored.source.n + len(self.shares) * (OCTAVES << CELL_BITS) * 8
        free = max(memory - fixed, 0)
        buffers = min(free // 4, queue.n_jobs * 8 * BINS * BUFFER)
        self.room = max((free - buffers) // STORED_BYTES, stored.total // SWEEPS, cuts.least)
        self.room = min(self.room, layout.CROWDED - 1)
        most_bins = min(BINS, stored.total // cuts.bin + 1) + 2
        size = max(min(buffers // (8 * queue.n_jobs), most_bins * BUFFER), 64 * most_bins)
        self.workers = [Worker(size) for _ in range(queue.n_jobs)]
        self.store = np.empty(0, np.int64)
        self.lines = np.empty(0, np.uint16)

    def sums(self) -> tuple[int, int]:
        """Return, summed over streamed distances, how many stored ones are less, and how many equal."""
        less = sum(self.sweep(sweep) for sweep in self.sweeps(Cells.below(self.stored.source.reach())))
        inside = [worker.sums() for worker in self.workers]
        return less + sum(part[0] for part in inside), sum(part[1] for part in inside)

    def count(self, cells: Cells) -> Integers:
        """Count stored distances per share and cell."""
        counts = np.zeros((len(self.shares) - 1, cells.count), np.int64)

        def work(share: int) -> None:
            lo, hi = self.shares[share : share + 2]
            self.stored.visit(count_cells, lo, hi, cells.base, cells.shift, counts[share])

        self.queue(work, len(counts))
        return counts

    def only_value(self, lo: int, hi: int) -> int | None:
        """Return the value that all stored distances from lo to hi-1 have, or None if they differ."""
        while hi - lo > 1:
            cells = Cells.within(lo, hi)
            occupied = np.flatnonzero(self.count(cells).sum(axis=0)[1:-1]) + 1
            if len(occupied) > 1:
                return None
            lo, hi = cells.range(int(occupied[0]))
        return lo

    def sweeps(self, cells: Cells) -> Iterator[CellSweep]:
        """Cut cells into runs whose stored distances fit; a cell that does not is cut into finer ones."""
        counts = self.count(cells)
        sample = np.zeros(cells.count, np.int64)
        for i in np.linspace(0, self.streamed.source.n - 1, SAMPLE).astype(int).tolist():
            self.streamed.visit(count_cells, i, i + 1, cells.base, cells.shift, sample)
        number = counts.sum(axis=0)
        single, finer = {}, []
        for c in np.flatnonzero(number > self.room).tolist():
            if cells.begin <= c < cells.end:
                value = self.only_value(*cells.range(c))
                if value is None:
                    finer.append(c)
                else:
                    single[c] = value
                number[c] = 0
        inside = number[cells.begin : cells.end]
        fewest = max(1, -(-int(inside.sum()) // self.room))
        quota = min(self.room, -(-int(inside.sum()) // fewest) + int(inside.max()))  # even sweeps take less memory
        upto = np.concatenate([[0], np.cumsum(number)])
        begin = cells.begin
        for stop in [*finer, cells.end]:
            while begin < stop:
                end = min(stop, int(np.searchsorted(upto, upto[begin] + quota, side="right")) - 1)
                occupied = begin + np.flatnonzero(counts[:, begin:end].any(axis=0))
                if len(occupied):
                    lo, hi = int(occupied[0]), int(occupied[-1]) + 1
                    if sample[lo:hi].sum() > COMPARED * sample[begin:end].sum():
                        lo, hi = begin, end
                    yield CellSweep(cells, lo, hi, counts[:, lo:hi], sample[lo:hi], single)
                begin = end
            if stop < cells.end:
                yield from self.sweeps(Cells.within(*cells.range(stop)))
                begin = stop + 1

    def sweep(self, sweep: CellSweep) -> int:
        """Store the distances of one sweep and stream all others past them.

        Return, summed over streamed distances, how many stored ones lie in earlier bins. Workers keep the rest.
        """
        edges = bin_edges(sweep, self.cuts.bin)
        count = len(edges) - 1
        # The first bin and the last take what lies outside the sweep; nothing is stored there.
        bins = np.zeros(sweep.cells.count, np.uint16)
        bins[sweep.begin : sweep.end] = np.repeat(np.arange(1, count + 1), np.diff(edges))
        bins[sweep.end :] = count + 1
        per_share = np.zeros((len(sweep.counts), count + 2), np.int64)
        per_share[:, 1:-1] = np.add.reduceat(sweep.counts, edges[:-1], axis=1)
        number = per_share.sum(axis=0)
        about = self.store_side(sweep, bins, per_share)
        for worker in self.workers:
            worker.prepare(count + 2)
        self.stream_side(sweep, bins, about)
        visits = np.sum([worker.visits for worker in self.workers], axis=0)
        earlier = np.cumsum(number) - number
        return sum(s * e for s, e in zip(visits.tolist(), earlier.tolist(), strict=True))

    def store_side(self, sweep: CellSweep, bins: NDArray[np.uint16], per_share: Integers) -> Integers:
        """Store and sort the distances of a sweep; return one line of facts about each bin."""
        about = np.zeros((per_share.shape[1], layout.FIELDS), np.int64)
        entries = per_share.sum(axis=0)
        single = {int(bins[c]): value for c, value in sweep.single.items() if sweep.begin <= c < sweep.end}
        totals = {b: int(entries[b]) for b in single}
        entries[list(single)] = 3  # the value, and the numbers of pairs before and after it
        about[:, layout.OFFSET] = np.cumsum(entries) - entries
        about[:, layout.DISTINCT] = entries
        about[list(single), layout.DISTINCT] = 1
        about[:, layout.PARTS] = -(-about[:, layout.DISTINCT] // SPARSE)
        about[:, layout.LINE] = np.cumsum(about[:, layout.PARTS] + 1) - about[:, layout.PARTS] - 1
        self.reserve(int(entries.sum()), int((about[:, layout.PARTS] + 1).sum()) * layout.LANES)
        position = about[:, layout.OFFSET] + np.cumsum(per_share, axis=0) - per_share
        position[:, [0, -1, *single]] = -1

        def place(share: int) -> None:
            lo, hi = self.shares[share : share + 2]
            self.stored.visit(store_distances, lo, hi, *sweep.place, bins, self.store, position[share])

        def index(b: int) -> None:
            begin = int(about[b, layout.OFFSET])
            if b in single:
                self.store[begin : begin + 3] = single[b], 0, totals[b]
                about[b, layout.TIED] = 1
                write_lines(self.store[begin : begin + 1], self.lines, about[b])
            elif entries[b]:
                self.store[begin : begin + entries[b]].sort()
                index_bin(self.store, self.lines, about[b])

        self.queue(place, len(per_share))
        self.queue(index, len(about))
        return about

    def reserve(self, distances: int, lanes: int) -> None:
        """Make room in the store and for lines; what was there is given back first."""
        if len(self.store) < distances:
            self.store = np.empty(0, np.int64)
            self.store = np.empty(distances, np.int64)
        if len(self.lines) < lanes:
            self.lines = np.empty(0, np.uint16)
            self.lines = np.empty(lanes + layout.LANES, np.uint16)
            skip = (-self.lines.ctypes.data % 64) // self.lines.itemsize  # a line of ours is a line of the cache
            self.lines = self.lines[skip : skip + lanes]

    def stream_side(self, sweep: CellSweep, bins: NDArray[np.uint16], about: Integers) -> None:
        """Look up all streamed distances."""
        idle = list(self.workers)

        def stream(item: int) -> None:
            worker = idle.pop()
            lo, hi = self.items[item : item + 2]
            where = (*sweep.place, bins, worker.buffers, worker.lengths, worker.visits)
            self.streamed.visit(stream_distances, lo, hi, *where, self.store, self.lines, about, worker.totals)
            idle.append(worker)

        def finish(b: int) -> None:
            worker = idle.pop()
            for other in self.workers:
                count = int(other.lengths[b])
                flush(other.buffers, b, count, other.visits, self.store, self.lines, about, worker.totals)
            idle.append(worker)

        self.queue(stream, len(self.items) - 1)
        self.queue(finish, len(about))


def bin_edges(sweep: CellSweep, size: int) -> Integers:
    """Cut the cells of a sweep into bins: few stored distances in each, few streamed ones, and single values alone."""
    number = sweep.counts.sum(axis=0)
    share = number / number.sum() + sweep.sample / max(1, sweep.sample.sum())
    bins = min(BINS, int(number.sum()) // size + 1)
    rank = ((np.cumsum(share) - share) * (bins / 2)).astype(np.int64)
    new = np.diff(rank, prepend=-1) > 0
    for c in sweep.single:
        if sweep.begin <= c < sweep.end:
            new[c - sweep.begin : c - sweep.begin + 2] = True
    return np.append(np.flatnonzero(new), len(number))
