"""B-cubed: precision and recall as each point sees them, in its own cluster and its own class.

In the examples the labels form clusters of 4, 1 and 2 points: two of each of two classes, one, and two of one class.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval.rules import highest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.contingency import Contingency


def precision_by_cluster(t: Contingency) -> NDArray[np.float64]:
    """B-cubed precision of the points of each cluster of the labels."""
    shares = t.counts / t.column_sizes[t.columns]
    return np.asarray(np.bincount(t.columns, weights=shares**2, minlength=t.k), dtype=np.float64)


@external_index(
    aliases=("b_cubed_precision",),
    best=highest,
    bounds=(0, 1),
    reference="bagga1998; amigo2009, sec. 4",
    symmetric=False,
    by_cluster=precision_by_cluster,
)
def bcubed_precision(t: Contingency) -> float:
    r"""Mean over points of the share of their cluster that is of their class.

    .. math:: \frac{1}{n} \sum_{ij} \frac{n_{ij}^2}{n_i}

    with the size n_i of cluster i of the labels and the points n_ij it shares with class j. Here (8/4 + 1/1 + 4/2) / 7:

    >>> bcubed_precision([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.714286
    """
    return _mean_share(t, t.column_sizes[t.columns])


@external_index(
    aliases=("b_cubed_recall",),
    best=highest,
    bounds=(0, 1),
    reference="bagga1998; amigo2009, sec. 4",
    symmetric=False,
)
def bcubed_recall(t: Contingency) -> float:
    r"""Mean over points of the share of their class that is in their cluster.

    .. math:: \frac{1}{n} \sum_{ij} \frac{n_{ij}^2}{m_j}

    with the size m_j of class j. Here (5/3 + 4/2 + 4/2) / 7:

    >>> bcubed_recall([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.809524
    """
    return _mean_share(t, t.row_sizes[t.rows])


@external_index(
    aliases=("b_cubed_f", "bcubed_f1", "bcubed"),
    best=highest,
    bounds=(0, 1),
    reference="amigo2009, sec. 4",
    symmetric=True,
)
def bcubed_f(t: Contingency) -> float:
    r"""Harmonic mean of B-cubed precision and recall.

    .. math:: \frac{2 P R}{P + R}

    Here P = 5/7 and R = 17/21:

    >>> bcubed_f([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.758929
    """
    p, r = _mean_share(t, t.column_sizes[t.columns]), _mean_share(t, t.row_sizes[t.rows])
    return 2 * p * r / (p + r)


def _mean_share(t: Contingency, sizes: NDArray[np.int64]) -> float:
    """Mean over points of the count of their cell over its size, never above 1 by rounding."""
    return min(1.0, float((t.counts * (t.counts / sizes)).sum()) / t.n)
