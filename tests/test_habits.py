"""What people do who come from scikit-learn and pandas: it works, or it says what to do."""

from __future__ import annotations

import ast
import inspect
import io
import math
import pickle
import tomllib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest
from pytest import approx
from sklearn.base import clone
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import clustval as cv
from clustval import cli, progress
from clustval.catalogue import kinds
from clustval.errors import InputError
from conftest import make_blobs

X, TRUTH = make_blobs((12, 10, 8), (0, 6, 12), seed=3)
NAMES = [f"row {at}" for at in range(len(X))]
FRAME = pd.DataFrame(X, index=NAMES)
LABELS = pd.Series(TRUTH, index=NAMES)
MIXED = LABELS.sample(frac=1, random_state=0)
WEIGHTS = pd.Series(np.arange(1.0, 31.0), index=NAMES)
OTHER = LABELS.set_axis([f"row {at}" for at in range(1, len(X) + 1)])
U = pd.DataFrame(np.eye(3)[TRUTH], index=NAMES)


# Data frames

CALLS = {
    "an index": lambda labels, weights: cv.internal.silhouette(FRAME, labels, sample_weight=weights),
    "evaluate": lambda labels, weights: cv.evaluate(FRAME, labels, "fast", sample_weight=weights),
    "evaluate of a kind": lambda labels, _: cv.internal.evaluate(FRAME, labels, indices="fast"),
    "sweep": lambda labels, weights: cv.sweep(FRAME, {3: labels}, "fast", sample_weight=weights),
    "sweep of a data frame": lambda labels, _: cv.sweep(
        FRAME, pd.DataFrame({"three": labels}, getattr(labels, "index", NAMES)), "fast"
    ),
    "calibrate": lambda labels, _: cv.calibrate(FRAME, [labels], ["asw"], references=2, random_state=0),
    "an external index": lambda labels, weights: cv.external.ari(LABELS, labels, sample_weight=weights),
    "agreement": lambda labels, weights: cv.agreement(LABELS, labels, sample_weight=weights),
    "contingency": lambda labels, weights: cv.contingency(LABELS, labels, sample_weight=weights),
    "concordance": lambda labels, weights: cv.concordance(LABELS, labels, sample_weight=weights).tolist(),
    "matching": lambda labels, weights: cv.matching(LABELS, labels, sample_weight=weights),
    "prayatul": lambda labels, weights: cv.prayatul(LABELS, labels, labels, sample_weight=weights),
    "prayatul table": lambda labels, _: cv.prayatul_table(LABELS, {"a": labels, "b": np.zeros(30)}),
    "recommend": lambda labels, _: cv.study.recommend(
        FRAME, labels, criteria=["silhouette"], n_datasets=2, runs=1, random_state=0
    ),
    "compare": lambda labels, _: cv.study.compare(
        [(FRAME, labels, "set")], ["silhouette"], k=range(2, 5), random_state=0
    ),
    "report": lambda labels, _: cv.evaluate(FRAME, LABELS).to_html(truth=labels, look=False),
}


@pytest.mark.parametrize("call", CALLS)
def test_labels_and_weights_of_pandas_go_by_their_index(call):
    plain = CALLS[call](LABELS, WEIGHTS)
    assert CALLS[call](MIXED, WEIGHTS.sample(frac=1, random_state=1)) == plain
    assert CALLS[call](LABELS.to_numpy(), WEIGHTS.to_numpy()) == plain


@pytest.mark.parametrize("call", CALLS)
def test_an_index_of_other_rows_is_refused(call):
    with pytest.raises(InputError, match=r"indexed differently: .* has no row 'row 0'\. Bring .* \.to_numpy\(\)\.$"):
        CALLS[call](OTHER, None)


