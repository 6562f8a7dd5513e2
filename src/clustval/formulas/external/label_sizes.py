"""Properties of a single cluster of the labels: its size."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from clustval.declare import cluster_property
from clustval.sources.label_pair import LabelPair
from clustval.stats.labels.contingency import Contingency


@cluster_property("external")
def size(source: LabelPair) -> NDArray[Any]:
    """Return the number of points of each cluster of the labels, by weight."""
    return source[Contingency].column_sizes
