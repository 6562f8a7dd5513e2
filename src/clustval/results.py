"""What comes back: values by name, why some are missing, and what lies behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError, UndefinedIndexError, optional
from clustval.suites import Choice

if TYPE_CHECKING:
    from clustval.partition import Partition


class Scores(Mapping[str, float]):
    """A read-only mapping from the names of indices to their values; NaN where there is none, with the reason."""

    def __init__(
        self,
        values: Mapping[str, float],
        reasons: Mapping[str, str],
        choices: Sequence[Choice],
        source: Any,
    ) -> None:
        self._values = dict(values)
        self._choices = {c.name: c for c in choices}
        self._source = source
        self.reasons: Mapping[str, str] = dict(reasons)

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
        for choice in self._choices.values():
            if key in choice.index.aliases and choice.name == choice.index.name:
                return choice.name
        raise KeyError(name)

    @property
    def coverage(self) -> float:
        """Share of the points that were not left out as noise."""
        return float(self._source.coverage)

    def to_dict(self) -> dict[str, float]:
        """Return the values as a plain dictionary."""
        return dict(self._values)

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "index": name,
                "value": value,
                "best": self._choices[name].best.name,
                "low": self._choices[name].index.bounds[0],
                "high": self._choices[name].index.bounds[1],
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
        index = self._choice(name).index
        if index.points is None:
            having = ", ".join(c.name for c in self._choices.values() if c.index.points) or "none here"
            msg = f"{name} is not made of values of points; of these indices, {having} are."
            raise InputError(msg)
        return self._source.unsorted(index.part(index.points, self._source))  # type: ignore[no-any-return]

    def neighbours(self, name: str) -> NDArray[Any]:
        """Return the label of the cluster next nearest to each point (None for noise left out)."""
        index = self._choice(name).index
        if index.neighbours is None:
            msg = f"{name} does not look for the next cluster of a point."
            raise InputError(msg)
        source: Partition = self._source
        names = np.empty(source.k, dtype=object)
        names[:] = source.names
        return source.unsorted(names[index.part(index.neighbours, source)], None)

    def per_cluster(self, name: str | None = None) -> dict[Any, Any]:
        """Return a value for each cluster, by its label.

        `name` is an index that is made of such values, or "size", "dispersion" (mean distance to the centre),
        "diameter" (largest distance inside) or "separation" (distance to the closest point of another cluster).
        Without a name, all that are defined come back, as a dictionary of such dictionaries.
        """
        from clustval.indices.internal.clusters import PROPERTIES  # noqa: PLC0415

        source: Partition = self._source
        if name is None:
            parts = [*PROPERTIES, *(c.name for c in self._choices.values() if c.index.by_cluster)]
            found = {}
            for part in parts:
                try:
                    found[part] = self.per_cluster(part)
                except UndefinedIndexError:
                    continue
            return found
        if name in PROPERTIES:
            values = PROPERTIES[name](source)
        else:
            index = self._choice(name).index
            if index.by_cluster is None:
                msg = f"{name} is not made of values of clusters; {', '.join(PROPERTIES)} and some indices are."
                raise InputError(msg)
            values = index.part(index.by_cluster, source)
        return dict(zip(source.names, values.tolist(), strict=True))

    def _choice(self, name: str) -> Choice:
        try:
            return self._choices[self._key(name)]
        except KeyError:
            msg = f"{name!r} was not evaluated; {', '.join(self._values)} were."
            raise InputError(msg) from None

    def __str__(self) -> str:
        rows = [("index", "value", "better", "range", "")]
        for name, value in self._values.items():
            choice = self._choices[name]
            low, high = choice.index.bounds
            rows.append((name, _number(value), choice.best.better, f"{low:g} … {high:g}", self.reasons.get(name, "")))
        a, b, c, d = (max(len(row[i]) for row in rows) for i in range(4))
        return "\n".join(f"{r[0]:<{a}}  {r[1]:>{b}}  {r[2]:<{c}}  {r[3]:<{d}}  {r[4]}".rstrip() for r in rows)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        head = "<tr><th>index</th><th>value</th><th>better</th><th>range</th><th></th></tr>"
        body = "".join(
            f"<tr><td>{escape(name)}</td><td>{_number(value)}</td><td>{self._choices[name].best.better}</td>"
            f"<td>{self._choices[name].index.bounds[0]:g} … {self._choices[name].index.bounds[1]:g}</td>"
            f"<td>{escape(self.reasons.get(name, ''))}</td></tr>"
            for name, value in self._values.items()
        )
        return f"<table>{head}{body}</table>"


def _number(value: float) -> str:
    return "—" if math.isnan(value) else f"{value:.6g}"
