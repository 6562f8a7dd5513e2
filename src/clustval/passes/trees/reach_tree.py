"""Minimum spanning trees of mutual reachability, as the order in which points join."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.metrics.measure_between import ROOT, distances_between, distances_of, squares_of
from clustval.passes.work import threads, thresholds

Rows = Callable[[Integers], Floats]  # distances of some points to all
Edges = tuple[Integers, Floats]  # (n - 1, 2) points and (n - 1,) lengths, shortest first
Run = Callable[[Callable[[int], object], int, int], None]  # calls work(0) ... work(count - 1) on threads
Shortest = tuple[Floats, Integers]  # (n,) edge that leads out of each component, and (n, 2) its ends

PIECE = 2048  # points of a k-d tree that a work item sees


def tree_of_points(
    X: Floats,
    core: Floats,
    *,
    n_jobs: int,
    factor: float = ROOT,
    few: int | None = None,
    piece: int = PIECE,
    run: Run = threads.run,
) -> Edges:
    """Return the edges of a minimum spanning tree of max(distance, core of one end, core of the other).

    Of distances that squared differences make, by `factor`. Up to `few` points are left to plain NumPy, by default as
    many as are anywhere; where trees of many clusters are grown, compiled code does not wait for them to be large.
    """
    n, p = X.shape
    if n <= (thresholds.PAIRS if few is None else few):
        return tree_numpy(lambda rows: distances_between(X[rows], X, factor), core)
    if n > thresholds.SPANNING_TREES * 2**p:
        return by_components(X, core, n_jobs, factor, piece=piece, run=run)
    parents, reach, columns = np.empty(n, dtype=np.int64), np.empty(n), np.ascontiguousarray(X.T)
    if core.any():
        kernels.trees.reach_tree.join_by_points(columns, core, factor, parents, reach)
    else:
        kernels.trees.plain_tree.join_plainly(columns, factor, parents, reach)
    return edges_of(parents, reach)


def tree_of_rows(distances: Rows, core: Floats) -> Edges:
    """Return the edges of such a tree for distances of any kind."""
    n = len(core)
    if n <= thresholds.PAIRS:
        return tree_numpy(distances, core)
    return tree_by_rows(distances, core, kernels.trees.reach_tree.take_up)


def tree_numpy(distances: Rows, core: Floats) -> Edges:
    """Return what the others return, from the matrix of all distances."""
    return tree_of_matrix(np.maximum(distances(np.arange(len(core))), np.maximum(core[:, None], core)))


def tree_by_rows(distances: Rows, values: Floats, take_up: Callable[..., int]) -> Edges:
    """Return the edges of a tree that takes up a point at a time; the values of points say how far they reach."""
    n = len(values)
    near, parent, done = np.full(n, np.inf), np.full(n, -1), np.zeros(n, dtype=bool)
    edges, lengths = np.empty((n - 1, 2), dtype=np.int64), np.empty(n - 1)
    last = 0
    for step in range(n - 1):
        done[last] = True
        last = take_up(distances(np.array([last]))[0], values, last, near, parent, done)
        edges[step], lengths[step] = (parent[last], last), near[last]
    return _sorted(edges, lengths)


def tree_of_matrix(reach: Floats) -> Edges:
    """Return the edges of a minimum spanning tree of few points, from how far each two reach each other."""
    n = len(reach)
    near, parent, rest = reach[0].copy(), np.zeros(n, dtype=np.int64), np.arange(1, n)
    edges, lengths = np.empty((max(n - 1, 0), 2), dtype=np.int64), np.empty(max(n - 1, 0))
    for step in range(n - 1):
        at = int(near[rest].argmin())
        last = rest[at]
        edges[step], lengths[step] = (parent[last], last), near[last]
        rest = rest[rest != last]
        closer = rest[reach[last, rest] < near[rest]]
        near[closer], parent[closer] = reach[last, closer], last
    return _sorted(edges, lengths)


def edges_of(parents: Integers, reach: Floats) -> Edges:
    """Return the edges from each point but the first to its parent, shortest first."""
    return _sorted(np.stack([parents[1:], np.arange(1, len(parents))], axis=1), reach[1:])


def _sorted(edges: Integers, lengths: Floats) -> Edges:
    order = np.argsort(lengths, kind="stable")
    return edges[order], lengths[order]


def by_components(
    X: Floats, core: Floats, n_jobs: int, factor: float, *, piece: int = PIECE, run: Run = threads.run
) -> Edges:
    """Join every component to its nearest neighbour at once, until one is left."""
    n = len(X)
    leaves, order = X.copy(), np.arange(n)
    begins, ends, lows, highs, colours = kernels.trees.kd_tree.grow(leaves, order)
    cores = squares_of(core[order], factor)
    least = np.empty(len(begins))
    kernels.trees.reach_tree.least_of_nodes(begins, ends, cores, least)
    components, roots = np.arange(n), np.arange(n)
    edges = np.empty((n - 1, 2), dtype=np.int64)
    count = 0
    pieces = range(0, n, piece)
    while count < n - 1:
        kernels.trees.reach_tree.colour_nodes(begins, ends, components, colours)
        free = [(np.full(n, np.inf), np.full((n, 2), -1)) for _ in range(min(n_jobs, len(pieces)))]
        best: dict[int, Shortest] = {}  # of each thread, which meets pieces in order

        def work(item: int, free: list[Shortest] = free, best: dict[int, Shortest] = best) -> None:
            thread = threading.get_ident()
            if thread not in best:
                best[thread] = free.pop()
            shortest, ends_of_shortest = best[thread]
            lo, hi = pieces[item], min(pieces[item] + piece, n)
            kernels.trees.reach_tree.nearest_outside(
                leaves, cores, begins, ends, lows, highs, least, colours, components, lo, hi, shortest, ends_of_shortest
            )

        run(work, len(pieces), n_jobs)
        (shortest, ends_of_shortest), *others = best.values()
        for other, ends_of_other in others:  # of equally short edges, that of the first point, as on one thread
            earlier = ends_of_other[:, 0] < ends_of_shortest[:, 0]
            closer = (other < shortest) | ((other == shortest) & earlier)
            shortest[closer], ends_of_shortest[closer] = other[closer], ends_of_other[closer]
        count = kernels.trees.reach_tree.join_components(roots, components, ends_of_shortest, edges, count)
    ends_in_input = order[edges]
    a, b = ends_in_input.T
    squares = np.zeros(n - 1)
    for x in X.T:
        squares += (x[a] - x[b]) ** 2
    return _sorted(ends_in_input, np.maximum(distances_of(squares, factor), np.maximum(core[a], core[b])))
