"""Clusterings beside the truth: indices of agreement, tables of counts, and the Prayatul matrix."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval import tables
from clustval.bibliography import readable
from clustval.report.drawings import Bar
from clustval.report.point_sections import display
from clustval.report.report_tables import ARROWS, PageTable, Row, amount, number
from clustval.results import with_error
from clustval.stats.labels.contingency import Contingency

if TYPE_CHECKING:
    from clustval.compare.agreement import Agreement
    from clustval.compare.beside_truth import BesideTruth
    from clustval.compare.prayatul import Prayatul
    from clustval.compare.side_by_side import Agreements

MOST_NAMES = 30
MOST_DRAWN = 200  # classes or clusters of a heat map without numbers
STEPS = (0.05, 0.3, 0.7)  # shares of a class at which the shade deepens


def numbers(agreements: Mapping[str, Agreement], beside: BesideTruth | None = None) -> PageTable:
    """Return a row for each index and a column for each clustering; the best of several is marked.

    So is what cannot be told from the best, if it is known how far off values may be.
    """
    first = next(iter(agreements.values()))
    errors, ties = ({}, {}) if beside is None else (beside.errors, beside.ties)
    rows = []
    for name in first:
        choice = first.choices[name]
        values = {key: scores[name] for key, scores in agreements.items()}
        best = choice.best.choose(np.array(list(values.values()))) if len(values) > 1 else -1
        marks = _marks(values, best, ties.get(name, ()))
        cells = [_with_error(value, errors.get(name, {}).get(key, 0.0)) for key, value in values.items()]
        what = [_direction(choice.best.better), choice.index.summary, readable(choice.index.reference)]
        rows.append(Row([name, *cells, *what], ["", *marks, "text", "text", "text"]))
    note = ""
    if beside is not None and beside.errors:
        share, groups = beside.confidence, beside.groups
        note = f"± is the half-width of a {share:.0%} interval, from {groups} groups of points left out in turn."
        if len(agreements) > 1:
            note += " The best is marked, and what cannot be told from it on these points, paler."
    return PageTable(
        ["index", *agreements, "direction", "what it is", "reference"],
        rows,
        note=note,
        kind="cards",
        label="Agreement by index",
    )


def differences(agreements: Agreements) -> PageTable | None:
    """Return the difference of each two clusterings in each index with its interval; None of a single one."""
    records = agreements.differences.records
    if not records:
        return None
    pairs = list(dict.fromkeys((record["one"], record["other"]) for record in records))
    by_index: dict[str, list[str]] = {}
    marks: dict[str, list[str]] = {}
    for record in records:
        ends = record["low"], record["high"]
        known = not np.isnan(ends).any()
        text = f" ({number(ends[0], 3)} … {number(ends[1], 3)})" if known else ""
        by_index.setdefault(record["index"], []).append(f"{number(record['difference'], 3)}{text}")
        marks.setdefault(record["index"], []).append("best" if known and (ends[0] > 0 or ends[1] < 0) else "")
    rows = [Row([index, *cells], ["", *marks[index]]) for index, cells in by_index.items()]
    note = f"With {agreements.confidence:.0%} intervals; marked if they do not contain 0.".replace("%", " %")
    return PageTable(["index", *(f"{one} minus {other}" for one, other in pairs)], rows, "How far they differ", note)


def _with_error(value: float, half: float) -> str:
    return with_error(value, half) if half > 0 else number(value)


def _marks(values: Mapping[str, float], best: int, ties: Collection[str]) -> list[str]:
    """Return how each value is marked: the best, and those whose difference from it may be chance."""
    if best < 0:
        return [""] * len(values)
    highest = list(values.values())[best]
    return ["best" if value == highest else "near" if key in ties else "" for key, value in values.items()]


def _direction(better: str) -> str:
    return ARROWS.get(better, better)


def reasons(agreements: Mapping[str, Agreement]) -> list[str]:
    """Return why values are missing, with the clustering if there are several."""
    prefix = len(agreements) > 1
    return [f"{key}: {why}" if prefix else why for key, scores in agreements.items() for why in scores.reasons.values()]


@dataclass(frozen=True)
class Cells:
    """A table of counts as a picture: where each cell lies, how dark it is, and what it counts."""

    rows: int
    columns: int
    cells: list[tuple[int, int, float, str]]  # column, row, darkness from 0 to 1, words
    caption: str


def picture(name: str, table: Contingency, truth: str) -> Cells | None:
    """Return the picture of a table that has too many rows or columns for its numbers to be read."""
    if not MOST_NAMES < max(table.r, table.k) <= MOST_DRAWN:
        return None
    counts, order = table.table, _beside(table)
    classes, clusters = display(table.row_labels), display(table.column_labels)
    shares = counts / counts.sum(axis=1, keepdims=True)
    cells = [
        (at, i, round(float(shares[i, j]), 3), f"{classes[i]}, {clusters[j]}: {amount(counts[i, j].item())}")
        for i in range(table.r)
        for at, j in enumerate(order)
        if counts[i, j]
    ]
    caption = (
        f"Classes of {truth} (rows) in clusters of {name} (columns); the darker, the larger the share of the class"
    )
    return Cells(table.r, table.k, cells, caption)


def _beside(table: Contingency) -> list[int]:
    """Return the clusters in the order of the class that each shares most points with."""
    counts = table.table
    return sorted(range(table.k), key=lambda j: (int(counts[:, j].argmax()), -counts[:, j].max().item(), j))


def contingency(name: str, table: Contingency, truth: str) -> PageTable:
    """Return how many points each class shares with each cluster, clusters beside the class they share most with."""
    rows, columns = table.r, table.k
    caption = f"Points of each class of {truth} in each cluster of {name}"
    if max(rows, columns) > MOST_NAMES:
        note = f"{rows} classes and {columns} clusters are too many for a table of numbers."
        return PageTable([truth], [], caption, note)
    counts = table.table
    order = _beside(table)
    classes, clusters = display(table.row_labels), display(table.column_labels)
    lines = []
    for i in range(rows):
        line = counts[i, order]
        shades = [_shade(value / line.sum()) for value in line.tolist()]
        marks = [
            f"{'best ' if value and value == counts[:, j].max() else ''}{shade}".strip()
            for value, j, shade in zip(line, order, shades, strict=True)
        ]
        lines.append(
            Row([classes[i], *(tables.number(v, 6) for v in [*line.tolist(), line.sum().item()])], ["", *marks])
        )
    note = "The darker, the larger the share of the class; bold is the class that a cluster shares most points with."
    return PageTable([truth, *(clusters[j] for j in order), "all"], lines, caption, note, "heat")


def _shade(share: float) -> str:
    """Return the class of a cell that holds so large a share of its row."""
    level = sum(share >= step for step in STEPS)
    return f"low-{level}" if level else ""


def prayatul(comparison: Prayatul, primary: str, alternative: str) -> dict[str, Any]:
    """Return on which pairs of points each of two clusterings is right, in words, as a matrix, and as measures."""
    br, rw, wr, bw = comparison.counts
    total = br + rw + wr + bw
    leader = primary if rw > wr else alternative
    verdict = "They are right equally often" if rw == wr else f"{leader} is right more often"
    text = (
        f"Of {amount(total)} pairs of points, both are right on {amount(br)}, only {primary} on {amount(rw)}, "
        f"only {alternative} on {amount(wr)}, and both are wrong on {amount(bw)}. {verdict}."
    )
    matrix = PageTable(
        ["pairs", f"{alternative} right", f"{alternative} wrong"],
        [Row([f"{primary} right", amount(br), amount(rw)]), Row([f"{primary} wrong", amount(wr), amount(bw)])],
        f"Prayatul matrix of {primary} and {alternative}, in pairs of points",
    )
    measures = [Row([name.replace("_", " "), number(value, 4)]) for name, value in comparison.measures.items()]
    kinds = ("both right", f"only {primary} right", f"only {alternative} right", "both wrong")
    parts = [
        Bar(kind, f"{amount(pairs)} ({pairs / total:.1%})", round(100 * pairs / total, 3) if total else 0.0)
        for kind, pairs in zip(kinds, comparison.counts, strict=True)
    ]
    return {
        "parts": parts,
        "contested": round(100 * rw / (rw + wr), 3) if rw + wr else None,  # percent of them that the primary wins
        "names": (primary, alternative),
        "title": f"{primary} against {alternative}",
        "words": text,
        "matrix": matrix,
        "measures": PageTable(
            ["measure", "value"],
            measures,
            f"With {primary} as the primary algorithm, and {alternative} as the alternative",
        ),
    }
