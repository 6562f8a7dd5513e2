"""How dense a cluster is along its spanning tree, and how sparse it is between two clusters (DBCV).

Points are columns, so that the distances of one point to the others vectorise; no more than one row is held.
Distances are squares if `squared`, by the exponent p of which densities are averaged.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel


@kernel
def _row(columns, i, squared, row):
    """Fill in the distances of point i to all points."""
    n = len(row)
    for j in range(n):
        row[j] = 0.0
    for q in range(len(columns)):
        x = columns[q, i]
        for j in range(n):
            step = columns[q, j] - x
            row[j] += step * step
    if not squared:
        for j in range(n):
            row[j] = np.sqrt(row[j])


@kernel
def _power(base, exponent):
    """Return base to the power of a whole number from 1."""
    result = 1.0
    while exponent > 0:
        if exponent % 2 == 1:
            result *= base
        base *= base
        exponent //= 2
    return result


@kernel
def core_of_row(row, exponent):
    """Return the generalised mean of the distances in a row; distances of 0 add nothing."""
    least = np.inf
    for j in range(len(row)):
        if 0.0 < row[j] < least:
            least = row[j]
    if least == np.inf:
        return 0.0
    total = 0.0
    for j in range(len(row)):
        if row[j] > 0.0:
            total += _power(least / row[j], exponent)  # the smallest is taken out, lest powers overflow
    return least * (total / (len(row) - 1)) ** (-1.0 / exponent)


@kernel
def cores(columns, exponent, squared, core):
    """Fill in the core distance of each point of a cluster."""
    row = np.empty(columns.shape[1])
    for i in range(columns.shape[1]):
        _row(columns, i, squared, row)
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
def take_up_point(row, core, last, by_distance, reach, distance, parent, done):
    """Let the point `last` reach those not in the tree yet; return the one that joins next, or -1.

    Ties of reach are broken by distance and ends, or, if not `by_distance`, by who came first.
    """
    n = len(row)
    for j in range(n):
        if done[j]:
            continue
        r = max(row[j], core[last], core[j])
        closer = r < reach[j]
        if by_distance:
            closer = _before(r, row[j], last, j, reach[j], distance[j], parent[j], j)
        if closer:
            reach[j] = r
            distance[j] = row[j]
            parent[j] = last
    at = -1
    for j in range(n):
        if done[j]:
            continue
        if at < 0:
            at = j
        elif by_distance:
            if _before(reach[j], distance[j], parent[j], j, reach[at], distance[at], parent[at], at):
                at = j
        elif reach[j] < reach[at]:
            at = j
    return at


@kernel
def span(columns, core, squared, by_distance, parent, reach):
    """Grow the spanning tree of a cluster by mutual reachability, from its first point."""
    n = columns.shape[1]
    row = np.empty(n)
    distance = np.full(n, np.inf)
    done = np.zeros(n, np.bool_)
    reach[:] = np.inf
    parent[:] = n
    done[0] = True
    last = 0
    for _ in range(n - 1):
        _row(columns, last, squared, row)
        last = take_up_point(row, core, last, by_distance, reach, distance, parent, done)
        done[last] = True
    parent[0] = -1
    reach[0] = 0.0


@kernel
def least_reach(columns, core, others, core_of_others, squared):
    """Return the smallest mutual reachability of a point of one set and a point of another."""
    p, n = columns.shape
    m = others.shape[1]
    best = np.inf
    row = np.empty(m)
    for i in range(n):
        if core[i] >= best:
            continue
        for j in range(m):
            row[j] = 0.0
        for q in range(p):
            x = columns[q, i]
            for j in range(m):
                step = others[q, j] - x
                row[j] += step * step
        for j in range(m):
            d = row[j] if squared else np.sqrt(row[j])
            r = max(d, core[i], core_of_others[j])
            if r < best:
                best = r
    return best
