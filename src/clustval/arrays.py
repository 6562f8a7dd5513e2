"""The kinds of arrays that this package passes around, each under one name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]


def numbered(codes: Integers) -> Integers:
    """Return codes without gaps, in the order of first appearance; -1 stays noise.

    >>> numbered(np.array([7, -1, 3, 7, 9])).tolist()
    [0, -1, 1, 0, 2]
    """
    first = np.full(codes.max(initial=-1) + 2, len(codes))  # the last one, which -1 means, is of noise
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of equal codes the last written stays: the first to appear
    numbers = np.empty(len(first), dtype=np.int64)
    numbers[np.argsort(first[:-1])] = np.arange(len(first) - 1)
    numbers[-1] = -1
    return numbers[codes]
