r"""How well the values of a criterion follow those of an external index over the partitions of one data set.

Before they are correlated, values become merits, of which more is better: criteria to be minimised are flipped
around their mean, and difference-like ones are transformed along each chain of partitions (Vendramin, Campello and
Hruschka 2010, section 4). Values that are missing or infinite leave out the partition, for that criterion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.stats import rankdata

from clustval import kernels, rules
from clustval.arrays import Floats
from clustval.declare import Request
from clustval.errors import InputError
from clustval.rules import Rule
from clustval.study.records import ALL, Record

# Equations 37, 35 and 36.
TRANSFORMS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "knee": rules.relative_change,
    "step": rules.step,
    "change": rules.change_of_step,
}


def pearson(a: ArrayLike, b: ArrayLike) -> float:
    """Product-moment correlation; NaN if a sequence is constant.

    >>> pearson([0.75, 0.55, 0.20, 0.95, 0.60], [0.82, 0.49, 0.31, 0.89, 0.67])
    0.9627
    """
    return _of_two(_pearson, a, b)


def spearman(a: ArrayLike, b: ArrayLike) -> float:
    """Correlation of ranks, those of equals being their mean; NaN if a sequence is constant.

    >>> spearman([1, 2, 3, 4], [10, 30, 20, 40])
    0.8
    """
    return _of_two(_spearman, a, b)


def wgk(a: ArrayLike, b: ArrayLike) -> float:
    r"""Weighted Goodman-Kruskal: agreement on the order of pairs of positions, and on how far they are apart.

    .. math:: \frac{1}{|P|} \sum_{(i, j) \in P} \operatorname{sgn}(p_{ij} q_{ij})
       \min\left(\frac{|p_{ij}|}{|q_{ij}|}, \frac{|q_{ij}|}{|p_{ij}|}\right)

    with the differences :math:`p_{ij} = (a_i - a_j) / (\max a - \min a)` and likewise :math:`q_{ij}`, over the pairs
    P that differ in both sequences; NaN if there is none. This is the index of Campello and Hruschka (2009) as it
    gives the values that Vendramin, Campello and Hruschka (2010, Table 2) print; ties are left out as in Goodman and
    Kruskal's.

    >>> wgk([0.75, 0.55, 0.20, 0.95, 0.60], [0.82, 0.49, 0.31, 0.89, 0.67])
    0.685
    """
    return _of_two(_wgk, a, b)


def _of_two(correlation: Callable[[Floats, Floats], Floats], a: ArrayLike, b: ArrayLike) -> float:
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    return float(correlation(first[:, None], second)[0])


def _pearson(columns: Floats, other: Floats) -> Floats:
    x, y = _centred(columns), _centred(other)
    scale = np.linalg.norm(x, axis=0) * np.linalg.norm(y)
    correlations = np.full(len(scale), np.nan)
    np.divide(y @ x, scale, out=correlations, where=scale > 0)
    return correlations


def _spearman(columns: Floats, other: Floats) -> Floats:
    return _pearson(rankdata(columns, axis=0), rankdata(other))


def _wgk(columns: Floats, other: Floats) -> Floats:
    correlations, y = np.full(columns.shape[1], np.nan), _ranged(other)
    for at, x in enumerate(columns.T):
        total, count = kernels.labels.many_labellings.weighted_concordance(_ranged(x), y)
        if count > 0:
            correlations[at] = total / count
    return correlations


# From matrices whose columns are each correlated with one sequence.
CORRELATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "pearson": _pearson,
    "wgk": _wgk,
    "spearman": _spearman,
}


def _centred(values: Floats) -> Floats:
    """Values less their mean, all exactly 0 where they are equal, and of a size that can be squared."""
    if len(values) == 0:
        return values
    varies = values.min(axis=0) != values.max(axis=0)
    scaled = values / np.where(varies, np.abs(values).max(axis=0), 1.0)
    return np.where(varies, scaled - scaled.mean(axis=0), 0.0)


def _ranged(values: Floats) -> Floats:
    if len(values) == 0 or values.min() == values.max():
        return np.zeros(len(values))
    x = values / np.abs(values).max()
    return np.ascontiguousarray(x / np.ptp(x))


def merits(record: Record, criteria: Sequence[Request], *, transform: str = "knee", most: int | None = None) -> Floats:
    """Return the merits of partitions (rows) by criteria (columns): NaN where there is none or it does not count."""
    values = record.values.copy()
    chains = [_ordered(record, chain) for chain in record.chains]
    for column, choice in enumerate(criteria):
        if choice.best.compares > 1:
            values[:, column] = _transformed(values[:, column], record.k, chains, TRANSFORMS[transform])
    values[~np.isfinite(values)] = np.nan
    values[~record.judged(most)] = np.nan
    for column, choice in enumerate(criteria):
        if choice.best.compares == 1:
            values[:, column] = _upwards(values[:, column], choice.best)
    return values


def _ordered(record: Record, chain: int) -> NDArray[np.int64]:
    """Return the partitions of a chain by their number of clusters, each number once."""
    rows = np.flatnonzero((record.chain == chain) | (record.chain == ALL))
    rows = rows[np.argsort(record.k[rows], kind="stable")]
    last_of_k = np.diff(record.k[rows], append=-1) != 0  # a number comes twice where a run lost a cluster
    return rows[last_of_k]  # type: ignore[no-any-return]


def _transformed(
    values: Floats, k: NDArray[np.int64], chains: Sequence[NDArray[np.int64]], score: Callable[[Floats, Floats], Floats]
) -> Floats:
    """Return the scores of partitions by their neighbours in their chain."""
    scores = np.full(len(values), np.nan)
    with np.errstate(all="ignore"):  # flat stretches divide by 0
        for rows in chains:
            scores[rows] = score(values[rows], k[rows].astype(np.float64))
    return scores


def _upwards(values: Floats, rule: Rule) -> Floats:
    if rule.better == "higher":
        return values
    if rule.better == "nearer 0":
        return -np.abs(values)
    defined = values[~np.isnan(values)]
    return 2 * defined.mean() - values if len(defined) else values


def correlations(merit: Floats, external: Floats, names: Sequence[str]) -> Floats:
    """Return the correlation of merits (partitions x criteria) with external indices (partitions x indices).

    The result is external x correlation x criterion; NaN where fewer than three partitions have a value, or all have
    the same.
    """
    table = np.full((external.shape[1], len(names), merit.shape[1]), np.nan)
    alike: dict[bytes, list[int]] = {}  # criteria that have a value for the same partitions are taken together
    finite = np.isfinite(merit)
    for column, rows in enumerate(finite.T):
        alike.setdefault(rows.tobytes(), []).append(column)
    for columns in alike.values():
        for at, agreement in enumerate(external.T):
            rows = finite[:, columns[0]] & np.isfinite(agreement)
            if np.count_nonzero(rows) >= 3:
                block = merit[np.ix_(rows, columns)]
                table[at][:, columns] = [CORRELATIONS[name](block, agreement[rows]) for name in names]
    return table


def hits(merit: Floats, record: Record) -> NDArray[np.int64]:
    """Return how many chains each criterion reads rightly: the best partition has as many clusters as the truth.

    Of equal values that with the fewest clusters counts.
    """
    right = np.zeros(merit.shape[1], dtype=np.int64)
    scores = np.where(np.isnan(merit), -np.inf, merit)
    for chain in record.chains:
        rows = np.flatnonzero(record.chain == chain)
        rows = rows[np.argsort(record.k[rows], kind="stable")]
        best = rows[np.argmax(scores[rows], axis=0)]
        right += (record.k[best] == record.classes) & (scores[best, np.arange(len(best))] > -np.inf)
    return right


class Finding(NamedTuple):
    """Correlations and hits of all criteria on one data set."""

    name: str
    cell: str
    correlations: Floats  # external x correlation x criterion
    hits: NDArray[np.int64]
    chains: int


def finding(
    record: Record,
    criteria: Sequence[Request],
    names: Sequence[str],
    *,
    transform: str = "knee",
    most: int | None = None,
) -> Finding:
    """Return the correlations and hits of criteria on one data set, over partitions of up to `most` clusters."""
    merit = merits(record, criteria, transform=transform, most=most)
    return Finding(
        record.name,
        record.cell,
        correlations(merit, record.external, names),
        hits(merit, record),
        len(record.chains),
    )


def check_names(names: str | Sequence[str], allowed: Sequence[str], what: str) -> list[str]:
    """Return the names as a list, or raise an error that lists those there are."""
    choices = [names] if isinstance(names, str) else list(names)
    unknown = [name for name in choices if name not in allowed]
    if unknown or not choices:
        fault = f"{unknown[0]!r} is not" if unknown else "none is given"
        msg = f"{what} must be among {', '.join(map(repr, allowed))}; {fault}."
        raise InputError(msg)
    return choices
