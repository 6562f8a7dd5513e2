"""Annotated cells in files as tables: the columns of obs, and one representation as the points."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from clustval.cli.columns import InputPoints, InputTable
from clustval.errors import InputError
from clustval.homes.annotated_cells import USUAL
from clustval.homes.cell_files import CellFile
from clustval.readers.file_table import series_of
from clustval.readers.pieces import AT_ONCE

if TYPE_CHECKING:
    import polars as pl

NAMES = "cell"  # what the names of cells are called where their file has no word for them


@dataclass(frozen=True)
class CellTable(InputTable):
    """The columns of obs, the names of the cells before them, and where the points lie."""

    cells: CellFile
    use_rep: str | None
    force: bool
    fuller: ClassVar[str] = "another representation with --use-rep"

    @classmethod
    def of(cls, cells: CellFile, use_rep: str | None, *, force: bool) -> CellTable:
        """Read the columns of obs."""
        import polars as pl  # noqa: PLC0415

        name = cells.index_name or NAMES
        columns = {column: series_of(column, cells.values(column)) for column in cells.columns}
        names = {} if name in columns else {name: series_of(name, cells.cell_names)}
        return cls(pl.DataFrame({**names, **columns}), cells.name, cells, use_rep, force)

    def points(
        self,
        features: str = "",
        *,
        used: Collection[str] = (),  # noqa: ARG002 - columns of obs are never points
        exclude: Iterable[str] | None = None,
        labels: Iterable[pl.Series] = (),  # noqa: ARG002
        weights: str | None = None,
        drop_missing: bool = False,
        standardize: bool = False,
        metric: str | None = None,
    ) -> InputPoints:
        """Return the representation as the points."""
        import numpy as np  # noqa: PLC0415

        refuse_columns({"--features": features, "--exclude": exclude, "--metric gower": metric == "gower"}, self.name)
        X = np.asarray(representation(self.cells, self.use_rep, force=self.force))
        parts = parts_of(self.use_rep, X.shape[1])
        return self.complete(X, parts, weights, drop_missing=drop_missing, standardize=standardize)

    def coordinates(self, text: str) -> tuple[list[str], pl.DataFrame | None]:
        """Return the first two columns of a representation, such as X_umap, in which points are drawn; or columns."""
        import polars as pl  # noqa: PLC0415

        if text not in self.cells.representations or self.cells.array(text).shape[1] < 2:
            return super().coordinates(text)
        places = self.cells.array(text)[:]
        return [], pl.DataFrame({f"{text}{j}": places[:, j] for j in range(2)})


def representation(cells: CellFile, use_rep: str | None, *, force: bool) -> Any:
    """Return where the points of cells lie, without reading them; errors advise options of the program."""
    return cells.points(use_rep, force=force, remedies=InputTable.remedies)


def parts_of(use_rep: str | None, width: int) -> list[str]:
    """Return a name for each column of a representation: X_pca0, X_pca1, ..."""
    return [f"{use_rep or USUAL}{j}" for j in range(width)]


def are_many(cells: CellFile, use_rep: str | None, *, force: bool) -> bool:
    """Return whether the points are so many that the library reads them in blocks."""
    rows, columns = representation(cells, use_rep, force=force).shape
    return bool(rows * columns > AT_ONCE)


def refuse_columns(options: dict[str, Any], name: str) -> None:
    """Raise an error for options that choose among the columns of a table."""
    for option, value in options.items():
        if value:
            msg = f"{option} is for tables; {name} holds cells, whose points are a representation: --use-rep chooses."
            raise InputError(msg)
