"""Distances as a classifier: a small one says that two points share a cluster."""

from __future__ import annotations

from clustval.declare import Value
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.ranks.rank_concordance import Concordance


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="jaskowiak2022")
def aucc(c: Concordance) -> Value:
    r"""Area under the ROC curve of distances that tell whether two points share a cluster.

    .. math:: \frac{s^+ + t / 2}{s^+ + s^- + t}

    with s+ the comparisons of a distance within a cluster and one between clusters in which that within is smaller, s-
    larger, and t equal. It is 0.5 where distances tell nothing, and (1 + gamma (1 - share of ties)) / 2 with Baker
    and Hubert's gamma. Here, for {0, 7}, {2} and {10, 11, 12}, of the 4 * 11 comparisons 38 agree, 5 do not, and one
    is a tie: 38.5 / 44:

    >>> aucc([[0], [2], [7], [10], [11], [12]], [0, 1, 0, 2, 2, 2])
    0.875
    """
    return (2 * c.plus + c.ties) / (2 * (c.plus + c.minus + c.ties))
