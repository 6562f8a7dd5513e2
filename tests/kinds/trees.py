"""Hierarchies, alone, beside distances, beside each other: examples of their indices, and the laws of these alone."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.cluster import hierarchy as scipy_trees

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from conftest import make_blobs
from kinds import Alike, Examples

catalogue.load("trees")
INDICES = list(KINDS["trees"].indices.values())
OF_TWO = [index for index in INDICES if index.symmetric is not None]
every_index = pytest.mark.parametrize("index", INDICES, ids=lambda index: index.name)
every_index_of_two = pytest.mark.parametrize("index", OF_TWO, ids=lambda index: index.name)


def renamed(Z, names):
    """Return the tree with other numbers for its points, left and right as they were."""
    Z, n = np.array(Z, dtype=float), len(Z) + 1
    points = Z[:, :2] < n
    Z[:, :2][points] = names[Z[:, :2][points].astype(int)]
    return Z


def reordered(one, other, X, order):
    """Return the trees and the points with the points in another order."""
    names = np.argsort(order)
    return renamed(one, names), renamed(other, names), X[order]


def mirrored(Z):
    """Return the tree with the clusters of every merge in the other order."""
    return Z[:, [1, 0, 2, 3]]


X, LABELS = make_blobs((30, 18, 7), (0, 4, 8), (1.0, 0.6, 0.3), p=3, seed=5)
ONE, OTHER = scipy_trees.linkage(X, "average"), scipy_trees.linkage(X, "ward")
RNG = np.random.default_rng(2)
NOISE = scipy_trees.linkage(RNG.random(X.shape), "single")
INVERTED = scipy_trees.linkage(RNG.random(X.shape), "centroid")
EQUAL, ZERO = ONE * [1, 1, 0, 1] + [0, 0, 0.1, 0], ONE * [1, 1, 0, 1]
PAIR = np.array([[0, 1, 1, 2.0]])

EXAMPLES = Examples(
    good=(ONE, OTHER, X),
    bad=(NOISE, OTHER, X),
    others=[(OTHER, NOISE, X), (scipy_trees.linkage(X, "single"), NOISE, X)],
    alike={
        "the order of points": Alike((ONE, OTHER, X), reordered(ONE, OTHER, X, RNG.permutation(len(X))), 1e-13),
        # The two clusters of a merge are called the first and the second, here in both trees the other way round.
        "the names of clusters": Alike((ONE, OTHER, X), (mirrored(ONE), mirrored(OTHER), X), 1e-13),
    },
    degenerate={
        "one tree alone": (ONE,),
        "two trees without points": (ONE, OTHER),
        "a tree and points": (ONE, X),
        "two points": (PAIR, PAIR, X[:2]),
        "three points": (scipy_trees.linkage(X[:3]), scipy_trees.linkage(X[:3]), X[:3]),
        "equal heights": (EQUAL, OTHER, X),
        "no height": (ZERO, ZERO, X),
        "a merge lower than what it is made of": (INVERTED, OTHER, X),
        "identical points": (ZERO, OTHER, np.full(X.shape, 0.3)),
    },
)


@st.composite
def trees(draw, n, *, levels=4):
    """Draw a linkage of n points whose merges are made at random, with few heights, so that many are equal."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    heights = sorted(draw(st.lists(st.integers(0, levels), min_size=n - 1, max_size=n - 1)))
    current, sizes, rows = list(range(n)), [1] * n, []
    for height in heights:
        a, b = (current.pop(rng.integers(len(current))) for _ in range(2))
        sizes.append(sizes[a] + sizes[b])
        current.append(len(sizes) - 1)
        rows.append([a, b, height, sizes[-1]])
    return rows


@st.composite
def two_trees(draw, fewest=2, most=8):
    n = draw(st.integers(fewest, most))
    return draw(trees(n)), draw(trees(n))


@st.composite
def tree_and_points(draw, fewest=2, most=9):
    n = draw(st.integers(fewest, most))
    coordinates = st.lists(st.integers(0, 3), min_size=2, max_size=2)
    return draw(trees(n)), draw(st.lists(coordinates, min_size=n, max_size=n))


def data(n, seed=0, p=3):
    return np.random.default_rng(seed).normal(size=(n, p))


