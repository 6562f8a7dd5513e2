"""How fast is the pass over pairs? Ratios against scikit-learn's silhouette and against itself.

Run ``python benchmarks/pairs.py`` for everything, or name parts: ``python benchmarks/pairs.py silhouette dunn``.
A ratio is taken in one process from interleaved repeats, the fastest of each kept: other work on the machine slows
single runs, seldom all of them. The last column is the bar.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter

import numpy as np
from sklearn.metrics import silhouette_score

import clustval as cv
from clustval.passes.pairs.half_square import euclidean_pass, rows_pass
from clustval.passes.pairs.search_extremes import cluster_extremes

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
OPTIONS = {"n_jobs": CORES, "memory": 2 << 30}


def clustered(n, p, k, seed=0):
    """Overlapping clusters of unequal size, in random order."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.concatenate([np.arange(k), rng.integers(0, k, n - k)]))
    return rng.normal(size=(n, p)) + 4 * rng.normal(size=(k, p))[labels], labels


def by_cluster(X, labels):
    order = np.argsort(labels, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(labels))])
    return np.ascontiguousarray(X[order]), starts


def fastest(*functions, repeats, turn=0.0):
    """Shortest time of each function; they take turns, in which short ones run until `turn` seconds are over."""
    for function in functions:
        function()  # compile, touch memory
    times = np.full(len(functions), np.inf)
    for _ in range(repeats):
        for i, function in enumerate(functions):
            over = perf_counter() + turn
            while True:
                begin = perf_counter()
                function()
                end = perf_counter()
                times[i] = min(times[i], end - begin)
                if end >= over:
                    break
    return times


def show(what, ratio, bar, times, *, at_most=False):
    verdict = "ok" if (ratio <= bar if at_most else ratio >= bar) else "MISSED"
    milliseconds = "  ".join(f"{1000 * t:9.1f}" for t in times)
    print(
        f"{what:<44}{ratio:8.1f}x   {'<=' if at_most else '>='} {bar:5.1f}  {verdict:<7}{milliseconds} ms",
        flush=True,
    )


def against_sklearn():
    bars = {2: 25, 8: 20, 16: 15, 32: 9, 128: 3.5}
    for n, p, k, bar in [
        *((20_000, p, k, bar) for p, bar in bars.items() for k in (3, 20)),
        *((2_000, p, k, 5) for p in (2, 8, 16) for k in (3, 20)),
        *((2_000, p, 200, 3) for p in (2, 8, 16)),
    ]:
        X, labels = clustered(n, p, k)
        assert abs(cv.internal.silhouette(X, labels) - silhouette_score(X, labels)) < 1e-9
        theirs, ours = fastest(
            lambda X=X, labels=labels: silhouette_score(X, labels),
            lambda X=X, labels=labels: cv.internal.silhouette(X, labels),
            repeats=4 if n > 10_000 else 15,
            turn=1.0 if n > 10_000 else 0.0,
        )
        show(f"silhouette n={n} p={p} k={k}", theirs / ours, bar, (theirs, ours))


def full_against_short():
    for n, p, k in [(20_000, p, k) for p in (2, 8, 32, 128) for k in (3, 20, 200)] + [(2_000, 8, 200)]:
        X, starts = by_cluster(*clustered(n, p, k))
        short, full = fastest(
            lambda X=X, starts=starts: euclidean_pass(X, starts, full=False, **OPTIONS),
            lambda X=X, starts=starts: euclidean_pass(X, starts, full=True, **OPTIONS),
            repeats=5,
        )
        show(f"full / short n={n} p={p} k={k}", full / short, 1.3, (short, full), at_most=True)


def precomputed():
    n, k = 10_000, 10
    X, labels = clustered(n, 4, k)
    X, starts = by_cluster(X, labels)
    labels = np.sort(labels)
    D = np.sqrt(sum((x[:, None] - x) ** 2 for x in X.T))
    theirs, short, full = fastest(
        lambda: silhouette_score(D, labels, metric="precomputed"),
        *(
            lambda full=full: rows_pass(lambda lo, hi: D[lo:hi], n, starts, full=full, **OPTIONS)
            for full in (False, True)
        ),
        repeats=5,
    )
    show(f"precomputed n={n} k={k}", theirs / short, 5, (theirs, short))
    show(f"precomputed n={n} k={k}, full", theirs / full, 5, (theirs, full))


def growth():
    small, large = (by_cluster(*clustered(n, 8, 10)) for n in (20_000, 200_000))
    times = fastest(
        lambda: euclidean_pass(*small, full=False, **OPTIONS),
        lambda: euclidean_pass(*large, full=False, **OPTIONS),
        repeats=2,
    )
    show("n=200000 / n=20000, p=8 k=10", times[1] / times[0], 130, times, at_most=True)


def dunn():
    for p, bar in ((2, 10), (3, 10), (8, 1)):
        X, starts = by_cluster(*clustered(100_000, p, 10))
        full, trees = fastest(
            lambda X=X, starts=starts: euclidean_pass(X, starts, full=True, **OPTIONS),
            lambda X=X, starts=starts: cluster_extremes(X, starts, n_jobs=CORES),
            repeats=1,
        )
        show(f"full pass / trees n=100000 p={p} k=10", full / trees, bar, (full, trees))


PARTS = {
    "silhouette": against_sklearn,
    "full": full_against_short,
    "precomputed": precomputed,
    "growth": growth,
    "dunn": dunn,
}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
