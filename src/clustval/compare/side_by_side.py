"""Several labellings beside one truth: the indices of each, and how far two differ, with intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.compare.flows import MOST_CLUSTERS, flows_between
from clustval.compare.influence import Influence, quantile
from clustval.declare import Request
from clustval.errors import InputError
from clustval.inputs import one_of
from clustval.layered import LayeredDrawing
from clustval.result import Result
from clustval.results import Scores
from clustval.tables import Table, html_table, keys_beside, number, text_table

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.tables import PandasFrame, PolarsFrame


class Agreements(Result, Mapping[str, Scores]):
    """The agreement of several labellings with one truth, by name, and their differences with intervals."""

    _sources = ("labellings",)

    def __init__(
        self,
        scores: Mapping[str, Any],
        differences: Table,
        confidence: float,
        labellings: Mapping[str, Any] | None = None,
    ) -> None:
        self._scores = dict(scores)
        self.differences = differences
        self.confidence = confidence
        self.labellings = labellings  # by name, the truth first; None after JSON, and of labels read in blocks

    def _content(self) -> dict[str, Any]:
        return {"scores": self._scores, "differences": self.differences, "confidence": self.confidence}

    def __getitem__(self, name: str) -> Any:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    @property
    def drawing(self) -> LayeredDrawing:
        """Bars for the clusters of each labelling, the truth first, and ribbons for the points that two share."""
        drawing = flows_between(self._behind(self.labellings))
        if drawing is None:
            msg = f"Up to {MOST_CLUSTERS} clusters of a labelling can be drawn side by side; here are more."
            raise InputError(msg)
        return drawing

    def plot(self, figure: str = "intervals", **options: Any) -> Axes:
        """Draw the values with their intervals; "flows" draws which points of a class are in which cluster."""
        from clustval import plot  # noqa: PLC0415 - loads matplotlib

        if one_of(figure, ("intervals", "flows"), "figure") == "flows":
            return plot.flows(self, **options)
        return plot.agreements(self, **options)

    def to_html(self, path: Any = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`."""
        from clustval import pages, report  # noqa: PLC0415 - only reports need them

        return pages.of_agreements(self, self._behind(self.labellings), path, about=report.About(**about))

    def _records(self) -> list[dict[str, Any]]:
        first = next(iter(self._scores.values()))
        keys = keys_beside(self._scores, ["index"])
        return [
            {"index": index, **{keys[name]: scores[index] for name, scores in self._scores.items()}} for index in first
        ]

    def to_pandas(self) -> PandasFrame:
        """Return a pandas data frame, one row per index and one column per labelling."""
        return Table(_columns(self._records())).to_pandas()

    def to_polars(self) -> PolarsFrame:
        """Return a polars data frame, one row per index and one column per labelling."""
        return Table(_columns(self._records())).to_polars()

    def _cells(self) -> list[list[str]]:
        """The table that is shown: values with their errors, and differences of each two labellings."""
        names = list(self._scores)
        pairs = list(combinations(names, 2))
        rows = [["index", *names, *(f"{one} - {other}" for one, other in pairs)]]
        shown = {(r["index"], r["one"], r["other"]): _interval(r) for r in self.differences.records}
        for index in next(iter(self._scores.values())):
            values = [scores.shown(index, 4) for scores in self._scores.values()]
            rows.append([index, *values, *(shown[index, one, other] for one, other in pairs)])
        return rows

    def __str__(self) -> str:
        return text_table(self._cells())

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._cells())


def _interval(record: Mapping[str, Any]) -> str:
    if np.isnan(record["low"]):
        return number(record["difference"])
    return f"{record['difference']:.3g} ({record['low']:.3g} … {record['high']:.3g})"


def _columns(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {name: np.array([record[name] for record in records]) for name in records[0]}


def differences_of(influences: Mapping[str, Influence], choices: Sequence[Request], confidence: float) -> Table:
    """Return the difference of each two labellings in each index, its interval, and half the width of it."""
    records = []
    for (one, first), (other, second) in combinations(influences.items(), 2):
        errors, freedom = first.errors_of_difference(second)
        half = quantile(confidence, freedom) * errors
        difference = first.values - second.values
        records += [
            {
                "index": choice.name,
                "one": one,
                "other": other,
                "difference": float(difference[at]),
                "low": float(difference[at] - half[at]),
                "high": float(difference[at] + half[at]),
                "error": float(half[at]),
            }
            for at, choice in enumerate(choices)
        ]
    if not records:
        return Table({name: np.array([]) for name in ("index", "one", "other", "difference", "low", "high", "error")})
    return Table(_columns(records))
