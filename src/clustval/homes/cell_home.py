"""Annotated cells as a home: their columns by name, and one representation as the points."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from clustval.errors import InputError
from clustval.homes.annotated_cells import Cells
from clustval.inputs import aligned


@dataclass(frozen=True)
class CellHome:
    """Cells whose columns of obs are labels and weights, and one of whose representations is the points."""

    cells: Cells
    use_rep: str | None = None
    force: bool = False

    def has(self, column: str) -> bool:
        """Return whether obs has a column of that name."""
        return column in self.cells.columns

    def column(self, name: str) -> Any:
        """Return a column of obs, or raise an error with the nearest name."""
        return self.cells.column(name)

    def aligned(self, values: Any) -> Any:
        """Return values of pandas in the order of the cells that they name; all others as they are."""
        return aligned(values, self.cells.row_names, "labels or weights", self.cells.name)

    def points(self, used: Collection[str], features: Sequence[Any] | None, *, metric: Any) -> Any:  # noqa: ARG002
        """Return the representation."""
        if features is not None:
            msg = "features is for data frames and tables in files; of cells, choose a representation by use_rep=."
            raise InputError(msg)
        return self.cells.points(self.use_rep, force=self.force)
