"""How often each combination of labels occurs: counted in tables on threads, sorted where tables would be large."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers
from clustval.passes.labels.numbering import distinct, extremes, largest_table, limits, plain
from clustval.passes.work import threads, thresholds

Columns = Sequence[NDArray[np.integer]]
Cells = tuple[list[Integers], Integers]

CELLS = 2**22  # larger tables are not laid out; combinations are sorted instead
FEW_CELLS = 2**13  # up to here a thread counts into four tables, to keep runs of a label from waiting
BLOCK = 2**18
POINTS = 2**15  # whose keys stay in the cache
SEGMENT = 2**31  # points that 32-bit counters can take
SAMPLE = 4096
EXACT = 2**53  # sums of whole numbers up to here are whole in floating point


def tabulate(columns: Columns) -> Cells:
    """Return the combinations of numbers that occur (one vector per column, sorted) and how often each does.

    Tables are counted from the numbers as they are. If their ranges make too large a table, the numbers are
    coded first; if even the codes do, they are sorted: memory is O(n), never rows times columns.
    """
    columns = [plain(c) for c in columns]
    if len(columns[0]) >= thresholds.LABELS:
        cells = _counts_by_sample(columns)
        if cells is not None:
            return cells
    elif len(columns) == 2 and thresholds.whole_numbers_compiled(len(columns[0])):
        few = few_cells(*columns)
        if few is not None:
            (rows, others, counts), numbers = few
            return [numbers[0][rows], numbers[1][others]], counts
    ranges = [extremes(c) for c in columns]
    if math.prod(high - low + 1 for low, high in ranges) <= min(CELLS, largest_table(len(columns[0]))):
        return _counts(columns, [low for low, _ in ranges], [high - low + 1 for low, high in ranges])
    numbers, codes = [], []
    for column in columns:
        distinct_numbers, write = distinct(column)
        numbers.append(distinct_numbers)
        codes.append(write(np.arange(len(distinct_numbers))))
    return cells_of(codes, numbers)


def few_cells(a: NDArray[np.integer], b: NDArray[np.integer]) -> tuple[Integers, list[Integers]] | None:
    """Return row, column and count of each pair of numbers that occurs, sorted (3, m), and what they stand for.

    None where the numbers of few points are so far apart that the table would be large.
    """
    n = len(a)
    cells, numbers = np.empty((3, n), dtype=np.int64), np.empty((2, n), dtype=np.int64)
    m, r, k = kernels.labels.cells.few_cells(
        a.astype(np.int64, copy=False), b.astype(np.int64, copy=False), largest_table(n), cells, numbers
    )
    return None if m < 0 else (cells[:, :m].copy(), [numbers[0, :r], numbers[1, :k]])


def few_squares(a: NDArray[np.integer], b: NDArray[np.integer]) -> tuple[int, int, int] | None:
    """Return the sums of the squares of how often pairs of numbers occur, and the numbers of either column.

    None where the numbers of few points are so far apart that the table would be large.
    """
    squares = kernels.labels.cells.few_squares(a, b, largest_table(len(a)))
    return None if squares[0] < 0 else squares


def weigh(columns: Columns, weights: Floats) -> tuple[list[Integers], NDArray[Any]]:
    """Return the combinations of numbers that occur and their weight; points of weight 0 do not occur.

    Weights that are whole numbers add up to whole numbers.
    """
    present = weights > 0
    if not present.any():
        return [np.empty(0, dtype=np.int64) for _ in columns], np.empty(0, dtype=np.int64)
    columns, weights = [plain(c[present]) for c in columns], weights[present]
    sums = np.bincount(_places(columns), weights=weights)
    numbers, _ = tabulate(columns)
    exact = (weights == np.floor(weights)).all() and sums.sum() < EXACT
    return numbers, sums.astype(np.int64) if exact else sums


def cells_of(codes: Sequence[Integers], numbers: Sequence[Integers]) -> Cells:
    """Return the cells of codes 0 ... len(numbers) - 1 of each column, in terms of the numbers they stand for."""
    spans = [len(column) for column in numbers]
    if math.prod(spans) <= CELLS:
        positions, counts = _counts(codes, [0] * len(spans), spans)
    else:
        positions, counts = _sorted(codes, spans)
    return [column[at] for column, at in zip(numbers, positions, strict=True)], counts


def at_points(
    columns: Columns, numbers: Sequence[Integers], values: NDArray[Any], *, cells: int = CELLS
) -> NDArray[Any]:
    """Return for each point the values of its combination, of those that `tabulate` gives (values: rows of them)."""
    lows = [int(v.min()) for v in numbers]
    spans = [int(v.max()) - low + 1 for v, low in zip(numbers, lows, strict=True)]
    point_values = np.empty((len(values), len(columns[0])), dtype=values.dtype)
    blocks = limits(len(columns[0]), POINTS)
    if math.prod(spans) <= cells:
        table = np.zeros((len(values), math.prod(spans)), dtype=values.dtype)
        table[:, _keys(numbers, lows, spans)] = values

        def work(item: int) -> None:
            lo, hi = blocks[item]
            point_values[:, lo:hi] = table[:, _keys([c[lo:hi] for c in columns], lows, spans)]
    else:
        places = _places(columns)

        def work(item: int) -> None:
            lo, hi = blocks[item]
            point_values[:, lo:hi] = values[:, places[lo:hi]]

    threads.run(work, len(blocks), threads.available_cores())
    return point_values


def _keys(columns: Columns, lows: Sequence[int], spans: Sequence[int]) -> Integers:
    keys = np.zeros(len(columns[0]), dtype=np.int64)
    for column, low, span in zip(columns, lows, spans, strict=True):
        keys = keys * span + (column.astype(np.int64) - low)
    return keys


def _places(columns: Columns) -> Integers:
    """Return the position of each point's combination among all that occur, sorted."""
    places = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        distinct_numbers, write = distinct(column)
        combinations = places * len(distinct_numbers) + write(np.arange(len(distinct_numbers)))
        distinct_numbers, write = distinct(combinations)
        places = write(np.arange(len(distinct_numbers)))
    return places


