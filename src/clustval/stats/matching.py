"""One-to-one matchings of the clusters of two labellings, from their table."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clustval.backends.matching import heaviest_matching
from clustval.registry import Statistic
from clustval.stats.contingency import Contingency, LabelPair

Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Matching(Statistic):
    """The pairs of clusters, none twice, that share most points in all; clusters left over match nothing."""

    rows: Integers  # of the truth
    columns: Integers  # of the labels, matched with them
    counts: Integers  # points that both share

    @classmethod
    def of(cls, source: LabelPair) -> Matching:
        """Match by the number of shared points."""
        t: Contingency = source[Contingency]
        chosen = heaviest_matching(t.rows, t.columns, t.counts.astype(np.float64), (t.r, t.k))
        return cls(t.rows[chosen], t.columns[chosen], t.counts[chosen])

    @property
    def total(self) -> int:
        """Points that matched clusters share."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class ShareMatchings(Statistic):
    """Sums of shares of points, under the one-to-one matching of clusters for which each sum is largest."""

    of_truth: float  # shares of the clusters of the truth
    of_larger: float  # shares of the larger cluster of each pair

    @classmethod
    def of(cls, source: LabelPair) -> ShareMatchings:
        """Match by shares instead of numbers of points."""
        t: Contingency = source[Contingency]
        sizes = t.row_sizes[t.rows]
        return cls(*(_largest_sum(t, t.counts / by) for by in (sizes, np.maximum(sizes, t.column_sizes[t.columns]))))


def _largest_sum(t: Contingency, shares: NDArray[np.float64]) -> float:
    return float(shares[heaviest_matching(t.rows, t.columns, shares, (t.r, t.k))].sum())
