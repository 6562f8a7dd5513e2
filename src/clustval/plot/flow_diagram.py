"""Clusterings that follow each other: bars for clusters, and ribbons for the points that they share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from clustval.errors import optional
from clustval.layered import BAR, HEIGHT, WIDTH, LayeredDrawing, Scale
from clustval.plot.style import BLACK, GREY, LITERAL, LONGEST, PALETTE, axes, short_text

if TYPE_CHECKING:
    from clustval.compare.side_by_side import Agreements
    from clustval.plot.style import Axes
    from clustval.tracking.track import Track

NAMED = 11.0  # height of a bar from which on its cluster is named
MANY = 12  # columns from which on they are narrow
CLEAR, SOLID = 0.3, 0.8  # of ribbons, and of those that are one cluster
LIGHT, DEEP = (0.87, 0.92, 0.97), (0.03, 0.29, 0.55)  # colours of 0 and of 1


def flows(track: Track | Agreements, *, ax: Axes | None = None) -> Axes:
    """Draw what becomes of clusters: a bar for each cluster at each time, ribbons for the rows that go from one to one.

    Of several labellings of the same points, the columns are the labellings.

    Clusters that keep their name keep their colour. Ribbons leave part of a bar free where rows are gone or new.
    """
    return draw(track.drawing, ax)


def draw(drawing: LayeredDrawing, ax: Axes | None = None) -> Axes:
    """Draw bars and ribbons from left to right."""
    columns = len(drawing.titles)
    width = 0.9 * columns if columns < MANY else 0.5 * columns + 5
    ax = axes(ax, (max(4.8, width + 1.5), max(4.2, 0.18 * drawing.most)))
    patches, path = optional("matplotlib.patches", "plot"), optional("matplotlib.path", "plot").Path
    curve = [path.MOVETO, *[path.CURVE4] * 3, path.LINETO, *[path.CURVE4] * 3, path.CLOSEPOLY]
    for ribbon in drawing.ribbons:
        x, z = ribbon.source.x + BAR, ribbon.target.x
        m, a, b, w = (x + z) / 2, ribbon.start, ribbon.end, ribbon.thickness
        corners = [(x, a), (m, a), (m, b), (z, b), (z, b + w), (m, b + w), (m, a + w), (x, a + w), (x, a)]
        colour = colour_of(ribbon.target.cluster)
        alpha = SOLID if ribbon.target.goes_on else CLEAR
        ax.add_patch(patches.PathPatch(path(corners, curve), facecolor=colour, edgecolor="none", alpha=alpha))
    for bar in drawing.bars:
        if bar.goes_on:
            size = (bar.x, bar.y), BAR, max(bar.height, 1.0)
            colour = colour_of(bar.cluster)
            ax.add_patch(patches.Rectangle(*size, facecolor=colour, edgecolor="none", alpha=SOLID))
            continue
        size = (bar.x, bar.y), BAR, max(bar.height, 1.0)
        ax.add_patch(patches.Rectangle(*size, facecolor=colour_of(bar.cluster), edgecolor=BLACK, linewidth=0.4))
        if bar.height >= NAMED:
            at = bar.x + BAR + 2, bar.y + bar.height / 2
            ax.text(*at, short_text(bar.cluster.name, 12), fontsize=8, va="center", **LITERAL)
    ax.set_xlim(-BAR, drawing.width + WIDTH / 2)
    ax.set_ylim(HEIGHT + 4, -4)
    ax.set_yticks([])
    ax.set_xticks([column * WIDTH + BAR / 2 for column in range(columns)])
    upright = columns > 8
    texts = [short_text(title, LONGEST if upright else 14) for title in drawing.titles]
    ax.set_xticklabels(texts, rotation=90 if upright else 0, **LITERAL)
    for side in ("left", "right", "top", "bottom"):
        ax.spines[side].set_visible(False)
    if drawing.scale is not None:
        _add_scale(ax, drawing.scale)
    return ax


def _add_scale(ax: Axes, scale: Scale) -> None:
    """Draw what colours mean beside the bars."""
    colours = optional("matplotlib.colors", "plot")
    deepening = colours.LinearSegmentedColormap.from_list("deepening", [LIGHT, DEEP])
    mapped = optional("matplotlib.cm", "plot").ScalarMappable(colours.Normalize(scale.low, scale.high), deepening)
    ax.figure.colorbar(mapped, ax=ax, label=scale.what, fraction=0.02, pad=0.01)


def colour_of(cluster: Any) -> str:
    """Return the colour of a cluster: that of its group, or one that deepens with its value."""
    if cluster.value is not None:
        share = min(max(cluster.value, 0.0), 1.0)
        return hexadecimal([a + share * (b - a) for a, b in zip(LIGHT, DEEP, strict=True)])
    return GREY if cluster.group is None else PALETTE[cluster.group % len(PALETTE)]


def hexadecimal(colour: Iterable[float]) -> str:
    """Return a colour as pages write it.

    >>> hexadecimal((1.0, 0.5, 0.0))
    '#ff8000'
    """
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in colour)