def _counts_by_sample(columns: Columns) -> Cells | None:
    """Count within the ranges that a sample of the points suggests; None if they suggest too large a table.

    This saves a visit of the points. A number outside its guessed range is noticed, and the ranges are then
    looked up.
    """
    step = max(1, len(columns[0]) // SAMPLE)
    lows = [int(c[::step].min()) for c in columns]
    spans = [int(c[::step].max()) - low + 1 for c, low in zip(columns, lows, strict=True)]
    if math.prod(spans) > CELLS:
        return None
    table = _tally(columns, lows, spans)
    return None if table is None else _cells(table, lows, spans)


def _counts(columns: Columns, lows: Sequence[int], spans: Sequence[int]) -> Cells:
    if len(columns[0]) >= thresholds.LABELS:
        table = _tally(columns, lows, spans)
        assert table is not None
    else:
        table = np.bincount(_keys(columns, lows, spans), minlength=math.prod(spans))
    return _cells(table, lows, spans)


def _cells(table: Integers, lows: Sequence[int], spans: Sequence[int]) -> Cells:
    occupied = np.flatnonzero(table)
    positions = np.unravel_index(occupied, tuple(spans))
    return [at + low for at, low in zip(positions, lows, strict=True)], table[occupied]


def _tally(
    columns: Columns, lows: Sequence[int], spans: Sequence[int], *, segment: int = SEGMENT, block: int = BLOCK
) -> Integers | None:
    """Return the flat table of counts, or None if a number lies outside its range."""
    total = np.zeros(math.prod(spans), dtype=np.int64)
    for lo, hi in limits(len(columns[0]), segment):
        part = _tally_segment([c[lo:hi] for c in columns], lows, spans, block)
        if part is None:
            return None
        total += part
    return total


def _tally_segment(columns: Columns, lows: Sequence[int], spans: Sequence[int], block: int) -> Integers | None:
    kernel = {2: kernels.labels.cells.tally, 3: kernels.labels.cells.tally_three}[len(columns)]
    ranges = np.array(lows, dtype=np.int64), np.array(spans, dtype=np.int64)
    shape = (4 if math.prod(spans) <= FEW_CELLS else 1, math.prod(spans))
    cores = threads.available_cores()
    free = [np.zeros(shape, dtype=np.uint32) for _ in range(cores)]
    blocks = limits(len(columns[0]), block)
    outside: list[int] = []

    def work(item: int) -> None:
        if not outside:
            tables = free.pop()  # whichever is free: counts add up the same in any order
            lo, hi = blocks[item]
            if kernel(*columns, lo, hi, *ranges, tables) < hi:
                outside.append(item)
            free.append(tables)

    threads.run(work, len(blocks), cores)
    return None if outside else np.sum([t.sum(axis=0, dtype=np.int64) for t in free], axis=0)


def _sorted(codes: Sequence[Integers], spans: Sequence[int]) -> Cells:
    """Return the cells by sorting the keys of all points, for tables too large to be laid out."""
    if math.prod(spans) >= 2**63:  # three columns of millions of labels: number the combinations of the first two
        pairs, write = distinct(codes[0] * spans[1] + codes[1])
        (pair, last), counts = _sorted([write(np.arange(len(pairs))), codes[2]], [len(pairs), spans[2]])
        return [*np.divmod(pairs[pair], spans[1]), last], counts
    keys = codes[0]
    for column, span in zip(codes[1:], spans[1:], strict=True):
        keys = keys * span + column
    keys = np.sort(keys)
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return _digits(keys[starts], spans), np.diff(starts, append=len(keys))


def _digits(keys: Integers, spans: Sequence[int]) -> list[Integers]:
    """Return the codes that make up each key."""
    positions: list[Integers] = []
    for span in reversed(spans):
        keys, digit = np.divmod(keys, span)
        positions.insert(0, digit)
    return positions
