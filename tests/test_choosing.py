"""Choosing among clusterings: the candidates, the judge, the nulls, and the answer that there is nothing."""

from __future__ import annotations

import math
import time
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist
from sklearn.cluster import DBSCAN, KMeans

import clustval as cv
from clustval.arrays import numbered
from clustval.choosing.algorithms import ALGORITHMS, Points, default_numbers
from clustval.choosing.choice import in_words, is_torn
from clustval.choosing.judges import COMPANY, DENSITIES, FLOOR, WITNESSES, company, witnesses
from clustval.choosing.nulls import NULLS, null_of
from clustval.passes.labels.many_labellings import rand_matrix
from clustval.passes.trees.genie import even_merges, even_merges_numpy
from clustval.passes.trees.reach_tree import tree_of_points
from clustval.passes.work import thresholds
from clustval.relative.labellings import cuts
from clustval.seeding import generators
from clustval.sources.space import Space
from conftest import examples

TREES = ["ward", "average", "single", "genie"]


def blobs(seed=0, n=40, centres=(0, 10, 20), p=2):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.normal(centre, 1, (n, p)) for centre in centres])


def moons(seed=0, n=100, width=0.05):
    rng = np.random.default_rng(seed)
    a, b = np.pi * rng.uniform(size=(2, n))
    X = np.concatenate([np.c_[np.cos(a), np.sin(a)], np.c_[1 - np.cos(b), 0.5 - np.sin(b)]])
    return X + rng.normal(0, width, X.shape)


def ring(seed=0, n=200):
    rng = np.random.default_rng(seed)
    a = 2 * np.pi * rng.uniform(size=n)
    return np.c_[np.cos(a), np.sin(a)] + rng.normal(0, 0.1, (n, 2))


def agree(a, b):
    return cv.external.adjusted_rand(a, b) == 1


# --- candidates ------------------------------------------------------------------------------------------


def gini(sizes):
    """Normalised Gini index of sizes, by its definition."""
    m = len(sizes)
    return sum(abs(a - b) for a in sizes for b in sizes) / 2 / ((m - 1) * sum(sizes)) if m > 1 else 0.0


def genie_in_loops(X, limit, k):
    """Labels of Genie from the matrix of distances: join the nearest two clusters, of which one must be smallest."""
    distances = cdist(X, X)
    clusters = [[i] for i in range(len(X))]
    while len(clusters) > k:
        sizes = [len(c) for c in clusters]
        unequal = gini(sizes) > limit
        pairs = [
            (min(distances[i, j] for i in a for j in b), at, to)
            for at, a in enumerate(clusters)
            for to, b in enumerate(clusters[:at])
            if not unequal or min(len(a), len(b)) == min(sizes)
        ]
        _, at, to = min(pairs)
        clusters[to] += clusters.pop(at)
    labels = np.empty(len(X), dtype=int)
    for code, members in enumerate(clusters):
        labels[members] = code
    return labels


@pytest.mark.parametrize("limit", [0.1, 0.3, 0.6])
@pytest.mark.parametrize("seed", range(4))
def test_genie_joins_as_its_definition_says(seed, limit):
    X = np.random.default_rng(seed).normal(size=(25, 2)) * [3, 1]
    edges, _ = tree_of_points(X, np.zeros(25), n_jobs=1)
    for k, labels in cuts(even_merges_numpy(edges, limit).astype(float), [2, 3, 5, 9]).items():
        assert agree(labels, genie_in_loops(X, limit, k)), k


@pytest.mark.parametrize("n", [2, 3, 30, 300])
@pytest.mark.parametrize("limit", [0.0, 0.3, 1.0])
def test_the_compiled_genie_joins_as_the_plain_one(n, limit, set_thresholds):
    X = np.random.default_rng(n).integers(0, 8, size=(n, 2)).astype(float)
    edges, _ = tree_of_points(X, np.zeros(n), n_jobs=1)
    plain = even_merges_numpy(edges, limit)
    set_thresholds(MERGES=0)
    assert even_merges(edges, limit).tolist() == plain.tolist()


def test_sizes_just_as_unequal_as_allowed_are_not_too_unequal(set_thresholds):
    edges = np.array([[0, 1], [2, 3], [1, 2], [4, 5], [5, 6], [6, 7], [3, 4]])
    # Sizes 2, 2, 1, 1, 1, 1 differ by 8 in all, of 8 points times 5: 0.2.
    for few in (thresholds.MERGES, 0):
        set_thresholds(MERGES=few)
        assert even_merges(edges, 0.2)[2].tolist() == [8, 9]
        assert even_merges(edges, 0.19)[2].tolist() == [4, 5]


@examples(50)
@given(st.lists(st.lists(st.integers(0, 3), min_size=6, max_size=6), min_size=1, max_size=6))
def test_all_pairs_of_labellings_agree_as_the_index_says(rows):
    codes = np.stack([numbered(np.array(row)) for row in rows])
    compiled = _compiled_matrix(codes)
    for matrix in (rand_matrix(codes, n_jobs=2), compiled):
        for i, a in enumerate(codes):
            for j, b in enumerate(codes):
                assert matrix[i, j] == approx(1.0 if i == j else _rand(a, b), abs=1e-12)


def _compiled_matrix(codes):
    from clustval.passes.labels import many_labellings

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many_labellings.thresholds, "PAIRS", 0)
        return rand_matrix(codes, n_jobs=2)


def _rand(a, b):
    try:
        return cv.external.adjusted_rand(a, b)
    except cv.UndefinedIndexError:
        return 1.0  # both put all points together, or each alone


