"""Distances between points and the centres of clusters: one pass over points and centres."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clustval.backends.centres import CELLS, centre_distances, nearest_centres
from clustval.partition import Partition
from clustval.registry import Statistic
from clustval.stats.moments import Moments

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Radii(Statistic):
    """Distances of points to the centre of their own cluster, to other centres, and between centres."""

    coordinates = True
    centres = True

    sizes: NDArray[np.int64]
    codes: NDArray[np.int64]  # (n,) cluster of each point
    own: Array  # (n,) distance of each point to its own centre
    nearest: Array  # (n,) distance to the nearest other centre; infinite if there is none
    neighbour: NDArray[np.int64]  # (n,) the cluster of that centre; -1 if there is none
    sums: Array  # (k, k): sum over the points of a of their distance to the centre of b
    total: float  # sum over all points of their distance to the mean of all points
    gaps: Array  # (k, k) distances between centres

    @classmethod
    def of(cls, source: Partition) -> Radii:
        """Measure every point against every centre, by the metric."""
        m: Moments = source[Moments]
        space = source.space
        if space.euclidean:
            own, nearest, neighbour, sums, total = centre_distances(
                source.Z, source.starts, m.means, m.mean, n_jobs=space.n_jobs
            )
            return cls(m.sizes, source.codes, own, nearest, neighbour, sums, total, m.gaps)
        centres = m.means + source.origin
        own, nearest = np.empty(m.n), np.empty(m.n)
        neighbour = np.empty(m.n, dtype=np.int64)
        sums = np.zeros((m.k, m.k))
        total = 0.0
        step = max(1, CELLS // m.k)
        for lo in range(0, m.n, step):
            block = slice(lo, min(lo + step, m.n))
            distances = space.between(source.X[block], centres)
            own[block], nearest[block], neighbour[block] = nearest_centres(distances, source.codes[block])
            np.add.at(sums, source.codes[block], distances)
            total += float(space.between(source.X[block], (m.mean + source.origin)[None]).sum())
        return cls(m.sizes, source.codes, own, nearest, neighbour, sums, total, space.between(centres, centres))

    @property
    def n(self) -> int:
        """Number of points."""
        return self.own.shape[-1]

    @cached_property
    def alone(self) -> NDArray[np.bool_]:
        """Whether each point is the only one of its cluster."""
        return sizes_of_points(self.sizes, self.codes) == 1

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.sizes.shape[-1]

    @property
    def means(self) -> Array:
        """Mean distance of the points of each cluster to its centre (k,)."""
        return self.sums.diagonal(axis1=-2, axis2=-1) / self.sizes


def sizes_of_points(sizes: NDArray[np.int64], codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the size of each point's cluster."""
    return sizes.ravel().take(_places(codes, sizes))


def means_by_cluster(values: Array, codes: NDArray[np.int64], sizes: NDArray[np.int64]) -> Array:
    """Return the mean of the values of each cluster's points."""
    sums = np.bincount(_places(codes, sizes).ravel(), values.ravel(), minlength=sizes.size)
    return sums.reshape(sizes.shape) / sizes


def _places(codes: NDArray[np.int64], sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each point's cluster is among the clusters of all partitions."""
    return codes + sizes.shape[-1] * np.arange(sizes[..., 0].size).reshape(*sizes.shape[:-1], 1)
