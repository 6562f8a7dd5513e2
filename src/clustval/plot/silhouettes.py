"""The silhouette plot: one bar per point, sorted within its cluster."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.arrays import Floats
from clustval.errors import InputError, UndefinedIndexError, optional
from clustval.plot.style import (
    BLACK,
    INCH,
    LITERAL,
    axes,
    colour,
    inches,
    legend_above,
    short_text,
    short_texts,
    spread_out,
)

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.results import Scores
    from clustval.sources.partition import Partition


STEPS = 400  # bars of a cluster that can be told apart; of more points, evenly spaced ones are drawn
LEAST = 0.5  # height of a small cluster, in heights of an average one, below which it could not be seen
GAP = 0.15  # between clusters, in heights of an average one


def silhouette(scores: Scores, name: str = "silhouette", *, names: Any = None, ax: Axes | None = None) -> Axes:
    """Show the value of every point, sorted within its cluster, with the averages of clusters and of all points.

    `name` is an index of `scores` that is made of values of points. The height of a cluster grows with its number
    of points; very small ones are drawn higher than they are, so that they can be seen. Noise that was left out is
    not shown. Beside each cluster stand its number of points and its average. `names` are what clusters are called: a
    mapping from labels, ``{0: "loyal"}``, or one for each label in sorted order.
    """
    scores = scores if names is None else scores.renamed(names)
    key = scores._choice(name).name  # noqa: SLF001
    if math.isnan(scores[key]):
        raise UndefinedIndexError(scores.reasons[key])
    source: Partition = scores._points  # noqa: SLF001
    if not hasattr(source, "kept"):
        msg = "Values of single points are drawn where points are in memory; these were read in blocks."
        raise InputError(msg)
    values = scores.per_point(name)[source.kept]
    clusters = [np.sort(part)[::-1] for part in np.split(values, source.starts[1:-1])]
    ax = axes(ax, (6.4, float(np.clip(0.24 * source.k + 1, 4, 14))))

    heights = np.maximum(source.mass * (source.k / source.count), LEAST)
    tops = np.cumsum(heights + GAP) - GAP
    for cluster, (part, top, height) in enumerate(zip(clusters, tops, heights, strict=True)):
        _draw_cluster(ax, part, top - height, height, colour(cluster))

    means = [float(part.mean()) for part in clusters]
    if source.weights is not None:
        parts = zip(*(np.split(v, source.starts[1:-1]) for v in (values, source.weights)), strict=True)
        means = [float(np.average(part, weights=weights)) for part, weights in parts]
    ax.vlines(means, tops - heights, tops, color="white", linewidth=3)
    ax.vlines(means, tops - heights, tops, color=BLACK, linewidth=1.5)
    overall = ax.axvline(scores[name], color=BLACK, linestyle="--", linewidth=1.2)
    _name_clusters(ax, source, means, tops - heights / 2)

    low = min(0.0, float(values.min()))
    ax.set_xlim(low - 0.05 * (low < 0), max(1.0, float(values.max())))
    ax.set_ylim(tops[-1] + GAP, -GAP)
    ax.axvline(0, color=BLACK, linewidth=0.8)
    ax.set_xlabel(f"{short_text(name)} of a point", **LITERAL)
    ax.set_ylabel("cluster")
    stroke = optional("matplotlib.lines", "plot").Line2D([], [], color=BLACK, linewidth=1.5)
    entries = [f"{short_text(name)} {scores[name]:.3f}", "average of a cluster"]
    legend_above(ax, [overall, stroke], entries)
    return ax


def _draw_cluster(ax: Any, values: Floats, bottom: float, height: float, tone: str) -> None:
    """Draw sorted values as one area of steps, thinned where there are more than the eye can tell apart."""
    if len(values) > STEPS:
        values = values[np.linspace(0, len(values) - 1, STEPS).round().astype(np.int64)]
    edges = bottom + height * np.linspace(0, 1, len(values) + 1)
    ax.fill_betweenx(np.repeat(edges, 2)[1:-1], 0, np.repeat(values, 2), facecolor=tone, edgecolor=BLACK, linewidth=0.3)


def _name_clusters(ax: Any, source: Partition, means: list[float], middles: Floats) -> None:
    """Write the label of each cluster on the left, its size and average on the right, where there is room."""
    names = short_texts(source.names, 16)
    per_inch = float(middles[-1] - middles[0] + 1) / inches(ax)[1]
    closest = float(np.diff(middles).min()) / per_inch * INCH if len(middles) > 1 else INCH
    size = float(np.clip(0.8 * closest, 5, 10))
    places = spread_out(middles.tolist(), 1.2 * size / INCH * per_inch)
    ax.set_yticks(middles[places], [names[at] for at in places], fontsize=size, **LITERAL)
    ax.tick_params(axis="y", length=0)
    for at in places:
        text = f"n = {source.mass[at]:,.10g},  {means[at]:.2f}"
        where = {"xy": (1, middles[at]), "xycoords": ("axes fraction", "data")}
        ax.annotate(text, **where, xytext=(4, 0), textcoords="offset points", va="center", fontsize=size)
