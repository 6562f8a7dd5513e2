"""Sums, minima and maxima of the distances between all points by any form of metric, in one pass over the pairs.

Points are sorted by cluster and cut into chunks, each inside one cluster. A chunk is packed into strips of
eight points, `packed[strip, dimension, lane]`; copies of its last point fill the last strip. The innermost kernel
meets four rows with the eight columns of a strip: the running squares then fill half the registers of AVX2, as
many as the latency of a fused multiply-add asks for.

The square of a Euclidean distance is the sum of squared differences, added dimension after dimension with one rounding
each: every kernel here and in `extremes` gives the same number for the same two points.

Numbers of single precision are met two strips at a time, side by side, with twice as many to a register: a block of
dimensions is added up in single precision, blocks in double, for a panel of rows and some strips, before the rest is
done as with others.
"""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.metric_forms import add_dimensions, added, finished, start
from clustval.kernels.pairs.fold_chunks import absorb_sums
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import (
    WIDTH,
    add,
    fetch,
    fma,
    highest,
    least,
    load,
    load_both,
    load_singles,
    lowest,
    most,
    mul,
    no_singles,
    rolled,
    splat,
    spread,
    spread_single,
    step,
    store,
    store_singles,
    sub,
    total,
    widened_left,
    widened_right,
)

BLOCK = 128  # dimensions that are added up in single precision
APART = 1 << 60  # where the columns of a strip begin among the rows, when they are not among them


@kernel
def pack(X, edges, places, packed):
    """Lay the points of each chunk in strips; chunk u begins at place `places[u]`, a multiple of eight."""
    p = X.shape[1]
    for u in range(len(edges) - 1):
        for place in range(places[u], places[u + 1]):
            i = min(edges[u] + place - places[u], edges[u + 1] - 1)
            at = (place >> 3) * WIDTH * p + (place & 7)
            for q in range(p):
                packed[at + WIDTH * q] = X[i, q]


@kernel(inline=True)
def _add_singles(d, c, x):
    """Add the squares of differences in single precision."""
    e = sub(c, x)
    return fma(e, e, d)


@kernel(inline=True)
def _closed(d, first, sums, at):
    """Add what a block of dimensions gave to the sum over those before, in double precision."""
    store(sums, at, add(load(sums, at), d) if first > 0 else d)


