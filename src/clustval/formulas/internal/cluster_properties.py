"""Properties of a single cluster: its size, spread and distance to the rest."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval.declare import cluster_property
from clustval.errors import UndefinedIndexError
from clustval.sources.partition import Partition
from clustval.stats.centres.radii import Radii
from clustval.stats.pairs.cluster_diameters import Diameters
from clustval.stats.pairs.pair_distances import PairExtremes


@cluster_property("internal")
def size(source: Partition) -> NDArray[np.generic]:
    """Return the number of points of each cluster, by weight."""
    mass: NDArray[np.generic] = source.mass
    return mass if source.fractional else mass.astype(np.int64)


@cluster_property("internal")
def dispersion(source: Partition) -> NDArray[np.float64]:
    """Return the mean distance of the points of each cluster to its centre."""
    if not source.has_coordinates:
        msg = f"dispersion needs coordinates; metric={source.space.called!r} gives only distances."
        raise UndefinedIndexError(msg)
    radii: Radii = source[Radii]
    return np.ldexp(radii.means, source.exponent)


@cluster_property("internal")
def diameter(source: Partition) -> NDArray[np.float64]:
    """Return the largest distance inside each cluster."""
    diameters: Diameters = source[Diameters]
    return np.ldexp(diameters.values, source.exponent)


@cluster_property("internal")
def separation(source: Partition) -> NDArray[np.float64]:
    """Return the distance of each cluster to the closest point of another; infinite if there is no other."""
    extremes: PairExtremes = source[PairExtremes]
    return np.ldexp(extremes.mins.min(axis=1), source.exponent)
