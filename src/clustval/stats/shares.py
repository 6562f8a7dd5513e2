"""How memberships are spread over clusters, point by point, wherever the points lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.kernels.work.rounding import ROUNDING_OF_SHARES
from clustval.passes.memberships.fuzzy_sums import sharpness
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
        return cls(block.count, *sharpness(block.U, block.weights))

    def __add__(self, other: Shares) -> Shares:
        return Shares(
            self.n + other.n, self.sizes + other.sizes, self.squares + other.squares, self.entropy + other.entropy
        )

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.sizes)

    @property
    def shared_out(self) -> bool:
        """Whether the memberships of a point add up to 1 on average, as they need not do if they are possibilistic."""
        return bool(abs(self.sizes.sum() - self.n) <= ROUNDING_OF_SHARES * self.n)
