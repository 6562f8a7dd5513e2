"""Compiled loops behind the concordance of distances: count, store, look up.

One side of the pairs (within or between clusters, the smaller one) is *stored*: its distances lie sorted in bins.
The other side is *streamed*: each distance goes to a buffer of its bin, and a full buffer is looked up among the
stored distances of that bin. Distances of different bins need no comparison, only their numbers.

Distances are handled as the integers that their bits spell, which have the same order and are compared exactly.
A *cell* is a range ``base + (c << shift)`` ... of such integers, a *bin* a run of cells.

Pairs of point i are ``first[i] <= j < last[i]``. Distances come from coordinates (one row per dimension, a multiple
of four of them) or, where there are none, from a block of rows of a distance matrix, the first of them that of i0.
Beside coordinates the block is but a number, the factor of `roots`.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.ranks.rank_lines import DISTINCT, look_up
from clustval.kernels.work.jit import kernel

TILE = 256  # distances at a time: with eight dimensions, their coordinates fit the first-level cache
GROUP = 32  # distances that are compared with the ends of a range before any of them is moved


@kernel
def load_distances(columns, block, i, row, lo, hi, out):
    """Write the distances from point i to points lo...hi-1.

    Squares are added in the order of the dimensions and nothing is fused: the result has the bits of scipy's.
    Distances below zero, which only rounding makes, become zero.
    """
    dimensions = columns.shape[0]
    if dimensions == 0:
        for j in range(hi - lo):
            d = block[row, lo + j]
            out[j] = d if d > 0.0 else 0.0
        return
    factor = block[0, 0]
    last = dimensions - 4 if factor == 0.0 else dimensions
    for q in range(0, dimensions, 4):
        a, b, c, d = columns[q, i], columns[q + 1, i], columns[q + 2, i], columns[q + 3, i]
        A, B = columns[q, lo:hi], columns[q + 1, lo:hi]
        C, D = columns[q + 2, lo:hi], columns[q + 3, lo:hi]
        if q == 0 and q == last:
            for j in range(hi - lo):
                s = (a - A[j]) * (a - A[j])
                s += (b - B[j]) * (b - B[j])
                s += (c - C[j]) * (c - C[j])
                s += (d - D[j]) * (d - D[j])
                out[j] = np.sqrt(s)
        elif q == 0:
            for j in range(hi - lo):
                s = (a - A[j]) * (a - A[j])
                s += (b - B[j]) * (b - B[j])
                s += (c - C[j]) * (c - C[j])
                s += (d - D[j]) * (d - D[j])
                out[j] = s
        elif q == last:
            for j in range(hi - lo):
                s = out[j] + (a - A[j]) * (a - A[j])
                s += (b - B[j]) * (b - B[j])
                s += (c - C[j]) * (c - C[j])
                s += (d - D[j]) * (d - D[j])
                out[j] = np.sqrt(s)
        else:
            for j in range(hi - lo):
                s = out[j] + (a - A[j]) * (a - A[j])
                s += (b - B[j]) * (b - B[j])
                s += (c - C[j]) * (c - C[j])
                s += (d - D[j]) * (d - D[j])
                out[j] = s
    if factor != 0.0:
        for j in range(hi - lo):
            out[j] *= factor


@kernel
def cells_of(bits, count, base, shift, top, out):
    """Write the cell of each distance; what lies beyond the first or the last cell is put into it."""
    shift = np.uint64(shift)
    for j in range(count):
        x = bits[j] - base
        x = x if x > 0 else 0
        c = np.int64(np.uint64(x) >> shift)
        out[j] = c if c < top else top


@kernel
def keep_between(bits, count, lo, hi):
    """Move the distances from lo to hi-1 to the front; return how many they are, and how many lie below."""
    kept = below = 0
    for start in range(0, count, GROUP):
        end = min(start + GROUP, count)
        less = more = 0
        for j in range(start, end):
            less += np.int64(bits[j] < lo)
            more += np.int64(bits[j] >= hi)
        below += less
        if less + more < end - start:  # which is rare: most groups are only counted
            for j in range(start, end):
                x = bits[j]
                bits[kept] = x
                kept += np.int64(x >= lo) & np.int64(x < hi)
    return kept, below


@kernel
def partners(first, last, i0, i1):
    """Return the range of points that form pairs with any of points i0...i1-1."""
    lo, hi = first[i0], last[i0]
    for i in range(i0 + 1, i1):
        if first[i] < last[i]:
            lo = first[i] if first[i] < lo else lo
            hi = last[i] if last[i] > hi else hi
    return lo, hi


@kernel
def count_cells(columns, block, first, last, i0, i1, base, shift, counts):
    """Count the distances of points i0...i1-1 in each cell."""
    values = np.empty(TILE)
    bits = values.view(np.int64)
    cells = np.empty(TILE, np.int64)
    begin, end = partners(first, last, i0, i1)
    for tile in range(begin, end, TILE):
        for i in range(i0, i1):
            lo = first[i] if first[i] > tile else tile
            hi = last[i] if last[i] < tile + TILE else tile + TILE
            if lo < hi:
                load_distances(columns, block, i, i - i0, lo, hi, values)
                cells_of(bits, hi - lo, base, shift, len(counts) - 1, cells)
                for j in range(hi - lo):
                    counts[np.uint64(cells[j])] += 1


@kernel
def store_distances(columns, block, first, last, i0, i1, least, beyond, base, shift, bins, store, position):
    """Put the distances of points i0...i1-1 into the store, at the position of their bin; nowhere if it is negative.

    Bins but the first and the last hold the distances from `least` to `beyond`. Others exist where memory is too small
    for all; most are then others, and are passed over.
    """
    values = np.empty(TILE)
    bits = values.view(np.int64)
    cells = np.empty(TILE, np.int64)
    parted = bins[0] == 0 or bins[-1] == len(position) - 1
    begin, end = partners(first, last, i0, i1)
    for tile in range(begin, end, TILE):
        for i in range(i0, i1):
            lo = first[i] if first[i] > tile else tile
            hi = last[i] if last[i] < tile + TILE else tile + TILE
            if lo < hi:
                load_distances(columns, block, i, i - i0, lo, hi, values)
                count = hi - lo
                if parted:
                    count, _ = keep_between(bits, count, least, beyond)
                cells_of(bits, count, base, shift, len(bins) - 1, cells)
                for j in range(count):
                    b = bins[np.uint64(cells[j])]
                    at = position[b]
                    if at >= 0:
                        store[np.uint64(at)] = bits[j]
                        position[b] = at + 1


@kernel
def stream_distances(
    columns,
    block,
    first,
    last,
    i0,
    i1,
    least,
    beyond,
    base,
    shift,
    bins,
    buffers,
    filled,
    seen,
    store,
    lines,
    about,
    totals,
):
    """Look up the distances of points i0...i1-1, a full buffer at a time; those outside the bins are only counted."""
    values = np.empty(TILE)
    bits = values.view(np.int64)
    cells = np.empty(TILE, np.int64)
    parted = bins[0] == 0 or bins[-1] == len(about) - 1
    capacity = np.uint64(buffers.shape[1])
    begin, end = partners(first, last, i0, i1)
    for tile in range(begin, end, TILE):
        for i in range(i0, i1):
            lo = first[i] if first[i] > tile else tile
            hi = last[i] if last[i] < tile + TILE else tile + TILE
            if lo < hi:
                load_distances(columns, block, i, i - i0, lo, hi, values)
                count = hi - lo
                if parted:
                    count, below = keep_between(bits, count, least, beyond)
                    seen[0] += below
                    seen[-1] += hi - lo - below - count
                cells_of(bits, count, base, shift, len(bins) - 1, cells)
                for j in range(count):
                    b = bins[np.uint64(cells[j])]
                    at = np.uint64(filled[b])
                    buffers[b, at] = bits[j]
                    at += np.uint64(1)
                    if at == capacity:
                        flush(buffers, np.int64(b), np.int64(at), seen, store, lines, about, totals)
                        at = np.uint64(0)
                    filled[b] = at


@kernel
def flush(buffers, b, count, seen, store, lines, about, totals):
    """Count what the buffer of bin b holds, and look it up if anything is stored there."""
    seen[b] += count
    if about[b, DISTINCT] > 0:
        look_up(buffers[b], count, store, lines, about[b], totals)
