"""The distances between points, ordered so that clusters are blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clustval.plot.style import LITERAL, axes, short_text

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.tendency.vat import Picture


def vat(picture: Picture, *, distance: str = "distance", ax: Axes | None = None) -> Axes:
    """Show the distances between points in the order of `vat` or `ivat`: clusters are dark blocks on the diagonal.

    `distance` says what the distance is, with its unit if it has one.
    """
    ax = axes(ax, (5.4, 4.4))
    n = len(picture.order)
    image = ax.imshow(picture.image, cmap="gray", vmin=0, extent=(0, n, n, 0), interpolation="nearest", aspect="equal")
    ax.figure.colorbar(image, ax=ax, fraction=0.046).set_label(short_text(distance, 40), **LITERAL)
    ax.set_xlabel("points in the order of the tree")
    ax.set_ylabel("points in the order of the tree")
    return ax
