"""Calibration: z-scores and percentages against random clusterings of the same data, and their weighted mean."""

from __future__ import annotations

import math
import statistics

import numpy as np
import polars as pl
import pytest
from pytest import approx
from scipy.spatial.distance import pdist, squareform

import clustval as cv
from clustval.inputs import as_memory
from clustval.passes.kmeans.seeded_growth import WAYS
from clustval.relative import calibration
from clustval.relative.random_clusterings import random_clusterings
from clustval.seeding import generators
from clustval.sources.space import space_of
from clustval.suites import SUITES
from conftest import make_blobs

X, TRUTH = make_blobs((25, 15, 30), ((0, 0), (6, 0), (0, 7)), 0.5, seed=8)
PARTITIONS = {
    "two": TRUTH // 2,
    "truth": TRUTH,
    "cut": np.where(np.arange(70) < 12, 2, np.minimum(TRUTH, 1)),
    "five": np.arange(70) % 5,
}
NAMES = ["asw", "sindex", "davies_bouldin"]


def calibrated(partitions=PARTITIONS, names=NAMES, data=X, **options):
    return cv.calibrate(data, partitions, names, **({"references": 6, "random_state": 3} | options))


# --- random clusterings ----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [2, 5, 69])
def test_random_clusterings_have_as_many_clusters_as_asked_for(k):
    codes = random_clusterings(space_of(X), generators(0))(k, 3)
    assert codes.shape == (4 * 3, 70)
    assert all(set(row) == set(range(k)) for row in codes.tolist())


def test_random_clusterings_do_not_depend_on_threads_or_on_the_other_numbers_of_clusters():
    draw = random_clusterings(space_of(X, n_jobs=2), generators(0))
    draw(2, 5)
    assert np.array_equal(draw(4, 5), random_clusterings(space_of(X, n_jobs=1), generators(0))(4, 5))
    assert not np.array_equal(draw(4, 5), random_clusterings(space_of(X, n_jobs=1), generators(1))(4, 5))


def test_every_random_clustering_has_random_numbers_of_its_own():
    tasks = []

    def generator(*task):
        tasks.append(task)
        return np.random.default_rng(task)

    draw = random_clusterings(space_of(X, n_jobs=1), generator)
    for k in (2, 3):
        draw(k, 5)
    assert len(set(tasks)) == len(tasks) == 2 * 4 * 5


def test_random_clusterings_of_distances_are_those_of_points():
    D = squareform(pdist(X))
    one = random_clusterings(space_of(X), generators(0))(3, 4)
    assert np.array_equal(one, random_clusterings(space_of(D, metric="precomputed"), generators(0))(3, 4))


# --- z-scores and percentages ----------------------------------------------------------------------------


def company(result, column, k=None):
    """Return the values that one statistic has for the clusterings that a partition is compared with."""
    references = result.reference_values[:, column]
    ours = result.values[:, column] if result.pooled else np.empty(0)
    if k is not None:
        references, ours = references[result.reference_k == k], ours[result.k == k] if result.pooled else ours
    return [v for v in [*references, *ours] if math.isfinite(v)]


@pytest.mark.parametrize("scope", ["all", "k"])
@pytest.mark.parametrize("pooled", [True, False])
def test_scores_are_those_of_the_definition(scope, pooled):
    result = calibrated(scope=scope, pooled=pooled)
    signs = [1, 1, -1]  # small values of davies_bouldin are good
    for row, k in enumerate(result.k.tolist()):
        for column, sign in enumerate(signs):
            others = [sign * v for v in company(result, column, k if scope == "k" else None)]
            value = sign * result.values[row, column]
            z = (value - statistics.mean(others)) / statistics.stdev(others)
            assert result.z[row, column] == approx(z, rel=1e-10)
            # A random clustering may be the partition itself, computed in another order.
            worse = sum(value > other and not math.isclose(value, other, rel_tol=1e-11) for other in others)
            share = (worse + 1) / (len(others) + 1)
            assert result.percentages[row, column] == approx(share, rel=1e-12)
    assert result.aggregate == approx(result.z.mean(axis=1))
    assert result.aggregate_percentage == approx(result.percentages.mean(axis=1))
    assert result.best == "truth"
    assert (result.scope, result.pooled) == (scope, pooled)


