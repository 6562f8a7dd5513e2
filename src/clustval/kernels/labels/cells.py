"""Counts of label combinations in one pass, and the expected mutual information of two sets of sizes.

Points are taken in blocks that stay in the nearest cache: each column folds its label into a key, and the keys are
counted into one or four tables. Four tables for small ones: labels often come in runs, and adding to one cell again
and again waits for the store before it.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.labels.numbering import extremes
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import NEGLIGIBLE

BLOCK = 4096
ONE = np.uint32(1)
SERIES = 0.0625  # below this a series of TERMS terms is exact to the last bit
TERMS = 15


@kernel
def _fold(values, low, span, keys):
    """Make key * span + (value - low) of each key; return whether all values lie in low ... low + span - 1."""
    smallest = largest = values[0]
    factor, offset = np.uint32(span), np.uint32(low)
    for i in range(len(values)):
        value = values[i]
        smallest = min(smallest, value)
        largest = max(largest, value)
        # Whole numbers wrap around: if every value lies in its range, the key is right in 32 bits.
        keys[i] = np.uint32(keys[i] * factor) + np.uint32(value) - offset
    return np.int64(smallest) >= low and np.int64(largest) - low < span


@kernel
def _count(keys, m, tables):
    if len(tables) == 1:
        table = tables[0]
        for i in range(m):
            table[keys[i]] += ONE
        return
    first, second, third, fourth = tables[0], tables[1], tables[2], tables[3]
    for i in range(m // 4):
        first[keys[4 * i]] += ONE
        second[keys[4 * i + 1]] += ONE
        third[keys[4 * i + 2]] += ONE
        fourth[keys[4 * i + 3]] += ONE
    for i in range(m - m % 4, m):
        first[keys[i]] += ONE


@kernel
def _few_counts(a, b, most):
    """Return the smallest number of each column and the counts of pairs as a table, empty if it were too large."""
    low_a, high_a = extremes(a, 0, len(a))
    low_b, high_b = extremes(b, 0, len(b))
    span_a = np.uint64(high_a) - np.uint64(low_a)  # which may be more than int64 holds
    span_b = np.uint64(high_b) - np.uint64(low_b)
    if span_a >= np.uint64(most) or span_b >= np.uint64(most) or (span_a + 1) * (span_b + 1) > np.uint64(most):
        return low_a, low_b, np.zeros((0, 0), np.int64)
    rows, columns = np.int64(span_a) + 1, np.int64(span_b) + 1
    counts = np.zeros(2 * rows * columns, np.int64)  # points that follow each other are counted apart: none waits
    other, bulk = rows * columns, len(a) - len(a) % 2
    for i in range(0, bulk, 2):
        counts[(a[i] - low_a) * columns + (b[i] - low_b)] += 1
        counts[other + (a[i + 1] - low_a) * columns + (b[i + 1] - low_b)] += 1
    for i in range(bulk, len(a)):
        counts[(a[i] - low_a) * columns + (b[i] - low_b)] += 1
    for at in range(other):
        counts[at] += counts[other + at]
    return low_a, low_b, counts[:other].reshape(rows, columns)


@kernel
def few_cells(a, b, most, cells, numbers):
    """Fill the pairs of numbers of few points that occur, sorted: which row, which column, how often (3, at least).

    The rows and columns of the table stand for `numbers`, sorted. Return how many pairs there are, -1 if the table is
    too large, how many rows and how many columns.
    """
    low_a, low_b, table = _few_counts(a, b, most)
    if table.size == 0:
        return -1, 0, 0
    r, k, m = 0, 0, 0
    place = np.full(table.shape[1], -1, np.int64)
    for column in range(table.shape[1]):
        for row in range(table.shape[0]):
            if table[row, column]:
                place[column], numbers[1, k] = k, low_b + column
                k += 1
                break
    for row in range(table.shape[0]):
        before = m
        for column in range(table.shape[1]):
            if table[row, column]:
                cells[0, m], cells[1, m], cells[2, m] = r, place[column], table[row, column]
                m += 1
        if m > before:
            numbers[0, r] = low_a + row
            r += 1
    return m, r, k


@kernel
def few_squares(a, b, most):
    """Return the sums of the squares of the counts of pairs of numbers of few points, of those of either number alone.

    The first is -1 if the table is too large.
    """
    _, _, table = _few_counts(a, b, most)
    if table.size == 0:
        return -1, 0, 0
    both = first = second = 0
    sizes = np.zeros(table.shape[1], np.int64)
    for row in range(table.shape[0]):
        size = 0
        for column in range(table.shape[1]):
            count = table[row, column]
            both += count * count
            size += count
            sizes[column] += count
        first += size * size
    for size in sizes:
        second += size * size
    return both, first, second


@kernel
def tally(a, b, lo, hi, lows, spans, tables):
    """Count the pairs of labels of points lo ... hi-1; return where a label leaves its range, or hi."""
    keys = np.empty(BLOCK, np.uint32)
    for start in range(lo, hi, BLOCK):
        end = min(start + BLOCK, hi)
        keys[:] = 0
        inside = _fold(a[start:end], lows[0], spans[0], keys)
        inside &= _fold(b[start:end], lows[1], spans[1], keys)
        if not inside:
            return start
        _count(keys, end - start, tables)
    return hi


@kernel
def tally_three(a, b, c, lo, hi, lows, spans, tables):
    """Count the triples of labels of points lo ... hi-1; return where a label leaves its range, or hi."""
    keys = np.empty(BLOCK, np.uint32)
    for start in range(lo, hi, BLOCK):
        end = min(start + BLOCK, hi)
        keys[:] = 0
        inside = _fold(a[start:end], lows[0], spans[0], keys)
        inside &= _fold(b[start:end], lows[1], spans[1], keys)
        inside &= _fold(c[start:end], lows[2], spans[2], keys)
        if not inside:
            return start
        _count(keys, end - start, tables)
    return hi


@kernel
def _excess(d):
    """Return (1 + d) log(1 + d) - d, by its series where the two terms would cancel."""
    if abs(d) > SERIES:
        return (1.0 + d) * np.log1p(d) - d if d > -1.0 else 1.0
    total = 0.0
    for k in range(TERMS, 1, -1):
        total = total * -d + 1.0 / (k * (k - 1))
    return total * d * d


@kernel
def expected_information(a, times_a, b, times_b, n):
    """Return the mean mutual information of random tables with row sizes `a` and column sizes `b` of n points.

    The count x of a cell is hypergeometric with mean m = a b / n, so that the mean of (x/n) log(x/m) is that of
    (m/n) ((1 + d) log(1 + d) - d) with d = x/m - 1, which has no negative terms to cancel. Probabilities are walked
    outwards from the likeliest x by their ratios and divided by their sum: no factorial is formed. `times` say how
    often a size occurs.
    """
    total = 0.0
    for i in range(len(a)):
        for j in range(len(b)):
            m = a[i] * b[j] / n
            rest = n - a[i] - b[j]
            low, high = max(0.0, -rest), min(a[i], b[j])
            start = min(max(np.floor((a[i] + 1.0) * (b[j] + 1.0) / (n + 2.0)), low), high)
            mass, mean = 1.0, _excess((start - m) / m)
            weight, x = 1.0, start
            while x < high and weight > mass * NEGLIGIBLE:
                x += 1.0
                weight *= (a[i] - x + 1.0) * (b[j] - x + 1.0) / (x * (rest + x))
                mass += weight
                mean += weight * _excess((x - m) / m)
            weight, x = 1.0, start
            while x > low and weight > mass * NEGLIGIBLE:
                weight *= x * (rest + x) / ((a[i] - x + 1.0) * (b[j] - x + 1.0))
                x -= 1.0
                mass += weight
                mean += weight * _excess((x - m) / m)
            total += times_a[i] * times_b[j] * (mean / mass) * (m / n)
    return total
