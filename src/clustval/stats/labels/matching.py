"""One-to-one matchings of the clusters of two labellings, from their table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Integers
from clustval.declare import Statistic
from clustval.lazy import cached_property
from clustval.passes.labels.matching import heaviest_matching, heaviest_weights
from clustval.stats.labels.contingency import Contingency, total_of


@dataclass(frozen=True, eq=False)
class Matching(Statistic):
    """The pairs of clusters, none twice, that share most points in all; clusters left over match nothing."""

    after = (Contingency,)

    rows: Integers  # of the truth
    columns: Integers  # of the labels, matched with them
    counts: NDArray[Any]  # points that both share, by weight

    @classmethod
    def derived(cls, t: Contingency) -> Matching:
        """Match by the number of shared points."""
        cells = heaviest_matching(t.rows, t.columns, t.counts.astype(np.float64), (t.r, t.k))
        return cls(t.rows[cells], t.columns[cells], t.counts[cells])

    @property
    def total(self) -> Any:
        """Points that matched clusters share, by weight."""
        return total_of(self.counts)


@dataclass(frozen=True, eq=False)
class ShareMatchings(Statistic):
    """Sums of shares of points, under the one-to-one matching of clusters for which each sum is largest."""

    after = (Contingency,)

    table: Contingency

    @classmethod
    def derived(cls, t: Contingency) -> ShareMatchings:
        """Match by shares instead of numbers of points."""
        return cls(t)

    @cached_property
    def of_truth(self) -> float:
        """Of shares of the clusters of the truth."""
        t = self.table
        return self._largest_sum(t.row_sizes[t.rows])

    @cached_property
    def of_larger(self) -> float:
        """Of shares of the larger cluster of each pair."""
        t = self.table
        return self._largest_sum(np.maximum(t.row_sizes[t.rows], t.column_sizes[t.columns]))

    def _largest_sum(self, sizes: NDArray[Any]) -> float:
        t = self.table
        return float(heaviest_weights(t.rows, t.columns, t.counts / sizes, (t.r, t.k)).sum())
