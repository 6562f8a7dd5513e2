"""Whether two groups are joined by a longer step than the steps within them: gaps between clusters of any shape.

One half of the points finds two groups, and the other is divided between them. If a curve goes on from one group to the
other, the shortest step between them is one step as any other, and in a plane or a body it is the shortest of many; so
the share of steps within a group that are as long is a p-value. Towards the tails steps get longer on one side only, so
that the larger p-value of both groups counts.
"""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.choosing.evidence.groups import Pair

LONG = 0.95  # quantile of the steps within a group that the step between groups is compared with, where pairs are found
FEWEST = 3  # points of a group


def longer(X: Floats, distances: Floats, pairs: list[Pair], others: Floats) -> float:
    """Return the p-value of other points that the step between the two groups that stand out most is no longer."""
    from scipy.spatial import cKDTree  # noqa: PLC0415 - only the test of structure needs it
    from scipy.spatial.distance import cdist  # noqa: PLC0415

    if not pairs:
        return 1.0
    first, second = max(pairs, key=lambda pair: _clear(distances, *pair))
    sides = np.full(len(X), -1)
    sides[first], sides[second] = 0, 1
    nearest = sides[cKDTree(X).query(others)[1]]
    groups = np.flatnonzero(nearest == 0), np.flatnonzero(nearest == 1)
    return 1.0 if min(map(len, groups)) < FEWEST else share_as_long(cdist(others, others), *groups)


def share_as_long(distances: Floats, first: Integers, second: Integers) -> float:
    """Return the larger share of the steps within either group that are as long as the step between them.

    Each step that joins a point of a group to others, in the minimum spanning tree, counts, and the step between the
    groups counts among them. Of 0, 1, 2 and 5, 6, 7 the step of 3 is the longest of three:

    >>> places = np.array([0.0, 1, 2, 5, 6, 7])
    >>> round(share_as_long(np.abs(places[:, None] - places), np.arange(3), np.arange(3, 6)), 3)
    0.333
    """
    between = distances[np.ix_(first, second)].min()
    return max((1 + int((steps >= between).sum())) / (1 + len(steps)) for steps in _within(distances, first, second))


def _clear(distances: Floats, first: Integers, second: Integers) -> float:
    """Return the step between two groups, in units of the long steps within them."""
    longest = max(float(np.quantile(steps, LONG)) for steps in _within(distances, first, second))
    return float(distances[np.ix_(first, second)].min()) / max(longest, np.finfo(float).tiny)


def _within(distances: Floats, first: Integers, second: Integers) -> list[Floats]:
    """Return the lengths of the steps that join the points of each group; points in one place count as a short step."""
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415 - only the test of structure needs it
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    return [
        np.asarray(linkage(squareform(distances[np.ix_(group, group)], checks=False), "single")[:, 2])
        for group in (first, second)
    ]
