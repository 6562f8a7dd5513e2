"""How long the first call of a new process takes: nothing compiled, all compiled, and read-only with a cache.

Each call runs in a process of its own, on a copy of the package without compiled kernels. Seconds are those of the
processor, user and system, from the start of Python to its end, since other programs share the machine; the clock
stands beside them. "read-only" is a copy that was compiled beforehand by ``clustval compile``, where nothing can
be written and the user has no home. Run ``python benchmarks/first_call.py``.
"""

from __future__ import annotations

import compileall
import ctypes
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import clustval

CALLS = {
    "nothing but imports": ("", None),
    "silhouette, 1,000 x 8": ("cv.internal.silhouette(X, labels)", 2.5),
    "evaluate, default": ("cv.evaluate(X, labels)", 4),
    "evaluate, all": ("cv.evaluate(X, labels, 'all')", 12),
    "sweep, k = 2 to 5": ("cv.sweep(X, k=range(2, 6), random_state=0)", None),
    "choose, 300 x 8": ("cv.choose(X[:300], random_state=0)", 10),
}
BEFORE = """
import numpy as np, clustval as cv
X = np.random.default_rng(0).normal(size=(1000, 8))
labels = np.arange(1000) % 5
"""
DROP, OVERRIDE = 24, 1  # of Linux: a process gives up for good to write what its mode forbids, which root may
WARM = 0.5  # seconds of a new process with everything compiled
RATIO = 2  # read-only by warm


def seconds(code, package):
    """Return the seconds of the processor and on the clock that a process takes."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith(("CLUSTVAL", "NUMBA"))}
    surroundings |= {"PYTHONPATH": str(package), "HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    surroundings |= {"OMP_NUM_THREADS": "1", "CLUSTVAL_QUIET": "1"}
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([sys.executable, "-c", code], env=surroundings, check=True, cwd="/")
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, end - begin


def copy(folder):
    """Copy the package without compiled kernels; with Python's bytecode, which every installation makes."""
    source = Path(clustval.__file__).parent
    shutil.copytree(source, folder / "clustval", ignore=shutil.ignore_patterns("__pycache__"))
    compileall.compile_dir(folder, quiet=1)
    return folder


def main():
    with tempfile.TemporaryDirectory() as home:
        Path(home).chmod(0o755)
        whole = copy(Path(home) / "whole")
        begin = time.perf_counter()
        everything, _ = seconds("import clustval as cv; cv.compile()", whole)
        print(f"compiling everything: {everything:.0f} s, {time.perf_counter() - begin:.0f} s by the clock\n")
        ctypes.CDLL(None).prctl(DROP, OVERRIDE)  # processes that this one starts from here on
        print(f"{'':24}{'cold':>16}{'warm':>16}{'read-only':>16}  ratio to warm")
        for number, (name, (call, bar)) in enumerate(CALLS.items()):
            cold = seconds(BEFORE + call, copy(Path(home) / str(number)))
            warm, read_only = [], []
            for _ in range(3):
                for mode, times in ((0o755, warm), (0o555, read_only)):
                    for path in whole.rglob("__pycache__"):
                        path.chmod(mode)
                    times.append(seconds(BEFORE + call, whole))
            warm, read_only = min(warm), min(read_only)
            pairs = "".join(f"{cpu:9.2f} ({wall:4.1f})" for cpu, wall in (cold, warm, read_only))
            aim = f"; cold aim {bar} s" if bar else ""
            print(f"{name:24}{pairs}  {read_only[0] / warm[0]:.2f} (at most {RATIO}){aim}", flush=True)
            shutil.rmtree(Path(home) / str(number))


if __name__ == "__main__":
    main()