def test_codes_of_noise_alone_stay_noise():
    assert numbered(np.array([-1, -1])).tolist() == [-1, -1]


def test_numbers_of_clusters_go_to_the_root_of_n_within_limits():
    assert [default_numbers(n)[-1] for n in (5, 100, 400, 10**6)] == [4, 12, 20, 50]


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_finds_clear_clusters(name):
    X = blobs(centres=((0, 0), (20, 0), (0, 20)))
    algorithm = ALGORITHMS[name]
    points = Points(Space(X), generators(0))
    settings = list(algorithm.settings(points, [2, 3, 4]))
    assert any(agree(np.repeat(range(3), 40), codes) for codes in algorithm.run(points, settings))


@pytest.mark.parametrize("name", ["average", "genie", "hdbscan", "spectral", "leiden"])
def test_algorithms_of_distances_take_any_metric(name):
    X = blobs()
    points = Points(Space(X, metric="cityblock"), generators(0))
    settings = list(ALGORITHMS[name].settings(points, [3]))
    assert any(agree(np.repeat(range(3), 40), codes) for codes in ALGORITHMS[name].run(points, settings))


def test_trees_of_candidates_are_those_of_scipy():
    X = np.random.default_rng(0).normal(size=(60, 3))
    choice = cv.choose(X, ["ward"], k=[4], null=False)
    assert agree(choice.candidates["ward, k=4"], fcluster(linkage(X, "ward"), 4, "maxclust"))


# --- the judge -------------------------------------------------------------------------------------------


def test_the_consensus_is_the_product_of_its_three_views():
    X = moons()
    choice = cv.choose(X, ["ward", "single", "k-means"], k=range(2, 6), null=False, random_state=0)
    candidates = choice.candidates
    for name, values in choice.ranking.items():
        labels = candidates[name]
        connected = np.mean([max(cv.internal.connectivity_silhouette(X, labels, min_points=m), 0) for m in DENSITIES])
        uncut = cv.internal.knn_modularity(X, labels)
        others = sorted((_rand(labels, other) for key, other in candidates.items() if key != name), reverse=True)
        agreement = np.mean(others[:COMPANY])
        assert values["connected"] == approx(connected, abs=1e-12)
        assert values["uncut"] == approx(uncut, abs=1e-12)
        assert values["agreement"] == approx(agreement, abs=1e-12)
        expected = (connected + FLOOR) * max(uncut, 0) * math.sqrt(max(agreement, 0))
        assert values["judge"] == approx(expected, abs=1e-12)
    judged = [values["judge"] for values in choice.ranking.values()]
    assert judged == sorted(judged, reverse=True)


def test_in_five_columns_the_silhouette_and_other_algorithms_judge():
    X = blobs(p=5, centres=(0, 3, 6))
    choice = cv.choose(X, ["ward", "single", "k-means", "average", "genie"], k=range(2, 6), null=False, random_state=0)
    assert not choice.by_paths
    for name, values in choice.ranking.items():
        others = {}
        for key, labels in choice.candidates.items():
            origin = choice.ranking[key]["algorithm"]
            if origin != values["algorithm"]:
                others[origin] = max(others.get(origin, -1), _rand(choice.candidates[name], labels))
        agreement = np.mean(sorted(others.values(), reverse=True)[:WITNESSES])
        assert values["agreement"] == approx(agreement, abs=1e-12)
        silhouette = max(cv.internal.silhouette(X, choice.candidates[name]), 0)
        expected = (values["connected"] + silhouette) * max(values["uncut"], 0) * max(agreement, 0)
        assert values["judge"] == approx(expected, abs=1e-12)


def test_columns_that_do_not_vary_do_not_count():
    X = np.c_[blobs(), np.ones((120, 3))]
    assert cv.choose(X, TREES, null=False).by_paths


def test_candidates_of_one_algorithm_are_their_own_witnesses():
    matrix = np.array([[1, 0.5, 0.2], [0.5, 1, 0.4], [0.2, 0.4, 1]])
    assert witnesses(matrix, ["a", "a", "a"]).tolist() == company(matrix).tolist()
    assert witnesses(matrix, ["a", "a", "b"]) == approx([0.2, 0.4, 0.4])


def test_a_finer_candidate_is_taken_where_paths_connect_it_half_as_well():
    rng = np.random.default_rng(3)
    X = np.concatenate([rng.normal(centre, 1, (60, 2)) for centre in ((0, 0), (5, 0), (0, 7), (5, 7))])
    pairs, blobs_ = np.repeat([0, 1], 120), np.repeat(range(4), 60)
    labels = {"ward 2": pairs, "ward 4": blobs_, "genie 2": pairs, "genie 4": blobs_}
    choice = cv.choose(X, labels, null=False)
    assert (choice.k, choice.coarser) == (4, "ward 2")


def test_a_single_candidate_agrees_with_itself():
    assert company(np.ones((1, 1))).tolist() == [1.0]


@pytest.mark.parametrize(("judge", "best"), [("silhouette", max), ("davies_bouldin", min), ("dcm", max)])
def test_any_index_may_judge(judge, best):
    X = blobs()
    choice = cv.choose(X, TREES, k=range(2, 6), judge=judge, null=False)
    values = {name: cv.evaluate(X, labels, [judge])[judge] for name, labels in choice.candidates.items()}
    assert choice.ranking[choice.name]["judge"] == approx(best(values.values()), rel=1e-12)
    assert choice.confidence is None


