"""Gaps between the dense parts of clusters, beside the longest step inside them (DCSI)."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from clustval.declare import Value
from clustval.options import AtLeast, OneOf
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.density.dcsi import CoreSeparation

Points = Annotated[int, AtLeast(1)]
Combine = Annotated[str, OneOf("mean", "global")]


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="gauss2023",
    undefined="a cluster has no more than twice min_points points, or the dense points of two clusters are all equal",
)
def dcsi(s: CoreSeparation, *, min_points: Points = 5, combine: Combine = "mean") -> Value:
    r"""Mean, over pairs of clusters, of the gap between their core points as a share of gap and longest step inside.

    .. math:: \frac{2}{k (k - 1)} \sum_{a < b} \frac{q_{ab}}{1 + q_{ab}}, \quad
              q_{ab} = \frac{\mathrm{Sep}_{ab}}{\max(\mathrm{Conn}_a, \mathrm{Conn}_b)}

    A core point has its `min_points`-th nearest point of the cluster no farther than the median, over the cluster, of
    the distance to the one twice as far down the list. Sep is the smallest distance between core points of two
    clusters, Conn the longest edge of the spanning tree of those of one. With ``combine="global"`` the smallest Sep
    and the largest Conn of all clusters make one ratio. Undefined if a cluster has no more than twice `min_points`
    points. Here, with one point, {0, 1, 3, 4, 9} has second neighbours at 3, 2, 2, 3 and 6, so that those with a
    first at no more than the median 3 are the core 0, 1, 3, 4, with steps of 1, 2 and 1; of {20, 22, 23} it is all,
    with steps of 2 and 1; and the cores are 16 apart: q = 16 / 2:

    >>> dcsi([[0], [1], [3], [4], [9], [20], [22], [23]], [0, 0, 0, 0, 0, 1, 1, 1], min_points=1)
    0.88888889
    """
    above = np.triu_indices(s.sizes.shape[-1], 1)
    if combine == "global":
        return share(s.gaps[..., above[0], above[1]].min(-1), s.edges.max(-1))
    edges = np.maximum(s.edges[..., above[0]], s.edges[..., above[1]])
    return share(s.gaps[..., above[0], above[1]], edges).mean(-1)


def share(gap: Value, edge: Value) -> Value:
    """Return q / (1 + q) of q = gap / edge, which is 1 where q is infinite."""
    return np.divide(gap, gap + edge)
