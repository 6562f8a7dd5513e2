"""The table that a path on the command line means: of a file, of bundled data, or of annotated cells."""

from __future__ import annotations

from dataclasses import replace

from clustval import files
from clustval.cli.cell_table import CellTable
from clustval.cli.columns import InputTable
from clustval.errors import InputError
from clustval.file_faults import blamed, display_name
from clustval.homes.cell_files import CellFile, has_cells, zarr_array


def table(
    path: str, *, encoding: str = "utf-8", header: bool = True, use_rep: str | None = None, force: bool = False
) -> InputTable:
    """Return the table in a file; the bundled one if there is no such file but a data set of that name.

    Of annotated cells, `use_rep` and `force` say which representation is the points.
    """
    if not path:
        msg = "The name of a table is empty; give a file, or - for standard input."
        raise InputError(msg)
    if is_cells(path, use_rep=use_rep, force=force):
        return CellTable.of(CellFile.of(path), use_rep, force=force)
    array = zarr_array(path)
    if array is not None:
        with blamed(path):
            return InputTable(files.frame_of([("", array[:])], path), path)
    return replace(InputTable.read(files.located(path), encoding=encoding, header=header), name=display_name(path))


def is_cells(path: str, *, use_rep: str | None, force: bool) -> bool:
    """Return whether a file is named as one of cells; options that choose among their representations need one."""
    if has_cells(path):
        return True
    for option, value in (("--use-rep", use_rep), ("--force", force)):
        if value:
            msg = f"{option} is for annotated cells, .h5ad or .zarr; {display_name(path)} is neither."
            raise InputError(msg)
    return False
