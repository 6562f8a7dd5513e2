"""Every internal index against its definition, written in loops by another hand."""

from __future__ import annotations

from collections import Counter

import naive
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv

SUITES = {
    "clustercrit": naive.CLUSTERCRIT,
    "vendramin": naive.VENDRAMIN,
    "zaki": naive.ZAKI,
    "sklearn": naive.SKLEARN,
}

# Where the formula is 0/0 for some points, dimensions or pairs of clusters only, a convention steps in.
CONVENTIONS = {"silhouette", "silhouette_score", "swc", "sswc", "s_dbw", "ratkowsky_lance", "c_sqrt_k"}
# Where the formula gives 0 although nothing can be ranked.
UNDEFINED_HERE = {"tau", "g_plus"}


@st.composite
def clusterings(draw):
    """Small data sets with ties, duplicates, singletons, and at least two clusters fewer than points."""
    n = draw(st.integers(4, 14))
    p = draw(st.integers(1, 3))
    whole = draw(st.booleans())
    numbers = st.integers(-4, 4) if whole else st.floats(-5, 5).map(lambda x: round(x, 3))
    X = draw(st.lists(st.lists(numbers, min_size=p, max_size=p), min_size=n, max_size=n))
    k = draw(st.integers(2, n - 1))
    labels = draw(st.permutations([*range(k), *draw(st.lists(st.integers(0, k - 1), min_size=n - k, max_size=n - k))]))
    return np.array(X, dtype=float), list(labels)


def nothing_apart(X, labels):
    """Whether each cluster is in one place, with another one: its points have silhouettes 0/0."""
    places = {(tuple(x), label) for x, label in zip(X, labels, strict=True)}
    clusters, shared = Counter(label for _, label in places), Counter(place for place, _ in places)
    return max(clusters.values()) == 1 and min(shared.values()) > 1


# Means of two clusters that coincide, of a cluster and a point, a point on the rim of a ball, silhouettes 0/0: where
# points are moved to their mean, which is no binary fraction, rounding must not decide.
@example(clustering=(np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [2.0]]), [0, 1, 0, 1, 1, 0]))
@example(clustering=(np.array([[0.0], [0.0], [0.0], [1.0], [1.0], [2.0]]), [0, 1, 2, 3, 0, 1]))
@example(clustering=(np.array([[-1.0], [0.0], [0.0], [1.0], [1.0]]), [1, 0, 0, 0, 0]))
@example(clustering=(np.array([[0.0], [0.0], [1.0], [0.0], [1.0]]), [0, 1, 2, 0, 3]))
@pytest.mark.parametrize("suite", SUITES)
@given(clustering=clusterings())
def test_the_engine_agrees_with_the_definition(suite, clustering):
    X, labels = clustering
    scores = cv.evaluate(X, labels, suite)
    for name, definition in SUITES[suite].items():
        expected = definition(X.tolist(), labels)
        found = scores[name]
        if np.isnan(expected):
            assert np.isnan(found) or name in CONVENTIONS, name
            continue
        if np.isnan(found):
            silent = "sw" in name or "silhouette" in name
            assert name in UNDEFINED_HERE or (X == X[0]).all() or (silent and nothing_apart(X, labels)), name
            continue
        if np.isinf(expected):
            assert found == expected, name
            continue
        assert found == approx(expected, rel=1e-8, abs=1e-9), name


@pytest.mark.parametrize("suite", SUITES)
def test_the_engine_agrees_with_the_definition_on_clean_data(suite):
    rng = np.random.default_rng(3)
    for sizes, p in [((5, 8, 4), 2), ((9, 9), 1), ((6, 7, 5, 6), 4), ((10, 2, 1, 8), 3)]:
        labels = np.repeat(range(len(sizes)), sizes)
        X = rng.normal(size=(len(labels), p)) + 2 * labels[:, None]
        scores = cv.evaluate(X, labels, suite)
        for name, definition in SUITES[suite].items():
            assert scores[name] == approx(definition(X.tolist(), labels.tolist()), rel=1e-10, nan_ok=True), name
