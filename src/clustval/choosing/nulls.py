"""Data without clusters that look like the data otherwise: what a clustering must beat to mean anything."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.errors import InputError
from clustval.inputs import WITHOUT_MEANS, one_of
from clustval.passes.neighbours.nearest import nearest_of_points
from clustval.passes.trees.reach_tree import tree_of_points
from clustval.relative.gap import along_axes

NEAR = 4  # neighbours that say how wide the skeleton is
Draw = Callable[[np.random.Generator], Floats]  # from random numbers to points of the shape of the data


def gaussian(X: Floats) -> Draw:
    """Return draws of one Gaussian with the mean and the covariance of the data."""
    mean = X.mean(axis=0)
    _, _, axes = np.linalg.svd(X - mean, full_matrices=False)
    scores = (X - mean) @ axes.T
    spread = scores.std(axis=0, ddof=1)
    return lambda rng: mean + (rng.normal(size=scores.shape) * spread) @ axes


def skeleton(X: Floats) -> Draw:
    """Return draws along the minimum spanning tree of the data, each edge as likely as it is long, and around it.

    The tree keeps the shape of the data, a ring for one, while gaps fill up: between clusters points lie as densely
    as inside them. Each point is moved about as far as its neighbours are, so that the draws are no thin threads.
    """
    n, p = X.shape
    edges, lengths = tree_of_points(X, np.zeros(n), n_jobs=1)
    if not lengths.any():
        return lambda _rng: X
    ends = np.cumsum(lengths)
    near = nearest_of_points(X, min(NEAR, n - 1), n_jobs=1)[0][:, -1]
    width = near[edges].min(axis=1) * math.sqrt(2 / p)  # as in a plane, whatever the dimension

    def draw(rng: np.random.Generator) -> Floats:
        edge = np.minimum(np.searchsorted(ends, rng.uniform(0, ends[-1], n)), n - 2)
        start, end = X[edges[edge, 0]], X[edges[edge, 1]]
        along: Floats = start + rng.uniform(size=(n, 1)) * (end - start)
        return np.asarray(along + rng.normal(size=(n, p)) * width[edge, None])

    return draw


def columns(X: Floats) -> Draw:
    """Return draws in which each column is shuffled on its own: values stay as frequent, and say nothing of each other.

    A table for Gower's distance that has a weight before each number keeps its missing values where they are.
    """
    weighted = bool(X.size) and bool(X[0, 0] < 0)

    def draw(rng: np.random.Generator) -> Floats:
        if not weighted:
            return rng.permuted(X, axis=0)
        drawn = X.copy()
        for at in range(1, X.shape[1], 2):
            known = np.flatnonzero(X[:, at - 1] <= X[:, at - 1].min())
            drawn[known, at] = X[rng.permutation(known), at]
        return drawn

    return draw


NULLS: dict[str, Callable[[Floats], Draw]] = {"gaussian": gaussian, "uniform": along_axes, "skeleton": skeleton}
OF_CATEGORIES: dict[str, Callable[[Floats], Draw]] = {"columns": columns}  # nulls of categories


def nulls_of(null: Any, usual: Sequence[str], metric: Any) -> list[Any]:
    """Return the nulls to compare with: those asked for; where the usual ones are, those that a metric allows.

    Of categories no Gaussian is drawn, nor anything else that lies between them.
    """
    nulls = [null] if isinstance(null, str) or callable(null) else list(null)
    if metric not in WITHOUT_MEANS:
        return nulls
    if nulls == list(usual):
        return list(OF_CATEGORIES)
    for each in nulls:
        if each in NULLS:
            msg = f"null={each!r} draws numbers, and the metric {metric!r} compares categories; use null='columns'."
            raise InputError(msg)
    return nulls


def null_of(null: Any, X: Floats) -> tuple[str, Draw]:
    """Return the name of a null and its draws: one of ours by name, or the user's function ``(X, rng) -> points``."""
    if not callable(null):
        known = NULLS | OF_CATEGORIES
        return null, known[one_of(null, tuple(known), "null")](X)
    name = getattr(null, "__name__", type(null).__name__)

    def draw(rng: np.random.Generator) -> Floats:
        points = np.asarray(null(X, rng), dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != X.shape[1] or not np.isfinite(points).all():
            msg = f"The null {name} must give points with {X.shape[1]} finite columns; it gave shape {points.shape}."
            raise InputError(msg)
        return points

    return name, draw
