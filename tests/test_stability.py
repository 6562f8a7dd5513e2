"""Stability: the definition in loops for every kind of index, and what Iris gives."""

from __future__ import annotations

import re

import numpy as np
import pytest
from sklearn.cluster import KMeans

import clustval as cv
from clustval import catalogue
from clustval.catalogue import select
from clustval.declare import KINDS
from clustval.relative.clusterwise import clusterwise_stability
from clustval.relative.estimators import clusterer
from clustval.relative.gap import along_axes
from clustval.relative.prediction import _strength, prediction_strength
from clustval.relative.stability import agreement, clusterings, samples
from clustval.seeding import generators
from conftest import iris_components, make_blobs

catalogue.load()
JUDGING = [name for name, index in KINDS["external"].indices.items() if index.best.better != "neither"]


def three_groups(width=0.1, size=20):
    return make_blobs([size] * 3, range(3), width)[0]


def common_labels(rows_a, a, rows_b, b):
    """Labels of the multiset intersection of two samples, point by point (eq. 17.30)."""
    first, second = [], []
    for point in sorted(set(rows_a) & set(rows_b)):
        ours = [label for row, label in zip(rows_a, a, strict=True) if row == point]
        theirs = [label for row, label in zip(rows_b, b, strict=True) if row == point]
        instances = min(len(ours), len(theirs))
        first += ours[:instances]
        second += theirs[:instances]
    return first, second


def in_loops(rows, labels, name):
    values = []
    for i in range(len(rows)):
        for j in range(len(rows)):
            if i == j or (KINDS["external"].indices[name].symmetric and j < i):
                continue
            pair = common_labels(rows[i].tolist(), labels[i].tolist(), rows[j].tolist(), labels[j].tolist())
            try:
                values.append(getattr(cv.external, name)(*pair))
            except cv.UndefinedIndexError:
                values.append(np.nan)
    return np.array(values)


@pytest.mark.parametrize("name", JUDGING)
def test_every_judging_index_is_averaged_over_pairs_of_samples(name):
    generator = generators(1)
    X = np.random.default_rng(0).normal(size=(14, 2))
    rows = samples(14, 4, "bootstrap", None, generator, fewest=3)
    labels = clusterings(X, rows, 3, clusterer(n_init=1), generator, 1, None)
    labels[0, :3] = [2, 0, 1]  # copies of a point may be in different clusters
    values = in_loops(rows, labels, name)
    (choice,) = select(name, "external")
    mean, deviation, undefined = agreement(rows, labels, choice)
    assert mean == pytest.approx(np.nanmean(values), rel=1e-9, abs=1e-12)
    assert deviation == pytest.approx(np.nanstd(values), rel=1e-9, abs=1e-9)
    assert undefined == pytest.approx(np.isnan(values).mean(), abs=1e-12)


def test_samples_without_a_common_point_are_left_out():
    rows = np.array([[0, 1], [2, 3], [0, 1]])
    labels = np.array([[0, 1], [0, 1], [1, 0]], dtype=np.int32)
    for name in ("vi", "nmi", "adjusted_rand", "purity"):
        (choice,) = select(name, "external")
        mean, _, undefined = agreement(rows, labels, choice)
        assert mean == (0 if name == "vi" else 1)
        assert undefined == pytest.approx(2 / 3, abs=1e-12)
    mean, deviation, undefined = agreement(rows[:2], labels[:2], choice)
    assert np.isnan([mean, deviation]).all()
    assert undefined == 1


@pytest.mark.parametrize(("index", "values"), [("zaki:vi", (0.05, 0.27, 0.40)), ("fm", (0.99, 0.93, 0.91))])
def test_iris_is_most_stable_with_two_clusters(index, values):
    X, _ = iris_components()
    found = cv.stability(X, range(2, 7), n_samples=100, n_init=20, index=index, random_state=0)
    assert found.best == 2
    assert found.table["mean"][:3] == pytest.approx(values, abs=0.06)
    assert (found.table["undefined"] == 0).all()


def test_values_do_not_depend_on_threads_nor_on_the_other_numbers_of_clusters():
    X = three_groups()
    options = {"n_samples": 8, "n_init": 2, "random_state": 5}
    whole, threaded = (cv.stability(X, range(2, 6), n_jobs=jobs, **options) for jobs in (1, 3))
    assert np.array_equal(whole.table["mean"], threaded.table["mean"])
    assert cv.stability(X, 4, **options).table["mean"][0] == whole.table["mean"][2]
    assert cv.stability(X, 5, **{**options, "random_state": 6}).table["mean"][0] != whole.table["mean"][3]


