"""Distances of points to the centres of clusters, and how many points lie near each centre and midpoint.

Points are sorted by cluster and a call sees points of one cluster only, so that its sums are one row. Points are
taken eight at a time, side by side, which changes nothing in the order in which the squares of one distance are added.
Centres come dimension-major.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import (
    WIDTH,
    add,
    least,
    load,
    mul,
    root,
    splat,
    spread,
    store,
    strided,
    sub,
    total,
    where_equal,
)


@kernel(inline=True)
def _take(flat, i, p, tile):
    """Lay the eight points from row i on into `tile`, column after column."""
    for q in range(p):
        store(tile, q * WIDTH, strided(flat, i * p + q, p))


@kernel(inline=True)
def _distances(tile, centres, at, stride, p):
    """Return the distances of eight points, column by column in `tile`, to the centre at centres[at + stride * q]."""
    square = splat(0.0)
    for q in range(p):
        step = sub(load(tile, q * WIDTH), spread(centres, at + q * stride))
        square = add(square, mul(step, step))
    return root(square)


@kernel(inline=True)
def _squares(x, centres, squares):
    """Fill the squared distances of one point to all centres, whose roots are to the bit as `_distances` has them."""
    p, k = centres.shape
    squares[:] = 0.0
    for q in range(p):
        for b in range(k):
            step = x[q] - centres[q, b]
            squares[b] += step * step


@kernel
def distances_to_centres(Z, lo, hi, cluster, centres, mean, own, nearest, neighbour, sums):
    """Fill own, nearest and neighbour of points lo ... hi-1 of `cluster`; return the sum of distances to `mean`."""
    p, k = centres.shape
    sums[:] = 0.0
    away = 0.0
    bulk = lo + (hi - lo) // WIDTH * WIDTH
    if lo < bulk:
        flat, columns = Z.ravel(), centres.ravel()
        tile, numbers = np.empty(p * WIDTH), np.empty(WIDTH)
        added = np.zeros(k * WIDTH)
        to_mean = splat(0.0)
        for i in range(lo, bulk, WIDTH):
            _take(flat, i, p, tile)
            to_mean = add(to_mean, _distances(tile, mean, 0, 1, p))
            best, which = splat(np.inf), splat(-1.0)
            for b in range(k):
                d = _distances(tile, columns, b, k, p)
                store(added, b * WIDTH, add(load(added, b * WIDTH), d))
                if b == cluster:
                    store(own, i, d)
                else:
                    nearer = least(best, d)
                    which = where_equal(nearer, best, which, splat(float(b)))
                    best = nearer
            store(nearest, i, best)
            store(numbers, 0, which)
            for lane in range(WIDTH):
                neighbour[i + lane] = int(numbers[lane])
        away = total(to_mean)
        for b in range(k):
            sums[b] = total(load(added, b * WIDTH))
    squares = np.empty(k)
    for i in range(bulk, hi):
        square = 0.0
        for q in range(p):
            step = Z[i, q] - mean[q]
            square += step * step
        away += np.sqrt(square)
        _squares(Z[i], centres, squares)
        closest, which_one = np.inf, -1
        for b in range(k):
            distance = np.sqrt(squares[b])
            sums[b] += distance
            if b == cluster:
                own[i] = distance
            elif distance < closest:
                closest, which_one = distance, b
        nearest[i] = closest
        neighbour[i] = which_one
    return away


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


@kernel(inline=True)
def _gap(centres, a, b, p, rounding):
    """Return the Euclidean distance between two centres; 0 where it is no more than rounding."""
    square = 0.0
    for j in range(p):
        step = centres[a, j] - centres[b, j]
        square += step * step
    gap = np.sqrt(square)
    return gap if gap > rounding else 0.0


@kernel
def gaps_of_centres(centres, rounding):
    """Return the Euclidean distances between centres (k, k); 0 where they are no more than rounding."""
    k, p = centres.shape
    gaps = np.zeros((k, k))
    for a in range(k):
        for b in range(a):
            gaps[a, b] = gaps[b, a] = _gap(centres, a, b, p, rounding)
    return gaps


@kernel
def worst_overlaps(centres, rounding, spreads, worst):
    """Fill for each cluster the largest (spread + spread of another) / gap to it, NaN if one of them is 0/0 (k,)."""
    k, p = centres.shape
    for a in range(k):
        worst[a] = 0.0
        for b in range(a):
            overlap = (spreads[a] + spreads[b]) / _gap(centres, a, b, p, rounding)
            for c in (a, b):
                if overlap > worst[c] or np.isnan(overlap):
                    worst[c] = overlap


@kernel
def points_near(Z, lo, hi, cluster, centres, radius, at_centres, at_midpoints):
    """Count the points lo ... hi-1 of `cluster` nearer than `radius` to each centre and each midpoint."""
    p, k = centres.shape
    midpoints = np.empty((p, k))
    for q in range(p):
        for b in range(k):
            midpoints[q, b] = (centres[q, cluster] + centres[q, b]) / 2
    _count_near(Z, lo, hi, centres, radius, at_centres)
    _count_near(Z, lo, hi, midpoints, radius, at_midpoints)


@kernel
def _count_near(Z, lo, hi, centres, radius, counts):
    """Count the points lo ... hi-1 nearer than `radius` to each centre."""
    p, k = centres.shape
    counts[:] = 0
    bulk = lo + (hi - lo) // WIDTH * WIDTH
    if lo < bulk:
        flat, columns = Z.ravel(), centres.ravel()
        tile = np.empty(p * WIDTH)
        added = np.zeros(k * WIDTH)
        edge, none, one = splat(radius), splat(0.0), splat(1.0)
        for i in range(lo, bulk, WIDTH):
            _take(flat, i, p, tile)
            for b in range(k):
                inside = where_equal(least(_distances(tile, columns, b, k, p), edge), edge, none, one)
                store(added, b * WIDTH, add(load(added, b * WIDTH), inside))
        for b in range(k):
            counts[b] = int(total(load(added, b * WIDTH)))
    squares = np.empty(k)
    for i in range(bulk, hi):
        _squares(Z[i], centres, squares)
        for b in range(k):
            if np.sqrt(squares[b]) < radius:
                counts[b] += 1


@kernel
def points_near_of_clusters(Z, starts, means, radius):
    """Return what `points_near` counts for all clusters: points of a near the centre of b, and near their midpoint."""
    k = len(means)
    centres = means.T.copy()
    at_centres, at_midpoints = np.empty((k, k), np.int64), np.empty((k, k), np.int64)
    for c in range(k):
        points_near(Z, starts[c], starts[c + 1], c, centres, radius, at_centres[c], at_midpoints[c])
    return at_centres, at_midpoints
