"""The closest other point of the own cluster and the closest of another, for each point.

Points are sorted by cluster. All distances are squares, added up in the order of the dimensions.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.squares import TILE, least_between, squares_to
from clustval.kernels.trees.reach_tree import STACK, square_to_box
from clustval.kernels.work.jit import kernel


@kernel
def closest_by_visit(columns, codes, starts, first, last, own, other):
    """Fill in the distances of points first ... last-1, of all points seen; infinite where there is no such point."""
    n = columns.shape[1]
    row = np.empty(TILE)
    own[first:last] = np.inf
    other[first:last] = np.inf
    for lo in range(0, n, TILE):
        hi = min(lo + TILE, n)
        for i in range(first, last):
            squares_to(columns, i, lo, hi, row)
            if lo <= i < hi:
                row[i - lo] = np.inf
            begin = min(max(starts[codes[i]] - lo, 0), hi - lo)
            end = min(max(starts[codes[i] + 1] - lo, 0), hi - lo)
            own[i] = min(own[i], least_between(row, begin, end))
            other[i] = min(other[i], least_between(row, 0, begin), least_between(row, end, hi - lo))


@kernel
def closest_by_tree(X, begins, ends, lows, highs, colours, codes, lo, hi, own, other):
    """Fill in the distances of points lo ... hi-1, all points being leaves of a balanced k-d tree, in its order.

    `colours` says which cluster all points of a node are in, or MIXED: what cannot hold such a point is passed over.
    """
    leaves = len(begins) // 2
    nodes = np.empty(STACK, np.int64)
    bounds = np.empty(STACK)
    for i in range(lo, hi):
        mine = codes[i]
        for side in range(2):
            best = np.inf
            nodes[0] = 1
            bounds[0] = 0.0
            height = 1
            while height > 0:
                height -= 1
                v = nodes[height]
                useless = colours[v] == mine if side == 1 else colours[v] >= 0 and colours[v] != mine
                if useless or bounds[height] >= best:
                    continue
                if v >= leaves:
                    for j in range(begins[v], ends[v]):
                        if j != i and (codes[j] == mine) == (side == 0):
                            square = 0.0
                            for q in range(X.shape[1]):
                                step = X[j, q] - X[i, q]
                                square += step * step
                            best = min(best, square)
                    continue
                a = 2 * v
                first = square_to_box(X, i, lows, highs, a)
                second = square_to_box(X, i, lows, highs, a + 1)
                near_first = first <= second
                nodes[height] = a + 1 if near_first else a
                bounds[height] = max(first, second)
                nodes[height + 1] = a if near_first else a + 1
                bounds[height + 1] = min(first, second)
                height += 2
            if side == 0:
                own[i] = best
            else:
                other[i] = best
