"""The law of sources: each has every index with the value of the same points in memory, or a reason why not."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.sparse as sp
from pytest import approx
from scipy.spatial.distance import pdist, squareform
from statistic_table import COLUMNS, statistics_of_points, table
from way_calls import note_calls

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS, declared_ways, plan_of
from clustval.errors import UndefinedIndexError
from clustval.sources.blocks import blocks_of

pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")

catalogue.load()
RNG = np.random.default_rng(23)
N = 96
CODES = RNG.permutation(np.arange(N) % 4)
X = np.abs(RNG.normal(size=(N, 3)) + 3 * RNG.normal(size=(4, 3))[CODES]) + 0.5
LABELS = np.array(["b", "a", "d", "c"])[CODES]
ROWS = np.split(np.arange(N), [11, 50])
NAMES = sorted(KINDS["internal"].indices)
SOURCES = (
    "blocks", "file", "folder", "mapped array", "tiles", "many partitions", "batches that pass by", "sample",
    "sparse rows", "distances",
)  # fmt: skip


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The points as one Parquet file, as a folder of two, and as an array."""
    home = tmp_path_factory.mktemp("files")
    columns = {f"x{at}": X[:, at] for at in range(3)} | {"cluster": LABELS.tolist()}
    pq.write_table(pa.table(columns), home / "points.parquet")
    (home / "folder").mkdir()
    for at, rows in enumerate(np.split(np.arange(N), [37])):
        part = {name: np.asarray(values)[rows] for name, values in columns.items()}
        pq.write_table(pa.table(part), home / f"folder/{at}.parquet")
    np.save(home / "X.npy", X)
    return home


@pytest.fixture(scope="module")
def pool():
    with ThreadPoolExecutor(2) as pool:
        yield pool


@pytest.fixture(autouse=True)
def _small(set_limits, set_thresholds):
    """Let a few points be as many as all that is done for many."""
    set_limits(rows_per_stripe=30, exact_points=0)
    set_thresholds(SWEEP_WORK=0, SWEEP_POINTS=0)


def scores_from(source, names, files, pool, metric):
    """Return values and reasons of the points from one type of source."""
    if source == "blocks":
        choices = catalogue.select(names, "internal")
        blocks = blocks_of([(X[r], LABELS[r]) for r in ROWS], metric=metric, plan=plan_of(choices))
        scores = cv.evaluate(blocks, indices=names)
    elif source in {"file", "folder"}:
        path = files / ("points.parquet" if source == "file" else "folder")
        scores = cv.evaluate(str(path), "cluster", names, metric=metric)
    elif source in {"mapped array", "tiles"}:
        executor = pool if source == "tiles" else None
        scores = cv.evaluate(str(files / "X.npy"), LABELS, names, metric=metric, executor=executor)
    elif source == "many partitions":
        sweep = cv.sweep(X, [LABELS, np.arange(N) % 4], names, metric=metric)
        values = dict(zip(sweep.indices, sweep.values[0].tolist(), strict=True))
        return values, {name: reason for (row, name), reason in sweep.reasons.items() if row == sweep.names[0]}
    elif source == "batches that pass by":
        parts = [cv.Evaluator(names, metric=metric).partial_fit(X[r], LABELS[r], first=int(r[0])) for r in ROWS]
        scores = (parts[0] + parts[1] + parts[2]).scores()
    elif source == "sample":
        scores = cv.evaluate(X, LABELS, names, metric=metric, approximate=0.5)
    elif source == "sparse rows":
        scores = cv.evaluate(sp.csr_array(X), LABELS, names, metric=metric)
    else:
        scores = cv.evaluate(squareform(pdist(X, metric)), LABELS, names, metric="precomputed")
    return dict(scores), scores.reasons


def compare(source, names, files, pool, metric="euclidean"):
    whole = cv.evaluate(X, LABELS, names, metric=metric)
    values, reasons = scores_from(source, names, files, pool, metric)
    for name in whole:  # sweeps have indices of their own beside them
        value = values[name]
        if math.isnan(value):
            assert len(reasons[name]) > 20, (source, name)
            assert source != "file" or name in whole.reasons, (name, reasons[name])  # all points fit
        elif source == "sample":  # of all points: values of pairs and of points have an error all the same
            assert value == approx(whole[name], rel=0.5, abs=0.5), (source, name)
        else:
            tolerance = 1e-7 if source == "distances" else 1e-9  # differences of rounded distances
            assert value == approx(whole[name], rel=tolerance, abs=1e-11), (source, name)


