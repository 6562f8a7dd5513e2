"""How many points lie near each point, the nearer the more: each pair is met once."""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import finish_row, square_of
from clustval.kernels.metrics.squares import TILE, least_between, squares_to
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, add, load, most, quotient, splat, store, sub, total
from clustval.kernels.work.rounding import SLACK


@kernel
def near_sums_of_chunks(columns, partners, a, b, c, d, factor, width, early, late):
    """Add 1 - distance/width, where that is positive, of points a ... b-1 and points c ... d-1 to the sums of both.

    Partners of point i are the points from partners[i] on.
    """
    row = np.empty(TILE)
    limit = square_of(width, factor) * SLACK
    widths, ones, nothing = splat(width), splat(1.0), splat(0.0)
    for tile in range(c, d, TILE):
        end = min(tile + TILE, d)
        for i in range(a, b):
            begin = max(tile, partners[i])
            count = end - begin
            if count <= 0:
                continue
            squares_to(columns, i, begin, end, row)
            if least_between(row, 0, count) > limit:
                continue
            finish_row(row, count, factor)
            sums = nothing
            at = begin - c
            lanes = count // WIDTH * WIDTH
            for j in range(0, lanes, WIDTH):
                near = most(nothing, sub(ones, quotient(load(row, j), widths)))
                sums = add(sums, near)
                store(late, at + j, add(load(late, at + j), near))
            own = total(sums)
            for j in range(lanes, count):
                near_one = max(0.0, 1.0 - row[j] / width)
                own += near_one
                late[at + j] += near_one
            early[i - a] += own
