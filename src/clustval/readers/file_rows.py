"""Tables in files: Parquet, Arrow, NumPy and safetensors in blocks, one or several; all others, such as CSV, at once.

What a file is, its first bytes say. Each file is opened once for a look at its columns; if the rows of Parquet or Arrow
fit into memory, it is opened once more and read for all passes. Arrays of NumPy are mapped, which reads nothing twice.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from clustval.errors import InputError
from clustval.file_faults import blamed
from clustval.files import located
from clustval.homes.cell_files import is_pattern, zarr_array
from clustval.homes.embeddings import warn_of_lists
from clustval.homes.frames import listed
from clustval.homes.identifiers import warn_of_identifiers
from clustval.passes.work.run_pieces import results
from clustval.readers.array_files import are_many, arrays_in, points_in, table_of_named
from clustval.readers.array_rows import MappedArray, table_of_arrays
from clustval.readers.file_table import FileTable, place_in_file
from clustval.readers.frame_files import FORMATS, Layout, has_reader, layout_of
from clustval.readers.pieces import (
    AT_ONCE,
    Beside,
    Columns,
    Labellings,
    Limits,
    Piece,
    Place,
    Rows,
    Stamp,
    Table,
    Wanted,
    check_lengths,
    chosen_columns,
    held,
    is_numeric,
    is_path,
    pieced,
    rows_of_frame,
)
from clustval.readers.whole_rows import whole_labels, whole_rows

SUFFIXES = (  # of which a folder is read
    ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".npy", ".npz", ".safetensors",
)  # fmt: skip
TEXT = ("String", "Categorical", "Enum")  # types of narwhals
LEAST = 2**17  # rows of a piece of a file that can be cut only where its writer did


def paths_of(path: Any) -> list[str]:
    """Return the files that a path means, sorted by name: itself, all tables of a folder, or all that fit a pattern.

    Those of a list of paths follow each other in its order.
    """
    if not is_path(path):
        return [file for one in path for file in paths_of(one)]
    path = os.fspath(path)
    if zarr_array(path) is not None:
        return [path]
    if Path(path).is_dir():
        inside = (p for p in Path(path).rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        files = sorted(str(p) for p in inside if not p.name.startswith((".", "_")))
        if not files:
            msg = f"The folder {path} has no tables; those are files that end in {', '.join(SUFFIXES)}."
            raise InputError(msg)
        return files
    if not is_pattern(path):
        return [located(path)]
    fitting = sorted(glob.glob(path, recursive=True))  # noqa: PTH207 - of a whole path
    files = [p for p in fitting if Path(p).is_file() or zarr_array(p) is not None]
    if not files:
        msg = f"No file fits the pattern {path}."
        raise InputError(msg)
    return files


def rows_of_files(path: Any, wanted: Wanted, beside: Beside, limits: Limits | None) -> Table | Rows:
    """Return the points in the files that a path means: all rows of a file that has no blocks, else a table.

    Without limits, where others read the rows, only blocks are read. With limits, blocks that fit are read once.
    """
    paths = paths_of(path)
    whole = len(paths) == 1 and limits is not None
    looks = [_look(p, wanted, whole=whole) for p in paths]
    _check_alike(looks)
    first = looks[0]
    if first.content is not None:
        return whole_rows(FileTable.read(paths[0], content=first.content), wanted, beside)
    if first.layout is not None:
        if whole and (_names_files(first.layout, wanted) or _has_few_lists(first.layout, wanted)):
            return whole_rows(FileTable.read(paths[0]), wanted, beside)
        return _table_of_frames(looks, wanted, beside, limits)
    named = {look.stamp.path: look.arrays for look in looks if look.arrays is not None}
    if named:
        return table_of_named(named, wanted, beside)
    arrays = [look.array for look in looks if look.array is not None]
    return _rows_of_arrays(first.stamp.path if len(paths) == 1 else str(path), arrays, wanted, beside, limits)


def _names_files(layout: Layout, wanted: Wanted) -> bool:
    return any(name not in layout.types and place_in_file(name) for name in wanted.names)


def _has_few_lists(layout: Layout, wanted: Wanted) -> bool:
    """Return whether the points are a column of lists, with so few numbers in all that they are read at once."""
    lists = _lists(layout, wanted.names) if wanted.features is None else list(layout.widths)
    return bool(lists) and sum(layout.counts) * sum(layout.widths[name] for name in lists) <= AT_ONCE


def _lists(layout: Layout, used: Sequence[str]) -> list[str]:
    """Return the columns of lists that are points because no other column holds numbers but of rows."""
    others = [name for name in layout.types if name not in {*layout.widths, *used, *layout.identifiers}]
    numbers = any(is_numeric(layout.types[name]) or name in layout.numbers_in_text for name in others)
    return [] if numbers else list(layout.widths)


def label_table_of_files(path: Any, wanted: Wanted, beside: Beside) -> Table:
    """Return the table of labellings in the files that a path means."""
    paths = paths_of(path)
    looks = [_look(p, wanted, whole=len(paths) == 1) for p in paths]
    _check_alike(looks)
    first = looks[0]
    if first.content is not None:
        return whole_labels(FileTable.read(paths[0], content=first.content), wanted, beside)
    if first.layout is None:
        raise _nameless(first.stamp.path)
    return _table_of_frames(looks, wanted, beside, None)


def _check_alike(looks: Sequence[FileLook]) -> None:
    first = looks[0]
    for look in looks:
        if look.form != first.form:
            paths = look.stamp.path, first.stamp.path
            msg = f"{paths[0]} is {look.form} and {paths[1]} is {first.form}; the files of one table must be alike."
            raise InputError(msg)


def array_of_points(path: str, used: Sequence[str]) -> str | None:
    """Return the array of a file that is the points, where others are `used` otherwise; "" if it has no name.

    None for tables, and where it is not clear which array that would be.
    """
    wanted = Wanted(Labellings(tuple(used)) if used else None)
    look = _look(paths_of(path)[0], wanted, whole=False)
    if look.arrays is not None:
        return points_in(look.arrays, wanted)
    return None if look.array is None else ""


def layout_of_table(path: str, used: Sequence[str]) -> Layout:
    """Return how the first file of a table is laid out, some columns of which are `used` otherwise than as points."""
    first = paths_of(path)[0]
    layout = _look(first, Wanted(Labellings(tuple(used)) if used else None), whole=False).layout
    if layout is None:
        msg = f"{first} holds arrays, not columns; name the array that is the points."
        raise InputError(msg)
    return layout


# --- a first look at a file ------------------------------------------------------------------------------


@dataclass(frozen=True)
class FileLook:
    """What a first look at a file shows: its format, and its layout, its array or all its bytes."""

    stamp: Stamp
    form: str
    layout: Layout | None = None
    array: Any = None
    content: bytes | None = None
    arrays: Mapping[str, MappedArray] | None = None


MAGIC = {b"PAR1": "Parquet", b"ARROW1": "Arrow", b"\x93NUMPY": "NPY"}


def _look(path: str, wanted: Wanted, *, whole: bool) -> FileLook:
    """Open a file once; what cannot be read in blocks may be read whole."""
    stamp = Stamp.of(path)
    zarr = zarr_array(path)
    if zarr is not None:
        return FileLook(stamp, "Zarr", array=zarr)
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            head = file.read(8)
            form = next((form for magic, form in MAGIC.items() if head.startswith(magic)), None)
            file.seek(0)
            arrays = arrays_in(file, head, stamp) if form is None and wanted.truth is None else None
            if arrays is not None and not (whole and not are_many(arrays, wanted)):
                return FileLook(stamp, "a file of arrays", arrays=arrays)
            file.seek(len(head))
            if whole and (form is None or (form in FORMATS and not has_reader())):
                return FileLook(stamp, "a table that is read whole", content=head + file.read())
            file.seek(0)
            if form == "NPY":
                return FileLook(stamp, form, array=MappedArray.of_open_npy(file, stamp))
            if form is not None:
                with blamed(path):
                    return FileLook(stamp, form, layout=layout_of(file, FORMATS[form], wanted))
    except OSError as error:
        msg = f"{path} cannot be read: {error.strerror}."
        raise InputError(msg) from None
    what = "is empty" if not head else "is not of these"
    msg = (
        f"Blocks are read from Parquet, Arrow, NPY, NPZ that is not compressed, and safetensors; {path} {what}. "
        "Convert it, or read it yourself and pass the table; a polars LazyFrame reads text in blocks, too."
    )
    raise InputError(msg)


# --- files that hold arrays ------------------------------------------------------------------------------


def _rows_of_arrays(
    path: str, arrays: Sequence[Any], wanted: Wanted, beside: Beside, limits: Limits | None
) -> Table | Rows:
    """Return arrays as a table; all rows of one array if names of columns are wanted and it has them all the same."""
    names = [
        (name, what)
        for name, what, vector in (
            (wanted.labels, "labels", beside.labels), (wanted.weights, "sample_weight", beside.weights)
        )
        if isinstance(name, str) and vector is None
    ]  # fmt: skip
    if not names:
        return table_of_arrays(arrays, beside, wanted.features)
    single = len(arrays) == 1 and limits is not None and isinstance(arrays[0], MappedArray)
    table = FileTable.read(arrays[0].stamp.path) if single else None
    for name, what in names:
        if table is None or not table.has(name):
            raise _nameless(path, what)
    assert table is not None
    return whole_rows(table, wanted, beside)


def _nameless(path: str, what: str = "labels") -> InputError:
    return InputError(
        f"{path} is NPY, which has no names of columns; give {what} as an array or as the path of a file."
    )


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
    row: int = 0  # number of its first row in the file

    @property
    def where(self) -> str:
        """The file."""
        return self.stamp.path

    def blocks(self) -> Iterator[Rows]:
        """Read the parts in batches, as points with labels and weights."""
        low = 0
        for frame in self.frames():
            rows = rows_of_frame(frame, self.columns, self.beside, low, Place(self.stamp.path, self.row + low))
            low += len(rows)
            yield rows

    def frames(self) -> Iterator[Any]:
        """Read the parts in batches."""
        self.stamp.check()
        low, read = 0, FORMATS[self.form].batches
        with blamed(self.stamp.path):
            for frame in read(self.stamp.path, self.begin, self.end, self.columns.names, self.columns.width):
                low += len(frame)
                yield frame
        if low != self.count:
            msg = f"{self.stamp.path} is damaged: of {self.count} rows there are {low}."
            raise InputError(msg)

    def values_of(self, frame: Any, low: int) -> Rows:
        """Return labels and weights of a batch that begins with row `low` of the piece; its points are one column."""
        columns = replace(self.columns, features=(), truth=self.columns.features[0])
        return rows_of_frame(frame, columns, self.beside, low)


def _table_of_frames(looks: Sequence[FileLook], wanted: Wanted, beside: Beside, limits: Limits | None) -> Table:
    layouts = {look.stamp.path: look.layout for look in looks if look.layout is not None}
    paths, n = list(layouts), sum(sum(layout.counts) for layout in layouts.values())
    columns = [_columns(layout, wanted, path) for path, layout in layouts.items()]
    for path, other in zip(paths, columns, strict=True):
        if set(other.features) != set(columns[0].features):
            apart = sorted(set(other.features) ^ set(columns[0].features))
            msg = (
                f"{path} and {paths[0]} differ in columns: {', '.join(map(repr, apart[:5]))} is in but one of them; "
                "name those to be read in features=."
            )
            raise InputError(msg)
        _check_widths(other, path, columns[0], paths[0])
    check_lengths(n, beside)
    pieces: Sequence[Piece] = pieces_of_frames(looks, columns[0], beside)
    if limits is not None and limits.hold(n * columns[0].width):
        pieces = list(results(held, pieces, n_jobs=limits.n_jobs))
    return Table(pieces, columns[0].parts, n)


def pieces_of_frames(looks: Sequence[FileLook], columns: Columns, beside: Beside) -> list[FilePiece]:
    """Return the pieces of files that hold frames, one file after another."""
    _check_types(looks, columns)
    pieces = []
    before = 0
    for look in looks:
        assert look.layout is not None
        for begin, end, first, count in pieced(look.layout.counts, LEAST):
            if count:
                low = before + first
                rows = beside.sliced(low, low + count)
                pieces.append(FilePiece(look.stamp, look.form, begin, end, low, count, columns, rows, first))
        before += sum(look.layout.counts)
    return pieces


def frame_looks(path: Any, wanted: Wanted) -> list[FileLook] | None:
    """Return a look at each file of a table in Parquet or Arrow; None for a single file that is neither."""
    paths = paths_of(path)
    looks = [_look(p, wanted, whole=len(paths) == 1) for p in paths]
    _check_alike(looks)
    if looks[0].layout is not None:
        return looks
    if len(looks) == 1:
        return None
    msg = f"Tables of numbers and categories are read in blocks from Parquet and Arrow; {paths[0]} is {looks[0].form}."
    raise InputError(msg)


def _check_types(looks: Sequence[FileLook], columns: Columns) -> None:
    """Raise an error if labels are text in one file and numbers in another: "1" and 1 would be two clusters."""
    for name in filter(None, (columns.truth, *columns.labels)):
        types = {look.stamp.path: look.layout.types[name] for look in looks if look.layout is not None}
        kinds = {path: _kind(dtype) for path, dtype in types.items() if str(dtype) != "Unknown"}  # all missing
        for path, kind in kinds.items():
            first = next(iter(kinds))
            if kind != kinds[first]:
                types_of_both = f"{path} holds {types[path]}, and that of {first} holds {types[first]}"
                msg = f"Column {name!r} of {types_of_both}; write them alike."
                raise InputError(msg)


def _kind(dtype: Any) -> str:
    """Return what labels of a type of narwhals are: numbers, text or else."""
    if dtype.is_numeric():
        return "numbers"
    return "text" if str(dtype).partition("(")[0] in TEXT else str(dtype)


def _check_widths(columns: Columns, path: str, first: Columns, first_path: str) -> None:
    """Raise an error unless columns of lists are as wide as those of the first file."""
    widths = dict(zip(first.features, first.widths, strict=False))
    for name, width in zip(columns.features, columns.widths, strict=False):
        if width != widths.get(name):
            msg = (
                f"Column {name!r} of {path} holds lists of {width} numbers, and that of {first_path} lists of "
                f"{widths.get(name)}."
            )
            raise InputError(msg)


def _columns(layout: Layout, wanted: Wanted, path: str) -> Columns:
    """Return the columns that are read: without `features`, those of numbers; text is left out, as dates are."""
    if wanted.features is not None or wanted.truth is not None:
        return chosen_columns(layout.types, wanted, path, layout.widths)
    points, identifiers, others = point_columns(layout, wanted.names, path)
    if identifiers:
        warn_of_identifiers(identifiers, path)
    warn_of_lists([name for name in layout.widths if name in others], path)
    return chosen_columns(layout.types, replace(wanted, features=points or None), path, layout.widths)


class PointColumns(NamedTuple):
    """The columns of a table that are its points, those that name its rows, and others that hold no numbers."""

    points: list[str]
    identifiers: list[str]
    others: list[str]


def point_columns(layout: Layout, used: Sequence[str], path: str) -> PointColumns:
    """Return which columns are the points if nobody names them: those of numbers, or else the one of lists."""
    rest = [name for name in layout.types if name not in used]
    numbers = [name for name in rest if is_numeric(layout.types[name]) or name in layout.numbers_in_text]
    identifiers = [name for name in numbers if name in layout.identifiers]
    points = _lists(layout, used) or [name for name in numbers if name not in identifiers]
    if not points:
        points, identifiers = numbers, []
    if rest and not points:
        besides = "besides the labels; its other columns are"
        msg = f"{path} has no column of numbers {besides} {listed(map(repr, rest))}."
        raise InputError(msg)
    return PointColumns(points, identifiers, [name for name in rest if name not in {*points, *identifiers}])
