"""Series as what all indices of distances read: the matrix of their distances by dynamic time warping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from clustval.arrays import Floats
from clustval.errors import InputError
from clustval.homes.series import series_of, window_of
from clustval.passes.metrics.dtw import warped_distances


def warped(X: Any, metric: str, n_jobs: int, memory: int, done: Callable[[int], object] | None = None) -> Floats:
    """Return the square matrix of distances of the series in X, or raise an error if it does not fit into memory."""
    series = series_of(X)
    size = 8 * len(series) ** 2
    if size > memory:
        msg = (
            f"The distances of {len(series):,} series take {size / 2**30:.3g} GiB, more than the budget of "
            f"{memory / 2**30:.3g} GiB; raise memory=, or take a sample."
        )
        raise InputError(msg)
    return warped_distances(series, window_of(metric), n_jobs=n_jobs, done=done)
