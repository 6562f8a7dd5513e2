"""How far two trees of the same points agree: on who is together, on the order and on the height of merges.

In the examples the first tree merges 0 and 1 at height 1, 2 and 3 at 2, and all at 4; the second begins with 0 and 1,
too, takes up 2 at 3 and 3 at 4.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.options import Above, AtLeast, OneOf
from clustval.rules import highest, lowest
from clustval.sources.hierarchy import tree_index
from clustval.stats.merges.leaf_places import LeafPlaces
from clustval.stats.merges.merge_pairs import MergePairs, TreeLevels


@tree_index(
    best=highest,
    bounds=(-1, 1),
    reference="baker1974",
    symmetric=True,
    undefined="two points are one pair, which has no order",
)
def baker_gamma(merges: MergePairs, *, method: Annotated[str, OneOf("gamma", "spearman")] = "gamma") -> Value:
    r"""Rank correlation between the orders in which two trees bring pairs of points together.

    .. math:: \gamma = \frac{S^+ - S^-}{S^+ + S^-}

    Each pair of points has a rank in each tree: the largest number of clusters in which the two are still together.
    S\ :sup:`+` counts pairs of pairs that both trees rank alike, S\ :sup:`−` those that they rank against each other;
    where one tree has the same rank for both, they are not counted. ``method="spearman"`` is Spearman's correlation of
    the same ranks, which R's dendextend calls Baker's gamma.

    Of the six pairs, (0, 1) comes first in both trees: 5 agree. The first tree has (2, 3) before (0, 2) and (1, 2), the
    second after them: 2 disagree. All others are equal in one tree, so that it is 3 of 7:

    >>> one = [[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]]
    >>> baker_gamma(one, [[0, 1, 1, 2], [2, 4, 3, 3], [3, 5, 4, 4]])
    0.4286
    """
    if method == "spearman":
        return _correlation(merges.rank_products, *merges.rank_squares)
    counted = merges.alike + merges.against
    return (merges.alike - merges.against) / counted if counted else math.nan


@tree_index(
    best=highest,
    bounds=(-1, 1),
    reference="sokal1962",
    symmetric=True,
    undefined="all heights of a tree are equal",
)
def cophenetic_tree_correlation(merges: MergePairs) -> Value:
    r"""Correlation between the heights at which two trees join pairs of points.

    .. math:: \frac{\sum_{i<j} (c_{ij} - \bar c)(c'_{ij} - \bar c')}
        {\sqrt{\sum_{i<j} (c_{ij} - \bar c)^2 \sum_{i<j} (c'_{ij} - \bar c')^2}}

    with c and c' the heights of the merges that bring two points together.

    The heights are 1, 4, 4, 4, 4, 2 and 1, 3, 4, 3, 4, 4, so that the sums are 29, 53 and 41 sixths:

    >>> one = [[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]]
    >>> cophenetic_tree_correlation(one, [[0, 1, 1, 2], [2, 4, 3, 3], [3, 5, 4, 4]])
    0.6221
    """
    return _correlation(merges.height_products, *merges.height_squares)


def _correlation(products: np.float64, one: np.float64, other: np.float64) -> Value:
    return np.clip(products / (np.sqrt(one) * np.sqrt(other)), -1, 1)


@tree_index(
    aliases=("bk",),
    best=highest,
    bounds=(0, 1),
    reference="fowlkes1983",
    symmetric=True,
    undefined="k is not below the number of points, so that no two are together",
)
def fowlkes_mallows_bk(levels: TreeLevels, *, k: Annotated[int, AtLeast(2)] = 2) -> Value:
    r"""Share of pairs of points that stay together in the other tree, when both are cut into k clusters.

    .. math:: B_k = \frac{T}{\sqrt{P Q}}

    with P and Q the pairs that are together in each of the trees and T those in both: the geometric mean of the shares
    of P and of Q. The n − k first merges count, in the order of the linkage. Even unrelated trees share pairs:
    ``fowlkes_mallows_bk_curve`` has B\ :sub:`k` of every k beside its mean and variance by chance.

    Of 2 clusters, {0, 1} and {2, 3} have 2 pairs, {0, 1, 2} and {3} have 3, and (0, 1) is in both: 1 over root 6.

    >>> one = [[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]]
    >>> fowlkes_mallows_bk(one, [[0, 1, 1, 2], [2, 4, 3, 3], [3, 5, 4, 4]], k=2)
    0.4082
    """
    return levels.values[k - 1] if k < levels.n else math.nan


@tree_index(best=lowest, bounds=(0, 1), reference="galili2015", symmetric=True)
def entanglement(places: LeafPlaces, *, power: Annotated[float, Above(0)] = 1.5) -> Value:
    r"""How far points stand from their place in the other tree, as a share of what reversing one would give.

    .. math:: \frac{\sum_i |x_i - y_i|^L}{\sum_i |2i - n - 1|^L}

    with x and y the places of a point, 1 … n from left to right, and L the `power`. It judges two drawings rather than
    two trees: the clusters of a merge may change sides, which changes the value. The first cluster of a row of the
    linkage stands on the left, as in SciPy. With powers below 1 values above 1 are possible.

    From left to right the trees have 0, 1, 2, 3 and 3, 2, 0, 1. Points are 2, 2, 1 and 3 places apart, reversed they
    would be 3, 1, 1 and 3: 18 and 20 if squared.

    >>> one = [[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]]
    >>> entanglement(one, [[0, 1, 1, 2], [2, 4, 3, 3], [3, 5, 4, 4]], power=2)
    0.9
    """
    n = len(places.one)
    apart, reversed_places = np.abs(places.one - places.other), np.abs(2 * np.arange(n) - (n - 1))
    # In shares of the largest, so that no power overflows.
    return ((apart / (n - 1)) ** power).sum() / ((reversed_places / (n - 1)) ** power).sum()
