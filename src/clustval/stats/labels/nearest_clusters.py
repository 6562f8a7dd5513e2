"""The cluster that is most like each class, and the class that is most like each cluster, by Jaccard's share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Integers
from clustval.declare import Statistic
from clustval.stats.labels.contingency import Contingency


@dataclass(frozen=True, eq=False)
class NearestClusters(Statistic):
    """Cells of the table, by position: the one of each class, and of each cluster, with the largest Jaccard share.

    Of equals, the larger cluster; of equally large ones, the first in the table.
    """

    after = (Contingency,)

    cells_of_truth: Integers  # (r,)
    cells_of_labels: Integers  # (k,)
    of_truth: Integers  # cluster of the labels that is nearest to each class (r,)
    of_labels: Integers  # class that is nearest to each cluster of the labels (k,)
    jaccard: NDArray[np.float64]  # of each occupied cell

    @classmethod
    def derived(cls, t: Contingency) -> NearestClusters:
        """Sort cells by class, then by share."""
        a, b = t.row_sizes[t.rows], t.column_sizes[t.columns]
        jaccard = t.counts / (a + b - t.counts)
        rows = _first(t.rows, np.lexsort((t.columns, -b, -jaccard, t.rows)), t.r)
        columns = _first(t.columns, np.lexsort((t.rows, -a, -jaccard, t.columns)), t.k)
        return cls(rows, columns, t.columns[rows], t.rows[columns], jaccard)


def _first(groups: Integers, order: Integers, size: int) -> Integers:
    """Return the first entry of each group, in an order that is sorted by group."""
    sizes = np.bincount(groups, minlength=size)
    return order[np.cumsum(sizes) - sizes]
