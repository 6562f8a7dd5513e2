"""Agreement on pairs above chance, by other models of chance than labels with the same sizes in another order.

In the examples 3 of 21 pairs are together in both labellings (yy), 2 in the truth only (yn), 4 in the labels only (ny).
"""

from __future__ import annotations

from math import inf, nan, sqrt

from clustval.rules import highest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.pair_counts import PairCounts
from clustval.stats.labels.pair_moments import DisjointPairs, PairMoments
from clustval.stats.labels.partition_models import PartitionModels

NO_PAIR = "one point forms no pair"


@external_index(
    aliases=("mari",),
    best=highest,
    bounds=(-inf, 1),
    reference="sundqvist2023",
    symmetric=True,
    undefined="two pairs without a common point take 4 points",
)
def modified_adjusted_rand(p: PairCounts, d: DisjointPairs, *, raw: bool = False) -> float:
    r"""Agreement on pairs above what pairs without a common point have, as a share of the most.

    .. math:: \frac{yy - E}{\frac{1}{2}(t + c) - E}, \quad E = D \Big/ \binom{n-2}{2}

    with the pairs t together in the truth and c in the labels, and D the pairs of pairs without a common point of which
    the first is together in the truth and the second in the labels. The adjusted Rand index takes E from all pairs of
    pairs, so that it is biased where points are few. `raw` gives (yy − E) / N_T, whose mean is 0 where truth and labels
    are independent.

    Of 5 · 7 pairs of pairs 3 are the same pair. Others share a point: (a − 1)(b − 1) for each point in a class of a and
    a cluster of b points, less those that are the same pair twice over. That is 2 · 6 + 0 + 2 · 3 + 2 · 1 − 6 = 14, so
    that D = 18 and E = 18 / 10:

    >>> modified_adjusted_rand([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.285714
    """
    by_chance = d.together
    if raw:
        return float((p.yy - by_chance) / p.total) if by_chance == by_chance else nan  # noqa: PLR0124 - NaN
    if by_chance != by_chance:  # noqa: PLR0124
        return nan
    return p.share(p.yy - by_chance, (p.truth + p.labels) / 2 - by_chance)


@external_index(
    aliases=("afm", "adjusted_fm"),
    best=highest,
    bounds=(-inf, 1),
    reference="fowlkes1983; hubert1985",
    symmetric=True,
    undefined="truth or labels put no two points together, or one point forms no pair",
)
def adjusted_fowlkes_mallows(p: PairCounts) -> float:
    r"""Geometric mean of pairwise precision and recall above chance, as a share of the most.

    .. math:: \frac{F - E}{1 - E}, \quad F = \frac{yy}{\sqrt{t c}}, \quad E = \frac{\sqrt{t c}}{N_T}

    with the pairs t together in the truth and c in the labels. Here F = 3 / √35 and E = √35 / 21:

    >>> adjusted_fowlkes_mallows([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.313769
    """
    root = sqrt(p.truth * p.labels)
    return p.share(p.total * p.yy - p.truth * p.labels, root * (p.total - root))


@external_index(
    aliases=("pair_z",),
    best=highest,
    bounds=(-inf, inf),
    reference="fowlkes1983",
    symmetric=True,
    undefined="all labels with these sizes put the same number of pairs together",
)
def pair_agreement_z(m: PairMoments) -> float:
    r"""Standard deviations by which the pairs together in both labellings exceed their mean by chance.

    .. math:: \frac{yy - E(yy)}{\sqrt{\mathrm{Var}(yy)}}

    over all labels with the same sizes of clusters, exactly. It is the z of every index that is linear in yy, such as
    `rand`, `adjusted_rand` and `fowlkes_mallows`: they have one test. ``cv.agreement(..., significance="analytic")``
    has its p-value, which is that of a normal distribution; of few clusters the distribution is skewed, and
    permutations are safer.

    Here 5 and 7 pairs have the mean 35/21. Chains of two pairs are 6 and 24, pairs without a common point 14 and 18,
    so that the variance is 5/3 + 6 · 24 / 210 + 14 · 18 / 210 − 25/9 = 0.7746:

    >>> pair_agreement_z([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    1.514953
    """
    return m.z


