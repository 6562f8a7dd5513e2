"""The second witness: whether two groups together look like one population that was cut, or like two that overlap.

Where two populations overlap there may be no valley, but the points along the axis between them are spread more evenly
than along other directions, with thinner tails; the two groups lean less away from each other than the halves of one
population do; and density may change where one ends and the other begins.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.diagnosis.evidence.borders import Axis
from clustval.diagnosis.evidence.discriminant import window
from clustval.diagnosis.evidence.surroundings import Surroundings

ASIDE = 5  # directions across the axis that it is compared with
FEWEST = 8
GAUSSIAN = 2 / np.pi  # flatness of a Gaussian, where there is no direction to compare with
FEWEST_ACROSS = 3  # edges across a border from which on densities beside it are compared
MOST_LEAN, MOST_TAILS, MOST_STEP = 3.0, 30.0, 6.0  # beyond, larger says no more
TINY = 1e-300
TINY_SCORE = 1e-100  # of scores in standard deviations, whose powers must not vanish


class Shape(NamedTuple):
    """How two groups are spread along their axis and across it, and how their densities differ; NaN where not known."""

    flatness: float  # squared mean absolute deviation over variance, along the axis: Gaussian 0.64, uniform 0.75
    aside: float  # the same across the axis, the mean over the widest directions
    tails: float  # log of the kurtosis along the axis: Gaussian log 3, uniform log 1.8
    lean: float  # the smaller skewness of the groups away from each other: half of a Gaussian 1, a whole one 0
    other_lean: float  # the larger one
    step: float  # difference of the log densities of the groups beside the border, without sign
    level: float  # the same of the whole groups


def shape(around: Surroundings, a: Integers, b: Integers, axis: Axis | None) -> Shape:
    """Return the shape of two groups of rows, whose points lie on the axis one group after the other."""
    densities = _step(around, a, b), _level(around.log_density, a, b)
    if axis is None or around.X is None:
        return Shape(np.nan, np.nan, np.nan, np.nan, np.nan, *densities)
    scores, sides = axis
    kept = window(scores, sides)
    along = scores[kept] if np.count_nonzero(kept) > FEWEST else scores
    leans = np.clip([-_skewness(scores[sides == 0]), _skewness(scores[sides == 1])], -MOST_LEAN, MOST_LEAN)
    across = _across(around.X[np.concatenate([a, b])], scores)
    aside = float(np.mean([flatness(column) for column in across.T])) if across.shape[1] else GAUSSIAN
    tails = float(np.log(np.clip(_kurtosis(along), 1, MOST_TAILS)))
    return Shape(flatness(along), aside, tails, float(leans.min()), float(leans.max()), *densities)


def _level(heights: Floats, a: Integers, b: Integers) -> float:
    return float(min(abs(np.median(heights[a]) - np.median(heights[b])), MOST_STEP))


def _step(around: Surroundings, a: Integers, b: Integers) -> float:
    """Return how much denser one group is than the other where their points are mutual neighbours."""
    sides = np.full(around.n, -1)
    sides[a], sides[b] = 0, 1
    across = (sides[around.mutual.begins] == 0) & (sides[around.mutual.ends] == 1)
    if np.count_nonzero(across) < FEWEST_ACROSS:
        return 0.0
    return _level(around.log_density, np.unique(around.mutual.begins[across]), np.unique(around.mutual.ends[across]))


def flatness(values: Floats) -> float:
    """Return the squared mean absolute deviation over the variance.

    >>> flatness(np.array([-1.0, 1.0, -1.0, 1.0])), round(flatness(np.linspace(0, 1, 1001)), 2)
    (1.0, 0.75)
    """
    away = values - values.mean()
    return float(np.abs(away).mean() ** 2 / max((away**2).mean(), TINY))


def _skewness(values: Floats) -> float:
    away = values - values.mean()
    return float((away**3).mean() / max((away**2).mean(), TINY_SCORE) ** 1.5)


def _kurtosis(values: Floats) -> float:
    away = values - values.mean()
    return float((away**4).mean() / max((away**2).mean(), TINY_SCORE) ** 2)


def _across(Z: Floats, scores: Floats) -> Floats:
    """Return the points along the widest directions that are uncorrelated with the scores."""
    Z = Z - Z.mean(axis=0)
    away = scores - scores.mean()
    Z = Z - np.outer(away, away @ Z) / max(float(away @ away), TINY)
    values, vectors = np.linalg.eigh(Z.T @ Z)
    wide = np.flatnonzero(values > 1e-9 * max(values[-1], TINY))[::-1][: min(ASIDE, Z.shape[1] - 1)]
    return np.asarray(Z @ vectors[:, wide])
