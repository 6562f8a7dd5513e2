"""Hennig's statistics of density: whether it falls from the middle of clusters outwards, and is low between them.

The density around a point is h, the sum over all points, itself among them, of max(0, 1 - d/q), over the largest such
sum; q is the quantile of all distances at a tenth, linear between two values.
"""

from __future__ import annotations

import numpy as np

from clustval.declare import Value
from clustval.formulas.internal.hennig_distances import turned
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.density.growth import ClusterGrowth
from clustval.stats.neighbours.near_densities import ForeignDensity
from clustval.stats.pairs.distance_span import Span

TIES = "a tenth of all distances are 0"


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019, sec. 3.6", undefined=TIES)
def hennig_dindex(g: ClusterGrowth) -> Value:
    r"""How far density falls from the mode of each cluster outwards, and does not rise again.

    .. math:: 1 - \sqrt{\frac{1}{n} \sum_c \sum_t \max(0, h_t - h_{p(t)})^2}

    Each cluster grows from its densest point by the point next nearest; p is the point on which that hangs. Of equals
    the first in the input counts, or the point that was taken up first. Here q = 1.4 and h is 1 for 0, 1, 10 and 11 and
    7/9 for the others; {0, 1, 5, 10, 11} grows in this order and rises from 5 to 10: 1 - sqrt((2/9)**2 / 6):

    >>> hennig_dindex([[0], [1], [5], [10], [11], [13]], [0, 0, 0, 0, 0, 1])
    0.90927816
    """
    return turned(np.sqrt(g.rises.sum(-1) / g.n))


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019, sec. 3.6", undefined=TIES)
def hennig_denscut(q: ForeignDensity) -> Value:
    r"""How far the boundaries of clusters run where it is not dense.

    .. math:: 1 - \frac{1}{n} \sum_i h_i h^o_i

    with h^o the part of the density around a point that comes from points of other clusters. Here q = 1.4; 11 has
    density 1, 10 and 12 have 9/11; of these 2/11 comes from the other side of the cut between 10 and 11:
    1 - (9/11 * 2/11 + 1 * 2/11) / 6:

    >>> hennig_denscut([[0], [2], [7], [10], [11], [12]], [0, 0, 0, 0, 1, 1])
    0.94490358
    """
    return turned(q.mean(q.density * q.foreign))


@internal_index(best=highest, bounds=(0, 1), degree=0, reference="hennig2019, sec. 3.6", undefined=TIES)
def hennig_highdgap(g: ClusterGrowth, w: Span) -> Value:
    r"""How small gaps inside clusters are that have dense points behind them.

    .. math:: 1 - \frac{1}{\delta} \max_c \max_t d_t \max_{s \ge t} h_s

    Each cluster grows as for `hennig_dindex`, by steps of length d; a step counts by the density of the densest point
    that comes with it or after it, and delta is the largest distance of all. Here the step from 5 to 10, after which
    density is 1: 1 - 5 / 13:

    >>> hennig_highdgap([[0], [1], [5], [10], [11], [13]], [0, 0, 0, 0, 0, 1])
    0.61538462
    """
    return turned(np.divide(g.gaps.max(-1), w.span))
