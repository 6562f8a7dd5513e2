"""A table that was read from a file: which of its columns are the points, and which are labels or weights.

The library and the program choose columns by the same rules; only the advice in their errors differs.
"""

from __future__ import annotations

import difflib
import itertools
import os
import re
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from clustval import files
from clustval.errors import InputError
from clustval.file_faults import LIBRARY, Remedies, display_name
from clustval.homes.cell_files import CellFile, has_cells
from clustval.homes.embeddings import is_embedding, matrix_of
from clustval.homes.frames import MOSTLY, listed, with_decimal_commas
from clustval.homes.identifiers import COUNTERS, is_identifier
from clustval.lazy import cached_property
from clustval.text_files import MISSING

if TYPE_CHECKING:
    import polars as pl

ZARR = ".zarr"  # how a folder of cells is called
DATE = re.compile(r"\s*\d{4}[-/]\d{1,2}[-/]\d{1,2}")
DATE_FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M")


@dataclass(frozen=True)
class FileTable:
    """A table from a file, and its name in messages."""

    frame: pl.DataFrame
    name: str
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict, kw_only=True)  # of the arrays that it was
    encoding: str = field(default="utf-8", kw_only=True)  # of files beside it, where these are not UTF-8
    remedies: ClassVar[Remedies] = LIBRARY

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.frame)

    @cached_property
    def columns(self) -> dict[str, pl.Series]:
        """The columns by name: a frame looks for each name among all of them."""
        return {column.name: column for column in self.frame.iter_columns()}

    def column(self, name: str) -> pl.Series:
        """Return a column, or raise an error with the nearest name."""
        if name in self.columns:
            return self.columns[name]
        matrices = {array: shape[1] for array, shape in self.shapes.items() if len(shape) == 2}
        if name in matrices:
            columns = listed((repr(f"{name}{j}") for j in range(matrices[name])), 3)
            msg = f"{name!r} of {self.name} is a matrix, not a column; it has the columns {columns}."
            raise InputError(msg)
        lower = {column.lower(): column for column in (*self.columns, *matrices)}
        near = difflib.get_close_matches(name.lower(), lower, n=1)
        hint = f"Did you mean {lower[near[0]]!r}?" if near else f"It has {listed(map(repr, self.columns))}."
        msg = f"{self.name} has no column {name!r}. {hint}"
        raise InputError(msg)

    def labels(self, name: str) -> pl.Series:
        """Return the labels: a column of this table, or of another file (FILE, FILE:COL)."""
        if name in self.columns:
            return self.columns[name]
        column = column_of_file(name, self.n, self.name, self.remedies, self.encoding)
        return self.column(name) if column is None else column

    def has(self, name: str) -> bool:
        """Return whether labels of that name are there, in this table or in another file."""
        return name in self.columns or place_in_file(name) is not None

    def number_column(self, name: str) -> pl.Series:
        """Return a column as numbers, or raise an error if it holds none, or whole numbers that float64 rounds."""
        import narwhals as nw  # noqa: PLC0415
        import polars as pl  # noqa: PLC0415

        from clustval.whole_numbers import EXACT, check_whole  # noqa: PLC0415

        numbers = self._numbers(name)
        column = self.columns[name]
        if column.dtype == pl.String and (numbers.abs() >= EXACT).any():
            column = column.str.strip_chars().cast(pl.Int64, strict=False)
        check_whole(nw.from_native(column, series_only=True), f"Column {name!r} of {self.name}")
        return numbers

    def _numbers(self, name: str) -> pl.Series:
        import polars as pl  # noqa: PLC0415

        column = self.columns[name]
        if not self._holds_numbers(name):
            example = f", such as {column.drop_nulls()[0]!r}" if column.dtype == pl.String and column.count() else ""
            msg = f"Column {name!r} of {self.name} holds {_kind(column.dtype)}{example}, not numbers."
            raise InputError(msg)
        if column.dtype == pl.String:
            column = column.str.strip_chars()
        return column.cast(pl.Float64)

    def other_numbers(self, name: str) -> pl.Series:
        """Return numbers of each row, such as weights: a column of this table or of another file."""
        column = self.labels(name)
        return replace(self, frame=column.to_frame())._numbers(column.name)  # noqa: SLF001

    def chosen(self, features: Sequence[str], used: Collection[str]) -> tuple[list[str], list[str], list[str]]:
        """Return the columns that are the points, those that hold no numbers, and those that name the rows.

        Points are the `features`, or without any all columns of numbers that are not `used` otherwise and do not
        count or name the rows.
        """
        if features:
            names = [name for feature in features for name in self.expanded(feature)]
            return list(dict.fromkeys(names)), [], []
        rest = [name for name in self.columns if name not in used]
        counters = self.counters(rest)
        numeric = [name for name in rest if name not in counters and self._holds_numbers(name)]
        if all(self._names_rows(name) for name in numeric):
            numeric = [*numeric, *self.embeddings(rest)]
        if not numeric:
            besides = " besides the labels" if used else ""
            others = f"its other columns are {listed(map(repr, rest))}" if rest else "it has no other columns"
            msg = f"{self.name} has no column of numbers{besides}; {others}."
            raise InputError(msg)
        taken = set(numeric)
        matrices = [name for name, shape in self.shapes.items() if len(shape) == 2]
        if sum(any(f"{name}{j}" in taken for j in range(self.shapes[name][1])) for name in matrices) > 1:
            raise unclear_points(self.name, self.shapes, self.remedies)
        apart = self.identifiers(numeric)
        points = [name for name in numeric if name not in apart]
        return points, [name for name in rest if name not in taken], apart

    def expanded(self, feature: str) -> list[str]:
        """Return the columns that a feature means: itself, or those of a matrix of that name, X0, X1, ... of X."""
        parts = list(itertools.takewhile(self.columns.__contains__, (f"{feature}{j}" for j in itertools.count())))
        return parts if parts and feature not in self.columns else [self.column(feature).name]

    def numbers(self, names: Sequence[str]) -> NDArray[Any]:
        """Return columns as an array of numbers, of which a column of lists gives several; float32 stays."""
        import narwhals as nw  # noqa: PLC0415
        import polars as pl  # noqa: PLC0415

        parts = []
        for name in names:
            column = nw.from_native(self.columns[name], series_only=True)
            if is_embedding(column):
                parts.append(matrix_of(column, self.name))
            else:
                single = self.columns[name].dtype == pl.Float32
                parts.append((self.columns[name] if single else self.number_column(name)).to_numpy()[:, None])
        return parts[0] if len(parts) == 1 else np.hstack(parts)

    def columns_of(self, names: Sequence[str]) -> list[str]:
        """Return a name for each column of `numbers`: a column of lists gives several, embedding0, embedding1, ..."""
        return [part for name in names for part in self._parts(name)]

    def _parts(self, name: str) -> list[str]:
        import narwhals as nw  # noqa: PLC0415

        column = nw.from_native(self.columns[name], series_only=True)
        return [f"{name}{j}" for j in range(len(column.to_list()[0]))] if is_embedding(column) else [name]

    def copies(self, labels: Iterable[pl.Series], used: Collection[str]) -> list[str]:
        """Return the columns that hold the same as labels from elsewhere: whole numbers, as labels are."""
        others = [column for name, column in self.columns.items() if name not in used and column.dtype.is_integer()]
        return [column.name for column in others if any(_same_labels(column, each) for each in labels)]

    def counters(self, names: Iterable[str]) -> list[str]:
        """Return the columns that number the rows, as data frames write them."""
        return [name for name in names if name in COUNTERS and self._counts(name)]

    def embeddings(self, names: Iterable[str]) -> list[str]:
        """Return the column that holds lists of numbers, if there is one alone."""
        import narwhals as nw  # noqa: PLC0415

        lists = [name for name in names if is_embedding(nw.from_native(self.columns[name], series_only=True))]
        return lists if len(lists) == 1 else []

    def identifiers(self, names: Collection[str]) -> list[str]:
        """Return those of the columns that name the rows; none if all do, and none of a matrix of distances."""
        if len(names) == self.n:
            return []
        apart = [name for name in names if self._names_rows(name)]
        return apart if len(apart) < len(names) else []

    def _names_rows(self, name: str) -> bool:
        import narwhals as nw  # noqa: PLC0415

        return is_identifier(nw.from_native(self.columns[name], series_only=True))

    def _counts(self, name: str) -> bool:
        column = self.columns[name]
        return column.dtype.is_integer() and bool((column.diff().drop_nulls() == 1).all())

    def _holds_numbers(self, name: str) -> bool:
        import polars as pl  # noqa: PLC0415

        column = self.columns[name]
        if column.dtype.is_numeric() or column.dtype == pl.Boolean:
            return True
        if column.dtype != pl.String:
            return False
        parsed = column.str.strip_chars().cast(pl.Float64, strict=False)
        entries = len(column) - column.null_count()
        numbers = len(parsed) - parsed.null_count()
        if numbers <= MOSTLY * entries:
            return False
        if numbers < entries:
            row = int((parsed.is_null() & column.is_not_null()).arg_true()[0])
            msg = (
                f"Column {name!r} of {self.name} mixes numbers and text: row {row + 1} holds {column[row]!r}. "
                f"Clean it, or choose other columns with {self.remedies.features}."
            )
            raise InputError(msg)
        return True

    def warn_of_decimal_commas(self, names: Iterable[str]) -> None:
        """Say in a warning which column of text holds numbers with a decimal comma."""
        for line in self.decimal_commas(names):
            warnings.warn(f"{line}.", UserWarning, stacklevel=3)

    def decimal_commas(self, names: Iterable[str]) -> list[str]:
        """Return a line for each column of text that holds numbers with a decimal comma, which are text here."""
        remedy = "write decimal points instead of commas, or semicolons between columns"
        said = (with_decimal_commas(self.columns[name], self.name) for name in names)
        return [f"{what}; {remedy}" for what in said if what]

    def with_dates(self) -> Self:
        """Return the table with text that holds dates, or dates and times, as such; 2026-03-31 is a date."""
        return replace(self, frame=self.frame.with_columns(_dated(column) for column in self.columns.values()))

    @classmethod
    def read(cls, path: str, *, content: bytes | None = None, encoding: str = "utf-8", header: bool = True) -> Self:
        """Return the table in a file, of which the bytes may be there already."""
        how: dict[str, Any] = {"encoding": encoding, "header": header, "remedies": cls.remedies}
        frame, shapes = files.read_with_shapes(path, content=content, **how)
        return cls(frame, display_name(path), shapes=shapes, encoding=encoding)


