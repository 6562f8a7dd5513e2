"""Where the points of clusters lie: those of a cluster that are equal are met once, by how many they are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes.points.places import Places, places

CROWDED = 16  # points at a place, on average, from which on it is sooner to meet places by weight than all points
SAMPLE = 1024  # points that are looked at before all are compared


@dataclass(frozen=True)
class Sites:
    """The places of points sorted by cluster; each point is a place of its own where few are equal."""

    places: Places | None
    firsts: Integers  # (sites,) one of the points at each
    codes: Integers  # (sites,) the cluster
    starts: Integers  # (k + 1,) where each cluster begins among them
    measured: Callable[[Integers, Integers], Floats]  # distances of some of the points to others

    @property
    def n(self) -> int:
        """Number of places."""
        return len(self.firsts)

    def of(self, values: Floats) -> Floats:
        """Return the values of one point at each place."""
        return values if self.places is None else values[self.firsts]

    def to_points(self, values: Floats) -> Floats:
        """Return the value of its place for each point."""
        return values if self.places is None else values[self.places.codes]

    def between(self, a: Integers, b: Integers) -> Floats:
        """Return the distances of some places to others."""
        return self.measured(self.firsts[a], self.firsts[b])

    def rows(self, lo: int, hi: int) -> Floats:
        """Return the distances of places lo ... hi-1 to all."""
        return self.measured(self.firsts[lo:hi], self.firsts)

    def only(self, points: Integers) -> Integers:
        """Return the first at each place of these points, which are all or none of those at a place."""
        return points if self.places is None else self.firsts[np.unique(self.places.codes[points])]


def crowded(X: Floats, codes: Integers | None = None) -> Places | None:
    """Return the places of points, in clusters if there are `codes`, if they are few."""
    n = len(X)
    # A column whose numbers all differ in a sample tells most data at once.
    for column in X[:: max(1, n // SAMPLE)].T:
        if len(np.unique(column)) == len(column):
            return None
    distinct = places(X, codes)
    return distinct if len(distinct.firsts) <= n // CROWDED else None