def test_weights_and_memberships_of_other_rows_are_refused():
    for call in (
        lambda: cv.internal.dunn(FRAME, LABELS, sample_weight=WEIGHTS.set_axis(OTHER.index)),
        lambda: cv.external.ari(LABELS, LABELS, sample_weight=WEIGHTS.set_axis(OTHER.index)),
        lambda: cv.sweep(FRAME, [LABELS], sample_weight=WEIGHTS.set_axis(OTHER.index)),
        lambda: cv.fuzzy.partition_coefficient(FRAME, U.set_axis(OTHER.index)),
        lambda: cv.fuzzy.partition_coefficient(None, U, sample_weight=WEIGHTS.set_axis(OTHER.index)),
    ):
        with pytest.raises(InputError, match="are indexed differently"):
            call()
    shares = U * 0.9 + 0.1 / 3
    value = cv.fuzzy.partition_coefficient(FRAME, shares, sample_weight=WEIGHTS)
    mixed = shares.sample(frac=1, random_state=0)
    assert cv.fuzzy.partition_coefficient(FRAME, mixed, sample_weight=WEIGHTS[::-1]) == approx(value)


def test_names_that_stand_for_several_rows_must_be_the_same_in_the_same_order():
    twice = FRAME.set_axis(["a"] * len(X))
    assert cv.internal.dunn(twice, LABELS.set_axis(["a"] * len(X))) == cv.internal.dunn(X, TRUTH)
    with pytest.raises(InputError, match="some names stand for several rows"):
        cv.internal.dunn(twice, LABELS)


def test_only_data_with_names_on_both_sides_go_by_names():
    value = cv.internal.dunn(X, TRUTH)
    assert cv.internal.dunn(X, OTHER) == value
    assert cv.internal.dunn(FRAME, TRUTH) == value
    assert cv.internal.dunn(FRAME, pl.Series(TRUTH)) == value
    assert cv.internal.dunn(pl.DataFrame(X), MIXED.sort_index(key=lambda names: names.str[4:].astype(int))) == value
    with pytest.raises(InputError, match="X has 30 rows but labels has 29 entries"):
        cv.internal.dunn(FRAME, LABELS[1:])


# Estimators in place of labels, and labels by other names


def test_an_estimator_stands_for_its_labels():
    fitted = KMeans(3, random_state=0).fit(X)
    value = cv.internal.silhouette(X, fitted.labels_)
    assert cv.internal.silhouette(X, fitted) == value
    fresh = KMeans(3, random_state=0)
    assert cv.evaluate(FRAME, fresh, "silhouette")["silhouette"] == value
    assert not hasattr(fresh, "labels_")
    pipeline = make_pipeline(StandardScaler(), KMeans(2, random_state=0))
    assert cv.internal.silhouette(X, pipeline) == cv.internal.silhouette(X, clone(pipeline).fit_predict(X))
    distances = np.abs(X[:, :1] - X[:, :1].T)
    tree = AgglomerativeClustering(3, metric="precomputed", linkage="average")
    assert cv.internal.dunn(distances, tree, metric="precomputed") > 0


def test_an_estimator_without_labels_of_these_points_says_what_to_do():
    with pytest.raises(InputError, match=r"^labels is the class KMeans; give an object, such as KMeans\(\), or the "):
        cv.evaluate(X, KMeans)

    class Result:
        labels_ = TRUTH[:5]

    with pytest.raises(InputError, match=r"^Result has labels of other points than X, and no fit_predict to make them"):
        cv.evaluate(X, Result())


def test_names_of_scikit_learn_mean_truth_and_labels():
    other = TRUTH // 2
    assert cv.external.homogeneity(labels_true=TRUTH, labels_pred=other) == cv.external.homogeneity(TRUTH, other)
    assert cv.external.homogeneity(labels_true=TRUTH, labels_pred=other) != cv.external.homogeneity(other, TRUTH)
    for function in (cv.agreement, cv.contingency, cv.concordance, cv.matching, cv.external.evaluate):
        ours, theirs = function(TRUTH, other), function(labels_pred=other, labels_true=TRUTH)
        assert np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else ours == theirs
    with pytest.raises(InputError, match=r"^truth and labels_true mean the same; give one of them\.$"):
        cv.external.ari(truth=TRUTH, labels_true=TRUTH)
    with pytest.raises(InputError, match="mean the same"):
        cv.agreement(labels_true=TRUTH, truth=TRUTH)


# Scorers


def test_a_scorer_chooses_in_a_grid_search():
    rows = np.arange(len(X))
    search = GridSearchCV(
        KMeans(random_state=0), {"n_clusters": [2, 3, 4]}, scoring=cv.scorer("silhouette"), cv=[(rows, rows)]
    ).fit(X)
    assert search.best_params_ == {"n_clusters": 3}
    values = [cv.internal.silhouette(X, KMeans(k, random_state=0).fit_predict(X)) for k in (2, 3, 4)]
    assert search.cv_results_["mean_test_score"] == approx(values)


