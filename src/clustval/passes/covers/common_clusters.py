"""Points that are in the same clusters, how many clusters two points share, and which clusters overlap."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds

BLOCKS = 64  # in which kinds of points are compared with all others


@dataclass(frozen=True, eq=False)
class Incidence:
    """Which row is in which cluster: entries starts[i] to starts[i + 1] - 1 of `clusters` are those of row i."""

    starts: Integers
    clusters: Integers
    k: int

    @property
    def lengths(self) -> Integers:
        """How many clusters each row is in."""
        return np.diff(self.starts)

    @property
    def rows(self) -> Integers:
        """The row of each entry."""
        return np.repeat(np.arange(len(self.starts) - 1), self.lengths)

    def turned(self) -> Incidence:
        """Return which cluster has which row."""
        order = np.argsort(self.clusters, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(self.clusters, minlength=self.k))])
        return Incidence(starts, self.rows[order], len(self.starts) - 1)

    def matrix(self) -> Any:
        """Return the sparse matrix of 0 and 1, one row per row."""
        from scipy.sparse import csr_array  # noqa: PLC0415 - only covers need it

        return csr_array(
            (np.ones(len(self.clusters)), self.clusters, self.starts), shape=(len(self.starts) - 1, self.k)
        )

    def dense(self) -> NDArray[np.int64]:
        """Return the matrix written out."""
        table = np.zeros((len(self.starts) - 1, self.k), dtype=np.int64)
        table[self.rows, self.clusters] = 1
        return table


def incidence(rows: Integers, clusters: Integers, n: int, k: int) -> Incidence:
    """Return entries, each once, sorted by row and cluster."""
    cells = np.unique(rows * k + clusters)
    starts = np.concatenate([[0], np.cumsum(np.bincount(cells // k, minlength=n))])
    return Incidence(starts, cells % k, k)


def kinds_of_rows(both: Incidence) -> tuple[Integers, Integers]:
    """Return the first row of each kind, rows of the same clusters being of one kind, and the kind of each row.

    >>> firsts, kinds = kinds_of_rows(incidence(np.array([0, 1, 1, 2, 3, 3]), np.array([0, 0, 1, 0, 0, 1]), 5, 2))
    >>> firsts.tolist(), kinds.tolist()
    ([0, 1, 4], [0, 1, 0, 1, 2])
    """
    codes, known = np.zeros(len(both.starts) - 1, dtype=np.int64), 1
    longer = np.flatnonzero(both.lengths > 0)
    depth = 0
    while len(longer):  # rows that are equal so far part by their next cluster
        entries = codes[longer] * both.k + both.clusters[both.starts[longer] + depth]
        values, places = np.unique(entries, return_inverse=True)
        codes[longer] = known + places
        known, depth = known + len(values), depth + 1
        longer = longer[both.lengths[longer] > depth]
    _, firsts, kinds = np.unique(codes, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return firsts[order], places[kinds.ravel()]


@dataclass(frozen=True, eq=False)
class PairTally:
    """Ordered pairs of points by how many clusters they share, and what each kind of point sees of its own."""

    equal: int  # pairs that share as many clusters in both covers
    shared_a: list[int]  # pairs by number of shared clusters in A
    shared_b: list[int]
    precision: Floats  # of each kind, mean over points that share clusters in B; NaN where there are none
    recall: Floats


def tally(A: Incidence, B: Incidence, counts: Integers) -> PairTally:
    """Return how many clusters pairs of points share; rows are kinds of points, of which there are `counts`."""
    if len(counts) < thresholds.PAIRS:
        tables, means = tally_numpy(A, B, counts)
    else:
        tables, means = tally_compiled(A, B, counts)
    n, sums = int(counts.sum()), [row.tolist() for row in tables]
    pairs = n * (n - 1)
    met = sum(sums[0])  # of the others no two share any cluster
    shared_a, shared_b = sums[0], sums[1]
    shared_a[0] += pairs - met
    shared_b[0] += pairs - met
    return PairTally(sums[2][0] + pairs - met, shared_a, shared_b, means[0], means[1])


def tally_compiled(
    A: Incidence, B: Incidence, counts: Integers, widest: int = 2**16
) -> tuple[NDArray[np.int64], Floats]:
    """Return what `tally_numpy` returns; points of fewer than `widest` clusters are counted in small words."""
    n = len(counts)
    step = max(1, -(-n // BLOCKS))
    blocks = range(0, n, step)
    width = 1 + max(int(A.lengths.max(initial=0)), int(B.lengths.max(initial=0)))
    tables, means = np.zeros((len(blocks), 3, width), dtype=np.int64), np.empty((2, n))
    of_a, of_b = A.turned(), B.turned()
    # Small words stay in the caches; both numbers of a pair must fit into one.
    bits, word = (16, np.uint32) if width < widest else (32, np.uint64)

    def work(block: int) -> None:
        shared, touched = np.zeros(n, dtype=word), np.empty(n, dtype=np.int32)
        kernels.covers.common_clusters.tally(
            A.starts, A.clusters, of_a.starts, of_a.clusters.astype(np.int32),
            B.starts, B.clusters, of_b.starts, of_b.clusters.astype(np.int32),
            counts, blocks[block], min(blocks[block] + step, n), bits, shared, touched, tables[block], means,
        )  # fmt: skip

    threads.run(work, len(blocks), threads.available_cores())
    return tables.sum(axis=0), means


def tally_numpy(A: Incidence, B: Incidence, counts: Integers) -> tuple[NDArray[np.int64], Floats]:
    """Return tables of pairs (by clusters shared in A, in B, and equal in both) and means, from whole matrices."""
    in_a, in_b = (cover.dense() for cover in (A, B))
    shared = in_a @ in_a.T, in_b @ in_b.T
    pairs = np.outer(counts, counts) - np.diag(counts)
    some = (shared[0] > 0) | (shared[1] > 0)
    width = 1 + max(int(shared[0].max(initial=0)), int(shared[1].max(initial=0)))
    tables = np.zeros((3, width), dtype=np.int64)
    for table, numbers in zip(tables, shared, strict=False):
        np.add.at(table, numbers[some], pairs[some])
    tables[2, 0] = pairs[some & (shared[0] == shared[1])].sum()
    least = np.minimum(*shared)
    with np.errstate(all="ignore"):
        means = [
            np.where(own > 0, least / np.maximum(own, 1), 0) @ counts / ((own > 0) @ counts) for own in reversed(shared)
        ]
    return tables, np.array(means)
