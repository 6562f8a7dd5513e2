"""A sweep on the page: the curve of each index over the partitions, and which partition each chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from clustval.relative.sweep import Sweep
from clustval.report.point_sections import display
from clustval.report.report_tables import PageTable, Row, number
from clustval.report.words import listed

MOST_NAMED = 10
WARNING = "Votes of indices choose badly, and choose even where there are no clusters."
MOST_SHOWN = 40  # partitions of which every value is printed


@dataclass(frozen=True)
class Curves:
    """What the template shows of a sweep."""

    title: str
    names: list[str]  # of the indices
    votes: PageTable
    table: PageTable


def by_number(sweep: Sweep) -> bool:
    """Return whether partitions are called by their number of clusters."""
    return all(name == k for name, k in zip(sweep.names, sweep.k.tolist(), strict=True))


def curves(sweep: Sweep) -> Curves:
    """Return the tables of a sweep: who chooses what, and every value."""
    title = "How many clusters?" if by_number(sweep) else "Which partition?"
    return Curves(title, list(sweep.indices), _votes(sweep), _values(sweep))


def _votes(sweep: Sweep) -> PageTable:
    best, ranks = sweep.best(), sweep.rank()
    names = dict(zip(sweep.names, display(sweep.names), strict=True))
    rows = []
    for name, votes in sorted(sweep.votes().items(), key=lambda item: -item[1]):
        if votes or len(sweep) <= MOST_SHOWN:
            choosers = ", ".join(index for index, choice in best.items() if choice == name)
            rows.append(Row([names[name], str(votes), number(ranks[name], 3), choosers], ["", "", "", "text"]))
    head = "clusters" if by_number(sweep) else "partition"
    return PageTable([head, "votes", "mean rank", "chosen by"], rows, "What the indices choose")


def _values(sweep: Sweep) -> PageTable:
    columns = range(min(len(sweep), MOST_SHOWN))
    best = sweep.best()
    names = display(sweep.names)
    rows = []
    for index in sweep.indices:
        values = sweep[index]
        marks = ["best" if sweep.names[i] == best[index] else "" for i in columns]
        cells = [index, sweep.rules[index].name, *(number(float(values[i]), 4) for i in columns)]
        rows.append(Row(cells, ["", "text", *marks]))
    note = f"The first {MOST_SHOWN} of {len(sweep)} partitions." if len(sweep) > MOST_SHOWN else ""
    return PageTable(
        ["index", "best is", *(names[i] for i in columns)], rows, "Every value, the chosen ones marked", note
    )


def records(sweep: Sweep) -> list[dict[str, Any]]:
    """Return a point of a curve for each index and partition; infinite values are left out."""
    best, names = sweep.best(), display(sweep.names)
    return [
        {"index": index, "k": names[i], "order": i, "value": float(value), "best": sweep.names[i] == best[index]}
        for index in sweep.indices
        for i, value in enumerate(sweep[index])
        if np.isfinite(value)
    ]


def readings(sweep: Sweep) -> dict[str, str]:
    """Return in words what each index chooses and why."""
    best, notes = sweep.best(), sweep.best_notes
    texts = {}
    for index, partition in best.items():
        text = "chooses nothing" if partition is None else f"chooses {partition}: {sweep.rules[index].name}"
        texts[index] = f"{text} ({notes[index]})" if index in notes else text
    return texts


def reasons(sweep: Sweep) -> list[str]:
    """Return why values are missing, each reason once, with the partitions it is true of."""
    partitions: dict[str, list[str]] = {}
    for (name, _), why in sweep.reasons.items():
        partitions.setdefault(why, []).append(str(name))
    return [f"For {listed(names, MOST_NAMED)}: {why}" for why, names in partitions.items()]


def verdict(sweep: Sweep) -> str:
    """Say which partition most indices choose."""
    votes = {name: count for name, count in sweep.votes().items() if count}
    if not votes:
        return "No index chooses one of these partitions."
    most = max(votes.values())
    texts = dict(zip(sweep.names, display(sweep.names), strict=True))
    winners = [f"k = {name}" if by_number(sweep) else texts[name] for name, count in votes.items() if count == most]
    prefer = "prefers" if most == 1 else "prefer"
    if len(winners) > 1:
        return (
            f"The indices do not agree: {most} of {sum(votes.values())} {prefer} each of {listed(winners)}. {WARNING}"
        )
    total = sum(votes.values())
    return f"{most} of {total} {'index' if total == 1 else 'indices'} {prefer} {winners[0]}. {WARNING}"


def winner(sweep: Sweep) -> Any:
    """Return the partition that most indices choose; of several, the one with the better mean rank."""
    votes, ranks = sweep.votes(), list(sweep.rank())
    return max(votes, key=lambda name: (votes[name], -ranks.index(name)))
