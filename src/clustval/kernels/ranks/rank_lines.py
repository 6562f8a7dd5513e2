"""Where a distance ranks among the stored distances of its bin: one cache line answers.

The value range of a bin is cut into even parts, about sixteen stored distances in each. A *line* of 64 bytes
describes a part: how many distances lie before it, and the place of each inside it in 16 bits. One comparison of
vectors tells how many are below a given distance; only equal places need a look at the distances themselves.
"""

from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from clustval.kernels.work.jit import kernel

# What is known of a bin: one row of an integer table.
OFFSET = 0  # where its distances begin in the store
DISTINCT = 1  # how many follow
LINE = 2  # its first line
PARTS = 3  # how many lines it has, besides one that closes it
LOW = 4  # the value range that is cut into parts
SPAN = 5
SHIFT = 6
FACTOR = 7
TIED = 8  # whether equal distances are stored once, and their cumulated numbers follow
FIELDS = 9

LANES = 32  # of a line: two for its rank, a number of 32 bits, the others for places
PLACES = 30
CROWDED = 1 << 31  # mark on the rank of a line with more distances than lanes
NO_PLACE = 65535
LARGEST = 0x7FFFFFFFFFFFFFFF


@intrinsic
def compare_line(typing_context, lines, at, place):  # noqa: ARG001
    """Return how many places of a line are below `place`, and how many equal it.

    Written as vector instructions, because a loop over the lanes is not compiled to them.
    """
    signature = types.UniTuple(types.uint64, 2)(lines, types.uint64, types.uint16)

    def generate(context, builder, signature, arguments):
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        i32, i64 = ir.IntType(32), ir.IntType(64)
        vector = ir.VectorType(ir.IntType(16), LANES)
        nothing = ir.Constant(vector, ir.Undefined)
        pointer = builder.bitcast(builder.gep(array.data, [arguments[1]]), vector.as_pointer())
        lanes = builder.load(pointer, align=2)
        places = builder.insert_element(nothing, arguments[2], i32(0))
        places = builder.shuffle_vector(places, nothing, ir.Constant(ir.VectorType(i32, LANES), [0] * LANES))
        not_the_rank = i32(0xFFFFFFFC)
        below = builder.bitcast(builder.icmp_unsigned("<", lanes, places), i32)
        below = builder.ctpop(builder.and_(below, not_the_rank))
        same = builder.bitcast(builder.icmp_unsigned("==", lanes, places), i32)
        same = builder.ctpop(builder.and_(same, not_the_rank))
        answer = [builder.zext(below, i64), builder.zext(same, i64)]
        return context.make_tuple(builder, signature.return_type, answer)

    return signature, generate


@kernel
def index_bin(store, lines, about):
    """Prepare the lookup in a bin whose distances are sorted.

    Where most are ties, each distance is kept once, followed by how many pairs come before it.
    """
    values = store[about[OFFSET] : about[OFFSET] + about[DISTINCT]]
    count = len(values)
    distinct = 1
    for r in range(1, count):
        distinct += values[r] != values[r - 1]
    if 2 * distinct + 1 <= count:
        cumulated = np.zeros(distinct + 1, np.int64)
        cumulated[distinct] = count
        u = 0
        for r in range(1, count):
            if values[r] != values[u]:
                u += 1
                values[u] = values[r]
                cumulated[u] = r
        for r in range(distinct + 1):
            values[distinct + r] = cumulated[r]
        about[TIED] = 1
        about[DISTINCT] = distinct
    write_lines(store[about[OFFSET] : about[OFFSET] + about[DISTINCT]], lines, about)


