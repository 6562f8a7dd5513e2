"""Passes over trees, neighbours and extremes, one by one: small data with answers made by hand or by loops."""

from __future__ import annotations

import sys
import threading
from math import inf

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from clustval import kernels
from clustval.kernels.metrics.form import Form
from clustval.passes.centres.centre_gaps import TABLES
from clustval.passes.density import cdbw
from clustval.passes.density.cdbw import Clusters
from clustval.passes.density.dbcv import ClusterTree, densities_numpy
from clustval.passes.metrics import quantiles
from clustval.passes.neighbours import nearest as neighbours
from clustval.passes.pairs import farthest as farthest_points
from clustval.passes.pairs import search_extremes
from clustval.passes.trees import paths as tree_paths
from clustval.passes.trees import reach_tree, span_clusters

MANHATTAN = Form("cityblock")


@pytest.fixture
def compiled(set_thresholds):
    """Compiled code even for the fewest points."""
    set_thresholds(PAIRS=0)


def within_bounds(monkeypatch, module, name):
    """Let a kernel run as Python, which sees when it writes beyond what it was given."""
    monkeypatch.setattr(module, name, getattr(module, name).py_func)


def test_a_cluster_around_one_point_is_as_sparse_as_its_longest_edge():
    star = ClusterTree(np.zeros(4), np.array([-1, 0, 0, 0]), np.array([0.0, 3.0, 1.0, 2.0]))
    assert star.inner.tolist() == [True, False, False, False]
    assert star.sparseness == 3
    X = np.array([[0.0], [3.0], [-1.0]])
    densities = densities_numpy(
        lambda a, b: cdist(X[a], X[b]), np.array([0, 3]), exponent=1, squared=False, by_distance=True
    )
    # Core distances are 2 over the sum of inverse distances: of the farthest point 2/(1/3 + 1/4), more than any other.
    assert densities.sparseness == pytest.approx([24 / 7])


def test_a_chain_is_as_sparse_as_the_longest_edge_between_its_inner_points():
    chain = ClusterTree(np.zeros(5), np.array([-1, 0, 1, 2, 3]), np.array([0.0, 5.0, 2.0, 3.0, 7.0]))
    assert chain.inner.tolist() == [False, True, True, True, False]
    assert chain.sparseness == 3


def test_only_points_outside_cover_a_cluster():
    X = np.array([[0.0], [4.0], [5.0], [9.0], [20.0]])
    # 5 has 0 and 4 within 5; 4 has 5 and 9 within 5; 9 has 20 within 11.
    assert farthest_points.covers(X, np.array([0, 2, 4, 5]), n_jobs=1).tolist() == [5, 5, 11]
    assert farthest_points.covers(X, np.array([0, 5]), n_jobs=1).tolist() == [inf]


def test_a_point_outside_that_is_equal_to_all_of_a_cluster_covers_it():
    X = np.array([[1.0], [1.0], [1.0], [5.0]])
    assert farthest_points.covers(X, np.array([0, 2, 4]), n_jobs=1).tolist() == [0, 4]


@pytest.mark.usefixtures("compiled")
def test_blocks_of_rows_fill_in_their_own_neighbours_and_no_others(monkeypatch):
    within_bounds(monkeypatch, kernels.neighbours.nearest, "nearest_in_rows")
    D = cdist(*[np.array([[0.0], [1.0], [3.0], [7.0], [8.0], [12.0], [20.0]])] * 2)
    distances, numbers = neighbours.nearest_of_rows(lambda rows: D[rows], 7, 2, n_jobs=1, cells=14)
    assert numbers.tolist() == [[1, 2], [0, 2], [1, 0], [4, 2], [3, 5], [4, 3], [5, 4]]
    assert distances.tolist() == np.take_along_axis(D, numbers, axis=1).tolist()


@pytest.mark.usefixtures("compiled")
def test_of_equally_near_points_a_tree_finds_the_first_even_if_only_the_last_of_the_neighbours_has_equals(
    set_thresholds,
):
    set_thresholds(NEIGHBOURS=0)
    around = np.array([[0, 0], [0.5, 0], [-1, 0], [0, 1], [0, -1]])
    X = (np.arange(0, 5000, 100)[:, None, None] + around).reshape(-1, 2)
    X = X[np.random.default_rng(0).permutation(len(X))]
    expected = neighbours.nearest_numpy(lambda rows: cdist(X[rows], X), len(X), 2)
    found = neighbours.nearest_of_points(X, 2, n_jobs=1)
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.tolist() == theirs.tolist()


