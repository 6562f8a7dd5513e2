"""The height at which each point is merged for the first time. One look at the tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic
from clustval.sources.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class FirstMerges(Statistic):
    """How high each point is merged with others for the first time, and how high the last merge is."""

    rising: ClassVar[bool] = True  # a merge must not be lower than those that it is made of
    first: Floats  # (n,)
    last: np.float64

    @classmethod
    def of(cls, source: Hierarchy) -> FirstMerges:
        """Read the tree."""
        tree = source.tree
        first = np.empty(2 * tree.n - 1)
        first[tree.joined] = tree.heights[:, None]
        return cls(first[: tree.n], tree.heights[-1])
