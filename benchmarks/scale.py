"""What do blocks cost? Ratios against data in memory, against NumPy's sum, of estimates, and on a cluster of Dask.

``python benchmarks/scale.py`` runs everything at full size; ``--small`` at a fiftieth of it, to see that it works, and
names run parts: ``python benchmarks/scale.py linear coverage``. Times are of the processor, since other work on the
machine must not count; peaks are of anonymous memory, over what the process had before. The part `linear` needs the
history of the repository: it runs the package as it was before blocks beside it.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import sample_intervals
from distributed import Client, LocalCluster
from pairs import show

import clustval as cv
from clustval.catalogue import select
from clustval.estimates import estimate
from clustval.estimates.estimate import Estimation
from clustval.evaluation import scores_of
from clustval.sources.partition import partition

SMALL = "--small" in sys.argv
K, P = 20, 8
LINEAR = ["calinski_harabasz", "davies_bouldin", "simplified_silhouette"]
ALL_POINTS = ("cdbw", "sv", "hennig_kd_normal")  # of the suite fast: they need all points at once
POINTS = ["silhouette", "silhouette_by_cluster", "alternative_silhouette", "hennig_asw"]
PAIRS = ["gamma", "tau", "g_plus", "aucc", "point_biserial", "point_biserial_unscaled"]
PAIRS += ["mcclain_rao", "mcclain_rao_inverse", "c_index", "hennig_pearson_gamma"]
SUMS = ["normalized_cut", "modularity", "hubert", "hubert_normalized"]  # of each cluster and each pair of clusters


@cache
def folder():
    """Return where files are written; workers of a cluster, which read this module, make none."""
    return Path(tempfile.mkdtemp(prefix="clustval_scale_"))


def size(n):
    return n // 50 if SMALL else n


def anonymous():
    """Anonymous memory of this process in MiB; mapped files do not count."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon"):
            return int(line.split()[1]) / 1024
    return 0.0


def peak(function):
    """Return how much memory a call takes at most, over what there was before, in MiB."""
    base, most, done = anonymous(), [0.0], threading.Event()

    def watch():
        while not done.wait(0.01):
            most[0] = max(most[0], anonymous())

    watcher = threading.Thread(target=watch)
    watcher.start()
    function()
    done.set()
    watcher.join()
    return max(0.0, most[0] - base)


def processor(*functions, repeats=3):
    """Least processor time of each function; they take turns."""
    times = np.full(len(functions), np.inf)
    for turn in range(repeats + 1):
        for at, function in enumerate(functions):
            begin = time.process_time()
            function()
            if turn:  # the first compiles
                times[at] = min(times[at], time.process_time() - begin)
    return times


def report(what, value, bar, unit, *, least=False):
    good = value >= bar if least else value <= bar
    print(
        f"{what:<60}{value:10.3f} {unit:<4} {'>=' if least else '<='} {bar:g}  {'ok' if good else 'MISSED'}", flush=True
    )


def files(n, parquet=False):
    """Write points of 32 bits and labels, a million rows at a time."""
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 3, (K, P)).astype(np.float32)
    X = None if parquet else np.lib.format.open_memmap(folder() / f"X{n}.npy", "w+", np.float32, (n, P))
    codes = np.empty(n, dtype=np.int32)
    (folder() / f"P{n}").mkdir(exist_ok=True)
    for low in range(0, n, 10**6):
        rows = slice(low, min(low + 10**6, n))
        codes[rows] = rng.integers(0, K, rows.stop - low)
        points = rng.standard_normal((rows.stop - low, P), dtype=np.float32) + centres[codes[rows]]
        if X is not None:
            X[rows] = points
        if parquet:
            columns = {f"x{j}": points[:, j] for j in range(P)} | {"c": codes[rows]}
            pq.write_table(pa.table(columns), folder() / f"P{n}" / f"{low:012}.parquet", row_group_size=250_000)
    np.save(folder() / f"L{n}.npy", codes)
    return str(folder() / f"X{n}.npy"), str(folder() / f"L{n}.npy"), str(folder() / f"P{n}")


BEFORE_BLOCKS = "4c3da45"  # the last commit of 0.1.0 that read all points into memory
EARLIER = """
import sys, time
import numpy as np
import clustval as cv
points, codes = np.load(sys.argv[1]), np.load(sys.argv[2])
for _ in sys.stdin:
    begin = time.process_time()
    scores = cv.evaluate(points, codes, sys.argv[3:], n_jobs=2)
    print(time.process_time() - begin, *map(repr, scores.values()), flush=True)
"""


