"""Agreement seen from each point: how alike the clusters are that it belongs to in both labellings.

In the examples class 1 has 3 points, two in a cluster of 4 and one alone; class 2 has 2 points, both in the cluster of
4; class 3 is a cluster.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval.rules import highest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.contingency import Contingency, total_of


def similarity_of_cells(t: Contingency) -> NDArray[np.float64]:
    """Similarity of the two clusters of each occupied cell, which all its points have."""
    a, b = t.row_sizes[t.rows], t.column_sizes[t.columns]
    # Points of one cluster alone count 1/a or 1/b, shared ones the difference; what is left is the smaller share.
    return t.counts / np.maximum(a, b)


def similarity_by_cluster(t: Contingency) -> NDArray[np.float64]:
    """Mean similarity over the points of each cluster of the labels."""
    return np.bincount(t.columns, weights=t.counts * similarity_of_cells(t), minlength=t.k) / t.column_sizes


@external_index(
    aliases=("ecs", "element_sim"),
    best=highest,
    bounds=(0, 1),
    reference="gates2019",
    symmetric=True,
    points=similarity_of_cells,
    by_cluster=similarity_by_cluster,
)
def element_centric(t: Contingency) -> float:
    r"""Mean over points of how alike the two clusters of a point are: what they share over the size of the larger.

    .. math:: \frac{1}{n} \sum_i \Bigl(1 - \frac{1}{2} \Bigl(x_i \Bigl|\frac{1}{A_i} - \frac{1}{B_i}\Bigr|
        + \frac{A_i - x_i}{A_i} + \frac{B_i - x_i}{B_i}\Bigr)\Bigr)
        = \frac{1}{n} \sum_i \frac{x_i}{\max(A_i, B_i)}

    with the sizes A and B of the clusters of point i in truth and labels, which share x points. A random walk inside
    clusters that starts at the point visits these shares of the points in both. ``per_point`` has the value of each
    point.

    Here two points have 2/4, one has 1/3, two have 2/4 and two have 2/2:

    >>> element_centric([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.619048
    """
    if t.identical:
        return 1.0
    return float(total_of(t.counts * similarity_of_cells(t)) / t.n)
