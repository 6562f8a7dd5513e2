"""DrawnPairs of points drawn independently of each other: as many within clusters as between them.

So many pairs tell more than all pairs of a few points, which share their points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.errors import UndefinedIndexError
from clustval.estimates.draws import drawn_points
from clustval.estimates.jackknife import GROUPS, random_groups
from clustval.estimates.rare_clusters import RarePairs
from clustval.sources.samples import PairSample
from clustval.sources.space import Space
from clustval.stats.pairs.pair_distances import PairSums
from clustval.stats.ranks.rank_concordance import Concordance, ExtremeSums

LEAST = 10**5  # pairs of either kind: near 1, fewer of them tell little of Gamma
FEW_CLUSTERS = 500  # up to so many, there are sums for each pair of clusters, in each replicate


@dataclass(frozen=True)
class DrawnPairs(PairSample):
    """Distances of pairs within clusters and between them, the clusters of either point, and groups."""

    sizes: Integers
    within: Floats
    between: Floats
    first: Integers  # cluster of the first point of each pair, those within before those between
    second: Integers
    groups: tuple[Integers, Integers]
    rare: RarePairs | None = None  # of clusters that these hardly meet, unless there are too many clusters for a table
    of_rare: Floats | None = None  # the distances of those pairs

    @classmethod
    def of(cls, source: Any, space: Space, count: int, rng: np.random.Generator) -> DrawnPairs:
        """Draw so many pairs of either kind, with replacement; there are none between where there is one cluster."""
        sizes: Integers = source.sizes
        many = count if len(sizes) > 1 else 0
        inside = sizes * (sizes - 1.0)
        a = _drawn(inside, count, rng)
        i = rng.integers(0, sizes[a])
        j = rng.integers(0, sizes[a] - 1)
        j += j >= i
        # The first point of a pair between clusters by how many points are outside its cluster, the second among those.
        b = _drawn(sizes * (sizes.sum() - sizes.astype(np.float64)), many, rng)
        other = rng.integers(0, sizes.sum() - sizes[b])
        starts = np.cumsum(sizes) - sizes
        other += np.where(other >= starts[b], sizes[b], 0)
        c = np.searchsorted(np.cumsum(sizes), other, side="right")
        first, second = np.concatenate([a, b]), np.concatenate([a, c])
        ranks = np.concatenate([i, rng.integers(0, sizes[b])]), np.concatenate([j, other - starts[c]])
        groups = random_groups(count, rng), random_groups(many, rng)
        rare = RarePairs.of(sizes, count, rng) if len(sizes) <= FEW_CLUSTERS else None
        more = (np.empty(0, dtype=np.int64),) * 4 if rare is None else rare.pairs
        codes = np.concatenate([first, more[0], second, more[2]])
        points = drawn_points(source, codes, np.concatenate([ranks[0], more[1], ranks[1], more[3]]))
        half = len(points) // 2
        distances = _distances(points[:half], points[half:], space)
        within, between, of_rare = np.split(distances, [count, count + many])
        return cls(sizes, within, between, first, second, groups, rare, of_rare)

    def scaled(self, exponent: int) -> DrawnPairs:
        """Return the pairs with distances times so high a power of two."""
        within, between = np.ldexp(self.within, exponent), np.ldexp(self.between, exponent)
        of_rare = None if self.of_rare is None else np.ldexp(self.of_rare, exponent)
        return replace(self, within=within, between=between, of_rare=of_rare)

    @property
    def pairs_within(self) -> int:
        """N_W: number of all pairs within clusters."""
        return sum(math.comb(size, 2) for size in self.sizes.tolist())

    @property
    def pairs_between(self) -> int:
        """N_B: number of all pairs between clusters."""
        return math.comb(int(self.sizes.sum()), 2) - self.pairs_within

    def sums(self) -> PairSums:
        """Return the sums of all distances that these stand for, one for each replicate."""
        k, n = len(self.sizes), len(self.within)
        shift = float((self.within.mean() + self.between.mean()) / 2 if len(self.between) else self.within.mean())
        # Where there are no pairs between clusters, there is nothing to divide.
        counts_w, counts_b = (np.maximum(_without(np.bincount(g, minlength=GROUPS)), 1) for g in self.groups)

        def means(values: Floats, groups: Integers, counts: Floats) -> Floats:
            return _without(np.bincount(groups, values, minlength=GROUPS)) / counts

        within = means(self.within, self.groups[0], counts_w) * self.pairs_within
        between = means(self.between, self.groups[1], counts_b) * self.pairs_between
        squares: Any = self.pairs_within * means((self.within - shift) ** 2, self.groups[0], counts_w)
        squares = squares + self.pairs_between * means((self.between - shift) ** 2, self.groups[1], counts_b)
        if k > FEW_CLUSTERS:
            return DrawnTotals(self.sizes, squares, shift, within, between)
        table = np.zeros((GROUPS + 1, k, k))
        cells = self.first * k + self.second
        for values, groups, part, number, counts in (
            (self.within, self.groups[0], cells[:n], self.pairs_within, counts_w),
            (self.between, self.groups[1], cells[n:], self.pairs_between, counts_b),
        ):
            by_group = np.bincount(groups * k * k + part, values, minlength=GROUPS * k * k).reshape(GROUPS, k * k)
            sums = by_group.sum(axis=0) - np.concatenate([np.zeros((1, k * k)), by_group])
            table += (sums / counts[:, None] * number).reshape(-1, k, k)
        # DrawnPairs of two clusters are met in either order: both entries hold the sum of them all.
        table = np.where(np.eye(k, dtype=bool), table, table + table.swapaxes(-1, -2))
        if self.rare is not None and self.of_rare is not None:
            self.rare.put_into(table, self.sizes, self.of_rare)
        return DrawnSums(self.sizes, self.sizes, table, squares, shift, within, between)

    def concordance(self) -> Concordance:
        """Return how all distances within would compare with all between, one number for each replicate."""
        (within, own), (between, other) = map(_sorted, (self.within, self.between), self.groups)
        smaller, larger = _compared(within, between)  # distances between that are smaller, and larger, than each within
        below, above = _compared(between, within)
        same = [[c.sum() for c in _compared(within[own == g], between[other == g])] for g in range(GROUPS)]
        counts = [np.bincount(g, minlength=GROUPS).astype(np.float64) for g in self.groups]

        def without(of_within: Integers, of_between: Integers, both: Any) -> Floats:
            rows = np.bincount(own, of_within, minlength=GROUPS)
            return _without_both(rows, np.bincount(other, of_between, minlength=GROUPS), both)

        plus, minus = (without(larger, below, np.array(same)[:, 1]), without(smaller, above, np.array(same)[:, 0]))
        all_pairs = _without_both(counts[0] * counts[1].sum(), counts[1] * counts[0].sum(), counts[0] * counts[1])
        total = float(self.pairs_within) * float(self.pairs_between)
        plus, minus = plus / all_pairs * total, minus / all_pairs * total
        return Concordance(plus, minus, np.maximum(total - plus - minus, 0))  # type: ignore[arg-type]

    def extreme_sums(self) -> ExtremeSums:
        """Return the sums of as many smallest and largest distances as there are pairs within, for each replicate."""
        distances = np.concatenate([self.within, self.between])
        order = np.argsort(distances, kind="stable")
        distances = distances[order]
        kind = (np.arange(len(order)) >= len(self.within)).astype(np.int64)[order]
        groups = np.concatenate(self.groups)[order]
        numbers = np.array([self.pairs_within, self.pairs_between], dtype=np.float64)
        counts = [_without(np.bincount(g, minlength=GROUPS)) for g in self.groups]
        smallest, largest = [], []
        for group in range(-1, GROUPS):
            stands_for = [number / count[group + 1] for number, count in zip(numbers, counts, strict=True)]
            weights = np.where(groups == group, 0.0, np.take(stands_for, kind))  # all pairs that each of these is for
            below = np.cumsum(weights) - weights
            above = numbers.sum() - below - weights
            smallest.append(float(np.clip(numbers[0] - below, 0, weights) @ distances))
            largest.append(float(np.clip(numbers[0] - above, 0, weights) @ distances))
        return ExtremeSums(np.array(smallest), np.array(largest))  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class DrawnSums(PairSums):
    """Sums of distances of which those within and between clusters are at hand."""

    within: Floats
    between: Floats


class DrawnTotals(DrawnSums):
    """Sums of distances within and between clusters that are too many for a table of them."""

    def __init__(self, sizes: Integers, squares: Any, shift: float, within: Floats, between: Floats) -> None:
        values = {"sizes": sizes, "mass": sizes, "squares": squares, "shift": shift}
        for name, value in (values | {"within": within, "between": between}).items():
            object.__setattr__(self, name, value)

    @property
    def sums(self) -> Floats:
        """Nothing: there is a reason."""
        msg = (
            f"The sums of distances of {len(self.sizes):,} clusters are not estimated; those of up to "
            f"{FEW_CLUSTERS:,} clusters are. Leave approximate= out."
        )
        raise UndefinedIndexError(msg)


def _drawn(weights: Floats, count: int, rng: np.random.Generator) -> Integers:
    """Draw clusters by weight."""
    ends = np.cumsum(weights)
    drawn: Integers = np.searchsorted(ends, rng.random(count) * ends[-1], side="right")
    return np.minimum(drawn, len(weights) - 1)


def _without(by_group: Any) -> Floats:
    """Return the sum over all groups, and the sums without each of them."""
    total = by_group.sum()
    return np.concatenate([[total], total - by_group]).astype(np.float64)


def _without_both(rows: Any, columns: Any, both: Any) -> Floats:
    """Return the sum of a table of two groups, and the sums without the row and the column of each.

    Of the table there are the sums of its rows and of its columns, and the diagonal.
    """
    total = rows.sum()
    return np.concatenate([[total], total - rows - columns + both])


def _sorted(distances: Floats, groups: Integers) -> tuple[Floats, Integers]:
    order = np.argsort(distances, kind="stable")
    return distances[order], groups[order]


def _compared(a: Floats, b: Floats) -> tuple[Integers, Integers]:
    """Return how many of b are smaller than each of a, and how many larger; both are sorted."""
    return np.searchsorted(b, a, "left"), len(b) - np.searchsorted(b, a, "right")


def _distances(A: Floats, B: Floats, space: Space) -> Floats:
    """Return the distances of rows of A to the same rows of B."""
    if space.metric == "euclidean":
        distances: Floats = np.sqrt(((A - B) ** 2).sum(axis=1))
        return distances
    return space.paired(A, B)
