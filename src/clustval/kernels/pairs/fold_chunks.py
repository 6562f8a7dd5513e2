"""From sums and minima by chunk to the own sum and nearest cluster of each point, and to sums by cluster."""

from __future__ import annotations

from clustval.kernels.work.jit import kernel

BLOCK = 128  # long sums are sums of sums of this many numbers, which keeps rounding errors from piling up


@kernel
def absorb_sums(sums, at, begin, end, mine, c, size, own, nearest, neighbour):
    """Show points begin..end-1 their sums of distances to cluster c, sums[at:], and return the total."""
    whole = 0.0
    for block in range(begin, end, BLOCK):
        part = 0.0
        for i in range(block, min(block + BLOCK, end)):
            value = sums[at + i - begin]
            part += value
            if mine:
                own[i] = value
            elif value / size < nearest[i]:  # strict: the first of equally near clusters stays
                nearest[i] = value / size
                neighbour[i] = c
        whole += part
    return whole


@kernel
def fold_sums(
    begin, end, edges, owners, starts, first_chunks, places, sums, own, nearest, neighbour, chunk_sums
):  # fmt: skip
    """For the points of chunks begin..end-1, fold sums of distances to chunks to those to clusters, in place."""
    n_places = places[-1]
    for u in range(begin, end):
        count = edges[u + 1] - edges[u]
        for c in range(len(starts) - 1):
            at = first_chunks[c] * n_places + places[u]
            for v in range(first_chunks[c] + 1, first_chunks[c + 1]):
                other = v * n_places + places[u]
                for i in range(count):
                    sums[at + i] += sums[other + i]
            size = starts[c + 1] - starts[c]
            chunk_sums[u, c] = absorb_sums(
                sums, at, edges[u], edges[u + 1], c == owners[u], c, size, own, nearest, neighbour
            )


@kernel
def fold_lows(begin, end, edges, first_chunks, places, lows, chunk_lows, chunk_hausdorff):
    """For the points of chunks begin..end-1, fold smallest distances to chunks to those to clusters, in place."""
    n_places = places[-1]
    for u in range(begin, end):
        count = edges[u + 1] - edges[u]
        for c in range(len(first_chunks) - 1):
            at = first_chunks[c] * n_places + places[u]
            for v in range(first_chunks[c] + 1, first_chunks[c + 1]):
                other = v * n_places + places[u]
                for i in range(count):
                    lows[at + i] = min(lows[at + i], lows[other + i])
            low = reach = lows[at]
            for i in range(at + 1, at + count):
                low = min(low, lows[i])
                reach = max(reach, lows[i])
            chunk_lows[u, c] = low
            chunk_hausdorff[u, c] = reach
