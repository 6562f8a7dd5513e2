"""Parquet, Arrow and NumPy files that are read in blocks: one, several by a pattern, or all of a folder."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clustval.errors import InputError, optional
from clustval.file_faults import blamed
from clustval.readers.array_rows import MappedArray, table_of_arrays
from clustval.readers.pieces import (
    Beside,
    Columns,
    Piece,
    Rows,
    Stamp,
    Table,
    Wanted,
    check_lengths,
    chosen_columns,
    pieced,
    rows_of_frame,
    rows_per_block,
)

SUFFIXES = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".npy")  # of which a folder is read
LEAST = 2**17  # rows of a piece of a file that can be cut only where its writer did


def paths_of(path: str) -> list[str]:
    """Return the files that a path means, sorted by name: itself, all tables of a folder, or all that fit a pattern."""
    if Path(path).is_dir():
        inside = (p for p in Path(path).rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        files = sorted(str(p) for p in inside if not p.name.startswith((".", "_")))
        if not files:
            msg = f"The folder {path} has no tables; those are files that end in {', '.join(SUFFIXES)}."
            raise InputError(msg)
        return files
    if Path(path).exists() or not glob.has_magic(path):
        return [path]
    files = sorted(p for p in glob.glob(path, recursive=True) if Path(p).is_file())  # noqa: PTH207 - of a whole path
    if not files:
        msg = f"No file fits the pattern {path}."
        raise InputError(msg)
    return files


def table_of_files(path: str, wanted: Wanted, beside: Beside) -> Table:
    """Return the table in the files that a path means."""
    paths = paths_of(path)
    formats = {p: _format(p) for p in paths}
    first = formats[paths[0]]
    for p, form in formats.items():
        if form != first:
            msg = f"{p} is {form} and {paths[0]} is {first}; the files of one table must be alike."
            raise InputError(msg)
    if first == "NPY":
        if wanted.truth is not None or (isinstance(wanted.labels, str) and beside.labels is None):
            msg = f"{path} is NPY, which has no names of columns; give labels as an array or as the path of a file."
            raise InputError(msg)
        return table_of_arrays([MappedArray.of_npy(p) for p in paths], beside, wanted.features)
    return _table_of_frames(paths, FORMATS[first], wanted, beside)


def types_of(path: str) -> dict[str, Any]:
    """Return the types of the columns of a table in files, by name; narwhals' types."""
    first = paths_of(path)[0]
    form = _format(first)
    if form not in FORMATS:
        msg = f"{first} is NPY, which has no names of columns."
        raise InputError(msg)
    with blamed(first):
        return FORMATS[form].layout(first).types


MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"\x93NUMPY": "NPY"}


def _format(path: str) -> str:
    Stamp.of(path)
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(8)
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}."
        raise InputError(msg) from None
    for magic, form in MAGIC.items():
        if head.startswith(magic):
            return form
    what = "is empty" if not head else "is not of these"
    msg = (
        f"Blocks are read from Parquet, Arrow and NPY; {path} {what}. Convert it, or read it yourself and pass the "
        "table; a polars LazyFrame reads text in blocks, too."
    )
    raise InputError(msg)


# --- files that hold frames ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """How a file is laid out: the types of its columns, and how many rows each of its parts has."""

    types: dict[str, Any]
    counts: list[int]


@dataclass(frozen=True)
class FilePiece(Piece):
    """Some parts of a file, one after another."""

    stamp: Stamp
    form: str
    begin: int
    end: int
    first: int
    count: int
    columns: Columns
    beside: Beside

    @property
    def where(self) -> str:
        """The file."""
        return self.stamp.path

    def blocks(self) -> Iterator[Rows]:
        """Read the parts in batches."""
        self.stamp.check()
        low, read = 0, FORMATS[self.form].batches
        with blamed(self.stamp.path):
            for frame in read(self.stamp.path, self.begin, self.end, self.columns.names):
                rows = rows_of_frame(frame, self.columns, self.beside, low)
                low += len(rows)
                yield rows
        if low != self.count:
            msg = f"{self.stamp.path} is damaged: of {self.count} rows there are {low}."
            raise InputError(msg)


