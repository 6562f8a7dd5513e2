"""How fast are the indices of density and connection? Ratios against other packages and visits of all pairs.

Run ``python benchmarks/density.py`` for everything, or name parts: ``python benchmarks/density.py dbcv sweep``.
``pip install --group bench`` brings hdbscan; the package dbcv, which is not on PyPI, is measured if it is there.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from time import perf_counter

from pairs import OPTIONS, by_cluster, clustered, fastest, show
from sklearn.cluster import KMeans

import clustval as cv
from clustval.passes.pairs.half_square import euclidean_pass

POINTS, COLUMNS, CLUSTERS = 20_000, 8, 10
VISITS = {"dcsi": 15, "cvdd": 20, "viasckde": 15, "dsi": 15, "cdbw": 15, "connectivity": 15}
PEAK = """
import resource, sys
sys.path.insert(0, {folder!r})
from pairs import clustered
import clustval as cv
X, labels = clustered({n}, {p}, {k})
cv.internal.dbcv(X, labels)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
MANY = """
import resource, sys
from time import perf_counter, process_time
sys.path.insert(0, {folder!r})
from pairs import clustered
import clustval as cv
cv.internal.{name}(*clustered(30_000, {p}, {k}))  # compiles the ways of many points
X, labels = clustered(100_000, {p}, {k})
begin, cpu = perf_counter(), process_time()
cv.internal.{name}(X, labels)
print(process_time() - cpu, perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def of_hdbscan(package, X, labels):
    """Return hdbscan's value; squares are what the authors' program takes."""
    return package.validity.validity_index(X, labels, metric="sqeuclidean")


def of_dbcv(package, X, labels):
    return package.dbcv(X, labels)


PEERS = {"hdbscan": of_hdbscan, "dbcv": of_dbcv}


def dbcv():
    """DBCV next to other packages, each once: they take minutes; and what memory ours takes in a fresh process."""
    X, labels = clustered(POINTS, COLUMNS, CLUSTERS)
    at = f"n={POINTS} p={COLUMNS} k={CLUSTERS}"
    (ours,) = fastest(lambda: cv.internal.dbcv(X, labels), repeats=3)
    for name, function in PEERS.items():
        try:
            package = importlib.import_module(name)
        except ImportError:
            print(f"{name} is not installed", flush=True)
            continue
        begin = perf_counter()
        function(package, X, labels)
        theirs = perf_counter() - begin
        show(f"{name} / dbcv, {at}", theirs / ours, 10, (theirs, ours))
    code = PEAK.format(folder=sys.path[0], n=POINTS, p=COLUMNS, k=CLUSTERS)
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    gibibytes = int(done.stdout) / 2**20
    verdict = "ok" if gibibytes <= 1 else "MISSED"
    print(f"{f'peak memory of dbcv, {at}':<44}{gibibytes:8.2f} GiB <=  1.00  {verdict}", flush=True)


def disco():
    """DISCO in visits of all pairs; its authors' program is not packaged."""
    visits({"disco": 12})


def visits(bars):
    X, labels = clustered(POINTS, COLUMNS, CLUSTERS)
    points, starts = by_cluster(X, labels)
    for name, bar in bars.items():
        visit, index = fastest(
            lambda: euclidean_pass(points, starts, full=False, **OPTIONS),
            lambda name=name: getattr(cv.internal, name)(X, labels),
            repeats=3,
            turn=1.0,
        )
        show(f"{name} in visits, n={POINTS} p={COLUMNS}", index / visit, bar, (visit, index), at_most=True)


def others():
    """Each of the others in visits of all pairs."""
    visits(VISITS)


def neighbours():
    """Indices of nearest points of a million points."""
    X, labels = clustered(1_000_000, 3, CLUSTERS)
    few = ["connectivity", "knn_consistency", "knn_purity"]
    for names, bar in ((few, 20), ([*few, "dunn_nn"], 40)):
        begin = perf_counter()
        cv.evaluate(X, labels, names)
        seconds = perf_counter() - begin
        verdict = "ok" if seconds <= bar else "MISSED"
        what = f"{len(names)} indices of neighbours, n=1000000 p=3"
        print(f"{what:<44}{seconds:8.1f} s   <= {bar:5.1f}  {verdict}", flush=True)


def sweep():
    """All of them for a hundred partitions by k-means, next to one evaluation."""
    X, labels = clustered(2_000, COLUMNS, 5)
    partitions = [
        KMeans(k, n_init=1, max_iter=20, random_state=seed).fit_predict(X) for k in range(2, 12) for seed in range(10)
    ]
    one, many = fastest(
        lambda: cv.evaluate(X, labels, "density"), lambda: cv.sweep(X, partitions, "density"), repeats=5, turn=0.5
    )
    show(f"100 partitions / one, n=2000 p={COLUMNS}", many / one, 25, (one, many), at_most=True)


def many():
    """Six indices of 100,000 points, each in a process of its own: seconds of all cores, of the clock, and memory."""
    print(f"{'n=100000 k=10':<20}{'all cores':>12}{'by the clock':>15}{'peak memory':>14}   bars: 120 s, 2 GiB")
    for name in ("dbcv", "disco", "cvdd", "dsi", "cdbw", "viasckde"):
        for p in (2, 8):
            code = MANY.format(folder=sys.path[0], name=name, p=p, k=CLUSTERS)
            done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
            seconds, clock, kibibytes = (float(number) for number in done.stdout.split())
            verdict = "ok" if seconds <= 120 and kibibytes <= 2**21 else "MISSED"
            numbers = f"{seconds:>10.1f} s{clock:>13.1f} s{kibibytes / 2**20:>10.2f} GiB"
            print(f"{f'{name}, p={p}':<20}{numbers}   {verdict}", flush=True)


PARTS = {"dbcv": dbcv, "disco": disco, "others": others, "neighbours": neighbours, "sweep": sweep, "many": many}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