def test_a_score_is_higher_where_it_is_better_and_nan_where_there_is_none():
    fitted = KMeans(3, random_state=0).fit(X)
    assert cv.scorer("davies_bouldin")(fitted, X) == -cv.internal.davies_bouldin(X, fitted.labels_)
    assert cv.scorer("ari")(fitted, X, TRUTH) == cv.external.ari(TRUTH, fitted.labels_) == 1
    with pytest.warns(UserWarning, match="The score is NaN: silhouette needs from 2"):
        assert math.isnan(cv.scorer("silhouette")(KMeans(1).fit(X), X))
    assert cv.scorer("silhouette")(DBSCAN(eps=1.5, min_samples=3).fit(X), X) > 0.5  # it has no predict
    assert cv.scorer("dunn", metric="cityblock")(fitted, X) == cv.internal.dunn(X, fitted.labels_, metric="cityblock")
    assert cv.scorer("connectivity", neighbours=3)(fitted, X) == -cv.internal.connectivity(
        X, fitted.labels_, neighbours=3
    )
    assert cv.scorer("zaki:vi")(fitted, X, TRUTH) == 0


def test_a_scorer_can_be_pickled_and_says_what_it_is():
    scorer = cv.scorer("connectivity", neighbours=3, metric="cityblock")
    assert repr(scorer) == "scorer('connectivity', neighbours=3, metric='cityblock')"
    assert scorer.name == "-connectivity"
    again = pickle.loads(pickle.dumps(scorer))
    assert again == scorer != cv.scorer("connectivity")
    fitted = KMeans(3, random_state=0).fit(X)
    assert again(fitted, X) == scorer(fitted, X)
    with pytest.raises(TypeError, match="unhashable"):
        hash(scorer)


@pytest.mark.parametrize(
    ("index", "options", "message"),
    [
        ("trace_w", {}, r"^trace_w cannot score one clustering alone; it is read by the rule: largest relative change"),
        ("hartigan", {}, r"^hartigan cannot score one clustering alone"),
        (3, {}, r"^index must name one index; it is 3\.$"),
        ("default", {}, r"^index must name one index; 'default' names \d+\.$"),
        ("silhouete", {}, r"^No internal index is called 'silhouete'\. Did you mean 'silhouette'"),
        ("dunn", {"neighbours": 3}, "neighbours"),
    ],
)
def test_what_cannot_score_says_why(index, options, message):
    with pytest.raises(InputError, match=message):
        cv.scorer(index, **options)


def test_an_external_scorer_without_a_truth_says_so():
    with pytest.raises(InputError, match=r"^adjusted_rand compares with a truth; give it as y\.$"):
        cv.scorer("ari")(KMeans(2).fit(X), X)


# Several algorithms


def test_several_algorithms_are_swept_each_over_its_own_parameters():
    algorithms = {
        "kmeans": KMeans(random_state=0),
        "own": None,
        "mixture": GaussianMixture(random_state=0),
        "hdbscan": (HDBSCAN(copy=True), {"min_cluster_size": [4, 6], "min_samples": [2]}),
        "fixed": (KMeans(random_state=0), {"n_clusters": [4]}),
        "thirds": lambda X, k, _rng: np.arange(len(X)) % k,
    }
    swept = cv.sweep(X, estimator=algorithms, k=[2, 3], indices="silhouette", random_state=0)
    assert swept.names == (
        *("kmeans, k=2", "kmeans, k=3", "own, k=2", "own, k=3", "mixture, k=2", "mixture, k=3"),
        *("hdbscan, min_cluster_size=4, min_samples=2", "hdbscan, min_cluster_size=6, min_samples=2"),
        *("fixed, n_clusters=4", "thirds, k=2", "thirds, k=3"),
    )
    assert np.array_equal(swept.labels["kmeans, k=3"], KMeans(3, random_state=0).fit_predict(X))
    alone = HDBSCAN(min_cluster_size=6, min_samples=2, copy=True).fit_predict(X)
    assert np.array_equal(swept.labels["hdbscan, min_cluster_size=6, min_samples=2"], alone)
    assert swept.best_k == 3
    single = cv.sweep(X, k=[2, 3], indices="silhouette", random_state=0)
    assert np.array_equal(single.labels[3], swept.labels["own, k=3"])


