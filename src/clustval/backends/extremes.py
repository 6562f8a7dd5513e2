"""The smallest distance between clusters and the largest inside one, without a pass over all pairs."""

from __future__ import annotations

from clustval.backends.pairs import Ints, euclidean_pass
from clustval.kernels.pairs_numpy import Floats

MEMORY = 1 << 30


def cluster_extremes(X: Floats, starts: Ints, *, n_jobs: int) -> tuple[float, float]:
    """Smallest distance between points of two clusters, and largest between two points of one."""
    pairs = euclidean_pass(X, starts, full=True, n_jobs=n_jobs, memory=MEMORY)
    assert pairs.mins is not None
    assert pairs.maxs is not None
    return float(pairs.mins.min()), float(pairs.maxs.diagonal().max())
