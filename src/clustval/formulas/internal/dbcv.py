"""Clusters as dense places with sparse places between them, whatever their shape (DBCV)."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import AtLeast, OneOf
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.density.dbcv import DensitySeparation

Ties = Annotated[str, OneOf("distance", "original")]
Dimensions = Annotated[int, AtLeast(0)]


def validities(d: DensitySeparation) -> Floats:
    """Return for each cluster how much sparser it is around than inside; NaN for clusters of one point."""
    larger = np.maximum(d.sparseness, d.separation)
    return np.where(np.isinf(d.separation), np.nan, (d.separation - d.sparseness) / larger)


@internal_index(
    best=highest,
    bounds=(-1, 1),
    degree=0,
    reference="moulavi2014",
    undefined="fewer than two clusters have more than one point",
    by_cluster=validities,
)
def dbcv(d: DensitySeparation, *, ties: Ties = "distance", squared: bool = True, dim: Dimensions = 0) -> Value:
    r"""Weighted mean, over clusters, of how much sparser it is around each cluster than inside.

    .. math:: \sum_c \frac{n_c}{n} \cdot \frac{\min_b s_{cb} - s_c}{\max(\min_b s_{cb}, s_c)}

    n counts noise as well. Two points reach each other at the largest of their distance (its square, unless `squared`
    is False) and of the core distances of both, the generalised mean of exponent -p of the distances to the others of
    the cluster. s_c is the longest edge between inner points, those with more than one edge, of the minimum spanning
    tree of the cluster, s_cb the smallest reach between inner points of two clusters. Ties are frequent: with
    ``ties="distance"`` the shorter distance comes first, so that the order of rows does not matter; ``"original"``
    grows the tree as the authors' program does, which depends on that order. `dim` is p, for distances without
    coordinates. Here, on a line, {0, 1, 3} and {10, 11, 13} have in squares core distances 2 / (1 + 1/9) = 1.8,
    2 / (1 + 1/4) = 1.6 and 2 / (1/9 + 1/4) = 5.54; both trees have edges 1.8 and 5.54, one inner point, 1 and 11,
    and s = 5.54 inside against 100 between: 1 - 0.0554 for both:

    >>> dbcv([[0], [1], [3], [10], [11], [13]], [0, 0, 0, 1, 1, 1])
    0.94461538
    """
    many = d.sizes > 1
    value = (d.sizes * np.where(many, validities(d), 0.0)).sum(-1) / d.total
    return np.where(many.sum(-1) < 2, np.nan, value)
