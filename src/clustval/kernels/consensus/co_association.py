"""How many of several labellings put two points together."""

from __future__ import annotations

from clustval.kernels.work.jit import kernel


@kernel(inline=True)
def compare(codes, i, j):
    """Return how many labellings have both points, and how many put them together; -1 is no label."""
    both, together = 0, 0
    for b in range(codes.shape[1]):
        a, c = codes[i, b], codes[j, b]
        both += (a >= 0) & (c >= 0)
        together += (a >= 0) & (a == c)
    return both, together


@kernel
def tally(codes, counts, first, last, table):
    """Count pairs of points by how many labellings put them together (rows) of how many that have both (columns).

    Rows of codes are kinds of points, of which there are `counts` each.
    """
    for i in range(first, last):
        both, together = compare(codes, i, i)
        table[together, both] += counts[i] * (counts[i] - 1) // 2
        for j in range(i):
            both, together = compare(codes, i, j)
            table[together, both] += counts[i] * counts[j]


@kernel
def associate(codes, rows, both, together):
    """Write how many labellings have each of some points and any point, and how many put them together."""
    for at in range(len(rows)):
        for j in range(len(codes)):
            both[at, j], together[at, j] = compare(codes, rows[at], j)
