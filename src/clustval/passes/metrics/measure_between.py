"""Distances of some points to others that are made of squared differences, in plain NumPy.

They are the root of the sum, or a multiple of it: of unit vectors half of it is 1 minus the cosine. Passes take the
factor as an argument, in which 0 stands for the root.
"""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats

ROOT = 0.0


def squares_between(A: Floats, B: Floats) -> Floats:
    """Return the sums of squared differences of rows of A and rows of B."""
    squares = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        squares += (a[:, None] - b) ** 2
    return squares


def distances_of(squares: Floats, factor: float) -> Floats:
    """Return the distances that sums of squares make, in their place."""
    return np.sqrt(squares, out=squares) if factor == ROOT else np.multiply(squares, factor, out=squares)


def squares_of(distances: Floats, factor: float) -> Floats:
    """Return the sums of squares that make distances, up to rounding."""
    return distances**2 if factor == ROOT else distances / factor


def distances_between(A: Floats, B: Floats, factor: float) -> Floats:
    """Return the distances of rows of A to rows of B."""
    return distances_of(squares_between(A, B), factor)


def euclidean_between(A: Floats, B: Floats) -> Floats:
    """Return the Euclidean distances of rows of A to rows of B, bit for bit those of SciPy's cdist."""
    return distances_between(A, B, ROOT)
