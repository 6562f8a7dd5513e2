"""The Gaussian mixture that labels describe: each cluster is a component with its own share, mean and covariance."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.points.moments import Moments
from clustval.stats.points.scatter import Scatter

CELLS = 2**18  # densities at a time


@dataclass(frozen=True, eq=False)
class LabelMixture(Statistic):
    """How likely the points are under the mixture of the clusters, and how sure it is of where they belong.

    NaN if a cluster spans fewer directions than there are columns. Those of disjoint sets of points, under the same
    mixture, add up.
    """

    takes = Takes(coordinates=True)
    after = (Moments, Scatter)

    log_likelihood: float  # sum of the logarithms of the densities of the points, by weight
    hard: float  # minus the sum of ln max_k t_ik, t_ik being the share of component k in the density at point i
    soft: float  # minus the sum of t_ik ln t_ik

    @classmethod
    def part(cls, block: Partition, m: Moments, s: Scatter) -> LabelMixture:
        """Measure every point against every component."""
        if not np.isfinite(s.log_dets).all():
            return cls(math.nan, math.nan, math.nan)
        constants = np.log(m.mass / m.n) - (m.p * np.log(2 * np.pi / m.mass) + s.log_dets + s.log_unit) / 2
        sums = np.zeros((0, 3))
        step = max(1, CELLS // (m.k * m.p))
        for lo in range(0, block.n, step):
            points = block.Z[lo : lo + step]
            logs = np.empty((m.k, len(points)))
            for c in range(m.k):
                away = np.linalg.solve(s.triangles[c].T, (points - m.means[c]).T)
                logs[c] = constants[c] - m.mass[c] * (away**2).sum(axis=0) / 2
            values = _densities(logs)
            if block.weights is not None:
                values *= block.weights[lo : lo + step]
            sums = np.vstack([sums, values.sum(axis=1)])
        return cls(*(math.fsum(column) for column in sums.T))

    def __add__(self, other: LabelMixture) -> LabelMixture:
        """Sums over two disjoint sets of points."""
        return LabelMixture(self.log_likelihood + other.log_likelihood, self.hard + other.hard, self.soft + other.soft)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> LabelMixture:
        """Stack the sums of single partitions."""
        return group.stacked(LabelMixture)


def _densities(logs: Floats) -> Floats:
    """Return the log density of each point, -ln of its largest responsibility and its entropy, from its components'."""
    points = np.arange(logs.shape[1])
    first = logs.argmax(axis=0)
    top = logs[first, points]
    below = logs - top
    shares = np.exp(below)
    shares[first, points] = 0.0  # 1, which would swallow the others
    rest = shares.sum(axis=0)
    hard = np.log1p(rest)
    soft = hard - (shares * below).sum(axis=0) / (1 + rest)
    return np.stack([top + hard, hard, soft])