@external_index(
    aliases=("ari_num",),
    best=highest,
    bounds=(-inf, 1),
    reference="gates2017",
    symmetric=True,
    undefined=NO_PAIR,
)
def adjusted_rand_num(m: PartitionModels) -> float:
    r"""Rand index above that of two random clusterings with as many clusters, as a share of the most.

    .. math:: \frac{R - E}{1 - E}, \quad E = p_1 p_2 + (1 - p_1)(1 - p_2), \quad p = \frac{S(n-1, k)}{S(n, k)}

    with the Stirling numbers S, which count clusterings of n points in k clusters. All of these are equally likely,
    whatever their sizes. R is `rand`. Of 4 points in 2 clusters p is 3/7 and in 3 clusters 1/6, so that
    E = (3 + 20) / 42, and R = 5/6:

    >>> adjusted_rand_num([0, 0, 1, 1], [0, 0, 1, 2])
    0.631579
    """
    return m.adjusted(m.truth_number, m.labels_number)


@external_index(
    aliases=("ari_all",),
    best=highest,
    bounds=(-inf, 1),
    reference="gates2017",
    symmetric=True,
    undefined=NO_PAIR,
)
def adjusted_rand_all(m: PartitionModels) -> float:
    r"""Rand index above that of two random clusterings with any number of clusters, as a share of the most.

    .. math:: \frac{R - E}{1 - E}, \quad E = p^2 + (1 - p)^2, \quad p = \frac{B_{n-1}}{B_n}

    with the Bell numbers B, which count clusterings of n points. Most of these have many small clusters, so that few
    large clusters lie far below 0 unless they agree. Of 4 points p = 5/15, E = 5/9, and R = 5/6:

    >>> adjusted_rand_all([0, 0, 1, 1], [0, 0, 1, 2])
    0.625
    """
    return m.adjusted(m.any_clustering, m.any_clustering)


@external_index(
    aliases=("ari_num_1",),
    best=highest,
    bounds=(-inf, 1),
    reference="gates2017",
    symmetric=False,
    undefined=NO_PAIR,
)
def adjusted_rand_num_labels_only(m: PartitionModels) -> float:
    r"""Rand index above that of random labels with as many clusters, beside the truth as it is.

    .. math:: \frac{R - E}{1 - E}, \quad E = p_1 p_2 + (1 - p_1)(1 - p_2), \quad
        p_1 = \frac{t}{N_T}, \quad p_2 = \frac{S(n-1, k)}{S(n, k)}

    with the pairs t together in the truth and the Stirling numbers S. Here t is 2 of 6 and p₂ = 1/6, so that
    E = (1 + 10) / 18, and R = 5/6:

    >>> adjusted_rand_num_labels_only([0, 0, 1, 1], [0, 0, 1, 2])
    0.571429
    """
    return m.adjusted(m.truth_sizes, m.labels_number)


@external_index(
    aliases=("ari_all_1",),
    best=highest,
    bounds=(-inf, 1),
    reference="gates2017",
    symmetric=False,
    undefined=NO_PAIR,
)
def adjusted_rand_all_labels_only(m: PartitionModels) -> float:
    r"""Rand index above that of random labels with any number of clusters, beside the truth as it is.

    .. math:: \frac{R - E}{1 - E}, \quad E = p_1 p_2 + (1 - p_1)(1 - p_2), \quad
        p_1 = \frac{t}{N_T}, \quad p_2 = \frac{B_{n-1}}{B_n}

    with the pairs t together in the truth and the Bell numbers B. Here t is 3 of 6 and p₂ = 5/15, so that
    E = 1/2, and R = 1/2:

    >>> adjusted_rand_all_labels_only([0, 0, 0, 1], [0, 0, 1, 2])
    0.333333
    """
    return m.adjusted(m.truth_sizes, m.any_clustering)
