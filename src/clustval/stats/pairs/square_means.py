"""Mean squared distances of points to clusters, from the means and squares of these: linear, and exact.

The mean squared distance of x to the points of a cluster is |x - mean|**2 + squares / n. The cosine distance of two
points is half the squared distance of their directions, which are points on the unit sphere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic
from clustval.passes.points.unsorted_rows import rows_to_clusters
from clustval.sources.partition import Partition
from clustval.stats.pairs.pair_distances import PointMeans
from clustval.stats.points.moments import Moments

HALF = {"sqeuclidean": 1.0, "cosine": 0.5, "correlation": 0.5}  # times the squared distance


def places_of(block: Partition) -> Floats:
    """Return the points of which the metric is a squared distance, by cluster: themselves or their directions."""
    if block.space.metric == "sqeuclidean":
        return block.Z
    directions = block.space.prepared(block.X)
    none = np.isnan(directions[:, 0])
    if none.any():
        block.space.check_point(block.X[int(none.argmax())])
    return directions


@dataclass(frozen=True, eq=False)
class SquareMoments(Statistic):
    """Moments of the points of which the metric is a squared distance."""

    coordinates = True

    moments: Moments
    moved_by_origin: bool  # not so for directions

    @classmethod
    def part(cls, block: Partition) -> SquareMoments:
        """Take means and squares of each cluster."""
        moments = Moments.of_points(places_of(block), block.starts, block.space.n_jobs, block.weights)
        return cls(moments, block.space.metric == "sqeuclidean")

    def placed(self, places: Integers, k: int) -> SquareMoments:
        """Return the same with clusters at other places among k, of which the others are empty."""
        return replace(self, moments=self.moments.placed(places, k))

    def moved(self, shift: Floats) -> SquareMoments:
        """Return the same from another origin, by so much before this one; directions have none."""
        return replace(self, moments=self.moments.moved(shift)) if self.moved_by_origin else self

    def __add__(self, other: SquareMoments) -> SquareMoments:
        """Moments of the union of two disjoint sets of points."""
        return replace(self, moments=self.moments + other.moments)


@dataclass(frozen=True, eq=False)
class SquareMeans(PointMeans):
    """Mean distances of each point to its own and to the nearest other cluster, where these are squared distances."""

    cost = "linear"
    visits = False
    coordinates = True
    after = (SquareMoments,)

    @classmethod
    def part(cls, block: Partition, s: SquareMoments) -> SquareMeans:  # type: ignore[override]
        """Measure every point against the mean of every cluster."""
        m, half = s.moments, HALF[str(block.space.metric)]
        spreads = m.within_by_cluster / m.mass
        own, nearest, neighbour = rows_to_clusters(places_of(block), block.codes, m.means, spreads)
        sums = half * own * m.mass[block.codes]
        return cls(m.sizes, m.mass, block.codes, block.weights, sums, half * nearest, neighbour)

    def folded(self) -> SquareMeans:
        """Return the same without the values of single points, of which there may be too many to keep."""
        none = {name: getattr(self, name)[:0].copy() for name in ("codes", "own", "nearest", "neighbour")}
        return replace(self, weights=None if self.weights is None else self.weights[:0], **none)


PointMeans.stand_ins = dict.fromkeys(HALF, SquareMeans)
