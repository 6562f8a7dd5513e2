"""How alike the points of a cluster are in their categories, column by column.

In the examples four points have a colour and a size; the first two are a cluster and the last two another.
"""

from __future__ import annotations

from math import e, log

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import Base
from clustval.rules import highest, lowest
from clustval.sources.categorical_partition import categorical_index
from clustval.stats.points.category_counts import CategoryCounts


def utilities(c: CategoryCounts, *, normalized: bool = True) -> Floats:
    """Return what each cluster adds to the category utility; it may be negative for one that is more mixed than all."""
    better = c.by_column(c.shares**2) - c.by_column(c.all_shares**2)
    return (c.parts * better).sum(axis=1) / (c.k if normalized else 1)


@categorical_index(best=highest, reference="gluck1985; fisher1987", by_cluster=utilities, aliases=("cu",))
def category_utility(c: CategoryCounts, *, normalized: bool = True) -> Value:
    r"""How much more often categories are guessed right if the cluster is known, for each cluster.

    .. math:: \frac{1}{K} \sum_k P_k \sum_j \sum_v \left[ P(v \mid k)^2 - P(v)^2 \right]

    with P_k the share of a cluster, and v over the categories of column j. Without `normalized` it is not divided by
    the number of clusters K, and grows with it. Unverified: no second program agrees. Here colours are guessed right
    with 1/2 · 1 + 1/2 · 1/2 in place of (3/4)² + (1/4)² = 5/8, sizes always in place of 1/2 of the time:
    (1/8 + 1/2) / 2:

    >>> category_utility([["red", "S"], ["red", "S"], ["red", "L"], ["blue", "L"]], [0, 0, 1, 1])
    0.3125
    """
    apart = c.by_column((c.shares - c.all_shares) ** 2)  # the same sum, which rounding cannot make negative
    return (c.parts * apart).sum() / (c.k if normalized else 1)


def entropies(c: CategoryCounts, *, base: Base = e) -> Floats:
    """Return the entropy of the categories of each cluster, all columns added up."""
    shares = c.shares
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return 0.0 - c.by_column(shares * logs).sum(axis=1) / log(base)  # 0, not -0


@categorical_index(best=lowest, reference="barbara2002", by_cluster=entropies)
def expected_entropy(c: CategoryCounts, *, base: Base = e) -> Value:
    r"""Entropy of the categories within clusters, all columns added up, averaged over points.

    .. math:: -\sum_k P_k \sum_j \sum_v P(v \mid k) \log P(v \mid k)

    with P_k the share of a cluster, and v over the categories of column j. It falls as clusters become more.
    Unverified: no second program agrees. Here only the colours of half the points are open, by one bit:

    >>> expected_entropy([["red", "S"], ["red", "S"], ["red", "L"], ["blue", "L"]], [0, 0, 1, 1], base=2)
    0.5
    """
    shares = c.shares
    logs = np.log(shares, out=np.zeros_like(shares), where=shares > 0)
    return 0.0 - (c.parts * c.by_column(shares * logs)).sum() / log(base)


def mismatches(c: CategoryCounts) -> Floats:
    """Return the number of values of each cluster that are not its commonest."""
    return (c.known - c.commonest).sum(axis=1)


@categorical_index(best=lowest, reference="huang1998", by_cluster=mismatches, aliases=("k_modes",))
def k_modes_cost(c: CategoryCounts) -> Value:
    r"""How many values differ from the commonest one of their column in their cluster, the mode.

    .. math:: \sum_k \sum_j \sum_{i \in C_k} [x_{ij} \ne m_{kj}]

    It is what k-modes makes small, and falls as clusters become more. Here one colour:

    >>> k_modes_cost([["red", "S"], ["red", "S"], ["red", "L"], ["blue", "L"]], [0, 0, 1, 1])
    1.0
    """
    return mismatches(c).sum()