def two(n, seed=0):
    X = data(n, seed)
    return scipy_trees.linkage(X, "average"), scipy_trees.linkage(X, "ward")


def value(function, *args, **options):
    """Return what the function gives, NaN where it says that there is none."""
    try:
        return function(*args, **options)
    except cv.UndefinedIndexError:
        return math.nan


# --- laws ------------------------------------------------------------------------------------------------


@every_index
@pytest.mark.parametrize(("unit", "unit_of_points"), [(1e-200, 1e-120), (3.0, 3.0), (1e148, 1e120)])
def test_the_unit_of_heights_and_of_distances_does_not_matter(index, unit, unit_of_points):
    number = index.function(ONE, OTHER, X)
    assert index.function(ONE * [1, 1, unit, 1], OTHER, X) == approx(number, rel=1e-12)
    assert index.function(ONE, OTHER * [1, 1, unit, 1], X * unit_of_points) == approx(number, rel=1e-12)
    assert index.degree == 0


@every_index_of_two
@given(pair=two_trees())
def test_two_trees_may_be_swapped(index, pair):
    one, other = pair
    assert value(index.function, other, one) == approx(value(index.function, one, other), abs=1e-12, nan_ok=True)


@every_index
def test_only_entanglement_knows_left_from_right(index):
    turned = ONE.copy()
    turned[::2, :2] = turned[::2, 1::-1]
    same = index.function(turned, OTHER, X) == approx(index.function(ONE, OTHER, X), rel=1e-12)
    assert same is (index.name != "entanglement")


@every_index_of_two
@pytest.mark.parametrize("n", [3, 30, 300])
def test_a_tree_agrees_with_itself_as_far_as_can_be(index, n):
    one, _ = two(n)
    low, high = index.bounds
    assert index.function(one, one) == approx(high if index.best.better == "higher" else low, abs=1e-12)


def test_the_reversed_order_is_as_entangled_as_can_be():
    one, _ = two(31)
    assert cv.trees.entanglement(one, mirrored(one)) == approx(1, rel=1e-12)
    assert cv.trees.entanglement(one, mirrored(one), power=400) == approx(1, rel=1e-12)  # nothing overflows


@every_index
@given(pair=two_trees(), drawn=st.data())
def test_values_keep_to_their_bounds(index, pair, drawn):
    one, other = pair
    X = drawn.draw(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=1), min_size=len(one) + 1, max_size=9))
    number = value(index.function, one, other, X[: len(one) + 1])
    low, high = index.bounds
    assert math.isnan(number) or low <= number <= high


def test_unrelated_trees_agree_as_far_as_chance_has_it():
    rng = np.random.default_rng(0)
    one, other = (scipy_trees.linkage(rng.normal(size=(400, 2)), "average") for _ in range(2))
    curve = cv.trees.fowlkes_mallows_bk_curve(one, other)
    assert np.abs(curve.z[:40]).max() < 4
    assert abs(cv.trees.baker_gamma(one, other)) < 0.05
    assert cv.trees.fowlkes_mallows_bk_curve(*two(400)).z[10:].min() > 10


def test_points_far_from_the_origin_lose_nothing():
    X = np.round(data(200), 3) * 2**10
    far = X + 2.0**27  # exact
    Z = scipy_trees.linkage(X, "average")
    assert cv.trees.cophenetic_correlation(Z, np.round(far)) == cv.trees.cophenetic_correlation(Z, np.round(X))


def test_distances_and_heights_that_hardly_differ_keep_their_digits():
    rng = np.random.default_rng(2)
    d = rng.integers(0, 2**20, 45).astype(float)
    Z = scipy_trees.linkage(d, "average")
    Z[:, 2] = np.round(Z[:, 2])
    shifted = np.add(Z, [0, 0, 2.0**40, 0])
    expected = cv.trees.cophenetic_correlation(Z, d)
    assert cv.trees.cophenetic_correlation(shifted, d + 2.0**40) == approx(expected, rel=1e-9)


def test_values_do_not_depend_on_the_number_of_threads():
    X = data(700)
    Z = scipy_trees.linkage(X, "average")
    for metric in ("euclidean", "cityblock"):
        values = {cv.trees.cophenetic_correlation(Z, X, metric=metric, n_jobs=jobs) for jobs in (1, 2, 3)}
        assert len(values) == 1
