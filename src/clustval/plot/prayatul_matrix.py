"""The Prayatul matrix of two algorithms, and those of several, as in Fig. 3 of Biswas et al."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.errors import InputError
from clustval.plot.style import LITERAL, axes, figure, short_text, write_cells

if TYPE_CHECKING:
    from clustval.compare.prayatul import Prayatul
    from clustval.compare.prayatul_table import PrayatulTable
    from clustval.plot.style import Axes, Figure

LETTERS = np.array([["BR", "RW"], ["WR", "BW"]])


def prayatul(
    result: Prayatul, *, primary: str = "primary", alternative: str = "alternative", ax: Axes | None = None
) -> Axes:
    """Show on how many pairs of points both, only one or neither of two algorithms is right about the truth.

    Rows are the primary algorithm, columns the alternative, as in the paper: BR both right, RW only the primary,
    WR only the alternative, BW both wrong. Each cell has its number of pairs and their share, which is its shade.
    """
    ax = axes(ax, (4.4, 3.8))
    counts = result.matrix.tolist()
    total = sum(map(sum, counts))
    shares = np.array([[count / total if total else np.nan for count in row] for row in counts])
    ax.imshow(np.nan_to_num(shares), cmap="Blues", vmin=0, vmax=1, aspect="equal")
    texts = np.empty((2, 2), dtype=object)
    for cell, share in np.ndenumerate(shares):
        count = f"{counts[cell[0]][cell[1]]:,}"
        texts[cell] = f"{LETTERS[cell]}\n{count}\n{'—' if np.isnan(share) else f'{share:.1%}'}"
    write_cells(ax, texts, shares > 0.6, size=9)
    ax.set_xticks([0, 1], ["right", "wrong"])
    ax.set_yticks([0, 1], ["right", "wrong"], rotation=90, va="center")
    ax.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
    ax.xaxis.set_label_position("top")
    ax.set_xlabel(short_text(alternative), **LITERAL)
    ax.set_ylabel(short_text(primary), **LITERAL)
    ax.axhline(0.5, color="white", linewidth=2)
    ax.axvline(0.5, color="white", linewidth=2)
    return ax


def prayatul_table(table: PrayatulTable, *, primaries: Any | Iterable[Any] | None = None) -> Figure:
    """Show the Prayatul matrix of each primary algorithm (a row) with each other one; return the figure.

    `primaries` are the algorithms that have a row; all of them by default. One gives the paper's Fig. 3.
    """
    rows = _rows(table, primaries)
    others = [[name for name in table.names if name != primary] for primary in rows]
    across = len(table.names) - 1
    drawing, panels = figure(len(rows), across, (2.4 * across + 0.4, 2.5 * len(rows)))
    pairs = [(primary, other) for primary, names in zip(rows, others, strict=True) for other in names]
    for panel, (primary, other) in zip(panels, pairs, strict=True):
        prayatul(table[primary, other], primary=str(primary), alternative=str(other), ax=panel)
    return drawing


def _rows(table: PrayatulTable, primaries: Any) -> list[Any]:
    if primaries is None:
        return list(table.names)
    if isinstance(primaries, str) or not isinstance(primaries, Iterable):
        primaries = [primaries]
    names = list(primaries)
    unknown = [name for name in names if name not in table.names]
    if unknown or not names:
        what = f"{unknown[0]!r} is not an algorithm of this table" if unknown else "primaries names no algorithm"
        msg = f"{what}; there are {', '.join(map(str, table.names))}."
        raise InputError(msg)
    return names
