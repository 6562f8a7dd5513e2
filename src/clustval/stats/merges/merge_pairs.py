"""Which merges join each pair of points in two trees. One visit of all pairs of merges."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.declare import Cost, Statistic
from clustval.lazy import cached_property
from clustval.passes.merges.tree_merges import shared_pairs
from clustval.sources.hierarchy import Hierarchy, Tree


@dataclass(frozen=True, eq=False)
class MergePairs(Statistic):
    """Pairs of points by the merge that joins them in each of two trees: how the two orders and heights go together.

    The products and squares are sums over pairs of values less their means: of mid-ranks of the merges, and of heights
    in units of the highest.
    """

    cost: ClassVar[Cost] = "quadratic"
    beside: ClassVar[str] = "tree"
    latest: Integers  # pairs of points, by the later of the two merges that join them
    alike: int  # pairs of pairs that both trees join in the same order
    against: int  # pairs of pairs that they join in opposite orders; in neither are those that one merge joins
    rank_products: np.float64
    rank_squares: Floats  # (2,): of each tree
    height_products: np.float64
    height_squares: Floats  # (2,)

    @classmethod
    def of(cls, source: Hierarchy) -> MergePairs:
        """Meet the merges of one tree with those of the other."""
        one, other = source.both
        values = [np.column_stack([mid_ranks(tree), tree.deviations]) for tree in (one, other)]
        shared = shared_pairs(one.order, one.spans, other.joined, other.order, other.spans, values[1])
        products = (values[0] * shared.weighed).sum(axis=0)
        squares = np.array([tree.pairs @ each**2 for tree, each in zip((one, other), values, strict=True)])
        return cls(shared.latest, shared.alike, shared.against, products[0], squares[:, 0], products[1], squares[:, 1])


def mid_ranks(tree: Tree) -> Floats:
    """Return the mean rank of the pairs that each merge joins, among all in the order of merges, less the mean."""
    pairs = tree.pairs
    return (np.cumsum(pairs) - pairs / 2) - pairs.sum() / 2


@dataclass(frozen=True, eq=False)
class TreeLevels(Statistic):
    """Both trees cut into k = 1 ... n-1 clusters: how many pairs are together in one, in the other and in both.

    Numbers are exact, whatever their size: arrays of Python's own.
    """

    cost: ClassVar[Cost] = "quadratic"
    beside: ClassVar[str] = "tree"
    n: int
    shared: NDArray[Any]  # (n - 1,): ordered pairs that are together in both, by k
    pairs: tuple[NDArray[Any], NDArray[Any]]  # in each tree; P and Q of the paper
    triples: tuple[NDArray[Any], NDArray[Any]]  # ordered triples in each tree; P' and Q'

    @classmethod
    def of(cls, source: Hierarchy) -> TreeLevels:
        """Add up merges: n - k of them leave k clusters."""

        def at_levels(joined: Integers, orders: int) -> NDArray[Any]:
            return orders * np.cumsum(joined)[::-1].astype(object)

        one, other = source.both
        return cls(
            source.n,
            at_levels(source[MergePairs].latest, 2),
            (at_levels(one.pairs, 2), at_levels(other.pairs, 2)),
            (at_levels(one.triples, 6), at_levels(other.triples, 6)),
        )

    @property
    def k(self) -> Integers:
        """Numbers of clusters, from 1 to n - 1."""
        return np.arange(1, self.n)

    @cached_property
    def _root(self) -> Floats:
        """Root of P Q."""
        P, Q = self.pairs
        return np.sqrt((P * Q).astype(np.float64))

    @property
    def values(self) -> Floats:
        """B_k of each k."""
        return np.minimum(self.shared.astype(np.float64) / self._root, 1.0)

    @property
    def mean(self) -> Floats:
        """Mean of B_k if points of the second tree changed places at random."""
        return self._root / (self.n * (self.n - 1))

    @property
    def variance(self) -> Floats:
        """Variance of B_k if points of the second tree changed places at random, to the last digit.

        The terms nearly cancel where there are many points, so they are brought over one denominator.
        """
        n, (P, Q), (P3, Q3) = self.n, self.pairs, self.triples
        two, three, four = n * (n - 1), n - 2, max(n - 3, 1)  # three points have no two pairs apart, which four counts
        apart = (P * P - 2 * P - 4 * P3) * (Q * Q - 2 * Q - 4 * Q3)
        numerator = two * (2 * three * four * P * Q + 4 * four * P3 * Q3 + apart) - three * four * (P * Q) ** 2
        return np.asarray(numerator / (two**2 * three * four * P * Q), dtype=np.float64)
