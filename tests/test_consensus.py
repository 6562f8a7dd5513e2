"""The consensus of many labellings: its definitions in loops, clusters and values of points, nulls, bad input."""

from __future__ import annotations

import math
from itertools import combinations

import brute_force
import numpy as np
import pandas as pd
import polars as pl
import pytest
from pytest import approx
from scipy.cluster.hierarchy import cophenet, fcluster, linkage
from scipy.spatial.distance import squareform

import clustval as cv
from clustval.choosing.nulls import NULLS
from clustval.ensembles.co_clusters import Ensemble
from clustval.passes.consensus import co_association
from clustval.passes.consensus.average_linkage import cut, joint_similarities, merges_of_sums
from conftest import make_blobs

X, TRUTH = make_blobs((30, 25, 20), (0, 5, 10), (0.8, 0.8, 0.8), p=2, seed=3)


def random_labellings(seed, n=30, count=6, missing=0.0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    rows = [np.where(rng.random(n) < 0.3, rng.integers(0, 4, n), truth) for _ in range(count)]
    return np.where(rng.random((count, n)) < missing, -1, rows)


def share(labellings, i, j):
    """Share of the labellings that put two points together, of those that have both; None if there are none."""
    both = [row for row in labellings if row[i] >= 0 and row[j] >= 0]
    return sum(row[i] == row[j] for row in both) / len(both) if both else None


# --- definitions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_values_are_those_of_the_definitions(name):
    data, reference = brute_force.data(name), brute_force.values(name, "D")["consensus"]
    consensus = cv.consensus([*data["kmeans"].values(), data["other"]], n_references=0)
    for statistic, value in reference.items():
        assert getattr(consensus, statistic) == approx(value, rel=1e-9), statistic


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("n", [12, 90])
def test_statistics_follow_their_definitions(seed, missing, n):
    rows = random_labellings(seed, n, 5, missing)
    consensus = cv.consensus(rows, n_references=0)
    values = [v for v in (share(rows.tolist(), i, j) for i, j in combinations(range(n), 2)) if v is not None]
    assert consensus.pac == approx(sum(0.1 < v <= 0.9 for v in values) / len(values), rel=1e-12)
    assert consensus.cdf_area == approx(1 - sum(values) / len(values), rel=1e-12)
    every = [4 * (v - 0.5) ** 2 for v in values] * 2 + [1.0] * n
    assert consensus.dispersion == approx(sum(every) / len(every), rel=1e-12)
    pairs = [cv.external.ami(a, b, noise="drop") for a, b in combinations(rows, 2)]
    assert consensus.consensus_index == approx(np.mean(pairs), rel=1e-12)


def test_pairs_in_a_tenth_of_the_labellings_are_apart_and_those_in_nine_tenths_in_doubt():
    rows = np.array([[0, 0, 1]] * 9 + [[0, 1, 1]])  # 0 and 1 in nine of ten, 1 and 2 in one, 0 and 2 in none
    consensus = cv.consensus(rows, n_references=0)
    assert consensus.matrix()[1] == approx([0.9, 1, 0.1])
    assert consensus.pac == approx(1 / 3)


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("n", [20, 80])
def test_the_matrix_has_the_share_of_each_two_points(missing, n):
    rows = random_labellings(1, n, 4, missing)
    consensus = cv.consensus(rows, n_references=0)
    matrix = consensus.matrix()
    for i in range(n):
        for j in range(n):
            expected = 1.0 if i == j else share(rows.tolist(), i, j)
            assert matrix[i, j] == approx(math.nan if expected is None else expected, nan_ok=True)
    assert consensus.matrix([3, 0])[1] == approx(matrix[0], nan_ok=True)
    assert consensus.matrix(slice(5, 7)) == approx(matrix[5:7], nan_ok=True)
    kept = np.where(matrix >= 0.6, matrix, 0)
    assert consensus.sparse(0.6).toarray() == approx(kept)


@pytest.mark.parametrize("n", [2, 15, 90])
@pytest.mark.parametrize("seed", range(5))
def test_merges_are_those_of_average_linkage(seed, n):
    distances = np.random.default_rng(seed).random(n * (n - 1) // 2)  # without ties, which may be broken otherwise
    tree = linkage(distances, "average")
    merges, similarities = merges_of_sums(1 - squareform(distances), np.ones((n, n)))
    assert 1 - similarities == approx(tree[:, 2], rel=1e-9)
    for k in range(1, min(n, 6)):
        assert cv.external.ari(fcluster(tree, k, "maxclust"), cut(merges, k)) == 1
    expected = squareform(cophenet(tree))
    assert 1 - joint_similarities(merges, similarities) == approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_cophenetic_correlation_is_that_of_all_pairs_of_points(seed):
    consensus = cv.consensus(random_labellings(seed, 40, 4), n_references=0)
    kinds = consensus.ensemble.kinds
    joined = joint_similarities(*consensus.ensemble.merges)[np.ix_(kinds, kinds)]
    pairs = np.triu_indices(40, 1)
    expected = np.corrcoef(consensus.matrix()[pairs], joined[pairs])[0, 1]
    assert consensus.cophenetic == approx(expected, rel=1e-9)


def test_points_of_one_kind_count_as_often_as_they_are_there():
    rows = random_labellings(3, 25, 3)
    again = np.repeat(rows, 3, axis=1)
    with_names = np.vstack([again, np.arange(75)])  # the same points, no two of one kind
    few, many = cv.consensus(again, n_references=0), cv.consensus(with_names, n_references=0)
    assert len(few.ensemble.rows) < 25
    assert len(many.ensemble.rows) == 75
    together = few.matrix() * 3 + np.eye(75)
    assert many.matrix() == approx(together / 4)
    assert cv.external.ari(few.labels(3), many.labels(3)) == 1


def test_clusters_of_missing_labels_are_averages_of_what_is_there():
    rows = np.array([[0, 0, -1, 1, 1, -1], [0, -1, 0, 1, -1, 1], [-1, 0, 0, -1, 1, 1]])
    consensus = cv.consensus(rows, n_references=0)
    assert consensus.labels(2).tolist() == [0, 0, 0, 1, 1, 1]
    assert consensus.confidence(2) == approx(np.ones(6))
    assert consensus.consistency == approx(np.ones(6))
    assert consensus.cophenetic == approx(1)


def test_very_many_points_are_clustered_by_k_means(set_limits):
    rows = np.array([np.where(np.random.default_rng(b).random(75) < 0.1, 0, TRUTH) for b in range(9)])
    expected = cv.consensus(rows, n_references=0).labels(3)
    assert cv.external.ari(expected, TRUTH) > 0.9
    set_limits(most_kinds=4)
    consensus = cv.consensus(rows, n_references=0)
    assert cv.external.ari(consensus.labels(3), expected) == 1
    with pytest.raises(cv.InputError, match=r"of 4 at most\. labels\(k, method='kmeans'\) does without\.$"):
        consensus.labels(3, method="average")


# --- values of points --------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_confidence_is_the_mean_share_with_the_own_cluster(missing):
    rows = random_labellings(5, 40, 7, missing)
    consensus = cv.consensus(rows, n_references=0)
    labels = consensus.labels(3)
    for i, value in enumerate(consensus.confidence(3)):
        both = together = 0
        for row in rows:
            mates = [j for j in range(40) if j != i and labels[j] == labels[i] and row[i] >= 0 and row[j] >= 0]
            both += len(mates)
            together += sum(row[j] == row[i] for j in mates)
        assert value == approx(together / both)


def test_a_point_that_is_alone_has_no_confidence():
    consensus = cv.consensus([[0, 0, 1], [0, 0, 2]], n_references=0)
    assert consensus.confidence(2) == approx([1, 1, math.nan], nan_ok=True)


def test_consistency_is_the_mean_element_centric_similarity_of_each_two_labellings():
    rows = random_labellings(6, 40, 4)
    values = [cv.agreement(a, b, "element_centric").per_point("element_centric") for a, b in combinations(rows, 2)]
    assert cv.consensus(rows, n_references=0).consistency == approx(np.mean(values, axis=0), rel=1e-12)


# --- passes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_compiled_counts_are_those_of_numpy(missing, set_thresholds):
    rows, _, counts = co_association.kinds_of_points(random_labellings(2, 50, 5, missing))
    some = np.array([4, 0, 7])
    plain = co_association.tally(rows, counts), *co_association.associate(rows, some)
    set_thresholds(PAIRS=0)
    compiled = co_association.tally(rows, counts), *co_association.associate(rows, some)
    for ours, theirs in zip(compiled, plain, strict=True):
        assert ours.tolist() == theirs.tolist()
    assert plain[0].sum() == 50 * 49 // 2


# --- nulls ---------------------------------------------------------------------------------------------------


def test_data_with_clusters_stand_out_and_data_without_do_not():
    clear = cv.consensus(X=X, k=[2, 3, 4], n_samples=20, random_state=1)
    assert clear.best == 3
    table = clear.table
    assert table["k"].tolist() == [2, 3, 4]
    assert table["delta_area"][1] == approx((table["cdf_area"][1] - table["cdf_area"][0]) / table["cdf_area"][0])
    assert clear.by_k[3].null == "20 sets of data of the null gaussian"
    noise = cv.consensus(X=np.random.default_rng(0).normal(size=(75, 2)), k=[2, 3, 4], n_samples=20, random_state=0)
    assert noise.best is None
    assert (noise.table["p_value"] > 0.05).all()


@pytest.mark.large
def test_data_without_clusters_seldom_seem_to_have_some():
    rejected = 0
    for seed in range(20):
        points = np.random.default_rng(seed).normal(size=(60, 3))
        table = cv.consensus(X=points, k=3, n_samples=15, n_references=19, random_state=seed).table
        rejected += table["p_value"][0] <= 0.05
    assert rejected <= 4


def test_labels_that_agree_beat_shuffled_ones():
    rows = random_labellings(0, 60, 6)
    consensus = cv.consensus(rows, n_references=19, random_state=0)
    records = {record["statistic"]: record for record in consensus.table.records}
    assert (
        records["pac"]["p_value"] == records["dispersion"]["p_value"] == records["consensus_index"]["p_value"] == 0.05
    )
    assert math.isnan(records["cdf_area"]["p_value"])
    assert abs(records["consensus_index"]["null_mean"]) < 0.05
    same = cv.consensus(rows, n_references=19, random_state=0)
    assert same == consensus
    assert "6 labellings of 60 points; beside labels shuffled 19 times" in str(consensus)


def test_the_index_of_few_shuffled_labellings_is_that_of_each_two_of_them():
    """Of eight labellings, 28 pairs vary half as much in the mean as the 7 pairs of successive ones."""
    rows = np.random.default_rng(0).integers(0, 3, (8, 60))
    table = cv.consensus(rows, n_references=60, random_state=0).table
    at = table["statistic"].tolist().index("consensus_index")
    shuffled = np.random.default_rng(1).permuted(rows, axis=1)
    one = [cv.external.adjusted_mutual_info(a, b) for a in shuffled for b in rows]
    assert table["null_std"][at] == approx(np.std(one) / math.sqrt(28), rel=0.25)


def test_shuffles_of_many_points_take_some_of_them(set_limits):
    rows = random_labellings(0, 300, 4)
    whole = cv.consensus(rows, n_references=30, random_state=0).table["null_mean"]
    set_limits(shuffled_points=60)
    few = cv.consensus(rows, n_references=30, random_state=0).table["null_mean"]
    assert few[:3] == approx(whole[:3], abs=0.02)


def test_a_statistic_without_a_value_has_no_p_value():
    """Where no point is in two labellings, their mutual information has no value, whatever shuffles give."""
    apart = cv.consensus([[0, 0, 1, -1, -1, -1], [-1, -1, -1, 0, 0, 1]], n_references=20, random_state=0).table
    at = apart["statistic"].tolist().index("consensus_index")
    assert math.isnan(apart["value"][at])
    assert math.isnan(apart["p_value"][at])
    assert apart["p_value"][0] == 1


def test_draws_without_a_value_are_left_out():
    """Of data whose points are all noise nothing is known: the null is what the other draws give."""
    blobs = np.vstack([np.random.default_rng(1).normal(c, 0.1, (20, 2)) for c in (0, 3)])

    def wide_is_noise(points, _k, rng):
        return np.full(len(points), -1) if np.ptp(points) > 4 else (points[:, 0] > 1.5).astype(int)

    def sometimes_wide(points, rng):
        return points * rng.choice([1, 2])

    def always_wide(points, rng):
        return points * 2

    options = {"X": blobs, "k": 2, "n_samples": 5, "n_references": 12, "random_state": 0, "n_jobs": 1}
    table = cv.consensus(estimator=wide_is_noise, null=sometimes_wide, **options).table
    assert table["null_mean"] == approx(table["value"])
    assert table["p_value"] == approx([1, math.nan, 1, 1], nan_ok=True)
    never = cv.consensus(estimator=wide_is_noise, null=always_wide, **options).table
    assert np.isnan(never["null_mean"]).all()
    assert np.isnan(never["p_value"]).all()


def test_points_that_an_estimator_calls_noise_are_not_in_its_labelling():
    rng = np.random.default_rng(0)
    points = np.vstack([rng.normal(0, 0.1, (20, 2)), rng.normal(9, 0.1, (20, 2)), rng.uniform(20, 60, (10, 2))])

    def far_is_noise(points, _k, rng):
        return np.where(points[:, 0] > 15, -1, points[:, 0] > 5)

    options = {"n_samples": 8, "n_references": 0, "random_state": 0, "n_jobs": 1}
    consensus = cv.consensus(X=points, k=2, estimator=far_is_noise, **options)
    assert (consensus.codes[:, 40:] == -1).all()
    assert np.isnan(consensus.matrix()[40:, :40]).all()
    assert (consensus.pac, consensus.dispersion) == (0, 1)


# --- what is given -------------------------------------------------------------------------------------------


def test_labellings_come_in_several_forms():
    rows = random_labellings(4, 20, 3)
    expected = cv.consensus(rows, n_references=0)
    text = [[None if code < 0 else f"c{code}" for code in row] for row in rows]
    frame = pl.DataFrame(rows.T)
    for same in (list(rows), dict(enumerate(rows)), pd.DataFrame(rows.T), frame, frame.lazy(), text):
        assert cv.consensus(same, n_references=0).table == expected.table


WRONG = {
    "nothing": (cv.consensus, "Give labellings, or else X with k; not both."),
    "both": (lambda: cv.consensus([[0, 1]], X=X), "Give labellings, or else X with k; not both."),
    "no number": (lambda: cv.consensus(X=X), "k is missing: the number of clusters of X, or several."),
    "a number of given labellings": (
        lambda: cv.consensus([TRUTH, TRUTH], k=3),
        "k and estimator cluster X; with labellings there is nothing to cluster.",
    ),
    "one labelling": (lambda: cv.consensus([TRUTH]), "A consensus needs two labellings or more; there are 1."),
    "a word": (
        lambda: cv.consensus("abc"),
        "labellings must be a list or a mapping of labels, an array or a data frame; it is 'abc'.",
    ),
    "a name twice": (
        lambda: cv.consensus(pd.DataFrame({"a": TRUTH, "b": TRUTH}).set_axis(["a", "a"], axis=1)),
        "labellings has 2 columns called 'a'; name each column once.",
    ),
    "other lengths": (
        lambda: cv.consensus({"a": TRUTH, "b": TRUTH[:9]}),
        "Labelling 'b' has 9 entries but 'a' has 75.",
    ),
    "no pair": (
        lambda: cv.consensus([[0, -1], [-1, 0]]),
        "A consensus needs two points that at least one labelling has both of.",
    ),
    "references": (
        lambda: cv.consensus([TRUTH, TRUTH], n_references=-1),
        "n_references must be a whole number from 0; it is -1.",
    ),
    "too many clusters": (
        lambda: cv.consensus([TRUTH, TRUTH], n_references=0).labels(4),
        "k must be at most 3, the number of points that differ in their labels; it is 4.",
    ),
    "a method": (
        lambda: cv.consensus([TRUTH, TRUTH], n_references=0).labels(2, method="ward"),
        "method must be one of 'auto', 'average', 'kmeans'; it is 'ward'.",
    ),
    "a limit": (
        lambda: cv.consensus([TRUTH, TRUTH], n_references=0).sparse(0),
        "least must be above 0 and at most 1; it is 0.",
    ),
    "a null of other points": (
        lambda: cv.consensus(X=X, k=2, n_samples=5, n_references=2, null=lambda X, _rng: X[:50]),
        (
            f"The null <lambda> must give as many points as X has, {len(X)} rows of {X.shape[1]} columns; it gave "
            f"50 rows of {X.shape[1]} columns."
        ),
    ),
    "a null": (
        lambda: cv.consensus(X=X, k=2, null="cauchy"),
        f"null must be one of {', '.join(map(repr, NULLS))}; it is 'cauchy'.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_asked_is_named(what):
    call, message = WRONG[what]
    with pytest.raises(cv.InputError) as error:
        call()
    assert str(error.value) == message


def test_labellings_that_are_all_the_same_are_sure():
    consensus = cv.consensus([TRUTH, TRUTH + 5], n_references=0)
    assert (consensus.pac, consensus.dispersion, consensus.consensus_index) == (0, 1, 1)
    assert consensus.labels(3).tolist() == TRUTH.tolist()
    one = cv.consensus([[0, 0, 0], [0, 0, 0]], n_references=0)
    assert (one.pac, one.cdf_area, one.dispersion) == (0, 0, 1)
    assert one.labels(1).tolist() == [0, 0, 0]
    assert math.isnan(one.cophenetic)


def test_samples_that_are_all_one_cluster_have_no_growth():
    same = cv.consensus(X=X, k=[2, 3], estimator=lambda X, _k, rng: np.zeros(len(X)), n_references=0, n_jobs=1)
    assert same.table["cdf_area"] == approx([0, 0])
    assert same.table["delta_area"] == approx([0, math.nan], nan_ok=True)


def test_a_consensus_is_drawn_in_the_order_of_its_clusters():
    rows = np.array([np.where(np.random.default_rng(b).random(75) < 0.1, 0, TRUTH) for b in range(9)])
    consensus = cv.consensus(rows, n_references=0)
    ax = consensus.plot(3)
    image = np.asarray(ax.images[0].get_array())
    assert image.shape == (75, 75)
    labels = consensus.labels(3)
    first = np.flatnonzero(labels == 0)
    assert np.sort(image[0]) == approx(np.sort(consensus.matrix([first[np.argmax(consensus.confidence(3)[first])]])[0]))
    assert len(ax.lines) == 4


def test_an_ensemble_counts_its_points():
    assert Ensemble(np.zeros((2, 7), dtype=int)).n == 7
