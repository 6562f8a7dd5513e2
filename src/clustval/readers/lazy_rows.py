"""Tables that are computed as they are read: lazy frames of polars, readers of Arrow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from clustval.errors import InputError, optional
from clustval.readers.pieces import (
    Beside,
    Columns,
    Piece,
    Place,
    Rows,
    Table,
    Wanted,
    check_lengths,
    chosen_columns,
    is_list,
    rows_of_frame,
    rows_per_block,
)


@dataclass(frozen=True)
class LazyPiece(Piece):
    """All rows of a lazy frame of polars: they come one after another, whatever it reads from."""

    frame: Any
    columns: Columns
    beside: Beside
    first: int = 0
    count: None = None

    @property
    def where(self) -> str:
        """What it is."""
        return "the LazyFrame"

    def blocks(self) -> Iterator[Rows]:
        """Compute batches."""
        low = 0
        step = rows_per_block(self.columns.width)
        for frame in self.frame.select(self.columns.names).collect_batches(chunk_size=step, maintain_order=True):
            for begin in range(0, len(frame), step):  # batches may be larger than asked for
                rows = rows_of_frame(frame.slice(begin, step), self.columns, self.beside, low, Place(self.where, low))
                low += len(rows)
                yield rows


def table_of_lazy(frame: Any, wanted: Wanted, beside: Beside) -> Table:
    """Return the table that a lazy frame of polars computes."""
    import narwhals as nw  # noqa: PLC0415

    types = dict(nw.from_native(frame.head(0).collect(), eager_only=True).schema)
    lists = [name for name in map(str, wanted.features or ()) if name in types and is_list(types[name])]
    firsts = {name: frame.select(name).head(1).collect()[name].to_list() for name in lists}
    widths = {name: len(first[0] or "-") if first else 1 for name, first in firsts.items()}
    columns = chosen_columns(types, wanted, "the LazyFrame", widths)
    n = None
    if beside.labels is not None or beside.weights is not None:
        n = int(frame.select(optional("polars", "cli").len()).collect().item())
        check_lengths(n, beside)
    return Table([LazyPiece(frame, columns, beside)], columns.parts, n)


class ReaderPiece(Piece):
    """All rows of a reader of Arrow, which gives each batch but once."""

    first = 0
    count = None

    def __init__(self, reader: Any, columns: Columns, beside: Beside) -> None:
        self.reader, self.columns, self.beside = reader, columns, beside
        self._first: Rows | None = None
        self._used = False

    @property
    def where(self) -> str:
        """What it is."""
        return "the reader"

    def head(self) -> Rows | None:
        """Return the first rows, which `blocks` gives again."""
        if self._first is None:
            self._first = next(self._rest(0), None)
        return self._first

    def _rest(self, low: int) -> Iterator[Rows]:
        arrow = optional("pyarrow", "arrow")
        step = rows_per_block(len(self.columns.names))
        for batch in self.reader:
            whole = arrow.Table.from_batches([batch]).select(self.columns.names)
            for begin in range(0, whole.num_rows, step):
                part = whole.slice(begin, step)
                self._check_room(low + part.num_rows)
                rows = rows_of_frame(part, self.columns, self.beside, low)
                low += len(rows)
                yield rows

    def _check_room(self, rows: int) -> None:
        """Raise an error if there are more rows than labels or weights beside them."""
        for vector, name in ((self.beside.labels, "labels"), (self.beside.weights, "sample_weight")):
            if vector is not None and len(vector) < rows:
                msg = f"The reader has at least {rows} rows but {name} has {len(vector)} entries."
                raise InputError(msg)

    def blocks(self) -> Iterator[Rows]:
        """Read the batches, once."""
        if self._used:
            msg = (
                "A reader gives its rows but once, and these indices need them twice: give the path of the file "
                "instead, or choose indices of sums of squares."
            )
            raise InputError(msg)
        self._used = True
        first, total = self.head(), 0
        if first is not None:
            for rows in chain([first], self._rest(len(first))):
                total += len(rows)
                yield rows
        check_lengths(total, self.beside)


def table_of_reader(reader: Any, wanted: Wanted, beside: Beside) -> Table:
    """Return the table that a reader of Arrow gives, once."""
    import narwhals as nw  # noqa: PLC0415

    types = dict(nw.from_native(reader.schema.empty_table(), eager_only=True).schema)
    columns = chosen_columns(types, wanted, "the reader")
    return Table([ReaderPiece(reader, columns, beside)], columns.features, None, once=True)