@contextmanager
def before_blocks(X, labels):
    """Give a function that evaluates points in memory by the package as it was, and returns time and values."""
    command = ["git", "-C", str(Path(__file__).parents[1]), "archive", BEFORE_BLOCKS, "src"]
    archive = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as package:
        package.extractall(folder() / "earlier", filter="data")
    environment = os.environ | {"PYTHONPATH": str(folder() / "earlier" / "src")}
    command = [sys.executable, "-c", EARLIER, X, labels, *LINEAR]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:

        def evaluated():
            child.stdin.write("\n")
            child.stdin.flush()
            seconds, *values = map(float, child.stdout.readline().split())
            return seconds, values

        yield evaluated
        child.stdin.close()


def linear():
    n = size(5_000_000)
    X, labels, _ = files(n)
    options = {"n_jobs": 2}

    def streamed():
        return cv.evaluate(X, labels, LINEAR, **options)

    times = [[], []]
    with before_blocks(X, labels) as earlier:
        earlier(), streamed()  # which compile
        for _ in range(3):
            seconds, whole = earlier()
            begin = time.process_time()
            parts = streamed()
            times[1].append(time.process_time() - begin)
            times[0].append(seconds)
    best = [min(side) for side in times]
    show(f"0.1.0 before blocks, in memory / streamed, n={n}, processor", best[0] / best[1], 4, best)
    differences = [abs(value / parts[name] - 1) for name, value in zip(LINEAR, whole, strict=True)]
    report("  largest relative difference, in 1e-12", max(differences) * 1e12, 1, "")
    report("  extra memory, npy", peak(streamed), 64, "MiB")
    first = processor(
        lambda: np.load(X, mmap_mode="r").sum(dtype=np.float64), lambda: cv.evaluate(X, labels, "ch", **options)
    )
    show(f"first pass over npy / np.sum, n={n}, processor", first[1] / first[0], 2.5, first, at_most=True)
    _, _, parquet = files(n, parquet=True)
    report("  extra memory, Parquet", peak(lambda: cv.evaluate(parquet, "c", LINEAR, **options)), 600, "MiB")
    few = size(500_000)
    X, labels, _ = files(few)
    choices = [choice for choice in select("fast", "internal") if choice.name not in ALL_POINTS]
    points, codes = np.load(X), np.load(labels)
    by_cluster = scores_of(partition(points, codes), choices)  # sorted, as few points in memory are
    whole, parts = (cv.evaluate(*given, list(by_cluster), **options) for given in ((points, codes), (X, labels)))
    differences = [abs(parts[name] / value - 1) for name, value in by_cluster.items()]
    report(f"suite fast, blocks and sorted points, n={few}: difference", max(differences) * 1e12, 1, "e-12")
    same = np.mean([parts[name] == value for name, value in whole.items()])
    report("  share of values that are those of memory to the bit", same, 0.5, "", least=True)


def large():
    n = size(50_000_000)
    _, _, parquet = files(n, parquet=True)
    cv.evaluate(parquet, "c", "ch", n_jobs=2)
    report(f"Parquet, suite fast, n={n}: peak", peak(lambda: cv.evaluate(parquet, "c", "fast", n_jobs=2)), 600, "MiB")


def silhouette():
    n = size(10_000_000)
    X, labels, _ = files(n)
    read, estimate = processor(
        lambda: cv.evaluate(X, labels, "ch", n_jobs=2),
        lambda: cv.evaluate(X, labels, ["ch", "silhouette"], approximate=0.005, n_jobs=2),
        repeats=2,
    )
    scores = cv.evaluate(X, labels, "silhouette", approximate=0.005, n_jobs=2)
    how = scores.intervals["silhouette"].how
    report(f"silhouette, n={n}, width 0.005, {how}: beyond one pass", estimate - read, 1, "s")
    report("  half-width reached", scores.error("silhouette"), 0.005, "")
    report("  extra memory of linear indices, npy", peak(lambda: cv.evaluate(X, labels, LINEAR, n_jobs=2)), 64, "MiB")


def blobs(sizes, p, apart, rng, *, noise=None):
    """Return points around centres, and their clusters; noise takes the shape of the points."""
    codes = np.repeat(np.arange(len(sizes)), sizes)
    around = (noise or rng.standard_normal)((len(codes), p))
    return around + rng.normal(0, apart, (len(sizes), p))[codes], codes


