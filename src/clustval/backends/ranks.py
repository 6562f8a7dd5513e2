"""Exact rank statistics over all pairs of points: concordance of distances, and sums of the extreme ones.

Counts are Python integers, for they pass 64 bits; sums are correctly rounded. Neither depends on the number
of threads, nor on the memory allowed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from clustval.kernels.ranks_numpy import Rows, concordance_numpy, euclidean_rows, extreme_sums_numpy

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Done = Callable[[int], object]


def concordance(
    X: NDArray[np.float64],
    starts: NDArray[np.int64],
    *,
    n_jobs: int,
    memory: int,
    done: Done | None = None,
) -> tuple[int, int, int]:
    """Count (within pair, between pair): within is nearer, within is farther, both are equally far.

    `X` is sorted by cluster; cluster c is ``starts[c]:starts[c + 1]``. `done` is told of each work item.
    """
    return concordance_rows(euclidean_rows(X), len(X), starts, n_jobs=n_jobs, memory=memory, done=done)


def concordance_rows(
    rows: Rows,
    n: int,
    starts: NDArray[np.int64],
    *,
    n_jobs: int,  # noqa: ARG001
    memory: int,  # noqa: ARG001
    done: Done | None = None,  # noqa: ARG001
) -> tuple[int, int, int]:
    """Count like `concordance`, from the distances ``rows(lo, hi)`` of points lo...hi-1 to all points."""
    return concordance_numpy(rows, n, starts)


def extreme_sums(
    X: NDArray[np.float64],
    count: int,
    *,
    n_jobs: int,
    memory: int,
    done: Done | None = None,
) -> tuple[float, float]:
    """Return the sums of the `count` smallest and of the `count` largest of all Euclidean distances."""
    return extreme_sums_rows(euclidean_rows(X), len(X), count, n_jobs=n_jobs, memory=memory, done=done)


def extreme_sums_rows(
    rows: Rows,
    n: int,
    count: int,
    *,
    n_jobs: int,  # noqa: ARG001
    memory: int,  # noqa: ARG001
    done: Done | None = None,  # noqa: ARG001
) -> tuple[float, float]:
    """Return the sums like `extreme_sums`, from the distances ``rows(lo, hi)`` of points lo...hi-1."""
    return extreme_sums_numpy(rows, n, count)
