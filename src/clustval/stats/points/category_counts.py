"""How often each category occurs in each cluster: one pass over the columns, which serves all categorical indices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic
from clustval.sources.categorical_partition import CategoricalPartition


@dataclass(frozen=True, eq=False)
class CategoryCounts(Statistic):
    """Points of each cluster with each category, by weight; parts of disjoint points add up.

    Categories of all columns stand side by side, those of column j from `starts[j]` on.
    """

    sizes: Floats  # (k,) points
    counts: Floats  # (k, categories) points that have a category
    starts: Integers  # (p,) the first category of each column

    @classmethod
    def part(cls, block: CategoricalPartition) -> CategoryCounts:
        """Count the points of a block."""
        k, tables = block.k, []
        for column, number in zip(block.columns, block.numbers, strict=True):
            known = column >= 0
            cells = block.codes * number + column
            weights = block.weights
            if not known.all():
                cells, weights = cells[known], None if weights is None else weights[known]
            table = np.bincount(cells, weights, minlength=k * number)
            tables.append(table.reshape(k, number).astype(np.float64, copy=False))
        sizes = np.bincount(block.codes, block.weights, minlength=k).astype(np.float64, copy=False)
        starts = np.cumsum([0, *block.numbers[:-1]])
        return cls(sizes, np.hstack(tables), starts)

    def __add__(self, other: CategoryCounts) -> CategoryCounts:
        return CategoryCounts(self.sizes + other.sizes, self.counts + other.counts, self.starts)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.sizes)

    def by_column(self, values: Floats) -> Floats:
        """Return the sum over the categories of each column, the last axis."""
        return np.add.reduceat(values, self.starts, axis=-1)

    @property
    def known(self) -> Floats:
        """Points of each cluster that have a value in each column (k, p)."""
        return self.by_column(self.counts)

    @property
    def parts(self) -> Floats:
        """Share of each cluster among the points that have a value in each column (k, p)."""
        known = self.known
        return known / known.sum(axis=0)

    @property
    def shares(self) -> Floats:
        """Share of each category among the points of a cluster that have a value (k, categories); 0 if none has."""
        known = self.spread(self.known)
        return np.divide(self.counts, known, out=np.zeros_like(self.counts), where=known > 0)

    @property
    def all_shares(self) -> Floats:
        """Share of each category among all points that have a value (categories,)."""
        counts = self.counts.sum(axis=0)
        return counts / self.spread(self.by_column(counts))

    @property
    def commonest(self) -> Floats:
        """Points of each cluster with its commonest category of each column (k, p)."""
        return np.maximum.reduceat(self.counts, self.starts, axis=-1)

    def spread(self, values: Floats) -> Floats:
        """Return values of columns, the last axis, for each of their categories."""
        ends = np.append(self.starts[1:], self.counts.shape[1])
        return np.repeat(values, ends - self.starts, axis=-1)
