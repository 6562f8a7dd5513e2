"""How far all points reach along their principal axes, whatever the labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.lazy import cached_property
from clustval.passes.points.triangle import triangle
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.points.moments import Moments


@dataclass(frozen=True, eq=False)
class PrincipalAxes(Statistic):
    """The scatter T of all points about their mean, as a factor.

    Those of disjoint sets of points, about the same mean, add up.
    """

    takes = Takes(coordinates=True)
    after = (Moments,)

    factors: tuple[Floats]  # R with R'R = T

    @classmethod
    def part(cls, block: Partition, m: Moments) -> PrincipalAxes:
        """Factor the centred points."""
        rows = block.Z - m.mean
        if block.weights is not None:
            rows *= np.sqrt(block.weights[:, None])
        return cls((triangle(rows),))

    def __add__(self, other: PrincipalAxes) -> PrincipalAxes:
        """Scatter of the union of two disjoint sets of points."""
        return PrincipalAxes((triangle(np.vstack([*self.factors, *other.factors])),))

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Compute what all partitions share, which is everything."""
        _ = shared.one_cluster[PrincipalAxes].lengths

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> PrincipalAxes:
        """Return the axes of the points, which are those of every partition."""
        return group.shared.one_cluster[PrincipalAxes]

    @cached_property
    def lengths(self) -> Floats:
        """Roots of the eigenvalues of T, the largest first (p,)."""
        return np.asarray(np.linalg.svd(self.factors[0], compute_uv=False), dtype=np.float64)
