"""How memberships are spread over clusters, point by point, wherever the points lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.sources.memberships import Memberships


@dataclass(frozen=True, eq=False)
class Shares(Statistic):
    """Sums over points and clusters of the squares of memberships u, and of -u log u."""

    n: Any  # points, by weight
    sizes: Floats  # of clusters: the sum of the memberships in each, by weight
    squares: float
    entropy: float

    @classmethod
    def part(cls, block: Memberships) -> Shares:
        """Sum over the points of a block; 0 log 0 is 0."""
        U, weights = block.U, np.ones(block.n) if block.weights is None else block.weights
        logarithms = np.log(U, out=np.zeros_like(U), where=U > 0)
        squares, logs = (float(weights @ np.einsum("ij,ij->i", U, factor)) for factor in (U, logarithms))
        return cls(block.count, weights @ U, squares, 0.0 - logs)  # 0, not -0, where all are 0 or 1

    def __add__(self, other: Shares) -> Shares:
        return Shares(
            self.n + other.n, self.sizes + other.sizes, self.squares + other.squares, self.entropy + other.entropy
        )

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.sizes)
