"""The curve of stability under resampling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clustval.plot.error_bars import curve_with_bars
from clustval.plot.style import LITERAL, axes, short_text

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.relative.stability import Stability


def stability(result: Stability, *, ax: Axes | None = None) -> Axes:
    """Show how well clusterings of samples agree for each number of clusters, with bars of one standard deviation."""
    ax = axes(ax)
    table = result.table
    label = f"mean ± s.d. over pairs of {result.n_samples} samples"
    curve_with_bars(ax, table["k"], table["mean"], table["sd"], label, result.best, ", most stable")
    ax.set_ylabel(f"{short_text(result.index, 40)} between samples", **LITERAL)
    return ax
