"""Densities around points that stand for their cluster: inside clusters, and halfway between two (CDbw)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.passes.density.cdbw import Clusters, densities
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.points.moments import Moments


@dataclass(frozen=True, eq=False)
class Representatives(Statistic):
    """Shares of points near representatives of each cluster, and near the midpoints of those of two clusters.

    A cluster's representatives are far from each other; those of two clusters are matched if each is the other's
    nearest.
    """

    takes = Takes(
        tables=True, coordinates=True, no_weights_because="representatives are single points; repeat the rows instead"
    )

    sizes: Integers
    deviations: Floats  # (k,) root of the sum of squares over n - 1; NaN for a single point
    between: Floats  # (k, k) mean over matched ones: share near the midpoint, times distance over the ball's diameter
    distances: Floats  # (k, k) mean distance of matched ones
    inside: Floats  # (k, 8) mean share near a representative that is moved to the centre, 0.1 ... 0.8 of the way

    @classmethod
    def of(cls, source: Partition, *, representatives: int) -> Representatives:
        """Choose representatives, match and count."""
        m = source[Moments]
        with np.errstate(all="ignore"):
            deviations = np.sqrt(m.within_by_cluster / (m.sizes - 1))
        clusters = Clusters(source.X, source.Z, source.starts, m.means, deviations)
        tables = densities(clusters, representatives, n_jobs=source.space.n_jobs)
        return cls(source.sizes, deviations, tables.between, tables.distances, tables.inside)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, representatives: int) -> Representatives:
        """Stack those of single partitions."""
        return group.stacked(Representatives, representatives=representatives)
