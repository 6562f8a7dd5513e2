"""Further pairs of the clusters that pairs drawn from all clusters hardly ever meet.

Of 20,000 points, ten in a cluster have two pairs within clusters in ten million: no draw meets one, and neither the
sum of their distances nor its error can be told from the draws. Each such cluster has pairs of its own: all of them if
they are few, else a sample.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.estimates.jackknife import GROUPS, random_groups

FEWEST = 200  # pairs of a cluster, of either kind: ten of each group
SPARING = 4  # the further pairs are a fourth as many as the others, at most
Pairs = tuple[Integers, Integers, Integers, Integers]  # cluster and rank of the first points, and of the second


@dataclass(frozen=True)
class RarePairs:
    """Pairs of rare clusters, before their points are read."""

    within: Flags  # (k,) whether a cluster has pairs of its own within
    between: Flags  # (k,) and with points of other clusters
    pairs: Pairs  # those within clusters before those between
    groups: Integers  # -1 where all pairs of a cluster are there
    count: int  # of those within

    @classmethod
    def of(cls, sizes: Integers, count: int, rng: np.random.Generator) -> RarePairs:
        """Draw pairs of the clusters of which so many pairs of either kind hold too few."""
        floor = max(FEWEST, count // (SPARING * len(sizes)))
        inside = sizes * (sizes - 1.0)
        outside = sizes * (sizes.sum() - sizes.astype(np.float64))
        within = (inside > 0) & (count * inside < floor * inside.sum())
        between = (outside > 0) & (2 * count * outside < floor * outside.sum())
        parts = [_within(c, sizes, floor, rng) for c in np.flatnonzero(within).tolist()]
        many = sum(len(groups) for _, groups in parts)
        parts += [_between(c, sizes, floor, rng) for c in np.flatnonzero(between).tolist()]
        empty = np.empty(0, dtype=np.int64)
        pairs = tuple(np.concatenate([empty, *(pairs[at] for pairs, _ in parts)]) for at in range(4))
        groups = np.concatenate([empty, *(groups for _, groups in parts)])
        return cls(within, between, pairs, groups, many)  # type: ignore[arg-type]

    def put_into(self, table: Floats, sizes: Integers, distances: Floats) -> None:
        """Replace what a table of sums, one for each replicate, holds of rare clusters."""
        k = len(sizes)
        a, c = self.pairs[0], self.pairs[2]
        inside = self._means(distances, slice(None, self.count), a, k)
        numbers = sizes * (sizes - 1.0) / 2
        table[:, self.within, self.within] = (inside * numbers)[:, self.within]
        outside = self._means(distances, slice(self.count, None), a * k + c, k * k, of=a)
        sums = outside.reshape(-1, k, k) * (sizes * (sizes.sum() - sizes.astype(np.float64)))[:, None]
        # Of two rare clusters, either gives the sum of the distances between them.
        shares = self.between[:, None].astype(np.float64) + self.between
        both = np.divide(sums + sums.swapaxes(-1, -2), np.maximum(shares, 1))
        rare = (shares > 0) & ~np.eye(k, dtype=bool)
        table[:, rare] = both[:, rare]

    def _means(self, distances: Floats, part: slice, cells: Integers, size: int, of: Integers | None = None) -> Floats:
        """Return sums of distances by cell over the number of pairs of their cluster, for each replicate."""
        cells, groups, values = cells[part], self.groups[part], distances[part]
        clusters = cells if of is None else of[part]
        k = len(self.within)

        def without(at: Integers, amounts: Floats, length: int) -> Floats:
            drawn = groups >= 0
            by_group = np.bincount(groups[drawn] * length + at[drawn], amounts[drawn], GROUPS * length)
            total = np.bincount(at, amounts, length)
            return np.concatenate([total[None], total - by_group.reshape(GROUPS, length)])

        counts = np.maximum(without(clusters, np.ones(len(values)), k), 1)
        return np.asarray(without(cells, values, size) / np.repeat(counts, size // k, axis=1))


def _within(c: int, sizes: Integers, floor: int, rng: np.random.Generator) -> tuple[Pairs, Integers]:
    size = int(sizes[c])

    def all_pairs() -> tuple[Integers, Integers]:
        i, j = np.triu_indices(size, 1)
        return i, j

    def some() -> tuple[Integers, Integers]:
        i, j = rng.integers(0, size, floor), rng.integers(0, size - 1, floor)
        return i, j + (j >= i)

    i, j, groups = _few_or_drawn(math.comb(size, 2), floor, all_pairs, some, rng)
    same = np.full(len(i), c)
    return (same, i, same, j), groups


def _between(c: int, sizes: Integers, floor: int, rng: np.random.Generator) -> tuple[Pairs, Integers]:
    size, others = int(sizes[c]), int(sizes.sum() - sizes[c])
    ends = np.cumsum(sizes)
    starts = ends - sizes

    def all_pairs() -> tuple[Integers, Integers]:
        return np.repeat(np.arange(size), others), np.tile(np.arange(others), size)

    def some() -> tuple[Integers, Integers]:
        return rng.integers(0, size, floor), rng.integers(0, others, floor)

    i, other, groups = _few_or_drawn(size * others, floor, all_pairs, some, rng)
    place = other + np.where(other >= starts[c], size, 0)
    d = np.searchsorted(ends, place, side="right")
    return (np.full(len(i), c), i, d, place - starts[d]), groups


def _few_or_drawn(
    number: int,
    floor: int,
    all_pairs: Callable[[], tuple[Integers, Integers]],
    some: Callable[[], tuple[Integers, Integers]],
    rng: np.random.Generator,
) -> tuple[Integers, Integers, Integers]:
    """Return all pairs of a cluster if they are no more than the floor, else so many of them, and their groups."""
    if number <= floor:
        i, j = all_pairs()
        return i, j, np.full(len(i), -1)
    i, j = some()
    return i, j, random_groups(len(i), rng)
