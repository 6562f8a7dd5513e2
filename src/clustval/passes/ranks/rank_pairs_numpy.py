"""Rank statistics of all pairs in plain NumPy: reference of the compiled kernels, and path of small inputs.

A *row source* ``rows(lo, hi)`` returns the distances of points lo...hi-1 to all n points. Points are sorted
by cluster; cluster c is ``starts[c]:starts[c + 1]``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from clustval.passes.metrics.measure_between import ROOT, distances_of

Rows = Callable[[int, int], NDArray[np.float64]]

BLOCK = 64  # rows computed at a time: with 1000 points they stay in the cache


def euclidean_rows(X: NDArray[np.float64], factor: float = ROOT) -> Rows:
    """Return the row source of distances, by default Euclidean ones, bit for bit those of scipy.

    Squares are added one dimension after the other, so that equal distances stay equal.
    """

    def rows(lo: int, hi: int) -> NDArray[np.float64]:
        squares = np.zeros((hi - lo, len(X)))
        with np.errstate(over="ignore"):  # a square too large is infinitely far, as in the compiled kernels
            for column in X.T:
                difference = column[lo:hi, None] - column
                difference *= difference
                squares += difference
        return distances_of(squares, factor)

    return rows


def pair_distances(rows: Rows, n: int, starts: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the distances within clusters and those between them, each pair of points once.

    Distances below zero, which only rounding makes, become zero.
    """
    ends = np.repeat(starts[1:], np.diff(starts))  # per point: where its cluster ends
    within, between = [], []
    for lo in range(0, n, BLOCK):
        hi = min(lo + BLOCK, n)
        for row, i in zip(np.maximum(rows(lo, hi), 0.0), range(lo, hi), strict=True):
            within.append(row[i + 1 : ends[i]])
            between.append(row[ends[i] :])
    return np.concatenate(within), np.concatenate(between)


def concordance_numpy(rows: Rows, n: int, starts: NDArray[np.int64]) -> tuple[int, int, int]:
    """Count (within pair, between pair): within is nearer, within is farther, both are equally far."""
    within, between = pair_distances(rows, n, starts)
    within.sort()  # not needed, but queries in order find their neighbourhood in the cache
    between.sort()
    farther = int(np.searchsorted(between, within, side="left").sum())
    not_nearer = int(np.searchsorted(between, within, side="right").sum())
    return len(within) * len(between) - not_nearer, farther, not_nearer - farther


def extreme_sums_numpy(rows: Rows, n: int, count: int) -> tuple[float, float]:
    """Return the sums of the `count` smallest and of the `count` largest distances, correctly rounded."""
    distances, _ = pair_distances(rows, n, np.array([0, n]))
    distances.sort()
    return exact_sum(distances[:count]), exact_sum(distances[len(distances) - count :])


def exact_sum(values: NDArray[np.float64]) -> float:
    """Return the correctly rounded sum of values that are not negative."""
    try:
        return math.fsum(values.tolist())
    except OverflowError:
        return math.inf
