"""Pairs of points, by whether each labelling puts them together: exact whole numbers from the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.declare import Statistic, way
from clustval.errors import UndefinedIndexError
from clustval.kernels.work.rounding import ROUNDING_OF_WEIGHTS
from clustval.passes.labels.cells import few_squares
from clustval.sources.label_pair import LabelPair
from clustval.stats.labels.contingency import Contingency

SMALL = 2**31  # the square of a smaller sum, and every sum of squares, fits into 64 bits
HALF = 2**20  # of counts below 2**43 in all, each is h * 2**20 + l; sums of h*h, h*l, l*l all fit into 64 bits


def uncounted(pair: LabelPair) -> bool:
    """Return whether a pair has whole numbers of few points that nobody has counted yet."""
    return pair.uncounted


@dataclass(frozen=True)
class PairCounts(Statistic):
    """How many pairs are together in both labellings (yy), in the truth only (yn), in the labels only (ny), in none.

    Python integers: products of these counts exceed 64 bits from a hundred thousand points on. Floating point where
    weights are no whole numbers.
    """

    after = (Contingency,)

    yy: Any
    yn: Any
    ny: Any
    nn: Any

    @classmethod
    def derived(cls, t: Contingency) -> PairCounts:
        """Count from the squares of the cells and of the sizes (Zaki and Meira, eqs. 17.7 to 17.10)."""
        cells, rows, columns = (sum_of_squares(v) for v in (t.counts, t.row_sizes, t.column_sizes))
        if t.counts.dtype.kind == "f":
            halves = cells - t.n, rows - cells, columns - cells, t.n**2 - rows - columns + cells
            return cls(*broken_counts(t.n, [number / 2 for number in halves]))
        return cls.of_squares(t.n, cells, rows, columns)

    @classmethod
    @way(of=LabelPair, when=uncounted)
    def from_labels(cls, pair: LabelPair) -> PairCounts:
        """Add up the squares by one call, and name and sort nothing."""
        squares = few_squares(*(column.values for column in pair.labelled.columns)) if pair.labelled else None
        return cls.derived(pair[Contingency]) if squares is None else cls.of_squares(pair.n, *squares)

    @classmethod
    def of_squares(cls, n: int, cells: int, rows: int, columns: int) -> PairCounts:
        """Return the counts of n points whose numbers in cells, rows and columns have these sums of squares."""
        yy = (cells - n) // 2
        yn, ny = (rows - cells) // 2, (columns - cells) // 2
        return cls(yy, yn, ny, n * (n - 1) // 2 - yy - yn - ny)

    @property
    def total(self) -> Any:
        """N_T: all pairs."""
        return self.yy + self.yn + self.ny + self.nn

    @property
    def truth(self) -> Any:
        """Pairs together in the truth."""
        return self.yy + self.yn

    @property
    def labels(self) -> Any:
        """Pairs together in the labels."""
        return self.yy + self.ny

    @property
    def identical(self) -> bool:
        """Whether there are pairs, and the labellings agree on each."""
        return self.total > 0 and self.yn == self.ny == 0

    def share(self, part: Any, whole: Any) -> float:
        """Return part / whole, which is 1 if the labellings are identical; NaN where it is 0/0 and they are not."""
        if self.identical:
            return 1.0
        return part / whole if whole else math.nan


def broken_counts(n: float, counts: list[float]) -> list[float]:
    """Return counts of pairs of points whose weights are no whole numbers; raise an error if one is negative.

    The first is: points of one cluster in every labelling that weigh w form w (w - 1) / 2 pairs, less than none if w
    is below 1. What only rounding parts from 0 is 0.
    """
    rounding = ROUNDING_OF_WEIGHTS * n**2
    if min(counts) < -rounding:
        msg = (
            f"Points weigh so little that {min(counts):.3g} pairs of them would be alike in all labellings, less than "
            "none; scale the weights up."
        )
        raise UndefinedIndexError(msg)
    return [0.0 if count < rounding else count for count in counts]


def sum_of_squares(counts: NDArray[Any]) -> Any:
    """Return the sum of squares, exactly where counts are whole; they are not negative."""
    if counts.dtype.kind == "f":
        return math.fsum((counts * counts).tolist())  # equal counts in another order give the same
    total = int(np.add.reduce(counts))
    if total < SMALL:  # as most are
        return int(counts @ counts)
    if total >= HALF << 23:
        return sum(count * count for count in counts.tolist())
    high, low = counts // HALF, counts % HALF
    return (int(high @ high) * HALF + 2 * int(high @ low)) * HALF + int(low @ low)
