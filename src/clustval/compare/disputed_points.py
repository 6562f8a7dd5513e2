"""Which points carry the disagreement of two algorithms about the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from clustval.arrays import Integers
from clustval.labels import Column
from clustval.passes.count_cells import at_points, tabulate


@dataclass(frozen=True, eq=False)
class Points:
    """For each point, on how many of its pairs only one algorithm is right; none for points left out as noise."""

    only_primary: Integers
    only_alternative: Integers


def points_of(columns: Sequence[Column], noise: str) -> Points:
    """Count the pairs of each point from the sizes of its clusters and of their overlaps.

    Points with the same three labels have the same counts, so that they are worked out once for each combination of
    labels. A pair is together in truth and primary but not in the alternative, or apart in both and together there;
    of the points together in all three, those of the first case and of the second cancel.
    """
    numbers, counts = tabulate([c.values for c in columns])
    codes = [_codes(c, occurring) for c, occurring in zip(columns, numbers, strict=True)]
    lost = np.any([c < 0 for c in codes], axis=0)
    if noise == "drop":
        counts = np.where(lost, 0, counts)

    def size(*axes: int) -> Integers:
        chosen = [codes[axis] for axis in axes]
        keys = np.zeros(len(counts), dtype=np.int64)
        for c in chosen:
            keys = np.unique(keys * (int(c.max()) + 2) + c + 1, return_inverse=True)[1]
        sizes = np.bincount(keys, weights=counts).astype(np.int64)[keys]
        alone = np.any([c < 0 for c in chosen], axis=0)
        return np.where(alone, 1, sizes) if noise == "singletons" else sizes

    truth, primary, alternative = range(3)
    both, with_primary, with_alternative = size(primary, alternative), size(truth, primary), size(truth, alternative)
    values = np.stack([
        with_primary - with_alternative + size(alternative) - both,
        with_alternative - with_primary + size(primary) - both,
    ])  # fmt: skip
    if noise == "drop":
        values[:, lost] = 0
    return Points(*at_points([c.values for c in columns], numbers, values))


def _codes(column: Column, numbers: Integers) -> Integers:
    occurring, inverse = np.unique(numbers, return_inverse=True)
    return column.read(occurring)[0][inverse]
