"""New rows and the clusters of other rows: nearest, how clearly, and like none of them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.spatial.distance import cdist
from scipy.stats import betabinom, binom

import clustval as cv
from clustval.errors import InputError
from clustval.tracking import nearness
from clustval.tracking.assign import rank_of
from conftest import examples, make_blobs

SEEDS = st.integers(0, 10_000)


def in_loops(new, X, labels, level, metric="euclidean"):
    """Return the nearest cluster, the margin, the depth and whether a row is outside, by the definitions."""
    names = sorted(set(labels))
    results = []
    for x in new:
        means = []
        for name in names:
            members = [y for y, label in zip(X, labels, strict=True) if label == name]
            count = max(1, min(5, len(members) - 1))
            means.append(np.mean(sorted(float(cdist([x], [y], metric)[0, 0]) for y in members)[:count]))
        first, second = sorted(means)[:2]
        home = names[int(np.argmin(means))]
        members = [y for y, label in zip(X, labels, strict=True) if label == home]
        count = max(1, min(5, len(members) - 1))
        own = []
        for at, y in enumerate(members):
            others = sorted(float(cdist([y], [z], metric)[0, 0]) for i, z in enumerate(members) if i != at)
            own.append(np.mean(others[:count]) if others else 0.0)
        at_least = (1 + sum(value >= first for value in own)) / (1 + len(own))
        rank = min(len(own), int(np.ceil(level * (len(own) + 1))))
        results.append((home, 1 - first / second, at_least, first > sorted(own)[rank - 1]))
    return results


@given(SEEDS, st.sampled_from(["euclidean", "cityblock", "cosine"]))
@examples(25)
def test_an_assignment_is_what_its_definition_says(seed, metric):
    rng = np.random.default_rng(seed)
    X, labels = rng.normal(size=(24, 2)) + 5, rng.choice(list("abc"), 24).tolist()
    labels[:3] = "abc"
    new = rng.normal(size=(6, 2)) * 2 + 5
    assignment = cv.assign(new, like=(X, labels), level=0.8, metric=metric)
    expected = in_loops(new.tolist(), X.tolist(), labels, 0.8, metric)
    assert assignment.labels.tolist() == [home for home, *_ in expected]
    assert assignment.margin == approx([margin for _, margin, *_ in expected], abs=1e-9)
    assert assignment.depth == approx([depth for _, _, depth, _ in expected])
    assert assignment.outside.tolist() == [out for *_, out in expected]


def test_a_tree_and_all_distances_give_the_same(monkeypatch):
    X, labels = make_blobs((20, 30, 40), (0, 4, 8), seed=1)
    new = np.random.default_rng(2).normal(size=(30, X.shape[1])) * 5
    by_tree = cv.assign(new, like=(X, labels))
    monkeypatch.setattr(nearness, "FEW_DIMENSIONS", 0)
    by_all = cv.assign(new, like=(X, labels))
    assert by_tree.labels.tolist() == by_all.labels.tolist()
    assert by_tree.margin == approx(by_all.margin, abs=1e-9)
    assert by_tree.outside.tolist() == by_all.outside.tolist()


def test_rows_as_those_that_were_clustered_are_outside_as_often_as_expected():
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0], [8, 0], [0, 8]])

    def draw(n: int) -> tuple[np.ndarray, np.ndarray]:
        where = rng.integers(0, 3, n)
        return centres[where] + rng.normal(size=(n, 2)), where

    X, labels = draw(1500)
    new, where = draw(4000)
    assignment = cv.assign(new, like=(X, labels))
    assert (assignment.labels == where).mean() > 0.999
    assert assignment.expected == approx(0.01, abs=0.002)
    assert assignment.share_outside == approx(0.01, abs=0.006)
    few = [draw(60) for _ in range(60)]
    chances = np.array([cv.assign(draw(90)[0], like=few[at]).p_value for at in range(60)])
    assert (chances <= 0.01).sum() <= 3
    assert (chances <= 0.2).sum() <= 20


@pytest.mark.large
@pytest.mark.parametrize("dimensions", [2, 10])
def test_depths_and_p_values_are_small_no_more_often_than_they_say(dimensions):
    depths, chances = [], []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        centres = 6 * rng.normal(size=(3, dimensions))
        (X, labels), (new, _) = (
            (centres[where] + rng.normal(size=(len(where), dimensions)), where)
            for where in (rng.integers(0, 3, 240), rng.integers(0, 3, 150))
        )
        assignment = cv.assign(new, like=(X, labels), n_jobs=1)
        depths += assignment.depth.tolist()
        chances.append(assignment.p_value)
    for level in (0.02, 0.05, 0.2):
        assert np.mean(np.array(depths) <= level) <= level + 0.01
        assert np.mean(np.array(chances) <= level) <= level + 3 * np.sqrt(level / 200)
    assert np.mean(np.array(chances) <= 0.2) > 0.05


def test_half_of_the_members_are_scored_as_new_rows_are():
    rng = np.random.default_rng(3)
    X, labels = np.concatenate([rng.normal(centre, 1, (41, 2)) for centre in (0, 9)]), np.repeat(["p", "q"], 41)
    new = rng.normal(0, 1, (30, 2))
    halves = cv.assign(new, like=(X, labels), level=0.9).halves
    assert halves["members"].tolist() == [20, 20]  # of 41, 21 are the reference
    assert halves["rows"].tolist() == [30, 0]
    same = cv.assign(X, like=(X, labels), level=0.9).halves
    assert same["rows"].tolist() == [41, 41]
    assert all(outside <= 4 for outside in same["outside"])
    alone = cv.assign(new, like=([[0.0, 0.0], [9.0, 9.0]], ["p", "q"]))
    assert alone.halves["members"].tolist() == [0, 0]
    assert math.isnan(alone.p_value)


def test_rows_of_a_new_cluster_say_that_it_is_time_to_cluster_anew():
    X, labels = make_blobs((60, 60), (0, 8), seed=0)
    strange = np.full((10, X.shape[1]), 30.0) + np.random.default_rng(0).normal(size=(10, X.shape[1]))
    assignment = cv.assign(np.vstack([X[:40], strange]), like=(X, labels))
    assert assignment.outside[40:].all()
    assert assignment.accepted[40:].tolist() == [-1] * 10
    assert assignment.anew
    assert str(assignment).endswith("cluster anew.")
    assert cv.assign(strange, like=(X, np.array(["u", "v"])[labels])).accepted.tolist() == [None] * 10


def test_clusters_may_have_any_shape():
    angles = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    ring, middle = (
        np.column_stack([np.cos(angles), np.sin(angles)]) * 5,
        np.random.default_rng(0).normal(size=(40, 2)) / 3,
    )
    X, labels = np.vstack([ring, middle]), ["ring"] * 80 + ["middle"] * 40
    assignment = cv.assign([[5.0, 0.1], [-4.9, 0.2], [0.1, 0.1], [2.5, 0.0]], like=(X, labels))
    assert assignment.labels.tolist()[:3] == ["ring", "ring", "middle"]
    assert assignment.outside.tolist() == [False, False, False, True]


def test_noise_is_no_cluster_that_rows_could_be_like():
    X = [[0.0], [1.0], [2.0], [50.0], [10.0], [11.0], [12.0]]
    assignment = cv.assign([[50.0]], like=(X, [0, 0, 0, -1, 1, 1, 1]))
    assert assignment.names == [0, 1]
    assert assignment.outside.tolist() == [True]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_columns_of_frames_are_matched_by_name(kind):
    clustered = kind({"x": [0.0, 1, 9, 10], "y": [5.0, 6, 5, 6], "segment": list("aabb")})
    new = kind({"extra": [1, 1], "y": [5.0, 6.0], "x": [9.5, 0.5]})
    assert cv.assign(new, like=(clustered, "segment")).labels.tolist() == ["b", "a"]


def test_a_cluster_of_one_row_holds_equal_rows_only():
    assignment = cv.assign([[9.0], [9.1]], like=([[0.0], [1.0], [9.0]], [0, 0, 1]))
    assert assignment.outside.tolist() == [False, True]


def test_one_cluster_has_no_next_one():
    assignment = cv.assign([[0.5]], like=([[0.0], [1.0], [2.0]], ["a"] * 3))
    assert assignment.margin.tolist() == [1.0]


def test_a_selector_predicts_by_the_same():
    X, _ = make_blobs((40, 40, 40), (0, 6, 12), seed=3)
    new = np.vstack([X[::7] + 0.01, np.full((1, X.shape[1]), 99.0)])
    selector = cv.ClusterSelector(["ward"], k=[2, 3, 4], null=False, random_state=0).fit(X)
    assert selector.predict(new).tolist() == cv.assign(new, like=(X, selector.labels_)).accepted.tolist()
    assert selector.predict(new)[-1] == -1
    assert (selector.predict(X) == selector.labels_).mean() > 0.9


FRAME = pd.DataFrame({"spend": [1.0, 2.0, 9.0, 8.0], "age": [1.0, 1.0, 1.0, 1.0]})
BAD_CALLS = {
    "no pair": (lambda: cv.assign([[0]], like=[1, 2, 3]), "like must be the rows that were clustered and their labels"),
    "a missing column": (
        lambda: cv.assign(FRAME.rename(columns={"spend": "spent"}), like=(FRAME, [0, 0, 1, 1])),
        "new has no column 'spend', by which rows were clustered. Did you mean 'spent'?",
    ),
    "other columns": (
        lambda: cv.assign([[0.0]], like=([[0.0, 1.0], [1.0, 1.0]], [0, 1])),
        "new has 1 columns but the rows that were clustered have 2.",
    ),
    "only noise": (
        lambda: cv.assign([[0.0]], like=([[0.0], [1.0]], [-1, -1])),
        "labels mark every row as noise; there is no cluster that rows could be like.",
    ),
    "a level": (lambda: cv.assign([[0.0]], like=([[0.0]], [0]), level=99), "level must be a share between 0 and 1"),
    "distances": (
        lambda: cv.assign([[0.0]], like=([[0.0]], [0]), metric="precomputed"),
        "metric='precomputed' has no coordinates to compare new rows by; use a metric of coordinates.",
    ),
    "a gap": (lambda: cv.assign([[np.nan]], like=([[0.0]], [0])), "new"),
}


@pytest.mark.parametrize("name", BAD_CALLS)
def test_what_cannot_be_assigned_is_said_in_a_sentence(name):
    call, message = BAD_CALLS[name]
    with pytest.raises(InputError) as error:
        call()
    assert message in str(error.value)


def test_clusters_too_small_for_two_halves_have_no_p_value_and_no_advice():
    assignment = cv.assign([[0.0]], like=([[0.0], [9.0]], [0, 1]))
    assert math.isnan(assignment.p_value)
    assert not assignment.anew
    assert "too small to say" in str(assignment)


def test_the_p_value_of_rows_near_one_cluster_is_that_of_a_beta_binomial_number():
    rng = np.random.default_rng(1)
    X, labels = np.concatenate([rng.normal(size=(61, 2)), rng.normal(size=(40, 2)) + 30]), np.repeat([0, 1], [61, 40])
    for level in (0.9, 0.99):
        assignment = cv.assign(1.7 * rng.normal(size=(25, 2)), like=(X, labels), level=level)
        n, m, outside = (assignment.halves[name].tolist() for name in ("members", "rows", "outside"))
        assert (n[0], m, outside[0] > 0) == (30, [25, 0], True)
        rank = rank_of(level, n[0])
        assert assignment.p_value == approx(betabinom.sf(outside[0] - 1, m[0], n[0] + 1 - rank, rank))


@pytest.mark.parametrize("n", [39, 40, 41, 42])
@pytest.mark.parametrize("new", [[[3.2]], [[3.2], [1003.2]], [[1e4]]])
def test_the_p_value_of_one_row_of_each_cluster_is_that_of_a_binomial_number(n, new):
    """One row is outside or is not: its number has the variance of a binomial one, up to rounding."""
    members = np.r_[np.arange(n), 1000.0 + np.arange(n)][:, None]
    assignment = cv.assign(new, like=(members, np.repeat([0, 1], n)), n_jobs=1)
    outside = int(assignment.halves["outside"].sum())
    own = assignment.halves["members"][0]
    chance = 1 - rank_of(0.99, int(own)) / (own + 1)
    assert assignment.p_value == approx(binom.sf(outside - 1, len(new), chance))


def test_the_p_value_of_rows_near_two_clusters_is_that_of_a_sum_but_for_its_shape():
    rng = np.random.default_rng(2)
    X, labels = np.concatenate([rng.normal(size=(61, 2)), rng.normal(size=(81, 2)) + 30]), np.repeat([0, 1], [61, 81])
    new = 1.1 * rng.normal(size=(45, 2)) + np.repeat([0, 30], [15, 30])[:, None]
    assignment = cv.assign(new, like=(X, labels), level=0.9)
    n, m, outside = (assignment.halves[name] for name in ("members", "rows", "outside"))
    assert m.tolist() == [15, 30]
    ranks = [rank_of(0.9, size) for size in n.tolist()]
    chances = [betabinom.pmf(np.arange(31), *each) for each in zip(m, n + 1 - ranks, ranks, strict=True)]
    exact = np.convolve(*chances)[int(outside.sum()) :].sum()
    assert assignment.p_value == approx(exact, rel=0.01)
