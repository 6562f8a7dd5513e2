"""Clusterings that overlap: examples of indices of covers, and the laws that hold of these alone."""

from __future__ import annotations

import math
from types import SimpleNamespace

import brute_force
import naive_covers
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx
from scipy import sparse

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
from clustval.passes.covers import common_clusters
from clustval.passes.covers.left_open import left_open
from clustval.sources.cover_pair import cover_pair
from clustval.stats.covers.overlaps import Overlaps
from kinds import Alike, Examples

catalogue.load("covers")
COVERS = KINDS["covers"].indices
every_index = pytest.mark.parametrize("index", COVERS.values(), ids=lambda index: index.name)

RNG = np.random.default_rng(6)
N = 90
LABELS = np.repeat([0, 1, 2, 3], [40, 25, 15, 10])
TRUTH = np.eye(4, dtype=bool)[LABELS] | (RNG.random((N, 4)) < 0.08)
NEAR = TRUTH ^ (RNG.random((N, 4)) < 0.03)
NEAR[~NEAR.any(axis=1)] = TRUTH[~NEAR.any(axis=1)]
ORDER = RNG.permutation(N)


def sets(matrix):
    return [set(np.flatnonzero(column).tolist()) for column in np.asarray(matrix).T]


def random_cover(rng, n, k):
    """A cover in which every point has a cluster and every cluster has points."""
    matrix = rng.random((n, k)) < rng.choice([0.2, 0.5])
    matrix[np.arange(n), rng.integers(0, k, n)] = True
    return matrix[:, matrix.any(axis=0)]


EXAMPLES = Examples(
    good=(TRUTH, NEAR),
    bad=(TRUTH, RNG.permutation(NEAR)),
    others=[(TRUTH, random_cover(np.random.default_rng(seed), N, k)) for seed in range(3) for k in (2, 4, 9)],
    alike={
        "the order of points": Alike((TRUTH, NEAR), (TRUTH[ORDER], NEAR[ORDER]), 1e-12),
        "the names of clusters": Alike((TRUTH, NEAR), (TRUTH[:, [3, 1, 0, 2]], NEAR[:, ::-1]), 1e-12),
        "the names of points": Alike(
            (TRUTH, NEAR), tuple([{f"p{i}" for i in c} for c in sets(each)] for each in (TRUTH, NEAR)), 1e-12
        ),
    },
    degenerate={
        "one point": ([{0}], [{0}]),
        "both one cluster": ([{0, 1, 2}], [{0, 1, 2}]),
        "one cluster beside several": ([{0, 1, 2}], [{0, 1}, {2}]),
        "each point alone": ([{0}, {1}, {2}], [{0}, {1}, {2}]),
        "one cluster beside points alone": ([{0, 1, 2}], [{0}, {1}, {2}]),
        "a point in none": ([{0, 1}, {1, 2}], [{0, 1}, {2, 3}]),
        "nothing in common": ([{0, 1}], [{2, 3}]),
        "the same cluster twice": ([{0, 1}, {0, 1}, {2, 3}], [{0, 1}, {2, 3}]),
    },
)


# --- definitions and reference values ----------------------------------------------------------------------


@pytest.mark.parametrize("name", brute_force.SETS)
def test_values_are_those_of_the_definitions(name):
    reference = brute_force.values(name, "D")
    A, B = ([set(map(int, cluster)) for cluster in cover] for cover in reference["covers"])
    scores = cv.covers.evaluate(A, B, points=len(brute_force.data(name)["X"]))
    for index in ("omega", "onmi_max", "onmi_lfk", "element_centric_overlap"):
        assert scores[index] == approx(reference[index], rel=1e-9), index


@every_index
@given(seed=st.integers(0, 10**6))
def test_every_index_follows_its_definition(index, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 16))
    A, B = (random_cover(rng, n, int(rng.integers(1, 6))) for _ in range(2))
    full = A.all(axis=0).any() or B.all(axis=0).any()
    if index.name in {"onmi_lfk", "onmi_max", "omega"} and full:
        return  # 0/0 in loops; what these are then is tried below
    try:
        expected = getattr(naive_covers, index.name)(sets(A), sets(B), n)
    except ZeroDivisionError:
        return
    assert index.function(A, B) == approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("alpha", [0.1, 0.5, 0.95])
def test_walks_may_go_on_more_or_less_often(alpha):
    A, B = sets(TRUTH[:15, :3] | (np.arange(15)[:, None] % 3 == np.arange(3))), [set(range(9)), set(range(5, 15))]
    expected = naive_covers.element_centric_overlap(A, B, 15, alpha)
    assert cv.covers.element_centric_overlap(A, B, alpha=alpha) == approx(expected, rel=1e-9)


