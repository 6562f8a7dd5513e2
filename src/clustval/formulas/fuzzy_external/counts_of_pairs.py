"""Counts of pairs of points, together or apart, made of degrees; none of these is 1 for memberships beside themselves.

Two points are together to the degree max over clusters of T(u, u'), and apart to the degree max over two different
clusters; T is the minimum, or another norm. In the examples of three points U has them in (1, 0), (1, 0) and (0, 1), so
that the pairs are together by 1, 0, 0 and apart by 0, 1, 1; V in (1, 0), (1/2, 1/2) and (0, 1), so that they are
together by 1/2, 0, 1/2 and apart by 1/2, 1, 1/2. The degrees in both, in U only, in V only and in none add up to 1/2,
1/2, 1/2 and 3/2.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.options import OneOf
from clustval.passes.memberships.fuzzy_pairs import NORMS
from clustval.rules import highest
from clustval.sources.membership_pair import membership_pair_index
from clustval.stats.memberships.fuzzy_pairs import FuzzyPairCounts, SoftTable

Norm = Annotated[str, OneOf(*NORMS)]


def adjusted(yy: float, one: float, other: float, pairs: float) -> Value:
    """Return Hubert and Arabie's index of the pairs together in both, in one, in the other, and in all."""
    expected = one * other / pairs if pairs else 0.0
    most = (one + other) / 2
    return 1.0 if most == expected == yy else np.divide(yy - expected, most - expected)


@membership_pair_index(best=highest, bounds=(0, 1), reference="campello2007")
def fuzzy_rand(c: FuzzyPairCounts, *, norm: Norm = "minimum") -> Value:
    r"""Degrees to which pairs are together in both or apart in both, over all degrees.

    .. math:: \frac{a + d}{a + b + c + d}, \quad a = \sum_{i < j} T(s_{ij}, s'_{ij}), \; b = \sum T(s, t'), \;
        c = \sum T(t, s'), \; d = \sum T(t, t')

    with the degrees s that two points are together and t that they are apart. Memberships beside themselves do not
    have 1 unless each point is in one cluster: compare with `ndc`. Here (1/2 + 3/2) / 3:

    >>> fuzzy_rand([[1, 0], [1, 0], [0, 1]], [[1, 0], [0.5, 0.5], [0, 1]])
    0.6666667
    """
    return np.divide(c.yy + c.nn, c.yy + c.yn + c.ny + c.nn)


@membership_pair_index(best=highest, bounds=(-1, 1), reference="campello2007")
def fuzzy_adjusted_rand(c: FuzzyPairCounts, *, norm: Norm = "minimum") -> Value:
    r"""Adjusted Rand index of degrees to which pairs are together.

    .. math:: \frac{a - e}{\frac{1}{2} ((a + b) + (a + c)) - e}, \quad e = \frac{(a + b)(a + c)}{a + b + c + d}

    with the sums of `fuzzy_rand`. Memberships beside themselves do not have 1 unless each point is in one cluster:
    use `aci`. Here (1/2 - 1/3) / (1 - 1/3):

    >>> fuzzy_adjusted_rand([[1, 0], [1, 0], [0, 1]], [[1, 0], [0.5, 0.5], [0, 1]])
    0.25
    """
    return adjusted(c.yy, c.yy + c.yn, c.yy + c.ny, c.yy + c.yn + c.ny + c.nn)


@membership_pair_index(best=highest, bounds=(0, 1), reference="campello2007")
def fuzzy_jaccard(c: FuzzyPairCounts, *, norm: Norm = "minimum") -> Value:
    r"""Degrees to which pairs are together in both, over the degrees to which they are together in either.

    .. math:: \frac{a}{a + b + c}

    with the sums of `fuzzy_rand`. Memberships beside themselves do not have 1 unless each point is in one cluster.
    Here (1/2) / (3/2):

    >>> fuzzy_jaccard([[1, 0], [1, 0], [0, 1]], [[1, 0], [0.5, 0.5], [0, 1]])
    0.3333333
    """
    return np.divide(c.yy, c.yy + c.yn + c.ny)


@membership_pair_index(best=highest, bounds=(-inf, inf), reference="anderson2010")
def soft_adjusted_rand(t: SoftTable) -> Value:
    r"""Adjusted Rand index of a contingency table whose cells add up products of memberships.

    .. math:: \frac{a - e}{\frac{1}{2} (b + c) - e}, \quad a = \sum_{kl} \tbinom{n_{kl}}{2}, \;
        b = \sum_k \tbinom{n_{k \cdot}}{2}, \; c = \sum_l \tbinom{n_{\cdot l}}{2}, \; e = bc / \tbinom{n}{2},
        \quad n_{kl} = \sum_i u_{ik} v_{il}

    A cell below 1 has less than no pairs, so that few points shared out among many clusters may have values below -1
    and above 1. Memberships beside themselves do not have 1 unless each point is in one cluster: use `aci`. Here the
    table is [[3/2, 1/2], [0, 1]], so that a = 1/4, b = 1, c = 3/4 and e = 1/4:

    >>> soft_adjusted_rand([[1, 0], [1, 0], [0, 1]], [[1, 0], [0.5, 0.5], [0, 1]])
    0.0
    """

    def pairs(counts: Value) -> float:
        return float((counts * (counts - 1) / 2).sum())

    table = t.table
    return adjusted(pairs(table), pairs(table.sum(axis=1)), pairs(table.sum(axis=0)), t.n * (t.n - 1) / 2)
