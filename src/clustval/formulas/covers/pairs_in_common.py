"""Agreement on how many clusters two points share.

In the examples A has the clusters {0, 1, 2} and {2, 3, 4}, and B the clusters {0, 1} and {2, 3, 4}.
"""

from __future__ import annotations

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.rules import highest
from clustval.sources.cover_pair import cover_index
from clustval.stats.covers.common_clusters import CommonClusters, SharedClusters


@cover_index(best=highest, bounds=(-1, 1), reference="collins1988", symmetric=True, aliases=("omega_index",))
def omega(c: CommonClusters) -> Value:
    r"""Share of pairs of points that have as many clusters in common in both covers, above what chance would give.

    .. math:: \frac{o - e}{1 - e}, \quad o = \frac{1}{N} \sum_t |A_t \cap B_t|, \quad
        e = \frac{1}{N^2} \sum_t |A_t| |B_t|

    with the pairs A_t and B_t that share t clusters in each cover, of N pairs in all. It is the adjusted Rand index
    where clusters do not overlap, and 1 where all pairs share as many clusters in both. Here 8 of 10 pairs agree, 4
    and 6 share none, 6 and 4 share one: (0.8 - 0.48) / 0.52:

    >>> omega([{0, 1, 2}, {2, 3, 4}], [{0, 1}, {2, 3, 4}])
    0.6153846
    """
    above, most = c.tally.equal * c.pairs - c.expected, c.pairs**2 - c.expected
    return 1.0 if most == 0 else above / most


def precision_of_points(s: SharedClusters) -> Floats:
    """Return the precision that each kind of points sees."""
    return s.precision


def recall_of_points(s: SharedClusters) -> Floats:
    """Return the recall that each kind of points sees."""
    return s.recall


def mean(values: Floats, s: SharedClusters) -> float:
    """Return the mean over points, never above 1 by rounding."""
    return min(1.0, float((values * s.counts).sum() / s.counts.sum()))


@cover_index(best=highest, bounds=(0, 1), reference="amigo2009, sec. 5", symmetric=False, points=precision_of_points)
def bcubed_precision(s: SharedClusters) -> Value:
    r"""Mean over points, and over the points with which they share clusters of B, of how many of these A has too.

    .. math:: \frac{1}{n} \sum_i \frac{1}{|M_i|} \sum_{j \in M_i} \frac{\min(a_{ij}, b_{ij})}{b_{ij}}, \quad
        M_i = \{j : b_{ij} > 0\}

    with the clusters that i and j share, a of A and b of B; every point shares its clusters with itself. A is the
    truth. It is the B-cubed precision of labels where clusters do not overlap. Here points that share a cluster of B
    always share one of A:

    >>> bcubed_precision([{0, 1, 2}, {2, 3, 4}], [{0, 1}, {2, 3, 4}])
    1.0
    """
    return mean(s.precision, s)


@cover_index(best=highest, bounds=(0, 1), reference="amigo2009, sec. 5", symmetric=False, points=recall_of_points)
def bcubed_recall(s: SharedClusters) -> Value:
    r"""Mean over points, and over the points with which they share clusters of A, of how many of these B has too.

    .. math:: \frac{1}{n} \sum_i \frac{1}{|M_i|} \sum_{j \in M_i} \frac{\min(a_{ij}, b_{ij})}{a_{ij}}, \quad
        M_i = \{j : a_{ij} > 0\}

    with the clusters that i and j share, a of A and b of B. Here 0 and 1 have 2/3, since B parts them from 2; 2 has
    (0 + 0 + 1/2 + 1 + 1) / 5, and 3 and 4 have 1:

    >>> bcubed_recall([{0, 1, 2}, {2, 3, 4}], [{0, 1}, {2, 3, 4}])
    0.7666667
    """
    return mean(s.recall, s)


@cover_index(best=highest, bounds=(0, 1), reference="amigo2009, sec. 5", symmetric=True)
def bcubed_f(s: SharedClusters) -> Value:
    r"""Harmonic mean of the B-cubed precision and recall of covers.

    .. math:: \frac{2 P R}{P + R}

    Here P = 1 and R = 23/30:

    >>> bcubed_f([{0, 1, 2}, {2, 3, 4}], [{0, 1}, {2, 3, 4}])
    0.8679245
    """
    p, r = mean(s.precision, s), mean(s.recall, s)
    return 2 * p * r / (p + r)
