"""Indices of hierarchies: definitions in loops, reference values, passes, results, and what cannot be."""

from __future__ import annotations

import copy
import math
import pickle
import tracemalloc

import brute_force
import naive_trees as naive
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kinds.trees import INDICES, OF_TWO, data, tree_and_points, trees, two, two_trees, value
from pytest import approx
from scipy.cluster import hierarchy as scipy_trees
from scipy.spatial.distance import pdist, squareform

import clustval as cv
from clustval.passes.merges import tree_merges
from clustval.sources.hierarchy import hierarchy, tree_of
from clustval.sources.space import space_of
from clustval.stats.merges.merge_pairs import MergePairs, TreeLevels
from conftest import thresholds_at

ONE = [[0, 1, 1, 2], [2, 3, 2, 2], [4, 5, 4, 4]]
OTHER = [[0, 1, 1, 2], [2, 4, 3, 3], [3, 5, 4, 4]]
LINE = [[0], [1], [3], [5]]
INVERTED = [[0, 1, 2, 2], [2, 3, 1.5, 3]]


# --- definitions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [0, 10**9], ids=["compiled", "numpy"])
@given(pair=two_trees())
def test_two_trees_agree_as_far_as_the_definitions_say(most, pair):
    with thresholds_at(MERGES=most):
        assert value(cv.trees.baker_gamma, *pair) == approx(naive.baker_gamma(*pair), abs=1e-12, nan_ok=True)
        spearman = value(cv.trees.baker_gamma, *pair, method="spearman")
        assert spearman == approx(naive.baker_spearman(*pair), abs=1e-12, nan_ok=True)
        correlation = value(cv.trees.cophenetic_tree_correlation, *pair)
        assert correlation == approx(naive.cophenetic_tree_correlation(*pair), abs=1e-12, nan_ok=True)
        merges = hierarchy(*pair)[MergePairs]
        assert (merges.alike, merges.against) == naive.comparisons(*pair)


@given(pair=two_trees(), power=st.sampled_from([0.5, 1, 1.5, 2, 7]))
def test_entanglement_is_as_defined(pair, power):
    assert cv.trees.entanglement(*pair, power=power) == approx(naive.entanglement(*pair, power), rel=1e-12)


@given(pair=two_trees(fewest=3))
def test_bk_is_as_defined_for_every_number_of_clusters(pair):
    curve = cv.trees.fowlkes_mallows_bk_curve(*pair)
    n = len(pair[0]) + 1
    assert curve.k.tolist() == list(range(2, n))
    assert curve.table["bk"] == approx([naive.fowlkes_mallows_bk(*pair, k) for k in range(2, n)], rel=1e-12)
    assert [cv.trees.fowlkes_mallows_bk(*pair, k=k) for k in range(2, n)] == curve.table["bk"].tolist()


@given(pair=two_trees(fewest=3, most=6))
def test_mean_and_variance_of_bk_are_those_over_all_ways_to_name_the_points(pair):
    curve = cv.trees.fowlkes_mallows_bk_curve(*pair)
    for k, mean, variance in zip(curve.k, curve.mean, curve.variance, strict=True):
        assert (mean, variance) == approx(naive.bk_moments(*pair, k), abs=1e-12)


@given(pair=two_trees(fewest=4))
def test_mean_and_variance_of_bk_are_those_of_the_paper(pair):
    curve = cv.trees.fowlkes_mallows_bk_curve(*pair)
    for k, mean, variance in zip(curve.k, curve.mean, curve.variance, strict=True):
        assert (mean, variance) == approx(naive.bk_moments_by_formula(*pair, k), abs=1e-12)


@pytest.mark.parametrize("most", [0, 10**9], ids=["compiled", "numpy"])
@given(pair=tree_and_points())
def test_the_cophenetic_correlation_is_as_defined(most, pair):
    Z, X = pair
    expected = approx(naive.cophenetic_correlation(Z, X), abs=1e-12, nan_ok=True)
    with thresholds_at(MERGES=most):
        assert value(cv.trees.cophenetic_correlation, Z, X) == expected
        assert value(cv.trees.cophenetic_correlation, Z, pdist(X)) == expected
        assert value(cv.trees.cophenetic_correlation, Z, squareform(pdist(X)), metric="precomputed") == expected


