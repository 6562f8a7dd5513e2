"""Outlines of clusters on a plane: around most of their points, not around the few that are farthest out."""

from __future__ import annotations

import math

import numpy as np

from clustval.arrays import Floats

SHARE = 0.9  # of the points of a cluster, those nearest to its middle
FEWEST = 3  # corners


def outline(places: Floats) -> Floats:
    """Return the corners (m, 2) of the convex hull of the nine tenths of points nearest to the middle, in turn.

    The middle is the median of each coordinate, and distances count in standard deviations along each direction, so
    that a long cluster keeps its length. Points on a line, and fewer than three, have no outline: no corners.

    >>> square = [[0, 0], [0, 4], [4, 4], [4, 0], [2, 2], [1, 2]]
    >>> sorted(map(tuple, outline(np.array(square, dtype=float)).tolist()))
    [(0.0, 0.0), (0.0, 4.0), (4.0, 0.0), (4.0, 4.0)]
    """
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415 - only pictures need it

    none = np.empty((0, 2))
    if len(places) < FEWEST:
        return none
    reach = float(np.abs(places).max()) or 1.0
    shifted = places / reach - np.median(places / reach, axis=0)
    spread = np.linalg.pinv(shifted.T @ shifted / len(places))
    distances = np.einsum("ij,jk,ik->i", shifted, spread, shifted)
    nearest = np.argsort(distances, kind="stable")[: math.ceil(SHARE * len(places))]
    try:
        corners = ConvexHull(shifted[nearest]).vertices
    except (QhullError, ValueError):
        return none
    return places[nearest[corners]]
