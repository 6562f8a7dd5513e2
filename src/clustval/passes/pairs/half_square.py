"""One pass over all pairs of points, in pieces that threads take from a queue.

Each piece writes to places of its own and pieces are folded in one order, so that results are the same to
the last bit on any number of threads. No n x n array is built. The compiler is loaded only when there are points
enough to pay for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.metrics.form import EUCLIDEAN, Form
from clustval.passes.metrics.strips import WIDTH, Panel, aligned, strips_of
from clustval.passes.pairs.half_square_numpy import (
    SAMPLE,
    PairPass,
    Rows,
    numpy_pass,
    rough_mean,
    rough_mean_of,
    rows_numpy,
    symmetric_sums,
)
from clustval.passes.work import thresholds
from clustval.passes.work.threads import run, worth

SHORT = 28  # points per chunk; below, finishing row sums costs more than computing each distance twice
FEW = 2**20  # dimensions of pairs, both ways, that are met sooner than work is cut into pieces
COLUMNS = 256  # points per piece where pairs are met twice, or where rows come from elsewhere
ROOT = 16  # dimensions of a pair that take as long as its square root
QUICK = 32  # pair-dimensions computed in the time of one memory read
BLOCK_BYTES = 1 << 22  # rows of distances at a time, per thread

Done = Callable[[int], object] | None


@dataclass(frozen=True)
class Chunks:
    """Points cut into chunks, each inside one cluster, and chunks into groups, one piece of work each."""

    edges: Integers  # chunk u is points edges[u]:edges[u + 1]
    owners: Integers  # its cluster
    first: Integers  # cluster c is chunks first[c]:first[c + 1]
    groups: list[int]  # group g is chunks groups[g]:groups[g + 1]

    @classmethod
    def of(cls, starts: Integers, longest: int) -> Chunks:
        """Cut clusters evenly into chunks of at most `longest` points, and gather chunks up to as many."""
        sizes = starts[1:] - starts[:-1]
        if 0 < sizes.min(initial=1) and sizes.max(initial=0) <= longest:  # each cluster is a chunk
            edges, owners, first = starts, np.arange(len(sizes)), np.arange(len(sizes) + 1)
        else:
            pieces = -(-sizes // longest)
            first = np.concatenate([[0], np.cumsum(pieces)])
            owners = np.repeat(np.arange(len(sizes)), pieces)
            rank = np.arange(first[-1]) - first[owners]
            edges = np.append(starts[owners] + sizes[owners] * rank // pieces[owners], starts[-1])
        groups = [0, len(owners)] if 0 < starts[-1] <= longest else [0]
        while groups[-1] < len(owners):
            reach = int(np.searchsorted(edges, edges[groups[-1]] + longest, side="right")) - 1
            groups.append(max(reach, groups[-1] + 1))
        return cls(edges, owners, first, groups)

    def __len__(self) -> int:
        return len(self.owners)


class ChunkTables:
    """Where pieces of work leave their results: per point, and per chunk and cluster."""

    def __init__(self, chunks: Chunks, *, full: bool) -> None:
        n, shape = int(chunks.edges[-1]), (len(chunks), len(chunks.first) - 1)
        self.chunks = chunks
        self.own = np.zeros(n)
        self.nearest = np.full(n, np.inf)
        self.neighbour = np.full(n, -1)
        self.sums = np.zeros(shape)
        self.lows = np.full(shape, np.inf) if full else None
        self.hausdorff = np.zeros(shape) if full else None
        self.highs = np.zeros(shape) if full else None

    def fold(self, squares: float, shift: float) -> PairPass:
        """Fold chunks to clusters."""
        mins = maxs = hausdorff = None
        if self.lows is not None and self.highs is not None and self.hausdorff is not None:
            mins = self._by_cluster(np.minimum, self.lows)
            maxs = self._by_cluster(np.maximum, self.highs)
            hausdorff = self._by_cluster(np.maximum, self.hausdorff)
            np.fill_diagonal(mins, np.inf)
            np.fill_diagonal(hausdorff, 0.0)
        return PairPass(
            sums=symmetric_sums(self._by_cluster(np.add, self.sums)),
            squares=squares,
            shift=shift,
            own=self.own,
            nearest=self.nearest,
            neighbour=self.neighbour,
            mins=mins,
            maxs=maxs,
            hausdorff=hausdorff,
        )

    def _by_cluster(self, operation: np.ufunc, table: Floats) -> Floats:
        first = self.chunks.first[:-1]
        if len(first) == len(table):  # each chunk is a cluster
            return table
        return operation.reduceat(table, first, axis=0)


def euclidean_pass(X: Floats, starts: Integers, *, full: bool, n_jobs: int, memory: int, done: Done = None) -> PairPass:
    """`form_pass` at Euclidean distances."""
    return form_pass(X, starts, EUCLIDEAN, full=full, n_jobs=n_jobs, memory=memory, done=done)


def form_pass(
    X: Floats, starts: Integers, form: Form, *, full: bool, n_jobs: int, memory: int, done: Done = None
) -> PairPass:
    """One pass over the pairs of rows of X, sorted by cluster: cluster c is rows starts[c]:starts[c + 1].

    Distances are those of the form of metric, for which the rows were prepared.

    Minima and maxima come only with a `full` pass. At most `memory` bytes are used besides a copy of X and
    the result; `done` is called after each piece of work.
    """
    if len(X) <= thresholds.PAIRS:
        return numpy_pass(rows_numpy(form, X), len(X), starts, full=full)
    if len(X) <= COLUMNS and len(X) * X.size <= FEW and X.dtype == np.float64:
        return few_pass(X, starts, form, full=full, done=done)
    if form.factor is not None:  # else a pair may take any time
        n_jobs = worth(n_jobs, len(X) ** 2 // 2 * max(X.shape[1], ROOT) // QUICK)
    chunks = Chunks.of(starts, longest_chunk(len(X)))
    if meets_once(chunks, len(X), memory):
        return half_square_pass(X, starts, chunks, full=full, n_jobs=n_jobs, done=done, form=form)
    return full_square_pass(X, starts, full=full, n_jobs=n_jobs, done=done, form=form)


def meets_once(chunks: Chunks, n: int, memory: int) -> bool:
    """Return whether each pair of n points is computed once: if chunks are long, and their tables fit into memory."""
    table = 8 * len(chunks) * (n + (WIDTH - 1) * len(chunks))
    # Twice the table whether or not minima are asked for: a full pass must give the sums of a short one.
    return len(chunks) * SHORT <= n and 2 * table <= memory


def few_pass(X: Floats, starts: Integers, form: Form = EUCLIDEAN, *, full: bool, done: Done = None) -> PairPass:
    """Meet few points in one call: each pair twice, as in `full_square_pass`, but no table is made in Python."""
    k, rows = len(starts) - 1, Panel.of(X.shape[1], X.dtype).rows
    mins, hausdorff, maxs = np.zeros((3, k, k)) if full else [None] * 3
    visits: list[Any] = []

    def meet(_: int) -> None:
        visits.append(kernels.pairs.few_pairs.meet_few(form, X, starts, SAMPLE, rows, mins, hausdorff, maxs))

    run(meet, 1, 1, done)
    sums, squares, shift, own, nearest, neighbour = visits[0]
    return PairPass(sums, squares, shift, own, nearest, neighbour, mins, maxs, hausdorff)


def longest_chunk(n: int) -> int:
    """Points per chunk: enough pieces to keep threads busy, few enough that n numbers for each are few."""
    return min(max(256, n // 8), max(2048, n // 64))


def half_square_pass(
    X: Floats,
    starts: Integers,
    chunks: Chunks,
    *,
    full: bool,
    n_jobs: int,
    done: Done = None,
    form: Form = EUCLIDEAN,
) -> PairPass:
    """Meet each pair once: a pair of chunks adds to the rows of one and to the columns of the other."""
    p = X.shape[1]
    shift = rough_mean_of(form, X)
    panel = Panel.of(p, X.dtype)
    packed, places = strips_of(X, chunks.edges)
    sums = aligned(len(chunks) * int(places[-1]))
    lows = aligned(len(chunks) * int(places[-1])) if full else None
    highs = np.empty((len(chunks), len(chunks))) if full else None
    groups = chunks.groups
    a, b = np.triu_indices(len(groups) - 1) if len(groups) > 2 else ([0], [0])
    squares = np.zeros(len(a))

    def meet(item: int) -> None:
        i, j = a[item], b[item]
        squares[item] = kernels.pairs.half_square.half_square(
            form, panel.room(), panel.strips,
            groups[i], groups[i + 1], groups[j], groups[j + 1],
            packed, p, chunks.edges, places, shift, panel.rows, sums, lows, highs,
        )  # fmt: skip

    run(meet, len(a), n_jobs, done)

    tables = ChunkTables(chunks, full=full)

    def fold(item: int) -> None:
        begin, end = groups[item : item + 2]
        kernels.pairs.fold_chunks.fold_sums(
            begin, end, chunks.edges, chunks.owners, starts, chunks.first, places, sums,
            tables.own, tables.nearest, tables.neighbour, tables.sums,
        )  # fmt: skip
        if full:
            kernels.pairs.fold_chunks.fold_lows(
                begin, end, chunks.edges, chunks.first, places, lows, tables.lows, tables.hausdorff
            )

    run(fold, len(groups) - 1, n_jobs)
    if highs is not None:
        tables.highs = np.maximum.reduceat(highs, chunks.first[:-1], axis=1)
    return tables.fold(fsum(squares), shift)


def full_square_pass(
    X: Floats,
    starts: Integers,
    *,
    full: bool,
    n_jobs: int,
    done: Done = None,
    form: Form = EUCLIDEAN,
    columns: int = COLUMNS,
) -> PairPass:
    """Meet each pair twice: a piece of work is some columns against all rows, and is finished when it ends.

    This needs no table of n per chunk, and short clusters cost nothing extra.
    """
    p = X.shape[1]
    shift = rough_mean_of(form, X)
    panel = Panel.of(p, X.dtype)
    packed, places = strips_of(X, starts)
    chunks = Chunks.of(starts, columns)
    groups = chunks.groups
    tables = ChunkTables(chunks, full=full)
    squares = np.zeros(len(groups) - 1)

    def meet(item: int) -> None:
        begin, end = groups[item : item + 2]
        span = chunks.edges[[begin, end]]
        width = _padded(int(span[1] - span[0]))
        strips = aligned(width * p, X.dtype)
        kernels.pairs.half_square.pack(X, span, np.array([0, width]), strips)
        squares[item] = kernels.pairs.half_square.full_square(
            form, panel.room(width // WIDTH),
            begin, end, strips, packed, p, chunks.edges, chunks.owners, starts, places, shift, panel.rows,
            tables.own, tables.nearest, tables.neighbour,
            tables.sums, tables.lows, tables.hausdorff, tables.highs,
        )  # fmt: skip

    run(meet, len(squares), n_jobs, done)
    return tables.fold(fsum(squares) / 2, shift)


def rows_pass(
    rows: Rows, n: int, starts: Integers, *, full: bool, n_jobs: int, memory: int, done: Done = None
) -> PairPass:
    """One pass over the pairs of n points at any distance: ``rows(lo, hi)`` is from points lo..hi-1 to all.

    Several threads may ask for rows at once; together they hold up to `memory` bytes, or one row each.
    """
    if n <= thresholds.PAIRS:
        return numpy_pass(rows, n, starts, full=full)
    return compiled_rows_pass(rows, n, starts, full=full, n_jobs=n_jobs, memory=memory, done=done)


def compiled_rows_pass(
    rows: Rows, n: int, starts: Integers, *, full: bool, n_jobs: int, memory: int, done: Done = None
) -> PairPass:
    """`rows_pass` for many points."""
    shift = rough_mean(rows, n)
    chunks = Chunks.of(starts, COLUMNS)
    groups = chunks.groups
    tables = ChunkTables(chunks, full=full)
    squares = np.zeros(len(groups) - 1)
    # A block and what made it: whoever computes rows needs about as much again.
    step = max(1, min(BLOCK_BYTES, memory // (2 * n_jobs)) // (8 * n))

    def absorb(item: int) -> None:
        chunk = groups[item]
        begin, end = int(chunks.edges[chunk]), int(chunks.edges[groups[item + 1]])
        for lo in range(begin, end, step):
            hi = min(lo + step, end)
            block = np.ascontiguousarray(rows(lo, hi), dtype=np.float64)
            squares[item] += kernels.pairs.absorb_rows.absorb_rows(
                block.ravel(), lo, hi, chunk, chunks.edges, chunks.owners, starts, shift,
                tables.own, tables.nearest, tables.neighbour,
                tables.sums, tables.lows, tables.hausdorff, tables.highs,
            )  # fmt: skip

    run(absorb, len(squares), n_jobs, done)
    return tables.fold(fsum(squares), shift)


def _padded(count: int) -> int:
    return -(-count // WIDTH) * WIDTH