@given(n=st.integers(2, 9), drawn=st.data())
def test_the_agglomerative_coefficient_is_as_defined(n, drawn):
    Z = drawn.draw(trees(n))
    expected = naive.agglomerative_coefficient(Z)
    assert value(cv.trees.agglomerative_coefficient, Z) == approx(expected, abs=1e-12, nan_ok=True)


# --- reference values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_reference_values_are_met(name):
    X, values = brute_force.data(name)["X"], brute_force.values(name, "B")
    average, ward = values["linkage_average"], values["linkage_ward"]
    found = {
        "cophenetic_correlation_average": cv.trees.cophenetic_correlation(average, X),
        "cophenetic_correlation_ward": cv.trees.cophenetic_correlation(ward, X),
        "agglomerative_coefficient_average": cv.trees.agglomerative_coefficient(average),
        "baker_gamma": cv.trees.baker_gamma(average, ward),
        "baker_spearman": cv.trees.baker_gamma(average, ward, method="spearman"),
    }
    assert found == approx({name: values[name] for name in found}, rel=1e-9)
    curve = cv.trees.fowlkes_mallows_bk_curve(average, ward)
    by_k = {k: row for k, *row in zip(*(curve.table[c].tolist() for c in ("k", "bk", "mean", "variance")), strict=True)}
    for k, row in values["fowlkes_mallows_bk_average_ward"].items():
        assert by_k[int(k)] == approx(row, rel=1e-9)


@pytest.mark.parametrize("method", ["single", "complete", "average", "ward", "centroid", "median"])
def test_scipy_gives_the_same_heights_of_pairs_and_the_same_order(method):
    X = data(90, p=2)
    Z = scipy_trees.linkage(X, method)
    fit, heights = scipy_trees.cophenet(Z, pdist(X))
    assert cv.trees.cophenetic_correlation(Z, X) == approx(fit, rel=1e-12)
    other = scipy_trees.linkage(X, "average")
    between = np.corrcoef(heights, scipy_trees.cophenet(other))[0, 1]
    assert cv.trees.cophenetic_tree_correlation(Z, other) == approx(between, rel=1e-12)
    assert tree_of(Z).order.tolist() == scipy_trees.leaves_list(Z).tolist()


@pytest.mark.parametrize("metric", ["cityblock", "chebyshev", "cosine", "seuclidean"])
def test_distances_may_be_of_any_metric(metric):
    X = data(100)
    d = pdist(X, metric)
    Z = scipy_trees.linkage(d, "average")
    expected = approx(scipy_trees.cophenet(Z, d)[0], rel=1e-12)
    assert cv.trees.cophenetic_correlation(Z, X, metric=metric) == expected
    assert cv.trees.cophenetic_correlation(Z, d) == expected
    assert cv.trees.cophenetic_correlation(Z, squareform(d), metric="precomputed") == expected


SERIES = [[1.0, 2, 3], [1.0, 2, 2, 3], [3.0, 2, 1], [3.0, 1]]
MIXED = [["a", 1], ["b", 2], ["a", 4], ["c", 9]]
DEEP = np.random.default_rng(1).random((4, 5, 2))
FORMS = {
    "lists of series": (SERIES, "dtw"),
    "arrays of series": (list(map(np.array, SERIES)), "dtw"),
    "an array of lists": (np.array(SERIES, dtype=object), "dtw"),
    "a column of series": (pd.Series(SERIES), "dtw"),
    "a frame of series": (pl.DataFrame({"e": SERIES}), "dtw"),
    "series and time": (pd.concat({name: pd.Series(each) for name, each in zip("dbca", SERIES, strict=True)}), "dtw"),
    "series of dimensions": (DEEP, "dtw"),
    "series of dimensions in a list": (list(DEEP), "dtw"),
    "a mixed table": (cv.mixed(MIXED), "gower"),
    "mixed rows": (MIXED, "gower"),
    "a column of lists": (pl.Series("e", np.array(LINE, float).tolist()), "euclidean"),
    "a column of lists of Arrow": (pa.chunked_array([LINE]), "euclidean"),
    "a frame of lists": (pd.DataFrame({"e": LINE}), "cityblock"),
}


