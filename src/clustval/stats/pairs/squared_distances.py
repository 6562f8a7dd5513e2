"""Sums of squared distances of pairs, within clusters and of all, which coordinates give without a visit of the pairs.

For Euclidean distances the sum over pairs of a cluster, over its size, is the sum of squares about its mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.passes.metrics.measure_rows import over_blocks
from clustval.passes.neighbours.by_cluster import squares_within
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes, euclidean, squared
from clustval.stats.points.moments import Moments


@dataclass(frozen=True, eq=False)
class SquaredDistances(Statistic):
    """Sum of squared distances over pairs, over the number of points: of clusters, and of all points."""

    takes = Takes(pair_passes=1, search=squared)

    within: Any  # sum over clusters of the sum over their pairs, over their size
    total: Any

    @classmethod
    def of(cls, source: Partition) -> SquaredDistances:
        """Take them from squares of coordinates, if distances are squares themselves; else visit the pairs."""
        weights = np.ones(source.n) if source.weights is None else source.weights
        if source.space.factor:  # distances are squares themselves
            factor, X, starts = source.space.factor**2, source.image, source.starts
            within = [_fourth_powers(X[lo:hi], weights[lo:hi]) for lo, hi in pairwise(starts.tolist())]
            return cls(factor * (within / source.mass).sum(), factor * _fourth_powers(X, weights) / source.mass.sum())
        own, every = np.empty(source.n), np.empty(source.n)

        def work(first: int, block: Floats) -> None:
            rows = slice(first, first + len(block))
            squares = block**2 * weights
            sums = np.add.reduceat(squares, source.starts[:-1], axis=1)
            own[rows] = sums[np.arange(len(block)), source.codes[rows]]
            every[rows] = squares.sum(axis=1)

        over_blocks(source.rows, source.n, work, n_jobs=source.space.n_jobs)
        by_cluster = np.add.reduceat(weights * own, source.starts[:-1])
        return cls((by_cluster / source.mass).sum() / 2, weights @ every / source.mass.sum() / 2)

    @classmethod
    @way(of=Partition, after=(Moments,), when=euclidean)
    def from_moments(cls, _points: Partition, m: Moments) -> SquaredDistances:
        """Take them from means."""
        return cls.of_moments(m)

    @classmethod
    def of_moments(cls, m: Moments) -> SquaredDistances:
        """Return sums of squares about means."""
        return cls(m.within, m.total_by_dimension.sum(-1))

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Compute what all partitions share."""
        if shared.space.euclidean:
            Moments.prepare(shared)
        else:
            _total(shared)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> SquaredDistances:
        """Stack the sums of partitions with the same number of clusters."""
        if group.space.euclidean:
            return cls.of_moments(group[Moments])
        squares = group.tables.cached(squares_within, lambda: squares_within(group.shared.distances, group.block))
        within = (group.per_cluster(squares, 1)[..., 0] / group.sizes).sum(-1)
        return cls(within, _total(group.shared))


def _fourth_powers(X: Floats, weights: Floats) -> float:
    """Return the sum over pairs of the squared squares of distances between rows of X, without a visit of the pairs.

    About the mean, |x - y|^2 is |x|^2 + |y|^2 - 2 xy. Of its square all that is odd in x or y adds up to nothing, and
    what is left is nowhere negative.
    """
    mass = weights.sum()
    for _ in range(2):  # far from the origin the first mean is rounded
        X = X - weights @ X / mass
    squares = (X**2).sum(axis=1)
    rows = np.sqrt(weights)[:, None] * X
    products = rows.T @ rows if len(rows) > X.shape[1] else rows @ rows.T
    return float(mass * (weights @ squares**2) + np.square(weights @ squares) + 2 * (products**2).sum())


def _total(shared: Shared) -> float:
    strips = shared.distances.strips
    return shared.cached(SquaredDistances, lambda: float(np.dot(strips, strips)) / 2 / shared.n)
