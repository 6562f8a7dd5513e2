"""Neighbours by cluster: the nearest points of the own cluster, and the nearest of any other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.passes.neighbours.by_cluster import closest_of_many, own_neighbours_of_many
from clustval.passes.neighbours.closest import closest_of_points, closest_of_rows
from clustval.passes.neighbours.nearest import nearest_of_points, nearest_of_rows
from clustval.sources.many import Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.sources.takes import Takes, near_by_trees
from clustval.stats.neighbours.nearest import SINGLE_POINTS, Neighbours
from clustval.stats.points.point_values import PointValues

SPARE = 5  # neighbours that are looked at beside twice as many as are asked for
ALONE = 2**21  # pairs; a cluster of fewer is done before a second thread has started


@dataclass(frozen=True, eq=False)
class OwnNeighbours(PointValues, Statistic):
    """Distances of each point to the nearest others of its cluster, nearest first; infinite if there are too few."""

    takes = Takes(pair_passes=1, search=near_by_trees, no_weights_because=SINGLE_POINTS)

    distances: Floats  # (n, count)

    @classmethod
    def of(cls, source: Partition, *, neighbours: int) -> OwnNeighbours:
        """Search cluster by cluster."""
        space = source.space
        distances = np.full((source.n, neighbours), np.inf)
        for c, size in enumerate(source.sizes.tolist()):
            count = min(neighbours, size - 1)
            if count == 0:
                continue
            lo, hi = int(source.starts[c]), int(source.starts[c + 1])
            n_jobs = space.n_jobs if size**2 > ALONE else 1
            if space.factor is not None:
                near, _ = nearest_of_points(source.image[lo:hi], count, n_jobs=n_jobs, factor=space.factor)
            else:
                near, _ = nearest_of_rows(_within(source, lo, hi), size, count, n_jobs=n_jobs)
            distances[lo:hi, :count] = near
        return cls(source.sizes, source.mass, source.codes, source.weights, distances)

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared, *, neighbours: int) -> None:
        """Search the nearest points of all, among which most are found."""
        _nearest(shared.space, neighbours)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, neighbours: int) -> OwnNeighbours:
        """Look among the nearest points of all, and at all distances where these do not suffice."""
        near = group.tables.cached(
            (OwnNeighbours, neighbours),
            lambda: own_neighbours_of_many(
                group.shared.distances, group.block, neighbours, _nearest(group.space, neighbours)
            ),
        )[group.rows]
        order = group.block.order[group.rows]
        codes = np.take_along_axis(group.codes, order, axis=-1)
        return cls(group.sizes, group.sizes, codes, None, np.take_along_axis(near, order[..., None], axis=-2))


def _nearest(space: Space, neighbours: int) -> tuple[Floats, Integers]:
    """Return the nearest points of all: more than twice as many as are asked for of the own cluster."""
    near = space.statistic(Neighbours, neighbours=2 * neighbours + SPARE)
    return near.distances, near.numbers


def _within(source: Partition, lo: int, hi: int) -> Callable[[Integers], Floats]:
    """Return the distances of points of a cluster to all points of it."""
    here = np.arange(lo, hi)
    return lambda points: source.between(here[points], here)


@dataclass(frozen=True, eq=False)
class ClosestPoints(PointValues, Statistic):
    """Distances of each point to the closest other point of its cluster and to the closest point of another one."""

    takes = Takes(pair_passes=5, search=near_by_trees, no_weights_because=SINGLE_POINTS)

    own: Floats  # (n,) infinite for a single point
    other: Floats  # (n,) infinite if there is but one cluster

    @classmethod
    def of(cls, source: Partition) -> ClosestPoints:
        """Search a tree in few dimensions, otherwise visit all pairs."""
        space, sites = source.space, source.sites
        if space.factor is not None:
            image = sites.of(source.image)
            own, other = closest_of_points(image, sites.starts, n_jobs=space.n_jobs, factor=space.factor)
        else:
            rows = source.rows if sites.places is None else sites.rows
            own, other = closest_of_rows(rows, sites.starts, n_jobs=space.n_jobs)
        if sites.places is not None:
            own[sites.places.counts > 1] = 0.0
            own, other = sites.to_points(own), sites.to_points(other)
        return cls(source.sizes, source.mass, source.codes, source.weights, own, other)

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Search the nearest points of all, among which many are found."""
        _nearest(shared.space, 1)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> ClosestPoints:
        """Look among the nearest points of all, and at all distances where these do not suffice."""
        own, other = group.tables.cached(
            ClosestPoints,
            lambda: closest_of_many(group.shared.distances, group.block, _nearest(group.space, 1)),
        )
        order = group.block.order[group.rows]  # by cluster, as single partitions have it
        codes = np.take_along_axis(group.codes, order, axis=-1)
        own, other = (np.take_along_axis(values[group.rows], order, axis=-1) for values in (own, other))
        return cls(group.sizes, group.sizes, codes, None, own, other)