def test_subsamples_hold_each_point_once():
    rows = samples(50, 20, "subsample", 0.3, generators(0), fewest=2)
    assert rows.shape == (20, 15)
    assert all(len(set(row)) == 15 for row in rows.tolist())
    found = cv.stability(three_groups(), range(2, 6), n_samples=10, sampling="subsample", random_state=0)
    assert found.best == 3
    assert found.table["mean"][1] == 0


def test_a_foreign_estimator_is_resampled_too():
    found = cv.stability(three_groups(), [2, 3, 4], estimator=KMeans(n_init=2), n_samples=8, random_state=0)
    assert found.best == 3
    again = cv.stability(three_groups(), [2, 3, 4], estimator=KMeans(n_init=2), n_samples=8, random_state=0)
    assert np.array_equal(found.table["mean"], again.table["mean"])


def test_results_can_be_read_and_framed():
    found = cv.stability(three_groups(), [2, 3], n_samples=5, n_init=1, random_state=0)
    assert str(found).splitlines()[0].split() == ["k", "mean", "sd", "undefined"]
    assert str(found).splitlines()[-1] == "variation_of_information between 5 samples; most stable: k = 3"
    assert found.table.to_pandas().loc[3, "mean"] == 0
    assert "most stable: k = 3" in found._repr_html_()


# --- clusters, one by one --------------------------------------------------------------------------------


def jaccard_in_loops(whole, rows, labels):
    first = {}
    for row, label in zip(rows.tolist(), labels.tolist(), strict=True):
        first.setdefault(row, label)
    values = []
    for c in range(max(whole) + 1):
        own = {row for row in first if whole[row] == c}
        others = [{row for row in first if first[row] == label} for label in set(first.values()) - {-1}]
        best = max((len(own & other) / len(own | other) for other in others), default=0.0)
        values.append(best if own else np.nan)
    return values


def test_clusters_are_matched_by_the_points_that_a_sample_holds():
    X = np.random.default_rng(0).normal(size=(25, 2))
    found = clusterwise_stability(X, 4, n_samples=6, n_init=2, random_state=3)
    generator = generators(3)
    rows = samples(25, 6, "bootstrap", None, generator, fewest=4)
    labels = clusterings(X, rows, 4, clusterer(n_init=2), generator, 1, None)
    expected = [jaccard_in_loops(found.labels.tolist(), r, codes) for r, codes in zip(rows, labels, strict=True)]
    assert found.values == pytest.approx(np.array(expected), nan_ok=True, rel=1e-12)
    assert found.table["mean"] == pytest.approx(np.nanmean(expected, axis=0), rel=1e-12)
    assert found.table["sd"] == pytest.approx(np.nanstd(expected, axis=0), rel=1e-9)
    assert found.table["recovered"].tolist() == (np.array(expected) >= 0.75).sum(axis=0).tolist()
    assert found.table["dissolved"].tolist() == (np.array(expected) <= 0.5).sum(axis=0).tolist()
    assert found.table["size"].tolist() == np.bincount(found.labels).tolist()


def test_a_cluster_that_is_not_there_is_less_stable():
    X, good = iris_components()
    found = clusterwise_stability(X, 3, n_samples=40, n_init=5, random_state=0)
    setosa = found.labels[0]
    assert found.table["mean"][setosa] == found.table["mean"].max() > 0.97
    rng = np.random.default_rng(0)
    flat = clusterwise_stability(rng.uniform(size=(150, 2)), 3, n_samples=40, n_init=5, random_state=0)
    assert flat.table["mean"].min() < found.table["mean"].min()
    assert "recovered" in str(found)
    assert ">recovered</th>" in found._repr_html_()
    assert len(good) == len(found.labels)


def test_a_sample_without_a_cluster_says_nothing_of_it():
    X = np.concatenate([three_groups(), [[50.0, 50.0]]])
    found = clusterwise_stability(X, 4, n_samples=30, n_init=5, random_state=0)
    lone = found.labels[-1]
    assert np.isnan(found.values[:, lone]).any()
    assert np.nanmin(found.values[:, lone]) == 1
    assert found.table["mean"][lone] == 1


