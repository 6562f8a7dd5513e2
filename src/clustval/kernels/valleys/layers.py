"""Layers of points beside the border of two clusters in a graph."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel
def layers(members, starts, ends, sides, sizes):
    """Fill in, per side, the points with an edge across and those one and two edges behind; return edges across."""
    n = len(sides)
    depth = np.full(n, -1)
    edges = 0
    for x in members:
        across = 0
        for at in range(starts[x], starts[x + 1]):
            across += sides[ends[at]] == 1 - sides[x]
        if across > 0:
            depth[x] = 0
            sizes[sides[x], 0] += 1
        if sides[x] == 0:
            edges += across
    for step in range(1, 3):
        for x in members:
            if depth[x] >= 0:
                continue
            for at in range(starts[x], starts[x + 1]):
                y = ends[at]
                if sides[y] == sides[x] and depth[y] == step - 1:
                    depth[x] = step
                    sizes[sides[x], step] += 1
                    break
    return edges
