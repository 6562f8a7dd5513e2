"""External indices against their printed definitions in loops, and against scikit-learn, on labels of all shapes."""

from __future__ import annotations

import math

import naive_external as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from sklearn import metrics

from clustval import external
from clustval.compare.agreement import agreement, concordance, contingency
from clustval.errors import UndefinedIndexError
from clustval.suites import SUITES

OURS = {
    **{name: name for name in naive.EXTERNAL},
    "normalized_vi_joint": "normalized_vi",
    "wallace_from_pred": "wallace_from_labels",
    "adjusted_wallace_from_pred": "adjusted_wallace_from_labels",
}
del OURS["normalized_vi_log_n"]


@st.composite
def labellings(draw, count=2, most=12, clusters=5):
    n = draw(st.integers(1, most))
    one = st.lists(st.integers(0, draw(st.integers(0, clusters - 1))), min_size=n, max_size=n)
    return [draw(one) for _ in range(count)]


def ours(name, *labels, **options):
    try:
        return getattr(external, name)(*labels, **options)
    except UndefinedIndexError:
        return math.nan


def agree(found, defined, *, best=(0.0, 1.0)):
    """Whether the values are the same; where the definition has none, ours is the best value or none."""
    if math.isnan(defined):
        return math.isnan(found) or found in best
    return found == approx(defined, rel=1e-10, abs=1e-12)


@given(labels=labellings())
def test_every_index_follows_its_definition(labels):
    for name, index in OURS.items():
        assert agree(ours(index, *labels), naive.EXTERNAL[name](*labels)), name


@pytest.mark.parametrize(
    ("suite", "definitions"), [("clustercrit", naive.CLUSTERCRIT_EXTERNAL), ("zaki", naive.ZAKI_EXTERNAL)]
)
@given(labels=labellings())
def test_the_suites_follow_their_sources(suite, definitions, labels):
    scores = agreement(*labels, suite)
    assert set(scores) == set(SUITES[suite]["external"])
    for name, value in scores.items():
        assert agree(value, definitions[name](*labels)), name


@given(labels=labellings(), alpha=st.floats(0.01, 100))
def test_options_follow_their_definitions(labels, alpha):
    assert agree(ours("f_alpha", *labels, alpha=alpha), naive.f_alpha(*labels, alpha))
    assert agree(ours("normalized_vi", *labels, by="log_n"), naive.normalized_vi_log_n(*labels))
    assert agree(ours("v_measure", *labels, beta=alpha), naive.v_measure(*labels, alpha))
    assert agree(ours("truth_entropy", *labels, base=3), naive.entropy(labels[0], 3))
    assert agree(ours("labels_entropy", *labels, base=3), naive.entropy(labels[1], 3))
    assert agree(ours("labels_entropy_given_truth", *labels), naive.conditional_entropy(*labels[::-1]))
    for average in naive.AVERAGES:
        found = ours("adjusted_mutual_info", *labels, average=average)
        assert agree(found, naive.adjusted_mutual_info(*labels, average))
    for average in (*naive.AVERAGES, "joint"):
        found = ours("normalized_mutual_info", *labels, average=average)
        assert agree(found, naive.normalized_mutual_info(*labels, average))


@pytest.mark.parametrize("weights", [None, [2, 3, 4, 5, 6, 7], [2.5, 3, 4, 5, 6, 7]], ids=["points", "whole", "broken"])
def test_precision_counts_for_nothing_beside_recall_that_weighs_very_much(weights):
    truth, labels = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
    for alpha in (1e300, 1e308, 10**308):
        value = external.f_alpha(truth, labels, alpha=alpha, sample_weight=weights)
        assert value == approx(external.recall(truth, labels, sample_weight=weights), rel=1e-14)


