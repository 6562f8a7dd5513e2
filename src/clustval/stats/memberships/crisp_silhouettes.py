"""Silhouettes of points in the cluster of their largest membership."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Need, Plan, Statistic
from clustval.errors import UndefinedIndexError
from clustval.sources.memberships import Memberships
from clustval.sources.partition import partition
from clustval.sources.takes import Takes
from clustval.stats.centres.centre_contrast import contrasts
from clustval.stats.pairs.pair_distances import PointMeans


@dataclass(frozen=True, eq=False)
class CrispSilhouettes(Statistic):
    """The silhouette of each point, and how far its largest membership lies above its second largest."""

    takes = Takes(pair_passes=1, coordinates=True)

    widths: Floats
    leads: Floats
    weights: Floats | None

    @classmethod
    def of(cls, source: Memberships) -> CrispSilhouettes:
        """Visit all pairs of points; of equal memberships the first counts as the largest."""
        labels = source.U.argmax(axis=1)
        if (labels == labels[0]).all():
            msg = f"Every point belongs most to cluster {labels[0]}; silhouettes need a second cluster."
            raise UndefinedIndexError(msg)
        crisp = partition(source.X, labels, sample_weight=source.weights, plan=Plan(frozenset({Need(PointMeans)})))
        q = crisp[PointMeans]
        widths = crisp.unsorted(contrasts(q.within, q.nearest, q.alone))
        second, first = np.partition(source.U, source.k - 2, axis=1)[:, -2:].T
        return cls(widths, first - second, source.weights)
