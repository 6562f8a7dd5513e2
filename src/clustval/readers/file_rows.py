"""Tables in files: Parquet, Arrow and NumPy in blocks, one file or several; all others, such as CSV, at once.

What a file is, its first bytes say. Each file is opened once for a look at its columns; if the rows fit into memory,
it is opened once more and read for all passes.
"""

from __future__ import annotations

import glob
import mmap
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

from clustval import data
from clustval.errors import InputError, optional
from clustval.file_faults import blamed
from clustval.passes.work.run_pieces import results
from clustval.readers.array_rows import MappedArray, table_of_arrays, vector_of
from clustval.readers.file_table import MOSTLY, FileTable, column_of_file, listed
from clustval.readers.pieces import (
    Beside,
    Columns,
    Limits,
    Piece,
    Rows,
    Stamp,
    Table,
    Wanted,
    check_lengths,
    chosen_columns,
    held,
    is_numeric,
    pieced,
    rows_of_frame,
    rows_per_block,
)
from clustval.readers.whole_rows import whole_table

SUFFIXES = (".parquet", ".pq", ".arrow", ".feather", ".ipc", ".npy")  # of which a folder is read
LEAST = 2**17  # rows of a piece of a file that can be cut only where its writer did
LOOKED_AT = 1000  # rows of a column of text that show whether it was meant to be numbers


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
        bundled = path in data.NAMES and not Path(path).exists()
        return [str(data.path(path)) if bundled else path]
    files = sorted(p for p in glob.glob(path, recursive=True) if Path(p).is_file())  # noqa: PTH207 - of a whole path
    if not files:
        msg = f"No file fits the pattern {path}."
        raise InputError(msg)
    return files


def table_of_files(path: str, wanted: Wanted, beside: Beside, limits: Limits | None = None) -> Table:
    """Return the table in the files that a path means; its rows are read at once if they fit the limits."""
    paths = paths_of(path)
    looks = [_look(p, wanted, alone=len(paths) == 1) for p in paths]
    first = looks[0]
    for look in looks:
        if look.form != first.form:
            where = look.stamp.path
            msg = f"{where} is {look.form} and {paths[0]} is {first.form}; the files of one table must be alike."
            raise InputError(msg)
    if first.content is not None:
        return whole_table(FileTable.read(paths[0], content=first.content), wanted, beside)
    if first.array is not None:
        return _table_of_arrays(path, [look.array for look in looks], wanted, beside, limits)
    return _table_of_frames(looks, FORMATS[first.form], wanted, beside, limits)


def types_of(path: str) -> dict[str, Any]:
    """Return the types of the columns of a table in files, by name; narwhals' types."""
    first = paths_of(path)[0]
    layout = _look(first, Wanted(None), alone=False).layout
    if layout is None:
        msg = f"{first} is NPY, which has no names of columns."
        raise InputError(msg)
    return layout.types


# --- a first look at a file ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """How a file is laid out: the types of its columns, how many rows its parts have, and which text holds numbers."""

    types: dict[str, Any]
    counts: list[int]
    numbers_in_text: frozenset[str] = frozenset()


@dataclass(frozen=True)
class FileLook:
    """What a first look at a file shows: its format, and its layout, its array or all its bytes."""

    stamp: Stamp
    form: str
    layout: Layout | None = None
    array: MappedArray | None = None
    content: bytes | None = None


MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"\x93NUMPY": "NPY"}


def _look(path: str, wanted: Wanted, *, alone: bool) -> FileLook:
    """Open a file once; what cannot be read in blocks is read whole, unless it is one of several."""
    stamp = Stamp.of(path)
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(8)
            form = next((form for magic, form in MAGIC.items() if head.startswith(magic)), None)
            if form is None and alone:
                return FileLook(stamp, "a table that is read whole", content=head + file.read())
            file.seek(0)
            if form == "NPY":
                return FileLook(stamp, form, array=MappedArray.of_open_npy(file, stamp))
            if form is not None:
                with blamed(path):
                    return FileLook(stamp, form, layout=_layout(file, FORMATS[form], wanted))
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}."
        raise InputError(msg) from None
    what = "is empty" if not head else "is not of these"
    msg = (
        f"Blocks are read from Parquet, Arrow and NPY; {path} {what}. Convert it, or read it yourself and pass the "
        "table; a polars LazyFrame reads text in blocks, too."
    )
    raise InputError(msg)


