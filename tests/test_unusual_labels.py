"""Labels of unusual types and names, and the rules for values that are infinite."""

from __future__ import annotations

import datetime as dt
import math

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import clustval as cv
from clustval.labels import encode, in_order
from clustval.sources.blocks import blocks_of
from clustval.sources.label_pair import label_blocks

X = np.random.default_rng(0).normal(size=(7, 2))
CODES = [1, 1, 0, -1, 0, 2, 1]


def spelt(names, missing):
    """Return the labels under other names, which must be in order."""
    return [missing if code < 0 else names[code] for code in CODES]


DAYS = ["2020-01-09", "2020-01-10", "2021-01-01"]
DATES = [dt.date.fromisoformat(day) for day in DAYS]
TIMES = [dt.datetime.fromisoformat(day) for day in DAYS]
SECONDS = [dt.timedelta(seconds=s) for s in (5, 9, 80_000)]
PAIRS = [(0, 9), (0, 10), (1, 1)]
WAYS = {  # labels, and their names
    **{f"datetime64[{unit}]": (np.array(spelt(DAYS, "NaT"), f"M8[{unit}]"), TIMES) for unit in ("s", "us", "ns")},
    "days": (np.array(spelt(DAYS, "NaT"), "M8[D]"), DATES),
    "big-endian days": (np.array(spelt(DAYS, "NaT"), ">M8[D]"), DATES),
    "years beyond Python's": (
        np.array(spelt(["20000", "30000", "40000"], "NaT"), "M8[Y]"),
        ["20000", "30000", "40000"],
    ),
    "nanoseconds": (
        np.array(spelt([1, 2, 3], "NaT"), "M8[ns]"),
        [f"1970-01-01T00:00:00.00000000{i}" for i in (1, 2, 3)],
    ),
    "durations": (np.array(spelt([5, 9, 80_000], "NaT"), "m8[s]"), SECONDS),
    "fine durations": (np.array(spelt([5, 9, 80_000], "NaT"), "m8[s]").astype("m8[ns]"), SECONDS),
    "a list of datetime64": ([np.datetime64(day) for day in spelt(DAYS, "NaT")], DATES),
    "Python dates": (spelt(DATES, None), DATES),
    "pandas index of times": (pd.DatetimeIndex(spelt(DAYS, None)), TIMES),
    "pandas times": (pd.Series(pd.to_datetime(spelt(DAYS, None))), TIMES),
    "pandas durations": (pd.Series(pd.to_timedelta(spelt([5, 9, 80_000], None), unit="s")), SECONDS),
    "bytes": (spelt([b"a", b"b", b"c\xff"], None), [b"a", b"b", b"c\xff"]),
    "bytes that end in zeros": (spelt([b"a", b"a\0", b"b"], None), [b"a", b"a\0", b"b"]),
    "tuples": (spelt(PAIRS, None), PAIRS),
    "a tuple of tuples": (tuple(spelt(PAIRS, None)), PAIRS),
    "tuples of text and numbers": (
        spelt([("a", 1), ("b", 2), (1, "a")], None),
        [("a", 1), ("b", 2), (1, "a")],
    ),
    "tuples of unlike lengths": (spelt([(1,), (1, 0), (2,)], None), [(1,), (1, 0), (2,)]),
}


@pytest.mark.parametrize("way", WAYS)
def test_dates_bytes_and_tuples_are_labels(way):
    labels, names = WAYS[way]
    codes, written = encode(labels, "labels")
    assert (codes.tolist(), written) == (CODES, names)
    assert cv.evaluate(X, labels, "fast").to_dict() == pytest.approx(
        cv.evaluate(X, CODES, "fast").to_dict(), nan_ok=True
    )
    assert cv.external.rand(labels, CODES) == 1


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        (np.array([b"a", b"b", b"a"]), [b"a", b"b"]),
        (np.array([(0, "a"), (1, "b"), (0, "a")], dtype=[("number", int), ("letter", "U1")]), [(0, "a"), (1, "b")]),
        ([(0, 1), (1, 0), (0, 1)], [(0, 1), (1, 0)]),
    ],
)
def test_arrays_of_bytes_and_of_records_are_labels(labels, names):
    assert encode(labels, "labels")[1] == names


