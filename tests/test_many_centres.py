"""Centres of many clusters: the nearest by trees, the largest distance by search, all pairs only if they are few."""

from __future__ import annotations

import numpy as np
import pytest
from pytest import approx

import clustval as cv
from clustval.formulas.internal.dunn import SharedSpreads
from clustval.passes.centres.centre_distances import centre_distances_by_tree, centre_distances_numpy
from clustval.passes.centres.centre_gaps import BetweenMeans, Gaps


def centres_of(kind, k=700):
    rng = np.random.default_rng(k)
    if kind == "spread":
        return rng.normal(size=(k, 3))
    if kind == "at few places":
        return rng.integers(0, 4, (k, 2)).astype(float)
    if kind == "at one place":
        return np.ones((k, 2))
    if kind == "on a line, ever farther":
        return 1.5 ** np.arange(k // 2)[:, None]
    return rng.normal(size=(k, 12))


KINDS = ("spread", "at few places", "at one place", "on a line, ever farther", "in many dimensions")


@pytest.mark.parametrize("kind", KINDS)
def test_nearest_and_largest_distances_of_many_centres_are_those_of_the_table(kind):
    means = centres_of(kind)
    gaps = Gaps(BetweenMeans(means, 0.0, 2 * len(means)), len(means), cells=2**12)
    table = np.sqrt(((means[:, None] - means) ** 2).sum(-1))
    apart = table + np.where(np.eye(len(means), dtype=bool), np.inf, 0)
    assert gaps.nearest == approx(apart.min(1), rel=1e-12)
    assert gaps.smallest == approx(apart.min(), rel=1e-12)
    assert gaps.largest == approx(table.max(), rel=1e-12)
    assert gaps.sums() == approx(table.sum(1), rel=1e-12)


@pytest.mark.parametrize("spread", [0.0, 1.0])
@pytest.mark.parametrize("k", [697, 704])  # the last strip of eight is full or not
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_folded_over_each_two_centres_is_that_of_the_table(kind, k, spread):
    means, rng = centres_of(kind, k), np.random.default_rng(0)
    k = len(means)
    spreads, mass = spread * rng.random(k), rng.integers(1, 9, k).astype(float)
    rounding = 0.01
    gaps = Gaps(BetweenMeans(means, rounding, 2 * k), k, cells=2**12)
    table = np.sqrt(((means[:, None] - means) ** 2).sum(-1))
    table[table <= rounding] = 0
    whole = Gaps.of_table(table)
    with np.errstate(divide="ignore", invalid="ignore"):
        worst = whole.worst_overlap(spreads)
    for n_jobs in (1, 2):
        assert gaps.worst_overlap(spreads, n_jobs=n_jobs) == approx(worst, rel=1e-13, abs=0, nan_ok=True)
        assert gaps.squares(mass, n_jobs=n_jobs) == approx(whole.squares(mass), rel=1e-13, abs=0)
        assert gaps.sums(n_jobs=n_jobs) == approx(whole.sums(), rel=1e-13, abs=0)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kind", KINDS[:3])
def test_distances_to_centres_by_trees_are_those_of_plain_numpy(kind, weighted):
    means, rng = centres_of(kind, 90), np.random.default_rng(1)
    codes = np.repeat(np.arange(90), 2)
    Z, weights = means[codes] + rng.normal(size=means[codes].shape), rng.random(180) if weighted else None
    starts, mean = np.arange(0, 181, 2), Z.mean(0)
    own, nearest, neighbour, sums, total = centre_distances_by_tree(Z, starts, means, mean, weights, n_jobs=1)
    expected = centre_distances_numpy(Z, starts, means, mean, weights, table=False)
    assert own == approx(expected[0])
    assert nearest == approx(expected[1])
    assert (neighbour != codes).all()
    assert np.sqrt(((Z - means[neighbour]) ** 2).sum(1)) == approx(nearest)
    assert sums == approx(expected[3])
    assert total == approx(expected[4])


def test_a_single_centre_has_no_other():
    _, nearest, neighbour, _, _ = centre_distances_by_tree(
        np.ones((3, 2)), np.array([0, 3]), np.ones((1, 2)), np.ones(2), n_jobs=1
    )
    assert np.isinf(nearest).all()
    assert (neighbour == -1).all()


def test_the_smallest_mean_of_two_clusters_is_one_of_the_smallest_cluster():
    rng = np.random.default_rng(0)
    for _ in range(50):
        rows = SharedSpreads(rng.random(20), rng.integers(1, 9, 20))
        table = rows(0, 20)
        assert rows.smallest() == approx(table[~np.eye(20, dtype=bool)].min())


def test_memory_decides_on_no_value_where_clusters_are_many():
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(3000, 2)), np.arange(3000) % 1200
    plain = cv.evaluate(X, labels, "fast", memory="4GB")
    narrow = cv.evaluate(X, labels, "fast", memory="64MB")
    names = [name for name in plain if name not in narrow.reasons and name not in plain.reasons]
    assert {"davies_bouldin", "simplified_silhouette", "xie_beni", "pbm", "sd_dis", "gdi43"} <= set(names)
    assert [narrow[name] for name in names] == approx([plain[name] for name in names], rel=1e-10, nan_ok=True)


def test_each_two_of_too_many_centres_are_refused_with_the_time_unless_asked_for_alone(set_limits, monkeypatch):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(600, 2)), np.arange(600) % 300
    set_limits(few_points=100)
    monkeypatch.setattr("clustval.sources.pair_limits.LONGEST_OF_CENTRES", 1e-6)
    scores = cv.evaluate(X, labels, ["davies_bouldin", "davies_bouldin_rms", "sd_dis", "log_ss_ratio_pairwise", "pbm"])
    assert set(scores.reasons) == {"davies_bouldin", "davies_bouldin_rms", "sd_dis", "log_ss_ratio_pairwise"}
    assert "each two of 300 centres, 4.48e+04, about" in scores.reasons["davies_bouldin"]
    assert np.isfinite(cv.internal.davies_bouldin(X, labels))


def test_points_and_centres_are_refused_with_the_time_where_no_tree_measures_them(set_limits, monkeypatch):
    rng = np.random.default_rng(0)
    X, labels = rng.normal(size=(600, 2)), np.arange(600) % 300
    set_limits(few_points=100)
    monkeypatch.setattr("clustval.sources.pair_limits.LONGEST_OF_CENTRES", 1e-3)
    names = ["pbm", "simplified_silhouette", "score_function", "trace_w", "davies_bouldin_rms"]
    scores = cv.evaluate(X, labels, names, metric="cityblock")
    assert set(scores.reasons) == {"pbm", "simplified_silhouette", "score_function"}
    reason = "pbm needs the distances of 600 points to 300 centres, 1.8e+05, about"
    assert scores.reasons["pbm"].startswith(reason)
    assert np.isfinite(cv.internal.pbm(X, labels, metric="cityblock"))
    assert not cv.evaluate(X, labels, names).reasons
