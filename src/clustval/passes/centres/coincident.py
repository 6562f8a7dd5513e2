"""Points and centres that only rounding parts: whatever the metric, their distance is 0."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS


class Coincidence:
    """Which points lie at a centre, and which centres at another, up to the rounding of a mean in every dimension.

    A mean of equal points may be off by rounding, and a metric makes a distance of that, which no formula can tell
    from one that data have: 0/0 would be a number.
    """

    def __init__(self, centres: Floats, mean: Floats, reach: Floats) -> None:
        """Take centres (k, p), the mean of all points (p,), and how far points reach in each dimension (p,)."""
        self.unit = np.where(reach > 0, ROUNDING_OF_MEANS * reach, 1.0)
        self.centres, self.mean = centres / self.unit, mean / self.unit

    @classmethod
    def of_directions(cls, centres: Floats, mean: Floats) -> Coincidence:
        """Take centres and a mean of length 1: rounding parts them by a share of that length in every dimension."""
        return cls(centres, mean, np.ones(centres.shape[1]))

    def at_own(self, points: Floats, codes: Integers) -> Flags:
        """Return which points lie at the centre with their number (n,)."""
        return self._at(points, self.centres[codes])

    def at_mean(self, points: Floats) -> Flags:
        """Return which points lie at the mean of all points (n,)."""
        return self._at(points, self.mean)

    def between(self, some: slice | Integers) -> Flags:
        """Return which of some centres lie at which of all (number of some, k)."""
        from scipy.spatial.distance import cdist  # noqa: PLC0415 - only metrics need it

        return np.asarray(cdist(self.centres[some], self.centres, "chebyshev") <= 1)

    def cleared(self, distances: Floats, points: Floats, codes: Integers) -> Floats:
        """Return distances of points to all centres (n, k), 0 where a point lies at its own centre and so does another.

        That other one is at no distance from points that lie there either.
        """
        here = np.flatnonzero(self.at_own(points, codes))
        if len(here):
            clusters, rows = np.unique(codes[here], return_inverse=True)
            distances[here] = np.where(self.between(clusters)[rows], 0.0, distances[here])
        return distances

    def _at(self, points: Floats, places: Floats) -> Flags:
        return np.asarray(np.abs(points / self.unit - places).max(axis=1) <= 1)
