"""Distances of points most of whose coordinates are 0: products are added up by the columns that two points share.

What products leave of a small distance is lost to rounding; then the two rows are met number by number.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import CANCELLED


@kernel
def _apart(starts, columns, values, i, j):
    """Return the squared distance of two rows, column by column."""
    a = starts[i]
    b = starts[j]
    square = 0.0
    while a < starts[i + 1] or b < starts[j + 1]:
        if b == starts[j + 1] or (a < starts[i + 1] and columns[a] < columns[b]):
            step = values[a]
            a += 1
        elif a == starts[i + 1] or columns[b] < columns[a]:
            step = values[b]
            b += 1
        else:
            step = values[a] - values[b]
            a += 1
            b += 1
        square += step * step
    return square


@kernel
def sparse_rows(starts, columns, values, squares, column_starts, column_rows, column_values, points, first, half, out):
    """Fill in the distances of `points` to all from point `first` on: roots of squares, or half of them.

    The table comes by rows and by columns, with the squared lengths of rows.
    """
    n = len(squares)
    products = np.empty(n)
    for r in range(len(points)):
        i = points[r]
        products[:] = 0.0
        for at in range(starts[i], starts[i + 1]):
            q = columns[at]
            x = values[at]
            for k in range(column_starts[q], column_starts[q + 1]):
                products[column_rows[k]] += x * column_values[k]
        row = out[r]
        mine = squares[i]
        lost = 0
        for j in range(first, n):  # three plain loops: the compiler makes vectors of them
            row[j] = mine + squares[j] - 2.0 * products[j]
            lost += row[j] < CANCELLED * (mine + squares[j])
        if lost:
            for j in range(first, n):
                if row[j] < CANCELLED * (mine + squares[j]):
                    row[j] = _apart(starts, columns, values, i, j) if i != j else 0.0
        for j in range(first, n):
            row[j] = 0.5 * row[j] if half else np.sqrt(row[j])