@pytest.mark.parametrize("form", FORMS)
def test_trees_are_compared_with_all_that_has_distances(form):
    X, metric = FORMS[form]
    alike = {"dtw": DEEP if "dimensions" in form else SERIES, "gower": MIXED}.get(metric, LINE)
    distances = space_of(alike, metric=metric).rows(np.arange(4))
    expected = cv.trees.cophenetic_correlation(OTHER, squareform(distances))
    assert cv.trees.cophenetic_correlation(OTHER, X, metric=metric) == approx(expected, rel=1e-12)
    assert cv.trees.cophenetic_correlation(OTHER, None, X, metric=metric) == approx(expected, rel=1e-12)


def test_series_of_another_number_are_no_leaves_of_a_tree():
    for X in (SERIES[:3], np.zeros((5, 2, 2)), FORMS["series and time"][0].iloc[:7]):
        with pytest.raises(cv.InputError, match=r"^Z is a tree of 4 points, and other, of \d points, has nothing"):
            cv.trees.cophenetic_correlation(ONE, X, metric="dtw")
    with pytest.raises(cv.InputError, match="has nothing for these"):
        cv.trees.cophenetic_correlation(ONE, 7, metric="dtw")
    assert cv.trees.cophenetic_correlation(OTHER, range(1, 7), metric="dtw") == approx(
        cv.trees.cophenetic_correlation(OTHER, range(1, 7))
    )


# --- passes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 20, 131])
def test_compiled_merges_are_those_of_numpy(n):
    from clustval.kernels.merges.tree_merges import LIMB, shared_merges

    one, other = map(tree_of, two(n))
    marks = np.random.default_rng(0).normal(size=(n - 1, 2))
    plain = tree_merges.shared_pairs_numpy(one.order, one.spans, other.order, other.spans, marks)
    latest, weighed = np.zeros(n - 1, dtype=int), np.zeros((n - 1, 2))
    alike_rest, alike, against_rest, against = shared_merges(one.order, one.spans, other.joined, marks, latest, weighed)
    assert latest.tolist() == plain.latest.tolist()
    assert weighed == approx(plain.weighed, rel=1e-12, abs=1e-12)
    assert (alike_rest + 2**LIMB * alike, against_rest + 2**LIMB * against) == (plain.alike, plain.against)


def test_compiled_sums_are_those_of_numpy():
    from clustval.kernels.merges.tree_merges import leaf_sums

    X = data(131)
    source = hierarchy(scipy_trees.linkage(X, "average"), X)
    tree = source.tree
    plain = tree_merges.leaf_sums_numpy(source.distances(0, 130) - 0.7, 0, tree.joints, tree.deviations)
    columns = np.ascontiguousarray(X[tree.order].T)
    assert leaf_sums(columns, 0, 130, tree.joints, tree.deviations, 0.7) == approx(plain, rel=1e-12)
    parts = [leaf_sums(columns, lo, lo + 13, tree.joints, tree.deviations, 0.7) for lo in range(0, 130, 13)]
    assert np.sum(parts, axis=0) == approx(plain, rel=1e-12)


@pytest.mark.parametrize("cells", [1, 600, 10**6])
def test_blocks_of_distances_may_have_any_size(cells):
    X = data(60)
    source = hierarchy(scipy_trees.linkage(X, "average"), pdist(X))
    tree = source.tree
    sums = tree_merges.leaf_sums(source.distances, tree.joints, tree.deviations, n_jobs=2, memory=2**30, cells=cells)
    whole = tree_merges.leaf_sums_numpy(source.distances(0, 59) - sums.origin, 0, tree.joints, tree.deviations)
    assert (sums.sums, sums.squares, sums.products) == approx(whole, rel=1e-12)


