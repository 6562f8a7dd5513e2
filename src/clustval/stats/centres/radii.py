"""Distances between points and the centres of clusters: one pass over points and centres."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.kernels.work.rounding import ROUNDING_OF_SPREADS
from clustval.passes.centres.centre_distances import CELLS, centre_distances, nearest_centres
from clustval.passes.centres.centre_gaps import Gaps
from clustval.passes.centres.coincident import Coincidence
from clustval.passes.points.unsorted_rows import rows_to_centres, sums_to_centres
from clustval.passes.sweeps.partitions import radii
from clustval.sources.many import NO_NEIGHBOURS, Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.row_blocks import RowBlock
from clustval.sources.space import DIRECTIONS
from clustval.sources.takes import Takes, asked, in_read_order, metric_in
from clustval.stats.pairs.square_moments import SquareMoments
from clustval.stats.points.moments import Moments, moment_tables
from clustval.stats.points.point_values import PointValues, joined


@dataclass(frozen=True, eq=False)
class Radii(PointValues, Statistic):
    """Distances of points to the centre of their own cluster, to other centres, and between centres.

    Those of disjoint sets of points, with the same centres, follow each other.
    """

    takes = Takes(coordinates=True, centres=True, to_centres=True)
    after: ClassVar[tuple[type[Statistic], ...]] = (Moments,)

    own: Floats  # (n,) distance of each point to its own centre
    nearest: Floats  # (n,) distance to the nearest other centre; infinite if there is none
    neighbour: Integers  # (n,) the cluster of that centre; -1 if there is none
    own_sums: Floats  # (k,) sum over the points of a cluster of their distance to its centre, by weight
    sums: Floats | None  # (k, k) over the points of a, to the centre of b; None where clusters are many
    spread: float  # sum over all points of their distance to the mean of all, by weight; NaN if it has no distances
    gaps: Gaps  # distances between centres

    @classmethod
    def part(cls, block: Partition, m: Moments) -> Radii:
        """Measure every point against every centre, by the metric."""
        table = block.tables_fit
        space, weights = block.space, block.weights
        if space.euclidean:
            values = centre_distances(
                block.Z, block.starts, m.means, m.mean, n_jobs=space.n_jobs, weights=weights, table=table
            )
            return cls.of_values(m, block.codes, weights, *values, m.gaps).cleared(m.rounding)
        same = Coincidence(m.means, m.mean, m.reach)
        return cls.measured(block, m, m.means + block.origin, (m.mean + block.origin)[None], same)

    @classmethod
    @way(of=RowBlock, after=(Moments,), when=in_read_order, takes=takes, part=True)
    def from_rows(cls, block: RowBlock, m: Moments) -> Radii:
        """Measure rows as they were read; sums to other centres only if somebody asks for them."""
        X, codes = block.rows_as_read, block.codes_as_read
        own, nearest, spread = rows_to_centres(X, codes, block.origin, m.means, m.mean)
        sums: Any = np.bincount(codes, own, minlength=m.k)
        if block.tables_fit and (not block.needs or asked(CentreSums)(block)):
            sums = sums_to_centres(X, codes, block.origin, m.means)
        values = own, nearest, NO_NEIGHBOURS, sums, spread
        return cls.of_values(m, codes, None, *values, m.gaps).cleared(m.rounding)

    @classmethod
    @way(
        of=Partition,
        after=(SquareMoments,),
        when=metric_in(*DIRECTIONS),
        takes=takes,
        part=True,
    )
    def from_directions(cls, block: Partition, s: SquareMoments) -> Radii:
        """Measure every point against the mean direction of every cluster.

        The mean of the points themselves would be that of the longest of them.
        """
        centres, mean = directions_of(block, s.moments)
        same = Coincidence.of_directions(block.space.prepared(centres), block.space.prepared(mean)[0])
        return cls.measured(block, s.moments, centres, mean, same)

    @classmethod
    def measured(cls, block: Partition, m: Moments, centres: Floats, mean: Floats, same: Coincidence) -> Radii:
        """Measure every point against every centre, and against the mean of all points, by whatever metric."""
        table, space, weights = block.tables_fit, block.space, block.weights
        places = space.prepared if block.metric in DIRECTIONS else lambda X: X - block.origin
        gaps = Gaps(BetweenCentres(block, centres, same), m.k)
        if table:  # errors of the metric are told at once
            gaps = Gaps.of_table(gaps.table)
        n = block.n
        own, nearest = np.empty(n), np.empty(n)
        neighbour = np.empty(n, dtype=np.int64)
        sums = np.zeros((m.k, m.k) if table else m.k)
        total = 0.0
        step = max(1, CELLS // m.k)
        for lo in range(0, n, step):
            rows = slice(lo, min(lo + step, n))
            codes, points = block.codes[rows], places(block.X[rows])
            distances = same.cleared(_to_centres(block, block.X[rows], centres), points, codes)
            own[rows], nearest[rows], neighbour[rows] = nearest_centres(distances, codes)
            away = np.where(same.at_mean(points)[:, None], 0.0, space.measured(block.X[rows], mean))
            if weights is not None:
                distances, away = distances * weights[rows, None], away * weights[rows, None]
            np.add.at(sums, codes, distances if table else distances[np.arange(len(codes)), codes])
            total += float(away.sum())
        spread = total if np.isfinite(total) else np.nan
        return cls.of_values(m, block.codes, weights, own, nearest, neighbour, sums, spread, gaps)

    @classmethod
    def of_values(
        cls,
        m: Moments,
        codes: Integers,
        weights: Floats | None,
        own: Floats,
        nearest: Floats,
        neighbour: Integers,
        sums: Floats,
        spread: float,
        gaps: Gaps,
    ) -> Radii:
        """Return the distances of points, whose sums are of each two clusters, or of each if clusters are many."""
        own_sums, table = (sums, None) if sums.ndim == 1 else (sums.diagonal(), sums)
        return cls(m.sizes, m.mass, codes, weights, own, nearest, neighbour, own_sums, table, spread, gaps)

    def __add__(self, other: Radii) -> Radii:
        """Distances of two sets of points, one after the other."""
        return Radii(
            sizes=self.sizes,
            mass=self.mass,
            codes=np.concatenate([self.codes, other.codes]),
            weights=joined(self.weights, other.weights),
            own=np.concatenate([self.own, other.own]),
            nearest=np.concatenate([self.nearest, other.nearest]),
            neighbour=np.concatenate([self.neighbour, other.neighbour]),
            own_sums=self.own_sums + other.own_sums,
            sums=None if self.sums is None or other.sums is None else self.sums + other.sums,
            spread=self.spread + other.spread,
            gaps=self.gaps,
        )

    def without_points(self) -> Radii:
        """Return the same without the values of single points, of which there may be too many to keep."""
        none = {name: getattr(self, name)[:0].copy() for name in ("codes", "own", "nearest", "neighbour")}
        return replace(self, weights=None if self.weights is None else self.weights[:0], **none)

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Compute what all partitions share: how far points are from their mean."""
        Moments.prepare(shared)
        _ = _spread(shared)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> Radii:
        """Stack the distances to the centres of partitions with the same number of clusters."""
        if not group.space.euclidean:
            stack = group.stacked(Radii)
            return replace(stack, gaps=Gaps.of_table(np.asarray(stack.gaps)))
        tables = group.tables
        means = moment_tables(tables).means
        sums, own, nearest = tables.cached(radii, lambda: radii(group.shared.one_cluster.Z, means, tables.block))
        return Radii(
            sizes=group.sizes,
            mass=group.sizes,
            codes=group.codes,
            weights=None,
            own=own[group.rows],
            nearest=nearest[group.rows],
            neighbour=NO_NEIGHBOURS,
            own_sums=group.per_pair(sums).diagonal(axis1=-2, axis2=-1),
            sums=group.per_pair(sums),
            spread=_spread(group.shared),
            gaps=group[Moments].gaps,
        ).cleared(group[Moments].rounding)

    def cleared(self, rounding: float) -> Radii:
        """Make 0 the distances of points to centres that are but rounding, so that 0/0 is seen whatever the origin."""
        for distances in (self.own, self.nearest):
            distances[distances <= rounding] = 0
        return self

    @property
    def total(self) -> float:
        """Sum over all points of their distance to the mean of all points, by weight."""
        if np.isnan(self.spread).any():
            msg = "The metric gives no distances to the mean of all points, which this index needs."
            raise UndefinedIndexError(msg)
        return self.spread

    @property
    def n(self) -> Any:
        """Number of points, by weight."""
        return self.mass.sum(-1).flat[0].item()

    @property
    def inside(self) -> Any:
        """Sum over all points of their distance to their own centre, by weight."""
        return self.own_sums.sum(-1)

    @property
    def means(self) -> Floats:
        """Mean distance of the points of each cluster to its centre (k,)."""
        return self.own_sums / self.mass


