"""Densities around points that stand for their cluster: inside clusters, and halfway between two (CDbw)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.passes.density import cdbw
from clustval.passes.density.cdbw import Chosen, Clusters, Counts, Densities, Matches
from clustval.passes.work import thresholds
from clustval.sources.many import Group
from clustval.sources.partition import Partition
from clustval.sources.row_blocks import RereadRows, RowBlock
from clustval.sources.takes import Takes
from clustval.stats.points.moments import Moments


@dataclass(frozen=True, eq=False)
class Representatives(Statistic):
    """Shares of points near representatives of each cluster, and near the midpoints of those of two clusters.

    A cluster's representatives are far from each other; those of two clusters are matched if each is the other's
    nearest.
    """

    takes = Takes(
        tables=True,
        coordinates=True,
        no_weights_because="representatives are single points; repeat the rows instead",
        row_passes=11,
    )

    sizes: Integers
    deviations: Floats  # (k,) root of the sum of squares over n - 1; NaN for a single point
    between: Floats  # (k, k) mean over matched ones: share near the midpoint, times distance over the ball's diameter
    distances: Floats  # (k, k) mean distance of matched ones
    inside: Floats  # (k, 8) mean share near a representative that is moved to the centre, 0.1 ... 0.8 of the way

    @classmethod
    def of(cls, source: Partition, *, representatives: int) -> Representatives:
        """Choose representatives, match and count."""
        m = source[Moments]
        clusters = Clusters(source.X, source.Z, source.starts, m.means, _deviations(m))
        tables = cdbw.densities(clusters, representatives, n_jobs=source.space.n_jobs)
        return cls.of_tables(m, tables)

    @classmethod
    @way(of=RereadRows, after=(Moments,), takes=takes)
    def by_passes(cls, rows: RereadRows, m: Moments, *, representatives: int) -> Representatives:
        """Read the rows once for each representative, and once to count."""
        chosen = _chosen(rows, m, representatives)
        matches = cdbw.matches_of(chosen, n_jobs=rows.jobs, compiled=rows.n > thresholds.PAIRS)
        counts = rows.sum_over(_counted, m, chosen, matches).counts
        return cls.of_tables(m, cdbw.densities_of(m.sizes, _deviations(m), chosen, matches, counts))

    @classmethod
    def of_tables(cls, m: Moments, tables: Densities) -> Representatives:
        """Return the densities, with the sizes and deviations of the clusters."""
        return cls(m.sizes, _deviations(m), tables.between, tables.distances, tables.inside)

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group, *, representatives: int) -> Representatives:
        """Stack those of single partitions."""
        return group.stacked(Representatives, representatives=representatives)


def _deviations(m: Moments) -> Floats:
    with np.errstate(all="ignore"):
        deviations: Floats = np.sqrt(m.within_by_cluster / (m.sizes - 1))
    return deviations


# --- rows in blocks --------------------------------------------------------------------------------------


def _chosen(rows: RereadRows, m: Moments, count: int) -> Chosen:
    """Read the rows once for each representative: the farthest from the centre, then from those before."""
    k, p = m.means.shape
    leaders = rows.sum_over(_leaders, m)
    points, counts = np.zeros((k, count, p)), np.ones(k, dtype=np.int64)
    points[:, 0] = leaders.points[np.searchsorted(leaders.codes, np.arange(k))]
    for at in range(1, count):
        farthest = rows.sum_over(_farthest, Chosen(points, points, counts))
        more = farthest.squares > 0  # no other point is left of the other clusters
        if not more.any():
            break
        points[more, at] = farthest.points[more]
        counts[more] += 1
    return Chosen(points, points - rows.origin, counts)


@dataclass(frozen=True)
class Leaders:
    """Points that may be the farthest from the centre of their cluster, in the order of rows; see `mark_leaders`."""

    k: int
    codes: Integers
    squares: Floats
    points: Floats

    def __add__(self, other: Leaders) -> Leaders:
        """Those that are left of two sets of rows, one after the other."""
        names = "codes", "squares", "points"
        codes, squares, points = (np.concatenate([getattr(self, name), getattr(other, name)]) for name in names)
        order = np.argsort(codes, kind="stable")
        starts = np.searchsorted(codes[order], np.arange(self.k + 1))
        left = order[cdbw.leaders_of(starts, squares[order])]
        return Leaders(self.k, codes[left], squares[left], points[left])


def _leaders(block: RowBlock, m: Moments) -> Leaders:
    squares = cdbw.centre_squares(_clusters(block, m))
    rows = np.flatnonzero(cdbw.leaders_of(block.starts, squares))
    return Leaders(block.k, block.codes[rows], squares[rows], block.X[rows])


@dataclass(frozen=True)
class FarthestRows:
    """The point of each cluster that is farthest from its representatives so far; of two sets, the farther of both."""

    squares: Floats  # (k,)
    points: Floats  # (k, p)

    def __add__(self, other: FarthestRows) -> FarthestRows:
        """The farther of two points of each cluster; of equals, the first."""
        farther = other.squares > self.squares
        points = np.where(farther[:, None], other.points, self.points)
        return FarthestRows(np.maximum(self.squares, other.squares), points)


def _farthest(block: RowBlock, chosen: Chosen) -> FarthestRows:
    rows, squares = cdbw.farthest_rows(block.X, block.starts, chosen)
    return FarthestRows(squares, block.X[rows] if block.n else np.zeros((block.k, block.X.shape[1])))


@dataclass(frozen=True)
class Counted:
    """Points near representatives and midpoints; those of two sets of rows add up."""

    counts: Counts

    def __add__(self, other: Counted) -> Counted:
        """Points of both."""
        return Counted(Counts(*(a + b for a, b in zip(self.counts, other.counts, strict=True))))


def _counted(block: RowBlock, m: Moments, chosen: Chosen, matches: Matches) -> Counted:
    return Counted(cdbw.counts_near(_clusters(block, m), chosen, matches, n_jobs=1))


def _clusters(block: RowBlock, m: Moments) -> Clusters:
    return Clusters(block.X, block.Z, block.starts, m.means, _deviations(m))