def far_groups(seed=0, n=60):
    """Four blobs side by side, and one more on either side of them, far away."""
    rng = np.random.default_rng(seed)
    centres = [(x, y) for x in (0, 5) for y in (0, 5)] + [(-30, 0), (30, 0)]
    return np.concatenate([rng.normal(centre, 1, (n, 2)) for centre in centres])


def test_clusters_that_fall_into_clusters_are_cut():
    groups = {"groups": np.repeat([0, 1, 2], [240, 60, 60]), "blobs": np.repeat(range(6), 60)}
    choice = cv.choose(far_groups(), groups, null=False)
    assert (choice.name, choice.k, choice.coarser) == ("blobs", 6, "groups")
    assert list(choice.ranking) == ["blobs", "groups"]
    assert choice.ranking["groups"]["judge"] > choice.ranking["blobs"]["judge"]
    assert choice.alternatives == ("groups",)
    assert "clusters of groups fall into clusters themselves" in str(choice)
    other = cv.choose(far_groups(), groups, judge="dcm", null=False)
    assert (other.name, other.coarser) == ("groups", None)


def test_noise_stays_noise_where_clusters_are_cut():
    X = np.concatenate([far_groups(), [[0.0, 40.0]] * 20])
    fine, coarse = np.repeat([*range(6), -1], [60] * 6 + [20]), np.repeat([0, 1, 2, -1], [240, 60, 60, 20])
    choice = cv.choose(X, {"coarse": coarse, "fine": fine}, null=False)
    assert (choice.name, choice.coarser) == ("fine", "coarse")


def test_round_clusters_and_small_ones_are_not_cut():
    X = blobs(n=100)
    choice = cv.choose(X, TREES, k=range(2, 30), null=False)
    assert (choice.k, choice.coarser) == (3, None)
    few = far_groups(n=5)
    assert cv.choose(few, {3: np.repeat([0, 1, 2], [20, 5, 5]), 6: np.repeat(range(6), 5)}, null=False).coarser is None


def test_noise_counts_against_a_candidate():
    X, labels = blobs(), np.repeat(range(3), 40)
    noisy = np.where(np.arange(120) % 4 == 0, -1, labels)
    choice = cv.choose(X, {"noisy": noisy, "whole": labels}, null=False)
    assert list(choice.ranking) == ["whole", "noisy"]
    assert choice.ranking["noisy"]["noise"] == approx(0.25)
    assert choice.ranking["noisy"]["judge"] < choice.ranking["whole"]["judge"]


# --- the choice ------------------------------------------------------------------------------------------


def test_moons_are_found_where_the_silhouette_cuts_them():
    X, truth = moons(), np.repeat([0, 1], 100)
    choice = cv.choose(X, null=False, random_state=0)
    assert choice.k == 2
    assert agree(choice.labels, truth)
    assert not agree(cv.choose(X, null=False, judge="silhouette", random_state=0).labels, truth)


def test_structure_is_told_from_noise():
    rng = np.random.default_rng(0)
    clusters = cv.choose(blobs(), TREES, n_references=19, random_state=0)
    assert clusters.structure.exists
    assert clusters.structure.p_value <= 0.05
    for X in (rng.normal(size=(100, 2)), rng.uniform(size=(100, 3))):
        choice = cv.choose(X, TREES, n_references=19, random_state=0)
        assert (choice.k, choice.name) == (1, "no structure")
        assert choice.labels.tolist() == [0] * 100
        assert choice.structure.exists is False
        assert choice.alternatives == ()
        assert "one cluster: k = 1" in str(choice)


def test_the_best_clustering_is_kept_where_there_is_nothing():
    choice = cv.choose(np.random.default_rng(0).normal(size=(100, 2)), TREES, n_references=19, random_state=0)
    assert choice.structure.evidence == "nothing"
    assert agree(choice.best_labels, choice.candidates[choice.best])
    assert choice.ranking[choice.best]["k"] in choice.k_range
    assert choice.confidence != "high"


def test_wine_has_no_gaps_but_groups_that_are_kept():
    wine = cv.data.load("wine")
    X = (wine.X - wine.X.mean(axis=0)) / wine.X.std(axis=0)
    choice = cv.choose(X, ["ward", "k-means", "genie"], k=range(2, 8), random_state=0)
    assert choice.structure.evidence == "continuum"
    assert choice.structure.exists is False
    assert str(choice).startswith("No gaps; if you must group, 3")
    assert choice.labels.tolist() == choice.best_labels.tolist()
    assert cv.external.adjusted_rand(wine.truth, choice.labels) > 0.8
    assert f"{choice.title}." in choice.to_html()


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "precomputed", "gower"])
def test_values_on_the_page_of_a_choice_are_by_the_metric_of_the_choice(metric):
    X = blobs() + np.array([9, 0])
    if metric == "precomputed":
        X = cdist(X, X, "cityblock")
    elif metric == "gower":
        X = pd.DataFrame({"x": X[:, 0], "kind": np.where(X[:, 1] > 5, "far", "near")})
    choice = cv.choose(X, ["average"], k=[3], metric=metric, null=False)
    silhouette = cv.evaluate(X, choice.labels, "silhouette", metric=metric)["silhouette"]
    assert f"The mean silhouette is {silhouette:.3f}" in choice.to_html()