# --- laws ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_covers_that_do_not_overlap_have_the_values_of_labels(seed):
    rng = np.random.default_rng(seed)
    truth, labels = rng.integers(0, 4, 80), rng.integers(0, 3 + seed, 80)
    scores = cv.covers.evaluate(truth, labels)
    for name, external in {
        "omega": "adjusted_rand", "element_centric_overlap": "element_centric", "bcubed_precision": "bcubed_precision",
        "bcubed_recall": "bcubed_recall", "bcubed_f": "bcubed_f",
    }.items():  # fmt: skip
        assert scores[name] == approx(getattr(cv.external, external)(truth, labels), rel=1e-11, abs=1e-14), name
    points = cv.agreement(truth, labels, "element_centric").per_point("element_centric")
    assert scores.per_point("element_centric_overlap") == approx(points, rel=1e-11)


@every_index
def test_a_cover_agrees_with_itself_entirely(index):
    rng = np.random.default_rng(1)
    for cover in (TRUTH, NEAR, random_cover(rng, 12, 5), np.ones((5, 1))):
        assert index.function(cover, cover[:, ::-1]) == approx(1, rel=1e-12)


@every_index
def test_covers_may_be_swapped_just_where_the_record_says_so(index):
    there, back = index.function(TRUTH, NEAR), index.function(NEAR, TRUTH)
    assert (there == approx(back, rel=1e-12)) == index.symmetric


@pytest.mark.parametrize("name", ["bcubed_precision", "bcubed_recall", "element_centric_overlap"])
def test_values_of_points_average_to_the_index(name):
    scores = cv.covers.evaluate(TRUTH, NEAR)
    assert len(scores.per_point(name)) == N
    assert np.mean(scores.per_point(name)) == approx(scores[name], rel=1e-12)


def test_every_form_of_a_cover_is_the_same_cover():
    expected = cv.covers.evaluate(TRUTH, NEAR).to_dict()
    mapping = {i: np.flatnonzero(row) for i, row in enumerate(TRUTH)}
    named = {i: {f"c{c}" for c in np.flatnonzero(row)} for i, row in enumerate(TRUTH)}
    clustering = SimpleNamespace(communities=[sorted(cluster) for cluster in sets(TRUTH)])  # as cdlib has it

    for same in (
        sets(TRUTH), [list(c) * 2 for c in sets(TRUTH)], [np.array(list(c)) for c in sets(TRUTH)], mapping, named,
        sparse.csr_array(TRUTH), TRUTH.astype(float), pd.DataFrame(TRUTH), clustering,
        pa.table(list(TRUTH.T), names=list("abcd")),
    ):  # fmt: skip
        assert cv.covers.evaluate(same, NEAR).to_dict() == approx(expected, rel=1e-12)


NAMES = [f"p{i}" for i in range(N)]


def test_rows_of_pandas_are_points_by_name():
    A, B = (pd.DataFrame(each, index=NAMES, columns=list("uvwx")) for each in (TRUTH, NEAR))
    expected = cv.covers.evaluate(TRUTH, NEAR)
    by_point = expected.per_point("element_centric_overlap")
    turned = B.iloc[ORDER]
    mapping = {point: [c for c in "uvwx" if row[c]] for point, row in turned.iterrows()}
    named = [{NAMES[i] for i in cluster} for cluster in sets(NEAR)]
    for same in (turned, NEAR, mapping, named, sets(NEAR)):
        scores = cv.covers.evaluate(A, same)
        assert scores.to_dict() == approx(expected.to_dict(), rel=1e-12)
        assert scores.per_point("element_centric_overlap") == approx(by_point, rel=1e-12)
        back = cv.covers.omega(same, A)
        assert back == approx(expected["omega"], rel=1e-12)
    assert cv.covers.omega(A, turned, points=NAMES[::-1]) == approx(expected["omega"], rel=1e-12)
    assert cv.covers.omega(A, turned, points=N) == approx(expected["omega"], rel=1e-12)


def test_labels_of_pandas_are_points_by_name():
    labels = pd.Series([0, 0, 1, 1], index=list("abcd"))
    turned = labels.iloc[[2, 0, 3, 1]]
    for same in (turned, turned.to_dict(), labels.to_numpy(), {"a": [5], "b": [5], "c": [7], "d": [7]}):
        assert cv.covers.omega(labels, same) == 1
        assert cv.covers.omega(same, labels) == 1
    counted = pd.Series([0, 0, 1, 1], index=[2, 0, 3, 1])
    assert cv.covers.omega(counted, counted.to_dict()) == 1
    assert cv.covers.omega(counted, counted.sort_index()) == 1
    assert cv.covers.omega(pd.Series([0, 0, 1, 1], index=[1, 2, 3, 4]), [{0, 1}, {2, 3}]) == 1
    more = cv.covers.omega(labels, {**labels.to_dict(), "e": 1})
    assert more == cv.covers.omega(labels.to_dict(), {**labels.to_dict(), "e": 1})


