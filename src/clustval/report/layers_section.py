"""Clusterings that follow each other on the page: bars and ribbons with a hover text, and what happens in a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from numpy.typing import NDArray

from clustval.layered import BAR, HEIGHT, LayeredDrawing
from clustval.plot.flow_diagram import DEEP, LIGHT, colour_of, hexadecimal
from clustval.relative.seeded_sweep import SeededSweep
from clustval.report.report_tables import PageTable, Row, number
from clustval.tables import Table
from clustval.tracking.track import Track

NAMED = 9.0  # height of a bar from which on its cluster is named
MOST_LINES = 200


@dataclass(frozen=True)
class Rectangle:
    """A bar as the template draws it."""

    x: float
    y: float
    height: float
    colour: str
    name: str
    words: str
    goes_on: bool  # whether it is the cluster of the column before


@dataclass(frozen=True)
class LayersSection:
    """What the page shows of clusterings that follow each other."""

    title: str
    note: str
    view: str  # what part of the plane the drawing takes
    bars: list[Rectangle]
    ribbons: list[tuple[str, str, str, bool]]  # outline, colour, words, and whether both ends are one cluster
    scale: tuple[str, ...] | None  # what colours mean: a word, the two ends as colours, and as numbers
    titles: list[tuple[float, str]]
    width: int
    bar: float
    tables: list[PageTable]
    references: tuple[str, ...]


def drawn(
    drawing: LayeredDrawing, title: str, note: str, tables: Sequence[PageTable], references: tuple[str, ...]
) -> LayersSection:
    """Return the section of a drawing."""
    bars = [
        Rectangle(
            round(bar.x, 1),
            round(bar.y, 2),
            round(max(bar.height, 1.0), 2),
            colour_of(bar.cluster),
            str(bar.cluster.name)[:12] if bar.height >= NAMED and not bar.goes_on else "",
            bar.cluster.words,
            bar.goes_on,
        )
        for bar in drawing.bars
    ]
    ribbons = [(each.path, colour_of(each.target.cluster), each.words, each.target.goes_on) for each in drawing.ribbons]
    scale = None
    if drawing.scale is not None:
        ends = f"{drawing.scale.low:.3g}", f"{drawing.scale.high:.3g}"
        scale = (drawing.scale.what, *(hexadecimal(colour) for colour in (LIGHT, DEEP)), *ends)
    titles = [(bar_x, text[:14]) for bar_x, text in zip(_columns(drawing), drawing.titles, strict=True)]
    view = f"-8 -20 {drawing.width + 70:.0f} {HEIGHT + 30:.0f}"
    width = round(drawing.width + 70)
    return LayersSection(title, note, view, bars, ribbons, scale, titles, width, BAR, list(tables), references)


def _columns(drawing: LayeredDrawing) -> list[float]:
    places = {bar.column: bar.x for bar in drawing.bars}
    return [places[column] for column in range(len(drawing.titles))]


def of_track(track: Track) -> LayersSection:
    """Return the section of clusterings of different rows."""
    compared = "rows with the same id" if track.by == "ids" else "where rows lie"
    note = (
        f"Clusters are compared by {compared}. The height of a bar is the number of rows in its cluster, the width of "
        "a ribbon the number of rows that go from one cluster to the other; the free part of a bar is rows that are "
        "gone, new, noise or unlike all clusters."
    )
    table = page_table(track.table, "Clusters, step by step")
    return drawn(track.drawing, "What became of each cluster", note, [table], ("szekely2013", "holm1979"))


def of_seeds(swept: SeededSweep, colour: Any = None) -> LayersSection:
    """Return the section of clusterings over a parameter and seeds, clusters coloured as the caller asks for."""
    drawing = swept.drawing(colour)
    what = "" if drawing.scale is None else drawing.scale.what
    note = (
        f"A column for each different partition over {swept.parameter}. The height of a bar is the number of points in "
        f"its cluster, and a darker bar has a larger {what}; the width of a ribbon is the number of points that two "
        "clusters share, and a band that goes on is the same cluster."
    )
    tables = [page_table(swept.layers, "Values, one by one")]
    plateaus = swept.plateaus
    if len(plateaus["k"]):
        tables.insert(0, page_table(plateaus, "Plateaus"))
    return drawn(drawing, "The tree of clusters", note, tables, ("gates2019",))


def of_labellings(drawing: LayeredDrawing, truth: str) -> LayersSection:
    """Return the section of labellings of the same points, the truth first."""
    note = (
        "A column for each labelling; the height of a bar is the number of points in its cluster, the width of a "
        "ribbon the number of points that two share. The colour is that of the most common class in a cluster."
    )
    titled = replace(drawing, titles=[truth, *drawing.titles[1:]])
    return drawn(titled, f"Where the points of {truth} go", note, [], ())


def page_table(table: Table, caption: str, note: str = "") -> PageTable:
    """Return a table for the page, its first lines where it has many."""
    records = table.records
    kinds = ["text" if _holds_text(values) else "" for values in table.values()]
    lines = [Row([_cell(value) for value in record.values()], kinds) for record in records[:MOST_LINES]]
    more = f"The first {MOST_LINES} of {len(records):,} lines. " if len(records) > MOST_LINES else ""
    return PageTable([name.replace("_", " ") for name in table], lines, caption, more + note)


def _holds_text(values: NDArray[Any]) -> bool:
    return values.dtype.kind == "U" or any(isinstance(value, str) for value in values.tolist())


def _cell(value: object) -> str:
    return "" if value is None else number(value, 4) if isinstance(value, float) else str(value)