def test_a_column_that_decides_alone_is_named():
    wine = cv.data.load("wine")
    choice = cv.choose(wine.X, ["ward", "k-means"], k=range(2, 6), random_state=0)
    assert choice.dominant == "column 12"
    assert "Nearly all of the variance is that of column 12" in str(choice)
    assert "Column &#39;12&#39; varies" in choice.to_html()
    frame = pd.DataFrame({"metres": [0.0, 1, 2, 10, 11, 12] * 4, "inches": np.arange(24) * 1000.0})
    assert cv.choose(frame, ["ward"], null=False).dominant == "the column 'inches'"
    assert cv.choose(wine.X, ["average"], k=[3], null=False, metric="cosine").dominant is None
    assert cv.choose(blobs(), ["ward"], null=False).dominant is None


def test_the_range_holds_the_numbers_of_candidates_that_are_nearly_as_good():
    choice = cv.choose(blobs(centres=(0, 4, 20)), TREES, k=range(2, 8), null=False)
    values = {name: values["judge"] for name, values in choice.ranking.items()}
    near = {choice.ranking[name]["k"] for name, value in values.items() if value >= 0.7 * max(values.values())}
    assert choice.k_range == tuple(sorted(near | {choice.k}))
    assert cv.choose(blobs(), TREES, null=False, judge="dcm").k_range == (3,)


def test_iris_is_not_taken_for_two_clusters_with_high_confidence():
    choice = cv.choose(cv.data.load("iris").X, null=False, stability=False, random_state=0)
    assert choice.confidence != "high"
    assert {2, 3} <= set(choice.k_range)
    assert is_torn(choice.compact_rival)


def test_numbers_are_read_as_ranges():
    assert [in_words(numbers) for numbers in ([3], [2, 3], [2, 4, 5, 6], [2, 4, 7])] == [
        "3", "2 or 3", "2 or 4 to 6", "2, 4 or 7",
    ]  # fmt: skip


def test_equal_points_have_no_structure():
    for choice in (cv.choose(np.ones((20, 2)), random_state=0), cv.choose(np.ones((20, 2)), TREES, null=False)):
        assert choice.k == 1
        assert all(map(math.isnan, choice.structure.p_values.values()))
        assert set(choice.structure.reasons.values()) == {"all points are equal"}


def test_the_answer_does_not_depend_on_threads_or_the_order_of_rows():
    X = blobs(centres=(0, 5, 10))
    one = cv.choose(X, TREES, n_references=19, random_state=0, n_jobs=1)
    assert one == cv.choose(X, TREES, n_references=19, random_state=0, n_jobs=2)
    order = np.random.default_rng(0).permutation(len(X))
    other = cv.choose(X[order], TREES, null=False)
    assert agree(other.labels, one.labels[order])
    assert {n: v["judge"] for n, v in other.ranking.items()} == approx(
        {n: v["judge"] for n, v in one.ranking.items()}, rel=1e-9
    )


@pytest.mark.parametrize("factor", [2.0**-30, 1000.0])
def test_the_answer_does_not_depend_on_units(factor):
    X = blobs(centres=(0, 4, 8))
    a, b = (cv.choose(points, TREES, null=False) for points in (X, X * factor))
    assert a.name == b.name
    assert a.labels.tolist() == b.labels.tolist()


def test_labels_of_any_form_are_candidates():
    X, truth = blobs(), np.repeat(["a", "b", "c"], 40)
    parts = {"good": truth, "bad": np.arange(120) % 3}
    assert cv.choose(X, parts, null=False).name == "good"
    assert cv.choose(X, list(parts.values()), null=False).name == 0
    assert math.isnan(cv.choose(X, parts, null=False).stability)


def test_estimators_are_candidates_with_their_grids():
    X = blobs()
    choice = cv.choose(X, {"km": KMeans(n_init=3), "db": (DBSCAN(), {"eps": [0.5, 2.0]})}, k=[2, 3], null=False)
    assert set(choice.ranking) >= {"km, k=2", "km, k=3", "db, eps=2.0"}
    assert choice.k == 3
    assert cv.choose(X, KMeans(n_init=3), k=[3], null=False, random_state=0).stability == approx(1.0)
    assert set(cv.choose(X, ["ward", DBSCAN(eps=2)], k=[3], null=False).ranking) == {"ward, k=3", "DBSCAN"}
    assert set(cv.choose(X, (DBSCAN(), {"eps": [2.0]}), null=False).ranking) == {"DBSCAN, eps=2.0"}


def test_what_half_of_the_points_cannot_have_has_no_stability():
    X = np.random.default_rng(0).normal(size=(20, 2))
    ranking = cv.choose(X, [KMeans(n_init=1)], k=[2, 3, 11], null=False, random_state=0).ranking
    assert math.isnan(ranking["KMeans, k=11"]["stability"])
    assert 0 < ranking["KMeans, k=2"]["stability"] <= 1
    one = cv.choose(X, [KMeans(n_init=1)], k=[2], null=False, random_state=0)
    assert one.stability == ranking["KMeans, k=2"]["stability"]
    with pytest.raises(cv.InputError, match="k must be at most 20"):
        cv.choose(X, [KMeans(n_init=1)], k=[21], null=False)
    with pytest.raises(cv.InputError, match="DBSCAN cannot cluster these points"):
        cv.choose(X, [DBSCAN(eps=-1)], null=False)
    with pytest.raises(cv.InputError, match="gave 20 labels for 10 points"):
        cv.choose(X, lambda _X, k, _rng: np.arange(20) % k, k=[2], null=False)


def test_seconds_may_be_numbers_of_numpy():
    assert cv.choose(blobs(), ["ward"], null=False, time=np.int64(600)).k == 3


