"""Triangular factors of tables of rows, and the logarithms of their determinants: compiled, or NumPy for few rows."""

from __future__ import annotations

import math

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.work.rounding import EPSILON, SINGULAR
from clustval.passes.work import thresholds

SMALL = 0.1  # a logarithm of a volume of 1 and more; of smaller ones, digits are lost in the volume
BLOCK = 2**16  # rows that NumPy factors at a time


def centred(X: Floats, Z: Floats, codes: Integers, means: Floats) -> tuple[Floats, Floats]:
    """Return points Z less the means of their clusters (n, p), and the largest number of each column of X (p,)."""
    if not _compiled(len(X), X.shape[1]):
        return Z - means[codes], np.abs(X).max(axis=0, initial=0)
    return kernels.points.triangle.centred(X, Z, codes, means)


def units(squares: Floats, largest: Floats, mass: float, n: int) -> tuple[Floats, Floats, int]:
    """Return the norm of each column (p,), what rounding may add to it (p,), and the exponent of two of the largest.

    `squares` are those of n centred points that weigh `mass`, added up (p,), and `largest` what they reach in X (p,).
    """
    if not _compiled(n, len(squares)):
        scales = np.sqrt(squares)
        return scales, EPSILON * largest * math.sqrt(mass), math.frexp(scales.max())[1]
    return kernels.points.triangle.units(squares, largest, EPSILON * math.sqrt(mass))


def triangle(rows: Floats, n: int | None = None) -> Floats:
    """Return R, upper triangular, with R'R = rows'rows; they stand for n points, or for themselves."""
    if not _compiled(len(rows) if n is None else n, rows.shape[1]):
        return triangle_numpy(rows)
    return kernels.points.triangle.triangle(np.ascontiguousarray(rows))


def _compiled(n: int, p: int) -> bool:
    return n >= thresholds.FACTORS and p <= thresholds.FACTOR_COLUMNS


def triangle_numpy(rows: Floats, *, block: int = BLOCK) -> Floats:
    """Return what `triangle` returns, in plain NumPy, the signs of rows aside."""
    factor: Floats = np.zeros((0, rows.shape[1]))
    for lo in range(0, len(rows), block):
        factor = np.asarray(np.linalg.qr(np.vstack([factor, rows[lo : lo + block]]), mode="r"))
    return factor


def log_det(factor: Floats, scales: Floats, noise: Floats, exponent: int, n: int) -> float:
    """Return log |R'R| in units of a power of two, or -inf where R is singular up to the rounding of the data.

    Columns are brought to the size they have in the whole of the data, n points, before the rank is decided, so that
    the unit of a column does not matter.
    """
    p = factor.shape[1]
    if len(factor) < p:
        return -math.inf
    if _compiled(n, p):
        logarithm, bound, largest = kernels.points.triangle.log_volume(factor, scales, noise, exponent)
        if bound > SINGULAR * max(p * EPSILON, largest):  # as most are: no need to know the smallest singular value
            return float(logarithm)
    if not (scales > 0).all():
        return -math.inf
    least = SINGULAR * max(p * EPSILON, float((noise / scales).max()))
    if np.linalg.svd(factor / scales, compute_uv=False)[-1] <= least:
        return -math.inf
    return 2 * float(np.log(np.ldexp(np.abs(np.diagonal(factor)), -exponent)).sum())


def in_units_of(factor: Floats, rows: Floats, n: int) -> Floats:
    """Return rows y with R'y = x for each row x, where R of n points is triangular and not singular."""
    if not _compiled(n, factor.shape[1]):
        return np.asarray(np.linalg.solve(factor.T, rows.T).T, dtype=np.float64)
    return kernels.points.triangle.in_units_of(factor, rows)


def log_sum(rows: Floats, n: int) -> float:
    """Return log |1 + rows'rows|, precise also where rows are small."""
    if _compiled(n, rows.shape[1]):
        logarithm = float(kernels.points.triangle.log_sum(rows))
        if logarithm > SMALL:
            return logarithm
    return float(np.log1p(np.linalg.svd(rows, compute_uv=False) ** 2).sum())
