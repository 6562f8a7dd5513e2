"""How long does a whole evaluation take? In units of one visit of all pairs, of scikit-learn, and of seconds.

Run ``python benchmarks/evaluation.py``, or name parts: ``python benchmarks/evaluation.py start offset``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import timeit
from collections import Counter
from time import perf_counter, process_time

import numpy as np
from pairs import OPTIONS, by_cluster, clustered, fastest, show
from sklearn.metrics import silhouette_score

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS, Source
from clustval.kernels.metrics.squares import TILE, squares_to
from clustval.passes.pairs.half_square import euclidean_pass

catalogue.load()
COSTS = {name: index.cost for name, index in KINDS["internal"].indices.items()}
WITHOUT_RANKS = [name for name, cost in COSTS.items() if cost != "rank"]
CLUSTERCRIT_SECONDS = 3.7  # R package clusterCrit (Fortran), 42 criteria, n = 4,000, p = 5, K = 5, such a machine


def in_passes():
    """Every internal index, in units of one full visit of the pairs."""
    for n, p, k in [(5_000, 8, 5), (20_000, 8, 10)]:
        X, labels = clustered(n, p, k)
        Z, starts = by_cluster(X, labels)
        one, without, with_c, everything, theirs = fastest(
            lambda Z=Z, starts=starts: euclidean_pass(Z, starts, full=True, **OPTIONS),
            lambda X=X, labels=labels: cv.evaluate(X, labels, WITHOUT_RANKS),
            lambda X=X, labels=labels: cv.evaluate(X, labels, [*WITHOUT_RANKS, "c_index"]),
            lambda X=X, labels=labels: cv.evaluate(X, labels, "all"),
            lambda X=X, labels=labels: silhouette_score(X, labels),
            repeats=3 if n > 10_000 else 15,
        )
        at = f"n={n} p={p} k={k}"
        show(f"all but ranks / one visit, {at}", without / one, 2, (one, without), at_most=True)
        show(f"... with C-index / one visit, {at}", with_c / one, 8, (one, with_c), at_most=True)
        show(f"... and Gamma, G+, Tau / one visit, {at}", everything / one, 30, (one, everything), at_most=True)
        if n == 20_000:
            show(
                f"everything / scikit-learn's silhouette, {at}",
                everything / theirs,
                1.5,
                (theirs, everything),
                at_most=True,
            )


def clustercrit():
    """The 42 names of clusterCrit on the size for which its time is known."""
    X, labels = clustered(4_000, 5, 5)
    (ours,) = fastest(lambda: cv.evaluate(X, labels, "clustercrit"), repeats=3)
    show("clusterCrit / all its names, n=4000 p=5 k=5", CLUSTERCRIT_SECONDS / ours, 20, (CLUSTERCRIT_SECONDS, ours))


def precomputed():
    """A matrix of distances, checked and evaluated, against scikit-learn."""
    n = 10_000
    X, labels = clustered(n, 4, 10)
    D = np.sqrt(sum((x[:, None] - x) ** 2 for x in X.T))
    theirs, ours = fastest(
        lambda: silhouette_score(D, labels, metric="precomputed"),
        lambda: cv.internal.silhouette(D, labels, metric="precomputed"),
        repeats=3,
    )
    show(f"precomputed, checked, n={n}, labels in any order", theirs / ours, 5, (theirs, ours))


def offset():
    """How much a silhouette changes when the data move by 1e8."""
    X, labels = clustered(5_000, 8, 5)
    near, far = cv.internal.silhouette(X, labels), cv.internal.silhouette(X + 1e8, labels)
    print(f"silhouette changes by {abs(near - far):.1e} when X moves by 1e8 (bar 1e-9); ", end="")
    print(f"scikit-learn's changes by {abs(silhouette_score(X, labels) - silhouette_score(X + 1e8, labels)):.1e}")


class Stopwatch:
    """Seconds of all cores that statistics take, each without those that it asks for."""

    def __init__(self):
        self.times, self._inner, self._compute = Counter(), [], Source.compute

    def __enter__(self):
        def compute(source, statistic, **options):
            self._inner.append(0.0)
            begin = process_time()
            try:
                return self._compute(source, statistic, **options)
            finally:
                duration = process_time() - begin
                self.times[statistic.__name__] += duration - self._inner.pop()
                if self._inner:
                    self._inner[-1] += duration

        Source.compute = compute
        return self

    def __exit__(self, *_):
        Source.compute = self._compute


def dearest():
    """Every index of 20,000 points in 8 dimensions, and the dearest statistics beside the least that they could take.

    The bound is the time in which this machine forms so many distances, in float64 and in the order of the dimensions.
    """
    n, p, k = 20_000, 8, 5
    rng = np.random.default_rng(0)
    labels = rng.integers(0, k, n)
    X = rng.normal(size=(n, p)) + 3 * labels[:, None]
    columns, row = np.ascontiguousarray(X.T), np.empty(8 * TILE)

    def seconds_of(count):
        return min(timeit.repeat(lambda: squares_to(columns, 0, 0, count, row), number=2_000, repeat=20)) / 2_000

    seconds_of(TILE)  # compiles
    rate = (seconds_of(8 * TILE) - seconds_of(4 * TILE)) / (4 * TILE)  # without the call
    one = n * (n - 1) / 2 * rate
    print(f"one distance in {p} dimensions, strictly rounded: {1e9 * rate:.2f} ns; of all pairs {one:.2f} s")
    for suite, bar in (("all", 5), ("density", None)):
        best = None
        for _ in range(3):
            begin = process_time()
            with Stopwatch() as watch:
                cv.evaluate(X, labels, suite)
            duration = process_time() - begin
            if best is None or duration < best[0]:
                best = duration, watch.times
        verdict = "" if bar is None else f" <= {bar} {'ok' if best[0] <= bar else 'MISSED'}"
        print(f"{f'{suite}, n={n} p={p} k={k}, seconds of all cores':<50}{best[0]:6.2f} s  {verdict}")
        for name, time in best[1].most_common(6):
            print(f"    {name:<46}{time:6.2f} s   {time / one:5.1f} times all pairs")


def seconds(code, **options):
    begin = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, **options)
    return perf_counter() - begin


def start():
    """Seconds of whole processes: import, small data, large data with a warm and with a cold cache."""
    data = "import numpy as np, clustval as cv; X = np.random.default_rng(0).normal(size=({n}, 4));"
    small = data.format(n=1_000) + "cv.evaluate(X, np.arange(len(X)) % 3, 'all')"
    large = data.format(n=2_000) + "cv.evaluate(X, np.arange(len(X)) % 3)"
    every = data.format(n=2_000) + "cv.evaluate(X, np.arange(len(X)) % 3, 'all')"
    for what, code, bar in [
        ("import clustval", "import clustval", 0.3),
        ("every index of 1,000 points", small, 0.5),
        ("default indices of 2,000 points, warm cache", large, 1.5),
    ]:
        seconds(code)
        duration = min(seconds(code) for _ in range(5))
        print(f"{what:<50}{duration:6.2f} s   <= {bar} {'ok' if duration <= bar else 'MISSED'}")
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds(every, env={"NUMBA_CACHE_DIR": cache, "PATH": ""})
        warm = seconds(every, env={"NUMBA_CACHE_DIR": cache, "PATH": ""})
    verdict = "ok" if cold - warm <= 20 else "MISSED"
    print(f"{'compiling every kernel of evaluate, once per machine':<50}{cold - warm:6.1f} s   <= 20 {verdict}")


PARTS = {
    "passes": in_passes,
    "clustercrit": clustercrit,
    "precomputed": precomputed,
    "offset": offset,
    "start": start,
    "dearest": dearest,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
