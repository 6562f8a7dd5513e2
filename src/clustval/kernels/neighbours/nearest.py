"""The nearest other points of each point: every pair is met, only the nearest are kept.

Points are columns, so that the distances of one point to the others vectorise. Of points equally near, the one with the
smallest number comes first.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import distance_of, square_of
from clustval.kernels.metrics.squares import TILE, least_between, squares_to
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import SLACK_OF_SQUARES

GROUP = 64  # distances whose smallest is compared with the limit before any of them is


@kernel
def _enter(d, j, distances, numbers, count):
    """Put a point among the `count` nearest so far, if it is near enough; return how many nearest there are now."""
    room = len(distances)
    if count == room and d >= distances[room - 1]:
        return count
    at = min(count, room - 1)
    while at > 0 and distances[at - 1] > d:
        distances[at] = distances[at - 1]
        numbers[at] = numbers[at - 1]
        at -= 1
    distances[at] = d
    numbers[at] = j
    return min(count + 1, room)


@kernel
def nearest_points(columns, rows, factor, distances, numbers):
    """Fill in the nearest points of some rows, as many as there is room for, nearest first."""
    n = columns.shape[1]
    room = distances.shape[1]
    row = np.empty(TILE)
    counts = np.zeros(len(rows), np.int64)
    limits = np.full(len(rows), np.inf)
    for lo in range(0, n, TILE):
        hi = min(lo + TILE, n)
        for at in range(len(rows)):
            i = rows[at]
            squares_to(columns, i, lo, hi, row)
            for begin in range(0, hi - lo, GROUP):
                end = min(begin + GROUP, hi - lo)
                if least_between(row, begin, end) > limits[at]:
                    continue
                for c in range(begin, end):
                    if row[c] <= limits[at] and lo + c != i:
                        d = distance_of(row[c], factor)
                        counts[at] = _enter(d, lo + c, distances[at], numbers[at], counts[at])
                        if counts[at] == room:
                            limits[at] = square_of(distances[at, room - 1], factor) * SLACK_OF_SQUARES


@kernel
def nearest_in_rows(block, rows, distances, numbers):
    """Fill in the nearest points of some rows from their distances to all points."""
    for at in range(len(rows)):
        count = 0
        for j in range(block.shape[1]):
            if j != rows[at]:
                count = _enter(block[at, j], j, distances[at], numbers[at], count)