def test_values_are_those_that_partitions_have_alone():
    result = calibrated(names="hennig")
    assert result.statistics == tuple(SUITES["hennig"]["internal"])
    for name, row in zip(PARTITIONS, result.values, strict=True):
        assert row == approx(list(cv.evaluate(X, PARTITIONS[name], "hennig").values()), rel=1e-12)


def test_references_are_random_clusterings_and_have_their_values():
    result = calibrated({"truth": TRUTH}, references=5)
    assert result.reference_ways.tolist() == [way for way in WAYS for _ in range(5)]
    assert result.reference_k.tolist() == [3] * 20
    draw = random_clusterings(space_of(X), generators(3))(3, 5)
    for labels, row in zip(draw, result.reference_values, strict=True):
        scores = cv.evaluate(X, labels, ["hennig_asw", "hennig_sindex", "davies_bouldin"])
        assert row == approx(list(scores.values()), rel=1e-10, nan_ok=True)


def test_the_same_seed_gives_the_same_result_on_any_number_of_threads():
    one = calibrated(n_jobs=1)
    assert one == calibrated(n_jobs=2)
    assert one != calibrated(random_state=4)


def test_the_references_for_one_number_of_clusters_do_not_depend_on_the_others():
    whole, part = calibrated(), calibrated({"truth": TRUTH})
    assert np.array_equal(whole.reference_values[whole.reference_k == 3], part.reference_values, equal_nan=True)


def test_any_metric_calibrates_as_its_distances_do():
    metric = calibrated(metric="cityblock", names=["asw", "withinss", "mnnd"])
    D = squareform(pdist(X, "cityblock"))
    distances = calibrated(data=D, metric="precomputed", names=["asw", "withinss", "mnnd"])
    assert metric.z == approx(distances.z, rel=1e-8)
    assert metric.k.tolist() == distances.k.tolist()


# --- what comes in ---------------------------------------------------------------------------------------


def test_statistics_are_asked_for_by_suite_by_name_or_with_options():
    wide = calibrated(names={"mnnd": {"neighbours": 4}, "hennig_pearson_gamma": {}, "Kd_Normal": {}})
    assert wide.statistics == ("mnnd", "hennig_pearson_gamma", "hennig_kd_normal")
    assert wide.values[1, 0] == cv.internal.hennig_mnnd(X, TRUTH, neighbours=4)
    narrow = calibrated(names="mnnd")
    assert narrow.statistics == ("mnnd",)
    assert (narrow.reference_values[:, 0] != wide.reference_values[:, 0]).any()  # with the same neighbours for all


def test_weights_are_those_of_a_purpose_or_given_by_name():
    result = calibrated(names="hennig")
    names = list(result.statistics)
    for preset, alias, members in (
        ("homogeneous", "A1", ["avewithin", "pearsongamma"]),
        ("separated", "A2", ["widestgap", "sindex"]),
    ):
        weighted = calibrated(names="hennig", weights=preset)
        assert weighted == calibrated(names="hennig", weights=alias) == result.reweighted(preset)
        columns = [names.index(member) for member in members]
        assert weighted.aggregate == approx(result.z[:, columns].mean(axis=1))
        assert [name for name, weight in weighted.weights.items() if weight] == sorted(members, key=names.index)
    mixed = result.reweighted({"asw": 3, "sindex": 1})
    assert mixed.aggregate == approx((3 * result["asw"] + result["sindex"]) / 4)


def test_noise_is_left_out_of_statistics_and_reported():
    labels = np.where(np.arange(70) % 10 == 0, -1, TRUTH)
    result = calibrated({"noisy": labels, "truth": TRUTH}, names=["asw", "minsep"])
    kept = labels >= 0
    assert result.coverage.tolist() == [0.9, 1.0]
    assert result.values[0, 0] == approx(cv.internal.hennig_asw(X[kept], labels[kept]))
    clean = calibrated({"truth": TRUTH}, names=["asw", "minsep"])
    assert np.array_equal(result.reference_values, clean.reference_values)
    with pytest.raises(cv.InputError, match="noise='error' allows none"):
        calibrated({"noisy": labels}, noise="error")


