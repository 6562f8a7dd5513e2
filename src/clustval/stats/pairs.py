"""Distances between pairs of points: one visit of the pairs serves every statistic here.

What is asked for is known before the visit (`Partition.needs`), so that sums alone cost only sums, and the
smallest and largest distances alone cost, in few dimensions, no visit of all pairs at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.backends.matrices import matrix_pass
from clustval.backends.pairs import PairPass, euclidean_pass, rows_pass
from clustval.backends.small import SMALL
from clustval.partition import Partition
from clustval.registry import Statistic
from clustval.stats.radii import sizes_of_points

Array = NDArray[np.float64]
TREES = 8  # dimensions up to which trees beat the visit of all pairs


@dataclass(frozen=True, eq=False)
class Visit(Statistic):
    """The raw result of visiting all pairs once, shared by the statistics below."""

    cost = "quadratic"

    result: PairPass
    sound: bool  # whether a given matrix of distances looks like one

    @classmethod
    def of(cls, source: Partition) -> Visit:
        """Visit the pairs, for extremes as well if any were asked for."""
        return visit(source, full=not source.needs.isdisjoint({PairExtremes, Extremes}))


def visit(source: Partition, *, full: bool) -> Visit:
    """Visit all pairs once, by the metric."""
    space = source.space
    means: dict[str, Any] = {"full": full, "n_jobs": space.n_jobs, "memory": space.memory, "done": space.done}
    if space.euclidean:
        return Visit(euclidean_pass(source.X, source.starts, **means), sound=True)
    if space.distances is not None and source.n > SMALL:
        codes = np.empty_like(source.codes)
        codes[source.order] = source.codes
        return Visit(*matrix_pass(space.distances, codes, source.order, **means))
    return Visit(rows_pass(source.rows, source.n, source.starts, **means), sound=True)


@dataclass(frozen=True, eq=False)
class PairSums(Statistic):
    """Sums of distances within and between clusters, and of all squared distances.

    Those of disjoint sets of pairs add up.
    """

    cost = "quadratic"

    sizes: NDArray[np.int64]
    sums: Array  # (k, k): over pairs of a point of a and a point of b; on the diagonal each pair once
    squares: float  # sum of (d - shift)**2 over all pairs
    shift: float

    @classmethod
    def of(cls, source: Partition) -> PairSums:
        """Take the sums from the visit."""
        r = source[Visit].result
        return cls(source.sizes, r.sums, r.squares, r.shift)

    def __add__(self, other: PairSums) -> PairSums:
        """Sums over the union of two disjoint sets of pairs, visited with the same shift."""
        return PairSums(self.sizes, self.sums + other.sums, self.squares + other.squares, self.shift)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.sizes.shape[-1]

    @cached_property
    def pairs(self) -> int:
        """N_T: number of pairs of points."""
        n = int(self.sizes.sum(-1).flat[0])
        return n * (n - 1) // 2

    @cached_property
    def pairs_within(self) -> Any:
        """N_W: number of pairs inside clusters, a whole number of any size."""
        counts = (self.sizes * (self.sizes - 1) // 2).sum(-1)  # below 2**63 for three billion points
        return counts if counts.ndim else int(counts)

    @cached_property
    def pairs_between(self) -> Any:
        """N_B: number of pairs of points of different clusters."""
        return self.pairs - self.pairs_within

    @cached_property
    def within_by_cluster(self) -> Array:
        """Sum of the distances inside each cluster, each pair once (k,)."""
        return self.sums.diagonal(axis1=-2, axis2=-1)

    @cached_property
    def within(self) -> Array:
        """S_W: sum of the distances inside clusters."""
        return self.within_by_cluster.sum(-1)

    @cached_property
    def between(self) -> Array:
        """S_B: sum of the distances between clusters."""
        return np.triu(self.sums, 1).sum((-2, -1))

    @cached_property
    def variance(self) -> Array:
        """Variance of all distances (divided by their number)."""
        drift = (self.within + self.between) / self.pairs - self.shift
        return np.maximum(self.squares / self.pairs - drift**2, 0.0)


@dataclass(frozen=True, eq=False)
class PointMeans(Statistic):
    """Mean distances of each point to its own and to the nearest other cluster.

    Those of disjoint stripes of points follow each other.
    """

    cost = "quadratic"

    sizes: NDArray[np.int64]
    codes: NDArray[np.int64]  # (n,) cluster of each point
    own: Array  # (n,) sum of distances to the other points of its own cluster
    nearest: Array  # (n,) smallest mean distance to another cluster
    neighbour: NDArray[np.int64]  # (n,) that cluster

    @classmethod
    def of(cls, source: Partition) -> PointMeans:
        """Take the values of points from the visit."""
        r = source[Visit].result
        return cls(source.sizes, source.codes, r.own, r.nearest, r.neighbour)

    def __add__(self, other: PointMeans) -> PointMeans:
        """Values of two stripes of points, one after the other."""
        fields = ("codes", "own", "nearest", "neighbour")
        return PointMeans(self.sizes, *(np.concatenate([getattr(self, f), getattr(other, f)]) for f in fields))

    @cached_property
    def companions(self) -> NDArray[np.int64]:
        """Number of other points in the cluster of each point."""
        return sizes_of_points(self.sizes, self.codes) - 1

    @cached_property
    def alone(self) -> NDArray[np.bool_]:
        """Whether each point is the only one of its cluster."""
        return self.companions == 0

    @cached_property
    def within(self) -> Array:
        """a(i): mean distance to the other points of its cluster; 0 for a single point."""
        return self.own / np.maximum(self.companions, 1)


@dataclass(frozen=True, eq=False)
class PairExtremes(Statistic):
    """Smallest and largest distances of each two clusters, and how far one reaches from the other.

    Those of disjoint sets of pairs combine by minimum and maximum.
    """

    cost = "quadratic"

    mins: Array  # (k, k): closest points of a and b; infinite on the diagonal
    maxs: Array  # (k, k): farthest points of a and b; on the diagonal the diameter
    hausdorff: Array  # (k, k): largest distance of a point of a to its closest point of b

    @classmethod
    def of(cls, source: Partition) -> PairExtremes:
        """Take the extremes from the visit, made again if it was for sums only."""
        r = source[Visit].result
        if r.mins is None or r.maxs is None or r.hausdorff is None:
            r = visit(source, full=True).result
        assert r.mins is not None
        assert r.maxs is not None
        assert r.hausdorff is not None
        return cls(r.mins, r.maxs, r.hausdorff)

    @property
    def diameters(self) -> Array:
        """Largest distance inside each cluster (k,)."""
        return self.maxs.diagonal(axis1=-2, axis2=-1)


@dataclass(frozen=True, eq=False)
class Extremes(Statistic):
    """The smallest distance between two clusters and the largest inside one.

    Those of disjoint sets of pairs combine by minimum and maximum.
    """

    cost = "quadratic"

    separation: float
    diameter: float

    @classmethod
    def of(cls, source: Partition) -> Extremes:
        """Search trees if nothing else needs the pairs; else read the visit."""
        visited = {PairSums, PointMeans, PairExtremes}
        if source.space.euclidean and source.n > SMALL and source.p <= TREES and source.needs.isdisjoint(visited):
            from clustval.backends.extremes import cluster_extremes  # noqa: PLC0415 - loads trees

            return cls(*cluster_extremes(source.X, source.starts, n_jobs=source.space.n_jobs))
        e: PairExtremes = source[PairExtremes]
        return cls(float(e.mins.min()), float(e.diameters.max()))

    def __add__(self, other: Extremes) -> Extremes:
        """Extremes over the union of two sets of pairs."""
        return Extremes(min(self.separation, other.separation), max(self.diameter, other.diameter))
