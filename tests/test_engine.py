"""Threads, processes, memory and caches: the same values whatever the surroundings."""

from __future__ import annotations

import functools
import math
import multiprocessing
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import clustval as cv
from clustval import kernels, progress
from clustval.lazy import cached_property
from clustval.passes.work import threads
from clustval.progress import Count, bar


def run_python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_eight_threads_at_once_give_the_right_values(large_blobs, large_scores):
    found: list[dict[str, float]] = []

    def work():
        found.append(cv.evaluate(*large_blobs, "all", n_jobs=2).to_dict())

    workers = [threading.Thread(target=work) for _ in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert len(found) == 8
    for scores in found:
        assert all(scores[name] == value or math.isnan(value) for name, value in large_scores.items())


def _silhouette_in_child(blobs, queue):
    queue.put(cv.internal.silhouette(*blobs, n_jobs=2))


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_computes_the_same(large_blobs, large_scores):
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=_silhouette_in_child, args=(large_blobs, queue))
    child.start()
    assert queue.get(timeout=60) == large_scores["silhouette"]
    child.join()


def test_the_memory_budget_does_not_change_the_values(large_blobs, large_scores):
    tight = cv.evaluate(*large_blobs, "all", memory="16 MiB")
    for name, value in large_scores.items():
        assert tight[name] == pytest.approx(value, rel=1e-12, nan_ok=True), name


def test_importing_the_package_loads_nothing_heavy():
    loaded = run_python("import clustval, sys; print(*sorted(sys.modules))").split()
    assert not {"numba", "scipy", "pandas", "sklearn", "narwhals", "numpy"} & set(loaded)


def test_small_inputs_need_neither_compiler_nor_scipy():
    code = """
import numpy as np, clustval as cv, sys
from clustval.passes.work.thresholds import PAIRS
X = np.random.default_rng(0).normal(size=(PAIRS, 3))
names = [r["name"] for r in cv.indices("internal") if not r["sweep"]]
names.remove("hennig_kd_normal")  # SciPy has the distribution that it needs
cv.evaluate(X, np.arange(PAIRS) % 3, names)
print(*sorted(sys.modules))
"""
    assert not {"numba", "scipy", "pandas", "narwhals"} & set(run_python(code).split())


@pytest.mark.large
def test_a_cache_that_cannot_be_written_costs_only_compile_time(large_blobs, large_scores, tmp_path):
    np.savez(tmp_path / "blobs.npz", X=large_blobs[0], labels=large_blobs[1])
    code = f"""
from clustval.kernels.work import cache
cache.folders = lambda topic: ()
import numpy as np, clustval as cv
data = np.load({str(tmp_path / "blobs.npz")!r})
print(repr(float(cv.internal.simplified_silhouette(data["X"], data["labels"]))))
"""
    assert float(run_python(code)) == large_scores["simplified_silhouette"]


def test_every_item_is_worked_on_once_and_reported():
    for n_jobs in (1, 2, 7):
        seen, told = [], []
        threads.run(seen.append, 50, n_jobs, told.append)
        assert sorted(seen) == sorted(told) == list(range(50))


def test_the_first_failure_stops_the_queue():
    worked = []

    def work(item):
        worked.append(item)
        if item == 3:
            msg = "item 3"
            raise OSError(msg)

    with pytest.raises(OSError, match="item 3"):
        threads.run(work, 10_000, 2)
    assert len(worked) < 10_000


def test_a_bar_without_a_total_adds_up_what_begins():
    class Display:
        total = finished = 0

        def advance(self, _task):
            self.finished += 1

        def update(self, _task, *, total):
            self.total = total

    for known, expected in ((False, 7), (True, 0)):
        display = Display()
        count = Count(display, 0, known=known)
        threads.run(lambda _item: None, 4, 2, count)
        threads.run(lambda _item: None, 3, 1, count)
        assert (display.total, display.finished) == (expected, 7)


def test_progress_is_shown_when_asked_for(large_blobs, capsys, set_limits):
    set_limits(seconds_between_reports=0)
    cv.evaluate(*large_blobs, ["silhouette"], progress=True)
    assert "Computing" in capsys.readouterr().err


def test_without_a_terminal_long_work_says_now_and_then_how_much_is_left(capsys, monkeypatch):
    seconds = iter([0, 5, 25, 30, 65])  # of the beginning and of each piece
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(seconds))
    with bar("Clustering", shown=True, total=4) as done:
        for item in range(4):
            done(item)
    assert capsys.readouterr().err.splitlines() == [
        "Clustering: 2 of 4, about 40 seconds left",
        "Clustering: 4 of 4, about 0 seconds left",
    ]


def test_the_first_piece_in_which_all_is_compiled_says_nothing_of_how_much_is_left(capsys, monkeypatch):
    seconds = iter([0, 60, 70, 80])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(seconds))
    with bar("Clustering", shown=True, total=9) as done:
        for item in range(3):
            done(item)
    assert capsys.readouterr().err.splitlines() == ["Clustering: 1 of 9", "Clustering: 3 of 9, about 60 seconds left"]


def test_trees_and_the_visit_of_all_pairs_find_the_same_extremes():
    rng = np.random.default_rng(9)
    X, labels = rng.normal(size=(3000, 2)) * 3, rng.integers(0, 5, 3000)
    X[labels == 1] += 9
    both = cv.evaluate(X, labels, ["dunn", "gdi12", "silhouette"])
    assert cv.internal.dunn(X, labels) == both["dunn"]


def test_kernels_are_loaded_when_they_are_named():
    code = (
        "import sys; from clustval import kernels; assert 'numba' not in sys.modules; print(kernels.work.sizes.STRIP)"
    )
    assert int(run_python(code)) > 0
    with pytest.raises(AttributeError, match="There are no kernels called 'nothing'"):
        _ = kernels.nothing


def test_a_value_is_computed_once_for_each_object_and_not_for_the_class():
    class Square:
        def __init__(self, side):
            self.side, self.calls = side, 0

        @cached_property
        def area(self):
            self.calls += 1
            return self.side**2

    small, large = Square(2), Square(3)
    assert [small.area, large.area, small.area, large.area] == [4, 9, 4, 9]
    assert small.calls == large.calls == 1
    assert isinstance(Square.area, functools.cached_property)


def test_threads_compute_values_of_several_objects_side_by_side():
    begun = threading.Barrier(2, timeout=10)

    class Slow:
        @cached_property
        def value(self):
            return begun.wait()

    threads.run(lambda _: Slow().value, 2, 2)
