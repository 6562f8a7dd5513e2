"""Curves of indices over the number of clusters, one panel per index, with the choice of each marked."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.errors import InputError
from clustval.plot.style import (
    BLUE,
    GREY,
    INCH,
    LITERAL,
    VERMILION,
    axes,
    figure,
    inches,
    short_text,
    short_texts,
    spread_out,
    whole_numbers_on,
)

if TYPE_CHECKING:
    from clustval.plot.style import Axes, Figure
    from clustval.relative.sweep_result import Sweep

TITLE = 40  # characters in a line over a panel
NAMED = 30  # partitions with the same numbers of clusters up to which each has its own place on the axis


def curve(sweep: Sweep, index: str, *, ax: Axes | None = None) -> Axes:
    """Show the values of one index over the number of clusters, with the partition that it chooses marked.

    Where several partitions have the same number of clusters, each has its own place on the axis if there are few;
    if there are many, all are dots over their number and a line joins the best. A cross on the axis stands for a
    partition without a value, a triangle at the edge for an infinite one.
    """
    (name,) = _full_names(sweep, [index])
    ax = axes(ax)
    values, rule = sweep[name], sweep.rules[name]
    by_name = _by_name(sweep)
    at = np.arange(len(sweep)) if by_name else sweep.k
    finite = np.isfinite(values)

    line = np.flatnonzero(finite) if by_name else _best_of_each(at, np.where(finite, values, np.nan), rule.better)
    heights = np.full(len(values), np.nan)
    heights[line] = values[line]
    order = np.argsort(at, kind="stable") if by_name or len(set(at.tolist())) == len(at) else line
    ax.plot(at[order], heights[order], color=BLUE, linewidth=1.5, linestyle="none" if by_name else "-")
    ax.plot(at[finite], values[finite], color=BLUE, linestyle="none", marker="o", markersize=4, gid="values")

    # On the frame, where the scale of the values does not reach.
    edge: dict[str, Any] = {"transform": ax.get_xaxis_transform(), "clip_on": False, "linestyle": "none", "zorder": 4}
    for there, height, shape, gid in (
        (np.isnan(values), 0.04, "x", "undefined"),
        (np.isposinf(values), 1, "^", "infinite"),
        (np.isneginf(values), 0, "v", "infinite"),
    ):
        if there.any():
            tone = GREY if gid == "undefined" else BLUE
            ax.plot(at[there], np.full(there.sum(), height), marker=shape, color=tone, gid=gid, **edge)

    best = sweep.best()[name]
    if best is not None:
        row = sweep.names.index(best)
        height, how = (values[row], {}) if finite[row] else (1 if values[row] > 0 else 0, edge)
        ax.axvline(at[row], color=VERMILION, linestyle="--", linewidth=1)
        options: dict[str, Any] = {"linestyle": "none", "zorder": 5, **how}
        ax.plot([at[row]], [height], marker="D", markersize=8, color=VERMILION, gid="chosen", **options)

    _name_partitions(ax, sweep, by_name)
    ax.set_title(_title(sweep, name), fontsize=9, **LITERAL)
    return ax


def curves(sweep: Sweep, indices: str | Iterable[str] | None = None, *, columns: int = 3) -> Figure:
    """Show the curve of each index over the number of clusters in a panel of its own; return the figure.

    `indices` are names of indices of the sweep; all of them by default. Scales differ, so that each panel has its own.
    """
    names = _full_names(sweep, [indices] if isinstance(indices, str) else sweep.indices if indices is None else indices)
    across = max(1, min(columns, len(names)))
    down = math.ceil(len(names) / across)
    drawing, panels = figure(down, across, (3.4 * across, (3.3 if _by_name(sweep) else 2.5) * down + 0.2))
    for panel, name in zip(panels, names, strict=False):
        curve(sweep, name, ax=panel)
    for panel in panels[len(names) :]:
        panel.remove()
    for panel in panels[: max(0, len(names) - across)]:
        panel.set_xlabel("")  # said once, under the last panel of each column
    return drawing


def _by_name(sweep: Sweep) -> bool:
    """Whether partitions have places of their own, for numbers of clusters do not tell them apart."""
    return len(set(sweep.k.tolist())) < len(sweep) <= NAMED


def _full_names(sweep: Sweep, names: Iterable[str]) -> list[str]:
    """Return the names of indices as the sweep knows them."""
    full_names = []
    for name in names:
        try:
            full_names.append(sweep.indices[sweep._column(name)])  # noqa: SLF001
        except KeyError:
            msg = f"{name!r} is not in this sweep; {', '.join(sweep.indices)} are."
            raise InputError(msg) from None
    if not full_names:
        msg = "indices names no index of the sweep; give at least one, or None for all."
        raise InputError(msg)
    return full_names


def _best_of_each(k: NDArray[Any], values: NDArray[np.float64], better: str) -> NDArray[np.int64]:
    """Return the position of the best known value for each number of clusters, in the order of these numbers."""
    cost = {"higher": -values, "nearer 0": np.abs(values)}.get(better, values)
    order = np.lexsort((cost, k))  # NaN comes last among equals
    first = order[np.unique(k[order], return_index=True)[1]]
    return first[~np.isnan(values[first])]


def _name_partitions(ax: Any, sweep: Sweep, by_name: bool) -> None:
    if not by_name:
        whole_numbers_on(ax.xaxis)
        ax.set_xlabel("number of clusters k")
        margin = 0.05 * max(1, int(sweep.k.max() - sweep.k.min()))
        ax.set_xlim(sweep.k.min() - margin, sweep.k.max() + margin)
        return
    names = short_texts(sweep.names, 14)
    ticks = spread_out(range(len(sweep)), len(sweep) * 10 / INCH / inches(ax)[0])
    ax.set_xticks(ticks, [names[at] for at in ticks], rotation=90, fontsize=8, **LITERAL)
    ax.set_xlim(-0.5, len(sweep) - 0.5)
    ax.set_xlabel("partition")


def _title(sweep: Sweep, name: str) -> str:
    best, rule = sweep.best()[name], sweep.rules[name]
    if best is not None:
        choice = [f"chooses {short_text(best, 12)}", rule.name]
        fits = ": ".join(choice)
        return "\n".join([short_text(name, 40), *([fits] if len(fits) <= TITLE else choice)])
    why = "describes, does not choose" if rule.better == "neither" else "cannot choose"
    return f"{short_text(name, 40)}\n{why}"
