"""Precision and recall of pairs: those together in the truth are relevant, those together in the labels retrieved.

In the examples 3 pairs are together in both labellings (yy), 2 in the truth only (yn), 4 in the labels only (ny).
"""

from __future__ import annotations

import math
from typing import Annotated

from clustval.options import Above
from clustval.rules import highest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.pair_counts import PairCounts

HEAVIEST = 2.0**500  # a larger alpha changes no digit, and products with it overflow
EITHER = "the truth or the labels put no two points together"


@external_index(
    aliases=("pairwise_precision", "wallace_from_labels"),
    best=highest,
    bounds=(0, 1),
    reference="wallace1983; desgraupes2017, eq. 112",
    symmetric=False,
    undefined="the labels put no two points together",
)
def precision(p: PairCounts) -> float:
    r"""Of the pairs together in the labels, the share together in the truth.

    .. math:: \frac{yy}{yy + ny}

    Wallace's coefficient from the labels to the truth. Here 3 / 7:

    >>> precision([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.428571
    """
    return p.share(p.yy, p.labels)


@external_index(
    aliases=("pairwise_recall", "wallace", "wallace_from_truth"),
    best=highest,
    bounds=(0, 1),
    reference="wallace1983; desgraupes2017, eq. 113",
    symmetric=False,
    undefined="the truth puts no two points together",
)
def recall(p: PairCounts) -> float:
    r"""Of the pairs together in the truth, the share together in the labels.

    .. math:: \frac{yy}{yy + yn}

    Wallace's coefficient from the truth to the labels. Here 3 / 5:

    >>> recall([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.6
    """
    return p.share(p.yy, p.truth)


@external_index(
    aliases=("kulczynski_index",),
    best=highest,
    bounds=(0, 1),
    reference="kulczynski1927; desgraupes2017, eq. 129",
    symmetric=True,
    undefined=EITHER,
)
def kulczynski(p: PairCounts) -> float:
    r"""Arithmetic mean of pairwise precision and recall.

    .. math:: \frac{1}{2} \left(\frac{yy}{yy + ny} + \frac{yy}{yy + yn}\right)

    Here (3/7 + 3/5) / 2:

    >>> kulczynski([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.514286
    """
    return (p.share(p.yy, p.labels) + p.share(p.yy, p.truth)) / 2


@external_index(
    aliases=("fm", "fmi", "folkes_mallows", "fowlkes_mallows_score", "ochiai"),
    best=highest,
    bounds=(0, 1),
    reference="fowlkes1983; desgraupes2017, eq. 124; zaki2014, eq. 17.13",
    symmetric=True,
    undefined=EITHER,
)
def fowlkes_mallows(p: PairCounts) -> float:
    r"""Geometric mean of pairwise precision and recall.

    .. math:: \frac{yy}{\sqrt{(yy + yn)(yy + ny)}}

    Here 3 over the root of 5 times 7:

    >>> fowlkes_mallows([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3])
    0.507093
    """
    # One exact quotient under the root: the product of two counts of pairs has more digits than a float.
    return math.sqrt(p.share(p.yy**2, p.truth * p.labels))


@external_index(
    aliases=("pairwise_f_alpha",),
    best=highest,
    bounds=(0, 1),
    reference="rijsbergen1979; desgraupes2017, eq. 116",
    symmetric=False,
    undefined="one point forms no pair",
)
def f_alpha(p: PairCounts, *, alpha: Annotated[float, Above(0)] = 1.0) -> float:
    r"""Harmonic mean of pairwise precision and recall, recall weighing alpha times as much.

    .. math:: \frac{(1 + \alpha) P R}{\alpha P + R} = \frac{(1 + \alpha) yy}{(1 + \alpha) yy + \alpha\, yn + ny}

    0 where no pair is together in both. Here 3 · 3 / (3 · 3 + 2 · 2 + 4) with alpha = 2:

    >>> f_alpha([1, 1, 1, 2, 2, 3, 3], [1, 1, 2, 1, 1, 3, 3], alpha=2)
    0.529412
    """
    if p.total == 0 or p.identical:
        return 1.0 if p.total else math.nan
    alpha = min(alpha, HEAVIEST)
    together = (1 + alpha) * p.yy
    return together / (together + alpha * p.yn + p.ny)