def test_a_function_is_a_candidate():
    thirds = lambda X, k, _rng: np.searchsorted(np.quantile(X[:, 0], np.arange(1, k) / k), X[:, 0])  # noqa: E731
    assert cv.choose(blobs(), thirds, k=[2, 3], null=False).name == "<lambda>, k=3"


def test_warnings_are_switched_off_once_around_all_threads_and_on_again():
    seen = []

    def thirds(X, k, _rng):
        seen.append(warnings.filters)
        return np.searchsorted(np.quantile(X[:, 0], np.arange(1, k) / k), X[:, 0])

    before = warnings.filters
    cv.choose(blobs(), thirds, k=[2, 3, 4], null=False, stability=False, n_jobs=2)
    assert len(seen) == 3
    assert all(filters is seen[0] for filters in seen)
    assert seen[0] is not before
    assert warnings.filters is before


def test_distances_alone_can_be_chosen_from():
    X = blobs()
    choice = cv.choose(cdist(X, X), metric="precomputed", k=range(2, 6), random_state=0)
    assert choice.k == 3
    assert choice.structure.exists is None
    assert (
        "It could not be tested whether there is structure: from distances alone no data without clusters can be drawn."
        in choice.reasons
    )
    assert not any(name.startswith(("ward", "k-means", "mixture")) for name in choice.ranking)


def test_sets_are_compared_with_permuted_ones_and_not_asked_for_gaps():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (40, 8)).astype(bool)
    structure = cv.choose(X, ["average"], metric="jaccard", n_references=19, random_state=0).structure
    assert structure.evidence == "nothing"
    assert math.isnan(structure.p_values["gaps"])
    assert list(structure.null) == ["permuted"]
    assert "between two codes there is always a gap" in str(structure)
    codes = np.repeat([[0, 1, 2, 0, 1, 2], [1, 2, 0, 1, 2, 0]], 30, axis=0)
    codes = np.where(rng.random(codes.shape) < 0.1, 3, codes).astype(float)
    assert cv.structure(codes, metric="hamming", random_state=0).evidence == "continuum"


def test_directions_are_compared_with_directions():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 12))
    answer = cv.structure(X, metric="cosine", n_references=19, random_state=0)
    assert answer.evidence == "nothing"
    assert list(answer.null) == ["sphere"]
    X[:60, 0] += 8
    X[60:, 1] += 8
    answer = cv.structure(X * rng.uniform(1, 50, (120, 1)), metric="cosine", random_state=0)
    assert answer.evidence == "gaps"


def test_two_places_are_two_clusters():
    X = np.repeat([[0.0, 0.0], [1.0, 1.0]], 200, axis=0)
    choice = cv.choose(X, random_state=0, n_references=19)
    assert choice.k == 2
    assert agree(choice.labels, np.repeat([0, 1], 200))
    few = cv.choose(X[::10], random_state=0, n_references=19)  # of two values each, as codes have
    assert few.k == 1
    assert "if there must be groups, 2" in str(few)


def test_large_data_are_sampled_and_the_rest_assigned():
    X = blobs(n=300)
    choice = cv.choose(X, TREES, sample=200, null=False, random_state=0)
    assert len(choice.sample) == len(choice.candidates[choice.name]) == 200
    assert agree(choice.labels, np.repeat(range(3), 300))
    assert "200 of 900 points" in str(choice)
    far = cv.choose(X, ["average"], sample=200, null=False, random_state=0, metric="cityblock")
    assert agree(far.labels, np.repeat(range(3), 300))


def test_labels_of_large_data_are_judged_by_a_sample_and_kept():
    X, truth = blobs(n=300), np.repeat([5, 7, 9], 300)
    rows = cv.choose(X, {"truth": truth}, sample=50, null=False, random_state=0).sample
    truth[0 if rows[0] else 1] = 10  # a cluster of one point, which is not in the sample
    kept = cv.choose(X, {"truth": truth}, sample=50, null=False, random_state=0)
    assert agree(kept.labels, truth)
    assert kept.k == 4


ASKED, CODES, EQUAL = {}, {"gaps": "codes have gaps"}, dict.fromkeys(("gaps", "continuum"), "all points are equal")


@pytest.mark.parametrize(
    ("evidence", "reasons", "sentence"),
    [
        (
            "gaps",
            ASKED,
            "There is structure: gaps separate groups, confirmed on points that were not used to find them.",
        ),
        ("continuum", ASKED, "No gaps, but the data are more clustered than their columns and correlations explain."),
        (
            "continuum",
            CODES,
            (
                "Gaps cannot be tested (codes have gaps), but the data are more clustered than their columns and "
                "correlations explain."
            ),
        ),
        ("nothing", ASKED, "No structure: no gaps, and data drawn without clusters look as clustered as these."),
        (
            "nothing",
            CODES,
            (
                "No structure: gaps cannot be tested (codes have gaps), and data drawn without clusters look "
                "as clustered as these."
            ),
        ),
        ("nothing", EQUAL, "No structure: all points are equal."),
        (None, EQUAL, "It could not be tested whether there is structure: all points are equal."),
        (None, CODES, "It could not be tested whether there is structure. Gaps not tested: codes have gaps."),
    ],
)
def test_the_answer_says_what_was_seen_and_once_what_could_not_be(evidence, reasons, sentence):
    p_values = {"gaps": float("nan"), "continuum": float("nan")}
    assert cv.Structure(evidence, p_values, reasons, {}, {}, float("nan"), 0, 9).answer == sentence


