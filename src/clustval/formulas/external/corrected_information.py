"""Mutual information less what sizes of clusters alone would give, or in units of its scatter by chance."""

from __future__ import annotations

from math import inf, nan, sqrt

from clustval.rules import highest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.information import ExpectedInformation, Information
from clustval.stats.labels.information_spread import InformationSpread, ReducedInformation


@external_index(
    aliases=("smi", "standardized_mutual_information"),
    best=highest,
    bounds=(-inf, inf),
    reference="romano2014",
    symmetric=True,
    undefined="all labels with these sizes share the same",
)
def standardized_mutual_info(info: Information, expected: ExpectedInformation, spread: InformationSpread) -> float:
    r"""Standard deviations by which the shared information exceeds its mean by chance.

    .. math:: \frac{I - E(I)}{\sqrt{\mathrm{Var}(I)}}

    over all labels with the same sizes of clusters, exactly. It tests whether labellings are related, and has no
    largest value. Large tables of many points take too long and have none.

    Here I = 1 bit. A third of the arrangements share 1 bit and the others 1/2, so that the mean is 2/3 and the variance
    1/18:

    >>> standardized_mutual_info([0, 0, 1, 1], [0, 0, 1, 2])
    1.414214
    """
    if not spread.variance:
        return nan
    return (info.shared - expected.shared) / sqrt(spread.variance)


@external_index(
    aliases=("rmi", "reduced_mutual_information"),
    best=highest,
    bounds=(-inf, 1),
    reference="newman2020",
    symmetric=True,
    undefined="neither labelling tells more about itself than its sizes do",
)
def reduced_mutual_info(r: ReducedInformation, *, raw: bool = False) -> float:
    r"""Information that labellings share, less what names their table, over the mean of each with itself.

    .. math:: \frac{M(T, C)}{\frac{1}{2}(M(T, T) + M(C, C))}, \quad
        M = \frac{1}{n} \log \frac{n! \prod_{ij} n_{ij}!}{\prod_i a_i! \prod_j b_j!} - \frac{\log \Omega(a, b)}{n}

    with the number Ω of tables with the sizes a and b of clusters, by the approximation of the paper, whose logarithm
    is off by 0.2 or less unless clusters are tiny; there it is held at the number of labellings with these sizes.
    Mutual information alone is largest for singletons, which tell nothing. `raw` gives M(T, C) in nats.

    Here the information is log(4! · 2! · 2! / (2! · 2! · 2! · 2!)) = log 6, and the approximation has log Ω = 0.9347,
    where log 3 would be exact:

    >>> reduced_mutual_info([0, 0, 1, 1], [1, 1, 0, 0])
    1.0
    >>> reduced_mutual_info([0, 0, 1, 1], [1, 1, 0, 0], raw=True)
    0.214262
    """
    if raw:
        return r.shared
    if r.identical:
        return 1.0
    whole = (r.truth + r.labels) / 2
    return r.shared / whole if whole > 0 else nan
