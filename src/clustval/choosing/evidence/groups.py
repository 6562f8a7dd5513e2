"""Pairs of groups between which a gap may lie: what Ward's tree and a tree of dense points join last."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers

MERGES = 6  # last merges of Ward's tree
DENSE_MERGES = 4  # last merges of large groups in the tree of dense points
CORE = 5  # neighbours within which a point is dense
ROUNDS = 15  # of two means
Pair = tuple[Integers, Integers]


def compact_pairs(X: Floats, least: int) -> list[Pair]:
    """Return pairs of groups of at least so many points: Ward's, and the same after two means."""
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415 - only the test of structure needs it
    from scipy.spatial.distance import pdist  # noqa: PLC0415

    pairs: list[Pair] = []
    merges = linkage(pdist(X), "ward")  # of distances: of X, SciPy would warn where it looks like distances
    for pair in _last_merges(merges, least)[:MERGES]:
        pairs += [pair, two_means(X, *pair, least)]
    return pairs


def dense_pairs(X: Floats, distances: Floats, least: int) -> list[Pair]:
    """Return pairs of groups of at least so many points that a tree of dense points joins last."""
    from scipy.cluster.hierarchy import linkage  # noqa: PLC0415 - only the test of structure needs it
    from scipy.spatial.distance import squareform  # noqa: PLC0415

    core = np.partition(distances, min(CORE, len(X) - 1), axis=1)[:, min(CORE, len(X) - 1)]
    reach = np.maximum(distances, np.maximum(core[:, None], core))
    np.fill_diagonal(reach, 0.0)
    return _last_merges(linkage(squareform(reach, checks=False), "single"), least)[:DENSE_MERGES]


def two_means(X: Floats, first: Integers, second: Integers, least: int) -> Pair:
    """Return both groups after the points went to the nearer mean; as they were if one would be too small."""
    rows, groups = np.concatenate([first, second]), (first, second)
    for _ in range(ROUNDS):
        means = np.stack([X[group].mean(axis=0) for group in groups])
        nearer = ((X[rows, None] - means) ** 2).sum(axis=2).argmin(axis=1).astype(bool)
        parts = (rows[~nearer], rows[nearer])
        if min(map(len, parts)) < least or np.array_equal(parts[0], groups[0]):
            break
        groups = parts
    return groups


def _last_merges(merges: NDArray[np.float64], least: int) -> list[Pair]:
    """Return the groups that a tree joins, last first, where both have at least so many points."""
    n = len(merges) + 1
    members: list[Integers] = [np.array([row]) for row in range(n)]
    pairs = []
    for left, right in merges[:, :2].astype(np.int64).tolist():
        members.append(np.concatenate([members[left], members[right]]))
        if min(len(members[left]), len(members[right])) >= least:
            pairs.append((members[left], members[right]))
    return pairs[::-1]
