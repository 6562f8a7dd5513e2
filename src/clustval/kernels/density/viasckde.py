"""Sums of a Gaussian bell over the distances of each point to all others.

Points are columns, so that the distances of one point to the others vectorise.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.neighbours.nearest import CHUNK, squares_to
from clustval.kernels.work.jit import kernel

FLAT = 60.0  # exponents from here on add nothing to 1, not even for a billion points


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
def bells_of_points(columns, points, factor, scale, sums):
    """Fill in the sums of some points over all points, each without itself."""
    n = columns.shape[1]
    row = np.empty(CHUNK)
    for at in range(len(points)):
        i = points[at]
        total = 0.0
        for lo in range(0, n, CHUNK):
            hi = min(lo + CHUNK, n)
            squares_to(columns, i, lo, hi, row)
            if factor != 0.0:
                for c in range(hi - lo):
                    row[c] = (factor * row[c]) ** 2
            if lo <= i < hi:
                row[i - lo] = np.inf
            total += _bells(row, 0, hi - lo, scale)
        sums[at] = total


@kernel
def bells_of_rows(block, points, scale, sums):
    """Fill in the sums of some points from their distances to all points."""
    row = np.empty(block.shape[1])
    for at in range(len(block)):
        for j in range(len(row)):
            row[j] = block[at, j] * block[at, j]
        row[points[at]] = np.inf
        sums[at] = _bells(row, 0, len(row), scale)
