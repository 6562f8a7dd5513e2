"""Hennig's statistics and random clusterings: reference values, definitions in loops, all ways to the same numbers."""

from __future__ import annotations

import math

import naive_hennig as naive
import numpy as np
import pytest
from brute_force import SETS, data, edges, values
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.spatial.distance import cdist, pdist, squareform
from way_calls import note_calls

import clustval as cv
from clustval.catalogue import select
from clustval.inputs import Labels
from clustval.passes.density import growth
from clustval.passes.kmeans import seeded_growth
from clustval.passes.metrics import quantiles
from clustval.passes.metrics.measure_between import euclidean_between
from clustval.passes.metrics.measure_rows import euclidean_rows
from clustval.passes.neighbours import by_cluster, near_densities
from clustval.passes.sweeps.partitions import Block, Distances
from clustval.relative.scoring import table_of
from clustval.sources.partition import partition
from clustval.sources.space import Space, space_of
from clustval.stats.neighbours.near_densities import NearDensity
from clustval.stats.neighbours.nearest import Neighbours
from clustval.stats.pairs.distance_span import LargestDistance
from clustval.suites import SUITES
from conftest import examples, golden_set

NAMES = [entry.index for entry in SUITES["hennig"]["internal"].values()]
RNG = np.random.default_rng(6)
POINTS = {
    "apart": RNG.normal(size=(150, 3)),
    "a lattice, full of ties": RNG.integers(0, 5, (150, 2)).astype(float),
    "two far clusters": np.vstack([RNG.normal(size=(80, 2)), RNG.normal(size=(70, 2)) + 1e5]),
    "some duplicates": np.vstack([RNG.normal(size=(60, 2)), np.repeat(RNG.normal(size=(15, 2)), 4, axis=0)]),
    "one dimension": RNG.normal(size=(100, 1)),
    "few": RNG.normal(size=(20, 2)),
}
every_set = pytest.mark.parametrize("name", POINTS)


def codes_of(n, k, seed=0):
    """Give random codes in which no cluster is empty, and one has one point."""
    codes = np.random.default_rng(seed).integers(0, k - 1, n)
    codes[: k - 1], codes[-1] = np.arange(k - 1), k - 1
    return codes


def sorted_by_cluster(X, codes):
    return X[np.argsort(codes, kind="stable")], np.concatenate([[0], np.cumsum(np.bincount(codes))])


# --- reference values ------------------------------------------------------------------------------------


def crisp(name):
    d = data(name)
    return d["kmeans"][3] if (d["truth"] == -1).any() else d["truth"]


@pytest.mark.parametrize("name", SETS)
def test_reference_values_are_met(name):
    X, reference = data(name)["X"], values(name, "H")
    for key, labels, neighbours in (
        ("hennig_oriented_crisp", crisp(name), 2),
        ("hennig_oriented_kmeans3_nnk4", data(name)["kmeans"][3], 4),
    ):
        for statistic, expected in reference[key].items():
            options = {"neighbours": neighbours} if statistic in ("mnnd", "cvnnd") else {}
            function = getattr(cv.internal, f"hennig_{statistic}")
            assert function(X, labels, **options) == approx(expected, rel=1e-9), (key, statistic)
    assert cv.internal.hennig_kd_normal(X, data(name)["kmeans"][3]) == approx(1 - reference["kd_normal"], rel=1e-9)


@pytest.mark.parametrize("name", SETS)
def test_definitions_in_loops_give_the_reference_values_before_they_are_turned(name):
    D, reference = naive.matrix_of(data(name)["X"].tolist()), values(name, "H")["hennig_raw_crisp"]
    assert naive.statistics(D, crisp(name).tolist()) == approx(reference, rel=1e-9, abs=1e-15)


OF_FPC = {  # what `cluster.stats` gives before it is turned: from the value, the largest distance and the clusters
    "avewithin": ("average.within", lambda value, span, _: 1 - value / span),
    "maxdiameter": ("max.diameter", lambda value, span, _: 1 - value / span),
    "widestgap": ("widestgap", lambda value, span, _: 1 - value / span),
    "minsep": ("min.separation", lambda value, span, _: value / span),
    "asw": ("avg.silwidth", lambda value, *_: max(value, 0)),
    "pearson_gamma": ("pearsongamma", lambda value, *_: (value + 1) / 2),
    "entropy": ("entropy", lambda value, _, k: value / math.log(k)),
}


