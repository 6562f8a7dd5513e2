"""Several algorithms against the truth, each with each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.choices import NoisePolicy
from clustval.compare.measures import MEASURES
from clustval.compare.prayatul import Prayatul, of_columns
from clustval.errors import InputError
from clustval.result import Result
from clustval.sources.label_pair import checked_columns
from clustval.tables import Tabular, text_table

if TYPE_CHECKING:
    from clustval.plot.style import Figure


class PrayatulTable(Tabular, Result, Mapping[tuple[Any, Any], Prayatul]):
    """The comparison of each ordered pair of algorithms: ``table["kmeans", "dbscan"]`` has k-means as the primary."""

    def __init__(self, names: list[Any], comparisons: dict[tuple[Any, Any], Prayatul]) -> None:
        self.names = names
        self._comparisons = comparisons

    def _content(self) -> dict[str, Any]:
        return {"names": self.names, "comparisons": self._comparisons}

    def __getitem__(self, pair: tuple[Any, Any]) -> Prayatul:
        return self._comparisons[pair]

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._comparisons)

    def __len__(self) -> int:
        return len(self._comparisons)

    def measure(self, name: str) -> NDArray[np.float64]:
        """Return one measure of all pairs: rows are primaries, columns alternatives, NaN on the diagonal."""
        if name not in MEASURES:
            msg = f"No measure is called {name!r}; there are {', '.join(MEASURES)}."
            raise InputError(msg)
        values = np.full((len(self.names), len(self.names)), np.nan)
        for (primary, alternative), comparison in self.items():
            values[self.names.index(primary), self.names.index(alternative)] = comparison.measures[name]
        return values

    def plot(self, **options: Any) -> Figure:
        """Draw the four counts of each pair of labellings with matplotlib and return the figure."""
        from clustval.plot import prayatul_table  # noqa: PLC0415 - loads matplotlib

        figure: Figure = prayatul_table(self, **options)
        return figure

    def _records(self) -> list[dict[str, Any]]:
        return [
            {
                "primary": primary,
                "alternative": alternative,
                **dict(zip(("both_right", "only_primary", "only_alternative", "both_wrong"), c.counts, strict=True)),
                **c.measures,
            }
            for (primary, alternative), c in self.items()
        ]

    def __str__(self) -> str:
        records = self._records()
        return text_table([list(records[0]), *([_text(v) for v in record.values()] for record in records)])

    __repr__ = __str__


def _text(value: Any) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def prayatul_table(
    truth: Any, results: Mapping[Any, Any], *, noise: NoisePolicy = "cluster", sample_weight: Any = None
) -> PrayatulTable:
    """Compare each algorithm with each other one against the truth.

    `results` maps the names of algorithms to their labels. Under ``noise="drop"`` each comparison leaves out what is
    noise in the truth or in one of its two algorithms. Points count as often as `sample_weight` says, if it is there.

    >>> table = prayatul_table([0, 0, 1, 1], {"a": [0, 0, 1, 2], "b": [0, 1, 1, 1], "c": [0, 0, 1, 1]})
    >>> table["b", "a"].matrix
    array([[2, 1],
           [3, 0]])
    >>> table.measure("comparative_deviation")[0]
    array([ nan,  0.5, -1. ])
    """
    if not isinstance(results, Mapping) or len(results) < 2:
        msg = "results must map the names of at least two algorithms to their labels."
        raise InputError(msg)
    names = list(results)
    labellings = [truth, *results.values()]
    columns, weights = checked_columns(labellings, ["truth", *map(str, names)], noise, sample_weight)
    comparisons: dict[tuple[Any, Any], Prayatul] = {}
    for i, j in combinations(range(1, len(columns)), 2):
        comparison = of_columns([columns[0], columns[i], columns[j]], noise, weights)
        comparisons[names[i - 1], names[j - 1]] = comparison
        comparisons[names[j - 1], names[i - 1]] = comparison.swapped
    return PrayatulTable(names, {(a, b): comparisons[a, b] for a in names for b in names if a != b})
