"""All pairs of a point of one stripe of rows and a point of another: a tile of the square of all pairs.

Each tile is a piece of work of its own, wherever it is done; what the tiles of a stripe leave behind adds up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.metrics.form import Form
from clustval.passes.metrics.measure_images import form_distances_numpy
from clustval.passes.metrics.strips import Panel, aligned, strips_of
from clustval.passes.work import thresholds


@dataclass(frozen=True)
class Stripe:
    """Points of some rows, sorted by cluster, as the form of the metric wants them."""

    points: Floats
    sizes: Integers  # (k,), some of them 0


@dataclass(frozen=True)
class Meeting:
    """What the pairs of a tile leave behind: for the points of either stripe, and for each two clusters."""

    sums: tuple[Floats, ...]  # of the distances of each point to the points of each cluster of the other (n, k)
    squares: float  # sum of (d - shift)**2
    lows: tuple[Floats, ...] | None = None  # the smallest of them
    highs: Floats | None = None  # (k, k): the largest distance of a point of a and one of b


def meeting(a: Stripe, b: Stripe | None, form: Form, shift: float, *, full: bool) -> Meeting:
    """Meet the points of two stripes, or those of one with each other; for extremes as well if full."""
    if not thresholds.COMPILED:
        return meeting_numpy(a, b, form, shift, full=full)
    k, p = len(a.sizes), a.points.shape[1]
    sizes = a.sizes if b is None else np.concatenate([a.sizes, b.sizes])
    points = a.points if b is None else np.concatenate([a.points, b.points])
    present = np.flatnonzero(sizes)  # each of them a chunk
    edges = np.concatenate([[0], np.cumsum(sizes[present])])
    packed, places = strips_of(points, edges)
    chunks, first = len(present), int(np.count_nonzero(present < k))
    room = chunks * int(places[-1])
    sums, lows = aligned(room), aligned(room) if full else None
    highs = np.empty((chunks, chunks)) if full else None
    panel = Panel.of(p, points.dtype)
    squares = kernels.pairs.half_square.half_square(
        form, panel.room(), panel.strips,
        0, first, 0 if b is None else first, chunks,
        packed, p, edges, places, shift, panel.rows, sums, lows, highs,
    )  # fmt: skip
    place = np.arange(len(points)) + np.repeat(places[:-1] - edges[:-1], np.diff(edges))

    def table(values: Floats, start: float, rows: slice, others: slice) -> Floats:
        """Return what the points of some rows have with the chunks of others, by cluster."""
        by_cluster = np.full((len(place[rows]), k), start)
        by_cluster[:, present[others] % k] = values.reshape(chunks, int(places[-1]))[others, place[rows]].T
        return by_cluster

    n = len(a.points)
    sides = [(slice(0, n), slice(first, None)), (slice(n, None), slice(0, first))]
    sides = [(slice(None), slice(None))] if b is None else sides
    return Meeting(
        sums=tuple(table(sums, 0.0, *side) for side in sides),
        squares=float(squares),
        lows=None if lows is None else tuple(table(lows, np.inf, *side) for side in sides),
        highs=None if highs is None else _by_cluster(highs, present, k, first, apart=b is not None),
    )


def _by_cluster(highs: Floats, present: Integers, k: int, first: int, *, apart: bool) -> Floats:
    """Return the largest distances of each two clusters, from those of their chunks."""
    table = np.zeros((k, k))
    if not apart:
        table[np.ix_(present, present)] = highs
        return table
    table[np.ix_(present[:first], present[first:] - k)] = highs[:first, first:]
    return np.maximum(table, table.T)


def meeting_numpy(a: Stripe, b: Stripe | None, form: Form, shift: float, *, full: bool) -> Meeting:
    """Return what `meeting` returns, in plain NumPy."""
    other = a if b is None else b
    distances = form_distances_numpy(form, a.points, other.points)
    deviations = (distances - shift) ** 2
    if b is None:
        np.fill_diagonal(deviations, 0.0)

    def folded(operation: np.ufunc, d: Floats, sizes: Integers, start: float) -> Floats:
        table = np.full((len(d), len(sizes)), start)
        present = np.flatnonzero(sizes)
        if len(present):
            table[:, present] = operation.reduceat(d, (np.cumsum(sizes) - sizes)[present], axis=1)
        return table

    sides = [(distances, other.sizes)] if b is None else [(distances, other.sizes), (distances.T, a.sizes)]
    highs = None
    if full:
        highs = folded(np.maximum, folded(np.maximum, distances, other.sizes, 0.0).T, a.sizes, 0.0)
        highs = np.maximum(highs, highs.T)
    return Meeting(
        sums=tuple(folded(np.add, d, sizes, 0.0) for d, sizes in sides),
        squares=float(deviations.sum()) / (2 if b is None else 1),
        lows=tuple(folded(np.minimum, d, sizes, np.inf) for d, sizes in sides) if full else None,
        highs=highs,
    )
