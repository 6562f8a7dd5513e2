"""Sums over points, weighted by their memberships in each cluster: means, distances, scatter matrices.

The weight of a point in a cluster is its membership to the power m, times `weights`, which may be empty for ones.
Points are read in tiles, in which the coordinates of one column lie side by side: one instruction adds up several.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel

TILE = 256  # points: their columns and shares fit into the nearest caches
SUMS = {"reassoc", "contract"}  # sums over a tile may be added in any order


@kernel(inline=True)
def power(u, m):
    """Return u**m, without a call of pow for the exponents that are usual."""
    if m == 2.0:
        return u * u
    if m == 1.0:
        return u
    return u**m


@kernel
def lay_out(X, U, weights, m, start, size, columns, shares):
    """Write a tile of points, a row for each column of X, and their weights in each cluster."""
    for d in range(X.shape[1]):
        for t in range(size):
            columns[d, t] = X[start + t, d]
    for c in range(U.shape[1]):
        for t in range(size):
            shares[c, t] = power(U[start + t, c], m)
        if len(weights):
            for t in range(size):
                shares[c, t] *= weights[start + t]


@kernel(fastmath=SUMS)
def dot(a, b, size):
    """Return the sum of the products of two rows of a tile."""
    total = 0.0
    for t in range(size):
        total += a[t] * b[t]
    return total


@kernel(fastmath=SUMS)
def total_of(a, size):
    """Return the sum of a row of a tile."""
    total = 0.0
    for t in range(size):
        total += a[t]
    return total


@kernel
def sharpness(U, weights, sizes, sums):
    """Add up the memberships of each cluster, and all their squares and u log u into `sums`."""
    n, k = U.shape
    for i in range(n):
        heavy = weights[i] if len(weights) else 1.0
        squares, logs = 0.0, 0.0
        for c in range(k):
            u = U[i, c]
            sizes[c] += heavy * u
            squares += u * u
            if u > 0.0:
                logs += u * np.log(u)
        sums[0] += heavy * squares
        sums[1] += heavy * logs


@kernel
def weighted_means(X, U, weights, m, origin, mass, sums):
    """Add up the weights of each cluster, and the weighted points, seen from the origin."""
    n, p = X.shape
    k = U.shape[1]
    columns, shares = np.empty((p, TILE)), np.empty((k, TILE))
    for start in range(0, n, TILE):
        size = min(TILE, n - start)
        lay_out(X, U, weights, m, start, size, columns, shares)
        for d in range(p):
            for t in range(size):
                columns[d, t] -= origin[d]
        for c in range(k):
            mass[c] += total_of(shares[c], size)
            for d in range(p):
                sums[c, d] += dot(shares[c], columns[d], size)


@kernel
def weighted_distances(X, U, weights, m, centres, mean, sums):
    """Add up for each cluster, in columns of `sums`, u**m, u, u*u, and u**m d*d, u*u d*d, u**m d.

    d is the distance to its centre. The distance of each point to the mean of all comes into the last row.
    """
    n, p = X.shape
    k = U.shape[1]
    columns, shares, members = np.empty((p, TILE)), np.empty((k, TILE)), np.empty((k, TILE))
    squares, distances, sharp, ones = np.empty(TILE), np.empty(TILE), np.empty(TILE), np.ones(TILE)
    for start in range(0, n, TILE):
        size = min(TILE, n - start)
        lay_out(X, U, weights, m, start, size, columns, shares)
        lay_out(X[:, :0], U, weights, 1.0, start, size, columns, members)
        for c in range(k + 1):
            squares[:size] = 0.0
            for d in range(p):
                centre = centres[c, d] if c < k else mean[d]
                for t in range(size):
                    squares[t] += (columns[d, t] - centre) * (columns[d, t] - centre)
            for t in range(size):
                distances[t] = np.sqrt(squares[t])
            if c == k:
                heavy = weights[start:] if len(weights) else ones
                sums[k, 0] += dot(heavy, distances, size)
                continue
            for t in range(size):
                sharp[t] = members[c, t] * U[start + t, c]
            sums[c, 0] += total_of(shares[c], size)
            sums[c, 1] += total_of(members[c], size)
            sums[c, 2] += total_of(sharp, size)
            sums[c, 3] += dot(shares[c], squares, size)
            sums[c, 4] += dot(sharp, squares, size)
            sums[c, 5] += dot(shares[c], distances, size)


@kernel
def weighted_scatter(X, U, weights, m, centres, scatter):
    """Add up the weighted products of columns, seen from the centre of each cluster: the lower half of each matrix."""
    n, p = X.shape
    k = U.shape[1]
    columns, shares = np.empty((p, TILE)), np.empty((k, TILE))
    steps, weighted = np.empty((p, TILE)), np.empty(TILE)
    for start in range(0, n, TILE):
        size = min(TILE, n - start)
        lay_out(X, U, weights, m, start, size, columns, shares)
        for c in range(k):
            for d in range(p):
                for t in range(size):
                    steps[d, t] = columns[d, t] - centres[c, d]
                    weighted[t] = shares[c, t] * steps[d, t]
                for e in range(d + 1):
                    scatter[c, d, e] += dot(weighted, steps[e], size)


@kernel
def members_inside(X, U, weights, centres, inverses, sums):
    """Add up for each cluster the memberships of points for which the sum of squares of `inverses` (x - v) is below 1.

    `inverses` has the inverse of a lower triangular factor of the scatter of each cluster.
    """
    n, p = X.shape
    k = U.shape[1]
    columns, members, steps = np.empty((p, TILE)), np.empty((k, TILE)), np.empty((p, TILE))
    lengths, squares = np.empty(TILE), np.empty(TILE)
    for start in range(0, n, TILE):
        size = min(TILE, n - start)
        lay_out(X, U, weights, 1.0, start, size, columns, members)
        for c in range(k):
            squares[:size] = 0.0
            for d in range(p):
                lengths[:size] = 0.0
                for t in range(size):
                    steps[d, t] = columns[d, t] - centres[c, d]
                for e in range(d + 1):
                    factor = inverses[c, d, e]
                    for t in range(size):
                        lengths[t] += factor * steps[e, t]
                for t in range(size):
                    squares[t] += lengths[t] * lengths[t]
            for t in range(size):
                if squares[t] < 1.0:
                    sums[c] += members[c, t]
