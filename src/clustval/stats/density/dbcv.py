"""How dense clusters are inside and how sparse it is between them, along spanning trees (DBCV)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.passes.density.dbcv import densities_numpy, densities_of_points
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.neighbours.nearest import SINGLE_POINTS


@dataclass(frozen=True, eq=False)
class DensitySeparation(Statistic):
    """Sparseness inside each cluster, and the smallest mutual reachability between it and another.

    Inside: the longest edge between inner points of the cluster's spanning tree; between: only inner points count.
    """

    takes = Takes(pair_passes=1, tables=True, no_weights_because=SINGLE_POINTS)
    counts_noise = True

    sizes: Integers
    total: Any  # number of points, noise included
    sparseness: Floats  # (k,) NaN for clusters of one point
    separation: Floats  # (k,) infinite if there is no other cluster of more than one point

    @classmethod
    def of(cls, source: Partition, *, ties: str, squared: bool, dim: int) -> DensitySeparation:
        """Span each cluster by a tree of its own, then meet the inner points of each two."""
        space = source.space
        if dim == 0 and (space.X is None or space.metric == "gower"):
            msg = f"dbcv needs the number of dimensions with metric={space.metric!r}; give dim=."
            raise UndefinedIndexError(msg)
        exponent, by_distance = dim or source.p, ties == "distance"
        if space.factor is not None:
            densities = densities_of_points(
                source.image, source.starts, exponent=exponent, squared=squared, by_distance=by_distance,
                n_jobs=space.n_jobs, factor=space.factor, crowd=source.sites.places,
            )  # fmt: skip
        else:
            largest = int(source.sizes.max())
            if 24 * largest**2 > space.memory:
                msg = (
                    f"dbcv holds the distances inside the largest cluster, {largest} points, in "
                    f"{24 * largest**2 / 2**30:.3g} GiB, more than the budget; raise memory=."
                )
                raise UndefinedIndexError(msg)
            densities = densities_numpy(
                source.between, source.starts, exponent=exponent, squared=squared, by_distance=by_distance,
                n_jobs=space.n_jobs,
            )  # fmt: skip
        total = len(source.surroundings[1])
        return cls(source.sizes, total, densities.sparseness, densities.separation)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, ties: str, squared: bool, dim: int) -> DensitySeparation:
        """Stack those of single partitions."""
        return group.stacked(DensitySeparation, ties=ties, squared=squared, dim=dim)
