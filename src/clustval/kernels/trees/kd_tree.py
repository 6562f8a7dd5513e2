"""The nearest points of different clusters and the farthest of one cluster, without meeting all pairs.

Distances are squares, added up as in the pass over pairs: the root of the result is the number that pass gives.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import fma_scalar
from clustval.kernels.work.rounding import SLACK

LEAF = 16
MIXED = -1
STACK = 256  # pairs of nodes: up to four are put down for one taken up, on each of fewer than 64 levels


@kernel
def squared_distance(X, i, Y, j):
    """Square of the distance between row i of X and row j of Y, rounded as in the pass over pairs."""
    square = 0.0
    for q in range(X.shape[1]):
        difference = X[i, q] - Y[j, q]
        square = fma_scalar(difference, difference, square)
    return square


@kernel
def _swap(X, labels, i, j):
    for q in range(X.shape[1]):
        X[i, q], X[j, q] = X[j, q], X[i, q]
    labels[i], labels[j] = labels[j], labels[i]


@kernel
def _halve(X, labels, begin, end, low_corner, high_corner):
    """Put the smaller half of the rows along the longest side of their box before the larger (Hoare's selection)."""
    q = 0
    for side in range(1, len(low_corner)):
        if high_corner[side] - low_corner[side] > high_corner[q] - low_corner[q]:
            q = side
    middle = (begin + end) // 2
    low = begin
    high = end - 1
    while low < high:
        pivot = X[(low + high) // 2, q]
        i = low
        j = high
        while i <= j:
            while X[i, q] < pivot:
                i += 1
            while X[j, q] > pivot:
                j -= 1
            if i <= j:
                _swap(X, labels, i, j)
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel
def grow(X, labels):
    """Order rows and labels, in place, as leaves of a balanced k-d tree; return its nodes.

    Children of node v are 2 v and 2 v + 1, from 1. A node is a range of rows, a box, and the label of all
    its rows or MIXED.
    """
    n, p = X.shape
    leaves = 1
    while n > leaves * LEAF:
        leaves *= 2
    begins = np.empty(2 * leaves, np.int64)
    ends = np.empty(2 * leaves, np.int64)
    lows = np.empty((2 * leaves, p))
    highs = np.empty((2 * leaves, p))
    colours = np.empty(2 * leaves, np.int64)
    begins[1] = 0
    ends[1] = n
    for v in range(1, 2 * leaves):
        begin = begins[v]
        end = ends[v]
        colours[v] = labels[begin]
        for q in range(p):
            lows[v, q] = highs[v, q] = X[begin, q]
        for i in range(begin + 1, end):
            if labels[i] != colours[v]:
                colours[v] = MIXED
            for q in range(p):
                lows[v, q] = min(lows[v, q], X[i, q])
                highs[v, q] = max(highs[v, q], X[i, q])
        if v < leaves:
            _halve(X, labels, begin, end, lows[v], highs[v])
            begins[2 * v] = begin
            ends[2 * v] = begins[2 * v + 1] = (begin + end) // 2
            ends[2 * v + 1] = end
    return begins, ends, lows, highs, colours


@kernel
def _gap(lows, highs, u, v):
    """Square of a distance that no two points of boxes u and v undercut, rounding included.

    Subtraction and fused multiply-add are monotone, so this cannot round above the square of a real distance.
    """
    square = 0.0
    for q in range(lows.shape[1]):
        difference = max(lows[u, q] - highs[v, q], lows[v, q] - highs[u, q], 0.0)
        square = fma_scalar(difference, difference, square)
    return square


@kernel
def separation(X, labels, begins, ends, lows, highs, colours, budget):
    """Square of the smallest distance between rows of different labels; negative if that takes more than `budget`.

    Pairs of nodes are opened, the nearer first, unless they are of one label or too far apart to matter. What
    counts against the budget is a pair of boxes or of points that is looked at.
    """
    leaves = len(begins) // 2
    best = np.inf
    us = np.empty(STACK, np.int64)
    vs = np.empty(STACK, np.int64)
    gaps = np.empty(STACK)
    us[0] = vs[0] = 1
    gaps[0] = 0.0
    height = 1
    while height > 0 and budget > 0:
        height -= 1
        u = us[height]
        v = vs[height]
        budget -= 1
        if gaps[height] >= best or (colours[u] == colours[v] and colours[u] != MIXED):
            continue
        if u >= leaves:
            for i in range(begins[u], ends[u]):
                for j in range(i + 1 if u == v else begins[v], ends[v]):
                    if labels[i] != labels[j]:
                        budget -= 1
                        best = min(best, squared_distance(X, i, X, j))
            continue
        base = height
        for a in range(2 * u, 2 * u + 2):
            for b in range(a if u == v else 2 * v, 2 * v + 2):
                gap = 0.0 if a == b else _gap(lows, highs, a, b)
                at = height
                while at > base and gaps[at - 1] < gap:  # the nearest on top
                    us[at] = us[at - 1]
                    vs[at] = vs[at - 1]
                    gaps[at] = gaps[at - 1]
                    at -= 1
                us[at] = a
                vs[at] = b
                gaps[at] = gap
                height += 1
    return best if budget > 0 else -1.0


@kernel
def _farthest(X, begin, end, i):
    """The row among begin..end-1 that is farthest from row i."""
    best = -1.0
    where = begin
    for j in range(begin, end):
        d = squared_distance(X, i, X, j)
        if d > best:
            best = d
            where = j
    return where


@kernel
def radii(X, starts):
    """Distance of each row to the middle of its cluster."""
    n, p = X.shape
    result = np.empty(n)
    middles = np.zeros((len(starts) - 1, p))
    for c in range(len(starts) - 1):
        for i in range(starts[c], starts[c + 1]):
            for q in range(p):
                middles[c, q] += X[i, q] / (starts[c + 1] - starts[c])
        for i in range(starts[c], starts[c + 1]):
            result[i] = np.sqrt(squared_distance(X, i, middles, c))
    return result


@kernel
def diameter(X, starts, radius, budget):
    """Square of the largest distance inside a cluster; negative if that takes looking at more than `budget` pairs.

    Rows of a cluster are sorted by falling radius. No pair is looked at if its radii add up to no more than the
    best distance so far; the first guess is the point farthest from the one that is farthest from the middle.
    """
    best = 0.0
    for c in range(len(starts) - 1):
        begin = starts[c]
        end = starts[c + 1]
        one = _farthest(X, begin, end, begin)
        best = max(best, squared_distance(X, one, X, _farthest(X, begin, end, one)))
        for i in range(begin + 1, end):
            if SLACK * (radius[begin] + radius[i]) ** 2 <= best:
                break
            for j in range(begin, i):
                if SLACK * (radius[j] + radius[i]) ** 2 <= best:
                    break
                budget -= 1
                if budget < 0:
                    return -1.0
                best = max(best, squared_distance(X, i, X, j))
    return best
