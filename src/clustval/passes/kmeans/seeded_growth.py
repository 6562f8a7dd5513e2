"""Clusterings that grow from given points: of the nearest seed, or by the nearest point and cluster, one by one.

Every seed stays in its own cluster. Of points equally near the first in the input is next, and of clusters equally near
to a point the first. Averages are compared as they are computed: sums in the order in which points joined, over sizes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_rows import Rows
from clustval.passes.sweeps.partitions import Distances
from clustval.passes.work import thresholds

GROWTHS = ("nearest", "furthest", "average")  # which point of a cluster tells how near it is, or all of them
WAYS = ("centroids", *GROWTHS)


def seeder(rows: Rows, n: int, *, n_jobs: int) -> Callable[[Integers, str], Integers]:
    """Return a function of seeds and of a way, which gives the cluster of each point: cluster c is that of seed c.

    It holds all distances between the points.
    """
    if n <= thresholds.PAIRS:
        D = rows(0, n)
        return lambda seeds, way: seeded_numpy(D, seeds, way)
    strips = Distances.of_rows(rows, n, n_jobs).strips

    def seeded(seeds: Integers, way: str) -> Integers:
        codes = np.empty(n, dtype=np.int64)
        if way == "centroids":
            kernels.kmeans.seeded_growth.assign_to_seeds(strips, n, seeds, codes)
        else:
            kernels.kmeans.seeded_growth.grow_from_seeds(strips, n, seeds, GROWTHS.index(way), codes)
        return codes

    return seeded


def seeded_numpy(D: Floats, seeds: Integers, way: str) -> Integers:
    """Return the clusters from a matrix of distances, in plain NumPy."""
    n, k = len(D), len(seeds)
    if way == "centroids":
        codes: Integers = D[:, seeds].argmin(axis=1)
        codes[seeds] = np.arange(k)
        return codes
    codes, sizes = np.full(n, -1, dtype=np.int64), np.ones(k)
    codes[seeds] = np.arange(k)
    values = D[:, seeds].copy()
    values[seeds] = np.inf
    for _ in range(n - k):
        near = values / sizes if way == "average" else values
        new, c = divmod(int(near.argmin()), k)  # the first of equals: by point, then by cluster
        codes[new] = c
        sizes[c] += 1
        if way == "nearest":
            values[:, c] = np.minimum(values[:, c], D[new])
        elif way == "furthest":
            values[:, c] = np.maximum(values[:, c], D[new])
        else:
            values[:, c] += D[new]
        values[codes >= 0] = np.inf
    return codes
