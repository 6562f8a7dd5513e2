"""Whether the mean correlation of one criterion exceeds that of another by more than chance.

All tests are one-sided: a small p-value says that the criterion of the row is better than that of the column.
Wilcoxon's signed-rank test compares the two on each data set; the rank-sum test of Mann and Whitney, which the 2010
study used, compares them as two samples. Friedman's test with replications ranks the values of both criteria within
each design cell; for two criteria it is the sum over cells of the rank sums. Rank sums are taken as normal, with
their variance corrected for ties: that needs a dozen data sets, not a handful.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from scipy.special import ndtr
from scipy.stats import friedmanchisquare

from clustval.arrays import Floats, Integers

LEVEL = 0.05


def ranks_within(values: Floats, groups: Integers) -> Floats:
    """Return the rank of each value among those of its group, 1 for the lowest, those of equals being their mean.

    >>> ranks_within(np.array([5.0, 3.0, 7.0, 7.0]), np.array([0, 1, 1, 1]))
    array([1. , 1. , 2.5, 2.5])
    """
    order = np.lexsort((values, groups))
    v, g = values[order], groups[order]
    changes = np.diff(g, prepend=-1) != 0
    new = changes | (np.diff(v, prepend=np.inf) != 0)
    starts = np.flatnonzero(new)
    middles = (starts + np.append(starts[1:], len(v)) - 1) / 2
    firsts = np.flatnonzero(changes)
    ranks = np.empty(len(v))
    ranks[order] = middles[np.cumsum(new) - 1] - firsts[np.cumsum(changes) - 1] + 1
    return ranks


def wilcoxon(a: Floats, b: Floats, _cells: Integers) -> float:
    """P-value of the signed-rank test that a exceeds b, differences of 0 left out."""
    difference = (a - b)[a != b]
    ranks = ranks_within(np.abs(difference), np.zeros(len(difference), dtype=np.int64))
    return _p_value(float((np.sign(difference) * ranks).sum()), float((ranks**2).sum()))


def mann_whitney(a: Floats, b: Floats, _cells: Integers) -> float:
    """P-value of the rank-sum test that values of a tend to exceed those of b."""
    return friedman(a, b, np.zeros(len(a), dtype=np.int64))


def friedman(a: Floats, b: Floats, cells: Integers) -> float:
    """P-value of Friedman's test, with replications in each cell, that values of a exceed those of b."""
    ranks = ranks_within(np.concatenate([a, b]), np.concatenate([cells, cells]))
    m = np.bincount(cells)[cells]  # replications in the cell of each data set
    expected = (2 * m + 1) / 2
    above = ranks - np.concatenate([expected, expected])
    weights = m / (2 * (2 * m - 1))
    variance = float((np.concatenate([weights, weights]) * above**2).sum())
    return _p_value(float(above[: len(a)].sum()), variance)


TESTS: dict[str, Callable[[Floats, Floats, Integers], float]] = {
    "wilcoxon": wilcoxon,
    "mann_whitney": mann_whitney,
    "friedman": friedman,
}


def _p_value(excess: float, variance: float) -> float:
    return float(ndtr(-excess / np.sqrt(variance))) if variance > 0 else 0.5


def p_values(values: Floats, cells: Sequence[str], test: str) -> Floats:
    """Return, for each two criteria (columns of `values`, one row per data set), the p-value that the first is better.

    Data sets on which one of the two has no value are left out; NaN if none is left.
    """
    _, numbers = np.unique(np.asarray(cells, dtype=str), return_inverse=True)
    table = np.full((values.shape[1],) * 2, np.nan)
    missing = np.isnan(values)
    for i, j in combinations(range(values.shape[1]), 2):
        rows = ~(missing[:, i] | missing[:, j])
        if rows.any():
            table[i, j] = TESTS[test](values[rows, i], values[rows, j], numbers[rows])
            table[j, i] = 1 - table[i, j]
    return table


def overall(values: Floats) -> float:
    """P-value of Friedman's test that all criteria are alike, data sets being the blocks; NaN if there are too few."""
    complete = values[~np.isnan(values).any(axis=1)]
    if len(complete) < 2 or values.shape[1] < 3:
        return np.nan
    return float(friedmanchisquare(*complete.T).pvalue)
