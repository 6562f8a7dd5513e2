"""The gap statistic: the book's table, its definition in loops, and every rule."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import pytest
from sklearn.cluster import AgglomerativeClustering

import clustval as cv
from clustval.relative.gap import RULES
from clustval.tables import Table
from conftest import iris_components, make_blobs

# Zaki and Meira, Table 17.1: 200 samples, best of 100 runs of k-means.
PRINTED = np.array([0.093, 0.346, 0.679, 0.753, 0.586, 0.715, 0.808, 0.680, 0.632])
PRINTED_SD = np.array([0.0456, 0.0486, 0.0529, 0.0701, 0.0711, 0.0654, 0.0611, 0.0597, 0.0606])


@pytest.fixture(scope="module")
def iris_gap():
    X, _ = iris_components()
    return cv.gap_statistic(X, range(1, 10), n_references=200, random_state=1)


@pytest.mark.large
def test_iris_gives_the_printed_table_within_monte_carlo_error(iris_gap):
    error = PRINTED_SD * math.sqrt(2 / 200)
    assert np.all(np.abs(iris_gap.table["gap"] - PRINTED) < 4 * error)
    assert iris_gap.table["sd"] == pytest.approx(PRINTED_SD, rel=0.25)


@pytest.mark.large
def test_iris_has_four_clusters_by_one_deviation_and_three_by_two(iris_gap):
    assert iris_gap.best["one_sd"] == 4
    assert iris_gap.best["two_sd"] == 3
    assert iris_gap.best["max"] == 7
    assert iris_gap.best["first_max"] == 4


@pytest.mark.large
def test_the_standard_error_adds_that_of_the_mean(iris_gap):
    assert iris_gap.table["se"] == pytest.approx(iris_gap.table["sd"] * math.sqrt(1 + 1 / 200), rel=1e-12)


def halves(X, k, _rng):
    """Cut the first column into k parts with as many points: a clustering without randomness."""
    return np.argsort(np.argsort(X[:, 0])) * k // len(X)


def dispersion_in_loops(X, labels, kind):
    clusters = [X[labels == c] for c in np.unique(labels)]
    if kind == "pairs":
        return sum(math.dist(x, y) for points in clusters for x, y in itertools.combinations(points, 2))
    return sum(math.dist(x, points.mean(axis=0)) ** 2 for points in clusters for x in points)


@pytest.mark.parametrize(("kind", "base"), [("pairs", 2), ("squared", math.e), ("squared", 10)])
def test_the_gap_follows_its_definition(kind, base):
    X = np.random.default_rng(3).normal(size=(25, 3))
    seen = []

    def recorded(data, k, rng):
        seen.append((k, data, halves(data, k, rng)))
        return seen[-1][2]

    given = {} if base != 10 else {"base": 10}
    found = cv.gap_statistic(
        X, [2, 3], estimator=recorded, n_references=6, dispersion=kind, random_state=0, n_jobs=1, **given
    )
    for position, k in enumerate((2, 3)):
        logs = [math.log(dispersion_in_loops(data, labels, kind), base) for number, data, labels in seen if number == k]
        own, references = logs[0], logs[1:]
        assert np.array_equal(next(data for number, data, _ in seen if number == k), X)
        assert found.table["gap"][position] == pytest.approx(np.mean(references) - own, rel=1e-9)
        assert found.table["sd"][position] == pytest.approx(np.std(references), rel=1e-9)
        assert found.table["log_w"][position] == pytest.approx(own, rel=1e-9)
    low, high = X.min(axis=0), X.max(axis=0)
    assert all(((low <= data) & (data <= high)).all() for _, data, _ in seen)
    assert found.base == pytest.approx(base, rel=1e-12)


def test_references_along_principal_axes_keep_to_a_tilted_strip():
    rng = np.random.default_rng(0)
    along = rng.uniform(-10, 10, 100)
    X = np.column_stack([along, along + rng.uniform(-0.1, 0.1, 100)])
    widths = {}

    def recorded(data, k, rng):
        widths.setdefault(reference, []).append(np.ptp(data[:, 1] - data[:, 0]))
        return halves(data, k, rng)

    for reference in ("box", "pca"):
        cv.gap_statistic(X, 2, estimator=recorded, n_references=5, reference=reference, random_state=0, n_jobs=1)
    assert max(widths["pca"]) < 0.3
    assert min(widths["box"][1:]) > 10


def test_values_do_not_depend_on_threads_nor_on_the_other_numbers_of_clusters():
    X, _ = iris_components()
    options = {"n_references": 8, "n_init": 3, "random_state": 7}
    whole = cv.gap_statistic(X, range(1, 6), n_jobs=1, **options)
    threaded = cv.gap_statistic(X, range(1, 6), n_jobs=3, **options)
    alone = cv.gap_statistic(X, 4, **options)
    assert np.array_equal(whole.table["gap"], threaded.table["gap"])
    assert alone.table["gap"][0] == whole.table["gap"][3]
    assert not np.array_equal(cv.gap_statistic(X, 4, **{**options, "random_state": 8}).table["gap"], alone.table["gap"])


def test_an_estimator_of_scikit_learn_clusters_the_references_too():
    X, _ = make_blobs((15, 15, 15), range(3), 0.1)
    found = cv.gap_statistic(X, range(1, 6), estimator=AgglomerativeClustering(), n_references=10, random_state=0)
    assert found.best["one_se"] == 3


def test_a_dispersion_of_zero_has_no_gap():
    X = np.repeat(np.arange(4.0), 3)[:, None]
    found = cv.gap_statistic(X, [3, 4], n_references=5, random_state=0)
    assert np.isfinite(found.table["gap"][0])
    assert np.isnan(found.table["gap"][1])
    assert found.best["max"] == 3
    assert set(cv.gap_statistic(X, 4, n_references=5, random_state=0).best.values()) == {None}


GAPS = np.array([0.1, 0.5, 0.48, 0.7, 0.65])
DEVIATIONS = np.array([0.02, 0.02, 0.02, 0.3, 0.02])


@pytest.mark.parametrize(
    ("rule", "sd", "se", "position"),
    [
        ("one_sd", DEVIATIONS, 0 * DEVIATIONS, 1),  # 0.5 >= 0.48 - 0.02
        ("two_sd", 11 * DEVIATIONS, 0 * DEVIATIONS, 0),  # 0.1 >= 0.5 - 2 * 0.22
        ("one_se", 0 * DEVIATIONS, 25 * DEVIATIONS, 0),  # 0.1 >= 0.5 - 0.5
        ("max", DEVIATIONS, DEVIATIONS, 3),
        ("max_se", DEVIATIONS, DEVIATIONS, 1),  # 0.5 >= 0.7 - 0.3
        ("first_max", DEVIATIONS, DEVIATIONS, 1),
        ("first_max_se", DEVIATIONS, 25 * DEVIATIONS, 0),  # 0.1 >= 0.5 - 0.5
    ],
)
def test_each_rule_reads_the_curve_its_way(rule, sd, se, position):
    assert RULES[rule](GAPS, sd, se) == position


def test_a_rising_curve_ends_at_the_last_number():
    rising, none = np.array([0.1, 0.2, 0.3]), np.zeros(3)
    assert {RULES[rule](rising, none, none) for rule in RULES} == {2}


@pytest.mark.large
def test_results_can_be_read_and_framed(iris_gap):
    assert str(iris_gap).splitlines()[0].split() == ["k", "gap", "sd", "se", "log_w", "expected_log_w"]
    assert str(iris_gap).splitlines()[-1].startswith("chosen: one_sd 4, two_sd 3, one_se")
    assert iris_gap.table.to_pandas().loc[7, "gap"] == iris_gap.table["gap"][6]
    assert iris_gap.table.to_polars()["k"].to_list() == list(range(1, 10))
    assert '<td>two_sd</td><td class="number">3</td>' in iris_gap._repr_html_()
    assert len(iris_gap.table) == 6


def test_a_table_escapes_what_it_shows():
    assert (
        Table({"<b>": np.array(["<i>"])})
        ._repr_html_()
        .endswith("<tr><th>&lt;b&gt;</th></tr><tr><td>&lt;i&gt;</td></tr></table>")
    )


def test_progress_is_shown_when_asked_for(capsys, set_limits):
    set_limits(seconds_between_reports=0)
    cv.gap_statistic(np.arange(10.0)[:, None], [1, 2], n_references=2, random_state=0, progress=True)
    assert "Clustering references" in capsys.readouterr().err


X = np.arange(12.0).reshape(6, 2) ** 2


def test_the_base_may_be_a_number_of_numpy():
    ten, other = (cv.gap_statistic(X, [1, 2], base=base, n_references=2, random_state=0) for base in (10, np.int64(10)))
    assert ten == other


BAD_CALLS = {
    "too many clusters": (
        lambda: cv.gap_statistic(X, range(1, 9)),
        "k must be at most 6, one cluster for each point; it is 7.",
    ),
    "no cluster": (lambda: cv.gap_statistic(X, 0), "k must be a whole number from 1; it is 0."),
    "no reference": (
        lambda: cv.gap_statistic(X, 2, n_references=0),
        "n_references must be a whole number from 1; it is 0.",
    ),
    "an unknown reference": (
        lambda: cv.gap_statistic(X, 2, reference="ball"),
        "reference must be one of 'box', 'pca'; it is 'ball'.",
    ),
    "an unknown dispersion": (
        lambda: cv.gap_statistic(X, 2, dispersion="log"),
        "dispersion must be one of 'pairs', 'squared'; it is 'log'.",
    ),
    "a base of one": (
        lambda: cv.gap_statistic(X, 2, base=1),
        "base must be a number above 1, such as 2, 10 or math.e; it is 1.",
    ),
    "an estimator that cannot predict": (
        lambda: cv.gap_statistic(X, 2, estimator=object),
        "estimator must be an object such as object(), not the class object itself.",
    ),
    "a missing value": (
        lambda: cv.gap_statistic([[1.0], [np.nan]], 1),
        "X must be finite; row 1, column 0 is nan.",
    ),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_errors_say_what_to_do(case):
    call, message = BAD_CALLS[case]
    with pytest.raises(cv.InputError, match=f"^{re.escape(message)}$"):
        call()