def test_a_list_of_algorithms_is_named_by_their_classes():
    swept = cv.sweep(X, estimator=[KMeans(random_state=0), KMeans(random_state=1), None, DBSCAN(eps=1.5)], k=3)
    assert swept.names == ("KMeans 1, k=3", "KMeans 2, k=3", "k-means, k=3", "DBSCAN")
    assert cv.sweep(X, estimator=DBSCAN(eps=1.5)).names == ("DBSCAN",)
    grid = cv.sweep(X, estimator=(DBSCAN(), {"eps": [1.0, 1.5]}))
    assert grid.names == ("DBSCAN, eps=1.0", "DBSCAN, eps=1.5")


class Plain:
    """A clusterer without set_params."""

    def __init__(self):
        self.n_clusters, self.shift = 2, 0

    def fit_predict(self, X):
        return (np.arange(len(X)) + self.shift) % self.n_clusters


def test_plain_objects_are_swept_as_well():
    estimator = Plain()
    swept = cv.sweep(X, estimator=(estimator, {"shift": [0, 1]}), k=[2], indices="dunn")
    assert swept.labels["Plain, shift=1, k=2"].tolist() == ((np.arange(30) + 1) % 2).tolist()
    assert estimator.shift == 0


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        ({}, r"^estimator is empty; give at least one algorithm, or None for our own k-means\.$"),
        ((KMeans(), {"n_cluster": [2]}), r"^KMeans has no parameter 'n_cluster'\. Did you mean 'n_clusters'\?$"),
        ((KMeans(), {"n_clusters": 2}), r"^The values of 'n_clusters' to try for KMeans must be a list; they are 2\.$"),
        ((KMeans(), {"n_clusters": []}), r"^There is no value to try for one of the parameters 'n_clusters' of KMeans"),
        ((None, {"k": [2]}), r"^k-means has no parameter 'k'\. Only estimators with fit_predict have parameters\.$"),
        ({"a": DBSCAN(eps=-1)}, r"^a cannot cluster these points: The 'eps' parameter of DBSCAN must be"),
        ({"a": lambda *_: [0, 1]}, r"^a, k=2 gave 2 labels for 30 points; it must give one for each\.$"),
        ({"a": lambda *_: None}, r"^the result of a, k=2 is None; give a label for each point\.$"),
        ({"a": lambda *_: 3}, r"^the result of a, k=2 must have one dimension; it has 0\.$"),
        ({"a": KMeans}, r"^estimator must be an object such as KMeans\(\), not the class KMeans itself\.$"),
    ],
)
def test_algorithms_that_cannot_be_swept_say_why(estimator, message):
    with pytest.raises(InputError, match=message):
        cv.sweep(X, estimator=estimator, k=2)


def test_distances_are_swept_by_algorithms_that_take_them():
    distances = np.abs(X[:, :1] - X[:, :1].T)
    swept = cv.sweep(
        distances, metric="precomputed", indices="dunn", estimator=(DBSCAN(metric="precomputed"), {"eps": [1, 2]})
    )
    assert swept.names == ("DBSCAN, eps=1", "DBSCAN, eps=2")
    for own in (None, [None], {"a": None}):
        with pytest.raises(InputError, match="k-means needs coordinates"):
            cv.sweep(distances, metric="precomputed", estimator=own, k=2)


def test_without_partitions_points_are_clustered_into_up_to_their_root():
    swept = cv.sweep(X, indices=["silhouette"], random_state=0)
    assert swept.names == (2, 3, 4, 5, 6)
    assert swept == cv.sweep(X, k=range(2, 7), indices=["silhouette"], random_state=0, n_jobs=1)


# What a sweep concludes


