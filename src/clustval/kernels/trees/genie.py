"""Joining points along a spanning tree so that sizes of clusters do not become too unequal (Genie)."""

from __future__ import annotations

import numpy as np

from clustval.kernels.trees.reach_tree import root_of
from clustval.kernels.work.jit import kernel


@kernel
def merge_evenly(edges, limit, children):
    """Join the two clusters at the shortest edge; while sizes are too unequal, at the shortest of a smallest cluster.

    `edges` are sorted by length. Sizes are too unequal where their Gini index is above `limit`. Node n + t is made of
    its two `children`, in the order of joining.
    """
    n = len(edges) + 1
    roots = np.arange(2 * n - 1)
    sizes = np.ones(2 * n - 1, np.int64)
    after = np.arange(1, n + 1)  # edges that are left, as a chain; entry n - 1 leads to the first
    after[n - 1] = 0
    many = np.zeros(n + 1, np.int64)  # clusters of each size
    larger = np.zeros(n + 1, np.int64)  # the next size that there is, from size to size
    many[1] = n
    smallest = 1
    unequal = 0  # sum of differences of sizes over pairs of clusters
    looked_for = 0
    before = n - 1  # the edge before the first that may touch a smallest cluster
    for t in range(n - 1):
        previous = n - 1
        if unequal > limit * n * max(n - t - 1, 1):
            if looked_for != smallest:
                looked_for = smallest
                before = n - 1
            while True:
                e = after[before]
                a, b = root_of(roots, edges[e, 0]), root_of(roots, edges[e, 1])
                if min(sizes[a], sizes[b]) == smallest:
                    break
                before = e
            previous = before
        e = after[previous]
        after[previous] = after[e]
        if before == e:
            before = previous
        a, b = root_of(roots, edges[e, 0]), root_of(roots, edges[e, 1])
        children[t, 0] = a
        children[t, 1] = b
        roots[a] = n + t
        roots[b] = n + t
        sizes[n + t] = sizes[a] + sizes[b]
        for part in (a, b):
            many[sizes[part]] -= 1
            unequal -= _differences(many, larger, smallest, sizes[part])
            smallest = _without_empty(many, larger, smallest, sizes[part])
        unequal += _differences(many, larger, smallest, sizes[n + t])
        smallest = _with_size(many, larger, smallest, sizes[n + t])


@kernel
def _differences(many, larger, smallest, size):
    """Return the sum of differences between a size and those of all clusters."""
    total = 0
    s = smallest
    while s > 0:
        total += many[s] * abs(size - s)
        s = larger[s]
    return total


@kernel
def _without_empty(many, larger, smallest, size):
    """Take a size out of the chain if no cluster has it; return the smallest size."""
    if many[size] > 0:
        return smallest
    if size == smallest:
        return larger[size]
    s = smallest
    while larger[s] != size:
        s = larger[s]
    larger[s] = larger[size]
    return smallest


@kernel
def _with_size(many, larger, smallest, size):
    """Count one more cluster of a size, which joins the chain if it is new; return the smallest size."""
    many[size] += 1
    if many[size] > 1:
        return smallest
    if smallest == 0 or size < smallest:
        larger[size] = smallest
        return size
    s = smallest
    while larger[s] != 0 and larger[s] < size:
        s = larger[s]
    larger[size] = larger[s]
    larger[s] = size
    return smallest
