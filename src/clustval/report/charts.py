"""The interactive charts, as Vega-Lite: points on a plane, their silhouettes, the curve of an index, and its errors.

Colours of text and lines are the page's own, so that charts follow it from light to dark and onto paper. Each chart
reads a named data set of the page; signals link them: ``box`` is what is chosen in the plane, ``cluster`` the
cluster chosen by name, ``index`` the index whose curve is shown. The page says in words what each of them shows, so
that their parts have no labels for screen readers: thousands of points would drown the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clustval.errors import optional
from clustval.report.point_sections import Plane

# Apart for colour-blind eyes, and at least 3 : 1 in contrast on the page's white and on its dark ground.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07d00", "#3f93c8", "#8d6fd1", "#85754e")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
NOISE = "M-.7,-.7L.7,.7M-.7,.7L.7,-.7"  # a cross, unlike the shapes of clusters
GROUND = "var(--ground, white)"  # the page's; white in a picture saved from it
MOST_IN_LEGEND = 12
MOST_NAMED = 120  # clusters that are named in the plane
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
    chart = chart.properties(width="container", height=height, padding=8, background="transparent").configure(
        font="system-ui, sans-serif",
        aria=False,
        axis={**text, **lines, "labelFontSize": 11, "titleFontSize": 12, "titleLimit": 320},
        legend={**text, "labelFontSize": 11, "labelLimit": 160, "columns": 1},
        view={"stroke": "transparent"},
    )
    spec: dict[str, Any] = chart.to_dict()
    del spec["$schema"]  # an address that nobody should be asked for
    return spec


def _scale(clusters: Sequence[str], values: Sequence[str], shift: int = 0) -> Any:
    """Return a value for each cluster in turn; each time round they begin `shift` later."""
    alt = optional("altair", "report")
    places = (i + shift * (i // len(values)) for i in range(len(clusters)))
    return alt.Scale(domain=list(clusters), range=[values[place % len(values)] for place in places])


def _axis(at: int, plane: Plane) -> dict[str, Any]:
    """Return the title and scale of an axis; two of the same scale share the room by what each needs."""
    alt = optional("altair", "report")
    low, high = plane.ends[at]
    ends: list[Any] = [low, high]
    if plane.equal:
        spans = [end - start for start, end in plane.ends]
        room = ("width / height", "height / width")[at]
        half = f"max({spans[at]!r}, {spans[1 - at]!r} * {room}) / 2"
        ends = [alt.ExprRef(f"{(low + high) / 2!r} {sign} {half}") for sign in "-+"]
    scale = alt.Scale(domainMin=ends[0], domainMax=ends[1], zero=False, nice=False)
    return {"title": plane.titles[at], "scale": scale, "axis": alt.Axis(tickCount=6, labelOverlap=True)}


def scatter(clusters: Sequence[str], plane: Plane, *, fit: bool, truth: bool, outlined: bool = False) -> dict[str, Any]:
    """Return the chart of points on a plane, in which a box can be drawn to choose some."""
    alt = optional("altair", "report")
    legend = alt.Legend(title="Cluster", symbolOpacity=1) if len(clusters) <= MOST_IN_LEGEND else None
    opaque = {"test": {"and": [{"param": "brush"}, IN_CLUSTER]}, "value": 0.85}
    tooltip = ["row:N", "cluster:N", *(["next:N", alt.Tooltip("fit:Q", format=".3f")] if fit else [])]
    tooltip += ["truth:N"] if truth else []
    x, y = alt.X("x:Q", **_axis(0, plane)), alt.Y("y:Q", **_axis(1, plane))
    points = (
        alt.Chart(alt.NamedData("points"))
        .mark_point(filled=True, size=45, strokeWidth=1.2)
        .encode(
            x=x,
            y=y,
            color=alt.Color("cluster:N", scale=_scale(clusters, PALETTE), legend=legend),
            shape=alt.Shape("cluster:N", scale=_scale(clusters, SHAPES, shift=1), legend=legend),
            stroke=alt.Stroke(condition={"test": "datum.astray", "value": "currentColor"}, value="transparent"),
            opacity=alt.Opacity(condition=opaque, value=0.08),
            tooltip=tooltip,
        )
        .add_params(
            alt.param(name="cluster", value=None),
            alt.selection_interval(name="brush", mark={"fill": "currentColor", "stroke": "currentColor"}),
        )
    )
    noise = (
        alt.Chart(alt.NamedData("noise"))
        .mark_point(shape=NOISE, size=30, stroke="currentColor", opacity=0.55)
        .encode(x=x, y=y, tooltip=["row:N"])
    )
    seen = alt.Opacity(condition={"test": IN_CLUSTER, "value": 1}, value=0.1)
    middles = alt.Chart(alt.NamedData("centres")).encode(x=x, y=y, text="cluster:N", opacity=seen)
    text = {"fontSize": 12, "fontWeight": "bold", "limit": 90}
    halo = middles.mark_text(**text, stroke=GROUND, strokeWidth=3)
    names = middles.mark_text(**text, fill="currentColor").encode(
        tooltip="cluster:N"
    )  # else it would not see the mouse
    named = [halo, names] if len(clusters) <= MOST_NAMED else []
    outlines = (
        alt.Chart(alt.NamedData("outlines"))
        .mark_line(interpolate="linear-closed", strokeWidth=1.2, strokeOpacity=0.8)
        .encode(
            x=x,
            y=y,
            order=alt.Order("corner:Q"),
            color=alt.Color("cluster:N", scale=_scale(clusters, PALETTE), legend=legend),
            opacity=seen,
        )
    )
    below = [*([outlines] if outlined else []), *([noise] if len(plane.noise) else [])]
    layers = [*below, points, *named]
    return _configured(alt.layer(*layers))


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
            x=alt.X("fit:Q", title=title, axis=alt.Axis(labelOverlap=True, tickCount=10)),
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
    axis = alt.Axis(labelAngle=0 if numeric else -90, labelLimit=180, labelOverlap=True)
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
    mark = _chosen(base)
    return _configured(alt.layer(mark, line, dots), height=300)


def _chosen(base: Any) -> Any:
    """Return the line at what is chosen."""
    alt = optional("altair", "report")
    rule = base.transform_filter("datum.best").mark_rule(strokeDash=[4, 3], stroke=PALETTE[1])
    return rule.encode(y=alt.Undefined)


def with_errors(data: str, title: str, what: str) -> dict[str, Any]:
    """Return the chart of values over the number of clusters, each with its error, and the choice marked."""
    alt = optional("altair", "report")
    y = alt.Y("value:Q", title=title, scale=alt.Scale(zero=False))
    axis = alt.Axis(labelAngle=0, labelOverlap=True)
    base = alt.Chart(alt.NamedData(data)).encode(x=alt.X("k:O", title="Number of clusters", axis=axis), y=y)
    line = base.mark_line(stroke=PALETTE[0], strokeWidth=1.5)
    bars = base.mark_rule(stroke=PALETTE[0], strokeWidth=2).encode(y=alt.Y("low:Q", title=title), y2="high:Q")
    dots = base.mark_point(filled=True, opacity=1, size=60).encode(
        color=alt.Color(condition={"test": "datum.best", "value": PALETTE[1]}, value=PALETTE[0]),
        tooltip=["k:O", alt.Tooltip("value:Q", format=".4g"), alt.Tooltip("error:Q", format=".2g", title=what)],
    )
    return _configured(alt.layer(_chosen(base), line, bars, dots), height=260)


def beside_nulls(data: str, value: float) -> dict[str, Any]:
    """Return the histogram of values of data without clusters, with a line at the value of the data."""
    alt = optional("altair", "report")
    axis = alt.Axis(labelOverlap=True, labelSeparation=8)
    x = alt.X("value:Q", bin=alt.Bin(maxbins=20), title="How clustered the points are", axis=axis)
    base = alt.Chart(alt.NamedData(data))
    counts = alt.Y("count()", title="Sets without clusters", axis=alt.Axis(tickMinStep=1, format="d"))
    bars = base.mark_bar(color=PALETTE[0]).encode(x=x, y=counts)
    rule = base.transform_aggregate(values="count()").transform_calculate(at=str(value))
    line = rule.mark_rule(stroke=PALETTE[1], strokeWidth=3).encode(x=alt.X("at:Q", title=""))
    return _configured(alt.layer(bars, line), height=200)
