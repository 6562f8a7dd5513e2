"""Graphs of nearest neighbours as others compute them: sparse matrices of distances, or pairs of indices and distances.

What a graph does not have is not known: rows may differ in length, and a point that is near another need not have it
among its own neighbours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Flags, Floats, Integers
from clustval.errors import InputError

FORMS = "a sparse matrix of distances, a pair of indices and distances, or the name of one in obsp"

LOOKED_AT, FEWEST, MOSTLY = 200, 10, 0.75  # points whose first and last neighbours are compared, and the share refused


@dataclass(frozen=True, eq=False)
class NeighbourGraph:
    """The neighbours of each point that are known, nearest first; of points equally near, the first in the input."""

    starts: Integers  # (n + 1,) where the neighbours of each point begin
    numbers: Integers  # of neighbours
    distances: Floats  # to them

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.starts) - 1

    @property
    def counts(self) -> Integers:
        """How many neighbours of each point are known."""
        return np.diff(self.starts)

    def nearest(self, count: int) -> tuple[Floats, Integers]:
        """Return the distances to the nearest points and their numbers (n, count); that many must be known."""
        places = self.starts[:-1, None] + np.arange(count)
        return self.distances[places], self.numbers[places]

    def restricted(self, keep: Flags) -> NeighbourGraph:
        """Return the graph of some points: those that were left out are nobody's neighbours."""
        if keep.all():
            return self
        rows = np.repeat(np.arange(self.n), self.counts)
        edges = keep[rows] & keep[self.numbers]
        places = np.cumsum(keep) - 1
        counts = np.bincount(rows[edges], minlength=self.n)[keep]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return NeighbourGraph(starts, places[self.numbers[edges]], self.distances[edges])

    def holds_similarities(self, X: Floats) -> bool:
        """Return whether of these points the nearest in the graph are mostly farther than the last: no distances."""
        rows = np.flatnonzero(self.counts > 1)
        rows = rows[:: max(1, len(rows) // LOOKED_AT)]
        first, last = self.starts[rows], self.starts[rows + 1] - 1
        differ = self.distances[first] < self.distances[last]
        near, far = (np.linalg.norm(X[rows[differ]] - X[self.numbers[ends[differ]]], axis=1) for ends in (first, last))
        return len(near) >= FEWEST and bool((near > far).mean() > MOSTLY)

    def holds_connections(self, X: Floats) -> bool:
        """Return whether each neighbour has the distance 1, though these points lie at others."""
        if self.counts.max(initial=0) < 2 or (self.distances != 1).any():
            return False
        rows = np.repeat(np.arange(self.n), self.counts)[:LOOKED_AT]
        lengths = np.linalg.norm(X[rows] - X[self.numbers[:LOOKED_AT]], axis=1)
        return bool((lengths != lengths[0]).any())

    def scaled(self, exponent: int) -> NeighbourGraph:
        """Return the graph with all distances multiplied by a power of two."""
        return NeighbourGraph(self.starts, self.numbers, np.ldexp(self.distances, exponent))


def neighbour_graph(neighbours: Any) -> NeighbourGraph:
    """Return the graph of nearest neighbours, checked and sorted; a point is not its own neighbour.

    >>> graph = neighbour_graph(([[1, 2], [0, 2], [1, 0]], [[1.0, 5.0], [1.0, 4.0], [4.0, 5.0]]))
    >>> graph.nearest(1)[1].ravel()
    array([1, 0, 1])
    """
    if isinstance(neighbours, NeighbourGraph):
        return neighbours
    if hasattr(neighbours, "tocsr") and hasattr(neighbours, "nnz"):
        rows, numbers, distances, n = _of_matrix(neighbours)
    elif isinstance(neighbours, Sequence) and not isinstance(neighbours, str) and len(neighbours) == 2:
        rows, numbers, distances, n = _of_pair(*map(np.asarray, neighbours))
    else:
        msg = f"neighbours must be {FORMS}; it is of type {type(neighbours).__name__}."
        raise InputError(msg)
    bad = ~np.isfinite(distances) | (distances < 0)
    if bad.any():
        edge = int(bad.argmax())
        msg = (
            f"Distances of neighbours must be finite and not negative; that of row {rows[edge]} to {numbers[edge]} is "
            f"{distances[edge]}."
        )
        raise InputError(msg)
    others = rows != numbers
    rows, numbers, distances = rows[others], numbers[others], distances[others]
    _check_named_once(rows, numbers, n)
    order = np.lexsort((numbers, distances, rows))
    rows, numbers, distances = rows[order], numbers[order], distances[order]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))]).astype(np.int64)
    return NeighbourGraph(starts, numbers.astype(np.int64), distances)


def _check_named_once(rows: Integers, numbers: Integers, n: int) -> None:
    """Raise an error if a point names another twice, which would count twice."""
    edges = np.sort(rows * n + numbers)
    twice = edges[1:][edges[1:] == edges[:-1]]
    if len(twice):
        row, number = divmod(int(twice[0]), n)
        msg = f"Row {row} of neighbours names point {number} twice; name each neighbour once."
        raise InputError(msg)


def _of_matrix(matrix: Any) -> tuple[Integers, Integers, Floats, int]:
    """Return the entries of a sparse matrix; those that are stored are known, also if they are 0."""
    n, columns = matrix.shape
    if n != columns:
        msg = f"A graph of neighbours must be square; it has {n} rows and {columns} columns."
        raise InputError(msg)
    table = matrix.tocsr()
    if table.dtype.kind not in "fiub":
        msg = f"A graph of neighbours must hold distances; it holds values of type {table.dtype}."
        raise InputError(msg)
    if not table.has_canonical_format:
        table = table.copy()
        table.sum_duplicates()
    rows = np.repeat(np.arange(n), np.diff(table.indptr))
    return rows, table.indices.astype(np.int64), table.data.astype(np.float64), n


def _of_pair(first: NDArray[Any], second: NDArray[Any]) -> tuple[Integers, Integers, Floats, int]:
    """Return the entries of indices and distances in either order, as different libraries give them."""
    numbers, distances = (first, second) if first.dtype.kind in "iu" else (second, first)
    if numbers.dtype.kind not in "iu" or distances.dtype.kind not in "fiu":
        msg = f"A pair of neighbours must be indices, whole numbers, and distances; {first.dtype} and {second.dtype}."
        raise InputError(msg)
    if numbers.ndim != 2 or numbers.shape != distances.shape:
        msg = f"Indices and distances must have one row per point and the same shape; {first.shape}, {second.shape}."
        raise InputError(msg)
    n = len(numbers)
    if (numbers >= n).any():
        row = int((numbers >= n).any(axis=1).argmax())
        msg = f"Row {row} of neighbours names point {numbers[row].max()}, but there are {n} points."
        raise InputError(msg)
    known = numbers >= 0  # faiss and pynndescent write -1 for what they did not find
    rows = np.repeat(np.arange(n), known.sum(axis=1))
    return rows, numbers[known].astype(np.int64), distances[known].astype(np.float64), n
