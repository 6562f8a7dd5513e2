"""Distances from sums of squared differences: their root, or a multiple of them.

`factor == 0` takes the square root; any other factor multiplies the sum (0.5: cosine distance of unit vectors).
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel(inline=True)
def distance_of(square, factor):
    """Return the distance that a sum of squares makes."""
    return np.sqrt(square) if factor == 0.0 else factor * square


@kernel(inline=True)
def square_of(distance, factor):
    """Return the sum of squares that makes a distance, up to rounding."""
    return distance * distance if factor == 0.0 else distance / factor


@kernel
def finish_row(row, count, factor):
    """Replace the first `count` sums of squares by the distances that they make."""
    if factor == 0.0:
        for c in range(count):
            row[c] = np.sqrt(row[c])
    else:
        for c in range(count):
            row[c] *= factor
