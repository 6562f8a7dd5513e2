"""How alike random walks are that start at a point and go by the clusters of one cover or of the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic
from clustval.errors import UndefinedIndexError
from clustval.passes.covers.common_clusters import Incidence
from clustval.sources.cover_pair import CoverPair
from clustval.sources.takes import Takes

MOST_CLUSTERS = 8192  # whose table of each two is held
CELLS = 2**22  # visits that are held at a time


@dataclass(frozen=True, eq=False)
class ClusterWalks(Statistic):
    """For each point, how alike the shares are in which two walks visit all points.

    A walk goes on with probability `alpha` from a point to one of its clusters and to one of the points of that
    cluster, each equally likely, and else jumps back to where it started.
    """

    takes = Takes(pair_passes=1)

    counts: Integers  # points of each kind
    similarity: Floats  # of each kind of points

    @classmethod
    def of(cls, source: CoverPair, *, alpha: float) -> ClusterWalks:
        """Follow the walks of all kinds of points, some at a time."""
        source.check_covered()
        walks = [_Walks(cover, source.counts, alpha) for cover in (source.A, source.B)]
        kinds = len(source.counts)
        similarity = np.empty(kinds)
        step = max(1, CELLS // kinds)
        for first in range(0, kinds, step):
            rows = slice(first, min(first + step, kinds))
            apart = np.abs(walks[0].visits(rows) - walks[1].visits(rows))
            similarity[rows] = 1 - source.counts @ apart / 2
        return cls(source.counts, similarity)


class _Walks:
    """Walks by the clusters of one cover."""

    def __init__(self, cover: Incidence, counts: Integers, alpha: float) -> None:
        if cover.k > MOST_CLUSTERS:
            msg = f"Walks take a table of each two clusters, of {MOST_CLUSTERS} at most; there are {cover.k}."
            raise UndefinedIndexError(msg)
        table: Any = cover.matrix()
        sizes = counts @ table
        self._spread = table.multiply(1 / sizes).tocsr()  # from a cluster to its points
        self._steps = table.multiply(1 / cover.lengths[:, None]).tocsr()  # from a point to its clusters
        meet = (self._spread.T.multiply(counts).tocsr() @ self._steps).toarray()
        self._stay = (1 - alpha) * np.linalg.inv(np.eye(cover.k) - alpha * meet)

    def visits(self, rows: slice) -> Floats:
        """Return how often each kind of points (rows) is visited from some kinds (columns), restarts left out."""
        clusters = self._steps[rows] @ self._stay
        return np.asarray(self._spread @ clusters.T)
