"""Mean squared distances of points to clusters, from the means and squares of these: linear, and exact.

The mean squared distance of x to the points of a cluster is |x - mean|**2 + squares / n. The cosine distance of two
points is half the squared distance of their directions, which are points on the unit sphere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.points.moments import Moments

HALF = {"sqeuclidean": 1.0, "cosine": 0.5, "correlation": 0.5}  # times the squared distance


def places_of(block: Partition) -> Floats:
    """Return the points of which the metric is a squared distance, by cluster: themselves or their directions."""
    if block.metric == "sqeuclidean":
        return block.Z
    directions = block.space.prepared(block.X)
    none = np.isnan(directions[:, 0])
    if none.any():
        block.space.check_point(block.X[int(none.argmax())])
    return directions


@dataclass(frozen=True, eq=False)
class SquareMoments(Statistic):
    """Moments of the points of which the metric is a squared distance."""

    takes = Takes(coordinates=True)

    moments: Moments
    moved_by_origin: bool  # not so for directions

    @classmethod
    def part(cls, block: Partition) -> SquareMoments:
        """Take means and squares of each cluster."""
        moments = Moments.of_points(places_of(block), block.starts, block.space.n_jobs, block.weights)
        return cls(moments, block.metric == "sqeuclidean")

    def relabelled(self, places: Integers, k: int) -> SquareMoments:
        """Return the same with clusters at other places among k, of which the others are empty."""
        return replace(self, moments=self.moments.relabelled(places, k))

    def moved(self, shift: Floats) -> SquareMoments:
        """Return the same from another origin, by so much before this one; directions have none."""
        return replace(self, moments=self.moments.moved(shift)) if self.moved_by_origin else self

    def __add__(self, other: SquareMoments) -> SquareMoments:
        """Moments of the union of two disjoint sets of points."""
        return replace(self, moments=self.moments + other.moments)
