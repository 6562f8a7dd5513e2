"""Points that are equal, taken together: what is measured from a place is measured once for all points there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers


@dataclass(frozen=True)
class Places:
    """The distinct rows of points, in the order in which they first appear."""

    firsts: Integers  # (places,) the first point there
    codes: Integers  # (n,) the place of each point
    counts: Integers  # (places,) how many points are there


def places(X: Floats, codes: Integers | None = None) -> Places:
    """Number the distinct rows, compared bit by bit; points with different codes are apart wherever they are."""
    words = np.ascontiguousarray(X).view(np.uint64)
    if codes is not None:
        words = np.column_stack([words, codes.astype(np.uint64)])
    numbers = np.empty(len(X), dtype=np.int64)
    firsts = kernels.labels.numbering.number_rows(words, numbers)
    return Places(firsts, numbers, np.bincount(numbers, minlength=len(firsts)))
