"""Distances of rows to the centre of their own cluster, added up by cluster, in one call or in blocks on threads."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.points.row_moments import AT_ONCE, BLOCK
from clustval.passes.work import threads


def sums_to_own(
    X: NDArray[Any], codes: Integers, origin: Floats, centres: Floats, n_jobs: int = 1, *, block: int | None = None
) -> Floats:
    """Return the sums of the distances of the rows of each cluster to its centre (k,), both from the origin.

    `block` is how many rows a work item sees where numbers are many.
    """
    (n, p), flat = X.shape, X.ravel()
    if block is None and X.size <= AT_ONCE and X.dtype == np.float64:
        sums = np.empty(len(centres))
        kernels.points.own_centres.sums_to_own(flat, codes, p, origin, centres, sums)
        return sums
    single, step = (True if X.dtype == np.float32 else None), block or BLOCK
    parts = np.zeros((-(-n // step), len(centres)))

    def work(item: int) -> None:
        rows = item * step, min((item + 1) * step, n)
        kernels.points.own_centres.add_to_own(flat, single, codes, p, *rows, origin, centres, parts[item])

    threads.run(work, len(parts), threads.worth(n_jobs, X.size))
    return parts.sum(axis=0)
