"""Scores of points between two groups by directions that they did not help to find, and the valley in their density."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Flags, Floats, Integers

FOLDS = 5
UNEQUAL = 1.5  # times the size of the smaller group: so much of the larger one is looked at
LEAST_SHRINKING = 0.05  # of covariances off the diagonal
FEWEST = 8  # points from which on a density says something
GRID = 120  # places at which it is looked at
BANDWIDTH = 0.9  # of the standard deviation, times n^(-1/5)
TINY = 1e-300


def held_out_scores(Z: Floats, sides: Integers, rng: np.random.Generator, shrinking: float | None = None) -> Floats:
    """Return the linear discriminant score of each point, by the points of the other folds.

    0 is half way between the groups, the unit the standard deviation inside them. Covariances off the diagonal are
    shrunk by min(1, 2 p / n).
    """
    n, p = Z.shape
    lost = min(1.0, max(LEAST_SHRINKING, 2 * p / n)) if shrinking is None else shrinking
    folds = _folds(sides, rng)
    Z = Z - Z.mean(axis=0)
    counts, sums, squares = np.zeros((FOLDS, 2)), np.zeros((FOLDS, 2, p)), np.zeros((FOLDS, p, p))
    for fold in range(FOLDS):
        here = folds == fold
        for side in (0, 1):
            part = Z[here & (sides == side)]
            counts[fold, side], sums[fold, side] = len(part), part.sum(axis=0)
        squares[fold] = Z[here].T @ Z[here]
    scores = np.empty(n)
    for fold in range(FOLDS):
        count = counts.sum(axis=0) - counts[fold]
        means = (sums.sum(axis=0) - sums[fold]) / np.maximum(count, 1)[:, None]
        within = squares.sum(axis=0) - squares[fold] - (means.T * count) @ means
        within /= max(count.sum() - 2, 1)
        weights, middle = _direction(within, means, lost)
        here = folds == fold
        scores[here] = Z[here] @ weights - middle
    return scores


def _folds(sides: Integers, rng: np.random.Generator) -> Integers:
    """Deal out the points of each group evenly and at random."""
    folds = np.empty(len(sides), dtype=np.int64)
    for side in (0, 1):
        members = np.flatnonzero(sides == side)
        folds[rng.permutation(members)] = np.arange(len(members)) % FOLDS
    return folds


def _direction(within: Floats, means: Floats, lost: float) -> tuple[Floats, float]:
    spread = within.diagonal().copy()
    spread[spread <= 1e-12 * max(spread.max(), TINY)] = 1e-12 * max(spread.max(), TINY)
    within = (1 - lost) * within
    np.fill_diagonal(within, spread)
    weights = np.linalg.solve(within, means[1] - means[0])
    deviation = np.sqrt(max(float(weights @ within @ weights), TINY))
    return weights / deviation, float((means[0] + means[1]) @ weights / (2 * deviation))


def contrast(scores: Floats, sides: Integers) -> float:
    """Return how many standard deviations the groups are apart, d'."""
    one, two = scores[sides == 0], scores[sides == 1]
    return float((two.mean() - one.mean()) / (np.sqrt((one.var() + two.var()) / 2) + 1e-12))


def depth(scores: Floats, sides: Integers) -> float:
    """Return the lowest density between the medians of the groups over the lower of the peaks beside it; 1 is none."""
    low, high = float(np.median(scores[sides == 0])), float(np.median(scores[sides == 1]))
    kept = window(scores, sides)
    places, density = density_along(scores[kept], sides[kept], low, high)
    inner = np.flatnonzero((places >= low) & (places <= high))
    if not len(inner):
        return 1.0
    at = inner[density[inner].argmin()]
    return float(density[at] / max(min(density[: at + 1].max(), density[at:].max()), TINY))


def density_along(scores: Floats, sides: Integers, low: float, high: float) -> tuple[Floats, Floats]:
    """Return places along the axis, and the density there; none where the groups lie the wrong way round."""
    if len(scores) < FEWEST or high <= low:
        return np.empty(0), np.empty(0)
    within = sum(float(scores[sides == side].var()) * np.count_nonzero(sides == side) for side in np.unique(sides))
    width = max(BANDWIDTH * np.sqrt(within / len(scores)) * len(scores) ** -0.2, 1e-12)
    places = np.linspace(min(low, scores.min()), max(high, scores.max()), GRID)
    density = np.exp(-0.5 * ((places[:, None] - scores) / width) ** 2).sum(axis=1)
    return places, density / (len(scores) * width * np.sqrt(2 * np.pi))


def window(scores: Floats, sides: Integers) -> Flags:
    """Return which points are looked at: of a group that is much larger, the points nearest to the other."""
    first, second = scores[sides == 0], scores[sides == 1]
    if len(first) > UNEQUAL * len(second):
        last = np.sort(first)[::-1][min(int(UNEQUAL * len(second)), len(first) - 1)]
        return np.asarray(scores >= min(last, second.min()))
    if len(second) > UNEQUAL * len(first):
        last = np.sort(second)[min(int(UNEQUAL * len(first)), len(second) - 1)]
        return np.asarray(scores <= max(last, first.max()))
    return np.ones(len(scores), dtype=bool)