@pytest.mark.usefixtures("compiled")
def test_points_without_a_core_distance_do_not_hide_those_of_others(set_thresholds):
    set_thresholds(SPANNING_TREES=sys.maxsize)
    X, core = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array([0.0, 0.0, 5.0, 0.0])
    edges, lengths = reach_tree.tree_of_points(X, core, n_jobs=1)
    assert lengths.tolist() == [1, 2, 5]
    assert {frozenset(edge) for edge in edges[:2].tolist()} == {frozenset({0, 1}), frozenset({1, 3})}


@pytest.mark.parametrize("grown", [reach_tree.tree_of_rows, reach_tree.tree_numpy])
@pytest.mark.usefixtures("compiled")
def test_of_equally_short_edges_trees_of_few_and_of_many_rows_have_the_first(grown):
    rows = lambda points: 1.0 - np.eye(5)[points]  # noqa: E731
    edges, lengths = grown(rows, np.zeros(5))
    assert edges.tolist() == [[0, 1], [0, 2], [0, 3], [0, 4]]
    assert lengths.tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("caller_begins", [True, False])
@pytest.mark.parametrize("with_cores", [True, False])
def test_equally_short_edges_are_those_of_one_thread_whoever_finds_them(with_cores, caller_begins, set_thresholds):
    X = np.stack(np.divmod(np.random.default_rng(0).permutation(144), 12), axis=1) * 0.1
    core = np.sort(cdist(X, X), axis=1)[:, 4] if with_cores else np.zeros(len(X))
    set_thresholds(SPANNING_TREES=0)
    expected = reach_tree.tree_of_points(X, core, n_jobs=1, piece=8)

    def by_turns(work, count, _n_jobs):
        def even():
            for item in range(0, count, 2):
                work(item)

        def odd():
            for item in range(1, count, 2):
                work(item)

        other = threading.Thread(target=odd if caller_begins else even)
        if caller_begins:
            even()
        other.start()
        other.join()
        if not caller_begins:
            odd()

    edges, lengths = reach_tree.tree_of_points(X, core, n_jobs=2, piece=8, run=by_turns)
    assert edges.tolist() == expected[0].tolist()
    assert lengths.tolist() == expected[1].tolist()


@pytest.mark.parametrize(("share", "expected"), [(0, 0), (0.1, 0.5), (0.5, 1.5), (0.8, 3), (1, 3)])
@pytest.mark.usefixtures("compiled")
def test_quantiles_of_distances_of_which_the_smallest_is_0(share, expected):
    D = cdist(*[np.array([[0.0], [0.0], [1.0], [3.0]])] * 2)  # 0, 1, 1, 2, 3, 3
    rows = lambda lo, hi: D[lo:hi]  # noqa: E731
    assert quantiles.quantile_of_distances(rows, 4, share, n_jobs=1, cells=4) == expected


@pytest.mark.usefixtures("compiled")
def test_blocks_of_rows_fill_in_their_own_sums_and_no_others(monkeypatch):
    within_bounds(monkeypatch, kernels.metrics.quantiles, "near_sums")
    within_bounds(monkeypatch, kernels.metrics.quantiles, "near_sums_elsewhere")
    D, codes = cdist(*[np.array([[0.0], [1.0], [3.0], [4.0], [9.0]])] * 2), np.array([0, 1, 0, 1, 1])
    rows = lambda lo, hi: D[lo:hi]  # noqa: E731
    assert quantiles.near_sums(rows, 5, 4.0, n_jobs=1, cells=10).tolist() == [2, 2.5, 2.5, 2, 1]
    elsewhere = quantiles.near_sums_elsewhere(rows, codes, 4.0, n_jobs=1, cells=10)
    assert elsewhere.tolist() == [0.75, 1.25, 1.25, 0.75, 0]


@pytest.mark.parametrize("most", [0, 64])
def test_points_on_the_surface_of_a_ball_are_inside(most, set_thresholds):
    set_thresholds(PAIRS=most)
    X = np.array([[0.0], [2.0]])
    found = cdbw.densities(Clusters(X, X, np.array([0, 1, 2]), X, np.ones(2)), 1, n_jobs=1)
    assert found.between.tolist() == [[0, 1], [1, 0]]  # both are 1 from the middle
    assert found.distances.tolist() == [[0, 2], [2, 0]]


@pytest.mark.parametrize("most", [0, 64])
def test_equal_points_are_all_near_their_representative(most, set_thresholds):
    set_thresholds(PAIRS=most)
    X, centres = np.array([[1.0], [1.0], [1.0], [4.0]]), np.array([[1.0], [4.0]])
    found = cdbw.densities(Clusters(X, X, np.array([0, 3, 4]), centres, np.zeros(2)), 2, n_jobs=1)
    assert found.inside.tolist() == np.ones((2, 8)).tolist()