@given(labels=labellings())
def test_tables_and_pairs_are_counted_as_by_hand(labels):
    table = contingency(*labels)
    assert table.table.T.tolist() == naive.contingency(*labels)
    assert table.row_labels == sorted(set(labels[0]))
    assert table.column_labels == sorted(set(labels[1]))
    assert concordance(*labels).ravel().tolist() == list(naive.concordance(*labels))


SKLEARN = {name: getattr(metrics, name) for name in SUITES["sklearn"]["external"]}


def like_scikit_learn(truth, labels):
    scores = agreement(truth, labels, "sklearn")
    for name, function in SKLEARN.items():
        assert scores[name] == approx(function(truth, labels), rel=1e-12, abs=1e-12), name


@given(st.integers(0, 10**6))
def test_values_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 200))
    truth, labels = rng.integers(0, rng.integers(2, 9), n), rng.integers(0, rng.integers(2, 9), n)
    truth[:2], labels[:2] = (0, 1), (0, 0)
    like_scikit_learn(truth, np.where(rng.random(n) < 0.5, truth, labels))


def test_values_of_many_points_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 12, 20_000)
    like_scikit_learn(truth, np.where(rng.random(20_000) < 0.6, truth, rng.integers(0, 30, 20_000)))


@pytest.mark.parametrize("average", ["arithmetic", "geometric", "min", "max"])
def test_averages_are_those_of_scikit_learn(average):
    rng = np.random.default_rng(1)
    truth, labels = rng.integers(0, 5, 300), rng.integers(0, 3, 300)
    labels[:150] = truth[:150]
    expected = metrics.adjusted_mutual_info_score(truth, labels, average_method=average)
    assert external.ami(truth, labels, average=average) == approx(expected, rel=1e-12)
    expected = metrics.normalized_mutual_info_score(truth, labels, average_method=average)
    assert external.nmi(truth, labels, average=average) == approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("truth", "labels"),
    [([0, 0, 0], [0, 0, 0]), ([0, 0, 0], [0, 0, 1]), ([0, 1, 2, 2], [0, 0, 0, 0]), ([0, 1, 1, 0], [0, 1, 2, 3])],
)
def test_degenerate_labellings_have_the_values_of_scikit_learn_that_are_defined(truth, labels):
    scores = agreement(truth, labels, "sklearn")
    for name, function in SKLEARN.items():
        if not math.isnan(scores[name]):
            assert scores[name] == approx(function(truth, labels), abs=1e-12), name
    undefined = [name for name, found in scores.items() if math.isnan(found)]
    assert undefined == (["fowlkes_mallows_score"] if len(set(labels)) == len(labels) else [])


def test_shares_are_1_and_not_above_by_rounding():
    truth, labels = [0, 0, 0, 1, 2, 1, 0, 0, 1, 2, 1, 2], [1, 0, 1, 2, 4, 2, 0, 1, 3, 4, 3, 4]
    weights = [0.2, 0.8, 0.1, 0.5, 0.3, 0.2, 0.6, 0.3, 0.5, 0.3, 0.2, 0.6]  # whose sums depend on their order
    assert external.bcubed_precision(truth, labels, sample_weight=weights) == 1
    finer = [0, 5, 0, 1, 1, 3, 2, 0, 0, 3]
    assert external.normalized_mutual_info([0, 2, 0, 0, 0, 1, 1, 0, 0, 1], finer, average="min") == 1


def test_labellings_that_share_nothing_or_hardly_differ():
    assert external.v_measure([0, 0, 1, 1], [0, 1, 0, 1]) == 0
    assert external.normalized_clustering_accuracy([0, 0, 1, 1], [0, 0, 0, 1]) == 0.5  # (1 + 1/2) / 2 above 1/2
    assert external.normalized_vi([0] * 9 + [1], [0] * 10) == 1  # of a joint entropy of 0.325
    assert math.isnan(ours("normalized_vi", [0, 1], [0, 0], sample_weight=[0.5, 0.5], by="log_n"))
    assert math.isnan(ours("normalized_clustering_accuracy", [0, 0, 0, 0], [0, 0, 1, 1]))
