"""Points that are uniform in the box of the columns: the null of three tests, and what to reject it does not mean."""

from __future__ import annotations

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
