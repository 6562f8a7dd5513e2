"""How mixed the neighbours of points are, beside how wide clusters are, both scaled by a sweep."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.formulas.internal.nested_splits import mean_within
from clustval.options import AtLeast
from clustval.rules import lowest
from clustval.sources.sweep_curves import Curve, sweep_index
from clustval.stats.neighbours.nearest import NeighbourMatch
from clustval.stats.pairs.pair_distances import PairSums


def separation(m: NeighbourMatch, *, neighbours: Annotated[int, AtLeast(1)] = 10) -> Value:
    """Return the largest mean share, over clusters, of the nearest points that are in other clusters."""
    return m.mean_by_cluster((~m.own).mean(-1)).max(-1)


def compactness(s: PairSums) -> Value:
    """Return the sum over clusters of the mean distance inside; 0 for a single point."""
    return np.divide(s.within_by_cluster, np.maximum(s.pairs_by_cluster, 1)).sum(-1)


@sweep_index(
    best=lowest,
    bounds=(0, 2),
    degree=0,
    reference="liu2013",
    undefined="the points of each cluster are all equal, in every partition",
)
def cvnn(
    summed: Annotated[Floats, Curve(compactness)],
    mean: Annotated[Floats, Curve(mean_within)],
    separation: Annotated[Floats, Curve(separation)],
    *,
    neighbours: Annotated[int, AtLeast(1)] = 10,
    pooled: bool = False,
) -> Floats:
    r"""How mixed the neighbours of points are plus how wide clusters are, each over its largest value of the sweep.

    .. math:: \frac{Sep_k}{\max_j Sep_j} + \frac{Com_k}{\max_j Com_j}

    Sep is the largest mean share, over clusters, of the nearest points that are in other clusters; Com the sum over
    clusters of the mean distance inside, or if `pooled` the mean of all distances inside clusters, which does not grow
    with the number of clusters. Where Sep is 0 in all partitions, its term is 0. Here {0, 2} and {7, 10, 11, 12} have
    Sep = 1/2 and Com = 2 + 16/6, and {0, 2}, {7} and {10, 11, 12} have Sep = 1 and Com = 2 + 0 + 4/3:

    >>> from clustval import sweep
    >>> X = [[0], [2], [7], [10], [11], [12]]
    >>> partitions = [[0, 0, 1, 1, 1, 1], [0, 0, 1, 2, 2, 2]]
    >>> sweep(X, partitions, {"cvnn": {"neighbours": 2}})["cvnn"]
    array([1.5       , 1.71428571])
    """
    widths = mean if pooled else summed
    most = np.fmax.reduce(separation)
    return np.where(most > 0, separation / most, 0 * separation) + widths / np.fmax.reduce(widths)
