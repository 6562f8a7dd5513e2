"""k-means from any starts: a few careful ones for a good partition, or many random ones for a study of partitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clustval.backends import threads
from clustval.kernels.lloyd import lloyd, lloyd_runs, plus_plus, tiled

Points = NDArray[np.float64]
Codes = NDArray[np.int64]

N_INIT = 10
ROUNDS = 300
TOLERANCE = 1e-4  # a share of the mean variance of the columns
RUNS_PER_ITEM = 16


class Clustering(NamedTuple):
    """Labels 0 ... k-1, the centres, and the sum of squared distances to them."""

    labels: Codes
    centres: Points
    inertia: float


class Lloyd:
    """Points made ready for any number of runs."""

    def __init__(self, X: Points, *, rounds: int = ROUNDS, tolerance: float = TOLERANCE) -> None:
        self.mean = X.mean(axis=0)
        self.X = np.ascontiguousarray(X - self.mean)
        self.tiles = tiled(self.X)
        self.rounds = rounds
        self.tolerance = tolerance * float(np.var(X, axis=0).mean())

    def run(self, starts: Points) -> Clustering:
        """Return what Lloyd's algorithm makes of the starts (k, p)."""
        centres = np.ascontiguousarray(starts - self.mean, dtype=np.float64)
        labels = np.empty(len(self.X), dtype=np.int64)
        inertia, _ = lloyd(self.X, self.tiles, centres, labels, self.rounds, self.tolerance)
        return Clustering(labels, centres + self.mean, inertia)

    def careful(self, k: int, rng: np.random.Generator) -> Clustering:
        """Return a run from starts that keep away from each other (k-means++, the best of a few for each)."""
        draws = rng.random((k, 2 + int(math.log(k))))
        rows = np.empty(k, dtype=np.int64)
        plus_plus(self.X, draws, rows)
        return self.run(self.X[rows] + self.mean)

    def runs(self, rows: Codes) -> tuple[Codes, Points]:
        """Return labels (m, n) and inertias (m,) of runs from the rows that are named, one line (k,) for each run."""
        labels = np.empty((len(rows), len(self.X)), dtype=np.int64)
        inertias = np.empty(len(rows))
        lloyd_runs(self.X, self.tiles, self.X[rows], labels, inertias, self.rounds, self.tolerance)
        return labels, inertias


def kmeans(
    X: Points,
    k: int,
    *,
    starts: Points | None = None,
    rng: np.random.Generator | None = None,
    n_init: int = N_INIT,
    n_jobs: int = 1,
) -> Clustering:
    """Return the best partition of `n_init` runs, or the one from the `starts` that are given.

    From given starts it is the partition of scikit-learn's ``KMeans(init=starts, n_init=1)``. The result depends
    on `rng`, not on `n_jobs`.
    """
    ready = Lloyd(X)
    if starts is not None:
        return ready.run(starts)
    generators = (rng or np.random.default_rng()).spawn(n_init)
    found: list[Clustering | None] = [None] * n_init

    def work(item: int) -> None:
        found[item] = ready.careful(k, generators[item])

    threads.run(work, n_init, n_jobs)
    return min((c for c in found if c is not None), key=lambda c: c.inertia)  # the first of equals


def partitions(
    X: Points,
    rows: Sequence[Codes],
    *,
    n_jobs: int = 1,
    done: Callable[[int], object] | None = None,
) -> tuple[Codes, Points]:
    """Return labels (m, n) and inertias (m,) of m runs, each from the points in the rows that are named."""
    ready = Lloyd(X)
    labels = np.empty((len(rows), len(X)), dtype=np.int64)
    inertias = np.empty(len(rows))
    items = _items(rows)

    def work(item: int) -> None:
        lo, hi = items[item]
        labels[lo:hi], inertias[lo:hi] = ready.runs(np.stack(rows[lo:hi]))

    threads.run(work, len(items), n_jobs, done)
    return labels, inertias


def _items(rows: Sequence[Codes]) -> list[tuple[int, int]]:
    """Return stretches of runs with the same number of clusters, short enough to be shared out."""
    items, lo = [], 0
    for hi in range(1, len(rows) + 1):
        if hi == len(rows) or len(rows[hi]) != len(rows[lo]) or hi - lo == RUNS_PER_ITEM:
            items.append((lo, hi))
            lo = hi
    return items
