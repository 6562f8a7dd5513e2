"""Pairs of clusters that border on each other, and what is known of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Integers
from clustval.diagnosis.evidence.borders import Axis, Border, border
from clustval.diagnosis.evidence.discriminant import contrast
from clustval.diagnosis.evidence.learned import (
    border_inputs,
    coefficients,
    kind,
    log_odds,
    p_value,
    population_inputs,
    probability,
)
from clustval.diagnosis.evidence.surroundings import FEWEST_NEIGHBOURS, Surroundings
from clustval.diagnosis.evidence.two_populations import Shape, shape

MINOR = 0.3  # of the edges to the nearest cluster: with fewer, two clusters are no neighbours
SMALL = 8  # points below which a cluster is not judged
DISSOLVED = 0.5  # of a cluster that keeps its label in the vote: with less it lies among the points of another
ONE_COLUMN = "valley, one column"  # cuts of one column, where chance makes deeper valleys than in several
OVERLAID = 1.0  # standard deviations: groups less far apart lie in each other


@dataclass(frozen=True, eq=False)
class Pair:
    """What is known of two clusters that border on each other."""

    separate: float  # probability of a valley between them
    populations: float  # probability that they are two populations, with or without a valley
    p_value: float  # share of cuts of homogeneous clusters with as much evidence of a valley, NaN of too few points
    border: Border | None = None
    shape: Shape | None = None
    axis: Axis | None = None
    enough: float = np.nan  # points of the smaller cluster with which the same evidence would show a valley


def smallest(around: Surroundings) -> int:
    """Return how many points a cluster has at least if it is judged: more than a point has neighbours."""
    return max(SMALL, around.count + 1)


def neighbouring(around: Surroundings, labels: Integers, k: int) -> list[tuple[int, int]]:
    """Return pairs of clusters with edges between them, without those with few edges beside others of both."""
    begins, ends = labels[around.union.begins], labels[around.union.ends]
    kept = (begins >= 0) & (ends > begins)
    edges = np.bincount(begins[kept] * k + ends[kept], minlength=k * k).reshape(k, k)
    edges = edges + edges.T
    most = edges.max(axis=1)
    near = (edges > 0) & (edges >= MINOR * np.minimum(most[:, None], most))
    return [(int(a), int(b)) for a, b in np.argwhere(np.triu(near, 1))]


def judged(around: Surroundings, a: Integers, b: Integers, voted: tuple[Integers, Integers]) -> Pair:
    """Return what is known of two clusters by their rows, as labelled and as neighbours voted."""
    seen, axis = border(around, a, b, voted)
    size = min(len(a), len(b))
    inputs = border_inputs(around, seen, size)
    name = kind(around, "valley")
    odds = float(log_odds(name, inputs))
    form = shape(around, a, b, axis)
    two = float(log_odds(kind(around, "populations"), population_inputs(around, seen, form, size)))
    return Pair(
        float(probability(odds)),
        float(probability(two)),
        _p_value(around, name, odds),
        seen,
        form,
        axis,
        _enough(name, odds, size),
    )


def _p_value(around: Surroundings, name: str, odds: float) -> float:
    """Return the p-value of a valley; NaN where points have fewer neighbours than in the cuts it is beside."""
    if around.X is not None and around.X.shape[1] == 1:
        return p_value(ONE_COLUMN, odds)
    return p_value(name, odds) if around.count >= FEWEST_NEIGHBOURS else np.nan


def _enough(name: str, odds: float, size: int, wanted: float = 2.2) -> float:
    """Return the size at which the same evidence would be worth log odds of 2.2, a probability of 0.9."""
    model: dict[str, Any] = coefficients()[name]
    slope = model["weights"][model["inputs"].index("log size")]
    return float(size * np.exp(np.clip((wanted - odds) / slope, 0, 20))) if slope > 0 else np.nan


def cores(around: Surroundings, labels: Integers, voted: Integers, k: int) -> Integers:
    """Return labels by vote, but those given where the vote leaves less than half of a cluster, or too little of it.

    Such a cluster may be a half of another in many columns: its points are near those of the other half, and still on
    one side of them.
    """
    inside = labels >= 0
    sizes = np.bincount(labels[inside], minlength=k)
    kept = np.bincount(voted[voted >= 0], minlength=k)
    lost = kept < np.maximum(smallest(around), DISSOLVED * sizes)
    return np.where(inside & lost[np.maximum(labels, 0)], labels, voted)


def dissolved(around: Surroundings, labels: Integers, voted: Integers, cluster: int) -> int | None:
    """Return the cluster among whose points those of a cluster lie, if the vote leaves less than half of it."""
    members = np.flatnonzero(labels == cluster)
    if len(members) < 2 * (around.count + 1) or np.count_nonzero(voted == cluster) >= DISSOLVED * len(members):
        return None
    winners = voted[members]
    winners = winners[(winners >= 0) & (winners != cluster)]
    if not len(winners):
        return None
    other = int(np.bincount(winners).argmax())
    if around.X is None:
        return other
    _, axis = border(around, members, np.flatnonzero(labels == other))
    return other if axis is not None and contrast(*axis) < OVERLAID else None


INSIDE_ANOTHER = Pair(0.01, 0.01, np.nan)  # a cluster whose points lie among those of another
