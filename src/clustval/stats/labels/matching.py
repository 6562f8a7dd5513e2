"""One-to-one matchings of the clusters of two labellings, from their table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Integers
from clustval.declare import Statistic
from clustval.passes.labels.matching import heaviest_matching
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


@dataclass(frozen=True)
class ShareMatchings(Statistic):
    """Sums of shares of points, under the one-to-one matching of clusters for which each sum is largest."""

    after = (Contingency,)

    of_truth: float  # shares of the clusters of the truth
    of_larger: float  # shares of the larger cluster of each pair

    @classmethod
    def derived(cls, t: Contingency) -> ShareMatchings:
        """Match by shares instead of numbers of points."""
        sizes = t.row_sizes[t.rows]
        return cls(*(_largest_sum(t, t.counts / by) for by in (sizes, np.maximum(sizes, t.column_sizes[t.columns]))))


def _largest_sum(t: Contingency, shares: NDArray[np.float64]) -> float:
    return float(shares[heaviest_matching(t.rows, t.columns, shares, (t.r, t.k))].sum())