def test_extremes_are_searched_to_the_end_if_tables_of_all_clusters_do_not_fit(monkeypatch):
    monkeypatch.setattr(search_extremes, "euclidean_pass", None)
    X, k = np.random.default_rng(0).normal(size=(60, 9)), 12
    codes = np.repeat(np.arange(k), 5)
    D = cdist(X, X)
    alike = codes[:, None] == codes
    found = search_extremes.cluster_extremes(X, np.arange(0, 61, 5), n_jobs=1, memory=TABLES * 8 * k * k - 1)
    assert found == pytest.approx((D[~alike].min(), D[alike].max()), rel=1e-14)


def test_the_two_points_that_are_farthest_from_the_mean_may_be_farthest_apart():
    X, starts = np.array([[-2.0], [2.0], [1.0], [-1.0], [7.0], [8.0]]), np.array([0, 4, 6])
    radius = np.array([2.0, 2.0, 1.0, 1.0, 0.5, 0.5])
    assert search_extremes.diameters_of(X, starts, radius).tolist() == [4, 1]


def test_trees_of_clusters_are_by_distances_if_squares_make_none():
    X = np.array([[0.0, 0.0], [9.0, 9.0], [1.0, 1.0], [3.0, 0.0], [9.0, 7.0]])
    groups = [np.array([1, 4]), np.array([0, 2, 3])]
    between = lambda a, b: cdist(X[a], X[b], "cityblock")  # noqa: E731
    trees = span_clusters.trees_of_clusters(X, between, groups, n_jobs=1, factor=None)
    assert [lengths.tolist() for _, lengths in trees] == [[2], [2, 3]]


@pytest.mark.parametrize(("with_points", "form"), [(False, None), (False, MANHATTAN), (True, None), (True, MANHATTAN)])
def test_gaps_of_clusters_by_a_metric_that_squares_do_not_make(with_points, form, set_thresholds):
    set_thresholds(NEIGHBOURS=0)  # trees, where they apply
    X = np.array([[0.0, 0.0], [1.0, 4.0], [3.0, 0.0], [2.0, 2.0], [8.0, 8.0]])
    groups = [np.array([0, 1]), np.array([2, 3]), np.array([4])]
    between = lambda a, b: cdist(X[a], X[b], "cityblock")  # noqa: E731
    gaps = span_clusters.gaps_of_clusters(X if with_points else None, form, between, groups, n_jobs=1, memory=2**20)
    assert gaps.tolist() == [[inf, 3, 11], [3, inf, 12], [11, 12, inf]]


@pytest.mark.parametrize("limit", [0, 10**6])
def test_gaps_of_clusters_are_the_least_of_squares_that_have_equal_roots(limit, set_thresholds):
    set_thresholds(NEIGHBOURS=limit)
    X = np.array([[0, 0], [0, 100], [1, 1.5e-8], [1, 100]])  # squares are 1 + 2**-52 and 1
    groups = [np.array([0, 1]), np.array([2, 3])]
    between = lambda a, b: cdist(X[a], X[b], "sqeuclidean")  # noqa: E731
    assert between(groups[0][:1], groups[1][:1]) == 1 + 2**-52
    gaps = span_clusters.gaps_of_clusters(X, Form("sqeuclidean"), between, groups, n_jobs=1, memory=2**20)
    assert gaps.tolist() == [[inf, 1], [1, inf]]


@pytest.mark.parametrize("most", [0, 64])
def test_walks_along_a_tree_from_noise_and_from_the_only_cluster(most, set_thresholds):
    set_thresholds(PAIRS=most)
    heights = np.array([1.0, 2.0, 3.0, 4.0])
    paths = tree_paths.Paths(tree_paths.merges_of(np.array([[0, 1], [2, 3], [1, 2], [3, 4]])), heights)
    own, nearest, neighbour = paths.means(np.array([0, 0, 1, -1, 1]), np.array([2, 2]))
    assert own.tolist() == [1, 1, 4, 0, 4]
    assert nearest.tolist() == [3.5, 3.5, 3, 3, 4]
    assert neighbour.tolist() == [1, 1, 0, 0, 0]
    own, nearest, neighbour = paths.means(np.array([0, 0, 0, -1, 0]), np.array([4]))
    assert own == pytest.approx([8 / 3, 8 / 3, 10 / 3, 0, 4])
    assert nearest.tolist() == [inf, inf, inf, 3, inf]
    assert neighbour.tolist() == [-1, -1, -1, 0, -1]
