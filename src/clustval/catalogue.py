"""The registry as a table."""

from __future__ import annotations

from typing import Any

from clustval import registry
from clustval.errors import InputError, optional
from clustval.registry import Kind
from clustval.suites import SUITES


class Catalogue(list[dict[str, Any]]):
    """A list of records, one per index, that prints as a table and turns into a data frame."""

    def to_pandas(self) -> Any:
        """Return a pandas data frame, one row per index."""
        return optional("pandas", "all").DataFrame(list(self))

    def to_polars(self) -> Any:
        """Return a polars data frame, one row per index."""
        return optional("polars", "report").DataFrame(list(self), infer_schema_length=None)

    def __str__(self) -> str:
        columns = ("name", "kind", "direction", "cost", "summary")
        rows = [columns, *([str(record[c]) for c in columns] for record in self)]
        widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
        lines = ("  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in rows)
        return "\n".join(line.rstrip() for line in lines)

    __repr__ = __str__


def indices(kind: Kind | None = None) -> Catalogue:
    """Return every index with its direction, bounds, cost, reference, aliases and suites.

    >>> next(r["bounds"] for r in indices("internal") if r["name"] == "silhouette")
    (-1.0, 1.0)
    """
    registry.load()
    check_kind(kind)
    return Catalogue(
        {
            "name": index.name,
            "kind": index.kind,
            "direction": index.best.better,
            "rule": index.best.name,
            "bounds": tuple(map(float, index.bounds)),
            "cost": index.cost,
            "reference": index.reference,
            "aliases": index.aliases,
            "suites": [s for s, suite in SUITES.items() if any(e.index == index.name for e in suite[k].values())],
            "summary": index.summary,
        }
        for k in ([kind] if kind else registry.INDICES)
        for index in registry.INDICES[k].values()
    )


def check_kind(kind: str | None) -> None:
    """Raise an error if this is no kind of index; None stands for both."""
    if kind is not None and kind not in registry.INDICES:
        msg = f"kind must be 'internal' or 'external'; it is {kind!r}."
        raise InputError(msg)
