"""The nearest points of each point, the density there, and the two graphs of neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.lazy import cached_property

TINY = 1e-9  # of the largest radius: nearer points are as good as equal
FEWEST_NEIGHBOURS = 8
DENSER = 1.5  # neighbours per doubling of the number of points


class Graph:
    """Edges of each point, one after the other: those of point i are ``ends[starts[i]:starts[i + 1]]``."""

    def __init__(self, edges: Integers, n: int) -> None:
        self.starts = np.searchsorted(edges, np.arange(n + 1) * n)
        self.begins, self.ends = edges // n, edges % n

    @property
    def lists(self) -> tuple[Integers, Integers]:
        """What kernels take: where the edges of each point start, and the ends of all."""
        return self.starts, self.ends


def default_count(n: int) -> int:
    """Return how many neighbours are looked at among n points: 1.5 per doubling, 8 at least, a quarter of n at most.

    >>> default_count(20), default_count(1000), default_count(10**6)
    (5, 15, 30)
    """
    return int(min(max(FEWEST_NEIGHBOURS, round(DENSER * np.log2(n))), max(2, n // 4)))


@dataclass(frozen=True, eq=False)
class Surroundings:
    """Points with their nearest others; coordinates are None where only distances are known."""

    X: Floats | None  # (n, p)
    distances: Floats  # (n, K) nearest first
    numbers: Integers  # (n, K)

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.numbers)

    @property
    def count(self) -> int:
        """Number of neighbours of each point, K."""
        return int(self.numbers.shape[1])

    @cached_property
    def log_radius(self) -> Floats:
        """Log of the distance to the K-th neighbour."""
        radius = self.distances[:, -1]
        return np.log(np.maximum(radius, self._tiny))

    @cached_property
    def _tiny(self) -> float:
        return max(TINY * float(self.distances[:, -1].max()), 1e-300)

    @cached_property
    def dimension(self) -> float:
        """Dimension in which neighbours spread out (Levina and Bickel 2004), at most the number of columns."""
        ratios = self.log_radius[:, None] - np.log(np.maximum(self.distances[:, :-1], self._tiny))
        columns = self.numbers.shape[1] if self.X is None else self.X.shape[1]
        return float(np.clip((self.count - 2) * self.n / max(ratios.sum(), 1e-12), 1, columns))

    @cached_property
    def log_density(self) -> Floats:
        """Log density at each point, up to a constant."""
        return -self.dimension * self.log_radius

    @cached_property
    def smooth_density(self) -> Floats:
        """Log density, half of it that of the neighbours."""
        return np.asarray(-self.dimension * (self.log_radius + self.log_radius[self.numbers].mean(axis=1)) / 2)

    @cached_property
    def _edges(self) -> tuple[Integers, Integers]:
        """Edges from points to neighbours, and back; each as begin * n + end."""
        begins, ends = np.repeat(np.arange(self.n), self.count), self.numbers.ravel()
        return begins * self.n + ends, ends * self.n + begins

    @cached_property
    def union(self) -> Graph:
        """Points are joined where either is a neighbour of the other."""
        return Graph(np.unique(np.concatenate(self._edges)), self.n)

    @cached_property
    def mutual(self) -> Graph:
        """Points are joined where both are neighbours of each other."""
        forth, back = self._edges
        return Graph(np.intersect1d(forth, back, assume_unique=True), self.n)
