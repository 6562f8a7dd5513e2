"""The pass over pairs for distances that someone else computes: rows of a distance matrix, one by one."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, add, fma, highest, least, load, lowest, most, splat, sub, total


@kernel
def _segment(block, begin, end, shift):
    """Sum of block[begin:end], sum of its squares about `shift`, smallest and largest."""
    sums = splat(0.0)
    squares = splat(0.0)
    centre = splat(shift)
    low = splat(np.inf)
    high = splat(0.0)
    bulk = begin + (end - begin) // WIDTH * WIDTH
    for j in range(begin, bulk, WIDTH):
        d = load(block, j)
        sums = add(sums, d)
        e = sub(d, centre)
        squares = fma(e, e, squares)
        low = least(low, d)
        high = most(high, d)
    whole = total(sums)
    square = total(squares)
    smallest = lowest(low)
    largest = highest(high)
    for j in range(bulk, end):
        d = block[j]
        whole += d
        square += (d - shift) * (d - shift)
        smallest = d if d < smallest else smallest
        largest = d if d > largest else largest
    return whole, square, smallest, largest


@kernel
def absorb_rows(
    block, begin, end, chunk, edges, owners, starts, shift,
    own, nearest, neighbour, chunk_sums, chunk_lows, chunk_hausdorff, chunk_highs,
):  # fmt: skip
    """Take in the distances from points begin..end-1 to all points; return squares summed over later points.

    `chunk` is the chunk of the first of them. The tables by chunk and cluster are added to.
    """
    n = starts[-1]
    whole = 0.0
    for i in range(begin, end):
        while i >= edges[chunk + 1]:
            chunk += 1
        row = (i - begin) * n
        mine = owners[chunk]
        for c in range(len(starts) - 1):
            a = row + starts[c]
            b = row + starts[c + 1]
            if c == mine:  # in two parts, for a point is no neighbour of itself
                before = _segment(block, a, row + i, shift)
                after = _segment(block, row + i + 1, b, shift)
                sum_ = before[0] + after[0]
                own[i] = sum_
                whole += after[1]
                high = before[3] if before[3] > after[3] else after[3]
            else:
                sum_, square, low, high = _segment(block, a, b, shift)
                whole += square if c > mine else 0.0
                mean = sum_ / (b - a)
                if mean < nearest[i]:  # strict: the first of equally near clusters stays
                    nearest[i] = mean
                    neighbour[i] = c
                if chunk_lows is not None:
                    if low < chunk_lows[chunk, c]:
                        chunk_lows[chunk, c] = low
                    if low > chunk_hausdorff[chunk, c]:
                        chunk_hausdorff[chunk, c] = low
            chunk_sums[chunk, c] += sum_
            if chunk_lows is not None and high > chunk_highs[chunk, c]:
                chunk_highs[chunk, c] = high
    return whole
