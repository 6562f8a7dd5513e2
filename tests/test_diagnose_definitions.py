"""Evidence of a diagnosis against definitions in loops: graphs, votes, projections, neighbours, rounding."""

from __future__ import annotations

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from clustval import kernels
from clustval.diagnosis.evidence.borders import layers
from clustval.diagnosis.evidence.discriminant import depth, held_out_scores
from clustval.diagnosis.evidence.learned import coefficients
from clustval.diagnosis.evidence.members import votes
from clustval.diagnosis.evidence.surroundings import Graph
from clustval.diagnosis.evidence.ties import unrounded
from clustval.diagnosis.evidence.two_populations import Shape
from clustval.passes.neighbours.across import nearest_across


def random_graph(seed, n=14):
    rng = np.random.default_rng(seed)
    joined = np.triu(rng.random((n, n)) < 0.25, 1)
    joined |= joined.T
    begins, ends = np.nonzero(joined)
    return rng, Graph(begins * n + ends, n), joined, rng.normal(size=n)


def naive_excess(graph, order, heights, sides):
    """Points enter as sets; where two sets meet, the excess of each is summed up anew from its points."""
    parts, best = [], 0.0

    def excess(part, level):
        return sum((1 - np.exp(level - heights[x])) * (1 if sides[x] == 0 else -1) for x in part)

    for x in order:
        mine = {x}
        parts.append(mine)
        for y in graph.ends[graph.starts[x] : graph.starts[x + 1]]:
            other = next((part for part in parts if y in part), None)
            if other is None or other is mine:
                continue
            one, two = excess(mine, heights[x]), excess(other, heights[x])
            best = max(best, min(one, -two), min(-one, two))
            parts = [part for part in parts if part is not mine and part is not other]
            mine = mine | other
            parts.append(mine)
    left = [excess(part, -np.inf) for part in parts]
    return max(best, min(sum(max(e, 0) for e in left), sum(max(-e, 0) for e in left)))


@given(st.integers(0, 10**6))
def test_excess_mass_is_that_of_its_definition(seed):
    rng, graph, _, heights = random_graph(seed)
    sides = rng.integers(-1, 2, len(heights))
    order = np.flatnonzero(sides >= 0)
    order = order[np.argsort(-heights[order])]
    if len(order) >= 2:
        mass, _ = kernels.valleys.excess_mass.excess_mass(order, *graph.lists, heights, sides)
        assert mass == approx(naive_excess(graph, order, heights, sides), abs=1e-9)


def test_two_hills_have_the_excess_of_the_lower_one():
    heights = np.log([1.0, 3.0, 1.0, 2.0, 1.0])
    edges = np.array([0 * 5 + 1, 1 * 5 + 0, 1 * 5 + 2, 2 * 5 + 1, 2 * 5 + 3, 3 * 5 + 2, 3 * 5 + 4, 4 * 5 + 3])
    graph = Graph(np.sort(edges), 5)
    order = np.argsort(-heights, kind="stable")
    mass, level = kernels.valleys.excess_mass.excess_mass(order, *graph.lists, heights, np.array([0, 0, 0, 1, 1]))
    assert (mass, level) == approx((0.5, 0.0))  # 1 - 1 / 2 of the lower hill, where they meet at density 1
    assert kernels.valleys.excess_mass.deepest_meeting(order, *graph.lists, heights, np.ones(5, dtype=bool))[
        0
    ] == approx(0.5)


@given(st.integers(0, 10**6))
def test_layers_are_those_of_their_definition(seed):
    rng, graph, joined, heights = random_graph(seed)
    sides = rng.integers(-1, 2, len(heights))
    growth = []
    for side in (0, 1):
        members = {x for x in range(len(sides)) if sides[x] == side}
        seen = {x for x in members if any(joined[x, y] and sides[y] == 1 - side for y in range(len(sides)))}
        sizes, front = [len(seen)], seen
        for _ in range(2):
            front = {x for x in members - seen if any(joined[x, y] for y in front)}
            seen = seen | front
            sizes.append(len(front))
        growth.append(np.log((max(sizes[1:]) + 1) / (sizes[0] + 1)))
    across = sum(joined[x, y] for x in range(len(sides)) for y in range(len(sides)) if (sides[x], sides[y]) == (0, 1))
    assert layers(graph, sides) == (approx(min(growth)), across)


