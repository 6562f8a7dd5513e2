"""Labels that flow through a graph from dense points to thin ones."""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel


@kernel
def flow(order, starts, ends, labels, count):
    """Give each unlabelled point, in this order, the label that most of its labelled neighbours have then.

    Of labels with equal votes, the smallest. A point without a labelled neighbour stays at -1.
    """
    votes = np.zeros(count, np.int64)
    for x in order:
        if labels[x] >= 0:
            continue
        votes[:] = 0
        for at in range(starts[x], starts[x + 1]):
            label = labels[ends[at]]
            if label >= 0:
                votes[label] += 1
        if votes.max() > 0:
            labels[x] = votes.argmax()
