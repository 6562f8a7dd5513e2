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
def bucket_heads(ordered, scale, heads):
    """Fill where in the sorted distances each of evenly wide buckets begins."""
    bucket = 0
    last = len(heads) - 2
    for place in range(len(ordered)):
        here = min(int((ordered[place] - ordered[0]) * scale), last)
        while bucket <= here:
            heads[bucket] = place
            bucket += 1
    while bucket < len(heads):
        heads[bucket] = len(ordered)
        bucket += 1


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
def look_up_ranks(values, lo, hi, ordered, ranks_in_order, scale, heads, ranks):
    """Fill the doubled ranks of values lo ... hi-1, each found in its bucket of the sorted distances."""
    last = len(heads) - 2
    for at in range(lo, hi):
        value = values[at]
        bucket = min(int((value - ordered[0]) * scale), last)
        low = heads[bucket]
        high = heads[bucket + 1]
        while low < high:
            middle = (low + high) >> 1
            if ordered[middle] < value:
                low = middle + 1
            else:
                high = middle
        ranks[at] = ranks_in_order[low]


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
