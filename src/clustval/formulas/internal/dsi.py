"""Whether distances inside clusters and between them are different distributions (DSI)."""

from __future__ import annotations

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.ranks.dsi import DistanceShift


def shifts(d: DistanceShift) -> Floats:
    """Return for each cluster how far its distances inside and out of it are apart; NaN for a single point."""
    return d.gaps


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="guan2020",
    undefined="a cluster has one point, and no distance inside",
    by_cluster=shifts,
)
def dsi(d: DistanceShift) -> Value:
    r"""Mean, over clusters, of the Kolmogorov-Smirnov distance of the distances inside it and those out of it.

    .. math:: \frac{1}{k} \sum_c \max_x \left| F_c(x) - G_c(x) \right|

    F_c is the share of the distances inside cluster c that are no larger than x, G_c that of the distances from its
    points to all other points. Here {0, 2} has 2 inside and 5, 7, 9, 10; 3, 5, 7, 8 out of it, all larger: 1;
    {5, 7, 9, 10} has 1, 2, 2, 3, 4, 5 inside and the same out of it: at 2 the shares are 3/6 and 0, at 4 they are 5/6
    and 1/8:

    >>> dsi([[0], [2], [5], [7], [9], [10]], [0, 0, 1, 1, 1, 1])
    0.85416667
    """
    return d.gaps.mean(-1)
