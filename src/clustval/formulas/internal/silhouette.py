"""Silhouettes: how much nearer each point is to its own cluster than to the nearest other one.

a is the distance of a point to its own cluster, b to the nearest other one; a point alone in its cluster has
silhouette 0, and so has one that is equally near to both. In the examples, the points {0, 2}, {7} and
{10, 11, 12} on a line have mean distances a = 2, 2; -; 1.5, 1, 1.5 and b = 7, 5; 4; 3, 4, 5.
"""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.options import Above
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.centres.centre_contrast import CentreContrast, CentreRatio, ClusterContrast, ClusterRatio, contrasts
from clustval.stats.centres.radii import Radii
from clustval.stats.pairs.pair_distances import PointMeans

EQUAL = "every point is at distance 0 from its own and from another cluster"
Epsilon = Annotated[float, Above(0)]


def contrast(a: Floats, b: Floats, alone: NDArray[np.bool_]) -> Floats:
    """Return (b - a) / max(a, b) for each point: 0 for points that are alone or equally near."""
    values = contrasts(a, b, alone)
    apart = a.any(-1, keepdims=True) | b.any(-1, keepdims=True)
    return values if apart.all() else np.where(apart | alone.all(-1, keepdims=True), values, np.nan)


def widths(q: PointMeans) -> Floats:
    """Return the silhouette of each point."""
    return contrast(q.within, q.nearest, q.alone)


def neighbours(q: PointMeans) -> NDArray[np.int64]:
    """Return the other cluster that is nearest to each point on average."""
    return q.neighbour


def width_by_cluster(c: ClusterContrast) -> Floats:
    """Return the mean silhouette of each cluster."""
    return c.means


@internal_index(
    aliases=("swc", "silhouette_width"),
    best=highest,
    bounds=(-1, 1),
    degree=0,
    reference="rousseeuw1987, eq. 2",
    undefined=EQUAL,
    clusters=(2, 0),
    points=widths,
    neighbours=neighbours,
    by_cluster=width_by_cluster,
)
def silhouette(c: ClusterContrast) -> Value:
    r"""Mean, over points, of how much nearer each is to its own cluster than to the nearest other cluster.

    .. math:: \frac{1}{n} \sum_i \frac{b_i - a_i}{\max(a_i, b_i)}

    with a the mean distance to the other points of the own cluster and b the smallest mean distance to another
    cluster. Here (5/7 + 3/5 + 0 + 1/2 + 3/4 + 7/10) / 6:

    >>> silhouette([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.54404762
    """
    return c.mean


@internal_index(
    best=highest,
    bounds=(-1, 1),
    degree=0,
    reference="desgraupes2017, eq. 94",
    undefined=EQUAL,
    clusters=(2, 0),
    points=widths,
    neighbours=neighbours,
    by_cluster=width_by_cluster,
)
def silhouette_by_cluster(c: ClusterContrast) -> Value:
    r"""Mean, over clusters, of the mean silhouette of their points.

    .. math:: \frac{1}{k} \sum_c \frac{1}{n_c} \sum_{i \in c} s_i

    Small clusters weigh as much as large ones. Here (46/70 + 0 + 1.95/3) / 3:

    >>> silhouette_by_cluster([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.43571429
    """
    return c.means.mean(-1)


def ratios(a: Floats, b: Floats, alone: NDArray[np.bool_], epsilon: float) -> Floats:
    """Return b / (a + epsilon) for each point, 0 for points that are alone."""
    return np.where(alone, 0.0, b / (a + epsilon))


def alternative_widths(q: PointMeans, *, epsilon: Epsilon = 1e-6) -> Floats:
    """Return the alternative silhouette of each point."""
    return ratios(q.within, q.nearest, q.alone, epsilon)


@internal_index(
    aliases=("aswc",),
    best=highest,
    bounds=(0, inf),
    degree=None,
    reference="hruschka2004, eq. 20 of vendramin2010",
    clusters=(2, 0),
    points=alternative_widths,
    neighbours=neighbours,
)
def alternative_silhouette(c: ClusterRatio, *, epsilon: Epsilon = 1e-6) -> Value:
    r"""Mean, over points, of the mean distance to the nearest other cluster over that to the own cluster.

    .. math:: \frac{1}{n} \sum_i \frac{b_i}{a_i + \epsilon}

    Here (3.5 + 2.5 + 0 + 2 + 4 + 10/3) / 6, up to epsilon:

    >>> round(alternative_silhouette([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2]), 4)
    2.5556
    """
    return c.total / c.n


def simplified_widths(r: Radii) -> Floats:
    """Return the simplified silhouette of each point."""
    return contrast(r.own, r.nearest, r.alone)


def simplified_neighbours(r: Radii) -> NDArray[np.int64]:
    """Return the other cluster whose centre is nearest to each point."""
    return r.neighbour


def simplified_by_cluster(c: CentreContrast) -> Floats:
    """Return the mean simplified silhouette of each cluster."""
    return c.means


@internal_index(
    aliases=("sswc",),
    best=highest,
    bounds=(-1, 1),
    degree=0,
    reference="hruschka2006, sec. 2.1.7 of vendramin2010",
    undefined=EQUAL,
    clusters=(2, 0),
    points=simplified_widths,
    neighbours=simplified_neighbours,
    by_cluster=simplified_by_cluster,
)
def simplified_silhouette(c: CentreContrast) -> Value:
    r"""Mean, over points, of how much nearer each is to its own centre than to the nearest other centre.

    .. math:: \frac{1}{n} \sum_i \frac{b_i - a_i}{\max(a_i, b_i)}

    with a and b the distances to the own and to the nearest other centre. Here the centres are 1, 7 and 11:
    (6/7 + 4/5 + 0 + 2/3 + 1 + 4/5) / 6:

    >>> simplified_silhouette([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2])
    0.68730159
    """
    return c.mean


def alternative_simplified_widths(r: Radii, *, epsilon: Epsilon = 1e-6) -> Floats:
    """Return the alternative simplified silhouette of each point."""
    return ratios(r.own, r.nearest, r.alone, epsilon)


@internal_index(
    aliases=("asswc",),
    best=highest,
    bounds=(0, inf),
    degree=None,
    reference="vendramin2010, sec. 2.1.8",
    clusters=(2, 0),
    points=alternative_simplified_widths,
    neighbours=simplified_neighbours,
)
def alternative_simplified_silhouette(c: CentreRatio, *, epsilon: Epsilon = 1e-6) -> Value:
    r"""Mean, over points, of the distance to the nearest other centre over that to the own centre.

    .. math:: \frac{1}{n} \sum_i \frac{b_i}{a_i + \epsilon}

    Here, with the points {0, 2} and {10, 14}, centres 1 and 12: (12 + 10 + 9/2 + 13/2) / 4, up to epsilon:

    >>> round(alternative_simplified_silhouette([[0], [2], [10], [14]], [0, 0, 1, 1]), 4)
    8.25
    """
    return c.total / c.n
