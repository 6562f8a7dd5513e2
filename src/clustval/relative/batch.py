"""Many partitions of the same points: what they share, and the tables of a block of them, filled on first use.

`relative.stacked` makes statistics of the tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from clustval.backends.batch import Block, Distances, Factors, MomentTables, PairTables, radii, rank_sums
from clustval.inputs import Labels
from clustval.partition import Partition, Space
from clustval.registry import Statistic
from clustval.stats.densities import Densities
from clustval.stats.moments import ROUNDING, Moments
from clustval.stats.pairs import Extremes, PairExtremes, PairSums, PointMeans
from clustval.stats.radii import Radii
from clustval.stats.ranks import Concordance, ExtremeSums
from clustval.stats.scatter import EPSILON, Scatter

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

OF_RANKS: frozenset[type[Statistic]] = frozenset({Concordance, ExtremeSums})
OF_PAIRS: frozenset[type[Statistic]] = OF_RANKS | {PairSums, PointMeans, PairExtremes, Extremes}
OF_POINTS: frozenset[type[Statistic]] = frozenset({Moments, Radii, Scatter, Densities})
KNOWN = OF_PAIRS | OF_POINTS


def fitting(space: Space) -> frozenset[type[Statistic]]:
    """Return the statistics that can be had for many partitions at once within the memory allowed."""
    if Distances.bytes_needed(space.n, ranked=True) <= space.memory:
        return KNOWN
    return KNOWN - OF_RANKS if Distances.bytes_needed(space.n, ranked=False) <= space.memory else frozenset()


TRUSTED = 1e-11  # relative error up to which a determinant may be taken from the scatter matrix itself


class Ground:
    """What all partitions of the same points share, computed once."""

    def __init__(self, space: Space, needs: Iterable[type[Statistic]]) -> None:
        self.space, self.n = space, space.n
        needs = set(needs) if space.X is not None else set(needs) - OF_POINTS
        whole = Partition(space, Labels(np.zeros(self.n, dtype=np.int64), [0]))
        self.distances: Distances | None = None
        if needs & OF_PAIRS:
            if space.euclidean:
                assert space.X is not None
                self.distances = Distances.of_points(space.X, space.n_jobs)
            else:
                self.distances = Distances.of_rows(whole.rows, self.n, space.n_jobs)
            # Computed here, before threads ask for it.
            if PairSums in needs:
                _ = self.distances.squares
            if ExtremeSums in needs:
                _ = self.distances.smallest, self.distances.largest
            if Concordance in needs:
                _ = self.distances.ranking
        if needs & OF_POINTS:
            self.Z = whole.Z
            m: Moments = whole[Moments]
            self.reach = m.reach
            self.totals = m.total_by_dimension
            self.spread = float(np.linalg.norm(self.Z - m.mean, axis=1).sum())
        if Scatter in needs:
            self.scatter: Scatter = whole[Scatter]
            self.log_det_total = float(self.scatter.log_det_total)

    @property
    def symmetric(self) -> bool:
        """Whether distances are the same in both directions to the last bit, so that equal ones stay equal."""
        return self.distances is None or self.space.euclidean or self.distances.symmetric

    def trusted(self, factors: Factors) -> NDArray[np.bool_]:
        """Whether log |W| is precise and W far from singular, by the same standard as `stats.scatter.log_det`."""
        with np.errstate(all="ignore"):  # constant columns make no trustworthy matrix
            noise = float((self.scatter.noise / self.scatter.scales).max())
            singular = 8 * max(self.Z.shape[1] * EPSILON, noise)
            precise: NDArray[np.bool_] = 16 * EPSILON * factors.doubts < TRUSTED
            regular: NDArray[np.bool_] = factors.shares > 4 * factors.doubts * singular**2
            return precise & regular


class Tables:
    """The raw tables of a block of partitions, each filled on first use."""

    def __init__(self, ground: Ground, codes: Integers, ks: Integers) -> None:
        self.ground = ground
        self.block = Block(codes, ks)

    @cached_property
    def pairs(self) -> PairTables:
        """Distances between points."""
        assert self.ground.distances is not None
        return PairTables.of(self.ground.distances, self.block)

    @cached_property
    def ranks(self) -> tuple[Integers, Integers]:
        """Sums of ranks and ties."""
        assert self.ground.distances is not None
        return rank_sums(self.ground.distances.ranking, self.ground.n, self.block)

    @cached_property
    def moments(self) -> MomentTables:
        """Means and squares."""
        return MomentTables.of(self.ground.Z, ROUNDING * self.ground.reach, self.block)

    @cached_property
    def radii(self) -> tuple[Array, Array, Array]:
        """Distances to centres."""
        return radii(self.ground.Z, self.moments.means, self.block)

    @cached_property
    def factors(self) -> Factors:
        """Determinants of pooled scatter matrices."""
        return Factors.of_partitions(self.ground.Z, self.ground.totals, self.moments.means, self.block)

    @cached_property
    def factors_of_clusters(self) -> Factors:
        """Determinants of the clusters' scatter matrices."""
        return Factors.of_clusters(self.ground.Z, self.ground.totals, self.moments.means, self.block)
