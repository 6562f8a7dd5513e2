"""Points as forms of metrics want them: unit rows, whitened rows, shares, packed bits.

What becomes of a row depends on that row alone, to the last bit: equal points stay equal. A row that has
no distance by the metric, such as a row of zeros by cosine, becomes NaN.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Flags, Floats

ROWS = 2**18  # numbers at a time, which stay in the cache
FAR = 400  # exponents of two from which squares of numbers overflow, or those of smaller ones beside them vanish
WORD = 64  # bits


def unit_rows(X: Floats, *, centred: bool = False) -> Floats:
    """Return rows of length 1, less their own mean if `centred`; those of no length, or constant ones, have none.

    Rows that are multiples of each other become the same to the bit: their shares of their largest number are quotients
    of the same numbers, and so are those of p times a row less its sum, which is no fraction where numbers are whole.
    """
    units = np.empty_like(X)
    step = max(1, ROWS // X.shape[1])
    for lo in range(0, len(X), step):
        rows = X[lo : lo + step]
        high, low = rows.max(axis=1), rows.min(axis=1)
        none: Flags = high == low if centred else (high == 0) & (low == 0)
        exponents = np.frexp(np.maximum(high, -low))[1]
        if np.abs(exponents).max() > FAR:
            # By a power of two, so that squares neither overflow nor vanish and no digit changes.
            rows = np.ldexp(rows, -exponents[:, None])
        if centred:
            rows = rows * X.shape[1] - rows.sum(axis=1, keepdims=True)
        largest = np.maximum(rows.max(axis=1), -rows.min(axis=1))
        rows = rows / np.where(none | (largest == 0), 1, largest)[:, None]
        if centred:  # again, for rounding beside a large mean is large beside the rest: units of units are the same
            rows -= rows.mean(axis=1, keepdims=True)
        lengths = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
        lengths[none] = np.nan
        np.divide(rows, lengths, out=units[lo : lo + step])
    return units


def shares(X: Floats) -> Floats:
    """Return rows that sum to 1; those with a number below 0, or with no number above it, have no shares."""
    sums = X.sum(axis=1, keepdims=True)
    sums[(X < 0).any(axis=1)] = np.nan
    sums[sums == 0] = np.nan
    return np.asarray(X / sums)


def root_shares(X: Floats) -> Floats:
    """Return square roots of shares, so far apart that their Euclidean distance is Hellinger's."""
    return np.sqrt(shares(X) / 2)


def whitened(X: Floats, origin: Floats, whitening: Floats) -> Floats:
    """Return rows in coordinates in which the covariance is the unit matrix."""
    away = X - origin
    rows = np.zeros_like(away)
    for column, weights in zip(away.T, whitening, strict=True):  # a product of matrices may add up two equal rows apart
        rows += column[:, None] * weights
    return rows


def packed_bits(X: Floats) -> Floats:
    """Return sets, the columns that are not 0, in words of 64 bits, which look like floats."""
    words = -(-X.shape[1] // WORD)
    bits = np.zeros((len(X), words * WORD // 8), dtype=np.uint8)
    packed: NDArray[np.uint8] = np.packbits(X != 0, axis=1)
    bits[:, : packed.shape[1]] = packed
    return bits.view(np.float64)
