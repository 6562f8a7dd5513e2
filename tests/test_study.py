"""The study of criteria: correlations, transforms and tests against their definitions, runs that can be stopped."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import time
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from scipy import stats
from sklearn.cluster import KMeans

import clustval as cv
from clustval.catalogue import select
from clustval.study import correlations as c
from clustval.study import designs, published, significance
from clustval.study.comparison import Pairwise
from clustval.study.records import ALL, Record, chains_of
from clustval.study.truth_agreement import agreements

FIRST = [0.75, 0.55, 0.20, 0.95, 0.60]  # Table 2 of the 2010 study
SECOND = [0.92, 0.22, 0.56, 0.63, 0.25]
TRUTH = [0.82, 0.49, 0.31, 0.89, 0.67]


def naive_wgk(a, b):
    total, count = 0.0, 0
    for i in range(len(a)):
        for j in range(i):
            p = (a[i] - a[j]) / (max(a) - min(a))
            q = (b[i] - b[j]) / (max(b) - min(b))
            if p == 0 or q == 0:
                continue
            count += 1
            total += min(p / q, q / p) if p * q > 0 else max(p / q, q / p)
    return total / count


def record(values, external, k, chain=None, classes=3):
    k = np.asarray(k)
    chain = chains_of(k) if chain is None else np.asarray(chain)
    return Record("made", "cell", classes, chain, k, np.asarray(values, float), np.asarray(external, float))


def some_sets(count=3, **options):
    return [(*cv.study.milligan(60, 3, 2, random_state=s, **options), f"set {s}") for s in range(count)]


# --- correlations ----------------------------------------------------------------------------------------


def test_the_worked_example_of_the_paper_has_its_printed_correlations():
    assert c.pearson(FIRST, TRUTH) == pytest.approx(0.9627, abs=5e-5)
    assert c.pearson(SECOND, TRUTH) == pytest.approx(0.4453, abs=5e-5)
    assert c.wgk(FIRST, TRUTH) == pytest.approx(0.685, abs=5e-4)
    assert c.wgk(SECOND, TRUTH) == pytest.approx(0.157, abs=5e-4)


@pytest.mark.parametrize("decimals", [1, 9])
def test_correlations_equal_their_definitions_with_and_without_ties(decimals):
    rng = np.random.default_rng(decimals)
    a, b = rng.normal(size=(2, 40)).round(decimals)
    assert c.pearson(a, b) == pytest.approx(stats.pearsonr(a, b).statistic, rel=1e-12)
    assert c.spearman(a, b) == pytest.approx(stats.spearmanr(a, b).statistic, rel=1e-12)
    assert c.wgk(a, b) == pytest.approx(naive_wgk(a.tolist(), b.tolist()), rel=1e-12)


def test_the_unit_of_a_criterion_does_not_matter():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 30))
    for correlation in (c.pearson, c.spearman, c.wgk):
        assert correlation(1e200 * a, b) == pytest.approx(correlation(a, b), rel=1e-9)
        assert correlation(1e-200 * a, b) == pytest.approx(correlation(a, b), rel=1e-9)
        assert correlation(-a, b) == pytest.approx(-correlation(a, b), rel=1e-12)


def test_a_constant_sequence_has_no_correlation():
    for correlation in (c.pearson, c.spearman, c.wgk):
        assert math.isnan(correlation([1 / 3] * 7, range(7)))


def test_criteria_are_correlated_together_as_they_are_alone():
    rng = np.random.default_rng(1)
    merit, external = rng.normal(size=(20, 5)).round(1), rng.normal(size=(20, 2)).round(1)
    merit[3, 1] = merit[3, 2] = merit[7, 2] = external[5, 1] = np.nan
    merit[2:, 4] = np.nan
    found = c.correlations(merit, external, ["pearson", "wgk", "spearman"])
    for column, ours in enumerate(merit.T):
        for at, theirs in enumerate(external.T):
            known = np.isfinite(ours) & np.isfinite(theirs)
            alone = [f(ours[known], theirs[known]) for f in (c.pearson, c.wgk, c.spearman)]
            if column == 4:
                assert np.isnan(found[at, :, column]).all()
            else:
                assert found[at, :, column] == pytest.approx(alone, rel=1e-12)


# --- merits ----------------------------------------------------------------------------------------------


def test_criteria_to_be_minimised_are_flipped_around_their_mean():
    values = np.array([[3.0], [1.0], [np.inf], [5.0]])
    made = record(values, np.zeros((4, 1)), [2, 3, 4, 5])
    found = c.merits(made, select("davies_bouldin", "internal"))
    np.testing.assert_array_equal(found[:, 0], [3.0, 5.0, np.nan, 1.0])
    assert np.nanmean(found) == values[[0, 1, 3]].mean()


@pytest.mark.parametrize("transform", ["knee", "step", "change"])
def test_transforms_are_the_equations_along_each_chain(transform):
    rng = np.random.default_rng(3)
    ks, chains = range(2, 9), range(3)
    whole = rng.random()
    original = {(r, k): rng.random() for r in chains for k in ks} | {(r, 1): whole for r in chains}
    rows = [(ALL, 1), *((r, k) for k in ks for r in chains)]
    values = [[whole], *([original[row]] for row in rows[1:])]
    made = record(values, np.zeros((len(rows), 1)), [k for _, k in rows], [r for r, _ in rows])
    found = c.merits(made, select("vendramin:trace_w", "internal"), transform=transform, most=7)[:, 0]
    for (r, k), value in zip(rows, found, strict=True):
        if not 2 <= k <= 7:
            assert math.isnan(value)
            continue
        before, own, after = (original[r, number] for number in (k - 1, k, k + 1))
        expected = {
            "knee": abs((before - own) / (own - after)),  # eq. 37
            "step": abs(before - own),  # eq. 35
            "change": abs(abs(before - own) - abs(own - after)),  # eq. 36
        }[transform]
        assert value == pytest.approx(expected, rel=1e-12)


def test_criteria_without_a_value_for_one_cluster_are_not_judged_at_two():
    X, truth = cv.study.milligan(40, 3, 2, random_state=0)
    made = cv.study.compare([(X, truth, "one")], ["vendramin:log_ss_ratio", "vendramin:trace_w"], linkage="ward")
    assert not np.isnan(made.values).any()
    task = designs.DESIGNS[1].task(designs.DESIGNS[1].data_sets()[0], 0)
    choices = select(["vendramin:log_ss_ratio", "vendramin:trace_w"], "internal")
    evaluated = task.record(choices, select("jaccard", "external"))
    at_two = c.merits(evaluated, choices)[evaluated.k == 2]
    assert np.isnan(at_two[:, 0]).all()
    assert np.isfinite(at_two[:, 1]).all()


def test_only_partitions_from_two_to_the_most_clusters_count():
    rng = np.random.default_rng(0)
    ks = np.repeat(np.arange(1, 12), 4)
    values, external = rng.random((len(ks), 1)), rng.random((len(ks), 1))
    choices = select("silhouette", "internal")
    some = (ks >= 2) & (ks <= 6)
    found = c.finding(record(values, external, ks), choices, ["pearson"], most=6).correlations
    assert found.item() == pytest.approx(stats.pearsonr(values[some, 0], external[some, 0]).statistic, rel=1e-12)


def test_missing_values_leave_out_only_their_partitions():
    merit = np.array([[1.0], [np.nan], [2.0], [4.0], [3.0]])
    external = np.array([[0.1], [0.9], [0.4], [0.6], [0.5]])
    found = c.correlations(merit, external, ["pearson"])
    kept = [0, 2, 3, 4]
    assert found.item() == pytest.approx(stats.pearsonr(merit[kept, 0], external[kept, 0]).statistic, rel=1e-12)


def test_a_hit_is_a_chain_whose_best_partition_has_as_many_clusters_as_the_truth():
    values = [[0.2, 0.1], [0.9, 0.8], [0.3, 0.2], [0.5, 0.9], [0.4, 0.5], [0.1, 0.7]]
    made = record(values, np.zeros((6, 1)), [2, 3, 4, 2, 3, 4], [0, 0, 0, 1, 1, 1], classes=3)
    choices = select(["silhouette", "davies_bouldin"], "internal")
    assert c.hits(c.merits(made, choices), made).tolist() == [1, 1]


@pytest.mark.parametrize(("classes", "hits"), [(2, 0), (3, 1), (4, 0)])
def test_the_fewest_clusters_are_best_among_equals(classes, hits):
    made = record([[0.2], [0.9], [0.9]], np.zeros((3, 1)), [2, 3, 4], [0, 0, 0], classes=classes)
    assert c.hits(c.merits(made, select(["silhouette"], "internal")), made).tolist() == [hits]


def test_the_rth_partition_with_k_clusters_follows_the_rth_with_one_fewer():
    assert chains_of(np.array([2, 2, 3, 1, 3, 3])).tolist() == [0, 1, 0, ALL, 1, 2]


# --- external indices ------------------------------------------------------------------------------------


@pytest.mark.parametrize("clusters", [1, 4, 30])
def test_many_labellings_agree_with_the_truth_as_one_by_one(clusters):
    rng = np.random.default_rng(clusters)
    from clustval.relative.labellings import coded

    rows = rng.integers(0, clusters, (12, 30))
    truth, *labels = coded(dict(enumerate([rng.integers(0, 3, 30), *rows])), "error")
    names = ["jaccard", "adjusted_rand", "rand", "precision", "normalized_mutual_info"]
    found = agreements(truth, labels, select(names, "external"))
    for column, name in enumerate(names):
        one_by_one = [getattr(cv.external, name)(truth.codes, row) for row in rows]
        np.testing.assert_allclose(found[:, column], one_by_one, rtol=1e-14)


def test_labellings_without_a_pair_have_the_values_of_the_single_functions():
    from clustval.relative.labellings import coded

    (apart, whole) = coded({0: np.arange(5), 1: np.zeros(5, dtype=int)}, "error")
    found = agreements(apart, [apart, whole], select(["jaccard", "adjusted_rand"], "external"))
    np.testing.assert_array_equal(found, [[1.0, 1.0], [0.0, 0.0]])


# --- significance ----------------------------------------------------------------------------------------


def test_p_values_are_those_of_scipy():
    rng = np.random.default_rng(5)
    a, b = rng.normal([[0.3], [0.0]], size=(2, 60)).round(1)
    cells = np.repeat(np.arange(12), 5)
    expected = stats.mannwhitneyu(a, b, alternative="greater", method="asymptotic", use_continuity=False).pvalue
    assert significance.mann_whitney(a, b, cells) == pytest.approx(expected, rel=1e-10)
    expected = stats.wilcoxon(a, b, alternative="greater", method="approx", correction=False).pvalue
    assert significance.wilcoxon(a, b, cells) == pytest.approx(expected, rel=1e-10)


def test_friedmans_test_without_replications_is_the_sign_test():
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 50))
    more = int((a > b).sum())
    expected = stats.norm.sf((more - 25) / math.sqrt(50 / 4))
    assert significance.friedman(a, b, np.arange(50)) == pytest.approx(expected, rel=1e-10)


def test_friedmans_test_adds_the_rank_sums_of_cells():
    rng = np.random.default_rng(2)
    a, b = rng.normal([[0.5], [0.0]], size=(2, 20))
    cells = np.array([0] * 8 + [1] * 12)
    excess = variance = 0.0
    for cell in (0, 1):
        m = int((cells == cell).sum())
        ranks = stats.rankdata([*a[cells == cell], *b[cells == cell]])
        excess += ranks[:m].sum() - m * (2 * m + 1) / 2
        variance += m * m * (2 * m + 1) / 12
    assert significance.friedman(a, b, cells) == pytest.approx(stats.norm.sf(excess / math.sqrt(variance)), rel=1e-10)


def test_a_better_criterion_is_significantly_better_and_not_the_other_way_round():
    rng = np.random.default_rng(0)
    values = rng.normal([1.0, 0.0, np.nan], size=(36, 3))
    for test in significance.TESTS:
        p = significance.p_values(values, [str(i // 3) for i in range(36)], test)
        assert p[0, 1] < 0.01
        assert p[1, 0] == pytest.approx(1 - p[0, 1], rel=1e-12)
        assert np.isnan(p[2]).all()


def test_a_difference_against_the_ranks_is_not_significant():
    rng = np.random.default_rng(0)
    usual, fickle = rng.normal([[0.5], [0.3]], 0.05, (2, 30))
    fickle[:5] = 3  # rarely much better, mostly worse
    found = Pairwise(
        ["usual", "fickle", "worse"], np.column_stack([usual, fickle, usual - 1]), [str(i) for i in range(30)]
    )
    assert found.criteria == ("fickle", "usual", "worse")
    for test in ("mann_whitney", "friedman"):
        assert found.p_values[test][1, 0] < 0.01
    assert found.significant.tolist() == [[0, 0, 2], [0, 0, 2], [2, 2, 0]]


# --- compare ---------------------------------------------------------------------------------------------


def test_means_are_those_of_sweeps_and_agreements_one_by_one():
    sets = some_sets(2)
    found = cv.study.compare(sets, ["silhouette", "davies_bouldin"], linkage="average", k=range(2, 9))
    expected = []
    for X, truth, _ in sets:
        swept = cv.sweep(X, linkage="average", k=range(2, 9), indices=["silhouette", "davies_bouldin"])
        jaccard = [cv.external.jaccard(truth, labels) for labels in swept.labels.values()]
        up, down = swept["silhouette"], swept["davies_bouldin"]
        expected.append([stats.pearsonr(up, jaccard).statistic, -stats.pearsonr(down, jaccard).statistic])
    means = found.means("jaccard", "pearson")
    mean = np.mean(expected, axis=0)
    assert means["silhouette"] == pytest.approx(mean[0], rel=1e-9)
    assert means["davies_bouldin"] == pytest.approx(mean[1], rel=1e-9)
    assert list(means) == sorted(means, key=lambda name: -means[name])


def test_partitions_may_be_given_by_name_or_by_a_function():
    sets = some_sets(2)
    rng = np.random.default_rng(0)
    given = {name: rng.integers(0, 4, (10, 60)) for _, _, name in sets}
    by_name = cv.study.compare(sets, ["silhouette"], partitions=given)
    found = cv.study.compare(sets[:1], ["silhouette"], partitions=lambda _X: given["set 0"])
    np.testing.assert_array_equal(found.values[0], by_name.values[0])


def slices(points, k, _rng):
    return np.digitize(points[:, 0], np.quantile(points[:, 0], np.arange(1, k) / k))


def test_an_estimator_may_partition():
    sets = some_sets(2)
    given = {name: [slices(points, k, None) for k in (2, 3, 4)] for points, _, name in sets}
    found = cv.study.compare(sets, ["silhouette"], estimator=slices, k=range(2, 5), runs=1)
    np.testing.assert_array_equal(found.values, cv.study.compare(sets, ["silhouette"], partitions=given).values)
    assert cv.study.compare(sets, ["silhouette"], estimator=slices, k=range(2, 5), runs=3).chains == 6


def test_the_number_of_jobs_changes_nothing():
    options = {"criteria": ["silhouette", "trace_w"], "k": range(2, 8), "runs": 4, "random_state": 7}
    one, two = (cv.study.compare(some_sets(4), **options, n_jobs=jobs) for jobs in (1, 2))
    np.testing.assert_array_equal(one.values, two.values)


def test_the_result_reads_as_a_ranked_table():
    found = cv.study.compare(some_sets(), ["silhouette", "dunn", "gamma"], linkage=["ward", "single"], k=range(2, 9))
    frame = found.to_polars()
    assert frame.shape == (2 * 3 * 3, 9)
    first = frame.row(0, named=True)
    assert first["rank"] == 1
    assert first["criterion"] == next(iter(found.means()))
    assert found.to_pandas().shape == frame.shape
    assert str(found).splitlines()[3].split()[:2] == ["1", first["criterion"]]
    pairs = found.pairwise().to_polars()
    assert len(pairs) == len(found.pairwise().to_pandas()) == 3
    assert found._repr_html_().count("<tr>") == 4
    assert (pairs["difference"] >= 0).all()
    assert found.pairwise().significant.max() <= 2
    assert 0 <= found.pairwise().overall <= 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"linkage": "ward", "k": range(2, 6)}, "Partitions: trees by ward linkage, cut into 2 to 5 clusters."),
        ({"linkage": ["ward", "single"], "k": 3}, "Partitions: trees by ward and single linkage, cut into 3 clusters."),
        ({}, "Partitions: k-means from random points, 20 runs for each of 2 to √n clusters."),
        (
            {"estimator": slices, "k": np.array([4, 2]), "runs": 1},
            "Partitions: slices, 1 run for each of 2, 4 clusters.",
        ),
        ({"partitions": lambda points: [slices(points, k, None) for k in (2, 3, 4)]}, "Partitions were given."),
    ],
)
def test_a_comparison_says_how_partitions_were_made(options, said):
    assert cv.study.compare(some_sets(1), ["silhouette"], **options).method == (said,)


@pytest.mark.parametrize(("transform", "equation"), [("knee", 37), ("step", 35), ("change", 36)])
def test_a_comparison_says_how_difference_like_criteria_were_prepared(transform, equation):
    criteria = ["silhouette", "vendramin:trace_w", "vendramin:ball_hall"]
    found = cv.study.compare(some_sets(1), criteria, linkage="ward", transform=transform)
    work = "Vendramin, Campello and Hruschka (2010)"
    assert found.method[1] == f"Difference-like criteria (trace_w, ball_hall) became peaks by eq. {equation} of {work}."


# --- errors ----------------------------------------------------------------------------------------------

X, LABELS = cv.study.milligan(20, 2, 2, random_state=0)
ONE = [(X, LABELS, "one")]
TABLE = pl.DataFrame({"number": X[:, 0], "letter": list("xyzuv" * 4)})


def test_functions_and_estimators_get_distances_where_columns_are_mixed():
    tables = []
    halves = lambda D, k=2, _rng=None: tables.append(D) or np.searchsorted(np.arange(1, k) / k, D[0])  # noqa: E731
    sets = [(TABLE, LABELS, "t")]
    cv.study.compare(sets, ["silhouette"], metric="gower", estimator=halves, k=[2, 3], runs=1, n_jobs=1)
    partitions = lambda D: [halves(D, k) for k in (2, 3, 4)]  # noqa: E731
    cv.study.compare(sets, ["silhouette"], metric="gower", partitions=partitions, n_jobs=1)
    assert len(tables) == 5
    for table in tables:
        np.testing.assert_array_equal(table, tables[0])
        np.testing.assert_array_equal(table, table.T)
        assert (np.diagonal(table) == 0).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cv.study.compare([]), "datasets is empty; give at least one (X, truth, name)."),
        (
            lambda: cv.study.compare([(X, LABELS)]),
            "datasets must hold (X, truth, name) or (X, truth, name, cell); entry 0 is not such a tuple.",
        ),
        (lambda: cv.study.compare(ONE * 2), "Two data sets are called 'one'; each needs a name of its own."),
        (
            lambda: cv.study.compare([(X, LABELS[:9], "short")]),
            "Data set 'short' has 20 points but 9 true labels.",
        ),
        (
            lambda: cv.study.compare(ONE, ["davis_bouldin"]),
            (
                "No internal index is called 'davis_bouldin'. "
                "Did you mean 'davies_bouldin', 'davies_bouldin_rms' or 'davies_bouldin_star'?"
            ),
        ),
        (
            lambda: cv.study.compare(ONE, correlation="kendall"),
            "correlation must be among 'pearson', 'wgk', 'spearman'; 'kendall' is not.",
        ),
        (
            lambda: cv.study.compare(ONE, transform="37"),
            "transform must be among 'knee', 'step', 'change'; '37' is not.",
        ),
        (
            lambda: cv.study.compare(ONE, linkage="ward", runs=3),
            "Give either linkage=, which clusters once, or estimator= and runs=.",
        ),
        (
            lambda: cv.study.compare(ONE, partitions={}, k=3),
            "Give either partitions or k=; partitions are clustered already.",
        ),
        (
            lambda: cv.study.compare(ONE, partitions={}),
            "partitions must map the name of each data set to its partitions; 'one' is missing.",
        ),
        (
            lambda: cv.study.recommend(X, like="circles"),
            "like must be one of 'mixture', 'milligan'; it is 'circles'.",
        ),
        (
            lambda: cv.study.recommend(X, np.zeros(20)),
            "labels form one cluster; the truth of data like these would have nothing to tell apart.",
        ),
        (
            lambda: cv.study.recommend([[0.0], [1.0], [2.0]]),
            "3 points are too few to look like anything; give at least 4.",
        ),
        (
            lambda: cv.study.compare(ONE, ["silhouette"], linkage="ward").means("rand"),
            "external must be one of 'jaccard', 'adjusted_rand'; it is 'rand'.",
        ),
        (
            lambda: cv.study.compare([(np.abs(X[:, :1] - X[:, 0]), LABELS, "d")], metric="precomputed"),
            "k-means needs coordinates; with metric='precomputed' give an estimator of distances, or linkage=.",
        ),
        (
            lambda: cv.study.compare([(TABLE, LABELS, "t")], metric="gower"),
            "k-means needs coordinates; with metric='gower' give an estimator of distances, or linkage=.",
        ),
        (
            lambda: cv.study.compare([(TABLE, LABELS, "t")], metric="gower", estimator=KMeans()),
            "KMeans clusters coordinates, and metric='gower' gives distances.",
        ),
        (lambda: cv.study.compare(ONE, linkage=[]), "linkage is empty; name at least one, such as 'average'."),
        (
            lambda: cv.study.compare(ONE, linkage=3),
            (
                "linkage must be one of 'single', 'complete', 'average', 'weighted', 'centroid', 'median', 'ward'; "
                "it is 3."
            ),
        ),
        (
            lambda: cv.study.compare(ONE, 3),
            "criteria must be a name, a list of names, or a suite such as 'default'; it is 3.",
        ),
        (
            lambda: cv.study.compare(ONE, external=3),
            "external must be a name, a list of names, or a suite such as 'default'; it is 3.",
        ),
        (lambda: cv.study.part_one("unused", limit=0), "limit must be a whole number from 1; it is 0."),
    ],
)
def test_errors_say_what_is_wrong(call, message):
    with pytest.raises(cv.InputError, match=f"^{re.escape(message)}$"):
        call()


def test_a_directory_of_another_run_is_refused(tmp_path):
    cv.study.part_one(tmp_path, limit=1, n_jobs=1)
    with pytest.raises(cv.InputError, match="holds the run of part 1, seed 0, generator 2; give another directory"):
        cv.study.part_one(tmp_path, limit=1, seed=1)
    (tmp_path / "settings.json").write_text('{"part": 1, "seed": 0}')  # as before data were drawn otherwise
    with pytest.raises(cv.InputError, match="seed 0, generator 1; give another directory"):
        cv.study.part_one(tmp_path, limit=1)
    with pytest.raises(cv.InputError, match="holds no run of the study"):
        cv.study.Run(tmp_path / "elsewhere")


# --- runs ------------------------------------------------------------------------------------------------


def contents(directory):
    return {file.name: file.read_bytes() for file in sorted(directory.iterdir())}


def test_the_designs_are_those_of_the_paper():
    one, two = designs.DESIGNS[1], designs.DESIGNS[2]
    assert len(one.data_sets()) == 108
    assert len({which.cell for which in one.data_sets()}) == 36
    assert len(two.data_sets()) == 972
    assert len({which.cell for which in two.data_sets()}) == 108
    assert len(two.data_sets()) * len(two.chains) * (max(two.most) - 1) == 952_560
    assert len({which.name for which in two.data_sets()}) == 972


@pytest.mark.parametrize("part", [1, pytest.param(2, marks=pytest.mark.large)])
def test_a_sample_of_each_part_has_every_partition_and_the_numbers_do_not_depend_on_the_jobs(part, tmp_path):
    start = cv.study.part_one if part == 1 else cv.study.part_two
    limit = 6 if part == 1 else 2
    run = start(tmp_path / "two", limit=limit, n_jobs=2)
    start(tmp_path / "one", limit=limit, n_jobs=1)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    design = run.design
    assert len(run.finished) == limit
    for which in run.finished:
        values = run.record(which)
        judged = values.judged(max(design.most))
        assert judged.sum() == len(design.chains) * (max(design.most) - 1)
        assert np.isfinite(values.values[judged]).all()
    compared = run.compare(correlation="pearson")
    sets = f"{limit} of the {len(design.data_sets())} data sets of {design.n} points"
    assert compared.method[0] == (
        f"Data: part {part} of the study of Vendramin, Campello and Hruschka (2010), seed 0; {sets}."
    )
    how = {
        1: "trees by single, complete, average and ward linkage, cut into 2 to 25 clusters",
        2: "k-means from random points, 20 runs for each of 2 to 50 clusters",
    }
    assert compared.method[1] == f"Partitions: {how[part]}."
    assert compared.means("jaccard")["point_biserial"] > compared.means("jaccard")["dunn11"]


def test_another_seed_gives_other_data(tmp_path):
    for seed in (0, 1):
        cv.study.part_one(tmp_path / str(seed), limit=1, seed=seed, n_jobs=1)
    first, second = (contents(tmp_path / str(seed)) for seed in (0, 1))
    (name,) = (name for name in first if name.endswith(".parquet"))
    assert first[name] != second[name]


@pytest.mark.large
def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path):
    limit = 24
    command = [sys.executable, "-m", "clustval", "study", "--part", "1", "--limit", str(limit), "--jobs", "2"]
    killed = tmp_path / "killed"
    process = subprocess.Popen([*command, "--out", str(killed)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while len(list(killed.glob("*.parquet"))) < 2:
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.005)
    process.kill()
    process.wait()
    done = {file.name: file.stat().st_mtime_ns for file in killed.glob("*.parquet")}
    assert 2 <= len(done) < limit
    (killed / "k02-d04-equal-0.partial").write_bytes(b"half a file")
    run = cv.study.part_one(killed, limit=limit)
    for name, written in done.items():
        assert (killed / name).stat().st_mtime_ns == written
    whole = tmp_path / "whole"
    cv.study.part_one(whole, limit=limit)
    kept = {name: text for name, text in contents(killed).items() if not name.endswith(".partial")}
    assert kept == contents(whole)
    assert len(run.finished) == limit


def test_a_larger_sample_contains_the_smaller(tmp_path):
    names = []
    for limit in (2, 4):
        cv.study.part_one(tmp_path, limit=limit, n_jobs=1)
        names.append({file.name for file in tmp_path.glob("*.parquet")})
    assert len(names[0]) == 2
    assert len(names[1]) == 4
    assert names[0] < names[1]


@pytest.mark.large
def test_tables_stand_beside_the_printed_ones_and_leave_the_rest_of_a_file_alone(tmp_path):
    cv.study.part_one(tmp_path / "run", limit=4)
    page = tmp_path / "study.md"
    page.write_text("Before\n\n<!-- part 1 -->\nold\n<!-- end of part 1 -->\n\nAfter\n", encoding="utf-8")
    cv.study.summary(tmp_path / "run", page)
    text = page.read_text(encoding="utf-8")
    assert text.startswith("Before\n")
    assert text.endswith("\n\nAfter\n")
    assert "old" not in text
    assert "A sample of 4 of the 108 data sets, seed 0; 384 partitions." in text
    assert re.search(r"\| PBM \| \d+ \| 400 \| 1 \|", text)
    rows = re.findall(r"^\| \d+ \| .* \| (\d+) \| (\d+) \| \d+ \|$", text, re.MULTILINE)
    ours, theirs = np.array(rows, dtype=float).T  # hits, and those of 2010
    differences, rho = ours - theirs, stats.spearmanr(ours, theirs).statistic
    assert (
        f"Over 40 criteria: rank correlation (Spearman) between the two orders **{rho:.3f}**, "
        f"mean difference {differences.mean():+.1f}, mean absolute difference **{np.abs(differences).mean():.1f}**."
    ) in text
    assert "Over 26 criteria: rank correlation (Spearman)" in text
    cv.study.summary(tmp_path / "run", page)
    assert page.read_text(encoding="utf-8") == text
    (tmp_path / "other.md").write_text("nothing", encoding="utf-8")
    with pytest.raises(cv.InputError, match="has no lines <!-- part 1 -->"):
        cv.study.summary(tmp_path / "run", tmp_path / "other.md")


@pytest.mark.large
def test_tables_of_a_sample_of_part_two_say_what_is_missing(tmp_path):
    cv.study.part_two(tmp_path / "run", limit=1)
    cv.study.summary(tmp_path / "run", tmp_path / "tables.md")
    text = (tmp_path / "tables.md").read_text(encoding="utf-8")
    assert text.count("no data set of this kind is done") == 3
    assert all(f"Fig. {number}" in text for number in range(13, 18))
    means = cv.study.Run(tmp_path / "run").compare(50, correlation="pearson").means("jaccard")
    ours = [means[name] for name in published.FIG_17]
    theirs = [*published.FIG_17.values()]
    difference, distance = np.subtract(ours, theirs).mean(), np.abs(np.subtract(ours, theirs)).mean()
    rho = stats.spearmanr(ours, theirs).statistic
    assert f"| Fig. 17 | 14 | {rho:.3f} | {difference:+.3f} | {distance:.3f} |" in text
    assert re.search(rf"\| PBM \|.* {means['pbm']:.3f} \(0\.689\) \|", text)
    assert re.search(rf"\| Tau \|.* {means['tau']:.3f} \|", text)  # which was not computed in 2010


def test_printed_numbers_are_in_order_and_of_known_criteria():
    names = {choice.name for choice in select("vendramin", "internal")}
    assert set(published.FIG_9) == names == set(published.PRINTED)
    for number in (9, 10, 13, 14, 15, 16, 17):
        figure = getattr(published, f"FIG_{number}")
        assert set(figure) <= names
        assert all(a >= b for a, b in pairwise(figure.values()))


# --- recommend -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("like", ["mixture", "milligan"])
def test_a_recommendation_names_the_criteria_that_follow_the_truth_on_similar_data(like):
    points, truth = cv.study.milligan(120, 3, 3, "60%", random_state=4)
    found = cv.study.recommend(
        points, truth, criteria=["silhouette", "dunn", "point_biserial"], like=like, n_datasets=6, random_state=0
    )
    assert found.trusted[0] == found.best == next(iter(found.comparison.means()))
    assert "dunn" not in found.trusted
    assert len(found.comparison) == 6
    assert found.sizes == pytest.approx((0.6, 0.2, 0.2), abs=1e-12)
    assert "Trust: " in str(found)


def test_data_that_look_like_the_users_have_their_shares_means_and_covariances():
    from clustval.study.recommend import _mixture

    rng = np.random.default_rng(0)
    points = np.concatenate([rng.normal(0, 1, (50, 2)), rng.normal(8, 3, (150, 2))])
    codes = np.repeat([0, 1], [50, 150])
    made, truth = _mixture(points, codes, 20_000, rng)
    assert np.bincount(truth) / 20_000 == pytest.approx([0.25, 0.75], abs=0.02)
    for cluster in (0, 1):
        own, like = points[codes == cluster], made[truth == cluster]
        np.testing.assert_allclose(like.mean(axis=0), own.mean(axis=0), atol=0.1)
        np.testing.assert_allclose(np.cov(like.T), np.cov(own.T), rtol=0.1, atol=0.15)


def test_a_recommendation_finds_a_rough_clustering_by_itself():
    points, _ = cv.study.milligan(80, 4, 2, random_state=0)
    found = cv.study.recommend(points, criteria=["silhouette", "dunn"], n_datasets=2, runs=2, random_state=0)
    assert 2 <= len(found.sizes) <= 8
    assert found.to_polars()["criterion"].n_unique() == found.to_pandas()["criterion"].nunique() == 2
