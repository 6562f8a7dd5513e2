"""`diagnose`: its verdicts on data whose clusters are known, its evidence against definitions in loops, bad input."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

import clustval as cv
from clustval import kernels
from clustval.diagnosis import verdicts as words
from clustval.diagnosis.evidence.borders import layers
from clustval.diagnosis.evidence.discriminant import depth, held_out_scores
from clustval.diagnosis.evidence.learned import coefficients
from clustval.diagnosis.evidence.members import votes
from clustval.diagnosis.evidence.surroundings import Graph
from clustval.diagnosis.evidence.ties import unrounded
from clustval.diagnosis.evidence.two_populations import Shape
from clustval.passes.neighbours.across import nearest_across


def blobs(centres, n=120, seed=0, p=2):
    rng = np.random.default_rng(seed)
    centres = [np.resize(np.asarray(centre, dtype=float), p) for centre in centres]
    return np.concatenate([rng.normal(centre, 1, (n, p)) for centre in centres]), np.repeat(np.arange(len(centres)), n)


FAR = ((0, 0), (10, 0), (0, 10), (10, 10))


# --- verdicts --------------------------------------------------------------------------------------------


def test_right_clusters_are_left_alone():
    X, y = blobs(FAR)
    diagnosis = cv.diagnose(X, y)
    assert (diagnosis.merges, diagnosis.splits, diagnosis.actions) == ([], [], [])
    assert len(diagnosis.misplaced) == 0
    assert set(diagnosis.clusters["verdict"]) == {words.APART}
    assert (diagnosis.repaired == y).all()
    assert diagnosis.steps == []


def test_two_halves_of_one_cluster_are_merged():
    X, y = blobs(FAR)
    labels = y.copy()
    labels[(y == 0) & (X[:, 0] > 0)] = 4
    diagnosis = cv.diagnose(X, labels)
    assert diagnosis.merges == [(0, 4)]
    assert cv.external.adjusted_rand(y, diagnosis.repaired) > 0.99
    assert "Merge 0 and 4" in diagnosis.actions[0]
    assert len(diagnosis.steps) == 1


def test_a_cluster_that_is_two_is_split_into_its_parts():
    X, y = blobs(FAR)
    diagnosis = cv.diagnose(X, np.where(y == 1, 0, y))
    assert diagnosis.splits == [0]
    a, b = diagnosis.parts(0)
    assert {frozenset(y[a]), frozenset(y[b])} == {frozenset([0]), frozenset([1])}
    assert cv.external.adjusted_rand(y, diagnosis.repaired) > 0.99


def test_points_in_the_wrong_cluster_are_found_and_moved():
    X, y = blobs(FAR)
    labels = y.copy()
    wrong = np.arange(0, 10)
    labels[wrong] = 2
    diagnosis = cv.diagnose(X, labels)
    assert diagnosis.misplaced.tolist() == wrong.tolist()
    assert (diagnosis.points["better"][wrong] == 0).all()
    assert set(diagnosis.points["kind"][wrong]) == {"misplaced"}
    assert (diagnosis.repaired == y).all()


def test_clusters_that_overlap_in_many_columns_are_kept():
    X, y = blobs((0, 1), n=200, p=10)  # 3.2 standard deviations apart
    assert cv.diagnose(X, y).merges == []


def test_kinds_of_iris_that_overlap_are_two_populations_and_are_kept():
    iris = cv.data.load("iris")
    diagnosis = cv.diagnose(iris.X, iris.truth)
    assert diagnosis.merges == []
    row = diagnosis.pairs.records[0]
    assert {row["a"], row["b"]} == {"versicolor", "virginica"}
    assert row["separate"] <= 0.3
    assert row["populations"] > 0.35
    assert row["verdict"] == words.OVERLAP


def test_a_valley_between_neighbours_makes_them_separate():
    X, y = blobs(((0, 0), (5, 0)), n=150)
    pairs = cv.diagnose(X, y).pairs
    assert pairs["verdict"].tolist() == [words.APART]
    assert pairs["separate"][0] > 0.9
    assert pairs["p_value"][0] < 0.05


def test_names_of_clusters_are_the_users():
    X, y = blobs(FAR)
    labels = np.array(["north", "east", "south", "west"])[y]
    labels[(y == 0) & (X[:, 0] > 0)] = "extra"
    assert cv.diagnose(X, labels).merges == [("extra", "north")]
    codes = np.where(labels == "extra", 9, y)
    assert cv.diagnose(X, codes, names={9: "rest", 0: "first"}).merges == [("first", "rest")]


def test_the_order_of_points_does_not_matter():
    X, y = blobs(FAR, n=60)
    labels = np.where(y == 1, 0, y)
    order = np.random.default_rng(1).permutation(len(X))
    one, other = cv.diagnose(X, labels), cv.diagnose(X[order], labels[order])
    assert one.splits == other.splits
    assert other.clusters["separate"] == approx(one.clusters["separate"], abs=0.05, nan_ok=True)


@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_unit_of_coordinates_does_not_matter(scale):
    X, y = blobs(((0, 0), (5, 0)))
    one, other = cv.diagnose(X, y), cv.diagnose(X * scale, y)
    assert other.pairs["separate"] == approx(one.pairs["separate"], rel=1e-6)
    assert other.points["wrong"] == approx(one.points["wrong"], rel=1e-6)


def test_the_number_of_threads_does_not_matter():
    X, y = blobs(((0, 0), (4, 0), (0, 5)))
    assert cv.diagnose(X, y, n_jobs=1) == cv.diagnose(X, y, n_jobs=2)


def test_noise_is_not_judged_and_is_rescued_where_it_belongs():
    X, y = blobs(((0, 0), (10, 0)))
    labels = y.copy()
    labels[::2] = -1
    diagnosis = cv.diagnose(X, labels)
    assert "50 % of the points are noise" in diagnosis.alarms[0]
    rescued = diagnosis.rescue(at_most=0)
    assert (rescued[rescued >= 0] == y[rescued >= 0]).all()
    assert (rescued < 0).mean() < 0.1
    assert (diagnosis.rescue(at_most=0.4) < 0).mean() == approx(0.4, abs=0.01)
    kinds = set(diagnosis.points["kind"][::2])
    assert "noise that belongs to 0" in kinds


def test_one_giant_cluster_is_an_alarm():
    X, y = blobs(FAR)
    assert "75 % of the clustered points" in cv.diagnose(X, np.where(y == 3, 1, 0)).alarms[0]


def test_directions_are_judged_by_cosines():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(3), 100)
    X = (np.eye(12)[y] + 0.12 * rng.standard_normal((300, 12))) * rng.lognormal(0, 1, (300, 1))
    diagnosis = cv.diagnose(X, np.where(y == 2, 1, y), metric="cosine")
    assert diagnosis.splits == [1]
    assert diagnosis.merges == []


def test_distances_alone_are_judged_by_the_graph():
    X, y = blobs(FAR)
    labels = y.copy()
    labels[(y == 0) & (X[:, 0] > 0)] = 4
    D = np.linalg.norm(X[:, None] - X, axis=2)
    diagnosis = cv.diagnose(D, labels, metric="precomputed")
    assert diagnosis.merges == [(0, 4)]
    assert "graph of neighbours alone" in diagnosis.alarms[-1]
    assert cv.diagnose(D, np.where(y == 1, 0, y), metric="precomputed").splits == [0]


def test_weights_are_how_often_points_count():
    X, y = blobs(FAR)
    labels = np.where(y == 1, 0, y)
    weights = np.where(y == 1, 0.0, 1.0)
    diagnosis = cv.diagnose(X, labels, sample_weight=weights)
    assert diagnosis.splits == []
    assert diagnosis.clusters["size"].tolist() == [120, 120, 120]
    assert set(diagnosis.points["kind"][y == 1]) == {"not looked at"}


def test_rounded_columns_make_no_gaps():
    rng = np.random.default_rng(0)
    X = rng.poisson(3, (400, 5)).astype(float)
    labels = (X[:, 0] > 3).astype(int)
    diagnosis = cv.diagnose(X, labels)
    assert diagnosis.splits == []
    assert words.APART not in set(diagnosis.pairs["verdict"])


@pytest.mark.large
def test_many_points_are_judged_by_a_sample_and_split_as_a_whole():
    X, y = blobs(FAR, n=8000)
    labels = np.where(y == 1, 0, y)
    labels[:40] = 3
    diagnosis = cv.diagnose(X, labels)
    assert diagnosis.splits == [0]
    assert set(diagnosis.misplaced) >= set(range(40))
    assert cv.external.adjusted_rand(y, diagnosis.repaired) > 0.99


def test_a_tiny_cluster_that_no_sample_holds_is_too_small_to_judge():
    X, y = blobs(FAR, n=7000)
    labels = y.copy()
    labels[[3, 8000]] = 9
    diagnosis = cv.diagnose(X, labels)
    assert diagnosis.clusters["verdict"].tolist() == [*[words.APART] * 4, words.TOO_SMALL]
    assert set(diagnosis.misplaced) <= {3, 8000}


# --- beside the verdicts ---------------------------------------------------------------------------------


def test_texts_give_words_and_documents():
    X, y = blobs(((0, 0), (10, 0)), n=30)
    texts = [f"a {'cat purrs' if cluster == 0 else 'dog barks'} {at}" for at, cluster in enumerate(y)]
    topics = cv.diagnose(X, y, texts=texts).topics
    assert topics["words"][0].startswith(("cat, purrs", "purrs, cat"))
    assert len(topics["typical"][1].split(" | ")) == 3


def test_a_cluster_that_is_a_batch_is_seen():
    X, y = blobs(FAR)
    batch = np.where(y == 2, "b", np.random.default_rng(0).choice(["a", "b"], len(y)))
    batches = cv.diagnose(X, y, batch=batch).batches
    assert batches["p_holm"][2] < 0.01
    assert batches["p_holm"][0] > 0.01


def test_stability_stands_beside_that_of_nothing():
    X, y = blobs(FAR, n=50)
    clusters = cv.diagnose(X, y, estimator=cv_kmeans).clusters
    assert clusters["stability"].min() > 0.9 > clusters["stability_of_nothing"][0]


def cv_kmeans(X, k, rng):
    from clustval.passes.kmeans.lloyd import kmeans

    return kmeans(X, k, rng=rng).labels


def test_a_diagnosis_is_written_read_and_pickled():
    X, y = blobs(FAR, n=60)
    diagnosis = cv.diagnose(X, np.where(y == 1, 0, y))
    again = cv.Diagnosis.from_json(diagnosis.to_json())
    assert again == diagnosis
    with pytest.raises(cv.InputError, match="read from JSON"):
        _ = again.repaired
    assert (pickle.loads(pickle.dumps(diagnosis)).repaired == diagnosis.repaired).all()


def test_a_diagnosis_is_printed_and_shown():
    X, y = blobs(FAR, n=60)
    diagnosis = cv.diagnose(X, np.where(y == 1, 0, y))
    assert str(diagnosis).startswith(
        "Your 3 clusters: two are separate, 0 is two.\nSplit 0 into parts of 60 and 60 points"
    )
    assert "<li>Split 0" in diagnosis._repr_html_()
    assert list(diagnosis.clusters.to_pandas().columns)[:2] == ["size", "verdict"]
    assert diagnosis.pairs.to_polars().height == len(diagnosis.pairs["a"])


# --- bad input -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("X", "labels"),
    [
        (np.arange(40.0)[:, None], np.zeros(40, dtype=int)),
        (np.arange(40.0)[:, None], np.full(40, -1)),
        (np.arange(40.0)[:, None], np.arange(40)),
        (np.zeros((50, 3)), np.arange(50) % 2),
        (np.repeat(np.arange(5.0), 20)[:, None], np.arange(100) % 4),
        (np.arange(12.0).reshape(6, 2), [0, 0, 0, 1, 1, 1]),
        (np.arange(3.0)[:, None], [0, 1, 1]),
        (np.c_[np.arange(60.0), np.ones(60)], np.arange(60) % 3),
        (np.random.default_rng(0).normal(size=(900, 2)), np.arange(900) % 250),
        (np.array([[1.0, 2.0]]), [0]),
    ],
)
def test_strange_clusterings_get_verdicts_or_a_line_never_a_crash(X, labels):
    diagnosis = cv.diagnose(X, labels)
    assert str(diagnosis)
    assert len(diagnosis.repaired) == len(X)
    assert len(diagnosis.points["row"]) == len(X)
    assert set(diagnosis.misplaced) <= set(range(len(X)))


def test_points_that_coincide_are_not_judged():
    diagnosis = cv.diagnose(np.zeros((50, 3)), np.arange(50) % 2)
    assert diagnosis.alarms == ["All points coincide with their neighbours: there is nothing to judge."]
    assert set(diagnosis.clusters["verdict"]) == {words.TOO_SMALL}
    assert diagnosis.actions == []


def test_small_clusters_are_not_judged():
    X, _ = blobs(FAR, n=4)
    diagnosis = cv.diagnose(X, np.arange(16) % 4)
    assert set(diagnosis.clusters["verdict"]) == {words.TOO_SMALL}
    assert diagnosis.alarms == ["No cluster has enough points to be judged."]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [0, 1]}, "X has 240 rows but labels has 2 entries."),
        ({"neighbours": 1}, "neighbours must be a whole number from 2; it is 1."),
        ({"names": ["a"]}, "names has 1 entries but the labels form 2 clusters; give one for each."),
        ({"names": ["a", "a"]}, "names must differ: two clusters would be called the same."),
        ({"texts": ["a"]}, "X has 240 rows but texts has 1 entries."),
        ({"batch": ["a"]}, "X has 240 rows but batch has 1 entries."),
    ],
)
def test_bad_arguments_are_named(options, message):
    X, y = blobs(((0, 0), (9, 9)))
    with pytest.raises(cv.InputError) as error:
        cv.diagnose(X, options.pop("labels", y), **options)
    assert str(error.value) == message


def test_parts_of_what_is_not_split_are_refused():
    X, y = blobs(FAR, n=60)
    diagnosis = cv.diagnose(X, np.where(y == 1, 0, y))
    with pytest.raises(cv.InputError, match="2 is not to be split; clusters to split: 0"):
        diagnosis.parts(2)
    with pytest.raises(cv.InputError, match="at_most is a share"):
        diagnosis.rescue(2)


# --- evidence against definitions ------------------------------------------------------------------------


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


# --- drawn and written -----------------------------------------------------------------------------------


def test_the_map_and_the_valley_are_drawn():
    pytest.importorskip("matplotlib")
    X, y = blobs(((0, 0), (5, 0), (0, 5)), n=80)
    diagnosis = cv.diagnose(X, y)
    ax = diagnosis.plot()
    assert {text.get_text() for text in ax.texts} >= {"0", "1", "2"}
    pair = (diagnosis.pairs["a"][0], diagnosis.pairs["b"][0])
    seen = diagnosis.valleys[pair]
    low, high = seen["medians"]
    assert low < seen["valley"] < high
    marks = [line for line in diagnosis.plot(pair).lines if line.get_gid() == "valley"]
    assert marks[0].get_xdata()[0] == approx(seen["valley"])
    with pytest.raises(cv.InputError, match="is no pair of neighbouring clusters"):
        diagnosis.plot(("a", "b"))


def test_the_page_holds_what_is_said(tmp_path):
    pytest.importorskip("jinja2")
    X, y = blobs(FAR, n=60)
    labels = np.where(y == 1, 0, y).astype(object)
    labels[labels == 2] = "<b>x</b>"
    diagnosis = cv.diagnose(X, [str(label) for label in labels])
    page = diagnosis.to_html(tmp_path / "d.html")
    assert (tmp_path / "d.html").read_text() == page
    assert "Split 0 into parts of 60 and 60 points" in page
    assert "<b>x</b>" not in page


def test_a_map_of_distances_keeps_them():
    X, y = blobs(((0, 0), (10, 0), (0, 20)), n=40)
    D = np.linalg.norm(X[:, None] - X, axis=2)
    places = cv.diagnose(D, y, metric="precomputed").places
    lengths = [np.linalg.norm(places[a] - places[b]) for a, b in ((0, 1), (0, 2))]
    assert lengths == approx([10, 20], rel=0.1)


# --- alarms of other verbs -------------------------------------------------------------------------------


def test_an_evaluation_tells_of_a_giant_cluster_and_of_much_noise():
    X, y = blobs(FAR)
    scores = cv.evaluate(X, np.where(y == 3, 1, 0), ["dunn"])
    assert str(scores).splitlines()[-2].startswith("0 has 75 % of the clustered points")
    assert "75 %" in scores._repr_html_()
    noisy = cv.evaluate(X, np.where(y >= 2, -1, y), ["dunn"])
    assert noisy.alarms[0] == "50 % of the points are noise."
    assert cv.evaluate(X, y, ["dunn"]).alarms == []
    assert cv.Scores.from_json(noisy.to_json()).alarms == noisy.alarms
