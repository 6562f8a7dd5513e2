"""The Prayatul matrix: on which pairs of points each of two algorithms is right about the truth.

A pair is right if it is together both in the truth and in the labels, or apart in both. All that is needed are the
sizes of clusters and of their pairwise overlaps: the points shared by all three labellings cancel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.choices import NoisePolicy
from clustval.compare.agreement import whole_numbers
from clustval.compare.disputed_points import Points, points_of
from clustval.compare.label_streams import check_in_memory, in_memory_of, streamed_counts
from clustval.compare.measures import MEASURES, Counts, reason_for
from clustval.compare.resampling import Interval, PairTest, mcnemar_test, resampled_counts
from clustval.compare.table_first import with_table_first
from clustval.drawn import Drawn
from clustval.errors import InputError
from clustval.inputs import at_least
from clustval.labels import Column
from clustval.lazy import cached_property
from clustval.options import seeded
from clustval.readers.open_rows import labels_in_blocks
from clustval.result import Result
from clustval.sources.label_pair import checked_columns, combinations_of
from clustval.stats.labels.contingency import total_of
from clustval.stats.labels.pair_counts import broken_counts, sum_of_squares
from clustval.tables import Tabular, html_table, number

NAMES = ("truth", "primary", "alternative")


@dataclass(frozen=True, eq=False)
class Prayatul(Tabular, Drawn, Result):
    """Two algorithms against the truth, pair of points by pair of points."""

    _figure = "prayatul"

    _sources = ("_columns", "_weights")

    counts: Counts
    _codes: Sequence[Integers]  # of truth, primary and alternative, for each combination that occurs
    _sizes: NDArray[Any]  # points of each combination, by weight
    _columns: Sequence[Column] | None  # none of them where labels were read in blocks
    _noise: str
    _weights: Floats | None = None

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
        g, p, q = self._codes
        columns = self._columns and [self._columns[at] for at in (0, 2, 1)]
        return Prayatul((br, wr, rw, bw), (g, q, p), self._sizes, columns, self._noise, self._weights)

    def mcnemar(self) -> PairTest:
        """Test whether the pairs where only one algorithm is right favour one of them.

        The statistic takes pairs for independent, which pairs that share a point are not; the p-value takes points for
        independent, as the intervals of `bootstrap` do, and leaves each out once. It is NaN of fewer than four points,
        and where the difference is the same whichever point is left out, as it is of a truth of two equal halves and an
        algorithm that puts all points together: then that says nothing of its error.
        """
        self._check_whole("mcnemar")
        return mcnemar_test(self.counts, self._codes, self._sizes)

    @seeded
    def bootstrap(
        self, n_samples: int = 999, *, level: float = 0.95, random_state: Any = None, rng: Any = None
    ) -> dict[str, Interval]:
        """Return an interval for each measure, from samples of the points drawn with replacement."""
        count = at_least(n_samples, 1, "n_samples")
        if isinstance(level, bool) or not isinstance(level, (int, float, np.number)) or not 0 < level < 1:
            msg = f"level must lie between 0 and 1; it is {level!r}."
            raise InputError(msg)
        self._check_whole("bootstrap")
        samples = resampled_counts(self._codes, self._sizes, count, random_state)
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
        columns = self._behind(self._columns)
        if not columns:
            msg = "This Prayatul keeps no single points, since the labels were read in blocks."
            raise InputError(msg)
        return points_of(columns, self._noise, self._weights)

    def _check_whole(self, test: str) -> None:
        if self._sizes.dtype.kind == "f":
            msg = f"{test}() takes points for draws by chance, of which there is no fraction; weights must be whole."
            raise InputError(msg)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"measure": name, "value": value, "reason": self.reasons.get(name, "")}
            for name, value in self.measures.items()
        ]

    def _repr_html_(self) -> str:
        br, rw, wr, bw = (number(count, 6) for count in self.counts)
        matrix = [
            ("pairs of points", "alternative right", "alternative wrong"),
            ("primary right", br, rw),
            ("primary wrong", wr, bw),
        ]
        return html_table(matrix) + super()._repr_html_()

    def __str__(self) -> str:
        br, rw, wr, bw = (number(count, 6) for count in self.counts)
        head = f"pairs: {br} both right, {rw} only primary, {wr} only alternative, {bw} both wrong"
        return "\n".join([head, *(f"{name:<22}  {value:.6g}" for name, value in self.measures.items())])


@with_table_first
def prayatul(
    truth: Any,
    primary: Any,
    alternative: Any,
    *,
    noise: NoisePolicy = "cluster",
    sample_weight: Any = None,
    data: Any = None,
    executor: Any = None,
) -> Prayatul:
    """Compare two algorithms with the truth on every pair of points, in time linear in the number of points.

    ``.matrix`` holds the numbers of pairs [[both right, only primary], [only alternative, both wrong]], ``.measures``
    the five measures, ``.points`` where the disagreement lies; ``.mcnemar()`` and ``.bootstrap()`` say how much of it
    may be chance. Points count as often as `sample_weight` says, if it is there: whole weights are as many points.
    Labels that do not fit into memory are read in blocks, as `agreement` reads them: columns of `data`, mapped arrays,
    paths of NPY files or columns of Dask; ``.points`` then has no value.

    >>> found = prayatul([0, 0, 1, 1], [0, 0, 1, 2], [0, 1, 1, 1])
    >>> found.matrix
    array([[2, 3],
           [1, 0]])
    >>> found.measures["comparative_deviation"]
    0.5
    """
    wanted = dict(zip(NAMES, (truth, primary, alternative), strict=True))
    labellings, sample_weight, data = in_memory_of(wanted, sample_weight, data)
    if data is not None or labels_in_blocks(labellings[NAMES[0]]):
        c = streamed_counts(labellings, data=data, noise=noise, weights=sample_weight, executor=executor)
        return Prayatul(pair_counts(c.codes, c.counts), c.codes, c.counts, (), noise)
    check_in_memory(executor)
    columns, weights = checked_columns([*labellings.values()], NAMES, noise, sample_weight)
    return of_columns(columns, noise, weights)


def of_columns(columns: Sequence[Column], noise: str, weights: Floats | None = None) -> Prayatul:
    """Return the comparison of checked columns of truth, primary and alternative."""
    codes, sizes, _ = combinations_of(columns, noise, weights)
    return Prayatul(pair_counts(codes, sizes), codes, sizes, columns, noise, weights)


def pair_counts(codes: Sequence[Integers], sizes: NDArray[Any]) -> Counts:
    """Return the pairs both right, right-wrong, wrong-right and both wrong, exactly unless weights are broken."""
    n = total_of(sizes)
    alone = [_pairs_together(c, sizes, n) for c in codes]
    (g, p, q), (gp, gq, pq) = alone, [_pairs_together(_keys(a, b), sizes, n) for a, b in combinations(codes, 2)]
    total = _halved(n * (n - 1))
    both_right = total - g - p - q + gp + gq + pq
    primary_right, alternative_right = total - g - p + 2 * gp, total - g - q + 2 * gq
    both_wrong = total - primary_right - alternative_right + both_right
    counts = both_right, primary_right - both_right, alternative_right - both_right, both_wrong
    if sizes.dtype.kind == "f":
        br, rw, wr, bw = broken_counts(n, list(counts))
        return br, rw, wr, bw
    return counts


def _keys(a: Integers, b: Integers) -> Integers:
    return a * (int(b.max(initial=0)) + 1) + b


def _pairs_together(keys: Integers, sizes: NDArray[Any], n: Any) -> Any:
    _, inverse = np.unique(keys, return_inverse=True)
    return _halved(sum_of_squares(np.bincount(inverse, weights=sizes).astype(sizes.dtype)) - n)


def _halved(number: Any) -> Any:
    return number / 2 if isinstance(number, float) else number // 2
