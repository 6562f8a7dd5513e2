"""The Prayatul matrix: on which pairs of points each of two algorithms is right about the truth.

A pair is right if it is together both in the truth and in the labels, or apart in both. All that is needed are the
sizes of clusters and of their pairwise overlaps: the points shared by all three labellings cancel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Integers
from clustval.compare.agreement import whole_numbers
from clustval.compare.disputed_points import Points, points_of
from clustval.compare.measures import MEASURES, Counts, reason_for
from clustval.compare.resampling import Interval, PairTest, mcnemar_test, resampled_counts
from clustval.errors import InputError
from clustval.labels import Column
from clustval.sources.label_pair import checked_columns, combinations_of
from clustval.stats.pair_counts import sum_of_squares

NAMES = ("truth", "primary", "alternative")


@dataclass(frozen=True, eq=False)
class Prayatul:
    """Two algorithms against the truth, pair of points by pair of points."""

    counts: Counts
    _codes: Sequence[Integers]  # of truth, primary and alternative, for each combination that occurs
    _sizes: Integers  # points of each combination
    _columns: Sequence[Column]
    _noise: str

    @property
    def matrix(self) -> NDArray[Any]:
        """[[both right, only the primary right], [only the alternative right, both wrong]], in pairs of points."""
        br, rw, wr, bw = self.counts
        return whole_numbers([[br, rw], [wr, bw]])

    @cached_property
    def measures(self) -> dict[str, float]:
        """The five measures of the paper by name; NaN where one is 0/0, for which `reasons` says why."""
        return {name: measure(*self.counts) for name, measure in MEASURES.items()}

    @property
    def reasons(self) -> dict[str, str]:
        """Why measures have no value."""
        return {name: reason_for(self.counts) for name, value in self.measures.items() if math.isnan(value)}

    @property
    def swapped(self) -> Prayatul:
        """The comparison with primary and alternative exchanged."""
        br, rw, wr, bw = self.counts
        (g, p, q), (truth, primary, alternative) = self._codes, self._columns
        return Prayatul((br, wr, rw, bw), (g, q, p), self._sizes, (truth, alternative, primary), self._noise)

    def mcnemar(self) -> PairTest:
        """Test whether the pairs where only one algorithm is right favour one of them.

        It takes pairs for independent, which pairs that share a point are not: the p-value is too small. The
        intervals of `bootstrap` take points for independent instead.
        """
        return mcnemar_test(self.counts)

    def bootstrap(self, n_samples: int = 999, *, level: float = 0.95, random_state: Any = None) -> dict[str, Interval]:
        """Return an interval for each measure, from samples of the points drawn with replacement."""
        if isinstance(n_samples, bool) or not isinstance(n_samples, (int, np.integer)) or n_samples < 1:
            msg = f"n_samples must be a whole number from 1; it is {n_samples!r}."
            raise InputError(msg)
        if not 0 < level < 1:
            msg = f"level must lie between 0 and 1; it is {level!r}."
            raise InputError(msg)
        samples = resampled_counts(self._codes, self._sizes, int(n_samples), random_state)
        tails = [(1 - level) / 2, (1 + level) / 2]
        intervals = {}
        for name, measure in MEASURES.items():
            values = np.array([measure(*sample) for sample in samples])
            values = values[~np.isnan(values)]
            low, high = np.quantile(values, tails) if len(values) else (math.nan, math.nan)
            intervals[name] = Interval(self.measures[name], float(low), float(high), level)
        return intervals

    @cached_property
    def points(self) -> Points:
        """For each point, on how many of its pairs only one of the algorithms is right."""
        return points_of(self._columns, self._noise)

    def __str__(self) -> str:
        br, rw, wr, bw = self.counts
        head = f"pairs: {br} both right, {rw} only primary, {wr} only alternative, {bw} both wrong"
        return "\n".join([head, *(f"{name:<22}  {value:.6g}" for name, value in self.measures.items())])


def prayatul(truth: Any, primary: Any, alternative: Any, *, noise: str = "cluster") -> Prayatul:
    """Compare two algorithms with the truth on every pair of points, in a time that grows with the points only.

    ``.matrix`` holds the numbers of pairs [[both right, only primary], [only alternative, both wrong]], ``.measures``
    the five measures, ``.points`` where the disagreement lies; ``.mcnemar()`` and ``.bootstrap()`` say how much of it
    may be chance.

    >>> found = prayatul([0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 1, 1])
    >>> found.matrix
    array([[2, 3],
           [1, 0]])
    >>> found.measures["comparative_deviation"]
    0.5
    """
    return of_columns(checked_columns([truth, primary, alternative], NAMES, noise), noise)


def of_columns(columns: Sequence[Column], noise: str) -> Prayatul:
    """Return the comparison of checked columns of truth, primary and alternative."""
    codes, sizes, _ = combinations_of(columns, noise)
    return Prayatul(pair_counts(codes, sizes), codes, sizes, columns, noise)


def pair_counts(codes: Sequence[Integers], sizes: Integers) -> Counts:
    """Return the pairs both right, right-wrong, wrong-right and both wrong, exactly."""
    n = int(sizes.sum())
    alone = [_pairs_together(c, sizes, n) for c in codes]
    (g, p, q), (gp, gq, pq) = alone, [_pairs_together(_keys(a, b), sizes, n) for a, b in combinations(codes, 2)]
    total = n * (n - 1) // 2
    both_right = total - g - p - q + gp + gq + pq
    primary_right, alternative_right = total - g - p + 2 * gp, total - g - q + 2 * gq
    both_wrong = total - primary_right - alternative_right + both_right
    return both_right, primary_right - both_right, alternative_right - both_right, both_wrong


def _keys(a: Integers, b: Integers) -> Integers:
    return a * (int(b.max(initial=0)) + 1) + b


def _pairs_together(keys: Integers, sizes: Integers, n: int) -> Any:
    _, inverse = np.unique(keys, return_inverse=True)
    return (sum_of_squares(np.bincount(inverse, weights=sizes).astype(np.int64)) - n) // 2
