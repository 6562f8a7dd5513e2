"""Element-centric similarity of many labellings of the same points: of each two, and of each point."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.work import thresholds

CELLS = 2**22  # cells of a table of two labellings that are counted one by one; beyond, only those that occur


def similarities(codes: Integers, counts: Integers) -> tuple[Floats, Floats]:
    """Return how alike every two labellings are, and how consistent each point is over all labellings.

    `codes` has a row for each different labelling, with -1 for points that are alone, and `counts` says how often each
    was found. The consistency of a point is the mean of its similarity over all pairs of labellings, the same one
    found twice included; NaN where there is one labelling, found once.

    >>> codes = np.array([[0, 0, 1, 1], [0, 0, 0, 1]])
    >>> alike, consistency = similarities(codes, np.array([1, 1]))
    >>> alike.round(3).tolist(), consistency.round(3).tolist()
    ([[1.0, 0.542], [0.542, 1.0]], [0.667, 0.667, 0.333, 0.5])
    """
    m, n = codes.shape
    alike, sums = np.eye(m), np.zeros(n)
    for s in range(m):
        for t in range(s):
            weight = float(counts[s] * counts[t])
            alike[s, t] = alike[t, s] = _added(codes[s], codes[t], weight, sums) / n
    total = int(counts.sum())
    pairs = total * (total - 1) / 2
    same = float((counts * (counts - 1) // 2).sum())
    return alike, (sums + same) / pairs if pairs else np.full(n, np.nan)


def _added(first: Integers, second: Integers, weight: float, sums: Floats) -> float:
    k, m = int(first.max()) + 1, int(second.max()) + 1
    if len(first) < thresholds.LABELS or k * m > CELLS:
        shares = point_similarity_numpy(first, second)
        sums += weight * shares
        return float(shares.sum())
    table = np.empty((k, m), dtype=np.int32)
    sizes = np.empty(k, dtype=np.int64), np.empty(m, dtype=np.int64)
    return float(kernels.labels.element_centric.add_similarity(first, second, table, *sizes, weight, sums))


def point_similarity_numpy(first: Integers, second: Integers) -> Floats:
    """Return the points that the two clusters of each point share over the size of the larger one."""
    n = len(first)
    alone = np.arange(n)  # points with the code -1 get codes of their own
    a = np.where(first < 0, n + alone, first)
    b = np.where(second < 0, n + alone, second)
    _, cells, counts = np.unique(a * (2 * n) + b, return_inverse=True, return_counts=True)
    shares: Floats = counts[cells] / np.maximum(np.bincount(a)[a], np.bincount(b)[b])
    return shares