def test_what_time_leaves_out_is_said(monkeypatch):
    X = blobs()
    clock = iter([0.0, *([1.0] * 3), *([99.0] * 10_000)])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    choice = cv.choose(X, time=10, n_jobs=1)
    assert "stability" in choice.left_out
    assert set(choice.left_out.values()) == {"time was up before it started"}
    assert choice.structure.exists is None
    assert "could not be tested" in str(choice)
    assert "time was up before it was asked" in str(choice)
    assert choice.k > 1


def test_alternatives_differ_clearly_from_the_choice_and_each_other():
    X = blobs(centres=(0, 6, 30, 36))
    choice = cv.choose(X, TREES, k=range(2, 8), null=False)
    names = [choice.name, *choice.alternatives]
    assert len(names) > 1
    for at, name in enumerate(names):
        for other in names[:at]:
            assert cv.external.adjusted_rand(choice.candidates[name], choice.candidates[other]) < 0.8


def test_doubtful_points_are_noise_or_have_their_neighbours_elsewhere():
    X, labels = blobs(), np.repeat(range(3), 40)
    labels[0], labels[50] = 1, -1
    choice = cv.choose(X, {"labels": labels}, null=False)
    assert choice.doubtful.tolist() == [50, 0]
    assert "2 points are doubtful (1.67 %)." in choice.reasons
    head, row = (line.split() for line in str(choice).splitlines() if line.startswith(("candidate", "labels  ")))
    assert dict(zip(head, row, strict=True))["noise"] == "0.00833"
    labels[50] = labels[49]
    assert "1 point is doubtful (0.833 %)." in cv.choose(X, {"labels": labels}, null=False).reasons


def test_the_choice_is_a_table_a_page_and_a_picture(tmp_path):
    X = blobs()
    choice = cv.choose(X, TREES, n_references=19, random_state=0)
    frame = choice.to_pandas()
    assert list(frame.index) == list(choice.ranking)
    assert choice.to_polars()["judge"].to_list() == approx(frame["judge"].tolist())
    page = choice.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    assert page.index("There are 3 clusters") < page.index('id="choice-title"')
    assert "<b>3 clusters (confidence high)" in choice._repr_html_()
    assert choice.plot() is not None
    nothing = cv.choose(np.random.default_rng(0).uniform(size=(60, 2)), TREES, n_references=19, random_state=0)
    assert "There are no clusters here" in nothing.to_html()
    with pytest.raises(cv.InputError, match="This Choice was read from JSON"):
        cv.Choice.from_json(choice.to_json()).plot()
    of_distances = cv.choose(cdist(X, X), ["average"], metric="precomputed", null=False)
    with pytest.raises(cv.InputError, match="Only coordinates can be drawn"):
        of_distances.plot()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [[0], [1]]}, "5 points at least; X has 2 rows"),
        ({"judge": "trace_w"}, "highest or the lowest value is best"),
        ({"judge": "silhouetta"}, "Did you mean"),
        ({"candidates": ["wards"]}, "candidates"),
        ({"candidates": {}}, "candidates is empty"),
        ({"candidates": {"mine": np.zeros(120), "km": KMeans()}}, "'mine' is no algorithm"),
        ({"candidates": {"a": [0, 1]}}, "has 2 entries"),
        ({"candidates": [np.zeros(120)]}, "two clusters or more"),
        ({"time": 0}, "seconds above 0"),
        ({"time": "5"}, "seconds above 0"),
        ({"judge": None}, "judge must be 'consensus' or an index of which .*; it is None"),
        ({"judge": []}, "judge is empty"),
        ({"null": ["normal"]}, "null"),
        ({"null": []}, "null is empty; name at least one, such as 'gaussian'"),
        ({"sample": 2}, "sample"),
        ({"n_references": 18}, "n_references"),
        ({"k": 1}, "k must be"),
    ],
)
def test_errors_say_what_to_do(arguments, message):
    with pytest.raises(cv.InputError, match=message):
        cv.choose(**({"X": blobs()} | arguments))


# --- nulls -----------------------------------------------------------------------------------------------


def test_the_gaussian_null_has_the_mean_and_covariance_of_the_data():
    X = np.random.default_rng(0).normal(size=(40, 3)) @ np.array([[2, 0, 0], [1, 1, 0], [0, 0, 0.5]]) + 5
    for data in (X, X[:3]):  # more points than columns, or as many
        draw = NULLS["gaussian"](data)(np.random.default_rng(1))
        assert draw.shape == data.shape
        assert draw.mean(axis=0) == approx(data.mean(axis=0))
        assert np.cov(draw.T) == approx(np.cov(data.T))
        assert np.abs(draw - data).max() > 0.1


def test_the_turned_null_fills_the_box_of_the_principal_components():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(3000, 2)) * [10, 1]
    turned = X @ np.array([[np.cos(1), np.sin(1)], [-np.sin(1), np.cos(1)]])
    draw = NULLS["turned"](turned)(np.random.default_rng(1))
    _, spreads, _ = np.linalg.svd(draw - draw.mean(axis=0), full_matrices=False)
    assert spreads / math.sqrt(3000) == approx([10 / math.sqrt(12), 1 / math.sqrt(12)], rel=0.1)