def _layout(file: IO[bytes], form: Format, wanted: Wanted) -> Layout:
    with form.opened(file) as table:
        types, counts = _types(form.empty(table)), form.counts(table)
        if wanted.features is not None or wanted.truth is not None:
            return Layout(types, counts)
        text = [name for name, dtype in types.items() if str(dtype) == "String" and name not in wanted.names]
        meant = {name for name in text if sum(counts) and _holds_numbers(form.head(table, name))}
        return Layout(types, counts, frozenset(meant))


def _holds_numbers(values: list[str | None]) -> bool:
    """Return whether most of the first entries of a column of text are numbers, so that it was meant to be numbers."""
    entries = [value for value in values[:LOOKED_AT] if value is not None]
    return sum(map(_is_number, entries)) > MOSTLY * len(entries)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _types(empty: Any) -> dict[str, Any]:
    import narwhals as nw  # noqa: PLC0415

    return dict(nw.from_native(empty, eager_only=True).schema)


# --- files that hold arrays ------------------------------------------------------------------------------


def _table_of_arrays(
    path: str, arrays: Sequence[MappedArray | None], wanted: Wanted, beside: Beside, limits: Limits | None
) -> Table:
    some = [array for array in arrays if array is not None]
    if wanted.truth is not None or (isinstance(wanted.labels, str) and beside.labels is None):
        if len(some) == 1 and limits is not None and limits.hold(some[0].size):
            table = FileTable.read(some[0].stamp.path)
            if _names_column(table, wanted):
                return whole_table(table, wanted, beside)
        msg = f"{path} is NPY, which has no names of columns; give labels as an array or as the path of a file."
        raise InputError(msg)
    return table_of_arrays(some, beside, wanted.features, limits=limits)


def _names_column(table: FileTable, wanted: Wanted) -> bool:
    """Return whether labels are the number of a column, a field of records, or another file."""
    name = wanted.labels if wanted.truth is None else wanted.truth
    return name in table.columns or column_of_file(str(name), table.n, table.name, table.remedies) is not None


# --- files that hold frames ------------------------------------------------------------------------------


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


def _open_parquet(file: IO[bytes]) -> Any:
    return optional("pyarrow.parquet", "arrow").ParquetFile(file)


def _parquet_counts(file: Any) -> list[int]:
    return [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]


def _parquet_head(file: Any, name: str) -> list[Any]:
    return next(file.iter_batches(LOOKED_AT, columns=[name], use_threads=False)).column(0).to_pylist()  # type: ignore[no-any-return]


def _parquet_batches(path: str, begin: int, end: int, names: list[str]) -> Iterator[Any]:
    parquet, arrow = optional("pyarrow.parquet", "arrow"), optional("pyarrow", "arrow")
    # Batches of one file at a time: those of a whole data set pile up in memory.
    with parquet.ParquetFile(path) as file:
        batches = file.iter_batches(
            rows_per_block(len(names)), row_groups=range(begin, end), columns=names, use_threads=False
        )
        for batch in batches:
            yield arrow.Table.from_batches([batch])


def _open_arrow(file: IO[bytes]) -> Any:
    arrow, ipc = optional("pyarrow", "arrow"), optional("pyarrow.ipc", "arrow")
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)  # rows of batches are counted without reading them
    return ipc.open_file(arrow.py_buffer(mapped))


def _arrow_counts(file: Any) -> list[int]:
    return [file.get_batch(i).num_rows for i in range(file.num_record_batches)]


def _arrow_head(file: Any, name: str) -> list[Any]:
    batches = (file.get_batch(i) for i in range(file.num_record_batches))
    first = next(batch for batch in batches if batch.num_rows)
    return first.column(name).slice(0, LOOKED_AT).to_pylist()  # type: ignore[no-any-return]


def _arrow_batches(path: str, begin: int, end: int, names: list[str]) -> Iterator[Any]:
    arrow, ipc = optional("pyarrow", "arrow"), optional("pyarrow.ipc", "arrow")
    step = rows_per_block(len(names))
    with arrow.memory_map(path) as stream, ipc.open_file(stream) as file:
        for i in range(begin, end):
            whole = arrow.Table.from_batches([file.get_batch(i)]).select(names)
            for low in range(0, whole.num_rows, step):
                yield whole.slice(low, step)


