"""Agreement less what chance would give: 0 on average for labels drawn at random with the same sizes, 1 at best.

In the examples on pairs 3 of 21 are together in both labellings (yy), 2 in the truth only (yn), 4 in the labels
only (ny).
"""

from __future__ import annotations

from math import inf
from typing import Annotated

from clustval.options import OneOf
from clustval.rules import highest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.information import AVERAGES, ExpectedInformation, Information
from clustval.stats.labels.pair_counts import PairCounts


@external_index(
    aliases=("ari", "adjusted_rand_index", "adjusted_rand_score", "hubert_arabie"),
    best=highest,
    bounds=(-0.5, 1),
    reference="hubert1985, eq. 5; vendramin2010, eq. 52",
    symmetric=True,
    undefined="one point forms no pair",
)
def adjusted_rand(p: PairCounts) -> float:
    r"""Agreement on pairs above chance, as a share of the most that could be above chance.

    .. math:: \frac{yy - E}{\frac{1}{2}(t + c) - E}, \quad E = \frac{t c}{N_T}

    with the pairs t = yy + yn together in the truth, c = yy + ny together in the labels, and N_T in all.
    Here E = 5 · 7 / 21 and (3 - 5/3) / (6 - 5/3):

    >>> adjusted_rand([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.307692
    """
    by_chance = p.truth * p.labels
    return p.share(2 * (p.total * p.yy - by_chance), p.total * (p.truth + p.labels) - 2 * by_chance)


@external_index(
    aliases=("adjusted_wallace",),
    best=highest,
    bounds=(-inf, 1),
    reference="severiano2011",
    symmetric=False,
    undefined="the truth puts no two points together, or the labels put all together",
)
def adjusted_wallace_from_truth(p: PairCounts) -> float:
    r"""Share of the pairs together in the truth that are together in the labels, above chance.

    .. math:: \frac{W - W_i}{1 - W_i}, \quad W = \frac{yy}{yy + yn}, \quad W_i = \frac{yy + ny}{N_T}

    Here W = 3/5 and by chance 7/21:

    >>> adjusted_wallace_from_truth([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.4
    """
    return p.share(p.total * p.yy - p.truth * p.labels, p.truth * (p.total - p.labels))


@external_index(
    best=highest,
    bounds=(-inf, 1),
    reference="severiano2011",
    symmetric=False,
    undefined="the labels put no two points together, or the truth puts all together",
)
def adjusted_wallace_from_labels(p: PairCounts) -> float:
    r"""Share of the pairs together in the labels that are together in the truth, above chance.

    .. math:: \frac{W - W_i}{1 - W_i}, \quad W = \frac{yy}{yy + ny}, \quad W_i = \frac{yy + yn}{N_T}

    Here W = 3/7 and by chance 5/21:

    >>> adjusted_wallace_from_labels([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.25
    """
    return p.share(p.total * p.yy - p.truth * p.labels, p.labels * (p.total - p.truth))


@external_index(
    aliases=("ami", "adjusted_mutual_info_score", "adjusted_mutual_information"),
    best=highest,
    bounds=(-inf, 1),
    reference="vinh2010, sec. 4",
    symmetric=True,
)
def adjusted_mutual_info(
    info: Information, expected: ExpectedInformation, *, average: Annotated[str, OneOf(*AVERAGES)] = "arithmetic"
) -> float:
    r"""Information that the labellings share above chance, as a share of the most that could be above chance.

    .. math:: \frac{I - E(I)}{\mathrm{average}(H(T), H(C)) - E(I)}

    with the mean E of I over all labellings with these sizes; `average` is "arithmetic", "geometric", "min" or
    "max". Identical labellings have 1; others of which one is a single cluster, or all singletons, have 0, because
    all labellings of these sizes share the same.

    Here I = 1 bit, H(T) = 1 and H(C) = 3/2. A third of the arrangements share 1 bit and the others 1/2, so that
    E = 2/3 and the value is (1 - 2/3) / (5/4 - 2/3):

    >>> adjusted_mutual_info([0, 0, 1, 1], [0, 0, 1, 2])
    0.571429
    """
    upper = info.average(average)
    if info.identical:
        return 1.0
    if expected.certain:
        return 0.0
    return (info.shared - expected.shared) / (upper - expected.shared)
