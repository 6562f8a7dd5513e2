"""Sums, minima and maxima of the Euclidean distances of some points to weighted points, cluster by cluster.

The weighted points are packed into strips of eight, as in `half_square`; copies of the last point of a cluster fill its
last strip, with weight 0. Four rows are met with a strip at a time. What a row gets does not depend on which others
are met with it.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import (
    WIDTH,
    fma,
    highest,
    least,
    load,
    lowest,
    most,
    mul,
    rolled,
    root,
    splat,
    spread,
    sub,
    total,
)


@kernel(inline=True)
def _far(points, row, columns, strip, p):
    """Distances of one point from a strip."""
    d = splat(0.0)
    for q in range(p):
        rolled()
        e = sub(load(columns, strip + WIDTH * q), spread(points, row + q))
        d = fma(e, e, d)
    return root(d)


@kernel(inline=True)
def _four(points, row, columns, strip, p):
    """Distances of four points, one after the other, from a strip."""
    d0 = splat(0.0)
    d1 = splat(0.0)
    d2 = splat(0.0)
    d3 = splat(0.0)
    for q in range(p):
        rolled()
        c = load(columns, strip + WIDTH * q)
        e0 = sub(c, spread(points, row + q))
        d0 = fma(e0, e0, d0)
        e1 = sub(c, spread(points, row + p + q))
        d1 = fma(e1, e1, d1)
        e2 = sub(c, spread(points, row + 2 * p + q))
        d2 = fma(e2, e2, d2)
        e3 = sub(c, spread(points, row + 3 * p + q))
        d3 = fma(e3, e3, d3)
    return root(d0), root(d1), root(d2), root(d3)


@kernel(inline=True)
def _enter(i, c, sum_, low, high, sums, lows, highs):
    """Enter what row i met in cluster c."""
    sums[i, c] += total(sum_)
    if lows is not None:
        smallest = lowest(low)
        largest = highest(high)
        lows[i, c] = smallest if smallest < lows[i, c] else lows[i, c]
        highs[i, c] = largest if largest > highs[i, c] else highs[i, c]


@kernel
def weighted_rows(points, p, begin, end, columns, heavy, places, shift, sums, lows, highs, squares):
    """Meet points begin..end-1 with all packed points: cluster c is places places[c]..places[c + 1] - 1.

    Adds to the sums (n, k) of distances by weight, to the smallest and largest distances (n, k) unless `lows` is None,
    and to the weighted squares (n,) of distances less `shift`.
    """
    centre = splat(shift)
    i = begin
    while i < end:
        row = i * p
        if i + 4 <= end:
            q0 = splat(0.0)
            q1 = splat(0.0)
            q2 = splat(0.0)
            q3 = splat(0.0)
            for c in range(len(places) - 1):
                s0 = splat(0.0)
                s1 = splat(0.0)
                s2 = splat(0.0)
                s3 = splat(0.0)
                low0 = splat(np.inf)
                low1 = splat(np.inf)
                low2 = splat(np.inf)
                low3 = splat(np.inf)
                high0 = splat(0.0)
                high1 = splat(0.0)
                high2 = splat(0.0)
                high3 = splat(0.0)
                for place in range(places[c], places[c + 1], WIDTH):
                    d0, d1, d2, d3 = _four(points, row, columns, place * p, p)
                    w = load(heavy, place)
                    s0 = fma(d0, w, s0)
                    s1 = fma(d1, w, s1)
                    s2 = fma(d2, w, s2)
                    s3 = fma(d3, w, s3)
                    if lows is not None:
                        low0 = least(low0, d0)
                        low1 = least(low1, d1)
                        low2 = least(low2, d2)
                        low3 = least(low3, d3)
                        high0 = most(high0, d0)
                        high1 = most(high1, d1)
                        high2 = most(high2, d2)
                        high3 = most(high3, d3)
                    d0 = sub(d0, centre)
                    d1 = sub(d1, centre)
                    d2 = sub(d2, centre)
                    d3 = sub(d3, centre)
                    q0 = fma(mul(d0, d0), w, q0)
                    q1 = fma(mul(d1, d1), w, q1)
                    q2 = fma(mul(d2, d2), w, q2)
                    q3 = fma(mul(d3, d3), w, q3)
                _enter(i, c, s0, low0, high0, sums, lows, highs)
                _enter(i + 1, c, s1, low1, high1, sums, lows, highs)
                _enter(i + 2, c, s2, low2, high2, sums, lows, highs)
                _enter(i + 3, c, s3, low3, high3, sums, lows, highs)
            squares[i] += total(q0)
            squares[i + 1] += total(q1)
            squares[i + 2] += total(q2)
            squares[i + 3] += total(q3)
            i += 4
        else:
            q = splat(0.0)
            for c in range(len(places) - 1):
                s = splat(0.0)
                low = splat(np.inf)
                high = splat(0.0)
                for place in range(places[c], places[c + 1], WIDTH):
                    d = _far(points, row, columns, place * p, p)
                    w = load(heavy, place)
                    s = fma(d, w, s)
                    if lows is not None:
                        low = least(low, d)
                        high = most(high, d)
                    d = sub(d, centre)
                    q = fma(mul(d, d), w, q)
                _enter(i, c, s, low, high, sums, lows, highs)
            squares[i] += total(q)
            i += 1
