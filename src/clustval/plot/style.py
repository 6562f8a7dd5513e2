"""What all figures share: colours that everybody can tell apart, text shown as it is, axes of a useful size."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clustval.errors import optional

if TYPE_CHECKING:  # what is returned, by the names that results import for their own types
    import matplotlib.axes
    import matplotlib.figure

    Axes: TypeAlias = matplotlib.axes.Axes
    Figure: TypeAlias = matplotlib.figure.Figure

# The palette of Okabe and Ito (2008), safe for the colour-blind, with grey for its black, which is kept for lines.
BLUE, ORANGE, GREEN, VERMILION = "#0072B2", "#E69F00", "#009E73", "#D55E00"
PURPLE, SKY, YELLOW, GREY = "#CC79A7", "#56B4E9", "#F0E442", "#999999"
PALETTE = (BLUE, ORANGE, GREEN, VERMILION, PURPLE, SKY, YELLOW, GREY)
BLACK = "#000000"  # lines over colours
# Nine, so that with eight colours the first 72 clusters differ in colour, marker or both, and neighbours in both.
MARKERS = ("o", "s", "^", "D", "v", "P", "<", "X", ">")

# Labels are the user's text: matplotlib must not read a $ as mathematics, nor a backslash as TeX.
LITERAL: dict[str, Any] = {"parse_math": False, "usetex": False}

LONGEST = 24  # characters of a label
INCH = 72  # points


def axes(ax: Axes | None, size: tuple[float, float] = (6.4, 4.2)) -> Axes:
    """Return the axes to draw on: those that were given, or those of a new figure."""
    return ax if ax is not None else figure(1, 1, size)[1][0]


def figure(rows: int, columns: int, size: tuple[float, float]) -> tuple[Figure, list[Axes]]:
    """Return a new figure and its axes in one list, row by row."""
    drawing, panels = optional("matplotlib.pyplot", "plot").subplots(
        rows, columns, figsize=size, layout="constrained", squeeze=False
    )
    return drawing, list(panels.flat)


def short_text(name: Any, longest: int = LONGEST) -> str:
    r"""Return a name as it fits on an axis: on one line, its middle left out if it is long.

    >>> short_text("sepal length of the iris in centimetres")
    'sepal length… centimetres'
    >>> short_text("a\tb")
    'a b'
    """
    text = "".join(letter if letter.isprintable() else " " for letter in str(name))
    if len(text) <= longest:
        return text
    half = longest // 2
    return f"{text[:half]}…{text[len(text) - half :]}"


def short_texts(names: Sequence[Any], longest: int = LONGEST) -> list[str]:
    """Return names as they fit on an axis, without what all have in common if one is too long.

    >>> short_texts(["cluster 1 of my data", "cluster 2 of my data"], 10)
    ['…1…', '…2…']
    """
    texts = [short_text(name, sys.maxsize) for name in names]
    if len(set(texts)) > 1 and max(map(len, texts)) > longest:
        start, end = _common(texts), _common([text[::-1] for text in texts])
        end = min(end, min(map(len, texts)) - start)  # of "aa" and "aaa" an a must not be cut off twice
        texts = [_cut(text, start, end) for text in texts]
    return [short_text(text, longest) for text in texts]


def _common(texts: Sequence[str]) -> int:
    """Return how many characters all texts begin with."""
    return sum(1 for _ in takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False)))


def _cut(text: str, start: int, end: int) -> str:
    """Return the text without so many characters at its start and end, each with a mark if it is longer than that."""
    if end > 1:
        text = f"{text[:-end]}…"
    return f"…{text[start:]}" if start > 1 else text


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
    places: list[int] = []
    for at, position in enumerate(positions):
        if not places or position - positions[places[-1]] >= least:
            places.append(at)
    return places


def inches(ax: Any) -> tuple[float, float]:
    """Return the width and the height of axes, nearly: layout may yet shrink them by their labels."""
    box = ax.get_position()
    width, height = ax.figure.get_size_inches()
    return float(box.width * width), float(box.height * height)


def legend(ax: Any, handles: Iterable[Any], names: Iterable[Any], **options: Any) -> Any:
    """Add a legend whose entries are shown as they are, also those that begin with an underscore."""
    handles = list(handles)
    box = ax.legend(handles, ["entry"] * len(handles), **options)
    for text, name in zip(box.get_texts(), names, strict=True):
        text.set(text=name, **LITERAL)
    return box


def legend_above(ax: Any, handles: Sequence[Any], names: Sequence[str], size: float = 9) -> Any:
    """Add a legend over the axes, where it covers nothing: on one line if it fits, else one line per entry."""
    length = sum(len(name) + 6 for name in names) * 0.55 * size / INCH  # 6 characters for the handle and its margins
    across = len(names) if length <= 1.15 * inches(ax)[0] else 1
    place = {"loc": "lower center", "bbox_to_anchor": (0.5, 1), "frameon": False}
    return legend(ax, handles, names, ncols=across, fontsize=size, **place)


def name_cells(ax: Any, rows: Sequence[Any], columns: Sequence[Any], share: float = 1) -> None:
    """Name the rows and columns of a heat map, as many as there is room for; rows may have a share of the height."""
    width, height = inches(ax)
    line = 9 / INCH  # a line of text of the size below
    size = 8
    for axis, names, length in ((ax.yaxis, rows, share * height), (ax.xaxis, columns, width)):
        texts = short_texts(names)
        places = spread_out(range(len(names)), line * len(names) / length)
        axis.set_ticks(places, [texts[at] for at in places], fontsize=size, **LITERAL)
    longest = max(map(len, short_texts(columns)))
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
