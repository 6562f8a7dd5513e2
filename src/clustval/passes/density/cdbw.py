"""Points that stand for their cluster, and how many points lie near these and halfway between two clusters (CDbw).

Representatives are chosen, those of two clusters matched, and points counted. The first and the last of these three
visit the points: all at once, or blocks of them, one after another.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from clustval import kernels
from clustval.arrays import Flags, Floats, Integers
from clustval.kernels.work.rounding import SLACK
from clustval.passes.work import threads, thresholds

STEPS = np.arange(1, 9) / 10  # shares of the way to the centre that representatives are moved


class Clusters(NamedTuple):
    """Points sorted by cluster, also from the origin of the centres, and limits, centre and spread of each cluster."""

    X: Floats
    Z: Floats
    starts: Integers
    centres: Floats
    deviations: Floats

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.centres)

    @property
    def compiled(self) -> bool:
        """Whether there are points enough for compiled code."""
        return len(self.X) > thresholds.PAIRS


class Chosen(NamedTuple):
    """Representatives of each cluster: the points as they are (k, most, p), from the origin, and how many there are."""

    points: Floats
    places: Floats
    counts: Integers


class Matches(NamedTuple):
    """Representatives that are each other's nearest: their clusters (m, 2), numbers (m, 2) and distances (m,)."""

    pairs: Integers
    ends: Integers
    distances: Floats


class Counts(NamedTuple):
    """Points around moved representatives (k, steps), and around the midpoints of matches (m,)."""

    inside: Integers
    between: Integers


class Densities(NamedTuple):
    """Densities and distances between clusters (k, k), zero on the diagonal, and shares inside them (k, steps)."""

    between: Floats
    distances: Floats
    inside: Floats


def densities(clusters: Clusters, count: int, *, n_jobs: int) -> Densities:
    """Return the densities around up to `count` representatives of each cluster."""
    chosen = _chosen(clusters, count, n_jobs)
    matches = matches_of(chosen, n_jobs=n_jobs, compiled=clusters.compiled)
    counts = counts_near(clusters, chosen, matches, n_jobs=n_jobs)
    return densities_of(np.diff(clusters.starts), clusters.deviations, chosen, matches, counts)


# --- representatives -------------------------------------------------------------------------------------


def _chosen(clusters: Clusters, count: int, n_jobs: int) -> Chosen:
    """Return representatives: the farthest point from the centre, and the farthest from those before, of all points."""
    X, Z, starts, _, _ = clusters
    picks, counts = np.zeros((clusters.k, count), dtype=np.int64), np.empty(clusters.k, dtype=np.int64)
    leaders = np.flatnonzero(leaders_of(starts, centre_squares(clusters)))
    firsts = leaders[np.searchsorted(leaders, starts[:-1])]

    def look(c: int) -> None:
        if clusters.compiled:
            counts[c] = kernels.density.cdbw.pick(X, starts[c], starts[c + 1], firsts[c], picks[c])
        else:
            own = _picks(X, np.arange(starts[c], starts[c + 1]), firsts[c], count)
            counts[c], picks[c, : len(own)] = len(own), own

    threads.run(look, clusters.k, n_jobs if clusters.compiled else 1)
    return Chosen(X[picks], Z[picks], counts)


def centre_squares(clusters: Clusters) -> Floats:
    """Return the squared distance of each point to the centre of its cluster."""
    _, Z, starts, centres, _ = clusters
    squares = np.empty(len(Z))
    if clusters.compiled:
        kernels.density.cdbw.centre_squares(Z, starts, centres, squares)
        return squares
    for (lo, hi), centre in zip(pairwise(starts), centres, strict=True):
        squares[lo:hi] = _squares(Z[lo:hi], centre[None])[:, 0]
    return squares


def leaders_of(starts: Integers, squares: Floats) -> Flags:
    """Return which points are farther than all before them in their cluster, and farthest of all up to rounding."""
    leaders: Flags = np.zeros(len(squares), dtype=bool)
    if len(squares) > thresholds.PAIRS:
        kernels.density.cdbw.mark_leaders(starts, squares, leaders)
        return leaders
    for lo, hi in pairwise(starts):
        own = squares[lo:hi]
        before = np.maximum.accumulate(np.append(-1.0, own))[:-1]
        leaders[lo:hi] = (own > before) & (own * SLACK >= own.max(initial=-1.0))
    return leaders


def farthest_rows(X: Floats, starts: Integers, chosen: Chosen) -> tuple[Integers, Floats]:
    """Return of each cluster the point that is farthest from its representatives so far, and how far it is, squared.

    Where that is 0, or a cluster has no points here, the number of the point means nothing.
    """
    k = len(starts) - 1
    rows, squares = np.zeros(k, dtype=np.int64), np.zeros(k)
    if len(X) > thresholds.PAIRS:
        kernels.density.cdbw.farthest_rows(X, starts, chosen.points, chosen.counts, rows, squares)
        return rows, squares
    for c, (lo, hi) in enumerate(pairwise(starts)):
        if hi > lo and chosen.counts[c]:
            near = _squares(X[lo:hi], chosen.points[c, : chosen.counts[c]]).min(axis=1)
            rows[c], squares[c] = lo + near.argmax(), near.max()
    return rows, squares


