"""Some points met with all points, by weight: a block of rows, or all rows where points are weighted.

Plain NumPy, in chunks of rows that threads take from a queue. Results do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes import threads
from clustval.passes.visit_pairs_numpy import PairPass

CELLS = 2**18  # distances at a time
Done = Callable[[int], object] | None


@dataclass(frozen=True)
class Sorted:
    """Points sorted by cluster: the cluster and the weight of each; no weights if all weigh the same."""

    codes: Integers
    weights: Floats | None


Distances = Callable[[int, int, int], Floats]  # of rows lo ... hi-1 to all points of a block of columns


def stripe_pass(
    distances: Distances,
    rows: Sorted,
    columns: Sequence[Sorted],
    own: int,
    mass: Floats,
    shift: float,
    *,
    full: bool,
    n_jobs: int = 1,
    done: Done = None,
) -> PairPass:
    """Meet the rows with all blocks of columns, of which number `own` holds the rows themselves.

    `mass` is the weight of each cluster in all columns. Sums and squares over a point and itself are left out; the
    copies that a weight stands for are 0 apart.
    """
    n, k = len(rows.codes), len(mass)
    sums = np.zeros((n, k))
    lows, highs = (np.full((n, k), np.inf), np.zeros((n, k))) if full else (None, None)
    groups = [np.unique(c.codes, return_index=True) for c in columns]
    step = max(1, CELLS // max(1, *(len(c.codes) for c in columns)))
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
    return _folded(rows, sums, lows, highs, mass, fsum(squares) / 2, shift)


def _folded(
    rows: Sorted,
    sums: Floats,
    lows: Floats | None,
    highs: Floats | None,
    mass: Floats,
    squares: float,
    shift: float,
) -> PairPass:
    n, k = sums.shape
    points = np.arange(n)
    by_cluster = np.zeros((k, k))
    np.add.at(by_cluster, rows.codes, sums if rows.weights is None else rows.weights[:, None] * sums)
    by_cluster[np.diag_indices(k)] /= 2
    if rows.weights is not None:
        squares += shift**2 * float((rows.weights * (rows.weights - 1)).sum()) / 2
    means = sums / mass
    means[points, rows.codes] = np.inf
    neighbour = means.argmin(axis=1) if n else np.empty(0, dtype=np.int64)
    nearest = means[points, neighbour]
    mins = maxs = hausdorff = None
    if lows is not None and highs is not None:
        mins, maxs, hausdorff = np.full((k, k), np.inf), np.zeros((k, k)), np.zeros((k, k))
        np.minimum.at(mins, rows.codes, lows)
        np.maximum.at(maxs, rows.codes, highs)
        np.maximum.at(hausdorff, rows.codes, lows)
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
