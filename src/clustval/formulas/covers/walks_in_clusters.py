"""Agreement seen from each point, by random walks along clusters that overlap."""

from __future__ import annotations

from typing import Annotated

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import Between
from clustval.rules import highest
from clustval.sources.cover_pair import cover_index
from clustval.stats.covers.cluster_walks import ClusterWalks

Alpha = Annotated[float, Between(0, 1)]


def similarity(w: ClusterWalks, *, alpha: Alpha = 0.9) -> Floats:
    """Return how alike both covers are to each kind of points."""
    return w.similarity


@cover_index(best=highest, bounds=(0, 1), reference="gates2019", symmetric=True, points=similarity)
def element_centric_overlap(w: ClusterWalks, *, alpha: Alpha = 0.9) -> Value:
    r"""Mean over points of how alike the points are that random walks from it visit, by the clusters of each cover.

    .. math:: \frac{1}{n} \sum_i \Bigl(1 - \frac{1}{2 \alpha} \sum_j |p_{ij} - q_{ij}|\Bigr)

    A walk goes on with probability alpha, from a point to one of its clusters and on to one of its points, each equally
    likely, and jumps back to its start else; p and q are the shares of its time that it spends in each point. It is
    `element_centric` of labels, whatever alpha is, where clusters do not overlap. Here the walks of B from 0 stay in
    {0} and those of A are in 1 and in 0 alike, so that both points have 1 - 1/2:

    >>> element_centric_overlap([{0, 1}], [{0}, {1}])
    0.5
    """
    return float((w.similarity * w.counts).sum() / w.counts.sum())
