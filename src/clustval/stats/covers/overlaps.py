"""How many points clusters of two covers share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic
from clustval.lazy import cached_property
from clustval.passes.covers.left_open import entropies, left_open
from clustval.sources.cover_pair import CoverPair


@dataclass(frozen=True, eq=False)
class Overlaps(Statistic):
    """Sizes of all clusters, and the points that each two of them share, of those that share any."""

    n: int
    sizes_a: Integers
    sizes_b: Integers
    rows: Integers  # of each overlap: the cluster of A
    columns: Integers  # the cluster of B
    counts: Integers  # points in both

    @classmethod
    def of(cls, source: CoverPair) -> Overlaps:
        """Multiply the two tables of points and clusters."""
        in_a, in_b = source.A.matrix(), source.B.matrix()
        table = (in_a.T.multiply(source.counts).tocsr() @ in_b).tocoo()
        of_a, of_b = (np.rint(source.counts @ each).astype(np.int64) for each in (in_a, in_b))
        return cls(source.n, of_a, of_b, table.row, table.col, np.rint(table.data).astype(np.int64))

    @property
    def identical(self) -> bool:
        """Whether both covers have the same clusters, as often each."""
        same = (self.counts == self.sizes_a[self.rows]) & (self.counts == self.sizes_b[self.columns])
        if len(self.sizes_a) != len(self.sizes_b):
            return False
        # Equal clusters may be there several times; both covers must have them as often.
        times_a = np.bincount(self.rows[same], minlength=len(self.sizes_a))
        times_b = np.bincount(self.columns[same], minlength=len(self.sizes_b))
        as_often = times_b[self.columns[same]] == times_a[self.rows[same]]
        return bool(times_a.all() and as_often.all())

    @cached_property
    def entropies_a(self) -> Floats:
        """H of each cluster of A, in nats: whether a point is in it."""
        return entropies(self.sizes_a, self.n)

    @cached_property
    def entropies_b(self) -> Floats:
        """H of each cluster of B, in nats."""
        return entropies(self.sizes_b, self.n)

    @cached_property
    def open_a(self) -> Floats:
        """What the best cluster of B leaves open about each cluster of A, at most all."""
        return left_open(self.sizes_a, self.sizes_b, self.rows, self.columns, self.counts, self.n)

    @cached_property
    def open_b(self) -> Floats:
        """What the best cluster of A leaves open about each cluster of B, at most all."""
        return left_open(self.sizes_b, self.sizes_a, self.columns, self.rows, self.counts, self.n)
