"""Sizes, means and squared deviations of the clusters: one pass over the points."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clustval.backends.points import deviations_by_cluster
from clustval.partition import Partition
from clustval.registry import Statistic

Array = NDArray[np.float64]
ROUNDING = 8 * float(np.finfo(np.float64).eps)  # relative error allowed in a mean


@dataclass(frozen=True, eq=False)
class Moments(Statistic):
    """Per cluster and dimension: how many points, their mean, the sum of squared deviations from it.

    Means are taken from a fixed origin, so that data far from zero lose nothing. Two of them, of disjoint
    sets of points with the same clusters and origin, add up.
    """

    coordinates = True

    sizes: NDArray[np.int64]  # (k,)
    means: Array  # (k, p), from the origin
    squares: Array  # (k, p): sum of (x - mean)**2
    reach: Array  # (p,): largest distance from the origin

    @classmethod
    def of(cls, source: Partition) -> Moments:
        """Two passes over centred data: the second corrects what the first rounds."""
        return cls.of_points(source.Z, source.starts, source.space.n_jobs)

    @classmethod
    def of_points(cls, Z: Array, starts: NDArray[np.int64], n_jobs: int = 1) -> Moments:
        """Return the moments of points sorted by cluster; clusters may be empty."""
        sizes = np.diff(starts)
        counts = np.maximum(sizes, 1)[:, None]
        means = np.zeros((len(sizes), Z.shape[1]))
        sums, _, reach = deviations_by_cluster(Z, starts, means, n_jobs)
        means = sums / counts
        sums, squares, _ = deviations_by_cluster(Z, starts, means, n_jobs)
        drift = sums / counts
        # A sum of squares about a point off the mean by `drift` is too large by n drift**2.
        spread = np.maximum(squares - counts * drift**2, 0)
        # Points that are equal have a mean that may be off by rounding: then the mean is the point itself.
        equal = (spread <= counts * (ROUNDING * reach) ** 2) & (sizes > 0)[:, None]
        firsts = Z[np.minimum(starts[:-1], len(Z) - 1)] if len(Z) else means
        return cls(sizes, np.where(equal, firsts, means + drift), np.where(equal, 0, spread), reach)

    def __add__(self, other: Moments) -> Moments:
        """Moments of the union of two disjoint sets of points."""
        sizes = self.sizes + other.sizes
        weight = np.divide(other.sizes, sizes, out=np.zeros(len(sizes)), where=sizes > 0)[:, None]
        step = other.means - self.means
        squares = self.squares + other.squares + self.sizes[:, None] * weight * step**2
        return Moments(sizes, self.means + weight * step, squares, np.maximum(self.reach, other.reach))

    @property
    def n(self) -> int:
        """Number of points."""
        return int(self.sizes.sum(-1).flat[0])

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.sizes.shape[-1]

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return self.means.shape[-1]

    @cached_property
    def mean(self) -> Array:
        """Mean of all points (p,)."""
        return (self.sizes[..., None] * self.means).sum(-2) / self.n

    @cached_property
    def offsets(self) -> Array:
        """Means of the clusters from the mean of all points (k, p)."""
        return self.means - self.mean[..., None, :]

    @cached_property
    def within_by_cluster(self) -> Array:
        """WGSS_k: squared distances of the points of each cluster to its mean (k,)."""
        return self.squares.sum(-1)

    @cached_property
    def within(self) -> Array:
        """WGSS: squared distances of all points to the mean of their cluster."""
        return self.squares.sum((-2, -1))

    @cached_property
    def between_by_dimension(self) -> Array:
        """BGSS_j: weighted squared distances of cluster means to the mean, per dimension (p,)."""
        return (self.sizes[..., None] * self.offsets**2).sum(-2)

    @cached_property
    def between(self) -> Array:
        """BGSS: weighted squared distances of cluster means to the mean of all points."""
        return self.between_by_dimension.sum(-1)

    @cached_property
    def total_by_dimension(self) -> Array:
        """TSS_j: squared deviations of all points from the mean, per dimension (p,)."""
        return self.squares.sum(-2) + self.between_by_dimension

    @property
    def varies(self) -> NDArray[np.bool_]:
        """Whether each dimension varies by more than the rounding of its mean (p,)."""
        return self.total_by_dimension > self.n * (ROUNDING * self.reach) ** 2

    @cached_property
    def gaps(self) -> Array:
        """Euclidean distances between the means of the clusters (k, k); 0 where only rounding parts them."""
        squares = np.zeros((*self.sizes.shape, self.k))
        for j in range(self.p):
            squares += (self.means[..., :, None, j] - self.means[..., None, :, j]) ** 2
        gaps = np.sqrt(squares)
        rounding = ROUNDING * np.linalg.norm(self.reach, axis=-1)
        return np.where(gaps <= rounding[..., None, None], 0, gaps)

    @cached_property
    def variance_norms(self) -> Array:
        """Norm of each cluster's vector of variances (k,)."""
        return np.linalg.norm(self.squares / self.sizes[..., None], axis=-1)
