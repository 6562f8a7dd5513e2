"""Entropies of two labellings, what they share and what they do not, in nats or to any base.

In the examples the truth has clusters of 4, 2 and 2 points and the labels two of 4: the first is the same, the second
joins the other two.
"""

from __future__ import annotations

from math import e, inf, log, nan
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from clustval.options import Base, OneOf
from clustval.rules import descriptive, highest, lowest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.information import Information, in_base


@external_index(
    aliases=("entropy_truth",),
    best=descriptive,
    bounds=(0, inf),
    reference="shannon1948; zaki2014, sec. 17.1.2",
    symmetric=False,
)
def truth_entropy(info: Information, *, base: Base = e) -> float:
    r"""Entropy of the truth: uncertainty about the class of a point drawn at random.

    .. math:: H(T) = -\sum_j \frac{m_j}{n} \log \frac{m_j}{n}

    Here 1/2 · 1 + 1/4 · 2 + 1/4 · 2 bits:

    >>> truth_entropy([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1], base=2)
    1.5
    """
    return in_base(info.truth, base)


@external_index(
    aliases=("entropy_labels", "entropy"),
    best=descriptive,
    bounds=(0, inf),
    reference="shannon1948; zaki2014, sec. 17.1.2",
    symmetric=False,
)
def labels_entropy(info: Information, *, base: Base = e) -> float:
    r"""Entropy of the labels: uncertainty about the cluster of a point drawn at random.

    .. math:: H(C) = -\sum_i \frac{n_i}{n} \log \frac{n_i}{n}

    Here 1/2 · 1 + 1/2 · 1 bits:

    >>> labels_entropy([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1], base=2)
    1.0
    """
    return in_base(info.labels, base)


@external_index(
    aliases=("entropy_joint",),
    best=descriptive,
    bounds=(0, inf),
    reference="shannon1948; zaki2014, eq. 17.3",
    symmetric=True,
)
def joint_entropy(info: Information, *, base: Base = e) -> float:
    r"""Entropy of both labellings together.

    .. math:: H(C, T) = -\sum_{ij} \frac{n_{ij}}{n} \log \frac{n_{ij}}{n}

    Here the same as that of the truth, which is finer:

    >>> joint_entropy([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1], base=2)
    1.5
    """
    return in_base(info.joint, base)


def entropy_by_cluster(t: Contingency, *, base: Base = e) -> NDArray[np.float64]:
    """H(T|C_i) of each cluster of the labels."""
    share = t.counts / t.column_sizes[t.columns]
    open_ = np.bincount(t.columns, weights=-share * np.log(share), minlength=t.k)
    return np.asarray(open_, dtype=np.float64) / log(base)


@external_index(
    aliases=("truth_entropy_given_labels",),
    best=lowest,
    bounds=(0, inf),
    reference="zaki2014, eq. 17.2",
    symmetric=False,
    by_cluster=entropy_by_cluster,
)
def conditional_entropy(info: Information, *, base: Base = e) -> float:
    r"""Entropy of the truth that remains when the labels are known.

    .. math:: H(T|C) = -\sum_{ij} \frac{n_{ij}}{n} \log \frac{n_{ij}}{n_i}

    Here half of the points have a label that leaves two clusters of equal size open:

    >>> conditional_entropy([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1], base=2)
    0.5
    """
    return in_base(info.truth_given_labels, base)


@external_index(
    aliases=("conditional_entropy_of_labels",),
    best=lowest,
    bounds=(0, inf),
    reference="zaki2014, sec. 17.1.2",
    symmetric=False,
)
def labels_entropy_given_truth(info: Information, *, base: Base = e) -> float:
    r"""Entropy of the labels that remains when the truth is known.

    .. math:: H(C|T) = -\sum_{ij} \frac{n_{ij}}{n} \log \frac{n_{ij}}{m_j}

    Here the cluster of a point in the truth tells its label:

    >>> labels_entropy_given_truth([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1], base=2)
    0.0
    """
    return in_base(info.labels_given_truth, base)


@external_index(
    aliases=("mi", "mutual_information", "mutual_info_score"),
    best=highest,
    bounds=(0, inf),
    reference="shannon1948; zaki2014, eq. 17.4",
    symmetric=True,
)
def mutual_info(info: Information, *, base: Base = e) -> float:
    r"""Entropy that the labellings share: how much less uncertain one is when the other is known.

    .. math:: I(C, T) = \sum_{ij} \frac{n_{ij}}{n} \log \frac{n\, n_{ij}}{n_i m_j}

    Here H(T) - H(T|C) = 3/2 - 1/2 bits:

    >>> mutual_info([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1], base=2)
    1.0
    """
    return in_base(info.shared, base)


@external_index(
    aliases=("vi",),
    best=lowest,
    bounds=(0, inf),
    reference="meila2007; zaki2014, eq. 17.5",
    symmetric=True,
)
def variation_of_information(info: Information, *, base: Base = e) -> float:
    r"""Entropy that the two labellings do not share: a distance between them.

    .. math:: H(T|C) + H(C|T)

    Here 1/2 + 0 bits:

    >>> variation_of_information([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1], base=2)
    0.5
    """
    return in_base(info.variation, base)


@external_index(
    aliases=("nvi", "normalized_variation_of_information"),
    best=lowest,
    bounds=(0, 1),
    reference="vinh2010, table 3; meila2007, sec. 5",
    symmetric=True,
    undefined="the points weigh no more than one in all, so that log n is not above 0",
)
def normalized_vi(t: Contingency, info: Information, *, by: Annotated[str, OneOf("joint", "log_n")] = "joint") -> float:
    r"""Share of the joint entropy that the labellings do not share.

    .. math:: \frac{H(T|C) + H(C|T)}{H(C, T)}

    With ``by="log_n"`` it is divided by the largest value that n points allow, log n, instead. Identical labellings
    have 0. Here 1/2 of 3/2 bits:

    >>> normalized_vi([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1])
    0.333333
    """
    if info.identical:
        return 0.0
    most = info.joint if by == "joint" else log(t.n)
    return info.variation / most if most > 0 else nan
