"""Order statistics of all distances without holding them, and how many points lie near each point.

Numbers that are not negative have the same order as their bits read as whole numbers: a histogram of bits is exact,
and its bins can be cut ever finer. Distances come as blocks of rows, of points `first` ... to all points; each pair is
met once, in the row of its first point.
"""

from __future__ import annotations

from clustval.kernels.metrics.roots import finish_row
from clustval.kernels.work.jit import kernel


@kernel
def distance_rows(columns, first, factor, block):
    """Fill in the distances of points `first` ... to all points; squares are added as dimensions come."""
    p, n = columns.shape
    for r in range(len(block)):
        row = block[r]
        row[:] = 0.0
        for q in range(p):
            x = columns[q, first + r]
            others = columns[q]
            for j in range(n):
                step = others[j] - x
                row[j] += step * step
        finish_row(row, n, factor)


@kernel
def count_bits(bits, first, low, shift, counts):
    """Add to `counts` the distances from `low` on, in bins of 2**shift, and return how many lie below `low`."""
    below = 0
    for r in range(len(bits)):
        for j in range(first + r + 1, bits.shape[1]):
            bin_ = (bits[r, j] - low) >> shift
            if bin_ < 0:
                below += 1
            elif bin_ < len(counts):
                counts[bin_] += 1
    return below


@kernel
def add_bits(bits, low, shift, counts):
    """Add to `counts` numbers that are all in one of its bins of 2**shift, from `low` on."""
    for j in range(len(bits)):
        counts[(bits[j] - low) >> shift] += 1


@kernel
def gather_bits(bits, first, low, high, room):
    """Copy the distances from `low` to `high` into `room` and return how many they are."""
    count = 0
    for r in range(len(bits)):
        for j in range(first + r + 1, bits.shape[1]):
            if low <= bits[r, j] <= high:
                room[count] = bits[r, j]
                count += 1
    return count


@kernel
def bits_beside(bits, first, high, largest, smallest):
    """Return the largest distance up to `high` and the smallest above it, those given among them."""
    for r in range(len(bits)):
        for j in range(first + r + 1, bits.shape[1]):
            b = bits[r, j]
            if b <= high:
                largest = max(largest, b)
            else:
                smallest = min(smallest, b)
    return largest, smallest


@kernel
def near_sums(block, width, sums):
    """Fill in the sum over all points, the point itself among them, of 1 - d/width where that is positive."""
    for r in range(len(block)):
        total = 0.0
        for j in range(block.shape[1]):
            if block[r, j] < width:
                total += 1.0 - block[r, j] / width
        sums[r] = total


@kernel
def near_sums_elsewhere(block, first, codes, width, sums):
    """Fill in the part of `near_sums` that comes from points of other clusters than that of points `first` ..."""
    for r in range(len(block)):
        own = codes[first + r]
        total = 0.0
        for j in range(block.shape[1]):
            if block[r, j] < width and codes[j] != own:
                total += 1.0 - block[r, j] / width
        sums[r] = total
