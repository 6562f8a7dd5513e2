"""Agreement of clusters: what those of one cover say about those of the other.

In the examples A has the clusters {0, 1, 2} and {2, 3, 4}, and B the clusters {0, 1} and {2, 3, 4}, of 5 points.
"""

from __future__ import annotations

import numpy as np

from clustval.declare import Value
from clustval.rules import highest
from clustval.sources.cover_pair import cover_index
from clustval.stats.covers.overlaps import Overlaps

NOTHING_OPEN = "a cluster holds all points, so that nothing is left open about it"


@cover_index(
    best=highest, bounds=(0, 1), reference="mcdaid2011", symmetric=True, aliases=("onmi",), undefined=NOTHING_OPEN
)
def onmi_max(o: Overlaps) -> Value:
    r"""Information that the clusters of two covers share, in units of the larger of the two.

    .. math:: \frac{\frac{1}{2} \bigl(H(A) - H(A|B) + H(B) - H(B|A)\bigr)}{\max(H(A), H(B))}, \quad
        H(A|B) = \sum_k \min_l H(A_k | B_l)

    with the entropy H of whether a point is in a cluster, summed over clusters. A cluster B_l counts only if points in
    neither or in both of A_k and B_l say more than those in one, and leaves open at most all. Here all clusters have
    entropy 0.6730 nats; of A_1 the cluster B_1 leaves 0.3819 open, as A_1 does of B_1: (1.3460 - 0.3819) / 1.3460:

    >>> onmi_max([{0, 1, 2}, {2, 3, 4}], [{0, 1}, {2, 3, 4}])
    0.7162690
    """
    if o.identical:
        return 1.0
    of_a, of_b = o.entropies_a.sum(), o.entropies_b.sum()
    shared = (of_a - o.open_a.sum() + of_b - o.open_b.sum()) / 2
    return np.divide(shared, max(of_a, of_b))


@cover_index(best=highest, bounds=(0, 1), reference="lancichinetti2009", symmetric=True, undefined=NOTHING_OPEN)
def onmi_lfk(o: Overlaps) -> Value:
    r"""One minus the share of its entropy that the other cover leaves open about a cluster, averaged over clusters.

    .. math:: 1 - \frac{1}{2} \Bigl(\frac{1}{|A|} \sum_k \frac{\min_l H(A_k | B_l)}{H(A_k)}
        + \frac{1}{|B|} \sum_l \frac{\min_k H(B_l | A_k)}{H(B_l)}\Bigr)

    It rates covers of which one is part of the other higher than `onmi_max`, which is preferred. Here the second
    clusters are equal and leave nothing open: 1 - (0.3819 / 0.6730 + 0) / 2:

    >>> onmi_lfk([{0, 1, 2}, {2, 3, 4}], [{0, 1}, {2, 3, 4}])
    0.7162690
    """
    if o.identical:
        return 1.0
    return 1 - (np.divide(o.open_a, o.entropies_a).mean() + np.divide(o.open_b, o.entropies_b).mean()) / 2


@cover_index(best=highest, bounds=(0, 1), reference="yang2013", symmetric=True, aliases=("average_f1",))
def best_match_f(o: Overlaps) -> Value:
    r"""F measure of each cluster with the cluster of the other cover that it fits best, averaged over both covers.

    .. math:: \frac{1}{2} \Bigl(\frac{1}{|A|} \sum_k \max_l F_{kl} + \frac{1}{|B|} \sum_l \max_k F_{kl}\Bigr), \quad
        F_{kl} = \frac{2 |A_k \cap B_l|}{|A_k| + |B_l|}

    Here the best are 4/5 and 1 on both sides:

    >>> best_match_f([{0, 1, 2}, {2, 3, 4}], [{0, 1}, {2, 3, 4}])
    0.9
    """
    values = 2 * o.counts / (o.sizes_a[o.rows] + o.sizes_b[o.columns])
    means = []
    for clusters, sizes in ((o.rows, o.sizes_a), (o.columns, o.sizes_b)):
        best = np.zeros(len(sizes))
        np.maximum.at(best, clusters, values)
        means.append(best.mean())
    return sum(means) / 2
