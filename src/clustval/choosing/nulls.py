"""Data without clusters that look like the data otherwise: what a clustering must beat to mean anything."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.choosing.evidence.axes import FEWEST_AXES, scores_beyond_chance
from clustval.errors import InputError
from clustval.inputs import WITHOUT_MEANS, as_points, one_of
from clustval.passes.neighbours.nearest import nearest_of_points
from clustval.passes.trees.reach_tree import tree_of_points
from clustval.relative import gap

NEAR = 4  # neighbours that say how wide the skeleton is
NARROWER = 0.8  # than its neighbours are far
Draw = Callable[[np.random.Generator], Floats]  # from random numbers to points of the shape of the data


def gaussian(X: Floats) -> Draw:
    """Return draws of one Gaussian, with exactly the mean and the covariance of the data.

    Points of any Gaussian are so distributed once their mean and covariance are known: the data are then as likely as
    each draw, and the rank of any number that is computed from them is uniform, however few they are. Draws with their
    own covariance, which varies around that of the data, are longer than the data and easier to cut in two.
    """
    mean = X.mean(axis=0)
    _, lengths, axes = np.linalg.svd(X - mean, full_matrices=False)

    def draw(rng: np.random.Generator) -> Floats:
        points = rng.normal(size=(len(X), len(lengths)))
        directions, triangle = np.linalg.qr(points - points.mean(axis=0))
        signs = np.where(np.diagonal(triangle) < 0, -1.0, 1.0)  # without them the first row would have a sign
        return np.asarray(mean + (directions * (signs * lengths)) @ axes)

    return draw


def uniform(X: Floats) -> Draw:
    """Return draws that are uniform in the box of the columns and reach its ends, as the data do.

    Points of any such box are so distributed once the ends of their columns are known: the data are then as likely as
    each draw, and the rank of any number that is computed from them is uniform, however few they are.
    """
    low, ranges = X.min(axis=0), np.ptp(X, axis=0)

    def draw(rng: np.random.Generator) -> Floats:
        points = rng.uniform(size=X.shape)
        points -= points.min(axis=0)
        return np.asarray(low + points * (ranges / points.max(axis=0)))

    return draw


def turned(X: Floats) -> Draw:
    """Return draws that are uniform in the box of the principal components: for columns that are correlated."""
    mean = X.mean(axis=0)
    axes = np.linalg.svd(X - mean, full_matrices=False)[2]
    draw = uniform((X - mean) @ axes.T)
    return lambda rng: np.asarray(draw(rng) @ axes + mean)


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


def sphere(X: Floats) -> Draw:
    """Return draws of directions: one Gaussian with the mean and the covariance of the unit vectors, of length 1."""
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    draw = gap.gaussian(X / np.where(lengths == 0, 1.0, lengths))

    def directions(rng: np.random.Generator) -> Floats:
        points = draw(rng)
        return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))

    return directions


NULLS: dict[str, Callable[[Floats], Draw]] = {
    "gaussian": gaussian,
    "uniform": uniform,
    "turned": turned,
    "skeleton": skeleton,
    "columns": columns,
    "elliptical": elliptical,
    "permuted": gap.permuted,
    "sphere": sphere,
}
OF_CATEGORIES = "permuted"  # the null of categories


def nulls_of(null: Any, usual: Sequence[str], metric: Any, columns: int) -> list[Any]:
    """Return the nulls to compare with: those asked for; where the usual ones are, those that a metric allows.

    Of categories no Gaussian is drawn, nor anything else that lies between them. Uniform points of several columns are
    those of two boxes: which one the data come from is not known, and to guess it from few points is often wrong.
    """
    alone = isinstance(null, str) or callable(null) or not isinstance(null, Iterable)
    nulls = [null] if alone else list(null)
    if not nulls:
        usable = OF_CATEGORIES if metric in WITHOUT_MEANS else "gaussian"
        msg = f"null is empty; name at least one, such as {usable!r}."
        raise InputError(msg)
    if metric not in WITHOUT_MEANS:
        if "uniform" in nulls and "turned" not in nulls and columns > 1:
            nulls.insert(nulls.index("uniform") + 1, "turned")
        return nulls
    if nulls == list(usual):
        return [OF_CATEGORIES]
    for each in nulls:
        if isinstance(each, str) and each in NULLS and each != OF_CATEGORIES:
            msg = f"null={each!r} draws numbers, and the metric {metric!r} compares categories; use null='permuted'."
            raise InputError(msg)
    return nulls


def null_of(null: Any, X: Floats) -> tuple[str, Draw]:
    """Return the name of a null and its draws: one of ours by name, or the user's function ``(X, rng) -> points``."""
    if not callable(null):
        return null, NULLS[one_of(null, tuple(NULLS), "null")](X)
    name = getattr(null, "__name__", type(null).__name__)

    def draw(rng: np.random.Generator) -> Floats:
        points = as_points(null(X, rng), f"the result of {name}")
        if points.shape != X.shape:
            (n, p), (rows, columns) = X.shape, points.shape
            msg = (
                f"The null {name} must give as many points as X has, {n} rows of {p} columns; it gave {rows} rows of "
                f"{columns} columns."
            )
            raise InputError(msg)
        return points

    return name, draw
