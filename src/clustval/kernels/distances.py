"""Is a square matrix one of distances? Each entry is read once, beside its mirror image."""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel

TILE = 64  # a tile and its mirror image stay in the first-level cache


@kernel
def stripe_has_faults(D, lo, hi, tolerance):
    """Return whether rows lo ... hi-1 right of the diagonal, or their mirror images, are not distances.

    A negative, infinite or missing entry, one on the diagonal that is not 0, or one that differs from its mirror
    image by more than `tolerance` of itself.
    """
    n = len(D)
    mirror = np.empty((TILE, TILE))
    for top in range(lo, hi, TILE):
        height = min(top + TILE, hi) - top
        for i in range(height):
            if D[top + i, top + i] != 0:
                return True
        for left in range(top, n, TILE):
            width = min(left + TILE, n) - left
            for j in range(width):
                for i in range(height):
                    mirror[i, j] = D[left + j, top + i]
            faults = 0
            for i in range(height):
                for j in range(width):
                    a = D[top + i, left + j]
                    # Written so that NaN is a fault: it fails every comparison, and infinity less itself is NaN.
                    faults += (not abs(a - mirror[i, j]) <= tolerance * a) | (not a >= 0)
            if faults:
                return True
    return False
