"""Rows drawn by their cluster and their rank in it: the same rows from any cut into blocks, on any executor."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clustval.arrays import Floats, Integers
from clustval.passes.work.run_pieces import results
from clustval.readers.pieces import Piece
from clustval.sources.partition import Partition
from clustval.sources.row_blocks import Visit
from clustval.sources.stream import Stream


def drawn_points(source: Partition | Stream, codes: Integers, ranks: Integers) -> Floats:
    """Return the coordinates of rows: the rank-th of all rows of a cluster, from 0, in the order of the input."""
    if isinstance(source, Partition):
        assert source.space.X is not None
        points: Floats = source.space.X[source.order[source.starts[codes] + ranks]]
        return points
    return _from_blocks(source, codes, ranks)


@dataclass(frozen=True)
class Drawing:
    """A piece, and which rows of it are wanted: by cluster and by rank among its rows of that cluster."""

    piece: Any
    codes: Integers
    ranks: Integers

    @property
    def lazy(self) -> Any:
        """What Dask computes the piece from, if it does."""
        return getattr(self.piece, "lazy", None)

    def without_data(self) -> Drawing:
        """Return what is sent along with data that a cluster computes."""
        return replace(self, piece=self.piece.without_data())

    def with_data(self, data: Any) -> Drawing:
        """Return the piece of data that are computed."""
        return replace(self, piece=self.piece.with_data(data))

    def __str__(self) -> str:
        return str(self.piece)


def rows_of_drawing(drawing: Drawing, visit: Visit) -> Floats:
    """Return the wanted rows of a piece, in the order they are wanted in."""
    piece: Piece = drawing.piece
    before = np.zeros(visit.whole_data.k, dtype=np.int64)
    points: Floats = np.empty((len(drawing.codes), len(visit.whole_data.origin)))
    for block in visit.blocks(piece):
        inside = drawing.ranks - before[drawing.codes]
        here = np.flatnonzero((inside >= 0) & (inside < block.sizes[drawing.codes]))
        rows = block.order[block.starts[drawing.codes[here]] + inside[here]]
        points[here] = block.rows_as_read[rows]
        before += block.sizes
    return points


def _from_blocks(source: Stream, codes: Integers, ranks: Integers) -> Floats:
    points: Floats = np.empty((len(codes), source.p))
    places = list(_places(source, codes, ranks))
    drawings = [Drawing(source.table.pieces[at], codes[here], inside) for at, here, inside in places]
    visit = Visit(source.whole_data({}), source.policy, ())
    parts = results(
        rows_of_drawing, drawings, common=(visit,), executor=source.executor, n_jobs=source.jobs, done=source.done
    )
    for (_, here, _), part in zip(places, parts, strict=True):
        points[here] = part
    return points


def _places(source: Stream, codes: Integers, ranks: Integers) -> Iterator[tuple[int, Integers, Integers]]:
    """Give, for each piece that has any, which of the rows lie in it, and their ranks there."""
    before = np.zeros(source.k, dtype=np.int64)
    for at, rows in enumerate(source.by_piece):
        sizes = rows.relabelled(source.first_pass.names).sizes
        inside = ranks - before[codes]
        here = np.flatnonzero((inside >= 0) & (inside < sizes[codes]))
        if len(here):
            yield at, here, inside[here]
        before += sizes