@pytest.mark.parametrize("name", ["a_iris4", "b_iris_pc2", "d_blobs400", "e_overlap600", "g_int200"])
def test_fpc_gives_the_same_statistics_before_they_are_turned(name):
    X, labels, record = golden_set(name)
    theirs, span = record["fpc_cluster"]["cluster_stats_scalars"], pdist(X).max()
    scores = cv.evaluate(X, labels, [f"hennig_{statistic}" for statistic in OF_FPC])
    for statistic, (key, turned) in OF_FPC.items():
        expected = turned(theirs[key], span, theirs["cluster.number"])
        assert scores[f"hennig_{statistic}"] == approx(expected, rel=1e-9), statistic


REFERENCE_WAYS = {"centroids": "random_k_centroids"} | {way: f"random_{way}" for way in seeded_growth.GROWTHS}


@pytest.mark.parametrize("way", REFERENCE_WAYS)
@pytest.mark.parametrize("name", SETS)
def test_random_clusterings_from_given_points_are_those_of_reference(name, way):
    X, reference = data(name)["X"], values(name, "H")
    seeds, expected = np.array(reference["random_seeds"]), reference[REFERENCE_WAYS[way]]
    assert seeded_growth.seeder(euclidean_rows(X), len(X), n_jobs=1)(seeds, way).tolist() == expected
    assert seeded_growth.seeded_numpy(cdist(X, X), seeds, way).tolist() == expected


@pytest.mark.parametrize("case", edges())
def test_degenerate_input_has_a_value_or_a_reason(case):
    record = edges()[case]
    scores = cv.evaluate(record["X"], record["labels"], NAMES)
    if case in ("one_cluster", "all_noise", "all_singletons"):
        assert set(scores.reasons) == set(NAMES)
        return
    D = naive.matrix_of(record["X"])
    expected = naive.oriented(D, record["labels"])
    for name, value in scores.items():
        assert value == approx(expected[name.removeprefix("hennig_")], rel=1e-9, nan_ok=True), name
        assert math.isnan(value) == (name in scores.reasons)


# --- definitions -----------------------------------------------------------------------------------------


@st.composite
def clusterings(draw):
    n = draw(st.integers(4, 13))
    p = draw(st.integers(1, 3))
    cells = st.integers(-3, 3).map(float) if draw(st.booleans()) else st.floats(-9, 9).map(lambda v: round(v, 3))
    X = draw(st.lists(st.lists(cells, min_size=p, max_size=p), min_size=n, max_size=n))
    labels = draw(st.lists(st.integers(-1, 2), min_size=n, max_size=n))
    return X, labels


@examples(150)
@given(clusterings(), st.integers(1, 4))
def test_statistics_agree_with_their_definitions(example, neighbours):
    X, labels = example
    options = {"neighbours": neighbours}
    asked = {name: options if name in ("hennig_mnnd", "hennig_cvnnd") else {} for name in NAMES}
    scores = cv.evaluate(X, labels, asked)
    if any("needs" in reason for reason in scores.reasons.values()):
        assert set(scores.reasons) == set(NAMES)
        return
    expected = naive.oriented(naive.matrix_of(X), labels, neighbours)
    kept = [x for x, label in zip(X, labels, strict=True) if label != -1]
    equal = all(x == kept[0] for x in kept)
    for name, value in scores.items():
        if equal and name == "hennig_asw":  # 0/0 for every point
            assert math.isnan(value)
            continue
        definition = expected[name.removeprefix("hennig_")]
        assert value == approx(definition, rel=1e-9, abs=1e-12, nan_ok=True), name


@examples(100)
@given(clusterings(), st.sampled_from(seeded_growth.WAYS[:3]), st.data())
def test_random_clusterings_agree_with_their_definition(example, way, draw):
    X, _ = example
    seeds = draw.draw(st.lists(st.integers(0, len(X) - 1), min_size=1, max_size=4, unique=True))
    D = naive.matrix_of(X)
    expected = naive.random_clustering(D, seeds, way)
    assert seeded_growth.seeded_numpy(np.array(D), np.array(seeds), way).tolist() == expected


