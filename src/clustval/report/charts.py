"""The interactive charts, as Vega-Lite: points on a plane, their silhouettes, and the curve of an index.

Colours of text and lines are the page's own, so that charts follow it from light to dark and onto paper. Each chart
reads a named data set of the page; signals link them: ``box`` is what is chosen in the plane, ``cluster`` the
cluster chosen by name, ``index`` the index whose curve is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clustval.errors import optional

# Apart for colour-blind eyes, and at least 3 : 1 in contrast on the page's white and on its dark ground.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07d00", "#3f93c8", "#8d6fd1", "#85754e")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
MOST_IN_LEGEND = 12
HEIGHT = 380
TALLEST = 1000
NAME = 11  # height of a name, in pixels

IN_CLUSTER = "cluster === null || datum.cluster === cluster"
IN_BOX = "box === null || (inrange(datum.x, box.x) && inrange(datum.y, box.y))"


def _configured(chart: Any, height: int = HEIGHT) -> dict[str, Any]:
    text = {"labelColor": "currentColor", "titleColor": "currentColor", "titleFontWeight": "normal"}
    lines = {
        "gridColor": "currentColor",
        "gridOpacity": 0.12,
        "domainColor": "currentColor",
        "tickColor": "currentColor",
    }
    chart = chart.properties(width="container", height=height, background="transparent").configure(
        font="system-ui, sans-serif",
        axis={**text, **lines, "labelFontSize": 11, "titleFontSize": 12, "titleLimit": 320},
        legend={**text, "labelFontSize": 11, "labelLimit": 160, "columns": 1},
        view={"stroke": "transparent"},
    )
    spec: dict[str, Any] = chart.to_dict()
    del spec["$schema"]  # an address that nobody should be asked for
    return spec


def _scale(clusters: Sequence[str], values: Sequence[str]) -> Any:
    alt = optional("altair", "report")
    return alt.Scale(domain=list(clusters), range=[values[i % len(values)] for i in range(len(clusters))])


def scatter(clusters: Sequence[str], titles: tuple[str, str], *, fit: bool, truth: bool) -> dict[str, Any]:
    """Return the chart of points on a plane, in which a box can be drawn to choose some."""
    alt = optional("altair", "report")
    legend = alt.Legend(title="Cluster", symbolOpacity=1) if len(clusters) <= MOST_IN_LEGEND else None
    opaque = {"test": {"and": [{"param": "brush"}, IN_CLUSTER]}, "value": 0.85}
    tooltip = ["row:N", "cluster:N", *(["next:N", alt.Tooltip("fit:Q", format=".3f")] if fit else [])]
    tooltip += ["truth:N"] if truth else []
    chart = (
        alt.Chart(alt.NamedData("points"))
        .mark_point(filled=True, size=45, strokeWidth=1.2)
        .encode(
            x=alt.X("x:Q", title=titles[0], scale=alt.Scale(zero=False)),
            y=alt.Y("y:Q", title=titles[1], scale=alt.Scale(zero=False)),
            color=alt.Color("cluster:N", scale=_scale(clusters, PALETTE), legend=legend),
            shape=alt.Shape("cluster:N", scale=_scale(clusters, SHAPES), legend=legend),
            stroke=alt.Stroke(condition={"test": "datum.astray", "value": "currentColor"}, value="transparent"),
            opacity=alt.Opacity(condition=opaque, value=0.08),
            tooltip=tooltip,
        )
        .add_params(
            alt.param(name="cluster", value=None),
            alt.selection_interval(name="brush", mark={"fill": "currentColor", "stroke": "currentColor"}),
        )
    )
    return _configured(chart)


def height_of_bars(clusters: int) -> int:
    """Return a height at which the bars of each cluster bear their name, within reason."""
    return min(max(HEIGHT, 18 * clusters), TALLEST)


def silhouettes(clusters: Sequence[str], title: str, mean: float, end: float) -> dict[str, Any]:
    """Return the chart of one bar for each point, cluster below cluster, in which the chosen points stand out."""
    alt = optional("altair", "report")
    opaque = {"test": {"and": [IN_BOX, IN_CLUSTER]}, "value": 1}
    bars = (
        alt.Chart(alt.NamedData("points"))
        .mark_bar()
        .encode(
            x=alt.X("fit:Q", title=title),
            x2=alt.X2Datum(0),
            y=alt.Y("place:Q", axis=None, scale=alt.Scale(domain=[0, end], reverse=True, nice=False)),
            y2="below:Q",
            color=alt.Color("cluster:N", scale=_scale(clusters, PALETTE), legend=None),
            opacity=alt.Opacity(condition=opaque, value=0.08),
            tooltip=["row:N", "cluster:N", "next:N", alt.Tooltip("fit:Q", format=".3f")],
        )
        .add_params(alt.param(name="cluster", value=None), alt.param(name="box", value=None))
    )
    names = (
        alt.Chart(alt.NamedData("blocks"))
        .mark_text(align="right", dx=-6, fontSize=11, limit=90, fill="currentColor")
        .encode(x=alt.XDatum(0), y="middle:Q", text="cluster:N")
        .transform_filter("datum.tall")
    )
    line = (
        alt.Chart(alt.InlineData([{"mean": mean}]))
        .mark_rule(strokeDash=[4, 3], stroke="currentColor")
        .encode(x="mean:Q", tooltip=[alt.Tooltip("mean:Q", format=".3f")])
    )
    return _configured(alt.layer(bars, names, line), height_of_bars(len(clusters)))


def curve(first: str, *, numeric: bool) -> dict[str, Any]:
    """Return the chart of one index over several partitions, with its choice marked."""
    alt = optional("altair", "report")
    # Sorted by a field: a list of names would become part of an expression, and names are the user's.
    order = alt.EncodingSortField("order", op="min")
    axis = alt.Axis(labelAngle=0, labelLimit=90, labelOverlap=True)
    x = alt.X("k:O", sort=order, title="Number of clusters" if numeric else "Partition", axis=axis)
    base = (
        alt.Chart(alt.NamedData("curves"))
        .transform_filter("datum.index === index && isValid(datum.value)")
        .encode(x=x, y=alt.Y("value:Q", title=None, scale=alt.Scale(zero=False)))
    )
    line = base.mark_line(stroke=PALETTE[0], strokeWidth=2).add_params(alt.param(name="index", value=first))
    dots = base.mark_point(filled=True, opacity=1).encode(
        size=alt.Size(condition={"test": "datum.best", "value": 160}, value=45),
        color=alt.Color(condition={"test": "datum.best", "value": PALETTE[1]}, value=PALETTE[0]),
        tooltip=["index:N", "k:O", alt.Tooltip("value:Q", format=".6g")],
    )
    mark = base.transform_filter("datum.best").mark_rule(strokeDash=[4, 3], stroke=PALETTE[1]).encode(y=alt.Undefined)
    return _configured(alt.layer(mark, line, dots), height=300)
