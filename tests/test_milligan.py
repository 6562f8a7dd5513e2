"""Milligan's data: what is stated of them holds for any number of points, clusters and dimensions."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest
from scipy.stats import truncnorm

import clustval as cv
from clustval.study import milligan

OPTIONS = [{}, {"range": 0.2, "cut": 1, "gaps": (0, 0.1)}, {"range": 3, "cut": 4, "lengths": (5, 5)}, {"gaps": (2, 2)}]
DESIGNS = [(50, 2, 4), (50, 5, 8), (500, 6, 2), (500, 16, 24), (200, 12, 3), (30, 1, 3)]


def boundaries(x, labels):
    """Return the least and the largest value of each cluster, in ascending order."""
    return sorted((x[labels == c].min(), x[labels == c].max()) for c in np.unique(labels))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("balance", ["equal", "10%", "60%"])
@pytest.mark.parametrize(("n", "k", "d"), DESIGNS)
def test_clusters_stand_apart_in_the_first_dimension(n, k, d, balance, options):
    X, labels = milligan(n, k, d, balance, random_state=1, **options)
    assert X.shape == (n, d)
    assert np.isfinite(X).all()
    assert all(high < low for (_, high), (low, _) in itertools.pairwise(boundaries(X[:, 0], labels)))


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


@pytest.mark.parametrize("cut", [0.5, 1.5, 2])
def test_coordinates_are_normal_and_cut_off(cut):
    X, labels = milligan(60_000, 3, 2, cut=cut, lengths=(20, 30), random_state=0)
    normal = truncnorm(-cut, cut)
    for c in range(3):
        for x in X[labels == c].T:
            length = np.ptp(x)
            assert 20 * 0.99 < length <= 30
            scaled = (x - (x.min() + x.max()) / 2) / (length / (2 * cut))
            assert scaled.std() == pytest.approx(normal.std(), rel=0.02)
            assert np.mean(scaled < normal.ppf(0.75)) == pytest.approx(0.75, abs=0.02)


def test_a_far_cut_leaves_normal_coordinates_in_a_small_part_of_the_boundaries():
    X, _ = milligan(20_000, 1, 1, cut=30, lengths=(60, 60), random_state=0)
    assert np.std(X) == pytest.approx(1, rel=0.02)
    assert 3 < np.abs(X - X.mean()).max() < 6


@pytest.mark.parametrize(("gaps", "cut"), [((0.25, 0.75), 1.5), ((0, 0.5), 1.5), ((1, 1.5), 1)])
def test_neighbours_are_parted_by_a_share_of_their_deviations(gaps, cut):
    shares = []
    for seed in range(40):
        X, labels = milligan(6000, 3, 1, cut=cut, gaps=gaps, random_state=seed)
        for (low, high), (next_low, next_high) in itertools.pairwise(boundaries(X[:, 0], labels)):
            shares.append((next_low - high) / ((high - low + next_high - next_low) / (2 * cut)))
    assert gaps[0] <= min(shares) < gaps[0] + 0.1
    assert gaps[1] - 0.1 < max(shares) < gaps[1] + 0.02


@pytest.mark.parametrize("share", [0.3, 2 / 3, 1, 2.5])
@pytest.mark.parametrize("k", [2, 3, 8])
def test_other_dimensions_are_at_most_so_wide_in_units_of_the_first(k, share):
    widths = []
    for seed in range(20):
        X, _ = milligan(2000, k, 4, range=share, cut=1.5, random_state=seed)
        widths.append(np.ptp(X, axis=0)[1:] / np.ptp(X[:, 0]))
    assert share * 0.8 < np.max(widths) <= share * 1.02


def test_other_dimensions_may_overlap():
    X, labels = milligan(500, 4, 2, random_state=0)
    assert any(high > low for (_, high), (low, _) in itertools.pairwise(boundaries(X[:, 1], labels)))


def test_the_unit_of_lengths_scales_the_data():
    X, labels = milligan(40, 3, 2, lengths=(10, 40), random_state=0)
    scaled, same = milligan(40, 3, 2, lengths=(1, 4), random_state=0)
    np.testing.assert_allclose(10 * scaled, X, rtol=1e-12)
    assert np.array_equal(same, labels)


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
    "no width": (lambda: milligan(50, 2, 2, range=0), "range must be a number from 0.01 to 100; it is 0."),
    "a cut of nothing": (lambda: milligan(50, 2, 2, cut=0.0), "cut must be a number from 0.1 to 30; it is 0.0."),
    "a cut that is no number": (
        lambda: milligan(50, 2, 2, cut=float("nan")),
        "cut must be a number from 0.1 to 30; it is nan.",
    ),
    "a cut in words": (lambda: milligan(50, 2, 2, cut="mild"), "cut must be a number from 0.1 to 30; it is 'mild'."),
    "gaps that overlap": (
        lambda: milligan(50, 2, 2, gaps=(-0.5, 0.5)),
        "gaps must be two numbers from 0 to 100, the smaller first; they are (-0.5, 0.5).",
    ),
    "one gap": (
        lambda: milligan(50, 2, 2, gaps=0.5),
        "gaps must be two numbers from 0 to 100, the smaller first; they are 0.5.",
    ),
    "lengths in the wrong order": (
        lambda: milligan(50, 2, 2, lengths=[40, 10]),
        "lengths must be two numbers from 0.001 to 1000, the smaller first; they are [40, 10].",
    ),
    "three lengths": (
        lambda: milligan(50, 2, 2, lengths=(1, 2, 3)),
        "lengths must be two numbers from 0.001 to 1000, the smaller first; they are (1, 2, 3).",
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
