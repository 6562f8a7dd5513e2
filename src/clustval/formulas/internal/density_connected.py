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
from clustval.formulas.internal.silhouette import contrast
from clustval.options import AtLeast
from clustval.rules import highest
from clustval.sources.partition import internal_index
from clustval.stats.reach_paths import NoiseReach, PathMeans

Points = Annotated[int, AtLeast(1)]


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
    return np.where(larger == 0, 0.0, (distance - sparsest) / np.where(larger == 0, 1.0, larger))


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


def connected_neighbours(q: PathMeans) -> Value:
    """Return the other cluster that is nearest to each point along paths."""
    return q.neighbour
