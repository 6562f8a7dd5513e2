"""Lloyd's algorithm and k-means++ in plain NumPy: the twin of `kernels.kmeans.lloyd`, for where nothing is compiled.

Functions take and fill what those of the kernels do, tiles excepted, which are the points themselves.
"""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats, Integers


def tiled(X: Floats) -> Floats:
    """Return the points: they need no other order."""
    return X


def _nearest(X: Floats, centres: Floats) -> Integers:
    """Return the nearest centre of each point, the first of equals, by the least |c|² - 2 x·c."""
    products = np.zeros((len(X), len(centres)))
    for x, c in zip(X.T, centres.T, strict=True):  # in the order of the dimensions, as the kernel adds
        products += x[:, None] * c
    nearest: Integers = (np.einsum("kj,kj->k", centres, centres) - 2 * products).argmin(axis=1)
    return nearest


def _squares(X: Floats, centres: Floats) -> Floats:
    squares: Floats = ((X - centres) ** 2).sum(axis=1)
    return squares


def _moved(X: Floats, centres: Floats, labels: Integers) -> Floats:
    """Return the means of the clusters; the points farthest from their centres fill those that are empty."""
    k = len(centres)
    sizes = np.bincount(labels, minlength=k).astype(np.float64)
    sums = np.stack([np.bincount(labels, weights=x, minlength=k) for x in X.T], axis=1)
    if not sizes.all():
        squares = _squares(X, centres[labels])
        if squares.max() > 0:  # else there are more clusters than different points
            for empty in np.flatnonzero(sizes == 0):
                far = squares.argmax()
                squares[far] = -1.0
                sums[labels[far]] -= X[far]
                sums[empty] = X[far]
                sizes[labels[far]] -= 1
                sizes[empty] = 1
        source = np.where(sizes > 0, np.arange(k), sizes.argmax())  # who stays empty goes where the largest is
        sums, sizes = sums[source], sizes[source]
    means: Floats = sums * (1 / sizes)[:, None]
    return means


def lloyd(
    X: Floats, _tiles: Floats, centres: Floats, labels: Integers, rounds: int, tolerance: float
) -> tuple[float, int]:
    """Move `centres` until no label changes or they move by less than `tolerance`; return inertia and rounds."""
    labels[:] = -1
    settled, done = False, 0
    while done < rounds:
        done += 1
        nearest = _nearest(X, centres)
        settled = bool((nearest == labels).all())
        labels[:] = nearest
        means = _moved(X, centres, labels)
        shift = float(((means - centres) ** 2).sum())
        centres[:] = means
        if settled or shift <= tolerance:
            break
    if not settled:
        labels[:] = _nearest(X, centres)
    return float(_squares(X, centres[labels]).sum()), done


def lloyd_runs(
    X: Floats, tiles: Floats, starts: Floats, labels: Integers, inertias: Floats, rounds: int, tolerance: float
) -> None:
    """Run from each of `starts`, which become the final centres; fill the labels and the inertia of each run."""
    for run in range(len(starts)):
        inertias[run], _ = lloyd(X, tiles, starts[run], labels[run], rounds, tolerance)


def plus_plus(X: Floats, draws: Floats, rows: Integers) -> None:
    """Choose `rows` as starts: each the best of several points drawn in proportion to the squared distance."""
    n = len(X)
    rows[0] = min(int(draws[0, 0] * n), n - 1)
    nearest = _squares(X, X[rows[0]])
    for r in range(1, len(draws)):
        below = np.cumsum(nearest)
        candidates = np.minimum(np.searchsorted(below, draws[r] * nearest.sum(), side="right"), n - 1)
        trials = [np.minimum(nearest, _squares(X, X[row])) for row in candidates]
        best = int(np.argmin([trial.sum() for trial in trials]))
        rows[r], nearest = candidates[best], trials[best]


def best_run(
    X: Floats, tiles: Floats, draws: Floats, centres: Floats, labels: Integers, rounds: int, tolerance: float
) -> float:
    """Run from as many k-means++ starts as `draws` has tables; fill in the best result and return its inertia."""
    lowest = np.inf
    rows, codes = np.empty(len(centres), dtype=np.int64), np.empty(len(X), dtype=np.int64)
    for table in draws:
        plus_plus(X, table, rows)
        trial = X[rows]
        inertia, _ = lloyd(X, tiles, trial, codes, rounds, tolerance)
        if inertia < lowest:
            lowest = inertia
            centres[:] = trial
            labels[:] = codes
    return lowest
