"""Columns of rounded values get their rounding back: ties make gaps that are not there."""

from __future__ import annotations

import numpy as np

from clustval.arrays import Floats

MOST = 0.5  # distinct values, as a share of the points, up to which a column counts as rounded
WIDEST = 2.5  # standard deviations that a value may be spread over: a column of two values is not spread without end
UNEVEN = 4  # median gaps that a value may be spread over: one far from the others is not spread over all between


def unrounded(X: Floats, rng: np.random.Generator) -> Floats:
    """Return the points with each value of a rounded column spread evenly, half way to the values beside it.

    >>> X = np.array([[0.0, 0.1], [1.0, 0.5], [1.0, 0.7], [2.0, 0.2], [0.0, 0.9], [2.0, 0.3]])
    >>> Z = unrounded(X, np.random.default_rng(0))
    >>> bool((abs(Z - X).max(axis=0) <= [0.5, 0]).all()), len(np.unique(Z[:, 0]))
    (True, 6)
    """
    Z = X
    for column in range(X.shape[1]):
        values, places = np.unique(X[:, column], return_inverse=True)
        if not 1 < len(values) <= MOST * len(X):
            continue
        if Z is X:
            Z = X.copy()
        gaps = np.diff(values)
        half = np.minimum(gaps, min(UNEVEN * float(np.median(gaps)), WIDEST * float(X[:, column].std()))) / 2
        below, above = np.append(half[0], half), np.append(half, half[-1])
        Z[:, column] += rng.uniform(-below[places], above[places])
    return Z