def test_a_partition_that_has_no_value_does_not_stop_the_others():
    result = calibrated({"one": np.zeros(70), "noise": np.full(70, -1), "each": np.arange(70), "truth": TRUTH})
    assert np.isnan(result.aggregate[:3]).all()
    assert result.best == "truth"
    assert (
        result.reasons["one", "asw"] == "hennig_asw needs from 2 to 69 clusters for these 70 points; the labels form 1."
    )
    assert set(result.reference_k.tolist()) == {3}
    nothing = calibrated({"one": np.zeros(70)})
    assert nothing.best is None
    assert len(nothing.reference_values) == 0


def test_a_statistic_that_is_the_same_for_all_is_left_out_and_named():
    same = cv.calibrate([[0], [1], [3]], [[0, 1, 1]], ["entropy", "asw"], references=3, random_state=0)
    assert same.left_out == ("entropy",)  # of three points into two clusters, all have sizes 1 and 2
    reason = "entropy cannot be calibrated: all clusterings it is compared with have the same value."
    assert same.reasons[0, "entropy"] == reason
    assert np.isnan(same.percentages[0, 0])
    assert same.aggregate == approx(same["asw"])
    assert str(same).endswith("; without entropy, which no partition has")
    equal = cv.calibrate(np.zeros((6, 1)), [[0, 0, 0, 1, 1, 1]], ["entropy", "minsep"], references=2, random_state=0)
    assert equal.left_out == ("minsep",)
    assert equal.reasons[0, "minsep"] == "hennig_minsep has no value for this clustering: all points are equal."


def test_an_infinite_value_and_too_few_clusterings_are_named_as_reasons():
    points = np.repeat([[0.0, 0], [1, 1], [5, 5]], 4, axis=0)
    labels = {"a": np.repeat([0, 1, 2], 4), "b": np.arange(12) % 3}
    infinite = cv.calibrate(points, labels, ["calinski_harabasz"], references=3, random_state=0)
    assert math.isinf(infinite.values[0, 0])
    assert dict(infinite.reasons) == {
        ("a", "calinski_harabasz"): "calinski_harabasz cannot be calibrated: its value is infinite."
    }
    alone = cv.calibrate([[0], [1], [3]], [[0, 0, 0]], ["trace_w"], references=3, random_state=0)
    reason = "it is compared with fewer than two clusterings that have a finite value"
    assert alone.reasons[0, "trace_w"] == f"trace_w cannot be calibrated: {reason}."


def test_of_too_many_points_a_sample_is_taken_and_said(set_limits):
    set_limits(calibrated_points=40)
    result = calibrated(names=["asw"])
    assert (result.n_points, result.n_rows) == (40, 70)
    assert "from a sample of 40 of 70 points" in str(result)
    assert result.values[1, 0] == approx(cv.internal.silhouette(X, TRUTH), abs=0.05)
    assert result == calibrated(names=["asw"])
    assert result.best == "truth"
    labels = np.where(np.arange(70) % 2, TRUTH, -1)
    noisy = calibrated({"noisy": labels, "nothing": np.full(70, -1)}, names=["asw"])
    assert noisy.k.tolist() == [3, 0]
    assert noisy.coverage.tolist() == [0.5, 0.0]
    assert noisy.values[0, 0] == approx(cv.internal.silhouette(X[1::2], TRUTH[1::2]), abs=0.05)
    rare = calibrated({"rare": np.where(np.arange(70) == 69, "z", np.where(TRUTH > 0, "b", "a"))}, names=["asw"])
    assert rare.k.tolist() == [2]  # the single point is not in the sample


def test_the_sample_is_as_large_as_the_memory_allows():
    points, _ = make_blobs((1500,), (0,), 1.0)
    labels = [(points[:, 0] > 0).astype(int)]
    small = cv.calibrate(points, labels, "entropy", references=1, random_state=0, memory="16 MiB")
    assert small.n_points == pytest.approx(math.sqrt(as_memory("16 MiB") / 16), abs=10)
    assert cv.calibrate(points, labels, "entropy", references=1, random_state=0).n_points == 1500


