"""All pairs of points that are read in blocks, as tiles: each two stripes of rows are met by whoever runs pieces.

A tile is a description: the pieces of the table that have its two stripes of rows. It leaves behind the sums of each
point's distances to each cluster, which add up over the tiles of a stripe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, pairwise
from typing import Any

import numpy as np

from clustval.arrays import Floats
from clustval.declare import Source, Statistic, ways_of
from clustval.kernels.metrics.form import Form
from clustval.passes.pairs.half_square_numpy import PairPass, rough_mean_of
from clustval.passes.pairs.tiles import Meeting, Stripe, meeting
from clustval.passes.pairs.weighted_rows import SortedLabels, folded_pass
from clustval.passes.work.run_pieces import results
from clustval.readers.array_rows import vector_of
from clustval.readers.pieces import Piece, Rows
from clustval.sources.blocks import InBlocks
from clustval.sources.point_source import Answers
from clustval.sources.space import UNSURE, Space

STRIPE = 12_500  # rows at least: to send smaller tiles takes longer than to meet their points
STRIPES = 30  # at most, which are 465 tiles


def worth_tiles(n: int) -> bool:
    """Return whether so many points make more than one stripe."""
    return n >= 2 * STRIPE


def form_of(metric: Any, p: int) -> Form | None:
    """Return how kernels measure pairs by the metric; None if tiles cannot be met with them."""
    form = Space(np.empty((0, p)), None, metric).form
    return None if form is None or form.name in UNSURE else form


# --- what is sent ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CutPiece(Piece):
    """Rows low to high - 1 of a piece."""

    piece: Any
    low: int
    high: int

    @property
    def first(self) -> int | None:  # type: ignore[override]
        """Rows before these."""
        return None if self.piece.first is None else self.piece.first + self.low

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of rows."""
        return self.high - self.low

    @property
    def where(self) -> str:
        """Where the piece is."""
        return str(self.piece.where)

    def blocks(self) -> Iterator[Rows]:
        """Read the piece, and leave out the others."""
        begin = 0
        for rows in self.piece.blocks():
            low, high = max(self.low - begin, 0), min(self.high - begin, len(rows))
            if low < high:
                labels = vector_of(rows.labels, "labels")
                yield Rows(rows.X[low:high], None if labels is None else labels.rows(low, high))
            begin += len(rows)
            if begin >= self.high:
                break


@dataclass(frozen=True)
class Tile:
    """The rows of two stripes, or of one that is met with itself."""

    stripes: tuple[tuple[CutPiece, ...], ...]

    @property
    def lazy(self) -> Any:
        """What Dask computes the pieces from, None if they are no partitions of a collection."""
        if not hasattr(self.stripes[0][0].piece, "lazy"):
            return None
        return [[cut.piece.lazy for cut in stripe] for stripe in self.stripes]

    def without_data(self) -> Tile:
        """Return what is sent along with data that a cluster computes."""
        return self._of([[cut.piece.without_data() for cut in stripe] for stripe in self.stripes])

    def with_data(self, data: Sequence[Sequence[Any]]) -> Tile:
        """Return the tile of data that are computed."""
        each = [zip(stripe, parts, strict=True) for stripe, parts in zip(self.stripes, data, strict=True)]
        return self._of([[cut.piece.with_data(part) for cut, part in stripe] for stripe in each])

    def _of(self, pieces: Sequence[Sequence[Any]]) -> Tile:
        both = zip(self.stripes, pieces, strict=True)
        return Tile(tuple(tuple(replace(c, piece=p) for c, p in zip(*side, strict=True)) for side in both))

    def __str__(self) -> str:
        return " and ".join(f"{stripe[0]}{' ...' if len(stripe) > 1 else ''}" for stripe in self.stripes)


