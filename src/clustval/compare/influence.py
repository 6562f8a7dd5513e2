"""How sure the agreement of labellings is, the points being a sample: each point, or each group, is left out once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats, Integers
from clustval.declare import Request
from clustval.errors import InputError, UndefinedIndexError
from clustval.evaluation import values_of
from clustval.passes.labels.cells import tabulate, weigh
from clustval.results import ScoreInterval
from clustval.seeding import generators
from clustval.sources.label_pair import LabelPair
from clustval.stats.labels.contingency import Contingency

MOST_CELLS = 200  # of a table, each of which is evaluated with a point less; of larger tables groups are left out
GROUPS = 50


@dataclass(frozen=True, eq=False)
class Influence:
    """Values of indices with a point, or a group of points, less."""

    values: Floats  # of all points (indices,)
    without: Floats  # (replicates, indices)
    of_points: Integers  # which of the replicates is without a point; -1 for points that are left out anyway
    weights: Floats | None
    grouped: bool

    @property
    def how(self) -> str:
        """Where intervals come from, in words."""
        what = f"each of {GROUPS} groups of them" if self.grouped else "each of them"
        return f"the points as a sample, {what} left out once"

    def penalised(self, choices: Sequence[Request], coverage: float) -> Influence:
        """Return the values made worse by the share of noise, taken as it is; NaN where that has no meaning."""
        factors = np.array([_factor(choice, coverage) for choice in choices])
        return replace(self, values=self.values * factors, without=self.without * factors)

    def errors(self) -> tuple[Floats, int]:
        """Return the standard error of each index, and the degrees of freedom."""
        return self._scatter(self.without, *self._counts([self.of_points]))

    def errors_of_difference(self, other: Influence) -> tuple[Floats, int]:
        """Return the standard errors of the differences of each index between two labellings of the same points."""
        if self.grouped:
            return self._scatter(self.without - other.without, [np.arange(GROUPS)], np.ones(GROUPS))
        (one, two), counts = self._counts([self.of_points, other.of_points])
        return self._scatter(_rows(self, one) - _rows(other, two), [np.arange(len(counts))], counts)

    def _counts(self, columns: Sequence[Integers]) -> tuple[list[Integers], NDArray[Any]]:
        """Return the combinations of replicates that occur, and how many points, by weight, each stands for."""
        if self.grouped:
            return [np.arange(GROUPS)], np.ones(GROUPS)
        if len(columns) == 1:
            columns = [columns[0], columns[0]]
            numbers, counts = self._counts(columns)
            return numbers[:1], counts
        return tabulate(columns) if self.weights is None else weigh(columns, self.weights)

    def _scatter(self, without: Floats, numbers: Sequence[Integers], counts: NDArray[Any]) -> tuple[Floats, int]:
        rows = without[numbers[0]] if numbers[0].min() >= 0 else _rows(self, numbers[0])
        total = float(counts.sum())
        mean = counts @ rows / total
        squares = counts @ (rows - mean) ** 2
        return np.sqrt((total - 1) / total * squares), int(total) - 1


def _factor(choice: Request, coverage: float) -> float:
    try:
        return choice.index.penalty(coverage)
    except UndefinedIndexError:
        return math.nan


def _rows(influence: Influence, numbers: Integers) -> Floats:
    """Return the replicates; without a point that is left out anyway, all is as it was."""
    return np.vstack([influence.without, influence.values])[numbers]


def influence_of(pair: Any, choices: Sequence[Request], groups: Integers | None = None) -> Influence:
    """Return the values of the indices with each point, or each of some groups, left out.

    Points of one cell of the table leave the same table behind, so that there are no more values than cells.
    """
    table = pair[Contingency]
    if table.counts.dtype.kind == "f":
        msg = "confidence= leaves out whole points, so that sample_weight must hold whole numbers."
        raise InputError(msg)
    cells = np.arange(len(table.counts))
    points, weights = _cells_of_points(pair, table)
    values = _values(table, choices)
    if groups is None:
        without = np.array([_values(_less(table, cells == cell), choices) for cell in cells])
        return Influence(values, without, points, weights, grouped=False)
    present = points >= 0
    heavy = None if weights is None else weights[present]
    sums = _sums_of_groups(table, points[present], groups[present], heavy)
    without = np.array([_values(_less(table, sums[:, group]), choices) for group in range(GROUPS)])
    return Influence(values, without, groups, weights, grouped=True)


def groups_for(pairs: Sequence[Any], random_state: Any) -> Integers | None:
    """Return a group of each point if a table has so many cells that groups are left out, and not single points."""
    if all(len(pair[Contingency].counts) <= MOST_CELLS for pair in pairs):
        return None
    labelled = getattr(pairs[0], "labelled", None)
    n = pairs[0][Contingency].n if labelled is None else len(labelled.columns[0])
    return generators(random_state)(0).permutation(n) % GROUPS


def _sums_of_groups(table: Contingency, points: Integers, groups: Integers, weights: Floats | None) -> Integers:
    """Return how many points of each group, by weight, are in each cell (cells, groups)."""
    sums = np.bincount(points * GROUPS + groups, weights=weights, minlength=len(table.counts) * GROUPS)
    sums = sums.reshape(-1, GROUPS).astype(np.int64)
    # Noise that fell apart is in the first of its cells, of one point each, which follow each other.
    for first in np.flatnonzero(sums.sum(axis=1) > table.counts).tolist():
        own = np.repeat(np.arange(GROUPS), sums[first])
        sums[first : first + len(own)] = own[:, None] == np.arange(GROUPS)
    return sums


def _cells_of_points(pair: Any, table: Contingency) -> tuple[Integers, Floats | None]:
    """Return the cell of each point, -1 for those left out, and weights of points if they have any.

    Noise points of the same labels that are clusters of their own have the first of their cells.
    """
    labelled = getattr(pair, "labelled", None)
    if labelled is None:
        return np.repeat(np.arange(len(table.counts)), table.counts), None
    cells = pair.unsorted(np.arange(len(table.counts), dtype=np.float64))
    return np.where(np.isnan(cells), -1, cells).astype(np.int64), labelled.weights


def _less(table: Contingency, counts: NDArray[Any]) -> Contingency:
    """Return the table with so many points less in each cell."""
    left = table.counts - counts
    some = left > 0
    return Contingency.of_cells(
        table.rows[some], table.columns[some], left[some], table.row_labels, table.column_labels
    )


def _values(table: Contingency, choices: Sequence[Request]) -> Floats:
    if not len(table.counts):
        return np.full(len(choices), np.nan)
    values, _ = values_of(LabelPair(table), choices)
    return np.array([values[choice.name] for choice in choices])


def intervals_of(influence: Influence, choices: Sequence[Request], confidence: float) -> dict[str, ScoreInterval]:
    """Return the interval of each index that has a value also where points are left out."""
    errors, freedom = influence.errors()
    half = quantile(confidence, freedom) * errors
    return {
        choice.name: ScoreInterval(
            max(value - error, choice.index.bounds[0]), min(value + error, choice.index.bounds[1]), error, influence.how
        )
        for choice, value, error in zip(choices, influence.values.tolist(), half.tolist(), strict=True)
        if math.isfinite(error)
    }


def quantile(confidence: float, freedom: int) -> float:
    """Return how many standard errors the half-width of an interval is: Student's t."""
    from scipy import special  # noqa: PLC0415 - takes long to load

    return float(special.stdtrit(freedom, (1 + confidence) / 2))
