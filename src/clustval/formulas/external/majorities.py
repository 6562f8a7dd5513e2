"""Clusters named after the class most of their points belong to.

In the examples the labels form clusters of 4, 1 and 2 points, of which 2, 1 and 2 are of the commonest class.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from clustval.rules import highest, lowest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.contingency import Contingency, total_of


def purity_by_cluster(t: Contingency) -> NDArray[np.float64]:
    """Share of each cluster of the labels that is of its commonest class."""
    return t.counts[t.column_peaks] / t.column_sizes


@external_index(
    best=highest,
    bounds=(0, 1),
    reference="zhao2001; zaki2014, sec. 17.1.1",
    symmetric=False,
    by_cluster=purity_by_cluster,
)
def purity(t: Contingency) -> float:
    r"""Share of the points that are of the commonest class of their cluster.

    .. math:: \frac{1}{n} \sum_i \max_j n_{ij}

    with the points n_ij that cluster i of the labels shares with class j of the truth. Here (2 + 1 + 2) / 7:

    >>> purity([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.714286
    """
    return total_of(t.counts[t.column_peaks]) / t.n


@external_index(
    best=highest,
    bounds=(0, 1),
    reference="amigo2009, sec. 3.1",
    symmetric=False,
)
def inverse_purity(t: Contingency) -> float:
    r"""Share of the points that are in the commonest cluster of their class.

    .. math:: \frac{1}{n} \sum_j \max_i n_{ij}

    Here (2 + 2 + 2) / 7:

    >>> inverse_purity([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.857143
    """
    return total_of(t.counts[t.row_peaks]) / t.n


def f_by_cluster(t: Contingency) -> NDArray[np.float64]:
    """F-measure of each cluster of the labels with its commonest class."""
    shared = t.counts[t.column_peaks]
    return 2 * shared / (t.column_sizes + t.row_sizes[t.rows[t.column_peaks]])


@external_index(
    aliases=("f_measure_by_cluster",),
    best=highest,
    bounds=(0, 1),
    reference="zaki2014, eq. 17.1",
    symmetric=False,
    by_cluster=f_by_cluster,
)
def f_measure(t: Contingency) -> float:
    r"""Mean over clusters of the F-measure of each with its commonest class.

    .. math:: \frac{1}{r} \sum_i \frac{2 n_{i j_i}}{n_i + m_{j_i}}

    with the commonest class j_i of cluster i (the first of equals) and the sizes n and m of clusters and classes.
    The F-measure of pairs is `czekanowski_dice`. Here the mean of 4/7, 2/4 and 4/4:

    >>> f_measure([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.690476
    """
    return float(f_by_cluster(t).mean())


@external_index(
    aliases=("split_join",),
    best=lowest,
    bounds=(0, inf),
    reference="vandongen2000; meila2007, sec. 2.2",
    symmetric=True,
)
def van_dongen(t: Contingency) -> float:
    r"""Count of points outside the commonest class of their cluster, plus outside the commonest cluster of their class.

    .. math:: 2n - \sum_i \max_j n_{ij} - \sum_j \max_i n_{ij}

    Here 14 - 5 - 6:

    >>> van_dongen([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    3.0
    """
    return float(2 * t.n - total_of(t.counts[t.column_peaks]) - total_of(t.counts[t.row_peaks]))


@external_index(
    aliases=("van_dongen_normalized",),
    best=lowest,
    bounds=(0, 1),
    reference="vandongen2000; meila2007, sec. 2.2",
    symmetric=True,
)
def normalized_van_dongen(t: Contingency) -> float:
    r"""Mean share of points outside the commonest class of their cluster, or the commonest cluster of their class.

    .. math:: 1 - \frac{1}{2n} \left(\sum_i \max_j n_{ij} + \sum_j \max_i n_{ij}\right)

    Here 3 / 14:

    >>> normalized_van_dongen([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.214286
    """
    return (2 * t.n - total_of(t.counts[t.column_peaks]) - total_of(t.counts[t.row_peaks])) / (2 * t.n)
