"""Many partitions of the same points: what they share, computed once, and the tables of a block of them.

A block is worked off by one thread. Its tables are flat, one partition after another; partitions are sorted by
their number of clusters, so that those with the same number lie side by side and stack without a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.kernels.work.sizes import EVERY, HIGHEST, STRIP
from clustval.lazy import cached_property
from clustval.passes.metrics.measure_between import ROOT
from clustval.passes.work import threads

Rows = Callable[[int, int], Floats]

BUCKET = 2**12  # distances of about the same size that are ranked together: they fit the cache


class Distances:
    """All distances between n points, in strips of columns; ranks and sums of the smallest, if asked for."""

    def __init__(self, strips: Floats, n: int, n_jobs: int) -> None:
        self.strips, self.n, self.n_jobs = strips, n, n_jobs

    @classmethod
    def of_points(cls, X: Floats, n_jobs: int, factor: float = ROOT) -> Distances:
        """Distances that sums of squared differences of the rows of X make: with the bits of those that are ranked."""
        n = len(X)
        count = -(-n // STRIP)
        columns = np.zeros((X.shape[1], count * STRIP))
        columns[:, :n] = X.T
        flat = columns.ravel()
        strips = np.empty((count, n * STRIP))

        def fill(s: int) -> None:
            rest = min(STRIP, n - s * STRIP)
            strip = kernels.sweeps.partition_strips.distance_strip
            strip(flat, count * STRIP, s * STRIP, rest, factor, strips[s])

        threads.run(fill, count, n_jobs)
        return cls(strips.ravel(), n, n_jobs)

    @classmethod
    def of_rows(cls, rows: Rows, n: int, n_jobs: int) -> Distances:
        """Distances by `rows(lo, hi)`, those of points lo ... hi-1 to all, which must be symmetric."""
        strips = np.zeros((-(-n // STRIP), n, STRIP))

        def fill(s: int) -> None:
            block = rows(s * STRIP, min((s + 1) * STRIP, n))
            strips[s, :, : len(block)] = block.T

        threads.run(fill, len(strips), n_jobs)
        return cls(strips.ravel(), n, n_jobs)

    @cached_property
    def symmetric(self) -> bool:
        """Whether each distance equals that in the other direction to the last bit."""
        strips, n = self.strips.reshape(-1, self.n, STRIP), self.n
        for at, strip in enumerate(strips):
            back = strips[:, at * STRIP : (at + 1) * STRIP].transpose(1, 0, 2).reshape(-1, len(strips) * STRIP)
            if not np.array_equal(strip[:, : len(back)].T, back[:, :n]):
                return False
        return True

    @staticmethod
    def bytes_needed(n: int, *, ranked: bool) -> int:
        """Memory that the distances of n points take: themselves, and what ranks and sums of the smallest need."""
        return (20 if ranked else 8) * n * (n + STRIP)

    @cached_property
    def squares(self) -> tuple[float, float]:
        """Sum over all pairs of (d - shift)**2, and the shift, which is about their mean."""
        n = self.n
        shift = float(self.strips.sum()) / max(n * (n - 1), 1)
        squares = 0.0
        for at, strip in zip(range(0, n, STRIP), self.strips.reshape(-1, n, STRIP), strict=True):
            away = strip[:, : n - at] - shift
            np.fill_diagonal(away[at:], 0.0)  # no pair; taken off the sum, its squares would take digits along
            squares += float((away**2).sum())
        return squares / 2, shift

    @cached_property
    def ranking(self) -> Ranking:
        """Ranks of all distances."""
        return Ranking.of(self)

    @cached_property
    def smallest(self) -> RunningSums:
        """Sums of the smallest distances."""
        return RunningSums.of(self.ranking.ordered)

    @cached_property
    def largest(self) -> RunningSums:
        """Sums of the largest distances."""
        return RunningSums.of(self.ranking.ordered[::-1])


@dataclass(frozen=True)
class Ranking:
    """All distances sorted, the doubled rank of each pair, and the ranks that equal distances share."""

    ordered: Floats
    ranks: NDArray[np.int32]  # of the pairs i < j, row after row
    tie_of: NDArray[np.int32]  # from a doubled rank to the number of its group, -1 for a single one; empty if no ties
    tie_sizes: Integers

    @classmethod
    def of(cls, distances: Distances) -> Ranking:
        """Sort bucket by bucket and look up each distance in its bucket."""
        n = distances.n
        count = n * (n - 1) // 2
        begins = np.empty(count // BUCKET + 2, dtype=np.int64)
        order, ordered, ranks = np.empty(count, dtype=np.int32), np.empty(count), np.empty(count, dtype=np.int32)
        longest = float(distances.strips.max(initial=0.0))
        scale = min((len(begins) - 1) / longest, HIGHEST) if longest > 0 else 0.0
        kernels.sweeps.rank_sums.scatter_by_size(distances.strips, n, scale, begins, order, ordered)
        tied = np.zeros(len(begins) - 1, dtype=bool)

        def rank(item: int) -> None:
            lo, hi = begins[item], begins[item + 1]
            if hi > lo:
                values = ordered[lo:hi].copy()
                ordered[lo:hi].sort()
                tied[item] = kernels.sweeps.rank_sums.rank_bucket(values, lo, ordered, order, ranks)

        threads.run(rank, len(tied), distances.n_jobs)
        tie_of, tie_sizes = np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int64)
        if tied.any():
            groups = kernels.sweeps.rank_sums.tie_groups(ordered, tie_of, tie_sizes)
            tie_of, tie_sizes = np.full(2 * count + 1, -1, dtype=np.int32), np.empty(groups, dtype=np.int64)
            kernels.sweeps.rank_sums.tie_groups(ordered, tie_of, tie_sizes)
        return cls(ordered, ranks, tie_of, tie_sizes)


@dataclass(frozen=True)
class RunningSums:
    """Sums of the first of many values, one sum stored for every `EVERY` values."""

    values: Floats
    totals: Floats
    corrections: Floats  # what rounding left out of each total

    @classmethod
    def of(cls, values: Floats) -> RunningSums:
        """Add up the values, which are not negative."""
        count = -(-len(values) // EVERY)
        sums = cls(values, np.zeros(max(count, 1)), np.zeros(max(count, 1)))
        kernels.sweeps.rank_sums.running_sums(values, sums.totals, sums.corrections)
        return sums

    def first(self, counts: Integers) -> Floats:
        """Return the sums of the first values, as many as each count says, correctly rounded but for the last bit."""
        sums = np.empty(len(counts))
        kernels.sweeps.rank_sums.sums_of_first(self.values, self.totals, self.corrections, counts, sums)
        return sums


class Block:
    """Partitions of the same points, sorted by their number of clusters, and where each has its place in tables."""

    def __init__(self, codes: Integers, ks: Integers) -> None:
        self.codes, self.ks = codes, ks
        self.firsts = _begins(ks + 1)  # of the limits of clusters
        self.rows = _begins(ks)  # of tables with a row per cluster
        self.cells = _begins(ks**2)  # of tables with a cell per two clusters
        self.order = np.empty_like(codes)
        self.starts = np.empty(self.firsts[-1], dtype=np.int64)
        kernels.sweeps.partition_strips.sort_by_cluster(codes, self.firsts, ks, self.order, self.starts)

    def per_point(self) -> Floats:
        """Room for a number per point and partition."""
        return np.empty(self.codes.shape)

    def per_pair(self, value: float = 0.0) -> Floats:
        """Room for a number per two clusters of each partition."""
        return np.full(self.cells[-1], value)


def _begins(counts: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(counts)])


@dataclass(frozen=True)
class PairTables:
    """Distances between points, by two clusters and by point, as in `kernels.sweeps.partition_strips`."""

    sums: Floats
    mins: Floats
    maxs: Floats
    reach: Floats
    own: Floats
    nearest: Floats

    @classmethod
    def of(cls, distances: Distances, block: Block) -> PairTables:
        """Read the matrix of distances, strip by strip, for all partitions of the block."""
        b = block
        tables = cls(
            b.per_pair(), b.per_pair(np.inf), b.per_pair(), b.per_pair(), own=b.per_point(), nearest=b.per_point()
        )
        kernels.sweeps.partition_strips.pair_tables(
            distances.strips, distances.n, b.codes, b.order, b.firsts, b.starts, b.ks, b.cells,
            tables.sums, tables.mins, tables.maxs, tables.reach, tables.own, tables.nearest,
        )  # fmt: skip
        return tables


def rank_sums(ranking: Ranking, n: int, block: Block) -> tuple[Integers, Integers]:
    """Sum of the doubled ranks of the distances within clusters, and how many ties they have with those between."""
    twice, ties = np.empty(len(block.ks), dtype=np.int64), np.empty(len(block.ks), dtype=np.int64)
    kernels.sweeps.rank_sums.rank_sums(
        ranking.ranks, n, block.order, block.firsts, block.starts, block.ks, twice, ties,
        ranking.tie_of, ranking.tie_sizes,
    )  # fmt: skip
    return twice, ties


@dataclass(frozen=True)
class MomentTables:
    """Means and squared deviations (a row per cluster) and gaps between means (a cell per two clusters)."""

    means: Floats
    squares: Floats
    gaps: Floats

    @classmethod
    def of(cls, Z: Floats, rounding: Floats, block: Block) -> MomentTables:
        """Two passes over the points of each cluster; differences below `rounding` are none."""
        b, p = block, Z.shape[1]
        tables = cls(np.empty(b.rows[-1] * p), np.empty(b.rows[-1] * p), b.per_pair())
        shortest = float(np.linalg.norm(rounding))
        kernels.sweeps.partition_moments.moments_of_many(
            Z, rounding, shortest, b.order, b.firsts, b.starts, b.ks, b.rows, b.cells,
            tables.means, tables.squares, tables.gaps,
        )  # fmt: skip
        return tables


def radii(Z: Floats, means: Floats, block: Block) -> tuple[Floats, Floats, Floats]:
    """Distances to centres: sums by two clusters; to the own and to the nearest other centre by point."""
    b = block
    sums, own, nearest = b.per_pair(), b.per_point(), b.per_point()
    kernels.sweeps.partition_moments.radii_of_many(
        Z, b.order, b.firsts, b.starts, b.ks, b.rows, b.cells, means, sums, own, nearest
    )  # fmt: skip
    return sums, own, nearest


@dataclass(frozen=True)
class Factors:
    """Logarithms of determinants, with what tells how far they can be trusted (see its kernels)."""

    log_dets: Floats
    ratios: Floats
    traces: Floats
    doubts: Floats
    shares: Floats

    @classmethod
    def of_partitions(cls, Z: Floats, totals: Floats, means: Floats, exponent: int, block: Block) -> Factors:
        """Log |W|, in units of a power of two, log |T| / |W| and tr(W^-1 B) of each partition."""
        f = cls(*np.empty((5, len(block.ks))))
        b = block
        kernels.sweeps.partition_moments.scatter_of_many(
            Z, totals, b.order, b.firsts, b.starts, b.ks, b.rows, means, 0.25**exponent,
            f.log_dets, f.ratios, f.traces, f.doubts, f.shares,
        )  # fmt: skip
        return f

    @classmethod
    def of_clusters(cls, Z: Floats, totals: Floats, means: Floats, exponent: int, block: Block) -> Factors:
        """Log |W_c| of each cluster, in units of a power of two; no ratios and no traces."""
        b = block
        f = cls(np.empty(b.rows[-1]), np.empty(0), np.empty(0), *np.empty((2, len(b.ks))))
        kernels.sweeps.partition_moments.log_dets_of_clusters(
            Z, totals, b.order, b.firsts, b.starts, b.ks, b.rows, means, 0.25**exponent,
            f.log_dets, f.doubts, f.shares,
        )  # fmt: skip
        return f
