"""Many partitions of the same points: how distances within clusters rank among all distances.

All distances of pairs i < j lie row after row in a triangle. Each has a rank, doubled so that the mean rank of
equal distances is a whole number. A partition then costs one look at each pair inside its clusters.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.batch import STRIP
from clustval.kernels.jit import kernel


@kernel
def row_base(i, n):
    """Where the triangle would hold the pair (i, 0): the pair (i, j) is at `row_base(i, n) + j`."""
    return i * (2 * n - i - 3) // 2 - 1


@kernel
def triangle_rows(D, n, lo, hi, triangle):
    """Copy the distances of points lo ... hi-1 to later points from strips into the triangle."""
    for i in range(lo, hi):
        base = row_base(i, n)
        for j in range(i + 1, n):
            triangle[base + j] = D[(j // STRIP * n + i) * STRIP + j % STRIP]


@kernel
def scatter_by_size(values, smallest, scale, begins, order, moved):
    """Move values, and where they came from, into evenly wide buckets of sizes, so that lookups stay in the cache."""
    last = len(begins) - 2
    begins[:] = 0
    for at in range(len(values)):
        begins[min(int((values[at] - smallest) * scale), last) + 1] += 1
    for bucket in range(last + 1):
        begins[bucket + 1] += begins[bucket]
    place = begins.copy()
    for at in range(len(values)):
        bucket = min(int((values[at] - smallest) * scale), last)
        order[place[bucket]] = at
        moved[place[bucket]] = values[at]
        place[bucket] += 1


@kernel
def mean_ranks(ordered, ranks):
    """Fill the doubled rank of each of the sorted distances, the mean one for equals; return if any are equal."""
    tied = False
    begin = 0
    while begin < len(ordered):
        end = begin + 1
        while end < len(ordered) and ordered[end] == ordered[begin]:
            end += 1
            tied = True
        for place in range(begin, end):
            ranks[place] = begin + 1 + end
        begin = end
    return tied


@kernel
def rank_bucket(lo, hi, order, moved, ordered, ranks_in_order, ranks):
    """Look up the values lo ... hi-1 of a bucket among the sorted ones, which lie in the same places, and rank them."""
    parts = hi - lo
    heads = np.empty(parts + 1, np.int64)  # where even parts of the bucket begin: most hold a value or two
    smallest = ordered[lo]
    spread = ordered[hi - 1] - smallest
    scale = parts / spread if spread > 0 else 0.0
    part = 0
    for place in range(lo, hi):
        here = min(int((ordered[place] - smallest) * scale), parts - 1)
        while part <= here:
            heads[part] = place
            part += 1
    heads[part:] = hi
    for at in range(lo, hi):
        value = moved[at]
        part = min(int((value - smallest) * scale), parts - 1)
        low = heads[part]
        high = heads[part + 1]
        while low < high:
            middle = (low + high) >> 1
            if ordered[middle] < value:
                low = middle + 1
            else:
                high = middle
        ranks[order[at]] = ranks_in_order[low]


@kernel
def running_sums(values, sums):
    """Fill the sums of the first 0, 1, 2, ... values, which are not negative, rounded as if once."""
    total = 0.0
    lost = 0.0
    sums[0] = 0.0
    for i in range(len(values)):
        value = values[i]
        new = total + value
        lost += (total - new) + value if total >= value else (value - new) + total
        total = new
        sums[i + 1] = total + lost


@kernel
def rank_sums(ranks, n, order, firsts, starts, ks, twice, ties, tie_of, tie_sizes):
    """Fill, for each partition, the sum of doubled ranks within clusters, and ties with pairs between.

    `tie_of` gives the number of the group of equal distances that has a doubled rank, -1 for a single one; it is
    empty if no two distances are equal.
    """
    seen = np.zeros(len(tie_sizes), np.int64)
    tied = len(tie_sizes) > 0
    for b in range(len(order)):
        whole = 0
        equal = 0
        for c in range(ks[b]):
            hi = starts[firsts[b] + c + 1]
            for place in range(starts[firsts[b] + c], hi):
                base = row_base(order[b, place], n)
                for other in range(place + 1, hi):
                    rank = ranks[base + order[b, other]]
                    whole += rank
                    if tied and tie_of[rank] >= 0:
                        # w of g equal distances within make w (g - w) ties; one more adds g - 2 w - 1.
                        group = tie_of[rank]
                        equal += tie_sizes[group] - 2 * seen[group] - 1
                        seen[group] += 1
        twice[b] = whole
        ties[b] = equal
        seen[:] = 0
