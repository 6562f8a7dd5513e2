"""Two labellings as two variables on the pairs of points, 1 where a pair is together and 0 where it is apart.

In the examples 3 pairs are together in both labellings (yy), 2 in the truth only (yn), 4 in the labels only (ny) and
12 in neither (nn).
"""

from __future__ import annotations

import math
from math import inf

from clustval.rules import highest, nearest_zero
from clustval.sources.label_pair import external_index
from clustval.stats.labels.pair_counts import PairCounts

CONSTANT = "the truth or the labels put all points together, or no two"


@external_index(
    aliases=("phi", "hubert_normalized", "pair_correlation", "katz_powell", "pairwise_mcc"),
    best=highest,
    bounds=(-1, 1),
    reference="hubert1985; desgraupes2017, eq. 127; zaki2014, eq. 17.21",
    symmetric=True,
    undefined=CONSTANT,
)
def hubert(p: PairCounts) -> float:
    r"""Correlation, over pairs of points, of being together in the truth with being together in the labels.

    .. math:: \frac{yy\, nn - yn\, ny}{\sqrt{(yy + yn)(yy + ny)(nn + yn)(nn + ny)}}

    Hubert's normalised statistic, and the phi coefficient: the printed phi of clusterCrit, which lacks the root, is
    `phi_without_root`. Here (3 · 12 - 2 · 4) over the root of 5 · 7 · 14 · 16:

    >>> hubert([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.316228
    """
    covariance = p.yy * p.nn - p.yn * p.ny
    spreads = _spreads(p)
    # Squares of whole numbers divide exactly; the products exceed 64 bits from a few hundred points on.
    return math.copysign(math.sqrt(covariance**2 / spreads), covariance) if spreads else math.nan


@external_index(
    best=highest,
    bounds=(-1, 1),
    reference="desgraupes2017, eq. 132",
    symmetric=True,
    undefined=CONSTANT,
)
def phi_without_root(p: PairCounts) -> float:
    r"""Covariance of being together, over the product of the variances: phi as clusterCrit prints it.

    .. math:: \frac{yy\, nn - yn\, ny}{(yy + yn)(yy + ny)(nn + yn)(nn + ny)}

    Without the root it shrinks as the fourth power of the number of points; `hubert` is the coefficient meant.
    Here (3 · 12 - 2 · 4) / (5 · 7 · 14 · 16):

    >>> phi_without_root([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.003571
    """
    spreads = _spreads(p)
    return (p.yy * p.nn - p.yn * p.ny) / spreads if spreads else math.nan


def _spreads(p: PairCounts) -> int:
    return p.truth * p.labels * (p.nn + p.yn) * (p.nn + p.ny)


@external_index(
    aliases=("mcnemar_index",),
    best=nearest_zero,
    bounds=(-inf, inf),
    reference="mcnemar1947; desgraupes2017, eq. 131",
    symmetric=False,
    undefined="one point forms no pair",
)
def mcnemar(p: PairCounts) -> float:
    r"""How many more pairs are together in the truth only than in the labels only, in standard deviations.

    .. math:: \frac{yn - ny}{\sqrt{yn + ny}}

    Above 0 the labels split too much, below 0 they join too much, at 0 they do both alike (or neither: identical
    labellings have 0). Pairs that share a point are not independent, so that this is no test. Here -2 over the root
    of 6:

    >>> mcnemar([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    -0.816497
    """
    if p.yn == p.ny == 0:
        return 0.0 if p.total else math.nan
    return (p.yn - p.ny) / math.sqrt(p.yn + p.ny)
