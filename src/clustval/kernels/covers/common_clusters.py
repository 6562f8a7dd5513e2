"""How many clusters two points share, in two covers at once."""

from __future__ import annotations

from clustval.kernels.work.jit import kernel


@kernel
def share(starts, clusters, member_starts, members, row, unit, shared, touched, known):
    """Add a unit for each cluster that another row shares with this row; note rows that had nothing before."""
    for at in range(starts[row], starts[row + 1]):
        cluster = clusters[at]
        for place in range(member_starts[cluster], member_starts[cluster + 1]):
            other = members[place]
            if shared[other] == 0:
                touched[known] = other
                known += 1
            shared[other] += unit
    return known


@kernel
def tally(
    starts_a, clusters_a, member_starts_a, members_a,
    starts_b, clusters_b, member_starts_b, members_b,
    counts, first, last, bits, shared, touched, tables, means,
):  # fmt: skip
    """Count ordered pairs of points by the clusters that they share in A, in B, and alike in both.

    Rows are kinds of points, `counts` says how many there are of each. `shared`, of zeros, holds both numbers of one
    row in one word, that of B above so many `bits`. `means` has the share of what two points have in common in B, or in
    A, that they also have in the other cover, averaged over the points that a point meets there.
    """
    low = shared.dtype.type((1 << bits) - 1)
    one, high = shared.dtype.type(1), shared.dtype.type(1 << bits)
    for i in range(first, last):
        known = share(starts_a, clusters_a, member_starts_a, members_a, i, one, shared, touched, 0)
        known = share(starts_b, clusters_b, member_starts_b, members_b, i, high, shared, touched, known)
        met_a, met_b, kept_a, kept_b = 0, 0, 0.0, 0.0
        for at in range(known):
            j = touched[at]
            a, b = int(shared[j] & low), int(shared[j] >> bits)
            shared[j] = 0
            pairs = counts[i] * (counts[j] - 1) if i == j else counts[i] * counts[j]
            tables[0, a] += pairs
            tables[1, b] += pairs
            if a == b:
                tables[2, 0] += pairs
            if a > 0:
                met_a += counts[j]
                kept_a += counts[j] * (min(a, b) / a)
            if b > 0:
                met_b += counts[j]
                kept_b += counts[j] * (min(a, b) / b)
        means[0, i] = kept_b / met_b
        means[1, i] = kept_a / met_a
