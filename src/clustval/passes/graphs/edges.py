"""Edges of a graph, each once: checked, and counted by the clusters of their ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds

VERTICES = 2**14  # that a work item sees


@dataclass(frozen=True, eq=False)
class Edges:
    """The edges of a graph without loops, each once, in the rows of the vertex with the smaller number."""

    ends: Integers  # (n + 1,) where the edges of a vertex end and those of the next begin
    others: NDArray[Any]  # the vertex with the larger number
    weights: Floats | None  # None if all are 1
    degrees: Floats  # (n,) sum of the weights at each vertex; a loop counts as the diagonal has it
    loops: Floats  # (n,) the diagonal
    links: Integers  # (n,) neighbours of each vertex, itself left out

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.degrees)


def edges_of(matrix: Any) -> Edges | None:
    """Return the edges of a square matrix in compressed rows; None if it is not sound, which others must explain.

    It is sound if it is symmetric to the bit, its weights are positive and finite, and columns ascend in each row.
    """
    n, entries = matrix.shape[0], matrix.nnz
    if entries <= thresholds.EDGES:
        return _edges_numpy(matrix)
    ends, others = np.empty(n + 1, dtype=np.int64), np.empty(entries // 2, dtype=_smallest(n))
    values = np.empty(entries // 2)
    degrees, loops, links = np.zeros(n), np.zeros(n), np.zeros(n, dtype=np.int64)
    count = kernels.graphs.edges.upper_edges(
        matrix.indptr, matrix.indices, matrix.data, ends, others, values, degrees, loops, links
    )
    if count < 0:
        return None
    return _packed(ends, others[:count], values[:count], degrees, loops, links)


def _smallest(n: int) -> type[np.integer[Any]]:
    return np.int32 if n < 2**31 else np.int64  # half the memory, and gathered sooner


def _packed(
    ends: Integers, others: NDArray[Any], values: Floats, degrees: Floats, loops: Floats, links: Integers
) -> Edges:
    weights = None if len(values) == 0 or (values.min() == values.max() == 1) else values
    return Edges(ends, others, weights, degrees, loops, links)


def _edges_numpy(matrix: Any) -> Edges | None:
    n, values = matrix.shape[0], matrix.data
    if not (np.isfinite(values) & (values > 0)).all():
        return None
    rows, columns = np.repeat(np.arange(n), np.diff(matrix.indptr)), matrix.indices.astype(np.int64)
    places = rows * n + columns
    if (np.diff(places) <= 0).any():
        return None
    order = np.argsort(columns * n + rows)
    if not (np.array_equal((columns * n + rows)[order], places) and np.array_equal(values[order], values)):
        return None
    upper, apart = columns > rows, rows != columns
    ends = np.concatenate([[0], np.cumsum(np.bincount(rows[upper], minlength=n))])
    return _packed(
        ends,
        columns[upper].astype(_smallest(n)),
        values[upper],
        np.asarray(np.bincount(rows, values, minlength=n), dtype=np.float64),
        np.asarray(np.bincount(rows[~apart], values[~apart], minlength=n), dtype=np.float64),
        np.bincount(rows[apart], minlength=n),
    )


def by_cluster(edges: Edges, codes: Integers, k: int, first: int, last: int, *, n_jobs: int) -> tuple[Integers, Floats]:
    """Return the number of edges inside each cluster and of those that leave it (k, 2), and their weights (k, 2).

    Edges are those of the vertices `first` ... `last` - 1, each in the row of the vertex with the smaller number. Where
    weights differ, they are added one by one, so that a cluster that no edge leaves has exactly 0.
    """
    if len(edges.others) <= thresholds.EDGES:
        return _by_cluster_numpy(edges, codes, k, first, last)
    compact = codes.astype(_smallest(edges.n), copy=False)
    if edges.weights is not None:
        counts, sums = np.zeros((k, 2), dtype=np.int64), np.zeros((k, 2))
        kernels.graphs.edges.edges_by_cluster(
            edges.ends, edges.others, edges.weights, compact, first, last, counts, sums
        )
        return counts, sums
    if first > 0 or last < edges.n:
        return _by_cluster_numpy(edges, codes, k, first, last)
    stay = np.empty(edges.n, dtype=np.int64)
    blocks = range(0, edges.n, VERTICES)

    def work(item: int) -> None:
        lo, hi = blocks[item], min(blocks[item] + VERTICES, edges.n)
        kernels.graphs.edges.edges_inside(edges.ends, edges.others, compact, lo, hi, stay[lo:hi])

    threads.run(work, len(blocks), threads.worth(n_jobs, len(edges.others)))
    inside, links = (np.bincount(codes, values, minlength=k).astype(np.int64) for values in (stay, edges.links))
    counts = np.column_stack([inside, links - 2 * inside])
    return counts, counts.astype(np.float64)


def _by_cluster_numpy(edges: Edges, codes: Integers, k: int, first: int, last: int) -> tuple[Integers, Floats]:
    here = slice(edges.ends[first], edges.ends[last])
    tails = codes[np.repeat(np.arange(first, last), np.diff(edges.ends[first : last + 1]))]
    heads = codes[edges.others[here]]
    weights = np.ones(len(heads)) if edges.weights is None else edges.weights[here]
    same = tails == heads
    ends = np.concatenate([tails[~same], heads[~same]])
    counts = np.column_stack([np.bincount(tails[same], minlength=k), np.bincount(ends, minlength=k)])
    sums = [
        np.bincount(tails[same], weights[same], minlength=k),
        np.bincount(ends, np.tile(weights[~same], 2), minlength=k),
    ]
    return counts, np.column_stack(sums).astype(np.float64)  # of no edges they are whole numbers
