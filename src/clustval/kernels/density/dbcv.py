"""How dense a cluster is along its spanning tree, and how sparse it is between two clusters (DBCV).

Points are columns, so that the distances of one point to the others vectorise; no more than one row is held.
Distances, as in `roots`, are squared if `squared`. Densities are averages with the exponent p.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.roots import finish_row
from clustval.kernels.work.jit import kernel


@kernel
def _finish(row, count, squared, factor):
    """Replace the first `count` sums of squares by distances, or by their squares."""
    if not squared or factor != 0.0:
        finish_row(row, count, factor)
        if squared:
            for c in range(count):
                row[c] *= row[c]


@kernel
def _row(columns, i, squared, factor, row):
    """Fill in the distances of point i to all points."""
    n = len(row)
    for j in range(n):
        row[j] = 0.0
    for q in range(len(columns)):
        x = columns[q, i]
        for j in range(n):
            step = columns[q, j] - x
            row[j] += step * step
    _finish(row, n, squared, factor)


@kernel(fastmath={"nnan", "nsz"})
def _least_apart(row):
    """Return the smallest distance that is not 0, infinity if all are; in a row, distances of 0 become infinite."""
    least = np.inf
    for j in range(len(row)):
        d = row[j] if row[j] > 0.0 else np.inf
        row[j] = d
        least = min(least, d)
    return least


@kernel
def core_of_row(row, exponent):
    """Return the generalised mean of the distances in a row, which is used up; distances of 0 add nothing."""
    n = len(row)
    least = _least_apart(row)
    if least == np.inf:
        return 0.0
    power = np.ones(n)
    for j in range(n):
        row[j] = least / row[j]  # the smallest is taken out, lest powers overflow
    left = exponent
    while True:  # powers of all by squares, so that they vectorise
        if left % 2 == 1:
            for j in range(n):
                power[j] *= row[j]
        left //= 2
        if left == 0:
            break
        for j in range(n):
            row[j] *= row[j]
    a = b = c = d = 0.0
    whole = n - n % 4
    for j in range(0, whole, 4):
        a += power[j]
        b += power[j + 1]
        c += power[j + 2]
        d += power[j + 3]
    for j in range(whole, n):
        a += power[j]
    return least * (((a + b) + (c + d)) / (n - 1)) ** (-1.0 / exponent)


@kernel
def cores(columns, exponent, squared, factor, first, last, core):
    """Fill in the core distances of points first ... last-1 of a cluster."""
    row = np.empty(columns.shape[1])
    for i in range(first, last):
        _row(columns, i, squared, factor, row)
        core[i] = core_of_row(row, exponent)


@kernel
def _before(r, d, a, b, reach, distance, one, other):
    """Whether an edge comes before another: by reach, then by distance, then by its ends."""
    if r != reach:
        return r < reach
    if d != distance:
        return d < distance
    if min(a, b) != min(one, other):
        return min(a, b) < min(one, other)
    return max(a, b) < max(one, other)


@kernel
def span(
    columns, core, squared, factor, by_distance, steps, left, last, free, near, distance, ends, rest, parent, reach
):
    """Grow the spanning tree of a cluster by mutual reachability, by up to so many `steps`.

    Ties of reach are broken by distance and ends, or, if not `by_distance`, by who came first. The `left` points that
    are not in the tree yet lie side by side, so that their distances vectorise: their numbers, how near the tree is,
    by which distance, to which of its points; and their coordinates, with their core distances below. `last` is the
    point that joined the tree last. Return both as they are after the steps.
    """
    p, n = columns.shape
    row = np.empty(n)
    until = max(left - steps, 0)
    while left > until:
        for c in range(left):
            row[c] = 0.0
        for q in range(p):
            x = columns[q, last]
            for c in range(left):
                step = rest[q, c] - x
                row[c] += step * step
        _finish(row, left, squared, factor)
        mine = core[last]
        at = 0
        for c in range(left):
            r = max(row[c], mine, rest[p, c])
            if r < near[c] or (
                by_distance
                and r == near[c]
                and _before(r, row[c], last, free[c], near[c], distance[c], ends[c], free[c])
            ):
                near[c] = r
                distance[c] = row[c]
                ends[c] = last
            if near[c] > near[at]:
                continue
            if near[c] < near[at]:
                at = c
            elif by_distance:
                if _before(near[c], distance[c], ends[c], free[c], near[at], distance[at], ends[at], free[at]):
                    at = c
            elif free[c] < free[at]:
                at = c
        last = free[at]
        parent[last] = ends[at]
        reach[last] = near[at]
        left -= 1
        free[at] = free[left]
        near[at] = near[left]
        distance[at] = distance[left]
        ends[at] = ends[left]
        for q in range(p + 1):
            rest[q, at] = rest[q, left]
    return left, last


@kernel
def least_reach(columns, core, others, core_of_others, squared, factor, first, last, best):
    """Return the smallest mutual reachability of points first ... last-1 and a point of another set, if below best."""
    p = len(columns)
    m = others.shape[1]
    row = np.empty(m)
    for i in range(first, last):
        if core[i] >= best:
            continue
        for j in range(m):
            row[j] = 0.0
        for q in range(p):
            x = columns[q, i]
            for j in range(m):
                step = others[q, j] - x
                row[j] += step * step
        _finish(row, m, squared, factor)
        for j in range(m):
            r = max(row[j], core[i], core_of_others[j])
            if r < best:
                best = r
    return best


# --- from a matrix of distances --------------------------------------------------------------------------


@kernel(inline=True)
def _earlier(a, i, b, j, by_distance):
    """Return whether the reach a[i] comes before b[j]: by distance and then by ends where reaches tie, if asked for."""
    if a[0, i] != b[0, j] or not by_distance:
        return a[0, i] < b[0, j]
    for part in range(1, 4):
        if a[part, i] != b[part, j]:
            return a[part, i] < b[part, j]
    return False


@kernel
def span_matrix(d, core, by_distance, parent, reach):
    """Grow the tree from the first point: fill in the parent of each point and the reach between the two."""
    n = len(d)
    keys = np.full((4, n), np.inf)  # reach, distance, smaller and larger end
    key = np.empty((4, 1))
    done = np.zeros(n, np.bool_)
    parent[:] = -1
    reach[:] = 0.0
    last = 0
    for _ in range(n - 1):
        done[last] = True
        best = -1
        for j in range(1, n):
            if done[j]:
                continue
            key[0, 0] = max(d[last, j], core[last], core[j])
            key[1, 0] = d[last, j]
            key[2, 0] = min(last, j)
            key[3, 0] = max(last, j)
            if _earlier(key, 0, keys, j, by_distance):
                keys[:, j] = key[:, 0]
                parent[j] = last
            if best < 0 or _earlier(keys, j, keys, best, by_distance):
                best = j
        last = best
        reach[last] = keys[0, last]
