"""What statistics with a number for each point have in common: means over points and over those of a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.lazy import cached_property


@dataclass(frozen=True, eq=False)
class PointValues:
    """Numbers of points: which cluster each point is in, the size of the clusters, and weights if there are any."""

    sizes: Integers  # (k,) number of points
    mass: Any  # (k,) their weights; the sizes where points are not weighted
    codes: Integers  # (n,) cluster of each point
    weights: Floats | None  # (n,)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.sizes.shape[-1]

    @property
    def n(self) -> Any:
        """Number of points, by weight."""
        return self.codes.shape[-1] if self.weights is None else float(self.mass.sum(-1))

    @cached_property
    def companions(self) -> Any:
        """Number of other points in the cluster of each point, by weight."""
        return self.mass.ravel().take(self.cells) - 1

    @cached_property
    def alone(self) -> Flags:
        """Whether each point is the only one of its cluster."""
        flags: Flags = (self.mass.ravel() <= 1).take(self.cells)
        return flags

    def sum(self, values: Floats) -> Any:
        """Return the sum of the values of all points."""
        return values.sum(-1) if self.weights is None else (self.weights * values).sum(-1)

    def mean(self, values: Floats) -> Any:
        """Return the mean of the values of all points."""
        return values.mean(-1) if self.weights is None else self.sum(values) / self.n

    def mean_by_cluster(self, values: Floats) -> Floats:
        """Return the mean of the values of each cluster's points (k,)."""
        return self.sum_by_cluster(values) / self.mass

    def sum_by_cluster(self, values: Floats) -> Floats:
        """Return the sum of the values of each cluster's points (k,)."""
        values = values if self.weights is None else self.weights * values
        sums: Any = np.bincount(self.cells.ravel(), values.ravel(), minlength=self.sizes.size)
        return sums.reshape(self.sizes.shape)

    @cached_property
    def cells(self) -> Integers:
        """Where each point's cluster is among the clusters of all partitions."""
        if self.sizes.ndim == 1:
            return self.codes
        many = self.sizes[..., 0].size
        return self.codes + self.k * np.arange(many).reshape(*self.sizes.shape[:-1], 1)


def joined(a: Floats | None, b: Floats | None) -> Floats | None:
    """Return the weights of two sets of points, one after the other."""
    if a is None or b is None:
        return None
    return np.concatenate([a, b])
