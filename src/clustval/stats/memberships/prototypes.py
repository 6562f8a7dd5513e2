"""Centres of fuzzy clusters: means of points, weighted by memberships to the power m, or those that were given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.errors import UndefinedIndexError
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS
from clustval.lazy import cached_property
from clustval.passes.memberships.fuzzy_sums import weighted_means
from clustval.passes.points.row_moments import columns_of
from clustval.sources.memberships import Memberships
from clustval.sources.takes import Takes


@dataclass(frozen=True, eq=False)
class Prototypes(Statistic):
    """The mean of all points, and the weight and the mean of each cluster, by memberships to the power m.

    Centres that only rounding parts have a distance of 0.
    """

    takes = Takes(coordinates=True)

    n: Any  # points, by weight
    mean: Floats  # (p,) of all points
    mass: Floats  # (k,) sums of memberships to the power m
    means: Floats  # (k, p), NaN where the mass is 0
    reach: Floats  # (p,) largest distance of a point from 0
    fixed: Floats | None  # (k, p) centres that take the place of the means

    @classmethod
    def part(cls, block: Memberships) -> Prototypes:
        """Take the means of a block, seen from its own mean."""
        assert block.X is not None
        if block.n == 0:
            zeros = np.zeros((block.k, block.p))
            return cls(0, zeros[0], zeros[:, 0], np.full_like(zeros, np.nan), zeros[0], block.centres)
        heavy = block.weights
        mean, low, high = columns_of(block.X).table  # equal points are their own mean
        if heavy is not None:
            mean = block.X[0] + heavy @ (block.X - block.X[0]) / block.count
        mass, means = weighted_means(block.X, block.U, heavy, block.m, mean)
        return cls(block.count, mean, mass, mean + means, np.maximum(-low, high), block.centres)

    def __add__(self, other: Prototypes) -> Prototypes:
        """Means of two disjoint sets of points."""
        n, mass = self.n + other.n, self.mass + other.mass
        with np.errstate(all="ignore"):
            share = np.where(self.mass > 0, other.mass / mass, 1.0)[:, None]
            means = np.where(share < 1, self.means, 0) + np.where(
                share > 0, share * (other.means - np.where(share < 1, self.means, 0)), 0
            )
            mean = self.mean + (other.mean - self.mean) * (other.n / n) if n else self.mean
        reach = np.maximum(self.reach, other.reach)
        return Prototypes(n, mean, mass, np.where(mass[:, None] > 0, means, np.nan), reach, self.fixed)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.mass)

    @cached_property
    def middles(self) -> Floats:
        """V: the centres that were given, or else the means of the clusters."""
        if self.fixed is not None:
            return self.fixed
        if not (self.mass > 0).all():
            empty = int((~(self.mass > 0)).argmax())
            msg = (
                f"Cluster {empty} has no members, so that it has no centre; leave its column out of U, or give centres."
            )
            raise UndefinedIndexError(msg)
        return self.means

    @property
    def rounding(self) -> Floats:
        """How far rounding alone may part means that are equal, in each dimension (p,)."""
        return ROUNDING_OF_MEANS * self.reach

    @cached_property
    def squared_gaps(self) -> Floats:
        """Squared distance of each two centres, each pair once."""
        first, second = np.triu_indices(self.k, 1)
        return self._squares(self.middles[first] - self.middles[second])

    @cached_property
    def nearest_gaps(self) -> Floats:
        """Squared distance of each centre to the nearest other one."""
        table = np.full((self.k, self.k), np.inf)
        first, second = np.triu_indices(self.k, 1)
        table[first, second] = table[second, first] = self.squared_gaps
        return np.asarray(table.min(axis=1))

    @cached_property
    def from_mean(self) -> Floats:
        """Squared distance of each centre to the mean of all points."""
        return self._squares(self.middles - self.mean)

    def _squares(self, steps: Floats) -> Floats:
        """Return the squared length of each step, 0 where it is but rounding."""
        apart = (np.abs(steps) > self.rounding).any(axis=-1)
        return np.where(apart, (steps**2).sum(axis=-1), 0.0)