def test_the_skeleton_keeps_a_ring_and_fills_gaps():
    X = ring()
    radius = np.linalg.norm(NULLS["skeleton"](X)(np.random.default_rng(0)), axis=1)
    assert np.quantile(radius, [0.02, 0.98]) == approx([1, 1], abs=0.6)
    two = blobs(centres=(0, 20))
    draw = NULLS["skeleton"](two)(np.random.default_rng(0))
    middle = np.abs(draw @ [0.5, 0.5] - 10) < 5
    assert not (np.abs(two @ [0.5, 0.5] - 10) < 5).any()
    assert middle.sum() > 5


def test_a_null_of_the_users_own_must_give_points():
    _, draw = null_of(lambda X, rng: rng.permuted(X, axis=0), np.ones((4, 2)))
    assert draw(np.random.default_rng(0)).shape == (4, 2)
    for answer, message in (
        (np.ones((4, 1)), "must give as many points as X has, 4 rows of 2 columns; it gave 4 rows of 1 columns"),
        (np.ones((3, 2)), "must give as many points as X has, 4 rows of 2 columns; it gave 3 rows of 2 columns"),
        ([["a", "b"]], "the result of <lambda> must hold real numbers; it holds text"),
        (None, "the result of <lambda> must have rows and columns"),
        (np.full((4, 2), np.nan), "the result of <lambda> must be finite"),
    ):
        _, bad = null_of(lambda _X, _rng, answer=answer: answer, np.ones((4, 2)))
        with pytest.raises(cv.InputError, match=message):
            bad(np.random.default_rng(0))


# --- significance ----------------------------------------------------------------------------------------


def test_clear_clusters_beat_every_draw():
    result = cv.significance(blobs(), k=range(2, 6), B=39, random_state=0)
    assert result.best_k == 3
    assert result.p_value == approx(1 / 40)
    assert result.value == approx(cv.internal.silhouette(blobs(), np.repeat(range(3), 40)))
    assert set(result.null) == {"gaussian", "uniform", "turned"}
    assert result.null["gaussian"].shape == (39, 4)
    assert result.to_pandas().shape[0] == 4
    assert "stands out most at k = 3" in str(result)


def test_one_gaussian_beats_few_draws():
    X = np.random.default_rng(3).normal(size=(80, 2))
    assert cv.significance(X, k=range(2, 5), B=39, random_state=0).p_value > 0.05


@pytest.mark.parametrize("index", ["davies_bouldin", "calinski_harabasz"])
def test_p_values_and_z_scores_are_those_of_loops(index):
    X = blobs(centres=(0, 3))
    result = cv.significance(X, index=index, k=[2, 3], B=9, null="gaussian", random_state=0)
    draws = result.null["gaussian"]
    turned = -1 if index == "davies_bouldin" else 1
    z = lambda row: [  # noqa: E731
        turned * (row[k] - np.mean(draws[:, k])) / np.std(draws[:, k], ddof=1) for k in range(2)
    ]
    assert result.standardized == approx(z(result.values))
    draws = np.vstack([result.values, draws])  # noqa: PD011 - the value is one of ten that are alike under the null
    assert result.p_value == approx(sum(max(z(row)) >= max(z(result.values)) for row in draws) / 10)


def test_labels_and_estimators_are_compared_with_the_same_procedure():
    X, labels = blobs(), np.repeat(range(3), 40)
    result = cv.significance(X, labels, B=19, random_state=0)
    assert (result.k.tolist(), result.value) == ([3], approx(cv.internal.silhouette(X, labels)))
    assert cv.significance(X, KMeans(n_init=2), k=[3], B=9, random_state=0).best_k == 3
    assert cv.significance(X, DBSCAN(eps=2), B=9, random_state=0).k.tolist() == [0]
    assert cv.significance(X, k=[3], B=5, n_jobs=1, random_state=0) == cv.significance(X, k=[3], B=5, random_state=0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"X": [[0, 1], [1, 0]], "metric": "precomputed"}, "coordinates"),
        ({"null": ()}, "null is empty"),
        ({"null": (), "metric": "hamming"}, "name at least one, such as 'permuted'"),
        ({"null": "normal"}, "null"),
        ({"null": 3}, "null must be one of .*; it is 3"),
        ({"null": [["permuted"]], "metric": "hamming", "clustering": np.repeat(range(3), 40)}, "null must be one of"),
        ({"clustering": np.repeat(range(3), 40), "k": 3}, "k"),
        ({"clustering": DBSCAN(), "k": 3}, "takes no number"),
        ({"clustering": np.zeros(120)}, "silhouette needs from 2 to 120 clusters .* the labels form 1"),
        ({"clustering": np.full(120, -1)}, "silhouette needs clusters; every point is noise"),
        ({"clustering": np.arange(120), "index": "dunn"}, "dunn needs from 2 to 119 clusters"),
        ({"clustering": DBSCAN(eps=1e-9)}, "silhouette needs clusters; every point is noise"),
        ({"X": np.zeros((20, 2)), "clustering": np.arange(20) % 2}, "every point is at distance 0"),
        (
            {"clustering": lambda X, k, _rng: np.arange(len(X) - 1) % k, "k": 2},
            "gave 119 labels for 120 points at k = 2",
        ),
        ({"clustering": lambda *_: None, "k": 2}, "the result of <lambda> is None"),
        ({"index": "trace_w"}, "index must be one of which the highest or the lowest"),
        ({"index": None}, "index must be one of which the highest or the lowest value .*; it is None"),
        ({"B": 0}, "B must be"),
    ],
)
def test_errors_of_significance_say_what_to_do(arguments, message):
    with pytest.raises(cv.InputError, match=message):
        cv.significance(**({"X": blobs()} | arguments))


