"""The farthest point of a cluster, from its own points and from those of others.

Squares are added in the order of dimensions, so that equal distances stay equal. Points come dimension-major, those of
a cluster by falling distance from its middle: the inner loop runs over points, which vectorises, and what is far is met
first.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import load, most, splat, store
from clustval.kernels.work.rounding import SLACK
from clustval.kernels.work.sizes import STRIP

PANEL = 64  # points that are met between two looks at what is still possible


@kernel
def _farthest_of_panel(columns, point, begin, end, squares):
    """Largest squared distance of a point to points begin ... end-1, at most PANEL of them."""
    for j in range(end - begin):
        squares[j] = 0.0
    for q in range(columns.shape[0]):
        x = point[q]
        for j in range(end - begin):
            step = columns[q, begin + j] - x
            squares[j] += step * step
    best = 0.0
    for j in range(end - begin):
        if squares[j] > best:
            best = squares[j]
    return best


@kernel
def farthest_own(columns, points, radii, lo, hi, begin, end, farthest):
    """Fill the square of the largest distance of points lo ... hi-1 to any of their cluster, points begin ... end-1.

    No two points are farther apart than the sum of their distances from the middle.
    """
    squares = np.empty(PANEL)
    for i in range(lo, hi):
        best = 0.0
        for at in range(begin, end, PANEL):
            reach = radii[i] + radii[at]
            if SLACK * reach * reach <= best:
                break
            best = max(best, _farthest_of_panel(columns, points[i], at, min(at + PANEL, end), squares))
        farthest[i] = best


@kernel
def nearest_cover(columns, outside, squares_to_middle):
    """Smallest, over points outside, of the largest squared distance to a point of the cluster in `columns`.

    Points outside come by rising distance from the mean of the cluster, which is never farther than its farthest point.
    """
    size = columns.shape[1]
    squares = np.empty(PANEL)
    cover = np.inf
    for i in range(len(outside)):
        if squares_to_middle[i] >= SLACK * cover:
            break
        best = 0.0
        for at in range(0, size, PANEL):
            best = max(best, _farthest_of_panel(columns, outside[i], at, min(at + PANEL, size), squares))
            if best >= cover:
                break
        cover = min(cover, best)
    return cover


@kernel
def farthest_of_many(D, n, codes, order, firsts, starts, ks, rows, own, covers):
    """Fill, for each partition, the farthest own point of each point, and the cover of each cluster.

    The matrix of distances lies in strips, as in `partition_strips`. Covers must come with infinity.
    """
    high = np.empty(ks.max() * STRIP)
    strip = 0
    for i0 in range(0, n, STRIP):
        count = min(STRIP, n - i0)
        for b in range(len(order)):
            k = ks[b]
            for c in range(k):
                h0 = splat(0.0)
                h1 = splat(0.0)
                for place in range(starts[firsts[b] + c], starts[firsts[b] + c + 1]):
                    at = strip + order[b, place] * STRIP
                    h0 = most(h0, load(D, at))
                    h1 = most(h1, load(D, at + 8))
                store(high, c * STRIP, h0)
                store(high, c * STRIP + 8, h1)
            for i in range(count):
                a = codes[b, i0 + i]
                own[b, i0 + i] = high[a * STRIP + i]
                for c in range(k):
                    farthest = high[c * STRIP + i]
                    if c != a and farthest < covers[rows[b] + c]:
                        covers[rows[b] + c] = farthest
        strip += n * STRIP
