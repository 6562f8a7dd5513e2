"""Estimates from samples: their intervals hold the exact value as often as they say, from any cut into blocks."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from pytest import approx

import clustval as cv
from clustval.catalogue import select
from clustval.errors import InputError
from clustval.estimates import population
from clustval.estimates.estimate import Estimation, Replicated
from clustval.estimates.jackknife import GROUPS, Replicates
from clustval.estimates.pair_draws import DrawnPairs
from clustval.estimates.population import effective_share
from clustval.estimates.sampled_silhouettes import StratifiedSample, allocation
from clustval.passes.points.sample_sums import sums_by_cluster
from clustval.seeding import generators
from clustval.sources.partition import partition
from clustval.sources.space import Space

POINTS = ["silhouette", "silhouette_by_cluster", "alternative_silhouette"]
PAIRS = ["gamma", "tau", "g_plus", "aucc", "point_biserial", "mcclain_rao", "c_index", "modularity", "hubert"]


def blobs(sizes, p, apart, seed, *, heavy=False):
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    noise = rng.standard_t(2, (len(codes), p)) if heavy else rng.standard_normal((len(codes), p))
    return noise + rng.normal(0, apart, (len(sizes), p))[codes], codes


X, CODES = blobs([900, 600, 300, 120, 40, 1], 3, 2.0, 1)
EXACT = cv.evaluate(X, CODES, POINTS + PAIRS)


@pytest.fixture(autouse=True)
def _small(set_limits):
    """Let few points be many, and few pairs enough."""
    set_limits(exact_points=100, least_pairs=5000, pilot_points=300)


def test_intervals_hold_the_exact_value_about_as_often_as_they_say():
    names, runs = POINTS + PAIRS, 60
    held = dict.fromkeys(names, 0)
    for seed in range(runs):
        scores = cv.evaluate(X, CODES, names, approximate=0.5, random_state=seed)
        for name in names:
            held[name] += abs(scores[name] - EXACT[name]) <= scores.error(name)
    assert min(held.values()) >= 0.85 * runs, held  # four standard deviations below 95 %


TINY = ([2000, 8, 8, 5, 1], 3, 3.0, 4)


def test_intervals_hold_the_exact_value_where_clusters_are_tiny():
    points, codes = blobs(*TINY)
    names, runs = ["normalized_cut", "modularity"], 40
    exact = cv.evaluate(points, codes, names)
    held = dict.fromkeys(names, 0)
    for seed in range(runs):
        scores = cv.evaluate(points, codes, names, approximate=5.0, random_state=seed)
        for name in names:
            held[name] += abs(scores[name] - exact[name]) <= scores.error(name)
    assert min(held.values()) >= 0.82 * runs, held


def test_pairs_of_tiny_clusters_are_all_there_and_others_right_on_average():
    from clustval.stats.pairs.pair_distances import PairSums

    source = partition(*blobs(*TINY))
    whole = source[PairSums].sums
    draws = [DrawnPairs.of(source, source.space, 3000, np.random.default_rng(seed)).sums().sums for seed in range(60)]
    for table in draws:
        assert table.shape == (GROUPS + 1, 5, 5)
        for c in range(1, 5):
            assert table[:, c, c] == approx(np.full(GROUPS + 1, whole[c, c]), rel=1e-12)
    first = np.array([table[0] for table in draws])
    outside = first.sum(-1) - first.diagonal(axis1=1, axis2=2)
    error = outside.std(axis=0, ddof=1) / math.sqrt(len(draws))
    assert (np.abs(outside.mean(axis=0) - (whole.sum(-1) - whole.diagonal())) <= 4 * error).all()
    within_a_draw = np.array([t[1:].sum(-1) - t[1:].diagonal(axis1=1, axis2=2) for t in draws])
    scatter = ((within_a_draw - within_a_draw.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    errors = np.sqrt((GROUPS - 1) / GROUPS * scatter).mean(axis=0)
    assert errors == approx(outside.std(axis=0, ddof=1), rel=0.4)  # groups tell how far off a sum may be


def test_many_clusters_have_sums_within_and_between_and_a_reason_for_the_others(monkeypatch):
    monkeypatch.setattr("clustval.estimates.pair_draws.FEW_CLUSTERS", 5)
    scores = cv.evaluate(X, CODES, ["mcclain_rao", "modularity", "hubert"], approximate=0.5)
    assert abs(scores["mcclain_rao"] - EXACT["mcclain_rao"]) <= 2 * scores.error("mcclain_rao")
    for name in ("modularity", "hubert"):
        assert math.isnan(scores[name])
        assert scores.reasons[name] == (
            "The sums of distances of 6 clusters are not estimated; those of up to 5 clusters are. "
            "Leave approximate= out."
        )


def test_there_is_no_interval_where_a_value_depends_on_clusters_of_one_or_two_points():
    points, codes = blobs([60, 60, 2, 1], 3, 4.0, 0)
    alone = cv.evaluate(points, codes, ["silhouette", "trace_w"], confidence=0.95)
    assert math.isnan(alone.error("silhouette"))
    assert alone.intervals["silhouette"].how == "no interval: the value depends on clusters of fewer than 3 points"
    assert alone.shown("silhouette") == f"{alone['silhouette']:.6g}"
    assert alone.error("trace_w") > 0  # to which two points add little


def test_intervals_become_as_narrow_as_wanted():
    for name, width in (("silhouette", 0.02), ("gamma", 0.004)):
        wide = cv.evaluate(X, CODES, name, approximate=1.0)
        narrow = cv.evaluate(X, CODES, name, approximate=width)
        assert narrow.error(name) <= 1.2 * width < wide.error(name)
        assert narrow[name] == approx(EXACT[name], abs=3 * width)
        assert narrow.intervals[name].low <= narrow[name] <= narrow.intervals[name].high


def test_a_sample_of_all_points_is_exact():
    scores = cv.evaluate(X, CODES, POINTS, approximate=1e-6)
    for name in POINTS:
        assert scores[name] == approx(EXACT[name], rel=1e-12)
        assert scores.error(name) == 0


def test_sums_of_independent_pairs_are_those_of_all_pairs_on_average():
    source = partition(X, CODES)
    draws = [DrawnPairs.of(source, source.space, 4000, np.random.default_rng(seed)).sums() for seed in range(40)]
    from clustval.stats.pairs.pair_distances import PairSums

    whole = source[PairSums]
    mean, spread = np.mean([s.sums[0] for s in draws], axis=0), np.std([s.sums[0] for s in draws], axis=0)
    assert (np.abs(mean - whole.sums) <= 5 * spread / math.sqrt(40) + 1e-9).all()
    assert np.allclose(mean, mean.T)
    assert np.mean([s.within[0] for s in draws]) == approx(whole.within, rel=0.01)
    assert np.mean([s.variance[0] for s in draws]) == approx(whole.variance, rel=0.02)


def test_replicates_are_the_sample_without_each_group():
    source = partition(X, CODES)
    drawn = DrawnPairs.of(source, source.space, 1000, np.random.default_rng(0))
    sums, ranks, ends = drawn.sums(), drawn.concordance(), drawn.extreme_sums()
    from dataclasses import replace

    for group in range(GROUPS):
        keep = [g != group for g in drawn.groups]
        both, few = np.concatenate(keep), drawn.rare.groups != group
        rare = replace(
            drawn.rare,
            pairs=tuple(part[few] for part in drawn.rare.pairs),
            groups=drawn.rare.groups[few],
            count=int(few[: drawn.rare.count].sum()),
        )
        rest = replace(
            drawn,
            within=drawn.within[keep[0]],
            between=drawn.between[keep[1]],
            first=drawn.first[both],
            second=drawn.second[both],
            groups=tuple(g[k] for g, k in zip(drawn.groups, keep, strict=True)),
            rare=rare,
            of_rare=drawn.of_rare[few],
        )
        assert rest.sums().sums[0] == approx(sums.sums[group + 1])
        assert rest.concordance().minus[0] == approx(ranks.minus[group + 1])
        assert rest.extreme_sums().largest[0] == approx(ends.largest[group + 1])


@pytest.mark.parametrize("rows", [61, 500, 5000])
def test_the_same_sample_comes_from_any_blocks(tmp_path, set_limits, rows):
    set_limits(rows_per_piece=rows, rows_per_block=max(1, rows // 3))
    order = np.random.default_rng(3).permutation(len(X))
    np.save(tmp_path / "X.npy", X[order])
    names = ["silhouette", "gamma", "c_index", "mcclain_rao"]
    whole = cv.evaluate(X[order], CODES[order], names, approximate=0.05, random_state=7)
    for jobs in (1, 3):
        scores = cv.evaluate(
            str(tmp_path / "X.npy"), CODES[order], names, approximate=0.05, random_state=7, n_jobs=jobs
        )
        assert scores.to_dict() == whole.to_dict()
        assert scores.intervals == whole.intervals


def test_small_clusters_are_drawn_whole_and_large_ones_have_a_floor():
    counts = allocation(np.array([10**9, 5000, 61, 60, 7, 1]), 1000)
    assert counts.tolist() == [1000, 30, 30, 60, 7, 1]


def test_no_row_is_drawn_twice_and_groups_leave_no_cluster_empty():
    sample = StratifiedSample.of(partition(X, CODES), 200, np.random.default_rng(0))
    assert len(np.unique(sample.points, axis=0)) == len(sample.points)
    for group in range(GROUPS):
        assert set(sample.codes[sample.groups != group]) == set(range(6))


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_sums_to_the_clusters_of_a_sample_are_those_of_all_distances(metric):
    from scipy.spatial.distance import cdist

    A, B, starts = X[:300], X[300:700], np.array([0, 100, 100, 250, 400])
    sums = sums_by_cluster(A, B, starts, Space(X, None, metric), 2)
    distances = cdist(A, B, metric)
    for c in range(4):
        assert sums[:, c] == approx(distances[:, starts[c] : starts[c + 1]].sum(axis=1))


def test_exact_values_have_no_error_and_extremes_no_estimate(set_limits):
    scores = cv.evaluate(X, CODES, ["ch", "dunn", "silhouette"], approximate=0.1)
    assert scores.error("ch") == scores.error("dunn") == 0.0
    assert scores.intervals["calinski_harabasz"].how == "exact"
    assert "points" in scores.intervals["silhouette"].how
    set_limits(exact_pairs=1000)
    scores = cv.evaluate(X, CODES, ["dunn", "gdi21", "dbcv"], approximate=0.1)
    assert scores.error("dunn") == 0.0  # which trees find
    assert scores.reasons["gdi21"].endswith("it is made of the smallest or largest distances, which no sample gives.")
    assert scores.reasons["dbcv"].endswith("and there is no estimator of it.")
    assert math.isnan(scores.error("gdi21"))


def test_weighted_points_are_not_estimated():
    scores = cv.evaluate(X, CODES, ["silhouette", "ch"], approximate=0.1, sample_weight=np.arange(len(X)) % 3)
    assert scores.reasons["silhouette"].startswith("silhouette is not estimated where points are weighted")
    assert scores["ch"] > 0


def test_results_show_their_errors():
    scores = cv.evaluate(X, CODES, ["ch", "silhouette"], approximate=0.1)
    line = str(scores).splitlines()[2]
    value, error = line.split("±")[0].split()[-1], line.split("±")[1].split()[0]
    assert float(value) == approx(scores["silhouette"], abs=10 ** -len(value.partition(".")[2]))
    assert float(error) == approx(scores.error("silhouette"), rel=0.05)
    frame = scores.to_pandas()
    assert frame.loc["silhouette", "error"] == scores.error("silhouette")
    assert frame.loc["ch" if "ch" in frame.index else "calinski_harabasz", "how"] == "exact"
    assert isinstance(scores.to_polars(), pl.DataFrame)
    assert cv.Scores.from_json(scores.to_json()) == scores
    assert cv.Scores.from_json(scores.to_json()).error("silhouette") == scores.error("silhouette")
    assert "±" in scores._repr_html_()


def test_points_may_be_a_sample_themselves():
    smooth = ["silhouette", "calinski_harabasz", "gamma", "gdi33", "gdi42", "hennig_withinss"]
    some = CODES < 5  # without the single point, which tells nothing of another sample
    scores = cv.evaluate(X[some], CODES[some], [*smooth, "dunn", "gdi31", "gdi41"], confidence=0.9)
    assert scores["silhouette"] == cv.evaluate(X[some], CODES[some], "silhouette")["silhouette"]
    assert [name for name in scores if not math.isnan(scores.error(name))] == smooth
    for name in ("dunn", "gdi31", "gdi41"):
        assert scores.intervals[name].how == "no interval: single points decide it, which another sample may not have"
    for name in smooth:
        assert scores.intervals[name].low < scores[name] < scores.intervals[name].high
    assert math.isnan(scores.error("dunn"))
    wider = cv.evaluate(X[some], CODES[some], "silhouette", confidence=0.99)
    assert wider.error("silhouette") > scores.error("silhouette")


def test_a_value_that_is_cut_off_at_its_bound_is_as_sure_as_before_the_cut():
    """Silhouettes of random labels are about 0, and where they are below, the index of Hennig is 0 with an error."""
    rng = np.random.default_rng(0)
    points, codes = rng.normal(size=(6000, 2)), rng.integers(0, 3, 6000)
    names = ["silhouette", "hennig_asw"]
    for options in ({"approximate": 0.05}, {"confidence": 0.95}):
        rows = slice(None) if "approximate" in options else slice(300)
        scores = cv.evaluate(points[rows], codes[rows], names, random_state=0, **options)
        plain, cut = (scores.intervals[name] for name in names)
        assert scores["silhouette"] < 0 == scores["hennig_asw"] == cut.low
        assert cut.error == approx(plain.error)
        assert cut.high == approx(max(plain.high, 0))


def test_a_sum_of_parts_that_are_cut_off_has_no_interval_where_all_are():
    """Each cluster counts from 0, in `wemmert_gancarski`: random labels have 0, where nothing varies."""
    rng = np.random.default_rng(0)
    points, codes = rng.normal(size=(300, 2)), rng.integers(0, 3, 300)
    scores = cv.evaluate(points, codes, "wemmert_gancarski", confidence=0.95)
    assert scores["wemmert_gancarski"] == 0
    how = scores.intervals["wemmert_gancarski"].how
    assert how.startswith("no interval: without a twentieth of the points it is cut off at the end of its scale")


@pytest.mark.parametrize("weighted", [False, True])
def test_heavy_tails_leave_intervals_to_indices_of_ranks_and_sizes(weighted):
    rng = np.random.default_rng(2)
    codes = np.repeat([0, 1, 2], 60)
    tame = rng.normal(size=(180, 2)) + 5 * codes[:, None]
    heavy = rng.standard_t(1.5, (180, 2)) + 5 * codes[:, None]
    options = {"confidence": 0.95, "sample_weight": np.ones(180) if weighted else None}
    names = ["silhouette", "calinski_harabasz", "trace_w", "gamma", "hennig_entropy"]
    assert all(cv.evaluate(tame, codes, names, **options).error(name) > 0 for name in names)
    scores = cv.evaluate(heavy, codes, names, **options)
    distances = np.linalg.norm(heavy[:, None] - heavy, axis=2)
    alone = cv.evaluate(distances, codes, ["silhouette", "gamma"], metric="precomputed", **options)
    for made, name in ((scores, "silhouette"), (scores, "trace_w"), (alone, "silhouette")):
        assert math.isnan(made.error(name))
        assert made.intervals[name].how == (
            "no interval: a few points far from the middle of their cluster decide it, and another sample has others"
        )
    assert min(scores.error("gamma"), scores.error("hennig_entropy"), alone.error("gamma")) > 0


def test_the_share_of_points_that_count_is_that_of_squared_distances_from_the_mean():
    """Eight squares are 1 and two are 4: 16 squared over 40 is 6.4 of 10 points. Then the two weigh 3 each."""
    X, weights = np.array([[1.0], [-1.0]] * 4 + [[2.0], [-2.0]]), np.array([1] * 8 + [3, 3])
    one, distances = np.zeros(10, dtype=int), np.abs(X - X.T)
    for sample_weight, share in ((None, 0.64), (weights, 32**2 / 104 / 14)):
        assert effective_share(partition(X, one, sample_weight=sample_weight)) == approx(share)
        alone = partition(distances, one, metric="precomputed", sample_weight=sample_weight)
        assert effective_share(alone) == approx(share)


def test_intervals_of_a_population_hold_its_value():
    rng = np.random.default_rng(0)
    whole, codes = blobs([20000, 10000, 10000], 2, 2.0, 4)
    value, held, runs = cv.internal.calinski_harabasz(whole, codes) / len(codes), 0, 60
    for _ in range(runs):
        rows = rng.choice(len(codes), 400, replace=False)
        scores = cv.evaluate(whole[rows], codes[rows], ["ch"], confidence=0.95)
        held += abs(scores["ch"] / 400 - value) <= scores.error("ch") / 400
    assert held >= 0.85 * runs


def test_a_bias_that_falls_with_the_size_of_the_sample_is_corrected():
    sizes = 200
    value, without = 1 + 5 / sizes, np.full(GROUPS, 1 + 5 / (sizes * (1 - 1 / GROUPS)))
    assert Replicates(value, without, biased=True).corrected == approx(1, abs=1e-12)
    assert Replicates(value, without, share=1.0, biased=True).corrected == value


def test_bad_widths_and_confidences_are_refused():
    for width in (0, -1, math.nan, "0.1", True):
        with pytest.raises(InputError, match="approximate must be the half-width of an interval"):
            cv.evaluate(X, CODES, approximate=width)
    for confidence in (0, 1, 95, math.nan, "0.9"):
        with pytest.raises(InputError, match="confidence must lie between 0 and 1"):
            cv.evaluate(X, CODES, approximate=0.1, confidence=confidence)
    with pytest.raises(InputError, match="approximate= needs coordinates"):
        cv.evaluate(np.zeros((3, 3)), [0, 0, 1], metric="precomputed", approximate=0.1)


def test_too_many_clusters_for_a_sample_are_said_to_be(set_limits):
    set_limits(most_sampled=100)
    scores = cv.evaluate(X, CODES, "silhouette", approximate=0.1)
    assert scores.reasons["silhouette"].startswith("A sample of 6 clusters, 30 points of each, is more than 100 points")


def test_one_seed_gives_one_sample():
    assert cv.evaluate(X, CODES, POINTS, approximate=0.1) == cv.evaluate(X, CODES, POINTS, approximate=0.1)
    other = cv.evaluate(X, CODES, POINTS, approximate=0.1, random_state=1)
    assert other != cv.evaluate(X, CODES, POINTS, approximate=0.1)
    assert Estimation(partition(X, CODES), 0.1, 0.95, 0).jobs >= 1


def test_an_interval_of_ratios_is_that_of_the_logarithm():
    value, without = 2.0, np.exp(np.random.default_rng(0).normal(0, 0.02, 20)) * 2
    one = Replicates(value, without, wider=1.5).interval_within(0.9, (0, math.inf), "how")
    logs = Replicates(math.log(value), np.log(without), wider=1.5).interval(0.9, (-math.inf, math.inf), "how")
    assert (math.log(one.low), math.log(one.high)) == approx((logs.low, logs.high))
    assert one.error == approx((one.high - one.low) / 2)


@pytest.mark.parametrize(("value", "bounds"), [(0.0, (0, math.inf)), (2.0, (0, 1000)), (2.0, (-math.inf, math.inf))])
def test_values_that_may_be_0_or_have_an_end_keep_the_interval_of_differences(value, bounds):
    samples = Replicates(value, np.linspace(value, value + 1, 20))
    assert samples.interval_within(0.9, bounds, "how") == samples.interval(0.9, bounds, "how")


def test_intervals_of_skewed_values_hold_the_typical_one():
    """Of 60 rings beside each other W / B is skewed: intervals of differences held the median in 54 of 60 samples."""
    found = []
    for seed in range(60):
        rng = np.random.default_rng([seed, 3])
        codes = rng.choice(3, 400, p=[0.24, 0.32, 0.44])
        radius, angle = np.array([1.0, 2.0, 4.0])[codes], rng.random(400) * 2 * np.pi
        X = np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]) + 0.1 * rng.normal(size=(400, 2))
        scores = cv.evaluate(X, codes, ["wb"], confidence=0.95, random_state=seed, n_jobs=1)
        found.append([scores["wb"], *(getattr(scores.intervals["wb"], end) for end in ("low", "high"))])
    value, low, high = np.array(found).T
    assert np.mean((low <= np.median(value)) & (np.median(value) <= high)) >= 0.92


@pytest.mark.parametrize(("metric", "scale"), [("minkowski(3)", 1e-6), ("euclidean", 2.0**-80), ("euclidean", 2.0**80)])
def test_an_index_without_a_degree_is_estimated_from_points_as_they_were(metric, scale):
    """Points are divided by a power of two, but epsilon is added to distances as they were."""
    some, codes, options = X[::8] * scale, CODES[::8], {"metric": metric, "indices": "alternative_silhouette"}
    exact = cv.evaluate(some, codes, **options)["alternative_silhouette"]
    scores = cv.evaluate(some, codes, approximate=0.01, **options)  # from a pilot of all points
    assert scores["alternative_silhouette"] == approx(exact, rel=1e-9)


def test_pairs_of_rescaled_points_have_distances_as_they_were():
    from clustval.stats.pairs.pair_distances import PairSums

    values = []
    for scale in (2.0**80, 1.0):
        source = partition(X * scale, CODES)
        replicated = Replicated(source, DrawnPairs.of(source, source.space, 1000, np.random.default_rng(0)))
        sums = replicated.as_given[PairSums]
        values.append(np.concatenate([sums.sums.ravel(), sums.within, sums.between]) / scale)
    assert replicated.as_given is replicated
    assert values[0] == approx(values[1], rel=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("metric", "scale"), [("euclidean", 2.0**-70), ("euclidean", 2.0**70), ("minkowski(3)", 2.0)])
def test_intervals_of_exact_values_are_those_of_points_as_they_were(metric, scale, weighted):
    """Scores of k-means and of mixtures depend on the unit: those without a group must be in the same one."""
    rng = np.random.default_rng(0)
    points, codes, weights = rng.normal(size=(100, 2)) * scale, rng.integers(-1, 3, 100), rng.integers(0, 4, 100)
    options = {"metric": metric, "sample_weight": weights if weighted else None}
    names = ["xu", "kmeans_bic", "gmm_bic", "scott_symons", "banfeld_raftery", "alternative_silhouette"]
    scores = cv.evaluate(points, codes, names, confidence=0.9, **options)
    source = partition(points, codes, **options)
    rows, groups = np.sort(source.kept), population._groups(source, generators(0)(2))
    for choice in select(names, "internal"):
        without = []
        for group in range(GROUPS):
            left = rows[groups != group]
            some = {"metric": metric, "sample_weight": weights[left] if weighted else None}
            without.append(cv.evaluate(points[left], codes[left], choice.name, **some)[choice.name])
        one, expected = scores.intervals[choice.name], Replicates(scores[choice.name], np.array(without), wider=1.15)
        expected = expected.interval_within(0.9, choice.index.bounds, one.how)
        assert (one.low, one.high) == approx((expected.low, expected.high), rel=1e-9), choice.name


def test_a_metric_that_some_points_leave_without_a_value_has_no_interval():
    """Without its group the second column is constant, and cannot be divided by its spread."""
    points = np.random.default_rng(0).normal(size=(100, 2))
    points[:, 1] = 0
    points[50, 1] = 5
    for metric in ("seuclidean", "mahalanobis"):
        codes = np.arange(100) % 3
        scores = cv.evaluate(points, codes, ["silhouette", "trace_w"], metric=metric, confidence=0.9)
        assert scores["silhouette"] == cv.internal.silhouette(points, codes, metric=metric)
        assert scores.intervals["silhouette"].how.startswith("no interval: without a twentieth of the points it may")


def test_there_are_no_intervals_where_no_index_has_a_value():
    scores = cv.evaluate(X[:40], np.full(40, -1), ["silhouette", "dunn"], confidence=0.9)
    assert scores.intervals == {}
    assert set(scores.reasons) == {"silhouette", "dunn"}


def _apart_from_itself(x, y):
    return 1.0 + np.abs(x - y).sum()


@pytest.mark.parametrize("metric", ["russellrao", _apart_from_itself])
def test_a_point_of_a_sample_is_at_no_distance_from_itself(metric, set_limits):
    set_limits(exact_points=10)  # of so few points nothing is compiled
    rng = np.random.default_rng(0)
    sets, codes = (rng.random((60, 6)) > 0.5) * 1.0, np.arange(60) % 6
    exact = cv.evaluate(sets, codes, POINTS, metric=metric)
    scores = cv.evaluate(sets, codes, POINTS, metric=metric, approximate=0.01)
    for name in POINTS:
        assert scores[name] == approx(exact[name])
        assert scores.error(name) == 0  # clusters of 10 are drawn whole


def test_equal_points_have_no_silhouette_in_a_sample_either():
    names = ["silhouette", "silhouette_by_cluster", "hennig_asw", "alternative_silhouette"]
    codes = np.arange(600) % 3
    scores = cv.evaluate(np.ones((600, 2)), codes, names, approximate=0.01)
    exact = cv.evaluate(np.ones((600, 2)), codes, names)
    assert {name: scores.reasons.get(name) for name in names} == {name: exact.reasons.get(name) for name in names}
    assert scores["alternative_silhouette"] == exact["alternative_silhouette"] == 0
    alone = cv.evaluate(np.ones((101, 2)), np.arange(101), names, approximate=0.01)
    assert alone.to_dict() == cv.evaluate(np.ones((101, 2)), np.arange(101), names).to_dict()


def test_one_cluster_has_no_pairs_between_clusters_to_draw():
    names = ["modularity", "normalized_cut", "hubert"]
    one = np.zeros(len(X), dtype=int)
    exact, scores = (cv.evaluate(X, one, names, **options) for options in ({}, {"approximate": 0.01}))
    for name in names:
        assert scores[name] == approx(exact[name], abs=1e-12)
        assert scores.error(name) == approx(0, abs=1e-12)
        assert scores.intervals[name].how.endswith("5,000 pairs within clusters")
