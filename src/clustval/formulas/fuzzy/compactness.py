"""How near points are to the centres of their clusters, beside how far these centres are apart.

u is the membership of a point x in a cluster with centre v, d their distance, m the fuzzifier, c the number of
clusters. In the examples m is 2 and the points 0, 2, 5, 8 and 10 on a line belong to the centre 1 by 1, 1, 1/2, 0, 0,
to the centre 9 by the rest: the sums of u² d² are 6 and 6, of u² 2.25 and 2.25, and the mean is 5.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.options import OneOf
from clustval.rules import highest, lowest
from clustval.sources.memberships import fuzzy_index
from clustval.stats.memberships.fuzzy_spread import FuzzySpread
from clustval.stats.memberships.prototypes import Prototypes

COINCIDENT = "points lie in centres, and centres coincide"
Centre = Annotated[str, OneOf("prototypes", "data")]


@fuzzy_index(best=lowest, bounds=(0, inf), degree=0, reference="xie1991", aliases=("xb",), undefined=COINCIDENT)
def fuzzy_xie_beni(s: FuzzySpread, v: Prototypes) -> Value:
    r"""Mean squared distance to centres, by memberships, over the smallest squared distance of two centres.

    .. math:: \frac{\sum_k \sum_i u_{ik}^m d_{ik}^2}{n \min_{k \ne l} \lVert v_k - v_l \rVert^2}

    Xie and Beni have m = 2. Here 12 / (5 · 64):

    >>> fuzzy_xie_beni([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    0.0375
    """
    return np.divide(s.within.sum(), v.n * v.squared_gaps.min())


@fuzzy_index(best=lowest, bounds=(-inf, inf), degree=2, reference="fukuyama1989", aliases=("fs",))
def fukuyama_sugeno(s: FuzzySpread, v: Prototypes, *, centre: Centre = "prototypes") -> Value:
    r"""Squares around centres minus squares of the centres around their mean, both by memberships.

    .. math:: \sum_k \sum_i u_{ik}^m d_{ik}^2 - \sum_k \sum_i u_{ik}^m \lVert v_k - \bar v \rVert^2

    with the mean of the centres; ``centre="data"`` takes that of the points, as many programs do. Here
    12 - 2.25 · 16 - 2.25 · 16:

    >>> fukuyama_sugeno([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    -60.0
    """
    middle = v.mean if centre == "data" else v.middles.mean(axis=0)
    return s.within.sum() - (s.mass * ((v.middles - middle) ** 2).sum(axis=-1)).sum()


@fuzzy_index(best=lowest, bounds=(0, inf), degree=0, reference="kwon1998", undefined=COINCIDENT)
def kwon(s: FuzzySpread, v: Prototypes) -> Value:
    r"""Squares around centres plus those of the centres around the mean, over the smallest square between centres.

    .. math:: \frac{\sum_k \sum_i u_{ik}^2 d_{ik}^2 + \frac{1}{c} \sum_k \lVert v_k - \bar x \rVert^2}
        {\min_{k \ne l} \lVert v_k - v_l \rVert^2}

    The second term grows where clusters are many. Here (12 + 32 / 2) / 64:

    >>> kwon([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    0.4375
    """
    return np.divide(s.within_by_squares.sum() + v.from_mean.mean(), v.squared_gaps.min())


@fuzzy_index(best=lowest, bounds=(0, inf), degree=None, reference="tang2005")
def tang(s: FuzzySpread, v: Prototypes) -> Value:
    r"""Squares around centres plus the mean square between centres, over the smallest of those plus 1/c.

    .. math:: \frac{\sum_k \sum_i u_{ik}^2 d_{ik}^2 + \frac{1}{c (c - 1)} \sum_{k \ne l} \lVert v_k - v_l \rVert^2}
        {\min_{k \ne l} \lVert v_k - v_l \rVert^2 + 1 / c}

    The 1/c keeps it finite where centres coincide, and makes it depend on the unit of X. Here (12 + 64) / (64 + 1/2):

    >>> tang([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    1.1782946
    """
    return (s.within_by_squares.sum() + v.squared_gaps.mean()) / (v.squared_gaps.min() + 1 / v.k)


@fuzzy_index(best=highest, bounds=(0, inf), degree=2, reference="pakhira2004")
def pbmf(s: FuzzySpread, v: Prototypes) -> Value:
    r"""Distances to the mean times the largest distance of two centres, over c times the distances to centres, squared.

    .. math:: \Bigl( \frac{1}{c} \cdot \frac{\sum_i \lVert x_i - \bar x \rVert}{\sum_k \sum_i u_{ik}^m d_{ik}}
        \cdot \max_{k, l} \lVert v_k - v_l \rVert \Bigr)^2

    Unverified: no second program agrees; UniversalCVI takes u for u**m, no square and another first sum. Here the sums
    are 16 and 6, so that it is (16 / (2 · 6) · 8)²:

    >>> pbmf([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    113.777778
    """
    root = np.divide(s.away, v.k * s.distances.sum()) * np.sqrt(v.squared_gaps.max())
    return root * root


@fuzzy_index(best=highest, bounds=(-inf, inf), degree=0, reference="wu2005", undefined="all centres coincide")
def pcaes(s: FuzzySpread, v: Prototypes) -> Value:
    r"""Sum over clusters of how sharp each is, beside the least sharp one, minus how near the nearest other one is.

    .. math:: \sum_k \Bigl( \frac{\sum_i u_{ik}^2}{\min_l \sum_i u_{il}^2}
        - \exp\bigl(-\min_{l \ne k} \lVert v_k - v_l \rVert^2 / \beta\bigr) \Bigr),
        \quad \beta = \frac{1}{c} \sum_l \lVert v_l - \bar x \rVert^2

    Unverified: no second program agrees. Here both clusters are as sharp, and β is 16: 2 (1 - exp(-64 / 16)):

    >>> pcaes([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    1.9633687
    """
    sharpness = s.square_sizes / s.square_sizes.min()
    return (sharpness - np.exp(-np.divide(v.nearest_gaps, v.from_mean.mean()))).sum()


@fuzzy_index(best=lowest, bounds=(0, inf), degree=0, reference="wu2015", undefined=COINCIDENT, aliases=("wli",))
def wu_li(s: FuzzySpread, v: Prototypes) -> Value:
    r"""Sum of the mean squares around centres, over the smallest plus the median square between two centres.

    .. math:: \frac{\sum_k \bigl(\sum_i u_{ik}^2 d_{ik}^2 / \sum_i u_{ik}\bigr)}
        {\min_{k < l} \lVert v_k - v_l \rVert^2 + \mathrm{median}_{k < l} \lVert v_k - v_l \rVert^2}

    Here (6 / 2.5 + 6 / 2.5) / (64 + 64):

    >>> wu_li([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    0.0375
    """
    compact = (s.within_by_squares / s.sizes).sum()
    return np.divide(compact, v.squared_gaps.min() + np.median(v.squared_gaps))


@fuzzy_index(
    best=highest,
    bounds=(0, inf),
    degree=0,
    reference="calinski1974, with memberships",
    aliases=("fuzzy_ch",),
    undefined="there are fewer points than clusters, or it is 0/0",
)
def fuzzy_calinski_harabasz(s: FuzzySpread, v: Prototypes) -> Value:
    r"""Variance of the centres around the mean over variance of the points around centres, by memberships.

    .. math:: \frac{\sum_k \sum_i u_{ik}^m \lVert v_k - \bar x \rVert^2 / (c - 1)}
        {\sum_k \sum_i u_{ik}^m d_{ik}^2 / (n - c)}

    It is the index of Calinski and Harabasz where each point is in one cluster. Here (72 / 1) / (12 / 3):

    >>> X, U = [[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]]
    >>> fuzzy_calinski_harabasz(X, U, centres=[[1], [9]])
    18.0
    """
    if v.n < v.k:
        return np.nan
    between = (s.mass * v.from_mean).sum() / (v.k - 1)
    return np.divide(between * (v.n - v.k), s.within.sum())


@fuzzy_index(best=highest, bounds=(0, inf), degree=0, reference="bouguessa2006", aliases=("bws",))
def bouguessa_wang_sun(s: FuzzySpread, v: Prototypes) -> Value:
    r"""Squares of the centres around the mean over the sum of the variances of the clusters, by memberships.

    .. math:: \frac{\sum_k \sum_i u_{ik}^m \lVert v_k - \bar x \rVert^2}{\sum_k \mathrm{tr}(F_k)},
        \quad \mathrm{tr}(F_k) = \frac{\sum_i u_{ik}^m d_{ik}^2}{\sum_i u_{ik}^m}

    Unverified: no second program agrees. Here 72 / (6 / 2.25 + 6 / 2.25):

    >>> bouguessa_wang_sun([[0], [2], [5], [8], [10]], [[1, 0], [1, 0], [0.5, 0.5], [0, 1], [0, 1]], centres=[[1], [9]])
    13.5
    """
    return np.divide((s.mass * v.from_mean).sum(), (s.within / s.mass).sum())
