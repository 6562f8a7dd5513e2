"""Some points met with all points, by weight: a block of rows, or all rows where points are weighted.

Chunks of rows that threads take from a queue: plain NumPy, or compiled for many weighted points at Euclidean
distances. Results do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.metrics.form import EUCLIDEAN
from clustval.passes.metrics.strips import strips_of
from clustval.passes.pairs.half_square_numpy import PairPass, euclidean_rows_numpy, rough_mean_of
from clustval.passes.work import threads, thresholds

CELLS = 2**18  # distances at a time
ROWS = 128  # that a compiled piece of work meets with all points
Done = Callable[[int], object] | None


@dataclass(frozen=True)
class SortedLabels:
    """Points sorted by cluster: the cluster and the weight of each; no weights if all weigh the same."""

    codes: Integers
    weights: Floats | None


Distances = Callable[[int, int, int], Floats]  # of rows lo ... hi-1 to all points of a block of columns


def stripe_pass(
    distances: Distances,
    rows: SortedLabels,
    columns: Sequence[SortedLabels],
    own: int,
    mass: Floats,
    shift: float,
    *,
    full: bool,
    n_jobs: int = 1,
    done: Done = None,
    cells: int = CELLS,
) -> PairPass:
    """Meet the rows with all blocks of columns; block number `own` holds the rows themselves.

    `mass` is the weight of each cluster in all columns. Sums and squares over a point and itself are left out; the
    copies that a weight stands for are 0 apart.
    """
    n, k = len(rows.codes), len(mass)
    sums = np.zeros((n, k))
    lows, highs = (np.full((n, k), np.inf), np.zeros((n, k))) if full else (None, None)
    groups = [np.unique(c.codes, return_index=True) for c in columns]
    step = max(1, cells // max(1, *(len(c.codes) for c in columns)))
    chunks = [(lo, min(lo + step, n)) for lo in range(0, n, step)]
    squares = np.zeros(len(chunks))

    def work(item: int) -> None:
        lo, hi = chunks[item]
        for block, (column, (clusters, firsts)) in enumerate(zip(columns, groups, strict=True)):
            if len(column.codes) == 0:
                continue
            d = distances(lo, hi, block)
            weighed = d if column.weights is None else d * column.weights
            sums[lo:hi, clusters] += np.add.reduceat(weighed, firsts, axis=1)
            deviations = (d - shift) ** 2
            if block == own:
                deviations[np.arange(hi - lo), np.arange(lo, hi)] = 0.0
            by_row = deviations.sum(axis=1) if column.weights is None else deviations @ column.weights
            squares[item] += by_row.sum() if rows.weights is None else rows.weights[lo:hi] @ by_row
            if lows is not None and highs is not None:
                low, high = np.minimum.reduceat(d, firsts, axis=1), np.maximum.reduceat(d, firsts, axis=1)
                lows[lo:hi, clusters] = np.minimum(lows[lo:hi, clusters], low)
                highs[lo:hi, clusters] = np.maximum(highs[lo:hi, clusters], high)

    threads.run(work, len(chunks), n_jobs, done)
    return folded_pass(rows, sums, lows, _highest(rows, highs), mass, fsum(squares) / 2, shift)


def weighted_pass(
    X: Floats, rows: SortedLabels, mass: Floats, *, full: bool, n_jobs: int = 1, done: Done = None
) -> PairPass:
    """Meet all rows of X, sorted by cluster, with each other at Euclidean distances, by weight."""
    shift = rough_mean_of(EUCLIDEAN, X)
    if len(X) <= thresholds.PAIRS:
        return stripe_pass(
            lambda lo, hi, _: euclidean_rows_numpy(X, lo, hi), rows, [rows], 0, mass, shift,
            full=full, n_jobs=n_jobs, done=done,
        )  # fmt: skip
    return compiled_weighted_pass(X, rows, mass, shift, full=full, n_jobs=n_jobs, done=done)


def compiled_weighted_pass(
    X: Floats,
    rows: SortedLabels,
    mass: Floats,
    shift: float,
    *,
    full: bool,
    n_jobs: int = 1,
    done: Done = None,
    rows_per_piece: int = ROWS,
) -> PairPass:
    """`weighted_pass` for many points."""
    assert rows.weights is not None
    (n, p), k = X.shape, len(mass)
    starts = np.searchsorted(rows.codes, np.arange(k + 1))
    columns, places = strips_of(X, starts)
    heavy = np.zeros(int(places[-1]))  # copies of points that fill a strip weigh nothing
    heavy[np.arange(n) + np.repeat(places[:-1] - starts[:-1], np.diff(starts))] = rows.weights
    sums, squares = np.zeros((n, k)), np.zeros(n)
    lows, highs = (np.full((n, k), np.inf), np.zeros((n, k))) if full else (None, None)
    points = np.ascontiguousarray(X).ravel()
    edges = [*range(0, n, rows_per_piece), n]

    def work(item: int) -> None:
        begin, end = edges[item], edges[item + 1]
        kernels.pairs.weighted_rows.weighted_rows(
            points, p, begin, end, columns, heavy, places, shift, sums, lows, highs, squares
        )

    threads.run(work, len(edges) - 1, n_jobs, done)
    # Each point met itself, at distance 0.
    pairs = fsum((rows.weights * (squares - shift * shift * rows.weights)).tolist()) / 2
    return folded_pass(rows, sums, lows, _highest(rows, highs), mass, pairs, shift)


def _fold(operation: np.ufunc, rows: SortedLabels, table: Floats, start: float) -> Floats:
    """Return numbers of each two clusters from those of points (n, k)."""
    n, k = table.shape
    clusters, firsts = np.unique(rows.codes, return_index=True)
    by_cluster = np.full((k, k), start)
    by_cluster[clusters] = operation.reduceat(table, firsts, axis=0) if n else start
    return by_cluster


def _highest(rows: SortedLabels, highs: Floats | None) -> Floats | None:
    return None if highs is None else _fold(np.maximum, rows, highs, 0.0)


def folded_pass(
    rows: SortedLabels,
    sums: Floats,
    lows: Floats | None,
    maxs: Floats | None,
    mass: Floats,
    squares: float,
    shift: float,
) -> PairPass:
    """Fold sums and smallest distances of points and clusters (n, k); largest distances come by cluster (k, k)."""
    n, k = sums.shape
    points = np.arange(n)
    by_cluster = _fold(np.add, rows, sums if rows.weights is None else rows.weights[:, None] * sums, 0.0)
    by_cluster[np.diag_indices(k)] /= 2
    if rows.weights is not None:
        squares += shift * shift * float((rows.weights * (rows.weights - 1)).sum()) / 2
    means = sums / mass
    means[points, rows.codes] = np.inf
    neighbour = means.argmin(axis=1) if n else np.empty(0, dtype=np.int64)
    nearest = means[points, neighbour]
    mins = hausdorff = None
    if lows is not None:
        mins, hausdorff = _fold(np.minimum, rows, lows, np.inf), _fold(np.maximum, rows, lows, 0.0)
        np.fill_diagonal(mins, np.inf)
        np.fill_diagonal(hausdorff, 0.0)
    return PairPass(
        sums=by_cluster,
        squares=squares,
        shift=shift,
        own=sums[points, rows.codes],
        nearest=nearest,
        neighbour=np.where(np.isinf(nearest), -1, neighbour),
        mins=mins,
        maxs=maxs,
        hausdorff=hausdorff,
    )
