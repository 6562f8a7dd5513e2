"""`diagnose`: its verdicts on data whose clusters are known, what stands beside them, bad input, what is drawn."""

from __future__ import annotations

import itertools
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from pytest import approx

import clustval as cv
from clustval.diagnosis import verdicts as words
from clustval.discs import apart
from clustval.report import diagnosis_section


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


def test_a_cluster_that_borders_on_none_has_a_nearest_one():
    X, y = blobs(((0, 0), (30, 0), (100, 0)), n=40)
    clusters = cv.diagnose(X, y).clusters
    assert clusters["nearest"].tolist() == [1, 0, 1]
    assert np.isnan(clusters["separate"]).all()


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
    assert diagnosis.rescue(at_most=np.float32(0.5)).tolist() == diagnosis.rescue(at_most=0.5).tolist()
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


@pytest.mark.parametrize("nothing", [None, math.nan, pd.NA])
def test_a_row_without_a_text_has_no_words_and_is_no_document(nothing):
    X, y = blobs(((0, 0), (10, 0)), n=30)
    texts = ["none of it" if cluster == 0 else nothing for cluster in y]
    texts[40] = "nan at work"
    topics = cv.diagnose(X, y, texts=texts).topics
    assert topics["words"].tolist() == ["it, none, of", "at, nan, work"]
    assert topics["typical"].tolist() == ["none of it | none of it | none of it", "nan at work"]
    assert topics["foreign"][1] == ""


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


def test_noise_of_an_algorithm_is_no_cluster_that_comes_back():
    X, y = blobs(((0, 0), (20, 0)), n=40)
    clusters = cv.diagnose(X, y, estimator=right_is_noise, n_jobs=1).clusters
    assert clusters["stability"] == approx([1, 0])
    assert clusters["stability_of_nothing"].tolist() == [0, 0]  # of which all is noise
    marked = cv.diagnose(X, np.where(y == 1, -1, 0), estimator=right_is_noise, noise="cluster", n_jobs=1).clusters
    assert marked["stability"] == approx([1, 1])


def right_is_noise(X, _k, rng):
    return np.where((X[:, 0] > 10) | (np.abs(X[:, 0] - 10) < 4).any(), -1, 0)


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
        (
            {"names": ["a"]},
            (
                "names has 1 entries but the labels form 2 clusters; give one for each, or a mapping from labels to "
                'names, {0: "loyal"}.'
            ),
        ),
        ({"names": {"0": "a"}}, "names has none of the labels: it names '0', and the labels are 0, 1."),
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


# --- drawn and written -----------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_clusters_that_lie_on_one_another_do_not_touch_on_the_map(k):
    radii = np.linspace(5, 20, k)
    places = apart(np.zeros((k, 2)), radii, wide=280, between=26)
    gaps = [np.linalg.norm(places[a] - places[b]) - radii[a] - radii[b] for a in range(k) for b in range(a)]
    assert all(gap > 0 for gap in gaps)


def test_the_page_shows_every_cluster_and_says_which_neighbours_have_no_density_between_them():
    pytest.importorskip("jinja2")
    X, y = blobs(((0, 0), (7, 0), (0, 9)), n=100)
    y[::2][:50] = 3  # half of the first cluster, at random: both halves have the same middle, nearly
    page = diagnosis_section.section(cv.diagnose(X, y))
    for a, b in itertools.combinations(page.map.nodes, 2):
        assert math.dist((a.x, a.y), (b.x, b.y)) > a.radius + b.radius
    assert page.flat == "No direction separates these clusters, so there is nothing to draw: 0 and 3."


def test_clusters_whose_names_are_equal_as_text_have_places_of_their_own_on_the_map():
    pytest.importorskip("matplotlib")
    X, y = blobs(((0, 0), (5, 0)), n=80)
    diagnosis = cv.diagnose(X, np.array([1, "1"], dtype=object)[y])
    (line,) = diagnosis.plot().lines
    assert math.dist(*line.get_xydata()) > 0
    (edge,) = diagnosis_section.section(diagnosis).map.edges
    assert edge.ends[:2] != edge.ends[2:]


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


def test_the_page_of_an_evaluation_opens_with_the_diagnosis():
    pytest.importorskip("jinja2")
    X, y = blobs(FAR, n=60)
    page = cv.evaluate(X, np.where(y == 1, 0, y), ["dunn"]).to_html()
    headline = page[page.index('id="headline"') :]
    assert headline.index("Your 3 clusters: two are separate, 0 is two.") < headline.index("There is structure")
    assert "Split 0 into parts of 60 and 60 points" in headline


@pytest.mark.parametrize(("n", "p"), [(2000, 2), (3, 5)])
def test_a_gaussian_like_the_points_has_their_mean_and_covariance(n, p):
    from clustval.diagnosis.side_questions import gaussian_like

    rng = np.random.default_rng(0)
    points = rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) + 7
    drawn = np.concatenate([gaussian_like(points, rng) for _ in range(6000 // n)])
    width = points.std(axis=0)
    assert drawn.shape == (6000 // n * n, p)
    assert np.abs(drawn.mean(axis=0) - points.mean(axis=0)).max() < 0.1 * width.max()
    assert np.abs(np.cov(drawn.T) - np.cov(points.T)).max() < 0.15 * width.max() ** 2
