"""How long does a whole evaluation take? In units of one visit of all pairs, of scikit-learn, and of seconds.

Run ``python benchmarks/evaluation.py``, or name parts: ``python benchmarks/evaluation.py start offset``.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from time import perf_counter

import numpy as np
from pairs import OPTIONS, by_cluster, clustered, fastest, show
from sklearn.metrics import silhouette_score

import clustval as cv
from clustval import catalogue
from clustval.declare import KINDS
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


PARTS = {"passes": in_passes, "clustercrit": clustercrit, "precomputed": precomputed, "offset": offset, "start": start}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
