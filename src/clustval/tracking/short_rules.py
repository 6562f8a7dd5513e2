"""The shortest rule that picks a cluster out: conditions on columns, found in steps from the best single ones.

A condition compares a number with a cut, or a category with one of its values. A rule is worth 2 t / (c + s), with the
t rows of the cluster that it selects, the c rows of the cluster and the s rows that it selects at all: F1, the harmonic
mean of coverage and precision. One more condition must raise it by `GAIN`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Flags, Floats, Integers

CUTS = 256  # of a column of numbers: between all values if there are no more, else at so many quantiles
BEAM = 8  # rules that are made longer
NARROWED = 16  # columns that are tried for a second condition: those whose best first one is worth most
GAIN = 0.02  # what one more condition must add
AT_MOST, ABOVE, EQUAL = "<=", ">", "="


@dataclass(frozen=True)
class Condition:
    """What a column must be: above a cut, at most a cut, or equal to a category."""

    column: int
    comparison: str
    place: int  # of the cut or the category


@dataclass(frozen=True, eq=False)
class BinnedColumn:
    """A column as numbers of bins, -1 where missing, and the cuts or the categories that they stand for."""

    name: Any
    bins: Integers
    marks: list[Any]  # of a cut, the values below and above it: a short number between them is sought where it is shown
    ordered: bool

    @property
    def count(self) -> int:
        """Number of bins."""
        return len(self.marks) + self.ordered

    def mark(self, place: int) -> Any:
        """Return what a rule compares with: a number between the two values of a cut, or a category."""
        return short_cut(*self.marks[place]) if self.ordered else self.marks[place]


def of_numbers(name: Any, values: Floats) -> BinnedColumn:
    """Return a column of numbers, cut between its values or at quantiles of them; NaN is missing."""
    present = ~np.isnan(values)
    distinct = np.unique(values[present])
    if len(distinct) > CUTS + 1:
        ranked = np.sort(values[present])
        marks = ranked[np.linspace(0, len(ranked) - 1, CUTS + 2).astype(np.int64)[1:-1]]
        at = np.unique(np.searchsorted(distinct, marks))
        at = at[at < len(distinct) - 1]
    else:
        at = np.arange(len(distinct) - 1)
    bins = np.where(present, np.searchsorted(distinct[at], values, side="left"), -1).astype(np.int64)
    return BinnedColumn(name, bins, np.column_stack([distinct[at], distinct[at + 1]]).tolist(), ordered=True)


def short_cut(low: float, high: float) -> float:
    """Return the shortest number about halfway between two, at least the lower and below the higher.

    >>> short_cut(309.2, 310.9), short_cut(0.0, 1.0)
    (310.0, 0.5)
    """
    middle = low / 2 + high / 2
    for digits in range(1, 18):
        cut = float(f"{middle:.{digits}g}")
        if low <= cut < high:
            return cut
    return low


def of_categories(name: Any, codes: Integers, categories: list[Any]) -> BinnedColumn:
    """Return a column of categories, the most frequent ones where there are many; the others count as missing."""
    sizes = np.bincount(codes[codes >= 0], minlength=len(categories))
    kept = np.sort(np.argsort(-sizes, kind="stable")[:CUTS])
    places = np.full(len(categories) + 1, -1, dtype=np.int64)  # the last is for missing values
    places[kept] = np.arange(len(kept))
    return BinnedColumn(name, places[codes], [categories[at] for at in kept.tolist()], ordered=False)


class Rules:
    """All conditions on the columns of a table, and the search for the rule that picks out some of its rows."""

    def __init__(self, columns: Sequence[BinnedColumn]) -> None:
        self.columns = list(columns)
        widths = [column.count + 1 for column in self.columns]  # one more for missing values
        self.starts = np.concatenate([[0], np.cumsum(widths)])
        shifted = [
            np.where(column.bins < 0, column.count, column.bins) + start
            for column, start in zip(self.columns, self.starts[:-1].tolist(), strict=True)
        ]
        self.cells: NDArray[np.int32] = np.array(shifted, dtype=np.int32).T.copy()

    def selected(self, rule: Sequence[Condition]) -> Flags:
        """Return which rows meet all conditions; a missing value meets none."""
        rows = np.ones(len(self.cells), dtype=bool)
        for condition in rule:
            bins = self.columns[condition.column].bins
            if condition.comparison == EQUAL:
                rows &= bins == condition.place
            elif condition.comparison == AT_MOST:
                rows &= (bins >= 0) & (bins <= condition.place)
            else:
                rows &= bins > condition.place
        return rows

    def search(self, wanted: Flags, among: Flags, most: int) -> tuple[Condition, ...]:
        """Return the shortest rule that picks the wanted rows out of `among`; none if there are no wanted rows."""
        inside = among & wanted
        size = int(inside.sum())
        if size == 0:
            return ()
        usable = range(len(self.columns))
        beam: list[tuple[float, tuple[Condition, ...]]] = [(0.0, ())]
        best: tuple[Condition, ...] = ()
        worth = 2 * size / (size + int(among.sum()))
        for length in range(1, most + 1):
            longer: dict[frozenset[Condition], tuple[float, tuple[Condition, ...]]] = {}
            for _, rule in beam:
                rows = among & self.selected(rule)
                taken = {(condition.column, condition.comparison) for condition in rule}
                for value, condition in self._worth(rows, wanted, size, usable):
                    if (condition.column, condition.comparison) not in taken:
                        key = frozenset([*rule, condition])
                        longer.setdefault(key, (value, (*rule, condition)))
            if not longer:
                break
            ranked = sorted(longer.values(), key=lambda each: -each[0])
            if length == 1:
                firsts = [rule[0].column for _, rule in ranked]
                usable = sorted(list(dict.fromkeys(firsts))[:NARROWED])  # type: ignore[assignment]
            beam = ranked[:BEAM]
            if beam[0][0] >= worth + GAIN:
                worth, best = beam[0]
            if worth >= 1:
                break
        return best

    def _worth(self, rows: Flags, wanted: Flags, size: int, usable: Sequence[int]) -> list[tuple[float, Condition]]:
        """Return the best cut of each column in each direction, and each category, with what it is worth."""
        width = int(self.starts[-1])
        all_counts = np.bincount(self.cells[rows].ravel(), minlength=width)
        own_counts = np.bincount(self.cells[rows & wanted].ravel(), minlength=width)
        conditions = []
        for number in usable:
            column, start = self.columns[number], int(self.starts[number])
            every, own = (counts[start : start + column.count] for counts in (all_counts, own_counts))
            if not column.ordered:
                worth = 2 * own / (size + every)
                conditions += [
                    (float(worth[at]), Condition(number, EQUAL, at)) for at in np.argsort(-worth)[:2].tolist()
                ]
                continue
            if len(column.marks) == 0:
                continue
            below, own_below = np.cumsum(every)[:-1], np.cumsum(own)[:-1]
            for comparison, selected, hits in (
                (AT_MOST, below, own_below),
                (ABOVE, every.sum() - below, own.sum() - own_below),
            ):
                worth = 2 * hits / (size + selected)
                at = int(worth.argmax())
                conditions.append((float(worth[at]), Condition(number, comparison, at)))
        return conditions
