"""What clusters of one cover leave open about those of another: entropies of being in a cluster, given another."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers

CELLS = 2**22  # pairs of a cluster and a size that are compared at a time


def surprise(counts: Integers, n: int) -> Floats:
    """Return -p log p for each share p of n points, 0 for none.

    >>> surprise(np.array([0, 1, 2]), 2).round(4).tolist()
    [0.0, 0.3466, 0.0]
    """
    shares = counts / n
    return np.asarray(0.0 - shares * np.log(np.where(counts > 0, shares, 1.0)))


def entropies(sizes: Integers, n: int) -> Floats:
    """Return the entropy, in nats, of whether a point is in a cluster of each size."""
    return surprise(sizes, n) + surprise(n - sizes, n)


def conditional(x: Integers, y: Integers, both: Integers, n: int) -> Floats:
    """Return what a cluster of y points leaves open about one of x points; all where it rather tells the opposite."""
    none = n - x - y + both
    same, other = surprise(none, n) + surprise(both, n), surprise(x - both, n) + surprise(y - both, n)
    return np.where(same >= other, same + other - entropies(y, n), entropies(x, n))


def left_open(
    sizes: Integers, others: Integers, rows: Integers, columns: Integers, counts: Integers, n: int, cells: int = CELLS
) -> Floats:
    """Return what the best of other clusters leaves open about each cluster; `counts` are the points that two share.

    Clusters that share nothing may be nearly opposite and say much: of these only the sizes matter.
    """
    least = entropies(sizes, n)
    np.minimum.at(least, rows, conditional(sizes[rows], others[columns], counts, n))
    kinds, kind_of, number = np.unique(others, return_inverse=True, return_counts=True)
    for first in range(0, len(sizes), max(1, cells // len(kinds))):
        last = min(first + max(1, cells // len(kinds)), len(sizes))
        inside = (rows >= first) & (rows < last)
        shared = np.bincount(
            (rows[inside] - first) * len(kinds) + kind_of[columns[inside]], minlength=(last - first) * len(kinds)
        ).reshape(last - first, len(kinds))
        x, y = np.broadcast_arrays(sizes[first:last, None], kinds[None])
        apart = (shared < number) & (x + y <= n)
        values = np.full(apart.shape, np.inf)
        values[apart] = conditional(x[apart], y[apart], np.zeros(int(apart.sum()), dtype=np.int64), n)
        least[first:last] = np.minimum(least[first:last], values.min(axis=1))
    return np.maximum(least, 0.0)
