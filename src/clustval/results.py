"""What comes back: values by name, why some are missing, and what lies behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from clustval.alarms import alarms, besides_noise, counted
from clustval.catalogue import kinds
from clustval.declare import Request
from clustval.errors import InputError, UndefinedIndexError, optional
from clustval.labels import called
from clustval.result import Result
from clustval.tables import Tabular, html_table, number, text_table

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.sources.partition import Partition
    from clustval.tables import PandasFrame, PolarsFrame

ESTIMATED = "estimated from"  # how the words on a value begin that comes from a sample


@dataclass(frozen=True, eq=False)
class ScoreInterval(Tabular, Result):
    """The interval of an index at the requested confidence, half its width, and where it comes from."""

    low: float
    high: float
    error: float
    how: str

    @property
    def estimated(self) -> bool:
        """Whether the value itself comes from a sample."""
        return self.how.startswith(ESTIMATED)


def with_error(value: float, error: float) -> str:
    """Return a value to two digits of its error.

    >>> with_error(0.394512, 0.00361)
    '0.3945 ± 0.0036'
    >>> with_error(1234.5, 170)
    '1230 ± 170'
    """
    decimals = 1 - math.floor(math.log10(error))
    if decimals >= 0:
        return f"{value:.{decimals}f} ± {error:.{decimals}f}"
    return f"{round(value, decimals):.0f} ± {round(error, decimals):.0f}"


REMEDY = "diagnose(X, labels) says what to do."  # after alarms


class Scores(Result, Mapping[str, float]):
    """A read-only mapping from the names of indices to their values; NaN where there is none, with the reason."""

    _sources = ("source",)

    def __init__(
        self,
        values: Mapping[str, float],
        reasons: Mapping[str, str],
        choices: Sequence[Request],
        source: Any,
        *,
        coverage: float | None = None,
        intervals: Mapping[str, ScoreInterval] | None = None,
        alarms: Sequence[str] = (),
        is_penalised: bool = False,
    ) -> None:
        self.is_penalised = is_penalised  # whether noise made values worse
        self._values = dict(values)
        self.intervals: dict[str, ScoreInterval] = dict(intervals or {})
        self.choices: Mapping[str, Request] = {c.name: c for c in choices}
        self.reasons: dict[str, str] = dict(reasons)
        self._source, self._coverage, self._alarms = source, coverage, list(alarms)

    def _compared(self) -> dict[str, Any]:
        compared = {"values": self._values, "reasons": self.reasons, "choices": list(self.choices.values())}
        return compared | ({"intervals": self.intervals} if self.intervals else {})

    def _content(self) -> dict[str, Any]:
        content = self._compared() | {"coverage": self.coverage} | ({"alarms": self.alarms} if self.alarms else {})
        return content | ({"is_penalised": True} if self.is_penalised else {})

    def __getitem__(self, name: str) -> float:
        return self._values[self._key(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def _key(self, name: str) -> str:
        """Return the key that `name` means: itself, or the index it is an alias of."""
        if name in self._values:
            return name
        if not isinstance(name, str):
            raise KeyError(name)
        key = name.strip().lower()
        if key in self._values:
            return key
        for choice in self.choices.values():
            if key in choice.index.aliases and choice.name == choice.index.name:
                return choice.name
        raise KeyError(name)

    @property
    def source(self) -> Any:
        """What the values were computed from: points and labels, checked."""
        source = self._behind(self._source)
        return source.gathered() if getattr(source, "in_memory", False) else source

    @property
    def _points(self) -> Partition:
        """The source with all points at hand: those that were read in blocks are read at once, if they fit."""
        source = self.source
        points: Partition = source.gathered("a value for each point") if hasattr(source, "gathered") else source
        if not hasattr(points, "unsorted"):
            msg = "Values of single points are there where the points are; these passed by, and are not kept."
            raise InputError(msg)
        return points

    @property
    def coverage(self) -> float:
        """Share of the points that were not left out as noise."""
        return float(self._behind(self._source).coverage) if self._coverage is None else self._coverage

    @property
    def alarms(self) -> list[str]:
        """A line for one giant cluster and one for much noise, where there is such and sizes are known."""
        if self._source is None or not self.choices:
            return self._alarms
        try:
            sizes = self.per_cluster("size")
        except (AttributeError, InputError, UndefinedIndexError):  # memberships, labels alone, rows that passed by
            return []
        total = float(sum(sizes.values()))
        noise = total / self.coverage - total if self.coverage > 0 else 0.0
        lines = alarms([float(size) for size in sizes.values()], list(sizes), noise)
        return [*lines, REMEDY] if lines else []

    def penalised(self) -> Self:
        """Return the values made worse by the share of points that are noise, as ``noise="penalty"`` asks for."""
        values, reasons, intervals = dict(self._values), dict(self.reasons), dict(self.intervals)
        for name, choice in self.choices.items():
            try:
                factor = choice.index.penalty(self.coverage)
            except UndefinedIndexError as reason:
                values[name] = math.nan
                reasons.setdefault(name, str(reason))
                intervals.pop(name, None)
                continue
            most = choice.index.bounds[1]
            values[name] = min(values[name] * factor, most)
            if name in intervals:
                known = intervals[name]
                low, high = min(known.low * factor, most), min(known.high * factor, most)
                intervals[name] = replace(known, low=low, high=high, error=known.error * factor)
        worse = copy(self)
        vars(worse).update(_values=values, reasons=reasons, intervals=intervals, is_penalised=True)
        return worse

    def renamed(self, names: Any) -> Self:
        """Return the same values with clusters called otherwise, in reports, figures and `per_cluster`.

        `names` is a mapping from labels to names, ``{0: "loyal"}``, or one name for each label in sorted order.
        """
        behind = self.source
        if not hasattr(behind, "names") or hasattr(behind, "gathered"):
            msg = "Clusters can be renamed where their points are in memory; rename labels that are read in blocks."
            raise InputError(msg)
        source = copy(behind)
        source.share(behind)
        source.names = called(names, behind.names)
        other = copy(self)
        vars(other).update(_source=source)
        return other

    def error(self, name: str) -> float:
        """Return how far off the value may be, with the confidence asked for: 0 where it is exact, NaN if unknown."""
        key = self._choice(name).name
        if key in self.intervals:
            return self.intervals[key].error
        return math.nan if self.intervals or math.isnan(self._values[key]) else 0.0

    def to_dict(self) -> dict[str, float]:
        """Return the values as a plain dictionary."""
        return dict(self._values)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "index": name,
                "value": value,
                "direction": self.choices[name].best.better,
                "rule": self.choices[name].best.name,
                "low": self.choices[name].index.bounds[0],
                "high": self.choices[name].index.bounds[1],
                "reason": self.reasons.get(name, ""),
                **self._interval_record(name),
            }
            for name, value in self._values.items()
        ]

    def _interval_record(self, name: str) -> dict[str, Any]:
        """Return what a data frame shows of an interval, if there are any."""
        if not self.intervals:
            return {}
        none = ScoreInterval(math.nan, math.nan, math.nan, "")
        interval = self.intervals.get(name, none)
        ends = {"interval_low": interval.low, "interval_high": interval.high}
        return {"error": interval.error, **ends, "how": interval.how}

    def to_pandas(self) -> PandasFrame:
        """Return a pandas data frame, one row per index."""
        frame: PandasFrame = optional("pandas", "pandas").DataFrame(self._records()).set_index("index")
        return frame

    def to_polars(self) -> PolarsFrame:
        """Return a polars data frame, one row per index."""
        frame: PolarsFrame = optional("polars", "report").DataFrame(self._records())
        return frame

    def to_html(self, path: Any = None, *, sweep: Any = None, progress: bool | None = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`.

        A first look at the clustering takes seconds: ``look=False`` leaves it out, `progress` shows it.
        """
        from clustval import pages, report  # noqa: PLC0415 - only reports need them

        return pages.of_scores(self, path, about=report.About(**about), sweep=sweep, progress=progress)

    def plot(self, *positional: Any, **options: Any) -> Axes:
        """Draw the values of all points by cluster, as `plot.silhouette` does; of values of a tree, its dendrogram."""
        from clustval import plot  # noqa: PLC0415 - loads matplotlib

        tree = getattr(self.source, "tree", None)
        if tree is not None:
            return plot.dendrogram(tree, *positional, **options)
        return plot.silhouette(self, *positional, **options)

    def per_point(self, name: str) -> NDArray[np.float64]:
        """Return the value of each point (NaN for noise left out), for indices that are made of such values."""
        choice = self._choice(name)
        index = choice.index
        if index.points is None:
            available = ", ".join(c.name for c in self.choices.values() if c.index.points) or "none here"
            msg = f"{name} is not made of values of points; of these indices, {available} are."
            raise InputError(msg)
        source = self._points
        return source.unsorted(index.part(index.points, source, choice.options))

    def _of_points(self) -> dict[str, Any]:
        """Values of points of the indices that are made of them and have a value."""
        made_of_points = [name for name, choice in self.choices.items() if choice.index.points is not None]
        return {name: self.per_point(name) for name in made_of_points if name not in self.reasons}

    def _parameters(self) -> dict[str, Any]:
        options = {name: dict(choice.options) for name, choice in self.choices.items() if choice.options}
        metric = getattr(self._source, "metric", None)
        return {"metric": metric, "coverage": self.coverage, "indices": list(self.choices), "options": options}

    def neighbours(self, name: str) -> NDArray[Any]:
        """Return the label of the cluster next nearest to each point (None for noise left out)."""
        choice = self._choice(name)
        index = choice.index
        if index.neighbours is None:
            msg = f"{name} does not look for the next cluster of a point."
            raise InputError(msg)
        source = self._points
        names = np.empty(source.k, dtype=object)
        names[:] = source.names
        return source.unsorted(names[index.part(index.neighbours, source, choice.options)], None)

    def per_cluster(self, name: str | None = None) -> dict[Any, Any]:
        """Return a value for each cluster, by its label.

        `name` is an index that is made of such values, or a property of clusters: "size", and of internal indices
        "dispersion" (mean distance to the centre), "diameter" (largest distance inside) and "separation" (distance
        to the closest point of another cluster). Without a name, all that are defined come back, as a dictionary of
        such dictionaries.
        """
        (kind,) = kinds(next(iter(self.choices.values())).index.kind)
        parts = [*kind.properties, *(c.name for c in self.choices.values() if c.index.by_cluster)]
        if name is None:
            table = {}
            for part in parts:
                try:
                    table[part] = self.per_cluster(part)
                except UndefinedIndexError:
                    continue
            return table
        if name in kind.properties:
            if not len(self.source.names):  # every point is noise
                return {}
            values = kind.properties[name](self.source)
        else:
            choice = self._choice(name)
            index = choice.index
            if index.by_cluster is None:
                msg = f"{name} is not made of values of clusters; {', '.join(parts)} are."
                raise InputError(msg)
            values = index.part(index.by_cluster, self.source, choice.options)
        return dict(zip(self.source.names, values.tolist(), strict=True))

    def _choice(self, name: str) -> Request:
        try:
            return self.choices[self._key(name)]
        except KeyError:
            msg = f"{name!r} was not evaluated; {', '.join(self._values)} were."
            raise InputError(msg) from None

    def shown(self, name: str, digits: int = 6) -> str:
        """Return the value as people read it, with its error if it is not exact: ``0.3945 ± 0.0036``."""
        value, interval = self._values[name], self.intervals.get(name)
        if interval is None or not interval.error > 0 or not math.isfinite(interval.error) or math.isnan(value):
            return number(value, digits)
        return with_error(value, interval.error)

    def _cells(self) -> list[list[str]]:
        """The table that is shown, a row for each index."""
        rows = [["index", "value", "direction", "range", ""]]
        for name in self._values:
            choice = self.choices[name]
            low, high = choice.index.bounds
            reason = self.reasons.get(name, "")
            rows.append([name, self.shown(name), choice.best.better, f"{low:g} … {high:g}", reason])
        return rows

    @property
    def _remarks(self) -> list[str]:
        """What is odd, and last how many of the points count, where some are left out as noise."""
        if (self._source is None and self._coverage is None) or self.coverage == 1:
            return self.alarms
        others, share = besides_noise(self.alarms), counted(self.coverage, penalised=self.is_penalised)
        return [f"{share} {REMEDY}"] if others == [REMEDY] else [*others, share]

    def __str__(self) -> str:
        return "\n".join([text_table(self._cells(), right=(1,)), *self._remarks])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._cells()) + "".join(f"<p>{escape(line)}</p>" for line in self._remarks)
