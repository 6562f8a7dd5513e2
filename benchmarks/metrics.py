"""How fast are metrics other than the Euclidean one, single precision, sparse points and small calls? In ratios.

Run ``python benchmarks/metrics.py`` for everything, or name parts: ``python benchmarks/metrics.py wide bound``; with
``--small`` on fewer points, to see that it works. Ratios are against scikit-learn's silhouette, against the processor,
or against the Euclidean distance, in one run.
"""

from __future__ import annotations

import sys
from time import perf_counter

import numpy as np
from numba import njit
from pairs import CORES, OPTIONS, by_cluster, clustered, fastest, show
from scipy import sparse
from sklearn.metrics import silhouette_score

import clustval as cv
from clustval.kernels.work.lanes import fma, load, rolled, splat, spread, sub, total
from clustval.passes.pairs.half_square import euclidean_pass
from clustval.passes.ranks.rank_pairs import concordance
from clustval.passes.work.threads import run

SMALL = "--small" in sys.argv
ROOTS, SQUARES = 2.88e9, 50e9  # square roots, and dimensions of pairs, that two cores manage in a second
SINGLE = 1e-6  # relative rounding of single precision


def silhouettes(p, dtype, bars, n=10_000):
    """Against scikit-learn, after a look at whether both give the same value."""
    n = n // 5 if SMALL else n
    X, labels = clustered(n, p, 10)
    X = X.astype(dtype)
    for metric, bar in bars.items():
        theirs, ours = (
            lambda f=f, m=metric: f(X, labels, metric=m) for f in (silhouette_score, cv.internal.silhouette)
        )
        same = np.isclose(theirs(), ours(), rtol=1e-9 if dtype == np.float64 else SINGLE)
        times = fastest(theirs, ours, repeats=3)
        name = f"{metric}, n={n} p={p} {np.dtype(dtype).name}{'' if same else ', OTHER VALUE'}"
        show(name, times[0] / times[1], bar, times)


def narrow():
    silhouettes(64, np.float64, {"cosine": 10, "correlation": 10, "manhattan": 20, "chebyshev": 20})


def wide():
    silhouettes(768, np.float64, {"euclidean": 2.5, "cosine": 2.5, "manhattan": 20})


def single():
    silhouettes(768, np.float32, {"euclidean": 4, "cosine": 4})


def sets():
    n = 2_000 if SMALL else 10_000
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 10, n)
    X = rng.random((n, 1024)) < 0.1 + 0.3 * rng.random((10, 1024))[labels]
    theirs, ours = fastest(
        lambda: silhouette_score(X, labels, metric="jaccard"),
        lambda: cv.internal.silhouette(X, labels, metric="jaccard"),
        repeats=2,
    )
    show(f"jaccard, n={n}, 1,024 bits", theirs / ours, 100, (theirs, ours))


def thin():
    n, p = (4_000, 10_000) if SMALL else (20_000, 50_000)
    X = sparse.random(n, p, density=0.001, random_state=0, format="csr")
    X = X + sparse.csr_matrix((np.ones(n), (np.arange(n), np.zeros(n, dtype=int))), shape=(n, p)) * 0.01
    labels = np.arange(n) % 10
    for metric, bar in (("cosine", 3), ("euclidean", 3)):
        theirs, ours = fastest(
            lambda m=metric: silhouette_score(X, labels, metric=m),
            lambda m=metric: cv.internal.silhouette(X, labels, metric=m),
            repeats=2,
        )
        show(f"sparse {metric}, n={n} p={p}", theirs / ours, bar, (theirs, ours))


@njit(nogil=True)
def added(x, dimensions):
    """Add up squared differences of 32 pairs at a time in registers: what the processor can do at best."""
    d0 = d1 = d2 = d3 = splat(0.0)
    for _ in range(dimensions // 32):
        rolled()
        c = load(x, 0)
        e = sub(c, spread(x, 8))
        d0 = fma(e, e, d0)
        e = sub(c, spread(x, 9))
        d1 = fma(e, e, d1)
        e = sub(c, spread(x, 10))
        d2 = fma(e, e, d2)
        e = sub(c, spread(x, 11))
        d3 = fma(e, e, d3)
    return total(d0) + total(d1) + total(d2) + total(d3)


@njit(nogil=True)
def roots(x, count):
    """Take square roots of numbers in the first cache."""
    for _ in range(count):
        for lane in range(len(x)):
            x[lane] = np.sqrt(x[lane])


def bound():
    """Pairs a second against what a plain loop of square roots, or of squared differences, manages on all cores."""
    for p in (2, 8, 16, 32, 128, 768):
        n = 6_000 if SMALL or p > 100 else 20_000
        X, starts = by_cluster(*clustered(n, p, 10))
        pairs = n * (n - 1) / 2
        work = np.random.default_rng(0).random((CORES, 512)) + 0.5

        def limit(p=p, pairs=pairs, work=work):
            if ROOTS <= SQUARES / p:
                run(lambda core: roots(work[core], int(pairs / CORES / 512)), CORES, CORES)
            else:
                run(lambda core: added(work[core], int(pairs * p / CORES)), CORES, CORES)

        visit, limits = fastest(
            lambda X=X, starts=starts: euclidean_pass(X, starts, full=False, **OPTIONS), limit, repeats=4
        )
        show(f"Euclidean visit, n={n} p={p}, times the bound", visit / limits, 1.5, (visit, limits), at_most=True)


def everything():
    n = 500 if SMALL else 2_000
    X, labels = clustered(n, 16, 5)
    by = {metric: lambda m=metric: cv.evaluate(X, labels, "all", metric=m) for metric in ("cosine", "euclidean")}
    times = fastest(*by.values(), repeats=3)
    show(f"every index under cosine, n={n} p=16", times[0] / times[1], 1.3, times, at_most=True)


def ranks():
    """Exact Gamma, in visits of the pairs."""
    n = 5_000 if SMALL else 100_000
    X, starts = by_cluster(*clustered(n, 8, 20))
    times = fastest(
        lambda: concordance(X, starts, **OPTIONS), lambda: euclidean_pass(X, starts, full=False, **OPTIONS), repeats=1
    )
    show(f"exact Gamma, n={n} p=8, visits of the pairs", times[0] / times[1], 20, times, at_most=True)


def small():
    X, labels = clustered(100, 4, 3)
    for name in ("silhouette", "default", "fast"):
        count = len(cv.evaluate(X, labels, name))
        (time,) = fastest(lambda name=name: cv.evaluate(X, labels, name), repeats=200)
        show(f"milliseconds, evaluate {name!r} ({count}), n=100", 1000 * time, 0.3, (time,), at_most=True)
    for n in (100, 1_000, 5_000):
        X, labels = clustered(n, 4, 3)
        theirs, ours = fastest(
            lambda X=X, y=labels: silhouette_score(X, y), lambda X=X, y=labels: cv.internal.silhouette(X, y), repeats=50
        )
        show(f"silhouette, n={n} p=4", theirs / ours, 1, (theirs, ours))


PARTS = {f.__name__: f for f in (narrow, wide, single, sets, thin, bound, everything, ranks, small)}


def main():
    begin = perf_counter()
    for name in [argument for argument in sys.argv[1:] if not argument.startswith("-")] or PARTS:
        PARTS[name]()
    print(f"{perf_counter() - begin:.0f} s", flush=True)


if __name__ == "__main__":
    main()
