"""How likely a community is by chance: exact beside all pairings, and graphs at random that keep every degree."""

from __future__ import annotations

import math

import naive_graph
import networkx as nx
import numpy as np
import pytest
from kinds.graph import LONELY, PATH, SMALL, planted
from pytest import approx
from scipy import sparse

import clustval as cv
from clustval.passes.graphs import rewiring
from clustval.passes.work import thresholds
from clustval.sources.adjacency import adjacency


@pytest.mark.parametrize(
    ("matrix", "labels"),
    [
        (PATH, [0, 0, 0, 1, 1]),
        (PATH, [0, 1, 0, 1, 1]),
        (1 - np.eye(4), [0, 0, 0, 1]),
        (LONELY[:5, :5], [0, 0, 1, 1, 2]),
        ([[0, 1], [1, 0]], [0, 0]),
    ],
)
def test_matching_ends_at_random_agrees_with_all_pairings(matrix, labels):
    table = cv.graph.community_test(matrix, labels).table
    for row, name in enumerate(sorted(set(labels))):
        expected = naive_graph.matched(np.asarray(matrix).tolist(), labels, name)
        found = [table[column][row] for column in ("expected", "sd", "p_value")]
        assert found == approx(list(expected), rel=1e-9, abs=1e-12)


def test_rewired_graphs_keep_every_degree_and_stay_simple():
    graph = adjacency((SMALL[0] > 0).astype(float))
    tails, heads = rewiring.rewired(graph.tails, graph.edges.others, graph.n, seed=3)
    assert np.array_equal(np.bincount(np.r_[tails, heads]), graph.edges.links)
    pairs = {frozenset(pair) for pair in zip(tails.tolist(), heads.tolist(), strict=True)}
    assert len(pairs) == len(tails) == len(graph.edges.others)
    assert all(len(pair) == 2 for pair in pairs)
    before = {frozenset(pair) for pair in zip(graph.tails.tolist(), graph.edges.others.tolist(), strict=True)}
    assert len(before & pairs) < len(before) / 2


@pytest.mark.parametrize("seed", [0, 1, 2**63 - 1])
def test_edges_exchange_their_ends_alike_by_numpy_and_compiled(seed, monkeypatch):
    graph = adjacency((SMALL[0] > 0).astype(float))
    ends = graph.tails, graph.edges.others.astype(np.int64), graph.n, seed
    monkeypatch.setattr(thresholds, "SWAPS", 0)
    for one, other in zip(rewiring.rewired(*ends), rewiring.rewired_numpy(*ends), strict=True):
        assert np.array_equal(one, other)


def test_swaps_reach_all_graphs_with_these_degrees_alike():
    """Six vertices in a ring: 60 rings of six and 10 pairs of triangles have these degrees."""
    tails, heads = np.arange(6), (np.arange(6) + 1) % 6
    triangles = sum(
        len({frozenset(p) for p in zip(*rewiring.rewired(tails, heads, 6, seed), strict=True)} & {
            frozenset(p) for p in ((0, 1), (1, 2), (0, 2))
        }) == 3
        for seed in range(3000)
    )  # fmt: skip
    assert triangles == approx(3000 / 70, abs=4 * math.sqrt(3000 / 70))  # these two triangles are one of the 70


def test_planted_communities_are_no_chance_and_random_ones_are():
    matrix, labels = planted((30, 25, 20), 0.5, 0.1, seed=8)
    assert cv.graph.community_test(matrix, labels).table["adjusted"].max() < 1e-6
    drawn = cv.graph.community_test(matrix, labels, null="swaps", n_graphs=99)
    assert drawn.table["p_value"].tolist() == [0.01] * 3
    assert drawn.n_graphs == 99
    chance = [
        cv.graph.community_test(matrix, np.random.default_rng(seed).permutation(labels)).table["p_value"]
        for seed in range(60)
    ]
    assert 0.02 < np.mean(np.concatenate(chance) < 0.1) < 0.18


def test_both_nulls_agree_where_double_edges_are_rare():
    matrix, labels = planted((150, 120), 0.04, 0.02, seed=8)
    exact, drawn = (
        cv.graph.community_test(matrix, labels, null=null, n_graphs=300).table for null in ("matching", "swaps")
    )
    assert drawn["expected"] == approx(exact["expected"], rel=0.02)
    assert drawn["sd"] == approx(exact["sd"], rel=0.15)


def test_communities_that_were_searched_are_compared_with_those_found_by_chance():
    def halves(table):
        return [set(part) for part in nx.community.kernighan_lin_bisection(nx.from_scipy_sparse_array(table), seed=0)]

    matrix, _ = planted((60,), 0.1, 0.1, seed=4)
    table = cv.graph.community_test(matrix, halves(sparse.csr_array(matrix)), find=halves, n_graphs=39).table
    assert table["p_value"].max() < 0.01  # as if the halves were known before
    assert table["p_search"].min() > 0.05
    matrix, labels = planted((30, 30), 0.4, 0.02, seed=4)
    assert cv.graph.community_test(matrix, labels, find=halves, n_graphs=39).table["p_search"].max() == 1 / 40


def test_a_random_graph_in_which_no_community_is_found_is_no_evidence():
    table = cv.graph.community_test(PATH, [0, 0, 0, 1, 2], n_graphs=4, find=lambda _: np.full(5, -1)).table
    assert (table["p_value"] < 1).tolist() == [True, False, False]
    assert table["p_search"] == approx([1 / 5, 1, 1])


def test_weights_stay_with_their_edges():
    test = cv.graph.community_test(*SMALL, n_graphs=20)
    assert test.null == "swaps"
    upper = np.triu(SMALL[0])
    assert test.table["inside"] == approx([upper[np.ix_(SMALL[1] == c, SMALL[1] == c)].sum() for c in (0, 1)])
    again = cv.graph.community_test(*SMALL, n_graphs=20)
    assert test == again == type(test).from_json(test.to_json())
    assert test.p_values == {0: 1 / 21, 1: 1 / 21}
