"""A matrix of distances, read once: checked and added up by cluster, in pieces that threads take from a queue."""

from __future__ import annotations

from math import fsum

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.work.rounding import ROUNDING_OF_TERMS
from clustval.passes.pairs.half_square import Done
from clustval.passes.pairs.half_square_numpy import PairPass, mean_apart, sample, symmetric_sums
from clustval.passes.work.threads import run

PIECES = 32


def matrix_pass(
    D: Floats, codes: Integers, order: Integers, *, full: bool, n_jobs: int, memory: int, done: Done = None
) -> PairPass:
    """Visit all entries of a square matrix once: what they add up to, and whether they look like distances.

    `codes` are the clusters of the points as the rows lie, `order` is that of the result. Minima and maxima come
    only with a `full` pass.
    """
    n, sizes = len(D), np.bincount(codes)
    k = len(sizes)
    few = order[sample(n)]
    shift = mean_apart(D[np.ix_(few, few)])
    weights = np.random.default_rng(n).uniform(0.5, 1, n)
    # Four tables of k x k for each piece take half of the memory; cuts do not depend on threads, so neither do sums.
    pieces = max(1, min(PIECES, n // 8, memory // (64 * k * k)))
    cuts = np.append(np.arange(pieces) * n // pieces // 8 * 8, n)
    row_sums, column_sums = np.empty(n), np.zeros((pieces, n))
    own, nearest, neighbour = np.zeros(n), np.full(n, np.inf), np.full(n, -1)
    sums = np.zeros((pieces, k, k))
    extremes = [np.full((pieces, k, k), start) for start in (np.inf, 0.0, 0.0)] if full else []
    faults, squares = np.zeros(pieces, dtype=np.int64), np.zeros(pieces)

    def absorb(piece: int) -> None:
        faults[piece], squares[piece] = kernels.pairs.distance_matrix.absorb_matrix(
            D.ravel(), cuts[piece], cuts[piece + 1], codes, sizes, weights, shift, row_sums, column_sums[piece],
            own, nearest, neighbour, sums[piece], *([table[piece] for table in extremes] or [None] * 3),
        )  # fmt: skip

    run(absorb, pieces, n_jobs, done)
    # Sums of n numbers are alike to about n roundings; NaN and infinity fail the comparison.
    with np.errstate(invalid="ignore"):
        alike = np.abs(row_sums - column_sums.sum(axis=0)) <= ROUNDING_OF_TERMS * n * row_sums
    mins = maxs = hausdorff = None
    if extremes:
        mins, maxs, hausdorff = extremes[0].min(axis=0), extremes[1].max(axis=0), extremes[2].max(axis=0)
        np.fill_diagonal(mins, np.inf)
        np.fill_diagonal(hausdorff, 0.0)
    return PairPass(
        sums=symmetric_sums(sums.sum(axis=0)),
        squares=fsum(squares) / 2,
        shift=shift,
        own=own[order],
        nearest=nearest[order],
        neighbour=neighbour[order],
        mins=mins,
        maxs=maxs,
        hausdorff=hausdorff,
        sound=not faults.any() and bool(alike.all()),
    )
