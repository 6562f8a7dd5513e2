"""Formats of files that hold frames in parts, Parquet and Arrow: how they are looked at, and read in batches."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import IO, Any

from clustval.errors import optional
from clustval.homes.frames import MOSTLY
from clustval.homes.identifiers import FEWEST, has_name_of_identifier
from clustval.number_words import is_number
from clustval.readers.pieces import Wanted, is_list, rows_per_block

BUFFER = 2**20  # bytes of a column of lists that are read at a time
LOOKED_AT = 1000  # rows of a column of text that show whether it was meant to be numbers


@dataclass(frozen=True)
class Layout:
    """How a file is laid out: the types of its columns, how many rows its parts have, and which text holds numbers."""

    types: dict[str, Any]
    counts: list[int]
    numbers_in_text: frozenset[str] = frozenset()
    identifiers: frozenset[str] = frozenset()  # columns that name the rows, by their names and first rows
    widths: Mapping[str, int] = field(default_factory=dict)  # numbers in a row of columns of lists


def _open_parquet(file: IO[bytes]) -> Any:
    return optional("pyarrow.parquet", "arrow").ParquetFile(file)


def _parquet_counts(file: Any) -> list[int]:
    return [file.metadata.row_group(i).num_rows for i in range(file.metadata.num_row_groups)]


def _parquet_head(file: Any, name: str) -> list[Any]:
    return next(file.iter_batches(LOOKED_AT, columns=[name], use_threads=False)).column(0).to_pylist()  # type: ignore[no-any-return]


def _parquet_batches(path: str, begin: int, end: int, names: list[str], width: int) -> Iterator[Any]:
    parquet, arrow = optional("pyarrow.parquet", "arrow"), optional("pyarrow", "arrow")
    # Batches of one file at a time: those of a whole data set pile up in memory. Lists are read through a buffer, as
    # all row groups would be held otherwise (500,000 x 256: 516 and 23 MiB).
    through = {"buffer_size": BUFFER, "pre_buffer": False} if width > len(names) else {}
    with parquet.ParquetFile(path, **through) as file:
        batches = file.iter_batches(
            rows_per_block(width), row_groups=range(begin, end), columns=names, use_threads=False
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
    column = next(batch for batch in batches if batch.num_rows).column(name)
    column.validate(full=True)
    return column.slice(0, LOOKED_AT).to_pylist()  # type: ignore[no-any-return]


def _arrow_batches(path: str, begin: int, end: int, names: list[str], width: int) -> Iterator[Any]:
    arrow, ipc = optional("pyarrow", "arrow"), optional("pyarrow.ipc", "arrow")
    step = rows_per_block(width)
    with arrow.memory_map(path) as stream, ipc.open_file(stream) as file:
        for i in range(begin, end):
            whole = arrow.Table.from_batches([file.get_batch(i)]).select(names)
            whole.validate(full=True)  # to read where a damaged file says that text lies ends the process
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
    batches: Callable[[str, int, int, list[str], int], Iterator[Any]]


FORMATS: Mapping[str, Format] = {
    "Parquet": Format(
        "Parquet", _open_parquet, lambda file: file.schema_arrow.empty_table(), _parquet_counts, _parquet_head,
        _parquet_batches,
    ),
    "Arrow": Format(
        "Arrow", _open_arrow, lambda file: file.schema.empty_table(), _arrow_counts, _arrow_head, _arrow_batches
    ),
}  # fmt: skip


def has_reader() -> bool:
    """Return whether blocks can be read; where polars is alone, it reads such files at once, as the program does."""
    return find_spec("pyarrow") is not None or find_spec("polars") is None


def layout_of(file: IO[bytes], form: Format, wanted: Wanted) -> Layout:
    """Return how an open file is laid out."""
    with form.opened(file) as table:
        types, counts = _types(form.empty(table)), form.counts(table)
        if wanted.truth is not None:
            return Layout(types, counts)
        lists = [name for name, dtype in types.items() if is_list(dtype) and name not in wanted.names]
        if wanted.features is not None:
            named = [name for name in lists if name in map(str, wanted.features)]
            return Layout(types, counts, widths=_widths(form, table, types, named, counts))
        text = [name for name, dtype in types.items() if str(dtype) == "String" and name not in wanted.names]
        meant = {name for name in text if sum(counts) and _holds_numbers(form.head(table, name))}
        named = [name for name, dtype in types.items() if dtype.is_integer() and has_name_of_identifier(name)]
        rows = {name: form.head(table, name) for name in named if sum(counts) >= FEWEST}
        identifiers = {name for name, values in rows.items() if len(set(values)) == len(values) >= FEWEST}
        widths = _widths(form, table, types, lists if len(lists) == 1 else [], counts)
        return Layout(types, counts, frozenset(meant), frozenset(identifiers), widths)


def _widths(form: Format, table: Any, types: Mapping[str, Any], names: list[str], counts: list[int]) -> dict[str, int]:
    """Return how many numbers columns of lists have in a row: arrays by their type, lists by the first of them."""
    widths = {}
    for name in names:
        shape = getattr(types[name], "shape", None)
        first = None if shape or not sum(counts) else next(filter(None, form.head(table, name)), None)
        widths[name] = int(shape[0]) if shape else len(first or "-")
    return widths


def _holds_numbers(values: list[str | None]) -> bool:
    """Return whether most of the first entries of a column of text are numbers, so that it was meant to be numbers."""
    entries = [value for value in values[:LOOKED_AT] if value is not None]
    return sum(map(is_number, entries)) > MOSTLY * len(entries)


def _types(empty: Any) -> dict[str, Any]:
    import narwhals as nw  # noqa: PLC0415

    return dict(nw.from_native(empty, eager_only=True).schema)
