"""Divergences of the data from random samples, beside those of random samples from each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clustval.plot.style import BLACK, BLUE, GREY, axes, legend_above

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.tendency.divergence import Divergence

BINS = 50


def distance_distribution(result: Divergence, *, ax: Axes | None = None) -> Axes:
    """Show how far the distances of the data are from those of random samples, and these from each other."""
    return _histogram(result, "distances", ax)


def spatial_histogram(result: Divergence, *, ax: Axes | None = None) -> Axes:
    """Show how far the data on a grid are from random samples on it, and these from each other."""
    return _histogram(result, "points on a grid", ax)


def _histogram(result: Divergence, what: str, ax: Axes | None) -> Axes:
    ax = axes(ax)
    edges = np.histogram_bin_edges(np.concatenate([result.values, result.null]), BINS).tolist()
    # Hatches tell the two apart in grey.
    _, _, null = ax.hist(result.null, edges, color="white", edgecolor=GREY, hatch="////", linewidth=0.6)
    _, _, bars = ax.hist(result.values, edges, color=BLUE, edgecolor="white", linewidth=0.4)
    mean = ax.axvline(result.mean, color=BLACK, linestyle="--", linewidth=1.2)
    names = ["data from samples", "samples from each other", f"mean {result.mean:.3g}, s.d. {result.std:.2g}"]
    legend_above(ax, [bars, null, mean], names, size=8)
    ax.set_xlabel(f"divergence of {what} (bits)")
    ax.set_ylabel("samples")
    return ax
