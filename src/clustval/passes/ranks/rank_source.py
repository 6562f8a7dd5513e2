"""Which pairs of points a rank kernel visits, where their distances come from, and how the work is cut."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT
from clustval.passes.metrics.measure_rows import later_of
from clustval.passes.ranks.rank_pairs_numpy import Rows
from clustval.passes.work.threads import run

Done = Callable[[int], object] | None

BLOCK_BYTES = 1 << 22  # of the rows of distances that a thread holds at a time

# The bits of a distance spell an integer, in the same order.
MANTISSA = 52
END = 0x7FF0000000000001  # one after infinity


@dataclass(frozen=True)
class DistanceSource:
    """Where distances come from: coordinates, or rows of a distance matrix."""

    n: int
    columns: Floats  # one row per dimension, filled up with zeros to a multiple of four; none where there are rows
    rows: Rows | None
    factor: float = ROOT  # of sums of squared differences of coordinates

    @classmethod
    def of(cls, X: Floats, factor: float = ROOT) -> DistanceSource:
        """Lay coordinates out by dimension, so that points fill vectors."""
        n, p = X.shape
        columns = np.zeros((-(-p // 4) * 4, n))
        columns[:p] = X.T
        return cls(n, columns, None, factor)

    @classmethod
    def of_rows(cls, rows: Rows, n: int) -> DistanceSource:
        """Take distances from rows; there are no coordinates."""
        return cls(n, np.empty((0, n)), rows)

    def blocks(self, lo: int, hi: int) -> Iterator[tuple[Floats, int, int]]:
        """Cut points lo...hi-1 into runs whose rows fit a block; coordinates need none.

        Rows hold the distances to the point itself and to later ones; what lies before may be anything.
        """
        if self.rows is None:
            yield np.array([[self.factor]]), lo, hi
            return
        step = max(1, BLOCK_BYTES // (8 * self.n))
        rows = later_of(self.rows)
        for begin in range(lo, hi, step):
            end = min(begin + step, hi)
            # Writable, although nobody writes: kernels would be compiled once more for arrays that are not.
            yield np.require(rows(begin, end), np.float64, ["C", "W"]), begin, end

    def reach(self) -> int:
        """Return the bits of a distance that few pairs exceed: twice the largest from one point, none in a metric."""
        block, i, _ = next(self.blocks(0, 1))
        distances = np.empty(self.n)
        kernels.ranks.rank_streams.load_distances(self.columns, block, i, 0, 0, self.n, distances)
        return min(int(distances.view(np.int64).max()) + (1 << MANTISSA), END - 1)


@dataclass(frozen=True)
class Pairs:
    """The pairs of each point i with points first[i]...last[i]-1."""

    source: DistanceSource
    first: Integers
    last: Integers

    @property
    def total(self) -> int:
        """How many pairs there are."""
        return int((self.last - self.first).sum())

    def cut(self, size: int, most: int | None = None) -> list[int]:
        """Cut the points into runs of about `size` pairs each, and into no more than `most` of them."""
        upto = np.cumsum(self.last - self.first)
        count = max(1, -(-int(upto[-1]) // size))
        count = count if most is None else min(count, most)
        inner = np.searchsorted(upto, np.arange(1, count) * (upto[-1] / count)) + 1
        return [int(i) for i in np.unique(np.concatenate([[0], inner, [len(upto)]]))]

    def visit(self, kernel: Callable[..., object], lo: int, hi: int, *rest: object) -> None:
        """Call a kernel on the pairs of points lo...hi-1."""
        for block, begin, end in self.source.blocks(lo, hi):
            kernel(self.source.columns, block, self.first, self.last, begin, end, *rest)


@dataclass(frozen=True)
class Queue:
    """A number of threads, and the function that is called after each piece of work."""

    n_jobs: int
    done: Done

    def __call__(self, work: Callable[[int], object], count: int) -> None:
        """Call ``work(i)`` for every i below `count`."""
        run(work, count, self.n_jobs, self.done)
