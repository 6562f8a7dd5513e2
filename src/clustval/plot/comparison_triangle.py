"""How far criteria are apart in a comparison, and which differences are significant, as in the study of 2010."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.arrays import Floats
from clustval.errors import InputError, optional
from clustval.plot.style import BLACK, BLUE, INCH, LITERAL, axes, inches, legend_above, name_cells, write_cells
from clustval.tables import decimal

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.study.comparison import Comparison, Pairwise


# By how many of the two tests a difference is significant; the lightness alone tells them apart.
SHADES = {2: (BLUE, "both tests"), 1: ("#8CC1E6", "one test"), 0: ("#E6E6E6", "neither")}
SMALLEST, LARGEST = 5.5, 8.0  # sizes of numbers
CHARACTER = 0.6  # width, in sizes
SCALE = (-1, -0.5, 0, 0.5, 1)  # means that are marked at the bars


def comparison(
    result: Comparison | Pairwise,
    *,
    external: str | None = None,
    correlation: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Show by how much criteria differ in a study, best first, which differences are significant, and their means.

    This is the layout of Figs. 10 and 13 to 17 of Vendramin, Campello and Hruschka (2010) without its mirrored half.
    A cell is the mean correlation of the criterion of its column less that of its row; it is the darker the more of
    two tests, Mann-Whitney's and Friedman's, find this significant at 5 %. Bars below are the means. Numbers are
    written where they fit. A criterion without a mean has neither cells nor a bar.

    `external` and `correlation` choose among those of a comparison; the first of each unless named.
    """
    pairwise = _pairwise(result, external, correlation)
    k = len(pairwise.criteria)
    if k < 2:
        msg = f"Differences need at least 2 criteria; this comparison has {k}."
        raise InputError(msg)
    side = float(np.clip(0.42 * k, 2.4, 9))
    ax = axes(ax, (side + 2, 1.2 * side + 1.6))
    rows, room = k - 1, max(0.16 * k, 1.2)  # heights of the triangle and of the bars, in cells
    below = np.tri(rows, k, dtype=bool) & ~np.isnan(pairwise.differences[1:])  # the best has no row of its own
    levels = pairwise.significant[1:]
    _shade(ax, levels, below)
    ax.set_ylim(rows - 0.5 + room, -0.5)
    share = rows / (rows + room)
    name_cells(ax, pairwise.criteria[1:], pairwise.criteria, share)
    width, height = inches(ax)
    _write(ax, np.where(below, pairwise.differences.T[1:], np.nan), levels == 2, width / k, share * height / rows)
    _bars(ax, pairwise.means, top=rows - 0.5, room=room, width=width / k, height=(1 - share) * height)
    ax.set_ylabel("criterion of the row")
    ax.set_xlabel("criterion of the column, with its mean")
    ax.spines[:].set_visible(False)
    _explain(ax, pairwise)
    return ax


def _pairwise(result: Comparison | Pairwise, external: str | None, correlation: str | None) -> Pairwise:
    from clustval.study.comparison import Comparison  # noqa: PLC0415 - loads SciPy

    if isinstance(result, Comparison):
        return result.pairwise(external, correlation)
    if external is not None or correlation is not None:
        msg = f"These differences are of the {result.what}; to choose another, give the comparison they come from."
        raise InputError(msg)
    return result


def _shade(ax: Any, levels: NDArray[np.int64], below: NDArray[np.bool_]) -> None:
    tones = optional("matplotlib.colors", "plot").ListedColormap([SHADES[level][0] for level in range(3)])
    cells = np.ma.masked_array(levels, ~below)
    ax.imshow(cells, cmap=tones, vmin=-0.5, vmax=2.5, aspect="auto", interpolation="nearest")
    rows, columns = levels.shape
    lines = {"color": "white", "linewidth": float(np.clip(20 / columns, 0.4, 2))}
    ax.hlines(np.arange(1, rows) - 0.5, -0.5, columns - 0.5, **lines)
    ax.vlines(np.arange(1, columns) - 0.5, -0.5, rows - 0.5, **lines)


def _write(ax: Any, values: Floats, dark: NDArray[np.bool_], width: float, height: float) -> None:
    """Write the values into cells of so many inches, with as many digits as fit, if any do."""
    for digits in (3, 2):
        size = min(0.9 * INCH * width / (CHARACTER * (digits + 2)), 0.7 * INCH * height, LARGEST)
        if size >= SMALLEST:
            texts = [["" if np.isnan(value) else f"{value:.{digits}f}" for value in row] for row in values.tolist()]
            write_cells(ax, np.array(texts, dtype=object), dark, size)
            return


def _bars(ax: Any, means: Floats, *, top: float, room: float, width: float, height: float) -> None:
    """Draw the means below the triangle, each as a bar from 0 with its number over it, in columns of so many inches."""
    upright = 0.9 * INCH * width / (CHARACTER * 6) < SMALLEST
    size = LARGEST - 1
    has_numbers = INCH * width > 1.1 * size
    letters = (CHARACTER * 6 if upright else 1) * size + 6  # height of a number and its margins
    share = float(np.clip(1 - letters / INCH / height, 0.3, 0.9)) if has_numbers else 0.9  # of the room for bars
    lengths = np.nan_to_num(means)
    low, high = min(lengths.min(), 0.0), max(lengths.max(), 0.0)
    unit = share * room / max(high - low, 0.01)  # cells for a mean of 1
    zero = top + (1 - share) * room + high * unit
    columns = np.arange(len(means))
    ax.bar(columns, -lengths * unit, bottom=zero, width=0.8, color=BLUE)
    ax.hlines(zero, -0.5, len(means) - 0.5, color=BLACK, linewidth=0.8)
    marked = [mean for mean in SCALE if low <= mean <= high]
    ax.set_yticks([zero - mean * unit for mean in marked], [f"{mean:g}" for mean in marked], minor=True, fontsize=7)
    if has_numbers:
        for column, mean in enumerate(means.tolist()):
            ax.annotate(
                decimal(mean),
                (column, zero - max(lengths[column], 0.0) * unit), (0, 2), textcoords="offset points",
                ha="center", va="bottom", fontsize=size, rotation=90 if upright else 0, gid="mean",
            )  # fmt: skip


def _explain(ax: Any, pairwise: Pairwise) -> None:
    patch = optional("matplotlib.patches", "plot").Patch
    key = legend_above(
        ax, [patch(facecolor=tone) for tone, _ in SHADES.values()], [name for _, name in SHADES.values()], size=8
    )
    sets = "1 data set" if pairwise.n == 1 else f"{pairwise.n:,} data sets"
    title = f"{pairwise.what} over {sets}:\nmean of the column less mean of the row, significant at 5 % by"
    key.set_title(title, {"size": 8})
    key.get_title().set(ha="center", **LITERAL)
