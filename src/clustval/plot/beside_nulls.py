"""Values beside those of data without clusters: of points, of an index over k, of consensus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.errors import InputError
from clustval.plot.error_bars import curve_with_bars
from clustval.plot.style import BLUE, GREY, LITERAL, VERMILION, axes, legend_above, short_text, whole_numbers_on

if TYPE_CHECKING:
    from clustval.choosing.structure import Structure
    from clustval.choosing.value_significance import Significance
    from clustval.ensembles.consensus import ConsensusByNumber
    from clustval.plot.style import Axes
    from clustval.relative.prediction import PredictionStrength

BINS = 20
STRIPES = ("//", "\\\\", "..", "xx")  # tell nulls apart in grey


def structure(result: Structure, *, ax: Axes | None = None) -> Axes:
    """Show how clustered the data are, beside sets of points without clusters, of the last null that was drawn."""
    if not result.null:
        why = "; ".join(f"{name}: {reason}" for name, reason in result.reasons.items())
        msg = f"No data without clusters were drawn, so that there is nothing to show beside these ({why})."
        raise InputError(msg)
    ax = axes(ax)
    name, draws = list(result.null.items())[-1]
    edges = np.histogram_bin_edges(np.append(draws, result.statistic), BINS).tolist()
    _, _, bars = ax.hist(draws, edges, color=GREY, edgecolor="white", linewidth=0.4)
    value = ax.axvline(result.statistic, color=VERMILION, linewidth=2)
    above = int((draws >= result.statistic).sum())
    legend_above(ax, [bars, value], [f"{len(draws)} sets without clusters ({name})", "the data"], size=8)
    ax.set_xlabel(f"how clustered the points are; {above} of {len(draws)} sets as much or more")
    ax.set_ylabel("sets")
    return ax


def significance(result: Significance, *, ax: Axes | None = None) -> Axes:
    """Show the values of an index over the number of clusters, beside the range of its values without clusters."""
    ax = axes(ax)
    order = np.argsort(result.k)
    k = result.k[order]
    handles: list[Any] = []
    names = []
    for (name, draws), stripes in zip(result.null.items(), STRIPES * len(result.null), strict=False):
        known = np.where(np.isfinite(draws), draws, np.nan)[:, order]
        low, high = np.nanmin(known, axis=0), np.nanmax(known, axis=0)
        if len(k) == 1:  # a band of one number has no width
            band: Any = ax.vlines(k, low, high, color=GREY, linewidth=8, alpha=0.4)
        else:
            band = ax.fill_between(k, low, high, facecolor=GREY, edgecolor="white", alpha=0.4, hatch=stripes)
        handles.append(band)
        names.append(f"{len(draws)} sets without clusters ({name})")
    handles += ax.plot(k, result.values[order], color=BLUE, marker="o", linewidth=1.5)
    handles += ax.plot(
        [result.best_k], [result.value], linestyle="none", marker="D", markersize=9, color=VERMILION, gid="chosen"
    )
    names += ["the data", f"k = {result.best_k}, stands out most"]
    legend_above(ax, handles, names, size=8)
    whole_numbers_on(ax.xaxis)
    ax.set_xlabel("number of clusters k")
    ax.set_ylabel(short_text(result.index, 40), **LITERAL)
    return ax


def consensus_by_number(result: ConsensusByNumber, *, ax: Axes | None = None) -> Axes:
    """Show the share of ambiguous pairs for each number of clusters, beside that of data without clusters."""
    ax = axes(ax)
    table = result.table
    order = np.argsort(table["k"])
    k, ambiguous, null = (table[name][order] for name in ("k", "pac", "pac_null"))
    handles = ax.plot(k, ambiguous, color=BLUE, marker="o", linewidth=1.5)
    handles += ax.plot(k, null, color=GREY, marker="s", linestyle="--", linewidth=1.2)
    names = ["the data", "data without clusters"]
    if result.best is not None:
        mark: dict[str, Any] = {
            "linestyle": "none",
            "marker": "D",
            "markersize": 9,
            "color": VERMILION,
            "gid": "chosen",
        }
        handles += ax.plot([result.best], ambiguous[k == result.best], **mark)
        names.append(f"k = {result.best}, clearest")
    legend_above(ax, handles, names)
    whole_numbers_on(ax.xaxis)
    ax.set_xlabel("number of clusters k")
    ax.set_ylabel("share of ambiguous pairs")
    return ax


def prediction_strength(result: PredictionStrength, *, ax: Axes | None = None) -> Axes:
    """Show the prediction strength for each number of clusters with bars of one s.d., and how much is enough."""
    ax = axes(ax)
    table = result.table
    by = f", the largest with {result.threshold:g}"
    curve_with_bars(ax, table["k"], table["mean"], table["sd"], "mean ± s.d. over splits", result.best, by)
    ax.axhline(result.threshold, color=GREY, linestyle="--", linewidth=1, gid="threshold")
    ax.set_ylabel("prediction strength")
    return ax
