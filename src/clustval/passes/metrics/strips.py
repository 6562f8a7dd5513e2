"""Points packed into strips of eight, as kernels of pairs read them, and how many are read again from the cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval import kernels
from clustval.arrays import Floats, Integers

WIDTH = 8  # points per strip, as in kernels.work.lanes
SINGLES = 128  # rows of single precision that are met with some strips before others come


@dataclass(frozen=True)
class Panel:
    """How many rows are met with how many strips before others come: what is read again should stay in the cache."""

    rows: int
    strips: int
    single: bool  # whether numbers are float32

    @classmethod
    def of(cls, p: int, dtype: np.dtype[Any]) -> Panel:
        """Return the panel for points of p dimensions."""
        single = dtype == np.float32  # then dimensions come in blocks, and rows may be more
        rows = SINGLES if single else max(2 * WIDTH, min(128, (1 << 14) // p // WIDTH * WIDTH))
        return cls(rows, (1 << 10) // rows, single)

    def room(self, strips: int = 0) -> Floats | None:
        """Return room for what the dimensions of all pairs of a panel add up to, if they are added up beforehand."""
        return aligned(self.rows * max(strips, self.strips) * WIDTH) if self.single else None


def strips_of(X: Floats, edges: Integers) -> tuple[Floats, Integers]:
    """Points in strips, and the place at which each chunk begins."""
    places = np.zeros_like(edges)
    (-((edges[:-1] - edges[1:]) // WIDTH) * WIDTH).cumsum(out=places[1:])
    packed = aligned(int(places[-1]) * X.shape[1], X.dtype)
    kernels.pairs.half_square.pack(X, edges, places, packed)
    return packed, places


def aligned(size: int, dtype: Any = np.float64) -> NDArray[Any]:
    """Return room for `size` numbers that begins with a cache line, as strips do."""
    room = np.empty(size + 64 // np.dtype(dtype).itemsize, dtype)
    skip = -room.ctypes.data % 64 // room.itemsize
    return room[skip : skip + size]
