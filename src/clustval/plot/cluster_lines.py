"""What is known of each cluster or partition, a line each: stability, edges, outsiders, classes, effects of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from clustval.plot.style import (
    BLACK,
    BLUE,
    GREY,
    LITERAL,
    VERMILION,
    axes,
    legend_above,
    name_cells,
    short_texts,
    spread_out,
    write_cells,
)

if TYPE_CHECKING:
    from clustval.compare.class_agreement import ClassAgreement
    from clustval.plot.style import Axes
    from clustval.relative.calibration import Calibration
    from clustval.relative.clusterwise import ClusterwiseStability
    from clustval.relative.communities import CommunityTest
    from clustval.tracking.assign import Assignment
    from clustval.tracking.profile import Profile

MOST_COLUMNS = 30
WRITTEN = 120  # cells up to which numbers are written into a heat map
DARK = 0.6  # share of the largest effect from which on a cell is dark


def _lines(ax: Axes | None, names: Sequence[Any]) -> tuple[Axes, NDArray[Any]]:
    """Return axes with a line for each name, the first on top, and the places of the lines."""
    ax = axes(ax, (6.0, float(np.clip(0.3 * len(names) + 1.2, 2.4, 12))))
    places = np.arange(len(names))
    shown = spread_out(places.tolist(), max(1.0, len(names) / 40))
    texts = short_texts(names, 20)
    ax.set_yticks([places[at] for at in shown], [texts[at] for at in shown], **LITERAL)
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.tick_params(axis="y", length=0)
    return ax, places


def clusterwise_stability(result: ClusterwiseStability, *, ax: Axes | None = None) -> Axes:
    """Show how well each cluster is found again in each sample, and what clusters of data without clusters reach."""
    ax, places = _lines(ax, result.table["cluster"].tolist())
    samples, clusters = result.values.shape
    jitter = np.linspace(-0.25, 0.25, samples)[:, None] + places
    style: dict[str, Any] = {"s": 10, "color": GREY, "alpha": 0.5, "linewidths": 0}
    handles: list[Any] = [ax.scatter(result.values.ravel(), jitter.ravel(), **style)]
    style = {"linestyle": "none", "marker": "D", "color": BLUE, "markersize": 7}
    handles += ax.plot(result.table["mean"], places[:clusters], **style)
    names = ["a sample", "mean"]
    if np.isfinite(result.threshold):
        handles.append(ax.axvline(result.threshold, color=VERMILION, linestyle="--", linewidth=1.2))
        names.append("95 % of clusters without structure")
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("Jaccard similarity to the cluster of the sample that is most like it")
    ax.set_ylabel("cluster")
    legend_above(ax, handles, names, size=8)
    return ax


def community_test(result: CommunityTest, *, ax: Axes | None = None) -> Axes:
    """Show the edges inside each community, beside the mean and two standard deviations of random graphs."""
    table = result.table
    ax, places = _lines(ax, table["cluster"].tolist())
    chance = ax.errorbar(
        table["expected"], places, xerr=2 * table["sd"], color=GREY, marker="|", linestyle="none", capsize=3
    )
    edges = ax.plot(table["inside"], places, linestyle="none", marker="D", color=BLUE, markersize=7)
    legend_above(ax, [*edges, chance], ["edges inside", "by chance, ± 2 s.d."])
    ax.set_xlabel("edges inside")
    ax.set_ylabel("community")
    return ax


def assignment(result: Assignment, *, ax: Axes | None = None) -> Axes:
    """Show how many new rows nearest to each cluster are like none of its members, and how many chance would give."""
    table = result.table
    ax, places = _lines(ax, table["cluster"].tolist())
    rows = np.maximum(table["rows"], 1)
    bars = ax.barh(places, table["outside"] / rows, color=BLUE, height=0.6)
    chance = ax.plot(table["expected"] / rows, places, linestyle="none", marker="|", color=VERMILION, markersize=16)
    legend_above(ax, [bars, *chance], ["rows like no member", "by chance"])
    ax.set_xlim(0, None)
    ax.set_xlabel("share of the rows that are nearest to the cluster")
    ax.set_ylabel("cluster")
    return ax


def class_agreement(result: ClassAgreement, *, ax: Axes | None = None) -> Axes:
    """Show for each class how much of it its nearest cluster holds, and how much of the cluster it is."""
    matches = list(result.classes.values())
    ax, places = _lines(ax, [f"{name} in {match.nearest}" for name, match in result.classes.items()])
    bars = ax.barh(places, [match.jaccard for match in matches], color=BLUE, height=0.6, alpha=0.5)
    points = [
        ax.plot([getattr(match, part) for match in matches], places, linestyle="none", marker=mark, color=BLACK)[0]
        for part, mark in (("recall", "o"), ("precision", "x"))
    ]
    names = ["Jaccard", "share of the class", "share of the cluster"]
    legend_above(ax, [bars, *points], names, size=8)
    ax.set_xlim(0, 1.02)
    ax.set_ylabel("class in its nearest cluster")
    return ax


def profile(result: Profile, *, most: int = MOST_COLUMNS, ax: Axes | None = None) -> Axes:
    """Show the effect of each column in each cluster: the difference from all other rows, in standard deviations.

    Of more than `most` columns, those with the largest effects are shown.
    """
    records = result.effects.records
    clusters = result.table["cluster"].tolist()
    largest: dict[Any, float] = {}
    for record in records:
        size = abs(record["effect"]) if np.isfinite(record["effect"]) else 0.0
        largest[record["column"]] = max(largest.get(record["column"], 0.0), size)
    columns = sorted(largest, key=lambda column: -largest[column])[:most]
    effects = np.full((len(clusters), len(columns)), np.nan)
    for record in records:
        if record["column"] in columns:
            effects[clusters.index(record["cluster"]), columns.index(record["column"])] = record["effect"]
    finite = effects[np.isfinite(effects)]
    reach = float(np.abs(finite).max()) if len(finite) else 1.0
    width, height = 0.55 * len(columns) + 2.5, 0.35 * len(clusters) + 1.5
    ax = axes(ax, (float(np.clip(width, 4, 14)), float(np.clip(height, 2.4, 12))))
    image = ax.imshow(effects, cmap="RdBu_r", vmin=-reach or -1.0, vmax=reach or 1.0, aspect="auto")
    name_cells(ax, clusters, columns)
    if effects.size <= WRITTEN:
        texts = np.vectorize(lambda value: f"{value:+.1f}" if np.isfinite(value) else "")(effects)
        write_cells(ax, texts, np.abs(np.nan_to_num(effects)) > DARK * reach, 7)
    ax.figure.colorbar(image, ax=ax, label="standard deviations above other rows")
    ax.set_ylabel("cluster")
    return ax


def calibration(result: Calibration, *, ax: Axes | None = None) -> Axes:
    """Show the aggregate of each partition in standard deviations above random clusterings, and each statistic."""
    ax, places = _lines(ax, list(result.names))
    bars = ax.barh(places, np.nan_to_num(result.aggregate), color=BLUE, height=0.6, alpha=0.5)
    style: dict[str, Any] = {"linestyle": "none", "marker": "|", "color": BLACK, "markersize": 9}
    weighed = [at for at, choice in enumerate(result.choices) if result.weights.get(choice.name, 0.0) > 0]
    marks = [ax.plot(result.z[:, at], places, **style)[0] for at in weighed]
    legend_above(ax, [bars, *marks[:1]], ["aggregate", "each statistic"][: 1 + bool(marks)])
    ax.axvline(0, color=BLACK, linewidth=0.8)
    ax.set_xlabel("standard deviations above random clusterings")
    ax.set_ylabel("partition")
    return ax
