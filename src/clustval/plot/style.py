"""What all figures share: colours that everybody can tell apart, text shown as it is, axes of a useful size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import optional

# The palette of Okabe and Ito (2008), safe for the colour-blind; yellow late, for it is pale on white.
BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, YELLOW, BLACK = "#CC79A7", "#56B4E9", "#F0E442", "#000000"
GREY = "#767676"
PALETTE = (BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, YELLOW, BLACK)
# Nine, so that with eight colours the first 72 clusters differ in colour, marker or both, and neighbours in both.
MARKERS = ("o", "s", "^", "D", "v", "P", "<", "X", ">")

# Labels are the user's text: matplotlib must not read a $ as mathematics, nor a backslash as TeX.
LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}

LONGEST = 24  # characters of a label
INCH = 72  # points


def axes(ax: Any, size: tuple[float, float] = (6.4, 4.2)) -> Any:
    """Return the axes to draw on: those that were given, or those of a new figure."""
    return ax if ax is not None else figure(1, 1, size)[1][0]


def figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Any, list[Any]]:
    """Return a new figure and its axes in one list, row by row."""
    made, panels = optional("matplotlib.pyplot", "plot").subplots(
        rows, columns, figsize=size, layout="constrained", squeeze=False
    )
    return made, list(panels.flat)


def shown(name: Any, longest: int = LONGEST) -> str:
    r"""Return a name as it fits on an axis: on one line, its middle left out if it is long.

    >>> shown("sepal length of the iris in centimetres")
    'sepal length… centimetres'
    >>> shown("a\tb")
    'a b'
    """
    text = "".join(letter if letter.isprintable() else " " for letter in str(name))
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}…{text[len(text) - half :]}"


def colour(cluster: int) -> str:
    """Return the colour of a cluster by its position."""
    return PALETTE[cluster % len(PALETTE)]


def marker(cluster: int) -> str:
    """Return the marker of a cluster by its position."""
    return MARKERS[cluster % len(MARKERS)]


def spread_out(positions: Sequence[float], least: float) -> list[int]:
    """Return which of the ascending positions to label so that no two labels are nearer than `least`.

    >>> spread_out([0, 1, 2, 3.5, 9], 2)
    [0, 2, 4]
    """
    kept: list[int] = []
    for at, position in enumerate(positions):
        if not kept or position - positions[kept[-1]] >= least:
            kept.append(at)
    return kept


def inches(ax: Any) -> tuple[float, float]:
    """Return the width and the height of axes, nearly: layout may yet shrink them by their labels."""
    box = ax.get_position()
    width, height = ax.figure.get_size_inches()
    return float(box.width * width), float(box.height * height)


def legend(ax: Any, handles: Iterable[Any], names: Iterable[Any], **options: Any) -> Any:
    """Add a legend whose entries are shown as they are, also those that begin with an underscore."""
    handles = list(handles)
    made = ax.legend(handles, ["entry"] * len(handles), **options)
    for text, name in zip(made.get_texts(), names, strict=True):
        text.set(text=name, **LITERAL)
    return made


def name_cells(ax: Any, rows: Sequence[Any], columns: Sequence[Any]) -> None:
    """Name the rows and columns of a heat map, as many as there is room for."""
    width, height = inches(ax)
    line = 9 / INCH  # a line of text of the size below
    size = 8
    for axis, names, length in ((ax.yaxis, rows, height), (ax.xaxis, columns, width)):
        named = spread_out(range(len(names)), line * len(names) / length)
        axis.set_ticks(named, [shown(names[at]) for at in named], fontsize=size, **LITERAL)
    longest = max(len(shown(name)) for name in columns)
    cell = width / len(columns) / (0.6 * size / INCH)  # characters that fit into a column
    if longest > cell:
        ax.tick_params(axis="x", rotation=90)
    ax.tick_params(length=0)


def write_cells(ax: Any, texts: NDArray[Any], dark: NDArray[np.bool_], size: float) -> None:
    """Write one text into each cell of a heat map, white where the cell is dark."""
    for (row, column), text in np.ndenumerate(texts):
        tone = "white" if dark[row, column] else "black"
        ax.text(column, row, text, ha="center", va="center", color=tone, fontsize=size)


def whole_numbers_on(axis: Any) -> None:
    """Let an axis of numbers of clusters have ticks at whole numbers only."""
    ticker = optional("matplotlib.ticker", "plot")
    axis.set_major_locator(ticker.MaxNLocator(integer=True, min_n_ticks=1))
