"""How the distances inside each cluster differ from those to all other points: tally, collect, compare (DSI).

Distances are handled as the integers that their bits spell, which have the same order. Points are sorted by cluster;
a pair of two clusters counts for both. Of a cluster, `rows` says which row of the tables it has, -1 if none.
Distances come as in `rank_streams`.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.ranks.rank_streams import GROUP, TILE, load_distances
from clustval.kernels.work.jit import kernel

RUN = 512  # pairs that are counted together


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
    for start in range(lo, hi, GROUP):
        end = min(start + GROUP, hi)
        near = 0
        for j in range(start, end):
            near += np.int64(bits[j] >= lowest) & np.int64(bits[j] < highest)
        if near == 0:  # as in most groups, which are only counted
            continue
        for j in range(start, end):
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
def order_pairs(ranks, n, tie_of, tie_sizes, lo, hi, first, second, ends):
    """List the pairs of doubled ranks lo ... hi-1 in order; equal ones as they come, the last of them marked.

    Ranks are given row after row, and which of them several pairs share as in `rank_sums.tie_groups`.
    """
    taken = np.zeros(len(tie_sizes), np.int64)
    tied = len(tie_sizes) > 0
    t = 0
    for i in range(n):
        for j in range(i + 1, n):
            rank = ranks[t]
            t += 1
            if rank < lo or rank >= hi:
                continue
            at = rank // 2 - 1
            last = True
            if tied and tie_of[rank] >= 0:
                group = tie_of[rank]
                at = (rank - 1 - tie_sizes[group]) // 2 + taken[group]
                taken[group] += 1
                last = taken[group] == tie_sizes[group]
            first[at] = i
            second[at] = j
            ends[at] = last


@kernel
def _look_into(first, second, ends, codes, lo, hi, inside, outside, gaps, best):
    """Go through the pairs lo ... hi-1 one by one, from these differences of both distribution functions on."""
    alone = lo == 0 or ends[lo - 1]
    for t in range(lo, hi):
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
                for c in range(len(best)):
                    best[c] = max(best[c], abs(gaps[c]))
        alone = ends[t]


@kernel
def gaps_in_order(first, second, ends, codes, inside, outside, best):
    """Fill in the largest difference of both distribution functions of each cluster, pairs being sorted by distance.

    `ends` is true for the last pair of each distance. Inside pairs of cluster c count inside[c], others outside[c]; all
    sums are whole numbers. Pairs are counted run by run, by the clusters at both ends; only runs in which a difference
    may exceed what it is at the end of some run are gone through once more.
    """
    k = len(best)
    run = max(RUN, k * k)
    runs = (len(first) + run - 1) // run
    columns = codes.astype(np.uint32)  # numbers without a sign need no look at it
    rows = columns * np.uint32(k)
    counts = np.empty((4, k * k), np.int32)
    gaps = np.zeros(k)
    befores = np.empty((runs, k))  # differences before each run, and by how much they rise and fall in it
    rises = np.empty((runs, k))
    falls = np.empty((runs, k))
    best[:] = 0.0
    for at in range(runs):
        lo, hi = at * run, min((at + 1) * run, len(first))
        counts[:] = 0
        for t in range(lo, hi - 3, 4):  # four tables, because a sum that was just stored is slow to read again
            counts[0, rows[first[t]] + columns[second[t]]] += 1
            counts[1, rows[first[t + 1]] + columns[second[t + 1]]] += 1
            counts[2, rows[first[t + 2]] + columns[second[t + 2]]] += 1
            counts[3, rows[first[t + 3]] + columns[second[t + 3]]] += 1
        for t in range(hi - (hi - lo) % 4, hi):
            counts[0, rows[first[t]] + columns[second[t]]] += 1
        for cell in range(k * k):
            counts[0, cell] += counts[1, cell] + counts[2, cell] + counts[3, cell]
        for a in range(k):
            other = 0
            for b in range(k):
                other += counts[0, a * k + b] + counts[0, b * k + a]
            own = counts[0, a * k + a]
            befores[at, a] = gaps[a]
            rises[at, a] = own * inside[a]
            falls[at, a] = (other - 2 * own) * outside[a]
            gaps[a] += rises[at, a] - falls[at, a]
            if ends[hi - 1]:
                best[a] = max(best[a], abs(gaps[a]))
    for at in range(runs):
        doubtful = False
        for a in range(k):
            if max(befores[at, a] + rises[at, a], falls[at, a] - befores[at, a]) > best[a]:
                doubtful = True
        if doubtful:
            lo, hi = at * run, min((at + 1) * run, len(first))
            _look_into(first, second, ends, codes, lo, hi, inside, outside, befores[at], best)