def test_memory_limits_the_threads_and_changes_no_bit():
    X = data(600)
    source = hierarchy(scipy_trees.linkage(X, "average"), X, metric="cityblock")
    tree = source.tree
    room = 8 * tree_merges.COPIES * tree_merges.CELLS
    sums = {
        tree_merges.leaf_sums(source.distances, tree.joints, tree.deviations, n_jobs=4, memory=memory)
        for memory in (1, 2 * room, 100 * room)
    }
    assert len(sums) == 1
    memories = 1, 2 * room - 1, 2 * room, 100 * room
    jobs = [tree_merges.jobs_that_fit(4, tree_merges.CELLS, memory) for memory in memories]
    assert jobs == [1, 1, 2, 4]


def test_counts_are_exact_where_one_word_is_cut_in_two():
    Z = scipy_trees.linkage(data(2500), "average")
    merges = hierarchy(Z, Z)[MergePairs]
    pairs = [int(count) for count in tree_of(Z).pairs]
    assert sum(pairs) == 2500 * 2499 // 2
    assert sum(pairs) > 2**21  # both parts of a count are used
    assert (merges.alike, merges.against) == ((sum(pairs) ** 2 - sum(c * c for c in pairs)) // 2, 0)


@pytest.mark.large
@pytest.mark.parametrize("other", ["points", "distances by a metric", "tree"])
def test_no_array_of_all_pairs_is_held(other):
    n = 3000
    X = data(n, p=2)
    Z = scipy_trees.linkage(X, "single")
    call = {
        "points": lambda: cv.trees.cophenetic_correlation(Z, X, n_jobs=2),
        "distances by a metric": lambda: cv.trees.cophenetic_correlation(Z, X, metric="cityblock", n_jobs=2),
        "tree": lambda: cv.trees.evaluate(Z, Z),
    }[other]
    call()
    tracemalloc.start()
    call()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 8 * n * n / 2


@pytest.mark.large
def test_the_variance_keeps_its_digits_where_its_terms_cancel():
    from fractions import Fraction

    one, other = two(2500)
    levels = hierarchy(one, other)[TreeLevels]
    n, k = levels.n, 2
    (P, Q), (P3, Q3) = ([int(side[k - 1]) for side in sides] for sides in (levels.pairs, levels.triples))
    two_, three, four = n * (n - 1), n * (n - 1) * (n - 2), n * (n - 1) * (n - 2) * (n - 3)
    apart = (P - 2 - Fraction(4 * P3, P)) * (Q - 2 - Fraction(4 * Q3, Q)) / four
    exact = Fraction(2, two_) + Fraction(4 * P3 * Q3, three * P * Q) + apart - Fraction(P * Q, two_**2)
    assert levels.variance[k - 1] == approx(float(exact), rel=1e-15)


# --- many at once ----------------------------------------------------------------------------------------


def test_evaluating_all_gives_what_each_gives():
    X, (one, other) = data(80), two(80)
    for rest in ((), (other,), (X,), (pdist(X),), (other, X), (None, X)):
        scores = cv.trees.evaluate(one, *rest)
        assert set(scores) == {index.name for index in INDICES}
        for index in INDICES:
            assert scores[index.name] == approx(value(index.function, one, *rest), nan_ok=True)
            assert (index.name in scores.reasons) is math.isnan(scores[index.name])
        assert scores.coverage == 1
    assert len(cv.trees.evaluate(one, X).reasons) == len(OF_TWO)
    assert cv.trees.evaluate(one, other, pdist(X)).to_dict() == approx(cv.trees.evaluate(one, other, X).to_dict())
    assert not cv.trees.evaluate(one, other, X).reasons
    assert cv.trees.evaluate(one, other).reasons == {
        "cophenetic_correlation": "cophenetic_correlation compares a tree with distances; give the points, or the "
        "distances of SciPy's pdist."
    }


def test_one_visit_serves_all_indices_of_two_trees(monkeypatch):
    from clustval.stats.merges import merge_pairs

    visits = []
    monkeypatch.setattr(merge_pairs, "shared_pairs", lambda *args: visits.append(1) or tree_merges.shared_pairs(*args))
    cv.trees.evaluate(*two(20))
    assert len(visits) == 1


def test_the_agglomerative_coefficient_is_made_of_values_of_points():
    scores = cv.trees.evaluate(ONE)
    assert scores.per_point("agglomerative_coefficient").tolist() == [0.75, 0.75, 0.5, 0.5]
    assert cv.trees.divisive_coefficient(ONE) == scores["agglomerative_coefficient"]


def test_the_curve_is_a_result():
    curve = cv.trees.fowlkes_mallows_bk_curve(*two(12))
    for again in (
        cv.FowlkesMallowsCurve.from_json(curve.to_json()), pickle.loads(pickle.dumps(curve)), copy.deepcopy(curve)
    ):  # fmt: skip
        assert again == curve
    assert str(curve) == str(curve.table)
    assert curve._repr_html_() == curve.table._repr_html_()
    assert curve.table.to_pandas().loc[5, "bk"] == curve.table["bk"][3]
    scores = cv.trees.evaluate(*two(12))
    assert cv.Scores.from_json(scores.to_json()) == scores


def test_a_value_that_cannot_vary_has_no_distance_from_its_mean():
    curve = cv.trees.fowlkes_mallows_bk_curve(ONE, OTHER)
    assert curve.variance[0] == 0
    assert np.isnan(curve.z[0])
    assert curve.values is curve.table["bk"]  # noqa: PD011 - no data frame
    assert curve.z[1] == approx((1 - 1 / 6) / math.sqrt(5 / 36))


def test_linkages_may_be_of_any_type():
    X, (one, other) = data(30), two(30)
    names = ["a", "b", "h", "n"]
    for make in (np.ndarray.tolist, pd.DataFrame, lambda Z: pl.DataFrame(Z, schema=names), np.asfortranarray):
        assert cv.trees.baker_gamma(make(one), make(other)) == cv.trees.baker_gamma(one, other)
    expected = cv.trees.cophenetic_correlation(one, X)
    assert cv.trees.cophenetic_correlation(one, pd.DataFrame(X)) == expected
    assert cv.trees.cophenetic_correlation(one, pd.Series(pdist(X))) == approx(expected)


# --- what cannot be --------------------------------------------------------------------------------------

UNDEFINED = {
    "all heights equal": (
        lambda: cv.trees.cophenetic_correlation([[0, 1, 0.1, 2], [2, 3, 0.1, 3]], LINE[:3]),
        "cophenetic_correlation has no value for this clustering: all heights or all distances are equal.",
    ),
    "all distances equal": (
        lambda: cv.trees.cophenetic_correlation(ONE, [0.1] * 6),
        "cophenetic_correlation has no value for this clustering: all heights or all distances are equal.",
    ),
    "all points equal": (
        lambda: cv.trees.cophenetic_correlation(ONE, [[0.3, 7]] * 4),
        "cophenetic_correlation has no value for this clustering: all heights or all distances are equal.",
    ),
    "no height": (
        lambda: cv.trees.agglomerative_coefficient([[0, 1, 0, 2], [2, 3, 0, 3]]),
        "agglomerative_coefficient has no value for this clustering: all heights are 0.",
    ),
    "an inversion": (
        lambda: cv.trees.agglomerative_coefficient(INVERTED),
        (
            "agglomerative_coefficient needs heights that never fall; row 1 of Z merges at 1.5 what was formed at 2, "
            "as centroid and median linkage may do."
        ),
    ),
    "two points have no order": (
        lambda: cv.trees.baker_gamma([[0, 1, 1, 2]], [[0, 1, 1, 2]]),
        "baker_gamma has no value for this clustering: two points are one pair, which has no order.",
    ),
    "two points have no ranks": (
        lambda: cv.trees.baker_gamma([[0, 1, 1, 2]], [[0, 1, 1, 2]], method="spearman"),
        "baker_gamma has no value for this clustering: two points are one pair, which has no order.",
    ),
    "equal heights in one tree": (
        lambda: cv.trees.cophenetic_tree_correlation([[0, 1, 0.1, 2], [2, 3, 0.1, 3]], INVERTED),
        "cophenetic_tree_correlation has no value for this clustering: all heights of a tree are equal.",
    ),
    "as many clusters as points": (
        lambda: cv.trees.fowlkes_mallows_bk(ONE, OTHER, k=4),
        (
            "fowlkes_mallows_bk has no value for this clustering: k is not below the number of points, so that no "
            "two are together."
        ),
    ),
    "no second tree": (
        lambda: cv.trees.entanglement(ONE),
        "entanglement compares two trees; give a second linkage of the same points as other.",
    ),
    "points for a second tree": (
        lambda: cv.trees.baker_gamma(ONE, LINE),
        "baker_gamma compares two trees; give a second linkage of the same points as other.",
    ),
    "no distances": (
        lambda: cv.trees.cophenetic_correlation(ONE),
        ("cophenetic_correlation compares a tree with distances; give the points, or the distances of SciPy's pdist."),
    ),
    "a curve of one tree": (
        lambda: cv.trees.fowlkes_mallows_bk_curve(ONE, LINE),
        "fowlkes_mallows_bk_curve compares two trees; give a second linkage of the same points as other.",
    ),
    "a curve of two points": (
        lambda: cv.trees.fowlkes_mallows_bk_curve([[0, 1, 1, 2]], [[0, 1, 1, 2]]),
        "fowlkes_mallows_bk_curve needs at least 3 points; these trees have 2.",
    ),
}


@pytest.mark.parametrize("case", UNDEFINED)
def test_what_has_no_value_says_why(case):
    call, message = UNDEFINED[case]
    with pytest.raises(cv.UndefinedIndexError) as error:
        call()
    assert str(error.value) == message


def test_inversions_are_no_obstacle_where_heights_are_only_compared_with_others():
    assert cv.trees.cophenetic_correlation(INVERTED, [[0], [2], [3]]) == approx(
        naive.pearson([2, 3, 1], [2, 1.5, 1.5]), rel=1e-12
    )
    assert cv.trees.baker_gamma(INVERTED, INVERTED) == 1


LINKAGE = (
    "Z must be a linkage as SciPy's hierarchy.linkage returns it, with a row of 4 numbers for each merge; its "
    "shape is {}."
)
WRONG = {
    "no linkage": (
        [1, 2, 3],
        LINKAGE.format("(3,)"),
    ),
    "three columns": (
        [[0, 1, 2]],
        LINKAGE.format("(1, 3)"),
    ),
    "rows that differ": (
        [[0, 1, 1, 2], [2, 3]],
        LINKAGE.format("()"),
    ),
    "no merge": (
        np.empty((0, 4)),
        LINKAGE.format("(0, 4)"),
    ),
    "text": ([["0", "1", "x", "2"]], "Z must hold real numbers; it holds text."),
    "a missing height": ([[0, 1, math.nan, 2]], "Z must be finite; row 0, column 2 is nan."),
    "a cluster to come": (
        [[0, 3, 1, 2], [1, 2, 2, 2]],
        "Row 0 of Z merges cluster 3; there are clusters 0 to 2 by then: 3 points and one for each row before.",
    ),
    "a cluster merged with itself": (
        [[0, 1, 1, 2], [2, 4, 2, 3]],
        "Row 1 of Z merges cluster 4; there are clusters 0 to 3 by then: 3 points and one for each row before.",
    ),
    "half a cluster": (
        [[0, 0.5, 1, 2]],
        "Row 0 of Z merges cluster 0.5; there are clusters 0 to 1 by then: 2 points and one for each row before.",
    ),
    "a negative cluster": (
        [[-1, 0, 1, 2]],
        "Row 0 of Z merges cluster -1; there are clusters 0 to 1 by then: 2 points and one for each row before.",
    ),
    "a cluster merged twice": ([[0, 1, 1, 2], [0, 2, 2, 2]], "Row 1 of Z merges cluster 0, which was merged before."),
    "a negative height": ([[0, 1, -1, 2]], "Heights must not be negative; row 0 of Z has -1."),
    "a wrong count": ([[0, 1, 1, 2], [2, 3, 2, 4]], "Row 1 of Z merges 3 points; its last number is 4."),
    "merges out of order": (
        [[0, 1, 2, 2], [2, 3, 1, 2], [4, 5, 3, 4]],
        (
            "The merges of Z must be in the order of their heights; row 1 is at 1, the row before it at 2. Sort the "
            "rows and number the clusters anew."
        ),
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_linkage_that_is_none_is_refused(case):
    Z, message = WRONG[case]
    with pytest.raises(cv.InputError) as error:
        cv.trees.agglomerative_coefficient(Z)
    assert str(error.value) == message


NOTHING = (
    "Z is a tree of 4 points, and other, of shape {}, has nothing for these: give a second linkage (3 rows), the "
    "points (4 rows) or their distances (6 of them)."
)
SECOND = "other must be a second linkage, of shape (3, 4), where X is given; it has (4, 1)."
WRONG_OTHER = {
    "too few lists": (pl.Series([[1.0], [2.0]]), NOTHING.replace("of shape {}", "of 2 points")),
    "a mixed table": (
        cv.mixed([["a", 1], ["b", 2]]),
        "X is a table of numbers and categories; it needs metric='gower'.",
    ),
    "fewer points": (LINE[:3], NOTHING.format("(3, 1)")),
    "a larger tree": (np.zeros((5, 4)), NOTHING.format("(5, 4)")),
    "a number": (7, NOTHING.format("()")),
    "too few distances": ([1, 2, 3], "Z is a tree of 4 points, which have 6 distances; other has 3 entries."),
    "a negative distance": (
        [1, 2, 3, 4, -5, 6],
        "Distances must not be negative; position 4 of other is -5.",
    ),
    "a broken second tree": (
        [[0, 1, 1, 2], [0, 2, 2, 2], [3, 4, 3, 3]],
        "Row 1 of other merges cluster 0, which was merged before.",
    ),
    "a missing coordinate": ([[0], [1], [math.nan], [2]], "X must be finite; row 2, column 0 is nan."),
}


@pytest.mark.parametrize("case", WRONG_OTHER)
def test_what_cannot_be_compared_with_a_tree_is_refused(case):
    other, message = WRONG_OTHER[case]
    with pytest.raises(cv.InputError) as error:
        cv.trees.evaluate(ONE, other)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("other", "X", "message"),
    [
        (LINE, LINE, SECOND),
        (None, LINE[:3], NOTHING.replace("other", "X").replace("a second linkage (3 rows), ", "").format("(3, 1)")),
        (OTHER, [1, 2], "Z is a tree of 4 points, which have 6 distances; X has 2 entries."),
    ],
)
def test_points_beside_a_second_tree_are_checked(other, X, message):
    with pytest.raises(cv.InputError) as error:
        cv.trees.evaluate(ONE, other, X)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"k": 1}, "k must be a whole number from 2; it is 1."),
        ({"k": 2.0}, "k must be a whole number from 2; it is 2.0."),
        ({"levels": 2}, "fowlkes_mallows_bk has no option 'levels'; its options are k."),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(cv.InputError) as error:
        cv.trees.fowlkes_mallows_bk(ONE, OTHER, **options)
    assert str(error.value) == message


def test_methods_and_powers_are_checked():
    with pytest.raises(cv.InputError, match=r"^method must be one of 'gamma', 'spearman'; it is 'tau'\.$"):
        cv.trees.baker_gamma(ONE, OTHER, method="tau")
    with pytest.raises(cv.InputError, match=r"^power must be a number above 0; it is 0\.$"):
        cv.trees.entanglement(ONE, OTHER, power=0)


def test_heights_that_fall_by_rounding_are_no_falling_heights():
    Z = np.array([[0, 1, 1.0, 2], [2, 3, 1.0 - 2e-16, 2], [4, 5, 1.0 - 1e-16, 4]])
    assert cv.trees.agglomerative_coefficient(Z) == approx(0, abs=1e-12)
