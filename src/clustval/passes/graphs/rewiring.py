"""Graphs at random that have the degrees of a given one, and neither loops nor two edges side by side."""

from __future__ import annotations

import numpy as np

from clustval import kernels
from clustval.arrays import Integers
from clustval.passes.work import thresholds

TRIES = 10  # exchanges that are tried for each edge
BITS = 2**64 - 1
GOLDEN, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def rewired(tails: Integers, heads: Integers, n: int, seed: int) -> tuple[Integers, Integers]:
    """Return the ends of as many edges, after as many exchanges of ends as `TRIES` for each edge.

    Each edge keeps its place, so that its weight can follow it.
    """
    tails, heads = tails.astype(np.int64), heads.astype(np.int64)
    if len(tails) < 2:
        return tails, heads
    if len(tails) <= thresholds.SWAPS:
        return rewired_numpy(tails, heads, n, seed)
    table = np.empty(1 << (2 * len(tails) - 1).bit_length(), dtype=np.int64)
    kernels.graphs.rewiring.swap_ends(tails, heads, n, table, TRIES * len(tails), seed)
    return tails, heads


def rewired_numpy(tails: Integers, heads: Integers, n: int, seed: int) -> tuple[Integers, Integers]:  # noqa: ARG001
    """Return what `rewired` returns, with a set of edges."""
    a_ends, b_ends = tails.tolist(), heads.tolist()
    edges = {frozenset(edge) for edge in zip(a_ends, b_ends, strict=True)}
    m, state = len(a_ends), seed
    for _ in range(TRIES * m):
        state = (state + GOLDEN) & BITS
        bits = _mixed(state)
        state = (state + GOLDEN) & BITS
        e, f = (bits >> 1) % m, _mixed(state) % m
        if e == f:
            continue
        a, b = a_ends[e], b_ends[e]
        c, d = (b_ends[f], a_ends[f]) if bits & 1 else (a_ends[f], b_ends[f])
        one, other = frozenset((a, d)), frozenset((c, b))
        if a == d or c == b or one == other or one in edges or other in edges:
            continue
        edges -= {frozenset((a, b)), frozenset((c, d))}
        edges |= {one, other}
        b_ends[e], a_ends[f], b_ends[f] = d, c, b
    return np.array(a_ends, dtype=np.int64), np.array(b_ends, dtype=np.int64)


def _mixed(number: int) -> int:
    number = (number + GOLDEN) & BITS
    number = ((number ^ (number >> 30)) * FIRST) & BITS
    number = ((number ^ (number >> 27)) * SECOND) & BITS
    return number ^ (number >> 31)
