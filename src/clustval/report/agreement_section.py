"""Clusterings beside the truth: indices of agreement, tables of counts, and the Prayatul matrix."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from clustval import tables
from clustval.bibliography import readable
from clustval.compare.agreement import Agreement
from clustval.compare.prayatul import Prayatul
from clustval.report.point_sections import display
from clustval.report.report_tables import ARROWS, PageTable, Row, amount, number
from clustval.stats.contingency import Contingency

MOST_NAMES = 30
STEPS = (0.05, 0.3, 0.7)  # shares of a class at which the shade deepens


def numbers(agreements: Mapping[str, Agreement]) -> PageTable:
    """Return a row for each index and a column for each clustering, the best of several marked."""
    first = next(iter(agreements.values()))
    rows = []
    for name in first:
        choice = first.choices[name]
        values = np.array([scores[name] for scores in agreements.values()])
        best = choice.best.choose(values) if len(values) > 1 else -1
        marks = ["best" if best >= 0 and value == values[best] else "" for value in values]
        what = [_direction(choice.best.better), choice.index.summary, readable(choice.index.reference)]
        rows.append(Row([name, *map(number, values.tolist()), *what], ["", *marks, "text", "text", "text"]))
    return PageTable(["index", *agreements, "better", "what it is", "reference"], rows)


def _direction(better: str) -> str:
    return ARROWS.get(better, better)


def reasons(agreements: Mapping[str, Agreement]) -> list[str]:
    """Return why values are missing, with the clustering if there are several."""
    prefix = len(agreements) > 1
    return [f"{key}: {why}" if prefix else why for key, scores in agreements.items() for why in scores.reasons.values()]


def contingency(name: str, table: Contingency, truth: str) -> PageTable:
    """Return how many points each class shares with each cluster, clusters beside the class they share most with."""
    rows, columns = table.r, table.k
    caption = f"Points of each class of {truth} in each cluster of {name}"
    if max(rows, columns) > MOST_NAMES:
        note = f"{rows} classes and {columns} clusters are too many to be shown."
        return PageTable([truth], [], caption, note)
    counts = table.table
    order = sorted(range(columns), key=lambda j: (int(counts[:, j].argmax()), -counts[:, j].max().item(), j))
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
        ["", f"{alternative} right", f"{alternative} wrong"],
        [Row([f"{primary} right", amount(br), amount(rw)]), Row([f"{primary} wrong", amount(wr), amount(bw)])],
        "Prayatul matrix, in pairs of points",
    )
    measures = [Row([name.replace("_", " "), number(value, 4)]) for name, value in comparison.measures.items()]
    return {
        "title": f"{primary} against {alternative}",
        "words": text,
        "matrix": matrix,
        "measures": PageTable(["measure", "value"], measures, f"With {primary} as the primary algorithm"),
    }
