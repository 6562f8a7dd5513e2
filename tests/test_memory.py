"""The law of memory: whatever the number of clusters, an evaluation takes no more than `memory=` and a constant."""

from __future__ import annotations

import gc
import math
import subprocess
import sys
import textwrap
import tracemalloc
from contextlib import contextmanager
from weakref import WeakSet

import numpy as np
import pytest
from pytest import approx
from scipy.sparse import csr_array

import clustval as cv
from clustval.declare import KINDS
from clustval.passes.centres.centre_gaps import FEW, Gaps
from clustval.passes.neighbours.nearest import nearest_of_points
from clustval.sources import row_blocks
from clustval.sources.partition import partition
from clustval.stats.points.moments import Moments

CONSTANT = 48  # MiB: copies of the points, stacks of threads, what an allocator does not give back
BUDGET = 64  # MiB
SIZES = [(50_000, 8, "even"), (20_000, 2_000, "even"), (20_000, 18_000, "even"), (50_000, 10_001, "giant")]

MEASURE = """
import sys
import numpy as np
import clustval as cv

def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024

def points(n, k, giant):
    rng = np.random.default_rng(0)
    labels = np.append(np.arange(k), np.zeros(n - k, int) if giant else rng.integers(k, size=n - k))
    return 10 * rng.normal(size=(k, 2))[labels] + rng.normal(size=(n, 2)), labels

n, k, giant, suites = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "giant", sys.argv[4:]
for suite in suites:
    cv.evaluate(*points(1500, 800, False), suite, memory="64 MiB")  # whatever is loaded and compiled is there
X, labels = points(n, k, giant)
for suite in suites:
    with open("/proc/self/clear_refs", "w") as refs:
        refs.write("5")  # the peak begins anew
    before = peak()
    cv.evaluate(X, labels, suite, memory="64 MiB")
    print(suite, peak() - before)
"""


def peaks(n, k, suites, giant="even"):
    """Return by how many MiB the evaluation of each suite raised the peak of a process of its own."""
    command = [sys.executable, "-c", textwrap.dedent(MEASURE), str(n), str(k), giant, *suites]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.split()[0]: float(line.split()[1]) for line in run.stdout.splitlines()}


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells peaks and lets them begin anew")


@on_linux
@pytest.mark.large
def test_no_suite_takes_more_than_the_budget_where_clusters_are_many():
    for suite, peak in peaks(3_000, 2_500, ["fast", "default", "clustercrit", "density", "all"]).items():
        assert peak < BUDGET + CONSTANT, suite


@on_linux
@pytest.mark.large
@pytest.mark.parametrize(("n", "k", "giant"), SIZES)
def test_so_it_is_at_large_sizes(n, k, giant):
    suites = ["fast", "default", "sklearn", "zaki", *(["density"] if giant == "even" else [])]
    for suite, peak in peaks(n, k, suites, giant).items():
        assert peak < BUDGET + CONSTANT, suite


@contextmanager
def left_to_the_collector():
    """Give a list that holds, at the end, our objects that were let go but refer to each other or to themselves."""
    left = []
    gc.collect()
    gc.disable()
    flags = gc.get_debug()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        yield left
        gc.collect()
        left += sorted(type(thing).__name__ for thing in gc.garbage if type(thing).__module__.startswith("clustval"))
    finally:
        gc.set_debug(flags)
        gc.garbage.clear()
        gc.enable()


KEPT = {
    "in memory": lambda X, labels: cv.evaluate(X, labels, "all"),
    "far away": lambda X, labels: cv.evaluate(2.0**200 * X, labels, "all"),
    "weighted": lambda X, labels: cv.evaluate(X, labels, "all", sample_weight=1 + labels),
    "one that no kernel knows": lambda X, labels: cv.evaluate(
        X, labels, "default", metric=lambda x, y: abs(x - y).max()
    ),
    "in one function": cv.internal.silhouette,
    "of many partitions": lambda X, labels: cv.sweep(X, {k: labels % k for k in (2, 3, 4)}, "all"),
    "sparse": lambda X, labels: cv.evaluate(csr_array(X), labels, "default"),
}


@pytest.mark.parametrize("how", KEPT)
def test_points_are_let_go_with_the_last_that_asks_for_them(how):
    X, labels = many_clusters(40)
    labels %= 4
    KEPT[how](X, labels)  # compiles: the compiler holds on to what it was called with
    with left_to_the_collector() as left:
        KEPT[how](X, labels)
    assert left == []


