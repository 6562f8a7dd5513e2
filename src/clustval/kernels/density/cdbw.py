"""Points that stand for their cluster, and how many points lie near these and halfway between two clusters (CDbw).

Points are sorted by cluster. Distances are squares, added up in the order of the dimensions.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.rounding import SLACK


@kernel
def _square(X, i, Y, j):
    square = 0.0
    for q in range(X.shape[1]):
        step = X[i, q] - Y[j, q]
        square += step * step
    return square


@kernel
def pick(X, Z, lo, hi, centre, picks):
    """Fill in representatives of points lo ... hi-1, and return how many there are.

    The first is the farthest from the centre, each further one the farthest from those before, of equals the first;
    none equals another. `Z` are the coordinates that the centre is given in.
    """
    near = np.empty(hi - lo)
    far = 0.0
    for i in range(lo, hi):
        square = 0.0
        for q in range(Z.shape[1]):
            step = Z[i, q] - centre[q]
            square += step * step
        near[i - lo] = square
        far = max(far, square)
    at = lo
    while near[at - lo] * SLACK < far:
        at += 1
    near[:] = np.inf
    count = 0
    while count < len(picks):
        picks[count] = at
        count += 1
        last = at
        far = 0.0
        for i in range(lo, hi):
            near[i - lo] = min(near[i - lo], _square(X, i, X, last))
            if near[i - lo] > far:
                far = near[i - lo]
                at = i
        if far == 0.0:
            break
    return count


@kernel
def count_near(Z, lo, hi, point, radius):
    """Return how many of the points lo ... hi-1 are no farther than `radius` from a point."""
    limit = radius * radius * SLACK
    count = 0
    for i in range(lo, hi):
        square = 0.0
        for q in range(len(point)):
            step = Z[i, q] - point[q]
            square += step * step
        if square <= limit:
            count += 1
    return count


@kernel
def between_clusters(X, Z, starts, a, picks, counts, deviations, densities, distances):
    """Fill in row a of both tables, from the next cluster on: means over representatives that are each other's nearest.

    `densities` is the share of the points of both clusters around the midpoint of such two, times their distance over
    the diameter of the ball; `distances` is that distance.
    """
    k, p = len(counts), X.shape[1]
    most = picks.shape[1]
    there = np.empty(most, np.int64)
    back = np.empty(most, np.int64)
    shortest = np.empty(most)
    middle = np.empty(p)
    for b in range(a + 1, k):
        shortest[:] = np.inf
        for i in range(counts[a]):
            least = np.inf
            for j in range(counts[b]):
                square = _square(X, picks[a, i], X, picks[b, j])
                if square < least:
                    least = square
                    there[i] = j
                if square < shortest[j]:
                    shortest[j] = square
                    back[j] = i
        radius = (deviations[a] + deviations[b]) / 2
        points = starts[a + 1] - starts[a] + starts[b + 1] - starts[b]
        number = 0
        density = 0.0
        distance = 0.0
        for i in range(counts[a]):
            if back[there[i]] != i:
                continue
            one, other = picks[a, i], picks[b, there[i]]
            for q in range(p):
                middle[q] = (Z[one, q] + Z[other, q]) / 2
            near = count_near(Z, starts[a], starts[a + 1], middle, radius)
            near += count_near(Z, starts[b], starts[b + 1], middle, radius)
            d = np.sqrt(shortest[there[i]])
            density += d / (2 * radius) * near / points
            distance += d
            number += 1
        densities[b] = density / number
        distances[b] = distance / number


@kernel
def inside_cluster(Z, lo, hi, centre, picks, deviation, steps, shares):
    """Fill in the mean share of points lo ... hi-1 around their representatives, these being moved to the centre.

    How far they are moved, as a share of the way, is said by `steps`.
    """
    moved = np.empty(len(centre))
    for at in range(len(steps)):
        total = 0
        for i in picks:
            for q in range(len(centre)):
                moved[q] = Z[i, q] + steps[at] * (centre[q] - Z[i, q])
            total += count_near(Z, lo, hi, moved, deviation)
        shares[at] = total / (len(picks) * (hi - lo))
