"""Many partitions of the same points: what they share, and sources of statistics stacked one above the other.

A formula evaluated on stacked statistics gives one value per partition. A way of `Group` says how a statistic is
stacked, a way of `Shared` what all partitions share; a statistic without a way of `Group` is computed partition by
partition.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from copy import copy
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Index, Need, Source, Statistic, ways_of
from clustval.inputs import Labels
from clustval.lazy import cached_property
from clustval.passes.sweeps.partitions import Block, Distances
from clustval.sources.partition import Partition
from clustval.sources.point_source import Answers, check_partition
from clustval.sources.space import Space
from clustval.sources.takes import takes_of

T = TypeVar("T")
S = TypeVar("S", bound=Statistic)

NO_NEIGHBOURS: Integers = np.empty(0, dtype=np.int64)  # values of indices do not ask which cluster is the nearest


def stacks(space: Space, needs: Iterable[Need]) -> bool:
    """Return whether statistics can be had for many partitions at once within the memory allowed."""
    return all(_stacks(space, need.statistic) for need in needs)


def _stacks(space: Space, statistic: type[Statistic]) -> bool:
    ways = ways_of(statistic, Group)
    if not ways:
        return False
    if ways[0].derived:
        return all(_stacks(space, earlier) for earlier in ways[0].after)
    return Distances.bytes_needed(space.n, ranked=takes_of(statistic).ranks) <= space.memory


class Cache:
    """Values that are computed on first use and stored by name."""

    def __init__(self) -> None:
        self._values: dict[Hashable, Any] = {}

    def cached(self, name: Hashable, compute: Callable[[], T]) -> T:
        """Return the value of this name, which `compute` gives on first use."""
        if name not in self._values:
            self._values[name] = compute()
        return self._values[name]  # type: ignore[no-any-return]


class Shared(Cache):
    """What all partitions of the same points share, computed once, before threads ask for it."""

    def __init__(self, space: Space, needs: Iterable[Need]) -> None:
        super().__init__()
        self.space, self.n = space.at_unit_reach, space.n
        self.one_cluster = Partition(space, Labels(np.zeros(self.n, dtype=np.int64), [0]))  # all points as one
        for need in sorted(
            needs, key=attrgetter("neighbours"), reverse=True
        ):  # the widest search for them serves all others
            self._prepare(need.statistic, **dict(need.options))

    def _prepare(self, statistic: type[Statistic], **options: Any) -> None:
        if takes_of(statistic).coordinates and self.space.X is None:
            return
        for earlier in statistic.after:
            self._prepare(earlier)
        if takes_of(statistic).cost != "linear":
            _ = self.distances
        for way in ways_of(statistic, Shared):
            if not way.derived:
                way.run(self, **options)

    @cached_property
    def distances(self) -> Distances:
        """All distances between points."""
        if self.space.factor is not None:
            return Distances.of_points(self.space.image, self.space.n_jobs, self.space.factor)
        return Distances.of_rows(self.one_cluster.rows, self.n, self.space.n_jobs)

    @cached_property
    def by_one_thread(self) -> Space:
        """The same points with the same statistics; threads take blocks of partitions, and need no others inside."""
        space = copy(self.space)  # without its statistics
        space.share(self.space)
        space.n_jobs = 1
        return space

    @property
    def symmetric(self) -> bool:
        """Whether distances are the same in both directions to the last bit, so that equal ones stay equal."""
        return "distances" not in vars(self) or self.space.euclidean or self.distances.symmetric


class BlockTables(Cache):
    """The raw tables of a block of partitions, each filled on first use by the statistic that needs it."""

    def __init__(self, shared: Shared, codes: Integers, ks: Integers) -> None:
        super().__init__()
        self.shared = shared
        self.block = Block(codes, ks)


class Group(Source, Answers):
    """Partitions with the same number of clusters, side by side in a block: a source of stacked statistics."""

    weights = None
    fractional = False

    def __init__(self, tables: BlockTables, lo: int, hi: int) -> None:
        super().__init__()
        self.tables, self.rows = tables, slice(lo, hi)
        self.shared, self.block = tables.shared, tables.block
        self.space, self.n, self.k = self.shared.space, self.shared.n, int(self.block.ks[lo])
        self.count, self.exponent = self.n, self.space.exponent
        starts = self.block.starts[self.block.firsts[lo] : self.block.firsts[hi]].reshape(hi - lo, self.k + 1)
        self.sizes: Integers = np.diff(starts)
        self.codes: Integers = self.block.codes[lo:hi]
        self._single: dict[int, Partition] = {}

    @property
    def p(self) -> int:
        """Number of dimensions."""
        return self.shared.one_cluster.p

    @property
    def metric(self) -> Any:
        """The distance between two points."""
        return self.space.metric

    @property
    def memory(self) -> int:
        """Bytes that may be held."""
        return self.space.memory

    @property
    def has_coordinates(self) -> bool:
        """Whether there are coordinates, and not only distances."""
        return self.space.distances is None

    def check(self, index: Index) -> None:
        """Raise an error if the index needs other clusters, coordinates or means than there are."""
        check_partition(self, index, [takes_of(statistic) for statistic in index.statistics])

    def single(self, at: int) -> Partition:
        """Return one of the partitions alone."""
        if at not in self._single:
            self._single[at] = Partition(self.shared.by_one_thread, Labels(self.codes[at], list(range(self.k))))
        return self._single[at]

    def per_pair(self, flat: Floats) -> Floats:
        """Tables of two clusters, stacked."""
        cells = self.block.cells
        return flat[cells[self.rows.start] : cells[self.rows.stop]].reshape(-1, self.k, self.k)

    def per_cluster(self, flat: Floats, width: int) -> Floats:
        """Rows of clusters, stacked."""
        rows = self.block.rows
        return flat[rows[self.rows.start] * width : rows[self.rows.stop] * width].reshape(-1, self.k, width)

    def stacked(self, statistic: type[S], **options: Any) -> S:
        """Compute the statistic for each partition alone, and stack its fields."""
        parts = [self.single(at).statistic(statistic, **options) for at in range(len(self.codes))]
        columns = {field.name: [getattr(part, field.name) for part in parts] for field in fields(parts[0])}  # type: ignore[arg-type]
        return statistic(**{name: None if v[0] is None else np.stack(v) for name, v in columns.items()})
