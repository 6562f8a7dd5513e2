"""How dense it is around points: how many others are near, and how many of these are in other clusters (Hennig 2019).

Near are distances below the tenth that is smallest of all; a point counts the less the farther it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.passes.metrics.measure_between import distances_between
from clustval.passes.metrics.measure_rows import Rows
from clustval.passes.metrics.quantiles import (
    near_sums,
    near_sums_elsewhere,
    near_sums_of_places,
    quantile_of_distances,
    quantile_of_places,
    quantile_of_points,
)
from clustval.passes.neighbours.by_cluster import near_sums_of_many
from clustval.passes.neighbours.near_densities import near_sums_elsewhere_of_points, near_sums_of_points
from clustval.passes.points.places import Places
from clustval.passes.work import thresholds
from clustval.sources.many import BlockTables, Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.sites import crowded
from clustval.sources.space import Space
from clustval.sources.takes import Takes
from clustval.stats.points.point_values import PointValues

SHARE = 0.1  # of the distances that are near
MOST_PLACES = 4096  # whose distances are held
TENTH = "the tenth of the distances that is smallest is one of single points; repeat the rows instead"


@dataclass(frozen=True, eq=False)
class NearDensity(Statistic):
    """The sum around each point of 1 - d/width over the points nearer than the width, itself among them.

    The width is the quantile of all distances at a tenth. Neither depends on labels; both serve all partitions.
    """

    takes = Takes(pair_passes=1, no_weights_because=TENTH)

    width: float
    sums: Floats  # (n,) in the order of the input; NaN where the width is 0

    @classmethod
    def of(cls, source: Space) -> NearDensity:
        """Select the width among all distances, then visit them once more."""
        n, n_jobs, factor = source.n, source.n_jobs, source.factor
        if factor is None:
            rows = rows_of(source)
            width = quantile_of_distances(rows, n, SHARE, n_jobs=n_jobs)
            return cls(width, near_sums(rows, n, width, n_jobs=n_jobs) if width > 0 else np.full(n, np.nan))
        image, crowd = source.image, None if n <= thresholds.PAIRS else crowded(source.image)
        if crowd is not None and len(crowd.firsts) <= MOST_PLACES:
            return cls(*_of_places(image[crowd.firsts], crowd, factor))
        width = quantile_of_points(image, SHARE, n_jobs=n_jobs, factor=factor)
        if not width > 0:
            return cls(width, np.full(n, np.nan))
        return cls(width, near_sums_of_points(image, width, n_jobs=n_jobs, factor=factor))

    @property
    def relative(self) -> Floats:
        """Densities over the largest (n,)."""
        return self.sums / self.sums.max()


def _of_places(image: Floats, crowd: Places, factor: float) -> tuple[float, Floats]:
    """Return the width and the sum of each point, from distances between places where most points are equal."""
    distances = distances_between(image, image, factor)
    width = quantile_of_places(distances, crowd.counts, SHARE)
    if not width > 0:
        return width, np.full(len(crowd.codes), np.nan)
    return width, near_sums_of_places(lambda lo, hi: distances[lo:hi], crowd.counts, width)[crowd.codes]


def rows_of(space: Space) -> Rows:
    """Return the distances of points lo ... hi-1 to all, in the order of the input."""
    return lambda lo, hi: space.rows(np.arange(lo, hi))


@dataclass(frozen=True, eq=False)
class ForeignDensity(PointValues, Statistic):
    """The density around each point, and the part of it that comes from points of other clusters, both relative."""

    takes = Takes(pair_passes=30, no_weights_because=TENTH)

    density: Floats  # (n,) over the largest of all
    foreign: Floats  # (n,) over the same

    @classmethod
    def of(cls, source: Partition) -> ForeignDensity:
        """Visit all pairs; those in the same cluster do not count."""
        space = source.space
        near = space[NearDensity]
        density, foreign = near.relative[source.order], np.full(source.n, np.nan)
        if near.width > 0:
            sites = source.sites
            if sites.places is not None:
                of_sites = near_sums_of_places(sites.rows, sites.places.counts, near.width, sites.codes)
                sums = sites.to_points(of_sites)
            elif space.factor is None:
                sums = near_sums_elsewhere(source.rows, source.codes, near.width, n_jobs=space.n_jobs)
            else:
                sums = near_sums_elsewhere_of_points(
                    source.image, source.starts, near.width, n_jobs=space.n_jobs, factor=space.factor
                )
            foreign = sums / near.sums.max()
        return cls(source.sizes, source.mass, source.codes, source.weights, density, foreign)

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Compute the densities that all partitions share."""
        _ = shared.space[NearDensity]

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> ForeignDensity:
        """Stack the densities of partitions with the same number of clusters."""
        near = group.space[NearDensity]
        density = np.broadcast_to(near.relative, group.codes.shape)
        foreign = _foreign_of_many(group.tables, near)[group.rows]
        return cls(group.sizes, group.sizes, group.codes, None, density, foreign)


def _foreign_of_many(tables: BlockTables, near: NearDensity) -> Floats:
    def sums() -> Floats:
        if not near.width > 0:
            return np.full(tables.block.codes.shape, np.nan)
        return near_sums_of_many(tables.shared.distances, tables.block, near.width) / near.sums.max()

    return tables.cached(ForeignDensity, sums)
