"""Milligan's data: what is stated of them holds for any number of points, clusters and dimensions."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import clustval as cv
from clustval.study import milligan

DESIGNS = [(50, 2, 4), (50, 5, 8), (500, 6, 2), (500, 16, 24), (200, 12, 3), (30, 1, 3)]


@pytest.mark.parametrize("balance", ["equal", "10%", "60%"])
@pytest.mark.parametrize(("n", "k", "d"), DESIGNS)
def test_clusters_stand_apart_in_the_first_dimension(n, k, d, balance):
    X, labels = milligan(n, k, d, balance, random_state=1)
    assert X.shape == (n, d)
    ends = sorted((X[labels == c, 0].min(), X[labels == c, 0].max()) for c in range(k))
    assert all(high < low for (_, high), (low, _) in itertools.pairwise(ends))


@pytest.mark.parametrize(
    ("n", "k", "balance", "sizes"),
    [
        (50, 2, "equal", [25, 25]),
        (50, 3, "equal", [16, 17, 17]),
        (50, 4, "10%", [5, 15, 15, 15]),
        (50, 4, "60%", [6, 7, 7, 30]),
        (500, 14, "60%", [30] * 3 + [31] * 10 + [100]),
        (500, 2, "10%", [50, 450]),
        (4, 3, "10%", [1, 1, 2]),
        (7, 1, "60%", [7]),
    ],
)
def test_sizes_are_as_designed(n, k, balance, sizes):
    _, labels = milligan(n, k, 2, balance, random_state=0)
    found = sorted(np.bincount(labels).tolist())
    assert found == sizes


def test_any_cluster_may_be_the_large_one():
    largest = {int(np.bincount(milligan(50, 3, 2, "60%", random_state=seed)[1]).argmax()) for seed in range(30)}
    assert largest == {0, 1, 2}


def test_coordinates_are_normal_cut_off_at_one_and_a_half_deviations():
    X, labels = milligan(60_000, 3, 2, random_state=0)
    for c in range(3):
        for x in X[labels == c].T:
            length = np.ptp(x)
            assert 10 * 0.99 < length <= 40
            scaled = (x - (x.min() + x.max()) / 2) / (length / 3)
            # A standard normal within 1.5 has s.d. 0.7426; half of it lies within 0.5935.
            assert scaled.std() == pytest.approx(0.7426, rel=0.02)
            assert np.mean(np.abs(scaled) < 0.5935) == pytest.approx(0.5, abs=0.02)


def test_neighbours_are_parted_by_a_share_of_their_deviations():
    gaps = []
    for seed in range(40):
        X, labels = milligan(6000, 3, 1, random_state=seed)
        ends = sorted((X[labels == c, 0].min(), X[labels == c, 0].max()) for c in range(3))
        for (low, high), (next_low, next_high) in itertools.pairwise(ends):
            gaps.append((next_low - high) / ((high - low + next_high - next_low) / 3))
    assert 0.25 <= min(gaps) < 0.35
    assert 0.65 < max(gaps) < 0.77


@pytest.mark.parametrize("k", [2, 3, 8])
def test_other_dimensions_are_at_most_two_thirds_as_wide(k):
    for seed in range(20):
        X, _ = milligan(2000, k, 4, random_state=seed)
        widths = np.ptp(X, axis=0)
        assert (widths[1:] <= widths[0] * 2 / 3 * 1.02).all()


def test_other_dimensions_may_overlap():
    X, labels = milligan(500, 4, 2, random_state=0)
    ends = sorted((X[labels == c, 1].min(), X[labels == c, 1].max()) for c in range(4))
    assert any(high > low for (_, high), (low, _) in itertools.pairwise(ends))


def test_a_seed_gives_the_same_data():
    one, other = milligan(50, 3, 4, random_state=3), milligan(50, 3, 4, random_state=3)
    assert np.array_equal(one[0], other[0])
    assert np.array_equal(one[1], other[1])
    assert not np.array_equal(one[0], milligan(50, 3, 4, random_state=4)[0])


BAD_CALLS = {
    "no cluster": (lambda: milligan(50, 0, 2), "k must be a whole number from 1; it is 0."),
    "no dimension": (lambda: milligan(50, 2, 0), "d must be a whole number from 1; it is 0."),
    "no point": (lambda: milligan(0, 2, 2), "n must be a whole number from 1; it is 0."),
    "an unknown balance": (
        lambda: milligan(50, 2, 2, "20%"),
        "balance must be one of 'equal', '10%', '60%'; it is '20%'.",
    ),
    "too few points": (
        lambda: milligan(10, 6, 2, "60%"),
        "10 points are too few for 6 clusters with balance '60%'; each needs a point.",
    ),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_errors_say_what_to_do(case):
    call, message = BAD_CALLS[case]
    with pytest.raises(cv.InputError, match=f"^{re.escape(message)}$"):
        call()
