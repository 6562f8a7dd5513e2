"""Properties of a single cluster of points with categories: how many points it has."""

from __future__ import annotations

from clustval.arrays import Floats
from clustval.declare import cluster_property
from clustval.sources.categorical_partition import CategoricalPartition
from clustval.stats.points.category_counts import CategoryCounts


@cluster_property("categorical")
def size(source: CategoricalPartition) -> Floats:
    """Return the number of points of each cluster, by weight."""
    return source[CategoryCounts].sizes
