"""Evidence of a valley between two groups of points, by projections and by the graph of neighbours."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.diagnosis.evidence.discriminant import UNEQUAL, contrast, depth, held_out_scores
from clustval.diagnosis.evidence.surroundings import Graph, Surroundings

SHARES = (1.0, 0.7, 0.5)  # of each group, the points nearest to the other, in which a valley is looked for
SOME = 10  # points of a group that are looked at anyway
NEAR = 3  # points of the other group whose mean distance says how near it is
FLOOR = 0.05  # added to a depth before its logarithm is taken
FAR = 8.0  # standard deviations beyond which groups are as far apart as can be


class Border(NamedTuple):
    """What is seen between two groups; the first and the last are NaN where there are no coordinates."""

    depth: float  # - log of the density in the valley over that of the lower peak, the median over three windows
    mass: float  # root of the excess mass of the smaller side where dense branches meet
    layers: float  # how layers of points grow away from the border
    cross: float  # log of the edges across, by the size of the smaller group
    contrast: float  # standard deviations between the groups, d'


class Axis(NamedTuple):
    """Points along the direction that tells two groups apart, each by a direction that it did not help to find."""

    scores: Floats
    sides: Integers


def border(
    around: Surroundings, a: Integers, b: Integers, voted: tuple[Integers, Integers] | None = None
) -> tuple[Border, Axis | None]:
    """Return the evidence between two groups of rows, which the graph sees as neighbours `voted`; and their axis."""
    core_a, core_b = voted or (a, b)
    sides = np.full(around.n, -1)
    sides[core_a], sides[core_b] = 0, 1
    size = max(1, min(len(core_a), len(core_b)))
    mass = excess_mass(around.mutual, around.log_density, sides)
    growth, edges = layers(around.mutual, sides)
    valley, apart, axis = (np.nan, np.nan, None) if around.X is None else _projected(around.X, a, b)
    cross = float(np.log(max(edges, 0.5) / (size * around.count)))
    return Border(valley, float(np.sqrt(min(1.0, mass / size))), growth, cross, apart), axis


def excess_mass(graph: Graph, log_density: Floats, sides: Integers) -> float:
    """Return the smaller excess of the two sides where their dense branches meet."""
    members = np.flatnonzero(sides >= 0)
    order = members[np.argsort(-log_density[members], kind="stable")]
    return float(kernels.valleys.excess_mass.excess_mass(order, *graph.lists, log_density, sides)[0])


def layers(graph: Graph, sides: Integers) -> tuple[float, int]:
    """Return how much the layers of points grow behind the border, on the side where they grow less; and edges across.

    Growth is the log of the larger of the second and third layer over the first, each with one point more.
    """
    sizes = np.zeros((2, 3), dtype=np.int64)
    edges = kernels.valleys.layers.layers(np.flatnonzero(sides >= 0), *graph.lists, sides, sizes)
    growth = np.log((sizes[:, 1:].max(axis=1) + 1) / (sizes[:, 0] + 1))
    return float(growth.min()), int(edges)


def _projected(X: Floats, a: Integers, b: Integers) -> tuple[float, float, Axis]:
    """Return the depth of the valley over three windows, how far apart the groups are, and the axis of all points."""
    rng = np.random.default_rng(0)  # the folds of a pair are always the same
    closeness = _closeness(X[a], X[b])
    most = UNEQUAL * min(len(a), len(b))
    valleys = []
    for share in SHARES:
        groups = [a, b]
        if share < 1:
            groups = [_nearest(rows, near, share, most) for rows, near in zip((a, b), closeness, strict=True)]
        sides = np.repeat([0, 1], [len(groups[0]), len(groups[1])])
        scores = held_out_scores(X[np.concatenate(groups)], sides, rng)
        valleys.append(-np.log(depth(scores, sides) + FLOOR))
        if share == 1:
            axis = Axis(scores, sides)
    return float(np.median(valleys)), min(contrast(*axis), FAR), axis


def _closeness(A: Floats, B: Floats) -> tuple[Floats, Floats]:
    """Return the mean distance of each point to the nearest three of the other group."""
    from scipy.spatial.distance import cdist  # noqa: PLC0415 - only diagnoses need it

    count = min(NEAR, len(A), len(B))
    D = cdist(A, B)
    return (
        np.partition(D, count - 1, axis=1)[:, :count].mean(axis=1),
        np.partition(D, count - 1, axis=0)[:count].mean(axis=0),
    )


def _nearest(rows: Integers, closeness: Floats, share: float, most: float) -> Integers:
    return rows[np.argsort(closeness, kind="stable")[: max(SOME, int(share * min(len(rows), most)))]]
