"""A sweep on the page: the curve of each index over the partitions, and which partition each chooses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clustval.alarms import COUNTED, percent
from clustval.report.drawings import Bar, Curve, bars, curve
from clustval.report.point_sections import display
from clustval.report.report_tables import PageTable, Row, number
from clustval.report.words import listed

if TYPE_CHECKING:
    from clustval.relative.sweep_result import Sweep

MOST_NAMED = 10
WARNING = "Voting by indices chooses badly, and chooses even if there are no clusters."
MOST_SHOWN = 40  # partitions of which every value is printed
NEAR = 0.02  # of the range of an index: values so close to the chosen one are marked too
STEPS = (0.0, 0.25, 0.5)  # shares of partitions ranked better at which the shade of a rank fades


@dataclass(frozen=True)
class Curves:
    """What the template shows of a sweep."""

    title: str
    names: list[str]  # of the indices
    bars: list[Bar]  # votes for each partition
    votes: PageTable
    multiples: list[Curve]
    ranks: PageTable
    table: PageTable


def by_number(sweep: Sweep) -> bool:
    """Return whether partitions are called by their number of clusters."""
    return all(name == k for name, k in zip(sweep.names, sweep.k.tolist(), strict=True))


def curves(sweep: Sweep) -> Curves:
    """Return the tables of a sweep: who chooses what, and every value."""
    title = "How many clusters?" if by_number(sweep) else "Which partition?"
    return Curves(
        title,
        list(sweep.indices),
        _bars(sweep),
        _votes(sweep),
        [_curve(sweep, index) for index in sweep.indices],
        _ranks(sweep),
        _values(sweep),
    )


def _bars(sweep: Sweep) -> list[Bar]:
    """Return the votes for each partition, those without any left out where there are many."""
    votes = sweep.votes()
    counts = {text: votes[name] for name, text in zip(sweep.names, display(sweep.names), strict=True)}
    return bars({text: count for text, count in counts.items() if count or len(sweep) <= MOST_SHOWN})


def _curve(sweep: Sweep, index: str) -> Curve:
    best = sweep.best()[index]
    at = -1 if best is None else sweep.names.index(best)
    return curve(index, sweep[index], at, display(sweep.names), sweep.rules[index].name)


def _ranks(sweep: Sweep) -> PageTable:
    """Return the rank of each partition by each index, the darker the better."""
    columns = range(min(len(sweep), MOST_SHOWN))
    names = display(sweep.names)
    rows = []
    for index, ranks in sweep.ranks().items():
        shades = [_shade((ranks[i] - 1) / max(len(sweep) - 1, 1)) for i in columns]
        rows.append(Row([index, *(number(float(ranks[i]), 3) for i in columns)], ["", *shades]))
    note = "1 is the best rank and the darkest cell; a dash means that the index does not rank the partition."
    return PageTable(["index", *(names[i] for i in columns)], rows, "Ranks of partitions by index", note, "heat")


def _shade(share: float) -> str:
    level = sum(share <= step for step in STEPS)
    return f"low-{level}" if level else ""


def _votes(sweep: Sweep) -> PageTable:
    best, ranks = sweep.best(), sweep.rank()
    names = dict(zip(sweep.names, display(sweep.names), strict=True))
    rows = []
    for name, votes in sorted(sweep.votes().items(), key=lambda item: -item[1]):
        if votes or len(sweep) <= MOST_SHOWN:
            choosers = ", ".join(index for index, choice in best.items() if choice == name)
            rows.append(Row([names[name], str(votes), number(ranks[name], 3), choosers], ["", "", "", "text"]))
    head = "clusters" if by_number(sweep) else "partition"
    return PageTable([head, "votes", "mean rank", "chosen by"], rows, "What the indices choose", kind="cards")


def _values(sweep: Sweep) -> PageTable:
    columns = range(min(len(sweep), MOST_SHOWN))
    best = sweep.best()
    names = display(sweep.names)
    rows = []
    for index in sweep.indices:
        values = sweep[index]
        close = near(sweep, index)
        marks = ["best" if sweep.names[i] == best[index] else "near" if close[i] else "" for i in columns]
        cells = [index, sweep.rules[index].name, *(number(float(values[i]), 4) for i in columns)]
        rows.append(Row(cells, ["", "text", *marks]))
    if (sweep.coverage < 1).any():
        shares = [percent(float(sweep.coverage[i])) for i in columns]
        rows.append(Row(["coverage", COUNTED, *shares], ["", "text", *("" for _ in columns)]))
    first = f" The first {MOST_SHOWN} of {len(sweep)} partitions." if len(sweep) > MOST_SHOWN else ""
    note = f"A paler mark: worse than the chosen one by less than {NEAR:.0%} of the range of the index.{first}"
    return PageTable(["index", "rule", *(names[i] for i in columns)], rows, "Every value, the chosen ones marked", note)


def near(sweep: Sweep, index: str) -> Any:
    """Return which partitions have a value that is hardly worse than the chosen one, where the extreme is chosen."""
    best, values = sweep.best()[index], sweep[index]
    finite = values[np.isfinite(values)]
    if best is None or sweep.rules[index].name not in {"highest", "lowest"} or len(finite) < 2:
        return np.zeros(len(sweep), dtype=bool)
    chosen = values[sweep.names.index(best)]
    return (np.abs(values - chosen) <= NEAR * np.ptp(finite)) & (np.arange(len(sweep)) != sweep.names.index(best))


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
    names = display(sweep.names)
    texts = {}
    for index, partition in best.items():
        text = "chooses nothing" if partition is None else f"chooses {partition}: {sweep.rules[index].name}"
        ties = [names[i] for i in np.flatnonzero(near(sweep, index))]
        text += f"; hardly worse: {listed(ties)}" if ties else ""
        texts[index] = f"{text} ({notes[index]})" if index in notes else text
    return texts


def reasons(sweep: Sweep) -> list[str]:
    """Return why values are missing, each reason once, with the partitions it is true of."""
    partitions: dict[str, list[str]] = {}
    for (name, _), why in sweep.reasons.items():
        partitions.setdefault(why, []).append(str(name))
    return [f"For {listed(names, MOST_NAMED)}: {why}" for why, names in partitions.items()]


def called(sweep: Sweep) -> dict[Any, str]:
    """Return what sentences call each partition."""
    names = [f"k = {name}" for name in sweep.names] if by_number(sweep) else display(sweep.names)
    return dict(zip(sweep.names, names, strict=True))


def verdict(sweep: Sweep) -> str:
    """Say which partition most indices choose."""
    votes = {name: count for name, count in sweep.votes().items() if count}
    if sweep.uneven and not sweep.penalised:
        return sweep.coverage_note
    if not votes:
        return "No index chooses one of these partitions."
    most = max(votes.values())
    names = called(sweep)
    winners = [names[name] for name, count in votes.items() if count == most]
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
