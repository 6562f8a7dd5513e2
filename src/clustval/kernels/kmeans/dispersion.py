"""How far apart the points of a cluster are, summed over clusters."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel(fastmath={"contract", "reassoc"})
def _distances_after(columns, i, end, squares):
    """Return the sum of the distances of point i to the points i+1 ... end-1."""
    m = end - i - 1
    row = squares[:m]
    row[:] = 0.0
    for j in range(len(columns)):
        x = columns[j, i]
        others = columns[j, i + 1 : end]
        for c in range(m):
            step = others[c] - x
            row[c] += step * step
    total = 0.0
    for c in range(m):
        total += np.sqrt(row[c])
    return total


@kernel
def distances_within(columns, starts):
    """Return the sum of the distances of all pairs in the same cluster; points are columns, sorted by cluster."""
    squares = np.empty(columns.shape[1])
    total = 0.0
    for b in range(len(starts) - 1):
        for i in range(starts[b], starts[b + 1]):
            total += _distances_after(columns, i, starts[b + 1], squares)
    return total