@kernel
def write_lines(values, lines, about):
    """Write the lines of a bin.

    The range reaches a little beyond the stored distances, so that no others share the place of the outermost.
    """
    count = len(values)
    margin = ((values[count - 1] - values[0]) >> 6) + 1
    low = values[0] - margin if values[0] > margin else 0
    room = LARGEST - values[count - 1]
    span = values[count - 1] - low + (margin if margin < room else room)
    shift = 0
    while span >> shift >= 1 << 32:
        shift += 1
    factor = (about[PARTS] << 32) // ((span >> shift) + 1)
    about[LOW], about[SPAN], about[SHIFT], about[FACTOR] = low, span, shift, factor
    ranks = lines.view(np.uint32)
    at = about[LINE] * LANES
    r = 0
    where = ((values[0] - low) >> shift) * factor
    for part in range(about[PARTS]):
        rank = r
        while r < count and where >> 32 == part:
            if r - rank < PLACES:
                lines[at + 2 + r - rank] = ((where & 0xFFFFFFFF) * NO_PLACE) >> 32
            r += 1
            where = ((values[r] - low) >> shift) * factor if r < count else 0
        for rest in range(r - rank, PLACES):
            lines[at + 2 + rest] = NO_PLACE
        ranks[at >> 1] = rank | CROWDED if r - rank > PLACES else rank
        at += LANES
    ranks[at >> 1] = count


@kernel
def lower_bound(values, x, lo, hi):
    """Return how many of the sorted values are below x, given that it is from lo to hi."""
    while hi - lo > 4:
        middle = (lo + hi) >> 1
        if values[middle] < x:
            lo = middle + 1
        else:
            hi = middle
    while lo < hi and values[lo] < x:
        lo += 1
    return lo


@kernel
def look_up(queue, count, store, lines, about, totals):
    """Add, over the first `count` distances of the queue, how many stored ones are less and how many equal.

    Those whose line leaves a doubt are moved to the front of the queue, so that no branch has to be guessed, and
    are then compared with the distances themselves.
    """
    low, span = about[LOW], about[SPAN]
    shift, factor = np.uint64(about[SHIFT]), np.uint64(about[FACTOR])
    first, lanes = np.uint64(about[LINE]), np.uint64(LANES)
    one, word, lower = np.uint64(1), np.uint64(32), np.uint64(0xFFFFFFFF)
    ranks = lines.view(np.uint32)
    less, equal, doubts = np.uint64(0), np.uint64(0), np.uint64(0)
    tied = about[TIED] == 1
    if not tied:
        for j in range(count):
            x = queue[j]
            where = x - low
            where = where if where > 0 else 0
            where = where if where < span else span
            scaled = (np.uint64(where) >> shift) * factor
            at = (first + (scaled >> word)) * lanes
            below, same = compare_line(lines, at, np.uint16(((scaled & lower) * np.uint64(NO_PLACE)) >> word))
            rank = np.uint64(ranks[at >> one])
            doubt = np.uint64(same != np.uint64(0)) | (rank >> np.uint64(31))
            less += (rank + below) & (doubt - one)  # all bits if there is no doubt, else none
            queue[doubts] = x
            doubts += doubt
        count = np.int64(doubts)
    values = store[about[OFFSET] : about[OFFSET] + about[DISTINCT]]
    before = store[about[OFFSET] + about[DISTINCT] : about[OFFSET] + 2 * about[DISTINCT] + 1]
    for j in range(count):
        x = queue[j]
        where = x - low
        where = where if where > 0 else 0
        where = where if where < span else span
        scaled = (np.uint64(where) >> shift) * factor
        at = (first + (scaled >> word)) * lanes
        rank = np.int64(ranks[at >> one])
        if rank < CROWDED:
            below, same = compare_line(lines, at, np.uint16(((scaled & lower) * np.uint64(NO_PLACE)) >> word))
            lo = rank + np.int64(below)
            hi = lo + np.int64(same)
        else:
            lo = rank - CROWDED
            hi = np.int64(ranks[(at + lanes) >> one] & np.uint32(CROWDED - 1))
        r = lower_bound(values, x, lo, hi)
        present = r < hi and values[r] == x
        if tied:
            less += np.uint64(before[r])
            if present:
                equal += np.uint64(before[r + 1] - before[r])
        else:
            less += np.uint64(r)
            if present:
                equal += np.uint64(lower_bound(values, x + 1, r, hi) - r)
    # 32 bits at a time: the sums over all bins may pass 64.
    totals[0] += np.int64(less & lower)
    totals[1] += np.int64(less >> word)
    totals[2] += np.int64(equal & lower)
    totals[3] += np.int64(equal >> word)
