"""Shapes of fuzzy clusters: their covariances, and how many members lie near the centre by that measure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.errors import UndefinedIndexError
from clustval.kernels.work.rounding import FLAT
from clustval.lazy import cached_property
from clustval.passes.memberships.fuzzy_sums import members_inside, weighted_scatter
from clustval.sources.memberships import Memberships
from clustval.sources.takes import Takes
from clustval.stats.memberships.prototypes import Prototypes


@dataclass(frozen=True, eq=False)
class FuzzyScatter(Statistic):
    """Products of columns around the centre of each cluster, weighted by memberships to the power m."""

    takes = Takes(coordinates=True)
    after = (Prototypes,)

    mass: Floats  # (k,)
    products: Floats  # (k, p, p)

    @classmethod
    def part(cls, block: Memberships, prototypes: Prototypes) -> FuzzyScatter:
        """Add up the points of a block."""
        assert block.X is not None
        products = weighted_scatter(block.X, block.U, block.weights, block.m, prototypes.middles)
        return cls(prototypes.mass, products)

    def __add__(self, other: FuzzyScatter) -> FuzzyScatter:
        """Products over two disjoint sets of points."""
        return FuzzyScatter(self.mass, self.products + other.products)

    @cached_property
    def covariances(self) -> Floats:
        """F: weighted mean of the products, a matrix for each cluster."""
        with np.errstate(all="ignore"):
            return self.products / self.mass[:, None, None]

    @cached_property
    def factors(self) -> Floats:
        """Lower triangular factor of each covariance; 0 at the end of the diagonal where the cluster is flat."""
        scales = np.sqrt(np.einsum("kdd->kd", self.covariances))
        factors = np.zeros_like(self.covariances)
        for c, (covariance, scale) in enumerate(zip(self.covariances, scales, strict=True)):
            if not np.isfinite(scale).all():
                factors[c] = np.nan
            elif scale.all():
                factors[c] = _factor(covariance / np.outer(scale, scale)) * scale[:, None]
        return factors

    @cached_property
    def volumes(self) -> Floats:
        """Root of the determinant of each covariance, 0 where the cluster is flat."""
        return np.asarray(np.prod(np.einsum("kdd->kd", self.factors), axis=1))

    @cached_property
    def inverses(self) -> Floats:
        """Inverse of each factor; clusters must not be flat."""
        flat = np.flatnonzero(~(self.volumes > 0))
        if len(flat):
            msg = f"The covariance of cluster {flat[0]} is singular, so that no distance in units of it exists."
            raise UndefinedIndexError(msg)
        return np.asarray(np.linalg.inv(self.factors), dtype=np.float64)


def _factor(correlations: Floats) -> Floats:
    """Return a lower triangular factor of a matrix with ones on its diagonal; zeros where it is singular."""
    try:
        factor = np.asarray(np.linalg.cholesky(correlations), dtype=np.float64)
    except np.linalg.LinAlgError:
        return np.zeros_like(correlations)
    return np.zeros_like(factor) if (factor.diagonal() ** 2).min() < FLAT else factor


@dataclass(frozen=True, eq=False)
class InnerMembers(Statistic):
    """Sum of the memberships of points less than one standard deviation from the centre of each cluster."""

    takes = Takes(coordinates=True)
    after = (Prototypes, FuzzyScatter)

    sums: Floats  # (k,)

    @classmethod
    def part(cls, block: Memberships, prototypes: Prototypes, scatter: FuzzyScatter) -> InnerMembers:
        """Add up the points of a block."""
        assert block.X is not None
        return cls(members_inside(block.X, block.U, block.weights, prototypes.middles, scatter.inverses))

    def __add__(self, other: InnerMembers) -> InnerMembers:
        """Sums over two disjoint sets of points."""
        return InnerMembers(self.sums + other.sums)