def test_labels_are_judged_as_the_clustering_that_the_algorithm_makes_itself():
    X = np.random.default_rng(0).normal(size=(25, 2))
    made = clusterwise_stability(X, 4, n_samples=6, n_init=2, n_references=2, random_state=3)
    judged = clusterwise_stability(X, made.labels, n_samples=6, n_init=2, n_references=2, random_state=3)
    assert np.array_equal(judged.values, made.values, equal_nan=True)
    assert np.array_equal(judged.reference, made.reference)
    names = np.array(["d", "a", "c", "b"])[made.labels]
    renamed = clusterwise_stability(X, names, n_samples=6, n_init=2, n_references=2, random_state=3)
    assert renamed.table["cluster"].tolist() == ["a", "b", "c", "d"]
    assert np.array_equal(renamed.values, made.values[:, [1, 3, 2, 0]], equal_nan=True)


def test_noise_is_in_no_cluster_but_among_the_points():
    X, labels = three_groups(), np.arange(len(three_groups())) % 4 - 1
    found = clusterwise_stability(X, labels, n_samples=5, n_init=2, n_references=0, random_state=1)
    generator = generators(1)
    rows = samples(len(X), 5, "bootstrap", None, generator, fewest=3)
    codes = clusterings(X, rows, 3, clusterer(n_init=2), generator, 1, None)
    expected = [jaccard_in_loops(labels.tolist(), r, c) for r, c in zip(rows, codes, strict=True)]
    assert found.values == pytest.approx(np.array(expected), rel=1e-12)
    assert found.table["size"].tolist() == np.bincount(labels[labels >= 0]).tolist()


def left_or_right(X, _k, rng):
    """Cut points at 0, and call those near it noise, or all of them where many are near."""
    near = np.abs(X[:, 0]) < 0.5
    return np.where(near | (near.mean() > 0.35), -1, X[:, 0] > 0)


def test_noise_of_an_algorithm_is_no_cluster_that_comes_back():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(40, 2))
    options = {"estimator": left_or_right, "n_samples": 20, "n_references": 0, "random_state": 1, "n_jobs": 1}
    made = clusterwise_stability(X, k=2, **options)
    assert made.labels.tolist() == left_or_right(X, 2, rng).tolist()
    assert made.table["size"].tolist() == [(made.labels == cluster).sum() for cluster in (0, 1)]
    judged = clusterwise_stability(X, np.where(made.labels < 0, 2, made.labels), **options)
    rows = samples(40, 20, "bootstrap", None, generators(1), fewest=3)
    codes = [left_or_right(X[r], 3, rng) for r in rows]
    whole = [2 if label < 0 else label for label in made.labels.tolist()]
    expected = [jaccard_in_loops(whole, r, c) for r, c in zip(rows, codes, strict=True)]
    assert {-1} in [set(c.tolist()) for c in codes]
    assert judged.values == pytest.approx(np.array(expected), rel=1e-12)
    assert judged.table["mean"][2] < 0.2


def test_an_algorithm_that_calls_all_points_noise_makes_no_clustering_to_judge():
    message = "all_noise calls all 12 points noise; give an algorithm that finds clusters, or labels."

    def all_noise(X, _k, rng):
        return np.full(len(X), -1)

    with pytest.raises(cv.InputError, match=f"^{re.escape(message)}$"):
        clusterwise_stability(np.arange(24.0).reshape(12, 2), k=2, estimator=all_noise, n_jobs=1)


def test_data_without_clusters_that_are_all_noise_have_no_stable_ones():
    X = np.concatenate([np.linspace(-1.2, -1, 20), np.linspace(1, 1.2, 20)])[:, None]
    options = {"n_samples": 5, "n_references": 4, "random_state": 0, "n_jobs": 1}

    def by_gap(X, _k, rng):
        middle = np.sort(X[:, 0])
        return np.where(np.diff(middle).max() < 1.5, -1, X[:, 0] > 0)

    found = clusterwise_stability(X, k=2, estimator=by_gap, **options)
    assert found.reference.tolist() == [0] * 4
    assert found.stable == [0, 1]