@pytest.mark.parametrize("metric", ["hellinger", "jensenshannon"])
def test_a_null_that_the_metric_cannot_compare_is_named_with_one_that_it_can(metric):
    X = np.random.default_rng(0).dirichlet([1, 1, 1], 60)
    labels = np.arange(60) % 3
    message = f"The null 'gaussian' draws points that the metric '{metric}' cannot compare; use null='permuted'"
    with pytest.raises(cv.InputError, match=message):
        cv.significance(X, labels, B=9, metric=metric, random_state=0)
    assert 0 < cv.significance(X, labels, B=9, metric=metric, null="permuted", random_state=0).p_value <= 1
    X[:] = np.eye(3)[labels]  # in another order of each column some rows have no share at all
    with pytest.raises(cv.InputError, match=r"The null 'permuted' .* give a function \(X, rng\) -> points"):
        cv.significance(X, labels, B=9, metric=metric, null="permuted", random_state=0)


def test_an_error_of_the_algorithm_is_not_taken_for_one_of_the_null():
    X = np.random.default_rng(0).dirichlet([1, 1, 1], 60)
    short = lambda X, k, _rng: np.arange(len(X) - (X[0, 0] != first)) % k  # noqa: E731
    first = X[0, 0]
    with pytest.raises(cv.InputError, match="gave 59 labels for 60 points"):
        cv.significance(X, short, k=2, B=9, metric="hellinger", null="permuted", random_state=0)


# --- one mode --------------------------------------------------------------------------------------------


def test_one_gaussian_has_one_mode_and_two_clusters_have_two():
    assert cv.unimodality(np.random.default_rng(0).normal(size=(200, 3))).p_value > 0.05
    assert cv.unimodality(blobs(centres=(0, 8))).p_value < 0.01
    assert "more than one mode" in str(cv.unimodality(blobs(centres=(0, 8))))


def test_candidates_with_the_same_clusters_are_printed_once():
    X, three = blobs(), np.repeat([0, 1, 2], len(blobs()) // 3)
    same = {"ours": three, "renamed": (three + 1) % 3, "as text": three.astype(str), "two": three > 0}
    choice = cv.choose(X, same, null=False)
    for kept in (choice, cv.Choice.from_json(choice.to_json())):
        assert [(row["candidate"], row["found"]) for row in kept.different] == [("ours", 3), ("two", 1)]
    assert "renamed" not in str(choice).split("candidate")[-1]
    assert len(choice.ranking) == len(same)


def test_no_line_says_that_there_are_no_gaps_where_gaps_were_not_tested():
    codes = np.random.default_rng(0).integers(0, 3, (120, 2))[np.repeat(np.arange(40), 3)]
    choice = cv.choose(codes, TREES, metric="hamming", random_state=0, n_references=19)
    assert "gaps" in choice.structure.reasons
    tested = replace(choice, structure=replace(choice.structure, evidence="continuum"), name=choice.best)
    assert tested.title.startswith("Gaps cannot be tested; if you must group, ")


def test_the_first_line_says_how_sure_the_answer_is():
    choice = cv.choose(blobs(), TREES, n_references=19, random_state=0)
    assert choice.verdict.startswith("There are 3 clusters (confidence high): ")
    less = replace(choice, rival=0.85, k_range=(3, 4, 5))
    assert str(less).startswith("3 clusters are best supported (medium); 4 or 5 are possible: ")
    assert replace(less, k_range=(2, 3)).verdict.startswith("3 clusters are best supported (medium); 2 is possible: ")
    assert cv.choose(blobs(), TREES, judge="silhouette", null=False).title.startswith(
        "3 clusters are best by silhouette"
    )


def test_confidence_is_not_high_where_nobody_asked_for_clusters():
    X = blobs()
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    unasked = cv.choose(X, TREES, null=False), "was not asked"
    undrawn = cv.choose(distances, TREES, metric="precomputed"), "from distances alone"
    for choice, words in (unasked, undrawn):
        assert choice.confidence == "medium"
        assert any(words in sentence for sentence in choice.reasons)
        assert "Confidence is medium: whether there are clusters at all is not known." in choice.reasons


def test_a_page_without_structure_shows_the_points_and_what_data_without_clusters_give():
    X = np.random.default_rng(0).uniform(size=(60, 2))
    page = cv.choose(X, TREES, n_references=19, random_state=0).to_html()
    assert 'id="plane"' in page
    assert 'id="nulls"' in page
    assert "as if there were clusters" in page
    assert "Before you trust" not in page  # no warning of one giant cluster where there is none


def test_uniform_points_are_those_of_the_columns_and_of_the_principal_components():
    X = blobs()
    options = {"k": [2], "B": 3, "random_state": 0}
    assert list(cv.significance(X, null="uniform", **options).null) == ["uniform", "turned"]
    assert list(cv.significance(X, null=["turned", "uniform"], **options).null) == ["turned", "uniform"]
    assert list(cv.significance(X[:, :1], null="uniform", **options).null) == ["uniform"]  # one column has one box


def test_a_value_is_standardized_as_the_draws_are():
    draws = np.random.default_rng(0).normal(size=(6, 2))
    for at in range(6):  # whichever of them is the value, p-values are its rank among all
        rest = np.delete(draws, at, axis=0)
        result = cv.Significance("silhouette", 1, np.array([2, 3]), draws[at], {"uniform": rest})
        steps = ((draws - draws.mean(axis=0)) / draws.std(axis=0, ddof=1)).max(axis=1)
        assert result.p_value == (steps >= steps[at]).sum() / 6