def unclear_points(
    path: str, shapes: Mapping[str, tuple[int, ...]], remedies: Remedies = LIBRARY, given: str = ""
) -> InputError:
    """Return the error that says which arrays of a file could be the points."""
    msg = f"{path} has {listed_arrays(shapes)}: name the one that is the points in {remedies.features}{given}."
    return InputError(msg)


def listed_arrays(shapes: Mapping[str, tuple[int, ...]]) -> str:
    """Return the names of arrays in a row, with their shapes."""
    return listed(f"{name!r} ({' x '.join(map(str, shape))})" for name, shape in shapes.items())


def column_of_file(name: str, rows: int, table: str, remedies: Remedies, encoding: str) -> pl.Series | None:
    """Return a column of a file (FILE, FILE:COL) beside a table of so many rows; None if there is no file."""
    place = place_in_file(name)
    return None if place is None else _only_column(*place, rows, table, remedies, encoding)


def place_in_file(name: str) -> tuple[str, str] | None:
    """Return the file and the column that FILE or FILE:COL means; None if there is no file."""
    path, _, column = (name, "", "") if _is_there(name) else name.rpartition(":")
    return (path, column) if _is_there(path) else None


def _is_there(path: str) -> bool:
    """Return whether a path is that of a file, or of a folder of Zarr."""
    return os.path.isfile(path) or (path.endswith(ZARR) and os.path.isdir(path))  # noqa: PTH112, PTH113 - of any length


