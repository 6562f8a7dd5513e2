"""Sums of a Gaussian bell over the distances of each point to all others.

Points are columns, so that the distances of one point to the others vectorise.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.squares import TILE, least_between, squares_to
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, add, fma_scalar, load, splat, store, total

FLAT = 60.0  # exponents from here on add nothing to 1, not even for a billion points

WHOLE = 1.5 * 2.0**52  # a number that is added to this is rounded to a whole number, which its last digits spell
DIGITS_OF_WHOLE = 0x4338000000000000
BIAS = 1023  # the exponent of 1 among the digits of a float64
PER_LOG_2 = 1.4426950408889634
LOG_2_HIGH = 0.6931471803691238  # with so many zeros at its end that whole numbers times it are exact
LOG_2_LOW = 1.9082149292705877e-10


@kernel
def _bells(row, lo, hi, scale):
    """Return the sum of exp(-square * scale) over the entries lo ... hi-1."""
    total = 0.0
    for c in range(lo, hi):
        exponent = row[c] * scale
        if exponent < FLAT:
            total += np.exp(-exponent)
    return total


@kernel
def fall(row, count, shifted, scales):
    """Replace the first `count` numbers x, not below 0, by exp(-x), to within a unit in the last place.

    x = m log 2 - r with a whole number m, so that exp(-x) is 2^-m times a series in r. Those from FLAT on become as
    small as exp(-FLAT). `shifted` and `scales` are room for as many numbers.
    """
    digits, powers = shifted.view(np.int64), scales.view(np.int64)
    for j in range(count):
        shifted[j] = min(row[j], FLAT) * PER_LOG_2 + WHOLE
    for j in range(count):
        powers[j] = (BIAS - (digits[j] - DIGITS_OF_WHOLE)) << 52
    for j in range(count):
        whole = shifted[j] - WHOLE
        r = (whole * LOG_2_HIGH - min(row[j], FLAT)) + whole * LOG_2_LOW
        s = fma_scalar(r, 1 / 6227020800, 1 / 479001600)
        s = fma_scalar(r, s, 1 / 39916800)
        s = fma_scalar(r, s, 1 / 3628800)
        s = fma_scalar(r, s, 1 / 362880)
        s = fma_scalar(r, s, 1 / 40320)
        s = fma_scalar(r, s, 1 / 5040)
        s = fma_scalar(r, s, 1 / 720)
        s = fma_scalar(r, s, 1 / 120)
        s = fma_scalar(r, s, 1 / 24)
        s = fma_scalar(r, s, 1 / 6)
        s = fma_scalar(r, s, 0.5)
        s = fma_scalar(r * r, s, r)
        row[j] = (1.0 + s) * scales[j]


@kernel
def bells_of_chunks(columns, a, b, c, d, factor, scale, early, late):
    """Add exp(-scale d^2) of points a ... b-1 and of later points among c ... d-1 to the sums of both."""
    row, shifted, scales = np.empty(TILE), np.empty(TILE), np.empty(TILE)
    for tile in range(c, d, TILE):
        end = min(tile + TILE, d)
        for i in range(a, min(b, end)):
            begin = max(tile, i + 1)
            count = end - begin
            squares_to(columns, i, begin, end, row)
            if factor != 0.0:
                for j in range(count):
                    row[j] = (factor * row[j]) ** 2
            if least_between(row, 0, count) * scale >= FLAT:
                continue
            for j in range(count):
                row[j] *= scale
            fall(row, count, shifted, scales)
            at = begin - c
            sums = splat(0.0)
            lanes = count // WIDTH * WIDTH
            for j in range(0, lanes, WIDTH):
                sums = add(sums, load(row, j))
                store(late, at + j, add(load(late, at + j), load(row, j)))
            own = total(sums)
            for j in range(lanes, count):
                own += row[j]
                late[at + j] += row[j]
            early[i - a] += own


@kernel
def bells_of_rows(block, points, scale, sums):
    """Fill in the sums of some points from their distances to all points."""
    row = np.empty(block.shape[1])
    for at in range(len(block)):
        for j in range(len(row)):
            row[j] = block[at, j] * block[at, j]
        row[points[at]] = np.inf
        sums[at] = _bells(row, 0, len(row), scale)
