"""Evaluation of batches that pass by once: sums and samples add up, in any order and from several places."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from pytest import approx

import clustval as cv
from clustval import evaluator as module
from clustval.errors import InputError

N = 4000
RNG = np.random.default_rng(2)
LABELS = RNG.choice(["a", "b", "rare"], N, p=[0.7, 0.295, 0.005])
X = RNG.normal(size=(N, 3)) + np.where(LABELS == "a", 2, 0)[:, None] + 1e4
NAMES = ["calinski_harabasz", "trace_w", "xie_beni", "hennig_entropy"]
CUTS = np.split(np.arange(N), [1, 700, 701, 2500])


def fed(batches, names=NAMES, **options):
    evaluator = cv.Evaluator(names, **options)
    for rows in batches:
        evaluator.partial_fit(X[rows], LABELS[rows], first=int(rows[0]))
    return evaluator


def test_one_pass_gives_the_values_of_all_points():
    whole = cv.evaluate(X, LABELS, NAMES)
    assert fed(CUTS).scores().to_dict() == approx(whole.to_dict(), rel=1e-11)
    assert fed(CUTS).n == N
    weights = RNG.choice([0.5, 1, 2], N)
    weighted = cv.Evaluator(NAMES)
    for rows in CUTS:
        weighted.partial_fit(X[rows], LABELS[rows], weights[rows])
    assert weighted.scores().to_dict() == approx(cv.evaluate(X, LABELS, NAMES, sample_weight=weights).to_dict())


def test_evaluators_add_up_and_pickle():
    names = [*NAMES, "silhouette"]
    parts = [pickle.loads(pickle.dumps(fed([rows], names))) for rows in CUTS]
    total = cv.Evaluator(names)
    for at in (3, 0, 4, 1, 2):
        total += parts[at]
    one = fed(CUTS, names)
    assert total.scores().to_dict() == approx(one.scores().to_dict(), rel=1e-11)
    assert total.n == N


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [4, 2, 0, 1, 3]])
def test_the_sample_is_the_same_from_any_batches_in_any_order(order):
    whole = fed([np.arange(N)])._taken.sample
    sample = fed([CUTS[at] for at in order])._taken.sample
    assert sample.names == whole.names
    assert sample.codes.tolist() == whole.codes.tolist()
    assert (sample.points == whole.points).all()
    assert np.bincount(sample.codes).tolist() == [500, 500, np.count_nonzero(LABELS == "rare")]


def test_the_sample_is_drawn_evenly():
    keys = module.priorities(np.arange(10**5, dtype=np.uint64), 7)
    chosen = np.sort(np.argsort(keys)[:1000]) / 10**5
    assert np.abs(chosen - np.arange(1000) / 1000).max() < 1.63 / np.sqrt(1000)  # Kolmogorov-Smirnov, 1 %
    assert (module.priorities(np.arange(5, dtype=np.uint64), 8) != keys[:5]).all()


def test_silhouettes_are_estimated_from_the_sample():
    scores = fed(CUTS, ["silhouette", "ch", "davies_bouldin"]).scores()
    exact = cv.internal.silhouette(X, LABELS)
    assert abs(scores["silhouette"] - exact) < 2 * scores.error("silhouette")
    assert 0 < scores.error("silhouette") < 0.05
    assert scores.error("ch") == 0
    assert scores.reasons["davies_bouldin"] == "it needs the points twice, and they passed by once."


@pytest.mark.parametrize("name", ["s_dbw", "cdbw", "gdi51", "gdi52", "gdi53"])
def test_points_that_passed_by_are_the_reason_and_no_budget(name):
    assert fed(CUTS, [name]).scores().reasons[name] == "it needs the points twice, and they passed by once."


def test_silhouettes_of_squared_distances_need_the_points_again():
    scores = fed(CUTS, ["silhouette"], metric="sqeuclidean").scores()
    assert abs(scores["silhouette"] - cv.internal.silhouette(X, LABELS, metric="sqeuclidean")) < 0.05


def test_what_cannot_be_is_refused():
    with pytest.raises(InputError, match="Nothing was taken in yet"):
        cv.Evaluator().scores()
    with pytest.raises(InputError, match="Batches must have the same columns; one has 2 and others 3"):
        fed(CUTS).partial_fit(X[:, :2], LABELS)
    with pytest.raises(InputError, match="Two evaluators add up if"):
        fed(CUTS) + fed(CUTS, ["ch"])
    with pytest.raises(InputError, match="noise must be one of"):
        cv.Evaluator(noise="singletons")
    with pytest.raises(InputError, match="X must be finite"):
        cv.Evaluator().partial_fit([[np.nan]], [0])
    with pytest.raises(InputError, match=r"Batches need coordinates; metric='precomputed' gives only distances"):
        cv.Evaluator(metric="precomputed")
    for metric in ("seuclidean", "mahalanobis"):
        with pytest.raises(InputError, match=f"The metric '{metric}' is made from all points, which passed by"):
            cv.Evaluator(metric=metric)
    with pytest.raises(InputError, match=r"Rows are numbered below 2\*\*62; this batch would end at row 18446744073"):
        cv.Evaluator().partial_fit([[0.0]], [0], first=2**64)


def small(names, low=0, high=40, weights=None, labels=None, **options):
    """An evaluator of some of 40 points in four clusters."""
    labels = np.arange(40) % 4 if labels is None else np.array(labels)
    weights = None if weights is None else weights[low:high]
    return cv.Evaluator(names, **options).partial_fit(X[low:high], labels[low:high], weights, first=low)


def test_batches_with_and_without_weights_do_not_add_up():
    weights = np.full(40, 3.0)
    message = "Either all batches have weights or none; some do and some do not."
    for first, second in ((None, weights), (weights, None)):
        with pytest.raises(InputError, match=message):
            small("ch", 0, 20, first).partial_fit(X[20:40], np.arange(20) % 4, None if second is None else second[20:])
        with pytest.raises(InputError, match=message):
            small("ch", 0, 20, first) + small("ch", 20, 40, second)
    kept = small("ch", 0, 20)
    with pytest.raises(InputError, match=message):
        kept.partial_fit(X[20:40], np.arange(20) % 4, weights[20:])
    assert kept.n == 20  # a batch that is refused is not taken in


@pytest.mark.parametrize("metric", ["jaccard", "hamming", "russellrao"])
def test_metrics_without_means_refuse_indices_of_means(metric):
    sets, labels = (X[:40] > X[:40].mean(axis=0)) * 1.0, np.arange(40) % 4
    names = ["calinski_harabasz", "silhouette", "davies_bouldin"]
    scores = cv.Evaluator(names, metric=metric).partial_fit(sets, labels).scores()
    whole = cv.evaluate(sets, labels, names, metric=metric)
    assert scores.reasons == whole.reasons
    assert set(scores.reasons) == {"calinski_harabasz", "davies_bouldin"}


@pytest.mark.parametrize("labels", [[0] * 40, range(40), [-1] * 40])
def test_estimates_have_the_reasons_of_all_points(labels):
    names = ["silhouette", "hennig_asw"]
    scores = small(names, labels=labels).scores()
    assert scores.reasons == cv.evaluate(X[:40], list(labels), names).reasons
    assert all(np.isnan(scores[name]) and name not in scores.intervals for name in scores.reasons)


def test_weights_are_the_reason_why_silhouettes_are_not_estimated():
    reason = "silhouette is estimated from a sample of the rows, and not where these are weighted; "
    assert small(["silhouette"], weights=np.arange(40) + 1.0).scores().reasons["silhouette"].startswith(reason)
    alike = [small("silhouette", weights=weights).scores()["silhouette"] for weights in (None, np.ones(40))]
    assert alike[0] == alike[1]


def test_values_of_single_points_are_refused():
    scores = small("silhouette").scores()
    for values in (scores.per_point, scores.neighbours):
        with pytest.raises(InputError, match="these passed by, and are not kept"):
            values("silhouette")


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_columns_of_batches_have_the_same_names_in_the_same_order(frame):
    table, labels = frame(dict(zip("abc", X[:40].T, strict=True))), np.arange(40) % 4
    whole = cv.evaluate(np.concatenate([X[:40]] * 3), np.tile(labels, 3), "ch")["calinski_harabasz"]
    taken = cv.Evaluator("ch").partial_fit(table, labels).partial_fit(X[:40], labels).partial_fit(table, labels)
    assert taken.scores()["calinski_harabasz"] == approx(whole)
    swapped = table[["c", "b", "a"]]
    message = (
        r"same columns in the same order; column 0 of one is 'c', and of others 'a'\. Choose columns by name: "
        r"X\[\['a', \.\.\.\]\]\."
    )
    with pytest.raises(InputError, match=message):
        taken.partial_fit(swapped, labels)
    with pytest.raises(InputError, match=message):
        _ = taken + cv.Evaluator("ch").partial_fit(swapped, labels)
    with pytest.raises(InputError, match="same columns; column 2 of one is 'z', and of others 'c'"):
        cv.Evaluator("ch").partial_fit(X[:40], labels).partial_fit(table, labels).partial_fit(
            frame(dict(zip("abz", X[:40].T, strict=True))), labels
        )
    with pytest.raises(InputError, match="Batches must have the same columns; one has 2 and others 3"):
        _ = taken + cv.Evaluator("ch").partial_fit(table[["a", "b"]], labels)


def test_equal_points_have_no_silhouette():
    names = ["silhouette", "silhouette_by_cluster", "hennig_asw", "alternative_silhouette"]
    points, labels = np.ones((40, 3)), np.arange(40) % 4
    scores, exact = cv.Evaluator(names).partial_fit(points, labels).scores(), cv.evaluate(points, labels, names)
    assert scores.reasons == exact.reasons
    assert list(scores.intervals) == ["alternative_silhouette"]
    assert scores["alternative_silhouette"] == 0


def test_a_point_is_at_no_distance_from_itself():
    sets, labels = (RNG.random((60, 6)) > 0.5) * 1.0, np.arange(60) % 6
    scores = cv.Evaluator("silhouette", metric="russellrao").partial_fit(sets, labels).scores()
    assert scores["silhouette"] == approx(cv.internal.silhouette(sets, labels, metric="russellrao"))
