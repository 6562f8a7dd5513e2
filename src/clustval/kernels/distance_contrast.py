"""How the distances inside each cluster differ from those to all other points: tally, collect, compare (DSI).

Distances are handled as the integers that their bits spell, which have the same order. Points are sorted by cluster;
a pair of two clusters counts for both. Of a cluster, `rows` says which row of the tables it has, -1 if none.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.jit import kernel
from clustval.kernels.rank_streams import TILE, load_distances


@kernel
def _add(bits, lo, hi, base, shift, counts):
    """Count the distances lo ... hi-1 in cells from `base` on; the first and the last cell take what lies outside."""
    top = len(counts) - 1
    for j in range(lo, hi):
        x = bits[j] - base
        c = np.int64(np.uint64(x) >> np.uint64(shift)) + 1 if x >= 0 else 0
        counts[np.uint64(c if c < top else top)] += 1


@kernel
def tally(columns, block, codes, starts, i0, i1, rows, bases, shifts, within, between):
    """Add the distances of points i0 ... i1-1 to all points after them to the tallies of the clusters at both ends."""
    n = len(codes)
    values = np.empty(TILE)
    bits = values.view(np.int64)
    for tile in range(i0 + 1, n, TILE):
        for i in range(i0, i1):
            lo, hi = max(tile, i + 1), min(tile + TILE, n)
            if lo >= hi:
                continue
            a = rows[codes[i]]
            load_distances(columns, block, i, i - i0, lo, hi, values)
            at = lo
            while at < hi:
                end = min(hi, starts[codes[at] + 1])
                b = rows[codes[at]]
                if codes[at] == codes[i]:
                    if a >= 0:
                        _add(bits, at - lo, end - lo, bases[a], shifts[a], within[a])
                else:
                    if a >= 0:
                        _add(bits, at - lo, end - lo, bases[a], shifts[a], between[a])
                    if b >= 0:
                        _add(bits, at - lo, end - lo, bases[b], shifts[b], between[b])
                at = end


@kernel
def _keep(bits, lo, hi, first, last, lows, highs, inside, parts, keys, count):
    """Write those of the distances lo ... hi-1 that lie in one of the parts first ... last-1; return how many.

    A key is twice the bits of a distance, and one more inside a cluster.
    """
    lowest, highest = lows[first], highs[last - 1]
    for j in range(lo, hi):
        x = bits[j]
        if lowest <= x < highest:
            a, b = first, last  # the last part that does not begin after x
            while b - a > 1:
                middle = (a + b) >> 1
                if lows[middle] <= x:
                    a = middle
                else:
                    b = middle
            if x < highs[a]:
                parts[count] = a
                keys[count] = (np.uint64(x) << np.uint64(1)) | np.uint64(inside)
                count += 1
    return count


@kernel
def collect(columns, block, codes, starts, i0, i1, firsts, lows, highs, parts, keys):
    """Write the parts and keys of the distances of points i0 ... i1-1 that lie in parts of a cluster; return how many.

    Parts firsts[c] ... firsts[c+1]-1 are ranges of cluster c, in ascending order.
    """
    n = len(codes)
    values = np.empty(TILE)
    bits = values.view(np.int64)
    count = 0
    for tile in range(i0 + 1, n, TILE):
        for i in range(i0, i1):
            lo, hi = max(tile, i + 1), min(tile + TILE, n)
            if lo >= hi:
                continue
            load_distances(columns, block, i, i - i0, lo, hi, values)
            a = codes[i]
            at = lo
            while at < hi:
                b = codes[at]
                end = min(hi, starts[b + 1])
                if firsts[a] < firsts[a + 1]:
                    count = _keep(
                        bits, at - lo, end - lo, firsts[a], firsts[a + 1], lows, highs, a == b, parts, keys, count
                    )
                if b != a and firsts[b] < firsts[b + 1]:
                    count = _keep(
                        bits, at - lo, end - lo, firsts[b], firsts[b + 1], lows, highs, False, parts, keys, count
                    )
                at = end
    return count


@kernel
def place(parts, keys, count, places, store):
    """Put keys into the store, where their parts have room."""
    for j in range(count):
        store[places[parts[j]]] = keys[j]
        places[parts[j]] += 1


@kernel
def widest_gap(keys, below_within, below_between, weight_within, weight_between):
    """Return the largest difference, in whole numbers, of the two distribution functions along sorted keys."""
    a, b = float(below_within), float(below_between)
    best = 0.0
    for j in range(len(keys)):
        if keys[j] & np.uint64(1):
            a += 1.0
        else:
            b += 1.0
        if j + 1 == len(keys) or keys[j + 1] >> np.uint64(1) != keys[j] >> np.uint64(1):
            best = max(best, abs(a * weight_within - b * weight_between))
    return best


@kernel
def gaps_in_order(first, second, ends, codes, inside, outside, best):
    """Fill in the largest difference of both distribution functions of each cluster, pairs being sorted by distance.

    `ends` is 1 for the last pair of each distance. Inside pairs of cluster c count inside[c], others outside[c]; all
    sums are whole numbers.
    """
    k = len(best)
    gaps = np.zeros(k)
    best[:] = 0.0
    alone = True
    for t in range(len(first)):
        a, b = codes[first[t]], codes[second[t]]
        if a == b:
            gaps[a] += inside[a]
        else:
            gaps[a] -= outside[a]
            gaps[b] -= outside[b]
        if ends[t]:
            if alone:
                best[a] = max(best[a], abs(gaps[a]))
                best[b] = max(best[b], abs(gaps[b]))
            else:
                for c in range(k):
                    best[c] = max(best[c], abs(gaps[c]))
            alone = True
        else:
            alone = False
