"""Every message, whole: what was given, what is allowed, what to do."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import clustval as cv
from clustval import catalogue
from clustval.labels import SEVERAL
from clustval.suites import SUITES

KINDS = [kind.name for kind in catalogue.kinds()]
X = np.arange(12.0).reshape(6, 2) ** 2
LABELS = [0, 0, 1, 1, 2, 2]
D = np.abs(X[:, :1] - X[:, 0])


def broken(row: int, column: int, value: float, of: np.ndarray = X) -> np.ndarray:
    copy = of.copy()
    copy[row, column] = value
    return copy


BAD_CALLS = {
    "X is one-dimensional": (
        lambda: cv.evaluate([1, 2, 3], [0, 0, 1]),
        "X has one dimension; give one row per point, as X.reshape(-1, 1) does for one column.",
    ),
    "X has three dimensions": (
        lambda: cv.evaluate(np.zeros((2, 2, 2)), [0, 1]),
        "X must have rows and columns; it has 3 dimensions. If they are series, metric='dtw' compares them.",
    ),
    "X is empty": (lambda: cv.evaluate(np.empty((0, 2)), []), "X is empty: 0 rows and 2 columns."),
    "X is ragged": (
        lambda: cv.evaluate([[1, 2], [3]], [0, 1]),
        "The rows of X differ in length: from 1 to 2 entries. If they are series, metric='dtw' compares them.",
    ),
    "X has a number for a row": (
        lambda: cv.evaluate([[1, 2], 3], [0, 1]),
        "The rows of X differ in length: from 0 to 2 entries. If they are series, metric='dtw' compares them.",
    ),
    "X is ragged in several ways": (
        lambda: cv.evaluate([[1], [2, 3], [4, 5, 6, 7]], [0, 1, 1]),
        "The rows of X differ in length: from 1 to 4 entries. If they are series, metric='dtw' compares them.",
    ),
    "a frame has no columns": (
        lambda: cv.evaluate(pd.DataFrame(index=range(3)), [0, 0, 1]),
        "X is empty: 3 rows and 0 columns.",
    ),
    "X is too far from 0 for squares of squares": (
        lambda: cv.evaluate([[-2e35], [0], [1]], [0, 0, 1], "dunn", metric="sqeuclidean"),
        "X reaches 2e+35, and indices of squared distances square its square; rescale it to below 1e+35.",
    ),
    "X is too narrow for squares of squares": (
        lambda: cv.evaluate([[-1e-36], [0], [1e-36]], [0, 0, 1], "dunn", metric="sqeuclidean"),
        "X spreads over 2e-36, and indices of squared distances square its square; rescale it to above 1e-35.",
    ),
    "X is too narrow": (
        lambda: cv.evaluate([[-1e-150], [0], [1e-150]], [0, 0, 1], "dunn"),
        "X spreads over 2e-150, whose square vanishes; rescale it to above 1e-140.",
    ),
    "memory is a list": (
        lambda: cv.evaluate(X, LABELS, memory=[2**30]),
        "memory must be at least 16 MiB, as bytes or as text such as '2 GiB'; it is [1073741824].",
    ),
    "X is text": (
        lambda: cv.evaluate([["a", "b"], ["c", "d"]], [0, 1]),
        "X must hold real numbers; it holds text.",
    ),
    "X is complex": (
        lambda: cv.evaluate(X * 1j, LABELS),
        "X must hold real numbers; it holds complex numbers.",
    ),
    "X has a NaN": (
        lambda: cv.evaluate(broken(4, 1, np.nan), LABELS),
        "X must be finite; row 4, column 1 is nan.",
    ),
    "X has several infinities": (
        lambda: cv.evaluate(broken(5, 0, np.inf, broken(2, 1, -np.inf)), LABELS),
        "X must be finite; row 2, column 1 is -inf (2 such rows).",
    ),
    "a frame has a missing value": (
        lambda: cv.evaluate(pl.DataFrame({"a": [1.0, None, 3], "b": [1, 2, 3]}), [0, 0, 1]),
        "X must be finite; row 1, column 'a' is nan; drop or fill such rows, or use metric='gower', which skips gaps.",
    ),
    "a frame has text": (
        lambda: cv.evaluate(pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}), [0, 1]),
        "Column 'b' of X holds String, not numbers; drop or encode it, or use metric='gower'.",
    ),
    "X is masked": (
        lambda: cv.evaluate(np.ma.masked_array(X, X == X[3, 0]), LABELS),
        "X has masked values, the first in row 3; fill or drop them.",
    ),
    "X overflows": (
        lambda: cv.evaluate(X * 1e200, LABELS),
        "X reaches 1.21e+202, whose square overflows; rescale it to below 1e+150.",
    ),
    "X vanishes": (
        lambda: cv.evaluate(X * 1e-200, LABELS),
        "X spreads over 1.21e-198, whose square vanishes; rescale it to above 1e-140.",
    ),
    "labels of another length": (lambda: cv.evaluate(X, [0, 1]), "X has 6 rows but labels has 2 entries."),
    "labels in two dimensions": (
        lambda: cv.evaluate(X, np.zeros((6, 2), int)),
        f"labels must have one dimension; it has 2.{SEVERAL}",
    ),
    "no labels but None": (lambda: cv.evaluate(X, None), "labels is None; give a label for each point."),
    "no labels": (lambda: cv.evaluate(X, []), "labels is empty."),
    "fractional labels": (
        lambda: cv.evaluate(X, [0, 0.5, 1, 1, 2, 2]),
        "labels must be whole numbers, text or categories; one is 0.5.",
    ),
    "an infinite label": (
        lambda: cv.evaluate(X, [0, 1, np.inf, 1, 2, 2]),
        "labels must be finite; position 2 is infinite.",
    ),
    "an unknown noise policy": (
        lambda: cv.evaluate(X, LABELS, noise="keep"),
        "noise must be one of 'drop', 'cluster', 'singletons', 'error', 'penalty'; it is 'keep'.",
    ),
    "noise where none is allowed": (
        lambda: cv.evaluate(X, [0, 0, -1, 1, -1, 1], noise="error"),
        "labels marks 2 points as noise, the first at position 2; noise='error' allows none.",
    ),
    "an unknown metric": (
        lambda: cv.evaluate(X, LABELS, metric="euclidian"),
        "No metric is called 'euclidian'. Did you mean 'euclidean'?",
    ),
    "distances that are not square": (
        lambda: cv.evaluate(X, LABELS, metric="precomputed"),
        "A precomputed X must be square; it has 6 rows and 2 columns.",
    ),
    "a diagonal that is not zero": (
        lambda: cv.evaluate(broken(2, 2, 1.0, D), LABELS, metric="precomputed"),
        "The diagonal of a precomputed X must be 0; row 2 has 1.",
    ),
    "a negative distance": (
        lambda: cv.evaluate(broken(1, 3, -2.0, D), LABELS, metric="precomputed"),
        "Distances must not be negative; row 1, column 3 is -2.",
    ),
    "distances that are not symmetric": (
        lambda: cv.evaluate(broken(1, 3, 2.0, D), LABELS, metric="precomputed"),
        "A precomputed X must be symmetric; row 1, column 3 is 2 but row 3, column 1 is 32.",
    ),
    "a metric without a value": (
        lambda: cv.evaluate([[0.0, 0], [1, 2], [3, 1]], [0, 0, 1], "silhouette", metric="cosine"),
        "The metric 'cosine' gives no finite distance for [0.0, 0.0].",
    ),
    "dependent columns for mahalanobis": (
        lambda: cv.evaluate(X[:, [0, 0]], LABELS, "silhouette", metric="mahalanobis"),
        "The mahalanobis metric needs columns that are not combinations of each other.",
    ),
    "fewer rows than columns for mahalanobis": (
        lambda: cv.evaluate(np.random.default_rng(0).normal(size=(6, 6)), LABELS, "dunn", metric="mahalanobis"),
        "The mahalanobis metric needs more rows than columns; X has 6 rows and 6 columns.",
    ),
    "fewer rows than columns for mahalanobis, without noise": (
        lambda: cv.evaluate(X, [0, 1] + [-1] * (len(X) - 2), "silhouette", metric="mahalanobis"),
        (
            "The mahalanobis metric needs more rows than columns; X has 6 rows and 2 columns, "
            "where 2 of 6 rows count: the others are noise or weigh nothing."
        ),
    ),
    "a constant column for seuclidean": (
        lambda: cv.evaluate(np.column_stack([X, np.full(len(X), 0.1)]), LABELS, "silhouette", metric="seuclidean"),
        f"The seuclidean metric divides columns by their spread; column {X.shape[1]} has none. Leave it out.",
    ),
    "no threads": (
        lambda: cv.evaluate(X, LABELS, n_jobs=0),
        "n_jobs must be a whole number from 1, or None for all cores; it is 0.",
    ),
    "too little memory": (
        lambda: cv.evaluate(X, LABELS, memory="1 MB"),
        "memory must be at least 16 MiB, as bytes or as text such as '2 GiB'; it is '1 MB'.",
    ),
    "memory without sense": (
        lambda: cv.evaluate(X, LABELS, memory="much"),
        "memory must be at least 16 MiB, as bytes or as text such as '2 GiB'; it is 'much'.",
    ),
    "an unknown index": (
        lambda: cv.evaluate(X, LABELS, "calinski_harabaz_"),
        "No internal index is called 'calinski_harabaz_'. Did you mean 'calinski_harabasz'?",
    ),
    "an index like no other": (
        lambda: cv.evaluate(X, LABELS, "qqqq"),
        "No internal index is called 'qqqq'. clustval.indices('internal') lists them all.",
    ),
    "an ambiguous index": (
        lambda: cv.evaluate(X, LABELS, "ba"),
        "'ba' may be any of 'ball_hall' and 'banfeld_raftery'. Write more of the name.",
    ),
    "no index": (
        lambda: cv.evaluate(X, LABELS, []),
        "indices is empty; give a name, a list of names, or a suite such as 'default'.",
    ),
    "an index that is no name": (lambda: cv.evaluate(X, LABELS, [3]), "indices must be names; one is 3."),
    "an unknown suite": (
        lambda: cv.evaluate(X, LABELS, "milligan:tau"),
        f"No suite is called 'milligan'; there are {', '.join(SUITES)}.",
    ),
    "an unknown member of a suite": (
        lambda: cv.evaluate(X, LABELS, "sklearn:dunn"),
        (
            "The suite 'sklearn' has no internal index 'dunn'; it has silhouette_score, calinski_harabasz_score, "
            "davies_bouldin_score."
        ),
    ),
    "an unknown option": (
        lambda: cv.internal.log_ss_ratio(X, LABELS, bass=10),
        "log_ss_ratio has no option 'bass'; its options are base.",
    ),
    "an option where there is none": (
        lambda: cv.internal.dunn(X, LABELS, p=2),
        "dunn has no option 'p'; it has no options.",
    ),
    "values of points that are not there": (
        lambda: cv.evaluate(X, LABELS, ["dunn", "silhouette"]).per_point("dunn"),
        "dunn is not made of values of points; of these indices, silhouette are.",
    ),
    "neighbours that are not there": (
        lambda: cv.evaluate(X, LABELS, ["dunn"]).neighbours("dunn"),
        "dunn does not look for the next cluster of a point.",
    ),
    "values of clusters that are not there": (
        lambda: cv.evaluate(X, LABELS, ["dunn"]).per_cluster("dunn"),
        "dunn is not made of values of clusters; size, dispersion, diameter, separation are.",
    ),
    "an index that was not evaluated": (
        lambda: cv.evaluate(X, LABELS, ["dunn"]).per_point("silhouette"),
        "'silhouette' was not evaluated; dunn were.",
    ),
    "an unknown kind": (
        lambda: cv.indices("inner"),
        f"kind must be {', '.join(map(repr, KINDS[:7]))} or {len(KINDS) - 7} more; it is 'inner'.",
    ),
}


@pytest.mark.parametrize("what", BAD_CALLS)
def test_bad_input_is_named_whole(what):
    call, message = BAD_CALLS[what]
    with pytest.raises(cv.InputError) as error:
        call()
    assert str(error.value) == message


def test_input_errors_are_value_errors():
    assert issubclass(cv.InputError, ValueError)
    assert issubclass(cv.UndefinedIndexError, ValueError)


def test_a_missing_extra_names_the_command_that_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(cv.MissingExtraError) as error:
        cv.evaluate(X, LABELS, ["dunn"]).to_polars()
    assert str(error.value) == "This needs polars, which is not installed. Run: pip install 'clustval[report]'"


def test_unknown_names_are_unknown_attributes():
    with pytest.raises(AttributeError, match="No internal index is called 'dun'"):
        _ = cv.internal.dun
    with pytest.raises(AttributeError, match="module 'clustval' has no attribute 'evaluat'"):
        _ = cv.evaluat
    with pytest.raises(KeyError):
        cv.evaluate(X, LABELS, ["dunn"])["silhouette"]


def test_an_error_in_a_thread_reaches_the_caller():
    def metric(_a, _b):
        msg = "no distance here"
        raise RuntimeError(msg)

    with pytest.raises(RuntimeError, match="no distance here"):
        cv.internal.silhouette(X, LABELS, metric=metric, n_jobs=2)
