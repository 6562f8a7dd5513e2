"""The tree of clusters over the values of a parameter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clustval.plot.flow_diagram import draw
from clustval.plot.style import LITERAL

if TYPE_CHECKING:
    from clustval.plot.style import Axes
    from clustval.relative.seeded_sweep import SeededSweep


def cluster_tree(swept: SeededSweep, *, colour: Any = None, ax: Axes | None = None) -> Axes:
    """Draw the clusters of each partition of a sweep as bars, and the points that they share as ribbons.

    Partitions that are the same are drawn once; a cluster that is the same in the next partition goes on as a band. The
    colour deepens with the consistency of the points of a cluster over seeds, or with `colour`: one class for each
    point (purity), one number for each point (their mean), "gap" (between the parts that a cluster falls into next), or
    a value for each cluster, by the name of its partition.
    """
    ax = draw(swept.drawing(colour), ax)
    ax.set_xlabel(swept.parameter, **LITERAL)
    return ax
