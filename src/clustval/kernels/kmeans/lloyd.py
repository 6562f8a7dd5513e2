"""k-means by Lloyd's algorithm, one run at a time, and starts by k-means++.

Points come twice: row by row, for sums, and in tiles of sixteen points with their coordinates side by side, for
distances, where eight lanes meet two centres at once. A point goes to the centre with the least |c|² - 2 x·c, added
up in the order of the dimensions, and an empty cluster takes the point farthest from its centre, both as
scikit-learn does, so that equal starts end in equal partitions.
"""

from __future__ import annotations

import numpy as np
from numba.extending import intrinsic

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import Lanes, add, fma, least, load, splat, spread, store, sub, total

TILE = 16


@intrinsic
def where_less(_typing, a, b, x, y):
    """Return x in the lanes where a < b, and y in the others."""

    def codegen(_context, builder, _signature, args):
        return builder.select(builder.fcmp_ordered("<", args[0], args[1]), args[2], args[3])

    return Lanes(a, b, x, y), codegen


@kernel
def tiled(X):
    """Return the points in tiles: sixteen first coordinates, sixteen second ones ...; zeros fill the last tile."""
    n, p = X.shape
    tiles = np.zeros((n + TILE - 1) // TILE * TILE * p)
    for i in range(n):
        at = i // TILE * TILE * p + i % TILE
        for j in range(p):
            tiles[at + TILE * j] = X[i, j]
    return tiles


@kernel
def _assign(tiles, n, p, centres, norms, labels):
    """Give each point the label of its nearest centre, the first of equals; return whether any label changed.

    The number of centres must be even; one too many has an infinite norm.
    """
    near = np.empty(TILE)
    flat = centres.ravel()
    k = len(norms)
    minus_two = splat(-2.0)
    changed = False
    for tile in range(0, n, TILE):
        at = tile * p
        best_0, best_1 = splat(np.inf), splat(np.inf)
        near_0, near_1 = splat(0.0), splat(0.0)
        for b in range(0, k, 2):
            a_0, a_1, b_0, b_1 = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
            for j in range(p):
                x_0, x_1 = load(tiles, at + TILE * j), load(tiles, at + TILE * j + 8)
                c_a, c_b = spread(flat, b * p + j), spread(flat, (b + 1) * p + j)
                a_0, a_1 = fma(x_0, c_a, a_0), fma(x_1, c_a, a_1)
                b_0, b_1 = fma(x_0, c_b, b_0), fma(x_1, c_b, b_1)
            norm, number = spread(norms, b), splat(float(b))
            a_0, a_1 = fma(minus_two, a_0, norm), fma(minus_two, a_1, norm)
            near_0, best_0 = where_less(a_0, best_0, number, near_0), where_less(a_0, best_0, a_0, best_0)
            near_1, best_1 = where_less(a_1, best_1, number, near_1), where_less(a_1, best_1, a_1, best_1)
            norm, number = spread(norms, b + 1), splat(float(b + 1))
            b_0, b_1 = fma(minus_two, b_0, norm), fma(minus_two, b_1, norm)
            near_0, best_0 = where_less(b_0, best_0, number, near_0), where_less(b_0, best_0, b_0, best_0)
            near_1, best_1 = where_less(b_1, best_1, number, near_1), where_less(b_1, best_1, b_1, best_1)
        store(near, 0, near_0)
        store(near, 8, near_1)
        for i in range(min(TILE, n - tile)):
            label = np.int64(near[i])
            if labels[tile + i] != label:
                labels[tile + i] = label
                changed = True
    return changed


@kernel
def _norms(centres, norms):
    """Fill in |c|², with the squares added up in the order of NumPy's einsum, so that ties fall as elsewhere."""
    k, p = centres.shape
    for b in range(k):
        even = odd = 0.0
        for j in range(0, p - p % 8, 8):
            for step in (6, 4, 2, 0):
                even += centres[b, j + step] * centres[b, j + step]
                odd += centres[b, j + step + 1] * centres[b, j + step + 1]
        for j in range(p - p % 8, p - 1, 2):
            even += centres[b, j] * centres[b, j]
            odd += centres[b, j + 1] * centres[b, j + 1]
        if p % 2:
            even += centres[b, p - 1] * centres[b, p - 1]
        norms[b] = even + odd


@kernel
def _square(X, i, centres, b):
    total = 0.0
    for j in range(X.shape[1]):
        step = X[i, j] - centres[b, j]
        total += step * step
    return total


@kernel
def _largest(values):
    """Return the place of the largest value, the first of equals."""
    place = 0
    for i in range(1, len(values)):
        if values[i] > values[place]:
            place = i
    return place


@kernel
def _copy(rows, places):
    """Write rows over others, number by number: numba writes an error of unequal shapes out, in a second of its own."""
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            places[i, j] = rows[i, j]


@kernel
def _relocate(X, centres, labels, sums, sizes):
    """Move the points farthest from their centres, one each, into the clusters that are empty."""
    n, p = X.shape
    k = len(sizes)
    empty = 0
    for b in range(k):
        if sizes[b] == 0:
            empty += 1
    if empty == 0:
        return
    vacant = np.empty(empty, np.int64)
    at = 0
    for b in range(k):
        if sizes[b] == 0:
            vacant[at] = b
            at += 1
    squares = np.empty(n)
    for i in range(n):
        squares[i] = _square(X, i, centres, labels[i])
    if squares[_largest(squares)] == 0:  # more clusters than different points
        return
    for b in vacant:
        far = _largest(squares)
        squares[far] = -1.0
        old = labels[far]
        for j in range(p):
            sums[old, j] -= X[far, j]
            sums[b, j] = X[far, j]
        sizes[old] -= 1.0
        sizes[b] = 1.0


@kernel
def _move(X, centres, labels, sums, sizes):
    """Put each centre at the mean of its points; return the sum of the squares of the moves."""
    n, p = X.shape
    k = len(sizes)
    sums[:] = 0.0
    sizes[:] = 0.0
    for i in range(n):
        b = labels[i]
        sizes[b] += 1.0
        for j in range(p):
            sums[b, j] += X[i, j]
    _relocate(X, centres, labels, sums, sizes)
    largest = _largest(sizes)
    shift = 0.0
    for b in range(k):
        # A cluster that stays empty goes where the largest is, as there is no better place.
        source = b if sizes[b] > 0 else largest
        share = 1.0 / sizes[source]
        for j in range(p):
            mean = sums[source, j] * share
            step = mean - centres[b, j]
            shift += step * step
            centres[b, j] = mean
    return shift


@kernel
def lloyd(X, tiles, centres, labels, rounds, tolerance):
    """Move `centres` until no label changes or they move by less than `tolerance`; return inertia and rounds."""
    n, p = X.shape
    k = len(centres)
    even = np.zeros((k + k % 2, p))
    inside = even[:k]
    _copy(centres, inside)
    norms = np.full(len(even), np.inf)
    sums, sizes = np.empty((k, p)), np.empty(k)
    labels[:] = -1
    settled = False
    done = 0
    while done < rounds:
        done += 1
        _norms(inside, norms)
        settled = not _assign(tiles, n, p, even, norms, labels)
        shift = _move(X, inside, labels, sums, sizes)
        if settled or shift <= tolerance:
            break
    if not settled:
        _norms(inside, norms)
        _assign(tiles, n, p, even, norms, labels)
    _copy(inside, centres)
    inertia = 0.0
    for i in range(n):
        inertia += _square(X, i, centres, labels[i])
    return inertia, done


@kernel
def lloyd_runs(X, tiles, starts, labels, inertias, rounds, tolerance):
    """Run from each of `starts`, which become the final centres; fill the labels and the inertia of each run."""
    for run in range(len(starts)):
        inertias[run], _ = lloyd(X, tiles, starts[run], labels[run], rounds, tolerance)


@kernel
def _drawn(nearest, n, target):
    """Return the row at which the sum of the squared distances passes the target."""
    row, below = 0, nearest[0]
    while below <= target and row < n - 1:
        row += 1
        below += nearest[row]
    return row


@kernel
def _with_starts(flat, tiles, n, p, nearest, a, b, near_a, near_b):
    """Fill in the squared distances to the nearest start if row a, or row b, were one more; return both sums.

    What fills the last tile has distance 0.
    """
    sum_a, sum_b = splat(0.0), splat(0.0)
    for tile in range(0, n, TILE):
        at = tile * p
        a_0, a_1, b_0, b_1 = splat(0.0), splat(0.0), splat(0.0), splat(0.0)
        for j in range(p):
            x_0, x_1 = load(tiles, at + TILE * j), load(tiles, at + TILE * j + 8)
            c_a, c_b = spread(flat, a * p + j), spread(flat, b * p + j)
            d_0, d_1, e_0, e_1 = sub(x_0, c_a), sub(x_1, c_a), sub(x_0, c_b), sub(x_1, c_b)
            a_0, a_1, b_0, b_1 = fma(d_0, d_0, a_0), fma(d_1, d_1, a_1), fma(e_0, e_0, b_0), fma(e_1, e_1, b_1)
        near_0, near_1 = load(nearest, tile), load(nearest, tile + 8)
        a_0, a_1, b_0, b_1 = least(a_0, near_0), least(a_1, near_1), least(b_0, near_0), least(b_1, near_1)
        store(near_a, tile, a_0)
        store(near_a, tile + 8, a_1)
        store(near_b, tile, b_0)
        store(near_b, tile + 8, b_1)
        sum_a, sum_b = add(sum_a, add(a_0, a_1)), add(sum_b, add(b_0, b_1))
    return total(sum_a), total(sum_b)


@kernel
def plus_plus(X, tiles, draws, rows):
    """Choose `rows` as starts: each the best of several points drawn in proportion to the squared distance.

    `draws` holds numbers from 0 to 1: its first entry draws the first row, line r the candidates of row r. Two
    candidates are tried at once.
    """
    n, p = X.shape
    k, trials = draws.shape
    flat = X.ravel()
    size = (n + TILE - 1) // TILE * TILE
    nearest, near_a, near_b, chosen = np.empty(size), np.empty(size), np.empty(size), np.empty(size)
    nearest[:n] = np.inf
    nearest[n:] = 0.0
    rows[0] = min(np.int64(draws[0, 0] * n), n - 1)
    potential, _ = _with_starts(flat, tiles, n, p, nearest, rows[0], rows[0], near_a, near_b)
    nearest, near_a = near_a, nearest
    for r in range(1, k):
        lowest = np.inf
        for trial in range(0, trials, 2):
            a = _drawn(nearest, n, draws[r, trial] * potential)
            b = _drawn(nearest, n, draws[r, trial + 1] * potential) if trial + 1 < trials else a
            sum_a, sum_b = _with_starts(flat, tiles, n, p, nearest, a, b, near_a, near_b)
            if sum_a < lowest:
                lowest, rows[r] = sum_a, a
                near_a, chosen = chosen, near_a
            if sum_b < lowest:
                lowest, rows[r] = sum_b, b
                near_b, chosen = chosen, near_b
        nearest, chosen = chosen, nearest
        potential = lowest


@kernel
def best_run(X, tiles, draws, centres, labels, rounds, tolerance):
    """Run from as many k-means++ starts as `draws` has tables; fill in the best result and return its inertia."""
    lowest = np.inf
    rows = np.empty(len(centres), np.int64)
    codes = np.empty(len(X), np.int64)
    trial = np.empty(centres.shape)
    for start in range(len(draws)):
        plus_plus(X, tiles, draws[start], rows)
        for b in range(len(rows)):
            for j in range(X.shape[1]):
                trial[b, j] = X[rows[b], j]
        inertia, _ = lloyd(X, tiles, trial, codes, rounds, tolerance)
        if inertia < lowest:
            lowest = inertia
            _copy(trial, centres)
            for i in range(len(codes)):
                labels[i] = codes[i]
    return lowest
