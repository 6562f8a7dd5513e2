"""How far two trees agree at each number of clusters, beside what unrelated trees would give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clustval.plot.style import BLACK, BLUE, GREY, axes, legend_above, whole_numbers_on

if TYPE_CHECKING:
    from clustval.compare.tree_levels import FowlkesMallowsCurve
    from clustval.plot.style import Axes

MANY = 60  # numbers of clusters, from which small ones get more room
DOTS = 40  # numbers of clusters that have a dot each at most


def fowlkes_mallows_bk(curve: FowlkesMallowsCurve, *, ax: Axes | None = None) -> Axes:
    """Show B_k for each number of clusters, with its mean and two standard deviations for unrelated trees.

    Points above the band are agreement that chance does not explain. The axis of k is logarithmic if there are many.
    """
    ax = axes(ax)
    k, mean, deviation = curve.k, curve.mean, np.sqrt(curve.variance)
    band = ax.fill_between(
        k, mean - 2 * deviation, mean + 2 * deviation, color=GREY, alpha=0.35, linewidth=0, gid="band"
    )
    (middle,) = ax.plot(k, mean, color=BLACK, linestyle="--", linewidth=1.2, gid="mean")
    marker = "o" if len(k) <= DOTS else ""
    (line,) = ax.plot(k, curve.values, color=BLUE, marker=marker, markersize=4, linewidth=1.5, gid="values")
    legend_above(ax, [line, middle, band], ["B_k", "mean of unrelated trees", "± 2 s.d."])
    if len(k) > MANY:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda number, _place: f"{number:g}")
    else:
        whole_numbers_on(ax.xaxis)
    ax.set_ylim(-0.02, 1.02)
    ax.set_xlabel("number of clusters k")
    ax.set_ylabel("pairs that stay together, B_k")
    return ax