def test_average_linkage_from_seeds_follows_its_definition():
    X = POINTS["few"]  # without ties, which sums of distances round
    expected = naive.random_clustering(naive.matrix_of(X.tolist()), [3, 11, 7], "average")
    assert seeded_growth.seeded_numpy(cdist(X, X), np.array([3, 11, 7]), "average").tolist() == expected


def test_seeds_that_coincide_keep_their_clusters():
    X = np.zeros((5, 1))
    for way in seeded_growth.WAYS:
        codes = seeded_growth.seeded_numpy(cdist(X, X), np.array([4, 1]), way)
        assert codes.tolist() == [0, 1, 0, 0, 0]


# --- every way to the same numbers -----------------------------------------------------------------------


@every_set
@pytest.mark.parametrize("way", seeded_growth.WAYS)
def test_compiled_clusters_grow_from_seeds_as_plain_ones(name, way):
    X = np.tile(POINTS[name], (5 if name == "few" else 1, 1))  # above the limit of plain NumPy
    grow = seeded_growth.seeder(euclidean_rows(X), len(X), n_jobs=2)
    for k in (1, 2, 7, 30):
        seeds = np.random.default_rng(k).choice(len(X), k, replace=False)
        assert grow(seeds, way).tolist() == seeded_growth.seeded_numpy(cdist(X, X), seeds, way).tolist()


@every_set
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.997, 1.0])
def test_a_quantile_of_distances_is_exact_without_holding_them(name, share, set_thresholds):
    X = POINTS[name]
    expected = np.quantile(pdist(X), share)
    set_thresholds(PAIRS=10)
    for held in (2**20, 5):  # few values that are sorted make it count ever finer bins
        for n_jobs in (1, 2):
            value = quantiles.quantile_of_distances(euclidean_rows(X), len(X), share, n_jobs=n_jobs, held=held)
            assert value == approx(expected, rel=1e-15, abs=0)
            for sample in (2, 5, 1024):  # of few points, which are often wrong about where to look
                assert quantiles.quantile_of_points(X, share, n_jobs=n_jobs, held=held, sample=sample) == value
    assert quantiles.quantile_numpy(cdist(X, X), share) == approx(expected, rel=1e-15, abs=0)


def test_two_far_groups_of_distances_are_told_apart(set_thresholds):
    set_thresholds(PAIRS=2)
    X = np.array([[0.0], [1.0], [1e9]])  # distances 1, 1e9 - 1 and 1e9
    for share in (0.25, 0.5, 0.75):
        value = quantiles.quantile_of_distances(euclidean_rows(X), 3, share, n_jobs=1)
        assert value == np.quantile([1, 1e9 - 1, 1e9], share)
        assert quantiles.quantile_of_points(X, share, n_jobs=1) == value


def test_distances_that_differ_in_their_last_bit_are_told_apart(set_thresholds):
    set_thresholds(PAIRS=2)
    after = np.nextafter(1.0, 2.0)
    D = squareform(np.array([1.0, after, 1.0, after, 1.0, after]))
    for share, expected in ((0.0, 1.0), (0.4, 1.0), (0.6, after), (1.0, after)):
        assert quantiles.quantile_of_distances(lambda lo, hi: D[lo:hi], 4, share, n_jobs=1, held=0) == expected


@every_set
def test_compiled_densities_equal_plain_ones(name, set_thresholds):
    X = POINTS[name]
    set_thresholds(PAIRS=10)
    rows, n, codes = euclidean_rows(X), len(X), codes_of(len(X), 4)
    width = float(np.quantile(pdist(X), 0.3))
    compiled = quantiles.near_sums(rows, n, width, n_jobs=2)
    foreign = quantiles.near_sums_elsewhere(rows, codes, width, n_jobs=2)
    order, starts = np.argsort(codes, kind="stable"), np.r_[0, np.cumsum(np.bincount(codes, minlength=4))]
    for chunk in (7, 64, 1024):
        assert near_densities.near_sums_of_points(X, width, n_jobs=2, chunk=chunk) == approx(compiled, rel=1e-13)
        sums = near_densities.near_sums_elsewhere_of_points(X[order], starts, width, n_jobs=2, chunk=chunk)
        assert sums == approx(foreign[order], rel=1e-13)
    assert compiled == approx(quantiles.near_sums_numpy(cdist(X, X), width), rel=1e-13)
    assert foreign == approx(quantiles.near_sums_elsewhere_numpy(cdist(X, X), codes, width), rel=1e-13)
    block = Block(codes[None], np.array([4]))
    (many,) = by_cluster.near_sums_of_many(Distances.of_points(X, 1), block, width)
    assert many == approx(foreign, rel=1e-13)


