"""Distances of points beside the heights at which a tree joins them. One visit of all pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Cost, Statistic
from clustval.passes.merges.tree_merges import leaf_sums
from clustval.sources.hierarchy import Hierarchy


@dataclass(frozen=True, eq=False)
class CopheneticFit(Statistic):
    """Sums over pairs of squares and products of distances and heights, both less their means.

    Heights are in units of the highest.
    """

    cost: ClassVar[Cost] = "quadratic"
    beside: ClassVar[str] = "distances"
    distances: np.float64
    heights: np.float64
    products: np.float64

    @classmethod
    def of(cls, source: Hierarchy) -> CopheneticFit:
        """Visit the pairs of points in the order of the tree."""
        space, tree = source.space, source.tree
        assert space is not None
        X: Floats | None = space.X[tree.order] if space.euclidean and space.X is not None else None
        sums = leaf_sums(source.distances, tree.joints, tree.deviations, n_jobs=space.n_jobs, memory=space.memory, X=X)
        count = tree.n * (tree.n - 1) / 2
        squares = sums.squares - sums.sums * sums.sums / count
        return cls(np.float64(squares), np.float64(tree.pairs @ tree.deviations**2), np.float64(sums.products))