OF_SEVERAL = (
    "hartigan needs partitions into several numbers of clusters; give them to "
    "clustval.sweep(X, partitions, 'hartigan')."
)
WRONG = {
    "no such scope": ({"scope": "some"}, "scope must be one of 'all', 'k'; it is 'some'."),
    "a number for statistics": (
        {"names": 3},
        "statistics must be a name, a list of names, or a suite such as 'default'; it is 3.",
    ),
    "no references": ({"references": 0}, "references must be a whole number from 1; it is 0."),
    "no such preset": (
        {"weights": "A3"},
        "weights must be 'homogeneous', 'separated', or a mapping from statistics to numbers; it is 'A3'.",
    ),
    "a preset of other statistics": (
        {"weights": "A1"},
        "weights='A1' needs the statistics avewithin and pearsongamma; avewithin is not among them.",
    ),
    "a weight of nothing": (
        {"weights": {"dunn": 1}},
        "'dunn' is none of the statistics; asw, sindex, davies_bouldin are.",
    ),
    "a negative weight": ({"weights": {"asw": -1}}, "Weights must be numbers from 0; that of 'asw' is -1."),
    "a weight that is no number": ({"weights": {"asw": "1"}}, "Weights must be numbers from 0; that of 'asw' is '1'."),
    "no weight": ({"weights": {"asw": 0}}, "The weights are all 0; at least one statistic must weigh more."),
    "an index of several partitions": ({"names": ["asw", "hartigan"]}, OF_SEVERAL),
    "a curve that is read by eye": (
        {"names": ["asw", "nbclust:hubert"]},
        "hubert describes partitions and does not judge them, so that it cannot be calibrated.",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_makes_no_sense_is_refused(case):
    options, message = WRONG[case]
    with pytest.raises(cv.InputError) as error:
        calibrated(**options)
    assert str(error.value) == message


# --- what comes out --------------------------------------------------------------------------------------


def test_tables_have_a_row_for_each_partition():
    result = calibrated()
    frame = result.to_pandas()
    assert frame.index.tolist() == list(PARTITIONS)
    assert frame.columns.tolist() == ["k", "aggregate", *NAMES]
    assert frame["aggregate"].to_numpy() == approx(result.aggregate)
    assert frame[NAMES].to_numpy().tolist() == result.z.tolist()
    assert result.to_pandas("values")[NAMES].to_numpy().tolist() == result.values.tolist()
    shares = result.to_polars("percentages")
    assert shares.columns == ["partition", "k", "aggregate", *NAMES]
    assert shares["aggregate"].to_list() == approx(result.aggregate_percentage.tolist())
    assert calibrated(list(PARTITIONS.values())).to_polars()["partition"].to_list() == ["0", "1", "2", "3"]
    with pytest.raises(cv.InputError, match="what must be one of 'z', 'percentages', 'values'; it is 'ranks'"):
        result.to_pandas("ranks")
    assert len(result) == 4
    assert calibrated(pl.DataFrame(PARTITIONS)).z.tolist() == result.z.tolist()


def test_the_text_shows_scores_weights_and_what_they_are_compared_with():
    result = calibrated(weights={"asw": 1, "sindex": 0.5})
    lines = str(result).splitlines()
    assert lines[0].split() == ["statistic", "weight", *PARTITIONS]
    assert lines[2].split()[:2] == ["sindex", "0.5"]
    shown = [f"{v:.2f}" + "*" * (name == "truth") for name, v in zip(PARTITIONS, result.aggregate, strict=True)]
    assert lines[4].split() == ["aggregate", *shown]
    compared = "random clusterings into all numbers of clusters and the other partitions, 24 for each number"
    assert lines[5] == f"z-scores against {compared}"
    alone = calibrated(pooled=False, scope="k")
    assert "into the same number of clusters, 24 for each number" in str(alone)
    assert repr(result) == str(result)
    html = result._repr_html_()
    assert html.startswith("<style>")
    assert "<td>sindex</td>" in html


def test_of_many_partitions_the_best_are_shown():
    many = {f"p{at}": np.random.default_rng(at).integers(0, 3, 70) for at in range(15)} | {"truth": TRUTH}
    lines = str(calibrated(many)).splitlines()
    assert lines[0].split() == ["partition", "k", "aggregate"]
    assert lines[1].split()[:2] == ["truth", "3"]
    assert len(lines) == 1 + calibration.SHOWN + 1
