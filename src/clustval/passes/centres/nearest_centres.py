"""The nearest of many centres, found by trees: of all others, formulas that need the nearest alone know nothing."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers


class NearestCentres:
    """Centres in few dimensions, those at one place taken together: a tree of equal points would be one leaf."""

    def __init__(self, centres: Floats) -> None:
        from scipy.spatial import cKDTree  # noqa: PLC0415 - only many clusters need it

        self.centres = centres
        self.places, self.place_of = np.unique(centres, axis=0, return_inverse=True)
        order = np.argsort(self.place_of, kind="stable")
        counts = np.bincount(self.place_of)
        starts = np.cumsum(counts) - counts
        self.first = order[starts]  # (places,) the first cluster at each place
        self.second = np.where(counts > 1, order[np.minimum(starts + 1, len(order) - 1)], -1)  # -1 if there is none
        self.tree = cKDTree(self.places)

    def other(self, points: Floats, codes: Integers, *, n_jobs: int = 1) -> tuple[Floats, Integers]:
        """Return how far each point is from the nearest centre but its own, and which that is; infinite and -1 if none.

        Of centres at one place the first is taken.
        """
        two = min(2, len(self.places))
        near = self.tree.query(points, k=two, workers=n_jobs)[1].reshape(len(points), two)
        own = self.place_of[codes]
        here = near[:, 0] == own
        neighbour = self.first[near[:, 0]]
        # At the own place there may be another cluster; else the next place is the nearest.
        another = np.where(self.first[own] == codes, self.second[own], self.first[own])
        beyond = self.first[near[:, 1]] if two > 1 else np.full(len(points), -1)
        neighbour = np.where(here, np.where(another >= 0, another, beyond), neighbour)
        distances = row_distances(points, self.centres[neighbour])
        return np.where(neighbour < 0, np.inf, distances), neighbour

    def apart(self, *, n_jobs: int = 1) -> Floats:
        """Return how far each centre is from the nearest other; infinite if there is none."""
        return self.other(self.centres, np.arange(len(self.centres)), n_jobs=n_jobs)[0]


def row_distances(A: Floats, B: Floats) -> Floats:
    """Return the Euclidean distances of rows of A to the same rows of B, one dimension added after the other."""
    squares = np.zeros(len(A))
    for a, b in zip(A.T, B.T, strict=True):
        squares += (a - b) ** 2
    return np.sqrt(squares)
