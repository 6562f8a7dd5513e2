"""The tables of the page, as text ready to be shown."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from clustval import bibliography, tables
from clustval.errors import InputError, UndefinedIndexError
from clustval.report.point_sections import Fit, display, estimated
from clustval.results import Scores
from clustval.stats.pairs.pair_distances import PairExtremes

MOST_CLUSTERS = 500
FEW_POINTS = 5000
MOST_DOUBTFUL = 10
ARROWS = {"higher": "higher ↑", "lower": "lower ↓"}


@dataclass(frozen=True)
class Row:
    """The cells of a row, the first its name, and how some of them are marked: "best", "text", ..."""

    cells: Sequence[str]
    marks: Sequence[str] = ()

    def __post_init__(self) -> None:
        missing = len(self.cells) - len(self.marks)
        object.__setattr__(self, "marks", [*self.marks, *[""] * missing])


@dataclass(frozen=True)
class PageTable:
    """A table with its caption above and a note below; its kind is how it is set.

    `label` is what screen readers call it where there is no caption.
    """

    columns: Sequence[str]
    rows: Sequence[Row]
    caption: str = ""
    note: str = ""
    kind: str = ""
    label: str = ""


@dataclass(frozen=True)
class IndexRow:
    """One line of the table of indices, with what it is sorted by."""

    name: str
    value: str
    order: str
    better: str
    range: str
    low: str
    meaning: str
    reference: list[tuple[str, str]]  # pieces of text, with the keys of works
    reason: str = field(default="")


def number(value: float, digits: int = 6) -> str:
    """Return a number as people read it: a dash for none, a sign for infinity."""
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return tables.number(float(value), digits)


def amount(value: float) -> str:
    """Return how many there are: whole, or to six digits where weights are no whole numbers."""
    return f"{int(value):,}" if value == int(value) else f"{value:,.6g}"


def order(value: float) -> str:
    """Return what the page sorts by: nothing for NaN, which then comes last."""
    if math.isnan(value):
        return ""
    return repr(float(value)).replace("inf", "Infinity")


def index_rows(scores: Scores) -> list[IndexRow]:
    """Return a line for each index: value, direction, range, meaning, source, and the reason if there is no value."""
    rows = []
    for name, value in scores.items():
        choice = scores.choices[name]
        low, high = choice.index.bounds
        meaning = choice.index.summary
        rows.append(
            IndexRow(
                name=name,
                value=scores.shown(name) if name in scores.intervals else number(value),
                order=order(value),
                better=ARROWS.get(choice.best.better, choice.best.better),
                range=f"{number(low)} … {number(high)}",
                low=order(low),
                meaning=meaning,
                reference=bibliography.pieces(choice.index.reference),
                reason=scores.reasons.get(name, ""),
            )
        )
    return rows


def cluster_table(scores: Scores) -> PageTable:
    """Return what is known of each cluster: size, width, gap, and the indices that have a value for each."""
    parts = _parts(scores)
    names = list(parts["size"])
    texts = display(names)
    total = sum(parts["size"].values())
    others = [part for part in parts if part != "size"]
    rows = []
    for text, name in list(zip(texts, names, strict=True))[:MOST_CLUSTERS]:
        size = parts["size"][name]
        rows.append(
            Row([text, amount(size), f"{size / total:.1%}", *(number(parts[part][name], 4) for part in others)])
        )
    note = f"The first {MOST_CLUSTERS} of {len(names)} clusters." if len(names) > MOST_CLUSTERS else ""
    columns = ["cluster", "size", "share", *(part.replace("_", " ") for part in others)]
    return PageTable(columns, rows, note=note, label="Properties of each cluster")


def _parts(scores: Scores) -> dict[str, dict[Any, Any]]:
    """Return values of clusters by name; distances of all pairs are not visited again for them if they are many."""
    source = scores.source
    names = ["size", "dispersion"]
    if source.n <= FEW_POINTS or source.known(PairExtremes):
        names += ["diameter", "separation"]
    by_cluster = (choice.name for choice in scores.choices.values() if choice.index.by_cluster)
    names += [name for name in by_cluster if not estimated(scores, name)]
    parts = {}
    for name in names:
        with contextlib.suppress(UndefinedIndexError, InputError):  # rows that passed by are not read again
            parts[name] = scores.per_cluster(name)
    return parts


def doubtful_table(fit: Fit, codes: Any, rows: Any, clusters: Sequence[str], note: str) -> PageTable:
    """Return the points that fit their cluster worst, and where they would fit better."""
    worst = fit.values.argsort(kind="stable")[:MOST_DOUBTFUL]
    lines = [
        Row(
            [str(rows[i]), clusters[codes[i]], clusters[fit.neighbours[i]], number(fit.values[i], 3)],
            ["", "text", "text"],
        )
        for i in worst
    ]
    columns = ["row", "cluster", "next cluster", fit.index.replace("_", " ")]
    return PageTable(columns, lines, note=f"The {len(lines)} lowest. {note}", label="Points in doubt")
