"""One pass over rows in any order: distances to the centre of their own cluster, added up by cluster.

Rows are taken eight columns at a time, or four, as in ``row_moments.py``; a mask takes out what lies behind the last
column.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.points.row_moments import ADDED, NARROW, columns_at, lanes_of
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, fma, load, load_half, mul, root, splat, store, sub, total, totals

PARTS = 8  # rows that follow each other add to places of their own, so that none waits for the one before


@kernel(inline=True)
def _deviation(x, origin, centre, mask):
    """Return columns of a row from the origin, less those of a centre; 0 behind the last column."""
    return mul(sub(sub(x, origin), centre), mask)


@kernel(inline=True)
def _squares(X, single, narrow, codes, i, p, origin, centres, mask):
    """Return the squared deviations, of up to eight columns, of row i from the centre of its cluster."""
    at = codes[i] * WIDTH
    centre = load(centres, at) if narrow is None else load_half(centres, at)
    d = _deviation(columns_at(X, single, narrow, i * p), origin, centre, mask)
    return mul(d, d)


@kernel(inline=True)
def _eight_squares(X, single, narrow, codes, i, p, origin, centres, mask):
    """Return the squared distances of eight rows, from row i on, to the centres of their clusters, side by side."""
    return totals(
        _squares(X, single, narrow, codes, i, p, origin, centres, mask),
        _squares(X, single, narrow, codes, i + 1, p, origin, centres, mask),
        _squares(X, single, narrow, codes, i + 2, p, origin, centres, mask),
        _squares(X, single, narrow, codes, i + 3, p, origin, centres, mask),
        _squares(X, single, narrow, codes, i + 4, p, origin, centres, mask),
        _squares(X, single, narrow, codes, i + 5, p, origin, centres, mask),
        _squares(X, single, narrow, codes, i + 6, p, origin, centres, mask),
        _squares(X, single, narrow, codes, i + 7, p, origin, centres, mask),
    )


@kernel
def add_to_own(X, single, codes, p, lo, hi, origin, centres, sums):
    """Add the distances of rows lo ... hi-1 to the centre of their cluster; origin and centres (k, p) as they are."""
    k, wide = len(sums), lanes_of(p)
    strips = wide // WIDTH
    mask, shift, means = np.zeros(wide), np.zeros(wide), np.zeros(k * wide)
    for j in range(p):  # loops, where slices would take the compiler seconds
        mask[j], shift[j] = 1.0, origin[j]
        for c in range(k):
            means[c * wide + j] = centres[c, j]
    few = max(ADDED, PARTS * k)
    lengths = np.zeros(few + WIDTH)
    parts = np.empty(PARTS * k)
    inside = (len(X) - wide) // p + 1  # rows whose lanes end before the last number does
    for begin in range(lo, hi, few):
        parts[:] = 0.0
        rows = min(few, hi - begin)
        bulk = max(min(rows, inside - begin), 0)
        if strips == 1:
            bulk -= bulk % WIDTH
            if p <= NARROW and single is None:
                for r in range(0, bulk, WIDTH):
                    few_squares = _eight_squares(
                        X, None, True, codes, begin + r, p, load_half(shift, 0), means, load_half(mask, 0)
                    )
                    store(lengths, r, root(few_squares))
            else:
                for r in range(0, bulk, WIDTH):
                    squares = _eight_squares(X, single, None, codes, begin + r, p, load(shift, 0), means, load(mask, 0))
                    store(lengths, r, root(squares))
        else:
            for r in range(bulk):
                i, own, squares = (begin + r) * p, codes[begin + r] * wide, splat(0.0)
                for strip in range(strips):
                    j = strip * WIDTH
                    x = columns_at(X, single, None, i + j)
                    d = _deviation(x, load(shift, j), load(means, own + j), load(mask, j))
                    squares = fma(d, d, squares)
                lengths[r] = total(squares)
        for r in range(bulk, rows):
            lengths[r] = 0.0
            for j in range(p):
                d = np.float64(X[(begin + r) * p + j]) - origin[j] - centres[codes[begin + r], j]
                lengths[r] += d * d
        for r in range(bulk if strips == 1 else 0, rows, WIDTH):
            store(lengths, r, root(load(lengths, r)))
        for r in range(rows):
            parts[codes[begin + r] * PARTS + (r & (PARTS - 1))] += lengths[r]
        for part in range(PARTS):
            for c in range(k):
                sums[c] += parts[c * PARTS + part]


@kernel
def sums_to_own(X, codes, p, origin, centres, sums):
    """Fill the sums of the distances of the rows of each cluster to its centre (k,)."""
    for c in range(len(sums)):
        sums[c] = 0.0
    add_to_own(X, None, codes, p, 0, len(codes), origin, centres, sums)
