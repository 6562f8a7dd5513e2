"""The tree of least reach that joins the points of a cluster, from the matrix of their distances."""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel


@kernel(inline=True)
def _before(a, i, b, j, by_distance):
    """Return whether the reach a[i] comes before b[j]: by distance and then by ends where reaches tie, if asked for."""
    if a[0, i] != b[0, j] or not by_distance:
        return a[0, i] < b[0, j]
    for part in range(1, 4):
        if a[part, i] != b[part, j]:
            return a[part, i] < b[part, j]
    return False


@kernel
def span_matrix(d, core, by_distance, parent, reach):
    """Grow the tree from the first point: fill in the parent of each point and the reach between the two."""
    n = len(d)
    keys = np.full((4, n), np.inf)  # reach, distance, smaller and larger end
    key = np.empty((4, 1))
    done = np.zeros(n, np.bool_)
    parent[:] = -1
    reach[:] = 0.0
    last = 0
    for _ in range(n - 1):
        done[last] = True
        best = -1
        for j in range(1, n):
            if done[j]:
                continue
            key[0, 0] = max(d[last, j], core[last], core[j])
            key[1, 0] = d[last, j]
            key[2, 0] = min(last, j)
            key[3, 0] = max(last, j)
            if _before(key, 0, keys, j, by_distance):
                keys[:, j] = key[:, 0]
                parent[j] = last
            if best < 0 or _before(keys, j, keys, best, by_distance):
                best = j
        last = best
        reach[last] = keys[0, last]
