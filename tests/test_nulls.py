"""Data without clusters are as likely as the draws that they are compared with: their p-values are uniform."""

from __future__ import annotations

import numpy as np
import pytest
from pytest import approx
from scipy.stats import chisquare

from clustval.choosing.nulls import NULLS


def test_the_uniform_null_fills_the_box_of_the_columns_to_its_ends():
    X = np.random.default_rng(0).normal(size=(30, 3)) * [1, 10, 0]
    drawn = NULLS["uniform"](X)(np.random.default_rng(1))
    assert drawn.min(axis=0) == approx(X.min(axis=0))
    assert drawn.max(axis=0) == approx(X.max(axis=0))
    assert (np.abs(drawn - X)[:, :2].max(axis=0) > [1, 10]).all()


NUMBERS_OF_POINTS = {
    "how long they are": lambda X: np.divide(*np.linalg.svd(X - X.mean(axis=0), compute_uv=False)),
    "how near the nearest two": lambda X: np.diff(np.sort(X[:, 0])).min() / np.ptp(X[:, 0]),
    "how far the middle": lambda X: (np.abs(X - X.mean(axis=0)) / X.std(axis=0)).mean(),
}


@pytest.mark.parametrize(("name", "sides"), [("uniform", (5, 1)), ("uniform", (1, 1)), ("gaussian", (1, 1))])
def test_data_are_as_likely_as_draws_from_their_own_null(name, sides):
    """The rank of any number of few points among those of nine draws is uniform: of ten ranks each has its tenth."""
    rng, sets = np.random.default_rng(5), 500
    ranks = {number: np.zeros(10) for number in NUMBERS_OF_POINTS}
    for _ in range(sets):
        X = (rng.uniform(size=(8, 2)) if name == "uniform" else rng.normal(size=(8, 2))) * sides
        draw = NULLS[name](X)
        every = [X, *(draw(rng) for _ in range(9))]
        for number, of_points in NUMBERS_OF_POINTS.items():
            values = [round(of_points(one), 9) for one in every]  # what draws keep exactly is equal but for rounding
            below, equal = sum(v < values[0] for v in values), sum(v == values[0] for v in values)
            ranks[number][below + rng.integers(equal)] += 1
    for number, counts in ranks.items():
        assert chisquare(counts).pvalue > 1e-4, (number, counts)
