"""Each class beside the cluster that is most like it.

In the examples the classes have 3, 2 and 2 points; the clusters have 4 (two points each of classes 1 and 2), 1 (class
1) and 2 (class 3).
"""

from __future__ import annotations

from math import inf

import numpy as np

from clustval.rules import highest, lowest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.contingency import Contingency, total_of
from clustval.stats.labels.nearest_clusters import NearestClusters


@external_index(
    aliases=("aone", "f_steinbach"),
    best=highest,
    bounds=(0, 1),
    reference="larsen1999",
    symmetric=False,
)
def larsen_aone(t: Contingency) -> float:
    r"""Mean over points of the F-measure of their class with the cluster that fits it best.

    .. math:: \sum_i \frac{a_i}{n} \max_j \frac{2 n_{ij}}{a_i + b_j}

    with the sizes a of classes and b of clusters. Here (3 · 4/7 + 2 · 4/6 + 2 · 4/4) / 7:

    >>> larsen_aone([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.721088
    """
    a = t.row_sizes[t.rows]
    fits = np.zeros(t.r)
    np.maximum.at(fits, t.rows, 2 * t.counts / (a + t.column_sizes[t.columns]))
    return 1.0 if t.identical else float(total_of(t.row_sizes * fits) / t.n)


@external_index(
    best=highest,
    bounds=(0, 1),
    reference="meila2001",
    symmetric=True,
)
def meila_heckerman(t: Contingency) -> float:
    r"""Share of the points that a greedy one-to-one naming of clusters after classes gets right.

    .. math:: \frac{1}{n} \sum_l n_{i_l j_l}

    The class and the cluster that share most points are matched first, then those of the rest, and so on; of equals the
    first in the table, so that other names of clusters may change the value. `accuracy` is the best matching.
    Here class 1 takes the cluster of 4, class 3 that of 2, and nothing is left for class 2: (2 + 2) / 7:

    >>> meila_heckerman([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.571429
    """
    rows, columns = np.zeros(t.r, dtype=np.bool_), np.zeros(t.k, dtype=np.bool_)
    shared = []
    for cell in np.argsort(-t.counts, kind="stable").tolist():  # cells are in the order of the table
        row, column = t.rows[cell], t.columns[cell]
        if not (rows[row] or columns[column]):
            rows[row] = columns[column] = True
            shared.append(cell)
    return float(total_of(t.counts[shared]) / t.n)


@external_index(
    aliases=("generalized_centroid_index",),
    best=lowest,
    bounds=(0, inf),
    reference="franti2014; franti2016",
    symmetric=True,
)
def centroid_index(m: NearestClusters) -> float:
    r"""Count of clusters that are no cluster's nearest, from the labelling that has more of them.

    .. math:: \max\bigl(\#\{j : j \ne q(i) \; \forall i\}, \; \#\{i : i \ne q'(j) \; \forall j\}\bigr)

    Each cluster q(i) is the one that is most like class i by Jaccard's share of common points, and q' the other way
    round; centres of clusters, by which the paper finds nearest ones, are not needed. It counts clusters that lie in a
    wrong place, 0 if both labellings have the same clusters in all.

    The cluster of 4 is nearest to class 1 (2/5) and to class 2 (2/4), that of 2 to class 3: no class has the cluster of
    1 point. The other way round, the cluster of 4 is nearest to class 2, of 1 to class 1, of 2 to class 3:

    >>> centroid_index([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    1.0
    """
    orphans = (len(m.of_labels) - len(np.unique(m.of_truth)), len(m.of_truth) - len(np.unique(m.of_labels)))
    return float(max(orphans))
