"""Kernels that are compiled beforehand: found where nothing can be written, and never used wrongly."""

from __future__ import annotations

import gc
import importlib.util
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import clustval as cv
from clustval.compilation import TASKS
from clustval.errors import InputError
from clustval.kernels.work import cache, jit
from clustval.kernels.work.notice import KEPT, LOST, Notice

SOURCE = """
from clustval.kernels.work.jit import kernel

@kernel
def double(x):
    return {factor} * x
"""
IN_PARTS = """
from clustval.kernels.work.jit import kernel

@kernel
def half(x):
    return x / 2

@kernel
def quarter(x):
    return half(half(x))

@kernel
def double(x):
    return 8 * quarter(x)
"""
FROM_THE_END = """
from clustval.kernels.work.jit import kernel

@kernel
def double(x):
    x[-2] = x[-1] + x[0]
    return x[-2] + x[len(x) - 1]
"""
NUMBERS = itertools.count()


def loaded(path: Path):
    """Return a kernel of the file, as a new process would see it."""
    cache.stamp.cache_clear()
    cache.folders.cache_clear()
    spec = importlib.util.spec_from_file_location(f"kernels_{next(NUMBERS)}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where numba looks for what it reads
    spec.loader.exec_module(module)
    return module.double


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setenv("CLUSTVAL_CACHE", str(tmp_path / "kept"))
    forget = cache.folders.cache_clear
    yield write(tmp_path / "code" / "doubles.py")
    forget()


def write(path, factor="2"):
    path.parent.mkdir(exist_ok=True)
    path.write_text(SOURCE.format(factor=factor))
    return path


def kept(tmp_path):
    return sorted((tmp_path / "kept" / "code").glob("*.nbc"))


def hits(dispatcher):
    return sum(dispatcher.stats.cache_hits.values())


def test_a_kernel_is_kept_and_read_by_the_next_process(source, tmp_path):
    first = loaded(source)
    assert (first(3.0), hits(first), len(kept(tmp_path))) == (6.0, 0, 1)
    second = loaded(source)
    assert (second(4.0), hits(second), len(kept(tmp_path))) == (8.0, 1, 1)
    assert second(4) == 8  # another type is another kernel
    assert len(kept(tmp_path)) == 2


def test_a_kernel_is_read_from_a_folder_that_cannot_be_written(source, monkeypatch):
    loaded(source)(3.0)
    monkeypatch.setattr(cache, "_write", lambda *_: pytest.fail("nothing need be written"))
    again = loaded(source)
    assert (again(3.0), hits(again)) == (6.0, 1)


def test_parts_of_a_kernel_become_machine_code_inside_it_alone(source, tmp_path):
    source.write_text(IN_PARTS)
    double = loaded(source)
    half = sys.modules[double.__module__].half
    assert (double(3.0), len(kept(tmp_path)), half.signatures) == (6.0, 1, [])
    assert (half(3.0), len(kept(tmp_path)), len(half.signatures)) == (1.5, 2, 1)  # when Python calls it, it is a kernel
    assert hits_after(source) == 1


def test_with_a_numba_that_was_never_tried_parts_are_kernels_of_numba(source, monkeypatch):
    monkeypatch.setattr(jit, "TAKES_PARTS", False)
    source.write_text(IN_PARTS)
    double = loaded(source)
    assert (double(3.0), len(sys.modules[double.__module__].half.signatures)) == (6.0, 1)


def test_a_kernel_counts_places_from_the_end_where_they_are_written_as_numbers(source):
    source.write_text(FROM_THE_END)
    assert loaded(source)(np.array([1.0, 2.0, 5.0, 7.0])) == 15.0


def test_the_first_call_leaves_linear_algebra_to_those_who_call_it():
    code = """
import sys
import numpy as np
import clustval as cv
X = np.random.default_rng(0).normal(size=(100, 3))
cv.internal.silhouette(X, np.arange(100) % 3)
print("scipy.linalg" in sys.modules)
import numba
product = numba.njit(lambda a, b: a @ b)
print(np.allclose(product(X.T, X), X.T @ X), "scipy.linalg" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True", "True"]


@pytest.mark.parametrize("collecting", [True, False])
def test_garbage_is_collected_after_compiling_as_before_it(source, collecting):
    (gc.enable if collecting else gc.disable)()
    try:
        assert (loaded(source)(3.0), gc.isenabled()) == (6.0, collecting)
    finally:
        gc.enable()


def test_where_nothing_can_be_written_a_kernel_is_compiled_all_the_same(source, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("where a folder should be")
    double = loaded(source)
    monkeypatch.setattr(cache, "folders", lambda topic: (tmp_path / "file" / topic,))
    assert (double(3.0), double._cache.writable()) == (6.0, False)


def test_a_kernel_whose_code_changed_is_compiled_again(source):
    assert loaded(source)(3.0) == 6.0
    assert loaded(write(source, "50"))(3.0) == 150.0  # of another length: Python keeps code by length and second


def test_a_kernel_is_stale_when_a_file_that_it_imports_changes():
    file = cache.ROOT / "pairs" / "half_square.py"
    lanes = cache.ROOT / "work" / "lanes.py"
    assert "work.lanes import" in file.read_text()
    cache.stamp.cache_clear()
    before, read = cache.stamp(file), Path.read_bytes
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path == lanes))
        cache.stamp.cache_clear()
        assert cache.stamp(file) != before
    cache.stamp.cache_clear()
    assert cache.stamp(file) == before


@pytest.mark.parametrize("damage", [lambda content: content[:100], lambda _: b"", lambda content: b"x" + content])
def test_a_damaged_file_is_compiled_again(source, tmp_path, damage):
    loaded(source)(3.0)
    (file,) = kept(tmp_path)
    file.write_bytes(damage(file.read_bytes()))
    again = loaded(source)
    assert (again(3.0), hits(again)) == (6.0, 0)
    assert hits_after(source) == 1  # it was written anew


def hits_after(source):
    again = loaded(source)
    again(3.0)
    return hits(again)


def test_another_processor_does_not_read_what_was_compiled_for_this_one(source):
    ours = cache.KernelCache(loaded(source).py_func)
    names = {
        ours._name_of(ours._key(("float64",), SimpleNamespace(magic_tuple=lambda cpu=cpu: cpu)))
        for cpu in (("x86_64", "znver3", "+avx2"), ("x86_64", "znver3", ""), ("x86_64", "skylake", "+avx2"))
    }
    assert len(names) == 3


def test_the_folder_of_the_user_is_left_out_where_there_is_no_home(monkeypatch):
    for name in ("CLUSTVAL_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    cache.folders.cache_clear()
    assert cache.folders("pairs") == (cache.ROOT / "pairs" / "__pycache__",)
    cache.folders.cache_clear()


class Kept(cache.KernelCache):
    def __init__(self, *, can):
        self.can = can

    def writable(self):
        return self.can


@pytest.mark.parametrize(("can", "line"), [(True, KEPT), (False, LOST)])
def test_compiling_that_takes_long_is_announced_once(can, line, capsys):
    notice = Notice()
    notice.shown, notice.seconds = True, 100.0  # patience has ended long ago
    compiled = SimpleNamespace(data={"dispatcher": SimpleNamespace(_cache=Kept(can=can))})
    for _ in range(2):
        notice.on_start(compiled)
        notice.on_start(compiled)  # inside the other
        if notice._timer is not None:
            notice._timer.join()
        notice.on_end(compiled)
        notice.on_end(compiled)
    assert capsys.readouterr().err == f"clustval: {line}\n"
    assert notice.kernels == 4


def test_kernels_of_others_are_no_concern_of_ours(capsys):
    notice = Notice()
    notice.shown, notice.seconds = True, 100.0
    foreign = SimpleNamespace(data={"dispatcher": SimpleNamespace()})
    notice.on_start(foreign)
    notice.on_end(foreign)
    assert (notice.kernels, notice._timer, capsys.readouterr().err) == (0, None, "")


def test_an_unknown_task_is_refused_with_those_that_there_are():
    with pytest.raises(InputError) as error:
        cv.compile(["default", "chose"])
    assert str(error.value) == (
        "Nothing is compiled for 'chose'; tasks are default, all, metrics, agreement, sweep, choose, diagnose, "
        "consensus and everything. Did you mean 'choose'?"
    )


@pytest.mark.large
def test_the_command_says_where_kernels_are_kept(tmp_path):
    surroundings = os.environ | {"CLUSTVAL_CACHE": str(tmp_path)}
    command = [sys.executable, "-m", "clustval", "compile", "--for", "agreement"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=surroundings)
    assert re.fullmatch(rf"\d+ kernels compiled in \d+ s, kept below {tmp_path}\.\n", done.stdout)


@pytest.mark.large
@pytest.mark.parametrize("task", TASKS)
def test_what_is_compiled_once_is_not_compiled_again(task):
    cv.compile(task)
    assert cv.compile(task) == 0


@pytest.mark.large
def test_calls_of_other_sizes_and_seeds_need_no_more_kernels():
    code = """
import numpy as np, clustval as cv
from clustval.kernels.work.jit import NOTICE
cv.compile(["default", "all", "choose"])
before = NOTICE.kernels
for n, p in ((70, 3), (500, 2), (2000, 12), (9000, 3)):
    X = np.random.default_rng(n).normal(size=(n, p))
    cv.evaluate(X, np.arange(n) % 7)
    cv.internal.silhouette(X, np.arange(n) % 7)
    cv.internal.dunn(X, np.arange(n) % 7)
X = np.random.default_rng(5).normal(size=(150, 3))
cv.evaluate(X, np.arange(150) % 4, "all")
cv.choose(X, n_references=19, random_state=1)
print(NOTICE.kernels - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "0"


@pytest.mark.large
def test_an_index_of_the_default_suite_by_itself_needs_no_more_kernels():
    code = """
import numpy as np, clustval as cv
from clustval.kernels.work.jit import NOTICE
cv.compile("default")
before = NOTICE.kernels
for n, p in ((300, 2), (1000, 8)):
    X, labels = np.random.default_rng(n).normal(size=(n, p)), np.arange(n) % 5
    for name in cv.evaluate(X, labels):
        cv.evaluate(X, labels, [name])
print(NOTICE.kernels - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == "0"
