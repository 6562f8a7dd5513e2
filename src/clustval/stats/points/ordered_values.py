"""Values of points in ascending order inside each cluster, for quantiles and distribution functions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.stats.points.point_values import PointValues


@dataclass(frozen=True)
class OrderedValues:
    """Values of all points, cluster after cluster and partition after partition, each cluster's in ascending order."""

    values: Floats
    sizes: Integers  # of all clusters
    shape: tuple[int, ...]  # of one value per cluster

    @classmethod
    def of(cls, q: PointValues, values: Floats) -> OrderedValues:
        """Sort by cluster, then by value."""
        order = np.lexsort((values.ravel(), q.cells.ravel()))
        return cls(values.ravel()[order], q.sizes.ravel(), q.sizes.shape)

    @property
    def starts(self) -> Integers:
        """Where each cluster begins."""
        return np.cumsum(self.sizes) - self.sizes

    @property
    def ranks(self) -> Integers:
        """Number of smaller values in the same cluster, or equal ones that come before."""
        return np.arange(len(self.values)) - np.repeat(self.starts, self.sizes)

    def quantiles(self, share: float) -> Floats:
        """Return the quantile of each cluster, linear between the two values it falls between (type 7)."""
        place = share * (self.sizes - 1)
        low = np.floor(place).astype(np.int64)
        at = self.starts + low
        lower, upper = self.values[at], self.values[np.minimum(at + 1, len(self.values) - 1)]
        # A cluster of one point has no upper value; what stands there counts 0 times.
        return lower + (place - low) * (upper - lower)
