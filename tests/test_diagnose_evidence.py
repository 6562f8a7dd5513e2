"""What evidence of a diagnosis is worth: trees and p-values against definitions, and how often verdicts are right."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval.diagnosis.evidence.learned import _by_trees, _trees, coefficients, log_odds, p_value
from clustval.diagnosis.evidence.members import Crowd, gaussians, voted
from clustval.diagnosis.evidence.pairs import ONE_COLUMN, cores
from clustval.diagnosis.evidence.surroundings import Surroundings
from clustval.passes.kmeans.lloyd import kmeans


def around(X, count=8):
    D = np.linalg.norm(X[:, None] - X, axis=2)
    np.fill_diagonal(D, np.inf)
    numbers = np.argsort(D, axis=1)[:, :count]
    return Surroundings(X, np.take_along_axis(D, numbers, axis=1), numbers)


def walked(row, questions, limits, leaves):
    """One tree after the other, one question after the other."""
    total = 0.0
    for tree in range(len(questions)):
        node = 0
        while node < len(questions[tree]):
            node = 2 * node + (1 if row[questions[tree][node]] <= limits[tree][node] else 2)
        total += leaves[tree][node - len(questions[tree])]
    return total


@given(st.integers(0, 10**6))
def test_trees_are_walked_question_by_question(seed):
    rng = np.random.default_rng(seed)
    questions, limits, leaves = rng.integers(0, 4, (5, 7)), rng.normal(size=(5, 7)), rng.normal(size=(5, 8))
    rows = rng.normal(size=(6, 4))
    assert _by_trees(rows, questions, limits, leaves) == approx(
        [walked(row, questions, limits, leaves) for row in rows]
    )
    assert _by_trees(rows[0], questions, limits, leaves) == approx(walked(rows[0], questions, limits, leaves))


def test_the_trees_of_the_package_ask_for_what_they_name():
    for name in ("populations", "populations, graph"):
        model = coefficients()[name]
        questions, limits, leaves = _trees(name)
        assert questions.max() < len(model["inputs"])
        assert leaves.shape[1] == limits.shape[1] + 1 == questions.shape[1] + 1
        row = np.zeros(len(model["inputs"]))
        assert log_odds(name, row) == approx(model["bias"] + walked(row, questions, limits, leaves))


@pytest.mark.large
def test_halves_of_one_column_seldom_have_small_p_values():
    """Of 60 uniform columns, cut in the middle of their range, at most 6 have p <= 0.05: 3 are expected."""
    small = 0
    for seed in range(60):
        X = np.random.default_rng([17, seed]).uniform(size=(40, 1))
        pairs = cv.diagnose(X, X[:, 0] > 0.5, random_state=0, n_jobs=1).pairs
        small += np.count_nonzero(pairs["p_value"] <= 0.05)
    assert small <= 6


@pytest.mark.parametrize("distances", [True, False])
def test_pairs_of_points_with_few_neighbours_have_no_p_value(distances):
    X = np.random.default_rng(0).uniform(size=(32, 2))
    X = X[np.argsort(X[:, 0])]
    for n, there in ((31, False), (32, True)):
        rows = X[:n]
        points = np.sqrt(((rows[:, None] - rows) ** 2).sum(axis=2)) if distances else rows
        metric = "precomputed" if distances else "euclidean"
        pairs = cv.diagnose(points, np.arange(n) < n // 2, metric=metric, random_state=0, n_jobs=1).pairs
        assert (~np.isnan(pairs["p_value"])).tolist() == [there]
        assert 0 <= pairs["separate"][0] <= 1


@pytest.mark.parametrize("name", ["valley", ONE_COLUMN])
def test_more_evidence_has_a_smaller_p_value(name):
    values = [p_value(name, odds) for odds in np.linspace(-10, 10, 41)]
    assert values == sorted(values, reverse=True)
    assert values[0] == 1
    assert values[-1] <= 0.05


def test_a_cluster_that_the_vote_takes_away_keeps_the_labels_that_were_given():
    X = np.random.default_rng(0).normal(size=(300, 2))
    labels = (np.arange(300) % 6 == 0).astype(int)  # a sixth, interleaved: neighbours are of the other
    seen = around(X)
    votes = voted(seen, labels, 2)
    assert np.count_nonzero(votes == 1) < 25
    kept = cores(seen, labels, votes, 2)
    assert (kept[labels == 1] == 1).all()


def test_reach_is_how_far_nearly_all_points_of_a_cluster_lie():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (400, 3)), rng.normal(20, 5, (400, 3))])
    labels = np.repeat([0, 1], 400)
    crowd = Crowd(around(X), labels, 2)
    fitted = gaussians(X, labels, 2)
    for cluster in (0, 1):
        away = fitted.lengths(fitted.logs(X))[labels == cluster, cluster]
        assert crowd.reaches[cluster] == approx(np.quantile(away, 0.98), rel=1e-6)


# --- how often verdicts are right: made data of seeds that nothing was learned from -----------------------


def clusters_apart(seed, p=4, apart=7.0):
    rng = np.random.default_rng(90_000 + seed)
    centres = np.zeros((4, p))
    centres[[1, 2, 3], [0, 1, 2]] = apart
    y = np.repeat(np.arange(4), rng.integers(50, 150, 4))
    return centres[y] + rng.normal(size=(len(y), p)), y


@pytest.mark.large
def test_right_clusterings_rarely_get_an_alarm():
    alarms = 0
    for seed in range(40):
        diagnosis = cv.diagnose(*clusters_apart(seed))
        alarms += bool(diagnosis.merges or diagnosis.splits)
    assert alarms <= 2


@pytest.mark.large
@pytest.mark.parametrize("change", [-1, 2])
def test_k_means_with_a_wrong_k_is_repaired(change):
    before, after = [], []
    for seed in range(15):
        X, y = clusters_apart(seed)
        labels = kmeans(X, 4 + change, rng=np.random.default_rng(seed), n_init=5).labels
        repaired = cv.diagnose(X, labels).repaired
        before.append(cv.external.adjusted_rand(y, labels))
        after.append(cv.external.adjusted_rand(y, repaired))
    assert min(np.subtract(after, before)) > -0.02
    assert np.mean(after) > 0.95


@pytest.mark.large
def test_one_population_that_was_cut_is_put_together_again():
    whole = 0
    for seed in range(20):
        rng = np.random.default_rng(91_000 + seed)
        X = rng.normal(size=(400, 5)) * np.array([3, 2, 1, 1, 0.5])
        labels = kmeans(X, 3, rng=rng, n_init=5).labels
        whole += len(set(cv.diagnose(X, labels).repaired)) == 1
    assert whole >= 16
