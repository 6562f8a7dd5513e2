"""Rank statistics of all pairs of weighted points, in plain NumPy: a pair counts as often as its points do together.

A point of weight w is w points at one place, which form w (w - 1) / 2 pairs of distance 0. All distances are held at
once, so that `bytes_needed` says how many points are too many.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Flags, Floats, Integers
from clustval.passes.ranks.rank_pairs_numpy import BLOCK, Rows

BYTES = 48  # that a pair takes: distance, count and cluster, and once more where they are sorted


@dataclass(frozen=True)
class WeightedPairs:
    """Pairs of points: how far apart, how often they count, and whether they are of one cluster."""

    distances: Floats
    counts: Floats
    within: Flags

    @classmethod
    def of(cls, rows: Rows, starts: Integers, weights: Floats) -> WeightedPairs:
        """Meet each pair once; ``rows(lo, hi)`` has the distances of points lo ... hi-1, sorted by cluster, to all."""
        n, m = len(weights), math.comb(len(weights), 2)
        ends = np.repeat(starts[1:], np.diff(starts)).tolist()  # per point: where its cluster ends
        distances, counts, within = np.zeros(m + n), np.empty(m + n), np.zeros(m + n, dtype=bool)
        at = 0
        for lo in range(0, n, BLOCK):
            hi = min(lo + BLOCK, n)
            for row, i in zip(np.maximum(rows(lo, hi), 0.0), range(lo, hi), strict=True):
                here = slice(at, at := at + n - i - 1)
                distances[here], counts[here] = row[i + 1 :], weights[i] * weights[i + 1 :]
                within[here.start : here.start + ends[i] - i - 1] = True
        counts[m:], within[m:] = weights * (weights - 1) / 2, True
        return cls(distances, counts, within)

    def concordance(self) -> tuple[float, float, float]:
        """Count (within pair, between pair): within is nearer, within is farther, both are equally far."""
        within, between = self.distances[self.within], self.distances[~self.within]
        order = np.argsort(between)
        between = between[order]
        upto = np.concatenate([[0.0], np.cumsum(self.counts[~self.within][order])])
        nearer = upto[np.searchsorted(between, within, side="left")]
        not_farther = upto[np.searchsorted(between, within, side="right")]
        counts = self.counts[self.within]
        return float(counts @ (upto[-1] - not_farther)), float(counts @ nearer), float(counts @ (not_farther - nearer))

    def extreme_sums(self) -> tuple[float, float]:
        """Return the sums of the smallest and of the largest distances, as many as there are pairs within clusters."""
        total = float(self.counts[self.within].sum())
        order = np.argsort(self.distances)
        distances, counts = self.distances[order], self.counts[order]
        return _first(distances, counts, total), _first(distances[::-1], counts[::-1], total)


def bytes_needed(n: int) -> int:
    """Return the memory that all pairs of n points take, with what sorting them takes."""
    return BYTES * (math.comb(n, 2) + n)


def _first(distances: Floats, counts: Floats, total: float) -> float:
    """Return the sum of the first distances, each as often as it counts, up to `total` of them."""
    before = np.cumsum(counts) - counts
    return math.fsum((distances * np.clip(total - before, 0.0, counts)).tolist())