@pytest.mark.parametrize("name", NAMES)
def test_every_source_has_the_value_of_memory_or_a_reason(name, files, pool):
    for source in SOURCES:
        compare(source, [name], files, pool)


@pytest.mark.large
@pytest.mark.parametrize("metric", ["sqeuclidean", "cityblock", "cosine", "chebyshev", "braycurtis"])
@pytest.mark.parametrize("source", SOURCES)
def test_every_source_has_the_values_of_memory_by_any_metric(source, metric, files, pool):
    compare(source, "all", files, pool, metric)


def test_one_file_that_fits_has_every_index_that_memory_has(files):
    whole, read = cv.evaluate(X, LABELS, "all"), cv.evaluate(str(files / "points.parquet"), "cluster", "all")
    assert read.reasons.keys() == whole.reasons.keys()


# --- plans -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "cosine", "cityblock"])
def test_what_is_left_out_is_known_before_any_pass(files, metric):
    for X_, labels in ((X, LABELS), (str(files / "points.parquet"), "cluster"), (str(files / "folder"), "cluster")):
        plan = cv.explain(X_, labels, "all", metric=metric)
        scores = cv.evaluate(X_, labels, "all", metric=metric)
        assert plan.left_out.items() <= scores.reasons.items()
        later = [reason for name, reason in scores.reasons.items() if name not in plan.left_out]
        assert all("has no value" in reason for reason in later)
        assert plan.indices == len(scores) - len(plan.left_out)


def test_a_plan_computes_no_statistic(files, monkeypatch):
    calls = []
    for statistic in declared_ways():
        note_calls(monkeypatch, statistic, lambda *_given, **_options: calls.append(1))
    cv.explain(X, LABELS, "all")
    cv.explain(str(files / "folder"), "cluster", "all")
    assert not calls
    cv.evaluate(X, LABELS, "fast")
    assert calls


def test_a_plan_names_passes_pairs_seconds_and_bytes():
    plan = cv.explain(X, LABELS, ["silhouette", "dunn", "calinski_harabasz", "gamma"])
    passes = {row["pass"]: row for row in plan.table.records}
    assert list(passes) == ["points", "all pairs, once for all", "ranks of all distances, for Concordance", "no pass"]
    assert passes["points"]["statistics"] == "Moments"
    assert passes["all pairs, once for all"]["statistics"] == "PointMeans, Extremes"
    assert passes["all pairs, once for all"]["pairs"] == math.comb(N, 2)
    assert plan.pairs == 2 * math.comb(N, 2)
    assert plan.bytes == max(row["bytes"] for row in passes.values()) > 8 * N * 3
    assert plan.seconds == approx(sum(row["seconds"] for row in passes.values()))
    assert "4 indices in less than a second" in str(plan)
    assert cv.Explanation.from_json(plan.to_json()) == plan


def test_no_tables_are_planned_or_refused_where_none_are_built():
    rng = np.random.default_rng(0)
    many, labels = rng.normal(size=(1300, 4)), np.arange(1300) % 420
    for metric in ("cosine", "sqeuclidean"):
        assert not cv.explain(many, labels, "silhouette", metric=metric, memory="16 MiB").left_out
        assert not cv.evaluate(many, labels, "silhouette", metric=metric, memory="16 MiB").reasons
    plan = cv.explain(many, labels, "silhouette", memory="16 MiB")
    assert plan.left_out["silhouette"].startswith("silhouette needs tables of 420 x 420 clusters")


# --- the table of statistics and sources -----------------------------------------------------------------


def test_the_table_has_a_word_for_every_statistic_and_source():
    rows = table()
    assert {row[0] for row in rows[1:]} == {statistic.__name__ for statistic in statistics_of_points()}
    assert rows[0] == ("statistic", *COLUMNS)
    assert all(all(cell for cell in row) for row in rows)


def test_a_statistic_without_a_way_says_so_and_raises_no_error_of_python():
    class Nowhere(next(iter(statistics_of_points())).__mro__[-2]):
        """A statistic that no source has."""

    with pytest.raises(UndefinedIndexError, match="has no way to compute Nowhere"):
        blocks_of([(X, LABELS)])[Nowhere]