def test_lists_of_lists_and_tables_are_no_labels():
    for labels in ([[0, 1], [1, 0]], np.zeros((3, 2)), ([0, 1], [1, 0])):
        with pytest.raises(cv.InputError, match="must have one dimension; it has 2"):
            cv.evaluate(X, labels)


def test_names_that_cannot_be_compared_have_an_order_nevertheless():
    aware = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
    assert in_order([TIMES[0], aware]) == [aware, TIMES[0]]
    assert in_order([(2, None), (1, 1), (2, 1)]) == [(1, 1), (2, 1), (2, None)]


# --- a cluster called noise ------------------------------------------------------------------------------

CALLED_NOISE = ["noise", "noise", "a", None, "a", "noise", "z"]
TWICE = ["noise", "noise (missing)", "a", None, "a", "noise", "noise (missing)"]


def test_noise_beside_a_cluster_called_noise_has_a_name_of_its_own():
    scores = cv.evaluate(X, CALLED_NOISE, "silhouette", noise="cluster")
    assert list(scores.per_cluster("silhouette")) == ["a", "noise", "z", "noise (missing)"]
    assert list(scores.per_cluster("size")) == ["a", "noise", "z", "noise (missing)"]
    scores = cv.evaluate(X, TWICE, "silhouette", noise="cluster")
    assert list(scores.per_cluster("silhouette")) == ["a", "noise", "noise (missing)", "noise (missing) (missing)"]
    table = cv.contingency(TWICE, CALLED_NOISE)
    assert table.row_labels == ["a", "noise", "noise (missing)", "noise (missing) (missing)"]


def test_a_noise_point_beside_a_cluster_called_after_its_row_has_a_name_of_its_own():
    labels = ["noise 3" if name == "noise" else name for name in CALLED_NOISE]
    scores = cv.evaluate(X, labels, "silhouette", noise="singletons")
    assert list(scores.per_cluster("silhouette")) == ["a", "noise 3", "z", "noise 3 (missing)"]


@pytest.mark.parametrize("noise", ["cluster", "singletons"])
@pytest.mark.parametrize("labels", [CALLED_NOISE, TWICE, ["noise 3" if n == "noise" else n for n in CALLED_NOISE]])
@pytest.mark.parametrize("cut", range(1, 7))
def test_noise_in_one_block_is_not_the_cluster_called_noise_in_another(labels, noise, cut):
    whole = cv.evaluate(X, labels, ["dunn", "calinski_harabasz"], noise=noise)
    source = blocks_of([(X[:cut], labels[:cut]), (X[cut:], labels[cut:])], noise=noise)
    parts = cv.evaluate(source, indices=["dunn", "calinski_harabasz"])
    assert parts.to_dict() == pytest.approx(whole.to_dict())
    assert source.names == whole.source.names
    truth = [0, 0, 0, 1, 1, 1, 1]
    joint = cv.agreement(label_blocks([(truth[:cut], labels[:cut]), (truth[cut:], labels[cut:])], noise=noise))
    assert joint.to_dict() == pytest.approx(cv.agreement(truth, labels, noise=noise).to_dict())


def test_the_legend_tells_noise_from_a_cluster_called_noise():
    ax = cv.plot.scatter(X, CALLED_NOISE)
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["a", "noise", "z", "noise (missing)"]
    plt.close("all")


# --- whole numbers that floats do not have ----------------------------------------------------------------

LARGE = 2**60 + 1


@pytest.mark.parametrize(
    "labels",
    [
        [LARGE, LARGE + 1, LARGE + 1, math.nan],
        [LARGE, LARGE + 1, LARGE + 1, -1.0],
        (2**63, 2**63 + 1, 2**63 + 1, -1),  # no type of NumPy has both the first and the last
        [2**53, 2**53 + 1, 2**53 + 1, -1.0],
        [2**70, 2**70 + 1, 2**70 + 1, None],
    ],
)
def test_large_whole_numbers_beside_fractions_name_as_many_clusters_as_they_are(labels):
    codes, names = encode(labels, "labels")
    assert codes.tolist() == [0, 1, 1, -1]
    assert names == list(labels[:2])


