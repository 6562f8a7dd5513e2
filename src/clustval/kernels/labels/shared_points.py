"""Two clusterings of two samples, compared on the points that both samples hold.

A sample is a sorted list of rows, some perhaps several times; its labels stand in the same order. What both samples
hold, a row as often as in the one that has it less often, comes out of a merge of the two lists.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel
def shared_places(first, second, places, others):
    """Fill in where the common members stand in each of two sorted lists; return how many there are."""
    a = b = count = 0
    while a < len(first) and b < len(second):
        if first[a] < second[b]:
            a += 1
        elif first[a] > second[b]:
            b += 1
        else:
            places[count] = a
            others[count] = b
            a += 1
            b += 1
            count += 1
    return count


@kernel
def _tabulate(labels, others, places, partners, count, table):
    table[:] = 0
    for c in range(count):
        table[labels[places[c]], others[partners[c]]] += 1


@kernel
def _sizes(table, rows, columns):
    rows[:] = 0
    columns[:] = 0
    for a in range(table.shape[0]):
        for b in range(table.shape[1]):
            rows[a] += table[a, b]
            columns[b] += table[a, b]


@kernel
def table_of(rows, labels, i, j, clusters):
    """Return the table of samples i and j."""
    places, others = np.empty(rows.shape[1], np.int64), np.empty(rows.shape[1], np.int64)
    count = shared_places(rows[i], rows[j], places, others)
    table = np.empty((clusters, clusters), np.int64)
    _tabulate(labels[i], labels[j], places, others, count, table)
    return table


@kernel
def pair_counts(rows, labels, i, partners, clusters, common, out):
    """Fill in, for each partner j of sample i, the number of common points and the pairs yy, yn, ny and nn."""
    places, others = np.empty(rows.shape[1], np.int64), np.empty(rows.shape[1], np.int64)
    table = np.empty((clusters, clusters), np.int64)
    a, b = np.empty(clusters, np.int64), np.empty(clusters, np.int64)
    for at in range(len(partners)):
        j = partners[at]
        count = shared_places(rows[i], rows[j], places, others)
        common[at] = count
        _tabulate(labels[i], labels[j], places, others, count, table)
        _sizes(table, a, b)
        cells = (table * table).sum()
        yy = (cells - count) // 2
        yn = ((a * a).sum() - cells) // 2
        ny = ((b * b).sum() - cells) // 2
        out[at, 0] = yy
        out[at, 1] = yn
        out[at, 2] = ny
        out[at, 3] = count * (count - 1) // 2 - yy - yn - ny


@kernel
def _entropy(sizes, n):
    total = 0.0
    for size in sizes:
        if size > 0:
            total -= size / n * np.log(size / n)
    return total


@kernel
def information(rows, labels, i, partners, clusters, common, out):
    """Fill in, for each partner j of sample i, the number of common points and what `Information` holds.

    H of i, H of j, H of i given j, H of j given i, what they share, and 1 if they are identical.
    """
    places, others = np.empty(rows.shape[1], np.int64), np.empty(rows.shape[1], np.int64)
    table = np.empty((clusters, clusters), np.int64)
    a, b = np.empty(clusters, np.int64), np.empty(clusters, np.int64)
    for at in range(len(partners)):
        j = partners[at]
        n = shared_places(rows[i], rows[j], places, others)
        common[at] = n
        _tabulate(labels[i], labels[j], places, others, n, table)
        _sizes(table, a, b)
        i_given_j = j_given_i = shared = 0.0
        occupied = 0
        for x in range(clusters):
            for y in range(clusters):
                cell = table[x, y]
                if cell > 0:
                    occupied += 1
                    share = cell / n
                    i_given_j -= share * np.log(cell / b[y])
                    j_given_i -= share * np.log(cell / a[x])
                    shared += share * np.log(cell / a[x] * (n / b[y]))
        r, s = (a > 0).sum(), (b > 0).sum()
        out[at, 0] = _entropy(a, n)
        out[at, 1] = _entropy(b, n)
        out[at, 2] = i_given_j
        out[at, 3] = j_given_i
        out[at, 4] = 0.0 if r == 1 or s == 1 else max(0.0, shared)
        out[at, 5] = 1.0 if r == s and r == occupied else 0.0
