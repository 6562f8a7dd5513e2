"""A diagnosis drawn: the map of clusters with the doubt between neighbours, and the density between two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.discs import MOST, apart
from clustval.errors import InputError
from clustval.plot.style import (
    BLUE,
    GREY,
    LITERAL,
    ORANGE,
    PURPLE,
    VERMILION,
    axes,
    legend_above,
    short_text,
    short_texts,
)

if TYPE_CHECKING:
    from clustval.diagnosis.diagnosis import Diagnosis
    from clustval.plot.style import Axes

LARGEST, SMALLEST = 1600.0, 120.0  # area of a cluster, in square points
THICKEST = 7.0  # line between clusters that are surely one
WIDE = 280.0  # of the map, in points
BETWEEN = 26.0  # room between two clusters, in points: the number on their line stands there


def colour_of(verdict: str) -> str:
    """Return the colour of a verdict."""
    for start, colour in (
        ("separate", BLUE),
        ("no gap, and", VERMILION),
        ("no gap, but", PURPLE),
        ("two", ORANGE),
    ):
        if verdict.startswith(start):
            return colour
    return GREY


def diagnosis(result: Diagnosis, *, ax: Axes | None = None) -> Axes:
    """Show clusters by size and verdict, near each other where they are; lines are thick where they may be one."""
    ax = axes(ax, (7.0, 5.4))
    names = result.clusters["cluster"].tolist()
    sizes = result.clusters["size"].astype(float)
    verdicts = [verdict.split(" (")[0] for verdict in result.clusters["verdict"]]
    area = SMALLEST + (LARGEST - SMALLEST) * sizes / max(sizes.max(initial=0.0), 1.0)
    places = apart(result.places, np.sqrt(area / np.pi), wide=WIDE, between=BETWEEN)
    at = dict(zip(names, places, strict=True))
    for a, b, separate in zip(result.pairs["a"], result.pairs["b"], result.pairs["separate"], strict=True):
        ends = np.array([at[a], at[b]])
        ax.plot(*ends.T, color=GREY, linewidth=0.5 + THICKEST * (1 - separate), zorder=1, solid_capstyle="round")
        if len(names) <= MOST:
            ax.annotate(f"{separate:.2f}", ends.mean(axis=0), ha="center", va="center", fontsize=8, zorder=3)
    handles = []
    for verdict in dict.fromkeys(verdicts):
        here = np.array([each == verdict for each in verdicts])
        handles.append(
            ax.scatter(places[here, 0], places[here, 1], s=area[here], color=colour_of(verdict), alpha=0.85, zorder=2)
        )
    if len(names) <= MOST:
        for text, place in zip(short_texts(names, 14), places, strict=True):
            ax.annotate(text, place, ha="center", va="center", fontsize=9, fontweight="bold", zorder=4, **LITERAL)
    if handles:
        box = legend_above(ax, handles, list(dict.fromkeys(verdicts)))
        for handle in box.legend_handles:
            handle.set_sizes([60])
    ax.margins(0.2)
    ax.set_aspect("equal", adjustable="datalim")
    ax.set(xticks=[], yticks=[], xlabel="numbers on lines: P(separate)")
    return ax


def valley(result: Diagnosis, pair: tuple[Any, Any], *, ax: Axes | None = None) -> Axes:
    """Show the density of two clusters along the direction that tells them apart, and its lowest place between them.

    Every point is scored by a direction that it did not help to find.
    """
    pair = tuple(pair)
    seen = result.valleys.get(pair) or result.valleys.get(pair[::-1])
    if seen is None:
        known = ", ".join(str(each) for each in list(result.valleys)[:8]) or "none"
        msg = f"{pair!r} is no pair of neighbouring clusters with coordinates; there are {known}."
        raise InputError(msg)
    if pair not in result.valleys:
        pair = pair[::-1]
    ax = axes(ax)
    handles = [ax.plot(seen["places"], seen["density"], color=BLUE)[0]]
    names = [f"density from {short_text(pair[0], 14)} to {short_text(pair[1], 14)}"]
    if np.isfinite(seen["valley"]):
        handles.append(ax.axvline(seen["valley"], color=VERMILION, linestyle="--", linewidth=1, gid="valley"))
        names.append("lowest place between the medians")
    for middle in seen["medians"]:
        ax.axvline(middle, color=GREY, linestyle=":", linewidth=1)
    legend_above(ax, handles, names)
    ax.set(xlabel="standard deviations along the axis", ylabel="density", ylim=(0, None))
    return ax