@pytest.mark.parametrize(("kind", "digits"), [("float64", 53), ("float32", 24)])
def test_floats_so_large_that_two_names_may_have_become_one_are_refused(kind, digits):
    labels = np.array([2**digits, 2**digits + 1, 0, np.nan], kind)
    with pytest.raises(
        cv.InputError, match=rf"^labels holds {2**digits} as a {kind}, which has not every whole number "
    ):
        encode(labels, "labels")
    codes, names = encode(np.array([2**digits - 1, 0, -(2**digits) + 1], kind), "labels")
    assert codes.tolist() == [2, 1, 0]
    assert names == [1 - 2**digits, 0, 2**digits - 1]


# --- what the documentation says -------------------------------------------------------------------------


def test_scikit_learn_gives_pairs_of_one_point_a_value():
    theirs = (
        metrics.rand_score([0], [0]),
        metrics.adjusted_rand_score([0], [0]),
        metrics.fowlkes_mallows_score([0], [0]),
    )
    assert theirs == (1, 1, 0)
    assert all(map(math.isnan, cv.agreement([0], [0], ["rand", "adjusted_rand", "fowlkes_mallows"]).values()))


def test_plus_infinity_wins_only_where_nothing_else_is_left():
    assert cv.best([math.inf, 3, math.nan], "davies_bouldin") == 1
    assert cv.best([math.nan, math.inf, math.inf], "davies_bouldin") == 1
    assert cv.best([math.nan, -math.inf], "silhouette") == 1


def test_minus_infinity_wins_by_a_rule_that_looks_for_small_values():
    labels = {2: [0, 0, 0, 1, 1, 1, 1], 3: [0, 0, 0, 1, 1, 1, 2]}
    for name in ("banfeld_raftery", "scott_symons"):
        values = [getattr(cv.internal, name)(X, y) for y in labels.values()]
        assert values[1] == -math.inf
        assert cv.best(values, f"clustercrit:{name}", k=list(labels)) == 1


# --- every point is noise --------------------------------------------------------------------------------

FORTY, ALL_NOISE = np.random.default_rng(0).normal(size=(40, 3)), np.full(40, -1)


def evaluated(where, path, metric):
    """Scores of points all of which are noise, in memory, in a file, in blocks, or passed by."""
    if where == "memory":
        return cv.evaluate(FORTY, ALL_NOISE, metric=metric)
    if where == "blocks":
        parts = [(FORTY[:20], ALL_NOISE[:20]), (FORTY[20:], ALL_NOISE[20:])]
        return cv.evaluate(blocks_of(parts, metric=metric), indices="default")
    if where == "batches":
        return cv.Evaluator("default", metric=metric).partial_fit(FORTY, ALL_NOISE).scores()
    np.save(path / "X.npy", FORTY)
    return cv.evaluate(path / "X.npy", ALL_NOISE, metric=metric)


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "minkowski(3)"])
@pytest.mark.parametrize("where", ["memory", "file", "blocks", "batches"])
def test_points_that_are_all_noise_have_reasons_and_no_clusters(where, tmp_path, metric):
    scores = evaluated(where, tmp_path, metric)
    assert scores.reasons["silhouette"] == "silhouette needs clusters; every point is noise."
    assert set(scores.reasons) == set(scores)
    assert scores.per_cluster() == {"size": {}, "dispersion": {}, "diameter": {}, "separation": {}}
    assert all(scores.per_cluster(name) == {} for name in ("size", "dispersion", "diameter", "separation"))
    assert (scores.coverage, scores.alarms) == (0, [])
    assert "No clusters: every point is noise." in scores.to_html(look=False)


def test_a_metric_of_all_points_is_not_asked_for_where_all_are_noise():
    parts = [(FORTY[:20], ALL_NOISE[:20]), (FORTY[20:], ALL_NOISE[20:])]
    assert len(cv.evaluate(blocks_of(parts, metric="mahalanobis"), indices="default").reasons) == 14
    plan = cv.explain(FORTY, ALL_NOISE, "all", metric="mahalanobis")
    assert (plan.points, plan.clusters, plan.indices) == (0, 0, 1)  # disco has a value


def test_no_interval_is_asked_for_where_all_points_are_noise():
    scores = cv.evaluate(FORTY, ALL_NOISE, ["silhouette", "disco"], confidence=0.9)
    assert scores["disco"] == -1
    assert set(scores.intervals) == {"disco"}
