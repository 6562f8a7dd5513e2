"""Distances of points to the centres of clusters, and how many points lie near each centre and midpoint.

Points are sorted by cluster and a call sees points of one cluster only, so that its sums are one row. Centres
come dimension-major: the inner loop runs over centres, which vectorises without changing the order in which
the squares of one distance are added.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel


@kernel
def distances_to_centres(Z, lo, hi, cluster, centres, mean, own, nearest, neighbour, sums):
    """Fill own, nearest and neighbour of points lo ... hi-1 of `cluster`; return the sum of distances to `mean`."""
    p, k = centres.shape
    squares = np.empty(k)
    total = 0.0
    for b in range(k):
        sums[b] = 0.0
    for i in range(lo, hi):
        squares[:] = 0.0
        square = 0.0
        for j in range(p):
            z = Z[i, j]
            for b in range(k):
                step = z - centres[j, b]
                squares[b] += step * step
            step = z - mean[j]
            square += step * step
        total += np.sqrt(square)
        best, which = np.inf, -1
        for b in range(k):
            d = np.sqrt(squares[b])
            sums[b] += d
            if b == cluster:
                own[i] = d
            elif d < best:
                best, which = d, b
        nearest[i] = best
        neighbour[i] = which
    return total


@kernel
def distances_of_blocks(Z, limits, clusters, first, last, centres, mean, own, nearest, neighbour, rows, totals):
    """Fill what `distances_to_centres` fills for blocks first ... last-1; `rows` with one column take own sums only."""
    sums = np.empty(centres.shape[1])
    for b in range(first, last):
        totals[b] = distances_to_centres(
            Z, limits[b, 0], limits[b, 1], clusters[b], centres, mean, own, nearest, neighbour, sums
        )
        if rows.shape[1] == len(sums):
            rows[b] = sums
        else:
            rows[b, 0] = sums[clusters[b]]


@kernel
def distances_of_clusters(Z, starts, means, mean):
    """Return own, nearest and neighbour of all points, sums (k, k) of distances, and the sum of distances to `mean`."""
    n, k = len(Z), len(means)
    centres = means.T.copy()
    own, nearest = np.empty(n), np.empty(n)
    neighbour = np.empty(n, np.int64)
    sums = np.empty((k, k))
    total = 0.0
    for c in range(k):
        total += distances_to_centres(Z, starts[c], starts[c + 1], c, centres, mean, own, nearest, neighbour, sums[c])
    return own, nearest, neighbour, sums, total


@kernel
def gaps_of_centres(centres, rounding):
    """Return the Euclidean distances between centres (k, k); 0 where they are no more than rounding."""
    k, p = centres.shape
    gaps = np.zeros((k, k))
    for a in range(k):
        for b in range(a):
            square = 0.0
            for j in range(p):
                step = centres[a, j] - centres[b, j]
                square += step * step
            gap = np.sqrt(square)
            gaps[a, b] = gaps[b, a] = gap if gap > rounding else 0.0
    return gaps


@kernel
def points_near(Z, lo, hi, cluster, centres, radius, at_centres, at_midpoints):
    """Count the points lo ... hi-1 of `cluster` nearer than `radius` to each centre and each midpoint."""
    p, k = centres.shape
    squares = np.empty(k)
    halfway = np.empty(k)
    for b in range(k):
        at_centres[b] = 0
        at_midpoints[b] = 0
    for i in range(lo, hi):
        squares[:] = 0.0
        halfway[:] = 0.0
        for j in range(p):
            z = Z[i, j]
            centre = centres[j, cluster]
            for b in range(k):
                step = z - centres[j, b]
                squares[b] += step * step
                step = z - (centre + centres[j, b]) / 2
                halfway[b] += step * step
        for b in range(k):
            if np.sqrt(squares[b]) < radius:
                at_centres[b] += 1
            if np.sqrt(halfway[b]) < radius:
                at_midpoints[b] += 1


@kernel
def points_near_of_clusters(Z, starts, means, radius):
    """Return what `points_near` counts for all clusters: points of a near the centre of b, and near their midpoint."""
    k = len(means)
    centres = means.T.copy()
    at_centres, at_midpoints = np.empty((k, k), np.int64), np.empty((k, k), np.int64)
    for c in range(k):
        points_near(Z, starts[c], starts[c + 1], c, centres, radius, at_centres[c], at_midpoints[c])
    return at_centres, at_midpoints
