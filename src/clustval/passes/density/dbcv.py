"""Densities inside clusters and between them, along spanning trees of mutual reachability (DBCV)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from clustval import kernels
from clustval.arrays import Flags, Floats, Integers
from clustval.lazy import cached_property
from clustval.passes.metrics.measure_between import ROOT, distances_between
from clustval.passes.points.places import Places
from clustval.passes.work import threads, thresholds

CELLS = 2**28  # distances that a thread measures before it looks whether to stop, about a second

Between = Callable[[Integers, Integers], Floats]  # distances of some points to others


@dataclass(frozen=True)
class ClusterTree:
    """The spanning tree of one cluster: core distances, and the edge by which each point joined."""

    core: Floats
    parent: Integers  # -1 for the first
    reach: Floats
    copies: Integers | int = 0  # (n,) further edges of each point, to points that equal it and have no other edge

    @cached_property
    def inner(self) -> Flags:
        """Which points are inside the tree: those with another number of edges than one; all if there are none."""
        n = len(self.core)
        edges = np.bincount(self.parent[1:], minlength=n) + (self.parent >= 0) + self.copies
        inner: Flags = edges != 1
        return inner if inner.any() else np.ones(n, dtype=bool)

    @property
    def sparseness(self) -> float:
        """The longest edge between inner points; the longest of all if there is none."""
        inner = self.inner
        both = inner[1:] & inner[self.parent[1:]]
        lengths = self.reach[1:][both] if both.any() else self.reach[1:]
        return float(lengths.max(initial=0.0))


@dataclass(frozen=True)
class Densities:
    """Sparseness of each cluster, and how sparse it is between it and the nearest other one."""

    sparseness: Floats  # (k,) NaN for clusters of one point
    separation: Floats  # (k,)


def densities_of_points(
    X: Floats,
    starts: Integers,
    *,
    exponent: int,
    squared: bool,
    by_distance: bool,
    n_jobs: int,
    factor: float = ROOT,
    cells: int = CELLS,
    crowd: Places | None = None,
) -> Densities:
    """Return the densities of points sorted by cluster, by their distances or the squares of these.

    The shortest edges of equal points lead to the first of them, and are the first where ties of reach go by distance:
    it alone has edges to other places. So a tree of the places in a cluster, `crowd`, has the same inner points.
    """
    if len(X) <= thresholds.PAIRS:
        return densities_numpy(
            lambda a, b: distances_between(X[a], X[b], factor),
            starts,
            exponent=exponent,
            squared=squared,
            by_distance=by_distance,
        )
    inner: dict[int, tuple[Floats, Floats]] = {}  # columns and core distances of inner points

    def tree(c: int) -> ClusterTree:
        columns = np.ascontiguousarray(X[starts[c] : starts[c + 1]].T)
        n = columns.shape[1]
        core, copies = np.empty(n), np.zeros(1, dtype=np.int64)
        if crowd is not None and by_distance:
            here = slice(*np.searchsorted(crowd.firsts, starts[c : c + 2]))
            firsts, copies = crowd.firsts[here] - starts[c], crowd.counts[here] - 1
            for first in firsts.tolist():
                threads.go_on()
                kernels.density.dbcv.cores(columns, exponent, squared, factor, first, first + 1, core)
            columns, core = np.ascontiguousarray(columns[:, firsts]), core[firsts]
        else:
            for lo, hi in _pieces(n, n, cells):
                kernels.density.dbcv.cores(columns, exponent, squared, factor, lo, hi, core)
        grown = ClusterTree(core, *_grown(columns, core, squared, factor, by_distance, cells), copies)
        inner[c] = np.ascontiguousarray(columns[:, grown.inner]), core[grown.inner]
        return grown

    def gap(a: int, b: int, _trees: dict[int, ClusterTree]) -> float:
        least = np.inf
        for lo, hi in _pieces(len(inner[a][1]), len(inner[b][1]), cells):
            least = kernels.density.dbcv.least_reach(*inner[a], *inner[b], squared, factor, lo, hi, least)
        return float(least)

    return _gathered(starts, tree, gap, n_jobs)


def _pieces(rows: int, columns: int, cells: int) -> Iterator[tuple[int, int]]:
    """Cut rows into pieces, and stop between two of them if another thread failed or the user interrupts."""
    step = max(1, cells // max(columns, 1))
    for lo in range(0, rows, step):
        threads.go_on()
        yield lo, min(lo + step, rows)


def _grown(
    columns: Floats, core: Floats, squared: bool, factor: float, by_distance: bool, cells: int
) -> tuple[Integers, Floats]:
    """Return the parent of each point in the spanning tree of a cluster, and how it is reached."""
    n = columns.shape[1]
    parent, reach = np.full(n, -1), np.zeros(n)
    free, ends = np.arange(1, n + 1), np.full(n, n)
    near, distance = np.full((2, n), np.inf)
    rest = np.vstack([columns, core])[:, 1:].copy()
    left, last = n - 1, 0
    for lo, hi in _pieces(n - 1, n, cells):
        left, last = kernels.density.dbcv.span(
            columns,
            core,
            squared,
            factor,
            by_distance,
            hi - lo,
            left,
            last,
            free,
            near,
            distance,
            ends,
            rest,
            parent,
            reach,
        )
    return parent, reach


def densities_numpy(
    between: Between, starts: Integers, *, exponent: int, squared: bool, by_distance: bool, n_jobs: int = 1
) -> Densities:
    """Return the densities for distances of any kind, a cluster at a time as a matrix."""

    def distances(a: Integers, b: Integers) -> Floats:
        d = between(a, b)
        return d**2 if squared else d

    def tree(c: int) -> ClusterTree:
        points = np.arange(starts[c], starts[c + 1])
        d = distances(points, points)
        np.fill_diagonal(d, 0.0)  # some metrics round the distance of a point to itself
        core = _cores_numpy(d, exponent)
        return ClusterTree(core, *_span(d, core, by_distance=by_distance))

    def gap(a: int, b: int, trees: dict[int, ClusterTree]) -> float:
        one, other = (np.arange(starts[c], starts[c + 1])[trees[c].inner] for c in (a, b))
        cores = np.maximum(trees[a].core[trees[a].inner][:, None], trees[b].core[trees[b].inner])
        return float(np.maximum(distances(one, other), cores).min())

    return _gathered(starts, tree, gap, n_jobs)


def _gathered(
    starts: Integers,
    tree: Callable[[int], ClusterTree],
    gap: Callable[[int, int, dict[int, ClusterTree]], float],
    n_jobs: int,
) -> Densities:
    k = len(starts) - 1
    clusters = np.flatnonzero(np.diff(starts) > 1).tolist()  # a single point has no density
    trees: dict[int, ClusterTree] = {}

    def grow(item: int) -> None:
        trees[clusters[item]] = tree(clusters[item])

    threads.run(grow, len(clusters), n_jobs)
    pairs = [(a, b) for at, a in enumerate(clusters) for b in clusters[at + 1 :]]
    gaps = np.full((k, k), np.inf)

    def measure(item: int) -> None:
        a, b = pairs[item]
        gaps[a, b] = gaps[b, a] = gap(a, b, trees)

    threads.run(measure, len(pairs), n_jobs)
    sparseness = np.full(k, np.nan)
    sparseness[clusters] = [trees[c].sparseness for c in clusters]
    return Densities(sparseness, gaps.min(axis=1, initial=np.inf))


def _cores_numpy(d: Floats, exponent: int) -> Floats:
    apart = np.where(d > 0, d, np.inf)
    least = apart.min(axis=1)
    lone = np.isinf(least)  # all points are equal
    sums = ((np.where(lone, 1.0, least)[:, None] / apart) ** exponent).sum(axis=1)
    return np.where(lone, 0.0, least * (np.where(lone, 1.0, sums) / (len(d) - 1)) ** (-1.0 / exponent))


def _span(d: Floats, core: Floats, *, by_distance: bool) -> tuple[Integers, Floats]:
    """Grow the tree of a matrix of distances: plain for few points, compiled for more."""
    if len(d) <= thresholds.PAIRS:
        return _span_numpy(d, core, by_distance=by_distance)
    parent, reach = np.empty(len(d), dtype=np.int64), np.empty(len(d))
    kernels.density.dbcv.span_matrix(d, core, by_distance, parent, reach)
    return parent, reach


def _span_numpy(d: Floats, core: Floats, *, by_distance: bool) -> tuple[Integers, Floats]:
    """Grow the tree from the first point: ties of reach by distance and then by ends, or by who came first."""
    n = len(d)
    keys: list[tuple[float, ...]] = [(np.inf, np.inf, n, n)] * n
    parent, reach, rest = np.full(n, -1), np.zeros(n), list(range(1, n))
    last = 0
    while rest:
        for j in rest:
            r = max(d[last, j], core[last], core[j])
            key = (r, d[last, j], min(last, j), max(last, j)) if by_distance else (r,)
            if key < keys[j]:
                keys[j], parent[j] = key, last
        last = min(rest, key=lambda j: keys[j])
        reach[last] = keys[last][0]
        rest.remove(last)
    return parent, reach
