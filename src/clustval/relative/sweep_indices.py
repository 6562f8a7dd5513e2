"""Values of indices that need several partitions: for each partition, those that come before and after it are found.

Partitions belong together where they leave out the same points as noise. One into a single cluster can always be had.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.declare import Index, Request
from clustval.inputs import Labels
from clustval.lazy import cached_property
from clustval.options import options_of
from clustval.relative.scoring import ScoreTable, table_of
from clustval.rules import descriptive
from clustval.sources.space import Space
from clustval.sources.sweep_curves import Curve, SweepIndex, notes_of

NOBODY = -1  # the row of a partition that there is not
STEPS = {"before": -1, "after": 1}


# --- which partitions belong together --------------------------------------------------------------------


class PartitionsByK:
    """The partitions of a sweep by their numbers of clusters, and which follow which."""

    def __init__(self, space: Space, labels: Sequence[Labels], weights: Floats | None = None) -> None:
        self.space, self.labels, self.weights = space, labels, weights
        self.k: Integers = np.array([one.k for one in labels])

    @cached_property
    def covers(self) -> list[bytes]:
        """Which points each partition covers: the same for those that leave out the same as noise."""
        return [np.packbits(one.codes >= 0).tobytes() for one in self.labels]

    @cached_property
    def rows(self) -> dict[tuple[bytes, int], list[int]]:
        """The partitions that cover the same points with the same number of clusters."""
        rows: dict[tuple[bytes, int], list[int]] = {}
        for row, (cover, k) in enumerate(zip(self.covers, self.k.tolist(), strict=True)):
            rows.setdefault((cover, k), []).append(row)
        return rows

    def candidates(self, row: int, step: int) -> list[int]:
        """Return the partitions of the same points into so many clusters more."""
        return self.rows.get((self.covers[row], int(self.k[row]) + step), [])

    def beside(self, step: int, tightness: Floats) -> Integers:
        """Return, for each partition, the tightest into so many clusters more; `NOBODY` if there are none."""
        order = np.nan_to_num(tightness, nan=inf)
        rows = (self.candidates(row, step) for row in range(len(self.labels)))
        return np.array([min(some, key=order.__getitem__, default=NOBODY) for some in rows])

    @cached_property
    def whole(self) -> tuple[list[Labels], Integers]:
        """Points as one cluster, for partitions into two that the sweep has no such partition for; and for which."""
        places: dict[bytes, int] = {}
        labels: list[Labels] = []
        which = np.full(len(self.labels), NOBODY)
        for row in np.flatnonzero(self.k == 2).tolist():
            if self.candidates(row, -1):
                continue
            which[row] = places.setdefault(self.covers[row], len(labels))
            if which[row] == len(labels):
                labels.append(Labels(np.where(self.labels[row].codes >= 0, 0, -1), [0]))
        return labels, which

    @cached_property
    def finer(self) -> Integers:
        """For each partition, the first into one cluster more that leaves all of its clusters but one as they are."""
        marks, finer = self.marks, np.full(len(self.labels), NOBODY)
        for row, kept in enumerate((self.k - 1).tolist()):
            own = marks[row]
            for other in self.candidates(row, 1):
                if len(own & marks[other]) >= kept and self.parents(row, other) is not None:
                    finer[row] = other
                    break
        return finer

    @cached_property
    def marks(self) -> list[set[int]]:
        """Numbers of the clusters of each partition: equal for the same points, and hardly ever for others.

        They are sums of numbers that are drawn for the points. Without them each partition would have to be compared
        with every other into one cluster more.
        """
        draws = np.random.default_rng(0).integers(2**63, size=len(self.labels[0].codes), dtype=np.uint64)
        marks = []
        for one, k in zip(self.labels, self.k.tolist(), strict=True):
            sums = np.zeros(k + 1, dtype=np.uint64)  # noise, -1, is the last
            np.add.at(sums, one.codes, draws)
            marks.append(set(sums[:k].tolist()))
        return marks

    def parents(self, row: int, other: int) -> Integers | None:
        """Return the cluster that holds each cluster of another partition, or None where some are not held by one."""
        coarse, fine = self.labels[row].codes, self.labels[other].codes
        parents = np.full(int(self.k[other]) + 1, -1)  # noise, -1, is the last
        parents[fine] = coarse
        return parents[:-1] if np.array_equal(parents[fine], coarse) else None

    @cached_property
    def splits(self) -> tuple[list[Labels], Integers]:
        """Clusters that are cut in two, each as a partition of its points; and for which partition."""
        labels: list[Labels] = []
        which = np.full(len(self.labels), NOBODY)
        for row, other in enumerate(self.finer.tolist()):
            parents = self.parents(row, other) if other != NOBODY else None
            if parents is None or not self.k[row]:
                continue
            (halves,) = np.nonzero(parents == np.bincount(parents).argmax())
            numbers = np.full(len(parents) + 1, -1)
            numbers[halves] = [0, 1]
            which[row] = len(labels)
            labels.append(Labels(numbers[self.labels[other].codes], [0, 1]))
        return labels, which


# --- the curves that indices are made of -----------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """A curve that an index is made of, and the column of the table that holds its values."""

    curve: Curve
    column: Request


@dataclass(frozen=True)
class Parts:
    """All curves that an index is made of."""

    choice: Request
    index: SweepIndex
    by_formula: tuple[dict[str, Part], ...]  # of the index and of each of its details, by parameter
    tightness: Part  # which of several partitions is taken

    @classmethod
    def of(cls, choice: Request) -> Parts:
        """Return the curves of an index, each as a column."""
        index = choice.index
        assert isinstance(index, SweepIndex)
        by_formula = tuple(
            {
                name: Part(curve, _column(choice, f"{formula.__name__}.{name}", curve))
                for name, curve in notes_of(formula).items()
                if isinstance(curve, Curve)
            }
            for formula in index.formulas
        )
        first = Curve(next(iter(by_formula[0].values())).curve.formula, "after")
        return cls(choice, index, by_formula, Part(first, _column(choice, "tightness", first)))

    @property
    def all(self) -> list[Part]:
        """Every curve once for each formula that reads it."""
        return [self.tightness, *(part for parts in self.by_formula for part in parts.values())]


def _column(choice: Request, name: str, curve: Curve) -> Request:
    """Return a formula of one partition as a column; only that of the partition itself is limited as the index is."""
    index = Index(
        name=choice.index.name,  # which reasons speak of
        kind=choice.index.kind,
        formula=curve.plain,
        best=descriptive,
        bounds=(-inf, inf),
        reference=choice.index.reference,
        undefined=choice.index.undefined,
        clusters=choice.index.clusters if curve.where == "own" else (1, 0),
        degree=None if choice.index.degree is None else 0,  # the degree is put back into the index, not into its curves
    )
    return Request(f"{choice.name}: {name}", index, _options(choice, curve.plain), descriptive)


def _options(choice: Request, formula: Callable[..., Any]) -> dict[str, Any]:
    """Return the options of the index that a formula takes."""
    values = {name: option.default for name, option in choice.index.options.items()} | dict(choice.options)
    return {name: values[name] for name in options_of(formula)}


def columns_of(choices: Sequence[Request]) -> list[Request]:
    """Return what must be evaluated for each partition: indices, and curves that others are made of."""
    columns = [choice for choice in choices if not isinstance(choice.index, SweepIndex)]
    swept = [Parts.of(choice) for choice in choices if isinstance(choice.index, SweepIndex)]
    return columns + [part.column for parts in swept for part in parts.all if part.curve.where != "split"]


# --- values ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SweptValues:
    """The values of an index that needs several partitions, what is told beside them, and why some are missing."""

    values: Floats
    details: dict[str, Floats]
    reasons: dict[int, str]


class Curves:
    """The curves of all indices that need several partitions, aligned with the partitions of the sweep."""

    def __init__(self, levels: PartitionsByK, choices: Sequence[Request], table: ScoreTable) -> None:
        """Take the table of the columns of `columns_of`, and evaluate single and split clusters where need be."""
        self.levels = levels
        self.parts = [Parts.of(choice) for choice in choices if isinstance(choice.index, SweepIndex)]
        self.swept = _Columns.of(columns_of(choices), table)
        self.whole = self._of_other("before", lambda: levels.whole[0])
        self.splits = self._of_other("split", lambda: levels.splits[0])

    def _of_other(self, where: str, labels: Callable[[], Sequence[Labels]]) -> _Columns:
        columns = [part.column for parts in self.parts for part in parts.all if part.curve.where == where]
        if not columns:
            return _Columns({}, {})
        return _Columns.of(columns, table_of(self.levels.space, labels(), columns, None, self.levels.weights))

    def evaluated(self) -> dict[str, SweptValues]:
        """Return the values of each index, by the name of its choice."""
        return {parts.choice.name: self._evaluated(parts) for parts in self.parts}

    def _evaluated(self, parts: Parts) -> SweptValues:
        with np.errstate(all="ignore"):  # x/0 is infinite, 0/0 is no value
            curves = [
                formula(*self._arguments(parts, formula, at), **_options(parts.choice, formula))
                for at, formula in enumerate(parts.index.formulas)
            ]
            values, *details = (parts.index.rescaled(curve, self.levels.space.at_unit_reach) for curve in curves)
        reasons = {row: self._reason(parts, row) for row in np.flatnonzero(np.isnan(values)).tolist()}
        reasons |= dict.fromkeys(np.flatnonzero(np.isnan(values) > np.isnan(curves[0])).tolist(), parts.index.too_large)
        return SweptValues(values, dict(zip(parts.index.details, details, strict=True)), reasons)

    def _arguments(self, parts: Parts, formula: Callable[..., Any], at: int) -> list[Any]:
        known = parts.by_formula[at]
        return [self._curve(parts, known[name]) if name in known else self.levels.k for name in notes_of(formula)]

    def _curve(self, parts: Parts, part: Part) -> Floats:
        """Return the values of a curve, each in the row of the partition that it is told of."""
        levels, where, name = self.levels, part.curve.where, part.column.name
        if where == "own":
            return self.swept.values[name]
        if where == "split":
            return _taken(self.splits.values[name], levels.splits[1])
        if where == "finer":
            return _taken(self.swept.values[name], levels.finer)
        values = _taken(self.swept.values[name], self._beside(parts, part))
        if where == "before":
            of_whole = _taken(self.whole.values[name], levels.whole[1])
            values = np.where(levels.whole[1] == NOBODY, values, of_whole)
            values = np.where(levels.k == 1, part.curve.of_nothing, values)
        return values

    def _beside(self, parts: Parts, part: Part) -> Integers:
        return self.levels.beside(STEPS[part.curve.where], self.swept.values[parts.tightness.column.name])

    def _reason(self, parts: Parts, row: int) -> str:
        """Say why the index has no value for a partition."""
        levels, name, k = self.levels, parts.index.name, int(self.levels.k[row])
        if k == 0:
            return f"{name} needs clusters; every point is noise."
        own = [part for part in parts.by_formula[0].values() if part.curve.where == "own"]
        for part in own:
            if (row, part.column.name) in self.swept.reasons:
                return self.swept.reasons[row, part.column.name]
        for part in parts.by_formula[0].values():
            step = STEPS.get(part.curve.where, 1)
            lacking = part.curve.where != "own" and not levels.candidates(row, step) and k + step > 1
            if lacking:
                number = f"{k + step} clusters"
                return f"{name} needs a partition of the same points into {number} as well; the sweep has none."
            if part.curve.where in ("finer", "split") and levels.finer[row] == NOBODY:
                return (
                    f"{name} needs a hierarchy; no partition of the sweep into {k + 1} clusters cuts one of these "
                    f"{k} in two and leaves the others as they are."
                )
            place = int(levels.splits[1][row]) if part.curve.where == "split" else NOBODY
            if (place, part.column.name) in self.splits.reasons:
                return self.splits.reasons[place, part.column.name]
        return parts.index.without_value


@dataclass(frozen=True)
class _Columns:
    """The columns of a table by name, and why values are missing."""

    values: Mapping[str, Floats]
    reasons: Mapping[tuple[int, str], str]

    @classmethod
    def of(cls, columns: Sequence[Request], table: ScoreTable) -> _Columns:
        return cls({column.name: table.values[:, at] for at, column in enumerate(columns)}, table.reasons)


def _taken(values: Floats, rows: Integers) -> Floats:
    """Return the values of these rows, NaN for `NOBODY`."""
    return np.append(values, np.nan)[rows]
