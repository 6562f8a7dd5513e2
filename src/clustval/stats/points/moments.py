"""Sizes, means and squared deviations of the clusters: one pass over the points."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Flags, Floats, Integers
from clustval.declare import Statistic, together, way
from clustval.kernels.work.rounding import ROUNDING_OF_MEANS
from clustval.lazy import cached_property
from clustval.passes.centres.centre_gaps import BetweenMeans, Gaps
from clustval.passes.metrics.measure_sparse import sparse_moments
from clustval.passes.points.row_moments import AT_ONCE, BLOCK, RowSums, RowTable, columns_of, moments_of_rows
from clustval.passes.points.sorted_rows import about_mean, deviations_by_cluster_numpy
from clustval.passes.sweeps.partitions import MomentTables
from clustval.passes.work import thresholds
from clustval.sources.many import BlockTables, Group, Shared
from clustval.sources.partition import Partition
from clustval.sources.row_blocks import RowBlock
from clustval.sources.space import SparseSpace
from clustval.sources.takes import Takes, euclidean, in_read_order, sparse


@dataclass(frozen=True, eq=False)
class Moments(Statistic):
    """Per cluster and dimension: how many points, their mean, the sum of squared deviations from it.

    Means are taken from a fixed origin, so that data far from zero lose nothing. Those of disjoint sets of points
    with the same clusters and origin add up.
    """

    takes = Takes(coordinates=True)

    sizes: Integers  # (k,) number of points
    mass: Any  # (k,) their weights; the sizes where points are not weighted
    means: Floats  # (k, p), from the origin
    squares: Floats  # (k, p): sum of (x - mean)**2
    reach: Floats  # (p,): largest distance from the origin
    about: Floats | None = None  # (k + 3, p): `mean`, `between_by_dimension`, `total_by_dimension`, `offsets`, if known

    @classmethod
    def part(cls, block: Partition) -> Moments:
        """Two passes over centred data: the second corrects what the first rounds."""
        return cls.of_points(block.Z, block.starts, block.space.n_jobs, block.weights)

    @classmethod
    @way(of=Partition, when=in_read_order, takes=Takes(coordinates=True), part=True)
    def from_points(cls, block: Partition) -> Moments:
        """One pass over points in the order of the input."""
        rows = block.rows_as_read
        if rows.size > AT_ONCE:
            return cls.of_rows(rows, block.row_sums, block.sizes, block.columns[0])
        return MomentsOfTable(block.moment_table, block.sizes, block.n)

    @classmethod
    @way(of=RowBlock, when=in_read_order, takes=Takes(coordinates=True), part=True)
    def from_rows(cls, block: RowBlock) -> Moments:
        """One pass over rows as they were read."""
        return cls.of_rows(block.rows_as_read, block.row_sums, block.sizes, block.origin)

    @classmethod
    @way(of=Partition, when=sparse, takes=Takes(coordinates=True), part=True)
    def from_sparse(cls, block: Partition) -> Moments:
        """One pass over the coordinates that are not 0."""
        assert isinstance(block.space, SparseSpace)
        table = block.space.table[block.order]
        return cls(block.sizes, block.mass, *sparse_moments(table, block.codes, block.mass, block.weights))

    @classmethod
    def of_points(cls, Z: Floats, starts: Integers, n_jobs: int = 1, weights: Floats | None = None) -> Moments:
        """Return the moments of points sorted by cluster; clusters may be empty."""
        sizes = starts[1:] - starts[:-1]
        if weights is None and len(Z) >= thresholds.POINTS:
            columns = columns_of(Z).table
            columns[0] = 0.0
            codes = np.repeat(np.arange(len(sizes)), sizes)
            if Z.size > AT_ONCE:
                return cls.of_rows(Z, RowSums.of(Z, codes, sizes, n_jobs, block=BLOCK), sizes, columns[0])
            table = moments_of_rows(Z, codes, sizes, columns, ROUNDING_OF_MEANS)
            return MomentsOfTable(table, sizes, len(Z))
        mass: Any = sizes
        if weights is not None:
            mass = np.bincount(np.repeat(np.arange(len(sizes)), sizes), weights=weights, minlength=len(sizes))
        whole = np.count_nonzero(sizes) == len(sizes)
        counts = mass if whole else np.where(sizes > 0, mass, 1)
        means, sums, squares, reach = deviations_by_cluster_numpy(Z, starts, counts, weights)
        counts = counts[:, None]
        drift = sums / counts
        means = means + drift
        # A sum of squares about a point off the mean by `drift` is too large by n drift**2.
        spread = np.maximum(squares - counts * drift**2, 0)
        # Points that are equal have a mean that may be off by rounding: then the mean is the point itself.
        equal = spread <= counts * (ROUNDING_OF_MEANS * reach) ** 2
        if not whole:
            equal &= (sizes > 0)[:, None]
        if np.count_nonzero(equal):
            firsts = Z[np.minimum(starts[:-1], len(Z) - 1)]
            means, spread = np.where(equal, firsts, means), np.where(equal, 0, spread)
        return cls(sizes, mass, means, spread, reach)

    @classmethod
    def of_rows(cls, X: NDArray[Any], r: RowSums, sizes: Integers, origin: Floats) -> Moments:
        """Return the moments of rows in any order, of 32 or 64 bits; clusters may be empty."""
        reach = np.maximum(r.highs - origin, origin - r.lows)
        counts = np.maximum(sizes, 1)[:, None]
        equal = (r.squares <= counts * (ROUNDING_OF_MEANS * reach) ** 2) & (sizes > 0)[:, None]
        means = np.where(equal, X[r.firsts] - origin, r.means_from(origin))
        return cls(sizes, sizes, np.where(sizes[:, None] > 0, means, 0), np.where(equal, 0, r.squares), reach)

    def relabelled(self, places: Integers, k: int) -> Moments:
        """Return the same with clusters at other places among k, of which the others are empty."""
        tables = {name: np.zeros((k, *getattr(self, name).shape[1:])) for name in ("means", "squares")}
        for name, table in tables.items():
            table[places] = getattr(self, name)
        sizes = np.zeros(k, dtype=np.int64)
        sizes[places] = self.sizes
        mass: Any = sizes
        if self.mass is not self.sizes:
            mass = np.zeros(k)
            mass[places] = self.mass
        return Moments(sizes=sizes, mass=mass, reach=self.reach, **tables)

    def moved(self, shift: Floats) -> Moments:
        """Return the same about another origin: means grow by `shift`."""
        means = np.where(self.sizes[:, None] > 0, self.means + shift, 0.0)
        return Moments(self.sizes, self.mass, means, self.squares, self.reach + np.abs(shift))

    def __add__(self, other: Moments) -> Moments:
        """Moments of the union of two disjoint sets of points."""
        mass = self.mass + other.mass
        share = np.divide(other.mass, mass, out=np.zeros(len(mass)), where=mass > 0)[:, None]
        step = other.means - self.means
        sizes = self.sizes + other.sizes
        return Moments(
            sizes=sizes,
            mass=sizes if self.mass is self.sizes and other.mass is other.sizes else mass,
            means=self.means + share * step,
            squares=self.squares + other.squares + self.mass[:, None] * share * step**2,
            reach=np.maximum(self.reach, other.reach),
        )

    @classmethod
    @way(of=Shared)
    def prepare(cls, shared: Shared) -> None:
        """Compute what the moments of many partitions share."""
        _ = shared.one_cluster[Moments].total_by_dimension

    @classmethod
    @way(of=Group)
    def of_many(cls, group: Group) -> Moments:
        """Stack the moments of partitions with the same number of clusters."""
        tables, p = moment_tables(group.tables), group.shared.one_cluster.p
        means, squares = group.per_cluster(tables.means, p), group.per_cluster(tables.squares, p)
        reach, gaps = group.shared.one_cluster[Moments].reach, Gaps.of_table(group.per_pair(tables.gaps))
        return MomentsOfMany(group.sizes, group.sizes, means, squares, reach, gaps=gaps)

    @cached_property
    def n(self) -> Any:
        """Number of points, by weight."""
        count = np.add.reduce(self.mass, axis=-1).flat[0]
        return int(count) if self.mass is self.sizes else float(count)

    @property
    def k(self) -> int:
        """Number of clusters."""
        return self.sizes.shape[-1]

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return self.means.shape[-1]

    @cached_property
    def _about_mean(self) -> tuple[Floats, Floats, Floats, Floats]:
        if self.about is not None:
            return self.about[0], self.about[3:], self.about[1], self.about[2]
        return about_mean(self.mass, self.means, self.squares, self.n, ROUNDING_OF_MEANS, self.reach)

    @property
    def mean(self) -> Floats:
        """Mean of all points (p,)."""
        return self._about_mean[0]

    @property
    def offsets(self) -> Floats:
        """Means of the clusters from the mean of all points (k, p); 0 where only rounding parts them."""
        return self._about_mean[1]

    @cached_property
    def within_by_cluster(self) -> Floats:
        """WGSS_k: squared distances of the points of each cluster to its mean (k,)."""
        return self.squares.sum(-1)

    @cached_property
    def within(self) -> Floats:
        """WGSS: squared distances of all points to the mean of their cluster."""
        return np.add.reduce(self.squares, axis=(-2, -1))

    @property
    def between_by_dimension(self) -> Floats:
        """BGSS_j: weighted squared distances of cluster means to the mean, per dimension (p,)."""
        return self._about_mean[2]

    @cached_property
    def between(self) -> Floats:
        """BGSS: weighted squared distances of cluster means to the mean of all points."""
        return self.between_by_dimension.sum(-1)

    @property
    def total_by_dimension(self) -> Floats:
        """TSS_j: squared deviations of all points from the mean, per dimension (p,)."""
        return self._about_mean[3]

    @property
    def varies(self) -> Flags:
        """Whether each dimension varies by more than the rounding of its mean (p,)."""
        return self.total_by_dimension > self.n * (ROUNDING_OF_MEANS * self.reach) ** 2

    @cached_property
    def gaps(self) -> Gaps:
        """Euclidean distances between the means of the clusters; 0 where only rounding parts them."""
        return Gaps(BetweenMeans(self.means, self.rounding, self.n), self.k)

    @property
    def rounding(self) -> float:
        """Euclidean distance from or between means that rounding may leave of 0."""
        return ROUNDING_OF_MEANS * math.sqrt(self.reach.dot(self.reach))

    @cached_property
    def variance_norms(self) -> Floats:
        """Norm of each cluster's vector of variances (k,)."""
        return _norms(self.squares / self.mass[..., None])

    @property
    def total_variance_norm(self) -> Floats:
        """Norm of the vector of variances of all points."""
        return _norms(self.total_by_dimension / self.n)


