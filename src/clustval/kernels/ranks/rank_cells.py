"""Compiled loops behind the sums of the smallest and largest distances: tally cells, then collect a few of them.

A cell lies within one power of two. A distance in it is its lower end plus a whole number of units in the last
place: the bits below ``shift``. Sums of these are sums of integers, exact in any order.
Distances come as in `rank_streams`.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.ranks.rank_streams import TILE, cells_of, load_distances, partners
from clustval.kernels.work.jit import kernel


@kernel
def tally_cells(columns, block, first, last, i0, i1, base, shift, tallies, carried, largest):
    """Add the distances of points i0...i1-1 to the tallies of their cells: number, and sum of the lower bits.

    Of a sum, `tallies` keeps the lower 32 bits and `carried` the rest. The first and the last cell take what lies
    outside the others; `largest` keeps the largest distance in each of these two.
    """
    values = np.empty(TILE)
    bits = values.view(np.int64)
    cells = np.empty(TILE, np.int64)
    top = len(tallies) - 1
    mask = (1 << shift) - 1
    batch = (1 << (62 - shift)) - TILE  # sums of so many fit 63 bits, beside what is left of those before
    pending = 0
    begin, end = partners(first, last, i0, i1)
    for tile in range(begin, end, TILE):
        for i in range(i0, i1):
            lo = first[i] if first[i] > tile else tile
            hi = last[i] if last[i] < tile + TILE else tile + TILE
            if lo < hi:
                load_distances(columns, block, i, i - i0, lo, hi, values)
                cells_of(bits, hi - lo, base, shift, top, cells)
                below, above = tallies[0, 0], tallies[top, 0]
                for j in range(hi - lo):
                    c = np.uint64(cells[j])
                    tallies[c, 0] += 1
                    tallies[c, 1] += bits[j] & mask
                if tallies[0, 0] > below or tallies[top, 0] > above:
                    for j in range(hi - lo):
                        if cells[j] == 0 and bits[j] > largest[0]:
                            largest[0] = bits[j]
                        if cells[j] == top and bits[j] > largest[1]:
                            largest[1] = bits[j]
                pending += hi - lo
                if pending > batch:
                    carry(tallies, carried)
                    pending = 0
    carry(tallies, carried)


@kernel
def carry(tallies, carried):
    for c in range(len(tallies)):
        carried[c] += tallies[c, 1] >> 32
        tallies[c, 1] &= 0xFFFFFFFF


@kernel
def collect(columns, block, first, last, i0, i1, low, high, out):
    """Write those distances of points i0...i1-1 that lie in either range low[q] <= d < high[q]; return how many."""
    values = np.empty(TILE)
    bits = values.view(np.int64)
    low_0, width_0 = low[0], np.uint64(high[0] - low[0])
    low_1, width_1 = low[1], np.uint64(high[1] - low[1])
    count = np.uint64(0)
    begin, end = partners(first, last, i0, i1)
    for tile in range(begin, end, TILE):
        for i in range(i0, i1):
            lo = first[i] if first[i] > tile else tile
            hi = last[i] if last[i] < tile + TILE else tile + TILE
            if lo < hi:
                load_distances(columns, block, i, i - i0, lo, hi, values)
                for j in range(hi - lo):
                    x = bits[j]
                    out[count] = x  # overwritten by the next unless it counts
                    count += np.uint64(np.uint64(x - low_0) < width_0) | np.uint64(np.uint64(x - low_1) < width_1)
    return np.int64(count)
