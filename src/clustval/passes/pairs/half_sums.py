"""Sums over all pairs of points of a function of their distance, for each point: every pair is met once.

Points are cut into chunks. A piece of work is a pair of chunks, and writes the sums of either over the points of the
other to places of its own; these are added up in the order of the chunks, on whatever number of threads.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from clustval.arrays import Floats
from clustval.passes.work import threads

CHUNK = 1024  # points, at least
MOST = 32  # chunks: the table of sums has a row for each of them

Meet = Callable[[int, int, int, int, Floats, Floats], object]


def half_sums(meet: Meet, n: int, *, n_jobs: int, chunk: int = CHUNK) -> Floats:
    """Return the sum of each point, where ``meet(a, b, c, d, early, late)`` adds those of two chunks.

    It adds what points a ... b-1 have from later points among c ... d-1 to `early`, and the reverse to `late`; both are
    one array where the chunks are one.
    """
    size = max(chunk, -(-n // MOST))
    edges = [*range(0, n, size), n]
    count = len(edges) - 1
    parts = np.zeros((count, n))
    pieces = [(one, other) for one in range(count) for other in range(one, count)]

    def work(item: int) -> None:
        one, other = pieces[item]
        a, b, c, d = *edges[one : one + 2], *edges[other : other + 2]
        meet(a, b, c, d, parts[other, a:b], parts[one, c:d])

    threads.run(work, len(pieces), n_jobs)
    return np.asarray(parts.sum(axis=0))
