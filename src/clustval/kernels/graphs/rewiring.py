"""Graphs at random with the degrees of a given one: two edges exchange their ends, many times over.

Edges are kept in a table by open addressing, so that an exchange that would double an edge is seen at once.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.work.jit import kernel

EMPTY = np.int64(-1)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)


@kernel
def _mixed(x):
    """Return the bits of a number, stirred (splitmix64)."""
    x = np.uint64(x) + GOLDEN
    x = (x ^ (x >> np.uint64(30))) * FIRST
    x = (x ^ (x >> np.uint64(27))) * SECOND
    return x ^ (x >> np.uint64(31))


@kernel
def _place(table, key):
    """Return where a key is, or where it would be."""
    mask = len(table) - 1
    at = np.int64(_mixed(key) & np.uint64(mask))
    while table[at] != EMPTY and table[at] != key:
        at = (at + 1) & mask
    return at


@kernel
def _remove(table, key):
    """Take a key out and close the gap: keys behind it that would no longer be reached move up."""
    mask = len(table) - 1
    gap = _place(table, key)
    table[gap] = EMPTY
    at = (gap + 1) & mask
    while table[at] != EMPTY:
        home = np.int64(_mixed(table[at]) & np.uint64(mask))
        if ((at - home) & mask) >= ((at - gap) & mask):
            table[gap] = table[at]
            table[at] = EMPTY
            gap = at
        at = (at + 1) & mask


@kernel
def _key(a, b, n):
    return min(a, b) * n + max(a, b)


@kernel
def swap_ends(tails, heads, n, table, tries, seed):
    """Exchange ends of two edges drawn at random, so often as `tries` allows; return how many exchanges were made.

    Edges (a, b) and (c, d) become (a, d) and (c, b), or (a, c) and (b, d), as the next random bit says; not where that
    makes a loop or an edge that there is already. `table` is as long as a power of two, twice the edges at least.
    """
    table[:] = EMPTY
    m = len(tails)
    for e in range(m):
        key = _key(tails[e], heads[e], n)
        table[_place(table, key)] = key
    state = np.uint64(seed)
    made = 0
    for _ in range(tries):
        state += GOLDEN
        bits = _mixed(state)
        e = np.int64((bits >> np.uint64(1)) % np.uint64(m))
        state += GOLDEN
        f = np.int64(_mixed(state) % np.uint64(m))
        if e == f:
            continue
        a, b = tails[e], heads[e]
        c, d = tails[f], heads[f]
        if bits & np.uint64(1):
            c, d = d, c
        if a == d or c == b:
            continue
        one, other = _key(a, d, n), _key(c, b, n)
        if one == other or table[_place(table, one)] != EMPTY or table[_place(table, other)] != EMPTY:
            continue
        _remove(table, _key(a, b, n))
        _remove(table, _key(c, d, n))
        table[_place(table, one)] = one
        table[_place(table, other)] = other
        heads[e] = d
        tails[f], heads[f] = c, b
        made += 1
    return made