def _parquet_layout(path: str) -> Layout:
    parquet, arrow = optional("pyarrow.parquet", "arrow"), optional("pyarrow", "arrow")
    with parquet.ParquetFile(path) as file:
        counts = [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]
        return Layout(_types(file.schema_arrow.empty_table(), arrow), counts)


def _parquet_batches(path: str, begin: int, end: int, names: list[str]) -> Iterator[Any]:
    parquet, arrow = optional("pyarrow.parquet", "arrow"), optional("pyarrow", "arrow")
    # Batches of one file at a time: those of a whole data set pile up in memory.
    with parquet.ParquetFile(path) as file:
        batches = file.iter_batches(
            rows_per_block(len(names)), row_groups=range(begin, end), columns=names, use_threads=False
        )
        for batch in batches:
            yield arrow.Table.from_batches([batch])


def _arrow_layout(path: str) -> Layout:
    arrow, ipc = optional("pyarrow", "arrow"), optional("pyarrow.ipc", "arrow")
    with arrow.memory_map(path) as stream, ipc.open_file(stream) as file:
        counts = [file.get_batch(i).num_rows for i in range(file.num_record_batches)]
        return Layout(_types(file.schema.empty_table(), arrow), counts)


def _arrow_batches(path: str, begin: int, end: int, names: list[str]) -> Iterator[Any]:
    arrow, ipc = optional("pyarrow", "arrow"), optional("pyarrow.ipc", "arrow")
    step = rows_per_block(len(names))
    with arrow.memory_map(path) as stream, ipc.open_file(stream) as file:
        for i in range(begin, end):
            whole = arrow.Table.from_batches([file.get_batch(i)]).select(names)
            for low in range(0, whole.num_rows, step):
                yield whole.slice(low, step)


def _types(empty: Any, _arrow: Any) -> dict[str, Any]:
    import narwhals as nw  # noqa: PLC0415

    return dict(nw.from_native(empty, eager_only=True).schema)


@dataclass(frozen=True)
class Format:
    """How files of one format are looked at and read."""

    layout: Callable[[str], Layout]
    batches: Callable[[str, int, int, list[str]], Iterator[Any]]
    name: str


FORMATS = {
    "Parquet": Format(_parquet_layout, _parquet_batches, "Parquet"),
    "Arrow": Format(_arrow_layout, _arrow_batches, "Arrow"),
}


def _table_of_frames(paths: Sequence[str], form: Format, wanted: Wanted, beside: Beside) -> Table:
    layouts = []
    for path in paths:
        with blamed(path):
            layouts.append(form.layout(path))
    columns = [chosen_columns(layout.types, wanted, path) for path, layout in zip(paths, layouts, strict=True)]
    for path, other in zip(paths, columns, strict=True):
        if set(other.features) != set(columns[0].features):
            apart = sorted(set(other.features) ^ set(columns[0].features))
            msg = (
                f"{path} and {paths[0]} differ in columns: {', '.join(map(repr, apart[:5]))} is in but one of them; "
                "name those to be read in features=."
            )
            raise InputError(msg)
    n = sum(sum(layout.counts) for layout in layouts)
    check_lengths(n, beside)
    pieces, before = [], 0
    for path, layout in zip(paths, layouts, strict=True):
        stamp = Stamp.of(path)
        for begin, end, first, count in pieced(layout.counts, LEAST):
            if count:
                low = before + first
                piece = FilePiece(stamp, form.name, begin, end, low, count, columns[0], beside.sliced(low, low + count))
                pieces.append(piece)
        before += sum(layout.counts)
    return Table(pieces, columns[0].features, n)


def is_path(value: Any) -> bool:
    """Return whether X is given by where it is."""
    return isinstance(value, (str, os.PathLike))