@dataclass(frozen=True, eq=False)
class MomentsOfMany(Moments):
    """Moments with the gaps between means measured beforehand."""

    gaps: Gaps = field(kw_only=True)


class MomentsOfTable(Moments):
    """Moments that one call added up: most formulas read sums alone, and the rest is cut out when asked for."""

    table: Floats  # (3 k + 4, p), as `RowTable` has it

    def __init__(self, rows: RowTable, sizes: Integers, n: int) -> None:
        table, within, between = rows
        sums = {"within": np.float64(within), "between": np.float64(between)}
        vars(self).update(sums, table=table, sizes=sizes, mass=sizes, n=n)

    @cached_property
    def means(self) -> Floats:
        return self.table[: self.k]

    @cached_property
    def squares(self) -> Floats:
        return self.table[self.k : 2 * self.k]

    @cached_property
    def reach(self) -> Floats:
        return self.table[2 * self.k]

    @cached_property
    def about(self) -> Floats:
        return self.table[2 * self.k + 1 :]


def many_in_memory(source: Any) -> bool:
    """Return whether points in memory, with Euclidean distances, are so many that their clusters may be."""
    return isinstance(source, Partition) and source.n > thresholds.GAPS and euclidean(source)


@dataclass(frozen=True, eq=False)
class MeanGaps(Statistic):
    """Euclidean distances between each two means, for formulas that need them all and not the nearest alone."""

    takes = Takes(centre_pairs=True)
    after = (Moments,)

    gaps: Gaps
    n_jobs: int = 1

    @classmethod
    def derived(cls, m: Moments) -> MeanGaps:
        """Take them from the means."""
        return cls(m.gaps)

    @classmethod
    @way(of=Partition, after=(Moments,), when=many_in_memory, takes=together(takes, Moments.price))
    def on_threads(cls, points: Partition, m: Moments) -> MeanGaps:
        """Take them likewise, with the threads that the points are visited by."""
        return cls(m.gaps, points.space.n_jobs)


def _norms(vectors: Floats) -> Floats:
    """Return the lengths of vectors along the last axis: variances have squares that overflow or vanish."""
    exponents = np.frexp(vectors.max(-1, keepdims=True))[1]
    near_one = np.ldexp(vectors, -exponents)
    return np.ldexp(np.sqrt((near_one * near_one).sum(-1)), exponents[..., 0])


def moment_tables(tables: BlockTables) -> MomentTables:
    """Return means and squares of a block of partitions, computed once."""
    points = tables.shared.one_cluster
    return tables.cached(
        MomentTables, lambda: MomentTables.of(points.Z, ROUNDING_OF_MEANS * points[Moments].reach, tables.block)
    )
