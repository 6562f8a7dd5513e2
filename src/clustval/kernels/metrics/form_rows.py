"""Rows of distances by any form of metric, from points packed in strips as in `half_square`."""

from __future__ import annotations

import numpy as np

from clustval.kernels.metrics.metric_forms import add_dimensions, added, finished, start
from clustval.kernels.work.jit import kernel
from clustval.kernels.work.lanes import WIDTH, load, rolled, store


@kernel(inline=True)
def _put(d, out, at, count, room):
    """Put the distances of a row from the first `count` points of a strip at out[at:]."""
    if count == WIDTH:
        store(out, at, d)
    else:
        store(room, 0, d)
        out[at : at + count] = room[:count]


@kernel
def form_rows(form, rows, n_rows, columns, first, n, p, panel, out):
    """Fill in the distances of packed rows to packed columns `first` ... n-1, `first` a multiple of eight.

    Rows are met with one strip after another in panels, so that they stay in the cache. `out` is flat, with n columns.
    """
    room = np.empty(WIDTH)
    for begin in range(0, n_rows, panel):
        for column in range(first, n, WIDTH):
            count = min(WIDTH, n - column)
            for i in range(begin, min(begin + panel, n_rows), 4):
                x = (i >> 3) * WIDTH * p + (i & 7)
                zero = start(form)
                d0, d1, d2, d3 = add_dimensions(form, rows, x, columns, column * p, 0, p, zero, zero, zero, zero)
                at = i * n + column
                _put(finished(form, d0), out, at, count, room)
                if i + 1 < n_rows:
                    _put(finished(form, d1), out, at + n, count, room)
                if i + 2 < n_rows:
                    _put(finished(form, d2), out, at + 2 * n, count, room)
                if i + 3 < n_rows:
                    _put(finished(form, d3), out, at + 3 * n, count, room)


@kernel
def form_pairs(form, first, second, p, out):
    """Fill in the distances of packed points to the points at the same places of others, all strips full."""
    for at in range(0, len(out), WIDTH):
        d = start(form)
        for q in range(p):
            rolled()
            place = at * p + WIDTH * q
            d = added(form, d, load(first, place), load(second, place))
        store(out, at, finished(form, d))