@dataclass(frozen=True)
class Format:
    """How files of one format are looked at and read."""

    name: str
    opened: Callable[[IO[bytes]], Any]
    empty: Callable[[Any], Any]  # the table without its rows
    counts: Callable[[Any], list[int]]  # rows of each part
    head: Callable[[Any, str], list[Any]]  # first entries of a column
    batches: Callable[[str, int, int, list[str]], Iterator[Any]]


FORMATS: Mapping[str, Format] = {
    "Parquet": Format(
        "Parquet", _open_parquet, lambda file: file.schema_arrow.empty_table(), _parquet_counts, _parquet_head,
        _parquet_batches,
    ),
    "Arrow": Format(
        "Arrow", _open_arrow, lambda file: file.schema.empty_table(), _arrow_counts, _arrow_head, _arrow_batches
    ),
}  # fmt: skip


def _table_of_frames(
    looks: Sequence[FileLook], form: Format, wanted: Wanted, beside: Beside, limits: Limits | None
) -> Table:
    layouts = {look.stamp.path: look.layout for look in looks if look.layout is not None}
    paths, n = list(layouts), sum(sum(layout.counts) for layout in layouts.values())
    wanted, beside = _with_other_files(wanted, beside, layouts[paths[0]], n, paths[0])
    columns = [_columns(layout, wanted, path) for path, layout in layouts.items()]
    for path, other in zip(paths, columns, strict=True):
        if set(other.features) != set(columns[0].features):
            apart = sorted(set(other.features) ^ set(columns[0].features))
            msg = (
                f"{path} and {paths[0]} differ in columns: {', '.join(map(repr, apart[:5]))} is in but one of them; "
                "name those to be read in features=."
            )
            raise InputError(msg)
    check_lengths(n, beside)
    if limits is not None and limits.hold(n * len(columns[0].names)):
        beside = beside.read()
    pieces: list[Piece] = []
    before = 0
    for look, layout in zip(looks, layouts.values(), strict=True):
        for begin, end, first, count in pieced(layout.counts, LEAST):
            if count:
                low = before + first
                rows = beside.sliced(low, low + count)
                pieces.append(FilePiece(look.stamp, form.name, begin, end, low, count, columns[0], rows))
        before += sum(layout.counts)
    if limits is not None and limits.hold(n * len(columns[0].names)):
        pieces = list(results(held, pieces, n_jobs=limits.n_jobs))
    return Table(pieces, columns[0].features, n)


def _columns(layout: Layout, wanted: Wanted, path: str) -> Columns:
    """Return the columns that are read: without `features`, those of numbers; text is left out, as dates are."""
    if wanted.features is not None or wanted.truth is not None:
        return chosen_columns(layout.types, wanted, path)
    rest = [name for name in layout.types if name not in wanted.names]
    points = [name for name in rest if is_numeric(layout.types[name]) or name in layout.numbers_in_text]
    if rest and not points:
        besides = "besides the labels; its other columns are"
        msg = f"{path} has no column of numbers {besides} {listed(map(repr, rest))}."
        raise InputError(msg)
    return chosen_columns(layout.types, replace(wanted, features=points or None), path)


def _with_other_files(
    wanted: Wanted, beside: Beside, layout: Layout, rows: int, path: str
) -> tuple[Wanted, Beside]:
    """Return what is wanted, with labels and weights that are in other files beside the table."""
    labels, weights = wanted.labels, wanted.weights
    if isinstance(labels, str) and labels not in layout.types:
        column = column_of_file(labels, rows, path, FileTable.remedies)
        if column is not None:
            wanted, beside = replace(wanted, labels=None), replace(beside, labels=vector_of(column, "labels"))
    if isinstance(weights, str) and weights not in layout.types:
        column = column_of_file(weights, rows, path, FileTable.remedies)
        if column is not None:
            wanted, beside = replace(wanted, weights=None), replace(beside, weights=vector_of(column, "sample_weight"))
    return wanted, beside


def is_path(value: Any) -> bool:
    """Return whether X is given by where it is."""
    return isinstance(value, (str, os.PathLike))
