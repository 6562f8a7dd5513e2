"""Clusters matched one to one with classes, so that as much as possible fits.

In the examples the labels form clusters of 4 (two points each of classes 1 and 2), of 1 (class 1) and 2 (class 3).
The best matching gives the first to class 2, the second to class 1 and the third to class 3.
"""

from __future__ import annotations

from math import inf, nan

import numpy as np
from numpy.typing import NDArray

from clustval.rules import highest, lowest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.contingency import Contingency, total_of
from clustval.stats.labels.matching import Matching, ShareMatchings


def matched_precision(t: Contingency, m: Matching) -> NDArray[np.float64]:
    """Share of each cluster of the labels that is of the class matched with it; 0 without one."""
    shares = np.zeros(t.k)
    shares[m.columns] = m.counts / t.column_sizes[m.columns]
    return shares


@external_index(
    aliases=("matching", "maximum_matching", "clustering_accuracy", "acc"),
    best=highest,
    bounds=(0, 1),
    reference="meila2001; chung2019, eq. 1; zaki2014, sec. 17.1.1",
    symmetric=True,
    by_cluster=matched_precision,
)
def accuracy(t: Contingency, m: Matching) -> float:
    r"""Share of the points that the best one-to-one naming of clusters after classes gets right.

    .. math:: \frac{1}{n} \max_\sigma \sum_i n_{i \sigma(i)}

    Clusters or classes left over count nothing. `clustval.matching` gives the matching itself. Here (2 + 1 + 2) / 7:

    >>> accuracy([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.714286
    """
    return m.total / t.n


@external_index(
    aliases=("partition_distance", "regnier"),
    best=lowest,
    bounds=(0, inf),
    reference="regnier1965; charon2006",
    symmetric=True,
)
def transfer_distance(t: Contingency, m: Matching, *, normalized: bool = False) -> float:
    r"""Count of points that must change their cluster before both labellings are the same; normalized, their share.

    .. math:: n - \max_\sigma \sum_i n_{i \sigma(i)}

    A point may also move to a new cluster. Normalized, it is 1 less the `accuracy`. Here 7 - 5:

    >>> transfer_distance([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    2.0
    """
    return float((t.n - m.total) / t.n if normalized else t.n - m.total)


@external_index(
    aliases=("nca",),
    best=highest,
    bounds=(-1, 1),
    reference="gagolewski2025",
    symmetric=False,
    undefined="the truth is one cluster",
)
def normalized_clustering_accuracy(t: Contingency, m: ShareMatchings) -> float:
    r"""Mean share of a class that is in the cluster matched with it, above an even spread over k clusters.

    .. math:: \frac{a - 1/k}{1 - 1/k}, \quad a = \frac{1}{k} \max_\sigma \sum_j \frac{n_{\sigma(j) j}}{m_j}

    with the k classes of size m. Identical labellings have 1. Here a = (1/3 + 1 + 1) / 3:

    >>> normalized_clustering_accuracy([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.666667
    """
    if t.identical:
        return 1.0
    return (m.of_truth - 1) / (t.r - 1) if t.r > 1 else nan


def _pair_sets(t: Contingency, matched: float, by_chance: float) -> float:
    if t.identical:
        return 1.0
    return max(0.0, (matched - by_chance) / (max(t.r, t.k) - by_chance))


@external_index(
    aliases=("psi",),
    best=highest,
    bounds=(0, 1),
    reference="rezaei2016, eq. 18",
    symmetric=True,
)
def pair_sets_index(t: Contingency, m: ShareMatchings) -> float:
    r"""Overlap of matched clusters, each counting alike whatever its size, above chance.

    .. math::
        \frac{S - E}{\max(k, k') - E}, \quad S = \max_\sigma \sum_i \frac{n_{i \sigma(i)}}{\max(n_i, m_{\sigma(i)})},
        \quad E = \sum_i \frac{n_i m_i / n}{\max(n_i, m_i)}

    with sizes in falling order in E. 0 where S is below E. Here S = 1/3 + 2/4 + 2/2 and E = 3/7 + 2/7 + 1/7:

    >>> pair_sets_index([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.455556
    """
    common = min(t.r, t.k)
    smaller = np.minimum(*(np.sort(sizes)[::-1][:common] for sizes in (t.row_sizes, t.column_sizes)))
    return _pair_sets(t, m.of_larger, total_of(smaller) / t.n)


@external_index(
    aliases=("spsi",),
    best=highest,
    bounds=(0, 1),
    reference="rezaei2016, eq. 20",
    symmetric=True,
)
def simplified_pair_sets_index(t: Contingency, m: ShareMatchings) -> float:
    r"""Overlap of matched clusters, each counting alike whatever its size, above that of one perfect pair.

    .. math:: \frac{S - 1}{\max(k, k') - 1}

    with S as in `pair_sets_index`; 0 where S is below 1. Here (11/6 - 1) / 2:

    >>> simplified_pair_sets_index([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.416667
    """
    return _pair_sets(t, m.of_larger, 1.0)