@kernel
def add_blocks(rows, at, begin, end, own, columns, strip, n_strips, p, sums):
    """Add up the squares of rows begin..end-1, of a chunk packed at `at`, and of strips from `strip` on, all float32.

    `begin` is a multiple of eight. Four rows are met with two strips at a time. A block of dimensions is added in
    single precision, blocks in double. Sums lie one row after the other, by strip. The strips may be `own`: those of
    the rows' chunk, from that row on; then rows past the last of two strips are left out.
    """
    room = (end - begin + 7) // 8 * 8 * WIDTH
    both = np.empty(2 * WIDTH * (BLOCK + 1), np.float32)  # two strips side by side, from the first cache line on
    line = -(both.ctypes.data // 4) % (2 * WIDTH)
    for first in range(0, p, BLOCK):
        last = min(first + BLOCK, p)
        for s in range(0, n_strips, 2):
            left = strip + s * WIDTH * p
            right = left + (WIDTH * p if s + 1 < n_strips else 0)  # the last strip alone is met twice
            for q in range(first, last):
                c = load_singles(columns, left + WIDTH * q, right + WIDTH * q)
                store_singles(both, line + 2 * WIDTH * (q - first), c)
            # The strips that come next, or the first ones of the next block, are brought near meanwhile.
            ahead = left + 2 * WIDTH * p + WIDTH * first if s + 2 < n_strips else strip + WIDTH * last
            for i in range(begin, min(end, own + (s + 2) * WIDTH), 4):
                for near in range((i - begin) * 8, min((i - begin) * 8 + 32, WIDTH * BLOCK), 16):
                    fetch(columns, ahead + near)
                    fetch(columns, ahead + near + WIDTH * p)
                x = at + (i >> 3) * WIDTH * p + (i & 7) + WIDTH * first
                d0 = d1 = d2 = d3 = no_singles()
                for q in range(last - first):
                    rolled()
                    c = load_both(both, line + 2 * WIDTH * q)
                    d0 = _add_singles(d0, c, spread_single(rows, x + WIDTH * q))
                    d1 = _add_singles(d1, c, spread_single(rows, x + WIDTH * q + 1))
                    d2 = _add_singles(d2, c, spread_single(rows, x + WIDTH * q + 2))
                    d3 = _add_singles(d3, c, spread_single(rows, x + WIDTH * q + 3))
                to = s * room + (i - begin) * WIDTH
                _closed(widened_left(d0), first, sums, to)
                _closed(widened_left(d1), first, sums, to + WIDTH)
                _closed(widened_left(d2), first, sums, to + 2 * WIDTH)
                _closed(widened_left(d3), first, sums, to + 3 * WIDTH)
                if s + 1 < n_strips:
                    to += room
                    _closed(widened_right(d0), first, sums, to)
                    _closed(widened_right(d1), first, sums, to + WIDTH)
                    _closed(widened_right(d2), first, sums, to + 2 * WIDTH)
                    _closed(widened_right(d3), first, sums, to + 3 * WIDTH)


@kernel(inline=True)
def _one(form, rows, x, columns, strip, p, before, at):
    """Return the sums of one row and a strip over all dimensions; those added up `before` lie at `at`."""
    if before is not None:
        return load(before, at)
    d = start(form)
    for q in range(p):
        d = added(form, d, load(columns, strip + WIDTH * q), spread(rows, x + WIDTH * q))
    return d


@kernel(inline=True)
def _four(form, rows, x, columns, strip, begin, end, before, at):
    """Return the sums of four rows and a strip over dimensions begin..end-1; those added up `before` lie at `at`."""
    if before is None:
        zero = start(form)
        return add_dimensions(form, rows, x, columns, strip, begin, end, zero, zero, zero, zero)
    return load(before, at), load(before, at + WIDTH), load(before, at + 2 * WIDTH), load(before, at + 3 * WIDTH)


@kernel(inline=True)
def _more(form, rows, x, columns, strip, begin, end, before, d0, d1, d2, d3):
    """Add what dimensions begin..end-1 give, unless all were added up `before`."""
    if before is None:
        return add_dimensions(form, rows, x, columns, strip, begin, end, d0, d1, d2, d3)
    return d0, d1, d2, d3


@kernel(inline=True)
def _enter(form, d, r, counted, centre, row_sums, row_lows, lows, columns_met):
    """Enter the distances of one row from a strip in its sums and lows; return those of the columns."""
    column_sum, square, low, high = columns_met
    d = finished(form, d)
    e = sub(d, centre)
    if row_sums is not None:
        store(row_sums, r, fma(d, counted, load(row_sums, r)))
        if lows is not None:
            store(row_lows, r, least(d, load(row_lows, r)))
    return add(column_sum, d), fma(e, e, square), least(low, d), most(high, d)


@kernel(inline=True)
def _strip(
    form, before, kept,
    rows, at, begin, end, first, columns, strip, p, counted, shift,
    row_sums, row_lows, sums, lows, peaks, to, peak, squares,
):  # fmt: skip
    """Meet rows begin..end-1 of the chunk packed at `at` with one strip of columns.

    Adds to the sums (and lows and peaks) of the columns from `to` on, and to those of the rows unless
    `row_sums` is None. `first` is the row that is the first column, when the strip lies in the rows' own chunk:
    then rows take only later columns if rows are summed as well, for the pair comes only once; else all but
    themselves. Lanes with `counted` 0 repeat a point: they enter no sum of a row and no square. Where numbers are
    float32, what dimensions add up to was put down `before`, at `kept`.
    """
    zero = splat(0.0)
    centre = splat(shift)
    column_sum = zero
    square = zero
    single_square = zero
    low = high = zero
    if lows is not None:
        low = load(lows, to)
        high = load(peaks, peak)
    i = begin
    while i < end:
        x = at + (i >> 3) * WIDTH * p + (i & 7)
        r = (i - begin) * WIDTH
        stop = i
        if (i & 3) == 0 and (i < first or i >= first + WIDTH):
            stop = min(end, first) if i < first else end
        if i < stop:
            # Roots are slow but need no other unit of the processor: the roots of four rows are taken in between
            # the dimensions of the next four, or before them where dimensions are many: then pauses cost more.
            part = p >> 2 if p < 32 else 0
            columns_met = column_sum, square, low, high
            d0, d1, d2, d3 = _four(form, rows, x, columns, strip, 0, p, before, kept + r)
            for ahead in range(i + 4, stop, 4):
                x = at + (ahead >> 3) * WIDTH * p + (ahead & 7)
                e0, e1, e2, e3 = _four(form, rows, x, columns, strip, 0, part, before, kept + r + 4 * WIDTH)
                columns_met = _enter(form, d0, r, counted, centre, row_sums, row_lows, lows, columns_met)
                e0, e1, e2, e3 = _more(form, rows, x, columns, strip, part, 2 * part, before, e0, e1, e2, e3)
                columns_met = _enter(form, d1, r + WIDTH, counted, centre, row_sums, row_lows, lows, columns_met)
                e0, e1, e2, e3 = _more(form, rows, x, columns, strip, 2 * part, 3 * part, before, e0, e1, e2, e3)
                columns_met = _enter(form, d2, r + 2 * WIDTH, counted, centre, row_sums, row_lows, lows, columns_met)
                e0, e1, e2, e3 = _more(form, rows, x, columns, strip, 3 * part, p, before, e0, e1, e2, e3)
                columns_met = _enter(form, d3, r + 3 * WIDTH, counted, centre, row_sums, row_lows, lows, columns_met)
                d0, d1, d2, d3 = e0, e1, e2, e3
                r += 4 * WIDTH
            left = (stop - i - 1) & 3  # of the last four some may be past the end, or in the strip itself
            columns_met = _enter(form, d0, r, counted, centre, row_sums, row_lows, lows, columns_met)
            if left > 0:
                columns_met = _enter(form, d1, r + WIDTH, counted, centre, row_sums, row_lows, lows, columns_met)
            if left > 1:
                columns_met = _enter(form, d2, r + 2 * WIDTH, counted, centre, row_sums, row_lows, lows, columns_met)
            if left > 2:
                columns_met = _enter(form, d3, r + 3 * WIDTH, counted, centre, row_sums, row_lows, lows, columns_met)
            column_sum, square, low, high = columns_met
            i = stop
        else:
            d0 = finished(form, _one(form, rows, x, columns, strip, p, before, kept + r))
            if row_sums is not None:
                met = mul(counted, step(i - first + 1))
            else:
                met = sub(counted, mul(counted, sub(step(i - first), step(i - first + 1))))
            column_sum = fma(d0, met, column_sum)
            e0 = mul(sub(d0, centre), met)
            single_square = fma(e0, e0, single_square)
            if row_sums is not None:
                store(row_sums, r, fma(d0, met, load(row_sums, r)))
            if lows is not None:  # no minimum inside a cluster is ever read, so the point itself may pass
                low = least(low, d0)
                high = most(high, mul(d0, met))  # but no maximum: not every metric gives 0
                if row_sums is not None:
                    store(row_lows, r, least(d0, load(row_lows, r)))
            i += 1
    store(sums, to, add(load(sums, to), column_sum))
    store(squares, 0, add(load(squares, 0), fma(square, counted, single_square)))
    if lows is not None:
        store(lows, to, low)
        store(peaks, peak, high)


@kernel
def _chunk_pair(
    form, before, group,
    a, b, packed, p, edges, places, shift, panel, sums, lows, highs, row_sums, row_lows, peaks, squares,
):  # fmt: skip
    """Meet chunk a with chunk b, or with itself, and return the sum of squares.

    `sums[u, place]` is the sum of distances from the point at `place` to the points of chunk u, `lows` the
    smallest. This pair writes to sums[b, places of a] and sums[a, places of b], and no other pair does.
    """
    n_places = places[-1]
    n_rows = edges[a + 1] - edges[a]
    n_columns = edges[b + 1] - edges[b]
    n_strips = (places[b + 1] - places[b]) // WIDTH
    here = b * n_places + places[a]
    there = a * n_places + places[b]
    sums[here : here + places[a + 1] - places[a]] = 0.0
    sums[there : there + places[b + 1] - places[b]] = 0.0
    if lows is not None:
        lows[here : here + places[a + 1] - places[a]] = np.inf
        lows[there : there + places[b + 1] - places[b]] = np.inf
        peaks[:] = 0.0
    whole = 0.0
    for begin in range(0, n_rows, panel):
        end = min(begin + panel, n_rows)
        row_sums[: (end - begin) * WIDTH] = 0.0
        squares[:] = 0.0
        if lows is not None:
            row_lows[: (end - begin) * WIDTH] = np.inf
        room = (end - begin + 7) // 8 * 8 * WIDTH
        for one in range(begin // WIDTH if a == b else 0, n_strips, group):
            if before is not None:
                add_blocks(
                    packed, places[a] * p, begin, end, one * WIDTH if a == b else APART,
                    packed, (places[b] + one * WIDTH) * p, min(group, n_strips - one), p, before,
                )  # fmt: skip
            for s in range(one, min(one + group, n_strips)):
                column = s * WIDTH
                first = column if a == b else APART
                counted = sub(splat(1.0), step(n_columns - column))
                _strip(
                    form, before, (s - one) * room,
                    packed, places[a] * p, begin, min(end, first + WIDTH), first,
                    packed, (places[b] + column) * p, p, counted, shift,
                    row_sums, row_lows, sums, lows, peaks, there + column, 0, squares,
                )  # fmt: skip
        for r in range(end - begin):
            sums[here + begin + r] += total(load(row_sums, r * WIDTH))
            if lows is not None:
                low = lowest(load(row_lows, r * WIDTH))
                if low < lows[here + begin + r]:
                    lows[here + begin + r] = low
        whole += total(load(squares, 0))
    if lows is not None:
        highs[a, b] = highs[b, a] = highest(load(peaks, 0))
    return whole


@kernel
def half_square(
    form, before, group,
    a_begin, a_end, b_begin, b_end, packed, p, edges, places, shift, panel, sums, lows, highs,
):  # fmt: skip
    """Meet each of some chunks with each of others that is not before it, and return the sum of squares.

    If there is room `before`, numbers are float32, and `group` strips at a time are met with a panel of rows.
    """
    row_sums = np.empty(panel * WIDTH)
    row_lows = np.empty(panel * WIDTH)
    peaks = np.empty(WIDTH)
    squares = np.empty(WIDTH)
    whole = 0.0
    for a in range(a_begin, a_end):
        for b in range(max(a, b_begin), b_end):
            whole += _chunk_pair(
                form, before, group,
                a, b, packed, p, edges, places, shift, panel,
                sums, lows, highs, row_sums, row_lows, peaks, squares,
            )  # fmt: skip
    return whole


@kernel
def full_square(
    form, before,
    begin, end, columns, packed, p, edges, owners, starts, places, shift, panel,
    own, nearest, neighbour, chunk_sums, chunk_lows, chunk_hausdorff, chunk_highs,
):  # fmt: skip
    """Meet chunks begin..end-1, as columns side by side, with all clusters; return the sum of squares.

    Every pair comes twice, once in each direction, but nothing is left to add up between pieces of work, and
    short clusters cost nothing extra: there are no sums of rows to close. `columns` holds the strips of these
    chunks, `packed` those of all clusters.
    """
    n_columns = edges[end] - edges[begin]
    n_strips = (n_columns + WIDTH - 1) // WIDTH
    sums = np.empty(n_strips * WIDTH)
    squares = np.empty(WIDTH)
    if chunk_lows is not None:
        lows = np.empty(n_strips * WIDTH)
        highs = np.empty(n_strips * WIDTH)
    whole = 0.0
    for c in range(len(starts) - 1):
        size = starts[c + 1] - starts[c]
        sums[:] = 0.0
        if chunk_lows is not None:
            lows[:] = np.inf
            highs[:] = 0.0
        for row in range(0, size, panel):
            squares[:] = 0.0
            stop = min(row + panel, size)
            room = (stop - row + 7) // 8 * 8 * WIDTH
            if before is not None:
                add_blocks(packed, places[c] * p, row, stop, APART, columns, 0, n_strips, p, before)
            for s in range(n_strips):
                column = s * WIDTH
                first = edges[begin] + column - starts[c]
                if first >= size or first + WIDTH <= 0:
                    first = APART
                counted = sub(splat(1.0), step(n_columns - column))
                if chunk_lows is not None:
                    _strip(
                        form, before, s * room,
                        packed, places[c] * p, row, stop, first,
                        columns, column * p, p, counted, shift,
                        None, None, sums, lows, highs, column, column, squares,
                    )  # fmt: skip
                else:
                    _strip(
                        form, before, s * room,
                        packed, places[c] * p, row, stop, first,
                        columns, column * p, p, counted, shift,
                        None, None, sums, None, None, column, column, squares,
                    )  # fmt: skip
            whole += total(load(squares, 0))
        for u in range(begin, end):
            at = edges[u] - edges[begin]
            chunk_sums[u, c] = absorb_sums(
                sums, at, edges[u], edges[u + 1], c == owners[u], c, size, own, nearest, neighbour
            )
            if chunk_lows is not None:
                low = reach = lows[at]
                high = highs[at]
                for i in range(at + 1, at + edges[u + 1] - edges[u]):
                    low = min(low, lows[i])
                    reach = max(reach, lows[i])
                    high = max(high, highs[i])
                chunk_lows[u, c] = low
                chunk_hausdorff[u, c] = reach
                chunk_highs[u, c] = high
    return whole
