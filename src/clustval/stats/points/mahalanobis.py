"""How far each point is from the mean of its cluster in units of the spread of the cluster in that direction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.points.point_values import PointValues

SINGULAR = 1e-10  # of a column: what the others leave of it, relatively, if it is a combination of them
ONCE = "each point is one of a sample; repeat the rows instead"


@dataclass(frozen=True, eq=False)
class MahalanobisSquares(PointValues, Statistic):
    """Squared Mahalanobis distances of points to the mean of their cluster, by its own covariance.

    Covariances are divided by the number of points less 1.
    """

    takes = Takes(coordinates=True, no_weights_because=ONCE)

    squares: Floats  # (n,) 0 where the covariance of the cluster cannot be inverted
    p: Any  # number of dimensions

    @classmethod
    def of(cls, source: Partition) -> MahalanobisSquares:
        """Factor the centred points of each cluster: rows of the orthogonal factor have the lengths looked for."""
        squares = np.zeros(source.n)
        for lo, hi in zip(source.starts[:-1].tolist(), source.starts[1:].tolist(), strict=True):
            away = source.Z[lo:hi] - source.Z[lo:hi].mean(axis=0)
            away = away - away.mean(axis=0)
            lengths = np.linalg.norm(away, axis=0)
            if hi - lo <= source.p or not lengths.all():
                continue
            orthogonal, triangle = np.linalg.qr(away / lengths)
            if np.abs(triangle.diagonal()).min() > SINGULAR:
                squares[lo:hi] = (hi - lo - 1) * (orthogonal**2).sum(axis=1)
        return cls(source.sizes, source.mass, source.codes, source.weights, squares, source.p)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> MahalanobisSquares:
        """Stack those of single partitions."""
        return group.stacked(MahalanobisSquares)
