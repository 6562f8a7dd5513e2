"""k-means of directions: each point goes to the centre with the smallest angle, whatever the length of the point."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes.kmeans.lloyd import Lloyd
from clustval.passes.metrics.prepared import unit_rows
from clustval.seeding import TaskGenerator

ROUNDS = 300


def spherical_kmeans(
    X: Floats, numbers: Sequence[int], generator: TaskGenerator, n_init: int, *, rounds: int = ROUNDS
) -> list[Integers]:
    """Return clusters of directions for each number of clusters; the cosines with their centres sum to much.

    k-means of points at length 1 finds the centres to start from. Centres then have length 1, too, so that a wide
    cluster, whose mean is short, takes as many points as a narrow one. Points of length 0 go to the first cluster.
    """
    rows = np.nan_to_num(unit_rows(X))
    lloyd = Lloyd(rows)
    return [_settled(rows, lloyd.best(k, generator(6, k), n_init).centres, rounds) for k in numbers]


def _settled(rows: Floats, centres: Floats, rounds: int) -> Integers:
    """Return the labels that points have when none goes to another centre any more."""
    labels = np.full(len(rows), -1)
    for _ in range(rounds):
        centres = np.nan_to_num(unit_rows(centres))
        nearest = np.asarray((rows @ centres.T).argmax(axis=1), dtype=np.int64)
        if (nearest == labels).all():
            break
        labels = nearest
        members = labels == np.arange(len(centres))[:, None]
        centres = np.where(members.any(axis=1)[:, None], members.astype(np.float64) @ rows, centres)
    return labels