def _only_column(path: str, column: str, rows: int, table: str, remedies: Remedies, encoding: str) -> pl.Series:
    if has_cells(path):
        return _column_of_cells(CellFile.of(path), column, rows, table)
    read = partial(_frame_of_labels, path, rows, remedies, encoding)
    try:
        frame = read(header=True)
        heading = _is_heading(frame)
        headless = not column and (len(frame) == rows - 1 if heading is None else not heading)
    except InputError:  # perhaps because the first line is a label, not a name
        headless, heading = True, False
    if headless:
        frame = read(header=False)
    if len(frame) != rows:
        if heading and not column:
            msg = f"{path} has {len(frame)} labels in its column {frame.columns[0]!r} but {table} has {rows} rows."
            raise InputError(msg)
        lines = len(frame if column else read(header=False))
        msg = f"{path} has {lines} lines but {table} has {rows} rows."
        raise InputError(msg)
    if column:
        return FileTable(frame, path).column(column)
    if frame.width > 1:
        msg = f"{path} has {frame.width} columns; choose one, as {path}:{frame.columns[0]} does."
        raise InputError(msg)
    return frame.to_series().rename(Path(path).stem)


def _frame_of_labels(path: str, rows: int, remedies: Remedies, encoding: str, *, header: bool) -> pl.DataFrame:
    """Return the table in a file beside another, of whose encoding it may be, or of UTF-8."""
    try:
        return files.read(path, header=header, rows=rows, remedies=remedies)
    except InputError:
        if encoding == "utf-8":
            raise
        return files.read(path, header=header, rows=rows, remedies=remedies, encoding=encoding)