def stripes_of(pieces: Sequence[Piece], counts: Sequence[int]) -> list[tuple[CutPiece, ...]]:
    """Cut a table into stripes of at least so many rows, wherever its pieces begin."""
    total = sum(counts)
    edges = np.linspace(0, total, max(1, min(STRIPES, total // STRIPE)) + 1).astype(np.int64).tolist()
    begins = np.cumsum([0, *counts]).tolist()
    return [
        tuple(
            CutPiece(piece, max(low - begin, 0), min(high - begin, count))
            for piece, begin, count in zip(pieces, begins, counts, strict=False)
            if begin < high and begin + count > low
        )
        for low, high in pairwise(edges)
    ]


def stripe_of(cuts: Iterable[CutPiece], visit: Any) -> Stripe:
    """Read the rows of a stripe, sorted by cluster."""
    blocks = [block for cut in cuts for block in visit.blocks(cut)]
    codes = np.concatenate([block.codes_as_read for block in blocks])
    points = np.concatenate([block.space.image for block in blocks])
    if blocks[0].space.in_float32:
        points = points.astype(np.float32)
    return Stripe(points[np.argsort(codes, kind="stable")], np.bincount(codes, minlength=visit.whole_data.k))


def rough_mean(points: Floats, metric: Any, form: Form) -> float:
    """Return about the mean distance of a few points, but for those of which the metric makes nothing."""
    space = Space(points, None, metric)
    image = space.prepared(points)
    return rough_mean_of(form, image if space.boolean else image[~np.isnan(image).any(axis=1)])


def met(tile: Tile, visit: Any, form: Form, shift: float, full: bool) -> tuple[Meeting, list[np.ndarray[Any, Any]]]:
    """Meet the points of a tile, and return as well how many of each cluster its stripes have."""
    stripes = [stripe_of(cuts, visit) for cuts in tile.stripes]
    other = stripes[1] if len(stripes) > 1 else None
    return meeting(stripes[0], other, form, shift, full=full), [stripe.sizes for stripe in stripes]


# --- what comes back -------------------------------------------------------------------------------------


class MetStripe(Source, Answers):
    """The points of a stripe after they were met with all points: a block of which nothing else is known."""

    weights = None

    def __init__(self, whole: Any, points: SortedLabels, visit: PairPass) -> None:
        super().__init__()
        self.whole, self.codes, self.visit = whole, points.codes, visit

    def pairs(self, *, full: bool | None = None) -> PairPass:
        """Return the visit of all pairs of a point of the stripe and any point."""
        assert self.visit.mins is not None or not full
        return self.visit


def tiled(statistic: type[Statistic]) -> bool:
    """Return whether a statistic is read from the visit of all pairs alone, or derived from statistics that are."""
    way = next(iter(ways_of(statistic, MetStripe)), None)
    return way is not None and (not way.derived or (bool(way.after) and all(map(tiled, way.after))))


class Tiles(InBlocks, Answers):
    """All pairs of the points of a stream, met in tiles."""

    block_type = MetStripe

    def __init__(self, stream: Any, counts: Sequence[int], form: Form, visit: Any, *, full: bool) -> None:
        super().__init__()
        self.full = full
        pieces, n_jobs = stream.table.pieces, stream.jobs
        there = [(piece, count) for piece, count in zip(pieces, counts, strict=True) if count]
        stripes = stripes_of([piece for piece, _ in there], [count for _, count in there])
        run: dict[str, Any] = {"executor": stream.executor, "n_jobs": n_jobs}
        shift = rough_mean(stream.few, stream.metric, form)
        # Stripes that are met with themselves take half as long: last, so that no worker waits for a whole tile.
        pairs = sorted(combinations_with_replacement(range(len(stripes)), 2), key=lambda pair: pair[0] == pair[1])
        tiles = [Tile((stripes[i],) if i == j else (stripes[i], stripes[j])) for i, j in pairs]
        common = (visit, form, shift, full)
        sums: dict[int, Any] = {}
        lows: dict[int, Any] = {}
        squares, sizes = np.zeros(len(stripes)), {}
        maxs = np.zeros((stream.k, stream.k)) if full else None
        for at, (one, counts_of) in enumerate(results(met, tiles, common=common, done=stream.done, **run)):
            for side, stripe in enumerate(dict.fromkeys(pairs[at])):
                sizes[stripe] = counts_of[side]
                sums[stripe] = sums[stripe] + one.sums[side] if stripe in sums else one.sums[side]
                if one.lows is not None:
                    low = one.lows[side]
                    lows[stripe] = np.minimum(lows[stripe], low) if stripe in lows else low
            squares[pairs[at][0]] += one.squares
            if one.highs is not None and maxs is not None:
                maxs = np.maximum(maxs, one.highs)
        self.blocks = []
        for stripe in range(len(stripes)):
            points = SortedLabels(np.repeat(np.arange(stream.k), sizes[stripe]), None)
            part = (sums[stripe], lows.get(stripe), maxs, stream.mass, float(squares[stripe]), shift)
            self.blocks.append(MetStripe(stream, points, folded_pass(points, *part)))
