"""Ways from one group of points to another, and three places on each: in one group, in the other, and between.

A straight way serves wherever groups are convex. Points of a ring lie on either side of an empty middle all the same,
so that where points lie on a curve or a surface a second way follows it. Three cells of one size on a way say how many
points are in either group and between them; where the cells lie is decided by some of the points, and others are
counted in them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from clustval.arrays import Floats, Integers

CELL = 0.35  # length of a cell, as a share of the way
SHIFTS = np.linspace(-0.15, 0.15, 7)  # by which cells may lie off the middle and the ends, as shares of the way
KEPT = 0.75  # share of the points of both groups that a straight way is wide enough for
LEAST = 5  # points in the cell of a group
RARER = 0.9  # share of the density of either group below which the middle counts as a gap, where cells are placed
NODES = 25  # of a curved way
AROUND = 15  # points near a node that give a curved way its scale: few, so that cells are short where points are many
NEAR = 10  # neighbours in the graph of a curved way
ROUNDS = 4  # in which a curved way is moved to the middle of the points around it
LONG, WIDE = 1.4, 1.2  # most of a cell's length, and its width, in units of the scale
TINY = 1e-12


class Counts(NamedTuple):
    """Points in the cell of one group, between the groups, and in the cell of the other."""

    first: int
    between: int
    second: int

    @property
    def gap(self) -> float:
        """How much rarer points are between the groups than in the group where they are rarer, in standard errors."""
        sides = np.array([self.first, self.second])
        return float(((RARER * sides - self.between) / np.sqrt(sides + self.between + 1)).min())

    @property
    def enough(self) -> bool:
        """Whether both groups have the points that a comparison takes."""
        return min(self.first, self.second) >= LEAST


class Line:
    """The straight way through the means of two groups, in units of the spread within them."""

    def __init__(self, X: Floats, first: Integers, second: Integers) -> None:
        within = np.concatenate([X[group] - X[group].mean(axis=0) for group in (first, second)])
        n, p = within.shape
        shrinkage = min(1.0, p / n)
        covariance = within.T @ within / n
        covariance = (1 - shrinkage) * covariance + shrinkage * np.trace(covariance) / p * np.eye(p)
        variances, axes = np.linalg.eigh(covariance)
        self.scaling = axes / np.sqrt(np.maximum(variances, max(1e-9 * variances.max(), np.finfo(float).tiny)))
        ends = np.stack([X[group].mean(axis=0) @ self.scaling for group in (first, second)])
        self.length = float(np.linalg.norm(ends[1] - ends[0])) + TINY
        self.axis, self.middle = (ends[1] - ends[0]) / self.length, ends.mean(axis=0)
        self.width = math.inf
        if p > 1:
            self.width = float(np.quantile(self._places(X[np.concatenate([first, second])])[1], KEPT))
        self.cells = self._placed(X)
        self.counts = self.counted(X)

    def _places(self, X: Floats) -> tuple[Floats, Floats]:
        """Return how far along the way points are, from its middle, and how far off it."""
        offsets = X @ self.scaling - self.middle
        along = offsets @ self.axis
        return along, np.sqrt(np.maximum((offsets**2).sum(axis=1) - along**2, 0.0))

    def _inside(self, X: Floats, centres: Floats) -> Integers:
        """Return the number of points in cells around places on the way."""
        along, off = self._places(X)
        along, half = np.sort(along[off <= self.width]), CELL * self.length / 2
        return np.asarray(np.searchsorted(along, centres + half) - np.searchsorted(along, centres - half))

    def _placed(self, X: Floats) -> Floats | None:
        """Return the middles of three cells: where points are rarest near the middle, most near either end."""
        shifts = SHIFTS * self.length
        between = shifts[int(self._inside(X, shifts).argmin())]
        centres = [between]
        for side in (-1, 1):
            ends = shifts + side * self.length / 2
            ends = ends[side * (ends - between) >= CELL * self.length - TINY]
            if not len(ends):
                return None
            centres.insert(max(side + 1, 0), ends[int(self._inside(X, ends).argmax())])
        return np.array(centres)

    def counted(self, X: Floats) -> Counts:
        """Return how many of these points are in each cell."""
        return Counts(0, 0, 0) if self.cells is None else Counts(*self._inside(X, self.cells).tolist())


class Curve:
    """The way through dense places from the middle of one group to that of the other, on the ridge of the points."""

    def __init__(self, X: Floats, distances: Floats, graph: Any, first: Integers, second: Integers) -> None:
        from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415 - only curved data need it

        start, end = (int(group[distances[np.ix_(group, group)].mean(axis=1).argmin()]) for group in (first, second))
        _, before = dijkstra(graph, indices=np.array([start]), return_predecessors=True)
        path = [end]
        while path[-1] != start:
            path.append(int(before[0, path[-1]]))
        self.cells: tuple[Floats, Floats, float, float] | None = None
        self.counts = Counts(0, 0, 0)
        nodes = _evenly(X[path[::-1]])
        around = min(AROUND, len(X)) - 1
        offsets = np.partition(np.linalg.norm(nodes[:, None] - X, axis=2), around, axis=1)
        scale = float(np.median(offsets[:, around]))
        if scale > 0:
            self._place(X, _ridge(nodes, X, scale), scale)

    def _place(self, X: Floats, nodes: Floats, scale: float) -> None:
        """Place three cells on the nodes: where points are rarest in the middle, and most near either end."""
        steps = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
        length = float(steps.sum())
        if length <= 0:
            return
        along, across = min(CELL * length, LONG * scale), WIDE * scale
        tangents = _tangents(nodes)
        inside = _in_cylinders(nodes, tangents, X, along, across)
        apart = math.ceil(along / (length / (NODES - 1)) - 1e-9)
        middle = np.arange(NODES // 3, NODES - NODES // 3)
        between = int(middle[inside[middle].argmin()])
        starts, ends = np.arange(NODES // 5 + 1), np.arange(NODES - 1 - NODES // 5, NODES)
        starts, ends = starts[starts <= between - apart], ends[ends >= between + apart]
        if not len(starts) or not len(ends):
            return
        chosen = [int(starts[inside[starts].argmax()]), between, int(ends[inside[ends].argmax()])]
        counts = Counts(*inside[chosen].tolist())
        if counts.enough:
            self.cells, self.counts = (nodes[chosen], tangents[chosen], along, across), counts

    def counted(self, X: Floats) -> Counts:
        """Return how many of these points are in each cell."""
        return (
            Counts(0, 0, 0)
            if self.cells is None
            else Counts(*_in_cylinders(*self.cells[:2], X, *self.cells[2:]).tolist())
        )


def graph_of(distances: Floats) -> Any:
    """Return the graph of nearest points and of the minimum spanning tree, whose edges are squared distances."""
    from scipy.sparse import csr_array  # noqa: PLC0415 - only curved data need it
    from scipy.sparse.csgraph import minimum_spanning_tree  # noqa: PLC0415

    n = len(distances)
    positive = np.maximum(distances, TINY)
    np.fill_diagonal(positive, 0.0)
    count = min(NEAR, n - 1)
    near = np.argpartition(distances + np.diag(np.full(n, np.inf)), count - 1, axis=1)[:, :count]
    rows, columns = np.repeat(np.arange(n), near.shape[1]), near.ravel()
    nearest = csr_array((positive[rows, columns] ** 2, (rows, columns)), shape=(n, n))
    tree = csr_array(minimum_spanning_tree(positive))
    tree.data **= 2
    return nearest.maximum(nearest.T).maximum(tree.maximum(tree.T)).tocsr()


def _evenly(path: Floats) -> Floats:
    """Return nodes at equal distances along a path."""
    lengths = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))]
    places = np.linspace(0, lengths[-1], NODES)
    return np.column_stack([np.interp(places, lengths, column) for column in path.T])


def _tangents(nodes: Floats) -> Floats:
    directions = np.gradient(nodes, axis=0)
    return np.asarray(directions / (np.linalg.norm(directions, axis=1, keepdims=True) + TINY))


def _ridge(nodes: Floats, X: Floats, scale: float) -> Floats:
    """Return the nodes after they moved, across the way alone, towards the means of the points around them.

    None moves farther than the scale: from a ring it would fall into the empty middle.
    """
    start = nodes
    for _ in range(ROUNDS):
        tangents = _tangents(nodes)
        weights = np.exp(-0.5 * (np.linalg.norm(nodes[:, None] - X, axis=2) / scale) ** 2) + TINY
        moves = weights @ X / weights.sum(axis=1, keepdims=True) - nodes
        nodes = nodes + moves - (moves * tangents).sum(axis=1, keepdims=True) * tangents
        nodes[1:-1] = (nodes[:-2] + 2 * nodes[1:-1] + nodes[2:]) / 4
        moves = nodes - start
        nodes = start + moves / np.maximum(np.linalg.norm(moves, axis=1, keepdims=True) / scale, 1.0)
    return _evenly(nodes)


def _in_cylinders(centres: Floats, axes: Floats, X: Floats, along: float, across: float) -> Integers:
    """Return the number of points in cylinders of one size around places on the way."""
    offsets = X - centres[:, None]
    ahead = (offsets * axes[:, None]).sum(axis=2)
    aside = (offsets**2).sum(axis=2) - ahead**2
    return np.asarray(((np.abs(ahead) <= along / 2) & (aside <= across**2)).sum(axis=1))
