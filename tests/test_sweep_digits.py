"""A sweep evaluates many partitions at once, by other sums than `evaluate`: the values are the same to 1e-13."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS

catalogue.load("internal")
INDICES = KINDS["internal"].indices
DIGITS = 1e-13


def data(seed):
    """Return points, uneven in unit, correlation and distance from the origin, and partitions from good to random."""
    rng = np.random.default_rng(seed)
    n, p, k = (int(rng.integers(*limits)) for limits in ((70, 250), (1, 12), (2, 9)))
    labels = rng.integers(k, size=n)
    labels[:k] = range(k)
    X = rng.normal(size=(k, p))[labels] * rng.uniform(0, 4) + rng.normal(size=(n, p))
    X = [X, X @ rng.normal(size=(p, p)), X * 10.0 ** rng.integers(-3, 4, p) + 1e4][seed % 3]
    return X, [np.where(rng.random(n) < share, rng.integers(k, size=n), labels) for share in (0, 0.1, 0.5, 1)]


@pytest.mark.large
@pytest.mark.parametrize("seed", range(8))
def test_a_sweep_gives_the_values_of_evaluate_to_thirteen_digits(seed, set_thresholds):
    set_thresholds(SWEEP_WORK=-1)  # many at once, however few they are
    set_thresholds(SWEEP_POINTS=-1)
    X, partitions = data(seed)
    names = [name for name, index in INDICES.items() if index.cost != "rank"] if seed % 4 else "all"
    swept = cv.sweep(X, partitions, names)
    for row, labels in enumerate(partitions):
        for name, value in cv.evaluate(X, labels, names).items():
            low, high = INDICES[name].bounds
            # What may be negative is a difference, which may be small where its terms are not.
            term = 0 if low >= 0 else 1 if math.isfinite(low) and math.isfinite(high) else len(X)
            assert swept[name][row] == approx(value, rel=DIGITS, abs=DIGITS * term, nan_ok=True), (name, row)


@pytest.mark.parametrize("metric", ["euclidean", "sqeuclidean", "seuclidean", "cosine", "correlation", "hellinger"])
def test_ties_are_ties_in_both(metric, set_thresholds):
    for name in ("RANKS", "SWEEP_WORK", "SWEEP_POINTS"):
        set_thresholds(**{name: -1})
    rng = np.random.default_rng(1)
    X = np.abs(rng.normal(size=(150, 4)).round(1)) + 0.1  # tenths are no floats: equal distances differ by rounding
    partitions = [rng.integers(5, size=len(X)) for _ in range(3)]
    swept = cv.sweep(X, partitions, ["gamma", "tau"], metric=metric)
    for name in ("gamma", "tau"):
        assert swept[name].tolist() == [cv.evaluate(X, labels, name, metric=metric)[name] for labels in partitions]


def test_squares_of_squared_distances_lose_nothing_far_from_the_origin():
    rng = np.random.default_rng(0)
    X, labels = 2.0**30 + np.ldexp(rng.integers(2**10, size=(80, 3)) ** 2.0, -20), rng.integers(4, size=80)
    far, near = (cv.internal.hennig_withinss(points, labels, metric="sqeuclidean") for points in (X, X - 2.0**30))
    assert far == approx(near, rel=1e-11)  # both are exact points: their differences are the same
