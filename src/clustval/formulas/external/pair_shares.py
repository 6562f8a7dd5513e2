"""Agreement of two labellings on pairs of points: which share of the pairs is together, or apart, in both.

In the examples 3 pairs are together in both labellings (yy), 2 in the truth only (yn), 4 in the labels only (ny) and
12 in neither (nn). They differ in how much they make of nn, which is large whenever there are many clusters.
"""

from __future__ import annotations

from math import inf

from clustval.rules import highest, lowest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.pair_counts import PairCounts

NO_PAIR = "one point forms no pair"


@external_index(
    aliases=("ri", "rand_index", "rand_score"),
    best=highest,
    bounds=(0, 1),
    reference="rand1971; desgraupes2017, eq. 133; zaki2014, eq. 17.12; vendramin2010, eq. 51",
    symmetric=True,
    undefined=NO_PAIR,
)
def rand(p: PairCounts) -> float:
    r"""Share of the pairs on which the labellings agree: together in both, or apart in both.

    .. math:: \frac{yy + nn}{yy + yn + ny + nn}

    Here (3 + 12) / 21:

    >>> rand([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.714286
    """
    return p.share(p.yy + p.nn, p.total)


@external_index(
    aliases=("jaccard_index",),
    best=highest,
    bounds=(0, 1),
    reference="jaccard1912; desgraupes2017, eq. 128; zaki2014, eq. 17.11; vendramin2010, eq. 53",
    symmetric=True,
    undefined=NO_PAIR,
)
def jaccard(p: PairCounts) -> float:
    r"""Share of the pairs together in one labelling that are together in both.

    .. math:: \frac{yy}{yy + yn + ny}

    Here 3 / (3 + 2 + 4):

    >>> jaccard([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.333333
    """
    return p.share(p.yy, p.yy + p.yn + p.ny)


@external_index(
    aliases=("dice", "sorensen_dice", "pairwise_f", "pairwise_f1", "f1"),
    best=highest,
    bounds=(0, 1),
    reference="dice1945; desgraupes2017, eqs. 115 and 122",
    symmetric=True,
    undefined=NO_PAIR,
)
def czekanowski_dice(p: PairCounts) -> float:
    r"""Share of the pairs together in both labellings, those together in one counted by half: the pairwise F-measure.

    .. math:: \frac{2 yy}{2 yy + yn + ny}

    It is the harmonic mean of `precision` and `recall`. Here 6 / (6 + 2 + 4):

    >>> czekanowski_dice([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.5
    """
    return p.share(2 * p.yy, 2 * p.yy + p.yn + p.ny)


@external_index(
    aliases=("rogers_tanimoto_index",),
    best=highest,
    bounds=(0, 1),
    reference="rogers1960; desgraupes2017, eq. 134",
    symmetric=True,
    undefined=NO_PAIR,
)
def rogers_tanimoto(p: PairCounts) -> float:
    r"""Share of the pairs on which the labellings agree, each disagreement counted twice.

    .. math:: \frac{yy + nn}{yy + nn + 2 (yn + ny)}

    Here 15 / (15 + 12):

    >>> rogers_tanimoto([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.555556
    """
    return p.share(p.yy + p.nn, p.yy + p.nn + 2 * (p.yn + p.ny))


@external_index(
    aliases=("russel_rao", "hubert_discretized"),
    best=highest,
    bounds=(0, 1),
    reference="russell1940; desgraupes2017, eq. 135; zaki2014, eq. 17.16",
    symmetric=True,
    undefined=NO_PAIR,
)
def russell_rao(p: PairCounts) -> float:
    r"""Share of all pairs that are together in both labellings.

    .. math:: \frac{yy}{yy + yn + ny + nn}

    Zaki and Meira call it the discretized Hubert statistic. It is 1 only if both labellings are one cluster; of
    labellings of one truth, more is better. Here 3 / 21:

    >>> russell_rao([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.142857
    """
    return p.yy / p.total if p.total else float("nan")


@external_index(
    aliases=("sokal_sneath1",),
    best=highest,
    bounds=(0, 1),
    reference="sokal1963; desgraupes2017, eq. 137",
    symmetric=True,
    undefined=NO_PAIR,
)
def sokal_sneath_1(p: PairCounts) -> float:
    r"""Share of the pairs together in one labelling that are together in both, each disagreement counted twice.

    .. math:: \frac{yy}{yy + 2 (yn + ny)}

    Here 3 / (3 + 12):

    >>> sokal_sneath_1([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.2
    """
    return p.share(p.yy, p.yy + 2 * (p.yn + p.ny))


@external_index(
    aliases=("sokal_sneath2",),
    best=highest,
    bounds=(0, 1),
    reference="sokal1963; desgraupes2017, eq. 137",
    symmetric=True,
    undefined=NO_PAIR,
)
def sokal_sneath_2(p: PairCounts) -> float:
    r"""Share of the pairs on which the labellings agree, each disagreement counted by half.

    .. math:: \frac{yy + nn}{yy + nn + (yn + ny) / 2}

    Here 15 / (15 + 3):

    >>> sokal_sneath_2([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.833333
    """
    return p.share(2 * (p.yy + p.nn), 2 * (p.yy + p.nn) + p.yn + p.ny)


@external_index(
    aliases=("mirkin_metric", "equivalence_mismatch"),
    best=lowest,
    bounds=(0, inf),
    reference="mirkin1996; meila2007, sec. 2.1",
    symmetric=True,
)
def mirkin(p: PairCounts) -> float:
    r"""Number of ordered pairs on which the labellings disagree.

    .. math:: \sum_i a_i^2 + \sum_j b_j^2 - 2 \sum_{ij} n_{ij}^2 = 2 (yn + ny)

    with the sizes a and b of the clusters and the counts n they share. Here 2 (2 + 4):

    >>> mirkin([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    12.0
    """
    return float(2 * (p.yn + p.ny))
