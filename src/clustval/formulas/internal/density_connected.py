"""Silhouettes along dense paths: clusters of any shape, and noise that counts.

The distance of two points is that of the longest step on the best path between them, no step being shorter than the
distance of either end to the nearest points around it (`stats.reach_paths`). In the examples, with `min_points=1` on a
line, it is the longest gap between neighbours on the way: of the points {0, 2}, {7} and {10, 11, 12}, 2; 5; 3, 1 and 1.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Value
from clustval.formulas.internal.neighbourhoods import modularity
from clustval.formulas.internal.silhouette import contrast
from clustval.options import AtLeast
from clustval.rules import highest
from clustval.sources.clustered_points import internal_index
from clustval.stats.neighbours.nearest import NeighbourEdges
from clustval.stats.trees.reach_paths import NoiseReach, PathMeans

Points = Annotated[int, AtLeast(1)]
Count = Annotated[int, AtLeast(1)]


def silhouettes(q: PathMeans, r: NoiseReach) -> Floats:
    """Return the silhouette along paths of each clustered point, then what each noise point scores."""
    if q.k == 0:
        return np.full(len(r.core), -1.0)
    other = np.where(np.isinf(q.nearest), r.own, q.nearest)  # noise points stand in for other clusters
    a, b = q.within, np.where(np.isinf(other), q.within, other)  # without any, nothing can be told
    larger = np.maximum(a, b)
    values = np.where(q.alone | (larger == 0), 0.0, (b - a) / larger)
    if len(r.core) == 0:
        return values
    sparse = ratios(r.core[:, None], r.sparsest)
    return np.concatenate([values, np.minimum(sparse, ratios(r.reach, r.sparsest)).min(-1)])


def ratios(distance: Floats, sparsest: Floats) -> Floats:
    """Return (distance - sparsest) / the larger of both, 0 where both are 0."""
    larger = np.maximum(distance, sparsest)
    return np.where(larger == 0, 0.0, (distance - sparsest) / larger)


@internal_index(
    best=highest,
    bounds=(-1, 1),
    degree=0,
    reference="beer2025",
    clusters=(0, 0),
    points=silhouettes,
)
def disco(q: PathMeans, r: NoiseReach, *, min_points: Points = 5) -> Value:
    r"""Mean, over points, of how much better dense paths connect each with its own cluster than with the next.

    .. math:: \frac{1}{n} \sum_i \frac{b_i - a_i}{\max(a_i, b_i)}

    with a and b as in the silhouette, by distances along paths. A noise point scores how much farther it is from the
    nearest cluster, along paths, or how much sparser it lies, than the sparsest point of that cluster: the smaller of
    the two, as a share of the larger distance. Noise alone gives -1, one cluster without noise 0; beside one cluster
    each noise point stands in for another. Here a = 2, 2; -; 1, 1, 1 and b = 5, 5; 3; 3, 3, 3:
    (3/5 + 3/5 + 0 + 2/3 + 2/3 + 2/3) / 6:

    >>> disco([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], min_points=1)
    0.53333333
    """
    return silhouettes(q, r).mean(-1)


def connected_widths(q: PathMeans) -> Floats:
    """Return the silhouette along paths of each point; noise is left out."""
    return contrast(q.within, q.nearest, q.alone)


def connected_by_cluster(q: PathMeans) -> Floats:
    """Return the mean silhouette along paths of each cluster."""
    return q.mean_by_cluster(connected_widths(q))


def connected_mean(q: PathMeans) -> Value:
    """Return the mean over clusters of such means, times the share of the points that are in clusters."""
    return q.coverage * connected_by_cluster(q).mean(-1)


def connected_neighbours(q: PathMeans) -> Value:
    """Return the other cluster that is nearest to each point along paths."""
    return q.neighbour


@internal_index(
    best=highest,
    bounds=(-1, 1),
    degree=0,
    reference="beer2025",
    clusters=(2, 0),
    undefined="all points are equal",
    points=connected_widths,
    neighbours=connected_neighbours,
    by_cluster=connected_by_cluster,
)
def connectivity_silhouette(q: PathMeans, *, min_points: Points = 5) -> Value:
    r"""Mean, over clusters, of the mean silhouette of their points along dense paths.

    .. math:: \frac{n - n_{noise}}{n} \cdot \frac{1}{k} \sum_c \frac{1}{n_c} \sum_{i \in c}
              \frac{b_i - a_i}{\max(a_i, b_i)}

    Small clusters weigh as much as large ones; single points have 0. Noise counts against: the mean is multiplied by
    the share of the points that are in clusters. Here (3/5 + 0 + 2/3) / 3:

    >>> connectivity_silhouette([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], min_points=1)
    0.42222222
    """
    return connected_mean(q)


@internal_index(
    best=highest,
    bounds=(0, 1),
    degree=0,
    reference="beer2025; newman2004",
    clusters=(2, 0),
    undefined="all points are equal",
)
def dcm(q: PathMeans, e: NeighbourEdges, *, min_points: Points = 5, neighbours: Count = 10) -> Value:
    r"""Silhouette along dense paths times modularity of the graph of nearest points, neither below 0.

    .. math:: \max(S, 0) \cdot \max(Q, 0)

    with S the `connectivity_silhouette` and Q the `knn_modularity`. S alone cuts off outliers, Q alone splits too much;
    the product does neither. Here 0.4222 * 0.375:

    >>> dcm([[0], [2], [7], [10], [11], [12]], [0, 0, 1, 2, 2, 2], min_points=1, neighbours=1)
    0.15833333
    """
    return np.maximum(connected_mean(q), 0.0) * np.maximum(modularity(e), 0.0)
