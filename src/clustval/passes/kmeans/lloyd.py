"""k-means from any starts: a few careful ones for a good partition, or many random ones for a study of partitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds

if thresholds.COMPILED:
    from clustval.kernels.kmeans.lloyd import best_run, lloyd, lloyd_runs, tiled
else:
    from clustval.passes.kmeans.lloyd_numpy import best_run, lloyd, lloyd_runs, tiled

N_INIT = 10
ROUNDS = 300
TOLERANCE = 1e-4  # a share of the mean variance of the columns
RUNS_PER_ITEM = 16
WIDE = 4  # columns for each point from which on axes that hold all points are fewer by far
RUNS_FOR_AXES = 0.5  # runs times clusters, for each point, from which on finding such axes is the smaller work
PRODUCTS_AT_ONCE = 2**24  # of coordinates and centres, per round: compiled code cannot be interrupted


class Clustering(NamedTuple):
    """Labels 0 ... k-1, the centres, and the sum of squared distances to them."""

    labels: Integers
    centres: Floats
    inertia: float


Best = Callable[[int, np.random.Generator, int], Clustering]  # into k clusters, of so many runs


class Lloyd:
    """Points made ready for any number of runs."""

    def __init__(self, X: Floats, *, rounds: int = ROUNDS, tolerance: float = TOLERANCE) -> None:
        self.mean = X.mean(axis=0)
        self.X = np.ascontiguousarray(X - self.mean)
        self.tiles = tiled(self.X)
        self.rounds = rounds
        self.tolerance = tolerance * float(np.var(X, axis=0).mean())

    def run(self, starts: Floats) -> Clustering:
        """Return the clustering by Lloyd's algorithm from the starts (k, p)."""
        centres = np.ascontiguousarray(starts - self.mean, dtype=np.float64)
        labels = np.empty(len(self.X), dtype=np.int64)
        inertia, _ = lloyd(self.X, self.tiles, centres, labels, self.rounds, self.tolerance)
        return Clustering(labels, centres + self.mean, inertia)

    def best(self, k: int, rng: np.random.Generator, n_init: int, *, products: int = PRODUCTS_AT_ONCE) -> Clustering:
        """Return the best of `n_init` runs from starts that keep away from each other (k-means++)."""
        draws = rng.random((n_init, k, 2 + int(math.log(k))))
        at_once = max(1, products // (self.X.size * k))
        candidates = [self._best_of(draws[lo : lo + at_once]) for lo in range(0, n_init, at_once)]
        return min(candidates, key=lambda clustering: clustering.inertia)  # the first of equals

    def _best_of(self, draws: Floats) -> Clustering:
        centres, labels = np.empty((draws.shape[1], self.X.shape[1])), np.empty(len(self.X), dtype=np.int64)
        inertia = best_run(self.X, self.tiles, draws, centres, labels, self.rounds, self.tolerance)
        return Clustering(labels, centres + self.mean, inertia)

    def runs(self, rows: Integers) -> tuple[Integers, Floats]:
        """Return labels (m, n) and inertias (m,) of runs from the rows that are named, one line (k,) for each run."""
        labels = np.empty((len(rows), len(self.X)), dtype=np.int64)
        inertias = np.empty(len(rows))
        lloyd_runs(self.X, self.tiles, self.X[rows], labels, inertias, self.rounds, self.tolerance)
        return labels, inertias


def kmeans(
    X: Floats,
    k: int,
    *,
    starts: Floats | None = None,
    rng: np.random.Generator | None = None,
    n_init: int = N_INIT,
) -> Clustering:
    """Return the best partition of `n_init` runs, or the one from the `starts` that are given.

    From given starts it is the partition of scikit-learn's ``KMeans(init=starts, n_init=1)``.
    """
    if starts is not None:
        return Lloyd(X).run(starts)
    return ready(X, n_init * k)(k, rng or np.random.default_rng(), n_init)


def ready(X: Floats, clusters: int) -> Best:
    """Return what finds the best of some runs; together they make so many clusters of these points.

    It works on axes if finding these is the smaller work.
    """
    n, p = X.shape
    return on_axes(X) if p >= WIDE * n and clusters >= RUNS_FOR_AXES * n else Lloyd(X).best


def on_axes(X: Floats) -> Best:
    """Return what finds the best of some runs on as many axes as points, on which distances stay as they are."""
    n, p = X.shape
    mean = X.mean(axis=0)
    axes, places = np.linalg.qr((X - mean).T)
    lloyd = Lloyd(np.ascontiguousarray(places.T), tolerance=TOLERANCE * n / p)

    def best(k: int, rng: np.random.Generator, n_init: int) -> Clustering:
        labels, centres, inertia = lloyd.best(k, rng, n_init)
        return Clustering(labels, mean + centres @ axes.T, inertia)

    return best


def partitions(
    X: Floats,
    rows: Sequence[Integers],
    *,
    n_jobs: int = 1,
    done: Callable[[int], object] | None = None,
) -> tuple[Integers, Floats]:
    """Return labels (m, n) and inertias (m,) of m runs, each from the points in the rows that are named.

    Threads take stretches of runs; the result does not depend on how many there are.
    """
    ready = Lloyd(X)
    labels = np.empty((len(rows), len(X)), dtype=np.int64)
    inertias = np.empty(len(rows))
    items = _items(rows)

    def work(item: int) -> None:
        lo, hi = items[item]
        labels[lo:hi], inertias[lo:hi] = ready.runs(np.stack(rows[lo:hi]))

    threads.run(work, len(items), n_jobs, done)
    return labels, inertias


def _items(rows: Sequence[Integers]) -> list[tuple[int, int]]:
    """Return stretches of runs with the same number of clusters, short enough to be shared out."""
    items, lo = [], 0
    for hi in range(1, len(rows) + 1):
        if hi == len(rows) or len(rows[hi]) != len(rows[lo]) or hi - lo == RUNS_PER_ITEM:
            items.append((lo, hi))
            lo = hi
    return items
