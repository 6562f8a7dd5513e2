"""How near the points of each cluster come to a normal distribution, by their squared Mahalanobis distances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Statistic, way
from clustval.kernels.work.rounding import COLLINEAR
from clustval.lazy import cached_property
from clustval.sources.row_blocks import RowBlock
from clustval.sources.takes import Takes
from clustval.stats.points.kept_values import KeptValues
from clustval.stats.points.mahalanobis import ONCE, MahalanobisSquares
from clustval.stats.points.ordered_values import OrderedValues
from clustval.stats.points.scatter import Scatter

AT_ONCE = 2**16  # numbers that are sorted together, so that many small clusters take few calls


@dataclass(frozen=True, eq=False)
class NormalFit(Statistic):
    """Largest difference between two distribution functions in each cluster.

    One is that of the squared Mahalanobis distances of its points to its mean, by its own covariance, the other that
    of a normal distribution, which is chi squared.
    """

    takes = Takes(reads_points=True)
    after = (MahalanobisSquares,)

    sizes: Integers  # (k,)
    differences: Floats  # (k,)

    @classmethod
    def derived(cls, q: MahalanobisSquares) -> NormalFit:
        """Sort the squares of each cluster."""
        return cls(q.sizes, _differences(OrderedValues.of(q, q.squares), np.ravel(q.p)[0]))


def _differences(ordered: OrderedValues, p: int) -> Floats:
    from scipy.special import chdtr  # noqa: PLC0415 - only one index needs it

    expected = chdtr(p, ordered.values)
    sizes = np.repeat(ordered.sizes, ordered.sizes)
    apart = np.maximum((ordered.ranks + 1) / sizes - expected, expected - ordered.ranks / sizes)
    return np.maximum.reduceat(apart, ordered.starts).reshape(ordered.shape)


# --- rows in blocks --------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ClusterUnits(Statistic):
    """What brings the points of each cluster to a covariance of 1: a matrix for each."""

    after = (Scatter,)

    sizes: Integers  # (k,)
    means: Floats  # (k, p), from the origin
    matrices: tuple[Floats | None, ...]  # (p, p) each; None where the covariance cannot be inverted

    @classmethod
    def derived(cls, s: Scatter) -> ClusterUnits:
        """Invert the factor of the scatter of each cluster, its columns brought to length 1 first."""
        m = s.moments
        matrices = (_unit(factor, size) for factor, size in zip(s.factors, m.sizes.tolist(), strict=True))
        return cls(m.sizes, m.means, tuple(matrices))


def _unit(factor: Floats, size: int) -> Floats | None:
    """Return the matrix that brings points with this factor of their scatter to a covariance of 1."""
    p = factor.shape[1]
    lengths = np.linalg.norm(factor, axis=0)
    if size <= p or not lengths.all():
        return None
    triangle: Floats = np.asarray(np.linalg.qr(factor / lengths, mode="r"))
    if not np.abs(triangle.diagonal()).min() > COLLINEAR:
        return None
    inverse: Floats = np.linalg.solve(triangle, np.eye(p)) * np.sqrt(size - 1)
    return inverse / lengths[:, None]


@dataclass(frozen=True, eq=False)
class KeptSquares(Statistic):
    """Squared Mahalanobis distances of points, as `NormalFit` needs them. Those of two sets of points add up."""

    sizes: Integers  # (k,) of the whole
    p: Any
    kept: KeptValues

    def __add__(self, other: KeptSquares) -> KeptSquares:
        """Squares of two sets of points, one after the other."""
        return KeptSquares(self.sizes, self.p, self.kept + other.kept)

    @cached_property
    def differences(self) -> Floats:
        """Largest difference between the two distribution functions of each cluster (k,)."""
        squares = self.kept.by_cluster(self.sizes)
        ends = np.cumsum(self.sizes)
        parts = []
        for begin, end in _batches(ends):
            low, sizes = int(ends[begin] - self.sizes[begin]), self.sizes[begin:end]
            values = squares[low : ends[end - 1]]
            order = np.lexsort((values, np.repeat(np.arange(len(sizes)), sizes)))
            parts.append(_differences(OrderedValues(values[order], sizes, sizes.shape), self.p))
        return np.concatenate(parts)


def _batches(ends: Integers) -> Iterator[tuple[int, int]]:
    """Give first clusters and ends of batches, each of one cluster or of no more than so many points."""
    begin = 0
    while begin < len(ends):
        before = int(ends[begin - 1]) if begin else 0
        end = max(begin + 1, int(np.searchsorted(ends, before + AT_ONCE, side="right")))
        yield begin, end
        begin = end


@way(
    NormalFit,
    of=RowBlock,
    after=(ClusterUnits,),
    takes=Takes(coordinates=True, no_weights_because=ONCE, held_bytes=24),
    part=True,
)
def from_rows(block: RowBlock, units: ClusterUnits) -> KeptSquares:
    """Keep the square of each point, 0 where the covariance of its cluster cannot be inverted."""
    squares = np.zeros(block.n)
    for c in np.flatnonzero(block.sizes).tolist():
        matrix, rows = units.matrices[c], slice(block.starts[c], block.starts[c + 1])
        if matrix is not None:
            squares[rows] = (((block.Z[rows] - units.means[c]) @ matrix) ** 2).sum(axis=1)
    return KeptSquares(units.sizes, block.p, KeptValues.of(block.codes, squares))