def test_blocks_are_let_go_before_the_next_is_read(tmp_path, monkeypatch, set_limits):
    X, labels = np.random.default_rng(0).normal(size=(9_000, 3)), np.arange(9_000) % 4
    np.save(tmp_path / "X.npy", X)
    set_limits(numbers_per_block=3 * 2**10)
    spaces, most = WeakSet(), []

    class Counted(row_blocks.Space):
        def __init__(self, *given, **named):
            super().__init__(*given, **named)
            spaces.add(self)
            most.append(len(spaces))

    names = ["gmm_bic", "davies_bouldin", "gdi41"]
    cv.evaluate(tmp_path / "X.npy", labels, names, n_jobs=1)  # compiles, as above
    monkeypatch.setattr(row_blocks, "Space", Counted)
    with left_to_the_collector() as left:
        cv.evaluate(tmp_path / "X.npy", labels, names, n_jobs=1)
    assert left == []
    assert len(most) > 9
    assert max(most) <= 2  # one that is left while its name is given to the next


def test_trees_look_up_few_neighbours_at_a_time():
    X = np.random.default_rng(0).normal(size=(40_000, 2))
    nearest_of_points(X[:5000], 25, n_jobs=1)  # loads what it needs
    tracemalloc.start()
    try:
        near, numbers = nearest_of_points(X, 25, n_jobs=1)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most - near.nbytes - numbers.nbytes < 24 * 2**20


def many_clusters(k, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.append(np.arange(k), rng.integers(k, size=k // 2))
    return 10 * rng.normal(size=(k, 3))[labels] + rng.normal(size=(len(labels), 3)), labels


def test_tables_that_do_not_fit_leave_no_value_and_the_reason_names_their_size():
    X, labels = many_clusters(800)
    scores = cv.evaluate(X, labels, ["gdi12", "silhouette", "s_dbw", "gdi53", "davies_bouldin"], memory="16 MiB")
    assert scores.reasons["gdi12"] == (
        "gdi12 needs tables of 800 x 800 clusters, 0.0763 GiB for all that may be held at once; the budget is "
        "0.0156 GiB. Give more to evaluate(..., memory=)."
    )
    assert set(scores.reasons) == {"gdi12", "silhouette", "s_dbw", "gdi53"}
    with pytest.raises(cv.UndefinedIndexError, match=r"^Comparing clusters needs tables of 800 x 800"):
        scores.per_cluster("diameter")


@pytest.mark.large
@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "precomputed"])
def test_what_fits_has_the_values_of_a_larger_budget(metric):
    X, labels = many_clusters(800)
    if metric == "precomputed":
        X = np.sqrt(((X[:, None] - X) ** 2).sum(-1))
    small, large = (cv.evaluate(X, labels, "all", metric=metric, memory=m) for m in ("16 MiB", "1 GiB"))
    undefined = [name for name in small if name in small.reasons and name not in large.reasons]
    assert all("needs tables of 800 x 800 clusters" in small.reasons[name] for name in undefined)
    for name, value in large.items():
        if name not in undefined:
            assert small[name] == approx(value, rel=1e-13, nan_ok=True), name
    indices = KINDS["internal"].indices
    assert not {name for name in undefined if indices[name].cost == "linear"} - {"s_dbw", "cdbw", "gdi53"}


def test_dunn_needs_no_tables_where_trees_find_the_closest_points():
    X, labels = many_clusters(800)
    together = cv.evaluate(X, labels, ["dunn", "silhouette", "hennig_maxdiameter"], memory="16 MiB")
    assert together["dunn"] == cv.internal.dunn(X, labels) > 0
    assert "silhouette" in together.reasons


def test_a_sweep_of_partitions_into_many_clusters_leaves_out_what_does_not_fit():
    X, labels = many_clusters(800)
    swept = cv.sweep(X, {"many": labels, "few": labels % 5}, ["davies_bouldin", "gdi12"], memory="16 MiB")
    assert swept["davies_bouldin"][0] == approx(cv.internal.davies_bouldin(X, labels), rel=1e-13)
    assert math.isnan(swept["gdi12"][0])
    assert swept["gdi12"][1] > 0
    assert "needs tables of 800 x 800 clusters" in swept.reasons["many", "gdi12"]


def test_gaps_by_rows_are_those_of_the_table():
    k = 2 * FEW + 100
    X, labels = many_clusters(k)
    gaps = partition(X, labels)[Moments].gaps
    table = gaps.table
    whole = Gaps.of_table(table)
    assert len(list(gaps.blocks())) > 3
    assert len(list(whole.blocks())) == 1
    assert table.shape == (k, k)
    assert np.array_equal(table, table.T)
    assert gaps.sums() == approx(whole.sums(), rel=1e-13, abs=0)  # which are added in another order
    for name in ("nearest", "smallest", "largest"):  # which are sought, not read off
        assert getattr(gaps, name) == approx(getattr(whole, name), rel=1e-13, abs=0), name
    assert np.array_equal(np.asarray(gaps), table)
    nearest = [each.by_cluster(lambda _, block: block.argmin(-1)) for each in (gaps, whole)]
    assert np.array_equal(*nearest)
    assert gaps.total(lambda _, block: block.sum()) == approx(table.sum(), rel=1e-13)


def test_of_one_cluster_no_other_is_near():
    gaps = Gaps.of_table(np.zeros((1, 1)))
    assert gaps.nearest.tolist() == [math.inf]
    assert gaps.largest == 0
