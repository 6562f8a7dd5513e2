"""Many partitions of the same data: what comes in, what comes out, what each index chooses."""

from __future__ import annotations

import math
import re
import sys
import types

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture

from clustval import rules
from clustval.catalogue import select
from clustval.errors import InputError
from clustval.evaluation import evaluate
from clustval.relative.labellings import cuts, labellings, tree
from clustval.relative.sweep import sweep
from clustval.relative.sweep_result import Sweep
from clustval.sources.space import space_of
from conftest import iris_components, make_blobs

approx = pytest.approx
X, TRUTH = make_blobs((25, 15, 30), ((0, 0), (6, 0), (0, 7)), 0.5, seed=8)
LABELS = {2: TRUTH // 2, 3: TRUTH, 4: np.where(np.arange(70) < 12, 3, TRUTH), 5: np.arange(70) % 5}
NAMES = ["silhouette", "calinski_harabasz", "trace_w", "gamma", "dunn"]


def chosen(indices):
    return select(indices, "internal", swept=True)


# What comes in


def test_every_value_is_that_of_the_partition_alone():
    swept = sweep(X, LABELS, "all")
    for k, labels in LABELS.items():
        scores = evaluate(X, labels, "all")
        for index, value in scores.items():
            found = swept[index][swept.names.index(k)]
            assert found == approx(value, rel=1e-10, abs=1e-13, nan_ok=True)
            assert swept.reasons.get((k, index)) == scores.reasons.get(index)


@pytest.mark.parametrize(
    "partitions",
    [
        LABELS,
        list(LABELS.values()),
        tuple(labels.tolist() for labels in LABELS.values()),
        np.array(list(LABELS.values())),
        pd.DataFrame({str(k): labels for k, labels in LABELS.items()}),
        pl.DataFrame({str(k): labels for k, labels in LABELS.items()}),
        pl.LazyFrame({str(k): labels for k, labels in LABELS.items()}),
        pd.DataFrame({k: [f"cluster {c}" for c in labels] for k, labels in LABELS.items()}),
        {k: pd.Series(labels, dtype="category") for k, labels in LABELS.items()},
        (labels for labels in LABELS.values()),
    ],
    ids=["mapping", "list", "tuple", "array", "pandas", "polars", "lazy", "text", "categories", "generator"],
)
def test_partitions_come_in_many_forms(partitions):
    names = {"mapping": [2, 3, 4, 5], "frame": ["2", "3", "4", "5"]}
    swept = sweep(X, partitions, NAMES)
    for index in NAMES:
        assert swept[index] == approx(sweep(X, LABELS, NAMES)[index], nan_ok=True)
    assert swept.k.tolist() == [2, 3, 4, 5]
    assert list(swept.names) in (*names.values(), [0, 1, 2, 3])


def test_an_estimator_is_run_for_each_k_and_left_as_it_was():
    estimator = KMeans(n_clusters=17, n_init=2)
    swept = sweep(X, indices=NAMES, estimator=estimator, k=range(2, 6), random_state=1)
    assert swept.names == (2, 3, 4, 5)
    assert swept.k.tolist() == [2, 3, 4, 5]
    assert swept.best()["silhouette"] == 3
    assert estimator.n_clusters == 17
    assert not hasattr(estimator, "labels_")


def test_a_seed_gives_the_same_partitions_whatever_else_is_tried():
    def random_labels(X, k, rng):
        return rng.integers(0, k, len(X))

    for estimator in (KMeans(init="random", n_init=1, max_iter=1), random_labels, None):
        first = sweep(X, indices="fast", estimator=estimator, k=[7, 8], random_state=3)
        again = sweep(X, indices="fast", estimator=estimator, k=range(5, 9), random_state=3)
        assert np.array_equal(first.labels[8], again.labels[8])
        assert np.array_equal(first.labels[7], again.labels[7])
    other = sweep(X, indices="fast", estimator=random_labels, k=[7], random_state=4)
    assert not np.array_equal(other.labels[7], sweep(X, estimator=random_labels, k=[7], random_state=3).labels[7])
    for state in (np.random.default_rng(5), np.random.RandomState(5), None):
        assert sweep(X, indices="dunn", k=2, random_state=state).best() == {"dunn": 2}


def test_estimators_without_a_seed_or_with_components_serve_too():
    by_tree = sweep(X, indices=NAMES, estimator=AgglomerativeClustering(), k=[2, 3])
    by_mixture = sweep(X, indices=NAMES, estimator=GaussianMixture(), k=[2, 3], random_state=0)
    assert by_tree["dunn"][1] == approx(by_mixture["dunn"][1])


def test_k_alone_is_clustered_by_k_means():
    swept = sweep(X, k=range(2, 6), indices=NAMES, random_state=0)
    assert swept.best() == {"silhouette": 3, "calinski_harabasz": 3, "trace_w": 3, "gamma": 3, "dunn": 3}


@pytest.mark.parametrize("method", ["single", "complete", "average", "weighted", "centroid", "median", "ward"])
def test_one_tree_is_cut_at_every_k(method):
    swept = sweep(X, indices="fast", linkage=method, k=range(1, 9))
    assert swept.k.tolist() == list(range(1, 9))
    if method not in {"centroid", "median"}:  # whose heights may fall
        for k in range(1, 9):
            expected = fcluster(linkage(X, method), k, "maxclust")
            assert len(set(zip(expected, swept.labels[k], strict=True))) == k


def test_trees_are_cut_exactly_where_heights_are_equal():
    square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert sweep(square, indices="trace_w", linkage="single", k=range(1, 5)).k.tolist() == [1, 2, 3, 4]


def test_trees_are_built_by_the_metric():
    D = squareform(pdist(X, "cityblock"))
    by_metric = sweep(X, indices=["silhouette"], linkage="average", k=range(2, 6), metric="cityblock")
    by_distances = sweep(D, indices=["silhouette"], linkage="average", k=range(2, 6), metric="precomputed")
    assert by_metric["silhouette"] == approx(by_distances["silhouette"])
    assert cuts(tree(space_of(X), "ward"), [3])[3].tolist() == TRUTH.tolist()


def test_without_k_as_many_clusters_are_tried_as_the_root_of_the_number_of_points():
    named = labellings(space_of(X), linkage="ward")
    assert list(named) == list(range(2, 10))
    assert list(labellings(space_of([[0.0], [1.0]]), linkage="ward")) == [2]


# Degenerate partitions


def test_a_degenerate_partition_has_reasons_and_the_others_go_on():
    partitions = {"all": np.zeros(70), "each": np.arange(70), "noise": np.full(70, -1), "three": TRUTH}
    swept = sweep(X, partitions, NAMES)
    assert np.isnan(swept["dunn"][:3]).all()
    assert swept.best()["dunn"] == "three"
    assert swept.reasons["all", "dunn"] == "dunn needs from 2 to 69 clusters for these 70 points; the labels form 1."
    assert swept.reasons["noise", "dunn"] == "dunn needs clusters; every point is noise."
    assert swept.best_notes["dunn"] == "left out, for want of a finite value: all, each, noise"
    assert "silhouette" in swept.best_notes
    assert ("three", "dunn") not in swept.reasons


def test_noise_is_treated_as_the_policy_says():
    noisy = {"a": np.where(np.arange(70) % 7 == 0, -1, TRUTH), "b": TRUTH}
    for policy in ("drop", "cluster", "singletons"):
        swept = sweep(X, noisy, NAMES, noise=policy)
        assert swept["dunn"][0] == approx(evaluate(X, noisy["a"], NAMES, noise=policy)["dunn"])
    assert sweep(X, noisy, NAMES).k.tolist() == [3, 3]
    assert sweep(X, noisy, NAMES, noise="cluster").k.tolist() == [4, 3]


# SD


def test_sd_weighs_scatter_by_the_distance_at_the_largest_number_of_clusters():
    swept = sweep(X, LABELS, ["sd", "sd_scat", "sd_dis"])
    alpha = swept["sd_dis"][-1]
    assert swept["sd"] == approx(alpha * swept["sd_scat"] + swept["sd_dis"])
    # alpha is Dis of the partition into 5, wherever it stands.
    backwards = sweep(X, dict(reversed(LABELS.items())), "sd")
    assert backwards["sd"][::-1] == approx(swept["sd"])


def test_sd_passes_over_partitions_where_the_distance_is_missing_or_infinite():
    same = np.vstack([X, X])
    doubled = {k: np.tile(labels, 2) for k, labels in LABELS.items()}
    twins = {**doubled, 6: np.concatenate([TRUTH, TRUTH + 3]), "one": np.zeros(140)}  # centres coincide
    swept = sweep(same, twins, ["sd", "sd_dis"])
    assert swept["sd_dis"][4] == math.inf
    assert swept["sd"][:4] == approx(sweep(same, doubled, "sd")["sd"])
    assert swept.reasons["one", "sd"] == "sd needs from 2 to 139 clusters for these 140 points; the labels form 1."
    assert np.isnan(sweep(X, [np.zeros(70)], "sd")["sd"]).all()


def test_of_several_partitions_with_the_largest_number_the_smallest_distance_counts():
    rng = np.random.default_rng(0)
    partitions = [TRUTH, *(rng.permutation(LABELS[5]) for _ in range(4))]
    swept = sweep(X, partitions, ["sd", "sd_dis", "sd_scat"])
    assert swept["sd"] == approx(swept["sd_dis"][1:].min() * swept["sd_scat"] + swept["sd_dis"])


def test_sd_is_there_in_sweeps_of_whole_suites_with_the_rule_of_each():
    names = {suite: [choice.name for choice in chosen(suite)] for suite in ("all", "clustercrit", "fast")}
    assert "sd" in names["all"]
    assert "sd" in names["clustercrit"]
    assert "sd" not in names["fast"]
    by_name = {name: chosen(name)[0].best for name in ("sd", "clustercrit:sd", "nbclust:sdindex")}
    assert by_name == {"sd": rules.elbow_of_fall, "clustercrit:sd": rules.lowest, "nbclust:sdindex": rules.lowest}
    assert sweep(X, LABELS, "clustercrit").rules["sd"] is rules.lowest


def test_a_suite_may_have_an_index_under_the_name_of_a_part_of_sd():
    swept = sweep(X, LABELS, ["clustercrit:sd_dis", "sd"])
    assert swept.indices == ("sd_dis", "sd")


# What each index chooses


def chosen_by(index, values, k):
    """Give the sweep of one index with given values."""
    labels = {f"p{i}": TRUTH for i in range(len(values))}
    return Sweep(np.array(values)[:, None], labels, np.array(k), chosen(index), {})


def test_knees_are_found_in_the_order_of_k_among_the_best_of_each_k():
    swept = chosen_by("trace_w", [15.0, 11.0, 60.0, 90.0, 20.0, 70.0, 100.0], [5, 6, 3, 3, 4, 4, 2])
    assert swept.best() == {"trace_w": "p4"}
    assert swept.best_notes == {}


def test_of_many_partitions_without_a_value_a_note_names_the_first():
    labels = {f"p{at}": np.zeros(len(X), int) for at in range(14)} | {"truth": TRUTH}
    names = ", ".join(f"p{at}" for at in range(10))
    note = f"left out, for want of a finite value: {names} and 4 more"
    assert sweep(X, labels, "silhouette").best_notes == {"silhouette": note}


def test_what_indices_choose_is_decided_once(monkeypatch):
    swept = sweep(X, {"truth": TRUTH, "halves": TRUTH > 0}, ["silhouette", "dunn"])
    decided = []
    choose = rules.Rule.choose
    monkeypatch.setattr(rules.Rule, "choose", lambda rule, *given: decided.append(rule) or choose(rule, *given))
    for _ in range(5):
        swept.votes()
        swept.best_notes  # noqa: B018 - it is computed when it is read
    assert len(decided) == 2


def test_what_cannot_be_chosen_is_said():
    assert chosen_by("trace_w", [3.0, 2.0], [2, 3]).best() == {"trace_w": None}
    few = "the rule compares 3 neighbouring numbers of clusters, and there are not as many with values"
    assert chosen_by("trace_w", [3.0, 2.0], [2, 3]).best_notes == {"trace_w": few}
    swept = chosen_by("trace_w", [3.0, math.nan, 2.0], [2, 3, 4])
    assert swept.best_notes == {"trace_w": f"{few}; left out, for want of a finite value: p1"}
    assert chosen_by("dunn", [math.nan, math.nan], [2, 3]).best_notes == {"dunn": "no partition has a value"}
    assert chosen_by("dunn", [math.nan, math.nan], [2, 3]).rank() == approx(
        {"p0": math.nan, "p1": math.nan}, nan_ok=True
    )


def test_a_cluster_without_extent_does_not_win_even_by_a_printed_rule():
    swept = chosen_by("clustercrit:banfeld_raftery", [5.0, -math.inf, 4.0], [2, 3, 4])
    assert swept.best() == {"banfeld_raftery": "p2"}
    assert swept.best_notes == {"banfeld_raftery": "left out, for want of a finite value: p1"}


def test_votes_count_the_indices_that_choose_each_partition():
    swept = sweep(X, LABELS, ["silhouette", "dunn", "tau", "ball_hall"])
    votes = swept.votes()
    assert list(votes) == [2, 3, 4, 5]
    assert sum(votes.values()) == 4
    assert votes[3] == [*swept.best().values()].count(3)


def test_ranks_are_means_over_the_indices_with_the_best_partition_first():
    labels = dict.fromkeys("abc", TRUTH)
    values = np.array([[0.1, 5.0], [0.9, 4.0], [0.9, math.nan]])
    swept = Sweep(values, labels, np.array([2, 3, 4]), chosen(["silhouette", "davies_bouldin"]), {})
    # Silhouette ranks a 3, b and c 1.5; Davies-Bouldin a 2, b 1, and c, without a value, 3.
    assert list(swept.rank().items()) == [("b", 1.25), ("c", 2.25), ("a", 2.5)]


def test_a_partition_that_a_rule_cannot_score_is_not_ranked_by_it():
    labels = dict.fromkeys(range(2, 7), TRUTH)
    values = np.array([[100.0, 0.5], [60.0, 0.4], [20.0, 0.3], [15.0, 0.2], [11.0, 0.1]])
    swept = Sweep(values, labels, np.arange(2, 7), chosen(["trace_w", "silhouette"]), {})
    # By the knee 4 is first, 5 second, 3 third of three, stretched to 1, 3 and 5; 2 and 6 are not ranked.
    assert swept.rank() == {2: 1.0, 4: 2.0, 3: 3.5, 5: 3.5, 6: 5.0}


def test_partitions_with_the_same_k_are_ranked_by_value_where_their_scores_are_equal():
    swept = chosen_by("trace_w", [100.0, 60.0, 90.0, 20.0, 70.0, 15.0, 11.0], [2, 3, 3, 4, 4, 5, 6])
    ranks = swept.rank()
    assert [name for name in ranks if name in {"p1", "p2", "p3", "p4", "p5"}] == ["p3", "p4", "p5", "p1", "p2"]


# Tables


def test_tables_have_a_row_per_partition_or_a_row_per_value():
    swept = sweep(X, {"good": TRUTH, "all": np.zeros(70)}, ["dunn", "silhouette"])
    wide = swept.to_pandas()
    assert wide.index.tolist() == ["good", "all"]
    assert wide.columns.tolist() == ["dunn", "silhouette"]
    assert wide.loc["good", "dunn"] == swept["dunn"][0]
    assert swept.to_polars().columns == ["partition", "dunn", "silhouette"]
    for long in (swept.to_pandas(long=True), swept.to_polars(long=True)):
        assert list(long.columns) == ["partition", "k", "index", "value", "reason"]
        assert list(long["partition"]) == ["good", "good", "all", "all"]
        assert list(long["k"]) == [3, 3, 1, 1]
        assert list(long["reason"])[1:3] == ["", swept.reasons["all", "dunn"]]
    mixed = sweep(X, {"good": TRUTH, 5: LABELS[5]}, ["dunn"])
    assert mixed.to_polars()["partition"].to_list() == ["good", "5"]


def test_the_printed_table_marks_what_each_index_chooses():
    text = str(chosen_by(["dunn"], [0.5, 1.25, math.nan], [2, 3, 4]))
    assert text == (
        "index  best   p0     p1  p2  rule\ndunn     p1  0.5  1.25*   —  highest\n"
        "* chosen by the rule; k = 3 by 1 of 1 index, mean rank 1"
    )
    assert repr(chosen_by(["dunn"], [0.5, 1.25, math.nan], [2, 3, 4])) == text


def test_a_partition_without_a_value_is_printed_with_the_reason():
    swept = sweep(X, {"good": TRUTH, "all": np.zeros(len(X), dtype=int)}, ["dunn"])
    assert str(swept).splitlines()[-1] == f"— for all: {swept.reasons['all', 'dunn']}"


def test_many_partitions_are_printed_as_a_summary():
    text = str(chosen_by(["dunn"], [*range(12), math.nan], range(2, 15)))
    assert text == (
        "index  best  lowest  highest  missing  rule\ndunn    p11       0       11        1  highest\n"
        "k = 13 by 1 of 1 index, mean rank 1"
    )
    nothing = str(chosen_by(["dunn"], [math.nan] * 13, range(2, 15)))
    assert nothing == "index  best  lowest  highest  missing  rule\ndunn      —       —        —       13  highest"


def test_notebooks_show_the_same_table():
    html = chosen_by(["dunn"], [0.5, 1.25], [2, 3])._repr_html_()
    plain = html.replace(' class="number"', "").replace(' class="clustval"', "").partition("</style>")[2]
    assert plain == (
        "<table><tr><th>index</th><th>best</th><th>p0</th><th>p1</th><th>rule</th></tr>"
        "<tr><td>dunn</td><td>p1</td><td>0.5</td><td>1.25*</td><td>highest</td></tr></table>"
        "<p>* chosen by the rule; k = 3 by 1 of 1 index, mean rank 1</p>"
    )
    named = sweep(X, {"<b>": TRUTH}, "dunn")
    assert "&lt;b&gt;" in named._repr_html_()


def test_values_are_found_by_name_or_alias_and_cannot_be_changed():
    swept = sweep(X, LABELS, ["calinski_harabasz", "vendramin:db"])
    assert swept["CH"] is not None
    assert swept["ch"].tolist() == swept["calinski_harabasz"].tolist()
    assert len(swept) == 4
    with pytest.raises(KeyError, match="davies_bouldin"):
        swept["davies_bouldin"]
    with pytest.raises(ValueError, match="read-only"):
        swept["ch"][0] = 1.0


def test_plotting_is_left_to_the_module_of_figures(monkeypatch):
    figures = types.ModuleType("clustval.plot")
    figures.curves = lambda swept, indices, **options: (swept, indices, options)
    monkeypatch.setitem(sys.modules, "clustval.plot", figures)
    swept = sweep(X, LABELS, "dunn")
    assert swept.plot("dunn", columns=2) == (swept, "dunn", {"columns": 2})


def test_progress_is_shown_for_each_partition(capsys, set_limits):
    set_limits(seconds_between_reports=0)
    assert sweep(X, LABELS, "dunn", progress=True).best() == {"dunn": 3}
    assert "4 of 4" in capsys.readouterr().err


# Iris, Zaki and Meira example 17.8

CH = [570.25, 692.40, 717.79, 683.14, 708.26, 700.17, 738.05, 728.63]
# Rows from which Lloyd's algorithm reaches the best known partition; few random starts reach it for 5 and 6.
STARTS = {
    2: [71, 108],
    3: [70, 92, 148],
    4: [71, 48, 134, 141],
    5: [11, 86, 66, 94, 114],
    6: [3, 12, 115, 135, 117, 28],
    7: [81, 22, 51, 7, 76, 104, 100],
    8: [129, 101, 25, 42, 92, 146, 93, 124],
    9: [129, 49, 78, 93, 76, 14, 81, 25, 68],
}


def test_calinski_harabasz_of_iris_is_that_of_the_book_and_delta_chooses_three():
    points = iris_components()[0]
    partitions = {}
    for k, rows in STARTS.items():
        partitions[k] = KMeans(k, init=points[rows], n_init=1, tol=0).fit_predict(points)
    swept = sweep(points, partitions, "zaki")
    assert swept["calinski_harabasz"].tolist() == approx(CH, abs=0.006)
    assert swept.best()["calinski_harabasz"] == 3
    assert sweep(points, partitions, "calinski_harabasz").best() == {"calinski_harabasz": 8}


# Errors


class Mute:
    """An estimator that clusters nothing."""

    n_clusters = 2

    def __repr__(self):
        return "Mute()"


ERRORS = {
    "estimator": (
        {"partitions": KMeans()},
        "partitions is an estimator; give it as estimator=, with the numbers of clusters to try as k=.",
    ),
    "both": (
        {"partitions": [TRUTH], "estimator": KMeans(), "k": [2]},
        "Give either partitions or estimator= and k=; partitions are clustered already.",
    ),
    "a tree in the place of partitions": (
        {"partitions": "Ward", "k": [2]},
        "Give either partitions or k=; partitions are clustered already. linkage='ward' cuts a tree.",
    ),
    "an algorithm in the place of partitions": (
        {"partitions": "kmeans", "k": [2]},
        "Give either partitions or k=; partitions are clustered already. estimator= takes an algorithm.",
    ),
    "two algorithms": (
        {"estimator": KMeans(), "linkage": "ward", "k": [2]},
        "Give either estimator= or linkage=, not both.",
    ),
    "no partitions": ({"partitions": []}, "partitions is empty; give at least one labelling of the rows of X."),
    "a name twice": (
        {"partitions": pd.DataFrame(np.zeros((4, 2)), columns=["a", "a"])},
        "partitions has 2 columns called 'a'; name each column once.",
    ),
    "no mapping": ({"partitions": {}}, "partitions is empty; give at least one labelling of the rows of X."),
    "lengths": (
        {"partitions": {"a": TRUTH, "b": TRUTH[:-1]}},
        "X has 70 rows but partition 'b' has 69 entries.",
    ),
    "columns": (
        {"partitions": np.array(list(LABELS.values())).T},
        "X has 70 rows but partition 0 has 4 entries. Give one row per partition, as partitions.T does.",
    ),
    "one labelling": (
        {"partitions": [0, 1, 1]},
        "partitions must hold one labelling per partition; 0 is 0. Put a single one in a list.",
    ),
    "text": (
        {"partitions": "kmeans"},
        (
            "partitions must be a mapping from names to labels, a list of labels, an array of one row per partition "
            "or a data frame of one column per partition; it is 'kmeans'."
        ),
    ),
    "mute": (
        {"estimator": Mute(), "k": [2]},
        (
            "estimator must be None, have fit_predict and n_clusters, or be a function (X, k, rng) -> labels; "
            "Mute() is none of these."
        ),
    ),
    "class": (
        {"estimator": KMeans, "k": [2]},
        "estimator must be an object such as KMeans(), not the class KMeans itself.",
    ),
    "large k": ({"k": [2, 71]}, "k must be at most 70, one cluster for each point; it is 71."),
    "no k": ({"k": []}, "k is empty; give numbers of clusters, such as range(1, 11)."),
    "half k": ({"k": [2.5]}, "k must be a whole number from 1; it is 2.5."),
    "short": (
        {"estimator": lambda *_: [0, 1], "k": [2]},
        "<lambda> gave 2 labels for 70 points at k = 2; it must give one for each.",
    ),
    "nothing": (
        {"estimator": lambda *_: None, "k": [2]},
        "the result of <lambda> is None; give a label for each point.",
    ),
    "a number": (
        {"estimator": lambda *_: np.array(3), "k": [2]},
        "the result of <lambda> must have one dimension; it has 0.",
    ),
    "linkage": (
        {"linkage": "wards"},
        (
            "linkage must be one of 'single', 'complete', 'average', 'weighted', 'centroid', 'median', 'ward'; "
            "it is 'wards'. Did you mean 'ward'?"
        ),
    ),
    "metric of centres": (
        {"linkage": "ward", "metric": "cityblock"},
        (
            "linkage='ward' moves centres, which needs Euclidean distances of coordinates; the metric is 'cityblock'. "
            "Use 'average', 'complete', 'single' or 'weighted'."
        ),
    ),
    "seed": (
        {"k": [2], "random_state": -1},
        "random_state must be None, a whole number from 0, or a NumPy Generator; it is -1.",
    ),
    "noise": (
        {"partitions": [TRUTH, TRUTH], "noise": "ignore"},
        "noise must be one of 'drop', 'cluster', 'singletons', 'error', 'penalty'; it is 'ignore'.",
    ),
    "marked noise": (
        {"partitions": [np.where(TRUTH == 2, -1, TRUTH)], "noise": "error"},
        "partition 0 marks 30 points as noise, the first at position 40; noise='error' allows none.",
    ),
    "no indices": (
        {"partitions": [TRUTH], "indices": []},
        "indices is empty; give a name, a list of names, or a suite such as 'default'.",
    ),
    "not a name": ({"partitions": [TRUTH], "indices": [3]}, "indices must be names; one is 3."),
}


@pytest.mark.parametrize("name", ERRORS)
def test_what_cannot_be_swept_is_said(name):
    options, message = ERRORS[name]
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        sweep(X, **options)


def test_points_must_be_finite():
    broken = X.copy()
    broken[8, 1] = math.inf
    with pytest.raises(InputError, match=r"^X must be finite; row 8, column 1 is inf\.$"):
        sweep(broken, LABELS)


def test_k_means_needs_coordinates_and_a_tree_memory_and_points():
    D = squareform(pdist(X))
    message = "k-means needs coordinates; with metric='precomputed' give an estimator of distances, or linkage=."
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        sweep(D, k=[2], metric="precomputed")
    message = (
        "A tree of 3000 points needs 0.0335 GiB for distances, more than the budget of 0.0156 GiB. "
        "Raise memory= or use an estimator."
    )
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        sweep(np.zeros((3000, 1)), linkage="single", memory="16 MiB")
    with pytest.raises(InputError, match=r"^A tree needs at least 2 points; X has 1 row\.$"):
        sweep([[0.0]], linkage="single")


def test_distances_alone_are_judged_by_indices_that_exist_there():
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    swept = sweep(distances, {"three": TRUTH, "two": TRUTH > 0}, metric="precomputed")
    assert not np.isnan(swept.values).any()
    assert {"silhouette", "medoid_davies_bouldin", "dunn"} <= set(swept.indices)
    assert not evaluate(distances, TRUTH, metric="precomputed").reasons


def test_what_is_printed_says_why_an_index_has_no_value():
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    swept = sweep(distances, {"three": TRUTH, "two": TRUTH > 0}, ["dunn", "trace_w"], metric="precomputed")
    why = "trace_w needs coordinates; metric='precomputed' gives only distances."
    assert str(swept).splitlines()[-1] == f"— {why}"
    many = sweep(distances, {"three": TRUTH, "two": TRUTH > 0}, "all", metric="precomputed")
    assert str(many).splitlines()[-1].endswith("more in .reasons")
