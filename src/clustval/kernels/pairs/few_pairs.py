"""The whole pass over pairs in one compiled call, for few points."""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.form_rows import form_rows
from clustval.kernels.pairs.half_square import full_square, pack
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH


@kernel
def _rough_mean(form, X, most, panel):
    """Return the mean distance between a few points spread evenly over the clusters."""
    n, p = X.shape
    m = min(n, most)
    few = np.empty((m, p))
    for i in range(m):
        few[i] = X[i * n // m]
    packed = np.empty(-(-m // WIDTH) * WIDTH * p)
    pack(few, np.array([0, m]), np.array([0, -(-m // WIDTH) * WIDTH]), packed)
    distances = np.empty(m * m)
    form_rows(form, packed, m, packed, 0, m, p, panel, distances)
    if m == 1:
        return 0.0
    away = 0.0
    for i in range(1, m):
        for j in range(i):
            away += distances[i * m + j] - distances[1]  # which loses nothing where all are nearly equal
    return distances[1] + away / (m * (m - 1) // 2)


@kernel
def meet_few(form, X, starts, sample, panel, lows, hausdorff, highs):
    """Meet all points, sorted by cluster, with all; fill (k, k) extremes if there is room for them.

    Return the sums of distances of each two clusters, the sum of squared differences from a rough mean of `sample`
    points, that mean, and for each point its own sum, the smallest mean distance to another cluster and which that is.
    """
    n, p = X.shape
    k = len(starts) - 1
    shift = _rough_mean(form, X, sample, panel)
    places = np.zeros(k + 1, np.int64)
    for c in range(k):
        places[c + 1] = places[c] + -(-(starts[c + 1] - starts[c]) // WIDTH) * WIDTH
    packed = np.empty(places[k] * p)
    pack(X, starts, places, packed)
    width = -(-n // WIDTH) * WIDTH
    columns = np.empty(width * p)
    pack(X, np.array([0, n]), np.array([0, width]), columns)
    own, nearest = np.zeros(n), np.full(n, np.inf)
    neighbour = np.full(n, -1, np.int64)
    sums = np.zeros((k, k))
    squares = full_square(
        form, None, 0, k, columns, packed, p, starts, np.arange(k), starts, places, shift, panel,
        own, nearest, neighbour, sums, lows, hausdorff, highs,
    )  # fmt: skip
    for a in range(k):
        sums[a, a] /= 2
        for b in range(a):
            sums[a, b] = sums[b, a]  # rounding leaves the two halves unequal
        if lows is not None:
            lows[a, a] = np.inf
            hausdorff[a, a] = 0.0
    return sums, squares / 2, shift, own, nearest, neighbour
