"""Points that are uniform in the box of the columns: the null of three tests, and what to reject it does not mean."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from clustval.arrays import Floats
from clustval.errors import InputError

NOT_UNIFORM = "Points that are not uniform in their box need not be clusters: one Gaussian is not uniform, either."


def varying(points: Floats) -> Floats:
    """Return the columns that vary, or raise an error if none does."""
    columns = points[:, points.max(axis=0) > points.min(axis=0)]
    if columns.shape[1] == 0:
        msg = f"All {len(points)} points of X are equal; clustering tendency needs points that differ."
        raise InputError(msg)
    return columns


def uniform(points: Floats) -> Callable[[np.random.Generator], Floats]:
    """Return a function that draws as many uniform points, in a box with the covariance of these points."""
    lengths = np.linalg.svd(points - points.mean(axis=0), compute_uv=False)
    half = math.sqrt(3 / max(len(points) - 1, 1)) * lengths  # a uniform variable has a third of its half-width squared

    def draw(rng: np.random.Generator) -> Floats:
        return rng.uniform(-half, half, (len(points), len(half)))

    return draw