def test_halves_of_one_cloud_come_back_but_not_more_than_those_of_any_cloud():
    cloud = np.random.default_rng(2).normal(size=(100, 2)) * [3.0, 1.0]
    halves = clusterwise_stability(cloud, (cloud[:, 0] > 0).astype(int), n_samples=30, n_init=2, random_state=0)
    assert halves.table["mean"].min() > 0.75
    assert halves.chance > 0.75
    assert halves.stable == []
    assert str(halves).splitlines()[-1].startswith("On data without clusters, k-means reaches 0.75 in")
    assert str(halves).endswith("Stable beyond that: none.")
    groups = clusterwise_stability(three_groups(), 3, n_samples=30, n_init=2, random_state=0)
    assert groups.stable == [0, 1, 2]
    assert groups.threshold < groups.table["mean"].min()


def test_what_data_without_clusters_give_is_what_the_same_function_gives_for_them():
    X = np.random.default_rng(0).normal(size=(30, 2))
    found = clusterwise_stability(X, 3, n_samples=4, n_init=2, n_references=3, null="uniform", random_state=5)
    generator, expected = generators(5), []
    for item in range(3):
        drawn = along_axes(X)(generator(item, 1, 0))
        whole = clusterer(n_init=2)(drawn, 3, generator(item, 1, 1))
        rows = np.sort([generator(item, 2, at, 0).choice(30, 30) for at in range(4)], axis=1)
        codes = [clusterer(n_init=2)(drawn[r], 3, generator(item, 2, at, 3)) for at, r in enumerate(rows)]
        values = [jaccard_in_loops(whole.tolist(), r, c) for r, c in zip(rows, codes, strict=True)]
        expected += np.nanmean(values, axis=0).tolist()
    assert found.reference == pytest.approx(expected, rel=1e-12)
    less = [np.mean([value < mean for value in expected]) for mean in found.table["mean"]]
    assert found.table["percentile"] == pytest.approx(less)
    without = clusterwise_stability(X, 3, n_samples=4, n_init=2, n_references=0, random_state=5)
    assert np.array_equal(without.values, found.values)
    assert np.isnan(without.table["percentile"]).all()
    assert "n_references is 0" in str(without)


class Gaps:
    """Cuts a line wherever two neighbours are more than `width` apart: an algorithm without a number of clusters."""

    def __init__(self, width: float) -> None:
        self.width = width

    def fit_predict(self, X: np.ndarray) -> np.ndarray:
        order = np.argsort(X[:, 0])
        labels = np.empty(len(X), dtype=int)
        labels[order] = np.concatenate([[0], np.cumsum(np.diff(X[order, 0]) > self.width)])
        return labels


def test_an_algorithm_without_a_number_of_clusters_goes_by_its_own_parameters():
    X = np.concatenate([np.linspace(0, 1, 30), np.linspace(9, 10, 30)])[:, None]
    found = clusterwise_stability(X, np.repeat(["low", "high"], 30), estimator=Gaps(5.0), n_samples=9, random_state=0)
    assert found.table["mean"].tolist() == [1, 1]
    assert found.reference.tolist() == [0] * 20  # nowhere a gap, so that no two clusters are found
    assert found.stable == ["high", "low"]


# --- halves ----------------------------------------------------------------------------------------------


def test_the_strength_is_that_of_the_worst_cluster():
    known = np.array([[0.0], [1.0], [10.0], [11.0]])
    X = np.array([[0.2], [0.4], [9.0], [2.0], [10.5]])
    labels = np.array([0, 0, 1, 1, 1])  # 9.0 and 10.5 go to the second known cluster, 2.0 to the first
    assert _strength(X, labels, known, np.array([0, 0, 1, 1])) == pytest.approx(1 / 3, rel=1e-12)


def test_clusters_of_one_point_have_no_pairs_to_keep():
    known, X = np.array([[0.0], [10.0]]), np.array([[1.0], [9.0]])
    assert _strength(X, np.array([0, 1]), known, np.array([0, 1])) == 1


def test_the_largest_number_that_can_be_foretold_is_chosen():
    found = prediction_strength(three_groups(), range(1, 7), n_splits=15, random_state=0)
    assert found.best == 3
    assert found.table["mean"][0] == 1
    assert found.table["mean"][2] > 0.95
    assert found.table["mean"][3] < 0.8
    threaded = prediction_strength(three_groups(), range(1, 7), n_splits=15, random_state=0, n_jobs=3)
    assert np.array_equal(found.table["mean"], threaded.table["mean"])
    assert str(found).endswith("largest k with at least 0.8: 3")
    assert "largest k with at least 0.8: 3" in found._repr_html_()


