"""Points that stand for their cluster, and how many points lie near these and halfway between two clusters (CDbw).

Points are sorted by cluster. Distances are squares, added up in the order of the dimensions. `X` are points as they
were given, `Z` the same from the origin of the centres.
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
def centre_squares(Z, starts, centres, squares):
    """Fill in the squared distance of each point to the centre of its cluster."""
    for c in range(len(centres)):
        for i in range(starts[c], starts[c + 1]):
            squares[i] = _square(Z, i, centres, c)


@kernel
def mark_leaders(starts, squares, leaders):
    """Mark points that are farther than all before them in their cluster, and as far as its farthest, up to rounding.

    The first of them is the first representative, whatever points come after; only a later point that is farther by
    more than rounding can take its place.
    """
    for c in range(len(starts) - 1):
        far = -1.0
        for i in range(starts[c], starts[c + 1]):
            far = max(far, squares[i])
        most = -1.0
        for i in range(starts[c], starts[c + 1]):
            leaders[i] = squares[i] > most and squares[i] * SLACK >= far
            most = max(most, squares[i])


@kernel
def pick(X, lo, hi, first, picks):
    """Fill in representatives of points lo ... hi-1, beginning with `first`, and return how many there are.

    Each further one is the farthest from those before, of equals the first; none equals another.
    """
    near = np.full(hi - lo, np.inf)
    at = first
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
def farthest_rows(X, starts, picks, counts, rows, squares):
    """Fill in for each cluster the point that is farthest from the representatives so far, of equals the first.

    `squares` is how far it is, squared, and 0 where all points equal one of these; then `rows` is not filled in.
    """
    for c in range(len(counts)):
        far = 0.0
        for i in range(starts[c], starts[c + 1]):
            near = np.inf
            for j in range(counts[c]):
                near = min(near, _square(X, i, picks[c], j))
                if near <= far:
                    break
            if near > far:
                far = near
                rows[c] = i
        squares[c] = far


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
def match(picks, counts, a, others, ends, distances):
    """Fill in the representatives of cluster a and of each later one that are each other's nearest; return how many.

    Of each match: the other cluster, `others`, the numbers of the two representatives, `ends`, and their distance.
    """
    most = picks.shape[1]
    there = np.empty(most, np.int64)
    back = np.empty(most, np.int64)
    shortest = np.empty(most)
    number = 0
    for b in range(a + 1, len(counts)):
        shortest[:] = np.inf
        for i in range(counts[a]):
            least = np.inf
            for j in range(counts[b]):
                square = _square(picks[a], i, picks[b], j)
                if square < least:
                    least = square
                    there[i] = j
                if square < shortest[j]:
                    shortest[j] = square
                    back[j] = i
        for i in range(counts[a]):
            if back[there[i]] == i:
                others[number] = b
                ends[number, 0] = i
                ends[number, 1] = there[i]
                distances[number] = np.sqrt(shortest[there[i]])
                number += 1
    return number


@kernel
def count_between(Z, starts, begin, end, pairs, ends, picks, deviations, near):
    """Add to matches begin ... end-1 how many points of both clusters are around the midpoint of the two.

    `picks` are representatives from the origin of the centres; the radius is the mean deviation of both clusters.
    """
    middle = np.empty(Z.shape[1])
    for at in range(begin, end):
        a, b = pairs[at]
        for q in range(len(middle)):
            middle[q] = (picks[a, ends[at, 0], q] + picks[b, ends[at, 1], q]) / 2
        radius = (deviations[a] + deviations[b]) / 2
        near[at] += count_near(Z, starts[a], starts[a + 1], middle, radius)
        near[at] += count_near(Z, starts[b], starts[b + 1], middle, radius)


@kernel
def count_inside(Z, starts, begin, end, centres, picks, counts, deviations, steps, totals):
    """Add to clusters begin ... end-1 how many points are around their representatives, these moved to the centre.

    How far they are moved, as a share of the way, is said by `steps`.
    """
    moved = np.empty(Z.shape[1])
    for c in range(begin, end):
        for at in range(len(steps)):
            for i in range(counts[c]):
                for q in range(len(moved)):
                    moved[q] = picks[c, i, q] + steps[at] * (centres[c, q] - picks[c, i, q])
                totals[c, at] += count_near(Z, starts[c], starts[c + 1], moved, deviations[c])
