"""Many partitions of the same points: how distances within clusters rank among all distances.

All distances of pairs i < j lie row after row in a triangle. Each has a rank, doubled so that the mean rank of
equal distances is a whole number. A partition then costs one look at each pair inside its clusters.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel
from clustval.kernels.work.sizes import EVERY, HIGHEST, STRIP


@kernel
def row_base(i, n):
    """Where the triangle would hold the pair (i, 0): the pair (i, j) is at `row_base(i, n) + j`."""
    return i * (2 * n - i - 3) // 2 - 1


@kernel
def scatter_by_size(D, n, scale, begins, order, moved):
    """Move distances, and their places in the triangle, from strips into evenly wide buckets of sizes.

    Distances times `scale` are numbers of buckets; what follows stays in the cache, bucket by bucket.
    """
    last = len(begins) - 2
    begins[:] = 0
    for i in range(n):
        for j in range(i + 1, n):
            begins[min(int(D[(j // STRIP * n + i) * STRIP + j % STRIP] * scale), last) + 1] += 1
    for bucket in range(last + 1):
        begins[bucket + 1] += begins[bucket]
    place = begins.copy()
    for i in range(n):
        base = row_base(i, n)
        for j in range(i + 1, n):
            distance = D[(j // STRIP * n + i) * STRIP + j % STRIP]
            bucket = min(int(distance * scale), last)
            order[place[bucket]] = base + j
            moved[place[bucket]] = distance
            place[bucket] += 1


@kernel
def rank_bucket(values, lo, ordered, order, ranks):
    """Rank the values of a bucket, which begins at place `lo`; `ordered` has them sorted, all buckets in a row.

    Fills doubled ranks, the mean one for equals; returns whether there are any equals.
    """
    count = len(values)
    heads = np.empty(count + 1, np.int64)  # where even parts of the bucket begin: most hold a value or two
    means = np.empty(count, np.int32)
    smallest = ordered[lo]
    spread = ordered[lo + count - 1] - smallest
    scale = min(count / spread, HIGHEST) if spread > 0 else 0.0
    tied = False
    part = 0
    begin = 0
    while begin < count:
        value = ordered[lo + begin]
        here = min(int((value - smallest) * scale), count - 1)
        while part <= here:
            heads[part] = begin
            part += 1
        end = begin + 1
        while end < count and ordered[lo + end] == value:
            end += 1
        means[begin] = 2 * lo + begin + 1 + end
        tied = tied or end - begin > 1
        begin = end
    heads[part:] = count
    for at in range(count):
        value = values[at]
        part = min(int((value - smallest) * scale), count - 1)
        low = heads[part]
        high = heads[part + 1]
        while low < high:
            middle = (low + high) >> 1
            if ordered[lo + middle] < value:
                low = middle + 1
            else:
                high = middle
        ranks[order[lo + at]] = means[low]
    return tied


@kernel
def tie_groups(ordered, tie_of, sizes):
    """Number the groups of equal distances by their doubled rank and fill their sizes; return how many there are.

    Nothing is filled where there is no room: to count them first.
    """
    groups = 0
    begin = 0
    while begin < len(ordered):
        end = begin + 1
        while end < len(ordered) and ordered[end] == ordered[begin]:
            end += 1
        if end - begin > 1:
            if len(sizes) > 0:
                tie_of[begin + 1 + end] = groups
                sizes[groups] = end - begin
            groups += 1
        begin = end
    return groups


@kernel
def add_exactly(total, lost, value):
    """Add a value that is not negative, and to `lost` what rounding takes from the sum."""
    new = total + value
    lost += (total - new) + value if total >= value else (value - new) + total
    return new, lost


@kernel
def running_sums(values, totals, lost):
    """Fill the sums of the first 0, 256, 512, ... values, and what rounding took from each."""
    total = 0.0
    missing = 0.0
    for i in range(len(values)):
        if i % EVERY == 0:
            totals[i // EVERY] = total
            lost[i // EVERY] = missing
        total, missing = add_exactly(total, missing, values[i])


@kernel
def sums_of_first(values, totals, lost, counts, sums):
    """Fill the sums of the first values, as many as each count says, rounded as if once."""
    for at in range(len(counts)):
        kept = min(counts[at] // EVERY, len(totals) - 1)
        total = totals[kept]
        missing = lost[kept]
        for i in range(kept * EVERY, counts[at]):
            total, missing = add_exactly(total, missing, values[i])
        sums[at] = total + missing


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
