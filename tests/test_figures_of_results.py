"""Figures of results: the dendrogram beside SciPy's, and what the others show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy.cluster import hierarchy

import clustval as cv
from clustval import data
from clustval.plot.dendrograms import branches_of
from clustval.sources.hierarchy import tree_of

pyplot = pytest.importorskip("matplotlib.pyplot")
IRIS = data.load("iris")
LABELS = IRIS.clusterings["kmeans"]


@pytest.fixture(autouse=True)
def closed():
    pyplot.switch_backend("agg")
    yield
    pyplot.close("all")


def tree(n: int, seed: int = 0):
    return hierarchy.linkage(np.random.default_rng(seed).normal(size=(n, 2)), "average")


def texts_of(ax) -> list[str]:
    return [text.get_text() for text in ax.get_legend().get_texts()]


# Dendrograms


@given(st.integers(2, 30), st.integers(0, 10**6))
def test_brackets_are_those_of_scipy(n, seed):
    Z = tree(n, seed)
    theirs = hierarchy.dendrogram(Z, no_plot=True)
    expected = np.stack([(np.array(theirs["icoord"]) - 5) / 10, np.array(theirs["dcoord"])], axis=-1)
    ours = branches_of(tree_of(Z)).brackets
    assert np.array(sorted(ours.tolist())) == approx(np.array(sorted(expected.tolist())))


@given(st.integers(2, 30), st.integers(1, 30), st.integers(0, 10**6))
def test_clusters_of_a_dendrogram_are_those_of_the_cut(n, k, seed):
    k = min(k, n)
    Z = tree(n, seed)
    whole = tree_of(Z)
    branches = branches_of(whole, k)
    below = hierarchy.fcluster(Z, k, "maxclust")
    for merge, cluster in enumerate(branches.bracket_clusters):
        first, size = whole.starts[n + merge], whole.sizes[n + merge]
        members = set(below[whole.order[first : first + size]].tolist())
        assert (cluster is not None) == (len(members) == 1)
    if branches.cut is not None and 1 < k < n:
        assert (whole.heights > branches.cut).sum() == k - 1


def test_many_merges_are_folded_into_triangles_as_wide_as_they_have_points():
    whole = tree_of(tree(100))
    branches = branches_of(whole, 3, most=10)
    assert len(branches.brackets) == 10
    widths = branches.folded[:, 2, 0] - branches.folded[:, 1, 0] + 1
    single = 11 - len(widths)  # points that the last merges join themselves
    assert widths.sum() + single == 100
    assert branches.folded[:, 0, 1].max() <= whole.heights[89]


def test_a_dendrogram_has_names_a_cut_and_colours():
    ax = cv.plot.dendrogram(tree(12), k=3, names=list("abcdefghijkl"))
    order = tree_of(tree(12)).order
    assert [text.get_text() for text in ax.get_xticklabels()] == ["abcdefghijkl"[at] for at in order]
    (lines,) = (part for part in ax.collections if part.get_gid() == "branches")
    assert len({tuple(tone) for tone in lines.get_colors()}) > 1
    assert [line.get_gid() for line in ax.lines] == ["cut"]
    with pytest.raises(cv.InputError, match="Z is a tree of 12 points but names has 1 entries"):
        cv.plot.dendrogram(tree(12), names=["a"])
    with pytest.raises(cv.InputError, match="k must be a whole number from 1; it is 0"):
        cv.plot.dendrogram(tree(12), k=0)


def test_values_of_a_tree_are_drawn_as_its_dendrogram():
    X = np.random.default_rng(0).normal(size=(12, 2))
    ax = cv.trees.evaluate(hierarchy.linkage(X, "average"), X).plot(k=2)
    assert ax.get_ylabel() == "height of a merge"
    memberships = np.full((12, 2), 0.5)
    with pytest.raises(cv.InputError, match="'silhouette' was not evaluated; "):
        cv.fuzzy.evaluate(X, memberships).plot()


# Beside nulls


def test_structure_is_drawn_beside_its_nulls():
    points = np.random.default_rng(0).normal(size=(40, 2))
    answer = cv.structure(points, n_references=19, random_state=0)
    ax = answer.plot()
    draws = list(answer.null.values())[-1]
    assert sum(patch.get_height() for patch in ax.patches) == len(draws)
    assert ax.lines[0].get_xdata()[0] == answer.statistic
    assert ax.get_xlabel().endswith(f"{(draws >= answer.statistic).sum()} of {len(draws)} sets as much or more")
    with pytest.raises(cv.InputError, match=r"No data without clusters were drawn.*there are gaps"):
        cv.structure(IRIS.X, random_state=0).plot()


def test_significance_is_drawn_with_the_range_of_each_null():
    result = cv.significance(IRIS.X, k=[2, 3], B=5, random_state=0)
    ax = result.plot()
    assert ax.lines[0].get_ydata() == approx(result.values)
    low = ax.collections[0].get_paths()[0].vertices[:, 1].min()
    assert low == approx(next(iter(result.null.values())).min())
    assert texts_of(ax)[-1] == f"k = {result.best_k}, stands out most"


def test_strength_and_consensus_are_drawn_over_k():
    strength = cv.prediction_strength(IRIS.X, [2, 3, 4], n_splits=2, random_state=0)
    assert strength.plot().lines[0].get_ydata() == approx(strength.table["mean"])
    consensus = cv.consensus(X=IRIS.X, k=[2, 3], n_references=2, n_samples=5, random_state=0)
    ax = consensus.plot()
    assert ax.lines[0].get_ydata() == approx(consensus.table["pac"])
    assert ax.lines[1].get_ydata() == approx(consensus.table["pac_null"])


# By cluster


def test_stability_of_clusters_is_drawn_by_sample_and_mean():
    result = cv.clusterwise_stability(IRIS.X, 3, n_samples=4, random_state=0)
    ax = result.plot()
    assert ax.lines[0].get_xdata() == approx(result.table["mean"])
    assert np.asarray(ax.collections[0].get_offsets())[:, 0] == approx(result.values.ravel())
    assert texts_of(ax)[2] == "95 % of clusters without structure"


def test_communities_outsiders_and_classes_are_drawn_beside_chance():
    communities = cv.graph.community_test(IRIS.X, LABELS, neighbours=5)
    assert communities.plot().lines[-1].get_xdata() == approx(communities.table["inside"])
    assignment = cv.assign(IRIS.X[50:], like=(IRIS.X[:100], LABELS[:100]))
    widths = [patch.get_width() for patch in assignment.plot().patches]
    assert widths == approx(assignment.table["outside"] / np.maximum(assignment.table["rows"], 1))
    classes = cv.class_agreement(IRIS.truth, LABELS)
    ax = classes.plot()
    assert [patch.get_width() for patch in ax.patches] == approx([m.jaccard for m in classes.classes.values()])
    assert [text.get_text() for text in ax.get_yticklabels()][1] == "versicolor in B"


def test_a_profile_is_a_heat_map_of_effects_the_largest_first():
    result = cv.profile(IRIS.X, LABELS)
    ax = result.plot(most=2)
    effects = {(r["cluster"], r["column"]): r["effect"] for r in result.effects.records}
    columns = [int(text.get_text()) for text in ax.get_xticklabels()]
    image = np.asarray(ax.images[0].get_array())
    assert len(columns) == 2
    assert image == approx(np.array([[effects[cluster, column] for column in columns] for cluster in "ABC"]))
    others = [abs(effect) for (_, column), effect in effects.items() if column not in columns]
    assert np.abs(image).max(axis=0).min() >= max(others)


def test_a_calibration_shows_the_aggregate_of_each_partition():
    partitions = {"kmeans": LABELS, "ward": IRIS.clusterings["ward"]}
    result = cv.calibrate(IRIS.X, partitions, ["asw", "sindex"], references=3, random_state=0)
    ax = result.plot()
    assert [patch.get_width() for patch in ax.patches] == approx(result.aggregate)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["kmeans", "ward"]
    assert ax.lines[0].get_xdata() == approx(result.z[:, 0])


def test_a_recommendation_is_drawn_as_its_comparison():
    criteria = ["silhouette", "dunn"]
    points = np.random.default_rng(0).normal(size=(20, 2))
    advice = cv.study.recommend(points, criteria=criteria, n_datasets=3, runs=1, random_state=0)
    ours, theirs = advice.plot(), advice.comparison.plot()
    assert np.array_equal(ours.images[0].get_array(), theirs.images[0].get_array())


def test_the_page_of_a_tree_has_its_dendrogram():
    X = np.random.default_rng(0).normal(size=(300, 2))
    page = cv.trees.evaluate(hierarchy.linkage(X, "average"), X).to_html()
    assert 'id="tree"' in page
    assert page.count("<polyline points=") == 150
    assert "The last 150 of 299 merges; triangles hold the rest." in page
    small = cv.trees.evaluate(hierarchy.linkage(X[:9], "average"), X[:9]).to_html()
    assert small.count("<polyline points=") == 8
    assert "triangles" not in small