def test_names_that_rows_share_are_no_names_of_points():
    labels = pd.Series([0, 0, 1, 1], index=list("aabb"))
    assert cv.covers.omega(labels, labels) == 1
    assert cv.covers.omega(labels, [{0, 1}, {2, 3}]) == 1


def test_points_in_no_cluster_are_counted_where_that_makes_sense():
    A, B = [{0, 1, 2}, {2, 3}], [{0, 1}, {2, 3}]
    more = cv.covers.evaluate(A, B, points=8)
    assert more["omega"] == approx(naive_covers.omega(A, B, 8))
    assert more["onmi_max"] == approx(naive_covers.onmi_max(A, B, 8))
    reason = "Point 4 is in no cluster of A, so that nothing can be said of it."
    for name in ("bcubed_f", "bcubed_precision", "bcubed_recall", "element_centric_overlap"):
        assert more.reasons[name] == reason
    only = cv.covers.evaluate({"x": [1], "y": []}, {"x": [2], "y": [2]})
    assert only.reasons["bcubed_f"] == "Point 'y' is in no cluster of A, so that nothing can be said of it."


def test_clusters_of_all_points_leave_nothing_open():
    assert cv.covers.onmi_max([{0, 1, 2}], [{0, 1, 2}]) == 1
    scores = cv.covers.evaluate([{0, 1, 2}], [{0, 1}, {2}])
    assert scores["onmi_max"] == 0
    assert math.isnan(scores["onmi_lfk"])
    assert scores.reasons["onmi_lfk"] == (
        "onmi_lfk has no value for this clustering: a cluster holds all points, so that nothing is left open about it."
    )


def test_clusters_that_are_there_twice_count_twice():
    twice = [{0, 1}, {0, 1}, {2, 3}], [{0, 1}, {2, 3}, {2, 3}]
    assert not cover_pair(*twice)[Overlaps].identical
    assert not cover_pair(*([*cover, {0, 3}] for cover in twice))[Overlaps].identical  # of which one is there as often
    assert cover_pair(twice[0], twice[0][::-1])[Overlaps].identical
    assert cv.covers.omega(*twice) == approx(naive_covers.omega(*twice, 4))


# --- passes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_compiled_tallies_are_those_of_whole_matrices(seed, set_thresholds):
    rng = np.random.default_rng(seed)
    A, B = (rng.random((40, int(rng.integers(1, 7)))) < 0.3 for _ in range(2))
    A[0], B[0] = True, True
    source = cover_pair(A, B)
    plain = common_clusters.tally(source.A, source.B, source.counts)
    set_thresholds(PAIRS=0)
    compiled = common_clusters.tally(source.A, source.B, source.counts)
    assert compiled.equal == plain.equal
    for ours, theirs in ((compiled.shared_a, plain.shared_a), (compiled.shared_b, plain.shared_b)):
        width = max(len(ours), len(theirs))
        assert ours + [0] * (width - len(ours)) == theirs + [0] * (width - len(theirs))
    wide = common_clusters.tally_compiled(source.A, source.B, source.counts, widest=0)
    small = common_clusters.tally_compiled(source.A, source.B, source.counts)
    assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(wide, small, strict=True))
    assert compiled.precision == approx(plain.precision, rel=1e-12, nan_ok=True)
    assert compiled.recall == approx(plain.recall, rel=1e-12, nan_ok=True)


def test_what_is_left_open_does_not_depend_on_how_many_clusters_are_compared_at_a_time():
    o = cover_pair(random_cover(RNG, 60, 30), random_cover(RNG, 60, 20))[Overlaps]
    given = (o.sizes_a, o.sizes_b, o.rows, o.columns, o.counts, o.n)
    assert left_open(*given, cells=7).tolist() == left_open(*given).tolist()


def test_clusters_that_are_nearly_opposite_say_much_though_they_share_nothing():
    A, B = [set(range(62))], [{99}, set(range(40, 62))]
    assert naive_covers.left_open(A[0], B, 100) < naive_covers.entropy(A[0], 100)
    assert cv.covers.onmi_lfk(A, B, points=100) == approx(naive_covers.onmi_lfk(A, B, 100), rel=1e-12)


