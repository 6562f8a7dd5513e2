"""Properties of a single cluster: how many points it has."""

from __future__ import annotations

from clustval.arrays import Floats
from clustval.declare import cluster_property
from clustval.sources.memberships import Memberships
from clustval.stats.shares import Shares


@cluster_property("fuzzy")
def size(source: Memberships) -> Floats:
    """Return the sum of the memberships in each cluster, by weight."""
    return source[Shares].sizes