def _is_heading(frame: pl.DataFrame) -> bool | None:
    """Return whether the first line of a column of labels names it, and is no label; None where both may be."""
    import polars as pl  # noqa: PLC0415

    values, name = frame.to_series(), frame.columns[0]
    if frame.width > 1 or name in MISSING:
        return None
    if values.dtype == pl.Boolean:
        return name.lower() not in {"true", "false"}
    if values.dtype.is_numeric():
        return True
    return False if values.dtype == pl.String and (values == name).any() else None


def _column_of_cells(cells: CellFile, column: str, rows: int, table: str) -> pl.Series:
    if not column:
        names = cells.columns
        msg = f"{cells.name} has {len(names)} columns of obs; choose one, as {cells.name}:{names[0]} does."
        raise InputError(msg)
    if cells.n != rows:
        msg = f"{cells.name} has {cells.n} cells but {table} has {rows} rows."
        raise InputError(msg)
    return series_of(column, cells.column(column))


def series_of(name: str, values: NDArray[Any]) -> pl.Series:
    """Return a column of obs; text with gaps, and numbers among text, are kept."""
    import polars as pl  # noqa: PLC0415

    return pl.Series(name, values.tolist() if values.dtype.kind == "O" else values, strict=False)


def _same_labels(column: pl.Series, labels: pl.Series) -> bool:
    """Return whether a column has the same names, point by point, as labels from elsewhere."""
    import polars as pl  # noqa: PLC0415

    if len(column) != len(labels):
        return False
    one, other = (series.cast(pl.String, strict=False).fill_null("") for series in (column, labels))
    return bool((one == other).all())


def _dated(column: pl.Series) -> pl.Series:
    """Return a column of text as dates, or as dates and times, if all its entries are; any other as it is."""
    import polars as pl  # noqa: PLC0415

    if column.dtype != pl.String or not column.count() or not DATE.match(str(column.drop_nulls()[0])):
        return column
    for form in DATE_FORMATS:
        dtype = pl.Datetime("us") if "%H" in form else pl.Date
        dates = column.str.strip_chars().str.strptime(dtype, form, strict=False)
        if dates.null_count() == column.null_count():
            return dates
    return column


def _kind(dtype: Any) -> str:
    return {"String": "text", "Date": "dates", "Datetime": "dates and times"}.get(
        str(dtype).partition("(")[0], str(dtype)
    )
