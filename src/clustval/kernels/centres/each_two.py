"""What each of many centres has to do with all others: distances are folded as they are measured, none is kept.

Centres are packed into strips of eight as in `half_square`; values of clusters are padded to whole strips.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import (
    WIDTH,
    add,
    least,
    load,
    most,
    mul,
    quotient,
    root,
    splat,
    spread,
    store,
    sub,
    total,
    where_equal,
)


@kernel(inline=True)
def _gaps(centres, i, strips, column, p, rounding):
    """Return the distances of centre i to the eight from `column` on; 0 where they are no more than rounding."""
    square = splat(0.0)
    for q in range(p):
        step = sub(load(strips, column * p + q * WIDTH), spread(centres, i * p + q))
        square = add(square, mul(step, step))
    gap = root(square)
    return where_equal(least(gap, rounding), gap, splat(0.0), gap)


@kernel(inline=True)
def _with_others(gaps, i, column, k, alone, room):
    """Return the gaps with `alone` for centre i itself and for lanes behind the last centre."""
    store(room, 0, gaps)
    for lane in range(WIDTH):
        if column + lane == i or column + lane >= k:
            room[lane] = alone
    return load(room, 0)


@kernel
def worst_overlaps(centres, strips, p, spreads, lo, hi, rounding, out):
    """Fill the largest (spread + spread of another) / gap of clusters lo ... hi-1; NaN where a pair has 0 / 0."""
    k = len(out)
    room, limit = np.empty(WIDTH), splat(rounding)
    worst, sums = np.zeros((hi - lo) * WIDTH), np.zeros((hi - lo) * WIDTH)
    for column in range(0, k, WIDTH):
        others = load(spreads, column)
        for i in range(lo, hi):
            gaps = _gaps(centres, i, strips, column, p, limit)
            if column <= i < column + WIDTH or column + WIDTH > k:
                gaps = _with_others(gaps, i, column, k, np.inf, room)
            overlaps = quotient(add(spread(spreads, i), others), gaps)
            at = (i - lo) * WIDTH
            store(worst, at, most(load(worst, at), overlaps))
            store(sums, at, add(load(sums, at), overlaps))  # a maximum may pass NaN by, a sum does not
    for i in range(lo, hi):
        here = slice((i - lo) * WIDTH, (i - lo + 1) * WIDTH)
        out[i] = np.nan if np.isnan(sums[here]).any() else worst[here].max()


@kernel
def gap_sums(centres, strips, p, inverses, lo, hi, rounding, out):
    """Fill the sum of the gaps of centres lo ... hi-1 to all, or of gap^2 / (inverse + inverse of the other)."""
    k = len(out)
    room, limit = np.empty(WIDTH), splat(rounding)
    sums = np.zeros((hi - lo) * WIDTH)
    for column in range(0, k, WIDTH):
        for i in range(lo, hi):
            gaps = _gaps(centres, i, strips, column, p, limit)
            if column + WIDTH > k:
                gaps = _with_others(gaps, i, column, k, 0.0, room)
            if inverses is not None:
                gaps = quotient(mul(gaps, gaps), add(spread(inverses, i), load(inverses, column)))
            at = (i - lo) * WIDTH
            store(sums, at, add(load(sums, at), gaps))
    for i in range(lo, hi):
        out[i] = total(load(sums, (i - lo) * WIDTH))
