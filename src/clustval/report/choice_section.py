"""A choice among clusterings on the page: the answer in words, and all candidates in a table."""

from __future__ import annotations

from clustval.choosing.choice import NO_STRUCTURE, Choice, in_words
from clustval.choosing.first_look import FirstLook, first_look
from clustval.choosing.structure import CONTINUUM
from clustval.relative.sweep import Sweep
from clustval.report import curves
from clustval.report.point_sections import display
from clustval.report.report_tables import PageTable, Row, number
from clustval.results import Scores
from clustval.sources.partition import Partition

REFERENCES = ("hennig2015", "besag1991")
MOST_SHOWN = 15
COLUMNS = {
    "k": "clusters",
    "judge": "judge",
    "connected": "connected",
    "uncut": "uncut",
    "silhouette": "silhouette",
    "agreement": "agreement",
    "stability": "stability",
    "noise": "noise",
}


def verdict(choice: Choice) -> list[str]:
    """Say what was chosen, on which evidence, and what speaks against it."""
    if choice.name == NO_STRUCTURE:
        return [
            f"There are no clusters here: k = 1 (if there must be groups, {in_words(choice.k_range)}).",
            *choice.reasons,
        ]
    if choice.structure is not None and choice.structure.evidence == CONTINUUM:
        return [f"{choice.title}.", *choice.reasons]
    return [f"There are {choice.k} clusters: {choice.name}.", *choice.reasons]


def look_at(scores: Scores | None, name: str, sweep: Sweep | None) -> FirstLook | None:
    """Look at the clustering that was evaluated and at the partitions of a sweep, where their points are known."""
    partitions = {} if sweep is None else curves.partitions(sweep)
    space = None if sweep is None else sweep.space
    if scores is not None and isinstance(scores.source, Partition):
        space, codes = scores.source.surroundings
        partitions = {called: each for called, each in partitions.items() if len(each) == len(codes)} | {name: codes}
        if scores.source.weights is not None:
            return None
    return None if space is None else first_look(space, partitions)


def ranking(choice: Choice) -> PageTable:
    """Return the best candidates, best first, with what is known of each."""
    best = list(choice.ranking.items())[:MOST_SHOWN]
    names = display([name for name, _ in best])
    rows = [
        Row([name, *(number(float(values[column]), 3) for column in COLUMNS)])
        for name, (_, values) in zip(names, best, strict=True)
    ]
    count = f"The best {len(best)} of {len(choice.ranking)} candidates" if len(choice.ranking) > len(best) else "All"
    note = (
        f"{count}, by {choice.judge}. Connected: how well dense paths join the points of a cluster and no others. "
        "Uncut: how few nearest neighbours are parted. Agreement: with the candidates most like it, from five "
        "columns on with those of other algorithms. Stability: with what the same algorithm makes of half of them."
    )
    return PageTable(["candidate", *COLUMNS.values()], rows, "Every candidate and what is known of it", note)
