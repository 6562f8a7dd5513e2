"""Statistics of many partitions at once, each with one more axis in front.

A formula evaluated on such statistics gives one value per partition. Statistics that have no kernel for many
partitions are computed one by one and stacked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.inputs import Labels
from clustval.partition import Partition
from clustval.registry import Statistic
from clustval.relative.batch import Tables
from clustval.stats.densities import Densities
from clustval.stats.moments import Moments
from clustval.stats.pairs import Extremes, PairExtremes, PairSums, PointMeans
from clustval.stats.radii import Radii
from clustval.stats.ranks import Concordance, ExtremeSums
from clustval.stats.scatter import Scatter

Array = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class MomentsOfMany(Moments):
    """Moments with the gaps between means measured beforehand."""

    gaps: Array


@dataclass(frozen=True, eq=False)
class ScatterOfMany:
    """What formulas read of `Scatter`, one for each of many partitions."""

    group: Group
    log_det_within: Array
    between_in_units_of_within: Array

    @property
    def n(self) -> int:
        """Number of points."""
        return self.group.n

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.group.k

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return int(self.group.ground.Z.shape[1])

    @property
    def log_det_total(self) -> float:
        """Return log |T|, which is the same for all."""
        return self.group.ground.log_det_total

    @cached_property
    def log_dets(self) -> Array:
        """Return log |W_c| of each cluster (k,)."""
        return self.group.log_dets()


class Group:
    """Partitions with the same number of clusters, side by side in a block: a source of stacked statistics."""

    def __init__(self, tables: Tables, lo: int, hi: int) -> None:
        self.tables, self.lo, self.hi = tables, lo, hi
        self.ground, self.block = tables.ground, tables.block
        self.space, self.n, self.k = self.ground.space, self.ground.n, int(self.block.ks[lo])
        starts = self.block.starts[self.block.firsts[lo] : self.block.firsts[hi]].reshape(hi - lo, self.k + 1)
        self.sizes: Integers = np.diff(starts)
        self.codes: Integers = self.block.codes[lo:hi]
        self._known: dict[type[Statistic], Any] = {}
        self._single: dict[int, Partition] = {}

    def __getitem__(self, statistic: type[Statistic]) -> Any:
        """Return the stacked statistic, computed on first use."""
        if statistic not in self._known:
            self._known[statistic] = BUILDERS[statistic](self)
        return self._known[statistic]

    def single(self, at: int) -> Partition:
        """Return one of the partitions alone."""
        if at not in self._single:
            self._single[at] = Partition(self.space, Labels(self.codes[at], list(range(self.k))))
        return self._single[at]

    def per_pair(self, flat: Array) -> Array:
        """Tables of two clusters, stacked."""
        cells = self.block.cells
        return flat[cells[self.lo] : cells[self.hi]].reshape(-1, self.k, self.k)

    def per_cluster(self, flat: Array, width: int) -> Array:
        """Rows of clusters, stacked."""
        rows = self.block.rows
        return flat[rows[self.lo] * width : rows[self.hi] * width].reshape(-1, self.k, width)

    def stacked(self, statistic: type[Statistic]) -> Any:
        """Compute the statistic for each partition alone, and stack its fields."""
        parts = [self.single(at)[statistic] for at in range(self.hi - self.lo)]
        names = [field.name for field in fields(parts[0])]
        return statistic(**{name: np.stack([getattr(part, name) for part in parts]) for name in names})

    def log_dets(self) -> Array:
        """Log |W_c| of the clusters of each partition, from the points themselves where the matrix is not precise."""
        factors = self.tables.factors_of_clusters
        values = self.per_cluster(factors.log_dets, 1)[..., 0].copy()
        for at in np.flatnonzero(~self.ground.trusted(factors)[self.lo : self.hi]):
            values[at] = self.single(int(at))[Scatter].log_dets
        return values


def _moments(g: Group) -> Moments:
    t, p = g.tables.moments, g.ground.Z.shape[1]
    means, squares = g.per_cluster(t.means, p), g.per_cluster(t.squares, p)
    return MomentsOfMany(g.sizes, means, squares, g.ground.reach, g.per_pair(t.gaps))


def _radii(g: Group) -> Radii:
    if not g.space.euclidean:
        return g.stacked(Radii)  # type: ignore[no-any-return]
    sums, own, nearest = g.tables.radii
    m: Moments = g[Moments]
    return Radii(
        sizes=g.sizes,
        codes=g.codes,
        own=own[g.lo : g.hi],
        nearest=nearest[g.lo : g.hi],
        neighbour=NOBODY,
        sums=g.per_pair(sums),
        total=g.ground.spread,
        gaps=m.gaps,
    )


def _scatter(g: Group) -> ScatterOfMany:
    factors = g.tables.factors
    log_dets, traces = factors.log_dets[g.lo : g.hi].copy(), factors.traces[g.lo : g.hi].copy()
    trusted = g.ground.trusted(factors)[g.lo : g.hi] & (g.k > 1)  # one cluster has no scatter between, exactly
    for at in np.flatnonzero(~trusted):
        exact: Scatter = g.single(int(at))[Scatter]
        log_dets[at], traces[at] = exact.log_det_within, exact.between_in_units_of_within
    return ScatterOfMany(g, log_dets, traces)


def _pair_sums(g: Group) -> PairSums:
    assert g.ground.distances is not None
    return PairSums(g.sizes, g.per_pair(g.tables.pairs.sums), *g.ground.distances.squares)


def _point_means(g: Group) -> PointMeans:
    t = g.tables.pairs
    return PointMeans(g.sizes, g.codes, t.own[g.lo : g.hi], t.nearest[g.lo : g.hi], NOBODY)


def _pair_extremes(g: Group) -> PairExtremes:
    t = g.tables.pairs
    return PairExtremes(g.per_pair(t.mins), g.per_pair(t.maxs), g.per_pair(t.reach))


def _extremes(g: Group) -> Extremes:
    e: PairExtremes = g[PairExtremes]
    return Extremes(e.mins.min((-2, -1)), e.diameters.max(-1))


def _pairs_within(g: Group) -> Integers:
    return (g.sizes * (g.sizes - 1) // 2).sum(-1)  # type: ignore[no-any-return]


def _concordance(g: Group) -> Concordance:
    twice, ties = (values[g.lo : g.hi] for values in g.tables.ranks)
    within = _pairs_within(g)
    between = g.n * (g.n - 1) // 2 - within
    # Ranks among all less ranks among those within leave the distances between that are smaller, ties for a half.
    minus = (twice - within * (within + 1) - ties) // 2
    return Concordance(within * between - minus - ties, minus, ties)  # type: ignore[arg-type]


def _extreme_sums(g: Group) -> ExtremeSums:
    distances, within = g.ground.distances, _pairs_within(g)
    assert distances is not None
    return ExtremeSums(distances.smallest.first(within), distances.largest.first(within))  # type: ignore[arg-type]


NOBODY: Integers = np.empty(0, dtype=np.int64)  # values of indices do not ask which cluster is the nearest

BUILDERS: dict[type[Statistic], Callable[[Group], Any]] = {
    Moments: _moments,
    Radii: _radii,
    Scatter: _scatter,
    Densities: lambda g: g.stacked(Densities),
    PairSums: _pair_sums,
    PointMeans: _point_means,
    PairExtremes: _pair_extremes,
    Extremes: _extremes,
    Concordance: _concordance,
    ExtremeSums: _extreme_sums,
}