def _picks(X: Floats, here: Integers, first: int, count: int) -> Integers:
    picks = [first]
    near = np.full(len(here), np.inf)
    while len(picks) < count:
        near = np.minimum(near, _squares(X[here], X[picks[-1]][None])[:, 0])
        if near.max() == 0:
            break
        picks.append(here[near.argmax()])
    return np.array(picks)


# --- matches and counts ----------------------------------------------------------------------------------


def matches_of(chosen: Chosen, *, n_jobs: int, compiled: bool) -> Matches:
    """Return the representatives of each two clusters that are each other's nearest, in the order of the clusters."""
    points, counts = chosen.points, chosen.counts
    k, most = points.shape[:2]
    parts: list[Matches] = [Matches(np.empty((0, 2), int), np.empty((0, 2), int), np.empty(0))] * k

    def look(a: int) -> None:
        if not compiled:
            parts[a] = _matches_numpy(chosen, a)
            return
        room = max(1, (k - a - 1) * most)
        others, ends, distances = np.empty(room, dtype=np.int64), np.empty((room, 2), dtype=np.int64), np.empty(room)
        number = kernels.density.cdbw.match(points, counts, a, others, ends, distances)
        pairs = np.column_stack([np.full(number, a), others[:number]])
        parts[a] = Matches(pairs, ends[:number].copy(), distances[:number].copy())

    threads.run(look, k, n_jobs if compiled else 1)
    return Matches(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _matches_numpy(chosen: Chosen, a: int) -> Matches:
    pairs, ends, distances = [np.empty((0, 2), int)], [np.empty((0, 2), int)], [np.empty(0)]
    for b in range(a + 1, len(chosen.counts)):
        own, others = (chosen.points[c, : chosen.counts[c]] for c in (a, b))
        squares = _squares(own, others)
        there, back = squares.argmin(axis=1), squares.argmin(axis=0)
        mutual = np.flatnonzero(back[there] == np.arange(len(there)))
        pairs.append(np.tile([a, b], (len(mutual), 1)))
        ends.append(np.column_stack([mutual, there[mutual]]))
        distances.append(np.sqrt(squares[mutual, there[mutual]]))
    return Matches(np.concatenate(pairs), np.concatenate(ends), np.concatenate(distances))


def counts_near(clusters: Clusters, chosen: Chosen, matches: Matches, *, n_jobs: int) -> Counts:
    """Return how many of the points, perhaps some of all, lie near representatives and near midpoints."""
    _, Z, starts, centres, deviations = clusters
    inside = np.zeros((clusters.k, len(STEPS)), dtype=np.int64)
    between = np.zeros(len(matches.distances), dtype=np.int64)
    begins = np.searchsorted(matches.pairs[:, 0], np.arange(clusters.k + 1))

    def look(c: int) -> None:
        if not clusters.compiled:
            _count_numpy(clusters, chosen, matches, c, inside, between)
            return
        kernels.density.cdbw.count_inside(
            Z, starts, c, c + 1, centres, chosen.places, chosen.counts, deviations, STEPS, inside
        )
        kernels.density.cdbw.count_between(
            Z, starts, begins[c], begins[c + 1], matches.pairs, matches.ends, chosen.places, deviations, between
        )

    threads.run(look, clusters.k, n_jobs if clusters.compiled else 1)
    return Counts(inside, between)


def _count_numpy(
    clusters: Clusters, chosen: Chosen, matches: Matches, c: int, inside: Integers, between: Integers
) -> None:
    """Count around the representatives of a cluster, and around its matches with later ones, in plain NumPy."""
    _, Z, starts, centres, deviations = clusters
    places = chosen.places[c, : chosen.counts[c]]
    for at, step in enumerate(STEPS):
        inside[c, at] = _near(Z[starts[c] : starts[c + 1]], places + step * (centres[c] - places), deviations[c]).sum()
    for at in np.flatnonzero(matches.pairs[:, 0] == c).tolist():
        other, (i, j) = matches.pairs[at, 1], matches.ends[at]
        middle = (chosen.places[c, i] + chosen.places[other, j])[None] / 2
        both = np.concatenate([Z[starts[one] : starts[one + 1]] for one in (c, other)])
        between[at] = _near(both, middle, (deviations[c] + deviations[other]) / 2).sum()


def densities_of(sizes: Integers, deviations: Floats, chosen: Chosen, matches: Matches, counts: Counts) -> Densities:
    """Return the densities of counts of all points: means over the matches of each two clusters."""
    k, (a, b) = len(sizes), matches.pairs.T
    cells = a * k + b
    numbers = np.bincount(cells, minlength=k * k)
    with np.errstate(all="ignore"):  # clusters without extent, and a cluster beside itself
        radii = (deviations[a] + deviations[b]) / 2
        terms = matches.distances / (2 * radii) * counts.between / (sizes[a] + sizes[b])
        tables = [np.bincount(cells, values, minlength=k * k) / numbers for values in (terms, matches.distances)]
    between, distances = (np.where(numbers, table, 0.0).reshape(k, k) for table in tables)
    return Densities(between + between.T, distances + distances.T, counts.inside / (chosen.counts * sizes)[:, None])


def _near(points: Floats, centres: Floats, radius: float) -> Flags:
    return _squares(points, centres) <= radius * radius * SLACK


def _squares(A: Floats, B: Floats) -> Floats:
    squares = np.zeros((len(A), len(B)))
    for a, b in zip(A.T, B.T, strict=True):
        squares += (a[:, None] - b) ** 2
    return squares