@dataclass(frozen=True, eq=False)
class CentreSums(Statistic):
    """Sums of the distances of the points of one cluster to the centre of another."""

    takes = Takes(tables=True)
    after = (Radii,)

    mass: Any
    sums: Floats  # (k, k): sum over the points of a of their distance to the centre of b, by weight

    @classmethod
    def derived(cls, r: Radii) -> CentreSums:
        """Take them from the distances to centres."""
        assert r.sums is not None
        return cls(r.mass, r.sums)


class BetweenCentres:
    """Distances between centres by the metric; 0 where only rounding parts them."""

    def __init__(self, block: Partition, centres: Floats, same: Coincidence) -> None:
        self.block, self.centres, self.same = block, centres, same

    def __call__(self, lo: int, hi: int) -> Floats:
        gaps = _to_centres(self.block, self.centres[lo:hi], self.centres, of_centres=True)
        return np.where(self.same.between(slice(lo, hi)), 0.0, gaps)


def directions_of(block: Partition, m: Moments) -> tuple[Floats, Floats]:
    """Return the mean direction of each cluster, and that of all points, NaN if their directions cancel out.

    Raise an error that names the first cluster whose directions do.
    """
    for cluster in np.flatnonzero(_cancelled(m.means)):
        msg = (
            f"The metric {block.metric!r} needs directions, and the centre of cluster {block.names[cluster]!r} "
            "has none: the directions of its points cancel out, up to rounding."
        )
        raise UndefinedIndexError(msg)
    mean = m.mean[None]
    return m.means, np.where(_cancelled(mean)[:, None], np.nan, mean)


def _cancelled(means: Floats) -> Flags:
    """Return which means of points of length 1 are the origin: what rounding leaves of it has no direction."""
    none: Flags = np.linalg.norm(means, axis=1) <= ROUNDING_OF_SPREADS
    return none


def _to_centres(block: Partition, points: Floats, centres: Floats, *, of_centres: bool = False) -> Floats:
    """Return the distances of points to centres, or raise an error that names the cluster at fault."""
    distances = block.space.measured(points, centres)
    if not np.isfinite(distances).all():
        row, cluster = np.argwhere(~np.isfinite(distances))[0]
        if not of_centres:
            block.space.check_point(points[row])
        name, metric = block.names[cluster], block.space.metric
        msg = f"The metric {metric!r} gives no finite distances to the centre of cluster {name!r}."
        raise UndefinedIndexError(msg)
    return distances


def _spread(shared: Shared) -> float:
    """Return the sum of the distances of all points to their mean, which no label changes."""
    points = shared.one_cluster
    return shared.cached("spread", lambda: float(np.linalg.norm(points.Z - points[Moments].mean, axis=1).sum()))
