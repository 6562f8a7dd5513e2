"""Scatter matrices within, between and in total, kept as triangular factors.

A factor R with R'R = W keeps half of the digits that W itself loses, its determinant cannot change sign, and
factors of blocks of points stack into the factor of the whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from weakref import proxy

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.declare import Statistic, way
from clustval.kernels.work.rounding import EPSILON, SINGULAR, TRUSTED
from clustval.lazy import cached_property
from clustval.passes.points.triangle import centred, in_units_of, log_det, log_sum, triangle, units
from clustval.passes.sweeps.partitions import Factors
from clustval.sources.many import BlockTables, Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.takes import Takes
from clustval.stats.points.moments import Moments, moment_tables

LOG2 = math.log(2)
FEW = 2**10  # points that are factored all at once, not cluster by cluster, unless someone asks for clusters


def _short(rows: Floats, n: int) -> Floats:
    """Return at most p rows with the same cross product, of a clustering of n points."""
    return triangle(rows, n) if len(rows) > rows.shape[1] else rows


@dataclass(frozen=True, eq=False)
class Scatter(Statistic):
    """The scatter matrix W_c of each cluster as a factor, from which W = sum of W_c, B and T = W + B follow.

    Those of disjoint sets of points, about the same means, add up.
    """

    takes = Takes(coordinates=True, column_tables=True)
    after = (Moments,)

    moments: Moments
    rows: Floats  # (m, p) factors A_c of the clusters, one below the other, with A_c'A_c = W_c: centred points if few
    heights: Integers  # (k,) how many rows each has
    largest: Floats  # (p,) largest coordinate, without its sign

    @classmethod
    def part(cls, block: Partition, m: Moments) -> Scatter:
        """Factor the centred points of each cluster."""
        assert block.space.X is not None
        if block.n <= FEW:
            away, largest = centred(block.space.X, block.Z, block.codes, m.means)
            if block.weights is not None:
                away *= np.sqrt(block.weights)[:, None]
            return cls(m, away, block.sizes, largest)
        _, lows, highs = block.space.columns.table
        largest = np.maximum(-lows, highs)
        parts: Iterable[Floats] = (  # all centred points at once would be too many
            block.Z[lo:hi] - mean for lo, hi, mean in zip(block.starts, block.starts[1:], m.means, strict=False)
        )
        if block.weights is not None:
            parts = map(np.multiply, parts, np.split(np.sqrt(block.weights)[:, None], block.starts[1:-1]))
        return cls.stacked(m, (_short(part, block.n) for part in parts), largest)

    @classmethod
    def stacked(cls, m: Moments, factors: Iterable[Floats], largest: Floats) -> Scatter:
        """Return the scatter of factors, one for each cluster."""
        factors = list(factors)
        rows: Floats = np.concatenate(factors) if factors else np.zeros((0, m.p))
        return cls(m, rows, np.array([len(factor) for factor in factors], dtype=np.int64), largest)

    def __add__(self, other: Scatter) -> Scatter:
        """Scatter of the union of two disjoint sets of points."""
        pairs = zip(self.factors, other.factors, strict=True)
        factors = (_short(np.concatenate(pair), self._points) for pair in pairs)
        return Scatter.stacked(self.moments, factors, np.maximum(self.largest, other.largest))

    @property
    def factors(self) -> list[Floats]:
        """A_c of each cluster."""
        return np.split(self.rows, self.heights.cumsum()[:-1])

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Compute what all partitions share: the scatter of all points."""
        Moments.prepare(shared)
        _ = shared.one_cluster[Scatter].log_det_total

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> ScatterOfMany:
        """Return determinants of many partitions, from the points themselves where the matrix is not precise."""
        points, tables = group.shared.one_cluster, group.tables
        means = moment_tables(tables).means
        factors = tables.cached(
            "scatter",
            lambda: Factors.of_partitions(
                points.Z, points[Moments].total_by_dimension, means, points[Scatter].exponent, tables.block
            ),
        )
        log_dets, ratios, traces = (
            table[group.rows].copy() for table in (factors.log_dets, factors.ratios, factors.traces)
        )
        trusted = _trusted(group.shared, factors)[group.rows] & (group.k > 1)  # one cluster has no scatter between
        for at in np.flatnonzero(~trusted):
            exact = group.single(int(at))[Scatter]
            log_dets[at], traces[at] = exact.log_det_within, exact.between_in_units_of_within
            ratios[at] = exact.log_ratio
        return ScatterOfMany(proxy(group), log_dets, ratios, traces)  # the group holds it: neither would be let go

    @property
    def n(self) -> Any:
        """Number of points, by weight."""
        return self.moments.n

    @property
    def mass(self) -> Any:
        """Number of points of each cluster, by weight (k,)."""
        return self.moments.mass

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.moments.k

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return self.moments.p

    @cached_property
    def _units(self) -> tuple[Floats, Floats, int]:
        return units(self.moments.total_by_dimension, self.largest, self.n, self._points)

    @property
    def scales(self) -> Floats:
        """Norm of each centred column (p,)."""
        return self._units[0]

    @property
    def noise(self) -> Floats:
        """What rounding of the coordinates may add to such a norm (p,)."""
        return self._units[1]

    @property
    def exponent(self) -> int:
        """The power of two that determinants take as the unit of length, so that scaling X changes no digit of them."""
        return self._units[2]

    @property
    def log_unit(self) -> float:
        """Logarithm of the volume that determinants are measured in."""
        return 2 * self.p * self.exponent * LOG2

    @cached_property
    def triangles(self) -> tuple[Floats, ...]:
        """R_c of each cluster, upper triangular, with R_c'R_c = W_c; any factor if it has no more rows than columns."""
        return tuple(_short(factor, self._points) for factor in self.factors)

    @cached_property
    def within(self) -> Floats:
        """R with R'R = W."""
        return triangle(self.rows, self._points)

    @cached_property
    def between(self) -> Floats:
        """Rows sqrt(n_c) (mean_c - mean): their cross product is B."""
        return np.sqrt(self.mass)[:, None] * self.moments.offsets

    @cached_property
    def log_dets(self) -> Floats:
        """Return log |W_c| of each cluster, in units; -inf where W_c is singular, as with too few points (k,)."""
        return np.array([
            self._log_det(factor) if size > self.p else -math.inf
            for factor, size in zip(self.triangles, self.moments.sizes, strict=True)
        ])  # fmt: skip

    @cached_property
    def total(self) -> Floats:
        """R with R'R = T."""
        return triangle(np.concatenate([self.within, self.between]), self._points)

    @cached_property
    def log_det_within(self) -> float:
        """Return log |W|, in units; -inf where W is singular."""
        enough = self._points - self.k >= self.p
        return self._log_det(self.within) if enough else -math.inf

    def det_within(self, times: int) -> float:
        """Return |W|, `times` over; NaN if a float cannot hold it."""
        if self.log_det_within == -math.inf:
            return 0.0
        doublings = round(self.log_det_within / LOG2)
        fraction = math.exp(self.log_det_within - doublings * LOG2)
        try:
            return math.ldexp(times * fraction, doublings + 2 * self.p * self.exponent)
        except OverflowError:
            return math.nan

    @cached_property
    def log_det_total(self) -> float:
        """Return log |T|, in units; -inf where T is singular."""
        enough = self._points > self.p
        return self._log_det(self.total) if enough else -math.inf

    def _log_det(self, factor: Floats) -> float:
        return log_det(factor, *self._units, self._points)

    @cached_property
    def _points(self) -> int:
        """How many points there are, whatever they weigh: as many directions they may span."""
        m = self.moments
        return int(m.n) if m.mass is m.sizes else int(m.sizes.sum())

    @cached_property
    def offsets_in_units_of_within(self) -> Floats:
        """Rows of `between` where W is the unit: their cross product has the trace of W^-1 B."""
        return in_units_of(self.within, self.between, self._points)

    @cached_property
    def between_in_units_of_within(self) -> float:
        """tr(W^-1 B), NaN where W is singular."""
        if self.log_det_within == -math.inf:
            return math.nan
        return float((self.offsets_in_units_of_within**2).sum())

    @cached_property
    def log_ratio(self) -> float:
        """Return log(|T| / |W|): infinite if only W is singular, NaN if both are.

        It is log |1 + W^-1 B|, which is precise also where clusters hardly differ; a difference of logarithms is not.
        """
        if self.log_det_within == -math.inf:  # T, which is W and more, is singular only if W is
            return math.nan if self.log_det_total == -math.inf else math.inf
        return log_sum(self.offsets_in_units_of_within, self._points)


