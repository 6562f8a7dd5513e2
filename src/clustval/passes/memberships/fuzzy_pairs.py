"""Pairs of points and how much they belong together by their memberships, in blocks of rows; NumPy for few points."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.work import threads, thresholds

ROWS = 64  # points that a thread compares with all earlier ones at a time
HELD = 2**25  # values of pairs that are held at a time, of each of the two clusterings
BINS = 2**16
NORMS = ("minimum", "product", "lukasiewicz")


def _in_blocks(work: Callable[[int, int], object], n: int) -> None:
    """Call ``work(first, last)`` for blocks of rows, those with the most pairs first."""
    starts = range(0, n, ROWS)[::-1]
    jobs = threads.worth(threads.available_cores(), n * n)
    threads.run(lambda item: work(starts[item], min(starts[item] + ROWS, n)), len(starts), jobs)


def mean_difference(U: Floats, V: Floats) -> float:
    """Return the mean, over pairs of points, of how much U and V differ in how alike the two points are."""
    n = len(U)
    if n < thresholds.PAIRS:
        return float(np.abs(alike_numpy(U) - alike_numpy(V)).mean())
    sums = np.empty(n)
    _in_blocks(lambda first, last: kernels.memberships.fuzzy_pairs.differences(U, V, first, last, sums), n)
    return float(sums.sum() / (n * (n - 1) / 2))


def alike_numpy(U: Floats) -> Floats:
    """Return how alike the two points of each pair are: 1 minus half the sum of differences of memberships."""
    i, j = np.tril_indices(len(U), -1)
    return np.asarray(1 - np.abs(U[i] - U[j]).sum(axis=1) / 2)


def expected_difference(U: Floats, V: Floats, held: int = HELD) -> float:
    """Return the mean difference where every pair of points of U meets every pair of V.

    Values of pairs are sorted; where there are more than `held`, those of one range at a time.
    """
    n = len(U)
    pairs = n * (n - 1) // 2
    if n < thresholds.PAIRS:
        ours, theirs = alike_numpy(U), alike_numpy(V)
    elif pairs <= held:
        ours, theirs = _all_alike(U), _all_alike(V)
    else:
        return _by_ranges(U, V, held) / pairs / pairs
    return sum_of_gaps(np.sort(ours), np.sort(theirs)) / pairs / pairs


def sum_of_gaps(a: Floats, b: Floats) -> float:
    """Return the sum of the differences, without sign, of every number of one sorted array and every one of another.

    >>> sum_of_gaps(np.array([0.0, 1.0]), np.array([0.5, 3.0]))
    6.0
    """
    below = np.searchsorted(b, a)
    sums = np.concatenate([[0.0], np.cumsum(b)])
    return float((a * (2 * below - len(b)) + (sums[-1] - 2 * sums[below])).sum())


def _all_alike(U: Floats) -> Floats:
    n = len(U)
    values = np.empty(n * (n - 1) // 2)
    _in_blocks(lambda first, last: kernels.memberships.fuzzy_pairs.all_alike(U, first, last, values), n)
    return values


def _by_ranges(U: Floats, V: Floats, held: int) -> float:
    """Return the sum of all gaps: of values in different ranges by their sums, of those in one by sorting them."""
    (counts, totals, ends), (other_counts, other_totals, other_ends) = (_histogram(each) for each in (U, V))
    total = 0.0
    for low, high in ranges(np.maximum(counts, other_counts), held):
        inside, outside = slice(low, high), slice(high, None)
        count, other = int(counts[inside].sum()), int(other_counts[inside].sum())
        lower, other_lower = totals[inside].sum(), other_totals[inside].sum()
        total += count * other_totals[outside].sum() - lower * other_counts[outside].sum()
        total += other * totals[outside].sum() - other_lower * counts[outside].sum()
        lows = min(ends[0][inside].min(), other_ends[0][inside].min())
        if count and other and lows < max(ends[1][inside].max(), other_ends[1][inside].max()):
            values = [_between(each, low, high, size) for each, size in ((U, count), (V, other))]
            total += sum_of_gaps(*map(np.sort, values))
    return float(total)


def ranges(counts: Integers, held: int) -> Iterator[tuple[int, int]]:
    """Give ranges of bins that hold at most so many values each, or one bin that holds more.

    >>> list(ranges(np.array([5, 1, 1, 9, 1]), 6))
    [(0, 2), (2, 3), (3, 4), (4, 5)]
    """
    low = size = 0
    for at, count in enumerate(counts.tolist()):
        if size + count > held and at > low:
            yield low, at
            low, size = at, 0
        size += count
    yield low, len(counts)


def _histogram(U: Floats) -> tuple[Integers, Floats, tuple[Floats, Floats]]:
    n = len(U)
    counts, totals = np.zeros(BINS, dtype=np.int64), np.zeros(BINS)
    lows, highs = np.full(BINS, np.inf), np.full(BINS, -np.inf)
    kernels.memberships.fuzzy_pairs.count_alike(U, 0, n, counts, totals, lows, highs)
    return counts, totals, (lows, highs)


def _between(U: Floats, low: int, high: int, count: int) -> Floats:
    values = np.empty(count)
    kernels.memberships.fuzzy_pairs.alike_between(U, 0, len(U), BINS, low, high, values)
    return values


def fuzzy_counts(U: Floats, V: Floats, norm: str) -> Floats:
    """Return the degrees, summed over pairs, to which points are together in both, in U alone, in V alone, in none."""
    n = len(U)
    if n < thresholds.PAIRS:
        return fuzzy_counts_numpy(U, V, norm)
    kernel = kernels.memberships.fuzzy_pairs
    strengths, sums = [kernel.strengths(each) for each in (U, V)], np.zeros((n, 4))
    code = NORMS.index(norm)
    _in_blocks(lambda first, last: kernel.fuzzy_counts(U, V, *strengths, first, last, code, sums), n)
    return np.asarray(sums.sum(axis=0))


def fuzzy_counts_numpy(U: Floats, V: Floats, norm: str) -> Floats:
    """Return what `fuzzy_counts` returns."""
    i, j = np.tril_indices(len(U), -1)
    norms: dict[str, Callable[[Any, Any], Any]] = {
        "minimum": np.minimum, "product": np.multiply, "lukasiewicz": lambda a, b: np.maximum(a + b - 1, 0),
    }  # fmt: skip
    both = norms[norm]
    together, apart = [], []
    for shares in (U, V):
        degrees = both(shares[i][:, :, None], shares[j][:, None, :])
        own = np.eye(shares.shape[1], dtype=bool)
        together.append(degrees[:, own].max(axis=1))
        apart.append(degrees[:, ~own].max(axis=1, initial=0))
    pairs: list[Any] = [both(one, other) for one in (together[0], apart[0]) for other in (together[1], apart[1])]
    return np.array([pair.sum() for pair in pairs])
