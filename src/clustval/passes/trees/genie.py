"""The hierarchy of Genie: single linkage that joins a smallest cluster while sizes are too unequal."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Integers
from clustval.passes.work import thresholds


def even_merges(edges: Integers, limit: float) -> Integers:
    """Return the two clusters of each merge (n - 1, 2), along the edges of a spanning tree sorted by length.

    Points are clusters 0 ... n - 1, and merge t makes cluster n + t. Sizes are too unequal where their Gini index is
    above `limit`.

    >>> even_merges(np.array([[0, 1], [1, 2], [2, 3], [4, 5], [3, 4]]), 0.3).tolist()
    [[0, 1], [6, 2], [7, 3], [4, 5], [8, 9]]
    """
    if len(edges) <= thresholds.MERGES:
        return even_merges_numpy(edges, limit)
    children = np.empty((len(edges), 2), dtype=np.int64)
    kernels.trees.genie.merge_evenly(edges, limit, children)
    return children


def even_merges_numpy(edges: Integers, limit: float) -> Integers:
    """Return what `even_merges` returns, with all sizes counted anew at each merge."""
    n = len(edges) + 1
    cluster, sizes = np.arange(n), dict.fromkeys(range(n), 1)
    children, rest = [], edges.tolist()
    for merge in range(n - 1):
        values = np.array(list(sizes.values()))
        unequal = np.abs(values[:, None] - values).sum() // 2 > limit * n * max(len(values) - 1, 1)
        smallest = values.min()
        e = next(
            i
            for i, (a, b) in enumerate(rest)
            if not unequal or min(sizes[int(cluster[a])], sizes[int(cluster[b])]) == smallest
        )
        a, b = (int(cluster[point]) for point in rest.pop(e))
        children.append((a, b))
        sizes[n + merge] = sizes.pop(a) + sizes.pop(b)
        cluster[(cluster == a) | (cluster == b)] = n + merge
    return np.array(children, dtype=np.int64).reshape(-1, 2)
