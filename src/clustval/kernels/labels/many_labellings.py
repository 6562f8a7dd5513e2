"""Many labellings against one truth, and how well two sequences of values agree pair by pair."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel
def together(truth, classes, labels, clusters, both, alone):
    """Count the pairs of points that each row of labels puts together: with the truth (`both`), and at all (`alone`).

    Codes run from 0 to `classes` - 1 in the truth and to `clusters` - 1 in the labels.
    """
    table = np.empty(classes * clusters, np.int64)
    sizes = np.empty(clusters, np.int64)
    for row in range(len(labels)):
        table[:] = 0
        for i in range(len(truth)):
            table[labels[row, i] * classes + truth[i]] += 1
        both[row] = alone[row] = 0
        for cluster in range(clusters):
            sizes[cluster] = 0
            for cell in range(cluster * classes, (cluster + 1) * classes):
                sizes[cluster] += table[cell]
                both[row] += table[cell] * (table[cell] - 1) // 2
            alone[row] += sizes[cluster] * (sizes[cluster] - 1) // 2


@kernel(fastmath={"reassoc"})
def weighted_concordance(a, b):
    """Return the sum, over pairs of positions, of the smaller difference over the larger, negative where they have
    different signs, and how many pairs differ in both sequences. Both must have been divided by their ranges.
    """  # noqa: D205
    total, count = 0.0, 0.0
    for i in range(len(a)):
        for j in range(i):
            p, q = a[i] - a[j], b[i] - b[j]
            large, small = max(abs(p), abs(q)), min(abs(p), abs(q))
            share = small / large if small > 0 else 0.0
            total += share if (p > 0) == (q > 0) else -share
            count += 1.0 if small > 0 else 0.0
    return total, count
