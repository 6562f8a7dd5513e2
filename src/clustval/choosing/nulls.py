"""Data without clusters that look like the data otherwise: what a clustering must beat to mean anything."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.choosing.evidence.axes import FEWEST_AXES, scores_beyond_chance
from clustval.errors import InputError
from clustval.inputs import WITHOUT_MEANS, one_of
from clustval.passes.neighbours.nearest import nearest_of_points
from clustval.passes.trees.reach_tree import tree_of_points
from clustval.relative.gap import along_axes, box, gaussian

NEAR = 4  # neighbours that say how wide the skeleton is
NARROWER = 0.8  # than its neighbours are far
Draw = Callable[[np.random.Generator], Floats]  # from random numbers to points of the shape of the data


def uniform(X: Floats) -> Draw:
    """Return draws that are uniform in a box around the data, of the columns or of the principal components.

    It is the smaller one, which uniform data fill: chance turns the principal components of a square or of few points,
    and the box along them is then larger and rounder than the one that the data come from.
    """
    ranges = np.ptp(X, axis=0)
    if len(X) <= X.shape[1] or not (ranges > 0).all():
        return along_axes(X)
    centred = X - X.mean(axis=0)
    turned = np.ptp(centred @ np.linalg.svd(centred, full_matrices=False)[2].T, axis=0)
    if not np.log(ranges).sum() <= np.log(np.maximum(turned, np.finfo(np.float64).tiny)).sum():
        return along_axes(X)
    return box(X)


def skeleton(X: Floats) -> Draw:
    """Return draws along the minimum spanning tree of the data, each edge as likely as it is long, and around it.

    The tree keeps the shape of the data, a ring for one, while gaps fill up: between clusters points lie as densely
    as inside them. Each point is moved nearly as far as its neighbours are, so that the draws are no thin threads, and
    a little less, since noise counts twice: in the tree, and around it. The tree is that of the axes with more variance
    than chance; other axes keep their values, in any order.
    """
    mean, left, lengths, axes, count = _leading(X, FEWEST_AXES)
    scores = np.ascontiguousarray(left[:, :count] * lengths[:count])
    others = left[:, count:] * lengths[count:]
    n = len(X)
    edges, steps = tree_of_points(scores, np.zeros(n), n_jobs=1)
    if not steps.any():
        return lambda _rng: X
    ends = np.cumsum(steps)
    near = nearest_of_points(scores, min(NEAR, n - 1), n_jobs=1)[0][:, -1]
    width = NARROWER * near[edges].min(axis=1) * math.sqrt(2 / count)  # as in a plane, whatever the dimension

    def draw(rng: np.random.Generator) -> Floats:
        edge = np.minimum(np.searchsorted(ends, rng.uniform(0, ends[-1], n)), n - 2)
        start, end = scores[edges[edge, 0]], scores[edges[edge, 1]]
        along = start + rng.uniform(size=(n, 1)) * (end - start)
        around = along + rng.normal(size=(n, count)) * width[edge, None]
        return np.asarray(mean + np.concatenate([around, rng.permuted(others, axis=0)], axis=1) @ axes)

    return draw


def columns(X: Floats) -> Draw:
    """Return draws with the columns of the data and their rank correlations, and no other dependence.

    They are Gaussian with these correlations, and each column then gets the values of the data in its own order.
    """
    from scipy.special import ndtri  # noqa: PLC0415 - only this null needs it
    from scipy.stats import rankdata  # noqa: PLC0415

    n = len(X)
    normal = ndtri((rankdata(X, axis=0) - 0.5) / n)
    _, lengths, axes = np.linalg.svd(normal - normal.mean(axis=0), full_matrices=False)
    values = np.sort(X, axis=0)

    def draw(rng: np.random.Generator) -> Floats:
        points = (rng.normal(size=(n, len(lengths))) * lengths) @ axes
        order = np.argsort(np.argsort(points, axis=0), axis=0)
        return np.asarray(np.take_along_axis(values, order, axis=0))

    return draw


def elliptical(X: Floats) -> Draw:
    """Return draws around one centre in which each point keeps its distance from it, in a direction of its own.

    Directions are those of the axes with more variance than chance, in units of their spread; on others each point
    keeps its place or goes to the opposite one. Heavy tails stay heavy, and a ring or a hollow sphere stays one.
    """
    mean, left, lengths, axes, count = _leading(X, 2)
    radii = np.linalg.norm(left[:, :count], axis=1, keepdims=True)

    def draw(rng: np.random.Generator) -> Floats:
        directions = rng.normal(size=(len(X), count))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        others = left[:, count:] * rng.choice([-1.0, 1.0], size=left[:, count:].shape)
        return np.asarray(mean + (np.concatenate([radii * directions, others], axis=1) * lengths) @ axes)

    return draw


def _leading(X: Floats, fewest: int) -> tuple[Floats, Floats, Floats, Floats, int]:
    """Return the mean, the parts of the singular value decomposition, and how many axes beat chance."""
    mean = X.mean(axis=0)
    left, lengths, axes = np.linalg.svd(X - mean, full_matrices=False)
    return mean, left, lengths, axes, scores_beyond_chance(X, np.random.default_rng(0), fewest).shape[1]


def permuted(X: Floats) -> Draw:
    """Return draws with the columns of the data, each in an order of its own: codes stay codes.

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


def sphere(X: Floats) -> Draw:
    """Return draws of directions: one Gaussian with the mean and the covariance of the unit vectors, of length 1."""
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    draw = gaussian(X / np.where(lengths == 0, 1.0, lengths))

    def directions(rng: np.random.Generator) -> Floats:
        points = draw(rng)
        return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))

    return directions


NULLS: dict[str, Callable[[Floats], Draw]] = {
    "gaussian": gaussian,
    "uniform": uniform,
    "skeleton": skeleton,
    "columns": columns,
    "elliptical": elliptical,
    "permuted": permuted,
    "sphere": sphere,
}
OF_CATEGORIES = "permuted"  # the null of categories


def nulls_of(null: Any, usual: Sequence[str], metric: Any) -> list[Any]:
    """Return the nulls to compare with: those asked for; where the usual ones are, those that a metric allows.

    Of categories no Gaussian is drawn, nor anything else that lies between them.
    """
    nulls = [null] if isinstance(null, str) or callable(null) else list(null)
    if metric not in WITHOUT_MEANS:
        return nulls
    if nulls == list(usual):
        return [OF_CATEGORIES]
    for each in nulls:
        if each in NULLS and each != OF_CATEGORIES:
            msg = f"null={each!r} draws numbers, and the metric {metric!r} compares categories; use null='permuted'."
            raise InputError(msg)
    return nulls


def null_of(null: Any, X: Floats) -> tuple[str, Draw]:
    """Return the name of a null and its draws: one of ours by name, or the user's function ``(X, rng) -> points``."""
    if not callable(null):
        return null, NULLS[one_of(null, tuple(NULLS), "null")](X)
    name = getattr(null, "__name__", type(null).__name__)

    def draw(rng: np.random.Generator) -> Floats:
        points = np.asarray(null(X, rng), dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != X.shape[1] or not np.isfinite(points).all():
            msg = f"The null {name} must give points with {X.shape[1]} finite columns; it gave shape {points.shape}."
            raise InputError(msg)
        return points

    return name, draw
