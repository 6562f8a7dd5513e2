"""How fast are exact rank statistics? In passes over all pairs, and against scikit-learn's silhouette.

Run ``python benchmarks/ranks.py``; add ``--large`` for 50,000 and 100,000 points, each in a process of its own that
tells its peak of resident memory. Times are the fastest of interleaved repeats in one process: other work on the
machine slows single runs, seldom all of them. Bars: concordance 22 passes and 0.8 silhouettes, sums of extremes 5
passes; 2.5 GiB at 50,000 points, 4 GiB at 100,000, and 100 MB more for the sums.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import numpy as np
from sklearn.metrics import silhouette_score

from clustval.passes.pairs.half_square import euclidean_pass
from clustval.passes.ranks.rank_pairs import concordance, extreme_sums
from clustval.passes.work.threads import available_cores

OPTIONS = {"n_jobs": available_cores(), "memory": 2 << 30}
P = 8
SIZES = {5_000: 10, 10_000: 10, 20_000: 10}  # points: clusters
LARGE = {50_000: 10, 100_000: 20}
GIB = 1 << 30


def clustered(n, k, spread=1.0, seed=0):
    """Return n points in k overlapping clusters, sorted by cluster, and where clusters start."""
    rng = np.random.default_rng(seed)
    labels = np.sort(np.concatenate([np.arange(k), rng.integers(0, k, n - k)]))
    X = rng.normal(size=(n, P)) + spread * rng.normal(size=(k, P))[labels]
    return X, np.concatenate([[0], np.cumsum(np.bincount(labels))]), labels


def fastest(functions, repeats):
    """Return the shortest time of each function; they take turns."""
    times = [float("inf")] * len(functions)
    for _ in range(repeats):
        for i, function in enumerate(functions):
            begin = perf_counter()
            function()
            times[i] = min(times[i], perf_counter() - begin)
    return times


def tasks(X, starts):
    count = sum(size * (size - 1) // 2 for size in np.diff(starts).tolist())
    return [
        lambda: euclidean_pass(X, starts, full=True, **OPTIONS),
        lambda: concordance(X, starts, **OPTIONS),
        lambda: extreme_sums(X, count, **OPTIONS),
    ]


def compile_all():
    X, starts, _ = clustered(1500, 3)
    for task in tasks(X, starts):
        task()


def small(repeats):
    print(f"{'points':>7} {'pass':>8} {'concordance':>22} {'silhouettes':>11} {'extremes':>20}")
    for n, k in SIZES.items():
        X, starts, labels = clustered(n, k)
        functions = [*tasks(X, starts), lambda X=X, labels=labels: silhouette_score(X, labels)]
        one, ranks, sums, silhouette = fastest(functions, repeats)
        print(
            f"{n:7} {one:7.3f}s {ranks:7.3f}s {ranks / one:6.1f} passes {ranks / silhouette:11.2f}"
            f" {sums:6.3f}s {sums / one:5.1f} passes",
            flush=True,
        )


def large(n):
    """Measure one size in a fresh process: the statistics first, for their memory, then the pass."""
    code = f"import ranks; ranks.report({n})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parent
    )
    one, ranks, sums, peak, extra = json.loads(done.stdout.splitlines()[-1])
    print(
        f"{n:7} {one:7.2f}s {ranks:7.2f}s {ranks / one:6.1f} passes {peak / GIB:7.2f} GiB"
        f" {sums:8.2f}s {sums / one:5.1f} passes {extra / 1e6:6.0f} MB more",
        flush=True,
    )


def report(n):
    compile_all()
    X, starts, _ = clustered(n, LARGE[n])
    one_pass, ranks, sums = tasks(X, starts)
    before = peak_memory()
    times = [fastest([sums], 1)[0]]
    extra = peak_memory() - before
    times.insert(0, fastest([ranks], 1)[0])
    peak = peak_memory()
    times.insert(0, fastest([one_pass], 2)[0])
    print(json.dumps([*times, peak, extra]))


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    compile_all()
    small(repeats=3)
    if "--large" in sys.argv:
        for points in LARGE:
            large(points)
