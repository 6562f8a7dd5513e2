"""How points compare their own centre with the nearest other one, added up over the points of each cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Flags, Floats
from clustval.declare import Statistic
from clustval.stats.radii import Radii


def contrasts(a: Floats, b: Floats, alone: Flags) -> Floats:
    """Return (b - a) / max(a, b) for each point: 0 for points that are alone or equally near."""
    larger = np.maximum(a, b)
    return np.where(alone | (larger == 0), 0.0, (b - a) / larger)


@dataclass(frozen=True, eq=False)
class CentreContrast(Statistic):
    """Contrasts (b - a) / max(a, b) of the distance a to the own centre and b to the nearest other, added up.

    Those of disjoint sets of points, with the same centres, add up.
    """

    pointwise = True
    after = (Radii,)

    n: Any  # number of all points, by weight
    mass: Any  # (k,)
    total: Any  # sum over the points, by weight
    sums: Floats  # (k,) over those of each cluster
    apart: Any  # whether any point is away from its own or from the nearest other centre
    alone: Any  # whether every point is alone in its cluster

    @classmethod
    def derived(cls, r: Radii) -> CentreContrast:
        """Contrast the distances of each point."""
        values = contrasts(r.own, r.nearest, r.alone)
        apart = r.own.any(-1) | r.nearest.any(-1)
        return cls(r.n, r.mass, r.sum(values), r.sum_by_cluster(values), apart, r.alone.all(-1))

    def __add__(self, other: CentreContrast) -> CentreContrast:
        """Sums over two disjoint sets of points."""
        return CentreContrast(
            n=self.n,
            mass=self.mass,
            total=self.total + other.total,
            sums=self.sums + other.sums,
            apart=self.apart | other.apart,
            alone=self.alone & other.alone,
        )

    @property
    def mean(self) -> Any:
        """Mean over all points; NaN if all are equal."""
        return np.where(self.apart | self.alone, self.total / self.n, np.nan)

    @property
    def means(self) -> Floats:
        """Mean over the points of each cluster; NaN if all points are equal (k,)."""
        return np.where(np.asarray(self.apart | self.alone)[..., None], self.sums / self.mass, np.nan)


@dataclass(frozen=True, eq=False)
class CentreRatio(Statistic):
    """Distances to the nearest other centre over those to the own centre, plus epsilon, added up; 0 for single points.

    Those of disjoint sets of points, with the same centres, add up.
    """

    pointwise = True
    after = (Radii,)

    n: Any  # number of all points, by weight
    total: Any  # sum over the points, by weight

    @classmethod
    def derived(cls, r: Radii, *, epsilon: float) -> CentreRatio:
        """Divide the distances of each point."""
        return cls(r.n, r.sum(np.where(r.alone, 0.0, r.nearest / (r.own + epsilon))))

    def __add__(self, other: CentreRatio) -> CentreRatio:
        """Sums over two disjoint sets of points."""
        return CentreRatio(self.n, self.total + other.total)


@dataclass(frozen=True, eq=False)
class CentreQuotient(Statistic):
    """Distances to the own centre over those to the nearest other one, added up over the points of each cluster.

    Those of disjoint sets of points, with the same centres, add up.
    """

    pointwise = True
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
