"""A diagnosis on the page: what to do, a map, every cluster and pair, and the density between neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.diagnosis.diagnosis import COLUMNS, Diagnosis
from clustval.discs import MOST, apart
from clustval.report.drawings import HEIGHT, WIDTH, Curve
from clustval.report.point_sections import display
from clustval.report.report_tables import PageTable, Row, amount, number
from clustval.tables import Table

REFERENCES = ("muller1991", "holm1979", "levina2004")
MOST_PAIRS, MOST_POINTS, MOST_CURVES = 40, 30, 12
SIDE = 100.0  # of the map
LARGEST, SMALLEST = 6.5, 2.0  # radius of a cluster
NAME = 6.0  # room above a cluster for its name
THICKEST = 2.0
COLOURS = (("separate", "#3f93c8"), ("no gap, and", "#d55e00"), ("no gap, but", "#cc79a7"), ("two", "#b07d00"))
OTHER = "#8a8f98"


@dataclass(frozen=True)
class Node:
    """A cluster on the map."""

    x: float
    y: float
    radius: float
    colour: str
    name: str
    words: str


@dataclass(frozen=True)
class Edge:
    """A line between neighbouring clusters, thick where they may be one."""

    ends: tuple[float, float, float, float]
    width: float
    words: str


@dataclass(frozen=True)
class ClusterMap:
    """Clusters as circles by size and verdict, and lines between neighbours."""

    nodes: list[Node]
    edges: list[Edge]
    key: list[tuple[str, str]]  # colour and verdict

    @property
    def named(self) -> bool:
        """Whether there is room for names."""
        return len(self.nodes) <= MOST

    @property
    def view(self) -> str:
        """The part of the plane that has clusters and their names."""
        top = min((node.y - node.radius for node in self.nodes), default=0.0) - NAME
        bottom = max((node.y + node.radius for node in self.nodes), default=SIDE) + 1
        left = min((node.x - node.radius for node in self.nodes), default=0.0) - NAME
        right = max((node.x + node.radius for node in self.nodes), default=SIDE) + NAME
        spare = max(SIDE - (right - left), 0.0) / 2  # few clusters are not drawn larger for being near each other
        return f"{left - spare:.2f} {top:.2f} {right - left + 2 * spare:.2f} {bottom - top:.2f}"


@dataclass(frozen=True)
class DiagnosisSection:
    """What the page shows of a diagnosis; a table is None where there is nothing to show."""

    map: ClusterMap
    clusters: PageTable
    pairs: PageTable | None
    valleys: list[Curve]
    flat: str  # pairs that have no such curve
    points: PageTable | None
    more: list[PageTable]  # words of clusters, batches


def sentences(result: Diagnosis) -> list[str]:
    """Return the diagnosis in words: the title, and what to do."""
    return [result.title, *(result.actions or ["Nothing to do."])]


def section(result: Diagnosis) -> DiagnosisSection:
    """Return the parts of the page."""
    return DiagnosisSection(
        _map(result), _clusters(result), _pairs(result), _valleys(result), _flat(result), _points(result), _more(result)
    )


def _colour(verdict: str) -> str:
    return next((colour for start, colour in COLOURS if verdict.startswith(start)), OTHER)


def _map(result: Diagnosis) -> ClusterMap:
    names = display(result.clusters["cluster"].tolist())
    sizes = result.clusters["size"].astype(float)
    verdicts = result.clusters["verdict"].tolist()
    radii = SMALLEST + (LARGEST - SMALLEST) * np.sqrt(sizes / max(sizes.max(initial=0.0), 1.0))
    places = np.round(apart(result.places, radii, wide=SIDE - 2 * LARGEST, between=NAME), 2)
    nodes = [
        Node(
            float(x),
            float(y),
            round(float(radius), 2),
            _colour(verdict),
            name,
            f"{name}: {verdict}, {amount(size)} points",
        )
        for (x, y), radius, verdict, name, size in zip(places, radii, verdicts, names, sizes.tolist(), strict=True)
    ]
    at = dict(zip(result.clusters["cluster"].tolist(), places.tolist(), strict=True))
    edges = []
    for record in result.pairs.records:
        a, b = record["a"], record["b"]
        words = f"{a} and {b}: P(separate) = {record['separate']:.2f}"
        edges.append(Edge((*at[a], *at[b]), round(0.15 + THICKEST * (1 - record["separate"]), 2), words))
    kinds = dict.fromkeys(verdict.split(" (")[0] for verdict in verdicts)
    return ClusterMap(nodes, edges, [(_colour(kind), kind) for kind in kinds])


def _clusters(result: Diagnosis) -> PageTable:
    columns = [column for column in result.clusters if column != "verdict"]
    titles = [COLUMNS.get(column, column.replace("_", " ")) for column in columns]
    rows = []
    for record in result.clusters.records:
        cells = [_cell(column, record[column]) for column in columns]
        marks = ["text" if column == "nearest" else "" for column in columns]
        rows.append(Row([cells[0], str(record["verdict"]), *cells[1:]], [marks[0], "text", *marks[1:]]))
    note = (
        "P(separate): probability that the cluster is separate from the nearest one, from which it is least separate. "
        "P(two): that a gap runs through it; below 0.9 this means “not shown”. Purity: share of nearest neighbours in "
        "the same cluster."
    )
    return PageTable([titles[0], "verdict", *titles[1:]], rows, "Every cluster", note)


def _cell(column: str, value: Any) -> str:
    if value is None:
        return "—"
    if column == "size":
        return amount(float(value))
    return number(value, 2) if isinstance(value, float) else str(value)


def _pairs(result: Diagnosis) -> PageTable | None:
    records = result.pairs.records[:MOST_PAIRS]
    if not records:
        return None
    rows = [
        Row(
            [
                f"{record['a']} and {record['b']}",
                record["verdict"],
                *(number(record[column], 2) for column in ("separate", "populations", "p_value", "p_holm")),
            ],
            ["", "text"],
        )
        for record in records
    ]
    columns = ["clusters", "verdict", "P(separate)", "P(two populations)", "p-value", "p-value, Holm"]
    note = (
        "Only neighbours, least separate first. The p-value is the share of cuts with as deep a valley, where k-means, "
        "Ward and mixtures cut one homogeneous cluster (the largest over several families); Holm's is for all pairs."
    )
    more = f" The first {MOST_PAIRS} of {len(result.pairs.records)}." if len(result.pairs.records) > MOST_PAIRS else ""
    return PageTable(columns, rows, "Neighbouring clusters", note + more)


def _valleys(result: Diagnosis) -> list[Curve]:
    """Return the density between neighbours, least separate first."""
    curves = []
    order = [(record["a"], record["b"]) for record in result.pairs.records]
    for pair in [pair for pair in order if pair in result.valleys][:MOST_CURVES]:
        seen = result.valleys[pair]
        places, density = seen["places"], seen["density"]
        if len(places) < 2:
            continue
        x = WIDTH * (places - places[0]) / (places[-1] - places[0])
        y = HEIGHT * (1 - density / density.max())
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
        chosen = None
        if np.isfinite(seen["valley"]):
            at = int(np.abs(places - seen["valley"]).argmin())
            chosen = (round(float(x[at]), 1), round(float(y[at]), 1))
        a, b = display(list(pair))
        words = f"Density of the points from {a} to {b}; the mark is the lowest place between them."
        curves.append(Curve(f"{a} and {b}", [line], [], chosen, ("", ""), a, b, words))
    return curves


def _flat(result: Diagnosis) -> str:
    """Say between which neighbours there is no density to draw: no direction puts one before the other."""
    pairs = [(record["a"], record["b"]) for record in result.pairs.records]
    mixed = [pair for pair in pairs if pair in result.valleys and len(result.valleys[pair]["places"]) < 2]
    names = [" and ".join(display(list(pair))) for pair in mixed[:MOST_CURVES]]
    return f"No direction separates these clusters, so there is nothing to draw: {'; '.join(names)}." if names else ""


def _points(result: Diagnosis) -> PageTable | None:
    if not len(result.misplaced):
        return None
    rows = result.misplaced[np.argsort(-result.points["wrong"][result.misplaced], kind="stable")][:MOST_POINTS]
    lines = [
        Row(
            [
                str(row),
                str(result.points["label"][row]),
                str(result.points["better"][row]),
                number(float(result.points["wrong"][row]), 2),
            ],
            ["", "text", "text"],
        )
        for row in rows.tolist()
    ]
    note = f"The surest {len(lines)} of {len(result.misplaced):,}; rows are counted from 0."
    return PageTable(["row", "cluster", "better cluster", "P(wrong)"], lines, "Points in the wrong cluster", note)


def _more(result: Diagnosis) -> list[PageTable]:
    parts = []
    if result.topics is not None:
        parts.append(_plain(result.topics, "Words of each cluster, and typical and foreign documents", ""))
    if result.batches is not None:
        note = "Entropy of batches in bits, and what chance gives; the p-value is by 999 random deals to clusters."
        parts.append(_plain(result.batches, "Does a cluster follow the batch?", note))
    return parts


def _plain(table: Table, caption: str, note: str) -> PageTable:
    rows = [
        Row(
            [number(cell, 3) if isinstance(cell, float) else str(cell) for cell in record.values()],
            ["", "text", "text", "text"],
        )
        for record in table.records
    ]
    return PageTable([name.replace("_", " ") for name in table], rows, caption, note)
