"""The table of two labellings as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError, optional
from clustval.plot.style import LITERAL, VERMILION, axes, name_cells, short_text, write_cells
from clustval.sources.label_pair import LabelPair
from clustval.stats.labels.contingency import Contingency
from clustval.stats.labels.matching import Matching

if TYPE_CHECKING:
    from clustval.plot.style import Axes

MOST = 1_000  # clusters of a side
WRITTEN = 20  # clusters of a side up to which numbers fit into the cells


def contingency(
    table: Contingency, *, rows: str = "truth", columns: str = "labels", matched: bool = True, ax: Axes | None = None
) -> Axes:
    """Show how many points each pair of clusters shares, with the clusters that match best on the diagonal.

    `table` comes from `clustval.contingency`, or is the ``.table`` of an agreement. The shade is the share of the
    row, the number in a cell counts points. Matched pairs of clusters are framed. With ``matched=False`` clusters
    keep their own order. `rows` and `columns` say what the two labellings are.
    """
    if max(table.r, table.k) > MOST:
        msg = f"A heat map shows up to {MOST:,} clusters a side; this table has {table.r:,} x {table.k:,}."
        raise InputError(msg)
    matching: Matching = LabelPair(table)[Matching]
    across, down = (_order(order, size) for order, size in ((matching.columns, table.k), (matching.rows, table.r)))
    if not matched:
        across, down = np.arange(table.k), np.arange(table.r)
    counts = table.table[np.ix_(down, across)]
    shares = counts / table.row_sizes[down][:, None]
    side = np.clip(0.42 * np.array(counts.shape), 2.4, 8)
    ax = axes(ax, (float(side[1]) + 2.6, float(side[0]) + 1.4))

    image = ax.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto", interpolation="nearest")
    ax.figure.colorbar(image, ax=ax, label="share of the row", fraction=0.08)
    name_cells(ax, [table.row_labels[at] for at in down], [table.column_labels[at] for at in across])
    if max(counts.shape) <= WRITTEN:
        widest = len(f"{counts.max():,}")
        texts = np.vectorize(lambda count: f"{count:,}" if count else "", otypes=[object])(counts)
        write_cells(ax, texts, shares > 0.6, size=float(np.clip(36 / widest, 5, 9)))
    _frame_matched(ax, matching, down, across)
    ax.set_ylabel(short_text(rows), **LITERAL)
    ax.set_xlabel(short_text(columns), **LITERAL)
    return ax


def _order(matched: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return clusters in the order of their matches, those without one last."""
    return np.concatenate([matched, np.setdiff1d(np.arange(size), matched)])


def _frame_matched(ax: Any, matching: Matching, down: NDArray[np.int64], across: NDArray[np.int64]) -> None:
    places_down, places_across = np.argsort(down), np.argsort(across)
    width = float(np.clip(40 / len(down), 0.5, 2))
    rectangle = optional("matplotlib.patches", "plot").Rectangle
    for row, column in zip(places_down[matching.rows], places_across[matching.columns], strict=True):
        ax.add_patch(rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor=VERMILION, linewidth=width))
