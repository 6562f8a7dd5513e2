"""Clusters of points by how often labellings put them together: average linkage, or k-means of their labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers, numbered
from clustval.passes.consensus.co_association import associate
from clustval.passes.kmeans.lloyd import kmeans


def merges_of(rows: NDArray[np.int32], counts: Integers) -> tuple[Integers, Floats]:
    """Return the merges of kinds of points by average linkage, the most similar ones first, and their similarities."""
    n = len(rows)
    both, together = (table.astype(np.float64) for table in associate(rows, np.arange(n)))
    weights = np.outer(counts, counts)
    return merges_of_sums(together * weights, both * weights)


def merges_of_sums(together: Floats, both: Floats) -> tuple[Integers, Floats]:
    """Return merges by average linkage, from the sums of what each two have together and of what both have."""
    n = len(together)
    merges, similarities = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    kernels.consensus.average_linkage.merge_all(together, both, merges, similarities)
    order = np.argsort(-similarities, kind="stable")
    return merges[order], similarities[order]


def joint_similarities(merges: Integers, similarities: Floats) -> Floats:
    """Return the similarity of the merge that joins each two kinds of points; 1 for points of one kind.

    >>> joint_similarities(np.array([[0, 1], [0, 2]]), np.array([0.9, 0.2])).tolist()
    [[1.0, 0.9, 0.2], [0.9, 1.0, 0.2], [0.2, 0.2, 1.0]]
    """
    n = len(merges) + 1
    table = np.ones((n, n))
    members = {item: np.array([item]) for item in range(n)}
    for (one, other), similarity in zip(merges.tolist(), similarities.tolist(), strict=True):
        table[np.ix_(members[one], members[other])] = similarity
        table[np.ix_(members[other], members[one])] = similarity
        members[one] = np.concatenate([members[one], members.pop(other)])
    return table


def cut(merges: Integers, k: int) -> Integers:
    """Return the cluster of each kind of points when k are left, in the order of first appearance.

    >>> cut(np.array([[1, 2], [0, 1], [0, 3]]), 2).tolist()
    [0, 0, 0, 1]
    """
    n = len(merges) + 1
    parents = np.arange(n)
    for one, other in merges[: n - k].tolist():
        parents[_root(parents, other)] = _root(parents, one)
    return numbered(np.array([_root(parents, item) for item in range(n)]))


def _root(parents: Integers, item: int) -> int:
    while parents[item] != item:
        parents[item] = parents[parents[item]]
        item = int(parents[item])
    return item


def by_kmeans(rows: NDArray[np.int32], k: int, rng: np.random.Generator) -> Integers:
    """Return k clusters by k-means of the labels of points, one column for each label; a missing label is in none."""
    columns: list[Floats] = [(labels[:, None] == np.arange(labels.max() + 1)).astype(np.float64) for labels in rows.T]
    return numbered(kmeans(np.hstack(columns), k, rng=rng, n_init=10).labels)