@every_set
def test_clusters_grow_in_all_ways_alike(name, set_thresholds):
    X, codes = POINTS[name], codes_of(len(POINTS[name]), 5)
    sums = quantiles.near_sums_numpy(cdist(X, X), float(np.quantile(pdist(X), 0.1)) or 1.0)
    density = sums / sums.max()
    Y, starts = sorted_by_cluster(X, codes)
    order = np.argsort(codes, kind="stable")
    between = lambda a, b: euclidean_between(Y[a], Y[b])  # noqa: E731
    plain = growth.growth_numpy(between, starts, density[order])
    set_thresholds(PAIRS=10)
    ways = [
        growth.growth_of_points(Y, starts, density[order], n_jobs=2),
        growth.growth_of_rows(between, starts, density[order], n_jobs=1),
        growth.growth_of_many(Distances.of_points(X, 1), density, Block(codes[None], np.array([5]))),
    ]
    assert plain.longest[4] == plain.rises[4] == plain.gaps[4] == 0  # of a single point
    for way in ways:
        for field in ("longest", "rises", "gaps"):
            assert getattr(way, field) == approx(getattr(plain, field), rel=1e-12, abs=1e-30), field


@every_set
def test_neighbours_and_squares_of_many_partitions_are_those_of_each(name):
    X = POINTS[name]
    codes = np.stack([codes_of(len(X), 4, seed) for seed in range(3)])
    distances, block = Distances.of_points(X, 1), Block(codes, np.full(3, 4))
    near = by_cluster.own_neighbours_of_many(distances, block, 3)
    own, other = by_cluster.closest_of_many(distances, block)
    squares = by_cluster.squares_within(distances, block).reshape(3, 4)
    D = cdist(X, X)
    away = np.where(np.eye(len(X), dtype=bool), np.inf, D)
    for b in range(3):
        same = codes[b][:, None] == codes[b]
        inside = np.sort(np.where(same, away, np.inf), axis=1)
        assert near[b].tolist() == inside[:, :3].tolist()
        assert own[b].tolist() == inside[:, 0].tolist()
        assert other[b].tolist() == np.where(same, np.inf, D).min(axis=1).tolist()
        expected = [(D[np.ix_(codes[b] == c, codes[b] == c)] ** 2).sum() / 2 for c in range(4)]
        assert squares[b] == approx(expected, rel=1e-13)


@every_set
def test_without_a_compiler_statistics_are_the_same(name, set_thresholds):
    X, codes = POINTS[name], codes_of(len(POINTS[name]), 4)
    compiled = cv.evaluate(X, codes, NAMES).to_dict()
    set_thresholds(PAIRS=10**6)
    assert cv.evaluate(X, codes, NAMES).to_dict() == approx(compiled, rel=1e-12, abs=1e-15, nan_ok=True)


@every_set
@pytest.mark.parametrize("metric", ["cityblock", "cosine", "chebyshev"])
def test_a_metric_and_its_distances_give_the_same(name, metric):
    X, codes = POINTS[name] + (3.0 if metric == "cosine" else 0.0), codes_of(len(POINTS[name]), 4)
    D = squareform(pdist(X, metric))
    if metric == "cosine":  # 1 - x.y loses digits
        D = squareform(pdist(X / np.linalg.norm(X, axis=1, keepdims=True), "sqeuclidean")) / 2
    by_metric = cv.evaluate(X, codes, NAMES, metric=metric)
    by_distances = cv.evaluate(D, codes, NAMES, metric="precomputed")
    loose = 1e-6 if metric == "cosine" else 1e-10  # rounding decides which of two equal distances is shorter
    unsure = {"hennig_dindex", "hennig_highdgap"} if metric == "cosine" or "ties" in name else set()
    for statistic in set(NAMES) - unsure:
        assert by_metric[statistic] == approx(by_distances[statistic], rel=loose, abs=1e-9, nan_ok=True), statistic


