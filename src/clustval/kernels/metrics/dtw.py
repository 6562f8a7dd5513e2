"""Dynamic time warping of one series and eight others side by side."""

from __future__ import annotations

import math

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, fma, least, load, splat, spread, store, sub


@kernel
def warp_lanes(series, others, dimensions, lengths, before, after, sums, out):
    """Fill in the distances of a series to eight others: the root of the least sum of squares along a path.

    `series` has `dimensions` numbers for each step, `others` eight numbers, one of each, for each of these. A lane ends
    at its own length. A step is matched with those of the others from so many `before` its place to so many `after`.
    `sums` has room for eight numbers for each step of the others and one more: the row of the table of sums that is
    being written over the one before.
    """
    n, m = len(series) // dimensions, len(others) // (dimensions * WIDTH)
    endless = splat(math.inf)
    for j in range(m + 1):
        store(sums, j * WIDTH, endless)
    store(sums, 0, splat(0.0))
    for i in range(n):
        low, high = max(0, i - before), min(m, i + after + 1)
        left, corner = endless, load(sums, low * WIDTH)
        for j in range(low, high):
            above = load(sums, (j + 1) * WIDTH)
            left = least(left, least(corner, above))
            for c in range(dimensions):
                away = sub(spread(series, i * dimensions + c), load(others, (j * dimensions + c) * WIDTH))
                left = fma(away, away, left)
            store(sums, (j + 1) * WIDTH, left)
            corner = above
        store(sums, 0, endless)  # only the first steps begin a path
    for lane in range(WIDTH):
        out[lane] = math.sqrt(sums[lengths[lane] * WIDTH + lane])