def test_the_best_number_of_clusters_has_most_votes_and_then_the_better_rank():
    swept = cv.sweep(X, k=range(2, 6), indices=["silhouette", "dunn", "pbm", "trace_w"], random_state=0)
    assert swept.best_k == 3
    votes, ranks = swept.votes(), swept.rank()
    assert {row["k"]: row["votes"] for row in swept.evidence.records} == votes
    assert {row["k"]: row["mean_rank"] for row in swept.evidence.records} == approx(ranks)
    assert str(swept).splitlines()[-1].startswith("* chosen by the rule; k = 3 by ")
    assert "largest relative change of a falling curve" in str(swept)
    assert "largest relative change of a falling curve" in swept._repr_html_()


def test_votes_of_partitions_with_the_same_number_of_clusters_add_up():
    swept = cv.sweep(X, {"a": TRUTH, "b": (TRUTH + 1) % 3, "c": TRUTH // 2}, ["silhouette", "dunn"])
    assert swept.evidence["k"].tolist() == [3, 2]
    assert swept.evidence["votes"].tolist() == [2, 0]


def test_without_a_vote_there_is_no_best_number():
    swept = cv.sweep(X, [np.zeros(30), np.arange(30)], ["dunn"])
    assert swept.best_k is None
    assert np.isnan(swept.evidence["mean_rank"]).all()
    assert "chosen by the rule" not in str(swept)


def test_partitions_with_long_names_are_printed_as_a_summary():
    named = {f"an algorithm with a long name, setting {at}": TRUTH for at in range(4)}
    assert str(cv.sweep(X, named, "dunn")).splitlines()[0].split() == [
        *("index", "best", "lowest", "highest", "missing", "rule")
    ]


# Help


@pytest.mark.parametrize("kind", [kind.name for kind in kinds()])
def test_help_explains_every_parameter(kind):
    (only,) = kinds(kind)
    functions = {*only.functions.values(), getattr(cv, kind).evaluate}
    for function in functions:
        section = inspect.getdoc(function).partition("Parameters\n----------\n")[2]
        explained = {
            name.strip()
            for line in section.splitlines()
            if line and not line.startswith(" ")
            for name in line.split(",")
        }
        assert explained == set(inspect.signature(function).parameters), function.__name__


def test_a_misspelt_index_is_answered_with_the_nearest():
    with pytest.raises(AttributeError, match=r"Did you mean 'silhouette'\?"):
        cv.internal.silhouete  # noqa: B018


# Extras


def test_extras_bring_what_errors_say_they_bring():
    root = Path(cv.__file__).parents[2]
    extras = tomllib.loads((root / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    packages = {"sklearn": "scikit-learn", "vl_convert": "altair[save]", "markupsafe": "jinja2"}
    inside = {("pyarrow", "dask"): "dask[array,dataframe"}  # what other packages bring themselves

    def brought(extra: str) -> str:
        inner = [each for each in extras[extra] if each.startswith("clustval[")]
        names = [name for each in inner for name in each.partition("[")[2].rstrip("]").split(",")]
        return " ".join([*extras[extra], *map(brought, names)])

    calls = [
        node.args
        for file in (root / "src").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "optional" and len(node.args) == 2
    ]
    wants = {
        (module.value.partition(".")[0], extra.value) for module, extra in calls if isinstance(module, ast.Constant)
    }
    assert len(wants) > 5
    for module, extra in wants:
        assert inside.get((module, extra), packages.get(module, module)) in brought(extra), (module, extra)
    for extra in extras:
        assert set(brought(extra).split()) <= set(brought("all").split()), extra


# What was meant


MEANT = {
    "memberships": (
        lambda: cv.evaluate(X, U.to_numpy() / 1.0),
        (
            "labels must have one dimension; it has 2. Memberships or probabilities are judged by clustval.fuzzy; "
            "labels.argmax(axis=1) makes labels."
        ),
    ),
    "probabilities": (
        lambda: cv.evaluate(X, np.linspace(0, 1, len(X) + 1)[1:]),
        (
            f"labels must be whole numbers, text or categories; one is {np.linspace(0, 1, len(X) + 1)[1]}. Are they "
            "probabilities? clustval.fuzzy judges those of all clusters, and argmax makes labels."
        ),
    ),
    "a dictionary": (
        lambda: cv.evaluate({"x": X[:, 0], "y": X[:, 1]}, TRUTH),
        "X is a dictionary; give a table: pandas.DataFrame(X), or numpy.column_stack of its columns.",
    ),
    "tables": (
        lambda: cv.evaluate([FRAME, FRAME], TRUTH),
        "X is a list of tables; give one: X[0], or pandas.concat(X) to put them below each other.",
    ),
    "an algorithm": (
        lambda: cv.choose(X, ["hdbscn"]),
        (
            "candidates must be one of 'ward', 'average', 'complete', 'single', 'genie', 'k-means', 'hdbscan', "
            "'spectral', 'mixture', 'leiden', 'spherical k-means', 'k-means on axes', 'shrunk mixture'; "
            "it is 'hdbscn'. Did you mean 'hdbscan'?"
        ),
    ),
    "an estimator": (
        lambda: cv.sweep(X, estimator="ward", k=[2, 3]),
        (
            "No estimator is called 'ward'; 'k-means' is. Trees are cut by linkage='ward' in clustval.sweep if it is "
            "one of SciPy's; others are objects, such as those of scikit-learn."
        ),
    ),
    "a suite": (
        lambda: cv.evaluate(X, TRUTH, "defualt"),
        "No internal index is called 'defualt'. Did you mean 'default'?",
    ),
}


@pytest.mark.parametrize("what", MEANT)
def test_a_message_says_what_was_meant(what):
    call, message = MEANT[what]
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("gap", "clustval.gap_statistic"),
        ("silhouette_score", "clustval.internal.silhouette"),
        ("rand", "clustval.external.rand"),
    ],
)
def test_a_name_that_is_not_here_is_found(name, hint):
    with pytest.raises(AttributeError, match=hint):
        getattr(cv, name)


@pytest.mark.parametrize("name", ["k-means", "kmeans", "KMeans", "k_means"])
def test_k_means_may_be_written_in_any_way(name):
    same = cv.choose(X, ["k-means"], k=[2, 3], null=False, random_state=0)
    assert cv.choose(X, [name], k=[2, 3], null=False, random_state=0) == same
    assert cv.sweep(X, estimator=name, k=[2, 3], random_state=0) == cv.sweep(X, k=[2, 3], random_state=0)
    assert cv.gap_statistic(X, [1, 2], estimator=name, n_references=2, random_state=0).best


def test_a_score_that_is_no_number_says_why():
    search = GridSearchCV(KMeans(), {"n_clusters": [1]}, scoring=cv.scorer("silhouette"), cv=2)
    with pytest.warns(UserWarning) as caught:  # noqa: PT030 - scikit-learn warns as well, without a reason
        search.fit(X)
    assert any("The score is NaN: silhouette needs from 2 to" in str(one.message) for one in caught)


# Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("seconds", "is_shown"), [(0.0, False), (3.0, True)])
def test_a_bar_appears_on_a_terminal_for_what_takes_long(monkeypatch, seconds, is_shown):
    terminal, moments = Terminal(), iter(seconds * at for at in range(100))
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress, "time", SimpleNamespace(monotonic=lambda: next(moments)))
    with progress.bar("Drawing", shown=None, total=3) as done:
        for item in range(3):
            done(item)
    assert ("Drawing" in terminal.getvalue()) == is_shown


def test_no_bar_appears_where_nobody_watches():
    with progress.bar("Drawing", shown=None, total=3) as done:
        assert done is None


def interrupted(done):
    with progress.bar("Drawing samples", shown=done):
        raise KeyboardInterrupt


def test_an_interruption_says_what_it_stopped(monkeypatch, capsys):
    monkeypatch.setattr(cv, "choose", lambda *_, **__: interrupted(done=False))
    assert cli.run(["choose", "iris"]) == cli.INTERRUPTED
    said = "clustval: stopped at 'Drawing samples'; what was written and printed before is whole.\n"
    assert capsys.readouterr().err == said


def test_a_range_of_k_as_text_is_named_whole():
    with pytest.raises(cv.InputError) as error:
        cv.sweep([[0], [1], [5], [6]], k="2:3")
    assert str(error.value) == "k must be whole numbers, such as range(1, 11) or [2, 4, 8]; it is the text '2:3'."


def test_names_of_columns_without_a_table_are_not_taken_for_arrays():
    with pytest.raises(cv.InputError) as error:
        cv.agreement("a", "b")
    assert (
        str(error.value)
        == "labels is 'b', a name, and no table has that column; give the table that has both as data=."
    )
