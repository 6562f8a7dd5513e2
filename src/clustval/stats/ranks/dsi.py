"""How far the distances inside clusters are shifted against those to other points, as distributions (DSI)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Statistic, way
from clustval.passes.points.places import places
from clustval.passes.ranks.dsi import OrderedPairs, contrast, contrast_of_places, contrast_of_rows_numpy
from clustval.passes.ranks.rank_source import DistanceSource
from clustval.passes.work import thresholds
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.neighbours.nearest import SINGLE_POINTS


@dataclass(frozen=True, eq=False)
class DistanceShift(Statistic):
    """The largest difference between two distribution functions: of distances inside a cluster, and of those out of it.

    It is the Kolmogorov-Smirnov distance of the two, exact.
    """

    takes = Takes(ranks=True, no_weights_because=SINGLE_POINTS)

    gaps: Floats  # (k,) NaN for a single point

    @classmethod
    def of(cls, source: Partition) -> DistanceShift:
        """Tally all distances, and collect those near the largest difference; sort them where places are few."""
        space = source.space
        if source.n <= thresholds.PAIRS:
            return cls(contrast_of_rows_numpy(source.rows(0, source.n), source.starts))
        image = space.numbers if space.factor is None else space.image
        if image is not None and not space.apart_from_itself:
            distinct = places(image[source.order], source.codes)
            gaps = contrast_of_places(source.between, source.starts, distinct, space.memory)
            if gaps is not None:
                return cls(gaps)
        if space.factor is None:
            distances = DistanceSource.of_rows(source.rows, source.n)
        else:
            distances = DistanceSource.of(source.image, space.factor)
        return cls(contrast(distances, source.starts, n_jobs=space.n_jobs, memory=space.memory))

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Sort all pairs by their distances."""
        _ordered(shared)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> DistanceShift:
        """Count through the sorted pairs, for partition after partition."""
        pairs = _ordered(group.shared)
        gaps = [pairs.contrast(codes, sizes) for codes, sizes in zip(group.codes, group.sizes, strict=True)]
        return cls(np.stack(gaps))


def _ordered(shared: Shared) -> OrderedPairs:
    return shared.cached(OrderedPairs, lambda: OrderedPairs.of(shared.distances.ranking, shared.n, shared.space.n_jobs))