@given(st.integers(0, 10**6))
def test_labels_flow_to_the_majority(seed):
    rng, graph, joined, heights = random_graph(seed)
    labels = rng.integers(-1, 3, len(heights))
    order, expected = np.argsort(-heights), labels.copy()
    for x in order:
        counts = [sum(joined[x, y] and expected[y] == label for y in range(len(labels))) for label in range(3)]
        if expected[x] < 0 and max(counts):
            expected[x] = counts.index(max(counts))
    kernels.valleys.flow.flow(order, *graph.lists, labels, 3)
    assert labels.tolist() == expected.tolist()


@given(st.integers(0, 10**6))
def test_votes_are_counted(seed):
    rng = np.random.default_rng(seed)
    numbers, labels = rng.integers(0, 9, (9, 4)), rng.integers(-1, 3, 9)
    expected = [[sum(labels[j] == c for j in row) for c in range(3)] for row in numbers]
    assert votes(numbers, labels, 3).tolist() == expected


def test_held_out_scores_see_no_difference_where_there_is_none():
    rng = np.random.default_rng(0)
    values = []
    for _ in range(60):
        sides = np.repeat([0, 1], 30)
        scores = held_out_scores(rng.normal(size=(60, 20)), sides, rng)
        values.append(scores[sides == 1].mean() - scores[sides == 0].mean())
    assert abs(np.mean(values)) < 0.25  # in-sample discriminants would be 1 apart and more


def test_a_valley_is_as_deep_as_it_is():
    grid = np.linspace(0.0005, 0.9995, 1000)
    flat = depth(grid, (grid > 0.5).astype(int))
    gap = depth(np.r_[grid[grid < 0.4], grid[grid > 0.6]], np.repeat([0, 1], 400))
    assert flat > 0.9
    assert gap < 0.2


@given(st.integers(0, 10**6))
def test_nearest_across_is_a_sort_of_all_distances(seed):
    rng = np.random.default_rng(seed)
    reference = rng.normal(size=(30, 3))
    rows = rng.integers(0, 30, 7)
    X, places = reference[rows], np.where(rows % 2 == 0, rows, -1)
    X = np.where(places[:, None] >= 0, X, X + 0.1)
    D = np.linalg.norm(X[:, None] - reference, axis=2)
    D[places >= 0, places[places >= 0]] = np.inf
    distances, numbers = nearest_across(X, reference, 4, places, n_jobs=1)
    assert distances == approx(np.sort(D, axis=1)[:, :4], abs=1e-6)
    assert (numbers == np.argsort(D, axis=1)[:, :4]).all()


def test_rounding_is_given_back_within_the_gaps():
    rng = np.random.default_rng(0)
    X = np.c_[rng.integers(0, 4, 200) ** 2, rng.random(200)].astype(float)
    Z = unrounded(X, rng)
    assert (Z[:, 1] == X[:, 1]).all()
    assert (np.abs(Z - X).max(axis=0)[0] <= 2.5).all()
    assert len(np.unique(Z[:, 0])) == 200


def test_coefficients_say_what_they_are_of():
    content = coefficients()
    for name in ("valley", "cut", "wrong", "stray"):
        model = content[name]
        assert len(model["inputs"]) == len(model["weights"])
    assert content["populations"]["inputs"][-len(Shape._fields) :] == list(Shape._fields)
    assert content["provenance"]["seeds of made data"]
    assert max(content["provenance"]["seeds of made data"]) < 9000
    assert json.dumps(content)