def populations():
    rng = np.random.default_rng(77)
    stretched, codes = blobs([900, 900, 700], 4, 2.0, rng)
    uniform = rng.random((2500, 3))
    rings = np.repeat([1.0, 2.0, 4.0], [600, 800, 1100])
    angle = rng.random(2500) * 2 * np.pi
    grid, on_grid = blobs([900, 700, 400, 200], 2, 1.5, rng)
    return {
        "balanced K=5": blobs([500] * 5, 4, 2.0, rng),
        "overlap K=5": blobs([500] * 5, 4, 0.6, rng),
        "uneven, single points": blobs([1500, 700, 200, 60, 25, 8, 4, 1, 1, 1], 4, 2.0, rng),
        "one tiny cluster far away": blobs([2450, 12], 2, 6, rng),
        "heavy tails": blobs([1200, 800, 400, 150, 50], 3, 3.0, rng, noise=lambda shape: rng.standard_t(2, shape)),
        "overlap K=40": blobs([70] * 40, 6, 1.5, rng),
        "stretched clusters": (stretched * [10, 1, 1, 0.1], codes),
        "no structure": (uniform, (uniform[:, 0] * 4).astype(int)),
        "rings": (
            np.column_stack([rings * np.cos(angle), rings * np.sin(angle)]) + 0.1 * rng.normal(size=(2500, 2)),
            np.unique(rings, return_inverse=True)[1],
        ),
        "twenty dimensions": blobs([1000, 800, 400, 300], 20, 0.7, rng),
        "eight clusters of ten beside 19,920": blobs([19_920] + [10] * 8, 3, 3.0, rng),
        "one giant cluster": blobs([5000, 60, 40, 20, 5, 1], 3, 2.0, rng),
        "lognormal": blobs([1200, 800, 400, 100], 3, 1.0, rng, noise=lambda shape: rng.lognormal(size=shape)),
        "duplicates": (np.round(grid), on_grid),
        "k = 500": blobs([5] * 250 + [10] * 250, 3, 3.0, rng),
    }


def coverage():
    """How often intervals of 95 % hold the exact value, from samples that are small beside the population."""
    runs = 20 if SMALL else 200
    estimate.EXACT_POINTS, estimate.PILOT = 0, 400
    names = [*POINTS, *PAIRS, *SUMS]
    for name, (X, codes) in populations().items():
        exact = cv.evaluate(X, codes, names)
        source, choices = partition(X, codes), select(names, "internal")
        held = dict.fromkeys(names, 0)
        for seed in range(runs):
            made = Estimation(source, 10.0, 0.95, seed).of(choices)
            for index in names:
                rounding = 1e-9 * abs(exact[index])  # a sample of all points has no other error
                held[index] += abs(made.values[index] - exact[index]) <= made.intervals[index].error + rounding
        for index in names:
            report(f"coverage of 95 %, {name}: {index}", held[index] / runs, 0.92, "", least=True)


def confidence():
    """How often intervals of data in memory hold; sample_intervals.py alone goes on where it was stopped."""
    path = folder() / "intervals.jsonl"
    sample_intervals.run(5 if SMALL else 200, path, list(sample_intervals.POPULATIONS))
    print(sample_intervals.table(path))


def cluster():
    """Two workers of Dask against two threads of this process."""
    n = size(50_000_000)
    X, labels, _ = files(n)
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with LocalCluster(**options) as local, Client(local) as client:
        workers = [psutil.Process(pid) for pid in client.run(os.getpid).values()]

        def spent():
            return time.process_time() + sum(sum(w.cpu_times()[:2]) for w in workers)

        def timed(function):
            begin, wall = spent(), time.perf_counter()
            value = function()
            return spent() - begin, time.perf_counter() - wall, value

        def here():
            return cv.evaluate(X, labels, LINEAR, n_jobs=2)

        def there():
            return cv.evaluate(X, labels, LINEAR, executor=client)

        here(), there(), there()
        runs = [(timed(here), timed(there)) for _ in range(2)]
        mine, theirs = (min((run[side] for run in runs), key=lambda one: one[0]) for side in (0, 1))
        report(f"Dask / threads, linear by path, n={n}: processor", theirs[0] / mine[0], 2, "x")
        report("  differences of values", max(abs(theirs[2][i] / mine[2][i] - 1) for i in LINEAR) * 1e12, 1, "e-12")
        few = 50_000 if not SMALL else 25_000
        X, labels, _ = files(few)

        def pairs_here():
            return cv.evaluate(X, labels, "silhouette", n_jobs=2)

        def pairs_there():
            return cv.evaluate(X, labels, "silhouette", executor=client)

        pairs_here(), pairs_there()
        runs = [(timed(pairs_here), timed(pairs_there)) for _ in range(3)]
        mine, theirs = (min((run[side] for run in runs), key=lambda one: one[1]) for side in (0, 1))
        report(f"Dask / threads, exact silhouette, n={few}: wall", theirs[1] / mine[1], 1.5, "x")
        report("  processor", theirs[0] / mine[0], 2, "x")
        difference = abs(theirs[2]["silhouette"] / mine[2]["silhouette"] - 1)
        report("  difference of values", difference * 1e12, 1, "e-12")


PARTS = {
    "linear": linear,
    "large": large,
    "silhouette": silhouette,
    "coverage": coverage,
    "confidence": confidence,
    "cluster": cluster,
}

if __name__ == "__main__":
    try:
        for part in [name for name in sys.argv[1:] if name in PARTS] or PARTS:
            PARTS[part]()
    finally:
        shutil.rmtree(folder(), ignore_errors=True)
