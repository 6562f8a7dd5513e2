"""What comes back: values by name, why some are missing, and what lies behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.catalogue import kinds
from clustval.declare import Choice
from clustval.errors import InputError, UndefinedIndexError, optional
from clustval.result import Result
from clustval.tables import html_table, number, text_table

if TYPE_CHECKING:
    from clustval.sources.partition import Partition


class Scores(Result, Mapping[str, float]):
    """A read-only mapping from the names of indices to their values; NaN where there is none, with the reason."""

    _sources = ("source",)

    def __init__(
        self,
        values: Mapping[str, float],
        reasons: Mapping[str, str],
        choices: Sequence[Choice],
        source: Any,
        *,
        coverage: float | None = None,
    ) -> None:
        self._values = dict(values)
        self.choices: Mapping[str, Choice] = {c.name: c for c in choices}
        self.reasons: Mapping[str, str] = dict(reasons)
        self._source, self._coverage = source, coverage

    def _compared(self) -> dict[str, Any]:
        return {"values": self._values, "reasons": self.reasons, "choices": list(self.choices.values())}

    def _content(self) -> dict[str, Any]:
        return self._compared() | {"coverage": self.coverage}

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
        return self._behind(self._source)

    @property
    def _points(self) -> Partition:
        """The source with all points at hand: those that were read in blocks are read at once, if they fit."""
        source: Any = self.source
        return source.gathered("a value for each point") if hasattr(source, "gathered") else source  # type: ignore[no-any-return]

    @property
    def coverage(self) -> float:
        """Share of the points that were not left out as noise."""
        return float(self.source.coverage) if self._coverage is None else self._coverage

    def to_dict(self) -> dict[str, float]:
        """Return the values as a plain dictionary."""
        return dict(self._values)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "index": name,
                "value": value,
                "best": self.choices[name].best.name,
                "low": self.choices[name].index.bounds[0],
                "high": self.choices[name].index.bounds[1],
                "reason": self.reasons.get(name, ""),
            }
            for name, value in self._values.items()
        ]

    def to_pandas(self) -> Any:
        """Return a pandas data frame, one row per index."""
        return optional("pandas", "all").DataFrame(self._records()).set_index("index")

    def to_polars(self) -> Any:
        """Return a polars data frame, one row per index."""
        return optional("polars", "report").DataFrame(self._records())

    def to_html(self, path: Any = None, *, sweep: Any = None, **about: Any) -> str:
        """Return a report as one HTML page, written to `path` if given; `about` has the fields of `report.About`."""
        from clustval.report import About, of_scores  # noqa: PLC0415 - only reports need it

        return of_scores(self, path, about=About(**about), sweep=sweep)

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
            values = kind.properties[name](self.source)
        else:
            choice = self._choice(name)
            index = choice.index
            if index.by_cluster is None:
                msg = f"{name} is not made of values of clusters; {', '.join(parts)} are."
                raise InputError(msg)
            values = index.part(index.by_cluster, self.source, choice.options)
        return dict(zip(self.source.names, values.tolist(), strict=True))

    def _choice(self, name: str) -> Choice:
        try:
            return self.choices[self._key(name)]
        except KeyError:
            msg = f"{name!r} was not evaluated; {', '.join(self._values)} were."
            raise InputError(msg) from None

    def _cells(self) -> list[list[str]]:
        """The table that is shown, a row for each index."""
        rows = [["index", "value", "better", "range", ""]]
        for name, value in self._values.items():
            choice = self.choices[name]
            low, high = choice.index.bounds
            reason = self.reasons.get(name, "")
            rows.append([name, number(value, 6), choice.best.better, f"{low:g} … {high:g}", reason])
        return rows

    def __str__(self) -> str:
        return text_table(self._cells(), right=(1,))

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return html_table(self._cells())
