"""A number of each point that is kept while rows are read in blocks: order statistics need them all in the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers


class Chunk(NamedTuple):
    """Numbers of some points, their clusters, and their weights if there are any."""

    codes: NDArray[np.int32]
    values: Floats
    weights: Floats | None = None


@dataclass(frozen=True)
class KeptValues:
    """Numbers of points in chunks, as blocks left them behind. Adding two copies no number."""

    chunks: tuple[Chunk, ...]

    @classmethod
    def of(cls, codes: NDArray[Any], values: Floats, weights: Floats | None = None) -> KeptValues:
        """Return the numbers of one block."""
        return cls((Chunk(codes.astype(np.int32), values, weights),))

    def __add__(self, other: KeptValues) -> KeptValues:
        """Numbers of two sets of points, one after the other."""
        return KeptValues(self.chunks + other.chunks)

    @property
    def count(self) -> int:
        """How many numbers there are."""
        return sum(len(chunk.values) for chunk in self.chunks)

    @property
    def joined(self) -> Chunk:
        """All numbers in one chunk."""
        if len(self.chunks) == 1:
            return self.chunks[0]
        codes, values, weights = zip(*self.chunks, strict=True)
        some = [w for w in weights if w is not None]
        return Chunk(np.concatenate(codes), np.concatenate(values), np.concatenate(some) if some else None)

    def by_cluster(self, sizes: Integers) -> Floats:
        """Return the numbers of one cluster after another, without a copy of all but the result."""
        ends = np.cumsum(sizes)
        places, values = ends - sizes, np.empty(int(ends[-1]))
        for codes, numbers, _ in self.chunks:
            order = np.argsort(codes, kind="stable")
            sorted_codes = codes[order]
            runs = np.flatnonzero(np.diff(sorted_codes, prepend=-1))
            lengths, clusters = np.diff(runs, append=len(codes)), sorted_codes[runs]
            within = np.arange(len(codes)) - np.repeat(runs, lengths)
            values[np.repeat(places[clusters], lengths) + within] = numbers[order]
            places[clusters] += lengths
        return values
