"""A curve over the number of clusters with bars of its error and the chosen number marked."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from clustval.plot.style import BLUE, VERMILION, legend_above, whole_numbers_on

Array = NDArray[Any]


def curve_with_bars(ax: Any, k: Array, values: Array, errors: Array, label: str, best: int | None, by: str) -> None:
    """Draw values over k with bars, and a mark on the best k; `label` names the curve and `by` the rule."""
    order = np.argsort(k)
    bars = ax.errorbar(
        k[order], values[order], yerr=errors[order], color=BLUE, marker="o", markersize=5, linewidth=1.5, capsize=4
    )
    handles, names = [bars], [label]
    if best is None:
        handles.append(ax.plot([], [], linestyle="none")[0])
        names.append(f"no k chosen{by}")
    else:
        ax.axvline(best, color=VERMILION, linestyle="--", linewidth=1)
        style = {"linestyle": "none", "marker": "D", "markersize": 9, "color": VERMILION, "zorder": 5, "gid": "chosen"}
        handles += ax.plot([best], values[k == best], **style)
        names.append(f"k = {best}{by}")
    legend_above(ax, handles, names)
    whole_numbers_on(ax.xaxis)
    ax.set_xlabel("number of clusters k")