def test_a_small_cluster_inside_is_not_taken_for_one_that_is_apart():
    A, B = [set(range(62))], [{5}]
    assert naive_covers.left_open(A[0], B, 100) > naive_covers.left_open(A[0], [{99}], 100)
    assert cv.covers.onmi_lfk(A, B, points=100) == approx(naive_covers.onmi_lfk(A, B, 100), rel=1e-12)


# --- errors ----------------------------------------------------------------------------------------------

FORMS = (
    "a list of clusters, each a set of points; a matrix of 0 and 1, one row per point; "
    "a mapping from each point to its clusters; or one label per point"
)
WRONG = {
    "an empty cluster": (([{0}, set()], [{0}]), {}, "Cluster 1 of A is empty; leave it out."),
    "no cluster": (([], [{0}]), {}, "A has no clusters."),
    "a mapping without clusters": (({0: [], 1: ()}, [{0}]), {}, "A has no clusters."),
    "an empty column": (
        (np.eye(3), np.eye(3, 4)), {}, "Cluster 3 of B is empty; leave its column out.",
    ),
    "other numbers": ((np.eye(3) * 2, np.eye(3)), {}, "A must hold 0 and 1; row 0, column 0 is 2."),
    "other numbers in a sparse matrix": (
        (np.eye(3), sparse.csr_array(np.eye(3) * 0.5)), {}, "B must hold 0 and 1; row 0, column 0 is 0.5.",
    ),
    "gaps": ((np.full((2, 2), np.nan), np.eye(2)), {}, "A must be finite; row 0, column 0 is nan (2 such rows)."),
    "an entry that is there twice": (
        (sparse.coo_array((np.ones(4), ([0, 0, 1, 2], [0, 0, 0, 1])), shape=(3, 2)), [0, 0, 1]), {},
        "A must hold 0 and 1; row 0, column 0 is 2.",
    ),
    "rows of other names": (
        (pd.Series([0, 1], index=["a", "b"]), pd.Series([0, 1], index=["a", "c"])), {},
        (
            "A and B are indexed differently: B has no row 'b'. Bring B into the order of A by .reindex(A.index), or "
            "leave its index behind by .to_numpy()."
        ),
    ),
    "rows of points that are not there": (
        (pd.Series([0, 1], index=["a", "b"]), {"a": 0, "b": 1}), {"points": ["a"]},
        "Point 'b' is in a cluster but not among the points that were given.",
    ),
    "clusters that are lists": (
        ({"a": [["x"]], "b": ["y"]}, [{0}]), {},
        "Clusters of A must be numbers, text or other hashable things; point 'a' has others.",
    ),
    "points that are lists": (
        ([{0}], [{0}]), {"points": [[1], [2]]},
        "points must be a number of points, or names: numbers, text or other hashable things; it holds others.",
    ),
    "other numbers of rows": ((np.eye(3), np.eye(4)), {}, "A has 3 points but B has 4."),
    "a word": (("abc", [{0}]), {}, f"A must be {FORMS}; it is 'abc'."),
    "a number": (([{0}], 3), {}, f"B must be {FORMS}; it is 3."),
    "sets among labels": (([0, {1}], [{0}]), {}, "Entry 1 of A is a set of points and entry 0 is not."),
    "sets of sets": (
        ([[{1}]], [{0}]), {}, "Points of A must be numbers, text or other hashable things; cluster 0 holds others.",
    ),
    "points that are not given": (
        ([{0, 7}], [{0}]), {"points": 5}, "Point 7 is in a cluster but not among the points that were given.",
    ),
    "no points": (([{0, 7}], [{0}]), {"points": 1.5}, "points must be a number of points, or their names; it is 1.5."),
}  # fmt: skip


@pytest.mark.parametrize("what", WRONG)
def test_what_cannot_be_a_cover_is_named(what):
    covers, options, message = WRONG[what]
    with pytest.raises(cv.InputError) as error:
        cv.covers.evaluate(*covers, **options)
    assert str(error.value) == message


def test_one_point_has_no_pairs():
    with pytest.raises(
        cv.UndefinedIndexError, match=r"^omega compares covers of several points; there is only one point\.$"
    ):
        cv.covers.omega([{0}], [{0}])


def test_walks_by_very_many_clusters_are_refused(monkeypatch):
    monkeypatch.setattr("clustval.stats.covers.cluster_walks.MOST_CLUSTERS", 3)
    reason = cv.covers.evaluate(TRUTH, NEAR).reasons["element_centric_overlap"]
    assert reason == "Walks take a table of each two clusters, of 3 at most; there are 4."
