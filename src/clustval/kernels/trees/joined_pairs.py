"""How many pairs of points each edge of a spanning tree joins, edges being sorted by length."""

from __future__ import annotations

import numpy as np

from clustval.kernels.trees.reach_tree import root_of
from clustval.kernels.work.jit import kernel


@kernel
def joined_pairs(edges, pairs):
    """Fill in the product of the numbers of points on both sides of each edge when it is put in."""
    n = len(edges) + 1
    roots = np.arange(n)
    sizes = np.ones(n, np.int64)
    for t in range(n - 1):
        a, b = root_of(roots, edges[t, 0]), root_of(roots, edges[t, 1])
        pairs[t] = float(sizes[a]) * sizes[b]
        roots[a] = b
        sizes[b] += sizes[a]
