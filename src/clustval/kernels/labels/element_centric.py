"""How alike the clusters of each point are in two labellings, added up over many pairs of labellings."""

from __future__ import annotations

from clustval.kernels.work.jit import kernel


@kernel
def add_similarity(first, second, table, first_sizes, second_sizes, weight, sums):
    """Add `weight` times the similarity of each point to `sums`, and return the sum of the similarities.

    `table` has a cell for each two clusters. A point with the code -1 is alone in a cluster of its own.
    """
    table[:] = 0
    first_sizes[:] = 0
    second_sizes[:] = 0
    for i in range(len(first)):
        a, b = first[i], second[i]
        if a >= 0:
            first_sizes[a] += 1
        if b >= 0:
            second_sizes[b] += 1
        if a >= 0 and b >= 0:
            table[a, b] += 1
    total = 0.0
    for i in range(len(first)):
        a, b = first[i], second[i]
        if a >= 0 and b >= 0:
            share = table[a, b] / max(first_sizes[a], second_sizes[b])
        elif a >= 0:
            share = 1.0 / first_sizes[a]
        elif b >= 0:
            share = 1.0 / second_sizes[b]
        else:
            share = 1.0
        total += share
        sums[i] += weight * share
    return total
