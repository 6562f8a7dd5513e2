"""Where clusters of clusterings that follow each other are drawn: one column each, and ribbons of shared points.

A column holds the clusters as bars, as high as they have points. Bars are ordered by where their points come from, so
that few ribbons cross.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

WIDTH, HEIGHT = 90.0, 400.0  # of a column, and of the drawing
BAR = 12.0  # width of a bar
GAPS = 0.25  # share of the height that lies between bars where they are most
WIDEST = 0.06  # share of the height between two bars, at most


@dataclass(frozen=True)
class Cluster:
    """A cluster of one clustering: what it is called, how many points it has, and what is said of it."""

    name: Any
    size: int
    words: str
    group: int | None = None  # clusters of one group have one colour
    value: float | None = None  # or one that deepens from 0 to 1


@dataclass(frozen=True)
class Bar:
    """A cluster with its place."""

    cluster: Cluster
    column: int
    x: float
    y: float
    height: float
    goes_on: bool = False  # whether it is the cluster of the column before, which is drawn once


@dataclass(frozen=True)
class Ribbon:
    """Points that two clusters share: from the right end of one bar to the left end of another."""

    source: Bar
    target: Bar
    size: int
    start: float  # top of the ribbon at its source
    end: float
    thickness: float

    @property
    def is_whole(self) -> bool:
        """Whether both clusters are the same points."""
        return self.size == self.source.cluster.size == self.target.cluster.size

    @property
    def path(self) -> str:
        """The outline as SVG reads it."""
        x, z = self.source.x + BAR, self.target.x
        m = (x + z) / 2
        a, b, w = self.start, self.end, self.thickness
        top = f"M{x:.1f},{a:.2f}C{m:.1f},{a:.2f} {m:.1f},{b:.2f} {z:.1f},{b:.2f}"
        return f"{top}L{z:.1f},{b + w:.2f}C{m:.1f},{b + w:.2f} {m:.1f},{a + w:.2f} {x:.1f},{a + w:.2f}Z"

    @property
    def words(self) -> str:
        """What the ribbon is, for those who point at it."""
        return f"{self.source.cluster.name} to {self.target.cluster.name}: {self.size:,} points"


@dataclass(frozen=True)
class Scale:
    """What colours mean: the value of the lightest and of the deepest."""

    what: str
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True)
class LayeredDrawing:
    """Bars and ribbons with their places, the titles of the columns, and what colours mean."""

    bars: list[Bar]
    ribbons: list[Ribbon]
    titles: list[str]
    scale: Scale | None = None

    @property
    def width(self) -> float:
        """Width of the drawing."""
        return WIDTH * (len(self.titles) - 1) + BAR

    @property
    def most(self) -> int:
        """The largest number of bars in a column."""
        return max(sum(bar.column == column for bar in self.bars) for column in range(len(self.titles)))


def layered(
    columns: Sequence[Sequence[Cluster]],
    shared: Sequence[Mapping[tuple[Any, Any], int]],
    titles: Sequence[str],
    *,
    scale: Scale | None = None,
    once: bool = False,
) -> LayeredDrawing:
    """Return the drawing of clusterings, with the points that clusters of neighbouring columns share, by name.

    With `once`, a cluster that is the same points as one of the column before goes on as its band.

    >>> halves = [Cluster("a", 4, ""), Cluster("b", 2, "")]
    >>> drawing = layered([[Cluster("all", 6, "")], halves], [{("all", "a"): 4, ("all", "b"): 2}], ["1", "2"])
    >>> [(bar.cluster.name, bar.x, bar.y, bar.height) for bar in drawing.bars]
    [('all', 0.0, 50.0, 300.0), ('a', 90.0, 38.0, 200.0), ('b', 90.0, 262.0, 100.0)]
    """
    most = max(len(column) for column in columns)
    total = max(sum(cluster.size for cluster in column) for column in columns) or 1
    unit = HEIGHT * (1 - GAPS if most > 1 else 1) / total
    bars: list[Bar] = []
    ribbons: list[Ribbon] = []
    previous: dict[Any, Bar] = {}
    for number, column in enumerate(columns):
        flows = shared[number - 1] if number else {}
        places = {name: bar.y + bar.height / 2 for name, bar in previous.items()}
        order = sorted(column, key=lambda cluster: _origin(cluster.name, flows, places))
        here = _placed(order, number, unit)
        between = _ribbons(flows, previous, here, unit)
        if once:
            same = {ribbon.target.cluster.name for ribbon in between if ribbon.is_whole}
            here = {name: replace(bar, goes_on=name in same) for name, bar in here.items()}
            between = [replace(ribbon, target=here[ribbon.target.cluster.name]) for ribbon in between]
        bars += here.values()
        ribbons += between
        previous = here
    return LayeredDrawing(bars, ribbons, list(titles), scale)


def _placed(order: Sequence[Cluster], number: int, unit: float) -> dict[Any, Bar]:
    """Return the bars of a column, spread over the height and in its middle."""
    heights = [cluster.size * unit for cluster in order]
    free = HEIGHT - sum(heights)
    gap = min(free / (len(order) - 1), WIDEST * HEIGHT) if len(order) > 1 else 0.0
    y = (free - gap * (len(order) - 1)) / 2
    bars = {}
    for cluster, height in zip(order, heights, strict=True):
        bars[cluster.name] = Bar(cluster, number, number * WIDTH, y, height)
        y += height + gap
    return bars


def _origin(name: Any, flows: Mapping[tuple[Any, Any], int], places: Mapping[Any, float]) -> float:
    """Return the mean height of the bars that the points of a cluster come from; below all others without any."""
    own = [(places[c], size) for (c, d), size in flows.items() if d == name and size > 0 and c in places]
    if not own:
        return HEIGHT * 2 if places else 0.0
    heights, sizes = zip(*own, strict=True)
    return float(np.average(heights, weights=sizes))


def _ribbons(
    flows: Mapping[tuple[Any, Any], int], before: Mapping[Any, Bar], after: Mapping[Any, Bar], scale: float
) -> list[Ribbon]:
    """Return the ribbons between two columns; at each bar they follow each other in the order of their other ends."""
    used_before, used_after = dict.fromkeys(before, 0.0), dict.fromkeys(after, 0.0)
    present = [(c, d) for (c, d), size in flows.items() if size > 0 and c in before and d in after]
    starts, ends = {}, {}
    for c, d in sorted(present, key=lambda pair: after[pair[1]].y):
        starts[c, d] = before[c].y + used_before[c]
        used_before[c] += flows[c, d] * scale
    for c, d in sorted(present, key=lambda pair: before[pair[0]].y):
        ends[c, d] = after[d].y + used_after[d]
        used_after[d] += flows[c, d] * scale
    return [Ribbon(before[c], after[d], flows[c, d], starts[c, d], ends[c, d], flows[c, d] * scale) for c, d in present]