@dataclass(frozen=True, eq=False)
class ScatterOfMany:
    """What formulas read of `Scatter`, one for each of many partitions."""

    group: Group
    log_det_within: Floats
    log_ratio: Floats
    between_in_units_of_within: Floats

    @property
    def n(self) -> int:
        """Number of points."""
        return self.group.n

    @property
    def mass(self) -> Any:
        """Number of points of each cluster (k,)."""
        return self.group.sizes

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.group.k

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return self.group.shared.one_cluster.p

    @property
    def exponent(self) -> int:
        """The power of two that determinants take as the unit of length."""
        return self.group.shared.one_cluster[Scatter].exponent

    @property
    def log_unit(self) -> float:
        """Logarithm of the volume that determinants are measured in."""
        return self.group.shared.one_cluster[Scatter].log_unit

    def det_within(self, times: int) -> Floats:
        """Return |W| of each, `times` over; NaN where a float cannot hold it."""
        doublings = np.where(np.isfinite(self.log_det_within), np.rint(self.log_det_within / LOG2), 0).astype(np.int64)
        fractions = np.exp(self.log_det_within - doublings * LOG2)
        volumes = np.ldexp(times * fractions, doublings + 2 * self.p * self.exponent)
        return np.where(np.isinf(volumes), np.nan, volumes)

    @property
    def log_det_total(self) -> float:
        """Return log |T|, which is the same for all."""
        return self.group.shared.one_cluster[Scatter].log_det_total

    @cached_property
    def log_dets(self) -> Floats:
        """Return log |W_c| of each cluster (k,)."""
        group = self.group
        factors = _factors_of_clusters(group.tables)
        values = group.per_cluster(factors.log_dets, 1)[..., 0].copy()
        for at in np.flatnonzero(~_trusted(group.shared, factors)[group.rows]):
            values[at] = group.single(int(at))[Scatter].log_dets
        return values


def _factors_of_clusters(tables: BlockTables) -> Factors:
    points, means = tables.shared.one_cluster, moment_tables(tables).means
    return tables.cached(
        "scatter of clusters",
        lambda: Factors.of_clusters(
            points.Z, points[Moments].total_by_dimension, means, points[Scatter].exponent, tables.block
        ),
    )


def _trusted(shared: Shared, factors: Factors) -> Flags:
    """Whether log |W| is precise and W far from singular, by the same standard as `log_det`."""
    scatter = shared.one_cluster[Scatter]
    with np.errstate(all="ignore"):  # constant columns make no trustworthy matrix
        noise = float((scatter.noise / scatter.scales).max())
        singular = SINGULAR * max(scatter.p * EPSILON, noise)
        precise: Flags = 16 * EPSILON * factors.doubts < TRUSTED
        regular: Flags = factors.shares > 4 * factors.doubts * singular**2
        return precise & regular
