"""Average linkage of points by how often labellings put them together."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel
def merge_all(together, both, merges, similarities):
    """Merge clusters that are each other's nearest until one is left; the tables of sums are used up.

    Two clusters are as similar as the share of labellings that put their points together, over all pairs of points and
    labellings that have both. A merge has the two clusters, by the number of a point in each.
    """
    n = len(together)
    active = np.ones(n, np.bool_)
    chain = np.empty(n, np.int64)
    length = 0
    for step in range(n - 1):
        if length == 0:
            for start in range(n):
                if active[start]:
                    chain[0] = start
                    length = 1
                    break
        while True:
            last = chain[length - 1]
            before = chain[length - 2] if length > 1 else -1
            nearest, best = before, -1.0
            if before >= 0:
                best = together[last, before] / both[last, before] if both[last, before] > 0 else 0.0
            for other in range(n):
                if active[other] and other != last:
                    similarity = together[last, other] / both[last, other] if both[last, other] > 0 else 0.0
                    if similarity > best:
                        nearest, best = other, similarity
            if nearest == before:
                break
            chain[length] = nearest
            length += 1
        length -= 2
        kept, gone = min(last, before), max(last, before)
        merges[step, 0], merges[step, 1] = kept, gone
        similarities[step] = best
        active[gone] = False
        for other in range(n):
            if active[other] and other != kept:
                together[kept, other] += together[gone, other]
                both[kept, other] += both[gone, other]
                together[other, kept], both[other, kept] = together[kept, other], both[kept, other]
