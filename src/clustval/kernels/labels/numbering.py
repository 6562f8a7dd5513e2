"""Labels as small whole numbers: which values occur, and a number for each.

Values of a small range are counted: a table says which occur, a second look writes their numbers. Values of a
wide range, and rows of text, go through a hash table with open addressing, doubled while it is half full.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: spreads neighbours over the table
PRIME = np.uint64(0xFF51AFD7ED558CCD)
HALF = np.uint64(32)
ONE = np.uint64(1)
FIRST_BITS = 10  # a table of 2**10 places to begin with


@kernel
def extremes(values, lo, hi):
    """Return the smallest and the largest of values lo ... hi-1."""
    low = high = values[lo]
    for i in range(lo, hi):
        low = min(low, values[i])
        high = max(high, values[i])
    return low, high


@kernel
def mark(values, lo, hi, low, seen):
    """Set `seen` at each of the values lo ... hi-1, less `low`."""
    for i in range(lo, hi):
        seen[np.uint64(np.int64(values[i]) - low)] = True


@kernel
def recode(values, lo, hi, low, table, codes):
    """Write the table's entry for each of the values lo ... hi-1, less `low`."""
    for i in range(lo, hi):
        codes[i] = table[np.uint64(np.int64(values[i]) - low)]


@kernel
def number_few(values, widest):
    """Return the distinct int64 values, sorted, and which of them each value is; no numbers if they span too much."""
    places = np.empty(len(values), np.int64)
    low, high = extremes(values, 0, len(values))
    span = np.uint64(high) - np.uint64(low)  # which may be more than int64 holds
    if span >= np.uint64(widest):
        return places[:0], places
    table = np.full(np.int64(span) + 1, -1, np.int64)
    for i in range(len(values)):
        table[values[i] - low] = 0
    count = 0
    for at in range(len(table)):
        if table[at] == 0:
            table[at] = count
            count += 1
    numbers = np.empty(count, np.int64)
    for at in range(len(table)):
        if table[at] >= 0:
            numbers[table[at]] = low + at
    for i in range(len(values)):
        places[i] = table[values[i] - low]
    return numbers, places


@kernel
def code_few(values, widest, codes, names, sizes):
    """Fill the cluster of each int64 label, -1 for the label -1, which is noise.

    Fill the other labels, sorted, and how many points have each, as far as there is room. Return how many clusters
    there are, -1 if labels span too much, and whether there is no noise.
    """
    n = len(values)
    low, high = extremes(values, 0, n)
    span = np.uint64(high) - np.uint64(low)  # which may be more than int64 holds
    if span >= np.uint64(widest):
        return -1, False
    places = np.int64(span) + 1
    counts = np.zeros(4 * places, np.int64)  # labels that follow each other are counted apart: none waits for the other
    second, third, fourth = places - low, 2 * places - low, 3 * places - low
    bulk = n - n % 4
    for i in range(0, bulk, 4):
        counts[values[i] - low] += 1
        counts[second + values[i + 1]] += 1
        counts[third + values[i + 2]] += 1
        counts[fourth + values[i + 3]] += 1
    for i in range(bulk, n):
        counts[values[i] - low] += 1
    cluster = np.full(places, -1, np.int64)
    k, whole = 0, True
    for at in range(places):
        count = counts[at] + counts[places + at] + counts[2 * places + at] + counts[3 * places + at]
        if count > 0 and low + at == -1:
            whole = False
        elif count > 0:
            cluster[at] = k
            if k < len(names):
                names[k], sizes[k] = low + at, count
            k += 1
    if low == 0 and k == places:
        for i in range(n):
            codes[i] = values[i]
    else:
        for i in range(n):
            codes[i] = cluster[values[i] - low]
    return k, whole


@kernel
def number_values(values, codes):
    """Number the distinct int64 values in the order of their first appearance; return them in that order."""
    bits = FIRST_BITS
    shift = np.uint64(64 - bits)
    mask = np.uint64(2**bits - 1)
    keys = np.empty(2**bits, np.int64)
    numbers = np.full(2**bits, -1, np.int64)
    distinct = np.empty(2 ** (bits - 1), np.int64)
    count = 0
    for i in range(len(values)):
        value = values[i]
        at = (np.uint64(value) * GOLDEN) >> shift
        while numbers[at] >= 0 and keys[at] != value:
            at = (at + ONE) & mask
        if numbers[at] < 0:
            keys[at] = value
            numbers[at] = count
            distinct[count] = value
            count += 1
            codes[i] = count - 1
            if count == len(distinct):
                bits += 1
                shift = np.uint64(64 - bits)
                mask = np.uint64(2**bits - 1)
                keys = np.empty(2**bits, np.int64)
                numbers = np.full(2**bits, -1, np.int64)
                distinct = np.concatenate((distinct, np.empty(count, np.int64)))
                for other in range(count):
                    at = (np.uint64(distinct[other]) * GOLDEN) >> shift
                    while numbers[at] >= 0:
                        at = (at + ONE) & mask
                    keys[at] = distinct[other]
                    numbers[at] = other
        else:
            codes[i] = numbers[at]
    return distinct[:count].copy()


@kernel
def _row_hash(rows, i):
    x = np.uint64(0)
    for j in range(rows.shape[1]):
        x = (x ^ np.uint64(rows[i, j])) * PRIME
        x ^= x >> HALF
    return x * GOLDEN


@kernel
def _rows_equal(rows, i, other):
    for j in range(rows.shape[1]):  # noqa: SIM110 - compiled
        if rows[i, j] != rows[other, j]:
            return False
    return True


@kernel
def number_rows(rows, codes):
    """Number the distinct rows in the order of their first appearance; return where each first appears."""
    bits = FIRST_BITS
    shift = np.uint64(64 - bits)
    mask = np.uint64(2**bits - 1)
    keys = np.empty(2**bits, np.uint64)
    numbers = np.full(2**bits, -1, np.int64)
    firsts = np.empty(2 ** (bits - 1), np.int64)
    hashes = np.empty(2 ** (bits - 1), np.uint64)
    count = 0
    for i in range(len(rows)):
        x = _row_hash(rows, i)
        at = x >> shift
        while numbers[at] >= 0 and not (keys[at] == x and _rows_equal(rows, firsts[numbers[at]], i)):
            at = (at + ONE) & mask
        if numbers[at] < 0:
            keys[at] = x
            numbers[at] = count
            firsts[count] = i
            hashes[count] = x
            count += 1
            codes[i] = count - 1
            if count == len(firsts):
                bits += 1
                shift = np.uint64(64 - bits)
                mask = np.uint64(2**bits - 1)
                keys = np.empty(2**bits, np.uint64)
                numbers = np.full(2**bits, -1, np.int64)
                firsts = np.concatenate((firsts, np.empty(count, np.int64)))
                hashes = np.concatenate((hashes, np.empty(count, np.uint64)))
                for other in range(count):
                    at = hashes[other] >> shift
                    while numbers[at] >= 0:
                        at = (at + ONE) & mask
                    keys[at] = hashes[other]
                    numbers[at] = other
        else:
            codes[i] = numbers[at]
    return firsts[:count].copy()
