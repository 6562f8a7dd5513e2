"""Matrices of distances: are they such, and parts of them in another order.

The check is one pass along the rows, which finds that something is wrong, not what.

A matrix is symmetric when its rows and its columns have the same weighted sums, for weights that no accident can
match. Rows are read as they lie in memory; columns are summed on the way.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel


@kernel(fastmath={"reassoc"})  # sums may be taken in any order; NaN and infinity stay what they are
def weighted_sums(D, lo, hi, weights, row_sums, column_sums):
    """Fill the weighted sums of rows lo ... hi-1, add theirs to those of columns; return how many entries are bad."""
    n = len(D)
    bad = 0
    for i in range(lo, hi):
        weight = weights[i]
        total = 0.0
        negative = 0
        for j in range(n):
            d = D[i, j]
            total += d * weights[j]
            column_sums[j] += d * weight
            negative += d < 0
        row_sums[i] = total
        bad += negative
        if D[i, i] != 0:
            bad += 1
    return bad


@kernel
def gathered(D, rows, columns):
    """Return the entries of `rows` and `columns`, each row taken as it lies in memory."""
    out = np.empty((len(rows), len(columns)))
    for i in range(len(rows)):
        row = D[rows[i]]
        for j in range(len(columns)):
            out[i, j] = row[columns[j]]
    return out
