"""The nearest other points of each point, and which of them are in its cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.passes.neighbours.nearest import nearest_of_points, nearest_of_rows
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import Takes, near_by_trees
from clustval.stats.points.point_values import PointValues

SINGLE_POINTS = "neighbours are single points; repeat the rows instead"
LEAST = 10  # neighbours that are looked for at least, so that one search serves all who ask for fewer
WIDER = 4  # times as many are looked for at once where others will ask for them


@dataclass(frozen=True, eq=False)
class Neighbours(Statistic):
    """The nearest other points of each point, nearest first; of points equally near, the first in the input.

    They do not depend on labels, and serve all partitions of the same points.
    """

    takes = Takes(pair_passes=5, search=near_by_trees, no_weights_because=SINGLE_POINTS)

    distances: Floats  # (n, count)
    numbers: Integers  # (n, count) rows of X

    @classmethod
    def of(cls, source: Space, *, neighbours: int) -> Neighbours:
        """Search, or take the nearest of a search that found more."""
        count = min(neighbours, source.n - 1)
        widest = max(source.known(Neighbours), key=lambda table: table.count, default=None)
        if widest is None or widest.count < count:
            most = min(source.neighbours_planned, WIDER * max(count, LEAST))
            widest = cls._searched(source, min(max(count, LEAST, most), source.n - 1))
            source.keep(widest, neighbours=widest.count)
        return cls(widest.distances[:, :count], widest.numbers[:, :count])

    @classmethod
    def _searched(cls, source: Space, count: int) -> Neighbours:
        if count == 0:
            return cls(np.empty((source.n, 0)), np.empty((source.n, 0), dtype=np.int64))
        if source.factor is not None:
            return cls(*nearest_of_points(source.image, count, n_jobs=source.n_jobs, factor=source.factor))
        return cls(*nearest_of_rows(source.rows, source.n, count, n_jobs=source.n_jobs))

    @property
    def count(self) -> int:
        """How many neighbours each point has here."""
        return self.distances.shape[1]


def nearest_neighbours(space: Space, neighbours: int) -> Neighbours:
    """Return the nearest points that others searched, where they know that many of each point; else ours."""
    count = min(neighbours, space.n - 1)
    graph = space.graph
    if graph is not None and graph.counts.min() >= count:
        return Neighbours(*graph.nearest(count))
    if space.graph_only:
        row, fewest = int(graph.counts.argmin()), int(graph.counts.min())
        msg = f"It needs {count} neighbours of each point, and the graph has {fewest} of point {row}."
        raise UndefinedIndexError(msg)
    return space.statistic(Neighbours, neighbours=neighbours)


@dataclass(frozen=True, eq=False)
class NeighbourMatch(PointValues, Statistic):
    """Whether each of the nearest points of a point is in its own cluster."""

    takes = Takes(pair_passes=5, search=near_by_trees, by_graph=True, no_weights_because=SINGLE_POINTS)

    own: Flags  # (n, count), nearest first

    @classmethod
    def of(cls, source: Partition, *, neighbours: int) -> NeighbourMatch:
        """Compare the cluster of each point with those of its neighbours."""
        near = nearest_neighbours(source.space, neighbours).numbers
        codes = np.empty_like(source.codes)
        codes[source.order] = source.codes
        own = (codes[near] == codes[:, None])[source.order]
        return cls(source.sizes, source.mass, source.codes, source.weights, own)

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, neighbours: int) -> None:
        """Search the neighbours that all partitions share."""
        nearest_neighbours(shared.space, neighbours)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, neighbours: int) -> NeighbourMatch:
        """Compare clusters with those of neighbours in many partitions at once."""
        near = nearest_neighbours(group.space, neighbours).numbers
        own = group.codes[:, near] == group.codes[..., None]
        return cls(group.sizes, group.sizes, group.codes, None, own)

    @property
    def count(self) -> int:
        """How many neighbours each point has here."""
        return self.own.shape[-1]


@dataclass(frozen=True, eq=False)
class NeighbourEdges(Statistic):
    """Edges of the graph in which each point points to its nearest ones: inside clusters, and at each cluster.

    Noise points are clusters of their own: their edges count, and lie inside none.
    """

    takes = Takes(pair_passes=5, search=near_by_trees, by_graph=True, no_weights_because=SINGLE_POINTS)
    counts_noise = True

    inside: Floats  # (k,) edges from a point of the cluster to another of it
    touching: Floats  # (k,) ends of edges in the cluster, each for a half
    apart: Any  # sum over noise points of the square of their ends, each for a half
    total: int  # edges

    @classmethod
    def of(cls, source: Partition, *, neighbours: int) -> NeighbourEdges:
        """Count edges by the clusters of their ends."""
        space, codes = source.surroundings
        near = nearest_neighbours(space, neighbours).numbers
        ends = _ends(near)
        own = (codes[near] == codes[:, None]).sum(axis=1)
        clustered = codes >= 0
        inside = np.bincount(codes[clustered], own[clustered], minlength=source.k).astype(np.float64)
        touching = np.bincount(codes[clustered], ends[clustered], minlength=source.k).astype(np.float64)
        return cls(inside, touching, (ends[~clustered] ** 2).sum(), near.size)

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, neighbours: int) -> None:
        """Search the neighbours that all partitions share."""
        nearest_neighbours(shared.space, neighbours)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, neighbours: int) -> NeighbourEdges:
        """Count edges of many partitions at once, which have no noise."""
        near = nearest_neighbours(group.space, neighbours).numbers
        own = group.statistic(NeighbourMatch, neighbours=neighbours).own.sum(axis=-1)
        many = len(group.codes)
        places = (group.codes + group.k * np.arange(many)[:, None]).ravel()
        inside = np.bincount(places, own.ravel(), minlength=many * group.k).astype(np.float64)
        touching = np.bincount(places, np.tile(_ends(near), many), minlength=many * group.k).astype(np.float64)
        return cls(inside.reshape(many, -1), touching.reshape(many, -1), np.zeros(many), near.size)


def _ends(near: Integers) -> Floats:
    """Return how many ends of edges lie at each point, each for a half."""
    return (near.shape[1] + np.bincount(near.ravel(), minlength=len(near))) / 2
