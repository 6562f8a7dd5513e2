"""Points most of whose coordinates are 0: rows of distances, and sums by cluster, without the zeros."""

from __future__ import annotations

from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS


class SparseRows:
    """Distances of points lo ... hi-1 to all points of a sparse table, as `passes.measure_rows.Rows`.

    They are Euclidean distances, or half their squares.
    """

    def __init__(self, table: Any, *, half: bool) -> None:
        self.table, self.half = table, half
        self.columns = table.tocsc()
        self.columns.sort_indices()  # products are added in the same order from either side
        self.squares = np.asarray(table.multiply(table).sum(axis=1)).ravel()

    def __call__(self, lo: int, hi: int) -> Floats:
        return self.of(np.arange(lo, hi))

    def later(self, lo: int, hi: int) -> Floats:
        """Return the same, with columns before `lo` left as they happen to be: those pairs were met in earlier rows."""
        return self.of(np.arange(lo, hi), lo)

    def of(self, points: Integers, first: int = 0) -> Floats:
        """Return the distances of some points to all, from point `first` on."""
        out = np.empty((len(points), self.table.shape[0]))
        rows, columns = self.table, self.columns
        kernels.metrics.sparse_rows.sparse_rows(
            rows.indptr, rows.indices, rows.data, self.squares, columns.indptr, columns.indices, columns.data,
            np.asarray(points, dtype=np.int64), first, self.half, out,
        )  # fmt: skip
        return out


def sparse_moments(table: Any, codes: Integers, mass: Floats, weights: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Return the means of clusters (k, p), sums of squared deviations (k, p), and the farthest coordinates (p,)."""
    from scipy import sparse  # noqa: PLC0415 - only sparse points need it

    n, k = len(codes), len(mass)
    heavy = np.ones(n) if weights is None else weights
    members = sparse.csr_array((heavy, (codes, np.arange(n))), shape=(k, n))
    counts = np.where(mass > 0, mass, 1)[:, None]
    means = (members @ table).toarray() / counts
    present = (members @ _pattern(table)).toarray()  # weight of the points that are not 0 in a column
    away = table.copy()
    away.data = (table.data - means[np.repeat(codes, np.diff(table.indptr)), table.indices]) ** 2
    squares = (members @ away).toarray() + (mass[:, None] - present) * means**2
    reach = np.asarray(abs(table).max(axis=0).toarray(), dtype=np.float64).ravel()
    # Points that are equal have a mean that may be off by rounding, and no spread.
    return means, np.where(squares <= counts * (ROUNDING_OF_MEANS * reach) ** 2, 0, squares), reach


def _pattern(table: Any) -> Any:
    ones = table.copy()
    ones.data = np.ones_like(table.data)
    return ones
