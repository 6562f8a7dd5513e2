"""Kernel estimates of density: at each point, and as a share of the range in its cluster."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.kernels.work.rounding import ROUNDING_OF_VALUES
from clustval.passes.density.viasckde import density_of_points, density_of_rows
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import Takes
from clustval.stats.neighbours.nearest import SINGLE_POINTS


@dataclass(frozen=True, eq=False)
class KernelDensities(Statistic):
    """The Gaussian kernel estimate of density at each point from all points, up to a common factor.

    It does not depend on labels, and serves all partitions of the same points.
    """

    takes = Takes(pair_passes=10, no_weights_because=SINGLE_POINTS)

    densities: Floats  # (n,)

    @classmethod
    def of(cls, source: Space, *, bandwidth: float | str) -> KernelDensities:
        """Visit all pairs."""
        width = scott(source) if isinstance(bandwidth, str) else float(bandwidth)
        if width == 0:  # all points are equal
            return cls(np.ones(source.n))
        if source.factor is not None:
            return cls(density_of_points(source.image, width, n_jobs=source.n_jobs, factor=source.factor))
        return cls(density_of_rows(source.rows, source.n, width, n_jobs=source.n_jobs, X=source.numbers))


def scott(space: Space) -> float:
    """Return the bandwidth by Scott's rule: the standard deviation of a column, on average, times n^(-1 / (p + 4))."""
    if space.X is None:
        msg = "bandwidth='scott' needs coordinates, not metric='precomputed'; give a number as bandwidth=."
        raise UndefinedIndexError(msg)
    n, p = space.X.shape
    return float(np.sqrt(np.var(space.X, axis=0, ddof=1).mean()) * n ** (-1 / (p + 4)))


@dataclass(frozen=True, eq=False)
class ScaledDensities(Statistic):
    """The density at each point, from 0 for the least in its cluster to 1 for the largest."""

    takes = Takes(pair_passes=10, no_weights_because=SINGLE_POINTS)

    scaled: Floats  # (n,) sorted by cluster; 0 where all densities of a cluster are equal up to rounding

    @classmethod
    def of(cls, source: Partition, *, bandwidth: float | str) -> ScaledDensities:
        """Scale the densities cluster by cluster."""
        densities = source.space.statistic(KernelDensities, bandwidth=bandwidth).densities[source.order]
        low = np.minimum.reduceat(densities, source.starts[:-1])[source.codes]
        high = np.maximum.reduceat(densities, source.starts[:-1])[source.codes]
        differ = high - low > ROUNDING_OF_VALUES * high
        return cls(np.where(differ, (densities - low) / np.where(differ, high - low, 1.0), 0.0))

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, bandwidth: float | str) -> None:
        """Estimate the densities that all partitions share."""
        shared.space.statistic(KernelDensities, bandwidth=bandwidth)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, bandwidth: float | str) -> ScaledDensities:
        """Stack those of single partitions."""
        return group.stacked(ScaledDensities, bandwidth=bandwidth)