def test_distances_of_any_kind_have_the_values_of_the_definition():
    X, codes = POINTS["few"], codes_of(20, 4)
    D = squareform(pdist(X, "cityblock")) ** 1.5  # no metric
    scores = cv.evaluate(D, codes, NAMES, metric="precomputed")
    expected = naive.oriented(D.tolist(), codes.tolist())
    assert {name.removeprefix("hennig_"): v for name, v in scores.items()} == approx(expected, rel=1e-9)


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_many_partitions_at_once_have_the_values_of_each(metric):
    X = POINTS["apart"]
    space = space_of(X, metric=metric)
    labels = [Labels(codes_of(150, k, seed), list(range(k))) for k in (3, 6) for seed in range(60)]
    choices = select([*NAMES, "hennig_kd_normal"], "internal")
    table = table_of(space, labels, choices).values
    for at in (0, 59, 60, 119):
        alone = cv.evaluate(X, labels[at].codes, [choice.name for choice in choices], metric=metric)
        assert table[at] == approx(list(alone.values()), rel=1e-10, abs=1e-13)


def test_what_no_label_changes_is_computed_once_for_all_partitions(monkeypatch):
    counts = {}
    for statistic in (NearDensity, Neighbours, LargestDistance):

        def count(_source, statistic=statistic, **options):
            need = (statistic, *options.values())
            counts[need] = counts.get(need, 0) + 1

        note_calls(monkeypatch, statistic, count)
    partitions = [codes_of(150, 4, seed) for seed in range(30)]
    cv.sweep(POINTS["apart"], partitions, "hennig")
    assert {cls for cls, *_ in counts} >= {NearDensity, Neighbours}
    assert set(counts.values()) == {1}


def test_the_largest_distance_is_that_of_all_points_whether_visited_or_searched(set_thresholds):
    X, codes = RNG.normal(size=(300, 2)), codes_of(300, 4)
    set_thresholds(TREE_POINTS=100)
    largest = pdist(X).max()
    assert Space(X)[LargestDistance].span == largest
    for names in (["hennig_maxdiameter"], ["hennig_maxdiameter", "silhouette"]):
        scores = cv.evaluate(X, codes, names)
        assert scores["hennig_maxdiameter"] == 1 - partition(X, codes).pairs(full=True).maxs.diagonal().max() / largest


def test_equal_distances_in_a_tenth_of_all_pairs_leave_density_undefined():
    X = np.repeat([[0.0], [1.0], [5.0]], 6, axis=0)
    scores = cv.evaluate(X, np.repeat([0, 1, 2], 6), NAMES)
    for name in ("dindex", "denscut", "highdgap"):
        assert scores.reasons[f"hennig_{name}"].endswith("a tenth of all distances are 0.")
    assert scores["hennig_widestgap"] == 1


def test_many_partitions_without_density_or_of_one_point_say_so_as_each_does():
    X, codes = np.repeat([[0.0], [1.0], [5.0]], 6, axis=0), np.repeat([0, 1, 2], 6)
    swept = cv.sweep(X, [codes] * 150, "hennig")
    assert swept.values[149] == approx(list(cv.evaluate(X, codes, "hennig").values()), rel=1e-12, nan_ok=True)
    assert np.isnan(swept["denscut"]).all()
    assert np.isnan(cv.sweep([[0.0]], [[0]] * 150, "hennig").values).all()


def test_a_cluster_without_a_covariance_is_as_far_from_normal_as_can_be():
    X = np.column_stack([POINTS["few"], POINTS["few"] @ [2, -1]])
    assert cv.internal.hennig_kd_normal(X, codes_of(20, 3)) == 0
    scaled = cv.internal.hennig_kd_normal(POINTS["apart"] * [1e-13, 1, 1e13], codes_of(150, 3))
    assert scaled == approx(cv.internal.hennig_kd_normal(POINTS["apart"], codes_of(150, 3)), rel=1e-9)


def test_the_suite_has_the_names_of_fpc():
    X, labels = POINTS["apart"], codes_of(150, 4)
    scores = cv.evaluate(X, labels, "hennig")
    assert list(scores) == [
        *("avewithin", "mnnd", "cvnnd", "maxdiameter", "widestgap", "sindex", "minsep", "asw", "dindex", "denscut"),
        *("highdgap", "pearsongamma", "withinss", "entropy", "pamc"),
    ]
    assert scores["pearsongamma"] == cv.internal.hennig_pearson_gamma(X, labels)
