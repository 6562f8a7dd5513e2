"""Pairs of points and how much they belong together, by their memberships."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel

MINIMUM, PRODUCT, LUKASIEWICZ = 0, 1, 2  # what both of two degrees are


@kernel(inline=True)
def alike(U, i, j):
    """Return 1 minus half the sum of differences of the memberships of two points."""
    total = 0.0
    for c in range(U.shape[1]):
        total += abs(U[i, c] - U[j, c])
    return 1.0 - total / 2.0


@kernel
def differences(U, V, first, last, sums):
    """Write, for each point from first to last - 1, how differently U and V see its pairs with earlier points."""
    for i in range(first, last):
        total = 0.0
        for j in range(i):
            total += abs(alike(U, i, j) - alike(V, i, j))
        sums[i] = total


@kernel
def all_alike(U, first, last, values):
    """Write how alike each point, from first to last - 1, is to all earlier ones: pair (i, j) at i (i - 1) / 2 + j."""
    for i in range(first, last):
        start = i * (i - 1) // 2
        for j in range(i):
            values[start + j] = alike(U, i, j)


@kernel(inline=True)
def place(value, bins):
    """Return the bin of a number from 0 to 1; 0 and 1 themselves have bins of their own."""
    if value <= 0.0:
        return 0
    if value >= 1.0:
        return bins - 1
    return 1 + int(value * (bins - 2))


@kernel
def count_alike(U, first, last, counts, totals, lows, highs):
    """Count and add up how alike points are to earlier ones, by bins; note the lowest and highest value of each bin."""
    for i in range(first, last):
        for j in range(i):
            value = alike(U, i, j)
            b = place(value, len(counts))
            counts[b] += 1
            totals[b] += value
            lows[b] = min(lows[b], value)
            highs[b] = max(highs[b], value)


@kernel
def alike_between(U, first, last, bins, low, high, values):
    """Write the values of pairs of points from first to last - 1 that lie in bins low to high - 1; return how many."""
    at = 0
    for i in range(first, last):
        for j in range(i):
            value = alike(U, i, j)
            if low <= place(value, bins) < high:
                values[at] = value
                at += 1
    return at


@kernel(inline=True)
def both(a, b, norm):
    """Return the degree to which two degrees hold together."""
    if norm == MINIMUM:
        return min(a, b)
    if norm == PRODUCT:
        return a * b
    return max(a + b - 1.0, 0.0)


@kernel(inline=True)
def together(U, i, j, norm):
    """Return the largest degree to which two points share a cluster."""
    best = 0.0
    for c in range(U.shape[1]):
        best = max(best, both(U[i, c], U[j, c], norm))
    return best


@kernel(inline=True)
def apart(strongest, firsts, seconds, i, j, norm):
    """Return the largest degree to which two points are in different clusters: of their two strongest, one each."""
    if strongest[i] != strongest[j]:
        return both(firsts[i], firsts[j], norm)
    return max(both(firsts[i], seconds[j], norm), both(seconds[i], firsts[j], norm))


@kernel
def strengths(U):
    """Return the strongest cluster of each point, and its largest and second largest membership."""
    n, k = U.shape
    strongest, firsts, seconds = np.zeros(n, np.int64), np.zeros(n), np.zeros(n)
    for i in range(n):
        for c in range(k):
            u = U[i, c]
            if u > firsts[i] or c == 0:
                seconds[i] = firsts[i]
                firsts[i], strongest[i] = u, c
            elif u > seconds[i]:
                seconds[i] = u
    return strongest, firsts, seconds


@kernel
def fuzzy_counts(U, V, of_U, of_V, first, last, norm, sums):
    """Write, for the pairs of each point with earlier ones, the degrees of being together in both, U, V, and none."""
    for i in range(first, last):
        for j in range(i):
            same_u, same_v = together(U, i, j, norm), together(V, i, j, norm)
            apart_u = apart(of_U[0], of_U[1], of_U[2], i, j, norm)
            apart_v = apart(of_V[0], of_V[1], of_V[2], i, j, norm)
            sums[i, 0] += both(same_u, same_v, norm)
            sums[i, 1] += both(same_u, apart_v, norm)
            sums[i, 2] += both(apart_u, same_v, norm)
            sums[i, 3] += both(apart_u, apart_v, norm)
