"""Information that two labellings share, as a share of what there is.

In the examples the truth has clusters of 4, 2 and 2 points and the labels join the last two: H(T) is 3/2 bits, H(C) and
the shared information 1 bit.
"""

from __future__ import annotations

from typing import Annotated

from clustval.options import AtLeast, OneOf
from clustval.rules import highest, lowest
from clustval.sources.label_pair import external_index
from clustval.stats.labels.information import AVERAGES, Information


@external_index(
    aliases=("nmi", "normalized_mutual_info_score", "normalized_mutual_information"),
    best=highest,
    bounds=(0, 1),
    reference="strehl2002, eq. 2; vinh2010, table 2; zaki2014, sec. 17.1.2",
    symmetric=True,
)
def normalized_mutual_info(
    info: Information, *, average: Annotated[str, OneOf(*AVERAGES, "joint")] = "arithmetic"
) -> float:
    r"""Information that the labellings share, over an average of their entropies.

    .. math:: \frac{I(C, T)}{\mathrm{average}(H(T), H(C))}

    `average` is "arithmetic", "geometric", "min", "max", or "joint" for H(C, T). Identical labellings have 1; others
    that share nothing have 0, also where one is a single cluster and the average is 0. Here 1 / (5/4):

    >>> normalized_mutual_info([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1])
    0.8
    """
    if info.identical:
        return 1.0
    if info.shared == 0:
        return 0.0
    return min(1.0, info.shared / (info.joint if average == "joint" else info.average(average)))


@external_index(
    aliases=("nid",),
    best=lowest,
    bounds=(0, 1),
    reference="vinh2010, table 3; kraskov2005",
    symmetric=True,
)
def normalized_information_distance(info: Information) -> float:
    r"""Largest entropy that one labelling leaves open about the other, as a share of the larger entropy.

    .. math:: \frac{\max(H(T|C), H(C|T))}{\max(H(T), H(C))} = 1 - \frac{I(C, T)}{\max(H(T), H(C))}

    It is a metric of labellings, 0 only for the same one. Here (1/2) / (3/2):

    >>> normalized_information_distance([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1])
    0.333333
    """
    if info.identical:
        return 0.0
    return min(1.0, max(info.truth_given_labels, info.labels_given_truth) / max(info.truth, info.labels))


@external_index(
    aliases=("homogeneity_score",),
    best=highest,
    bounds=(0, 1),
    reference="rosenberg2007, eq. 1",
    symmetric=False,
)
def homogeneity(info: Information) -> float:
    r"""Share of the entropy of the truth that the labels explain: 1 if every cluster is of one class.

    .. math:: 1 - \frac{H(T|C)}{H(T)}

    By its definition 1 where H(T) is 0. Here 1 - (1/2) / (3/2):

    >>> homogeneity([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1])
    0.666667
    """
    return _explained(info.truth_given_labels, info.truth)


@external_index(
    aliases=("completeness_score",),
    best=highest,
    bounds=(0, 1),
    reference="rosenberg2007, eq. 2",
    symmetric=False,
)
def completeness(info: Information) -> float:
    r"""Share of the entropy of the labels that the truth explains: 1 if every class is in one cluster.

    .. math:: 1 - \frac{H(C|T)}{H(C)}

    By its definition 1 where H(C) is 0. Here every class is in one cluster:

    >>> completeness([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1])
    1.0
    """
    return _explained(info.labels_given_truth, info.labels)


def _explained(left_open: float, entropy: float) -> float:
    return max(0.0, 1 - left_open / entropy) if entropy else 1.0


@external_index(
    aliases=("v_measure_score",),
    best=highest,
    bounds=(0, 1),
    reference="rosenberg2007, eq. 3",
    symmetric=False,
)
def v_measure(info: Information, *, beta: Annotated[float, AtLeast(0)] = 1.0) -> float:
    r"""Harmonic mean of homogeneity and completeness, completeness weighing beta times as much.

    .. math:: \frac{(1 + \beta) h c}{\beta h + c}

    0 where both are 0. Here 2 · 2/3 / (2/3 + 1):

    >>> v_measure([0, 0, 0, 0, 1, 1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1])
    0.8
    """
    h, c = _explained(info.truth_given_labels, info.truth), _explained(info.labels_given_truth, info.labels)
    return (1 + beta) * h * c / (beta * h + c) if beta * h + c else 0.0
