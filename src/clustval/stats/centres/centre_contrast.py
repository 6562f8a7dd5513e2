"""How points compare their own cluster, or its centre, with the nearest other one, added up over points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from clustval.arrays import Flags, Floats
from clustval.declare import Statistic, way
from clustval.sources.samples import PointSample
from clustval.sources.takes import Takes
from clustval.stats.centres.radii import Radii
from clustval.stats.pairs.pair_distances import PointMeans
from clustval.stats.points.point_values import PointValues


def contrasts(a: Floats, b: Floats, alone: Flags) -> Floats:
    """Return (b - a) / max(a, b) for each point: 0 for points that are alone or equally near."""
    larger = np.maximum(a, b)
    values: Floats = b - a
    np.divide(values, larger, out=values)
    values[alone | (larger == 0)] = 0
    return values


@dataclass(frozen=True, eq=False)
class Contrast:
    """Contrasts (b - a) / max(a, b) of how far points are from their own and from the nearest other, added up.

    Those of disjoint sets of points, with the same clusters, add up.
    """

    n: Any  # number of all points, by weight
    mass: Any  # (k,)
    total: Any  # sum over the points, by weight
    sums: Floats  # (k,) over those of each cluster
    apart: Any  # whether any point is away from its own or from the nearest other
    alone: Any  # whether every point is alone in its cluster

    @classmethod
    def of_values(cls, q: PointValues, a: Floats, b: Floats) -> Self:
        """Contrast what each point has."""
        values = contrasts(a, b, q.alone)
        count = q.mass.sum(-1).flat[0].item()
        return cls(count, q.mass, q.sum(values), q.sum_by_cluster(values), a.any(-1) | b.any(-1), q.alone.all(-1))

    def __add__(self, other: Self) -> Self:
        """Sums over two disjoint sets of points."""
        return type(self)(
            n=self.n,
            mass=self.mass,
            total=self.total + other.total,
            sums=self.sums + other.sums,
            apart=self.apart | other.apart,
            alone=self.alone & other.alone,
        )

    @property
    def mean(self) -> Any:
        """Mean over all points; NaN if it is 0/0 for all."""
        return np.where(self.apart | self.alone, self.total / self.n, np.nan)

    @property
    def means(self) -> Floats:
        """Mean over the points of each cluster; NaN if it is 0/0 for all points (k,)."""
        return np.where(np.asarray(self.apart | self.alone)[..., None], self.sums / self.mass, np.nan)


@dataclass(frozen=True, eq=False)
class CentreContrast(Contrast, Statistic):
    """Contrasts of the distances to the own and to the nearest other centre."""

    takes = Takes(reads_points=True)
    after = (Radii,)

    @classmethod
    def derived(cls, r: Radii) -> CentreContrast:
        """Contrast the distances of each point."""
        return cls.of_values(r, r.own, r.nearest)


@dataclass(frozen=True, eq=False)
class ClusterContrast(Contrast, Statistic):
    """Contrasts of the mean distances to the own and to the nearest other cluster: silhouettes, added up."""

    takes = Takes(reads_points=True)
    after = (PointMeans,)

    @classmethod
    def derived(cls, q: PointMeans) -> ClusterContrast:
        """Contrast the mean distances of each point."""
        return cls.of_values(q, q.within, q.nearest)

    @classmethod
    @way(of=PointSample)
    def from_sample(cls, sample: PointSample) -> ClusterContrast:
        """Take it from a sample, one for each replicate."""
        value: ClusterContrast = sample.contrast()
        return value


@dataclass(frozen=True, eq=False)
class Ratio:
    """How far points are from the nearest other over how far from their own, plus epsilon, added up; 0 if alone.

    Those of disjoint sets of points, with the same clusters, add up.
    """

    n: Any  # number of all points, by weight
    total: Any  # sum over the points, by weight

    @classmethod
    def of_values(cls, q: PointValues, a: Floats, b: Floats, epsilon: float) -> Self:
        """Divide what each point has."""
        return cls(q.mass.sum(-1).flat[0].item(), q.sum(np.where(q.alone, 0.0, b / (a + epsilon))))

    def __add__(self, other: Self) -> Self:
        """Sums over two disjoint sets of points."""
        return type(self)(self.n, self.total + other.total)


@dataclass(frozen=True, eq=False)
class CentreRatio(Ratio, Statistic):
    """Ratios of the distances to the nearest other and to the own centre."""

    takes = Takes(reads_points=True)
    after = (Radii,)

    @classmethod
    def derived(cls, r: Radii, *, epsilon: float) -> CentreRatio:
        """Divide the distances of each point."""
        return cls.of_values(r, r.own, r.nearest, epsilon)


@dataclass(frozen=True, eq=False)
class ClusterRatio(Ratio, Statistic):
    """Ratios of the mean distances to the nearest other and to the own cluster."""

    takes = Takes(reads_points=True)
    after = (PointMeans,)

    @classmethod
    def derived(cls, q: PointMeans, *, epsilon: float) -> ClusterRatio:
        """Divide the mean distances of each point."""
        return cls.of_values(q, q.within, q.nearest, epsilon)

    @classmethod
    @way(of=PointSample)
    def from_sample(cls, sample: PointSample, *, epsilon: float) -> ClusterRatio:
        """Take it from a sample, one for each replicate."""
        value: ClusterRatio = sample.ratio(epsilon)
        return value


@dataclass(frozen=True, eq=False)
class CentreQuotient(Statistic):
    """Distances to the own centre over those to the nearest other one, added up over the points of each cluster.

    Those of disjoint sets of points, with the same centres, add up.
    """

    takes = Takes(reads_points=True)
    after = (Radii,)

    n: Any  # number of all points, by weight
    mass: Any  # (k,)
    sums: Floats  # (k,)

    @classmethod
    def derived(cls, r: Radii) -> CentreQuotient:
        """Divide the distances of each point."""
        return cls(r.n, r.mass, r.sum_by_cluster(np.divide(r.own, r.nearest)))

    def __add__(self, other: CentreQuotient) -> CentreQuotient:
        """Sums over two disjoint sets of points."""
        return CentreQuotient(self.n, self.mass, self.sums + other.sums)
