"""Edges of a symmetric matrix in compressed rows: which are sound, and which stay inside a cluster."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel
def upper_edges(starts, columns, weights, ends, others, values, degrees, loops, links):
    """Copy the entries right of the diagonal, and add up rows; return how many there are, -1 if a matrix is not sound.

    It is if weights are positive and finite, columns ascend in each row, and each entry has its equal across the
    diagonal. Rows come in order, so that entries left of the diagonal are due one after the other: a cursor for each
    row says which comes next, and nothing is searched.
    """
    n = len(starts) - 1
    due = starts[:-1].copy()
    count = 0
    ends[0] = 0
    for i in range(n):
        last = -1
        degree = 0.0
        neighbours = 0
        for at in range(starts[i], starts[i + 1]):
            j = columns[at]
            w = weights[at]
            if not (0.0 < w < np.inf) or j <= last:
                return -1
            last = j
            degree += w
            if j == i:
                loops[i] = w
                continue
            neighbours += 1
            if j < i:
                if at >= due[i]:  # its equal should have been met in row j
                    return -1
                continue
            mirror = due[j]
            if mirror >= starts[j + 1] or columns[mirror] != i or weights[mirror] != w or count == len(others):
                return -1
            due[j] = mirror + 1
            others[count] = j
            values[count] = w
            count += 1
        degrees[i] = degree
        links[i] = neighbours
        ends[i + 1] = count
    return count


@kernel
def edges_inside(ends, others, codes, first, last, counts):
    """Count the edges from each of the vertices `first` ... `last` - 1 to a later one of the same cluster."""
    for i in range(first, last):
        own = codes[i]
        count = 0
        for at in range(ends[i], ends[i + 1]):
            count += codes[others[at]] == own
        counts[i - first] = count


@kernel
def edges_by_cluster(ends, others, values, codes, first, last, counts, sums):
    """Add the edges from vertices `first` ... `last` - 1 to later ones to what their clusters have.

    Columns of `counts` and `sums` are of edges inside a cluster and of edges that leave it; those count at both ends.
    """
    for i in range(first, last):
        own = codes[i]
        for at in range(ends[i], ends[i + 1]):
            other = codes[others[at]]
            w = values[at]
            if other == own:
                counts[own, 0] += 1
                sums[own, 0] += w
            else:
                counts[own, 1] += 1
                sums[own, 1] += w
                counts[other, 1] += 1
                sums[other, 1] += w
