"""How often points are together in many labellings, ordered so that consensus clusters are blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clustval.plot.style import axes

if TYPE_CHECKING:
    from clustval.ensembles.consensus import Consensus
    from clustval.plot.style import Axes

MOST = 1000  # points that are drawn; of more, evenly chosen ones


def consensus(result: Consensus, k: int, *, ax: Axes | None = None) -> Axes:
    """Show the co-association in the order of k consensus clusters: points that are always together are dark blocks.

    Inside a cluster the surest points come first. Of more than 1,000 points, 1,000 are drawn.
    """
    ax = axes(ax, (5.4, 4.4))
    labels, sure = result.labels(k), result.confidence(k)
    order = np.lexsort((-np.nan_to_num(sure), labels))
    order = order[np.unique(np.linspace(0, len(order) - 1, min(MOST, len(order))).astype(int))]
    image = result.matrix(order)[:, order]
    n = len(order)
    drawn = ax.imshow(image, cmap="Blues", vmin=0, vmax=1, extent=(0, n, n, 0), interpolation="nearest", aspect="equal")
    ax.figure.colorbar(drawn, ax=ax, fraction=0.046).set_label("share of labellings that put both together")
    for edge in (np.flatnonzero(np.diff(labels[order])) + 1).tolist():
        ax.axhline(edge, color="black", linewidth=0.8)
        ax.axvline(edge, color="black", linewidth=0.8)
    ax.set_xlabel(f"points in the order of {k} consensus clusters")
    ax.set_ylabel(f"points in the order of {k} consensus clusters")
    return ax
