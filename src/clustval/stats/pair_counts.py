"""Pairs of points, by whether each labelling puts them together: exact whole numbers from the table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from clustval.declare import Statistic
from clustval.stats.contingency import Contingency

HALF = 2**20  # a count below 2**43 is h * 2**20 + l; sums of h*h, h*l, l*l all fit into 64 bits


@dataclass(frozen=True)
class PairCounts(Statistic):
    """How many pairs are together in both labellings (yy), in the truth only (yn), in the labels only (ny), in none.

    Python integers: products of these counts exceed 64 bits from a hundred thousand points on. Floating point where
    weights are no whole numbers.
    """

    after = (Contingency,)

    yy: int
    yn: int
    ny: int
    nn: int

    @classmethod
    def derived(cls, t: Contingency) -> PairCounts:
        """Count from the squares of the cells and of the sizes (Zaki and Meira, eqs. 17.7 to 17.10)."""
        cells, rows, columns = (sum_of_squares(v) for v in (t.counts, t.row_sizes, t.column_sizes))
        if t.counts.dtype.kind == "f":
            both, truth, labels = (cells - t.n) / 2, (rows - cells) / 2, (columns - cells) / 2
            return cls(both, truth, labels, t.n * (t.n - 1) / 2 - both - truth - labels)
        yy = (cells - t.n) // 2
        yn, ny = (rows - cells) // 2, (columns - cells) // 2
        return cls(yy, yn, ny, t.n * (t.n - 1) // 2 - yy - yn - ny)

    @property
    def total(self) -> int:
        """N_T: all pairs."""
        return self.yy + self.yn + self.ny + self.nn

    @property
    def truth(self) -> int:
        """Pairs together in the truth."""
        return self.yy + self.yn

    @property
    def labels(self) -> int:
        """Pairs together in the labels."""
        return self.yy + self.ny

    @property
    def identical(self) -> bool:
        """Whether there are pairs, and the labellings agree on each."""
        return self.total > 0 and self.yn == self.ny == 0

    def share(self, part: int, whole: int) -> float:
        """Return part / whole; where that is 0/0, 1 if the labellings are identical and NaN if they are not."""
        if whole == 0:
            return 1.0 if self.identical else math.nan
        return part / whole


def sum_of_squares(counts: NDArray[Any]) -> Any:
    """Return the sum of squares, exactly where counts are whole; they are not negative, and below 2**43 in all."""
    if counts.dtype.kind == "f":
        return float(counts @ counts)
    high, low = counts // HALF, counts % HALF
    return (int(high @ high) * HALF + 2 * int(high @ low)) * HALF + int(low @ low)
