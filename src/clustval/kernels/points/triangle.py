"""Triangular factors of tables with many rows and few columns, by Householder's reflections.

Rows come in chunks that stay in the first cache, each below the factor of all rows before it. Columns lie in one piece
there, so that sums along them use every lane.
"""

from __future__ import annotations

import math

import numpy as np

from clustval.kernels.points.sorted_rows import extent
from clustval.kernels.work.jit import kernel

CHUNK = 256  # rows


@kernel(fastmath={"reassoc", "contract"})
def _reflect(columns, rows):
    """Make the first `rows` entries of columns (p, rows or more) triangular, in place: entry j of column j stays."""
    p = len(columns)
    for j in range(min(p, rows)):
        v = columns[j, j:rows]
        square = 0.0
        for i in range(1, len(v)):
            square += v[i] * v[i]
        if square == 0.0:
            continue
        length = np.sqrt(v[0] * v[0] + square)
        tip = v[0] + length if v[0] > 0 else v[0] - length  # no digits cancel
        scale = 1.0 / (length * abs(tip))  # 2 over the squared length of the reflected vector
        v[0] = tip
        for c in range(j + 1, p):
            w = columns[c, j:rows]
            product = 0.0
            for i in range(len(v)):
                product += v[i] * w[i]
            product *= scale
            for i in range(len(v)):
                w[i] -= product * v[i]
        v[0] = -length if tip > 0 else length


@kernel
def centred(X, Z, codes, means):
    """Return points Z less the means of their clusters, and the largest number of each column of X without its sign."""
    n, p = X.shape
    rows = np.empty((n, p))
    largest = np.zeros(p)
    for i in range(n):
        mean = means[codes[i]]
        for j in range(p):
            rows[i, j] = Z[i, j] - mean[j]
            largest[j] = max(largest[j], abs(X[i, j]))
    return rows, largest


@kernel
def units(squares, largest, rounding):
    """Return the roots of squares, the largest numbers times `rounding`, and the exponent of the largest root."""
    scales = np.sqrt(squares)
    return scales, rounding * largest, math.frexp(scales.max())[1]


@kernel
def triangle(rows):
    """Return R, upper triangular, with R'R = rows'rows: p rows, or fewer if there are fewer.

    Rows are divided by a power of two meanwhile, which changes no digit, so that squares neither overflow nor vanish.
    """
    n, p = rows.shape
    _, low, high = extent(rows.ravel())
    exponent = math.frexp(max(-low, high))[1] if 0.0 < max(-low, high) < np.inf else 0
    inverse = math.ldexp(1.0, min(max(-exponent, -1000), 1000))
    columns = np.zeros((p, p + CHUNK))
    height = 0
    for lo in range(0, n, CHUNK):
        hi = min(lo + CHUNK, n)
        for i in range(lo, hi):
            for j in range(p):
                columns[j, height + i - lo] = rows[i, j] * inverse
        _reflect(columns, height + hi - lo)
        height = min(p, height + hi - lo)
        for j in range(p):
            columns[j, j + 1 : p] = 0.0
    factor = np.empty((height, p))
    for i in range(height):
        for j in range(p):
            factor[i, j] = columns[j, i] / inverse
    return factor


@kernel
def log_volume(factor, scales, noise, exponent):
    """Return log |R'R| in units of 2**exponent, a bound below the singular values of R over scales, the largest noise.

    The bound is 1 over the norm of the inverse, which is made column by column from the diagonal up; noise is over
    scales as well. A scale or an entry of 0 makes a bound of 0 or NaN.
    """
    p = len(factor)
    logarithm, square, largest = 0.0, 0.0, 0.0
    column = np.empty(p)
    for j in range(p):
        logarithm += math.log(math.ldexp(abs(factor[j, j]), -exponent)) if factor[j, j] != 0.0 else -np.inf
        largest = max(largest, noise[j] / scales[j])
        column[j] = scales[j] / factor[j, j]
        square += column[j] * column[j]
        for i in range(j - 1, -1, -1):
            s = 0.0
            for l in range(i + 1, j + 1):
                s += factor[i, l] / scales[l] * column[l]
            column[i] = -s * scales[i] / factor[i, i]
            square += column[i] * column[i]
    return 2.0 * logarithm, 1.0 / np.sqrt(square), largest


@kernel
def in_units_of(factor, rows):
    """Return the rows y with R'y = x for each row x, from the first entry on."""
    k, p = rows.shape
    units = np.empty((k, p))
    for c in range(k):
        for j in range(p):
            s = rows[c, j]
            for i in range(j):
                s -= factor[i, j] * units[c, i]
            units[c, j] = s / factor[j, j]
    return units


@kernel
def log_sum(rows):
    """Return log |1 + rows'rows|: the volume of the rows below those of the unit matrix."""
    k, p = rows.shape
    columns = np.zeros((p, p + k))
    for j in range(p):
        columns[j, j] = 1.0
        for c in range(k):
            columns[j, p + c] = rows[c, j]
    _reflect(columns, p + k)
    logarithm = 0.0
    for j in range(p):
        logarithm += math.log(abs(columns[j, j]))
    return 2.0 * logarithm