def test_no_number_is_chosen_where_none_is_strong_enough():
    X = np.random.default_rng(0).uniform(size=(60, 2))
    assert prediction_strength(X, [5, 6], n_splits=5, random_state=0).best is None


def test_numbers_of_numpy_are_numbers():
    points = X
    half = {"k": [2], "n_samples": 2, "random_state": 0}
    assert cv.stability(points, fraction=np.float32(0.5), **half) == cv.stability(points, fraction=0.5, **half)
    assert prediction_strength(points, [1, 2], threshold=np.int64(1), n_splits=2, random_state=0).threshold == 1


X = np.arange(12.0).reshape(6, 2) ** 2
BAD_CALLS = {
    "one cluster": (lambda: cv.stability(X, 1), "k must be a whole number from 2; it is 1."),
    "too many clusters": (
        lambda: cv.stability(X, [2, 7]),
        "k must be at most 6, one cluster for each point; it is 7.",
    ),
    "too many for a sample": (
        lambda: cv.stability(X, 4, sampling="subsample", fraction=0.5),
        "k must be at most 3, the number of points in a sample; it is 4.",
    ),
    "one sample": (lambda: cv.stability(X, 2, n_samples=1), "n_samples must be a whole number from 2; it is 1."),
    "several indices": (
        lambda: cv.stability(X, 2, index="sklearn"),
        f"index must name one external index; 'sklearn' names {len(select('sklearn', 'external'))}.",
    ),
    "no index": (lambda: cv.stability(X, 2, index=3), "index must name one external index; it is 3."),
    "an index that does not judge": (
        lambda: cv.stability(X, 2, index="joint_entropy"),
        "joint_entropy describes labellings but does not judge them; choose 'vi' or 'adjusted_rand'.",
    ),
    "labels and a number": (
        lambda: clusterwise_stability(X, [0, 0, 0, 1, 1, 1], k=2),
        "Give labels or k, not both: the number of clusters is that of the labels.",
    ),
    "neither labels nor a number": (
        lambda: clusterwise_stability(X),
        "Give the labels that are judged, one for each row of X, or a number of clusters k.",
    ),
    "labels of one cluster": (
        lambda: clusterwise_stability(X, [0] * 6),
        "labels must name 2 clusters or more; they name 1.",
    ),
    "labels of other points": (
        lambda: clusterwise_stability(X, [0, 1] * 4),
        "X has 6 rows but labels has 8 entries.",
    ),
    "an unknown null": (
        lambda: clusterwise_stability(X, 2, null="flat"),
        "null must be one of 'gaussian', 'uniform'; it is 'flat'.",
    ),
    "an unknown way to sample": (
        lambda: cv.stability(X, 2, sampling="jackknife"),
        "sampling must be one of 'bootstrap', 'subsample'; it is 'jackknife'.",
    ),
    "a fraction above one": (
        lambda: cv.stability(X, 2, fraction=1.5),
        "fraction must be above 0 and at most 1; it is 1.5.",
    ),
    "more clusters than half": (
        lambda: prediction_strength(X, 4),
        "k must be at most 3, the number of points in half of the data; it is 4.",
    ),
    "a threshold of zero": (
        lambda: prediction_strength(X, 2, threshold=0),
        "threshold must be above 0 and at most 1; it is 0.",
    ),
    "one cluster to be stable": (lambda: clusterwise_stability(X, 1), "k must be a whole number from 2; it is 1."),
    "infinite points": (
        lambda: cv.stability([[1.0], [np.inf]], 2),
        "X must be finite; row 1, column 0 is inf.",
    ),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_errors_say_what_to_do(case):
    call, message = BAD_CALLS[case]
    with pytest.raises(cv.InputError, match=f"^{re.escape(message)}$"):
        call()


@pytest.mark.parametrize("function", [cv.stability, cv.prediction_strength, cv.gap_statistic, cv.clusterwise_stability])
def test_there_are_no_more_clusters_than_different_points(function):
    X = np.repeat([[0.0, 0.0], [1.0, -0.0], [1.0, 0.0]], 10, axis=0)
    with pytest.raises(cv.InputError, match=r"^k must be at most 2, the number of different points; it is 3\.$"):
        function(X, 3)
    function(X, 2)
