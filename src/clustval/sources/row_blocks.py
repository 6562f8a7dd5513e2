"""Blocks of rows as they are read, what they know of the whole, and the passes that visit them again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from clustval import inputs
from clustval.arrays import Floats, Integers
from clustval.declare import Need, Source, Statistic
from clustval.errors import InputError
from clustval.labels import encode
from clustval.lazy import cached_property
from clustval.passes.centres.centre_gaps import tables_fit
from clustval.passes.points.row_moments import RowSums, range_of
from clustval.passes.points.sorted_rows import sorted_codes
from clustval.passes.work import thresholds
from clustval.readers.pieces import Piece, Rows
from clustval.sources.partition import Partition
from clustval.sources.space import Space
from clustval.whole_numbers import as_floats

T = TypeVar("T")

# --- a block ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class WholeData:
    """What every block knows of the whole: clusters, origin, metric and statistics of earlier passes."""

    names: list[Any]
    sizes: Integers
    mass: Any
    origin: Floats
    metric: Any
    known: Mapping[Need, Any] = field(default_factory=dict)
    needs: frozenset[Need] = frozenset()
    memory: int = 2**31

    @property
    def k(self) -> int:
        """Number of clusters."""
        return len(self.names)


class RowBlock(Partition):
    """Rows as they were read, and their clusters; sorted by cluster only for statistics that ask for it."""

    def __init__(
        self,
        rows: NDArray[Any],
        codes: Integers,
        whole_data: WholeData,
        weights: Floats | None = None,
        sizes: Integers | None = None,
    ) -> None:
        """Leave out rows without a cluster; there are none where `sizes` of clusters are known."""
        Source.__init__(self)
        total = len(codes)
        if sizes is None:
            present = codes >= 0
            if not present.all():
                rows, codes = rows[present], codes[present]
                weights = None if weights is None else weights[present]
        self.rows_as_read, self.codes_as_read, self.whole_data = rows, codes, whole_data
        self.names, self.k, self.n, self.total = whole_data.names, whole_data.k, len(codes), total
        self.origin, self.needs = whole_data.origin, whole_data.needs
        self.sizes = np.bincount(codes, minlength=self.k) if sizes is None else sizes
        self.weights = None if weights is None else weights[self.order]
        self.mass = self.sizes
        if weights is not None:
            self.mass = np.bincount(codes, weights=weights, minlength=self.k)

    @cached_property
    def order(self) -> Integers:
        """The rows of one cluster after another."""
        return sorted_codes(self.codes_as_read, self.k)[0]

    @cached_property
    def starts(self) -> Integers:
        """Where each cluster begins among the sorted rows."""
        return np.concatenate([[0], np.cumsum(self.sizes)])

    @cached_property
    def codes(self) -> Integers:
        """The cluster of each of the sorted rows."""
        return np.repeat(np.arange(self.k), self.sizes)

    @cached_property
    def row_sums(self) -> RowSums:
        """What one pass over the rows leaves behind."""
        return RowSums.of(self.rows_as_read, self.codes_as_read, self.sizes)

    @cached_property
    def extent(self) -> tuple[Floats, Floats]:
        """The smallest and the largest number of each column."""
        if self.in_read_order:
            return self.row_sums.lows, self.row_sums.highs
        return range_of(self.rows_as_read)

    @property
    def tables_fit(self) -> bool:
        """Whether numbers of each two clusters can be held within the memory allowed."""
        return tables_fit(self.k, self.whole_data.memory)

    @cached_property
    def space(self) -> Space:  # type: ignore[override]
        """The rows of this block."""
        X = np.ascontiguousarray(self.rows_as_read, dtype=np.float64)
        space = Space(X, None, self.metric, memory=self.whole_data.memory)
        space.single = self.rows_as_read.dtype == np.float32
        space.fixed = True  # blocks must not be scaled each by its own reach
        return space

    @property
    def jobs(self) -> int:
        """One thread: others visit other blocks."""
        return 1

    @property
    def whole(self) -> Any:
        """What is known of all blocks."""
        return self.whole_data

    @property
    def metric(self) -> Any:
        """The metric of all blocks."""
        return self.whole_data.metric

    @property
    def in_read_order(self) -> bool:
        """Whether rows are summed in the order in which they were read: distances are Euclidean, and nothing weighs."""
        return self.weights is None and self.metric == "euclidean" and thresholds.COMPILED

    @property
    def sparse(self) -> bool:
        """Blocks have all coordinates."""
        return False

    def compute(self, statistic: type[Statistic], **options: Any) -> Any:
        """Return what this block leaves behind."""
        way = self.way(statistic)
        assert way is not None
        if way.derived:
            return way.run(*(self[earlier] for earlier in way.after), **options)
        return way.run(self, *(self.whole_data.known[Need(earlier)] for earlier in way.after), **options)


class RereadRows(Source):
    """Rows that are read in blocks as often as a statistic asks, which makes passes of its own over them."""

    n: int  # points
    jobs: int  # threads
    origin: Floats  # about the mean of all points

    def sum_over(self, work: Callable[..., T], *common: Any) -> T:
        """Read all rows once, and return the sum of what ``work(block, *common)`` leaves behind of each block."""
        raise NotImplementedError


def read(rows: Rows, noise: str) -> tuple[NDArray[Any], Integers, list[Any], Floats | None, NDArray[np.bool_]]:
    """Return rows of numbers, the cluster of each, -1 for none, the names, weights, and which rows are noise."""
    X = rows.X
    inputs.check_numbers(X, "X")
    if X.dtype.kind != "f" or X.dtype.itemsize not in {4, 8} or not X.dtype.isnative:
        X = as_floats(X, "X")
    X = np.ascontiguousarray(X)
    codes, names = encode(rows.labels, "labels")
    if len(codes) != len(X):
        msg = f"X has {len(X)} rows but labels has {len(codes)} entries."
        raise InputError(msg)
    noisy = codes < 0
    weights = None
    if rows.weights is not None:
        weights = inputs.as_weights(rows.weights, len(X), zero=True)
        codes = np.where(weights > 0, codes, -1)
        noisy &= weights > 0
    if noise == "cluster" and noisy.any():
        codes, names = np.where(noisy, len(names), codes), [*names, None]
    return X, codes, names, weights, noisy


# --- a pass ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Visit:
    """What is asked of each block in one pass."""

    whole_data: WholeData
    noise: str
    needs: tuple[Need, ...]

    @cached_property
    def places(self) -> dict[Any, int]:
        """The number of each cluster, by name."""
        return {name: at for at, name in enumerate(self.whole_data.names)}

    def blocks(self, piece: Piece) -> Iterator[RowBlock]:
        """Read the rows of a piece."""
        for rows in piece.blocks():
            if len(rows):
                X, codes, names, weights, _ = read(rows, self.noise)
                if names != self.whole_data.names:
                    places = np.array([*(self.places.get(name, -1) for name in names), -1], dtype=np.int64)
                    codes = places[codes]
                yield RowBlock(X, codes, self.whole_data, weights)


def summed(piece: Piece, visit: Visit, work: Callable[..., Any], common: tuple[Any, ...]) -> Any:
    """Return the sum of what ``work(block, *common)`` leaves behind of the blocks of a piece; None without rows."""
    total = None
    for block in visit.blocks(piece):
        part = work(block, *common)
        total = part if total is None else total + part
    return total


def visited(piece: Piece, visit: Visit) -> dict[Need, Any]:
    """Return the statistics of the rows of a piece."""
    totals: dict[Need, Any] = {}
    for block in visit.blocks(piece):
        for need in visit.needs:
            part = block.need(need).without_points()
            totals[need] = totals[need] + part if need in totals else part
    return totals
