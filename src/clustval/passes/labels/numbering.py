"""Which numbers occur in a long vector, and a code for each: compiled in blocks on threads, NumPy for short ones."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Integers
from clustval.passes.work import threads, thresholds

Recode = Callable[[Integers], Integers]

BLOCK = 2**18
SMALL_RANGE = 2**22  # numbers within such a range are counted, not hashed
FEW = 2**8  # labels for which there is room before they are counted


def plain(values: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the values as compiled code wants them: side by side, in the byte order of the machine."""
    if values.flags.c_contiguous and values.dtype.isnative:
        return values
    return np.ascontiguousarray(values, dtype=values.dtype.newbyteorder("="))


def as_words(values: NDArray[np.integer]) -> Integers:
    """Return the values as int64, side by side."""
    return np.ascontiguousarray(values, dtype=np.int64)


def limits(n: int, block: int = BLOCK) -> list[tuple[int, int]]:
    """Return the beginnings and ends of blocks that cover n positions."""
    return [(lo, min(lo + block, n)) for lo in range(0, n, block)]


def extremes(values: NDArray[np.integer]) -> tuple[int, int]:
    """Return the smallest and the largest value."""
    if len(values) < thresholds.LABELS:
        return int(values.min()), int(values.max())
    blocks = limits(len(values))
    ranges = np.empty((len(blocks), 2), dtype=np.int64)

    def work(item: int) -> None:
        ranges[item] = kernels.labels.numbering.extremes(values, *blocks[item])

    threads.run(work, len(blocks), threads.available_cores())
    return int(ranges[:, 0].min()), int(ranges[:, 1].max())


def largest_table(n: int) -> int:
    """Return how many places a table may have in which the numbers of n points are marked or counted."""
    return 2**12 + 16 * n


def distinct(values: NDArray[np.integer]) -> tuple[Integers, Recode]:
    """Return the numbers that occur, sorted, and how to write for each value the code given to its number.

    Values must fit into int64. Numbers of a small range are marked in a table, others hashed.
    """
    values = plain(values)
    if not len(values):
        return values.astype(np.int64), lambda codes: codes
    if len(values) < thresholds.LABELS and thresholds.whole_numbers_compiled(len(values)):
        numbers, places = kernels.labels.numbering.number_few(
            values.astype(np.int64, copy=False), largest_table(len(values))
        )
        if len(numbers):
            return numbers, lambda codes: codes[places]
    low, high = extremes(values)
    if high - low < min(SMALL_RANGE, largest_table(len(values))):
        return _marked(values, low, high - low + 1)
    if len(values) < thresholds.LABELS:
        numbers, inverse = np.unique(values, return_inverse=True)
        return numbers.astype(np.int64), lambda codes: codes[inverse]
    return _hashed(values)


def code_few(values: NDArray[np.integer], *, loads: bool = False) -> tuple[Integers, Integers, Integers, bool] | None:
    """Return the cluster of each label, -1 for the label -1, the labels of clusters, sorted, and their sizes.

    Return last whether there is no label -1. None where labels are so few or so far apart that others are quicker, or
    the compiler is neither loaded nor to be, as it is where `loads` says that others need it.
    """
    n = len(values)
    if not (loads and n >= thresholds.POINTS) and not thresholds.whole_numbers_compiled(n):
        return None
    numbers, codes = as_words(values), np.empty(n, dtype=np.int64)
    names, sizes = np.empty(FEW, dtype=np.int64), np.empty(FEW, dtype=np.int64)
    k, whole = kernels.labels.numbering.code_few(numbers, largest_table(n), codes, names, sizes)
    if k > FEW:
        names, sizes = np.empty((2, k), dtype=np.int64)
        k, whole = kernels.labels.numbering.code_few(numbers, largest_table(n), codes, names, sizes)
    return (codes, names[:k], sizes[:k], whole) if k >= 0 else None


def _marked(values: NDArray[np.integer], low: int, span: int) -> tuple[Integers, Recode]:
    if len(values) < thresholds.LABELS:
        positions = values.astype(np.int64, copy=False) - low
        numbers = np.bincount(positions).nonzero()[0]
        if len(numbers) == span:
            return numbers + low, lambda codes: codes[positions]
        return numbers + low, lambda codes: _table(codes, numbers, span)[positions]
    blocks = limits(len(values))
    cores = threads.available_cores()
    present = np.zeros(span, dtype=np.bool_)
    threads.run(lambda item: kernels.labels.numbering.mark(values, *blocks[item], low, present), len(blocks), cores)
    numbers = np.flatnonzero(present)

    def write(codes: Integers) -> Integers:
        table, out = _table(codes, numbers, span), np.empty(len(values), dtype=np.int64)
        threads.run(
            lambda item: kernels.labels.numbering.recode(values, *blocks[item], low, table, out), len(blocks), cores
        )
        return out

    return numbers + low, write


def _table(codes: Integers, numbers: Integers, span: int) -> Integers:
    table = np.full(span, -1, dtype=np.int64)
    table[numbers] = codes
    return table


def _hashed(values: NDArray[np.integer]) -> tuple[Integers, Recode]:
    places = np.empty(len(values), dtype=np.int64)
    numbers = kernels.labels.numbering.number_values(values.astype(np.int64, copy=False), places)
    order = np.argsort(numbers)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return numbers[order], lambda codes: codes[rank][places]
